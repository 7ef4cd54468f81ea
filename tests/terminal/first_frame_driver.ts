/** Shows the first frame and comes to the end that the argument names; what runs in first_frame_test. */
import { english } from "../../src/base/t.ts";
import { showFirstFrame } from "../../src/terminal/device/first_frame.ts";

const how = Deno.args[0] ?? "";
const frame = showFirstFrame({
  version: "0.1.0",
  model: "demo",
  workspace: "/space",
  t: english,
  theme: "auto",
  env: (name) => Deno.env.get(name),
});

function throwHere(): never {
  throw new Error("boom");
}

if (how === "throw") setTimeout(() => throwHere());
else if (how === "reject") void Promise.reject(new Error("boom"));
else if (how === "exit") Deno.exit(7);
else if (how === "end") {
  frame.end();
  console.log("said afterwards");
} else Deno.kill(Deno.pid, how as Deno.Signal);
if (how.startsWith("SIG")) setTimeout(() => Deno.exit(99), 5000);
