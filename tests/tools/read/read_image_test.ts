import assert from "node:assert/strict";
import { read } from "../../../src/tools/read/read.ts";
import { type Files, withWorkspace } from "../../support/temp_workspace.ts";
import { imageBytes, IMAGES } from "../../support/images.ts";
import { TestDesk } from "../../support/tool_context.ts";
import { slow } from "../../support/soak.ts";

const ALL = ["image/png", "image/jpeg", "image/webp", "image/gif"];

const withDesk = (
  imageTypes: readonly string[],
  files: Files,
  use: (look: (path: string) => ReturnType<TestDesk["run"]>, desk: TestDesk) => Promise<void>,
) =>
  withWorkspace(files, async (root) => {
    const desk = new TestDesk(root);
    desk.overrides = { imageTypes };
    await use((path) => desk.run(read, { file_path: path }), desk);
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
  await withDesk(ALL, files, async (look, desk) => {
    for (const one of formats) {
      const { ok, text, images } = await look(`p.${one}`);
      assert.equal(ok, true);
      assert.match(text, /^p\.\w+: \w+ image, 16 × 12 pixels, \d+ bytes\.$/);
      assert.deepEqual(images, [{ mediaType: `image/${one}`, data: IMAGES[one] }]);
    }
    assert.equal(desk.seen.size, 0);
  });
});

Deno.test("a model that takes no images gets the description alone, in both languages", async () => {
  await withDesk([], { "p.png": imageBytes("png") }, async (look, desk) => {
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
    desk.overrides = { ...desk.overrides, lang: "zh" };
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
  await withDesk(ALL, files, async (look) => {
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
  await withDesk(["image/png", "image/jpeg"], files, async (look) => {
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
  await withDesk(ALL, files, async (look) => {
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
  await withDesk(ALL, { "dot.png": claiming(1, 1) }, async (look) => {
    const { text, notices } = await look("dot.png");
    assert.match(text, /1 × 1 pixels, .* too small to be handed to you\.$/);
    assert.match(notices![0]!, /was not sent: each side needs at least 12 pixels$/);
  });
});
