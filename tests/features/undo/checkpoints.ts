/** Checkpoints of a real folder, in this thread. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { RestoreOutcome, RestorePreview, RestoreWish } from "../../../src/base/types.ts";
import { createRestorer, type Restorer } from "../../../src/features/undo/restore/restore.ts";
import { type Ledger, openLedger } from "../../../src/features/undo/store/ledger.ts";
import type { Limits } from "../../../src/features/undo/types.ts";
import { NO_PLACES } from "../../../src/search/walk/git_settings.ts";

export const LIMITS: Limits = {
  fileBytes: 50_000_000,
  totalBytes: 2_000_000_000,
  files: 200_000,
  ageMs: 30 * 24 * 3600 * 1000,
};

export interface Kept extends Ledger, Restorer {
  /** A turn of a person's that does `work`; returns the paths it has changed. */
  turn(work: () => void | Promise<void>, session?: string): Promise<string[]>;
  /** Previews and carries out. */
  take(wish: RestoreWish, overwrite?: readonly string[]): RestoreOutcome & {
    preview: RestorePreview;
  };
}

export function keep(
  root: string,
  limits: Partial<Limits> = {},
  now: () => number = Date.now,
  dir = join(root, ".narnat/checkpoints"),
): Kept {
  const all = { ...LIMITS, ...limits };
  const clock = { now, random: Math.random };
  const ledger = openLedger({ dir, workspace: root, places: NO_PLACES, limits: all, ...clock });
  const { fileBytes } = all;
  const restorer = createRestorer(ledger, { dir, workspace: root, fileBytes, ...clock });
  let count = 0;
  const kept = {
    turns: (session?: string) => restorer.turns(session),
    preview: (wish: RestoreWish) => restorer.preview(wish),
    restore: (id: string, overwrite: readonly string[]) => restorer.restore(id, overwrite),
    async turn(work: () => void | Promise<void>, session = "s") {
      const mark = { session, turn: ++count, prompt: count - 1, text: `turn ${count}` };
      const key = `main ${count}`;
      ledger.begin(key, mark, false);
      ledger.start(key);
      await work();
      const paths = ledger.look(key).map(({ path }) => path);
      ledger.end(key);
      return paths.sort();
    },
    take(wish: RestoreWish, overwrite: readonly string[] = []) {
      const preview = restorer.preview(wish);
      return { ...restorer.restore(preview.id, overwrite), preview };
    },
  };
  return new Proxy(ledger, {
    get(of, name) {
      const value = Reflect.get(name in kept ? kept : of, name);
      return typeof value === "function" ? value.bind(of) : value;
    },
  }) as Kept;
}

/** All that is under a folder but `.git` and narnat's own: path → kind, mode and content. */
export function snapshot(root: string, from = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name } of Deno.readDirSync(join(root, from))) {
    const path = from === "" ? name : `${from}/${name}`;
    if (path === ".narnat" || name === ".git") continue;
    const info = Deno.lstatSync(join(root, path));
    const mode = ((info.mode ?? 0) & 0o7777).toString(8);
    if (info.isSymlink) found[path] = `link ${Deno.readLinkSync(join(root, path))}`;
    else if (info.isDirectory) {
      found[path] = `folder ${mode}`;
      Object.assign(found, snapshot(root, path));
    } else if (info.isFile) {
      const hash = createHash("sha256").update(Deno.readFileSync(join(root, path))).digest("hex");
      found[path] = `file ${mode} ${hash.slice(0, 12)}`;
    } else found[path] = "special";
  }
  return found;
}

/** Runs a script of bash there. */
export async function bash(root: string, script: string): Promise<void> {
  const { code, stderr } = await new Deno.Command("bash", {
    args: ["-ec", script],
    cwd: root,
    stdout: "null",
    env: {
      GIT_AUTHOR_NAME: "t",
      GIT_AUTHOR_EMAIL: "t@t",
      GIT_COMMITTER_NAME: "t",
      GIT_COMMITTER_EMAIL: "t@t",
    },
  }).output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
}
