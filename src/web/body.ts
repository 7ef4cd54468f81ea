/** What a response's bytes are, whatever its header calls them. */

/** How binary files begin, their bytes as characters. */
const MAGIC: readonly (readonly [type: string, start: string])[] = [
  ["application/pdf", "%PDF-"],
  ["image/png", "\x89PNG"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF8"],
  ["application/zip", "PK\x03\x04"],
  ["application/gzip", "\x1f\x8b"],
  ["application/x-executable", "\x7fELF"],
];

/** Media type of a response without its parameters. */
export function mediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
}

/** True for the types that hold text, and for those that say nothing. */
export function mayBeText(type: string): boolean {
  return /^$|^text\/|[/+](json|xml|javascript|ecmascript|yaml|x-yaml|toml|sql|x-sh|x-ndjson|graphql|octet-stream)$/
    .test(type);
}

/** The type of bytes that are no text; undefined when they are. */
export function binaryType(body: Uint8Array, headers: Headers): string | undefined {
  const type = mediaType(headers);
  if (!mayBeText(type)) return type;
  const start = String.fromCharCode(...body.subarray(0, 8));
  const magic = MAGIC.find(([, begin]) => start.startsWith(begin));
  if (magic) return magic[0];
  const utf16 = /utf-?16/i.test(headers.get("content-type") ?? "") ||
    (body[0] === 0xff && body[1] === 0xfe) || (body[0] === 0xfe && body[1] === 0xff);
  if (utf16 || !body.subarray(0, 8192).includes(0)) return undefined;
  return type || "application/octet-stream";
}

/** True when the text is a web page. */
export function isHtml(type: string, text: string): boolean {
  if (/^(text\/html|application\/xhtml\+xml)$/.test(type)) return true;
  const open = type === "" || type === "application/octet-stream";
  return open && /^\s*(<!doctype html|<html|<head|<body)/i.test(text.slice(0, 1000));
}

/** True when the text is XML that may be a feed. */
export function isXml(type: string, text: string): boolean {
  return /[/+]xml$/.test(type) || (!type && /^\s*<\?xml/.test(text));
}

/** How many blanks laying out may add: each level of nesting costs every line two. */
const INDENTS_AT_MOST = 16 * 1024 ** 2;

/** JSON that came on one line, laid out; anything else, and JSON nested so deeply that it would burst, as it is. */
export function laidOut(type: string, text: string): string {
  if (!/json$/.test(type) || text.trim().includes("\n") || bursts(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function bursts(json: string): boolean {
  let depth = 0, blanks = 0, quoted = false;
  for (let at = 0; at < json.length && blanks <= INDENTS_AT_MOST; at++) {
    const char = json[at];
    if (quoted) {
      if (char === "\\") at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "[" || char === "{") blanks += 2 * ++depth;
    else if (char === ",") blanks += 2 * depth;
    else if (char === "]" || char === "}") blanks += 2 * --depth;
  }
  return blanks > INDENTS_AT_MOST;
}
