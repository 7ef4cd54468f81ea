import assert from "node:assert/strict";
import { entityCode, withoutEntities } from "../../src/base/entity_names.ts";
import { parseTree, textOf } from "../../src/web/parse.ts";

const NAMES = (
  "AElig Aacute yuml nbsp iexcl Abreve zcaron Alpha omega thetasym piv bull hellip prime oline euro image real " +
  "trade alefsym larr harr crarr lArr hArr forall part nabla isin ni prod sum minus lowast radic prop infin ang " +
  "and or cap cup int there4 sim cong asymp ne equiv le ge sub sup nsub sube supe oplus otimes perp sdot lceil " +
  "rfloor lang rang loz spades clubs hearts diams OElig Scaron fnof circ tilde ensp emsp thinsp zwnj zwj lrm rlm " +
  "ndash lsquo sbquo bdquo dagger Dagger permil lsaquo frac18 frac23 check lbrace lowbar Rightarrow Yuml IOcy dzcy"
).split(" ");

Deno.test("entities have the characters that a page's have", async () => {
  for (const name of NAMES) {
    const code = entityCode(name);
    assert.ok(code !== undefined, name);
    const char = textOf(await parseTree(`<p>&${name};</p>`)).trim() || "\u00a0";
    if (!/^\s$/.test(char)) assert.equal(String.fromCodePoint(code), char, name);
  }
  for (const none of ["nosuch", "constructor", "160", "", "AElig=aelig"]) {
    assert.equal(entityCode(none), undefined);
  }
});

Deno.test("the entities of a text become characters once, what is none stays", () => {
  assert.equal(
    withoutEntities(
      "Tom&#8217;s &mdash; caf&eacute; &#x1F600; &amp;lt; R&D; &nosuch; a&b &#0; &#x110000;",
    ),
    "Tom’s — café 😀 &lt; R&D; &nosuch; a&b \ufffd \ufffd",
  );
});
