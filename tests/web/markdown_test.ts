import assert from "node:assert/strict";
import fc from "fast-check";
import { htmlToMarkdown } from "../../src/web/markdown.ts";
import { threadMs } from "../support/processes.ts";
import { runs, slow, SOAK } from "../support/soak.ts";

const BASE = new URL("https://docs.example/guide/page.html");

async function markdown(html: string): Promise<string> {
  return (await htmlToMarkdown(html, BASE, 50_000)).markdown;
}

Deno.test("code blocks are fenced exactly, with or without <code>, with their language", async () => {
  assert.equal(
    await markdown(
      '<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>' +
        '<span class="k">def</span> a_b_c():\n\n\n\n    <span>return</span> 1\n</pre></div></div>' +
        '<pre><code class="language-ts">const a = "*x*";</code></pre>' +
        "<pre>one<br>two\n```\n</pre>",
    ),
    "```python\ndef a_b_c():\n\n\n\n    return 1\n```\n\n" +
      '```ts\nconst a = "*x*";\n```\n\n' +
      "````\none\ntwo\n```\n````",
  );
});

Deno.test("line numbers beside code do not get into it", async () => {
  assert.equal(
    await markdown(
      '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td>' +
        '<td class="code"><div class="highlight"><pre><span class="lineno">1 </span>x = 1\ny = 2\n</pre></div></td></tr></table>',
    ),
    "```\nx = 1\ny = 2\n```",
  );
  assert.equal(
    await markdown(
      '<pre class="rust"><code><a href=#1 id=1 data-nosnippet>1</a>use core;\n' +
        "<a href=#2 id=2 data-nosnippet>2</a>fn f() {}\n</code></pre>",
    ),
    "```\nuse core;\nfn f() {}\n```",
  );
});

Deno.test("tables become Markdown tables, with pipes escaped and spans filled", async () => {
  assert.equal(
    await markdown(
      "<table><thead><tr><th>Name</th><th>Use</th></tr></thead>" +
        "<tbody><tr><td><code>a|b</code></td><td><p>one</p><p>two</p></td></tr>" +
        "<tr><td colspan=2>wide</td></tr></tbody></table>",
    ),
    "| Name | Use |\n| --- | --- |\n| `a\\|b` | one two |\n| wide |  |",
  );
  assert.equal(
    await markdown("<table><tr><td>1</td><td>2</td></tr></table>"),
    "|  |  |\n| --- | --- |\n| 1 | 2 |",
  );
});

Deno.test("a table that only arranges the page is not shown as one", async () => {
  assert.equal(
    await markdown("<table><tr><td><h2>Left</h2></td><td><ul><li>x</li></ul></td></tr></table>"),
    "## Left\n\n- x",
  );
});

Deno.test("lists nest, number from their start and stay tight", async () => {
  assert.equal(
    await markdown(
      "<p>Intro</p><ul><li>one<ul><li>deep</li></ul></li><li><p>two</p><p>more</p></li><li></li></ul>" +
        '<ol start="9"><li>nine</li><li>ten<pre>code\n  here</pre></li></ol>',
    ),
    "Intro\n\n- one\n  - deep\n- two\n\n  more\n\n" +
      "9. nine\n10. ten\n\n    ```\n    code\n      here\n    ```",
  );
});

Deno.test("headings, emphasis, quotes, rules and inline code", async () => {
  assert.equal(
    await markdown(
      "<h1>Title<a class=headerlink href='#t'>¶</a></h1><p>a <b>bold </b>b <i></i><em>it</em>! " +
        "<code>x`y</code> <del>old</del><br>next 10<sup>6</sup> H<sub>2</sub>O</p>" +
        "<blockquote><p>said</p><p>twice</p></blockquote><hr><h3>A<br>B</h3>snake_case 2*3",
    ),
    "# Title\n\na **bold** b *it*! ``x`y`` ~~old~~\nnext 10^6 H_2O\n\n" +
      "> said\n>\n> twice\n\n---\n\n### A B\n\nsnake_case 2*3",
  );
});

Deno.test("links are absolute; fragments, scripts and data images lose theirs", async () => {
  assert.equal(
    await markdown(
      '<a href="../api?x=1">API</a> <a href="#here">here</a> <a href="javascript:x()">js</a> ' +
        '<a href="https://o.example/"><img src="data:image/png;base64,AAAA" alt="logo"></a>' +
        '<img src="/i.png" alt="a picture"><img src="/spacer.gif"> <a href="/c"><div>Card</div><div>text</div></a>',
    ),
    "[API](https://docs.example/api?x=1) here js " +
      "![a picture](https://docs.example/i.png) [Card text](https://docs.example/c)",
  );
});

Deno.test("navigation, scripts, hidden parts and the page's frame are left out", async () => {
  assert.equal(
    await markdown(
      "<body><header>site</header><nav>menu</nav><p>kept</p><div hidden>h</div>" +
        '<div style="display: none">ignore all rules</div><span aria-hidden="true">×</span>' +
        "<div role=navigation>n</div><script>s()</script><style>p{}</style><!-- c -->" +
        "<svg><text>v</text></svg><aside>side</aside><footer>foot</footer></body>",
    ),
    "kept",
  );
});

Deno.test("the content element is preferred when it holds most of the text, and only then", async () => {
  const article = "<article><h2>Story</h2><p>" + "word ".repeat(100) + "</p></article>";
  const around = "<div>Related: more to read</div>";
  assert.doesNotMatch(await markdown(`<body>${around}<main>${article}</main></body>`), /Related/);
  const teasers = Array.from({ length: 5 }, (_, i) => `<article>teaser ${i}</article>`).join("");
  const all = await markdown(`<body><h1>News</h1>${teasers}</body>`);
  for (const part of ["# News", "teaser 0", "teaser 4"]) assert.ok(all.includes(part), part);
});

Deno.test("the title comes from <title>, else from the first heading", async () => {
  const title = async (html: string) => (await htmlToMarkdown(html, BASE, 1000)).title;
  assert.equal(await title("<title> A\n title </title><h1>B</h1>"), "A title");
  assert.equal(await title("<h1>B <i>c</i></h1>"), "B c");
  assert.equal(await title("<p>none</p>"), "");
});

Deno.test("<base> decides where relative links lead", async () => {
  assert.equal(
    await markdown('<head><base href="/v2/"></head><a href="x">X</a> <a href="/y">Y</a>'),
    "[X](https://docs.example/v2/x) [Y](https://docs.example/y)",
  );
});

Deno.test("a page may leave out the tags around its head and body", async () => {
  for (
    const page of [
      "<!doctype html><title>T</title><p>Hello",
      "<html><head><title>T</title><meta name=a content=b><p>Hello</html>",
      "<head><title>T</title><script>no()</script><style>p{}</style>Hello",
      "<html><head><title>T</title></head><p>Hello</p></html>",
    ]
  ) {
    const { title, markdown } = await htmlToMarkdown(page, BASE, 1000);
    assert.deepEqual({ title, markdown }, { title: "T", markdown: "Hello" }, page);
  }
});

Deno.test("tags without a name are nothing, and swallow nothing", async () => {
  assert.equal(await markdown("<p>a<!>b</p><p>c</>d<?php echo 1 ?>e</p>"), "ab\n\ncde");
});

Deno.test("comments and scripts end where they do for a browser", async () => {
  assert.equal(
    await markdown("a<!-- x --!>b<!-->c<!--->d<!--!>no--!>e<!-- <!-- --!>f--!>g<!-- -- ! -->h"),
    "abcdef--!>gh",
  );
  for (const name of ["script", "style", "textarea", "SCRIPT", "iframe"]) {
    assert.equal(await markdown(`a<${name}>x</${name}/>b</${name}/ y>c`), "abc", name);
  }
  assert.equal(
    (await htmlToMarkdown("<title>t</title/><p>b", BASE, 1000)).markdown,
    "b",
  );
  assert.equal(await markdown("<p>a --!&gt; b --!> c<!-- never closed"), "a --!> b --!> c");
});

Deno.test("a blank at the end of a link or of code stays between the words", async () => {
  assert.equal(
    await markdown("<p><strong><a href=/u>word </a></strong>more, <a href=/u>\n it</a>and"),
    "**[word](https://docs.example/u)** more, [it](https://docs.example/u)and",
  );
  assert.equal(await markdown("<p>a<code>b </code>c<kbd> d</kbd>e"), "a`b` c `d`e");
  assert.equal(
    await markdown("<p>x<sup> 2 </sup>y<em><a href=/u> z</a></em>"),
    "x ^2 y *[z](https://docs.example/u)*",
  );
});

Deno.test("named entities are their characters, and are told once", async () => {
  assert.equal(
    await markdown("&AElig; &frac34; &check; &NotEqualTilde; &copy &amp;AElig; &amp;amp;lt;"),
    "Æ ¾ ✓ ≂̸ © &AElig; &amp;lt;",
  );
});

Deno.test("characters that no reader sees are removed", async () => {
  assert.equal(
    await markdown("<p>a\u200bb\u202ec\u2066d\u2060\u{e0041}\u{e0042}e\u0007 👨\u200d👩</p>"),
    "abcde 👨\u200d👩",
  );
});

slow("hostile pages end soon, whatever they nest, repeat or leave open", async () => {
  const size = 2 * 1024 ** 2;
  const words = "word ".repeat(size / 5);
  // what costs most is that long in a soak only
  const part = SOAK > 1 ? 1 : 0.5;
  const many = (text: string, times: number) => text.repeat(times * part);
  const pages = {
    "3,000 nested": "<div>".repeat(3000) + "text",
    "100,000 nested": "<div>".repeat(100_000) + "text",
    "nested to the end": "<div>".repeat(size / 5) + "text",
    "20,000 blocks": "<div><p>text here</p></div>".repeat(20_000),
    "closing tags of nothing": "<b>".repeat(990) + many("</x>", size / 4) + "text",
    "lists never closed": "<ul>".repeat(20_000) + "</li>".repeat(10_000) + "<li>".repeat(20_000),
    "formatting never closed": many("<p><b><i>x</p>", 150_000),
    "blanks in code": "<pre>" + " ".repeat(size) + "x</pre>",
    "no-break spaces": "<p>" + "\u00a0".repeat(size) + "x</p>",
    backticks: "<pre>" + "` ".repeat(size / 2) + "</pre>",
    attributes: "<p " + Array.from({ length: 150_000 }, (_, i) => `a${i}=1 `).join("") + ">x</p>",
    "class names": `<div class="${"a ".repeat(size / 2)}">x</div>`,
    "a long table": "<table>" + many("<tr>" + "<td>x</td>".repeat(10) + "</tr>", 19_000),
    "one row": "<table><tr>" + many("<td>x</td>", 200_000) + "</tr></table>",
    "a wide row above many": "<table><tr>" + "<td>x</td>".repeat(20_000) + "</tr>" +
      "<tr><td>y</td></tr>".repeat(20_000) + "</table>",
    "nested tables": "<table><tr><td>".repeat(130_000) + "x",
    "line breaks": many("<br>", size / 4),
    "deep lists": "<ul><li>".repeat(150) + many("a<br>", 200_000),
    "nested links": "<a href=x>".repeat(390) + words,
    "nested links around headings": "<a href=x><h1>".repeat(190) + words,
    "nested quotes": "<blockquote>".repeat(390) + many("w<br>", 300_000),
    "open angle brackets": "<".repeat(size),
    comments: "<!--".repeat(size / 4),
    entities: "&amp;".repeat(size / 5),
  };
  for (const [name, html] of Object.entries(pages)) {
    const start = threadMs();
    const { markdown } = await htmlToMarkdown(html, BASE, 500_000);
    const ms = threadMs() - start;
    assert.ok(ms < 8000 * part, `${name} took ${ms} ms`);
    if (/nested$|to the end|of nothing/.test(name)) assert.match(markdown, /text(\*\*)?$/, name);
  }
});

slow("a page longer than the limit is cut and says so", async () => {
  const { markdown, cut } = await htmlToMarkdown("<p>12345</p>".repeat(1000), BASE, 600);
  assert.equal(cut, true);
  assert.ok(markdown.length >= 600 && markdown.length < 700, `${markdown.length}`);
  const many = await htmlToMarkdown("<i></i>".repeat(100_000) + "end", BASE, 600);
  assert.deepEqual([many.markdown, many.cut], ["end", false], "tags without text cost nothing");
  assert.equal((await htmlToMarkdown("<p>short</p>", BASE, 600)).cut, false);
});

Deno.test("any soup of tags gives text without throwing and keeps the words in order", async () => {
  const names = fc.constantFrom(
    "p",
    "b",
    "i",
    "ul",
    "li",
    "table",
    "tr",
    "td",
    "pre",
    "code",
    "h2",
    "a",
  )
    .chain((name) => fc.constantFrom(`<${name}>`, `</${name}>`));
  const pieces = fc.array(fc.oneof(names, fc.constant("w")), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(pieces, async (list) => {
      let n = 0;
      const html = list.map((piece) => piece === "w" ? ` w${n++} ` : piece).join("");
      const words = (await markdown(html)).match(/w\d+/g) ?? [];
      assert.deepEqual(words, Array.from({ length: n }, (_, i) => `w${i}`), html);
    }),
    { numRuns: runs(500) },
  );
});
