/**
 * The line under the prompt: what the session runs on, the branch it works on, and how much of what
 * there is has been used.
 */
import { visibleWidth } from "@earendil-works/pi-tui";
import { plainLine } from "../../base/control_characters.ts";
import { dirname, isAbsolute, join } from "../../base/path.ts";
import type { Permission, SessionController, Usage } from "../../base/types.ts";
import { USUAL_WINDOW, windowOf } from "../../models/model_facts.ts";
import { cost, count } from "../../base/figures.ts";
import type { Look } from "./rows.ts";

/**
 * The branch of the repository that `folder` lies in, the first seven digits of the commit where no
 * branch is checked out; undefined outside a repository and where it may not be read.
 */
export async function branchOf(folder: string): Promise<string | undefined> {
  const git = await gitFolder(folder);
  if (git === undefined) return undefined;
  const head = (await read(join(git, "HEAD")))?.trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head ?? "")?.[1];
  return branch ?? /^[0-9a-f]{40,64}$/.exec(head ?? "")?.[0].slice(0, 7);
}

/** Where HEAD stands: in a worktree or submodule `.git` is a file that names the place. */
async function gitFolder(folder: string): Promise<string | undefined> {
  for (let at = folder;; at = dirname(at)) {
    const git = join(at, ".git");
    const text = await read(git);
    const pointed = /^gitdir: (.+)$/m.exec(text ?? "")?.[1]?.trim();
    if (pointed !== undefined) return isAbsolute(pointed) ? pointed : join(at, pointed);
    if (await read(join(git, "HEAD")) !== undefined) return git;
    if (dirname(at) === at) return undefined;
  }
}

/** The text of a file; undefined where there is none, or none that may be read without asking. */
async function read(path: string): Promise<string | undefined> {
  try {
    if (Deno.permissions.querySync({ name: "read", path }).state !== "granted") return undefined;
    // a pipe never ends, and neither does what a link may lead to
    return (await Deno.stat(path)).isFile ? await Deno.readTextFile(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Turns after which a session is long, very long, and handed over. */
const TURNS = { long: 50, veryLong: 100, most: 120 } as const;

/** What the line tells. */
export interface Status {
  readonly model: string;
  /** Tokens of its window, where its name does not tell, or not rightly. */
  readonly window?: number | undefined;
  /** Of the request that was answered last. */
  readonly last: Usage | undefined;
  /** Tokens of the first request, where the session goes on from another one's summary. */
  readonly first?: number | undefined;
  /** Of the session. */
  readonly usage: Usage;
  readonly turns: number;
  readonly permission: Permission;
  readonly planMode?: boolean;
  readonly branch: string | undefined;
}

/** The status line of a controller's session; what has to be looked up is so when it is told to. */
export class StatusLine {
  readonly #controller: SessionController;
  readonly #look: Look;
  readonly #changed: () => void;
  #branch: string | undefined;
  #first: { readonly id: string; readonly tokens: number } | undefined;
  /** The line as it was drawn last, and all it depends on. */
  #drawn = { of: "", line: "" };

  /** `changed` asks for a frame. */
  constructor(controller: SessionController, look: Look, changed: () => void) {
    this.#controller = controller;
    this.#look = look;
    this.#changed = changed;
  }

  /** Reads the branch again, which anything may have changed, and what a summary counts. */
  async refresh(): Promise<void> {
    const { id, carried, lastUsage } = this.#controller.current();
    if (carried && !lastUsage && this.#first?.id !== id) {
      const shares = await this.#controller.shares().catch(() => []); // the next turn says why
      this.#first = { id, tokens: shares.reduce((sum, { tokens }) => sum + tokens, 0) };
      this.#changed();
    }
    const branch = await branchOf(this.#controller.workspace);
    if (branch === this.#branch) return;
    this.#branch = branch;
    this.#changed();
  }

  render(width: number): string[] {
    const { model, permission, planMode, window } = this.#controller;
    const { id, lastUsage, usage, turns } = this.#controller.current();
    const branch = this.#branch;
    const first = !lastUsage && this.#first?.id === id ? this.#first.tokens : undefined;
    const status = {
      model,
      window,
      permission,
      planMode,
      last: lastUsage,
      first,
      usage,
      turns,
      branch,
    };
    const of = JSON.stringify([status, width, this.#look.style.cyan("")]);
    if (of !== this.#drawn.of) this.#drawn = { of, line: statusLine(status, this.#look, width) };
    const { line } = this.#drawn;
    return line === "" ? [] : [line];
  }
}

/** One thing the line tells; where there is no room, those with the lowest `worth` go first. */
interface Part {
  readonly text: string;
  readonly worth: number;
}

/** The line for a terminal `width` columns wide. */
export function statusLine(status: Status, look: Look, width: number): string {
  let parts = partsOf(status, look);
  const line = () => "  " + parts.map(({ text }) => text).join(look.style.dim(" · "));
  while (parts.length > 1 && visibleWidth(line()) > width) {
    const least = Math.min(...parts.map(({ worth }) => worth));
    parts = parts.filter(({ worth }) => worth !== least);
  }
  return visibleWidth(line()) > width ? "" : line();
}

function partsOf(status: Status, { style, t }: Look): Part[] {
  const { model, last, usage, turns, permission, branch } = status;
  const known = status.window ?? windowOf(model);
  const window = known ?? USUAL_WINDOW;
  const parts: Part[] = [{ text: style.dim(plainLine(model)), worth: 6 }];
  if (status.planMode) {
    parts.push({ text: style.bold(style.cyan(t("plan mode (shift-tab)"))), worth: 9 });
  }
  const { first } = status;
  const used = first ?? (last === undefined ? 0 : last.input + last.output);
  if (used > 0) {
    const share = used / window;
    const limit = (known === undefined ? "~" : "") + count(window).replace(".0", "");
    const text = `${first === undefined ? "" : "~"}${count(used)}/${limit} ${
      Math.round(share * 100)
    }%`;
    const paint = share >= 0.9 ? style.red : share >= 0.7 ? style.yellow : style.dim;
    parts.push({ text: paint(text), worth: 7 });
  }
  if (usage.cached > 0) {
    const share = Math.round(usage.cached / usage.input * 100);
    parts.push({ text: style.dim(t("cache {share}%", { share })), worth: 1 });
  }
  if (usage.cost !== null && usage.cost > 0) {
    parts.push({ text: style.dim(cost(usage.cost)), worth: 3 });
  }
  if (turns > 0 || first !== undefined) {
    const text = t("turn {turn}/{most}", { turn: turns, most: TURNS.most });
    const paint = turns >= TURNS.most
      ? (text: string) => style.bold(style.red(text))
      : turns >= TURNS.veryLong
      ? style.red
      : turns >= TURNS.long
      ? style.yellow
      : style.dim;
    parts.push({ text: paint(text), worth: turns >= TURNS.long ? 8 : 5 });
  }
  const strict = permission !== "open";
  parts.push({ text: (strict ? style.cyan : style.dim)(permission), worth: strict ? 4 : 0 });
  if (branch !== undefined) parts.push({ text: style.dim(`git:${plainLine(branch)}`), worth: 2 });
  return parts;
}
