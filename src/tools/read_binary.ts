import { say } from "../text.ts";
import type { ToolContext, ToolResult } from "../types.ts";
import { kindOf, sizeText } from "../workspace/file_kind.ts";
import { imageSize, pdfFacts } from "../workspace/media.ts";
import { refuse } from "./files.ts";

/** True for a PDF, whose beginning may well look like text. */
export function isPdf(bytes: Uint8Array): boolean {
  return kindOf(bytes.subarray(0, 300)) === "PDF document";
}

/** Says what a file that is not text is; `size` is that of the whole file, `bytes` may be its beginning. */
export function describe(
  bytes: Uint8Array,
  size: number,
  path: string,
  context: ToolContext,
): ToolResult {
  const { lang } = context;
  const kind = kindOf(bytes);
  const values = { path, kind, size: sizeText(size) };
  if (kind.endsWith(" image")) {
    const found = imageSize(bytes, kind);
    const pixels = found ? say(lang, "read.pixels", { ...found }) : "";
    return { ok: true, text: say(lang, "read.image", { ...values, pixels }) };
  }
  const pdf = pdfFacts(bytes, bytes.length === size);
  if (!pdf) return refuse(context, "read.binary", values);
  const pages = pdf.pages === undefined ? "" : say(lang, "read.pages", { count: pdf.pages });
  const quoted = `'${path.replaceAll("'", "'\\''")}'`;
  return refuse(context, "read.pdf", { ...values, version: pdf.version, pages, quoted });
}
