import type { ToolContext, ToolResult } from "../../base/types.ts";
import { jsonFault } from "../../files/edit/json_fault.ts";
import { readRegular } from "../../files/open_regular.ts";
import { type Piece, spliced } from "../../files/edit/pieces.ts";
import { decodeText } from "../../files/text_file.ts";
import { type Named, refuse, WHOLE_FILE_BYTES } from "../files.ts";

/** Refuses an edit after which a notebook is no longer JSON; one that is broken already may be mended. */
export async function breaksNotebook(
  pieces: readonly Piece[],
  contents: readonly Uint8Array[],
  { path, shown }: Named,
  context: ToolContext,
): Promise<ToolResult | undefined> {
  if (!path.endsWith(".ipynb")) return undefined;
  const { size } = await Deno.stat(path);
  if (size > WHOLE_FILE_BYTES) return undefined;
  const { signal } = context;
  if (jsonFault(decodeText(await readRegular(path, signal)).text)) return undefined;
  const parts = await Array.fromAsync(
    spliced(path, pieces, contents, signal),
    (part) => new Blob([part.slice()]),
  );
  const after = new Uint8Array(await new Blob(parts).arrayBuffer());
  const fault = jsonFault(decodeText(after).text);
  return fault && refuse(context, "edit.broken_notebook", { path: shown, ...fault });
}
