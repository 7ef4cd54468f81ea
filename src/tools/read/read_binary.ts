import { say } from "../../base/text.ts";
import type { ToolContext, ToolResult } from "../../base/types.ts";
import { kindOf, sizeText } from "../../files/file_kind.ts";
import { pdfFacts } from "../../files/media.ts";
import { refuse } from "../files.ts";
import { showImage } from "./read_image.ts";

/** True for a PDF, whose beginning may well look like text. */
export function isPdf(bytes: Uint8Array): boolean {
  return kindOf(bytes.subarray(0, 300)) === "PDF document";
}

/** Says what a file that is not text is, and shows images; `size` is that of the whole file, `bytes` may be its beginning. */
export async function describe(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
  path: string,
  context: ToolContext,
): Promise<ToolResult> {
  const { lang } = context;
  const kind = kindOf(bytes);
  const values = { path, kind, size: sizeText(size) };
  if (kind.endsWith(" image")) return await showImage(bytes, size, { kind, path }, context);
  const pdf = pdfFacts(bytes, bytes.length === size);
  if (!pdf) return refuse(context, "read.binary", values);
  const pages = pdf.pages === undefined ? "" : say(lang, "read.pages", { count: pdf.pages });
  const quoted = `'${path.replaceAll("'", "'\\''")}'`;
  return refuse(context, "read.pdf", { ...values, version: pdf.version, pages, quoted });
}
