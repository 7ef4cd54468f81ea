import { type GitPlaces, repositoryRules } from "./git_settings.ts";
import { KnownFiles } from "./known_files.ts";
import { folderOf, namesIn, pathIn } from "./path_text.ts";
import { isIgnored, type RuleFrame, RuleFrames } from "./rule_frame.ts";

/** Git's ignore rules for the folders below a root, those from above it included. */
export class FolderRules {
  readonly #root: string;
  readonly #places: GitPlaces;
  readonly #known = new KnownFiles();
  readonly #frames = new RuleFrames();

  /** `root` is an absolute path. */
  constructor(root: string, places: GitPlaces) {
    this.#root = root;
    this.#places = places;
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
    if (!entries.includes(".git") && !entries.includes(".ignore")) return up;
    const top = has(".gitd") || has(".gitf") || has(".gitl");
    const repository = top ? repositoryRules(absolute, this.#places, this.#known) : undefined;
    const fold = repository?.fold ?? up?.fold ?? false;
    const rules = (name: string) =>
      has(name + "f") ? this.#known.rules(pathIn(absolute, name), fold) : undefined;
    const cut = full === "" ? 0 : full.length + 1;
    return this.#frames.frame(
      absolute,
      up,
      cut,
      rules(".gitignore"),
      rules(".ignore"),
      repository,
    );
  }

  /**
   * The rules from the folders above the root, from the top of its repository down; `full` is the
   * root's path from there. `ignored`: they leave the root itself out, and are not taken.
   */
  start(): { frame: RuleFrame | undefined; full: string; ignored: boolean } {
    const known = this.#known;
    const top = this.#repositoryTop();
    if (top === undefined || top === this.#root) {
      return { frame: undefined, full: "", ignored: false };
    }
    let frame: RuleFrame | undefined;
    let full = "";
    let folder = top;
    for (const name of namesIn(this.#root.slice(top.length))) {
      const repository = folder === top ? repositoryRules(top, this.#places, known) : undefined;
      const fold = repository?.fold ?? frame?.fold ?? false;
      const rules = (file: string) => {
        const path = pathIn(folder, file);
        return known.info(path)?.isFile ? known.rules(path, fold) : undefined;
      };
      const cut = full === "" ? 0 : full.length + 1;
      const [git, own] = [rules(".gitignore"), rules(".ignore")];
      frame = this.#frames.frame(folder, frame, cut, git, own, repository);
      const ignored = isIgnored(frame, full === "" ? "" : full + "/", name, true);
      full = full === "" ? name : `${full}/${name}`;
      folder = pathIn(folder, name);
      if (ignored) {
        // someone asked for this folder by name: search it, within the repository but without the rules above
        const bare = { fold, exclude: undefined, everywhere: undefined };
        const all = namesIn(this.#root.slice(top.length)).join("/");
        frame = this.#frames.frame("", undefined, 0, undefined, undefined, bare);
        return { frame, full: all, ignored };
      }
    }
    return { frame, full, ignored: false };
  }

  #repositoryTop(): string | undefined {
    for (let folder = this.#root;; folder = folderOf(folder)) {
      if (this.#known.info(pathIn(folder, ".git"))) return folder;
      if (folderOf(folder) === folder) return undefined;
    }
  }
}
