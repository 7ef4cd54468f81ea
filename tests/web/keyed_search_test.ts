import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { createSearch, type SearchOptions } from "../../src/web/search.ts";
import { type Site, withSite } from "./local_site.ts";

const KEYS = { brave: "brave-key", tavily: "tavily-key", bocha: "bocha-key" };

/** What each API was asked, by its path. */
interface Asked {
  readonly headers: Headers;
  readonly url: URL;
  readonly body: string;
}

type Answers = { readonly [path: string]: () => Response };

const BRAVE = "/res/v1/web/search";
const TAVILY = "/search";
const BOCHA = "/v1/web-search";
const BAIDU = "/s";

/** Answers as the services document them. */
const GOOD: Answers = {
  [BRAVE]: () =>
    Response.json({
      type: "search",
      query: { original: "deno" },
      web: {
        type: "search",
        results: [
          {
            title: "Deno &amp; more",
            url: "https://b.example/",
            description:
              "A <strong>runtime</strong>&#8217;s &mdash; caf&eacute;&hellip; Map&lt;K&gt;",
          },
          { title: "Two", url: "https://b.example/2" },
        ],
      },
    }),
  [TAVILY]: () =>
    Response.json({
      query: "deno",
      answer: null,
      results: [{ title: "T", url: "https://t.example/", content: "x".repeat(900), score: 0.9 }],
      response_time: 1.1,
    }),
  [BOCHA]: () =>
    Response.json({
      code: 200,
      log_id: "1",
      msg: null,
      data: {
        webPages: {
          value: [
            { name: "博查", url: "https://c.example/", snippet: "短", summary: "长一些的摘要" },
            { name: "二", url: "https://c.example/2", snippet: "只有短的" },
          ],
        },
      },
    }),
  [BAIDU]: () => Response.json({ feed: { entry: [{ title: "百", url: "https://d.example/" }] } }),
};

function withApis<T>(
  answers: Answers,
  use: (site: Site, asked: { [path: string]: Asked }) => Promise<T>,
): Promise<T> {
  const asked: { [path: string]: Asked } = {};
  return withSite(async (request) => {
    const url = new URL(request.url);
    asked[url.pathname] = { headers: request.headers, url, body: await request.text() };
    return (answers[url.pathname] ?? (() => new Response(null, { status: 500 })))();
  }, (site) => use(site, asked));
}

function ask({ base, here }: Site, options: SearchOptions, query = "deno", locale = "en-US") {
  const bases = {
    brave: base,
    tavily: base,
    bocha: base,
    baidu: base,
    bing: base,
    duckduckgo: base,
  };
  return createSearch({ bases, allow: [here], ...options })
    .search({ query, num: 3, locale }, english, new AbortController().signal);
}

Deno.test("Brave is asked with its key in the header and its own names for languages", async () => {
  await withApis(GOOD, async (site, asked) => {
    const answer = await ask(site, { searchKeys: { brave: "brave-key" } });
    assert.deepEqual(answer, {
      engine: "Brave",
      results: [
        { title: "Deno & more", url: "https://b.example/", snippet: "A runtime’s — café… Map<K>" },
        { title: "Two", url: "https://b.example/2", snippet: "" },
      ],
      notes: [],
    });
    assert.equal(asked[BRAVE]!.headers.get("x-subscription-token"), "brave-key");
    assert.equal(asked[BRAVE]!.url.search, "?q=deno&count=3&text_decorations=false&search_lang=en");
    for (
      const [locale, sent] of [["zh-CN", "zh-hans"], ["zh-TW", "zh-hant"], ["ja-JP", "jp"]]
        .concat([["de-DE", "de"], ["xx-XX", ""]])
    ) {
      await ask(site, { searchKeys: { brave: "k" } }, "q", locale);
      assert.equal(asked[BRAVE]!.url.searchParams.get("search_lang") ?? "", sent);
    }
  });
});

Deno.test("Tavily and Bocha are asked by POST with the key as bearer", async () => {
  await withApis(GOOD, async (site, asked) => {
    const tavily = await ask(site, { searchKeys: { tavily: "tavily-key" } });
    assert.deepEqual([tavily.engine, tavily.results], [
      "Tavily",
      [{ title: "T", url: "https://t.example/", snippet: "x".repeat(500) }],
    ]);
    assert.equal(asked[TAVILY]!.headers.get("authorization"), "Bearer tavily-key");
    assert.deepEqual(JSON.parse(asked[TAVILY]!.body), { query: "deno", max_results: 3 });
    const bocha = await ask(site, { searchKeys: { bocha: "bocha-key" } }, "博查");
    assert.deepEqual([bocha.engine, bocha.results], [
      "Bocha",
      [
        { title: "博查", url: "https://c.example/", snippet: "长一些的摘要" },
        { title: "二", url: "https://c.example/2", snippet: "只有短的" },
      ],
    ]);
    assert.equal(asked[BOCHA]!.headers.get("authorization"), "Bearer bocha-key");
    const body = { query: "博查", count: 3, summary: true, freshness: "noLimit" };
    assert.deepEqual(JSON.parse(asked[BOCHA]!.body), body);
  });
});

Deno.test("a wrong key is told as such and the chain goes on", async () => {
  const bad: Answers = {
    ...GOOD,
    [BRAVE]: () =>
      Response.json({
        type: "ErrorResponse",
        error: {
          code: "SUBSCRIPTION_TOKEN_INVALID",
          detail: "The provided subscription token is invalid.",
          status: 422,
        },
      }, { status: 422 }),
    [TAVILY]: () =>
      Response.json({ detail: { error: "Unauthorized: missing or invalid API key." } }, {
        status: 401,
      }),
    [BOCHA]: () => Response.json({ code: "401", message: "Invalid API KEY" }, { status: 401 }),
  };
  await withApis(bad, async (site) => {
    const { engine, notes } = await ask(site, { searchKeys: KEYS });
    assert.equal(engine, "Baidu");
    assert.deepEqual(notes, [
      "Brave does not accept the configured key: HTTP 422: The provided subscription token is invalid.",
      "Tavily does not accept the configured key: HTTP 401: Unauthorized: missing or invalid API key.",
      "Bocha does not accept the configured key: HTTP 401: Invalid API KEY",
    ]);
    assert.deepEqual(site.hits.map((hit) => hit.replace(/\?.*/, "")), [
      `GET ${BRAVE}`,
      `POST ${TAVILY}`,
      `POST ${BOCHA}`,
      `GET ${BAIDU}`,
    ]);
    for (const key of Object.values(KEYS)) assert.ok(!notes.join().includes(key));
  });
});

Deno.test("a used-up plan and an answer in another form are not called no results", async () => {
  const signs: readonly (readonly [path: string, answer: () => Response, note: string])[] = [
    [
      BRAVE,
      () =>
        Response.json({ error: { code: "RATE_LIMITED", detail: "Slow down" } }, { status: 429 }),
      "Brave blocked it: HTTP 429: Slow down",
    ],
    [BRAVE, () => new Response("<html>"), "Brave blocked it: not Brave's JSON"],
    [BRAVE, () => Response.json({ web: { results: {} } }), "Brave blocked it: not Brave's JSON"],
    [
      TAVILY,
      () =>
        Response.json({ detail: { error: "This request exceeds your plan's set usage limit." } }, {
          status: 432,
        }),
      "Tavily blocked it: HTTP 432: This request exceeds your plan's set usage limit.",
    ],
    [TAVILY, () => Response.json({}), "Tavily blocked it: not Tavily's JSON"],
    [
      BOCHA,
      () => Response.json({ code: "403", message: "You do not have enough money" }),
      "Bocha blocked it: HTTP 403: You do not have enough money",
    ],
    [BOCHA, () => Response.json({ code: 200, data: null }), "Bocha blocked it: not Bocha's JSON"],
  ];
  for (const [path, answer, note] of signs) {
    const [name] = note.toLowerCase().split(" ") as [keyof typeof KEYS];
    await withApis({ ...GOOD, [path]: answer }, async (site) => {
      const { engine, notes } = await ask(site, { searchKeys: { [name]: KEYS[name] } });
      assert.deepEqual([engine, notes], ["Baidu", [note]]);
    });
  }
  const nothing = { ...GOOD, [BRAVE]: () => Response.json({ type: "search" }) };
  await withApis(nothing, async (site) => {
    const { notes } = await ask(site, { searchKeys: { brave: "k" } });
    assert.deepEqual(notes, ["Brave found nothing"]);
  });
});

Deno.test("SearXNG comes before Brave, Tavily, Bocha and those without a key", async () => {
  const failing = Object.fromEntries(
    Object.keys(GOOD).map((path) => [path, () => new Response(null, { status: 500 })]),
  );
  await withApis(failing, async (site) => {
    const searxngUrl = `${site.base}/own`;
    await assert.rejects(ask(site, { searchKeys: KEYS, searxngUrl }), { kind: "blocked" });
    assert.deepEqual(site.hits.map((hit) => hit.replace(/\?.*/, "")), [
      "GET /own/search",
      `GET ${BRAVE}`,
      `POST ${TAVILY}`,
      `POST ${BOCHA}`,
      "GET /s",
      "GET /search",
      "POST /html/",
    ]);
  });
});

Deno.test("a key never follows a redirect", async () => {
  await withSite(() => new Response("{}"), async (other) => {
    const away = () =>
      new Response(null, { status: 307, headers: { location: `${other.base}/x` } });
    const answers = { ...GOOD, [BRAVE]: away, [TAVILY]: away, [BOCHA]: away };
    await withApis(answers, async (site) => {
      const options = { searchKeys: KEYS, allow: [site.here, other.here] };
      const { engine, notes } = await ask(site, options);
      assert.deepEqual([engine, notes.length, other.hits], ["Baidu", 3, []]);
    });
  });
});
