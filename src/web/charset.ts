/** Decodes a page's bytes: byte order mark, then the header's charset, then the page's `<meta>`, then UTF-8. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const label = bomCharset(bytes) ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ??
    metaCharset(bytes);
  return decoder(label ?? "utf-8").decode(bytes);
}

function bomCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  const label = /<meta\s[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1] ??
    /^<\?xml\s[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  // A meta tag that could be read this way was not written in UTF-16.
  return label && /^utf-?16/i.test(label) ? "utf-8" : label;
}

function decoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
