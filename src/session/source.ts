/** Where `replay` and `sessions export` find a session: among the stored ones, or in a file. */
import { ConfigError } from "../base/errors.ts";
import { SessionStore } from "./store.ts";
import { allOf, type Entry, readEntries } from "./entries.ts";
import type { T } from "../base/t.ts";
import type { Json } from "../base/types.ts";
import { under } from "../base/path.ts";
import { demand } from "../base/host.ts";

/** A session's entries, with what an exported one says of itself. */
export interface SessionSource {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** Lines that could not be read. */
  readonly bad: number;
  /** Folder that it worked in. */
  readonly workspace: string;
  /** The first line of an exported session. */
  readonly report: { readonly [key: string]: Json } | undefined;
}

export function storeIn(workspace: string, t: T): SessionStore {
  return new SessionStore({
    dir: under(workspace, ".narnat", "sessions"),
    workspace,
    t,
    now: () => new Date(),
    random: Math.random,
  });
}

/** Finds a session as `find` of the store does, or takes the file of that path. Throws ConfigError. */
export function sessionSource(which: string, workspace: string, t: T): SessionSource {
  const path = which.endsWith(".jsonl") ? which : undefined;
  const info = path === undefined ? storeIn(workspace, t).find(which) : undefined;
  if (path === undefined && !info) {
    throw new ConfigError(
      t("Cannot find the session {which}: /show or narnat sessions lists what there is", { which }),
    );
  }
  const file = path ?? under(workspace, ".narnat", "sessions", `${info!.id}.jsonl`);
  let bytes: Uint8Array;
  try {
    demand("read", file);
    bytes = Deno.readFileSync(file);
  } catch (error) {
    throw new ConfigError(
      t("Cannot read the session file {path}: {why}", {
        path: file,
        why: (error as Error).message,
      }),
    );
  }
  const report = reportIn(bytes);
  const lines = readEntries(bytes);
  const { bad } = lines;
  const all = allOf(lines);
  const begin = all.find((entry) => entry.type === "session");
  if (!begin) {
    throw new ConfigError(
      t("{path} is no session file of narnat's: the beginning of a session is not in it", {
        path: file,
      }),
    );
  }
  return {
    id: info?.id ?? begin.id,
    entries: all,
    bad: bad - (report ? 1 : 0),
    workspace: begin.workspace,
    report,
  };
}

function reportIn(bytes: Uint8Array): SessionSource["report"] {
  const end = bytes.indexOf(10);
  try {
    const first = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
    return first?.type === "report" ? first : undefined;
  } catch {
    return undefined;
  }
}
