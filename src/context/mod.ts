/** What the model sees: one ordered list of parts, each a function that returns text or nothing. */
import type { Keeper, Lang } from "../types.ts";
import { say, type TextKey } from "../text.ts";
import { under } from "../under.ts";
import base from "./prompts/base.md" with { type: "text" };
import { type InstructionFile, readFolder, readInstructions } from "./files.ts";

export interface PromptOptions {
  readonly model: string;
  readonly workspace: string;
  /** The user's own narnat folder; undefined when there is no home directory. */
  readonly userDir: string | undefined;
  readonly lang: Lang;
  readonly platform: string;
  /** Shell that Bash uses, for the model's information. */
  readonly shell: string;
  readonly now: () => Date;
  readonly append: string;
}

export interface PromptPart {
  readonly name: string;
  readonly text: string;
  /** Bytes left out because of a cap. */
  readonly cut: number;
  /** Files that should be in the part and are not; the text names them too. */
  readonly left: readonly LeftOut[];
}

/** A file that could not become part of the prompt. */
export interface LeftOut {
  /** As people name it. */
  readonly file: string;
  readonly why: TextKey;
}

type PartMaker = (o: PromptOptions) => PromptPart | undefined;

const part = (
  name: string,
  text: string,
  cut = 0,
  left: readonly LeftOut[] = [],
): PromptPart => ({ name, text, cut, left });

const leftOut = (file: InstructionFile, name: string): LeftOut[] =>
  file.left === undefined ? [] : [{ file: name, why: `prompt.${file.left}` }];

const noted = ({ file, why }: LeftOut) => `(${say("en", why, { file })})`;

const basePart: PartMaker = (o) => part("base", base.trim().replaceAll("{model}", o.model));

const environmentPart: PartMaker = (o) =>
  part(
    "environment",
    [
      "# Environment",
      `- Workspace: ${o.workspace}`,
      `- Platform: ${o.platform}; shell: ${o.shell}`,
      `- Today: ${o.now().toISOString().slice(0, 10)}`,
    ].join("\n"),
  );

const rulesPart: PartMaker = (o) => {
  const rules = [
    ...readFolder(under(o.workspace, ".narnat", "rules")),
    ...readFolder(under(o.workspace, ".agent", "rules")),
  ];
  if (rules.length === 0) return undefined;
  const left = rules.flatMap((rule) => leftOut(rule, rule.path.slice(o.workspace.length + 1)));
  const text = [
    "## 工作规则（必须严格遵守）",
    "以下规则是用户设定的强制要求，你必须在每次操作中遵守：",
    ...rules.filter((rule) => !rule.left).map((rule, i) => `规则 ${i + 1}: ${rule.text}`),
    ...left.map(noted),
  ].join("\n");
  return part("rules", text, rules.reduce((sum, rule) => sum + rule.cut, 0), left);
};

const instructions = (
  name: string,
  path: (o: PromptOptions) => string | undefined,
): PartMaker =>
(o) => {
  const at = path(o);
  const file = at === undefined ? undefined : readInstructions(at);
  if (!file) return undefined;
  const left = leftOut(file, name);
  return part(
    name,
    [`# ${name}`, ...left.map(noted), file.text].join("\n").trimEnd(),
    file.cut,
    left,
  );
};

const PARTS: readonly PartMaker[] = [
  basePart,
  environmentPart,
  rulesPart,
  instructions("AGENTS.md", (o) => under(o.workspace, "AGENTS.md")),
  instructions("~/.narnat/narnat.md", (o) => o.userDir && under(o.userDir, "narnat.md")),
  instructions(".narnat/narnat.md", (o) => under(o.workspace, ".narnat", "narnat.md")),
  (o) => o.append === "" ? undefined : part("--append-system-prompt", o.append),
];

/** The parts of the system prompt in their order. */
export function promptParts(options: PromptOptions): PromptPart[] {
  return PARTS.map((make) => make(options)).filter((made) => made !== undefined);
}

/** Joins parts the way they are sent. */
export function joinParts(parts: readonly PromptPart[]): string {
  return parts.map((p) => p.text).join("\n\n");
}

/** Decides what the model sees during one session. */
export function createKeeper(options: PromptOptions): Keeper {
  let parts: readonly PromptPart[] | undefined;
  let told = false;
  const made = () => parts ??= promptParts(options);
  return {
    system: () => joinParts(made()),
    beforeTurn(turn) {
      const left = told ? [] : made().flatMap((one) => one.left);
      told = true;
      return [
        ...left.map(({ file, why }) => say(options.lang, why, { file })),
        ...turn === 50 ? [say(options.lang, "turn.at_50")] : [],
        ...turn === 100 ? [say(options.lang, "turn.at_100")] : [],
      ];
    },
    beforeCall: (session) => session.messages,
  };
}
