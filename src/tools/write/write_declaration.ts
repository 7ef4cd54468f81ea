import { FILE_PATH_ALIASES, rename, type ToolDeclaration, withoutAsides } from "../toolbox.ts";

/** What is known of Write before it runs. */
export const writeDeclaration: ToolDeclaration = {
  name: "Write",
  description:
    "Create a file, or replace one you have Read, with its full content. To change an existing file use Edit.",
  input: {
    type: "object",
    properties: {
      file_path: { type: "string" },
      content: { type: "string", description: "The whole file, never a part" },
    },
    required: ["file_path", "content"],
  },
  readOnly: false,
  givenSecrets: "file",
  needs: ["read", "write"],
  aliases: ["write_file", "create_file", "write_to_file", "save_file"],
  adapt: (input) =>
    rename(withoutAsides(input, ["create", "write"]), {
      ...FILE_PATH_ALIASES,
      contents: "content",
      text: "content",
      file_text: "content",
    }),
};
