import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { fetchPage } from "../../src/web/fetch.ts";
import { decodePage } from "../../src/web/charset.ts";
import { html, type Site, withSite } from "./local_site.ts";
import { slow } from "../support/soak.ts";

const at = ({ here }: Site) => ({
  signal: new AbortController().signal,
  t: english,
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
        needsScripts: false,
      });
    },
  );
});

/** Fetches what one response is turned into. */
function textOf(body: BodyInit, type: string, status = 200): Promise<string> {
  return withSite(
    () =>
      new Response(typeof body === "string" ? new TextEncoder().encode(body) : body, {
        status,
        headers: type ? { "content-type": type } : {},
      }),
    async (site) => (await fetchPage(site.base, at(site))).text,
  );
}

Deno.test("text that is no page comes as it is", async () => {
  const laidOut = '{\n  "a": "<b>"\n}\n';
  for (const type of ["application/json", "text/plain", "text/markdown", "text/x-python", ""]) {
    assert.equal(await textOf(laidOut, type), laidOut, type);
  }
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
  assert.equal(await textOf(svg, "image/svg+xml"), svg);
  const sitemap = '<?xml version="1.0"?><urlset><url><loc>https://a.example/</loc></url></urlset>';
  assert.equal(await textOf(sitemap, "application/xml"), sitemap);
});

Deno.test("JSON on one line is laid out, and left alone when it is broken", async () => {
  for (const type of ["application/json", "application/ld+json; charset=utf-8"]) {
    assert.equal(await textOf('{"a":[1,"你"]}', type), '{\n  "a": [\n    1,\n    "你"\n  ]\n}');
  }
  assert.equal(await textOf('{"a":[1', "application/json"), '{"a":[1');
});

Deno.test("JSON that would grow out of all proportion when laid out comes as it is", async () => {
  const nested = "[".repeat(3000) + "]".repeat(3000);
  assert.ok(await textOf(nested, "application/json") === nested);
  const many = `[${Array(100).fill(nested).join(",")}]`;
  assert.ok((await textOf(many, "application/json")).startsWith("[[[["));
  const brackets = JSON.stringify({ a: "[{".repeat(100_000) });
  assert.match(await textOf(brackets, "application/json"), /^\{\n {2}"a": "\[\{/);
});

Deno.test("RSS and Atom become entries with link, date and text", async () => {
  const rss = '<?xml version="1.0"?><rss version="2.0"><channel><title>Releases</title>' +
    "<item><title>2.4 &amp; more</title><link>/v/2.4</link><pubDate>Mon, 06 Apr 2026</pubDate>" +
    "<description><![CDATA[<p>Now with <b>watch</b>.</p>]]></description></item>" +
    "<item><title>2.3</title><link>https://b.example/2.3</link></item></channel></rss>";
  await withSite(
    () => new Response(rss, { headers: { "content-type": "application/rss+xml" } }),
    async (site) => {
      const page = await fetchPage(site.base, at(site));
      assert.equal(page.title, "Releases");
      assert.equal(
        page.text,
        `# Releases\n\n## [2.4 & more](${site.base}/v/2.4)\n\nMon, 06 Apr 2026\n\nNow with **watch**.\n\n` +
          "## [2.3](https://b.example/2.3)",
      );
    },
  );
  const atom = '<feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title><entry>' +
    '<title>One</title><link rel="self" href="https://n.example/self"/>' +
    '<link rel="alternate" href="https://n.example/1"/><updated>2026-05-01</updated>' +
    '<summary type="html">&lt;p&gt;First.&lt;/p&gt;</summary></entry></feed>';
  assert.equal(
    await textOf(atom, "text/xml"),
    "# Notes\n\n## [One](https://n.example/1)\n\n2026-05-01\n\nFirst.",
  );
});

Deno.test("a site that has Markdown is asked for it", async () => {
  await withSite(
    (request) =>
      request.headers.get("accept")?.startsWith("text/markdown,text/html")
        ? new Response("# Md", { headers: { "content-type": "text/markdown" } })
        : html("<h1>Html</h1>"),
    async (site) => assert.equal((await fetchPage(site.base, at(site))).text, "# Md"),
  );
});

Deno.test("a page that only sends on is followed, through the guard and not for ever", async () => {
  const stub = (to: string) =>
    html(`<meta http-equiv="refresh" content="0; URL='${to}'"><a href="${to}">moved</a>`);
  await withSite((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/old") return stub("/new");
    if (pathname === "/new") return html("<p>arrived</p>");
    if (pathname === "/inside") return stub("http://169.254.169.254/latest");
    if (pathname === "/later") return html('<meta http-equiv=refresh content="300"><p>stays</p>');
    return stub(`${pathname}x`);
  }, async (site) => {
    assert.equal((await fetchPage(`${site.base}/old`, at(site))).text, "arrived");
    assert.equal((await fetchPage(`${site.base}/later`, at(site))).text, "stays");
    await assert.rejects(fetchPage(`${site.base}/inside`, at(site)), { kind: "address" });
    const before = site.hits.length;
    await fetchPage(`${site.base}/loop`, at(site));
    assert.equal(site.hits.length - before, 3);
  });
});

Deno.test("a page that scripts would fill says so and gives its description", async () => {
  const shells = [
    '<meta name="description" content="A tool."><div id="root"></div><script src="/a.js"></script>',
    '<meta property="og:description" content="A tool."><noscript>You need to enable JavaScript' +
    " to run this app.</noscript><script src=/a.js></script>",
  ];
  for (const shell of shells) {
    await withSite(() => html(shell), async (site) => {
      const page = await fetchPage(site.base, at(site));
      assert.deepEqual([page.needsScripts, page.text], [true, "A tool."]);
    });
  }
  const filled = `<div id="root"><p>${
    "Rendered on the server. ".repeat(20)
  }</p></div><script></script>`;
  await withSite(() => html(filled), async (site) => {
    assert.equal((await fetchPage(site.base, at(site))).needsScripts, false);
  });
});

slow("tags that are never closed do not hold up the look for scripts", async () => {
  const open = "<noscript ".repeat(200_000);
  assert.equal(await textOf(`<script></script><p>A text.</p>${open}`, "text/html"), "A text.");
  const empty = "<noscript></noscript>".repeat(90_000);
  assert.equal(await textOf(`<script></script><p>A text.</p>${empty}`, "text/html"), "A text.");
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

slow("bytes in an encoding that nobody names are recognised by their letters", () => {
  const pages: { readonly [charset: string]: string } = {
    gb18030: "本报讯历时五年建设的地铁十号线今日正式开通运营，全程运行时间约四十八分钟。",
    big5: "這是一個測試網頁，說明如何安裝程式，以及在發生錯誤時可以做的事情。",
    shift_jis: "このページでは、プログラムのインストール方法を説明します。",
    "euc-jp": "このページでは、プログラムのインストール方法を説明します。",
    "euc-kr": "이 페이지는 프로그램을 설치하는 방법과 오류가 났을 때 할 일을 설명합니다.",
  };
  for (const [charset, text] of Object.entries(pages)) {
    const bytes = encoded(charset, `<p>${text}`);
    assert.equal(decodePage(bytes, "text/html; charset=nonsense"), `<p>${text}`, charset);
  }
  assert.equal(
    decodePage(encoded("gb18030", '<html lang="zh-CN"><p>鑫鑫'), ""),
    '<html lang="zh-CN"><p>鑫鑫',
  );
  assert.equal(decodePage(new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x2e]), "text/html"), "café.");
  const cut = new TextEncoder().encode("中文很好").subarray(0, 11);
  assert.equal(decodePage(cut, "text/html"), "中文很\ufffd");
});

/** `text` in a double-byte encoding, by trying which bytes decode to its characters. */
function encoded(charset: string, text: string): Uint8Array {
  const decoder = new TextDecoder(charset);
  const bytesOf = new Map<string, readonly number[]>();
  for (let first = 0x81; first <= 0xfe; first++) {
    for (let second = 0x40; second <= 0xfe; second++) {
      const char = decoder.decode(new Uint8Array([first, second]));
      if ([...char].length === 1 && !bytesOf.has(char)) bytesOf.set(char, [first, second]);
    }
  }
  return new Uint8Array([...text].flatMap((char) => bytesOf.get(char) ?? [char.charCodeAt(0)]));
}

Deno.test("PDF, images and bytes are refused with their type, their size and what to do", async () => {
  const body = new Uint8Array(300_000);
  const answers: readonly (readonly [type: string, message: RegExp])[] = [
    ["application/pdf", /: it is a PDF \(application\/pdf, 293\.0 KB\), not text\. .*pdftotext$/],
    ["image/png", /: it is an image \(image\/png, 293\.0 KB\) and has no text\./],
    [
      "application/octet-stream",
      /: it is application\/octet-stream \(293\.0 KB\), not text\. .*curl -O/,
    ],
    ["video/mp4", /: it is video\/mp4 \(293\.0 KB\), not text/],
    ["text/plain", /: it is called text\/plain \(293\.0 KB\) but holds binary data\. /],
  ];
  for (const [type, message] of answers) {
    await withSite(
      () => new Response(body, { headers: { "content-type": type, "content-length": "300000" } }),
      async (site) =>
        await assert.rejects(fetchPage(site.base, at(site)), { kind: "type", message }),
    );
  }
});

Deno.test("files are known by how they begin, whatever the header calls them", async () => {
  const files: readonly (readonly [type: string, begin: readonly number[]])[] = [
    ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d, 0x31]],
    ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d]],
    ["image/jpeg", [0xff, 0xd8, 0xff, 0xe0]],
    ["application/zip", [0x50, 0x4b, 3, 4]],
  ];
  for (const [type, begin] of files) {
    for (const claimed of ["text/html", "", "application/octet-stream"]) {
      await assert.rejects(textOf(new Uint8Array([...begin, 1, 2, 3]), claimed), {
        kind: "type",
        message: new RegExp(type),
      });
    }
  }
});

Deno.test("an error status is an error that quotes what the server said", async () => {
  for (const status of [400, 404, 410, 429, 500, 503]) {
    await withSite(
      () => html("<title>Sorry</title><h1>Nothing</h1><p>here</p>", { status }),
      async (site) =>
        await assert.rejects(fetchPage(site.base, at(site)), {
          kind: "status",
          message:
            `Cannot fetch ${site.base}/: the server answered HTTP ${status}: Sorry · # Nothing here`,
        }),
    );
  }
  await assert.rejects(textOf('{"message":"Bad credentials"}', "application/json", 401), {
    kind: "status",
    message: /HTTP 401: \{ "message": "Bad credentials" \}$/,
  });
  await assert.rejects(textOf(new Uint8Array([0, 1, 2]), "image/png", 404), {
    kind: "status",
    message: /HTTP 404$/,
  });
  await withSite(
    () => new Response("x".repeat(5000), { status: 429, headers: { "retry-after": "120" } }),
    async (site) =>
      await assert.rejects(fetchPage(site.base, at(site)), {
        message: /HTTP 429: x{600} \(it asks to wait: Retry-After 120\)$/,
      }),
  );
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
    ["captcha", 403, "<p>You've been blocked by network security.</p>"],
    ["captcha", 200, '<div class="cf-turnstile" data-sitekey="x"></div>'],
    ["DataDome", 403, "", { "x-datadome": "protected" }],
    ["Akamai", 403, "<h1>Access Denied</h1>You don't have permission. Reference&#32;&#35;18&#46;2"],
    ["Akamai", 200, '<div id="sec-if-cpt-container"></div>'],
    ["Anubis", 200, "<title>Making sure you&#39;re not a bot!</title><p>Loading...</p>"],
    ["Aliyun WAF", 200, "<script>var arg1='3F';document.cookie='acw_sc__v2='+x</script>"],
    [
      "Tencent captcha",
      200,
      '<script src="TCaptcha.js"></script><script>new TencentCaptcha()</script>',
    ],
    ["Kasada", 429, "<script>window.KPSDK={};KPSDK.scriptStart=1</script>"],
    ["Vercel checkpoint", 429, "<title>Vercel Security Checkpoint</title>"],
    ["Vercel checkpoint", 403, "", { "x-vercel-mitigated": "deny" }],
    ["Sucuri", 403, "<title>Sucuri WebSite Firewall - Access Denied</title>"],
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
  const options = { signal: new AbortController().signal, t: english };
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

Deno.test("a long page is kept up to 500,000 characters, never half a character", async () => {
  await withSite(
    () => new Response("a" + "😀".repeat(300_000)),
    async (site) => {
      const page = await fetchPage(site.base, at(site));
      assert.equal(page.cut, true);
      assert.equal(page.text.length, 500_000);
      assert.ok(page.text.isWellFormed());
    },
  );
});
