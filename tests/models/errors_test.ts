import { english, type T } from "../../src/base/t.ts";
import { chinese } from "../support/chinese.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  bodyError,
  describeModelError,
  fault,
  foundOf,
  isErrorBody,
  networkError,
  refusedCall,
  retryAfter,
  statusError,
} from "../../src/models/errors.ts";
import { ModelError } from "../../src/base/types.ts";
import { answer, hostWith, outcome, withProvider } from "./setup.ts";

const endpoint = { host: "api.example.com", apiKey: "sk-abcdefgh" };

function kindOf(status: number, body: unknown): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return statusError(endpoint, status, new Headers(), text, 0).kind;
}

const overflows: [string, number, unknown][] = [
  ["Perplexity", 400, { error: { message: "The total length of all messages is too long." } }],
  ["llama.cpp", 500, { error: { message: "failed to decode the batch, KV cache is full" } }],
  ["OpenAI", 400, {
    error: {
      message: "This model's maximum context length is 8192 tokens. However, your messages " +
        "resulted in 8545 tokens. Please reduce the length of the messages.",
      type: "invalid_request_error",
      param: "messages",
      code: "context_length_exceeded",
    },
  }],
  ["OpenAI, newer", 400, {
    error: { message: "Your input exceeds the context window of this model." },
  }],
  ["OpenAI, above the limit of one minute", 429, {
    error: {
      message: "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested " +
        "50000. The input or output tokens must be reduced in order to run successfully.",
      type: "tokens",
      code: "rate_limit_exceeded",
    },
  }],
  ["Anthropic", 400, {
    type: "error",
    error: {
      type: "invalid_request_error",
      message: "prompt is too long: 213462 tokens > 200000 maximum",
    },
  }],
  ["Anthropic with max_tokens", 400, {
    error: {
      message: "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000",
    },
  }],
  ["Anthropic in bytes", 413, {
    error: { type: "request_too_large", message: "Request exceeds the maximum size" },
  }],
  ["DeepSeek", 400, {
    error: {
      message: "This model's maximum context length is 65536 tokens. However, you requested " +
        "69648 tokens (69648 in the messages, 0 in the completion).",
    },
  }],
  ["DashScope", 400, {
    error: {
      message: "<400> InternalError.Algo.InvalidParameter: Range of input length should be " +
        "[1, 204800]",
      code: "invalid_parameter_error",
    },
  }],
  ["Zhipu", 400, { error: { code: "1261", message: "Prompt exceeds max length" } }],
  ["Ollama", 400, { error: "prompt too long; exceeded max context length by 12 tokens" }],
  ["llama.cpp", 400, {
    error: { message: "the request exceeds the available context size, try increasing it" },
  }],
  ["Moonshot", 400, {
    error: { message: "Invalid request: Your request exceeded model token limit: 8192" },
  }],
  ["vLLM", 400, {
    message: "You passed 1015 input tokens and requested 10 output tokens. However, the model's " +
      "context length is only 1024 tokens",
  }],
  ["vLLM, older", 400, {
    message: "The prompt (total length 25938) is too long to fit into the model (context 4096).",
  }],
  ["OpenRouter wrapping another", 502, {
    error: {
      message: "Provider returned error",
      code: 502,
      metadata: {
        raw: '{"message":"The input (49146 tokens) is longer than the model\'s context length"}',
      },
    },
  }],
  ["Gemini in a list", 400, [{
    error: {
      code: 400,
      message: "The input token count (1196265) exceeds the maximum number of tokens allowed",
      status: "INVALID_ARGUMENT",
    },
  }]],
];
for (const [name, status, body] of overflows) {
  Deno.test(`overflow is known from the words of ${name}`, () => {
    assert.equal(kindOf(status, body), "overflow");
  });
}

const others: [string, number, unknown, string][] = [
  ["too many tokens per minute", 429, {
    error: { message: "Rate limit reached: too many tokens per min, maximum context length" },
  }, "rate"],
  ["Zhipu in arrears", 429, { error: { code: "1113", message: "您的账户已欠费" } }, "refused"],
  ["余额不足", 400, { error: { message: "账户余额不足，请充值后重试" } }, "refused"],
  ["Moonshot's quota", 403, { error: { type: "exceeded_current_quota_error" } }, "refused"],
  [
    "DashScope's arrears",
    400,
    { error: { code: "Arrearage", message: "Access denied" } },
    "refused",
  ],
  ["Anthropic's credit", 400, {
    error: { message: "Your credit balance is too low to access the API." },
  }, "refused"],
  ["Gemini's limit per minute", 429, {
    error: { status: "RESOURCE_EXHAUSTED", message: "You exceeded your current quota" },
  }, "rate"],
  ["Gemini's bad key", 400, { error: { message: "API key not valid." } }, "auth"],
  ["an overloaded engine", 503, { error: { type: "engine_overloaded_error" } }, "rate"],
  ["a timeout", 408, "", "network"],
  ["Groq's word on a call that the model wrote badly", 400, {
    error: { code: "tool_use_failed", type: "invalid_request_error", message: "validation failed" },
  }, "network"],
  ["FastAPI's detail", 422, { detail: [{ msg: "field required" }] }, "refused"],
];
for (const [name, status, body, kind] of others) {
  Deno.test(`${name} is ${kind}`, () => assert.equal(kindOf(status, body), kind));
}

Deno.test("an error object in a stream is told by its code or type", () => {
  const kind = (error: unknown) => bodyError(endpoint, JSON.stringify({ error })).kind;
  assert.equal(kind({ code: 429, message: "x" }), "rate");
  assert.equal(kind({ code: "502", message: "x" }), "network");
  assert.equal(kind({ type: "overloaded_error" }), "rate");
  assert.equal(kind({ type: "rate_limit_error" }), "rate");
  assert.equal(kind({ type: "api_error" }), "network");
  assert.equal(kind({ type: "authentication_error" }), "auth");
  assert.equal(kind({ type: "permission_error" }), "auth");
  assert.equal(kind({ type: "invalid_request_error" }), "refused");
  assert.equal(kind({ code: "data_inspection_failed" }), "refused");
  assert.equal(kind({ type: "billing_error" }), "refused");
  assert.equal(kind({ type: "invalid_request_error", code: "tool_use_failed" }), "network");
});

Deno.test("an error body is known in each provider's shape, an answer is none", () => {
  assert.ok(isErrorBody({ error: "x" }));
  assert.ok(isErrorBody({ type: "error", error: {} }));
  assert.ok(isErrorBody({ object: "error", message: "x" }));
  assert.ok(isErrorBody({ base_resp: { status_code: 1004 } }));
  assert.ok(!isErrorBody({ choices: [] }));
  assert.ok(!isErrorBody({ choices: [], error: null }));
  assert.ok(!isErrorBody({ base_resp: { status_code: 0 }, choices: [] }));
  assert.ok(!isErrorBody(undefined));
});

Deno.test("the wait is read from the body where no header has it", () => {
  const none = new Headers();
  assert.equal(retryAfter(none, "Please try again in 1.2s.", 0), 1200);
  assert.equal(retryAfter(none, "try again in 350ms", 0), 350);
  assert.equal(retryAfter(none, "try again in 2m", 0), 120_000);
  assert.equal(retryAfter(none, '{"retryDelay": "37s"}', 0), 37_000);
  assert.equal(retryAfter(none, "try again later", 0), undefined);
  assert.equal(
    retryAfter(new Headers({ "retry-after": "Thu, 01 Jan 1970 00:00:01 GMT" }), "", 5000),
    0,
  );
});

Deno.test("each kind is described with host, finding and mend in both languages", () => {
  const error = fault("rate", endpoint, "{status} {text}", { status: 429, text: "慢一点" }, {
    status: 429,
    retryAfterMs: 90_000,
  });
  assert.equal(
    describeModelError(chinese, error),
    "无法从 api.example.com 得到回答：429 慢一点\n服务器要求等待 90 秒。\n" +
      "请求太多或服务器繁忙：稍后再试，或换一个模型。",
  );
  assert.equal(error.message, "Cannot get an answer from api.example.com: 429 慢一点");
  const stalled = fault("network", endpoint, "the answer stalled: no data for {seconds} s", {
    seconds: 120,
  });
  assert.match(describeModelError(chinese, stalled), /120 秒没有收到数据/);
  assert.match(describeModelError(english, stalled), /no data for 120 s/);
});

Deno.test("whose fault it is decides the mend: the network's, the server's or the account's", () => {
  const mend = (error: ModelError) => describeModelError(english, error).split("\n").at(-1)!;
  const server = /^The server has a fault of its own: try again later, or choose another model\.$/;
  assert.match(mend(statusError(endpoint, 500, new Headers(), "oops", 0)), server);
  assert.match(
    mend(bodyError(endpoint, '{"error":{"type":"api_error","message":"oops"}}')),
    server,
  );
  assert.match(mend(networkError(endpoint, new TypeError("dns error"))), /^Check the network/);
  assert.match(mend(statusError(endpoint, 407, new Headers(), "", 0)), /does not accept/);
  for (const message of ["quota gone", "your quota is exhausted", "out of quota", "额度已用完"]) {
    const error = bodyError(endpoint, JSON.stringify({ error: { message } }));
    assert.equal(error.kind, "refused", message);
    assert.match(mend(error), /no credit or quota left/);
  }
  // of these a minute later there is more
  for (const message of ["Quota exceeded for requests per minute", "rate limit: no quota left"]) {
    assert.equal(bodyError(endpoint, JSON.stringify({ error: { message } })).kind, "rate");
  }
});

Deno.test("an answer without a word is told in the user's language", () => {
  for (const error of [statusError(endpoint, 400, new Headers(), "", 0), bodyError(endpoint, "")]) {
    assert.match(foundOf(chinese, error), /（没有内容）$/);
    assert.match(foundOf(english, error), /\(empty body\)$/);
  }
});

Deno.test("who is refused for the key is told where that key was found", () => {
  const error = fault("auth", endpoint, "{status} {text}", { status: 401, text: "" }, {
    status: 401,
  });
  const mend = (t: T, from?: string) => describeModelError(t, error, from).split("\n")[1];
  assert.match(
    mend(english, "/home/u/.narnat/narnat.json")!,
    /the API key \(\/home\/u\/\.narnat\/n/,
  );
  assert.match(mend(chinese, "NARNAT_API_KEY")!, /API 密钥（NARNAT_API_KEY）/);
  assert.match(mend(english)!, /NARNAT_API_KEY, or api_key in ~\/\.narnat\/narnat\.json or /);
});

Deno.test("a ModelError of another maker is described by its message", () => {
  const error = new ModelError("refused", "no more replies");
  assert.match(describeModelError(english, error), /^no more replies\n/);
});

Deno.test("a refusal for want of credit and one for an unknown model have their own mends", () => {
  const mend = (status: number) =>
    describeModelError(
      english,
      fault("refused", endpoint, "{status} {text}", { status, text: "" }, {
        status,
      }),
    );
  assert.match(mend(402), /top it up/);
  assert.match(mend(404), /name of the model/);
  assert.match(mend(400), /settings/);
});

Deno.test("the innermost reason of a failed fetch is told", () => {
  const cause = new Error(
    "error sending request for http://x/: client error (Connect): dns error: no such host",
  );
  const error = networkError(endpoint, new TypeError("fetch failed", { cause }));
  assert.equal(error.kind, "network");
  assert.match(error.message, /failed: dns error: no such host$/);
});

Deno.test("why no connection came about is told in the user's language alone", () => {
  for (
    const [why, zh] of [
      ["tcp connect error: Connection refused (os error 111)", "没有程序在监听"],
      [
        "dns error: failed to lookup address information: Name or service not known",
        "找不到这个主机名",
      ],
      ["tcp connect error: Network is unreachable (os error 101)", "网络不可达"],
      ["tcp connect error: Connection timed out (os error 110)", "超时"],
      [
        "received corrupt message of type InvalidContentType",
        "对方说的不是 TLS：base_url 是否应以 http:// 开头？",
      ],
    ] as const
  ) {
    const error = networkError(endpoint, new TypeError("fetch failed", { cause: new Error(why) }));
    assert.equal(foundOf(chinese, error), `连接失败：${zh}`);
    assert.doesNotMatch(foundOf(english, error), /[^ -~]/);
  }
});

Deno.test("whatever a server says becomes one ModelError, short and without the key", () => {
  fc.assert(
    fc.property(fc.integer({ min: 400, max: 599 }), fc.json(), fc.string(), (code, json, text) => {
      for (
        const body of [
          json,
          text,
          text + endpoint.apiKey,
          `{"error":{"message":${JSON.stringify(endpoint.apiKey + text)}}}`,
        ]
      ) {
        const error = statusError(endpoint, code, new Headers(), body, 0);
        assert.ok(error instanceof ModelError);
        assert.ok(!error.message.includes(endpoint.apiKey));
        assert.ok(error.message.length < 700);
      }
    }),
  );
});

Deno.test("a page of a proxy is told by its title, what it adds, and who sent it; the status once", () => {
  const nginx = (title: string) =>
    `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>` +
    "\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n";
  const cases: [number, string, string][] = [
    [502, nginx("502 Bad Gateway"), "502 Bad Gateway (nginx)"],
    [504, nginx("504 Gateway Time-out"), "504 Gateway Time-out (nginx)"],
    [
      503,
      "<html><body><h1>503 Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n",
      "503 Service Unavailable: No server is available to handle this request.",
    ],
    [
      500,
      "<!doctype html><html lang=en><title>500 Internal Server Error</title><h1>Internal Server Error</h1><p>It&#39;s A &amp; B</p>",
      "500 Internal Server Error: It's A & B",
    ],
    [502, "<style>h1 { color: red }</style><script>x()</script><h1>Oops</h1>", "502 Oops"],
    [502, "<h1>Bad &constructor; Gateway</h1>", "502 Bad &constructor; Gateway"],
    [502, "Bad Gateway", "502 Bad Gateway"],
    [502, "502: Bad Gateway", "502 Bad Gateway"],
    [500, "500", "500 500"],
    [500, "a < b", "500 a < b"],
    [500, "", "500 (empty body)"],
  ];
  for (const [status, body, expected] of cases) {
    const { message } = statusError(endpoint, status, new Headers(), body, 0);
    assert.equal(message, `Cannot get an answer from api.example.com: ${expected}`);
  }
});

const FAILED = "Failed to call a function. Please adjust your prompt.";

const written: readonly (readonly [string, string, unknown])[] = [
  ['<function=Read>{"path": "a"}</function>', "Read", '{"path": "a"}'],
  ['<function=Read{"path": "a"}</function>', "Read", '{"path": "a"}'],
  ['Read{"path": "a", "limit": 20}</function>', "Read", '{"path": "a", "limit": 20}'],
  ['Read({"path": "a"})', "Read", '{"path": "a"}'],
  ['{"name": "Read", "arguments": {"path": "a"}}', "Read", { path: "a" }],
  ['[{"name": "Read", "parameters": {"path": 1}}]', "Read", { path: 1 }],
  [
    '<tool-use>\n{"tool_calls": [{"id": "x", "type": "function", "function": {"name": "Read"}, ' +
    '"parameters": {"path": "a"}}]}\n</tool-use>',
    "Read",
    { path: "a" },
  ],
  ['```\n{"tool_calls": [{"function": {"name": "Read", "arguments": "{}"}}]}\n```', "Read", "{}"],
  [
    '<function=Write>{"path": "a", "content": "it was cut he',
    "Write",
    '{"path": "a", ' +
    '"content": "it was cut he',
  ],
];
for (const [failed_generation, name, input] of written) {
  Deno.test(`a refused call is read from ${JSON.stringify(failed_generation).slice(0, 50)}`, () => {
    const found = refusedCall({ message: FAILED, failed_generation });
    assert.deepEqual(found, { function: { name, arguments: input } });
  });
}

Deno.test("a refused call is named by the message where the model's words do not", () => {
  const of = (message: string, failed_generation?: string) =>
    refusedCall({ message, ...failed_generation === undefined ? {} : { failed_generation } });
  const schema = "tool call validation failed: parameters for tool Read did not match schema: x";
  const missing = "attempted to call tool 'json' which was not in request.tools";
  assert.deepEqual(of(schema), { function: { name: "Read", arguments: "" } });
  assert.deepEqual(of(missing, '{"a": 1}'), { function: { name: "json", arguments: '{"a": 1}' } });
  assert.equal(of(FAILED, "Tool use failed: JSON does not match the expected schema"), undefined);
  assert.equal(of(FAILED), undefined);
});

const error = (failed_generation: string) => ({
  error: {
    message: FAILED,
    type: "invalid_request_error",
    code: "tool_use_failed",
    failed_generation,
  },
});

Deno.test("a call that the provider refuses is the model's to mend: its answer ends with that call", async () => {
  const waits: number[] = [];
  const body = JSON.stringify(error('<function=Read>{"path": 1</function>'));
  await withProvider("openai", [{ fault: "status", status: 400, body }], async (client) => {
    const { message, stop } = await answer(client);
    assert.deepEqual([message.calls.map(({ name }) => name), stop], [["Read"], "calls"]);
    assert.match(message.calls[0]!.input, /^\{"path": 1/);
    assert.deepEqual(waits, []);
  }, { host: hostWith(waits) });
});

Deno.test("the same told amid a stream; where no call is told it is tried again", async () => {
  const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  const text = event({ choices: [{ index: 0, delta: { content: "I look." } }] });
  const sse = { "content-type": "text/event-stream" };
  const amid = `${text}event: error\n${event(error('Read({"path": "a"})'))}`;
  await withProvider(
    "openai",
    [{ fault: "status", status: 200, headers: sse, body: amid }],
    async (client) => {
      const { message } = await answer(client);
      assert.equal(message.text, "I look.");
      assert.deepEqual(message.calls.map(({ name, input }) => [name, input]), [
        ["Read", '{"path": "a"}'],
      ]);
    },
  );
  const waits: number[] = [];
  const unknown = { fault: "status" as const, status: 400, body: JSON.stringify(error("no")) };
  await withProvider("openai", [unknown, { text: "hi" }], async (client) => {
    assert.equal((await outcome(client)).error, undefined);
    assert.equal(waits.length, 1);
  }, { host: hostWith(waits) });
});
