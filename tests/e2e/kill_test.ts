/** Killed at any moment: nothing acknowledged is lost, no file is half written, the session goes on. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { pairCalls } from "../../src/session/state.ts";
import type { Message, ToolCall } from "../../src/base/types.ts";
import { BUNDLED } from "../support/bundled.ts";
import {
  type CapturedRequest,
  type FakeProvider,
  type Reply,
  startFakeProvider,
} from "../support/fake_provider.ts";
import { runNarnat, startNarnat } from "../support/narnat.ts";
import { sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow, SOAK } from "../support/soak.ts";

const KILLS = SOAK > 1 ? 100 * SOAK : runs(18);
/** Of one session: after 120 questions it would be handed over. */
const ROUND = 50;
/** Of a working turn's life; a cycle of the tools below takes about 200 ms. */
const WORK_MS = 500;
/** Of a start. */
const START_MS = 200;
/** Of an edit, from the moment its request has arrived. */
const EDIT_MS = 25;

const FILLING = "x".repeat(300_000);
const content = (version: number) => `version ${version}\n${FILLING}\nversion ${version}\n`;

/** Which version a file holds; throws when it is none, or a mixture. */
function versionOf(path: string): number {
  const text = Deno.readTextFileSync(path);
  const version = Number(/^version (\d+)\n/.exec(text)?.[1]);
  assert.ok(text === content(version), `${path} is half written: ${text.length} characters`);
  return version;
}

/** An endless task: look, edit, run, write, over and over; a line that says "end" ends it. */
function work(root: string): (request: CapturedRequest, index: number) => Reply {
  return ({ json }, index): Reply => {
    const last = json.messages.at(-1);
    if (last.role === "user" && last.content.startsWith("end")) return { text: "Ended." };
    const target = join(root, "data.txt");
    const version = versionOf(target);
    switch (index % 4) {
      case 0:
        return {
          text: `step ${index}`,
          calls: [
            { name: "Read", input: { file_path: target, limit: 2 } },
            { name: "Grep", input: { pattern: `version ${version}` } },
          ],
        };
      case 1:
        return {
          calls: [{
            name: "Edit",
            input: {
              file_path: target,
              old_string: `version ${version}`,
              new_string: `version ${version + 1}`,
              replace_all: true,
            },
          }],
        };
      case 2:
        return {
          calls: [
            { name: "Bash", input: { command: "sleep 0.06; echo slept" } },
            { name: "Read", input: { file_path: target, limit: 1 } },
          ],
        };
      default:
        return {
          calls: [
            { name: "Read", input: { file_path: "new.txt", limit: 1 } },
            { name: "Write", input: { file_path: "new.txt", content: content(index) } },
          ],
        };
    }
  };
}

/** A small seeded generator, so that a failure can be run again. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Counted from the start, from the first request, from the first one that is answered by a change, or
 * from the first one that tells of an edit.
 */
interface Moment {
  readonly from: "start" | "request" | "edit" | "edited";
  readonly ms: number;
}

function momentOf(run: number, random: () => number): Moment {
  const upTo = (ms: number) => Math.floor(random() * ms);
  if (run % 6 === 5) return { from: "start", ms: upTo(START_MS) };
  if (run % 3 === 1) return { from: "edit", ms: upTo(EDIT_MS) };
  if (run % 6 === 0) return { from: "edited", ms: upTo(EDIT_MS) };
  return { from: "request", ms: upTo(WORK_MS) };
}

interface Killed {
  // deno-lint-ignore no-explicit-any -- events, read freely
  readonly events: any[];
  /** The last request of the run, if there was one. */
  readonly request: CapturedRequest | undefined;
}

/** Starts narnat on the newest session and kills it `ms` after its start or its first request. */
async function killedRun(
  root: string,
  env: Record<string, string>,
  provider: FakeProvider,
  line: string,
  when: Moment,
): Promise<Killed> {
  const before = provider.requests.length;
  const child = startNarnat(BUNDLED, ["-p", line, "-c", "--output-format", "stream-json"], {
    cwd: root,
    env,
  }, "piped");
  const out = child.stdout.text();
  const end = Date.now() + 20_000;
  const reached = () =>
    when.from === "start" ||
    provider.requests.slice(before).some((_request, i) =>
      when.from === "request" || (when.from === "edit" && (before + i) % 2 === 1) ||
      (when.from === "edited" && i > 0 && (before + i) % 4 === 2)
    );
  while (!reached()) {
    assert.ok(Date.now() < end, "narnat never asked the provider");
    await pause(2);
  }
  await pause(when.ms);
  child.kill("SIGKILL");
  await child.status;
  const lines = (await out).split("\n").slice(0, -1);
  return {
    events: lines.map((text) => JSON.parse(text)),
    request: provider.requests.slice(before).at(-1),
  };
}

/** What of a request's conversation the session has not got, in its words. */
function missingOf(request: CapturedRequest, messages: readonly Message[]): string[] {
  // deno-lint-ignore no-explicit-any -- the wire form
  const wire: any[] = request.json.messages.slice(1);
  return wire.flatMap((sent, at) => {
    const stored = messages[at];
    const same = stored?.role === sent.role &&
      (stored?.role === "tool"
        ? stored.id === sent.tool_call_id && stored.text === sent.content
        : stored?.text === (sent.content ?? ""));
    return same ? [] : [`message ${at}: ${JSON.stringify(sent).slice(0, 200)}`];
  });
}

function openCalls(messages: readonly Message[]): readonly ToolCall[] {
  const paired = pairCalls(messages, "open");
  const ids = paired.slice(messages.length).map((one) => one.role === "tool" ? one.id : "");
  const calls = messages.flatMap((one) => one.role === "assistant" ? one.calls : []);
  return calls.filter(({ id }) => ids.includes(id));
}

/** How often the model was told what of calls amid which narnat was killed. */
interface Told {
  running: number;
  /** Edits: made, and not made. */
  written: number;
  not: number;
  reads: number;
  notBegun: number;
}

/** What it is told must be true. */
function checkTold(
  text: string,
  { call, version }: { call: ToolCall; version: number },
  told: Told,
  what: string,
): void {
  const about = `${what}: ${call.name}: ${text}`;
  assert.match(text, /^interrupted: narnat was ended/, about);
  if (/only reads/.test(text)) {
    told.reads++;
    assert.ok(["Read", "Grep"].includes(call.name), about);
    return;
  }
  if (/before this call began/.test(text)) return void told.notBegun++;
  assert.match(text, /while this call ran \(begun \d{4}-\d\d-\d\d \d\d:/, about);
  told.running++;
  if (call.name !== "Edit") return;
  const wanted = Number(/"old_string":"version (\d+)"/.exec(call.input)![1]);
  if (/nothing was written/.test(text)) {
    told.not++;
    assert.equal(version, wanted, about);
  } else {
    told.written++;
    assert.equal(version, wanted + 1, about);
  }
}

slow(`killed at ${KILLS} random moments, a session loses nothing it has acknowledged`, {
  timeout: SOAK > 1 ? 3600_000 : 120_000,
}, async () => {
  const seed = Number(Deno.env.get("KILL_SEED") ?? Math.floor(Math.random() * 1e9));
  console.log(`KILL_SEED=${seed}`);
  const random = seeded(seed);
  const told = { running: 0, written: 0, not: 0, reads: 0, notBegun: 0 };
  for (let left = KILLS; left > 0; left -= ROUND) {
    await killed(Math.min(left, ROUND), random, told);
    if (left > ROUND) {
      console.log(`${left - ROUND} kills to go; told so far: ${JSON.stringify(told)}`);
    }
  }
  console.log(JSON.stringify(told));
});

/** Kills the runs of one session, and goes on with it in the end. */
async function killed(kills: number, random: () => number, told: Told): Promise<void> {
  const files = {
    "w/data.txt": content(0),
    "w/new.txt": content(0),
    // every request is to hold all of the session
    "home/.narnat/narnat.json": `{ "context_window": 1000000000 }`,
  };
  await withWorkspace(files, async (dir) => {
    const root = join(dir, "w");
    const provider = await startFakeProvider(work(root));
    const env = {
      NARNAT_API_KEY: "k-123456",
      NARNAT_BASE_URL: provider.url,
      NARNAT_MODEL: "fake",
    };
    const store = sessionStore(join(root, ".narnat/sessions"), { workspace: root });
    const kept = () => {
      const [newest, ...older] = store.list();
      assert.deepEqual(older, [], "every run goes on with the one session");
      return newest && { id: newest.id, messages: store.read(newest.id).messages };
    };
    /** Calls amid which a run was killed, with the version of the file then. */
    const open = new Map<string, { call: ToolCall; version: number }>();
    try {
      let before = kept();
      let toolEnds = 0;
      let versions = 0;
      let leftovers = 0;
      for (let run = 0; run < kills; run++) {
        const when = momentOf(run, random);
        const { events, request } = await killedRun(root, env, provider, `go ${run}`, when);
        const what = `run ${run}, killed ${when.ms} ms after its ${when.from}`;
        const session = kept();
        const messages = session?.messages ?? [];

        const prior = before?.messages ?? [];
        assert.deepEqual(messages.slice(0, prior.length), prior, `${what}: older messages stay`);
        if (before) assert.equal(session?.id, before.id, what);
        if (request) assert.deepEqual(missingOf(request, messages), [], what);
        const results = new Map(messages.flatMap((m) => m.role === "tool" ? [[m.id, m.text]] : []));
        for (const event of events) {
          if (event.type === "tool_end") {
            assert.equal(results.get(event.id), event.text, what);
            toolEnds++;
          }
        }
        const version = versionOf(join(root, "data.txt"));
        assert.ok(version >= versions, what);
        versions = version;
        versionOf(join(root, "new.txt"));
        const left = [...Deno.readDirSync(root)].filter((entry) => entry.name.endsWith(".tmp"));
        leftovers = Math.max(leftovers, left.length);
        assert.deepEqual(provider.pairingErrors, [], what);
        for (const [id, lost] of open) {
          const text = results.get(id);
          if (text === undefined) continue;
          open.delete(id);
          checkTold(text, lost, told, what);
        }
        for (const call of openCalls(messages)) open.set(call.id, { call, version });
        before = session;
      }
      assert.ok(open.size <= 2, "every call was settled at the next start that got so far");
      assert.ok(toolEnds > 5, `only ${toolEnds} results were printed`);
      assert.ok(versions > 0, "no edit was made");

      // what the killed left is swept by the next write there, when it is old enough to be sure
      await pause(2100);
      const goal = provider.requests.length + 6;
      const last = await runNarnat(BUNDLED, ["-p", "go on", "-c", "--output-format", "json"], {
        cwd: root,
        env,
        stdin: "",
        during: async (child) => {
          while (provider.requests.length < goal) await pause(5);
          child.kill("SIGINT");
        },
      });
      assert.equal(last.code, 130, last.stderr);
      const ended = await runNarnat(BUNDLED, ["-p", "end", "-c", "--output-format", "json"], {
        cwd: root,
        env,
      });
      assert.equal(ended.lines[0].text, "Ended.");
      assert.equal(ended.lines[0].session, before?.id);
      assert.deepEqual(provider.pairingErrors, []);
      const names = [...Deno.readDirSync(root)].map((entry) => entry.name).sort();
      assert.deepEqual(names, [".narnat", "data.txt", "new.txt"]);
      console.log(
        `${toolEnds} results, ${versions} edits, ${provider.requests.length} requests, ${leftovers} left`,
      );
    } finally {
      await provider.close();
    }
  });
}
