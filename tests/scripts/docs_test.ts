import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "../../scripts/bundle.ts";
import { sectionsOf, stale } from "../../scripts/docs.ts";

Deno.test("the generated pages and the schema are what the tables say: deno task docs", async () => {
  assert.deepEqual(await stale(), []);
});

Deno.test("a key without documentation in both languages is refused", () => {
  assert.throws(
    () =>
      sectionsOf(
        "  // # A | 甲\n\n  /**\n   * One.\n   * 一。\n   */\n  api_key: {},\n  base_url: {},\n",
      ),
    /no documentation in two languages: base_url,/,
  );
});

const README = /^README(?:\.[\w-]+)?\.md$/;

/** The texts for people, by their paths. */
function pages(): Map<string, string> {
  const inFolder = (folder: string) =>
    [...Deno.readDirSync(join(ROOT, folder))].map(({ name }) => join(folder, name));
  const paths = [...inFolder("."), ...inFolder("docs"), ...inFolder("docs/zh")]
    .filter((path) => path.endsWith(".md")).sort();
  return new Map(paths.map((path) => [path, Deno.readTextFileSync(join(ROOT, path))]));
}

const withoutCode = (text: string) => text.replaceAll(/^```[^]*?^```/gm, "");

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return Array.from(
    withoutCode(text).matchAll(/^#+ (.+)$/gm),
    ([, title]) =>
      title!.toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-"),
  );
}

/** Relative links that lead nowhere, as `page -> link`. */
function brokenLinks(all: ReadonlyMap<string, string>): string[] {
  return [...all].flatMap(([path, text]) => {
    const links = withoutCode(text).replaceAll(/`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g);
    return Array.from(links, ([, link]) => link!).filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [to = "", anchor] = link.split("#");
      const file = to === "" ? path : relative(".", join(dirname(path), to));
      if (!all.has(file)) return anchor !== undefined || !existsSync(join(ROOT, file));
      return anchor !== undefined && !anchorsOf(all.get(file)!).includes(decodeURI(anchor));
    }).map((link) => `${path} -> ${link}`);
  });
}

Deno.test("every relative link of the documentation leads to a file, and to a heading of it", () => {
  assert.deepEqual(brokenLinks(pages()), []);
  const some = new Map([
    [
      "a.md",
      "# A b\n\n[x](b.md) [x](b.md#c-d) [x](#a-b) [x](https://example.com/none) `[x](no)`\n",
    ],
    ["b.md", "## C, d!\n\n[x](none.md) [x](a.md#none) [x](#a-b)\n\n```\n# e\n```\n\n[x](#e)\n"],
  ]);
  assert.deepEqual(brokenLinks(some), [
    "b.md -> none.md",
    "b.md -> a.md#none",
    "b.md -> #a-b",
    "b.md -> #e",
  ]);
});

Deno.test("the documentation comes in short pages, each of which a README names", () => {
  const all = pages();
  const mostOf = (path: string) => README.test(path) ? 200 : path === "AGENTS.md" ? 80 : 150;
  const long = [...all].map(([path, text]) => [path, text.split("\n").length - 1] as const)
    .filter(([path, lines]) => lines > mostOf(path));
  assert.deepEqual(long, []);
  const wide = [...all].filter(([path]) => README.test(path)).flatMap(([path, text]) =>
    text.split("\n").filter((line) => line.length > 120 && !line.startsWith("|"))
      .map((line) => `${path}: ${line}`)
  );
  assert.deepEqual(wide, []);
  const named = (readme: string) => new Set(all.get(readme)!.match(/docs\/[\w/-]+\.md/g));
  const unnamed = [...all.keys()].filter((path) => path.startsWith("docs/"))
    .filter((path) =>
      !named(path.startsWith("docs/zh/") ? "README.zh-CN.md" : "README.md").has(path)
    );
  assert.deepEqual(unnamed, []);
});
