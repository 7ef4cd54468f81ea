/** Makes way for files that are put back: what stands there is not lost. */
import { infoOf } from "../../../search/walk/known_files.ts";
import type { Loss } from "../../../base/types.ts";
import { under } from "../../../base/path.ts";
import type { Ledger } from "../store/ledger.ts";
import { textureOf } from "../scan.ts";
import { sameState, type State } from "../types.ts";

interface Returning {
  readonly target: State;
  readonly how: Loss["how"];
  /** Where what stands there was moved from. */
  readonly from?: string;
}

export class Way {
  /** Paths that hold again what was moved from them. */
  readonly back: string[] = [];
  /** New paths of what else stood there. */
  readonly aside: string[] = [];
  readonly #workspace: string;
  readonly #entries: Ledger["entries"];
  readonly #all: ReadonlySet<string>;

  /** `paths` are all that are put back. */
  constructor(
    workspace: string,
    entries: Ledger["entries"],
    paths: readonly string[],
  ) {
    this.#workspace = workspace;
    this.#entries = entries;
    this.#all = new Set(paths);
  }

  /** Moves away what stands in the path's place, or where a folder above it was, unless something else holds it. */
  make(path: string, present: State, { target, how, from }: Returning): void {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at);
      const info = infoOf(under(this.#workspace, folder));
      if (info && !info.isDirectory) this.#putAside(folder);
    }
    const info = infoOf(under(this.#workspace, path));
    if (!info || sameState(present, target)) return;
    if (!info.isFile && !info.isSymlink) return this.#putAside(path);
    if (from === undefined && how === "reverted" || !this.#isOnly(path, present, target)) return;
    if (from === undefined || this.#all.has(from) || !this.#giveBack(path, from)) {
      this.#putAside(path, (info.nlink ?? 1) > 1);
    }
  }

  /** Whether no other path holds it, and it is more than blanks. */
  #isOnly(path: string, present: State, target: State): boolean {
    const content = contentIn(present);
    if (present?.kind === "file") {
      if (present.size === 0 || content !== "" && content === contentIn(target)) return false;
      if (content !== "" && this.#isBlank(path)) return false;
    }
    return content === "" ||
      !this.#entries.entries().some(([other, one]) =>
        one.kind === present?.kind && one.content === content && !this.#all.has(other)
      );
  }

  #isBlank(path: string): boolean {
    try {
      return textureOf(Deno.readFileSync(under(this.#workspace, path))) === "blank";
    } catch {
      return false;
    }
  }

  #giveBack(path: string, from: string): boolean {
    const absolute = under(this.#workspace, from);
    if (infoOf(absolute)) return false;
    try {
      const slash = absolute.lastIndexOf("/");
      Deno.mkdirSync(absolute.slice(0, slash), { recursive: true });
      Deno.renameSync(under(this.#workspace, path), absolute);
    } catch {
      return false;
    }
    this.back.push(from);
    return true;
  }

  /** With `copy` its other names are to show what is put back. */
  #putAside(path: string, copy = false): void {
    let aside = `${path}.aside`;
    for (let n = 2; infoOf(under(this.#workspace, aside)); n++) aside = `${path}.aside${n}`;
    const [from, to] = [under(this.#workspace, path), under(this.#workspace, aside)];
    try {
      if (copy) Deno.copyFileSync(from, to);
      else Deno.renameSync(from, to);
      this.aside.push(aside);
    } catch { /* what cannot be put back is told */ }
  }
}

const contentIn = (state: State) =>
  state?.kind === "file" ? state.hash : state?.kind === "link" ? state.target : "";
