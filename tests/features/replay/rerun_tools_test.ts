import assert from "node:assert/strict";
import { equalizer } from "../../../src/features/replay/rerun_tools.ts";

const equal = equalizer([["/srv/scratch", "/srv/app"]]);

Deno.test("times, ids and temporary paths of two runs are made equal", () => {
  for (
    const [a, b] of [
      ["[exit code 0, 1.2 s]", "[exit code 0, 12.0 s]"],
      ["ok (3ms)", "ok (47ms)"],
      ["[exit code 0, 1.2 秒]", "[exit code 0, 0.3 秒]"],
      ["at 2026-11-22T13:23:30.307Z", "at 2027-01-01T00:00:00.000Z"],
      ["2026-11-22 13:23:30 begun", "2026-11-23 01:02:03 begun"],
      ["-rw-r--r-- 1 Nov 22 13:23 a", "-rw-r--r-- 1 Dec  3 09:00 a"],
      ["[main 4fdbc44] message", "[main 9a8b7c6] message"],
      ["pid 1234", "pid 99"],
      ["/tmp/abc123/x.txt is there", "/tmp/zzz/y is there"],
      ["outputs/20261122-132330-uhyu/1.txt", "outputs/20270101-000000-abcd/1.txt"],
      ["in /srv/scratch/src", "in /srv/app/src"],
    ] as const
  ) assert.equal(equal(a), equal(b));
});

Deno.test("what a run has found stays different", () => {
  for (
    const [a, b] of [
      ["3 tests passed", "4 tests passed"],
      ["[exit code 0, 1.2 s]", "[exit code 1, 1.2 s]"],
      ["12 | const a = 1", "12 | const a = 2"],
      ["in /srv/scratchy", "in /srv/appy"],
      ["file a", "file b"],
      ["deadbeef", "feedface"],
    ] as const
  ) assert.notEqual(equal(a), equal(b));
});
