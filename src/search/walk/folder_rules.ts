import { type GitPlaces, type RepositoryRules, repositoryRules } from "./git_settings.ts";
import { KnownFiles } from "./known_files.ts";
import { folderOf, namesIn, pathIn } from "./path_text.ts";
import type { IgnoreRules } from "./ignore_rules.ts";

/** The ignore files of one folder. */
interface FileRules {
  /** `.gitignore`. */
  readonly git: IgnoreRules | undefined;
  /** `.ignore`, which wins over all of git's. */
  readonly own: IgnoreRules | undefined;
  /** `.rgignore`, which wins over all of both. */
  readonly first: IgnoreRules | undefined;
}

/** A folder without ignore files. */
const NO_RULES: FileRules = { git: undefined, own: undefined, first: undefined };

/** The rules that begin to hold in one folder, linked to those above. */
export interface RuleFrame extends FileRules {
  readonly up: RuleFrame | undefined;
  /** Characters of the folder's path (and its slash) to cut from an entry's full path. */
  readonly cut: number;
  /** Set where a repository begins: no `.gitignore` above it counts. */
  readonly repository: RepositoryRules | undefined;
  readonly inRepository: boolean;
  readonly fold: boolean;
}

/** Hands out equal frames as the same object, so that whoever kept one sees whether rules changed. */
class RuleFrames {
  readonly #frames = new Map<string, RuleFrame>();

  /** The frame of `folder`, which is `up` itself where the folder brings no rules. */
  frame(
    folder: string,
    up: RuleFrame | undefined,
    cut: number,
    { git, own, first }: FileRules,
    repository: RepositoryRules | undefined,
  ): RuleFrame | undefined {
    if (!git && !own && !first && !repository) return up;
    const kept = this.#frames.get(folder);
    if (
      kept && kept.up === up && kept.cut === cut && kept.git === git && kept.own === own &&
      kept.first === first &&
      kept.repository?.fold === repository?.fold &&
      kept.repository?.exclude === repository?.exclude &&
      kept.repository?.everywhere === repository?.everywhere
    ) return kept;
    const frame = {
      up,
      cut,
      git,
      own,
      first,
      repository,
      inRepository: repository !== undefined || (up?.inRepository ?? false),
      fold: repository?.fold ?? up?.fold ?? false,
    };
    this.#frames.set(folder, frame);
    return frame;
  }
}

/** Tells whether rules leave out an entry; `above` is its folder's path from the top of the rules, with a `/` behind unless empty. */
export function isIgnored(
  from: RuleFrame | undefined,
  above: string,
  name: string,
  isFolder: boolean,
): boolean {
  for (let frame = from; frame; frame = frame.up) {
    const decided = frame.first?.decide(above, frame.cut, name, isFolder);
    if (decided !== undefined) return decided;
  }
  for (let frame = from; frame; frame = frame.up) {
    const decided = frame.own?.decide(above, frame.cut, name, isFolder);
    if (decided !== undefined) return decided;
  }
  for (let frame = from; frame; frame = frame.up) {
    const { cut } = frame;
    const decided = frame.git?.decide(above, cut, name, isFolder) ??
      frame.repository?.exclude?.decide(above, cut, name, isFolder) ??
      frame.repository?.everywhere?.decide(above, cut, name, isFolder);
    if (decided !== undefined) return decided;
    if (frame.repository) return false;
  }
  return false;
}

const OWN = ".ignore";
const FIRST = ".rgignore";

/** The ignore rules for the folders below a root, those from above it included. */
export class FolderRules {
  readonly #root: string;
  readonly #places: GitPlaces;
  /** Whether `.ignore` and `.rgignore` count. */
  readonly #more: boolean;
  readonly #known = new KnownFiles();
  readonly #frames = new RuleFrames();

  /** `root` is an absolute path. */
  constructor(root: string, places: GitPlaces) {
    this.#root = root;
    this.#places = places;
    this.#more = places.ignoreFiles ?? true;
  }

  /** Whether a folder with these entries may bring rules of its own; see `frame`. */
  mayBring(entries: string): boolean {
    return this.#more && entries.includes("ignore") || entries.includes(".git");
  }

  /**
   * The rules that a folder's entries are under: `up`, and what the folder brings itself. `entries`
   * are the names in it, each with a letter for its kind (`f`, `d`, `l`), separated by `/`.
   */
  frame(
    absolute: string,
    full: string,
    entries: string,
    up: RuleFrame | undefined,
  ): RuleFrame | undefined {
    const has = (entry: string) => `/${entries}/`.includes(`/${entry}/`);
    const top = has(".gitd") || has(".gitf") || has(".gitl");
    const repository = top ? repositoryRules(absolute, this.#places, this.#known) : undefined;
    const fold = repository?.fold ?? up?.fold ?? false;
    // git does not follow a link here, ripgrep does
    const own = (name: string) => this.#more && (has(name + "f") || has(name + "l"));
    const rules = this.#rules(absolute, fold, has(".gitignoref"), own(OWN), own(FIRST));
    const cut = full === "" ? 0 : full.length + 1;
    return this.#frames.frame(absolute, up, cut, rules, repository);
  }

  /**
   * The rules from the folders above the root: git's from the top of its repository down, the
   * others from anywhere; `full` is the root's path from the first of these folders. `ignored`: they
   * leave the root itself out, and are not taken.
   */
  start(): { frame: RuleFrame | undefined; full: string; ignored: boolean } {
    const top = this.#repositoryTop();
    let frame: RuleFrame | undefined;
    let full = "";
    let folder = this.#highest(top);
    const names = namesIn(this.#root.slice(folder.length));
    for (const name of names) {
      const repository = folder === top
        ? repositoryRules(top, this.#places, this.#known)
        : undefined;
      const fold = repository?.fold ?? frame?.fold ?? false;
      const git = top !== undefined && folder.length >= top.length && this.#isFile(folder);
      const [own, first] = [OWN, FIRST].map((file) => this.#more && this.#has(folder, file));
      const rules = this.#rules(folder, fold, git, own!, first!);
      const cut = full === "" ? 0 : full.length + 1;
      frame = this.#frames.frame(folder, frame, cut, rules, repository);
      const ignored = isIgnored(frame, full === "" ? "" : full + "/", name, true);
      full = full === "" ? name : `${full}/${name}`;
      folder = pathIn(folder, name);
      if (ignored) {
        // someone asked for this folder by name: search it, within the repository but without the rules above
        const bare = top === undefined
          ? undefined
          : { fold: frame?.fold ?? false, exclude: undefined, everywhere: undefined };
        frame = this.#frames.frame("", undefined, 0, NO_RULES, bare);
        return { frame, full: names.join("/"), ignored };
      }
    }
    return { frame, full, ignored: false };
  }

  #rules(folder: string, fold: boolean, git: boolean, own: boolean, first: boolean): FileRules {
    const read = (there: boolean, name: string, folds = false) =>
      there ? this.#known.rules(pathIn(folder, name), folds) : undefined;
    return { git: read(git, ".gitignore", fold), own: read(own, OWN), first: read(first, FIRST) };
  }

  #isFile(folder: string): boolean {
    return this.#known.info(folder, ".gitignore")?.isFile ?? false;
  }

  #has(folder: string, name: string): boolean {
    return this.#known.info(folder, name) !== undefined;
  }

  /** The highest folder above the root whose rules count, or the root; `top` is its repository's. */
  #highest(top: string | undefined): string {
    let highest = top ?? this.#root;
    if (!this.#more) return highest;
    for (let folder = highest; folder !== folderOf(folder);) {
      folder = folderOf(folder);
      if (this.#has(folder, OWN) || this.#has(folder, FIRST)) highest = folder;
    }
    return highest;
  }

  #repositoryTop(): string | undefined {
    for (let folder = this.#root;; folder = folderOf(folder)) {
      if (this.#known.info(folder, ".git")) return folder;
      if (folderOf(folder) === folder) return undefined;
    }
  }
}
