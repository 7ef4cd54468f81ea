import assert from "node:assert/strict";
import { fetchPage } from "../../src/web/fetch.ts";
import { decodePage } from "../../src/web/charset.ts";
import { html, type Site, withSite } from "./local_site.ts";

const at = ({ here }: Site) => ({
  signal: new AbortController().signal,
  lang: "en" as const,
  allow: [here],
});

/** 中文 in the encodings Chinese, Japanese and Korean pages come in. */
const ENCODED: { readonly [charset: string]: readonly [bytes: readonly number[], text: string] } = {
  gbk: [[0xd6, 0xd0, 0xce, 0xc4], "中文"],
  gb18030: [[0xd6, 0xd0, 0x95, 0x32, 0x82, 0x36], "中𠀀"],
  big5: [[0xa4, 0xa4, 0xa4, 0xe5], "中文"],
  shift_jis: [[0x93, 0xfa, 0x96, 0x7b], "日本"],
  "euc-kr": [[0xc7, 0xd1, 0xb1, 0xb9], "한국"],
};

Deno.test("a page becomes Markdown with its title, final URL and size", async () => {
  const source = "<title>T</title><h1>H</h1><p>text <a href=next>n</a></p>";
  await withSite(
    (request) =>
      new URL(request.url).pathname === "/old"
        ? Response.redirect(`${request.url}/new/`)
        : html(source),
    async (site) => {
      const page = await fetchPage(`${site.base}/old`, at(site));
      assert.deepEqual(page, {
        url: `${site.base}/old/new/`,
        status: 200,
        type: "text/html",
        title: "T",
        text: `# H\n\ntext [n](${site.base}/old/new/next)`,
        bytes: source.length,
        cut: false,
      });
    },
  );
});

Deno.test("JSON and plain text come as they are", async () => {
  for (
    const type of ["application/json", "application/ld+json", "text/plain", "text/markdown", ""]
  ) {
    await withSite(
      () =>
        new Response(new TextEncoder().encode('{"a": "<b>"}'), {
          headers: type ? { "content-type": type } : {},
        }),
      async (site) =>
        assert.equal((await fetchPage(site.base, at(site))).text, '{"a": "<b>"}', type),
    );
  }
});

Deno.test("the charset comes from the header, else from the page, else it is UTF-8", () => {
  for (const [charset, [bytes, text]] of Object.entries(ENCODED)) {
    const body = new Uint8Array(bytes);
    assert.equal(decodePage(body, `text/html; charset=${charset}`), text, charset);
    for (
      const meta of [
        `<meta charset="${charset}">`,
        `<meta content="text/html; charset=${charset}">`,
      ]
    ) {
      const page = new Uint8Array([...new TextEncoder().encode(meta), ...bytes]);
      assert.equal(decodePage(page, "text/html"), meta + text);
    }
  }
  const utf8 = new TextEncoder().encode("中文");
  assert.equal(decodePage(utf8, "text/html"), "中文");
  assert.equal(decodePage(utf8, "text/html; charset=no-such"), "中文");
  assert.equal(
    decodePage(new Uint8Array([0xff, 0xfe, 0x2d, 0x4e]), "text/plain; charset=gbk"),
    "中",
  );
});

Deno.test("PDF, images and bytes are refused with their type and size, unread", async () => {
  const body = new Uint8Array(300_000);
  for (const type of ["application/pdf", "image/png", "application/octet-stream", "text/plain"]) {
    await withSite(
      () => new Response(body, { headers: { "content-type": type, "content-length": "300000" } }),
      async (site) =>
        await assert.rejects(fetchPage(site.base, at(site)), {
          kind: "type",
          message: `Cannot fetch ${site.base}/: it is ${type} (293.0 KB), not text. ` +
            "If the file is needed, download it with curl -O in Bash",
        }),
    );
  }
});

Deno.test("an error status is an error that quotes what the server said", async () => {
  for (const status of [400, 404, 410, 429, 500, 503]) {
    await withSite(
      () => html("<title>Sorry, nothing</title><p>x</p>", { status }),
      async (site) =>
        await assert.rejects(fetchPage(site.base, at(site)), {
          kind: "status",
          message: `Cannot fetch ${site.base}/: the server answered HTTP ${status}: Sorry, nothing`,
        }),
    );
  }
});

Deno.test("challenge and captcha pages are told from pages", async () => {
  const walls: readonly (readonly [string, number, string, HeadersInit?])[] = [
    [
      "Cloudflare challenge",
      403,
      '<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1">',
    ],
    ["Cloudflare challenge", 403, "<p>Enable JavaScript</p>", { "cf-mitigated": "challenge" }],
    ["AWS WAF", 405, "", { "x-amzn-waf-action": "captcha" }],
    ["DataDome", 403, '<script src="https://ct.captcha-delivery.com/c.js"></script>'],
    ["PerimeterX", 403, '<div id="px-captcha"></div>'],
    ["Imperva", 200, '<iframe src="/_Incapsula_Resource?x=1"></iframe>'],
    ["Akamai", 403, "<h1>Access Denied</h1>Reference https://errors.edgesuite.net/18.2"],
    ["captcha", 200, "<title>百度安全验证</title><p>请完成下方验证后继续操作</p>"],
    [
      "captcha",
      429,
      "<p>Our systems have detected unusual traffic from your computer network.</p>",
    ],
    ["captcha", 200, "<h1>Verify you are human</h1>"],
  ];
  for (const [who, status, body, headers] of walls) {
    await withSite(
      () => html(body, { status, ...headers && { headers } }),
      async (site) =>
        await assert.rejects(fetchPage(site.base, at(site)), {
          kind: "blocked",
          message: new RegExp(`\\(${who}, HTTP ${status}\\)`),
        }, `${who} ${status}`),
    );
  }
  const about = "<h1>How captchas work</h1><p>" + "They ask: verify you are human. ".repeat(60) +
    "</p>";
  await withSite(() => html(about), async (site) => {
    assert.match((await fetchPage(site.base, at(site))).text, /How captchas work/);
  });
});

Deno.test("what is no http URL is refused with what to do", async () => {
  const options = { signal: new AbortController().signal, lang: "en" as const };
  for (
    const [url, message] of [
      ["example.com/page", /not a URL\. Give a full one/],
      ["", /not a URL/],
      ["http://", /not a URL/],
      ["file:///etc/passwd", /only http and https are fetched; use Read/],
      ["ftp://example.com/", /only http and https/],
      ["data:text/html,<p>x", /only http and https/],
      ["javascript:alert(1)", /only http and https/],
      ["https://user:pw@example.com/", /^Cannot fetch example\.com: the URL carries a user name/],
    ] as const
  ) await assert.rejects(fetchPage(url, options), { kind: "url", message }, url);
});

Deno.test("a long page is cut at 50,000 characters, never inside a character", async () => {
  await withSite(
    () => new Response("a" + "😀".repeat(30_000)),
    async (site) => {
      const page = await fetchPage(site.base, at(site));
      assert.equal(page.cut, true);
      assert.equal(page.text.length, 50_000);
      assert.ok(page.text.isWellFormed());
    },
  );
});
