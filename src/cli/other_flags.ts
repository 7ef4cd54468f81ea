/** Flags of other agents, which people and scripts give out of habit: what does the same here. */

const DELETES = "--permission open --allow-delete";
const STREAM = "--output-format stream-json";
const TOOLS = "--tools A,B,…";
const HERE = "--cwd DIR";
const LAST = "--continue";

/** By their names in kebab-case; empty where nothing is needed. */
const INSTEAD: { readonly [flag: string]: string } = {
  "add-dir": "",
  "allow-all-tools": DELETES,
  "allowed-tools": TOOLS,
  "approval-mode": "--permission open|guarded|ask",
  "ask-for-approval": "--permission open|guarded|ask",
  "api-key": "NARNAT_API_KEY",
  "auto": DELETES,
  "cd": HERE,
  "dangerously-bypass-approvals-and-sandbox": DELETES,
  "dangerously-skip-permissions": DELETES,
  "debug": "NARNAT_LOG=debug",
  "dir": HERE,
  "directory": HERE,
  "disable-slash-commands": "",
  "disallowed-tools": TOOLS,
  "exclude-tools": TOOLS,
  "format": "--output-format text|json|stream-json",
  "full-auto": DELETES,
  "image": "@PATH",
  "include-directories": "",
  "include-partial-messages": STREAM,
  "json": STREAM,
  "last": LAST,
  "max-budget-usd": "--max-cost USD",
  "max-steps": "--max-iterations N",
  "max-turns": "--max-iterations N",
  "mcp-config": "narnat mcp add, .narnat/mcp.json",
  "message": '-p "…"',
  "no-session-persistence": "--no-session",
  "output": "--output-format text|json|stream-json",
  "permission-mode": "--permission open|guarded|ask, --plan",
  "prompt": '-p "…"',
  "provider": "--model PROVIDER/MODEL, --base-url URL",
  "quiet": '-p "…"',
  "sandbox": '--workspace-only, "sandbox" in narnat.json',
  "session-id": "--resume ID",
  "skip-git-repo-check": "",
  "stream": STREAM,
  "system-prompt": "--append-system-prompt TEXT, .narnat/narnat.md",
  "trust-all-tools": DELETES,
  "yes": DELETES,
  "yolo": DELETES,
};

/** What to use in the place of another agent's flag; empty where nothing is needed, undefined for any other flag. */
export function insteadOf(flag: string): string | undefined {
  const kebab = flag.replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, "-").toLowerCase();
  return Object.hasOwn(INSTEAD, kebab) ? INSTEAD[kebab] : undefined;
}
