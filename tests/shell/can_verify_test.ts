import assert from "node:assert/strict";
import { canVerify } from "../../src/shell/can_verify.ts";

Deno.test("tests, builds and runs verify; moving, looking and installing do not", () => {
  const verifying = [
    "deno test -A",
    "cd a && npm test",
    "npm run lint",
    "timeout 60 pytest -q | tail -5",
    "bash -c 'make && ./a.out'",
    "cargo check",
    "docker compose run app pytest",
    "yarn jest",
    "python main.py",
  ];
  const not = [
    "git commit -m 'deno test'",
    "npm install",
    "cargo add serde",
    "ls | grep test",
    "cd src; mkdir -p x; echo test",
    "pip install pytest",
    "node --version",
    "curl http://localhost/test",
    "",
  ];
  assert.deepEqual(verifying.filter((one) => !canVerify(one, "/w")), []);
  assert.deepEqual(not.filter((one) => canVerify(one, "/w")), []);
});
