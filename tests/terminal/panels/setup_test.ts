import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import {
  type ProviderChoice,
  runSetup,
  type SetupChoice,
  type SetupOptions,
} from "../../../src/terminal/panels/setup.ts";
import { VirtualTerminal } from "../../support/virtual_terminal.ts";

const ESC = "\x1b";
const ENTER = "\r";
const DOWN = "\x1b[B";

const providers: readonly ProviderChoice[] = [
  {
    id: "deepseek",
    name: "DeepSeek",
    baseUrl: "https://api.deepseek.com",
    models: ["deepseek-chat", "deepseek-reasoner"],
    keyUrl: "https://platform.deepseek.com/api_keys",
    needsKey: true,
  },
  {
    id: "ollama",
    name: "Ollama",
    baseUrl: "http://localhost:11434/v1",
    models: [],
    needsKey: false,
  },
  { id: "other", name: "Other endpoint", baseUrl: "", models: [], needsKey: false },
];

interface Played {
  readonly result: string;
  readonly saved: readonly SetupChoice[];
  readonly terminal: VirtualTerminal;
}

async function play(
  keys: (terminal: VirtualTerminal) => Promise<void>,
  more: Partial<SetupOptions> = {},
  [columns, rows] = [90, 30],
): Promise<Played> {
  const terminal = new VirtualTerminal(columns, rows);
  const saved: SetupChoice[] = [];
  const setup = runSetup({
    t: english,
    env: () => undefined,
    providers,
    test: () => Promise.resolve(undefined),
    save: (choice) => {
      saved.push(choice);
      return Promise.resolve("/home/me/.narnat/narnat.json");
    },
    ...more,
  }, terminal);
  await keys(terminal);
  return { result: await setup, saved, terminal };
}

Deno.test("a provider, a pasted key and a model are tested and saved; the key is never shown", async () => {
  const key = "sk-0123456789abcdef";
  const { result, saved, terminal } = await play(async (terminal) => {
    await terminal.shows("Try the offline demo model");
    terminal.key(ENTER);
    await terminal.shows("https://platform.deepseek.com/api_keys");
    terminal.paste(`"${key}"\n`);
    await terminal.shows("19 characters");
    terminal.key(ENTER);
    await terminal.shows("deepseek-reasoner");
    terminal.key(DOWN);
    terminal.key(ENTER);
  });
  assert.equal(result, "saved");
  assert.deepEqual(saved, [{
    provider: "deepseek",
    baseUrl: "https://api.deepseek.com",
    model: "deepseek-reasoner",
    apiKey: key,
  }]);
  const shown = await terminal.text();
  assert.ok(
    shown.endsWith("✓ deepseek-reasoner works\nSaved to /home/me/.narnat/narnat.json"),
    shown,
  );
  assert.ok(!terminal.written.includes("sk-0") && !terminal.written.includes("abcdef"));
});

Deno.test("another endpoint asks for its address until it is one, and for a model by name", async () => {
  const { saved } = await play(async (terminal) => {
    await terminal.shows("Other endpoint");
    terminal.key(DOWN);
    terminal.key(DOWN);
    terminal.key(ENTER);
    await terminal.shows("Endpoint address");
    terminal.type("localhost");
    terminal.key(ENTER);
    await terminal.shows("Not an address: localhost");
    terminal.key("\x15");
    terminal.type("https://llm.example/v1/");
    terminal.key(ENTER);
    await terminal.shows("press enter if none is needed");
    terminal.key(ENTER);
    await terminal.shows("Name of the model");
    terminal.key(ENTER);
    await terminal.shows("A model name is needed");
    terminal.type("my-model");
    terminal.key(ENTER);
  });
  assert.deepEqual(saved, [{
    provider: "other",
    baseUrl: "https://llm.example/v1",
    model: "my-model",
    apiKey: "",
  }]);
});

Deno.test("what was accepted stands below the complaints about what was not", async () => {
  const { terminal } = await play(async (terminal) => {
    await terminal.shows("Other endpoint");
    terminal.key(DOWN);
    terminal.key(DOWN);
    terminal.key(ENTER);
    await terminal.shows("Endpoint address");
    terminal.type("localhost");
    terminal.key(ENTER);
    await terminal.shows("Not an address: localhost");
    terminal.key("\x15");
    terminal.type("http://localhost/v1/");
    terminal.key(ENTER);
    await terminal.shows("press enter if none is needed");
    terminal.type("sk-12");
    await terminal.shows("5 characters");
    terminal.key(ENTER);
    await terminal.shows("Name of the model");
    terminal.type("m");
    terminal.key(ENTER);
  });
  const told = await terminal.text();
  assert.match(
    told,
    /✗ Not an address[^✓]*✓ http:\/\/localhost\/v1\n✓ API key, 5 characters\n✓ m works/,
  );
});

Deno.test("on a small terminal a list leaves its title and what is typed their rows", async () => {
  const models = () => Promise.resolve(Array.from({ length: 40 }, (_, n) => `model-${n}`));
  await play(
    async (terminal) => {
      await terminal.shows("Ollama");
      terminal.key(DOWN);
      terminal.key(ENTER);
      await terminal.shows("(1/41)");
      terminal.key("m");
      const rows = (await terminal.shows("❯ m")).split("\n").slice(-12);
      assert.ok(rows.some((row) => row.startsWith("Choose a model")), rows.join("\n"));
      terminal.key("\x03");
    },
    { models },
    [40, 12],
  );
});

Deno.test("an address is mended from its end, cleared by Ctrl-U, and must be one", async () => {
  const asked: SetupChoice[] = [];
  const { saved } = await play(async (terminal) => {
    await terminal.shows("Other endpoint");
    terminal.key(DOWN);
    terminal.key(DOWN);
    terminal.key(ENTER);
    await terminal.shows("Endpoint address");
    terminal.type("http://one.example/v1");
    terminal.key(ENTER);
    await terminal.shows("press enter if none is needed");
    terminal.key(ESC);
    await terminal.shows("❯ http://one.example/v1");
    for (const bad of ["http://two.example/v1", " x", "\x15https://"]) {
      terminal.key("\x1b[F");
      for (const key of bad) terminal.key(key);
      terminal.key(ENTER);
      await terminal.shows(`Not an address: ${bad.startsWith("\x15") ? "https://" : "http://one"}`);
    }
    terminal.key("\x15");
    terminal.type("http://two.example/v2");
    terminal.key("\x1b[D");
    terminal.key("\x1b[D");
    terminal.key("\x15");
    terminal.type("http://three.example/v");
    await terminal.shows("❯ http://three.example/v");
    terminal.key(ENTER);
    await terminal.shows("press enter if none is needed");
    terminal.key(ENTER);
    await terminal.shows("Name of the model");
    terminal.type("m");
    terminal.key(ENTER);
    await terminal.shows(/The test failed: gone[^]*Change the address/);
    terminal.key("\x1b[A");
    terminal.key(ENTER);
    await terminal.shows("❯ http://three.example/v");
    terminal.type("3");
    await terminal.shows("❯ http://three.example/v3");
    terminal.key(ENTER);
    await terminal.shows("press enter if none is needed");
    terminal.key(ENTER);
    await terminal.shows("❯ m");
    terminal.type("2");
    terminal.key(ENTER);
  }, {
    test: (choice) => {
      asked.push(choice);
      return Promise.resolve(asked.length > 1 ? undefined : { text: "gone", mend: "url" });
    },
  });
  assert.equal(asked[0]!.baseUrl, "http://three.example/v");
  assert.deepEqual(saved.map(({ baseUrl, model }) => [baseUrl, model]), [
    ["http://three.example/v3", "m2"],
  ]);
});

Deno.test("a failed test shows the error and goes back to what is wrong; nothing is saved until one works", async () => {
  let works = false;
  const { saved, result } = await play(async (terminal) => {
    await terminal.shows("DeepSeek");
    terminal.key(ENTER);
    await terminal.shows("Paste your");
    terminal.key(ENTER);
    await terminal.shows("A key is needed");
    terminal.type("bad");
    terminal.key(ENTER);
    await terminal.shows("deepseek-chat");
    terminal.key(ENTER);
    await terminal.shows("The test failed: 401 wrong key[2J".replace("[2J", ""));
    works = true;
    terminal.type("good");
    await terminal.shows("4 characters");
    terminal.key(ENTER);
    await terminal.shows("Choose a model");
    terminal.key(ENTER);
  }, {
    test: () => Promise.resolve(works ? undefined : { text: "401 wrong key\x1b[2J", mend: "key" }),
  });
  assert.equal(result, "saved");
  assert.deepEqual(saved.map(({ apiKey, model }) => [apiKey, model]), [["good", "deepseek-chat"]]);
});

Deno.test("what is typed narrows a list of models; what none holds is another model's name", async () => {
  const models = () =>
    Promise.resolve(Array.from({ length: 300 }, (_, n) => `vendor${n % 7}/Model-${n}`));
  for (
    const [typed, model] of [
      [[..."model-257"], "vendor5/Model-257"],
      [[..."r3/\x7f/model-10", DOWN], "vendor3/Model-101"],
      [[..."r3/x\x15-299"], "vendor5/Model-299"],
      [[..."my-own"], "my-own"],
    ] as const
  ) {
    const { saved } = await play(async (terminal) => {
      await terminal.shows("Ollama");
      terminal.key(DOWN);
      terminal.key(ENTER);
      await terminal.shows("(1/301)");
      for (const key of typed) terminal.key(key);
      if (model === "my-own") {
        await terminal.shows("❯ my-own\n→ Another model…");
        terminal.key(ENTER);
        await terminal.shows("Name of the model\n❯ my-own");
      }
      terminal.key(ENTER);
    }, { models });
    assert.deepEqual(saved.map((choice) => choice.model), [model]);
  }
});

Deno.test("ESC cancels a test that hangs, and Ctrl-C leaves even then", async () => {
  let signal: AbortSignal | undefined;
  const { result, saved } = await play(async (terminal) => {
    await terminal.shows("Ollama");
    terminal.key(DOWN);
    terminal.key(ENTER);
    await terminal.shows("Name of the model");
    terminal.type("qwen3");
    terminal.key(ENTER);
    await terminal.shows("Testing qwen3");
    terminal.key(ESC);
    await terminal.shows("The test was cancelled");
    assert.equal(signal?.aborted, true);
    terminal.key(ENTER);
    await terminal.shows("Testing qwen3");
    assert.equal(signal?.aborted, false);
    terminal.key("\x03");
  }, {
    test: (_choice, given) => {
      signal = given;
      return new Promise(() => {});
    },
  });
  assert.equal(result, "quit");
  assert.equal(signal?.aborted, true);
  assert.deepEqual(saved, []);
});

Deno.test("the demo needs nothing, ESC on the first step quits", async () => {
  const demo = await play(async (terminal) => {
    await terminal.shows("demo");
    terminal.key("\x1b[A");
    terminal.key(ENTER);
  });
  assert.equal(demo.result, "demo");
  const quit = await play(async (terminal) => {
    await terminal.shows("esc quits");
    terminal.key(ENTER);
    await terminal.shows("Paste");
    terminal.key(ESC);
    await terminal.shows("→ DeepSeek");
    terminal.key(ESC);
  });
  assert.equal(quit.result, "quit");
});

Deno.test("settings that cannot be saved are reported, and the choice is not lost", async () => {
  const { result } = await play(async (terminal) => {
    await terminal.shows("Ollama");
    terminal.key(DOWN);
    terminal.key(ENTER);
    await terminal.shows("Name of the model");
    terminal.type("m1");
    terminal.key(ENTER);
    const told = await terminal.shows("Cannot save the settings: disk full\n  ");
    assert.match(told, /NARNAT_API_KEY, NARNAT_BASE_URL[^]*NARNAT_MODEL/);
    await terminal.shows("❯ m1");
    terminal.key("\x03");
  }, { save: () => Promise.reject(new Error("disk full")) });
  assert.equal(result, "quit");
});

Deno.test("the provider's own list is offered, the recommended ones first; a silent provider leaves those", async () => {
  const asked: SetupChoice[] = [];
  const { saved } = await play(async (terminal) => {
    await terminal.shows("DeepSeek");
    terminal.key(ENTER);
    await terminal.shows("Paste your");
    terminal.type("key");
    terminal.key(ENTER);
    const all = await terminal.shows("Choose a model");
    assert.match(all, /→ deepseek-reasoner\n {2}a-new-one\n {2}b\n {2}Another model/);
    terminal.key(DOWN);
    terminal.key(ENTER);
  }, {
    models: (choice) => {
      asked.push(choice);
      return Promise.resolve(["a-new-one", "b\x1b[2J", "deepseek-reasoner"]);
    },
  });
  assert.equal(saved[0]!.model, "a-new-one");
  assert.deepEqual([asked[0]!.apiKey, asked[0]!.baseUrl], ["key", "https://api.deepseek.com"]);
  const silent = await play(async (terminal) => {
    await terminal.shows("DeepSeek");
    terminal.key(ENTER);
    await terminal.shows("Paste your");
    terminal.type("key");
    terminal.key(ENTER);
    await terminal.shows("→ deepseek-chat");
    terminal.key(ENTER);
  }, { models: () => Promise.reject(new Error("404")) });
  assert.equal(silent.saved[0]!.model, "deepseek-chat");
});

Deno.test("ESC skips a list that does not come", async () => {
  let signal: AbortSignal | undefined;
  const { saved } = await play(async (terminal) => {
    await terminal.shows("Ollama");
    terminal.key(DOWN);
    terminal.key(ENTER);
    await terminal.shows("Asking for the list of models");
    terminal.key(ESC);
    await terminal.shows("Name of the model");
    assert.equal(signal?.aborted, true);
    terminal.type("m");
    terminal.key(ENTER);
  }, {
    models: (_choice, given) => {
      signal = given;
      return new Promise(() => {});
    },
  });
  assert.equal(saved[0]!.model, "m");
});

Deno.test("a provider that cannot be reached is tried again, or the choice is saved all the same", async () => {
  const { result, saved, terminal } = await play(async (terminal) => {
    await terminal.shows("DeepSeek");
    terminal.key(ENTER);
    await terminal.shows("Paste your");
    terminal.type("key");
    terminal.key(ENTER);
    await terminal.shows("Choose a model");
    terminal.key(ENTER);
    for (const n of [1, 2]) {
      await terminal.shows(new RegExp(`gone ${n}[^]*→ Try again\n {2}Save anyway.*\n {2}Choose`));
      if (n === 1) terminal.key(ENTER);
    }
    terminal.key(DOWN);
    terminal.key(ENTER);
  }, {
    test: (() => {
      let n = 0;
      return () => Promise.resolve({ text: `gone ${++n}`, mend: "url" as const });
    })(),
  });
  assert.equal(result, "saved");
  assert.deepEqual(saved.map(({ apiKey, model }) => [apiKey, model]), [["key", "deepseek-chat"]]);
  assert.doesNotMatch(await terminal.text(), /works/);
});

Deno.test("back on the first list its heading stands, the provider is remembered, and nothing of it is left", async () => {
  await play(async (terminal) => {
    await terminal.shows("Ollama");
    for (const key of [DOWN, DOWN, ENTER]) terminal.key(key);
    await terminal.shows("Endpoint address");
    terminal.key(ESC);
    await terminal.shows(/Choose a model service\n[^]*→ Other endpoint/);
    for (const key of ["\x1b[A", "\x1b[A", ENTER]) terminal.key(key);
    await terminal.shows("Get one at https://platform.deepseek.com/api_keys");
    terminal.key(ESC);
    const list = await terminal.shows(/Choose a model service\n[^]*→ DeepSeek/);
    assert.doesNotMatch(list, /Get one at/);
    terminal.key("\x03");
  });
});
