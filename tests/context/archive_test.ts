/** The search over all that was said, over files that a real session store writes. */
import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { type Archive, createArchive } from "../../src/features/history_search/archive.ts";
import { createHistory } from "../../src/session/history.ts";
import type { SessionStore } from "../../src/session/store.ts";
import type { Carried, Message } from "../../src/base/types.ts";
import { sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow } from "../support/soak.ts";

const user = (text: string): Message => ({ role: "user", text });
const assistant = (text: string, input?: string): Message => ({
  role: "assistant",
  text,
  thinking: [],
  calls: input === undefined ? [] : [{ id: "a", name: "Grep", input }],
});
const result = (text: string): Message => ({ role: "tool", id: "a", name: "Grep", ok: true, text });

interface Place {
  readonly dir: string;
  readonly store: SessionStore;
  readonly archive: Archive;
  /** `memory` for an index of no file. */
  open(index?: string): Archive;
  /** A closed session of these messages; its id. */
  keep(...messages: readonly Message[]): string;
}

async function withArchive(use: (place: Place) => Promise<void>): Promise<void> {
  await withWorkspace({}, async (root) => {
    const dir = join(root, "sessions");
    let minutes = 0;
    const store = sessionStore(dir, {
      now: () => new Date(Date.UTC(2026, 10, 20, 8, minutes++)),
    });
    const opened: Archive[] = [];
    const open = (file = join(dir, "search.db")) => {
      const index = file === "memory" ? undefined : file;
      const memory = join(root, "memory");
      const archive = createArchive({ sessions: dir, memory, index, t: english });
      opened.push(archive);
      return archive;
    };
    Deno.mkdirSync(dir);
    try {
      await use({
        dir,
        store,
        archive: open(),
        open,
        keep(...messages) {
          const session = store.create();
          messages.forEach((message) => session.append(message));
          session.close();
          return session.id;
        },
      });
    } finally {
      opened.forEach((archive) => archive.close());
    }
  });
}

const found = async (archive: Archive, words: string) => (await archive.search(words)).hits;

Deno.test("a line, an answer, a call and a result are found, the newest first, with the hit marked", async () => {
  await withArchive(async ({ archive, keep }) => {
    const first = keep(user("Which port does the server take?"), assistant("Port 8080."));
    const second = keep(
      user("look"),
      assistant("", `{"pattern":"listen\\nport","path":"src/server.ts"}`),
      result("src/server.ts:3:  listen(port)"),
    );
    const hits = await found(archive, "port");
    assert.deepEqual(hits.map(({ session, who, snippet }) => [session, who, snippet]), [
      [second, "tool", "Grep src/server.ts:3: listen(«port»)"],
      [second, "assistant", "Grep listen «port» src/server.ts"],
      [first, "assistant", "«Port» 8080."],
      [first, "user", "Which «port» does the server take?"],
    ]);
    assert.equal(hits[3]!.time, "2026-11-20T08:01:00.000Z");
    assert.deepEqual((await found(archive, "server.ts")).map(({ who }) => who), [
      "tool",
      "assistant",
    ]);
  });
});

Deno.test("a hit deep in a long text is shown with what stands around it", async () => {
  await withArchive(async ({ archive, keep }) => {
    const text = (before: number) => user("a".repeat(before - 1) + " needle " + "b".repeat(200));
    for (const before of [30, 31, 500]) keep(text(before));
    const snippets = (await found(archive, "needle")).map(({ snippet }) => snippet);
    const around = (before: string, after: number) => `${before} «needle» ${"b".repeat(after)}…`;
    assert.deepEqual(snippets, [
      around("…" + "a".repeat(29), 73),
      around("…" + "a".repeat(29), 73),
      around("a".repeat(29), 73),
    ]);
  });
});

Deno.test("a snippet that holds all of a text leaves nothing out", async () => {
  await withArchive(async ({ archive, keep }) => {
    const rest = "b".repeat(103);
    for (const more of ["", "b"]) keep(user(`needle ${rest}${more}`));
    const snippets = (await found(archive, "needle")).map(({ snippet }) => snippet);
    assert.deepEqual(snippets, [`«needle» ${rest}…`, `«needle» ${rest}`]);
  });
});

Deno.test("all words must stand in one message, each as the beginning of a word", async () => {
  await withArchive(async ({ archive, keep }) => {
    keep(user("handover of a session"), assistant("createKeeper in session_state.ts"));
    const count = async (words: string) => (await found(archive, words)).length;
    assert.equal(await count("hand sess"), 1);
    assert.equal(await count("handover keeper"), 0);
    assert.equal(await count("Keeper"), 1);
    assert.equal(await count("createkeep"), 1);
    assert.equal(await count("session_state.ts"), 1);
    assert.equal(await count("state.session"), 0);
    assert.equal(await count('"of a session"'), 1);
    assert.equal(await count('"session a"'), 0);
  });
});

Deno.test("every two neighbouring Chinese characters are found, wherever a dictionary would cut", async () => {
  await withArchive(async ({ archive, keep }) => {
    const text = "我们把南京市长江大桥的端口改成了八千零八十，上下文压缩之后记得运行测试。";
    keep(user(text), assistant("好的"));
    const characters = [...text];
    for (let at = 0; at + 1 < characters.length; at++) {
      const pair = characters[at]! + characters[at + 1]!;
      if (/[，。]/.test(pair)) continue;
      const hits = await found(archive, pair);
      assert.equal(hits.length, 1, pair);
      assert.ok(hits[0]!.snippet.includes(`«${pair}»`), hits[0]!.snippet);
    }
    assert.equal((await found(archive, "江市")).length, 0);
    assert.equal((await found(archive, "端口 测试")).length, 1);
    assert.equal((await found(archive, "端口 天气")).length, 0);
  });
});

Deno.test("any run of any scripts that was said is found again", async () => {
  const piece = fc.constantFrom(
    "端",
    "口",
    "改",
    "テ",
    "ス",
    "한",
    "ж",
    "é",
    "port",
    "8080",
    "v2",
    "Ｐ",
  );
  const run = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
  await withArchive(async ({ open, keep }) => {
    const archive = open("memory");
    await fc.assert(
      fc.asyncProperty(run, run, run, async (before, word, after) => {
        const id = keep(user(`${before} ${word}，${after}`));
        const total = (await found(archive, word)).length;
        const unspaced = /^[\p{sc=Han}\p{sc=Katakana}\p{sc=Hangul}]+$/u;
        assert.ok(total > 0, word);
        if (!unspaced.test(word)) return;
        const inside = keep(user(`${before}${word}${after}`));
        const hits = await found(archive, word);
        assert.ok(hits.some(({ session }) => session === id || session === inside));
        assert.equal(hits[0]!.session, inside, `${word} in ${before}${word}${after}`);
      }),
      { numRuns: runs(100) },
    );
  });
});

Deno.test("what no index can hold is said, and marks of the query language are only text", async () => {
  await withArchive(async ({ archive, keep }) => {
    const id = keep(user(`He said "AND NOT" (x* OR y^2) NEAR col:umn -- {z}`));
    for (const words of ["", "  ", "*", `"`, '"" ()', "->"]) {
      await assert.rejects(archive.search(words), /Cannot search: name at least one word/, words);
    }
    const odd = [
      "AND",
      "NOT x*",
      "(x",
      "y^2",
      "NEAR",
      "col:umn",
      "-- {z}",
      `"AND`,
      `AND" NOT`,
      "OR'",
    ];
    for (const words of odd) {
      assert.deepEqual((await found(archive, words)).map(({ session }) => session), [id], words);
    }
  });
});

Deno.test("a search finds what came since the last one, and not what was taken back or deleted", async () => {
  await withArchive(async ({ archive, store, keep }) => {
    const count = async (words: string) => (await found(archive, words)).length;
    const session = store.create();
    session.append(user("alpha"), { asked: true });
    assert.equal(await count("alpha"), 1);
    session.append(assistant("beta"));
    session.append(user("gamma"), { asked: true });
    assert.equal(await count("gamma"), 1);
    session.retract();
    assert.equal(await count("gamma"), 0);
    assert.equal(await count("beta"), 1);
    session.append(user("delta"), { asked: true });
    session.close();
    assert.equal(await count("delta"), 1);
    const other = keep(user("alpha too"));
    assert.equal(await count("alpha"), 2);
    store.remove(other);
    assert.equal(await count("alpha"), 1);
  });
});

Deno.test("a file that was cut or written anew is read anew, a torn line is left for later", async () => {
  await withArchive(async ({ archive, dir, keep }) => {
    const count = async (words: string) => (await found(archive, words)).length;
    const path = join(dir, `${keep(user("alpha"), user("beta"))}.jsonl`);
    assert.equal(await count("beta"), 1);
    const [head, alpha] = Deno.readTextFileSync(path).split("\n");
    const longer = alpha!.replace(
      "alpha",
      "omega and more than there was before, so that it is longer",
    );
    Deno.writeTextFileSync(path, `${head}\n${longer}\n{"type":"message","time":"`);
    assert.equal(await count("beta"), 0);
    assert.equal(await count("alpha"), 0);
    assert.equal(await count("omega"), 1);
    Deno.writeTextFileSync(path, `x","message":{"role":"user","text":"zeta"}}\nrubbish\n`, {
      append: true,
    });
    assert.equal(await count("zeta"), 1);
    assert.equal(await count("omega"), 1);
  });
});

Deno.test("a summary that a session began with and the history are found too", async () => {
  await withArchive(async ({ archive, dir, store }) => {
    const next = store.create();
    next.inherit({ summary: "the port is 9999" } as Carried, undefined);
    next.close();
    createHistory(join(dir, "..", "memory"), () => new Date("2026-11-01T00:00:00Z"))
      .append("用户选了端口 9999", "20261031-000000-abcd");
    const hits = await found(archive, "9999");
    assert.deepEqual(hits.map(({ session, who }) => [session, who]), [
      [next.id, "summary"],
      ["20261031-000000-abcd", "history"],
    ]);
  });
});

Deno.test("a line of a memory file is found before all else, as it stands now", async () => {
  await withArchive(async ({ archive, dir, keep }) => {
    keep(user("which port?"));
    const memory = join(dir, "..", "memory");
    Deno.mkdirSync(memory, { recursive: true });
    const path = join(memory, "MEMORY.md");
    const hits = async (words: string) =>
      (await found(archive, words)).map(({ session, who, snippet }) => [session, who, snippet]);
    Deno.writeTextFileSync(path, "# Memory\n\n- port 8430, 用户选的端口\n- report daily\n");
    assert.deepEqual((await hits("port"))[0], [
      "MEMORY.md",
      "memory",
      "- «port» 8430, 用户选的端口",
    ]);
    assert.equal((await hits("port")).length, 2);
    assert.equal((await hits("端口 8430")).length, 1);
    assert.equal((await hits("8430 daily")).length, 0);
    Deno.writeTextFileSync(path, "- port 9000\n");
    assert.deepEqual(await hits("8430"), []);
    assert.equal((await hits("9000")).length, 1);
  });
});

Deno.test("sessions of the same instants are all found, the one that came last first", async () => {
  await withWorkspace({}, async (root) => {
    const index = join(root, "search.db");
    const store = sessionStore(root, { now: () => new Date("2026-11-20T08:00:00Z") });
    using archive = Object.assign(
      createArchive({ sessions: root, memory: root, index, t: english }),
      { [Symbol.dispose]: () => archive.close() },
    );
    const snippets = async () => (await found(archive, "alpha")).map(({ snippet }) => snippet);
    for (const n of [1, 2]) {
      const session = store.create();
      session.append(user(`alpha ${n} a`));
      session.append(user(`alpha ${n} b`));
      session.close();
      const seen = await snippets();
      assert.deepEqual(seen.slice(0, 2), [`«alpha» ${n} b`, `«alpha» ${n} a`]);
      assert.equal(seen.length, 2 * n);
    }
    // ids in the order of insertion: no free one is looked for, and nothing is put before others
    using db = new DatabaseSync(index);
    const ids = db.prepare("SELECT id FROM found ORDER BY rowid").all().map(({ id }) => id);
    assert.deepEqual(ids, [1, 2, 3, 4]);
  });
});

Deno.test("a search that has much to take in says so, once", async () => {
  await withArchive(async ({ archive, keep }) => {
    const told: string[] = [];
    const search = () => archive.search("alpha", (text) => told.push(text));
    keep(user("alpha"));
    await search();
    assert.deepEqual(told, []);
    keep(user(`alpha ${"x".repeat(9_000_000)}`));
    await search();
    await search();
    assert.match(told.join(), /^Indexing 1 file \(10 MB\), which takes some seconds/);
    assert.equal(told.length, 1);
  });
});

Deno.test("a turn's note in the history is found where its session is gone, and not beside it", async () => {
  await withArchive(async ({ archive, dir, store, keep }) => {
    const id = keep(user("which port?"), assistant("8080"));
    const history = createHistory(join(dir, "..", "memory"), () => new Date());
    history.append("**Task:** which port?\n**Result:** 8080", id);
    const whos = async () => (await found(archive, "port")).map(({ who }) => who);
    assert.deepEqual(await whos(), ["user"]);
    store.remove(id);
    assert.deepEqual(await whos(), ["history"]);
  });
});

Deno.test("the newest twenty are shown, three of a session, and whether there are more", async () => {
  await withArchive(async ({ archive, keep }) => {
    for (let n = 0; n < 10; n++) {
      keep(...Array.from({ length: 5 }, (_, i) => user(`word ${n} ${i}`)));
    }
    const { hits, more } = await archive.search("word");
    assert.equal(more, true);
    assert.equal((await archive.search("9 4")).more, false);
    assert.equal(hits.length, 20);
    assert.deepEqual(hits.slice(0, 4).map(({ snippet }) => snippet), [
      "«word» 9 4",
      "«word» 9 3",
      "«word» 9 2",
      "«word» 8 4",
    ]);
  });
});

Deno.test("base64 of images and the host's own words are not found, the ends of a long result are", async () => {
  await withArchive(async ({ archive, keep }) => {
    const middle = "filler ".repeat(1000);
    const image = { mediaType: "image/png", data: "iVBORw0KGgo" };
    keep(
      { ...result(`first ${middle} last`), images: [image] } as Message,
      user("[narnat] reminder of a rule"),
    );
    assert.equal((await found(archive, "first last")).length, 1);
    assert.equal((await found(archive, "iVBORw0KGgo")).length, 0);
    assert.equal((await found(archive, "reminder")).length, 0);
  });
});

Deno.test("an index that is spoilt, or another version's, is made anew", async () => {
  await withArchive(async ({ dir, open, keep }) => {
    const index = join(dir, "search.db");
    keep(user("alpha"));
    const once = async () => {
      const archive = open();
      const total = (await found(archive, "alpha")).length;
      archive.close();
      using db = new DatabaseSync(index);
      db.prepare("SELECT * FROM words WHERE words MATCH 'alpha'").all();
      return total;
    };
    assert.equal(await once(), 1);
    assert.equal(Deno.statSync(index).mode! & 0o777, 0o600);
    Deno.writeTextFileSync(
      index,
      "this is no index, and it is long enough to be looked at".repeat(99),
    );
    assert.equal(await once(), 1);
    const bytes = Deno.readFileSync(index);
    assert.equal(new TextDecoder().decode(bytes.subarray(0, 6)), "SQLite");
    bytes.fill(0xff, 4096);
    Deno.writeFileSync(index, bytes);
    assert.equal(await once(), 1);
    // the word's own page: nothing but looking for it finds the damage
    const page = Deno.readFileSync(index);
    const at = new TextDecoder("latin1").decode(page).lastIndexOf("0alpha");
    Deno.writeFileSync(index, page.fill(0xff, at - 8, at + 6));
    assert.equal(await once(), 1);
    const db = new DatabaseSync(index);
    db.exec("PRAGMA user_version = 99");
    db.close();
    assert.equal(await once(), 1);
  });
});

Deno.test("where no index can be written the search is the same", async () => {
  await withArchive(async ({ dir, open, keep }) => {
    keep(user("alpha"));
    const archive = open(join(dir, "no", "such", "folder.db"));
    assert.equal((await found(archive, "alpha")).length, 1);
    keep(user("alpha again"));
    assert.equal((await found(archive, "alpha")).length, 2);
  });
});

Deno.test("pipes hold no search up, and links lead nowhere", async () => {
  await withArchive(async ({ dir, open, keep }) => {
    keep(user("alpha"));
    const memory = join(dir, "..", "memory");
    Deno.mkdirSync(memory);
    Deno.writeTextFileSync(join(dir, "elsewhere"), "alpha elsewhere\n");
    Deno.symlinkSync(join(dir, "elsewhere"), join(memory, "MEMORY.md"));
    Deno.symlinkSync(join(dir, "nothing"), join(dir, "link.db"));
    await new Deno.Command("mkfifo", { args: [join(dir, "pipe.jsonl")] }).output();
    assert.equal((await found(open(join(dir, "link.db")), "alpha")).length, 1);
    assert.throws(() => Deno.lstatSync(join(dir, "nothing")), Deno.errors.NotFound);
  });
});

slow("two searches at once, of one narnat or two, index each message once", async () => {
  await withArchive(async ({ dir, open, keep }) => {
    for (let n = 0; n < 40; n++) keep(...Array.from({ length: 30 }, () => user(`word ${n}`)));
    const [a, b] = [open(), open()];
    const all = await Promise.all([a, b, a, b].map((one) => one.search("word")));
    assert.deepEqual(all.map(({ hits }) => hits.length), [20, 20, 20, 20]);
    const db = new DatabaseSync(join(dir, "search.db"));
    assert.equal(db.prepare("SELECT count(*) AS n FROM found").get()!.n, 1200);
    db.close();
  });
});

Deno.test("a search that is closed amid its work ends, and the next one finds everything", async () => {
  await withArchive(async ({ dir, open, keep }) => {
    for (let n = 0; n < 30; n++) keep(user(`word ${n} ${"filler ".repeat(50_000)}`));
    const first = open();
    let told = false;
    // what is told first stands before the first piece, this timer's turn behind it
    const search = first.search("word", () => {
      told = true;
      setTimeout(first.close);
    });
    await assert.rejects(search, /Cannot search/);
    assert.ok(told);
    const db = new DatabaseSync(join(dir, "search.db"));
    assert.equal(db.prepare("SELECT count(*) AS n FROM found").get()!.n, 0, "a part was kept");
    db.close();
    assert.equal((await found(open(), "word")).length, 20);
  });
});

Deno.test("a search waits while another program writes the index", async () => {
  await withArchive(async ({ dir, open, keep }) => {
    keep(user("alpha"));
    const archive = open();
    await archive.search("alpha");
    const other = new DatabaseSync(join(dir, "search.db"));
    other.exec("BEGIN IMMEDIATE");
    keep(user("alpha"));
    const search = archive.search("alpha");
    await new Promise((wake) => setTimeout(wake, 200));
    other.exec("COMMIT");
    assert.equal((await search).hits.length, 2);
    other.exec("BEGIN EXCLUSIVE");
    const again = archive.search("alpha");
    await new Promise((wake) => setTimeout(wake, 200));
    other.exec("COMMIT");
    assert.equal((await again).hits.length, 2);
    assert.equal(other.prepare("SELECT count(*) AS n FROM found").get()!.n, 2);
    other.close();
  });
});
