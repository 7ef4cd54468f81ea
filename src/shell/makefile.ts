/** What a makefile that the command line itself gives would run; one on disk is not looked into. */
import { readOptions } from "./options.ts";
import type { Arg } from "./words.ts";

const TAKES = "-f --file --makefile -C --directory -j -l -o -W -I --eval -E";

interface MakeCall {
  readonly args: readonly Arg[];
  readonly stdin?: string | undefined;
  readonly files: readonly string[];
}

/** Returns the recipes' lines as shell. */
export function recipesOf({ args, stdin, files }: MakeCall): string[] {
  const options = readOptions(args, TAKES);
  const file = options.value("-f", "--file", "--makefile");
  const texts = [options.value("--eval", "-E") ?? "", ...files];
  if (/^(-|\/dev\/(stdin|fd\/0))$/.test(file ?? "")) texts.push(stdin ?? "");
  return texts.flatMap((text) => text.replaceAll("\\\n", " ").split("\n")).flatMap((line) => {
    const called = /\$\(shell\s+([^()]*)\)/.exec(line)?.[1];
    if (called !== undefined) return [expanded(called)];
    const recipe = /^(?:\t|[^#=\t]*:[^=;]*;)\s*[@+-]*(.+)$/.exec(line)?.[1];
    return recipe === undefined ? [] : [expanded(recipe)];
  });
}

/** `$(RM)` is `rm -f`, `$$` is `$`. */
function expanded(recipe: string): string {
  return recipe.replace(/\$[({]RM[)}]/g, "rm -f").replaceAll("$$", "$");
}
