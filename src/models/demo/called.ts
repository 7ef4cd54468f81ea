/** From a failing assertion to the function it calls. */
import type { Failure } from "./failure.ts";
import type { FailedCall, SourceLine } from "./rules.ts";

/** A call of a function from another file. */
export interface Called extends FailedCall {
  /** As the function is named where it is defined. */
  readonly name: string;
  /** As the import names it. */
  readonly module: string;
}

interface Import {
  /** How the call begins. */
  readonly local: string;
  readonly name: string;
  readonly module: string;
}

/** Above an assertion its value may be computed within this many lines. */
const LINES_ABOVE = 6;

/** The imported function that the failing assertion calls, or the lines just above it. */
export function calledIn(test: string, failure: Failure): Called | undefined {
  const { line, actual, expected } = failure;
  const lines = test.split("\n");
  const imports = importsIn(test);
  const windows = [lines.slice(line - 1, line + 3).join("\n")];
  for (let at = line - 2; at >= 0 && at >= line - 1 - LINES_ABOVE; at--) windows.push(lines[at]!);
  for (const text of windows) {
    for (const { local, name, module } of imports) {
      const call = new RegExp(`(?<![\\w.$])${local.replaceAll("$", "\\$")}\\(([^()]*)`).exec(text);
      if (!call) continue;
      const args = call[1]!.split(",").map((arg) => arg.trim()).filter(Boolean);
      return { name, module, args, actual, expected };
    }
  }
  return undefined;
}

function importsIn(test: string): Import[] {
  const found: Import[] = [];
  const named = (names: string, module: string, as: RegExp) => {
    for (const part of names.split(",")) {
      const [name, local] = part.trim().split(as);
      if (name) found.push({ name, local: local ?? name, module });
    }
  };
  const whole = (local: string, module: string) => {
    const used = new Set([...test.matchAll(new RegExp(`\\b${local}\\.(\\w+)\\(`, "g"))]
      .map(([, name]) => name!));
    for (const name of used) found.push({ name, local: `${local}\\.${name}`, module });
    found.push({ name: local, local, module });
  };
  for (const [, names, module] of test.matchAll(/import\s*\{([^}]*)\}\s*from\s*["'](\.[^"']*)/g)) {
    named(names!, module!, /\s+as\s+/);
  }
  for (
    const [, names, module] of test.matchAll(
      /(?:const|let|var)\s*\{([^}]*)\}\s*=\s*require\(["'](\.[^"']*)/g,
    )
  ) named(names!, module!, /\s*:\s*/);
  for (
    const [, local, module] of test.matchAll(
      /import\s+(?:\*\s*as\s+)?(\w+)\s+from\s*["'](\.[^"']*)/g,
    )
  ) whole(local!, module!);
  for (
    const [, local, module] of test.matchAll(
      /(?:const|let|var)\s+(\w+)\s*=\s*require\(["'](\.[^"']*)/g,
    )
  ) whole(local!, module!);
  for (
    const [, module, names] of test.matchAll(/^\s*from\s+([\w.]+)\s+import\s+\(?([\w\s,]+)\)?/gm)
  ) named(names!.split(/\n(?!\s)/)[0]!, module!, /\s+as\s+/);
  for (const [, module, local] of test.matchAll(/^\s*import\s+([\w.]+)(?:\s+as\s+(\w+))?\s*$/gm)) {
    whole(local ?? module!.replaceAll(".", "\\."), module!);
  }
  return found;
}

/** The lines of the named function, by its braces or its indentation. */
export function bodyOf(lines: readonly SourceLine[], name: string): SourceLine[] {
  const def = lines.findIndex(({ text }) =>
    new RegExp(`^\\s*(?:async\\s+)?def\\s+${name}\\b`).test(text)
  );
  if (def >= 0) return indented(lines, def);
  const head = new RegExp(
    `\\b(?:function\\*?|const|let|var)\\s+${name}\\b|\\bexports\\.${name}\\s*=|` +
      `^\\s*(?:(?:async|static|export)\\s+)*${name}\\s*(?:\\([^)]*\\)[^;]*\\{|:\\s*(?:async\\b|function\\b|\\())`,
  );
  const start = lines.findIndex(({ text }) => head.test(text));
  return start < 0 ? [] : braced(lines, start);
}

function braced(lines: readonly SourceLine[], start: number): SourceLine[] {
  let depth = 0;
  for (let at = start; at < lines.length; at++) {
    const text = lines[at]!.text;
    depth += (text.match(/\{/g)?.length ?? 0) - (text.match(/\}/g)?.length ?? 0);
    const blank = (lines[at + 1]?.text ?? "").trim() === "";
    const ended = text.includes("}") || text.trimEnd().endsWith(";") || blank;
    if (depth <= 0 && ended) return lines.slice(start, at + 1);
  }
  return lines.slice(start);
}

function indented(lines: readonly SourceLine[], start: number): SourceLine[] {
  const depthOf = (text: string) => text.length - text.trimStart().length;
  const depth = depthOf(lines[start]!.text);
  let end = start + 1;
  for (; end < lines.length; end++) {
    const { text } = lines[end]!;
    if (text.trim() !== "" && depthOf(text) <= depth && !/^\s*\)/.test(text)) break;
  }
  return lines.slice(start, end);
}
