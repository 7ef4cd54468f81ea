/** Measures what turning a page into Markdown costs, as a ratio to parsing it alone. */
import { htmlToMarkdown } from "../src/web/markdown.ts";
import { parseTree } from "../src/web/parse.ts";

export interface WebCost {
  /** Of the page. */
  readonly bytes: number;
  /** Medians, in milliseconds. */
  readonly parseMs: number;
  readonly markdownMs: number;
  /** `markdownMs / parseMs`, medians of interleaved runs. */
  readonly ratio: number;
}

/** A documentation page of about 500 KB: headings, paragraphs with links, highlighted code, tables, a menu. */
export function docsPage(): string {
  const menu = Array.from(
    { length: 300 },
    (_, i) => `<li><a href="m${i}.html">Menu entry ${i}</a></li>`,
  );
  const sections = Array.from(
    { length: 520 },
    (_, i) =>
      `<section id="s${i}"><h2>Section ${i}<a class="headerlink" href="#s${i}">¶</a></h2>` +
      `<p>Text with a <a href="page${i}.html">link</a>, <code>code_${i}()</code> and <em>emphasis</em>. `
        .repeat(4) +
      '<div class="highlight-python3"><div class="highlight"><pre>' +
      `<span class="k">def</span> <span class="nf">f${i}</span><span class="p">(</span>x<span class="p">):</span>\n    <span class="k">return</span> x\n`
        .repeat(2) +
      "</pre></div></div><table><tr><th>Name</th><th>Use</th></tr>" +
      "<tr><td><code>a</code></td><td>first</td></tr></table></section>",
  );
  return `<!doctype html><title>Docs</title><body><div class="sidebar"><ul>${
    menu.join("")
  }</ul></div>` +
    `<main><h1>Docs</h1>${sections.join("")}</main>`;
}

/** Measures `rounds` interleaved runs after a warm-up. */
export async function measureWeb(rounds = 9): Promise<WebCost> {
  const page = docsPage();
  const base = new URL("https://docs.example/");
  const [parse, markdown]: [number[], number[]] = [[], []];
  for (let round = -2; round < rounds; round++) {
    const began = performance.now();
    await parseTree(page);
    const parsed = performance.now();
    await htmlToMarkdown(page, base, 500_000);
    if (round < 0) continue;
    parse.push(parsed - began);
    markdown.push(performance.now() - parsed);
  }
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;
  const ratio = median(markdown.map((ms, i) => ms / parse[i]!));
  return { bytes: page.length, parseMs: median(parse), markdownMs: median(markdown), ratio };
}

if (import.meta.main) console.log(await measureWeb());
