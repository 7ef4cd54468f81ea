/** Thinking in the parts that OpenRouter and others want back as they came, signatures included. */
import type { Json } from "../../base/types.ts";
import { list, type Loose, object, string } from "./loose.ts";

/** The field of a part that comes in pieces. */
const GROWING: Loose = { "reasoning.text": "text", "reasoning.summary": "summary" };

type Part = Record<string, unknown>;

/** Puts the pieces of an answer's parts together. */
export class ReasoningDetails {
  #parts: Part[] | undefined;

  /** Takes the `reasoning_details` of one delta. */
  take(value: unknown): void {
    if (!Array.isArray(value)) return;
    // an empty list is wanted back too
    this.#parts ??= [];
    for (const one of value) {
      const piece = object(one);
      if (!string(piece.type)) continue;
      const part = this.#partOf(piece);
      if (part) grow(part, piece);
      else this.#parts.push({ ...piece });
    }
  }

  /** The whole parts; undefined where none came. */
  finish(): readonly Json[] | undefined {
    return this.#parts as Json[] | undefined;
  }

  /** The part that a piece goes on with. */
  #partOf({ type, index, id }: Loose): Part | undefined {
    if (!GROWING[string(type)]) return undefined;
    const near = typeof index === "number"
      ? this.#parts!.findLast((part) => part.index === index)
      : this.#parts!.at(-1);
    if (!near || near.type !== type || typeof index !== typeof near.index) return undefined;
    return id && near.id && id !== near.id ? undefined : near;
  }
}

function grow(part: Part, piece: Loose): void {
  const field = string(GROWING[string(piece.type)]);
  for (const [key, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue;
    part[key] = key === field ? string(part[key]) + string(value) : value;
  }
}

/** The parts that a provider takes back: it refuses text that it should have signed. */
export function detailsToSend(details: unknown): readonly unknown[] {
  return list(details).filter((one) => {
    const { type, format, signature } = object(one);
    const signs = /^(?:anthropic|google)/.test(string(format));
    return type !== "reasoning.text" || !signs || string(signature) !== "";
  });
}
