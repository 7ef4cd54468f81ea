/** The command-line contract against a real server. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import type { Script } from "../support/fake_provider.ts";
import { cleanEnv, hasSaid, type RunOptions } from "../support/narnat.ts";
import { eventually } from "../support/processes.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { stage } from "../support/stage.ts";
import { slow } from "../support/soak.ts";

Deno.test("text output is the final answer alone", async () => {
  await stage(
    [
      { text: "I look. ", calls: [{ name: "Glob", input: { pattern: "*" } }] },
      { text: "The answer.\n" },
    ],
    async ({ narnat }) => {
      const { code, stdout, stderr } = await narnat(["-p", "what?"]);
      assert.equal(code, 0);
      assert.equal(stdout, "The answer.\n");
      assert.equal(stderr, "");
    },
  );
});

slow(
  "thinking that the server left in the text is no part of the answer, nor of what the model reads again",
  async () => {
    const script = [
      { text: "<think>why</think>\n\nFirst." },
      { text: "because\n</think>\n\nSecond." },
      { text: "Third." },
    ];
    await stage(script, async ({ narnat, provider: { requests } }) => {
      for (const [at, want] of ["First.", "Second.", "Third."].entries()) {
        const { stdout } = await narnat(["-p", "go", ...at === 0 ? [] : ["--continue"]]);
        assert.equal(stdout, want + "\n");
      }
      const told = requests[2]!.json.messages.filter((one: { role: string }) =>
        one.role === "assistant"
      );
      assert.deepEqual(told.map((one: { content: string }) => one.content), ["First.", "Second."]);
    });
  },
);

Deno.test("instructions that were cut are told on stderr, one line, in any format", async () => {
  await stage(() => ({ text: "yes" }), async ({ narnat, root }) => {
    await Deno.writeTextFile(join(root, "AGENTS.md"), "keep the tabs\n".repeat(100_000));
    for (const format of ["text", "json"]) {
      const { stderr } = await narnat(["-p", "really?", "--output-format", format]);
      assert.match(stderr, /^narnat: [^\n]*AGENTS\.md[^\n]*\n$/, format);
    }
  });
});

Deno.test("json output is the one result object", async () => {
  await stage([{ text: "yes" }], async ({ narnat }) => {
    const { stdout } = await narnat(["-p", "really?", "--output-format", "json"]);
    const result = JSON.parse(stdout);
    assert.deepEqual(Object.keys(result), [
      "type",
      "ok",
      "text",
      "stop_reason",
      "session",
      "turns",
      "run_turns",
      "iterations",
      "duration_ms",
      "usage",
      "usage_by_model",
      "model",
      "time",
    ]);
  });
});

Deno.test("piped stdin is appended to the prompt, or is the whole prompt", async () => {
  await stage([{ text: "a" }, { text: "b" }], async ({ narnat, provider }) => {
    await narnat(["-p", "explain"], { stdin: "some 文本\n" });
    await narnat(["-p"], { stdin: "all of it\n" });
    const last = (i: number) => provider.requests[i]!.json.messages.at(-1).content;
    assert.equal(last(0), "explain\n\nsome 文本");
    assert.equal(last(1), "all of it");
  });
});

slow(
  "a stdin that stays open and silent does not hang a prompt from the command line",
  async () => {
    await stage([{ text: "a" }], async ({ narnat }) => {
      const { code, stdout } = await narnat(["-p", "hello"], {
        during: async (child) => void await child.status,
      });
      assert.equal(code, 0);
      assert.equal(stdout, "a\n");
    });
  },
);

slow("a prompt of 5 MB arrives whole", async () => {
  const big = "汉字 ".repeat(5 * 1024 * 1024 / 7);
  await stage([{ text: "ok" }], async ({ narnat, provider }) => {
    const { code } = await narnat(["-p"], { stdin: big });
    assert.equal(code, 0);
    assert.equal(provider.requests[0]!.json.messages.at(-1).content, big.trimEnd());
  });
});

slow("bad input ends with exit code 2 and one clear line", async () => {
  await stage([], async ({ narnat, root }) => {
    await Deno.writeTextFile(join(root, "a.txt"), "a");
    const cases: [string[], RegExp, Partial<RunOptions>?][] = [
      [["--modle", "x"], /--modle[\s\S]*--model/],
      [["--output-format", "xml", "-p", "a"], /xml/],
      [["--max-iterations", "many", "-p", "a"], /whole number/],
      [["-p"], /needs a prompt/],
      [["-C", "/no/such/folder", "-p", "a"], /no such folder/],
      [["-C", "a.txt", "-p", "a"], /not a folder/],
      [["--tools", "Raed", "-p", "a"], /did you mean Read/],
      [["-r", "nothing", "-p", "a"], /nothing/],
      [["doctr"], /did you mean doctor/],
      [["-p"], /not valid UTF-8 at byte 3/, { stdin: new Uint8Array([97, 98, 99, 0xff, 100]) }],
      [["--max-cost", "1", "-p", "a"], /price of fake is not known/],
      [["sessions", "show"], /Usage/],
      [["completions", "tcsh"], /bash\|zsh\|fish/],
      [["completions", "constructor"], /bash\|zsh\|fish/],
    ];
    for (const [args, expected, more] of cases) {
      const { code, stderr, stdout } = await narnat(args, more);
      assert.equal(code, 2, `${args}: ${stderr}${stdout}`);
      assert.match(stderr, expected, String(args));
      assert.ok(stderr.trim().split("\n").length <= 3, stderr);
    }
    for (const format of ["json", "stream-json"]) {
      const { code, lines } = await narnat(["-r", "nothing", "-p", "a", "--output-format", format]);
      assert.equal(code, 2);
      const [{ type, ok, stop_reason, error }] = lines;
      assert.deepEqual([type, ok, stop_reason], ["result", false, "error"]);
      assert.equal(error.kind, "config");
      assert.match(error.text, /nothing/);
    }
    Deno.mkdirSync(join(root, ".narnat"), { recursive: true });
    Deno.writeTextFileSync(join(root, ".narnat/narnat.json"), '{"model": }');
    const broken = await narnat(["-p", "a"]);
    assert.equal(broken.code, 2);
    assert.match(broken.stderr, /narnat\.json: line 1/);
    Deno.removeSync(join(root, ".narnat/narnat.json"));
    Deno.mkdirSync(join(root, ".narnat/narnat.json"));
    const folder = await narnat(["-p", "a"]);
    assert.equal(folder.code, 2);
    assert.match(folder.stderr, /narnat\.json/);
  });
});

slow("exit codes: 1 for a failed turn, 3 for a limit, and the JSON says why", async () => {
  const again = { calls: [{ name: "Glob", input: { pattern: "*.none" } }] };
  const write = { calls: [{ name: "Write", input: { file_path: "new.txt", content: "x\n" } }] };
  const answer: Script = ({ json }, i) => {
    if (i === 0) return { fault: "status", status: 401 };
    return json.messages.at(-1).content === "b" ? write : again;
  };
  await stage(answer, async ({ narnat }) => {
    const failed = await narnat(["-p", "a", "--output-format", "json"]);
    assert.equal(failed.code, 1);
    assert.equal(failed.lines[0].ok, false);
    assert.equal(failed.lines[0].error.kind, "auth");
    assert.match(failed.stderr, /401|key/);
    const limit = await narnat(["-p", "a", "--max-iterations", "2", "--output-format", "json"]);
    assert.equal(limit.code, 3);
    assert.equal(limit.lines[0].stop_reason, "max_iterations");
    const budget = await narnat(["-p", "a", "--max-total-tokens", "20", "--output-format", "json"]);
    assert.equal(budget.code, 3);
    assert.equal(budget.lines[0].stop_reason, "budget");
    assert.match(budget.lines[0].reason, /token budget .*0 of 20 spent/);
    assert.match(limit.lines[0].reason, /2 /);
    const args = ["-p", "b", "--max-iterations", "1", "--output-format", "json"];
    const changed = await narnat(args);
    assert.deepEqual(changed.lines[0].evidence.unverified, ["new.txt"]);
    assert.match(changed.lines[0].reason, /1 /);
    assert.doesNotMatch(changed.lines[0].reason, /new\.txt/);
    const done = await narnat(["-p", "/help", "--output-format", "json"]);
    assert.equal(done.lines[0].reason, undefined);
  });
});

Deno.test("many turns in one process: lines, slash lines, a bad line, and EOF when idle", async () => {
  await stage((_r, i) => ({ text: `answer ${i}` }), async ({ narnat, provider }) => {
    const line = (value: unknown) => JSON.stringify(value) + "\n";
    const { code, lines } = await narnat(
      ["-p", "--input-format", "stream-json", "--output-format", "stream-json"],
      {
        stdin: line({ type: "user", text: "zero" }) + line({ type: "user", text: "/help" }) +
          "not json\n" + line({ type: "user", text: "one" }),
      },
    );
    const ends = lines.filter((event) => event.type === "turn_end");
    assert.deepEqual(ends.map((event) => event.reason), ["done", "command", "done"]);
    assert.ok(lines.some((event) => event.type === "notice" && /\/save/.test(event.text)));
    assert.match(lines.find((event) => event.type === "error").text, /line 3 of stdin/);
    assert.equal(code, 0, "what was understood is done");
    assert.equal(lines.at(-1).type, "result");
    assert.equal(lines.at(-1).ok, true);
    assert.equal(lines.at(-1).turns, 2);
    assert.equal(provider.requests.length, 2);
  });
});

Deno.test("a stop line ends the running turn, and the next line still runs", async () => {
  await stage(
    [{ fault: "stall", text: "half" }, { text: "whole" }],
    async ({ narnat, provider }) => {
      const line = (value: unknown) => JSON.stringify(value) + "\n";
      const done = await narnat(
        ["-p", "--input-format", "stream-json", "--output-format", "stream-json"],
        {
          stdin: line({ type: "user", text: "one" }),
          during: async (_child, write, printed) => {
            await printed(hasSaid("hal"));
            await write(line({ type: "stop" }) + line({ type: "user", text: "two" }));
          },
        },
      );
      const ends = done.lines.filter((event) => event.type === "turn_end");
      assert.deepEqual(ends.map((event) => event.reason), ["interrupted", "done"]);
      assert.equal(done.lines.at(-1).text, "whole");
      assert.equal(done.code, 0);
      assert.deepEqual(
        provider.requests[1]!.json.messages.slice(1).map((m: { content: string }) => m.content),
        ["one", "half", "two"],
      );
    },
  );
});

slow("a stream cut in the middle of a call is asked again, and the tool runs once", async () => {
  const append = { calls: [{ name: "Bash", input: { command: "echo ran >> count.txt" } }] };
  await stage(
    [{ ...append, fault: "cut" }, append, { text: "done" }],
    async ({ narnat, root, provider }) => {
      const { code, stdout, stderr } = await narnat(["-p", "x"], { stdin: "" });
      assert.equal(code, 0, stderr);
      assert.equal(stdout, "done\n");
      assert.match(stderr, /trying again in/);
      assert.equal(Deno.readTextFileSync(join(root, "count.txt")), "ran\n");
      assert.equal(provider.requests.length, 3);
      assert.equal(provider.requests[0]!.body, provider.requests[1]!.body);
    },
  );
});

slow("deletes are refused headless, allowed by flag, and answered by an answer line", async () => {
  const rm = { calls: [{ name: "Bash", input: { command: "rm victim.txt" } }] };
  const files = { "w/victim.txt": "precious" };
  await stage([rm, { text: "refused" }], async ({ narnat, root }) => {
    const { lines } = await narnat(["-p", "x", "--output-format", "stream-json"]);
    const ask = lines.find((event) => event.type === "ask");
    assert.equal(ask.kind, "delete");
    assert.equal(ask.command, "rm victim.txt");
    assert.deepEqual(ask.targets, [join(root, "victim.txt")]);
    assert.equal(lines.find((event) => event.type === "tool_end").ok, false);
    assert.ok(Deno.statSync(join(root, "victim.txt")).isFile);
  }, files);
  await stage([rm, { text: "done" }], async ({ narnat, root }) => {
    await narnat(["-p", "x", "--allow-delete"]);
    assert.throws(() => Deno.statSync(join(root, "victim.txt")));
  }, files);
  await stage([rm, { text: "done" }], async ({ narnat, root }) => {
    const line = (value: unknown) => new TextEncoder().encode(JSON.stringify(value) + "\n");
    const args = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"];
    // At EOF nobody can say yes any more.
    const eof = await narnat(args, { stdin: line({ type: "user", text: "x" }) });
    assert.equal(eof.lines.find((event) => event.type === "tool_end").ok, false);
    assert.ok(Deno.statSync(join(root, "victim.txt")).isFile);
  }, files);
});

slow("SIGINT ends with 130 and leaves a session that goes on", async () => {
  await stage(
    [{ fault: "stall", text: "half" }, { text: "rest" }],
    async ({ narnat, provider }) => {
      const { code } = await narnat(["-p", "one"], {
        stdin: "",
        during: async (child) => {
          while (provider.requests.length === 0) await new Promise((r) => setTimeout(r, 10));
          await new Promise((r) => setTimeout(r, 100));
          child.kill("SIGINT");
          await child.status;
        },
      });
      assert.equal(code, 130);
      const after = await narnat(["-p", "two", "-c", "--output-format", "json"]);
      assert.deepEqual([after.lines[0].run_turns, after.lines[0].turns], [1, 2]);
      assert.deepEqual(provider.pairingErrors, []);
    },
  );
});

Deno.test("SIGTERM ends with 143", async () => {
  await stage([{ fault: "stall" }], async ({ narnat, provider }) => {
    const { code } = await narnat(["-p", "one"], {
      stdin: "",
      during: async (child) => {
        while (provider.requests.length === 0) await new Promise((r) => setTimeout(r, 10));
        child.kill("SIGTERM");
        await child.status;
      },
    });
    assert.equal(code, 143);
  });
});

Deno.test("a closed stdout ends quietly", async () => {
  await stage(
    (_r, i) => ({ calls: [{ name: "Glob", input: { pattern: `${i}` } }] }),
    async ({ root, provider }) => {
      const command = [BUNDLED.command, ...BUNDLED.args]
        .map((word) => `'${word}'`).join(" ");
      const out = await new Deno.Command("bash", {
        args: ["-c", `${command} -p go --output-format stream-json </dev/null | head -1`],
        cwd: root,
        clearEnv: true,
        env: {
          ...cleanEnv(root),
          NARNAT_API_KEY: "k",
          NARNAT_BASE_URL: provider.url,
          NARNAT_MODEL: "fake",
        },
      }).output();
      assert.equal(new TextDecoder().decode(out.stderr), "");
      assert.equal(JSON.parse(new TextDecoder().decode(out.stdout)).type, "init");
      assert.ok(provider.requests.length < 50);
    },
  );
});

slow("an answer that cannot be written is a failure, told on stderr", async () => {
  await stage(() => ({ text: "precious" }), async ({ root, provider }) => {
    const command = [BUNDLED.command, ...BUNDLED.args].map((word) => `'${word}'`).join(" ");
    for (const format of ["text", "json", "stream-json"]) {
      const { code, stderr } = await new Deno.Command("bash", {
        args: ["-c", `${command} -p x --output-format ${format} </dev/null >/dev/full`],
        cwd: root,
        clearEnv: true,
        env: {
          ...cleanEnv(root),
          NARNAT_API_KEY: "k",
          NARNAT_BASE_URL: provider.url,
          NARNAT_MODEL: "fake",
        },
      }).output();
      assert.equal(code, 1, format);
      assert.match(new TextDecoder().decode(stderr), /Cannot write the answer: the disk is full$/m);
    }
  });
});

slow("a stdin that cannot be read is the caller's mistake, and told as that", async () => {
  await withWorkspace({}, async (root) => {
    const command = [BUNDLED.command, ...BUNDLED.args].map((word) => `'${word}'`).join(" ");
    const asked = ["-p", "-p --input-format stream-json", "tool --jsonl", "check-command --jsonl"];
    for (const args of asked) {
      for (const [from, why] of [["<.", /it is a folder/], ["0>x", /open for writing only/]]) {
        const { code, stderr } = await new Deno.Command("bash", {
          args: ["-c", `${command} ${args} ${from}`],
          cwd: root,
          clearEnv: true,
          env: { ...cleanEnv(root), NARNAT_API_KEY: "k", NARNAT_MODEL: "fake" },
        }).output();
        const told = new TextDecoder().decode(stderr);
        assert.match(told, why as RegExp, `${args} ${from}`);
        assert.equal(code, 2, told);
      }
    }
  });
});

slow("the session of a turn that failed can be gone on with by its id", async () => {
  await stage([{ fault: "status", status: 401 }, { text: "ok" }], async ({ narnat }) => {
    const failed = await narnat(["-p", "x", "--output-format", "json"]);
    const again = await narnat(["-r", failed.lines[0].session, "-p", "y"]);
    assert.equal(again.stdout, "ok\n");
  });
});

Deno.test("a read-only workspace works without a session and says so", async () => {
  await stage([{ text: "fine" }], async ({ narnat, root }) => {
    // A file in the folder's place stops root as well.
    Deno.writeTextFileSync(join(root, ".narnat"), "in the way");
    const env = { TMPDIR: join(root, "..") };
    const { code, stdout, stderr } = await narnat(["-p", "x"], { env });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "fine\n");
    assert.match(stderr, /goes on in memory[^]*is kept in/);
  });
});

slow("a start reads no stored session, unless asked to go on with one", async () => {
  const id = "20260101-000000-aaaa";
  const stored = [
    { type: "session", version: 1, id, time: "2026-01-01T00:00:00.000Z", workspace: "/" },
    { type: "message", time: "2026-01-01T00:00:01.000Z", message: { role: "user", text: "old" } },
  ].map((entry) => JSON.stringify(entry) + "\n").join("");
  const path = `w/.narnat/sessions/${id}.jsonl`;
  await stage([{ text: "one" }, { text: "two" }], async ({ narnat, root }) => {
    const file = join(root, "..", path);
    // file systems note a reading at the latest when the time of the last one lies before the writing
    await Deno.utime(file, new Date("2026-01-01"), new Date("2026-01-02"));
    const read = async () => (await Deno.stat(file)).atime!.toISOString();
    const untouched = await read();
    assert.equal((await narnat(["-p", "new"])).code, 0);
    assert.equal(await read(), untouched);
    assert.equal((await narnat(["-p", "more", "-r", id, "--output-format", "json"])).code, 0);
  }, { [path]: stored });
});

Deno.test("--no-session keeps nothing on disk", async () => {
  await stage([{ text: "fine" }], async ({ narnat, root }) => {
    await narnat(["-p", "x", "--no-session"]);
    assert.deepEqual([...Deno.readDirSync(root)].map((e) => e.name), []);
  });
});

slow("--no-session removes the full copy of long output when it ends", async () => {
  const flood = { calls: [{ name: "Bash", input: { command: "seq 1 20000" } }] };
  await stage([flood, { text: "done" }], async ({ narnat, root }) => {
    const temp = join(root, "temp");
    Deno.mkdirSync(temp);
    const { lines } = await narnat(
      ["-p", "x", "--no-session", "--output-format", "stream-json"],
      { env: { TMPDIR: temp } },
    );
    const { text } = lines.find((event) => event.type === "tool_end");
    assert.ok(text.includes(temp), "the model was told where the full copy is");
    assert.deepEqual([...Deno.readDirSync(temp)].map((entry) => entry.name), []);
  });
});

Deno.test("the log follows the seed's format and holds no key", async () => {
  await stage(
    [
      { text: "因为要找它。", calls: [{ name: "Grep", input: { pattern: "needle" } }] },
      { text: "found", usage: { input: 1200, output: 450 } },
    ],
    async ({ narnat, root }) => {
      await narnat(["-p", "find the k-123456 thing", "--lang", "zh"]);
      const dir = join(root, ".narnat/logs");
      const [file] = [...Deno.readDirSync(dir)].map((e) => e.name);
      assert.match(file!, /^\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.log$/);
      const log = Deno.readTextFileSync(join(dir, file!));
      const at = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d `;
      for (
        const line of [
          String.raw`\[core\.agent\] INFO 用户输入: "find the «secret:NARNAT_API_KEY» thing"`,
          String.raw`\[core\.llm\] INFO 发送请求, tokens_in=\d+`,
          String.raw`\[core\.agent\] INFO AI决策: 调用Grep，原因: 因为要找它。`,
          String.raw`\[tools\.grep\] INFO 调用: pattern="needle"`,
          String.raw`\[tools\.grep\] INFO 结果: 1个文件匹配, 1处`,
          String.raw`\[core\.llm\] INFO 响应完成, tokens_out=450, cost=unknown`,
          String
            .raw`\[core\.context\] INFO base \d+, environment \d+, .*definitions \d+, .*Grep \d+`,
        ]
      ) assert.match(log, new RegExp(`^${at}${line}`, "m"));
      assert.ok(!log.includes("k-123456"));
    },
    { "w/a.txt": "a needle\n" },
  );
});

slow("tool runs one call as the model would, and a warm process with --jsonl", async () => {
  await stage([], async ({ narnat }) => {
    const one = await narnat(["tool", "Grep", '{"pattern":"needle"}']);
    assert.equal(one.code, 0, one.stderr);
    assert.match(one.stdout, /a\.txt:1:a needle/);
    const bad = await narnat(["tool", "Read", '{"file_path":"nope.txt"}']);
    assert.equal(bad.code, 1);
    const lines = [
      { name: "Edit", input: { file_path: "a.txt", old_string: "a", new_string: "b" } },
      { name: "Read", input: { file_path: "a.txt" } },
      { name: "Edit", input: { file_path: "a.txt", old_string: "a needle", new_string: "two" } },
    ].map((value) => JSON.stringify(value) + "\n").join("");
    const warm = await narnat(["tool", "--jsonl"], { stdin: lines + "garbage\n" });
    assert.deepEqual(warm.lines.map((line) => line.ok), [false, true, true, false]);
    assert.ok(warm.lines.every((line) => typeof line.ms === "number"));
    const env = await narnat(["tool", "Read", '{"file_path":".env"}']);
    assert.match(env.stdout, /1 \| A_TOKEN=«secret:A_TOKEN»/);
    const content = "A_TOKEN=«secret:A_TOKEN»\n";
    const lost = await narnat(["tool", "Write", JSON.stringify({ file_path: "new", content })]);
    assert.match(lost.stdout, /^Nothing was done: «secret:A_TOKEN»/);
    assert.equal(lost.code, 1);
  }, { "w/a.txt": "a needle\n", "w/.env": "A_TOKEN=f00ba4-f00ba5-f00ba6\n" });
});

Deno.test("check-command prints the gate's decision", async () => {
  await stage([], async ({ narnat, root }) => {
    const one = await narnat(["check-command", "rm -rf build"]);
    assert.deepEqual(JSON.parse(one.stdout), {
      verdict: "ask",
      kind: "delete",
      rule: "rm",
      reason: JSON.parse(one.stdout).reason,
      targets: [join(root, "build")],
      outside: [],
    });
    const many = await narnat(["check-command", "--jsonl"], {
      stdin: '{"command":"ls"}\n{"command":"vim x"}\n',
    });
    assert.deepEqual(many.lines.map((line) => [line.verdict, line.kind]), [
      ["allow", "none"],
      ["refuse", "interactive"],
    ]);
  });
});

Deno.test("prompt shows exactly what is sent", async () => {
  await stage([{ text: "x" }], async ({ narnat, provider }) => {
    const shown = JSON.parse((await narnat(["prompt", "--output-format", "json"])).stdout);
    await narnat(["-p", "x"]);
    const sent = provider.requests[0]!.json;
    assert.equal(sent.messages[0].content, shown.system);
    assert.deepEqual(
      sent.tools.map((tool: { function: { name: string } }) => tool.function.name),
      shown.tools.map((tool: { name: string }) => tool.name),
    );
  }, { "w/AGENTS.md": "be kind" });
});

slow("init writes once and never overwrites", async () => {
  await stage([], async ({ narnat, root }) => {
    assert.equal((await narnat(["init"])).code, 0);
    const config = Deno.readTextFileSync(join(root, ".narnat/narnat.json"));
    for (const key of ["context_window", "dream_hours", "disabled_skills"]) {
      assert.ok(config.includes(`"${key}"`), key);
    }
    if (Deno.build.os !== "windows") {
      const mode = Deno.statSync(join(root, ".narnat/.gitignore")).mode! & 0o777;
      assert.equal(mode, 0o666 & ~Deno.umask());
    }
    const shown = await narnat(["prompt"]);
    assert.doesNotMatch(shown.stdout, /<!--|narnat\.md|工作规则|Skill index/);
    assert.match(
      shown.stdout,
      /left out: \.narnat\/skills\/example\/SKILL\.md: disabled \(it says enabled: false\)/,
    );
    Deno.writeTextFileSync(join(root, ".narnat/narnat.md"), "mine");
    const { code, stdout } = await narnat(["init"]);
    assert.equal(code, 0);
    assert.match(stdout, /kept .narnat\/narnat.md/);
    assert.equal(Deno.readTextFileSync(join(root, ".narnat/narnat.md")), "mine");
    const ran = await narnat(["doctor"]);
    assert.match(ran.stdout, /configuration/, "the commented file is a valid configuration");
  });
});

Deno.test("doctor passes against a working endpoint and fails, with the mend, against a broken one", async () => {
  await stage(
    (_r, i) => i === 0 ? { text: "ok" } : { fault: "status", status: 401 },
    async ({ narnat }) => {
      const good = await narnat(["doctor"]);
      assert.equal(good.code, 0, good.stdout);
      assert.match(good.stdout, /✓ endpoint: answered/);
      const bad = await narnat(["doctor"]);
      assert.equal(bad.code, 1);
      assert.match(bad.stdout, /✗ endpoint/);
      assert.ok(!bad.stdout.includes("k-123456"));
    },
  );
});

slow("wrong flags are told in the language asked for", async () => {
  await stage([], async ({ narnat }) => {
    const cases: [string[], string][] = [
      [["--bad"], "没有选项 --bad"],
      [["--modle", "x"], "没有选项 --modle，是否想用 --model？"],
      [["-x"], "没有选项 -x"],
      [["--model"], "--model 需要一个值"],
      [["--model", "a", "--model", "b"], "--model 不能重复给出"],
      [["--max-iterations", "many"], "无法理解 max-iterations 的值"],
      [["--output-format", "xml"], '--output-format 的值 "xml" 应为 text|json|stream-json 之一'],
      [["--print=maybe"], '无法理解 print 的值 "maybe"：应为 true 或 false'],
      [["--no-session=yes"], "--no-session 不能带值"],
      [["init", "there"], '多余的参数 "there"'],
    ];
    for (const [args, expected] of cases) {
      const at = args[0] === "init" ? 1 : 0;
      const { code, stderr } = await narnat(args.toSpliced(at, 0, "--lang", "zh"));
      assert.equal(code, 2, stderr);
      assert.ok(stderr.startsWith(`narnat: ${expected}`), stderr);
    }
  });
});

Deno.test("a command behind flags is the command; with -p the words are the prompt", async () => {
  await stage([{ text: "answered" }], async ({ narnat, root, provider }) => {
    const listed = await narnat(["-C", root, "--lang", "en", "sessions"]);
    assert.match(listed.stdout, /No stored sessions/);
    assert.equal((await narnat(["--model", "x", "sessions"])).code, 2, "it has no such flag");
    assert.equal(provider.requests.length, 0);
    assert.equal((await narnat(["-C", root, "-p", "sessions"])).stdout, "answered\n");
  });
});

slow("-r takes a name or a number, and says where to look when there is none", async () => {
  await stage([{ text: "one" }, { text: "two" }, { text: "three" }], async ({ narnat }) => {
    await narnat(["-p", "first"]);
    await narnat(["-c", "-p", "/save 我的"]);
    assert.equal(
      (await narnat(["-r", "我的", "-p", "again", "--output-format", "json"])).lines[0]
        .turns,
      2,
    );
    assert.equal(
      (await narnat(["-r", "1", "-p", "again", "--output-format", "json"])).lines[0].turns,
      3,
    );
    const none = await narnat(["-r", "nothing", "-p", "x"]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /Cannot find the session nothing/);
  });
});

Deno.test("a slash command that refuses is a failure", async () => {
  await stage([], async ({ narnat }) => {
    assert.equal((await narnat(["-p", "/nosuch"])).code, 1);
    assert.equal((await narnat(["-p", "/help"])).code, 0);
  });
});

Deno.test("help and lists end quietly when nobody reads them", async () => {
  await stage([], async ({ root }) => {
    const command = [BUNDLED.command, ...BUNDLED.args].map((word) => `'${word}'`).join(" ");
    for (const args of ["--help", "prompt", "doctor --lang en"]) {
      const { stdout, stderr } = await new Deno.Command("bash", {
        args: ["-c", `set -o pipefail; ${command} ${args} </dev/null | true; echo "rc $?"`],
        cwd: root,
        clearEnv: true,
        env: cleanEnv(root),
      }).output();
      assert.equal(new TextDecoder().decode(stderr), "", args);
      assert.equal(new TextDecoder().decode(stdout), "rc 0\n", args);
    }
  });
});

slow("changes nobody verified are named on stderr in every format", async () => {
  const script = [
    { calls: [{ name: "Write", input: { file_path: "new.txt", content: "x\n" } }] },
    { text: "done" },
  ];
  for (const format of ["text", "json"]) {
    await stage(script, async ({ narnat }) => {
      const { stderr } = await narnat(["-p", "x", "--output-format", format]);
      assert.match(stderr, /not verified: new\.txt/);
    });
  }
});

slow("SIGHUP ends with 129 and takes the running command with it", async () => {
  await stage(
    [{ calls: [{ name: "Bash", input: { command: "sleep 93.1" } }] }],
    async ({ narnat }) => {
      const running = async () =>
        (await new Deno.Command("pgrep", { args: ["-f", "sleep 93.1$"] }).output()).success;
      const { code } = await narnat(["-p", "x"], {
        stdin: "",
        during: async (child) => {
          while (!await running()) await new Promise((r) => setTimeout(r, 20));
          child.kill("SIGHUP");
          await child.status;
        },
      });
      assert.equal(code, 129);
      assert.ok(await eventually(async () => !await running(), 20_000));
    },
  );
});

Deno.test("tool obeys permission ask as a session without a person does", async () => {
  await stage([], async ({ narnat, root }) => {
    const call = '{"file_path":"x.txt","content":"x"}';
    const { code, stdout } = await narnat(["tool", "Write", call, "--permission", "ask"]);
    assert.equal(code, 1);
    assert.match(stdout, /declined|not confirmed/i);
    assert.throws(() => Deno.statSync(join(root, "x.txt")));
  });
});

slow("sessions are listed, shown and deleted", async () => {
  await stage([{ text: "an answer" }], async ({ narnat }) => {
    await narnat(["-p", "a question"]);
    const list = await narnat(["sessions"]);
    assert.match(list.stdout, /a question/);
    assert.match(list.stdout, /^ *no\. {2}session +last used +turns {2}title\n +1 {2}\d/);
    const shown = await narnat(["sessions", "show", "1"]);
    assert.match(shown.stdout, /^❯ a question\n+an answer\n/);
    const { lines } = await narnat(["sessions", "show", "1", "--jsonl"]);
    assert.deepEqual(lines.map((m) => m.text), ["a question", "an answer"]);
    assert.equal((await narnat(["sessions", "delete", "1"])).code, 0);
    assert.match((await narnat(["sessions", "list"])).stdout, /No stored sessions/);
  });
});

Deno.test("completions propose subcommands, flags and enum values", async () => {
  await stage([], async ({ narnat }) => {
    const words = async (...args: string[]) =>
      (await narnat(["__complete", ...args])).stdout.split("\n");
    assert.ok((await words("ses")).includes("sessions"));
    assert.ok((await words("--out")).includes("--output-format"));
    assert.ok((await words("--output-format", "s")).includes("stream-json"));
    const syntax = await new Deno.Command("bash", {
      args: ["-n"],
      stdin: "piped",
    }).spawn();
    const writer = syntax.stdin.getWriter();
    await writer.write(new TextEncoder().encode((await narnat(["completions", "bash"])).stdout));
    await writer.close();
    assert.equal((await syntax.status).code, 0);
  });
});

slow("--help is there for narnat and every command, in both languages", async () => {
  await stage([], async ({ narnat }) => {
    for (const command of ["", "init", "doctor", "prompt", "tool", "check-command", "sessions"]) {
      const { code, stdout } = await narnat([...(command ? [command] : []), "--help"]);
      assert.equal(code, 0, command);
      assert.match(stdout, /USAGE/);
    }
    assert.match((await narnat(["--help", "--lang", "zh"])).stdout, /工作区/);
    assert.match((await narnat(["--version"])).stdout, /^narnat \d+\.\d+\.\d+\n$/);
  });
});
