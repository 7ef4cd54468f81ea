import assert from "node:assert/strict";
import fc from "fast-check";
import { graft, plainQuotes } from "../../../src/files/edit/graft.ts";

Deno.test("what an edit leaves keeps the file's characters, and quotes keep their mates", () => {
  const cases: [place: string, replacement: string, after: string | undefined][] = [
    [
      "It’s “fine” and I’m sure “yes”.",
      'It\'s "great" and I\'m sure "no".',
      "It’s “great” and I’m sure “no”.",
    ],
    ["b = “x” + “y”", 'b = "x" + "z"', "b = “x” + “z”"],
    ["say “hi”", 'say "hi" and "bye"', 'say “hi” and "bye"'],
    ["say “hi”", 'say "hello" and "hi"', "say “hello” and “hi”"],
    ["say “hi”", "say hi", "say hi"],
    ['“a” + "b"', '"a + b"', "“a + b”"],
    ["# say “hi”", 'print("y")\n# say "hi"', 'print("y")\n# say “hi”'],
    ["print('a')  # it’s “x”", "print('b')  # it's \"y\"", "print('b')  # it’s “y”"],
    ["it’s a–b\r\nx\u00a0y", "it's a-c\nx y z", "it’s a–c\nx\u00a0y z"],
    ["the users’ ‘key’", "the users' 'code' and 'key'", "the users’ ‘code’ and ‘key’"],
    ["“a” b “c”", 'x "b" y', 'x "b" y'],
    // the quotation goes on behind the place, and it cannot be told which quote it ends
    ["say “hi", 'say "hello" and "hi" or "', undefined],
    ["“one\ntwo” and “three”", '"1\ntwo" and "3"', "“1\ntwo” and “3”"],
    ["hi” and “you” are", 'hi" and "me" are', "hi” and “me” are"],
  ];
  for (const [place, replacement, after] of cases) {
    assert.equal(graft(place, plainQuotes(place), replacement), after, place);
  }
});

Deno.test("a graft is the replacement but for the form of its characters, and no pair is broken", () => {
  const quoted = fc.tuple(fc.constantFrom("“", '"', ""), fc.constantFrom("a", "b c", "it’s", "1–2"))
    .map(([quote, word]) => quote + word + (quote === "“" ? "”" : quote));
  const text = fc.array(quoted, { minLength: 1, maxLength: 5 }).map((words) => words.join(" "));
  let grafted = 0;
  fc.assert(
    fc.property(text, text.map(plainQuotes), (place, replacement) => {
      const after = graft(place, plainQuotes(place), replacement);
      if (after === undefined) return;
      grafted++;
      assert.equal(plainQuotes(after), replacement);
      for (const [pair] of after.matchAll(/["“”][^"“”]*["“”]/g)) {
        assert.match(pair, /^(?:"[^]*"|“[^]*”)$/, after);
      }
    }),
    { numRuns: 2000 },
  );
  assert.ok(grafted > 1500, String(grafted));
});
