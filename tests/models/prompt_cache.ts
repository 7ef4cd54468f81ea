/** The Messages protocol's prompt cache, by the rules that Anthropic documents. */
import { createHash } from "node:crypto";

const MOST_BREAKPOINTS = 4;
/** Places that are looked at for an entry, the breakpoint's own included. */
const LOOK_BACK = 20;
/** Tokens; a shorter beginning is not kept. */
const LEAST = 1024;

interface Counted {
  readonly input: number;
  readonly cached: number;
}

// deno-lint-ignore no-explicit-any -- reads into the wire form freely
type Wire = any;

/**
 * Makes a cache that no entry leaves: what a request has in it up to a breakpoint is kept, and the
 * next one finds it at most 20 blocks before one of its own, each call and each result counting for
 * one. Throws for more than four breakpoints. A token is four bytes.
 */
export function createPromptCache(): { count(request: Wire): Counted } {
  const kept = new Set<string>();
  return {
    count(request) {
      const blocks = blocksOf(request);
      const hash = createHash("sha256");
      let tokens = 0;
      const places = blocks.map(({ text }) => {
        hash.update(text + "\0");
        tokens += Buffer.byteLength(text) / 4;
        return { key: hash.copy().digest("hex"), tokens: Math.floor(tokens) };
      });
      const breakpoints = blocks.flatMap(({ marked }, place) => marked ? [place] : []);
      if (breakpoints.length > MOST_BREAKPOINTS) {
        throw new Error(`${breakpoints.length} blocks have cache_control, at most 4 may`);
      }
      let cached = 0;
      for (const place of breakpoints) {
        for (const { key, tokens } of places.slice(Math.max(0, place + 1 - LOOK_BACK), place + 1)) {
          if (kept.has(key)) cached = Math.max(cached, tokens);
        }
      }
      for (const place of breakpoints) {
        const { key, tokens } = places[place]!;
        if (tokens >= LEAST) kept.add(key);
      }
      return { input: places.at(-1)?.tokens ?? 0, cached };
    },
  };
}

/** Everything of a request in the order in which it is kept; markers are not part of it. */
function blocksOf(request: Wire): { text: string; marked: boolean }[] {
  const told = ({ cache_control, ...block }: Wire, role: string) => ({
    text: role + JSON.stringify(block),
    marked: cache_control !== undefined,
  });
  const blocks = [
    ...(request.tools ?? []).map((tool: Wire) => told(tool, "tool")),
    ...(request.system ?? []).map((block: Wire) => told(block, "system")),
    // another choice of tools finds none of the messages again
    ...request.messages.flatMap((message: Wire) =>
      message.content.map((block: Wire) =>
        told(block, message.role + (request.tool_choice?.type ?? ""))
      )
    ),
  ];
  if (request.cache_control !== undefined) blocks.at(-1)!.marked = true;
  return blocks;
}
