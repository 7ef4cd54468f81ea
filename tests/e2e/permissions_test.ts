/** narnat under limited permissions: the tools follow what is granted, a notice says so, nothing asks. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type FakeProvider, startFakeProvider } from "../support/fake_provider.ts";
import { type Program, ROOT, runNarnat } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

const ALL = [
  "Read",
  "Write",
  "Edit",
  "Glob",
  "Grep",
  "Bash",
  "WebSearch",
  "WebFetch",
  "TodoWrite",
];

interface Case {
  readonly name: string;
  /** Deno's flags; DIR is the workspace, HOST the provider's host and port. */
  readonly flags: readonly string[];
  readonly without: readonly string[];
  /** The key and endpoint stand in the project's file, as the environment may not be read. */
  readonly noEnv?: boolean;
}

const KEY_ENV = "--allow-env=NARNAT_API_KEY,NARNAT_BASE_URL,NARNAT_MODEL";
const CASES: readonly Case[] = [
  { name: "the set default", flags: ["-P=default"], without: [] },
  { name: "the set read-only", flags: ["-P=read-only"], without: ["Write", "Edit", "Bash"] },
  { name: "the set offline", flags: ["-P=offline"], without: ["WebSearch", "WebFetch"] },
  {
    name: "no environment",
    flags: ["--allow-read", "--allow-write", "--allow-run", "--allow-net"],
    without: [],
    noEnv: true,
  },
  {
    name: "reading the project and nothing else",
    flags: ["--allow-read=DIR", "--allow-net=HOST", KEY_ENV],
    without: ["Write", "Edit", "Bash", "WebSearch", "WebFetch"],
  },
  {
    name: "changing the project, running nothing",
    flags: ["--allow-read=DIR", "--allow-write=DIR", "--allow-net=HOST", KEY_ENV],
    without: ["Bash", "WebSearch", "WebFetch"],
  },
  {
    name: "running git alone",
    flags: ["--allow-read", "--allow-write=DIR", "--allow-run=git", "--allow-net", "--allow-env"],
    without: ["Bash"],
  },
  {
    name: "a provider and nothing else",
    flags: ["--allow-net=HOST", KEY_ENV],
    without: ALL.filter((name) => name !== "TodoWrite"),
  },
];

interface Stage {
  readonly root: string;
  readonly provider: FakeProvider;
  program(flags: readonly string[]): Program;
  readonly env: { readonly [name: string]: string };
}

async function stage(noEnv: boolean, use: (stage: Stage) => Promise<void>): Promise<void> {
  await withWorkspace({ "w/a.txt": "a needle\n" }, async (dir) => {
    const root = join(dir, "w");
    const provider = await startFakeProvider((_request, index) =>
      index === 0
        ? { calls: [{ name: "Grep", input: { pattern: "needle" } }] }
        : index === 1
        ? { calls: [{ name: "Bash", input: { command: "echo from bash" } }] }
        : { text: "Done." }
    );
    const settings = { api_key: "k-123456", base_url: provider.url, model: "fake" };
    const host = new URL(provider.url).host;
    try {
      await use({
        root,
        provider,
        program: (flags) => ({
          name: "limited",
          command: Deno.execPath(),
          args: [
            "run",
            `--config=${join(ROOT, "deno.json")}`,
            ...flags.map((flag) => flag.replace("DIR", root).replace("HOST", host)),
            join(ROOT, "main.ts"),
          ],
        }),
        env: {
          NARNAT_API_KEY: settings.api_key,
          NARNAT_BASE_URL: noEnv ? "http://127.0.0.1:1" : settings.base_url,
          NARNAT_MODEL: settings.model,
        },
      });
    } finally {
      await provider.close();
    }
  });
}

for (const { name, flags, without, noEnv } of CASES) {
  slow(`the tools follow the permissions: ${name}`, async () => {
    await stage(noEnv === true, async ({ root, provider, program, env }) => {
      // without an environment there is no home either, and no trust in what the project names
      const named = noEnv ? ["--base-url", provider.url, "--model", "fake"] : [];
      const args = ["-p", "go", "--output-format", "stream-json", ...named];
      const ran = await runNarnat(program(flags), args, { cwd: root, env });
      assert.equal(ran.code, 0, ran.stderr);

      const offered = ALL.filter((tool) => !without.includes(tool));
      const sent = provider.requests.map(({ json }) =>
        json.tools.map((tool: { function: { name: string } }) => tool.function.name)
      );
      assert.deepEqual(sent, [offered, offered, offered]);
      const [grep, bash] = ran.lines.filter((event) => event.type === "tool_end");
      assert.equal(grep.ok, offered.includes("Grep"), grep.text);
      assert.equal(bash.ok, offered.includes("Bash"), bash.text);
      if (grep.ok) assert.match(grep.text, /a\.txt:1:a needle/);
      if (bash.ok) assert.match(bash.text, /from bash/);

      const said = ran.stderr.split("\n").filter((line) =>
        line !== "" && !/Permissions in the config file is an experimental feature/.test(line)
      );
      const notices = [
        ...(without.length > 0 ? [new RegExp(`not offered.*: ${without.join(", ")}$`)] : []),
        ...(without.includes("Write") ? [/--allow-write.*not kept/] : []),
      ];
      assert.equal(said.length, notices.length, ran.stderr);
      for (const [i, notice] of notices.entries()) assert.match(said[i]!, notice);
    });
  });
}

Deno.test("without any permission the demo model says what it lacks", async () => {
  await stage(false, async ({ root, program, env }) => {
    const args = ["-p", "find needle", "--model", "demo"];
    const { code, stdout, stderr } = await runNarnat(program([]), args, { cwd: root, env });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Grep/);
    assert.match(stderr, /not offered.*Read, Write/);
  });
});

slow("at a terminal nothing is asked that narnat can do without", async () => {
  await stage(false, async ({ root, program, env }) => {
    for (
      const flags of [["-P=read-only"], ["--allow-read=DIR"], ["--allow-read=DIR", KEY_ENV], []]
    ) {
      const { command, args } = program(flags);
      const words = [command, ...args, "-p", "find needle", "--model", "demo"];
      const line = words.map((word) => `'${word}'`).join(" ");
      const pty: Program = { name: "pty", command: "script", args: ["-qec", line, "/dev/null"] };
      const ran = await runNarnat(pty, [], {
        cwd: root,
        env,
        during: async (child) => {
          // a question would wait for ever; an end of input would be taken for an answer
          const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
          await child.status;
          clearTimeout(timer);
        },
      });
      assert.doesNotMatch(ran.stdout, /Deno requests|Allow\?/, `${flags} ${ran.stdout}`);
      assert.equal(ran.code, 0, ran.stdout);
      if (flags.length > 0) assert.match(ran.stdout, /a\.txt:1/);
    }
  });
});

slow("prompt, tool and doctor live with the permissions they have", async () => {
  await stage(false, async ({ root, program, env }) => {
    const limited = program(["--no-prompt", "--allow-read=DIR"]);
    const grep = await runNarnat(limited, ["tool", "Grep", '{"pattern":"needle"}'], {
      cwd: root,
      env,
    });
    assert.equal(grep.stdout.trim(), "a.txt:1:a needle");
    const edit = await runNarnat(limited, ["tool", "Edit", "{}"], { cwd: root, env });
    assert.equal(edit.code, 1);
    assert.match(edit.stdout, /Edit/);
    const shown = await runNarnat(limited, ["prompt", "--output-format", "json"], {
      cwd: root,
      env,
    });
    assert.deepEqual(
      JSON.parse(shown.stdout).tools.map((tool: { name: string }) => tool.name),
      ["Read", "Glob", "Grep", "TodoWrite"],
    );
    const doctor = await runNarnat(limited, ["doctor", "--model", "demo"], { cwd: root, env });
    assert.match(doctor.stdout, /permissions: without --allow-write --allow-run --allow-net/);
    assert.equal(doctor.code, 0, doctor.stdout);
  });
});
