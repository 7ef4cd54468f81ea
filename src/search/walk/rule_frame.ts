import type { RepositoryRules } from "./git_settings.ts";
import type { IgnoreRules } from "./ignore_rules.ts";

/** The ignore files of one folder. */
export interface FileRules {
  /** `.gitignore`. */
  readonly git: IgnoreRules | undefined;
  /** `.ignore`, which wins over all of git's. */
  readonly own: IgnoreRules | undefined;
  /** `.rgignore`, which wins over all of both. */
  readonly first: IgnoreRules | undefined;
}

/** A folder without ignore files. */
export const NO_RULES: FileRules = { git: undefined, own: undefined, first: undefined };

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
export class RuleFrames {
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
