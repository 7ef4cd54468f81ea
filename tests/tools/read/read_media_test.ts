import { chinese } from "../../support/chinese.ts";
import assert from "node:assert/strict";
import { read } from "../../../src/tools/read/read.ts";
import { imageSize, pdfFacts } from "../../../src/tools/read/read_media.ts";
import { imageBytes, IMAGES } from "../../fixtures/images.ts";
import { slow } from "../../support/soak.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { ToolRunner } from "../../support/tool_context.ts";

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

const ALL = ["image/png", "image/jpeg", "image/webp", "image/gif"];

const withRunner = (
  imageTypes: readonly string[],
  files: Files,
  use: (look: (path: string) => ReturnType<ToolRunner["run"]>, runner: ToolRunner) => Promise<void>,
) =>
  withWorkspace(files, async (root) => {
    const runner = new ToolRunner(root);
    runner.overrides = { imageTypes };
    await use((path) => runner.run(read, { file_path: path }), runner);
  });

/** A PNG whose header claims another size. */
function claiming(width: number, height: number, bytes = imageBytes("png")): Uint8Array {
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

Deno.test("Read hands an image on as it is, with its description", async () => {
  const formats = Object.keys(IMAGES) as (keyof typeof IMAGES)[];
  const files = Object.fromEntries(formats.map((one) => [`p.${one}`, imageBytes(one)]));
  await withRunner(ALL, files, async (look, runner) => {
    for (const one of formats) {
      const { ok, text, images } = await look(`p.${one}`);
      assert.equal(ok, true);
      assert.match(text, /^p\.\w+: \w+ image, 16 × 12 pixels, \d+ bytes\.$/);
      assert.deepEqual(images, [{ mediaType: `image/${one}`, data: IMAGES[one] }]);
    }
    assert.equal(runner.seen.size, 0);
  });
});

Deno.test("a model that takes no images gets the description alone, in both languages", async () => {
  await withRunner([], { "p.png": imageBytes("png") }, async (look, runner) => {
    const en = await look("p.png");
    assert.equal(
      en.text,
      "p.png: PNG image, 16 × 12 pixels, 80 bytes. Its picture cannot be shown here.",
    );
    assert.equal(en.images, undefined);
    assert.match(
      en.notices![0]!,
      /^The image p\.png was not sent: .* set "images": true in narnat/,
    );
    runner.overrides = { ...runner.overrides, t: chinese };
    const zh = await look("p.png");
    assert.equal(
      zh.text,
      "p.png：PNG image，16 × 12 像素，80 bytes。这里看不到画面，只能描述。",
    );
    assert.match(zh.notices![0]!, /^图片 p\.png 没有发送给模型.*"images": true/);
  });
});

slow("an image that is too large says so, and what to do", async () => {
  const heavy = new Uint8Array(4_000_000);
  heavy.set(imageBytes("png"));
  const files = {
    "wide.png": claiming(9000, 12),
    "heavy.png": heavy,
    "huge.png": new Uint8Array([...imageBytes("png"), ...new Uint8Array(9_000_000)]),
  };
  await withRunner(ALL, files, async (look) => {
    for (const path of Object.keys(files)) {
      const { ok, text, images, notices } = await look(path);
      assert.equal(ok, true);
      assert.equal(images, undefined);
      assert.match(notices![0]!, /was not sent: the limit is 3\.5 MB and 8000 pixels a side$/);
      assert.match(
        text,
        /too large .* \(at most 3\.5 MB and 8000 pixels a side\)\. Make a smaller/,
      );
    }
  });
});

Deno.test("a format that the model does not take is to be converted", async () => {
  const bitmap = new Uint8Array(60);
  bitmap.set([0x42, 0x4d]);
  const files = { "p.gif": imageBytes("gif"), "p.bmp": bitmap };
  await withRunner(["image/png", "image/jpeg"], files, async (look) => {
    for (const path of Object.keys(files)) {
      const { text, images, notices } = await look(path);
      assert.equal(images, undefined);
      assert.match(notices![0]!, /was not sent: the model takes PNG, JPEG only$/);
      assert.match(text, /who take PNG, JPEG only\. Convert it with Bash/);
    }
  });
});

Deno.test("what a provider could not decode is never handed on", async () => {
  const holed = imageBytes("png");
  holed[50]! ^= 0xff;
  const files: Record<string, Uint8Array> = { "holed.png": holed, "lies.png": claiming(640, 480) };
  for (const format of Object.keys(IMAGES) as (keyof typeof IMAGES)[]) {
    const bytes = imageBytes(format);
    files[`half.${format}`] = bytes.subarray(0, bytes.length >> 1);
    files[`torn.${format}`] = bytes.subarray(0, bytes.length - 8);
  }
  await withRunner(ALL, files, async (look) => {
    for (const path of Object.keys(files)) {
      const { ok, text, images, notices } = await look(path);
      assert.equal(ok, true);
      assert.equal(images, undefined, path);
      assert.match(notices![0]!, /was not sent: the file is damaged or incomplete$/);
      assert.match(text, /cannot be decoded: the file is damaged or incomplete\.$/);
    }
  });
});

Deno.test("a dot of an image is described", async () => {
  await withRunner(ALL, { "dot.png": claiming(1, 1) }, async (look) => {
    const { text, notices } = await look("dot.png");
    assert.match(text, /1 × 1 pixels, .* too small to be handed to you\.$/);
    assert.match(notices![0]!, /was not sent: each side needs at least 12 pixels$/);
  });
});
