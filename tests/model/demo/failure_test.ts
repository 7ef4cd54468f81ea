import assert from "node:assert/strict";
import { failedIn, failureIn } from "../../../src/model/demo/failure.ts";

const node = `running 2 tests from ./tests/cart_test.ts
an order ... FAILED (1ms)

an order => ./tests/cart_test.ts:4:6
error: AssertionError: Expected values to be strictly equal:

490 !== 0

  assert.equal(shipping(5000), 0);
         ^
    at file:///shop/tests/cart_test.ts:5:10

FAILED | 1 passed | 1 failed (8ms)
`;

Deno.test("failureIn() reads place and values of a node:assert failure", () => {
  const found = { path: "/shop/tests/cart_test.ts", line: 5, actual: "490", expected: "0" };
  assert.deepEqual(failureIn(node), found);
  assert.equal(failedIn(node), 1);
});

Deno.test("failureIn() reads a deep-equal difference in either order", () => {
  const strict = "Expected values to be strictly deep-equal:\n+ actual - expected\n\n" +
    "+   'a'\n-   'b'\n    at file:///x/a_test.ts:3:1\n";
  const std = "error: Values are not equal.\n\n    [Diff] Actual / Expected\n\n" +
    "-   'a'\n+   'b'\n    at file:///x/a_test.ts:3:1\n";
  const found = { path: "/x/a_test.ts", line: 3, actual: "'a'", expected: "'b'" };
  assert.deepEqual(failureIn(strict), found);
  assert.deepEqual(failureIn(std), found);
});

Deno.test("failureIn() reads Jest and pytest", () => {
  assert.deepEqual(
    failureIn("  Expected: 5\n  Received: -1\n\n    at add (src/add.test.ts:4:20)\n"),
    { path: "src/add.test.ts", line: 4, actual: "-1", expected: "5" },
  );
  assert.deepEqual(failureIn("E       assert 3 == 5\n\ntest_add.py:4: AssertionError\n"), {
    path: "test_add.py",
    line: 4,
    actual: "3",
    expected: "5",
  });
});

Deno.test("failureIn() finds nothing in an output without values", () => {
  assert.equal(failureIn("error: Module not found\n    at file:///x/a_test.ts:1:1"), undefined);
  assert.equal(failureIn("ok | 3 passed | 0 failed (6ms)"), undefined);
});
