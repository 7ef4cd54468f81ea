/** Pages in the shape of real ones; between `<!--want-->` and `<!--/want-->` stands what a reader came for. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { htmlToMarkdown } from "../../src/web/markdown.ts";

const FOLDER = fileURLToPath(new URL("./pages/", import.meta.url));
const BASE = new URL("https://site.example/a/page.html");

/** Least share of the Markdown's words that are wanted, where it is not 0.8. */
const PRECISION: { readonly [page: string]: number } = {
  // short posts between user names, dates and buttons that no name tells from content
  "forum_thread.html": 0.5,
  "issue_page.html": 0.7,
};

const pages = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort();
const source = (page: string) => Deno.readTextFileSync(FOLDER + page);
const markdownOf = async (page: string) =>
  (await htmlToMarkdown(source(page), BASE, 500_000)).markdown;

/** Words, each Han character one. */
function wordsOf(text: string): string[] {
  return text.match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
}

function wanted(html: string): string[] {
  const parts = [...html.matchAll(/<!--want-->([^]*?)<!--\/want-->/g)].map(([, part]) => part!);
  return wordsOf(
    parts.join(" ").replace(/<annotation[^]*?<\/annotation>/g, "").replace(/<[^>]*>/g, " ")
      .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&"),
  );
}

/** The words a reader sees: no link targets, no languages of code. */
function seen(markdown: string): string[] {
  return wordsOf(
    markdown.replace(/\]\([^)]*\)/g, "] ").replace(/<https?:[^>]*>/g, "")
      .replace(/^( *`{3,})\S+$/gm, "$1"),
  );
}

function common(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let found = 0;
  for (const word of other) {
    const count = left.get(word) ?? 0;
    if (count > 0) found++;
    left.set(word, count - 1);
  }
  return found;
}

Deno.test("of every page shape all that is wanted is kept and most of the rest left out", async () => {
  assert.ok(pages.length >= 20);
  let precisions = 0;
  for (const page of pages) {
    const want = wanted(source(page));
    const got = seen(await markdownOf(page));
    const found = common(want, got);
    assert.ok(found / want.length >= 0.99, `${page}: recall ${found / want.length}`);
    const precision = found / got.length;
    assert.ok(precision >= (PRECISION[page] ?? 0.8), `${page}: precision ${precision}`);
    precisions += precision;
  }
  const mean = precisions / pages.length;
  assert.ok(mean >= 0.9, `mean precision ${mean}`);
});

Deno.test("what surrounds the content is gone, by page", async () => {
  const gone: { readonly [page: string]: readonly string[] } = {
    "sphinx_docs.html": ["¶", "Navigation", "Previous topic", "Created using"],
    "reference_site.html": ["SpeedyHost", "copyWithin", "Was this page helpful", "In this article"],
    "code_host_readme.html": ["Product features", "TypeScript 98.2%", "© 2026"],
    "blog.html": ["cookies", "Archive", "Share this", "You might also like", "Tag cloud"],
    "news.html": ["Business", "Ten bridges", "Morning Ledger", "Most read", "Terms of use"],
    "qa_thread.html": ["Log in", "Hot Network", "chess", "Site design"],
    "api_tables.html": ["Disputes", "helpful", "hiring"],
    "wiki.html": ["Donate", "Community portal", "[edit]", "Bloom filter", "Categories"],
    "zh_news.html": ["首页", "相关新闻", "热门排行", "ICP"],
    "zh_docs.html": ["快速上手", "本页目录", "上一页"],
    "package_page.html": ["Release history", "Statistics dashboard"],
  };
  for (const [page, parts] of Object.entries(gone)) {
    const markdown = await markdownOf(page);
    for (const part of parts) assert.ok(!markdown.includes(part), `${page}: ${part}`);
  }
});

Deno.test("code and tables of the pages come out as code and tables", async () => {
  const parts: { readonly [page: string]: readonly string[] } = {
    "sphinx_docs.html": [
      "```python3\nimport threading\nimport queue\n\ndef worker():\n    while True:\n" +
      "        item = q.get()\n        q.task_done()\n```",
      "| Method | Blocks |\n| --- | --- |\n| `get()` | until an item is there |",
    ],
    "reference_site.html": ["```js\nflat()\nflat(depth)\n```", "| Blinkish | 69 |"],
    "code_host_readme.html": [
      "```shell\nnpm install tinyq\n```",
      '```ts\nimport { open } from "tinyq";\nconst q = await open("jobs.db");',
      "| `retries` | 3 | attempts before a job is buried |",
      "- priorities\n  - three levels",
    ],
    "api_tables.html": [
      "| `currency` | string | yes | Three letters, [supported ones only](https://site.example/currencies). |",
      '```json\n{\n  "id": "ch_123",\n  "paid": true\n}\n```',
    ],
    "rust_doc.html": ["```\npub struct VecDeque<T, A = Global>\nwhere\n    A: Allocator{"],
    "man_page.html": ["```\n       -n, --nonblock\n           Fail rather than wait"],
    "wiki.html": ["$m=\\lfloor (L+R)/2 \\rfloor$", "| Class | Search algorithm |"],
    "zh_docs.html": ["import { ref } from 'vue'\nconst count = ref(0)"],
  };
  for (const [page, expected] of Object.entries(parts)) {
    const markdown = await markdownOf(page);
    for (const part of expected) {
      assert.ok(markdown.includes(part), `${page}: ${part}\n${markdown}`);
    }
  }
});

Deno.test("a page whose content bears the names of a frame is kept whole", async () => {
  const text = "<p>" + "A sentence of the content that must not be lost. ".repeat(30) + "</p>";
  const page = `<body><div class="widget"><div id="sidebar">${text}</div></div>` +
    `<div class="footer">imprint</div></body>`;
  const { markdown } = await htmlToMarkdown(page, BASE, 500_000);
  assert.match(markdown, /must not be lost/);
  const spread = `<body>${`<div class="related">${text}</div>`.repeat(8)}</body>`;
  assert.equal(
    (await htmlToMarkdown(spread, BASE, 500_000)).markdown.match(/A sentence/g)?.length,
    240,
  );
});

Deno.test("a chapter named like a frame is still a chapter", async () => {
  const topics = [
    "cookies",
    "pagination",
    "menus",
    "login",
    "feedback",
    "related",
    "footer",
    "toc",
  ];
  const chapters = topics.map((topic, i) =>
    [
      `<section id="${topic}"><h2>About ${topic}</h2><p>Kept text ${i}.</p></section>`,
      `<div class="section" id="${topic}"><h2>About ${topic}</h2><p>Kept text ${i}.</p></div>`,
      `<div id="${topic}"><h3>About ${topic}</h3><p>Kept text ${i}.</p></div>`,
      `<h2 id="${topic}" class="${topic}">About ${topic}</h2><p>Kept text ${i}.</p>`,
    ][i % 4]
  );
  const page = `<body><div class="documentwrapper"><h1>Manual</h1>${chapters.join("")}</div>` +
    '<div class="footer">Made by us</div></body>';
  const { markdown } = await htmlToMarkdown(page, BASE, 500_000);
  for (const [i, topic] of topics.entries()) {
    assert.ok(markdown.includes(`About ${topic}\n\nKept text ${i}.`), topic);
  }
  assert.doesNotMatch(markdown, /Made by us/);
});
