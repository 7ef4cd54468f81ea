/** What a makefile that the command line itself gives would run; one on disk is not looked into. */
import { readOptions } from "./invocation.ts";
import type { Arg } from "./words.ts";

const TAKES = "-f --file --makefile -C --directory -j -l -o -W -I --eval -E";
/** `target: what it needs; perhaps a recipe`. */
const RULE = /^([^\s#:=][^#:=]*):(?![:=])([^;]*)(?:;(.*))?$/;

interface MakeCall {
  readonly args: readonly Arg[];
  readonly stdin?: string | undefined;
  readonly files: readonly string[];
}

interface Target {
  readonly needs: readonly string[];
  readonly recipes: string[];
}

/** Returns the lines of the recipes that the call's goals need, as shell. */
export function recipesOf({ args, stdin, files }: MakeCall): string[] {
  const options = readOptions(args, TAKES);
  const file = options.value("-f", "--file", "--makefile");
  const texts = [options.value("--eval", "-E") ?? "", ...files];
  if (/^(-|\/dev\/(stdin|fd\/0))$/.test(file ?? "")) texts.push(stdin ?? "");
  const lines = texts.flatMap((text) => text.replaceAll("\\\n", " ").split("\n"));
  const called = lines.flatMap((line) => /\$\(shell\s+([^()]*)\)/.exec(line)?.[1] ?? []);
  const goals = options.operands.map(({ text }) => text).filter((text) => !text.includes("="));
  return [...called, ...recipesFor(goals, targetsIn(lines))].map(expanded);
}

function targetsIn(lines: readonly string[]): Map<string, Target> {
  const targets = new Map<string, Target>();
  let open: readonly Target[] = [];
  for (const line of lines) {
    const recipe = /^\t\s*[@+-]*(.+)$/.exec(line)?.[1];
    if (recipe !== undefined) { for (const one of open) one.recipes.push(recipe); }
    const [, names, needs = "", first] = line.startsWith("\t") ? [] : RULE.exec(line) ?? [];
    if (names === undefined) continue;
    open = names.trim().split(/\s+/).map((name) => {
      const before = targets.get(name);
      const target = {
        needs: [...before?.needs ?? [], ...needs.trim().split(/\s+/)],
        recipes: before?.recipes ?? [],
      };
      if (first !== undefined) target.recipes.push(first.replace(/^\s*[@+-]*/, ""));
      targets.set(name, target);
      return target;
    });
  }
  return targets;
}

/** The recipes of the goals and of all that they need; of all targets where a goal is none of them. */
function recipesFor(goals: readonly string[], targets: ReadonlyMap<string, Target>): string[] {
  const names = [...targets.keys()];
  const wanted = goals.length > 0
    ? [...goals]
    : names.filter((name) => !/^[.]/.test(name)).slice(0, 1);
  const isKnown = wanted.every((name) => targets.has(name)) &&
    !names.some((name) => /[%$]/.test(name));
  if (!isKnown) return [...targets.values()].flatMap(({ recipes }) => recipes);
  const reached = new Set<string>();
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    wanted.push(...targets.get(name)?.needs ?? []);
  }
  return [...reached].flatMap((name) => targets.get(name)?.recipes ?? []);
}

/** `$(RM)` is `rm -f`, `$(MAKE)` is `make`, `$$` is `$`. */
function expanded(recipe: string): string {
  return recipe.replace(/\$[({]RM[)}]/g, "rm -f").replace(/\$[({]MAKE[)}]/g, "make")
    .replaceAll("$$", "$");
}
