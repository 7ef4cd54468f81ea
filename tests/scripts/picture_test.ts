import assert from "node:assert/strict";
import { svgOf } from "../../scripts/picture.ts";

Deno.test("a picture draws each run in its style, where it stands", () => {
  const svg = svgOf(
    "\n\n\x1b[32m●\x1b[39m \x1b[1mEdit\x1b[0m a<b\n  \x1b[7m \x1b[0m  \x1b[2mdim\n",
  );
  const [head, environment, ...runs] = svg.trimEnd().split("\n");
  assert.match(head!, /height="64"/, "two rows: what is empty above is left out");
  assert.match(environment!, /^<rect width="100%"/);
  assert.deepEqual(runs.map((run) => run.replaceAll(/ (?:textLength|y|height)="[^"]*"/g, "")), [
    '<text x="14.0" fill="#8fc97c">●</text>',
    '<text x="30.9" fill="#d4d7dd" font-weight="bold">Edit</text>',
    '<text x="73.0" fill="#d4d7dd">a&lt;b</text>',
    '<rect x="30.9" width="8.4" fill="#d4d7dd"/>',
    '<text x="56.1" fill="#d4d7dd" opacity="0.62">dim</text>',
    "</svg>",
  ]);
});
