import assert from "node:assert/strict";
import { imageSize, pdfFacts } from "../../src/files/media.ts";

const latin = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const size = (width: number, height: number) => ({ width, height });

Deno.test("the size of an image is read from its header, of every common format", () => {
  const png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\x80\0\0\x01\xe0\x08\x02";
  assert.deepEqual(imageSize(latin(png), "PNG image"), size(640, 480));
  assert.deepEqual(imageSize(latin("GIF89a\x80\x02\xe0\x01"), "GIF image"), size(640, 480));
  const bmp = "BM" + "\0".repeat(16) + "\x80\x02\0\0\x20\xfe\xff\xff";
  assert.deepEqual(imageSize(latin(bmp), "BMP image"), size(640, 480));
  const thumbnail = "\xff\xe1\0\x10" + "\xff\xc0".repeat(7);
  const jpeg = "\xff\xd8" + thumbnail + "\xff\xc2\0\x11\x08\x01\xe0\x02\x80\x03";
  assert.deepEqual(imageSize(latin(jpeg), "JPEG image"), size(640, 480));
  const lossy = "RIFF\0\0\0\0WEBPVP8 " + "\0".repeat(7) + "\x9d\x01\x2a\x80\x02\xe0\x01";
  assert.deepEqual(imageSize(latin(lossy), "WebP image"), size(640, 480));
  const lossless = "RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x7f\xc2\x77\0";
  assert.deepEqual(imageSize(latin(lossless), "WebP image"), size(640, 480));
  const extended = "RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x7f\x02\0\xdf\x01\0";
  assert.deepEqual(imageSize(latin(extended), "WebP image"), size(640, 480));
  const box = (w: string, h: string) => "\0\0\0\x14ispe\0\0\0\0" + w + h;
  const avif = "\0\0\0\x1cftypavif" + box("\0\0\0\xa0", "\0\0\0\x78") +
    box("\0\0\x02\x80", "\0\0\x01\xe0");
  assert.deepEqual(imageSize(latin(avif), "AVIF image"), size(640, 480));
});

Deno.test("an image that breaks off has no size", () => {
  assert.equal(imageSize(latin("\x89PNG\r\n\x1a\n\0\0"), "PNG image"), undefined);
  assert.equal(imageSize(latin("\xff\xd8\xff\xe1\xff\xff"), "JPEG image"), undefined);
  assert.equal(imageSize(latin("RIFF"), "WebP image"), undefined);
});

Deno.test("a PDF tells its version and, where it can be counted, its pages", () => {
  const pages = "<< /Type /Pages /Count 2 >> << /Type /Page >> <</Type/Page/Parent 1 0 R>>";
  assert.deepEqual(pdfFacts(latin("%PDF-1.4\n" + pages), true), { version: "1.4", pages: 2 });
  const linear = "%PDF-1.7\n1 0 obj\n<< /Linearized 1 /L 9 /N 31 >>\n";
  assert.deepEqual(pdfFacts(latin(linear), true), { version: "1.7", pages: 31 });
  assert.deepEqual(pdfFacts(latin("%PDF-2.0\nstream"), true), { version: "2.0", pages: undefined });
  assert.equal(pdfFacts(latin("%PDF-1.4\n" + pages), false)?.pages, undefined);
  assert.equal(pdfFacts(latin(linear), false)?.pages, 31);
  assert.equal(pdfFacts(latin("PDF-1.4"), true), undefined);
});
