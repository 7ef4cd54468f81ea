/** The recorded sessions of tests/fixtures, and the folder that they began in. */
import { join } from "node:path";
import { readEntries } from "../../src/session/entries.ts";
import { ROOT } from "./narnat.ts";

/** Each is a bug report as `narnat sessions export --redacted` writes it; `before_events` of an older narnat. */
export const RECORDED = ["edit_and_delete", "planned", "stopped", "before_events"] as const;

export const recordedPath = (name: typeof RECORDED[number]) =>
  join(ROOT, "tests/fixtures/sessions", `${name}.jsonl`);

export const recordedEntries = (name: typeof RECORDED[number]) =>
  readEntries(Deno.readFileSync(recordedPath(name))).entries;

/** What stood in the workspace of all of them. */
export const RECORDED_FILES = {
  "notes.txt": "alpha\nbeta\ngamma\n",
  "check.sh": "grep -q BETA notes.txt && echo good || { echo bad; exit 1; }\n",
  "old/one.txt": "1\n",
  "old/two.txt": "2\n",
};
