/** Reading of JSON that a stranger wrote: nothing is assumed, nothing throws. */
import { isRecord } from "../../base/is_record.ts";

export type Loose = { readonly [key: string]: unknown };

const NO_FIELDS: Loose = Object.freeze({});
const NO_ITEMS: readonly unknown[] = Object.freeze([]);

/** The value as an object; an empty one when it is something else. */
export function object(value: unknown): Loose {
  return isRecord(value) ? value : NO_FIELDS;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NO_ITEMS;
}

export function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The value as a count; 0 when it is something else. */
export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** Parses JSON; undefined when it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the text is a JSON object, as the input of a tool call must be. */
export function isObjectText(text: string): boolean {
  return isRecord(parse(text));
}

/** Levels of JSON that any program of anybody reads; walks over more end in a full stack. */
export const MOST_LEVELS = 100;

/** Whether JSON is nested deeper than that. */
export function isTooDeep(json: string): boolean {
  if (json.length <= 2 * MOST_LEVELS) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) inText = !inText;
    else if (inText) continue;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > MOST_LEVELS) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}
