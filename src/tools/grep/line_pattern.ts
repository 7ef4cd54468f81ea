/** A regular expression over lines that cannot hang narnat. */

const DEADLINE_MS = 200;

/** Thrown when a pattern takes too long on some line. */
export class SlowPatternError extends Error {
  override readonly name = "SlowPatternError";
}

/**
 * A function that tells whether one of some lines matches `source`; a string is why it is no regular
 * expression. It throws SlowPatternError when the lines take it longer than 200 ms.
 */
export async function compileLines(
  source: string,
): Promise<((lines: readonly string[]) => boolean) | string> {
  let regex: RegExp;
  try {
    const flags = /^\(\?([ims]+)\)/.exec(source);
    regex = new RegExp(flags ? source.slice(flags[0].length) : source, flags?.[1] ?? "");
  } catch (error) {
    return (error as Error).message;
  }
  const vm = await import("node:vm");
  const place: { regex: RegExp; lines: readonly string[] } = { regex, lines: [] };
  const context = vm.createContext(place);
  const script = new vm.Script("lines.some((line) => regex.test(line))");
  return (lines) => {
    place.lines = lines;
    try {
      return script.runInContext(context, { timeout: DEADLINE_MS }) === true;
    } catch (error) {
      if ((error as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      throw new SlowPatternError(source);
    }
  };
}
