/** The texts people (and, in tool results, the model) read: English in place, Chinese in `zh.json`. */

/** A language of narnat's own texts. */
export type Lang = "zh" | "en";

/** An English text that has a Chinese one. */
export type Text = keyof typeof import("./zh.json", { with: { type: "json" }});

/** Says texts in one language. */
export interface T {
  readonly lang: Lang;
  /**
   * Returns `text` in this language with each `{name}` replaced by `values.name`, and each
   * `{name:file|all files}` by the words that go with that number.
   */
  <S extends Text>(text: S, ...values: ValuesOf<S>): string;
}

/** Values for the placeholders of a text. */
export interface Values {
  readonly [name: string]: string | number;
}

/** The values that the text `S` needs; a text that is not known before the program runs takes any. */
export type ValuesOf<S extends Text> = Text extends S ? [values?: Values]
  : [Names<S>] extends [never] ? []
  : [values: { readonly [name in Names<S>]: string | number }];

type Names<S extends string> = S extends `${string}{${infer Rest}` ? FirstName<Rest> : never;

type FirstName<S extends string> = S extends `${infer Inner}}${infer Rest}`
  ? Inner extends `${string}{${string}` ? Names<S>
  : (Inner extends `${infer Name}:${string}|${string}` ? NameIn<Name> : NameIn<Inner>) | Names<Rest>
  : never;

/** A name is a word that begins with a small letter: `{…}`, `{NAME}` and `{"a": 1}` are no placeholders. */
type NameIn<S extends string> = S extends "" | `${string}${" " | '"' | "," | ":" | "…"}${string}`
  ? never
  : S extends Uncapitalize<S> ? S
  : never;

/** Beside this file, or the bundle that it is in; a compiled program has it where it lay. */
const PLACES = ["./zh.json", "./src/base/zh.json"];

/** The Chinese where narnat may not read files: a module needs no permission. */
const loaded = mayRead()
  ? undefined
  : (await import("./zh.json", { with: { type: "json" } })).default;

function mayRead(): boolean {
  const path = new URL(PLACES[0]!, import.meta.url);
  return Deno.permissions.querySync({ name: "read", path }).state === "granted";
}

const PLACEHOLDER = /\{(\w+)(?::([^{}|]+)\|([^{}|]+))?\}/g;

/** Says English. */
export const english: T = translator("en");

/** Returns what says texts in `lang`; reads `zh.json` for Chinese. */
export function translator(lang: Lang): T {
  const translated = lang === "zh" ? readChinese() : {};
  const say = (text: string, values: Values = {}) =>
    (translated[text] ?? text).replace(
      PLACEHOLDER,
      (whole, name: string, one?: string, many?: string) => {
        if (!(name in values)) return whole;
        return one === undefined ? String(values[name]) : Number(values[name]) === 1 ? one : many!;
      },
    );
  return Object.assign(say, { lang }) as T;
}

function readChinese(): { readonly [text: string]: string } {
  if (loaded) return loaded;
  for (const place of PLACES) {
    try {
      return JSON.parse(Deno.readTextFileSync(new URL(place, import.meta.url)));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Error("Cannot speak Chinese: zh.json is missing");
}

/** Returns `t`, and what speaks the other languages that narnat has said one of `texts` in. */
export function spokenIn(texts: readonly string[], t: T): readonly T[] {
  const han = texts.some((text) => /\p{Script=Han}/u.test(text));
  return t.lang === "zh" ? [t, english] : han ? [t, translator("zh")] : [t];
}

/** The language of narnat's own texts: `LC_ALL`, `LC_MESSAGES` or `LANG` beginning with `zh` means Chinese. */
export function langFrom(env: (name: string) => string | undefined): Lang {
  const locale = env("LC_ALL") || env("LC_MESSAGES") || env("LANG") || "";
  return locale.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/** How a message begins that the host, not a person, put into the conversation. */
export const HOST_MARK = "[narnat]";
