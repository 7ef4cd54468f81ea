const SIGNATURES: readonly (readonly [at: number, hex: string, kind: string])[] = [
  [0, "89504e470d0a1a0a", "PNG image"],
  [0, "ffd8ff", "JPEG image"],
  [0, "474946383761", "GIF image"],
  [0, "474946383961", "GIF image"],
  [8, "57454250", "WebP image"],
  [4, "6674797061766966", "AVIF image"],
  [4, "6674797068656963", "HEIC image"],
  [4, "667479706d696631", "HEIF image"],
  [0, "49492a00", "TIFF image"],
  [0, "4d4d002a", "TIFF image"],
  [0, "00000100", "ICO image"],
  [0, "38425053", "Photoshop image"],
  [0, "25504446", "PDF document"],
  [0, "d0cf11e0a1b11ae1", "Office document of the old format"],
  [0, "504b0304", "ZIP archive"],
  [0, "504b0506", "ZIP archive, empty"],
  [0, "1f8b", "gzip archive"],
  [0, "fd377a585a00", "xz archive"],
  [0, "28b52ffd", "zstd archive"],
  [0, "04224d18", "lz4 archive"],
  [0, "377abcaf271c", "7z archive"],
  [0, "526172211a07", "RAR archive"],
  [0, "425a68", "bzip2 archive"],
  [257, "7573746172", "tar archive"],
  [0, "213c617263683e0a", "ar archive (static library or deb)"],
  [0, "7f454c46", "ELF program or library"],
  [0, "cffaedfe", "Mach-O program"],
  [0, "cefaedfe", "Mach-O program"],
  [0, "feedfacf", "Mach-O program"],
  [0, "0061736d", "WebAssembly module"],
  [0, "6465780a", "Android bytecode"],
  [0, "4243c0de", "LLVM bitcode"],
  [0, "53514c69746520666f726d617420", "SQLite database"],
  [0, "50415231", "Parquet table"],
  [0, "4f626a01", "Avro data"],
  [0, "894844460d0a1a0a", "HDF5 data"],
  [0, "934e554d5059", "NumPy array"],
  [0, "8004", "Python pickle"],
  [0, "8005", "Python pickle"],
  [0, "4f676753", "Ogg audio"],
  [0, "664c6143", "FLAC audio"],
  [8, "57415645", "WAV audio"],
  [8, "41564920", "AVI video"],
  [0, "494433", "MP3 audio"],
  [0, "fffb", "MP3 audio"],
  [0, "fff3", "MP3 audio"],
  [0, "fff2", "MP3 audio"],
  [4, "667479704d3441", "M4A audio"],
  [4, "667479707174", "QuickTime video"],
  [4, "66747970", "MP4 video"],
  [0, "1a45dfa3", "Matroska or WebM video"],
  [0, "774f4632", "WOFF2 font"],
  [0, "774f4646", "WOFF font"],
  [0, "0001000000", "TrueType font"],
  [0, "4f54544f", "OpenType font"],
  [0, "fffe0000", "text in UTF-32"],
  [0, "0000feff", "text in UTF-32"],
  [0, "4d5a", "Windows program"],
  [0, "424d", "BMP image"],
];

/** What a ZIP archive is when it holds a file whose name begins like this. */
const ZIPPED: readonly (readonly [name: string, kind: string])[] = [
  ["word/", "Word document (docx)"],
  ["xl/", "Excel workbook (xlsx)"],
  ["ppt/", "PowerPoint document (pptx)"],
  ["AndroidManifest.xml", "Android package"],
  ["META-INF/", "Java archive"],
  ["mimetypeapplication/epub", "EPUB book"],
  ["mimetypeapplication/vnd.oasis", "OpenDocument file"],
];
const ZIP_BYTES = 8192;

/** Names what a binary file is by its first bytes; "unknown format" when they say nothing. */
export function kindOf(bytes: Uint8Array): string {
  const hex = bytes.subarray(0, 300).toHex();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (hex.startsWith("cafebabe") && bytes.length >= 8) {
    // a universal Mach-O program counts its parts where a class has its version
    return view.getUint16(6) >= 45 ? "Java class" : "Mach-O program";
  }
  if (hex.startsWith("0d0a", 4) && bytes.length >= 16 && isPythonMagic(view.getUint16(0, true))) {
    return "Python bytecode";
  }
  const kind = SIGNATURES.find(([at, start]) => hex.startsWith(start, at * 2))?.[2];
  if (kind !== "ZIP archive") return kind ?? "unknown format";
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, ZIP_BYTES));
  return ZIPPED.find(([name]) => text.includes(name))?.[1] ?? kind;
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

function isPythonMagic(magic: number): boolean {
  return magic >= 3000 && magic < 4000 || magic >= 62_000 && magic < 62_300;
}
