/** Answers in the shapes that servers and the gateways before them really send. */
import { comesTo, delta, type Failed, message, type Served, sse } from "./served.ts";
import type { Protocol } from "./setup.ts";

const served = (text: string, more: Partial<Served> = {}): Served => ({
  text,
  thinking: "",
  calls: [],
  stop: "end",
  ...more,
});
const failed = (kind: string, says: RegExp): Failed => ({ kind, says });

const call = (id: string | undefined, name: string | undefined, args: unknown, index?: number) => ({
  ...id === undefined ? {} : { id },
  ...index === undefined ? {} : { index },
  type: "function",
  function: { ...name === undefined ? {} : { name }, arguments: args },
});
const said = delta({ content: "Hello" }, "stop");
const done = "data: [DONE]\n\n";

const chat: [name: string, body: string, want: Served | Failed, type?: string][] = [
  ["an event without data is skipped", sse("data:\n\n", said, "data: \n\n", done), served("Hello")],
  [
    "comments, pings and null are skipped",
    sse(": PROCESSING\n\n", "event: ping\ndata: 2026\n\n", "data: null\n\n", said, ":\n\n", done),
    served("Hello"),
  ],
  [
    "empty deltas and a chunk without choices are skipped",
    sse(
      { choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
      delta({ role: "assistant", content: "" }),
      delta({}),
      said,
      { id: "x", usage: { prompt_tokens: 1 } },
      done,
    ),
    served("Hello"),
  ],
  [
    "an event stream that calls itself JSON is one",
    sse(said, done),
    served("Hello"),
    "application/json",
  ],
  [
    "a whole answer that calls itself a stream is one",
    JSON.stringify({
      choices: [{ message: { content: "x".repeat(70_000) }, finish_reason: "stop" }],
    }),
    served("x".repeat(70_000)),
  ],
  [
    "a whole answer with an empty delta beside its message, as Perplexity sends it",
    JSON.stringify({
      choices: [{
        index: 0,
        message: { content: "Hello" },
        delta: { role: "assistant", content: "" },
        finish_reason: "stop",
      }],
    }),
    served("Hello"),
    "application/json",
  ],
  [
    "a whole answer that Azure's filter holds back",
    JSON.stringify({
      choices: [{
        index: 0,
        finish_reason: "content_filter",
        content_filter_results: { hate: { filtered: true } },
      }],
      usage: { prompt_tokens: 15, completion_tokens: 19 },
    }),
    served("", { stop: "refused" }),
    "application/json",
  ],
  [
    "a whole answer over many lines",
    JSON.stringify(
      { choices: [{ message: { content: "Hello" }, finish_reason: "stop" }] },
      null,
      2,
    ),
    served("Hello"),
    "application/json; charset=utf-8",
  ],
  [
    "a whole answer behind blank lines that kept the connection",
    "\n\n\n" + JSON.stringify({ choices: [{ message: { content: "Hello" } }] }),
    served("Hello"),
    "application/json",
  ],
  [
    "reasoning_content is thinking",
    sse(delta({ reasoning_content: "why" }), said),
    served("Hello", { thinking: "why" }),
  ],
  [
    "reasoning is thinking",
    sse(delta({ reasoning: "why" }), said),
    served("Hello", { thinking: "why" }),
  ],
  [
    "reasoning_details alone is thinking",
    sse(
      delta({ reasoning_details: [{ type: "reasoning.text", text: "wh" }] }),
      delta({ reasoning_details: [{ type: "reasoning.summary", summary: "y" }] }),
      delta({ reasoning_details: [{ type: "reasoning.encrypted", data: "AAAA" }] }),
      said,
    ),
    served("Hello", { thinking: "why" }),
  ],
  [
    "reasoning beside its details counts once",
    sse(
      delta({ reasoning: "why", reasoning_details: [{ type: "reasoning.text", text: "why" }] }),
      said,
    ),
    served("Hello", { thinking: "why" }),
  ],
  [
    "a list of content with thinking",
    sse(
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "wh" }] }] }),
      delta({
        content: [{ type: "thinking", thinking: [{ type: "text", text: "y" }], closed: true }],
      }),
      delta({ content: [{ type: "text", text: "Hel" }] }),
      delta({ content: "lo" }, "stop"),
    ),
    served("Hello", { thinking: "why" }),
  ],
  [
    "a list of content with a summary of reasoning",
    sse(
      delta({ content: [{ type: "reasoning", summary: [{ type: "summary_text", text: "why" }] }] }),
      said,
    ),
    served("Hello", { thinking: "why" }),
  ],
  [
    "a choice of index 1",
    sse({ choices: [{ index: 1, delta: { content: "Hello" }, finish_reason: "stop" }] }),
    served("Hello"),
  ],
  [
    "of several choices the first that says something counts",
    sse(
      {
        choices: [{ index: 0, delta: { content: "Hel" } }, {
          index: 1,
          delta: { content: "Good" },
        }],
      },
      { choices: [{ index: 1, delta: { content: " day" }, finish_reason: "length" }] },
      { choices: [{ index: 0, delta: { content: "lo" }, finish_reason: "stop" }] },
    ),
    served("Hello"),
  ],
  [
    "a call in a choice of its own",
    sse(
      { choices: [{ index: 0, delta: { content: "Look" } }] },
      { choices: [{ index: 1, delta: { tool_calls: [call("a", "Read", "{}", 0)] } }] },
      { choices: [{ index: 1, delta: {}, finish_reason: "tool_calls" }] },
    ),
    served("Look", { calls: ["Read{}"], stop: "calls" }),
  ],
  [
    "a whole answer with its call in a choice of its own",
    JSON.stringify({
      choices: [
        { message: { content: "Look" }, finish_reason: "tool_calls" },
        {
          message: { content: null, tool_calls: [call("a", "Read", "{}")] },
          finish_reason: "tool_calls",
        },
      ],
    }),
    served("Look", { calls: ["Read{}"], stop: "calls" }),
    "application/json",
  ],
  [
    "a legacy call",
    sse(
      delta({ function_call: { name: "Read", arguments: "" } }),
      delta({ function_call: { arguments: '{"path":' } }),
      delta({ function_call: { arguments: '"a"}' } }, "function_call"),
    ),
    served("", { calls: ['Read{"path":"a"}'], stop: "calls" }),
  ],
  [
    "a whole legacy call",
    JSON.stringify({
      choices: [{
        message: { content: null, function_call: { name: "Read", arguments: "{}" } },
        finish_reason: "function_call",
      }],
    }),
    served("", { calls: ["Read{}"], stop: "calls" }),
    "application/json",
  ],
  [
    "a call without id, index and type, its arguments an object",
    sse(
      delta({ tool_calls: [{ function: { name: "Read", arguments: { path: "a" } } }] }),
      delta({}, "stop"),
    ),
    served("", { calls: ['Read{"path":"a"}'], stop: "calls" }),
  ],
  [
    "a name in pieces",
    sse(
      delta({ tool_calls: [call("a", "Re", "", 0)] }),
      delta({ tool_calls: [call(undefined, "ad", "", 0)] }),
      delta({ tool_calls: [call(undefined, undefined, '{"path":"a"}', 0)] }, "tool_calls"),
    ),
    served("", { calls: ['Read{"path":"a"}'], stop: "calls" }),
  ],
  [
    "an empty id and name in the later pieces of a call",
    sse(
      delta({ tool_calls: [call("a", "Read", "", 0)] }),
      delta({ tool_calls: [call("", "", '{"path":', 0)] }),
      delta({ tool_calls: [call("", "", '"a"}', 0)] }, "tool_calls"),
    ),
    served("", { calls: ['Read{"path":"a"}'], stop: "calls" }),
  ],
  [
    "two whole calls of one index and no id",
    sse(
      delta({ tool_calls: [call(undefined, "Read", '{"path":"a"}', 0)] }),
      delta({ tool_calls: [call(undefined, "Read", '{"path":"b"}', 0)] }, "tool_calls"),
    ),
    served("", { calls: ['Read{"path":"a"}', 'Read{"path":"b"}'], stop: "calls" }),
  ],
  [
    "each piece of an input with all that came before it",
    sse(
      delta({ tool_calls: [call("a", "Read", "", 0)] }),
      delta({ tool_calls: [call(undefined, undefined, "{", 0)] }),
      delta({ tool_calls: [call(undefined, undefined, '{"path":', 0)] }),
      delta({ tool_calls: [call(undefined, undefined, '{"path":', 0)] }),
      delta({ tool_calls: [call(undefined, undefined, '{"path":"a"}', 0)] }, "tool_calls"),
    ),
    served("", { calls: ['Read{"path":"a"}'], stop: "calls" }),
  ],
  [
    "the whole input behind its pieces",
    sse(
      delta({ tool_calls: [call("a", "Read", '{"path":', 0)] }),
      delta({ tool_calls: [call(undefined, undefined, '"a"}', 0)] }),
      delta({ tool_calls: [call("a", undefined, '{"path": "a"}', 0)] }, "tool_calls"),
    ),
    served("", { calls: ['Read{"path": "a"}'], stop: "calls" }),
  ],
  [
    "an empty object before the pieces of an input",
    sse(
      delta({ tool_calls: [call("a", "Read", "{}", 0)] }),
      delta({ tool_calls: [call(undefined, undefined, '{"path":', 0)] }),
      delta({ tool_calls: [call(undefined, undefined, '"{}"', 0)] }),
      delta({ tool_calls: [call(undefined, undefined, "}", 0)] }, "tool_calls"),
    ),
    served("", { calls: ['Read{"path":"{}"}'], stop: "calls" }),
  ],
  ...[
    "max_tokens",
    "MAX_TOKENS",
    "length",
    "LENGTH",
    "max_output_tokens",
    "model_length",
    "max_length",
  ]
    .map((reason): [string, string, Served] => [
      `finish reason ${reason} tells a cut answer`,
      sse(delta({ content: "Hel" }, reason)),
      served("Hel", { stop: "length" }),
    ]),
  ...["content_filter", "SAFETY", "refusal", "RECITATION", "PROHIBITED_CONTENT", "sensitive"]
    .map((reason): [string, string, Served] => [
      `finish reason ${reason} tells a refusal`,
      sse(delta({ content: "Hel" }, reason)),
      served("Hel", { stop: "refused" }),
    ]),
  ...["stop", "STOP", "eos", "end_turn", "COMPLETE", "stop_sequence"]
    .map((reason): [string, string, Served] => [
      `finish reason ${reason} is an end`,
      sse(delta({ content: "Hello" }, reason)),
      served("Hello"),
    ]),
  [
    "a finish reason in words is none until the last",
    sse(delta({ content: "Hel" }, "null"), delta({ content: "lo" }, "stop")),
    served("Hello"),
  ],
  [
    "a finish reason that is only null is a cut",
    sse(delta({ content: "Hel" }, "null")),
    failed("network", /cut/),
  ],
  ...[
    "error",
    "abort",
    "network_error",
    "MALFORMED_FUNCTION_CALL",
    "function_call_filter: MALFORMED_FUNCTION_CALL",
  ]
    .map((reason): [string, string, Failed] => [
      `finish reason ${reason} is tried again`,
      sse(delta({ content: "Hel" }, reason)),
      failed("network", new RegExp(reason)),
    ]),
  [
    "an error in the choice, as OpenRouter sends it amid an answer",
    sse(
      delta({ content: "Hel" }),
      delta({ content: "" }, "error", { error: { code: 429, message: "slow down" } }),
    ),
    failed("rate", /slow down/),
  ],
  [
    "an error beside an empty choice",
    sse({
      error: { code: 502, message: "provider died" },
      choices: [{ delta: { content: "" }, finish_reason: "error" }],
    }),
    failed("network", /provider died/),
  ],
  [
    "a native error of DashScope",
    sse({ code: "InvalidApiKey", message: "Invalid API-key provided.", request_id: "r" }),
    failed("auth", /Invalid API-key provided/),
  ],
  [
    "a native error of DashScope for a parameter, with its status as a comment",
    'id:1\nevent:error\n:HTTP_STATUS/400\ndata:{"code":"InvalidParameter","message":"Wrong role","request_id":"r"}\n\n',
    failed("refused", /Wrong role/),
  ],
  [
    "a native error of DashScope for too many requests",
    sse({ code: "Throttling.RateQuota", message: "Requests rate limit exceeded", request_id: "r" }),
    failed("rate", /rate limit exceeded/),
  ],
  [
    "a native error of DashScope for the length",
    sse({
      code: "InvalidParameter",
      message: "Range of input length should be [1, 129024]",
      request_id: "r",
    }),
    failed("overflow", /129024/),
  ],
  [
    "a native error of DashScope for the content",
    sse({
      code: "DataInspectionFailed",
      message: "Output data may contain inappropriate content.",
      request_id: "r",
    }),
    failed("refused", /inappropriate/),
  ],
  [
    "a native error of DashScope for want of money",
    sse({
      code: "Arrearage",
      message: "Access denied, account not in good standing",
      request_id: "r",
    }),
    failed("refused", /good standing/),
  ],
  [
    "a native error of DashScope for its own fault",
    sse({ code: "InternalError", message: "An internal error has occurred", request_id: "r" }),
    failed("network", /internal error has occurred/),
  ],
  [
    "an error that is a text",
    sse(delta({ content: "Hel" }), { error: "model runner has stopped" }),
    failed("network", /runner has stopped/),
  ],
  ["a detail", sse({ detail: "Model not found" }), failed("refused", /Model not found/)],
  [
    "a list of details",
    sse({ detail: [{ loc: ["body"], msg: "unsupported field" }] }),
    failed("refused", /unsupported field/),
  ],
  [
    "an object as detail",
    sse({ detail: { message: "Unauthorized" } }),
    failed("auth", /Unauthorized/),
  ],
  [
    "an error of vLLM",
    sse({ object: "error", message: "no such model", type: "NotFoundError", code: 404 }),
    failed("refused", /no such model/),
  ],
  [
    "an error in a list",
    sse([{ error: { code: 429, message: "Quota", status: "RESOURCE_EXHAUSTED" } }]),
    failed("rate", /Quota/),
  ],
  [
    "a list of errors",
    sse({ success: false, errors: [{ code: 7003, message: "No route" }] }),
    failed("network", /No route/),
  ],
  [
    "an error of an event's own",
    sse(delta({ content: "Hel" }), 'event: error\ndata: {"message":"worker died"}\n\n'),
    failed("network", /worker died/),
  ],
  [
    "a bare message and code",
    sse({ code: 401, msg: "token expired", success: false }),
    failed("auth", /token expired/),
  ],
  [
    "a success told in words is no error",
    sse({
      code: 0,
      message: "Success",
      sid: "s",
      choices: [{ delta: { content: "Hello" }, finish_reason: "stop" }],
    }, { code: 0, message: "Success" }),
    served("Hello"),
  ],
  [
    "an error in a field of its own, as llama.cpp sends it",
    sse(
      delta({ content: "Hel" }),
      'error: {"code":400,"message":"context shift is disabled","type":"invalid_request_error"}\n\n',
    ),
    failed("refused", /context shift is disabled/),
  ],
  [
    "an error in a bare line, as Ollama sends it",
    sse(
      delta({ content: "Hel" }),
      '{"error":"an error was encountered while running the model"}\n',
    ),
    failed("network", /encountered while running/),
  ],
  [
    "an error instead of a stream",
    '{"error":{"message":"who are you","code":401}}',
    failed("auth", /who are you/),
  ],
  ["nothing but signs of life", sse(": wait\n\n", "data:\n\n"), failed("network", /empty/)],
  ["the end mark alone", done, failed("network", /empty/)],
  ["nothing", "", failed("network", /empty/)],
  ["one byte", "d", failed("network", /cut/)],
  ["three bytes", "dat", failed("network", /cut/)],
  ["the beginning of a whole answer", '{"choices":[{"message":{"cont', failed("network", /cut/)],
  ["a word", "Not an API", failed("protocol", /Not an API/)],
  [
    "lines of JSON in another protocol",
    '{"message":{"content":"a"}}\n{"done":true}\n',
    failed("protocol", /format/),
  ],
];

const say = (text: string) => [{ type: "text", text: "" }, { type: "text_delta", text }];
const json = (text: string) => ({ type: "input_json_delta", partial_json: text });
const use = (id: string, name: string, ...input: string[]) => [
  { type: "tool_use", id, name, input: {} },
  ...input.map(json),
];
const serverTools = [
  ["server_tool_use", "web_search", {
    type: "web_search_tool_result",
    tool_use_id: "s",
    content: [],
  }],
  ["server_tool_use", "bash_code_execution", {
    type: "bash_code_execution_tool_result",
    tool_use_id: "s",
    content: { type: "bash_code_execution_result", stdout: "1" },
  }],
  ["mcp_tool_use", "echo", {
    type: "mcp_tool_result",
    tool_use_id: "s",
    content: [{ type: "text", text: "r" }],
  }],
  ["advisor_tool_use", "advisor", { type: "advisor_tool_result", tool_use_id: "s", content: {} }],
] as const;

const messages: [name: string, body: string, want: Served | Failed, type?: string][] = [
  ...serverTools.flatMap(([type, name, result]): [string, string, Served][] => [
    [
      `a ${type} of the provider's (${name}) is no call`,
      message([say("Look. "), [{ type, id: "s", name, input: {} }, json('{"q":'), json('"x"}')], [
        result,
      ], say("Found.")]),
      served("Look. Found."),
    ],
    [
      `a ${type} (${name}) beside a call of ours leaves that whole`,
      message(
        [
          [{ type, id: "s", name, input: {} }, json('{"q":1}')],
          [result],
          use("t", "Read", '{"path":', '"a"}'),
        ],
        "tool_use",
      ),
      served("", { calls: ['Read{"path":"a"}'], stop: "calls" }),
    ],
  ]),
  [
    "a whole answer with the provider's tools",
    JSON.stringify({
      type: "message",
      content: [
        { type: "server_tool_use", id: "s", name: "web_search", input: { query: "x" } },
        { type: "web_search_tool_result", tool_use_id: "s", content: [] },
        { type: "text", text: "Found." },
      ],
      stop_reason: "end_turn",
    }),
    served("Found."),
    "application/json",
  ],
  [
    "compaction, fallback and citations are no text",
    message([
      [{ type: "compaction", content: null }, { type: "compaction_delta", content: "summary" }],
      [{ type: "fallback", from: {}, to: {} }],
      [{ type: "text", text: "" }, { type: "text_delta", text: "Hello" }, {
        type: "citations_delta",
        citation: {},
      }],
    ]),
    served("Hello"),
  ],
  [
    "the start of a message told twice",
    sse({ type: "message_start", message: { id: "msg_1" } }) + message([say("Hello")]),
    served("Hello"),
  ],
  [
    "a second message amid the first is a cut",
    sse(
      { type: "message_start", message: { id: "msg_0" } },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "t", name: "Read", input: {} },
      },
      { type: "content_block_delta", index: 0, delta: json('{"pa') },
    ) + message([use("u", "Read", "{}")], "tool_use"),
    failed("network", /cut/),
  ],
  [
    "pings and events without data are skipped",
    sse('event: ping\ndata: {"type":"ping"}\n\n', "data:\n\n") + message([say("Hello")]),
    served("Hello"),
  ],
  ...["max_tokens", "MAX_TOKENS", "length"].map((stop): [string, string, Served] => [
    `stop reason ${stop} tells a cut answer`,
    message([say("Hel")], stop),
    served("Hel", { stop: "length" }),
  ]),
  ...["refusal", "content_filter", "SAFETY"].map((stop): [string, string, Served] => [
    `stop reason ${stop} tells a refusal`,
    message([say("Hel")], stop),
    served("Hel", { stop: "refused" }),
  ]),
  [
    "an error of an event's own",
    sse(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    ),
    failed("rate", /Overloaded/),
  ],
  [
    "a bare message and code",
    sse({ code: "InvalidApiKey", message: "Wrong key", request_id: "r" }),
    failed("auth", /Wrong key/),
  ],
  [
    "thinking that a server has left in the text",
    message([say("<think>why</think>\n\nHello")]),
    served("Hello", { thinking: "why" }),
  ],
];

const kinds: [Protocol, typeof chat][] = [["openai", chat], ["anthropic", messages]];
for (const [protocol, cases] of kinds) {
  for (const [name, body, want, type] of cases) {
    Deno.test(`${protocol}: ${name}`, () => comesTo(protocol, body, want, type));
  }
}
