import assert from "node:assert/strict";
import { kindOf } from "../../src/files/file_kind.ts";

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

Deno.test("files are named by their first bytes", () => {
  const kinds: readonly [string, string][] = [
    ["\x7fELF\x02\x01\x01\0", "ELF program or library"],
    ["\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG image"],
    ["RIFF\0\0\0\0WEBPVP8 ", "WebP image"],
    ["RIFF\0\0\0\0WAVEfmt ", "WAV audio"],
    ["\0\0\0\x1cftypavif", "AVIF image"],
    ["\0\0\0\x18ftypmp42", "MP4 video"],
    ["\x1f\x8b\x08\0", "gzip archive"],
    ["PK\x03\x04\x14\0\0\0plain.txt", "ZIP archive"],
    ["PK\x03\x04\x14\0\0\0word/document.xml", "Word document (docx)"],
    ["PK\x03\x04\x14\0\0\0META-INF/MANIFEST.MF", "Java archive"],
    ["SQLite format 3\0", "SQLite database"],
    ["\xca\xfe\xba\xbe\0\0\0\x3d", "Java class"],
    ["\xca\xfe\xba\xbe\0\0\0\x02", "Mach-O program"],
    ["\xcf\xfa\xed\xfe\x07\0\0\x01", "Mach-O program"],
    ["\0asm\x01\0\0\0", "WebAssembly module"],
    ["MZ\x90\0", "Windows program"],
    ["\xcb\x0d\r\n\0\0\0\0\0\0\0\0\0\0\0\0", "Python bytecode"],
    ["PAR1\x15\x04", "Parquet table"],
    ["\0\x01\0\0\0\x0f", "TrueType font"],
    ["ID3\x04\0", "MP3 audio"],
    ["\xff\xfe\0\0a\0\0\0", "text in UTF-32"],
    ["\x01\x02\x03", "unknown format"],
    ["", "unknown format"],
  ];
  for (const [start, kind] of kinds) assert.equal(kindOf(bytes(start)), kind);
});

Deno.test("a program built by the real tools is recognised", async () => {
  const file = await Deno.readFile(Deno.execPath());
  const wanted = { linux: "ELF program or library", darwin: "Mach-O program" };
  assert.equal(kindOf(file), wanted[Deno.build.os as "linux"] ?? "Windows program");
});
