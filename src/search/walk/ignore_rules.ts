import { bytesOf, foldCase, gitGlob } from "./git_glob.ts";

interface Rule {
  readonly negated: boolean;
  readonly folderOnly: boolean;
}

/** A rule with wildcards. */
interface WildRule extends Rule {
  readonly place: number;
  /** Matches the last part of a path only; otherwise the whole path. */
  readonly nameOnly: boolean;
  readonly regex: RegExp;
}

/** The rules of one ignore file, in git's meaning: the last one that matches decides. */
export class IgnoreRules {
  readonly #fold: boolean;
  readonly #rules: Rule[] = [];
  /** Places of the rules that name one file, or one ending (`*.log`). */
  readonly #names = new Map<string, number[]>();
  readonly #endings = new Map<string, number[]>();
  /** Rules that name one path, under its last part. */
  readonly #paths = new Map<string, { readonly path: string; readonly place: number }[]>();
  readonly #wild: WildRule[] = [];

  /** `fold`: letters A to Z match in either case (git's core.ignoreCase). */
  constructor(text: string, fold = false) {
    this.#fold = fold;
    const lines = (text.startsWith("\ufeff") ? text.slice(1) : text).split("\n");
    for (const line of lines) this.#add(line.endsWith("\r") ? line.slice(0, -1) : line);
    this.#wild.reverse();
  }

  /**
   * True: ignored; false: taken back by a `!` rule; undefined: not mentioned. The path is `above`
   * (ending with `/`, or empty) and `name`, less its first `cut` characters.
   */
  decide(above: string, cut: number, name: string, isFolder: boolean): boolean | undefined {
    // most names are decided without putting the path together
    const path = () => this.#fold ? foldCase((above + name).slice(cut)) : (above + name).slice(cut);
    const key = this.#fold ? foldCase(name) : name;
    let best = this.#latest(this.#names.get(key), isFolder, -1);
    const paths = this.#paths.size > 0 ? this.#paths.get(key) : undefined;
    if (paths) {
      const same = paths.filter((each) => each.path === path());
      best = this.#latest(same.map(({ place }) => place), isFolder, best);
    }
    if (this.#endings.size > 0) {
      for (let dot = key.indexOf("."); dot >= 0; dot = key.indexOf(".", dot + 1)) {
        best = this.#latest(this.#endings.get(key.slice(dot)), isFolder, best);
      }
    }
    for (const rule of this.#wild) {
      if (rule.place < best) break;
      if (rule.folderOnly && !isFolder) continue;
      if (rule.regex.test(bytesOf(rule.nameOnly ? key : path()))) {
        best = rule.place;
        break;
      }
    }
    return best < 0 ? undefined : !this.#rules[best]!.negated;
  }

  #latest(places: readonly number[] | undefined, isFolder: boolean, best: number): number {
    if (!places) return best;
    for (const place of places) {
      if (place > best && (isFolder || !this.#rules[place]!.folderOnly)) best = place;
    }
    return best;
  }

  #add(line: string): void {
    let glob = stripTrailingSpaces(line);
    if (glob === "" || glob.startsWith("#")) return;
    const negated = glob.startsWith("!");
    if (negated) glob = glob.slice(1);
    const folderOnly = glob.endsWith("/");
    if (folderOnly) glob = glob.slice(0, -1);
    const nameOnly = !glob.includes("/");
    if (glob.startsWith("/")) glob = glob.slice(1);
    if (glob === "") return;
    const place = this.#rules.length;
    const plain = (text: string) => this.#fold ? foldCase(text) : text;
    const list = <T>(lists: Map<string, T[]>, key: string, one: T) => {
      const others = lists.get(key);
      if (others) others.push(one);
      else lists.set(key, [one]);
    };
    if (!/[*?[\\]/.test(glob)) {
      const path = plain(glob);
      if (nameOnly) list(this.#names, path, place);
      else list(this.#paths, path.slice(path.lastIndexOf("/") + 1), { path, place });
    } else if (nameOnly && glob.startsWith("*.") && !/[*?[\\]/.test(glob.slice(1))) {
      list(this.#endings, plain(glob.slice(1)), place);
    } else {
      const regex = gitGlob(glob, this.#fold);
      if (!regex) return;
      this.#wild.push({ place, negated, folderOnly, nameOnly, regex });
    }
    this.#rules.push({ negated, folderOnly });
  }
}

function stripTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") {
    let slashes = 0;
    while (line[end - 2 - slashes] === "\\") slashes++;
    if (slashes % 2 === 1) break;
    end--;
  }
  return line.slice(0, end);
}
