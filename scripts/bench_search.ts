/** Measures search in ratios to ripgrep 15 and fd, alternated in one run; folders may be given as arguments. */
import { basename, join } from "node:path";
import { createSearcher } from "../src/search/mod.ts";
import type { GlobQuery, GrepQuery } from "../src/search/types.ts";
import { compare, firstThatRuns, median, ROUNDS, run, timed } from "./bench_compare.ts";
import { makeTree, RARE } from "./bench_trees.ts";
import { bundle, ROOT, script } from "./bundle.ts";
import { bundleNarnat } from "./groups.ts";

const SIGNAL = new AbortController().signal;
const ENTRY = new URL(`file://${join(ROOT, "main.ts")}`).href;

/** One way to search; `rg` are the words for ripgrep, `aim` the ratio to it that is wanted. */
interface Form {
  readonly name: string;
  readonly query: Partial<GrepQuery>;
  readonly rg: readonly string[];
  readonly aim: number;
}

const FORMS: readonly Form[] = [
  { name: "rare literal", query: { patterns: [RARE] }, rg: [RARE], aim: 1 },
  { name: "frequent literal", query: { patterns: ["return"] }, rg: ["return"], aim: 1 },
  {
    name: "ignoring case",
    query: { patterns: ["todo: c"], ignoreCase: true },
    rg: ["-i", "todo: c"],
    aim: 1,
  },
  {
    name: "regex with a literal",
    query: { patterns: ["[A-Z]+_SUSPEND"] },
    rg: ["[A-Z]+_SUSPEND"],
    aim: 1,
  },
  {
    name: "alternation",
    query: { patterns: ["CURSOR_SUSPEND|TODO: queue|no_such_word"] },
    rg: ["CURSOR_SUSPEND|TODO: queue|no_such_word"],
    aim: 1,
  },
  { name: "word", query: { patterns: ["queue"], word: true }, rg: ["-w", "queue"], aim: 1 },
  {
    name: "regex without a literal",
    query: { patterns: ["\\w{20,}\\d"] },
    rg: ["\\w{20,}\\d"],
    aim: 0.6,
  },
];

const MODES: readonly Form[] = [
  {
    name: "count of a literal",
    query: { patterns: ["cursor"], mode: "count", limit: 1e6 },
    rg: ["-c", "cursor"],
    aim: 1,
  },
  {
    name: "lines of a regex",
    query: { patterns: ["[A-Z]+_SUSPEND"], mode: "content" },
    rg: ["-n", "[A-Z]+_SUSPEND"],
    aim: 1,
  },
  {
    name: "lines with context",
    query: { patterns: ["[A-Z]+_SUSPEND"], mode: "content", before: 2, after: 2 },
    rg: ["-n", "-C2", "[A-Z]+_SUSPEND"],
    aim: 1,
  },
];

/** Returns a query for all of a folder. */
export function grepQuery(root: string, more: Partial<GrepQuery>): GrepQuery {
  return {
    patterns: [],
    literal: false,
    ignoreCase: false,
    word: false,
    multiline: false,
    root,
    folder: true,
    mode: "files",
    globs: [],
    types: [],
    before: 0,
    after: 0,
    limit: 50,
    offset: 0,
    deadlineMs: 60_000,
    ...more,
  };
}

function globQuery(root: string, pattern: string): GlobQuery {
  return { root, patterns: [pattern], hidden: false, limit: 100, deadlineMs: 60_000 };
}

async function benchTree(
  root: string,
  built: Built,
  { rg, fd }: { rg: string; fd: string | undefined },
  label: string,
  rounds: number = ROUNDS,
): Promise<void> {
  const search = (args: readonly string[]) =>
    run(rg, ["--no-config", "--hidden", "-g", "!.git", ...args, "."], root);
  const ripgrep = (args: readonly string[]) => () => timed(() => search(args));
  console.log(`\n${label}`);
  const searcher = createSearcher({ entry: ENTRY });
  try {
    const grep = (form: Form) => () =>
      timed(() => searcher.grep(grepQuery(root, form.query), SIGNAL));
    // stamps younger than two seconds are not trusted, and workers come to what lasts
    await searcher.grep(grepQuery(root, FORMS[0]!.query), SIGNAL);
    await new Promise((resolve) => setTimeout(resolve, 2200));
    for (let again = 0; again < 3; again++) {
      await searcher.grep(grepQuery(root, FORMS.at(-1)!.query), SIGNAL);
    }
    const files = await searcher.glob({ ...globQuery(root, "**/*"), hidden: true }, SIGNAL);
    tellDifference("files", files.total, await search(["--files"]));
    for (const form of FORMS) {
      const { matchedFiles } = await searcher.grep(grepQuery(root, form.query), SIGNAL);
      tellDifference(form.name, matchedFiles, await search(["-l", ...form.rg]));
      await compare(
        `Grep, ${form.name}`,
        grep(form),
        ripgrep(["-l", ...form.rg]),
        form.aim,
        rounds,
      );
    }
    for (const form of MODES) {
      await compare(`Grep, ${form.name}`, grep(form), ripgrep(form.rg), form.aim, rounds);
    }
    for (const pattern of ["**/*", "**/*.{ts,h}"]) {
      const glob = () => timed(() => searcher.glob(globQuery(root, pattern), SIGNAL));
      const args = pattern === "**/*" ? [] : ["-e", "ts", "-e", "h"];
      if (fd) {
        const files = ["-t", "f", ...args, "."];
        await compare(
          `Glob ${pattern} to fd`,
          glob,
          () => timed(() => run(fd, files, root)),
          0.4,
          rounds,
        );
        const sorted = () => timed(() => run(fd, [...files, "-X", "ls", "-t"], root));
        await compare("  to fd -X ls -t, newest first too", glob, sorted, undefined, rounds);
      }
    }
  } finally {
    searcher.close();
  }
  await benchFirst(root, built, ripgrep);
}

/** Times say little when not the same was found. */
function tellDifference(what: string, ours: number, theirs: number): void {
  if (ours !== theirs) console.log(`  ${what}: ${ours} here, ${theirs} there`);
}

/** While the arguments of a call arrive narnat looks at the tree, as a session does. */
const ARRIVES_MS = 300;

/** The first search of a process, built as narnat is; rg is a process of its own each time, too. */
async function benchFirst(
  root: string,
  built: Built,
  ripgrep: (args: readonly string[]) => () => Promise<number>,
): Promise<void> {
  const first = (kind: "grep" | "glob", ms: number) => async () =>
    JSON.parse(
      await ownProcess(["-A"], ["--first", kind, root, built.search, built.entry, `${ms}`]),
    );
  const rg = ripgrep(["-l", RARE]);
  const files = ripgrep(["--files"]);
  for (
    const [when, ms] of [["of a process", 0], [
      `${ARRIVES_MS} ms after its call began`,
      ARRIVES_MS,
    ]] as const
  ) {
    await compare(`first Grep ${when}`, first("grep", ms), rg, 1.5, 7);
    await compare(`first Glob ${when}, to rg --files`, first("glob", ms), files, 2, 7);
  }
}

/** Searches once, in a process in which nothing has been searched before, and prints the milliseconds. */
async function firstOfProcess(
  kind: string,
  root: string,
  search: string,
  entry: string,
  ms: number,
): Promise<void> {
  const { createSearcher }: typeof import("../src/search/mod.ts") = await import(search);
  const searcher = createSearcher({ entry });
  if (ms > 0) searcher.warm(root);
  await new Promise((resolve) => setTimeout(resolve, ms));
  const look = () =>
    kind === "grep"
      ? searcher.grep(grepQuery(root, FORMS[0]!.query), SIGNAL)
      : searcher.glob(globQuery(root, "**/*"), SIGNAL);
  console.log(await timed(look));
  searcher.close();
}

/** What is measured as it is built: the module to search with and the one workers start with. */
interface Built {
  readonly search: string;
  readonly entry: string;
}

async function build(folder: string): Promise<Built> {
  const [parts, whole] = [join(folder, "search"), join(folder, "built")];
  return {
    search: `file://${join(parts, await bundle(join(ROOT, "src/search/mod.ts"), parts))}`,
    entry: `file://${join(whole, await bundleNarnat(whole))}`,
  };
}

/** What one process of its own showed: its peak memory in MB and the median of a warm Grep. */
interface Alone {
  /** After one search. */
  readonly first: number;
  /** After all of them. */
  readonly peak: number;
  readonly warm: number;
}

/** Searches a folder a few times with workers that start at `entry`, and prints an Alone. */
async function alone(root: string, entry: string): Promise<void> {
  const searcher = createSearcher({ entry });
  const times: number[] = [];
  await searcher.grep(grepQuery(root, FORMS[0]!.query), SIGNAL);
  const first = await peakMb();
  for (const form of [...FORMS, ...MODES, ...FORMS, ...FORMS]) {
    times.push(await timed(() => searcher.grep(grepQuery(root, form.query), SIGNAL)));
  }
  await searcher.glob(globQuery(root, "**/*"), SIGNAL);
  const peak = await peakMb();
  console.log(JSON.stringify({ first, peak, warm: median(times.slice(-FORMS.length)) }));
  searcher.close();
}

/** The most memory that this process has held. */
async function peakMb(): Promise<number> {
  const status = await Deno.readTextFile("/proc/self/status").catch(() => "");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? NaN) / 1024;
}

/** What this script prints under flags and words, in a process of its own. */
async function ownProcess(flags: readonly string[], words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    // as the executable's launcher starts it
    args: [
      "run",
      "--v8-flags=--max-semi-space-size=2,--heap-growing-percent=20",
      ...flags,
      join(ROOT, "scripts", "bench_search.ts"),
      ...words,
    ],
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(code === 0 ? stdout : stderr);
  if (code !== 0) throw new Error(`Cannot measure search alone: ${text}`);
  return text;
}

/** Memory and the cost of partial permissions, with the workers as they are built. */
async function benchAlone(
  root: string,
  entry: string,
  label: string,
  aim: number,
): Promise<void> {
  const inOwnProcess = async (flags: readonly string[]): Promise<Alone> =>
    JSON.parse(await ownProcess(flags, ["--alone", root, entry]));
  const whole = await inOwnProcess(["-A"]);
  const over = whole.first > aim ? "  !" : "";
  console.log(
    `${`memory of a search, ${label}`.padEnd(56)}${whole.first.toFixed(0).padStart(8)} MB  ` +
      `≤ ${aim}${over}; after all of these ${whole.peak.toFixed(0)} MB`,
  );
  const partial = ["--allow-read", "--allow-env", "--allow-sys"];
  const some = await inOwnProcess(partial);
  const ratio = some.warm / whole.warm;
  console.log(`${`partial permissions, ${label}`.padEnd(56)}${ratio.toFixed(2).padStart(10)}×`);
}

/** Measures search on two made trees, or on the folders given. */
export async function benchSearch(given: readonly string[]): Promise<void> {
  const { rgPath: rg } = await import("npm:@vscode/ripgrep@1.18.0");
  const fd = await firstThatRuns(["fdfind", "fd"]);
  console.log(
    `Search to ripgrep 15${
      fd ? " and fd" : ""
    }: medians of ${ROUNDS} alternated rounds; ! misses the aim`,
  );
  const temporary = await Deno.makeTempDir({ prefix: "narnat-bench-" });
  try {
    const built = await build(temporary);
    for (const folder of given) {
      const root = await Deno.realPath(folder);
      await benchTree(root, built, { rg, fd }, basename(root));
    }
    if (given.length > 0) return;
    // the memory of a process that only searches is measured: it shall not load these
    const { benchFiles } = await import("./bench_files.ts");
    const { measureWeb } = await import("./bench_web.ts");
    const [small, large] = [join(temporary, "small"), join(temporary, "large")];
    makeTree(small, 3000, 3400);
    await benchTree(small, built, { rg, fd }, "3,000 files, 10 MB");
    await benchAlone(small, built.entry, "3,000 files", 100);
    await benchFiles(temporary);
    const { ratio } = await measureWeb();
    console.log("page to Markdown, to parsing it".padEnd(56) + `${ratio.toFixed(2).padStart(10)}×`);
    makeTree(large, 80_000, 1500);
    await benchTree(large, built, { rg, fd }, "80,000 files, 120 MB", 5);
    await benchAlone(large, built.entry, "80,000 files", 220);
  } finally {
    await Deno.remove(temporary, { recursive: true });
  }
}

async function main(): Promise<void> {
  const [how, ...[one = "", two = "", three = "", four = "", five]] = Deno.args;
  if (how === "--alone") await alone(one, two);
  else if (how === "--first") await firstOfProcess(one, two, three, four, Number(five));
  else await benchSearch(Deno.args);
}

if (import.meta.main) await script(main);
