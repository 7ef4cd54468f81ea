/** A conversation with everything in it, for the wire tests. */
import type { Message } from "../../src/base/types.ts";

export const talk: readonly Message[] = [
  { role: "user", text: "修好测试 “please”" },
  {
    role: "assistant",
    text: "I look.",
    thinking: [{ text: "which file?", signature: "sig-1" }, { text: "", redacted: "opaque" }],
    calls: [
      { id: "call_a", name: "Read", input: '{ "path": "a.ts" }' },
      {
        id: "functions.Grep:1",
        name: "Grep",
        input: '{"pattern":"x"}',
        extra: { extra_content: { google: { thought_signature: "g" } } },
      },
    ],
  },
  { role: "tool", id: "call_a", name: "Read", ok: true, text: "1 | x" },
  { role: "tool", id: "functions.Grep:1", name: "Grep", ok: false, text: "" },
  { role: "user", text: "and hurry" },
  { role: "user", text: "really" },
  {
    role: "assistant",
    text: "",
    thinking: [{ text: "unsigned" }],
    calls: [{ id: "call_b", name: "Bash", input: '{"command": cut off' }],
  },
  { role: "tool", id: "call_b", name: "Bash", ok: false, text: "invalid JSON" },
  { role: "assistant", text: "", thinking: [{ text: "nothing said" }], calls: [] },
  { role: "user", text: "go on" },
  { role: "assistant", text: "Done.", thinking: [], calls: [] },
  { role: "user", text: "thanks" },
];
