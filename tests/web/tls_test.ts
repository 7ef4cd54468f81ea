import assert from "node:assert/strict";
import net from "node:net";
import { fileURLToPath } from "node:url";
import { slow } from "../support/soak.ts";

const fixture = (name: string) => fileURLToPath(new URL(`./fixture/${name}`, import.meta.url));

/** The certificate is trusted only by a process that starts with it, so the fetch runs in a child. */
async function fetchInChild(...args: string[]): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", fixture("fetch_tls.ts"), ...args],
    env: { NODE_EXTRA_CA_CERTS: fixture("page_example.crt") },
  });
  return new TextDecoder().decode((await child.output()).stdout).trim();
}

async function withTlsSite(use: (port: number) => Promise<void>): Promise<void> {
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen() {},
    cert: await Deno.readTextFile(fixture("page_example.crt")),
    key: await Deno.readTextFile(fixture("page_example.key")),
  }, (request) => new Response(`secure ${request.headers.get("host")}`));
  try {
    await use(server.addr.port);
  } finally {
    await server.shutdown();
  }
}

slow("https dials the checked address and verifies the certificate for the name", async () => {
  await withTlsSite(async (port) => {
    const here = `127.0.0.1:${port}`;
    assert.equal(
      await fetchInChild(`https://page.example:${port}/`, here),
      `secure page.example:${port}`,
    );
    assert.match(
      await fetchInChild(`https://other.example:${port}/`, here),
      /^WebError: .*certificate/i,
    );
  });
});

Deno.test("https goes through a proxy's tunnel, and a refusing proxy is named", async () => {
  await withTlsSite(async (port) => {
    const asked: string[] = [];
    const sockets: net.Socket[] = [];
    const proxy = net.createServer((client) => {
      sockets.push(client);
      client.on("error", () => {});
      client.once("data", (head) => {
        asked.push(String(head).split("\r\n")[0]!);
        if (asked[0]!.includes("closed.example")) return client.end("HTTP/1.1 403 no\r\n\r\n");
        const target = net.connect(port, "127.0.0.1", () => {
          client.write("HTTP/1.1 200 ok\r\n\r\n");
          client.pipe(target).pipe(client);
        });
        sockets.push(target);
        target.on("error", () => client.destroy());
      });
    });
    await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
    const at = `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`;
    try {
      assert.equal(await fetchInChild("https://page.example/x", "", at), "secure page.example");
      assert.equal(asked.pop(), "CONNECT page.example:443 HTTP/1.1");
      assert.match(
        await fetchInChild("https://closed.example/", "", at),
        /^WebError: .*the proxy 127\.0\.0\.1:\d+ answered 403/,
      );
    } finally {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((closed) => proxy.close(() => closed()));
    }
  });
});
