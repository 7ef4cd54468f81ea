/** Measures the search over all sessions: in ratios to ripgrep over their files, alternated in one run. */
import { english } from "../src/base/t.ts";
import { join } from "node:path";
import { createArchive } from "../src/features/history_search/archive.ts";
import { compare, firstThatRuns, run, timed } from "./bench_compare.ts";
import { script } from "./bundle.ts";

const SESSIONS = 1000;
const MESSAGES = 100;
/** Said in one session; every other word of the corpus is in nearly all. */
const RARE = { word: "zeitgeist", pair: "汇率", place: 500 };

const ENGLISH =
  "the handover keeps every changed file and open todo so that nothing is lost when a session ends and another one goes on with its summary server port test build error memory window tokens"
    .split(
      " ",
    );
const CHINESE =
  "上下文压缩之后记得运行测试我们把端口改成了八千零八十并且更新文档这个函数返回会话消息列表用户要求先读后改";

/** Sentences without end, the same in each run. */
function writer(): (words: number) => string {
  let seed = 1;
  const next = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
  return (words) =>
    Array.from({ length: words }, () => {
      const from = next(CHINESE.length - 8);
      return next(4) === 0
        ? CHINESE.slice(from, from + 2 + next(6))
        : ENGLISH[next(ENGLISH.length)]! + (next(9) === 0 ? next(5000) : "");
    }).join(" ");
}

/** Writes session files as narnat stores them; returns their bytes. */
function writeSessions(dir: string): number {
  const write = writer();
  let bytes = 0;
  for (let n = 0; n < SESSIONS; n++) {
    const lines: object[] = [{ type: "session", version: 1, id: `s${n}`, time: "2026-11-01" }];
    const add = (minute: number, message: object) =>
      lines.push({
        type: "message",
        time: new Date(n * 1e7 + minute * 6e4).toISOString(),
        message,
      });
    for (let m = 0; m < MESSAGES; m += 4) {
      const id = `call_${m}`;
      const input = JSON.stringify({ file_path: `src/part${m}/file${n}.ts`, pattern: write(2) });
      const rare = n === RARE.place && m === 0 ? ` ${RARE.word} 查一下汇率` : "";
      add(m, { role: "user", text: write(20) + rare });
      add(m, {
        role: "assistant",
        text: write(10),
        thinking: [],
        calls: [{ id, name: "Grep", input }],
      });
      add(m, { role: "tool", id, name: "Grep", ok: true, text: write(300) });
      add(m, { role: "assistant", text: write(60), thinking: [], calls: [] });
    }
    const text = lines.map((line) => JSON.stringify(line) + "\n").join("");
    bytes += text.length;
    Deno.writeTextFileSync(join(dir, `s${String(n).padStart(4, "0")}.jsonl`), text);
  }
  return bytes;
}

/** Prints the rows. */
export async function benchArchive(): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "narnat-bench-" });
  try {
    const characters = writeSessions(dir);
    const index = join(dir, "search.db");
    const options = { sessions: dir, memory: join(dir, "none"), index, t: english } as const;
    const search = async (words: string) => {
      const archive = createArchive(options);
      await archive.search(words);
      archive.close();
    };
    const first = await timed(() => search("handover"));
    console.log(
      `search in ${SESSIONS} sessions of ${MESSAGES} messages, ${
        (characters / 1e6).toFixed(0)
      }M characters: ` +
        `the first ${(first / 1000).toFixed(1)} s, its index ${
          (Deno.statSync(index).size / 1e6).toFixed(0)
        } MB`,
    );
    const rg = await firstThatRuns(["rg"]);
    if (rg === undefined) return console.log("no ripgrep to compare with");
    const theirs = (word: string) => () =>
      timed(() => run(rg, ["-l", "-F", "-i", word, "-g", "*.jsonl", "."], dir));
    const rows: [string, string, number?][] = [
      ["a rare word", RARE.word, 1],
      ["a rare pair of characters", RARE.pair, 1],
      ["a word of nearly all messages", "handover"],
      ["a pair of nearly all messages", "端口"],
    ];
    for (const [label, word, aim] of rows) {
      await compare(`  ${label}`, () => timed(() => search(word)), theirs(word), aim);
    }
    const growing = join(dir, "s0000.jsonl");
    const line = Deno.readTextFileSync(growing).split("\n")[1]! + "\n";
    await compare(
      "  a rare word, a session has grown",
      () => {
        Deno.writeTextFileSync(growing, line, { append: true });
        return timed(() => search(RARE.word));
      },
      theirs(RARE.word),
      1,
    );
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

if (import.meta.main) await script(benchArchive);
