/** Damage to a session file: what is not hit is kept. */
import { english } from "../../src/base/t.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import type { Message } from "../../src/base/types.ts";
import { recordingOf } from "../../src/features/replay/recording.ts";
import { eventsOf } from "../../src/features/replay/cli.ts";
import { pairCalls } from "../../src/session/state.ts";
import { sessionPrinter } from "../../src/terminal/replay_view.ts";
import { RECORDED, recordedPath } from "../fixtures/recorded.ts";
import { sessionStore } from "../support/parts.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow } from "../support/soak.ts";

/** A session with an entry of each kind that a turn makes, the last line a result. */
function written(dir: string) {
  const session = sessionStore(dir).create();
  session.append({ role: "user", text: "go 世界" }, { asked: true });
  session.append({ role: "user", text: "never answered" }, { asked: true });
  session.retract();
  session.append({
    role: "assistant",
    text: "",
    thinking: [{ text: "hm", signature: "s" }],
    calls: [{ id: "a", name: "Bash", input: '{"command":"ls"}' }, {
      id: "b",
      name: "Read",
      input: "{}",
    }],
  }, { usage: { input: 5, output: 2, cached: 1, cost: 0.5 }, ms: 12 });
  session.record({ type: "tool_start", id: "a", name: "Bash" });
  session.append({ role: "tool", id: "a", name: "Bash", ok: true, text: "x\n[exit 0]" }, {
    detail: { kind: "command", exit: 0, of: 1 },
    changed: ["f"],
  });
  session.append({ role: "tool", id: "b", name: "Read", ok: true, text: '{"type":"message"}' }, {
    seen: [{ path: "/w/f", hash: "h" }],
    todos: [{ content: "c", activeForm: "a", status: "pending" }],
  });
  session.close();
  return { id: session.id, path: join(dir, `${session.id}.jsonl`), messages: session.messages };
}

const spoken = (messages: readonly Message[]) => messages.map((one) => JSON.stringify(one));

/** Opens it, goes on with it, and checks that this holds; returns what it had. */
function goesOn(dir: string, id: string, what: string): { messages: string[]; bad: number } {
  const { session, bad } = sessionStore(dir).open(id);
  const messages = spoken(session.messages);
  assert.deepEqual(pairCalls(session.messages, "x"), session.messages, `${what}: pairs`);
  session.append({ role: "user", text: "more" }, { asked: true });
  const all = spoken(session.messages);
  session.close();
  const again = sessionStore(dir).open(id);
  assert.equal(again.bad, bad, `${what}: a line was glued`);
  assert.deepEqual(spoken(again.session.messages), all, `${what}: it comes back as it was`);
  again.session.close();
  return { messages, bad };
}

slow("a file cut at any byte gives back every whole record, and goes on", async () => {
  await withWorkspace({}, (dir) => {
    const { id, path, messages } = written(dir);
    const bytes = Deno.readFileSync(path);
    const ends = [...bytes.keys()].filter((at) => bytes[at] === 10);
    const after = ends.map((end) => {
      Deno.writeFileSync(path, bytes.subarray(0, end + 1));
      return goesOn(dir, id, `whole to ${end}`).messages;
    });
    assert.deepEqual(after.at(-1), spoken(messages));
    for (let cut = 0; cut <= bytes.length; cut++) {
      Deno.writeFileSync(path, bytes.subarray(0, cut));
      const found = goesOn(dir, id, `cut at ${cut}`);
      assert.equal(found.bad, 0);
      // a record is whole without its line end, too
      const records = ends.filter((end) => end <= cut).length;
      assert.deepEqual(found.messages, after[records - 1] ?? [], `cut at ${cut}`);
    }
    console.log(`${bytes.length + 1} cuts, each gives back every whole record`);
  });
});

slow("any byte flipped costs at most the record it stands in", async () => {
  await withWorkspace({}, (dir) => {
    const { id, path, messages } = written(dir);
    const bytes = Deno.readFileSync(path);
    const whole = spoken(messages);
    let lost = 0;
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [0, 1 + at % 7]) {
        const what = `byte ${at} (${String.fromCharCode(bytes[at]!)}), bit ${bit}`;
        const flipped = bytes.slice();
        flipped[at]! ^= 1 << bit;
        Deno.writeFileSync(path, flipped);
        const found = goesOn(dir, id, what);
        const same = found.messages.filter((one) => whole.includes(one)).length;
        if (bytes[at] === 10) assert.equal(same, whole.length, `${what}: a line end costs nothing`);
        const least = within(bytes, at, '"role":"assistant"') ? whole.length - 3 : whole.length - 1;
        assert.ok(
          same >= least,
          `${what}: ${same} of ${whole.length}\n${found.messages.join("\n")}`,
        );
        lost += whole.length - same;
      }
    }
    assert.ok(lost > 0, "the flips did something");
    console.log(`${2 * bytes.length} flips, each costs at most its own record`);
  });
});

/** Whether a byte stands in a line that holds a text. */
function within(bytes: Uint8Array, at: number, text: string): boolean {
  const start = bytes.lastIndexOf(10, at - 1) + 1;
  const end = bytes.indexOf(10, at);
  const line = new TextDecoder().decode(bytes.subarray(start, end < 0 ? bytes.length : end));
  return line.includes(text);
}

Deno.test("behind a message that cannot be read, what the model sees begins where it did", async () => {
  await withWorkspace({}, (dir) => {
    const session = sessionStore(dir).create();
    for (const text of ["one", "two", "three"]) {
      session.append({ role: "user", text }, { asked: true });
    }
    session.show({ why: "trimmed", lead: "so far", from: 2, shortened: [] });
    session.close();
    const path = join(dir, `${session.id}.jsonl`);
    Deno.writeTextFileSync(
      path,
      Deno.readTextFileSync(path).replace('"text":"one"', '"text:"one"'),
    );
    const { session: again, bad } = sessionStore(dir).open(session.id);
    assert.equal(bad, 1);
    assert.deepEqual(again.messages.map(({ text }) => text), ["two", "three"]);
    assert.equal(again.messages[again.viewFrom]?.text, "three");
    again.close();
  });
});

/** Ways to every value that is in one. */
function waysIn(value: unknown, way: readonly string[] = []): (readonly string[])[] {
  if (value === null || typeof value !== "object") return [way];
  const inner = Object.entries(value).flatMap(([key, one]) => waysIn(one, [...way, key]));
  return way.length === 0 ? inner : [way, ...inner];
}

Deno.test("a session with any value for any other is opened, taken apart and shown", async () => {
  const wrong = fc.constantFrom(undefined, null, -1, 1e308, "", "x", [], {}, [null], true);
  const files = RECORDED.map((name) => Deno.readTextFileSync(recordedPath(name)).split("\n"));
  const write = () => {};
  const place = {
    t: english,
    workspace: "/w",
    theme: "dark",
    env: () => undefined,
    write,
  } as const;
  const damaged = fc.record({
    file: fc.constantFrom(...files),
    line: fc.nat(),
    way: fc.nat(),
    wrong,
    columns: fc.constantFrom(undefined, 80),
  });
  await withWorkspace({}, async (dir) => {
    await fc.assert(
      fc.asyncProperty(damaged, async ({ file, line, way, wrong, columns }) => {
        const at = line % (file.length - 1);
        const entry = JSON.parse(file[at]!);
        const ways = waysIn(entry);
        const keys = ways[way % ways.length]!;
        const holder = keys.slice(0, -1).reduce((value, key) => value[key], entry);
        holder[keys.at(-1)!] = wrong;
        const text = file.with(at, JSON.stringify(entry)).join("\n");
        Deno.writeTextFileSync(join(dir, "x.jsonl"), text);
        const { session } = sessionStore(dir).open("x");
        session.close();
        assert.deepEqual(pairCalls(session.messages, "x"), session.messages);
        const { entries } = session;
        recordingOf(entries);
        const view = await sessionPrinter({ ...place, columns });
        for (const event of eventsOf(entries, "x")) view.hear(event);
        view.end();
      }),
      { numRuns: runs(300) },
    );
  });
});
