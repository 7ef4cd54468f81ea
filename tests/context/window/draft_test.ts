import fc from "fast-check";
import assert from "node:assert/strict";
import { english } from "../../../src/base/t.ts";
import type { Carried, Todo } from "../../../src/base/types.ts";
import { pinned } from "../../../src/context/window/draft.ts";
import type { SessionFile } from "../../../src/session/store.ts";
import { chinese } from "../../support/chinese.ts";
import { sessionStore } from "../../support/parts.ts";
import { runs } from "../../support/soak.ts";

function ask(session: SessionFile, text: string): void {
  session.append({ role: "user", text }, { asked: true });
}

function change(session: SessionFile, paths: readonly string[], verified?: true): void {
  const message = { role: "tool" as const, id: "i", name: "Edit", ok: true, text: "" };
  session.append(message, { changed: paths, ...verified && { verified } });
}

const todo = (content: string, status: Todo["status"]): Todo => ({
  content,
  activeForm: content,
  status,
});

Deno.test("the last three requests are pinned word for word, however many there were", () => {
  const session = sessionStore(undefined).create();
  for (const text of ["one", "two", "three\nof two lines", "four"]) ask(session, text);
  const text = pinned(session, english);
  assert.match(text, /- two\n- three\n {2}of two lines\n- four\n/);
  assert.ok(!text.includes("- one"));
});

Deno.test("a huge request keeps its beginning and its end", () => {
  const session = sessionStore(undefined).create();
  ask(session, `begin ${"x".repeat(100_000)} end`);
  const text = pinned(session, english);
  assert.ok(text.length < 5000, String(text.length));
  assert.match(text, /- begin x+\n {2}… \(97010 characters left out\) …\n {2}x+ end\n/);
});

Deno.test("open todos are pinned, completed ones are not", () => {
  const session = sessionStore(undefined).create();
  session.append({ role: "user", text: "x" }, {
    todos: [todo("done", "completed"), todo("now", "in_progress"), todo("later", "pending")],
  });
  const text = pinned(session, english);
  assert.match(text, /## Open todos\n- \[in_progress\] now\n- \[pending\] later\n/);
  assert.ok(!text.includes("done"));
});

Deno.test("changed files stand with their state, verified and unverified apart", () => {
  const session = sessionStore(undefined).create();
  change(session, ["a.ts", "b.ts"], true);
  change(session, ["c\nd.ts"]);
  const states: Record<string, string> = { "a.ts": "12 lines", "b.ts": "deleted" };
  assert.match(
    pinned(session, english, (path) => states[path]),
    /not verified since\n- "c\\nd.ts"\n\n## Changed and verified\n- a.ts \(12 lines\)\n- b.ts \(deleted\)\n/,
  );
});

Deno.test("what was carried over is pinned on: files, todos, skills, requests", () => {
  const session = sessionStore(undefined).create();
  const carried: Carried = {
    parent: "p",
    title: "t",
    summary: "s",
    todos: [todo("open", "pending")],
    changed: [["old.ts", false]],
    skills: ["review"],
    prompts: ["the task itself", "go on"],
    cwd: "/w/sub",
    usage: { input: 0, output: 0, cached: 0, cost: 0 },
  };
  session.inherit(carried, undefined);
  ask(session, "and now");
  const text = pinned(session, english);
  for (const kept of ["open", "old.ts", "review", "the task itself", "and now", "/w/sub"]) {
    assert.ok(text.includes(kept), kept);
  }
});

Deno.test("of any number of changed files every name is pinned, and hardly more", () => {
  const segment = fc.stringMatching(/^[a-z]{1,8}$/);
  const path = fc.tuple(fc.array(segment, { maxLength: 3 }), segment)
    .map(([folders, name]) => [...folders, `${name}.ts`].join("/"));
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { maxLength: 300 }),
      fc.nat(300),
      (paths, verified) => {
        const session = sessionStore(undefined).create();
        change(session, paths.slice(0, verified), true);
        change(session, paths.slice(verified));
        const text = pinned(session, english);
        const lines = text.split("\n");
        for (const path of paths) {
          const folder = path.slice(0, path.lastIndexOf("/") + 1);
          const name = path.slice(folder.length);
          const found = lines.some((line) =>
            line === `- ${path}` ||
            line.startsWith(folder === "" ? "- " : `- ${folder}: `) &&
              line.slice(2 + (folder === "" ? 0 : folder.length + 2)).split(", ").includes(name)
          );
          assert.ok(found, path);
        }
        assert.ok(text.length < 600 + 45 * paths.length);
      },
    ),
    { numRuns: runs(100) },
  );
});

Deno.test("ten thousand changed files are counted, the newest named", () => {
  const session = sessionStore(undefined).create();
  change(session, Array.from({ length: 10_000 }, (_, i) => `src/f${i}.ts`));
  const text = pinned(session, english);
  assert.match(text, /- 7000 older ones, not listed\n- src\/: f7000\.ts, /);
  assert.match(text, /f9999\.ts/);
  assert.ok(text.length < 40_000, String(text.length));
});

Deno.test("what the host records is in the user's language", () => {
  const session = sessionStore(undefined).create();
  ask(session, "改端口");
  const text = pinned(session, chinese);
  assert.match(text, /^# narnat 自己的记录[^]*\n## 用户最近的要求[^]*\n- 改端口\n\nShell 命令在 /);
});
