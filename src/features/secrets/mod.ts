/** Secrets: what must reach neither the model nor anything narnat writes, and what stands for it. */
import type { Secrets, StreamRedactor } from "../../base/types.ts";
import { CONTEXT, createFinder, type Finder, type Found, type Hit, type Known } from "./find.ts";
import { isKeyValue, type NamedValue, ofVariable } from "./named_values.ts";
import { BEFORE_CHARS, mixed } from "./shape.ts";
import { type WatchedOptions, watchFiles } from "./watched_files.ts";

/** Any of them, as the model may write it back. */
const PLACEHOLDER = /«secret:[\w.-]{1,80}(?::[0-9a-f]{6})?»/g;

/** Six characters that tell values of one name apart. */
function markOf(value: string): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
  }
  const mixed = Math.imul(a ^ b >>> 15, 0xc2b2ae35) ^ b;
  return ((mixed ^ mixed >>> 13) >>> 0).toString(16).padStart(8, "0").slice(-6);
}

const plain = (name: string) => name.replaceAll(/[^\w.-]+/g, "_").slice(0, 60) || "value";

/** `«secret:NAME»`, or with a mark `«secret:kind:3f2a9c»`. */
const placeholderOf = (name: string, mark?: string) =>
  `«secret:${plain(name)}${mark === undefined ? "" : `:${mark}`}»`;

/** Names, hashes, places and bytes, and what a provider has signed. */
const LEFT_AS_IT_IS = new Set([
  "images",
  "signature",
  "redacted",
  "extra",
  "id",
  "type",
  "hash",
  "seen",
  "cwd",
  "workspace",
  "changed",
]);

type Change = (text: string) => string;

/** The value with each text in it changed; the very same where nothing changes. */
function changeTexts<T>(value: T, change: Change): T {
  return changed(value, change, LEFT_AS_IT_IS) as T;
}

/** `left` are the fields that are ours; what a model or a person has made up has none. */
function changed(value: unknown, change: Change, left: ReadonlySet<string> | undefined): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    let others: unknown[] | undefined;
    for (let at = 0; at < value.length; at++) {
      const next = changed(value[at], change, left);
      if (next !== value[at]) (others ??= [...value])[at] = next;
    }
    return others ?? value;
  }
  let other: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    if (left?.has(name)) continue;
    const item = (value as Record<string, unknown>)[name];
    const next = name !== "input" || !left
      ? changed(item, change, left)
      : typeof item === "string"
      ? changeJson(item, change)
      : changed(item, change, undefined);
    if (next !== item) (other ??= { ...value })[name] = next;
  }
  return other ?? value;
}

/** JSON that stays such: no stretch may reach from one text of it into another. */
function changeJson(json: string, change: Change): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return change(json);
  }
  const safe = changed(value, change, undefined);
  return safe === value ? json : JSON.stringify(safe);
}

/** A part of it is looked at again; what stands before that is only asked about. */
const KEPT = CONTEXT + BEFORE_CHARS;

/** What a stream has of its maker. */
interface StreamParts {
  find(text: string, from: number, last: boolean): Found;
  /** A text with its secrets replaced. */
  replaced(text: string, from: number, to: number, hits: Found["hits"]): string;
}

function textVeil({ find, replaced }: StreamParts): StreamRedactor<string, string> {
  /** What was told already, as far as it matters, and what is held back. */
  let before = "";
  let held = "";
  const take = (piece: string, last: boolean) => {
    const text = before + held + piece;
    const from = before.length;
    const { hits, settled } = find(text, from, last);
    const told = replaced(text, from, settled, hits);
    before = text.slice(Math.max(0, settled - KEPT), settled);
    held = text.slice(settled);
    return told;
  };
  return {
    push: (piece) => take(piece, false),
    end() {
      const told = take("", true);
      before = "";
      return told;
    },
  };
}

/** Every byte is looked at as a character of its own; what is no secret stays the very bytes. */
function byteVeil(
  { find, replaced }: StreamParts,
): StreamRedactor<Uint8Array, readonly Uint8Array[]> {
  let before = "";
  let held: Uint8Array = new Uint8Array();
  const decoder = new TextDecoder("latin1");
  const encoder = new TextEncoder();
  const take = (chunk: Uint8Array, last: boolean): readonly Uint8Array[] => {
    const bytes = held.length === 0 ? chunk : joined(held, chunk);
    if (bytes.length === 0) return [];
    const text = before + decoder.decode(bytes);
    const from = before.length;
    const { hits, settled } = find(text, from, last);
    before = text.slice(Math.max(0, settled - KEPT), settled);
    held = bytes.slice(settled - from);
    const told: Uint8Array[] = [];
    let at = from;
    for (const hit of hits) {
      told.push(bytes.subarray(at - from, hit.start - from));
      told.push(encoder.encode(replaced(text, hit.start, hit.end, [hit])));
      at = hit.end;
    }
    told.push(bytes.subarray(at - from, settled - from));
    return told.filter(({ length }) => length > 0);
  };
  return {
    push: (chunk) => take(chunk, false),
    end: () => take(new Uint8Array(), true),
  };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

export { isSecretName } from "./named_values.ts";

export interface SecretsOptions extends WatchedOptions {
  /** The user has turned it off: only narnat's own keys are hidden then. */
  readonly off: boolean;
  /** narnat's own keys, by the names of their settings. */
  readonly keys: readonly NamedValue[];
  readonly env: { readonly [name: string]: string };
}

/** Texts that were found to hold no secret, so that none is looked through twice on its way. */
const CLEAN_KEPT = 16;
const CLEAN_CHARS = 512;
/** More was never a key that somebody changed. */
const MOST_PAST = 3000;
/** Values that a shape has told, and that are known from then on. */
const MOST_TOLD = 1000;
const LEAST_TOLD = 12;
const MOST_TOLD_CHARS = 2000;
/** Shorter than any secret. */
const LEAST_CHARS = 6;

/** Makes what redacts secrets; no file is read before `refresh`. */
export const createSecrets = (options: SecretsOptions): Secrets => new KnownSecrets(options);

class KnownSecrets implements Secrets {
  readonly off: boolean;
  readonly #options: SecretsOptions;
  readonly #files: () => readonly NamedValue[];
  #ofPlace: readonly NamedValue[] | undefined;
  #ofFiles: readonly NamedValue[] = [];
  /** What files held before, and its names: it may still be told of, and still be good. */
  readonly #past = new Map<string, string>();
  /** Those of them whose names have gone over to other values. */
  #outdated = new Set<string>();
  /** What only its shape has told, and of what kind it was: it may come again in another writing. */
  readonly #told = new Map<string, string>();
  #known = new Map<string, string[]>();
  /** Names that more than one value has. */
  #shared = new Set<string>();
  #finder: Finder | undefined;
  #alwaysFinder: Finder | undefined;
  #ownFinder: Finder | undefined;
  #clean: string[] = [];
  readonly #heard = new Map<string, Map<string, string>>();
  readonly #parts: StreamParts;

  constructor(options: SecretsOptions) {
    this.off = options.off;
    this.#options = options;
    this.#files = watchFiles(options);
    this.#parts = {
      find: (text, from, last) => this.#look(text, from, last),
      replaced: (text, from, to, hits) => this.#replaced(text, from, to, hits),
    };
  }

  get count(): number {
    this.#settle();
    return this.#known.size;
  }

  readonly redact = (text: string): string => {
    if (text.length < LEAST_CHARS || this.#clean.includes(text)) return text;
    const { hits } = this.#look(text);
    const safe = hits.length === 0 ? text : this.#replaced(text, 0, text.length, hits);
    if (safe.length >= CLEAN_CHARS) this.#clean = [safe, ...this.#clean.slice(0, CLEAN_KEPT - 1)];
    return safe;
  };

  readonly redactIn = <V>(value: V): V => changeTexts(value, this.redact);

  readonly redactOwn = (text: string): string => {
    const ofPlace = this.#settle();
    this.#ownFinder ??= createFinder(ofPlace.map(({ value }) => ({ value })), !this.off);
    return this.#replaced(text, 0, text.length, this.#ownFinder.find(text).hits);
  };

  readonly redactAlways = (text: string): string => {
    if (!this.off) return this.redact(text);
    this.#settle();
    this.#alwaysFinder ??= createFinder(this.#values(), true);
    return this.#replaced(text, 0, text.length, this.#alwaysFinder.find(text).hits);
  };

  readonly stream = () => textVeil(this.#parts);

  readonly bytes = () => byteVeil(this.#parts);

  readonly valuesIn = (text: string): Map<string, string | undefined> => {
    const values = new Map<string, string | undefined>();
    for (const hit of this.#all().find(text).hits) {
      const written = text.slice(hit.start, hit.end);
      for (const placeholder of new Set(this.#everStoodFor(hit))) {
        const other = values.has(placeholder) && values.get(placeholder) !== written;
        values.set(placeholder, other ? undefined : written);
      }
    }
    return values;
  };

  readonly placeholdersIn = (text: string) => [...new Set(text.match(PLACEHOLDER) ?? [])];

  readonly hear = (text: string, lane: string): void => {
    const values = this.#heard.get(lane) ?? new Map<string, string>();
    for (const [placeholder, value] of this.valuesIn(text)) {
      if (value !== undefined) values.set(placeholder, value);
    }
    if (values.size > 0) this.#heard.set(lane, values);
  };

  readonly heard = (lane: string) => this.#heard.get(lane) ?? new Map<string, string>();

  readonly refresh = (): void => {
    if (this.off) return;
    const now = this.#files();
    if (now === this.#ofFiles) return;
    for (const { name, value } of this.#ofFiles) {
      if (this.#past.size < MOST_PAST) this.#past.set(value, name);
    }
    this.#ofFiles = now;
    this.#gather();
  };

  #fixed(): readonly NamedValue[] {
    const { keys, env } = this.#options;
    const variables = this.off
      ? []
      : Object.entries(env).flatMap(([name, value]) => ofVariable(name, value));
    return [...variables, ...keys.filter(({ value }) => isKeyValue(value))];
  }

  /** Nothing is done before something is redacted. */
  #settle(): readonly NamedValue[] {
    return this.#ofPlace ?? this.#gather();
  }

  #gather(): readonly NamedValue[] {
    const known = this.#known = new Map<string, string[]>();
    const valueOf = new Map<string, string>();
    this.#shared = new Set();
    const ofPlace = this.#ofPlace ??= this.#fixed();
    for (const { name, value } of [...ofPlace, ...this.#ofFiles]) {
      const names = known.get(value);
      if (!names) known.set(value, [name]);
      else if (!names.includes(name)) names.push(name);
      if ((valueOf.get(name) ?? value) !== value) this.#shared.add(name);
      valueOf.set(name, value);
    }
    this.#outdated = new Set();
    for (const [value, name] of [...this.#past].reverse()) {
      if (known.has(value)) continue;
      known.set(value, [name]);
      if (valueOf.has(name)) this.#outdated.add(value);
      else valueOf.set(name, value);
    }
    this.#finder = this.#alwaysFinder = undefined;
    this.#clean = [];
    return ofPlace;
  }

  #values(): Known[] {
    return [...this.#known.keys()].map((value) => ({ value }));
  }

  #all(): Finder {
    this.#settle();
    return this.#finder ??= createFinder(
      [...this.#values(), ...[...this.#told].map(([value, kind]) => ({ value, kind }))],
      !this.off,
    );
  }

  /** Whether the value was new. */
  #remember({ value, kind }: Hit): boolean {
    const told = this.#told;
    if (kind === undefined || told.has(value) || this.#known.has(value)) return false;
    if (value.length < LEAST_TOLD || value.length > MOST_TOLD_CHARS) return false;
    if (told.size >= MOST_TOLD || value.includes("\n") || !mixed(value)) return false;
    told.set(value, kind);
    this.#all().learn({ value, kind });
    return true;
  }

  /** Once more where a value was new: it may stand there in another writing too. */
  #look(text: string, from = 0, last = true): Found {
    const found = this.#all().find(text, from, last);
    if (found.hits.filter((hit) => this.#remember(hit)).length === 0) return found;
    this.#clean = [];
    return this.#all().find(text, from, last);
  }

  #standFor({ value, kind }: Hit): string {
    const name = this.#known.get(value)?.[0];
    if (name === undefined) return placeholderOf(kind ?? "value", markOf(value));
    const marked = this.#shared.has(name) || this.#outdated.has(value);
    return placeholderOf(name, marked ? markOf(value) : undefined);
  }

  /** Whatever has stood for the value, when less or more was known of it. */
  #everStoodFor({ value, kind }: Hit): string[] {
    const names = this.#known.get(value) ?? [];
    const shape = kind ?? this.#told.get(value) ?? this.#all().kindOf(value);
    const mark = markOf(value);
    return [
      ...names.flatMap((name) => [placeholderOf(name), placeholderOf(name, mark)]),
      ...shape === undefined ? [] : [placeholderOf(shape, mark)],
    ];
  }

  #replaced(text: string, from: number, to: number, hits: readonly Hit[]): string {
    let safe = "";
    let at = from;
    for (const hit of hits) {
      safe += text.slice(at, hit.start) + this.#standFor(hit);
      at = hit.end;
    }
    return safe + text.slice(at, to);
  }
}
