import assert from "node:assert/strict";
import fc from "fast-check";
import { nearestPlace } from "../../src/workspace/nearest_place.ts";
import { findPlaces, replacePlaces, stableStretch } from "../../src/workspace/text_match.ts";

function apply(text: string, wanted: string, replacement: string) {
  const match = findPlaces([text], wanted, replacement);
  return match &&
    { rung: match.rung, count: match.count, text: replacePlaces(text, match.places[0]!) };
}

Deno.test("each rung forgives its own kind of difference and keeps the file's form", () => {
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
    assert.deepEqual(apply(text, wanted, by), { rung, count: 1, text: after });
  }
});

Deno.test("a stricter rung with matches keeps the looser ones out", () => {
  assert.deepEqual(apply("  a\nb\na\n", "b\na", "x"), {
    rung: "exact",
    count: 1,
    text: "  a\nx\n",
  });
  assert.equal(findPlaces(["aaa"], "aa", "b")?.count, 2);
});

Deno.test("indentation that one rule cannot explain is no match", () => {
  assert.equal(apply("a\n   b\n c\n", "a\n  b\n  c", "x"), undefined);
});

Deno.test("the exact rung changes nothing but the place", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "中", "\t"), maxLength: 12 });
  fc.assert(fc.property(part, part, part, (before, after, by) => {
    const wanted = "<here>";
    assert.deepEqual(apply(before + wanted + after, wanted, by)?.text, before + by + after);
  }));
});

Deno.test("looser rungs leave every byte outside the place alone", () => {
  const line = fc.tuple(
    fc.constantFrom("", " ", "  ", "\t"),
    fc.constantFrom("a", "b", "c d", ""),
    fc.constantFrom("", " ", "\t "),
    fc.constantFrom("\n", "\r\n"),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.array(line, { maxLength: 6 }), (up, down) => {
      const [before, after] = [up, down].map((lines) =>
        lines.map((each) => each.join("")).join("")
      );
      const text = `${before}  one \r\n    two\t\r\n${after}`;
      const match = findPlaces([text], "one\n  two", "ONE\n  TWO");
      const places = match?.places[0];
      assert.equal(places?.length, 1);
      const [place] = places!;
      assert.ok(place!.start >= before!.length);
      assert.ok(text.length - place!.end >= after!.length);
      assert.equal(
        replacePlaces(text, places!).replace(/[ \t]+(?=\r?\n)/g, ""),
        `${before}  ONE\r\n    TWO\r\n${after}`.replace(/[ \t]+(?=\r?\n)/g, ""),
      );
    }),
  );
});

Deno.test("the nearest place shows what differs", () => {
  const text = "one\ntwo\nfunction go(a, b) {\n  return a + b;\n}\nend\n";
  const near = nearestPlace(text, "function go(a, c) {\n  return a + b;\n}");
  assert.deepEqual(near, {
    first: 3,
    last: 5,
    diff: "-function go(a, c) {\n+function go(a, b) {\n   return a + b;\n }",
    cause: "other",
  });
  assert.equal(nearestPlace(text, "FUNCTION go(a, b) {")?.cause, "case");
  assert.equal(nearestPlace(text, "return a+b;")?.cause, "looks");
  assert.equal(nearestPlace(text, "nothing like it at all, really"), undefined);
});

Deno.test("pieces of one text are searched as one", () => {
  const found = findPlaces(["  a\n", "b\n", "a \n"], "a\n", "x\n");
  assert.deepEqual([found?.rung, found?.count], ["exact", 1]);
  const both = findPlaces(["  a\n", "a \n"], "a", "x");
  assert.deepEqual(both?.places.map((places) => places.length), [1, 1]);
  // a place that no rule explains spoils its rung, in whichever piece it stands
  const misfit = "a\n   b\n c\n";
  assert.equal(findPlaces(["  a\n    b\n    c\n", misfit], "a\n  b\n  c", "x"), undefined);
});

Deno.test("every rung needs the stable stretch as it stands", () => {
  assert.equal(stableStretch("  say “hello-world”\u00a0now\n"), "hello");
  assert.equal(stableStretch("f(a_long_name)\tx"), "f(a_long_name)");
  assert.equal(stableStretch(" - '\n"), "");
});

Deno.test("places never overlap, on whichever rung and however indented", () => {
  const unit = fc.constantFrom("a", " ", "\n", "\t", "\r\n", "“", '"', " \n", "  a\n");
  const text = fc.string({ unit, maxLength: 30 });
  let several = 0;
  fc.assert(
    fc.property(text, fc.string({ unit, maxLength: 6 }), text, (text, wanted, replacement) => {
      const match = findPlaces([text], wanted, replacement);
      const places = match?.places[0] ?? [];
      if (places.length > 1) several++;
      places.forEach(({ start, end }, i) => {
        assert.ok(start >= (places[i - 1]?.end ?? 0) && end > start && end <= text.length);
      });
    }),
    { numRuns: 5000 },
  );
  assert.ok(several > 100, String(several));
});
