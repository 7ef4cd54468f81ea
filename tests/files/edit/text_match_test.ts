import assert from "node:assert/strict";
import fc from "fast-check";
import { nearestPlace } from "../../../src/files/nearest_place.ts";
import { findPlaces, replacePlaces, stableStretch } from "../../../src/files/edit/text_match.ts";
import { runs } from "../../support/soak.ts";

async function apply(text: string, wanted: string, replacement: string) {
  const match = await findPlaces([text], wanted, replacement);
  return match &&
    { rung: match.rung, count: match.count, text: await replacePlaces(text, match.places[0]!) };
}

Deno.test("each rung forgives its own kind of difference and keeps the file's form", async () => {
  const cases: [text: string, wanted: string, by: string, rung: string, after: string][] = [
    ["a\nb\n", "b", "c", "exact", "a\nc\n"],
    ["a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz", "newlines", "x\r\ny\r\nz\r\nc\r\n"],
    ["a\nb\n", "a\r\nb", "a\r\nc", "newlines", "a\nc\n"],
    ["if x:  \n  y\t\nz", "if x:\n  y\n", "if q:\n  y\n", "trailing", "if q:\n  y\t\nz"],
    [
      "class A:\n    def f():\n        return 1\n",
      "def f():\n    return 1",
      "def f():\n    if x:\n        return 2",
      "indentation",
      "class A:\n    def f():\n        if x:\n            return 2\n",
    ],
    [
      "\tif (a) {\n\t\tb();\n\t}\n",
      "    if (a) {\n        b();\n    }",
      "    c();",
      "indentation",
      "\tc();\n",
    ],
    [
      "say “hello” – it’s\n",
      'say "hello" - it\'s',
      'say "hello" - it\'s me',
      "quotes",
      "say “hello” – it’s me\n",
    ],
  ];
  for (const [text, wanted, by, rung, after] of cases) {
    assert.deepEqual(await apply(text, wanted, by), { rung, count: 1, text: after });
  }
});

Deno.test("a stricter rung with matches keeps the looser ones out", async () => {
  assert.deepEqual(await apply("  a\nb\na\n", "b\na", "x"), {
    rung: "exact",
    count: 1,
    text: "  a\nx\n",
  });
  assert.equal((await findPlaces(["aaa"], "aa", "b"))?.count, 2);
});

Deno.test("indentation that one rule cannot explain is no match", async () => {
  assert.equal(await apply("a\n   b\n c\n", "a\n  b\n  c", "x"), undefined);
});

Deno.test("the exact rung changes nothing but the place", async () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "中", "\t"), maxLength: 12 });
  await fc.assert(fc.asyncProperty(part, part, part, async (before, after, by) => {
    const wanted = "<here>";
    assert.deepEqual((await apply(before + wanted + after, wanted, by))?.text, before + by + after);
  }));
});

Deno.test("looser rungs leave every byte outside the place alone", async () => {
  const line = fc.tuple(
    fc.constantFrom("", " ", "  ", "\t"),
    fc.constantFrom("a", "b", "c d", ""),
    fc.constantFrom("", " ", "\t "),
    fc.constantFrom("\n", "\r\n"),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 6 }),
      fc.array(line, { maxLength: 6 }),
      async (up, down) => {
        const [before, after] = [up, down].map((lines) =>
          lines.map((each) => each.join("")).join("")
        );
        const text = `${before}  one \r\n    two\t\r\n${after}`;
        const match = await findPlaces([text], "one\n  two", "ONE\n  TWO");
        const places = match?.places[0];
        assert.equal(places?.length, 1);
        const [place] = places!;
        assert.ok(place!.start >= before!.length);
        assert.ok(text.length - place!.end >= after!.length);
        assert.equal(
          (await replacePlaces(text, places!)).replace(/[ \t]+(?=\r?\n)/g, ""),
          `${before}  ONE\r\n    TWO\r\n${after}`.replace(/[ \t]+(?=\r?\n)/g, ""),
        );
      },
    ),
  );
});

Deno.test("the nearest place shows what differs", async () => {
  const text = "one\ntwo\nfunction go(a, b) {\n  return a + b;\n}\nend\n";
  const near = await nearestPlace(text, "function go(a, c) {\n  return a + b;\n}");
  assert.deepEqual(near, {
    first: 3,
    last: 5,
    diff: "-function go(a, c) {\n+function go(a, b) {\n   return a + b;\n }",
    cause: "other",
  });
  assert.equal((await nearestPlace(text, "FUNCTION go(a, b) {"))?.cause, "case");
  assert.equal((await nearestPlace(text, "return a+b;"))?.cause, "looks");
  assert.equal(await nearestPlace(text, "nothing like it at all, really"), undefined);
  assert.equal((await nearestPlace("if x:\n    return 3\n", "retrun 3"))?.first, 2);
});

Deno.test("pieces of one text are searched as one", async () => {
  const found = await findPlaces(["  a\n", "b\n", "a \n"], "a\n", "x\n");
  assert.deepEqual([found?.rung, found?.count], ["exact", 1]);
  const both = await findPlaces(["  a\n", "a \n"], "a", "x");
  assert.deepEqual(both?.places.map((places) => places.length), [1, 1]);
  // a place that no rule explains spoils its rung, in whichever piece it stands
  const misfit = "a\n   b\n c\n";
  assert.equal(await findPlaces(["  a\n    b\n    c\n", misfit], "a\n  b\n  c", "x"), undefined);
});

Deno.test("every rung needs the stable stretch as it stands", () => {
  assert.equal(stableStretch("  say “hello-world”\u00a0now\n"), "hello");
  assert.equal(stableStretch("f(a_long_name)\tx"), "f(a_long_name)");
  assert.equal(stableStretch(" - '\n"), "");
});

Deno.test("places never overlap, on whichever rung and however indented", async () => {
  const unit = fc.constantFrom("a", " ", "\n", "\t", "\r\n", "“", '"', " \n", "  a\n");
  const text = fc.string({ unit, maxLength: 30 });
  // one unit is often there several times, six hardly ever
  const wanted = fc.oneof(unit, fc.string({ unit, maxLength: 6 }));
  let several = 0;
  await fc.assert(
    fc.asyncProperty(text, wanted, text, async (text, wanted, replacement) => {
      const match = await findPlaces([text], wanted, replacement);
      const places = match?.places[0] ?? [];
      if (places.length > 1) several++;
      places.forEach(({ start, end }, i) => {
        assert.ok(start >= (places[i - 1]?.end ?? 0) && end > start && end <= text.length);
      });
    }),
    { numRuns: runs(5000) },
  );
  assert.ok(several > runs(500) / 2, String(several));
});
