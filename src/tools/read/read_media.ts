/** How Read shows images, PDFs and other binary files. */
import type { ToolContext, ToolResult } from "../../base/types.ts";
import { kindOf, sizeText } from "../../files/file_kind.ts";
import { displayPath } from "../../files/paths.ts";
import { refuse, sentences } from "../files.ts";

const UNSENT = {
  small: "Its picture is too small to be handed to you.",
  large:
    "Its picture is too large to be handed to you (at most {most} and {side} pixels a side). Make a smaller or cropped copy with Bash, then Read that.",
  kind:
    "Its picture cannot be handed to you, who take {types} only. Convert it with Bash, then Read the copy.",
  broken: "Its picture cannot be decoded: the file is damaged or incomplete.",
  unseen: "Its picture cannot be shown here.",
} as const;

const NOT_SENT = {
  small: "The image {path} was not sent: each side needs at least {least} pixels",
  large: "The image {path} was not sent: the limit is {most} and {side} pixels a side",
  kind: "The image {path} was not sent: the model takes {types} only",
  broken: "The image {path} was not sent: the file is damaged or incomplete",
  unseen:
    'The image {path} was not sent: narnat does not know this model to take images. If it does, set "images": true in narnat.json',
} as const;

/** Width and height of an image in pixels. */
interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** What a PDF tells cheaply. */
interface PdfFacts {
  readonly version: string;
  /** Undefined where the pages are listed in compressed parts. */
  readonly pages: number | undefined;
}

const SPACE = "[\\s\\0]*";

/** Reads an image's size from its first bytes (64 KB are enough for most); undefined when they do not tell it. */
export function imageSize(bytes: Uint8Array, kind: string): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (kind) {
      case "PNG image":
        return positive(view.getUint32(16), view.getUint32(20));
      case "GIF image":
        return positive(view.getUint16(6, true), view.getUint16(8, true));
      case "BMP image":
        return positive(view.getInt32(18, true), Math.abs(view.getInt32(22, true)));
      case "ICO image":
        return { width: view.getUint8(6) || 256, height: view.getUint8(7) || 256 };
      case "JPEG image":
        return jpegSize(view);
      case "WebP image":
        return webpSize(view);
      default:
        return boxedSize(view);
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Reads a PDF's version and how many pages it has, which only a linearized one tells at its
 * beginning (`whole`: these are all its bytes); undefined for anything else.
 */
export function pdfFacts(bytes: Uint8Array, whole: boolean): PdfFacts | undefined {
  const text = new TextDecoder("latin1").decode(bytes);
  const version = /^%PDF-(\d+\.\d+)/.exec(text)?.[1];
  if (version === undefined) return undefined;
  const linear = /\/Linearized\b[^>]{0,300}?\/N\s+(\d+)/.exec(text.slice(0, 2048))?.[1];
  const page = new RegExp(`/Type${SPACE}/Page(?![A-Za-z])`, "g");
  const pages = linear ? Number(linear) : whole ? [...text.matchAll(page)].length : 0;
  return { version, pages: pages || undefined };
}

function positive(width: number, height: number): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2;;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // the frame headers, among which are three other markers
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return positive(view.getUint16(at + 7), view.getUint16(at + 5));
    }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
}

function webpSize(view: DataView): ImageSize | undefined {
  const form = view.getUint32(12);
  if (form === 0x56503820) {
    return positive(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  }
  if (form === 0x5650384c) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: (bits >>> 14 & 0x3fff) + 1 };
  }
  if (form !== 0x56503858) return undefined;
  const three = (at: number) => view.getUint16(at, true) | view.getUint8(at + 2) << 16;
  return { width: three(24) + 1, height: three(27) + 1 };
}

/** AVIF and HEIC keep the size in a box named `ispe`; the largest is the image, others are thumbnails. */
function boxedSize(view: DataView): ImageSize | undefined {
  let best: ImageSize | undefined;
  for (let at = 4; at + 16 <= view.byteLength; at++) {
    if (view.getUint32(at) !== 0x69737065) continue;
    const found = positive(view.getUint32(at + 8), view.getUint32(at + 12));
    if (found && (!best || found.width * found.height > best.width * best.height)) best = found;
  }
  return best;
}

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
  const { t } = context;
  const found = imageSize(bytes, kind);
  const pixels = found ? t("{width} × {height} pixels, ", { ...found }) : "";
  const text = t("{path}: {kind}, {pixels}{size}.", { path, kind, pixels, size: sizeText(size) });
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
    text: sentences(t, text, t(UNSENT[why], values)),
    notices: [t(NOT_SENT[why], { ...values, path: displayPath(path, context.workspace) })],
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
  const { t } = context;
  const kind = kindOf(bytes);
  const values = { path, kind, size: sizeText(size) };
  if (kind.endsWith(" image")) return await showImage(bytes, size, { kind, path }, context);
  const pdf = pdfFacts(bytes, bytes.length === size);
  if (!pdf) return refuse(context, "Cannot read {path}: it is binary ({kind}, {size}).", values);
  const pages = pdf.pages === undefined
    ? ""
    : t("{count} {count:page|pages}, ", { count: pdf.pages });
  const quoted = `'${path.replaceAll("'", "'\\''")}'`;
  return refuse(
    context,
    "Cannot read {path} as text: it is a PDF (version {version}, {pages}{size}). Extract its text with Bash: pdftotext -layout {quoted} -",
    { ...values, version: pdf.version, pages, quoted },
  );
}
