/** An image's way from the disk to the model, and where it must not go. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { imageBytes, IMAGES } from "../fixtures/images.ts";
import { assertPrefixes } from "../support/prefixes.ts";
import { slow } from "../support/soak.ts";
import { stage } from "../support/stage.ts";

const PICTURE = { "w/p.png": imageBytes("png") };
const READ = { calls: [{ name: "Read", input: { file_path: "p.png" } }] };

for (const protocol of ["openai", "anthropic"] as const) {
  slow(`${protocol}: an image reaches the model that takes it, and nobody else`, async () => {
    const script = (_: unknown, index: number) =>
      index === 0 || index === 6 ? READ : { text: `answer ${index}` };
    await stage(
      script,
      async ({ root, provider, ...on }) => {
        const narnat = (...args: string[]) => on.narnat(args);
        const stream = ["--output-format", "stream-json", "--model"];
        const sent = (index: number) => provider.requests[index]!.body.split(IMAGES.png).length - 1;
        const first = await narnat("-p", "look", ...stream, "claude-x");
        assert.equal(first.code, 0, first.stderr);
        assert.deepEqual([sent(0), sent(1)], [0, 1]);
        const end = first.lines.find((line) => line.type === "tool_end");
        assert.equal(end.text, "p.png: PNG image, 16 × 12 pixels, 80 bytes.");

        const shown = await narnat("-c", "-p", "and now?", ...stream, "text-model");
        assert.equal(shown.code, 0, shown.stderr);
        assert.equal(sent(2), 0);
        assert.match(provider.requests[2]!.body, /PNG image, 16 × 12 pixels, 80 bytes\./);

        const again = await narnat("-c", "-p", "again", ...stream, "claude-x");
        assert.equal(again.code, 0, again.stderr);
        assert.equal(sent(3), 1);
        assertPrefixes([provider.requests[1]!, provider.requests[3]!]);

        assert.match((await narnat("doctor", "--model", "claude-x")).stdout, /takes images/);
        assert.doesNotMatch((await narnat("doctor", "--model", "glm-5.3")).stdout, /takes images/);
        await Deno.writeTextFile(join(root, ".narnat/narnat.json"), '{"images": false}');
        const off = await narnat("-p", "look", ...stream, "claude-x");
        assert.deepEqual([sent(6), sent(7)], [0, 0]);
        assert.match(
          off.lines.find((line) => line.type === "tool_end").text,
          /cannot be shown here\.$/,
        );
        assert.deepEqual(provider.pairingErrors, []);

        const list = await narnat("sessions");
        const [id] = first.lines.map((line) => line.session);
        const told = await narnat("sessions", "show", id, "--jsonl");
        assert.match(told.stdout, /"images":\["image\/png"\]/);
        const direct = await narnat("tool", "Read", '{"file_path":"p.png"}');
        for (const { stdout, stderr } of [first, shown, again, off, list, told, direct]) {
          assert.doesNotMatch(stdout + stderr, /iVBOR/);
        }
        const logs = join(root, ".narnat/logs");
        const log = [...Deno.readDirSync(logs)]
          .map(({ name }) => Deno.readTextFileSync(join(logs, name))).join("");
        assert.match(log, /PNG image, 16 × 12/);
        const sizes = [...log.matchAll(/request sent, tokens_in=(\d+)\n/g)].map(([, n]) =>
          Number(n)
        );
        const least = Math.min(...sizes);
        const image = Math.max(...sizes) - least;
        assert.ok(image > 1550 && image < 1750, `an image counts as 1600 tokens: ${sizes}`);
        assert.doesNotMatch(log, /iVBOR/);
      },
      PICTURE,
      { protocol },
    );
  });
}

slow(
  "an image that a model is not known to take is told to the user, however it came",
  async () => {
    const script = (_: unknown, index: number) => index === 0 ? READ : { text: "seen" };
    await stage(script, async ({ root, provider, ...on }) => {
      const narnat = (prompt: string) => on.narnat(["--model", "text-model", "-p", prompt]);
      for (const prompt of ["read the image", "what is in @p.png"]) {
        const { stderr, stdout } = await narnat(prompt);
        assert.equal(stdout, "seen\n");
        assert.match(stderr, /^narnat: The image p\.png was not sent: .*"images": true/m);
      }
      await Deno.writeTextFile(join(root, ".narnat/narnat.json"), '{"images": true}');
      const { stderr } = await narnat("what is in @p.png");
      assert.doesNotMatch(stderr, /not sent/);
      assert.ok(provider.requests.at(-1)!.body.includes(IMAGES.png));
    }, PICTURE);
  },
);
