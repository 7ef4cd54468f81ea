import assert from "node:assert/strict";
import { jobName } from "../../../src/shell/policy/job_name.ts";

Deno.test("a job is named after the program that its command is about", () => {
  for (
    const [command, name] of [
      ["deno task dev", "deno-task-dev"],
      ["npm run dev -- --port 3000", "npm-run-dev"],
      ["cd web && PORT=1 nohup npm start > log 2>&1 &", "npm-start"],
      ["python3 -m http.server 8000", "python3-http-server-8000"],
      ["./scripts/serve.sh --watch", "serve-sh"],
      ["sleep 5; cargo build --release", "cargo-build"],
      ["sleep 30", "sleep-30"],
      ["nohup sleep 300 & echo started", "sleep-300"],
      ["(sleep 60 &); disown; exit 0", "sleep-60"],
      ["while true; do date; sleep 1; done & disown", "date"],
      ["python3 -m http.server 8000 & trap - EXIT; kill -0 $!; exit 0", "python3-http-server-8000"],
      ["cd a && echo one; exit 0", "cd-a"],
      ["docker compose -f a.yml up", "docker-compose-a-yml"],
      ["while true; do curl -s localhost; done", "curl-localhost"],
      ["启动 服务", "启动-服务"],
      ["((", "job"],
      ["", "job"],
    ]
  ) assert.equal(jobName(command!, []), name, command);
});

Deno.test("a taken name gets a number, a long one an end", () => {
  assert.equal(jobName("make all", ["make-all", "make-all-2"]), "make-all-3");
  assert.equal(jobName("x".repeat(500), []), "x".repeat(32));
  assert.equal(jobName("serve aaaaaaaaaaaaaaaaaaaa 12345678", []), "serve-aaaaaaaaaaaaaaaaaaaa");
});
