import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflateRaw,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
} from "node:zlib";
import { Readable, type Transform } from "node:stream";
import { proxyFromEnv } from "../../src/web/proxy.ts";
import { webRequest } from "../../src/web/request.ts";
import { type Site, withSite } from "./local_site.ts";
import { slow } from "../support/soak.ts";

const at = ({ here }: Site, more: { timeoutMs?: number; maxBytes?: number } = {}) => ({
  signal: new AbortController().signal,
  t: english,
  allow: [here],
  ...more,
});
const text = (body: Uint8Array) => new TextDecoder().decode(body);

function hops(request: Request): Response {
  const left = Number(new URL(request.url).pathname.slice(1));
  if (left === 0) return new Response("arrived");
  return new Response(null, { status: 302, headers: { location: `/${left - 1}` } });
}

Deno.test("five redirects are followed and a sixth is refused", async () => {
  await withSite(hops, async (site) => {
    const five = await webRequest(new URL(`${site.base}/5`), {}, at(site));
    assert.equal(text(five.body), "arrived");
    assert.equal(five.url.pathname, "/0");
    await assert.rejects(webRequest(new URL(`${site.base}/6`), {}, at(site)), {
      kind: "network",
      message: `Cannot fetch ${site.base}/6: more than 5 redirects`,
    });
  });
});

Deno.test("cookies set on the way are sent back to the same origin and to no other", async () => {
  await withSite(
    (request) => new Response(request.headers.get("cookie") ?? "none"),
    async (other) => {
      await withSite((request) => {
        const { pathname } = new URL(request.url);
        const cookie = request.headers.get("cookie");
        if (pathname === "/away") {
          return new Response(null, {
            status: 302,
            headers: { location: other.base, "set-cookie": "a=secret" },
          });
        }
        if (cookie) return new Response(cookie);
        const headers = new Headers({ location: pathname });
        headers.append("set-cookie", "session=1; Path=/; HttpOnly");
        headers.append("set-cookie", "b = 2=3 ; Secure");
        return new Response(null, { status: 302, headers });
      }, async (site) => {
        const options = { ...at(site), allow: [site.here, other.here] };
        const body = async (path: string) =>
          text((await webRequest(new URL(site.base + path), {}, options)).body);
        assert.equal(await body("/page"), "session=1; b=2=3");
        assert.equal(await body("/away"), "none");
      });
    },
  );
});

Deno.test("a redirect to another scheme or to a URL with credentials is refused", async () => {
  for (const location of ["file:///etc/passwd", "ftp://example.com/", "data:text/html,x"]) {
    await withSite(
      () => new Response(null, { status: 301, headers: { location } }),
      async (site) =>
        await assert.rejects(webRequest(new URL(site.base), {}, at(site)), { kind: "url" }),
    );
  }
  await withSite(
    () => new Response(null, { status: 301, headers: { location: "http://u:p@example.com/" } }),
    async (site) =>
      await assert.rejects(webRequest(new URL(site.base), {}, at(site)), { kind: "url" }),
  );
});

Deno.test("a redirect that cannot be read is an error that quotes it", async () => {
  await withSite(
    () => new Response(null, { status: 302, headers: { location: "http://[oops/" } }),
    async (site) =>
      await assert.rejects(
        webRequest(new URL(site.base), {}, at(site)),
        /redirect to "http:\/\/\[/,
      ),
  );
});

Deno.test("a POST becomes a GET after 302 and stays a POST after 307", async () => {
  await withSite(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== "/end") {
      return new Response(null, {
        status: Number(pathname.slice(1)),
        headers: { location: "/end" },
      });
    }
    return new Response(`${request.method} ${await request.text()}`);
  }, async (site) => {
    const post = { method: "POST" as const, body: "q=1" };
    const moved = await webRequest(new URL(`${site.base}/302`), post, at(site));
    assert.equal(text(moved.body), "GET ");
    const kept = await webRequest(new URL(`${site.base}/307`), post, at(site));
    assert.equal(text(kept.body), "POST q=1");
  });
});

Deno.test("gzip, br and both kinds of deflate bodies are unpacked", async () => {
  const packed: { readonly [path: string]: readonly [body: Uint8Array, encoding: string] } = {
    "/gzip": [gzipSync("你好"), "gzip"],
    "/x-gzip": [gzipSync("你好"), "X-GZip"],
    "/deflate": [deflateSync("你好"), "deflate"],
    "/deflate-raw": [deflateRawSync("你好"), "deflate"],
    "/br": [brotliCompressSync("你好"), "br"],
    "/identity": [new TextEncoder().encode("你好"), "identity"],
  };
  await withSite((request) => {
    const [body, encoding] = packed[new URL(request.url).pathname]!;
    return new Response(new Uint8Array(body), { headers: { "content-encoding": encoding } });
  }, async (site) => {
    for (const path of Object.keys(packed)) {
      const { body, cut } = await webRequest(new URL(site.base + path), {}, at(site));
      assert.deepEqual([text(body), cut], ["你好", false], path);
    }
  });
});

slow("a brotli or deflate bomb of 256 MiB is read up to the limit in little memory", async () => {
  const block = new Uint8Array(1 << 20);
  const pack = async (packer: Transform) => {
    const zeros = Readable.from(function* () {
      for (let i = 0; i < 256; i++) yield block;
    }());
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of zeros.pipe(packer)) parts.push(new Uint8Array(chunk));
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  };
  const bombs = {
    br: await pack(createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
    deflate: await pack(createDeflateRaw({ level: 1 })),
  };
  for (const [encoding, packed] of Object.entries(bombs)) {
    assert.ok(packed.length < 4_000_000, `${packed.length}`);
    await withSite(
      () => new Response(packed, { headers: { "content-encoding": encoding } }),
      async (site) => {
        const before = Deno.memoryUsage().rss;
        const { body, cut } = await webRequest(new URL(site.base), {}, at(site));
        assert.deepEqual([body.length, cut], [2 * 1024 * 1024, true], encoding);
        const grown = Deno.memoryUsage().rss - before;
        assert.ok(grown < 100 * 1024 * 1024, `${encoding}: ${grown} bytes more`);
      },
    );
  }
});

Deno.test("a gzip bomb is read up to the limit and no further", async () => {
  let sent = 0;
  await withSite(() => {
    const zeros = function* () {
      for (const block = new Uint8Array(1 << 20); sent < 1024; sent++) yield block;
    };
    const bomb = Readable.from(zeros()).pipe(createGzip({ level: 1 }));
    bomb.on("error", () => {});
    return new Response(Readable.toWeb(bomb) as ReadableStream<Uint8Array>, {
      headers: { "content-encoding": "gzip" },
    });
  }, async (site) => {
    const { body, cut } = await webRequest(new URL(site.base), {}, at(site));
    assert.equal(body.length, 2 * 1024 * 1024);
    assert.equal(cut, true);
    assert.ok(sent < 1024, `the server could send only ${sent} of 1024 MiB`);
  });
});

Deno.test("a compressed body that is cut short or damaged, or in an unknown encoding, is an error", async () => {
  for (const encoding of ["gzip", "br", "zstd"]) {
    await withSite(
      () => {
        const half = new Uint8Array(gzipSync("a text that is cut in the middle").subarray(0, 30));
        return new Response(half, { headers: { "content-encoding": encoding } });
      },
      async (site) =>
        await assert.rejects(webRequest(new URL(site.base), {}, at(site)), { kind: "network" }),
    );
  }
});

Deno.test("a server that never answers, and one that stalls in the body, run into the timeout", async () => {
  const stop = Promise.withResolvers<Response>();
  await withSite((request) => {
    if (new URL(request.url).pathname === "/silent") return stop.promise;
    const start = (c: ReadableStreamDefaultController) => c.enqueue(new Uint8Array([65]));
    return new Response(new ReadableStream({ start }));
  }, async (site) => {
    for (const path of ["/silent", "/stall"]) {
      await assert.rejects(
        webRequest(new URL(site.base + path), {}, at(site, { timeoutMs: 200 })),
        { kind: "timeout", message: `Cannot fetch ${site.base}${path}: not finished within 0.2 s` },
      );
    }
    stop.resolve(new Response());
  });
});

Deno.test("an exchange has ten seconds when nothing else is said", async () => {
  const real = globalThis.setTimeout;
  // ten seconds pass at once, any other time as it does
  globalThis.setTimeout = Object.assign(
    ((run: () => void, ms?: number) => real(run, ms === 10_000 ? 0 : ms)) as typeof setTimeout,
    { __promisify__: real.__promisify__ },
  );
  try {
    await assert.rejects(
      webRequest(new URL("http://hang.example/"), {}, {
        signal: new AbortController().signal,
        t: english,
        resolve: () => new Promise(() => {}),
      }),
      { kind: "timeout", message: "Cannot fetch http://hang.example/: not finished within 10 s" },
    );
  } finally {
    globalThis.setTimeout = real;
  }
});

Deno.test("a resolver that hangs runs into the timeout", async () => {
  await assert.rejects(
    webRequest(new URL("http://hang.example/"), {}, {
      signal: new AbortController().signal,
      t: english,
      timeoutMs: 100,
      resolve: () => new Promise(() => {}),
    }),
    { kind: "timeout" },
  );
});

Deno.test("an abort ends the request with the signal's own reason", async () => {
  const stop = Promise.withResolvers<Response>();
  await withSite(() => stop.promise, async (site) => {
    const controller = new AbortController();
    const options = { ...at(site), signal: controller.signal };
    const reason = new Error("ESC");
    setTimeout(() => controller.abort(reason), 50);
    await assert.rejects(webRequest(new URL(site.base), {}, options), reason);
    await assert.rejects(webRequest(new URL(site.base), {}, options), reason, "also when too late");
    stop.resolve(new Response());
  });
});

Deno.test("a refused connection and an unknown host say so", async () => {
  const gone = await withSite(() => new Response(), (site) => Promise.resolve(site));
  await assert.rejects(webRequest(new URL(gone.base), {}, at(gone)), {
    kind: "network",
    message: /refused/i,
  });
  await assert.rejects(
    webRequest(new URL("http://nowhere.invalid/"), {}, {
      ...at(gone),
      resolve: () => Promise.resolve([]),
    }),
    { kind: "network", message: /the host nowhere\.invalid was not found/ },
  );
});

Deno.test("the environment's proxy is used except where no_proxy says otherwise", () => {
  const env: { [name: string]: string } = {
    HTTPS_PROXY: "http://proxy.example:3128",
    http_proxy: "other.example:8080",
    NO_PROXY: "intra.example, .corp.example,10.0.0.1:81",
  };
  const proxy = proxyFromEnv((name) => env[name]);
  const through = (url: string) => proxy(new URL(url))?.host;
  assert.equal(through("https://a.example/"), "proxy.example:3128");
  assert.equal(through("http://a.example/"), "other.example:8080");
  assert.equal(through("https://intra.example/"), undefined);
  assert.equal(through("https://x.corp.example/"), undefined);
  assert.equal(through("https://notintra.example/"), "proxy.example:3128");
  assert.equal(through("http://10.0.0.1:81/"), undefined);
  assert.equal(through("http://10.0.0.1:82/"), "other.example:8080");
  assert.equal(proxyFromEnv(() => undefined)(new URL("https://a.example/")), undefined);
  assert.equal(
    proxyFromEnv(() => "socks5://127.0.0.1:1")(new URL("https://a.example/")),
    undefined,
  );
});

Deno.test("behind a proxy names go to the proxy, and private addresses still nowhere", async () => {
  await withSite((request) => new Response(`via proxy: ${request.url}`), async (proxy) => {
    const options = {
      signal: new AbortController().signal,
      t: english,
      resolve: (host: string) => Promise.resolve(host === "inside.example" ? ["10.0.0.1"] : []),
      proxy: () => new URL(`http://user:p%40ss@${proxy.here}`),
    };
    const { body } = await webRequest(new URL("http://page.example/a?b"), {}, options);
    assert.equal(text(body), "via proxy: http://page.example/a?b");
    for (const url of ["http://inside.example/", "http://127.0.0.1/", "https://localhost/"]) {
      await assert.rejects(webRequest(new URL(url), {}, options), { kind: "address" }, url);
    }
    assert.equal(proxy.hits.length, 1);
  });
});
