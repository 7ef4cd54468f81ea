import { matchesKey, type Terminal } from "@earendil-works/pi-tui";
import { isAmong } from "../../models/model_facts.ts";
import type { Text } from "../../base/t.ts";
import { errorMessage } from "../../base/errors.ts";
import { type Answer, Asker } from "./asker.ts";
import { plain, plainLine } from "../../base/control_characters.ts";
import type {
  ProviderChoice,
  SetupChoice,
  SetupOptions,
  SetupResult,
  SetupTrouble,
} from "./options.ts";
import { createStyle, type Style, styleKind } from "../style.ts";

const DEMO = "\0demo";
const OTHER = "\0other";

const THEN = {
  again: "Try again",
  save: "Save anyway (offline now, or a VPN later)",
  url: "Change the address",
  model: "Choose another model",
} as const;

/** The questions about one provider, in order; the test comes last. */
const STEPS: readonly SetupTrouble["mend"][] = ["url", "key", "model"];

/** Two addresses run together are an address to URL.parse. */
function isOneUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && text.split("://").length === 2 &&
    URL.canParse(text);
}

/** The steps of the set-up on one terminal. */
export class Wizard {
  readonly #options: SetupOptions;
  readonly #style: Style;
  readonly #asker: Asker;
  readonly #left = Promise.withResolvers<"quit">();

  /** `stopProcess` is called for Ctrl-Z. */
  constructor(options: SetupOptions, terminal: Terminal | undefined, stopProcess: () => void) {
    this.#options = options;
    this.#style = createStyle(styleKind("auto", options.env));
    this.#asker = new Asker(this.#style, terminal, (data) => {
      if (matchesKey(data, "ctrl+c") || matchesKey(data, "ctrl+d")) this.#left.resolve("quit");
      else if (matchesKey(data, "ctrl+z")) stopProcess();
      else return false;
      return true;
    });
  }

  async run(): Promise<SetupResult> {
    this.#asker.start();
    this.#asker.tell(
      this.#style.bold(this.#say("Welcome to narnat. Choose a model service first.")),
    );
    this.#asker.tell(this.#style.dim(this.#say("↑↓ choose · enter accept · esc quits")));
    this.#asker.tell("");
    return await Promise.race([this.#steps(), this.#left.promise]);
  }

  close(): void {
    this.#asker.close();
  }

  suspend(): void {
    this.#asker.suspend();
  }

  resume(): void {
    this.#asker.resume();
  }

  async #steps(): Promise<SetupResult> {
    let chosen: string | undefined;
    while (true) {
      const title = chosen === undefined ? "" : this.#say("Choose a model service");
      const picked = await this.#asker.choose(
        title,
        [
          ...this.#options.providers.map(({ id, name, baseUrl }) => ({
            value: id,
            label: plainLine(name),
            description: plainLine(baseUrl),
          })),
          { value: DEMO, label: this.#say("Try the offline demo model") },
        ],
        false,
        chosen,
      );
      if (picked === undefined) return "quit";
      const id = picked.value;
      chosen = id;
      if (id === DEMO) return "demo";
      const provider = this.#options.providers.find((one) => one.id === id)!;
      this.#asker.approve(plainLine(provider.name));
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
        (choice: SetupChoice) => this.#testAndSave(provider, choice),
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
      typed = await this.#asker.type(this.#say("Endpoint address (https://… or http://…)"), typed);
      if (typed === undefined) return undefined;
      const baseUrl = typed.trim().replace(/\/+$/, "");
      if (isOneUrl(baseUrl)) {
        this.#asker.approve(baseUrl);
        return { ...choice, baseUrl };
      }
      this.#asker.complain(
        this.#say(
          "Not an address: {found}. It must be one address that begins with https:// or http://",
          { found: plainLine(typed) },
        ),
      );
    }
  }

  async #askKey(provider: ProviderChoice, choice: SetupChoice): Promise<SetupChoice | undefined> {
    if (!provider.needsKey && provider.baseUrl !== "") return choice;
    // goes with the question: it is nothing to another provider
    const where = provider.keyUrl === undefined
      ? ""
      : `${this.#style.dim(this.#say("Get one at {url}", { url: plainLine(provider.keyUrl) }))}\n`;
    const title = where +
      (provider.needsKey
        ? this.#say("Paste your {name} API key (hidden)", { name: plainLine(provider.name) })
        : this.#say("Paste the API key (hidden), or press enter if none is needed"));
    while (true) {
      const key = await this.#asker.mask(
        title,
        (count) => this.#say("{count} characters", { count }),
      );
      if (key === undefined) return undefined;
      const count = key.length;
      if (count > 0) this.#asker.approve(this.#say("API key, {count} characters", { count }));
      if (key !== "" || !provider.needsKey) return { ...choice, apiKey: key };
      this.#asker.complain(this.#say("A key is needed"));
    }
  }

  async #askModel(provider: ProviderChoice, choice: SetupChoice): Promise<SetupChoice | undefined> {
    const names = await this.#models(provider, choice);
    let named = choice.model;
    if (names.length > 0) {
      const picked = await this.#asker.choose(
        this.#say("Choose a model (type to narrow the list)"),
        [
          ...names.map((name) => ({ value: name, label: plainLine(name) })),
          { value: OTHER, label: this.#say("Another model…") },
        ],
        true,
        choice.model,
      );
      if (picked === undefined) return undefined;
      if (picked.value !== OTHER) return { ...choice, model: picked.value };
      named = picked.query || named;
    }
    while (true) {
      const typed = await this.#asker.type(this.#say("Name of the model"), named);
      if (typed === undefined) return undefined;
      if (typed.trim() !== "") return { ...choice, model: plainLine(typed).trim() };
      this.#asker.complain(this.#say("A model name is needed"));
    }
  }

  /** What the provider lists, the recommended ones first; only those where it does not tell. */
  async #models(provider: ProviderChoice, choice: SetupChoice): Promise<readonly string[]> {
    const { models } = this.#options;
    if (models === undefined) return provider.models;
    const listed = await this.#asker.during(
      this.#say("Asking for the list of models (esc skips)"),
      (signal) => models(choice, signal).catch(() => []),
    ) ?? [];
    if (listed.length === 0) return provider.models;
    const first = provider.models.filter((name) => isAmong(name, listed));
    return [...first, ...listed.filter((name) => !first.includes(name))];
  }

  async #testAndSave(
    provider: ProviderChoice,
    choice: SetupChoice,
  ): Promise<SetupChoice | SetupTrouble["mend"] | undefined> {
    const trouble = await this.#test(choice);
    if (trouble !== undefined) this.#asker.complain(trouble.text);
    if (trouble?.mend === "url") {
      const next = await this.#askUnreached(provider);
      if (next === "again") return await this.#testAndSave(provider, choice);
      if (next !== "save") return next;
    } else if (trouble !== undefined) return trouble.mend;
    else this.#asker.approve(this.#say("{model} works", { model: choice.model }));
    return await this.#save(choice);
  }

  /** The provider could not be reached: the choice may be right all the same. */
  async #askUnreached(
    { baseUrl }: ProviderChoice,
  ): Promise<"again" | "save" | SetupTrouble["mend"] | undefined> {
    const other = baseUrl === "" ? "url" : "model";
    const items = (["again", "save", other] as const).map((value) => ({
      value,
      label: this.#say(THEN[value]),
    }));
    const picked = await this.#asker.choose("", items, false);
    return items.find(({ value }) => value === picked?.value)?.value;
  }

  async #save(choice: SetupChoice): Promise<SetupChoice | undefined> {
    try {
      const path = await this.#options.save(choice);
      this.#asker.tell(this.#say("Saved to {path}", { path: plainLine(path) }));
      return { ...choice };
    } catch (error) {
      const text = errorMessage(error);
      this.#asker.complain(
        this.#say(
          "Cannot save the settings: {why}\nnarnat runs without them when NARNAT_API_KEY, NARNAT_BASE_URL and NARNAT_MODEL are set in the environment",
          { why: plain(text) },
        ),
      );
      return undefined;
    }
  }

  /** Resolves with what to tell the user, or undefined when the choice works. */
  async #test(choice: SetupChoice): Promise<SetupTrouble | undefined> {
    const failed = (why: string, mend: SetupTrouble["mend"]) => ({
      text: this.#say("The test failed: {why}", { why: plain(why) }),
      mend,
    });
    const tested = await this.#asker.during(
      this.#say("Testing {model} (esc cancels)", { model: choice.model }),
      (signal) =>
        this.#options.test(choice, signal).then(
          (trouble) => ({ trouble: trouble && failed(trouble.text, trouble.mend) }),
          (error) => ({
            trouble: failed(errorMessage(error), "model"),
          }),
        ),
    );
    return tested ? tested.trouble : { text: this.#say("The test was cancelled"), mend: "model" };
  }

  #say(text: Text, values?: { readonly [name: string]: string | number }): string {
    return this.#options.t(text, values);
  }
}
