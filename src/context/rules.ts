/** The user's rules: numbered in the prompt, recalled now and then. */

import { HOST_MARK, type T } from "../base/t.ts";
import { under } from "../base/under.ts";
import {
  FILE_CAP,
  type InstructionFile,
  isThere,
  markdownIn,
  mayRead,
  namesIn,
  readInstructions,
} from "./files.ts";
import { cutNote, leftOut, noted, part, type PromptOptions, type PromptPart } from "./part.ts";
import type { WatchedFile } from "./watch.ts";

/** What all rules may take of the prompt, in bytes. */
export const RULES_CAP = 256 * 1024;
/** Of the rules beyond it so many are pointed to one by one. */
const POINTED_TO = 100;
/** What a reminder quotes of the rules, in characters. */
const QUOTED = 300;
const QUOTED_OF_ONE = 60;

/** All rules in full, each under its name, under the heading of seed 001. */
export function rulesPart(o: PromptOptions): PromptPart | undefined {
  let room = RULES_CAP;
  const rules = (o.rules ?? []).map(({ text, name }) => {
    const file = settingsRule(text, Math.min(FILE_CAP, room));
    room -= Math.min(room, file.bytes);
    return { file, name };
  });
  rules.push(
    ...rulePaths(o).flatMap(({ path, name }) => {
      const file = readInstructions(path, Math.min(FILE_CAP, room)) ?? danglingAt(path);
      if (!file) return [];
      room -= Math.min(room, file.bytes);
      return [{ file, name }];
    }),
  );
  rules.push(...foldersBelow(o));
  if (rules.length === 0) return undefined;
  const left = rules.flatMap(({ file, name }) => leftOut(file, name));
  const kept = rules.filter(({ file }) => file.left === undefined);
  const empty = kept.findIndex(({ file }) => file.text === "");
  const shown = empty < 0 ? kept : kept.slice(0, empty + POINTED_TO);
  const next = kept[shown.length]?.name;
  const text = [
    "## 工作规则（必须严格遵守）",
    "以下规则是用户设定的强制要求，你必须在每次操作中遵守：",
    ...shown.flatMap(({ file, name }, i) => [
      `# ${stemOf(name)}`,
      `规则 ${i + 1}: ${file.text}`,
      ...cutNote(file.cut, name),
    ]),
    ...next === undefined ? [] : [
      `(${kept.length - shown.length} more rule files, from ${next} on, did not fit; Read them)`,
    ],
    ...left.map(noted),
  ].join("\n");
  const made = {
    ...part("rules", text, rules.reduce((sum, { file }) => sum + file.cut, 0), left),
    files: rules.map(({ name, file }) => ({ name, text: file.text })),
  };
  return kept.length === 0
    ? made
    : { ...made, reminder: reminderOf(kept.map(({ file }) => file), o.t) };
}

/** What a rule is called: its file without `.md`. */
const stemOf = (name: string) =>
  name.replace(/^.*\//, "").replace(/\.md$/, "").replaceAll(/\p{Cc}/gu, "?");

/** The rule files in the order of their numbers, with their names as people say them. */
export function rulePaths(o: PromptOptions): WatchedFile[] {
  return ruleFolders(o).flatMap(({ dir, name }) =>
    markdownIn(dir).map((file) => ({ path: under(dir, file), name: `${name}/${file}` }))
  );
}

/** The folders in which rules lie. */
function ruleFolders(o: PromptOptions): { dir: string; name: string }[] {
  const folders = [
    ...o.userDir === undefined ? [] : [{ dir: under(o.userDir, "rules"), name: "~/.narnat/rules" }],
    { dir: under(o.workspace, ".narnat", "rules"), name: ".narnat/rules" },
    { dir: under(o.workspace, ".agent", "rules"), name: ".agent/rules" },
  ];
  return folders.filter(({ dir }, at) => folders.findIndex((one) => one.dir === dir) === at);
}

/** A rule of a narnat.json, as the text of a file, cut to `room` bytes. */
function settingsRule(rule: string, room: number): InstructionFile {
  const bytes = new TextEncoder().encode(rule);
  const text = new TextDecoder().decode(bytes.subarray(0, room)).replace(/\ufffd$/, "");
  return { path: "", text, bytes: bytes.length, cut: Math.max(0, bytes.length - room) };
}

/** A link that leads nowhere, as a file that was left out. */
function danglingAt(path: string): InstructionFile | undefined {
  return !mayRead(path) || isThere(path) ? undefined : leftAs("dangling", path);
}

/** Folders in which somebody may have meant rules to lie. */
function foldersBelow(o: PromptOptions): { file: InstructionFile; name: string }[] {
  return ruleFolders(o).flatMap(({ dir, name }) =>
    namesIn(dir).filter((one) => !one.includes(".")).flatMap((one) => {
      const path = under(dir, one);
      return markdownIn(path).length === 0
        ? []
        : [{ file: leftAs("nested", path), name: `${name}/${one}/` }];
    })
  );
}

const leftAs = (left: "dangling" | "nested", path: string): InstructionFile => ({
  path,
  text: "",
  bytes: 0,
  cut: 0,
  left,
});

function reminderOf(rules: readonly InstructionFile[], t: T): string {
  const quoted: string[] = [];
  let chars = 0;
  for (const [index, { text }] of rules.entries()) {
    const line = `规则 ${index + 1}: ${firstLine(text)}`;
    chars += line.length;
    if (chars > QUOTED) {
      quoted.push("…");
      break;
    }
    quoted.push(line);
  }
  return t(
    "{mark} Rule reminder: every step must keep {n:the work rule|all work rules} of the system prompt ({n}).\n{rules}",
    {
      mark: HOST_MARK,
      n: rules.length,
      rules: quoted.join("\n"),
    },
  );
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0]!.replace(/^[#\s*-]+/, "").trim();
  const whole = text.trim() === line && line.length <= QUOTED_OF_ONE;
  return whole ? line : `${line.slice(0, QUOTED_OF_ONE).toWellFormed()} …`;
}
