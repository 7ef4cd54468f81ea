import { CancellableLoader, type Component, Container, matchesKey } from "@earendil-works/pi-tui";
import {
  isKeyRelease,
  type SelectItem,
  SelectList,
  type Terminal,
  Text,
} from "@earendil-works/pi-tui";
import { isAmong } from "../model/model_names.ts";
import { say, type TextKey } from "../text.ts";
import { plain, plainLine } from "./clean.ts";
import { layRows } from "./lay.ts";
import { LiveScreen } from "./live.ts";
import { LineInput } from "./line_input.ts";
import { MaskedInput } from "./masked_input.ts";
import type {
  ProviderChoice,
  SetupChoice,
  SetupOptions,
  SetupResult,
  SetupTrouble,
} from "./options.ts";
import type { Row } from "./rows.ts";
import { createStyle, selectTheme, type Style, styleKind } from "./style.ts";

const DEMO = "\0demo";
const OTHER = "\0other";

/** The questions about one provider, in order; the test comes last. */
const STEPS: readonly SetupTrouble["mend"][] = ["url", "key", "model"];

/** A step's answer; `undefined` goes back. */
type Answer = string | undefined;

/** Two addresses run together are an address to URL.parse. */
function isOneUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && text.split("://").length === 2 &&
    URL.canParse(text);
}

/** The steps of the set-up on one terminal. */
export class Wizard {
  readonly #options: SetupOptions;
  readonly #style: Style;
  readonly #live: LiveScreen;
  readonly #slot = new Container();
  readonly #gone = new AbortController();
  readonly #left = Promise.withResolvers<"quit">();

  constructor(options: SetupOptions, terminal: Terminal | undefined) {
    this.#options = options;
    this.#style = createStyle(styleKind("auto", options.env));
    this.#live = new LiveScreen(terminal);
    this.#live.addChild(this.#slot);
    this.#live.addInputListener((data) => {
      if (isKeyRelease(data) || !(matchesKey(data, "ctrl+c") || matchesKey(data, "ctrl+d"))) {
        return undefined;
      }
      this.#left.resolve("quit");
      return { consume: true };
    });
  }

  async run(): Promise<SetupResult> {
    this.#live.start();
    this.#tell(this.#style.bold(this.#say("setup.welcome")));
    this.#tell(this.#style.dim(this.#say("setup.move")));
    this.#tell("");
    return await Promise.race([this.#steps(), this.#left.promise]);
  }

  close(): void {
    this.#gone.abort();
    this.#live.close();
  }

  suspend(): void {
    this.#live.suspend();
  }

  resume(): void {
    this.#live.resume();
  }

  async #steps(): Promise<SetupResult> {
    while (true) {
      const id = await this.#choose("", [
        ...this.#options.providers.map(({ id, name, baseUrl }) => ({
          value: id,
          label: plainLine(name),
          description: plainLine(baseUrl),
        })),
        { value: DEMO, label: this.#say("setup.demo") },
      ]);
      if (id === undefined) return "quit";
      if (id === DEMO) return "demo";
      const provider = this.#options.providers.find((one) => one.id === id)!;
      this.#tell(`${this.#style.green("✓")} ${plainLine(provider.name)}`);
      if (await this.#setUp(provider)) return "saved";
    }
  }

  /** Walks through the steps of one provider; false when the user went back to the list. */
  async #setUp(provider: ProviderChoice): Promise<boolean> {
    const steps:
      ((choice: SetupChoice) => Promise<SetupChoice | SetupTrouble["mend"] | undefined>)[] = [
        (choice: SetupChoice) => this.#askUrl(provider, choice),
        (choice: SetupChoice) => this.#askKey(provider, choice),
        (choice: SetupChoice) => this.#askModel(provider, choice),
        (choice: SetupChoice) => this.#testAndSave(choice),
      ];
    let choice: SetupChoice = {
      provider: provider.id,
      baseUrl: provider.baseUrl,
      model: "",
      apiKey: "",
    };
    let forward = true;
    for (let at = 0; at < steps.length;) {
      const next = await steps[at]!(choice);
      if (typeof next === "string") {
        // An address that was not asked for cannot be mended.
        at = STEPS.indexOf(next === "url" && provider.baseUrl !== "" ? "model" : next);
        forward = true;
        continue;
      }
      // A step that has nothing to ask is passed over in both directions.
      if (next === choice && !forward) at--;
      else {
        forward = next !== undefined;
        at += forward ? 1 : -1;
      }
      if (at < 0) return false;
      choice = next ?? choice;
    }
    return true;
  }

  async #askUrl(provider: ProviderChoice, choice: SetupChoice): Promise<SetupChoice | undefined> {
    if (provider.baseUrl !== "") return choice;
    let typed: Answer = choice.baseUrl;
    while (true) {
      typed = await this.#type(this.#say("setup.base_url"), typed);
      if (typed === undefined) return undefined;
      const baseUrl = typed.trim().replace(/\/+$/, "");
      if (isOneUrl(baseUrl)) return { ...choice, baseUrl };
      this.#complain(this.#say("setup.bad_url", { found: plainLine(typed) }));
    }
  }

  async #askKey(provider: ProviderChoice, choice: SetupChoice): Promise<SetupChoice | undefined> {
    if (!provider.needsKey && provider.baseUrl !== "") return choice;
    if (provider.keyUrl !== undefined) {
      this.#tell(this.#style.dim(this.#say("setup.key_url", { url: plainLine(provider.keyUrl) })));
    }
    const title = provider.needsKey
      ? this.#say("setup.key", { name: plainLine(provider.name) })
      : this.#say("setup.key_optional");
    while (true) {
      const key = await this.#mask(title);
      if (key === undefined) return undefined;
      if (key !== "" || !provider.needsKey) return { ...choice, apiKey: key };
      this.#complain(this.#say("setup.key_missing"));
    }
  }

  async #askModel(provider: ProviderChoice, choice: SetupChoice): Promise<SetupChoice | undefined> {
    const names = await this.#models(provider, choice);
    if (names.length > 0) {
      const picked = await this.#choose(this.#say("setup.model"), [
        ...names.map((name) => ({ value: name, label: plainLine(name) })),
        { value: OTHER, label: this.#say("setup.model_other") },
      ]);
      if (picked === undefined) return undefined;
      if (picked !== OTHER) return { ...choice, model: picked };
    }
    while (true) {
      const typed = await this.#type(this.#say("setup.model_name"), choice.model);
      if (typed === undefined) return undefined;
      if (typed.trim() !== "") return { ...choice, model: plainLine(typed).trim() };
      this.#complain(this.#say("setup.model_missing"));
    }
  }

  /** What the provider lists, the recommended ones first; only those where it does not tell. */
  async #models(provider: ProviderChoice, choice: SetupChoice): Promise<readonly string[]> {
    const { models } = this.#options;
    if (models === undefined) return provider.models;
    const listed = await this.#during(
      this.#say("setup.listing"),
      (signal) => models(choice, signal).catch(() => []),
    ) ?? [];
    if (listed.length === 0) return provider.models;
    const first = provider.models.filter((name) => isAmong(name, listed));
    return [...first, ...listed.filter((name) => !first.includes(name))];
  }

  async #testAndSave(
    choice: SetupChoice,
  ): Promise<SetupChoice | SetupTrouble["mend"] | undefined> {
    const trouble = await this.#test(choice);
    if (trouble !== undefined) {
      this.#complain(trouble.text);
      return trouble.mend;
    }
    this.#tell(`${this.#style.green("✓")} ${this.#say("setup.works", { model: choice.model })}`);
    try {
      const path = await this.#options.save(choice);
      this.#tell(this.#say("setup.saved", { path: plainLine(path) }));
      return { ...choice };
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#complain(this.#say("setup.not_saved", { why: plain(text) }));
      return undefined;
    }
  }

  /** Resolves with what to tell the user, or undefined when the choice works. */
  async #test(choice: SetupChoice): Promise<SetupTrouble | undefined> {
    const failed = (why: string, mend: SetupTrouble["mend"]) => ({
      text: this.#say("setup.failed", { why: plain(why) }),
      mend,
    });
    const tested = await this.#during(
      this.#say("setup.testing", { model: choice.model }),
      (signal) =>
        this.#options.test(choice, signal).then(
          (trouble) => ({ trouble: trouble && failed(trouble.text, trouble.mend) }),
          (error) => ({
            trouble: failed(error instanceof Error ? error.message : String(error), "model"),
          }),
        ),
    );
    return tested ? tested.trouble : { text: this.#say("setup.cancelled"), mend: "model" };
  }

  /** Waits with a spinner; undefined when ESC was quicker. */
  async #during<T>(
    title: string,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const loader = new CancellableLoader(this.#live, this.#style.cyan, (text) => text, title);
    const cancelled = Promise.withResolvers<undefined>();
    this.#gone.signal.addEventListener("abort", () => loader.dispose(), { once: true });
    loader.onAbort = () => cancelled.resolve(undefined);
    this.#mount(loader);
    const working = work(AbortSignal.any([loader.signal, this.#gone.signal]));
    try {
      return await Promise.race([working, cancelled.promise]);
    } finally {
      loader.dispose();
      this.#slot.clear();
    }
  }

  // ------------------------------------------------------------- asking

  #choose(title: string, items: SelectItem[]): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const list = new SelectList(items, 10, selectTheme(this.#style));
    list.onSelect = (item) => resolve(item.value);
    list.onCancel = () => resolve(undefined);
    this.#mount(list, title);
    return promise;
  }

  #type(title: string, value: string): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const input = new LineInput(value);
    input.onSubmit = (text) => resolve(text);
    input.onEscape = () => resolve(undefined);
    this.#mount(input, title);
    return promise;
  }

  #mask(title: string): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const input = new MaskedInput(resolve, (count) => this.#say("setup.key_length", { count }));
    this.#mount(input, title);
    return promise;
  }

  #mount(component: Component, title = ""): void {
    this.#slot.clear();
    if (title !== "") this.#slot.addChild(new Text(title, 0, 0));
    this.#slot.addChild(component);
    this.#live.setFocus(component);
    this.#live.requestRender();
  }

  // ------------------------------------------------------------- telling

  #say(key: TextKey, values?: { readonly [name: string]: string | number }): string {
    return say(this.#options.lang, key, values);
  }

  #complain(text: string): void {
    const { red } = this.#style;
    const rows = text.split("\n").map((line, index): Row => ({
      lead: index === 0 ? red("✗ ") : "  ",
      text: red(line),
      fit: "wrap",
    }));
    this.#commit([...rows, { text: "", fit: "wrap" }]);
  }

  #tell(text: string): void {
    this.#commit([{ text, fit: "wrap" }]);
  }

  #commit(rows: readonly Row[]): void {
    this.#live.commit((width) => layRows(rows, width));
  }
}
