const SIGNATURES: readonly (readonly [at: number, hex: string, kind: string])[] = [
  [0, "89504e470d0a1a0a", "PNG image"],
  [0, "ffd8ff", "JPEG image"],
  [0, "47494638", "GIF image"],
  [8, "57454250", "WebP image"],
  [0, "424d", "BMP image"],
  [0, "00000100", "ICO image"],
  [0, "25504446", "PDF document"],
  [0, "504b0304", "ZIP archive (also docx, xlsx, jar)"],
  [0, "1f8b", "gzip archive"],
  [0, "fd377a585a00", "xz archive"],
  [0, "28b52ffd", "zstd archive"],
  [0, "377abcaf271c", "7z archive"],
  [0, "425a68", "bzip2 archive"],
  [257, "7573746172", "tar archive"],
  [0, "7f454c46", "ELF program or library"],
  [0, "4d5a", "Windows program"],
  [0, "cffaedfe", "Mach-O program"],
  [0, "cafebabe", "Java class"],
  [0, "0061736d", "WebAssembly module"],
  [0, "53514c69746520666f726d617420", "SQLite database"],
  [0, "4f676753", "Ogg audio"],
  [0, "494433", "MP3 audio"],
  [4, "66747970", "MP4 video"],
  [0, "774f4632", "WOFF2 font"],
];

/** Names what a binary file is by its first bytes; "unknown format" when they say nothing. */
export function kindOf(bytes: Uint8Array): string {
  const hex = bytes.subarray(0, 300).toHex();
  const found = SIGNATURES.find(([at, start]) => hex.startsWith(start, at * 2));
  return found?.[2] ?? "unknown format";
}

/** Writes a number of bytes for people: `1 byte`, `512 bytes`, `1.5 KB`, `3.0 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const units = ["KB", "MB", "GB", "TB"];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
