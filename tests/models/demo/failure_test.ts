import assert from "node:assert/strict";
import { failedIn, failureIn, ranNothing } from "../../../src/models/demo/failure.ts";

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

Deno.test("failureIn() reads the TAP of node --test", () => {
  const output = `not ok 1 - adds
  ---
  location: '/x/math.test.js:5:1'
  error: |-
    Expected values to be strictly equal:
    
    -1 !== 3
    
  name: 'AssertionError'
  expected: 3
  actual: -1
  operator: 'strictEqual'
  stack: |-
    TestContext.<anonymous> (file:///x/math.test.js:6:10)
    Test.runInAsyncScope (node:async_hooks:206:9)
  ...
# fail 1
`;
  const found = { path: "/x/math.test.js", line: 6, actual: "-1", expected: "3" };
  assert.deepEqual(failureIn(output), found);
  assert.equal(failedIn(output), 1);
});

Deno.test("failureIn() does not take the source that pytest shows for values", () => {
  const output = (source: string, ...said: string[]) =>
    [`    def test_it():`, `>       ${source}`, ...said.map((line) => `E       ${line}`)].join(
      "\n",
    ) +
    "\n\ntest_it.py:5: AssertionError\n2 failed in 0.64s\n";
  const place = { path: "test_it.py", line: 5 };
  assert.deepEqual(
    failureIn(output("assert add(1, 2) == 3", "assert -1 == 3", " +  where -1 = add(1, 2)")),
    { ...place, actual: "-1", expected: "3" },
  );
  assert.deepEqual(failureIn(output("self.assertEqual(f(), 'b')", "AssertionError: 'a' != 'b'")), {
    ...place,
    actual: "'a'",
    expected: "'b'",
  });
  assert.deepEqual(failureIn(output("assert not big(1)", "assert not True")), {
    ...place,
    actual: "True",
    expected: "False",
  });
});

Deno.test("failureIn() reads unittest, and the place of the test whose values it gives", () => {
  const output = `ERROR: test_a (test_x.T.test_a)
Traceback (most recent call last):
  File "/x/test_x.py", line 4, in test_a
    boom()
ValueError: boom

FAIL: test_b (test_x.T.test_b)
Traceback (most recent call last):
  File "/x/test_x.py", line 9, in test_b
    self.assertTrue(big(10))
AssertionError: False is not true

Ran 3 tests in 0.001s

FAILED (failures=1, errors=1)
`;
  const found = { path: "/x/test_x.py", line: 9, actual: "False", expected: "True" };
  assert.deepEqual(failureIn(output), found);
  assert.equal(failedIn(output), 2);
});

Deno.test("ranNothing() tells a run without tests from one that went well", () => {
  assert.equal(ranNothing("Ran 0 tests in 0.000s\n\nOK\n"), true);
  assert.equal(ranNothing("1..0\n# tests 0\n# suites 0\n"), true);
  assert.equal(ranNothing("Ran 10 tests in 0.000s\n\nOK\n"), false);
  assert.equal(ranNothing("# tests 10\n# fail 0\n"), false);
});

Deno.test("failureIn() finds nothing in an output without values", () => {
  assert.equal(failureIn("error: Module not found\n    at file:///x/a_test.ts:1:1"), undefined);
  assert.equal(failureIn("ok | 3 passed | 0 failed (6ms)"), undefined);
});
