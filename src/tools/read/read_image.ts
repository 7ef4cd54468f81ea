import { say } from "../../base/text.ts";
import type { ToolContext, ToolResult } from "../../base/types.ts";
import { sizeText } from "../../files/file_kind.ts";
import { displayPath } from "../../files/paths.ts";
import { type ImageSize, imageSize } from "../../files/media.ts";
import { sentences } from "../files.ts";

const MEDIA_TYPES: { readonly [kind: string]: string } = {
  "PNG image": "image/png",
  "JPEG image": "image/jpeg",
  "GIF image": "image/gif",
  "WebP image": "image/webp",
};
/** Providers take 5 MB of base64. */
const BYTES_AT_MOST = 3.5 * 1024 * 1024;
const SIDE_AT_MOST = 8000;
/** Some providers refuse what is smaller. */
const SIDE_AT_LEAST = 12;

/** Describes an image and hands it on where the model takes it; `size` is that of the whole file. */
export async function showImage(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
  { kind, path }: { readonly kind: string; readonly path: string },
  context: ToolContext,
): Promise<ToolResult> {
  const { lang } = context;
  const found = imageSize(bytes, kind);
  const pixels = found ? say(lang, "read.pixels", { ...found }) : "";
  const text = say(lang, "read.image", { path, kind, pixels, size: sizeText(size) });
  const mediaType = MEDIA_TYPES[kind] ?? "";
  const why = await obstacle(bytes, size, { mediaType, found }, context);
  if (why === undefined) return { ok: true, text, images: [{ mediaType, data: bytes.toBase64() }] };
  const types = context.imageTypes.map((type) => type.replace("image/", "").toUpperCase());
  const values = {
    types: types.join(", "),
    most: sizeText(BYTES_AT_MOST),
    side: SIDE_AT_MOST,
    least: SIDE_AT_LEAST,
  };
  return {
    ok: true,
    text: sentences(lang, text, say(lang, `unsent.${why}`, values)),
    notices: [say(lang, `image.${why}`, { ...values, path: displayPath(path, context.workspace) })],
  };
}

/** What keeps an image from the model: one that a provider refuses would make it refuse the whole session. */
async function obstacle(
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
  { mediaType, found }: { readonly mediaType: string; readonly found: ImageSize | undefined },
  { imageTypes }: ToolContext,
): Promise<"unseen" | "kind" | "broken" | "large" | "small" | undefined> {
  if (imageTypes.length === 0) return "unseen";
  if (!imageTypes.includes(mediaType)) return "kind";
  if (!found) return "broken";
  const { width, height } = found;
  if (size > BYTES_AT_MOST || Math.max(width, height) > SIDE_AT_MOST) return "large";
  if (Math.min(width, height) < SIDE_AT_LEAST) return "small";
  if (mediaType === "image/jpeg" && breaksOff(bytes)) return "broken";
  try {
    (await createImageBitmap(new Blob([bytes]))).close();
  } catch {
    return "broken";
  }
}

/** True for a JPEG without the end of its last scan: the decoder forgives that, providers do not. */
function breaksOff(jpeg: Uint8Array): boolean {
  const text = new TextDecoder("latin1").decode(jpeg);
  return text.lastIndexOf("\xff\xd9") < text.lastIndexOf("\xff\xda");
}
