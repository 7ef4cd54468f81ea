/** What is told of a call while the model writes it. */
import type { EventBody } from "../../base/types.ts";

/** Between two tellings of how far a call has been written. */
const WRITING_MS = 1000;
/** Of a call's input, in which its path is looked for; one with escapes in it is not told. */
const BEGINNING_CHARS = 4000;
const PATH = /"(?:file_?path|path)"\s*:\s*"([^"\\]+)"/i;

export interface Writing {
  begin(name: string): void;
  /** More of the input of the call that began last; of a summary before any has begun. */
  more(delta: string): void;
  /** Tells now how far it is. */
  tell(): void;
}

/** Tells every second how much of the call that the model is writing has come. */
export function createWriting(
  { emit, now }: { emit(event: EventBody): void; now(): number },
): Writing {
  let name = "";
  let chars = 0;
  let beginning = "";
  let told = now();
  const tell = () => {
    told = now();
    const path = name === "" ? undefined : PATH.exec(beginning)?.[1];
    emit({ type: "writing", name, chars, ...path === undefined ? {} : { path } });
  };
  return {
    tell,
    begin(next: string): void {
      name = next;
      chars = 0;
      beginning = "";
    },
    more(delta: string): void {
      chars += delta.length;
      if (beginning.length < BEGINNING_CHARS) beginning += delta;
      if (now() - told >= WRITING_MS) tell();
    },
  };
}
