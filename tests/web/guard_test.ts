import { english } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { WebError } from "../../src/web/error.ts";
import { fetchPage } from "../../src/web/fetch.ts";
import { type AddressKind, notPublic } from "../../src/web/guard.ts";
import { withSite } from "./local_site.ts";
import { runs, slow } from "../support/soak.ts";

const HOSTILE = [
  // loopback in every spelling a URL parser folds
  "http://127.0.0.1/",
  "http://127.0.0.1:8080/",
  "http://127.1/",
  "http://127.0.1/",
  "http://127.255.255.254/",
  "http://127.0.0.1./",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0x7f.1/",
  "http://0x7f.0.0.0x1/",
  "http://0177.0.0.1/",
  "http://017700000001/",
  "http://①②⑦.⓪.⓪.①/",
  "http://%31%32%37.0.0.1/",
  "http://127。0。0。1/",
  "https://127.0.0.1/",
  "http://localhost/",
  "http://localhost./",
  "http://LOCALHOST/",
  "http://loc%61lhost/",
  "http://ｌocalhost/",
  "http://foo.localhost/",
  "http://a.b.localhost./",
  "http://printer.local/",
  "http://router.home.arpa/",
  // unspecified
  "http://0/",
  "http://0.0.0.0/",
  "http://0x0/",
  "http://0.1.2.3/",
  // private, link-local, metadata, shared, special
  "http://10.0.0.1/",
  "http://167772161/",
  "http://012.0.0.1/",
  "http://172.16.0.1/",
  "http://172.31.255.255/",
  "http://192.168.1.1/",
  "http://0xc0a80101/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "http://metadata.google.internal/computeMetadata/v1/",
  "http://100.64.0.1/",
  "http://100.100.100.200/latest/meta-data/",
  "http://100.127.255.255/",
  "http://168.63.129.16/",
  "http://192.0.0.192/opc/v1/",
  "http://192.0.2.1/",
  "http://192.88.99.1/",
  "http://198.18.0.1/",
  "http://198.19.255.255/",
  "http://198.51.100.7/",
  "http://203.0.113.7/",
  "http://224.0.0.1/",
  "http://240.0.0.1/",
  "http://255.255.255.255/",
  // IPv6
  "http://[::]/",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:8.8.8.8]/",
  "http://[::ffff:0:127.0.0.1]/",
  "http://[fc00::1]/",
  "http://[fd00:ec2::254]/latest/meta-data/",
  "http://[fe80::1]/",
  "http://[fec0::1]/",
  "http://[ff02::1]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[64:ff9b:1::a00:1]/",
  "http://[100::1]/",
  "http://[2001::7f00:1]/",
  "http://[2001:db8::1]/",
  "http://[2002:7f00:1::]/",
  "http://[2002:a00:1::1]/",
  "http://[3fff::1]/",
  "http://[5f00::1]/",
  // names whose owner points them inside
  "http://127.0.0.1.nip.example/",
  "http://10-0-0-1.sslip.example/",
  "http://mixed.example/",
  "http://six.example/",
];

/** Answers as wildcard DNS services and hostile zones do. */
const ZONE: { readonly [host: string]: readonly string[] } = {
  "127.0.0.1.nip.example": ["127.0.0.1"],
  "10-0-0-1.sslip.example": ["10.0.0.1"],
  "mixed.example": ["93.184.215.14", "192.168.0.9"],
  "six.example": ["2606:4700::1", "::ffff:10.0.0.1"],
};

/** Headers carry bytes: what is not ASCII goes percent-encoded, as servers send it. */
const asciiOnly = (url: string) => url.replace(/[^ -~]/g, encodeURIComponent);
const signal = () => new AbortController().signal;
const resolve = (host: string) => Promise.resolve(ZONE[host] ?? []);

Deno.test("none of the hostile URLs is dialled, and each refusal names the address", async () => {
  assert.ok(HOSTILE.length >= 60);
  for (const url of HOSTILE) {
    await assert.rejects(
      fetchPage(url, { signal: signal(), t: english, resolve }),
      (error) => {
        assert.ok(error instanceof WebError, url);
        assert.equal(error.kind, "address", url + ": " + error.message);
        assert.match(error.message, /is not a public address \(/, url);
        return true;
      },
    );
  }
});

Deno.test("a redirect to any hostile URL is refused before it is dialled", async () => {
  await withSite(() => new Response("secret"), async (inside) => {
    await withSite((request) => {
      const to = new URL(request.url).searchParams.get("to")!;
      return new Response(null, { status: 302, headers: { location: asciiOnly(to) } });
    }, async (outside) => {
      for (const to of [...HOSTILE, inside.base, `http://localhost:${inside.port}/`]) {
        await assert.rejects(
          fetchPage(`${outside.base}/?to=${encodeURIComponent(to)}`, {
            signal: signal(),
            t: english,
            allow: [outside.here],
            resolve,
          }),
          { name: "WebError", kind: "address" },
          to,
        );
      }
    });
    assert.deepEqual(inside.hits, []);
  });
});

slow("a page that sends its reader to any hostile URL sends nobody there", async () => {
  await withSite((request) => {
    const to = new URL(request.url).searchParams.get("to")!;
    return new Response(`<meta http-equiv="refresh" content="0;url=${to}">`, {
      headers: { "content-type": "text/html; charset=utf-8" },
    });
  }, async (outside) => {
    for (const to of HOSTILE) {
      await assert.rejects(
        fetchPage(`${outside.base}/?to=${encodeURIComponent(to)}`, {
          signal: signal(),
          t: english,
          allow: [outside.here],
          resolve,
        }),
        { name: "WebError", kind: "address" },
        to,
      );
    }
  });
});

Deno.test("curl is named for a local server that was asked for, never where somebody else leads", async () => {
  const told = async (url: string, allow: string[] = []) => {
    const options = { signal: signal(), t: english, allow, resolve };
    const error = await fetchPage(url, options).then(() => undefined, (error) => error);
    assert.ok(error instanceof WebError && error.kind === "address", url);
    return /curl in Bash/.test(error.message);
  };
  const own = ["http://localhost:3000/", "http://127.0.0.1:8080/", "http://[::1]/"];
  own.push("http://192.168.1.1/", "http://[fd12::1]/", "http://api.localhost/");
  const never = ["http://169.254.169.254/latest/", "http://metadata.google.internal/"];
  never.push("http://100.100.100.200/", "http://168.63.129.16/", "http://192.0.0.192/");
  never.push("http://[fd00:ec2::254]/", "http://[fe80::1]/", "http://[::ffff:169.254.169.254]/");
  never.push("http://127.0.0.1.nip.example/", "http://10-0-0-1.sslip.example/");
  for (const url of own) assert.ok(await told(url), url);
  for (const url of never) assert.ok(!await told(url), url);
  await withSite((request) => {
    const { pathname, searchParams } = new URL(request.url);
    const to = searchParams.get("to")!;
    return pathname === "/redirect"
      ? new Response(null, { status: 302, headers: { location: to } })
      : new Response(`<meta http-equiv="refresh" content="0;url=${to}">`, {
        headers: { "content-type": "text/html" },
      });
  }, async ({ base, here }) => {
    for (const to of [...own, ...never].map(encodeURIComponent)) {
      assert.ok(!await told(`${base}/redirect?to=${to}`, [here]), to);
      assert.ok(!await told(`${base}/page?to=${to}`, [here]), to);
    }
  });
});

Deno.test("why an address is refused is told in the reader's language", async () => {
  const told = (url: string) =>
    fetchPage(url, { signal: signal(), t: chinese, resolve }).catch((error) => error.message);
  assert.match(
    await told("http://127.0.0.1/"),
    /不是公网地址（本机地址）。本机服务请用 Bash 的 curl$/,
  );
  assert.match(await told("http://printer.local/"), /不是公网地址（本地主机名）$/);
  for (const url of HOSTILE) {
    assert.match(await told(url), /公网地址（[^（）]*\p{Script=Han}[^（）]*）/u, url);
  }
});

Deno.test("a name that turns private between check and use reaches nothing", async () => {
  await withSite(() => new Response("secret"), async ({ port, hits }) => {
    let asked = 0;
    const rebinding = () => Promise.resolve(asked++ === 0 ? ["192.0.2.1"] : ["127.0.0.1"]);
    for (let i = 0; i < 2; i++) {
      await assert.rejects(
        fetchPage(`http://rebind.example:${port}/`, {
          signal: signal(),
          t: english,
          resolve: rebinding,
        }),
        { kind: "address" },
      );
    }
    assert.equal(asked, 2, "one question per request: the answer checked is the answer dialled");
    assert.deepEqual(hits, []);
  });
});

Deno.test("only the checked address is dialled, whatever the system's resolver says", async () => {
  await withSite((request) => new Response(`host ${request.headers.get("host")}`), async (site) => {
    const page = await fetchPage(`http://page.example:${site.port}/x`, {
      signal: signal(),
      t: english,
      allow: [site.here],
      resolve: () => Promise.resolve(["127.0.0.1"]),
    });
    assert.equal(page.text, `host page.example:${site.port}`);
  });
});

Deno.test("allowing one port of loopback allows no other", async () => {
  await withSite(() => new Response("ok"), async (open) => {
    await withSite(() => new Response("secret"), async (shut) => {
      const options = { signal: signal(), t: english, allow: [open.here] };
      assert.equal((await fetchPage(open.base, options)).text, "ok");
      await assert.rejects(fetchPage(shut.base, options), { kind: "address" });
      assert.deepEqual(shut.hits, []);
    });
  });
});

Deno.test("public addresses pass", () => {
  for (
    const address of ["1.1.1.1", "8.8.8.8", "93.184.215.14", "172.15.0.1", "172.32.0.1", "11.0.0.1"]
      .concat("100.63.255.255", "100.128.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255")
      .concat("2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450::1", "2400:3200::1")
  ) assert.equal(notPublic(address), undefined, address);
});

Deno.test("what is no IP address is not public", () => {
  for (const text of ["", "::1%eth0", "fe80::1%1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "::g", "a"]) {
    assert.equal(notPublic(text), "no_address", text);
  }
});

Deno.test("every address inside a private block is refused, also when IPv6 carries it", () => {
  const byte = fc.nat(255);
  const inside = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127), byte, byte, byte),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
    fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
    fc.tuple(fc.constant(198), fc.integer({ min: 18, max: 19 }), byte, byte),
    fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
  );
  fc.assert(
    fc.property(inside, (parts) => {
      const v4 = parts.join(".");
      assert.ok(notPublic(v4), v4);
      const hex = parts.map((part) => part.toString(16).padStart(2, "0"));
      const [high, low] = [`${hex[0]}${hex[1]}`, `${hex[2]}${hex[3]}`];
      for (const v6 of [`::ffff:${v4}`, `::${v4}`, `64:ff9b::${v4}`, `2002:${high}:${low}::1`]) {
        assert.ok(notPublic(v6), v6);
      }
    }),
    { numRuns: runs(1000) },
  );
});

Deno.test("an address that is not public is named as what it is, within a block and not beside it", () => {
  const kinds: { readonly [address: string]: AddressKind | undefined } = {
    "64:ff9b::808:808": "nat64",
    "64:ff9b:1::808:808": "nat64",
    "64:ff9c::1": "reserved",
    "::ffff:808:808": "mapped",
    "::2": "reserved",
    "fd00:ec2::254": "metadata",
    "fd20:ce::254": "metadata",
    "fd00:ec2::255": "private",
    "fe80::1": "link_local",
    "fec0::1": "reserved",
    "ff02::1": "multicast",
    "2001:1ff::1": "reserved",
    "2001:200::1": undefined,
    "2001:db8:ffff::1": "documentation",
    "2002:808:808::1": "six_to_four",
    "3fff:fff::1": "documentation",
    "3fff:1000::1": undefined,
    "4000::1": "reserved",
  };
  for (const [address, kind] of Object.entries(kinds)) {
    assert.equal(notPublic(address), kind, address);
  }
});
