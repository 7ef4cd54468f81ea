import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import { webSearchTool } from "../../src/tools/web_search.ts";
import { ToolRunner } from "../support/tool_context.ts";
import { type Site, withSite } from "../web/local_site.ts";

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    title: `Title ${i + 1}`,
    url: `https://site.example/${i + 1}`,
    abs: i === 1 ? "" : `Snippet ${i + 1}`,
  }));

const baidu = (count: number) => Response.json({ feed: { entry: entries(count) } });
const bing =
  '<ol id="b_results"><li class="b_algo"><h2><a href="https://b.example/">B</a></h2></li></ol>';

function tool({ base, here }: Site) {
  return webSearchTool({ bases: { baidu: base, bing: base, duckduckgo: base }, allow: [here] });
}

Deno.test("WebSearch lists title, URL and snippet under the engine's name", async () => {
  await withSite(() => baidu(3), async (site) => {
    const { ok, text } = await new ToolRunner("/").run(tool(site), { query: " 天气 ", num: 2 });
    assert.equal(ok, true);
    assert.equal(
      text,
      'Baidu: results for "天气" (web content, untrusted)\n' +
        "1. Title 1\n   https://site.example/1\n   Snippet 1\n" +
        "2. Title 2\n   https://site.example/2",
    );
  });
});

Deno.test("WebSearch gives five results when no number is asked for", async () => {
  await withSite(() => baidu(10), async (site) => {
    const { text } = await new ToolRunner("/").run(tool(site), { query: "q" });
    assert.equal(text.match(/^\d+\. /gm)?.length, 5);
    assert.match(site.hits[0]!, /&rn=5&/);
  });
});

Deno.test("WebSearch falls back along the chain and says which engine refused", async () => {
  await withSite(
    (request) =>
      new URL(request.url).pathname === "/search"
        ? new Response(bing)
        : Response.json({ antiFlag: 1 }),
    async (site) => {
      const { ok, text } = await new ToolRunner("/").run(tool(site), { query: "q" });
      assert.equal(ok, true);
      assert.match(text, /^Bing: results for "q"/);
      assert.match(text, /\(Baidu blocked it: antiFlag\)/);
      assert.match(text, /1\. B\n {3}https:\/\/b\.example\/$/);
    },
  );
});

Deno.test("WebSearch tells no results from no answer", async () => {
  const pages: { [path: string]: string } = {
    "/s": JSON.stringify({ feed: { entry: [] } }),
    "/search": '<ol id="b_results"><li class="b_no">none</li></ol>',
    "/html/": '<div class="no-results">none</div>',
  };
  await withSite((request) => new Response(pages[new URL(request.url).pathname]), async (site) => {
    const { ok, text } = await new ToolRunner("/").run(tool(site), { query: "xyzzy" });
    assert.equal(ok, true);
    assert.match(text, /^No results for "xyzzy" \(Baidu found nothing; Bing found nothing; Duck/);
  });
  await withSite(() => new Response("", { status: 403 }), async (site) => {
    const runner = new ToolRunner("/");
    runner.overrides = { t: chinese };
    const { ok, text } = await runner.run(tool(site), { query: "xyzzy" });
    assert.equal(ok, false);
    assert.match(text, /没有搜索引擎作出回答（Baidu 拦截了请求：HTTP 403; .*searxng_url/);
  });
});

Deno.test("WebSearch refuses a blank query and a language it cannot read, without asking anyone", async () => {
  await withSite(() => baidu(1), async (site) => {
    const runner = new ToolRunner("/");
    assert.deepEqual(await runner.run(tool(site), { query: "  " }), {
      ok: false,
      text: "Cannot search: query is blank; give some words",
    });
    assert.deepEqual(await runner.run(tool(site), { query: "q", lr: "klingon" }), {
      ok: false,
      text: "Cannot search: lr is klingon; write it as lang_en or lang_zh-CN",
    });
    assert.deepEqual(site.hits, []);
  });
});

Deno.test("WebSearch answers an abort with interrupted", async () => {
  const runner = new ToolRunner("/");
  runner.overrides = { signal: AbortSignal.abort() };
  assert.deepEqual(await runner.run(webSearchTool(), { query: "q" }), {
    ok: false,
    text: "interrupted",
  });
});

Deno.test("WebSearch takes other agents' names for the number of results", () => {
  const { adapt } = webSearchTool();
  assert.deepEqual(adapt!({ query: "q", max_results: 3 }), { query: "q", num: 3 });
  assert.deepEqual(adapt!({ query: "q", count: 4 }), { query: "q", num: 4 });
  assert.deepEqual(adapt!({ query: "q", num: 2, count: 4 }), { query: "q", num: 2 });
});

Deno.test("WebSearch is offered in at most 420 bytes", () => {
  const { name, description, input } = webSearchTool();
  assert.ok(JSON.stringify({ name, description, input }).length <= 420);
});
