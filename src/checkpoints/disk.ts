/** Tells what commands have lost of the work, from one look at the disk to the next. */
import type { Loss, RunCommand } from "../types.ts";
import type { Ledger } from "./ledger.ts";
import { createLossFinder } from "./losses.ts";
import { type Failed, presentIn, restoreFiles } from "./restore_files.ts";
import { stateOf } from "./scan.ts";
import { type Change, sameState, type State } from "./types.ts";

/** What a program writes anew may be gone or empty for a moment. */
const MOMENT_MS = 30;
const MARK = "b0000000";

export interface Disk {
  /** Takes changes for what commands have done; returns them. */
  seen(changes: readonly Change[]): readonly Change[];
  background(command: RunCommand): void;
  /** Tells what has been lost since last time; looks where there is a command. */
  losses(key: string, command?: RunCommand): Loss[];
  /** Puts back what losses have told of; returns the paths that are back. */
  bringBack(key: string, paths: readonly string[]): string[];
  forget(): void;
}

export function openDisk(
  ledger: Ledger,
  look: (key: string) => readonly Change[],
  { workspace, fileBytes }: { readonly workspace: string; readonly fileBytes: number },
): Disk {
  const finder = createLossFinder(workspace, ledger.objects);
  const presentOf = presentIn(workspace, fileBytes);
  /** What the paths held that commands have changed. */
  const before = new Map<string, State>();
  /** What was lost held this. */
  const lost = new Map<string, State>();
  const jobs: RunCommand[] = [];
  let ran: RunCommand[] = [];

  const seen: Disk["seen"] = (changes) => {
    for (const one of changes) if (!before.has(one.path)) before.set(one.path, one.before);
    return changes;
  };

  function find(): Loss[] {
    const changes = [...before].flatMap(([path, was]) => {
      const after = stateOf(ledger.entries.get(path));
      // of what is again as the turn has found it nothing is known
      const found = ledger.foundAt(path);
      const first = found === undefined ? after : found;
      return sameState(was, after) ? [] : [{ path, before: was, after, first }];
    });
    if (changes.length === 0) return [];
    return finder.find(changes, ledger.entries, [...jobs, ...ran]);
  }

  return {
    seen,
    background: (command) => void jobs.push(command),
    losses(key, command) {
      if (command) {
        ran.push(command);
        seen(look(key));
      }
      let found = find();
      if (found.length > 0) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MOMENT_MS);
        seen(look(key));
        found = find();
      }
      for (const { path } of found) lost.set(path, before.get(path)!);
      before.clear();
      ran = [];
      finder.mark();
      return found;
    },
    bringBack(key, paths) {
      const steps = paths.flatMap((path) => {
        const target = lost.get(path);
        lost.delete(path);
        return target ? [{ path, present: presentOf(path), target }] : [];
      });
      const failed: Failed[] = [];
      const done = restoreFiles(steps, workspace, ledger.objects, MARK, presentOf, failed);
      ledger.lookAt(key, done.map(({ path }) => path));
      return done.map(({ path }) => path);
    },
    forget() {
      before.clear();
      lost.clear();
      ran = [];
      finder.mark();
    },
  };
}
