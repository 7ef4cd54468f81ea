/** `narnat prompt`: what would be sent, with sizes. */
import { choicesFrom, type Flags } from "./flags.ts";
import { joinParts, promptParts } from "../context/mod.ts";
import { langFrom } from "../text.ts";
import { layGround } from "./ground.ts";
import { env, put } from "./host.ts";

const bytes = (text: string) => new TextEncoder().encode(text).length;
/** Characters per token vary by language; a quarter of the bytes is near enough for a size column. */
const tokens = (text: string) => Math.ceil(bytes(text) / 4);

/** Prints the prompt, the tools, and a table of sizes. */
export async function prompt(flags: Flags): Promise<number> {
  const ground = layGround(choicesFrom(flags), flags.lang ?? langFrom(env), "no model");
  const parts = promptParts(ground.prompt);
  const tools = ground.toolbox.definitions.map((tool) => ({
    name: tool.name,
    text: JSON.stringify({
      type: "function",
      function: { name: tool.name, description: tool.description, parameters: tool.input },
    }),
  }));
  const rows = [
    ...parts.map((part) => ({ kind: "prompt", name: part.name, text: part.text, cut: part.cut })),
    ...tools.map((tool) => ({ kind: "tool", name: tool.name, text: tool.text, cut: 0 })),
  ].map(({ kind, name, text, cut }) => ({
    kind,
    name,
    bytes: bytes(text),
    tokens: tokens(text),
    cut,
  }));
  if (flags.outputFormat === "json") {
    put(
      JSON.stringify({ system: joinParts(parts), tools: ground.toolbox.definitions, parts: rows }) +
        "\n",
    );
  } else {
    const line = (a: string, b: string, c: string, d: string) =>
      `${a.padEnd(8)}${b.padEnd(26)}${c.padStart(8)}${d.padStart(9)}\n`;
    const sum = (key: "bytes" | "tokens") => rows.reduce((total, row) => total + row[key], 0);
    put(
      joinParts(parts) + "\n\n" + tools.map((tool) => tool.text + "\n").join("") + "\n" +
        line("part", "name", "bytes", "~tokens") +
        rows.map((row) =>
          line(row.kind, row.name, String(row.bytes), String(row.tokens)).trimEnd() +
          (row.cut > 0 ? `  (${row.cut} bytes cut)\n` : "\n")
        ).join("") +
        line("total", "", String(sum("bytes")), String(sum("tokens"))),
    );
  }
  await ground.close();
  return 0;
}
