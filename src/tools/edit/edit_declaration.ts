import type { JsonSchema } from "../../base/types.ts";
import { FILE_PATH_ALIASES, rename, type ToolDeclaration, withoutAsides } from "../toolbox.ts";
import { isRecord } from "../../base/is_record.ts";

/** What another agent's tool of several commands calls this one. */
const COMMANDS = ["str_replace", "replace", "edit"];

const STRINGS = {
  old_string: { type: "string" },
  new_string: { type: "string" },
  replace_all: { type: "boolean" },
} as const;

const EDIT_ALIASES = {
  oldStr: "old_string",
  old_str: "old_string",
  oldString: "old_string",
  old_text: "old_string",
  oldText: "old_string",
  search: "old_string",
  newStr: "new_string",
  new_str: "new_string",
  newString: "new_string",
  new_text: "new_string",
  newText: "new_string",
  replace: "new_string",
  replaceAll: "replace_all",
  allow_multiple: "replace_all",
} as const;

/** What is known of Edit before it runs. */
export const editDeclaration: ToolDeclaration = {
  name: "Edit",
  description:
    "Replace old_string by new_string in a file you have Read. Copy old_string exactly, without line numbers; unique unless replace_all. More changes: edits, in order, all or none.",
  input: {
    type: "object",
    properties: withHidden({
      file_path: { type: "string" },
      ...STRINGS,
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: withHidden(STRINGS),
          required: ["old_string", "new_string"],
        },
      },
    }),
    required: ["file_path"],
  },
  readOnly: false,
  givenSecrets: "file",
  needs: ["read", "write"],
  aliases: [
    "edit_file",
    "str_replace",
    "replace",
    "search_replace",
    "multiedit",
    "multi_edit",
    "replace_string_in_file",
  ],
  adapt(input) {
    const out = rename(withoutAsides(input, COMMANDS), {
      ...FILE_PATH_ALIASES,
      ...EDIT_ALIASES,
      replacements: "edits",
      changes: "edits",
    });
    const list = listOf(out["edits"]);
    if (!list) return out;
    const edits = list.map((each) =>
      isRecord(each) ? rename(withoutAsides(each, COMMANDS), EDIT_ALIASES) : each
    );
    return { ...out, edits };
  },
};

/** Adds what is accepted and checked but, not being enumerable, shown to no model: Gemini's count. */
function withHidden(properties: { readonly [name: string]: JsonSchema }) {
  const value: JsonSchema = { type: "integer", minimum: 1 };
  return Object.defineProperty({ ...properties }, "expected_replacements", { value });
}

/** Edits as a list, also when they come as one alone or as JSON text. */
function listOf(value: unknown): unknown[] | undefined {
  if (isRecord(value)) return [value];
  if (typeof value !== "string") return Array.isArray(value) ? value : undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "string" ? undefined : listOf(parsed);
  } catch {
    return undefined;
  }
}
