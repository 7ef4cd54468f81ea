/** Two ways measured against each other, alternated. */

export const ROUNDS = 11;

/** The middle one. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}

/** Milliseconds until the work is done. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Runs a program to its end and returns how many lines it printed. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<number> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  // ripgrep ends with 1 when nothing matched
  if (code > 1) throw new Error(`Cannot run ${program}: ${new TextDecoder().decode(stderr)}`);
  return stdout.reduce((lines, byte) => byte === 10 ? lines + 1 : lines, 0);
}

/** The first of these programs that can be started. */
export async function firstThatRuns(programs: readonly string[]): Promise<string | undefined> {
  for (const program of programs) {
    try {
      await run(program, ["--version"], ".");
      return program;
    } catch { /* the next one */ }
  }
  return undefined;
}

/** Prints a row: our median, theirs, the ratio and whether it meets the aim. */
export function row(
  label: string,
  ours: readonly number[],
  theirs: readonly number[],
  aim?: number,
) {
  const ratio = median(ours) / median(theirs);
  const cells = [`${median(ours).toFixed(1)} ms`, `${median(theirs).toFixed(1)} ms`];
  const verdict = aim === undefined ? "" : `≤ ${aim}${ratio > aim ? "  !" : ""}`;
  const shown = [...cells, `${ratio.toFixed(2)}×`].map((cell) => cell.padStart(11)).join("");
  console.log(label.padEnd(34) + shown + "  " + verdict);
}

/** Alternates two ways and prints the row. */
export async function compare(
  label: string,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
  aim?: number,
  rounds = ROUNDS,
): Promise<void> {
  const samples: [number[], number[]] = [[], []];
  for (let round = -1; round < rounds; round++) {
    const pair = [await ours(), await theirs()] as const;
    // the round before the first fills caches
    if (round < 0) continue;
    samples[0].push(pair[0]);
    samples[1].push(pair[1]);
  }
  row(label, ...samples, aim);
}
