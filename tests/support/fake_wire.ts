/** The two wire forms of one scripted answer, for the fake provider. */
import type { Json } from "../../src/base/types.ts";
import type { Answer, FakeCall } from "./fake_provider.ts";

/** The SSE frames of an answer: what comes before the calls, the calls, the end. */
export interface Frames {
  readonly begin: readonly string[];
  readonly calls: readonly string[];
  readonly finish: readonly string[];
}

const defaultUsage = { input: 10, output: 5, cached: 0 };

/** The answer as OpenAI chat completion chunks. */
export function openaiFrames(answer: Answer): Frames {
  const chunk = (delta: Json, finish: string | null = null) =>
    frame({
      id: "chatcmpl-fake",
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  return {
    begin: [
      chunk({ role: "assistant", content: "" }),
      ...split(answer.thinking ?? "").map((piece) => chunk({ reasoning_content: piece })),
      ...split(answer.text ?? "", answer.deltas).map((piece) => chunk({ content: piece })),
    ],
    calls: callDeltas(answer).map((deltas) => chunk({ tool_calls: deltas })),
    finish: [
      ...(answer.odd === "null_deltas" ? [chunk({ tool_calls: null, content: null })] : []),
      chunk({}, answer.stop ?? (answer.calls?.length ? "tool_calls" : "stop")),
      frame({ id: "chatcmpl-fake", choices: [], usage: openaiUsage(answer) }),
      "data: [DONE]\n\n",
    ],
  };
}

/** The answer as events of the Messages protocol. */
export function messagesFrames(answer: Answer): Frames {
  const usage = { ...defaultUsage, ...answer.usage };
  let index = 0;
  const block = (start: Json, deltas: readonly Json[]) => {
    const at = index++;
    return [
      event({ type: "content_block_start", index: at, content_block: start }),
      ...deltas.map((delta) => event({ type: "content_block_delta", index: at, delta })),
      event({ type: "content_block_stop", index: at }),
    ];
  };
  const begin = [
    event({
      type: "message_start",
      message: {
        id: "msg_fake",
        type: "message",
        role: "assistant",
        content: [],
        stop_reason: null,
        usage: {
          input_tokens: usage.input - usage.cached,
          cache_read_input_tokens: usage.cached,
          cache_creation_input_tokens: 0,
          output_tokens: 1,
        },
      },
    }),
    event({ type: "ping" }),
  ];
  if (answer.thinking !== undefined) {
    const deltas: Json[] = split(answer.thinking).map((thinking) => ({
      type: "thinking_delta",
      thinking,
    }));
    if (answer.signature) deltas.push({ type: "signature_delta", signature: answer.signature });
    begin.push(...block({ type: "thinking", thinking: "", signature: "" }, deltas));
  }
  if (answer.redacted) {
    begin.push(...block({ type: "redacted_thinking", data: answer.redacted }, []));
  }
  if (answer.text) {
    const deltas = split(answer.text, answer.deltas).map((text) => ({ type: "text_delta", text }));
    begin.push(...block({ type: "text", text: "" }, deltas));
  }
  const calls = (answer.calls ?? []).flatMap((call, at) =>
    block(
      { type: "tool_use", id: idOf(call, at, "toolu"), name: call.name, input: {} },
      split(rawInput(call)).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    )
  );
  const stop = answer.stop ?? (answer.calls?.length ? "tool_use" : "end_turn");
  return {
    begin,
    calls,
    finish: [
      event({
        type: "message_delta",
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: usage.output },
      }),
      event({ type: "message_stop" }),
    ],
  };
}

/** The answer as one JSON body, not streamed. */
export function wholeAnswer(protocol: "openai" | "messages", answer: Answer): string {
  const usage = { ...defaultUsage, ...answer.usage };
  const calls = answer.calls ?? [];
  if (protocol === "openai") {
    return JSON.stringify({
      object: "chat.completion",
      choices: [{
        index: 0,
        message: {
          role: "assistant",
          content: answer.text ?? null,
          ...(answer.thinking === undefined ? {} : { reasoning_content: answer.thinking }),
          ...(calls.length ? { tool_calls: calls.map((call, at) => wholeCall(call, at)) } : {}),
        },
        finish_reason: answer.stop ?? (calls.length ? "tool_calls" : "stop"),
      }],
      usage: openaiUsage(answer),
    });
  }
  return JSON.stringify({
    type: "message",
    role: "assistant",
    content: [
      ...(answer.text ? [{ type: "text", text: answer.text }] : []),
      ...calls.map((call, at) => ({
        type: "tool_use",
        id: idOf(call, at, "toolu"),
        name: call.name,
        input: call.input,
      })),
    ],
    stop_reason: answer.stop ?? (calls.length ? "tool_use" : "end_turn"),
    usage: {
      input_tokens: usage.input - usage.cached,
      cache_read_input_tokens: usage.cached,
      output_tokens: usage.output,
    },
  });
}

function openaiUsage(answer: Answer): Json {
  const usage = { ...defaultUsage, ...answer.usage };
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}

/** The `tool_calls` lists of the chunks, bent as `odd` says. */
function callDeltas(answer: Answer): Json[][] {
  return (answer.calls ?? []).flatMap((call, at): Json[][] => {
    const whole = wholeCall(call, at);
    const id = answer.odd === "same_id" ? "call_same" : whole.id;
    const key = { index: at, id };
    const [first = "", ...rest] = split(rawInput(call));
    const later = rest.map((piece) => ({ index: at, function: { arguments: piece } }));
    const head = { type: "function", function: { name: call.name, arguments: first } };
    switch (answer.odd) {
      case "no_index":
        return [
          [{ id, ...head }],
          ...rest.map((piece) => [{ function: { arguments: piece } }]),
        ];
      case "constant_index":
        return [[{ ...key, index: 0, ...head }], ...later.map((delta) => [{ ...delta, index: 0 }])];
      case "gapped_index":
        return [
          [{ ...key, index: at * 3 + 1, ...head }],
          ...later.map((delta) => [{ ...delta, index: at * 3 + 1 }]),
        ];
      case "no_id":
        return [[{ index: at, ...head }], ...later.map((delta) => [delta])];
      case "repeated_id":
        return [[{ ...key, ...head }], ...later.map((delta) => [{ ...delta, id }])];
      case "repeated_name":
        return [
          [{ ...key, ...head }],
          ...later.map((delta) => [{
            ...delta,
            function: { name: call.name, ...delta.function },
          }]),
        ];
      case "object_arguments":
        return [[{
          ...key,
          type: "function",
          function: { name: call.name, arguments: call.input },
        }]];
      case "null_deltas":
        return [
          [{ ...key, type: "function", function: { name: call.name, arguments: null } }],
          [{ index: at, id: null, type: null, function: { name: null, arguments: first } }],
          ...later.map((delta) => [delta]),
        ];
      case "empty_arguments":
        return [[{ ...key, type: "function", function: { name: call.name, arguments: "" } }]];
      case "extra_fields":
        return [
          [{ ...key, ...head, extra_content: { google: { thought_signature: "sig=" } } }],
          ...later.map((delta) => [delta]),
        ];
      default:
        return [[{ ...key, ...head }], ...later.map((delta) => [delta])];
    }
  });
}

function wholeCall(call: FakeCall, at: number) {
  return {
    id: idOf(call, at, "call"),
    type: "function",
    function: { name: call.name, arguments: rawInput(call) },
  };
}

function idOf(call: FakeCall, at: number, prefix: string): string {
  return call.id ?? `${prefix}_${at + 1}`;
}

function rawInput(call: FakeCall): string {
  return typeof call.input === "string" ? call.input : JSON.stringify(call.input);
}

/** Cuts a text into up to `most` deltas, never inside a character. */
function split(text: string, most = 4): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / most));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) {
    pieces.push(characters.slice(at, at + size).join(""));
  }
  return pieces;
}

function frame(value: Json): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function event(value: { type: string; [key: string]: Json }): string {
  return `event: ${value.type}\n` + frame(value);
}

/** Says what is wrong with the pairing of tool calls and results in a request body, for both protocols. */
// deno-lint-ignore no-explicit-any -- the wire form, read freely
export function pairingErrorsOf(body: any): string[] {
  if (!Array.isArray(body?.messages)) return ["no messages"];
  const errors: string[] = [];
  const asked = new Set<string>();
  let open: string[] = [];
  for (const [at, message] of body.messages.entries()) {
    const answered = resultIds(message);
    if (open.length > 0 && message.role !== "tool" && answered.length === 0) {
      errors.push(`message ${at}: no result for ${open.join(", ")}`);
      open = [];
    }
    for (const id of answered) {
      if (!open.includes(id)) errors.push(`message ${at}: result without an open call: ${id}`);
      open = open.filter((one) => one !== id);
    }
    if (message.role === "user" && open.length > 0) {
      errors.push(`message ${at}: no result for ${open.join(", ")}`);
      open = [];
    }
    for (const id of callIds(message)) {
      if (typeof id !== "string" || !id) errors.push(`message ${at}: a call without id`);
      if (asked.has(id)) errors.push(`message ${at}: call id used twice: ${id}`);
      asked.add(id);
      open.push(id);
    }
    if (resultAfterText(message)) errors.push(`message ${at}: tool_result after other blocks`);
    const before = body.messages[at - 1];
    if (Array.isArray(message.content) && before?.role === message.role) {
      errors.push(`message ${at}: two ${message.role} messages in a row`);
    }
  }
  if (open.length > 0) errors.push(`end: no result for ${open.join(", ")}`);
  return errors;
}

// deno-lint-ignore no-explicit-any -- the wire form
function callIds(message: any): string[] {
  if (message.role !== "assistant") return [];
  const blocks = Array.isArray(message.content) ? message.content : [];
  return [
    // deno-lint-ignore no-explicit-any -- the wire form
    ...(message.tool_calls ?? []).map((call: any) => call.id),
    // deno-lint-ignore no-explicit-any -- the wire form
    ...blocks.filter((one: any) => one.type === "tool_use").map((one: any) => one.id),
  ];
}

// deno-lint-ignore no-explicit-any -- the wire form
function resultIds(message: any): string[] {
  if (message.role === "tool") return [message.tool_call_id];
  if (message.role !== "user" || !Array.isArray(message.content)) return [];
  return message.content
    // deno-lint-ignore no-explicit-any -- the wire form
    .filter((one: any) => one.type === "tool_result").map((one: any) => one.tool_use_id);
}

// deno-lint-ignore no-explicit-any -- the wire form
function resultAfterText(message: any): boolean {
  if (message.role !== "user" || !Array.isArray(message.content)) return false;
  let other = false;
  for (const block of message.content) {
    if (block.type !== "tool_result") other = true;
    else if (other) return true;
  }
  return false;
}
