/** The call for which a provider has refused an answer: Groq checks what a model writes. */
import { list, type Loose, object, parse, string } from "./loose.ts";

/** As a delta has it. */
export interface RefusedCall {
  readonly function: { readonly name: string; readonly arguments: unknown };
}

/** `<function=Name>{…}`, `Name{…}</function>`, `Name({…})`; what is cut within has no last brace. */
const WRITTEN = /([\w.-]+)["'`]?[\s>=(:,]*(\{[^]*)/;
const NAMED = /tool ["'`]?([\w.-]+)["'`]? (?:did not match|which was not)/;

/** Reads it out of an error; undefined where no tool is named. */
export function refusedCall(error: Loose): RefusedCall | undefined {
  const written = string(error.failed_generation).trim();
  const named = NAMED.exec(string(error.message))?.[1];
  return inJson(written) ?? inWords(written, named) ?? (named ? call(named, written) : undefined);
}

const call = (name: string, input: unknown): RefusedCall => ({
  function: { name, arguments: input },
});

function inJson(written: string): RefusedCall | undefined {
  const [json = ""] = /[{[][^]*[}\]]/.exec(written) ?? [];
  const value = parse(json);
  const outer = object(Array.isArray(value) ? value[0] : value);
  const one = object(list(outer.tool_calls)[0] ?? outer);
  const part = object(one.function);
  const name = string(one.name) || string(part.name) || string(one.function);
  const input = one.arguments ?? one.parameters ?? one.input ?? part.arguments ?? part.parameters;
  return name === "" || input === undefined ? undefined : call(name, input);
}

function inWords(written: string, named: string | undefined): RefusedCall | undefined {
  const [, name, rest = ""] = WRITTEN.exec(written) ?? [];
  if (name === undefined) return undefined;
  const whole = /^\{[^]*\}/.exec(rest)?.[0] ?? rest;
  return call(named ?? name, whole);
}
