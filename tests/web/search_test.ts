import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import type { SearchOptions } from "../../src/web/search.ts";
import { createSearch, localeOf } from "../../src/web/search.ts";
import { html, type Site, withSite } from "./local_site.ts";

type Engine = "baidu" | "bing" | "duckduckgo" | "searxng";
type Answers = { readonly [engine in Engine]?: (request: Request) => Response | Promise<Response> };

const PATHS: { readonly [path: string]: Engine } = {
  "/s": "baidu",
  "/search": "bing",
  "/html/": "duckduckgo",
  "/own/search": "searxng",
};

const none = () => new Response(null, { status: 500 });

/** Serves every engine from one loopback server, each at its own path. */
function withEngines<T>(answers: Answers, use: (site: Site) => Promise<T>): Promise<T> {
  return withSite((request) => {
    const engine = PATHS[new URL(request.url).pathname];
    return (engine && answers[engine] ? answers[engine] : none)(request);
  }, use);
}

function chain({ base, here }: Site, more: SearchOptions = {}) {
  const bases = { baidu: base, bing: base, duckduckgo: base };
  const search = createSearch({ bases, allow: [here], ...more });
  return (query = "deno", num = 5, locale = "en-US") =>
    search.search({ query, num, locale }, english, new AbortController().signal);
}

const BAIDU_JSON = () =>
  Response.json({
    feed: {
      all: 2,
      entry: [
        {
          title: "<em>Deno</em> 中文网 &amp; 手册",
          url: "https://deno.example/zh",
          abs: "一个 &lt;安全&gt; 的\n<em>运行时</em>",
          time: 1,
        },
        { title: "Second", url: "https://two.example/", abs: "two" },
        {},
      ],
    },
  });

const BAIDU_HTML = () =>
  html(
    '<div id="content_left"><div class="result c-container" mu="https://real.example/a"><h3 class="t">' +
      '<a href="http://www.baidu.com/link?url=xyz"><em>Deno</em> 教程</a></h3><span class="c-abstract">摘要</span></div>' +
      '<div class="result-op c-container">ad</div></div>',
  );

const packed = btoa("https://deno.example/文?a=1&b".replace("文", "%E6%96%87")).replaceAll("=", "");
const BING = () =>
  html(
    '<ol id="b_results"><li class="b_ad"><h2><a href="https://ad.example">ad</a></h2></li>' +
      `<li class="b_algo"><h2><a href="https://www.bing.com/ck/a?!&amp;&amp;p=1&amp;u=a1${packed}&amp;ntb=1">Deno <strong>docs</strong></a></h2>` +
      '<div class="b_caption"><p><span class="algoSlug_icon">Web</span>The   docs.</p></div></li>' +
      '<li class="b_algo"><h2><a href="https://plain.example/x">Plain</a></h2></li></ol>',
  );

const DUCK = () =>
  html(
    '<div id="links"><div class="result results_links web-result"><h2 class="result__title">' +
      '<a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fdeno.example%2Fa%3Fb%3D1&amp;rut=f">Deno</a></h2>' +
      '<a class="result__snippet">A <b>runtime</b>.</a></div></div>',
  );

const DUCK_ANOMALY = () =>
  html(
    '<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html"><div class="anomaly-modal__title">' +
      "Unfortunately, bots use DuckDuckGo too.</div></form>",
    { status: 202 },
  );

Deno.test("Baidu's JSON answers first, with tags and entities removed", async () => {
  await withEngines({ baidu: BAIDU_JSON, bing: BING }, async (site) => {
    const answer = await chain(site)("deno 手册");
    assert.deepEqual(answer, {
      engine: "Baidu",
      results: [
        {
          title: "Deno 中文网 & 手册",
          url: "https://deno.example/zh",
          snippet: "一个 <安全> 的 运行时",
        },
        { title: "Second", url: "https://two.example/", snippet: "two" },
      ],
      notes: [],
    });
    assert.deepEqual(site.hits, [
      "GET /s?wd=deno+%E6%89%8B%E5%86%8C&rn=5&pn=0&tn=json",
    ]);
  });
});

Deno.test("Baidu's HTML page is read when it comes instead of JSON", async () => {
  await withEngines({ baidu: BAIDU_HTML }, async (site) => {
    assert.deepEqual((await chain(site)()).results, [
      { title: "Deno 教程", url: "https://real.example/a", snippet: "摘要" },
    ]);
  });
});

Deno.test("Baidu's cards that name their source count, advertisements do not", async () => {
  const page = () =>
    html(
      '<div id="content_left">' +
        '<div class="result c-container xpath-log new-pmd" tpl="se_com_default" mu="https://a.example/">' +
        '<div class="c-container"><h3 class="c-title"><a href="http://www.baidu.com/link?url=1">甲 <em>词</em></a></h3>' +
        '<span class="summary-text_560AW">摘要甲</span></div></div>' +
        '<div class="result-op c-container new-pmd" tpl="bk_polysemy" mu="https://baike.example/x">' +
        '<h3><a href="http://www.baidu.com/link?url=2">百科</a></h3><div class="content-right_8Zs40"><span>释义</span></div></div>' +
        '<div class="result-op c-container" tpl="note" mu="http://nourl.ubs.baidu.com/1"><h3><a href="/x">大家还在搜</a></h3></div>' +
        '<div class="result c-container"><h3><a href="http://www.baidu.com/baidu.php?url=ad">广告</a></h3></div></div>',
    );
  await withEngines({ baidu: page }, async (site) => {
    assert.deepEqual((await chain(site)("词")).results, [
      { title: "甲 词", url: "https://a.example/", snippet: "摘要甲" },
      { title: "百科", url: "https://baike.example/x", snippet: "释义" },
    ]);
  });
});

Deno.test("every sign of a blocked Bing passes the query on to DuckDuckGo", async () => {
  const decoy = (n: number) =>
    `<li class="b_algo"><h2><a href="https://d${n}.example/">Cheap flights ${n}</a></h2>` +
    '<div class="b_caption"><p class="b_lineclamp2">Book now</p></div></li>';
  const signs: readonly (readonly [string, () => Response])[] = [
    [
      "captcha",
      () => html('<div class="captcha"><script src="https://challenges.example"></script></div>'),
    ],
    ["page without results", () => html('<ol id="b_results"></ol>')],
    ["HTTP 429", () => new Response("", { status: 429 })],
    [
      "results unrelated to the query",
      () => html(`<ol id="b_results">${decoy(1)}${decoy(2)}${decoy(3)}</ol>`),
    ],
  ];
  for (const [why, bing] of signs) {
    await withEngines(
      { baidu: () => Response.json({ antiFlag: 1 }), bing, duckduckgo: DUCK },
      async (site) => {
        const { engine, notes } = await chain(site)("deno permissions");
        assert.deepEqual([engine, notes[1]], ["DuckDuckGo", `Bing blocked it: ${why}`]);
      },
    );
  }
});

Deno.test("Bing's results count as related by any word, or any two Han characters, of the query", async () => {
  const page = () =>
    html(
      '<ol id="b_results">' + ["权限手册", "b", "c"].map((title, i) =>
        `<li class="b_algo"><h2><a href="https://r.example/${i}">${title}</a></h2></li>`
      ).join("") + "</ol>",
    );
  await withEngines({ baidu: () => Response.json({ antiFlag: 1 }), bing: page }, async (site) => {
    assert.equal((await chain(site)("设置权限")).engine, "Bing");
    assert.equal((await chain(site)("R.EXAMPLE 没有")).engine, "Bing");
    assert.equal((await chain(site)("? !")).engine, "Bing");
  });
});

Deno.test("every sign of a blocked DuckDuckGo is told from no results", async () => {
  const signs: readonly (readonly [string, () => Response])[] = [
    ["captcha", DUCK_ANOMALY],
    ["captcha", () => html('<script src="//duckduckgo.com/anomaly.js?cc=botnet"></script>')],
    ["HTTP 202", () => html("", { status: 202 })],
    ["page without results", () => html("<div id=links></div>")],
  ];
  const blocked = () => Response.json({ antiFlag: 1 });
  for (const [why, duckduckgo] of signs) {
    await withEngines({ baidu: blocked, bing: none, duckduckgo }, async (site) => {
      await assert.rejects(chain(site)(), {
        kind: "blocked",
        message: new RegExp(`DuckDuckGo blocked it: ${why}\\)`),
      });
    });
  }
});

Deno.test("every sign of a blocked Baidu passes the query on to Bing", async () => {
  const signs: readonly (readonly [string, () => Response])[] = [
    ["captcha", () =>
      new Response(null, {
        status: 302,
        headers: { location: "https://wappass.baidu.com/static/captcha/tuxing_v2.html?logid=1" },
      })],
    ["antiFlag", () => Response.json({ antiFlag: 1, feed: { entry: [] } })],
    ["captcha", () => html("<title>百度安全验证</title><div>网络不给力，请稍后重试</div>")],
    ["HTML without results", () => html("<p>hello</p>")],
    ["JSON without results", () => Response.json({ error: 1 })],
    ["HTTP 403", () => new Response("no", { status: 403 })],
  ];
  for (const [why, baidu] of signs) {
    await withEngines({ baidu, bing: BING }, async (site) => {
      const { engine, notes } = await chain(site)();
      assert.deepEqual([engine, notes], ["Bing", [`Baidu blocked it: ${why}`]]);
    });
  }
});

Deno.test("Bing's redirect links are unwrapped and the query carries the market", async () => {
  await withEngines({ bing: BING }, async (site) => {
    assert.deepEqual((await chain(site)("deno", 7, "zh-CN")).results, [
      { title: "Deno docs", url: "https://deno.example/%E6%96%87?a=1&b", snippet: "The docs." },
      { title: "Plain", url: "https://plain.example/x", snippet: "" },
    ]);
    assert.equal(site.hits[1], "GET /search?q=deno&count=7&mkt=zh-CN");
  });
});

Deno.test("DuckDuckGo is asked by POST and its links are unwrapped", async () => {
  let form = "";
  const duckduckgo = async (request: Request) => {
    form = await request.text();
    return DUCK();
  };
  await withEngines({ duckduckgo }, async (site) => {
    const { engine, results } = await chain(site)("a".repeat(600), 5, "en-US");
    assert.equal(engine, "DuckDuckGo");
    assert.deepEqual(results, [
      { title: "Deno", url: "https://deno.example/a?b=1", snippet: "A runtime." },
    ]);
    const sent = new URLSearchParams(form);
    assert.deepEqual([sent.get("q")?.length, sent.get("kl"), sent.get("b")], [499, "us-en", ""]);
  });
});

Deno.test("all engines blocked is an error naming each and its sign, not an empty answer", async () => {
  const answers = {
    baidu: () => Response.json({ antiFlag: 1 }),
    bing: () => html("<div>Please solve the CAPTCHA</div>"),
    duckduckgo: DUCK_ANOMALY,
  };
  await withEngines(answers, async (site) => {
    await assert.rejects(chain(site)(), {
      kind: "blocked",
      message: 'Cannot search "deno": no engine answered (Baidu blocked it: antiFlag; ' +
        "Bing blocked it: captcha; DuckDuckGo blocked it: captcha). This does not mean there are no " +
        "results. Try later, WebFetch a known URL, or configure one of searxng_url, brave_api_key, " +
        "tavily_api_key, bocha_api_key",
    });
  });
});

Deno.test("engines that answer with nothing give an empty answer, not an error", async () => {
  const answers = {
    baidu: () => Response.json({ feed: { entry: [{}] } }),
    bing: () => html('<ol id="b_results"><li class="b_no">There are no results</li></ol>'),
    duckduckgo: () => html('<div id="links"><div class="no-results">No results.</div></div>'),
  };
  await withEngines(answers, async (site) => {
    const { engine, results, notes } = await chain(site)();
    assert.deepEqual([engine, results], [undefined, []]);
    assert.deepEqual(notes, [
      "Baidu found nothing",
      "Bing found nothing",
      "DuckDuckGo found nothing",
    ]);
  });
});

Deno.test("a blocked engine rests five minutes and is asked again after", async () => {
  let now = 0;
  let blocked = true;
  const baidu = () => blocked ? Response.json({ antiFlag: 1 }) : BAIDU_JSON();
  await withEngines({ baidu, bing: BING }, async (site) => {
    const search = chain(site, { now: () => now });
    const asked = () => site.hits.filter((hit) => hit.startsWith("GET /s?")).length;
    assert.equal((await search("one")).engine, "Bing");
    now = 4 * 60_000;
    blocked = false;
    const second = await search("two");
    assert.deepEqual([second.engine, asked()], ["Bing", 1]);
    assert.deepEqual(second.notes, ["Baidu did not answer lately and rests 60 s more"]);
    now = 5 * 60_000;
    assert.deepEqual([(await search("three")).engine, asked()], ["Baidu", 2]);
  });
});

Deno.test("an engine out of reach is passed over without a rest", async () => {
  let now = 0;
  await withEngines({ bing: BING }, async (site) => {
    const gone = await withSite(none, (other) => Promise.resolve(other));
    const search = createSearch({
      bases: { baidu: gone.base, bing: site.base },
      allow: [site.here, gone.here],
      now: () => now,
    });
    for (const query of ["one", "two"]) {
      const signal = new AbortController().signal;
      const answer = await search.search({ query, num: 5, locale: "en-US" }, english, signal);
      assert.equal(answer.engine, "Bing");
      assert.match(answer.notes[0]!, /^Baidu failed: .*refused/i);
      now += 1;
    }
  });
});

Deno.test("an engine that timed out rests too: its ten seconds are lost once", async () => {
  const stop = Promise.withResolvers<Response>();
  await withEngines({ baidu: () => stop.promise, bing: BING }, async (site) => {
    const search = chain(site, { timeoutMs: 200 });
    assert.match(
      (await search("deno one")).notes[0]!,
      /^Baidu failed: .*not finished within 0\.2 s/,
    );
    assert.match(
      (await search("deno two")).notes[0]!,
      /^Baidu did not answer lately and rests \d+ s/,
    );
    assert.equal(site.hits.filter((hit) => hit.startsWith("GET /s?")).length, 1);
    stop.resolve(new Response());
  });
});

Deno.test("an answer is kept for 15 minutes, per query, number and language", async () => {
  let now = 0;
  await withEngines({ baidu: BAIDU_JSON }, async (site) => {
    const search = chain(site, { now: () => now });
    await search();
    now = 15 * 60_000 - 1;
    await search();
    assert.equal(site.hits.length, 1);
    await search("deno", 6);
    await search("deno", 5, "zh-CN");
    assert.equal(site.hits.length, 3);
    now = 15 * 60_000;
    await search();
    assert.equal(site.hits.length, 4);
  });
});

Deno.test("a configured SearXNG is asked first, and the chain follows when it refuses", async () => {
  const result = { title: "Own", url: "https://own.example/", content: "from\n own", engine: "x" };
  let open = true;
  const searxng = () =>
    open ? Response.json({ results: [result] }) : new Response("Forbidden", { status: 403 });
  await withEngines({ searxng, baidu: BAIDU_JSON }, async (site) => {
    const searxngUrl = `http://localhost:${site.port}/own`;
    const answer = await chain(site, { searxngUrl })();
    assert.deepEqual([answer.engine, answer.results], [
      "SearXNG",
      [{ title: "Own", url: "https://own.example/", snippet: "from own" }],
    ]);
    assert.deepEqual(site.hits, ["GET /own/search?q=deno&format=json&language=en-US"]);
    open = false;
    const next = await chain(site, { searxngUrl })();
    assert.equal(next.engine, "Baidu");
    assert.match(next.notes[0]!, /^SearXNG blocked it: HTTP 403; add "json" to search\.formats/);
  });
});

Deno.test("no more results than asked for, each URL once, only http", async () => {
  const entry = ["https://a.example/", "https://a.example/", "javascript:x", "https://b.example/"]
    .concat("https://c.example/").map((url) => ({ title: "t", url, abs: "" }));
  await withEngines({ baidu: () => Response.json({ feed: { entry } }) }, async (site) => {
    const { results } = await chain(site)("deno", 2);
    assert.deepEqual(results.map(({ url }) => url), ["https://a.example/", "https://b.example/"]);
  });
});

Deno.test("an abort ends the search at once instead of trying the next engine", async () => {
  const controller = new AbortController();
  const stop = Promise.withResolvers<Response>();
  const baidu = () => {
    controller.abort(new Error("ESC"));
    return stop.promise;
  };
  await withEngines({ baidu, bing: BING }, async ({ base, here, hits }) => {
    const search = createSearch({ bases: { baidu: base, bing: base }, allow: [here] });
    await assert.rejects(
      search.search({ query: "x", num: 5, locale: "en-US" }, english, controller.signal),
      /ESC/,
    );
    assert.equal(hits.length, 1);
    stop.resolve(new Response());
  });
});

Deno.test("the locale comes from lr, else from the query's script", () => {
  assert.equal(localeOf(undefined, "deno 教程"), "zh-CN");
  assert.equal(localeOf(undefined, "deno"), "en-US");
  assert.equal(localeOf("lang_en", "教程"), "en-US");
  assert.equal(localeOf("lang_zh-CN", "x"), "zh-CN");
  assert.equal(localeOf("lang_zh-TW", "x"), "zh-TW");
  assert.equal(localeOf("ja", "x"), "ja-JP");
  assert.equal(localeOf("lang_de", "x"), "de-DE");
  assert.equal(localeOf("English", "x"), undefined);
});
