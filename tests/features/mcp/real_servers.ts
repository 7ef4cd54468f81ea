/** Servers of tools that others have written, from npm, kept in a cache folder. */
import { join } from "node:path";
import type { ServerConfig } from "../../../src/features/mcp/types.ts";
import { fakeConfig } from "./stage.ts";
import { freePort } from "../../support/processes.ts";

const PACKAGES = {
  everything: ["@modelcontextprotocol/server-everything@2026.8.31", "mcp-server-everything"],
  filesystem: ["@modelcontextprotocol/server-filesystem@2026.8.31", "mcp-server-filesystem"],
  memory: ["@modelcontextprotocol/server-memory@2026.8.31", "mcp-server-memory"],
  playwright: ["@playwright/mcp@0.0.83", "playwright-mcp"],
} as const;

type RealServer = keyof typeof PACKAGES;

/** The folder they are installed in, after at most one installation; a text says why they cannot be had. */
export async function installRealServers(): Promise<{ dir: string } | string> {
  const cache = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "/tmp", ".cache");
  const names = Object.values(PACKAGES).map(([name]) => name);
  const dir = join(cache, "narnat-tests", `mcp-${await hash(names.join())}`);
  if (await there(dir)) return { dir };
  const fresh = `${dir}.${Deno.pid}`;
  try {
    await Deno.mkdir(fresh, { recursive: true });
    const npm = await new Deno.Command("npm", {
      args: ["install", "--prefix", fresh, "--no-audit", "--no-fund", "--ignore-scripts", ...names],
      env: { PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).output();
    if (!npm.success) return new TextDecoder().decode(npm.stderr).slice(-500);
    // Someone else may have been faster.
    await Deno.rename(fresh, dir).catch(() => {});
    return await there(dir) ? { dir } : `npm did not install into ${dir}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await Deno.remove(fresh, { recursive: true }).catch(() => {});
  }
}

/** The configuration of one of them. */
export function realConfig(
  dir: string,
  name: RealServer,
  args: readonly string[] = [],
  env: { readonly [name: string]: string } = {},
): ServerConfig {
  const command = join(dir, "node_modules", ".bin", PACKAGES[name][1]);
  return fakeConfig(name, {}, { reach: { type: "stdio", command, args, env, cwd: dir } });
}

async function there(dir: string): Promise<boolean> {
  const bins = Object.values(PACKAGES).map(([, bin]) => join(dir, "node_modules", ".bin", bin));
  const found = await Promise.all(bins.map((bin) => Deno.stat(bin).then(() => true, () => false)));
  return found.every(Boolean);
}

async function hash(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(bytes).toHex().slice(0, 12);
}

/** Starts server-everything as a server over HTTP; it is ended with the scope. */
export async function serveEverything(dir: string, over: "streamableHttp" | "sse") {
  const port = freePort();
  const child = new Deno.Command(join(dir, "node_modules", ".bin", PACKAGES.everything[1]), {
    args: [over],
    env: { PORT: String(port) },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const url = `http://127.0.0.1:${port}/${over === "sse" ? "sse" : "mcp"}`;
  for (let n = 0; n < 200; n++) {
    const there = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => undefined);
    there?.close();
    if (there) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}
