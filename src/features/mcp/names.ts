/** How the model names the tools of servers. */
import { sha256 } from "../../base/hash.ts";

/** Providers take no longer ones. */
const CHARS = 64;
const HASH_CHARS = 8;

/** Names that stay what they are once they were given. */
export interface ToolNames {
  /**
   * `mcp_{server}_{tool}` in letters, digits, `_` and `-`, at most 64 characters; with a hash where
   * that is too long, says too little, or is another tool's name already.
   */
  nameOf(server: string, tool: string): string;
}

/** Makes the names of one narnat; `taken` are those that no tool of a server may have. */
export function createNames(taken: readonly string[] = []): ToolNames {
  const given = new Map<string, string>();
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return {
    nameOf(server, tool) {
      const key = JSON.stringify([server, tool]);
      const known = given.get(key);
      if (known !== undefined) return known;
      const parts = [server, tool].map(clean).filter((part) => part !== "");
      const plain = ["mcp", ...parts].join("_");
      const good = plain.length <= CHARS && !foreign(server) && !foreign(tool) &&
        !used.has(plain.toLowerCase());
      const name = good ? plain : hashed(plain, key, used);
      used.add(name.toLowerCase());
      given.set(key, name);
      return name;
    },
  };
}

/** Whether a name may be that of a tool of this server. */
export function mayBeOf(name: string, server: string): boolean {
  const begin = `${["mcp", clean(server)].filter((part) => part !== "").join("_")}_`;
  const kept = begin.slice(0, CHARS - HASH_CHARS - 1);
  return name.toLowerCase().startsWith(kept.toLowerCase());
}

/** Whether letters would be lost without which a name says too little. */
const foreign = (text: string) => /[^\p{ASCII}]/u.test(text) || !/[A-Za-z0-9]/.test(text);

/** What letters there are. */
function clean(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9_-]+/g, "_");
  return foreign(text) ? plain.replace(/^_+|_+$/g, "") : plain;
}

function hashed(plain: string, key: string, used: ReadonlySet<string>): string {
  for (let round = 0;; round++) {
    const hash = sha256(`${key}${round || ""}`);
    const end = `_${hash.slice(0, HASH_CHARS)}`;
    const name = plain.slice(0, CHARS - end.length) + end;
    if (!used.has(name.toLowerCase())) return name;
  }
}
