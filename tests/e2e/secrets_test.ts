/** The provider's key is nowhere: not on a stream, in a file narnat writes, or in a child's environment. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { BUNDLED } from "../support/bundled.ts";
import { type FakeProvider, type Reply, startFakeProvider } from "../support/fake_provider.ts";
import { runNarnat, type RunOptions } from "../support/narnat.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { slow } from "../support/soak.ts";

/** In the user's file; in the environment; another program's. */
const KEYS = {
  file: "sk-File0123456789abcdefABCDEF",
  env: "Env+key/0123456789abcdef==",
  openai: "sk-proj-Openai0123456789abcdef",
};
const FORMATS = ["text", "json", "stream-json"] as const;

/** What a key may look like on its way: as it is, in JSON, in a URL, cut. */
function formsOf(key: string): string[] {
  return [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), key.slice(0, 12)];
}

function assertClean(text: string, where: string): void {
  for (const [name, key] of Object.entries(KEYS)) {
    for (const form of formsOf(key)) {
      const at = text.indexOf(form);
      assert.ok(at < 0, `${where} shows the ${name} key: …${text.slice(at - 80, at + 60)}…`);
    }
  }
}

/** The files below `dir`, with their bytes as Latin-1 so that nothing is hidden by an encoding. */
function* filesBelow(dir: string): Generator<[string, string]> {
  for (const entry of Deno.readDirSync(dir)) {
    const path = join(dir, entry.name);
    if (entry.isDirectory) yield* filesBelow(path);
    else yield [path, new TextDecoder("latin1").decode(Deno.readFileSync(path))];
  }
}

interface Stage {
  readonly root: string;
  readonly home: string;
  readonly provider: FakeProvider;
  /** Runs narnat and asserts that nothing it said or wrote holds a key. */
  narnat(
    args: readonly string[],
    more?: Partial<RunOptions>,
  ): Promise<{ stdout: string; stderr: string; code: number }>;
}

async function stage(
  script: (index: number) => Reply,
  use: (stage: Stage) => Promise<void>,
  whose: "file" | "env" = "file",
): Promise<void> {
  await withWorkspace({ "w/a.txt": "a\n" }, async (dir) => {
    const provider = await startFakeProvider((_request, index) => script(index));
    const [root, home] = [join(dir, "w"), join(dir, "home")];
    const userFile = join(home, ".narnat/narnat.json");
    await Deno.mkdir(join(home, ".narnat"), { recursive: true });
    const settings = { api_key: KEYS.file, base_url: provider.url, model: "fake" };
    await Deno.writeTextFile(userFile, JSON.stringify(settings), { mode: 0o600 });
    const env = {
      OPENAI_API_KEY: KEYS.openai,
      ...(whose === "env" ? { NARNAT_API_KEY: KEYS.env } : {}),
    };
    try {
      await use({
        root,
        home,
        provider,
        async narnat(args, more = {}) {
          const ran = await runNarnat(BUNDLED, args, {
            cwd: root,
            ...more,
            env: { ...env, NARNAT_LOG: "debug", ...more.env },
          });
          assertClean(ran.stdout, `stdout of ${args.join(" ")}`);
          assertClean(ran.stderr, `stderr of ${args.join(" ")}`);
          for (const [path, text] of filesBelow(dir)) {
            if (path !== userFile) assertClean(text, path);
          }
          return ran;
        },
      });
    } finally {
      await provider.close();
    }
  });
}

const sentKey = (provider: FakeProvider) => provider.requests.at(-1)?.headers["authorization"];

for (const whose of ["file", "env"] as const) {
  slow(`a session that looks at its environment shows no key: from the ${whose}`, async () => {
    const bash = (command: string): Reply => ({ calls: [{ name: "Bash", input: { command } }] });
    const answers: Reply[] = [
      bash("env; env > env.txt"),
      bash("bash -c 'env | sort; set'; for i in $(seq 150); do env; done"),
      whose === "env" ? bash("echo api_key") : {
        calls: [
          { name: "Read", input: { file_path: "~/.narnat/narnat.json" } },
          { name: "Grep", input: { pattern: "api_key", path: "../home/.narnat", hidden: true } },
        ],
      },
      bash("tr '\\0' '\\n' < /proc/$PPID/environ; tr '\\0' ' ' < /proc/$PPID/cmdline"),
      { text: "Looked." },
    ];
    const script = (index: number) => answers[index % answers.length]!;
    await stage(script, async ({ root, narnat, provider }) => {
      for (const format of FORMATS) {
        const { code, stdout } = await narnat(["-p", "env", "--output-format", format]);
        assert.equal(code, 0);
        assert.match(stdout, /Looked/);
      }
      assert.equal(sentKey(provider), `Bearer ${KEYS[whose]}`);
      for (const request of provider.requests) assertClean(request.body, "a request's body");
      assert.ok(provider.requests.some(({ body }) => body.includes("api_key")), "it was read");
      assert.match(await Deno.readTextFile(join(root, "env.txt")), /^HOME=/m);
      await narnat(["tool", "Bash", '{"command":"env; set"}']);
      await narnat(["prompt", "--output-format", "json"]);
      await narnat(["sessions", "show", "1"]);
      await narnat(["doctor"]);
    }, whose);
  });

  slow(`a provider that echoes the key is not repeated: from the ${whose}`, async () => {
    const key = KEYS[whose];
    const said = `Incorrect API key provided: ${key}. Find yours at https://x/keys?k=${key}`;
    const status = (code: number, body: string): Reply => ({ fault: "status", status: code, body });
    const replies: Reply[] = [
      status(401, JSON.stringify({ error: { message: said, code: "invalid_api_key" } })),
      status(401, said),
      status(403, `<html><title>${said}</title><body>${said}</body></html>`),
      status(400, JSON.stringify([{ error: { message: said } }])),
      status(404, JSON.stringify({ detail: [{ msg: said }] })),
      status(422, JSON.stringify({ odd: { shape: said } })),
      status(400, JSON.stringify({ error: { message: "x".repeat(485) + key } })),
      status(302, said),
      {
        fault: "json200",
        body: JSON.stringify({ error: { error: { message: said, code: 401 } } }),
      },
      { fault: "error_in_stream", error: { error: { message: said, code: 401 } } },
    ];
    const lines = replies.map((_, i) => JSON.stringify({ type: "user", text: `go ${i}` }) + "\n");
    await stage((index) => replies[index % replies.length]!, async ({ narnat, provider }) => {
      const asked = () => provider.requests.length;
      for (const format of FORMATS) {
        const before = asked();
        const args = ["-p", "--input-format", "stream-json", "--output-format", format];
        const ran = await narnat(args, { stdin: lines.join("") });
        assert.equal(ran.code, 1, ran.stderr);
        assert.ok(ran.stderr.split("127.0.0.1").length > replies.length, ran.stderr);
        assert.equal(asked() - before, replies.length, "none is tried again");
      }
      for (let reply = 0; reply < replies.length; reply++) {
        const before = asked();
        assert.match((await narnat(["doctor"])).stdout, /✗/);
        assert.equal(asked() - before, 1, "none is tried again");
      }
    }, whose);
  });
}

Deno.test("a session that was written with a key in it is exported without", async () => {
  const time = "2026-01-01T00:00:00.000Z";
  const entries = [
    { type: "session", version: 1, id: "20260101-000000-abcd", time, workspace: "/w" },
    { type: "message", time, asked: true, message: { role: "user", text: `use ${KEYS.file}` } },
  ];
  await stage(() => ({ text: "never" }), async ({ root }) => {
    const dir = join(root, ".narnat/sessions");
    await Deno.mkdir(dir, { recursive: true });
    const lines = entries.map((entry) => JSON.stringify(entry) + "\n").join("");
    await Deno.writeTextFile(join(dir, "20260101-000000-abcd.jsonl"), lines);
    const ran = await runNarnat(BUNDLED, ["sessions", "export", "1"], { cwd: root });
    assert.match(ran.stdout, /"use «secret:api_key»"/, ran.stderr);
  });
});

slow("a configuration that does not parse does not show its key", async () => {
  const key = KEYS.file;
  const sources = [
    `{"api_key": ${key}}`,
    `{"api_key": "${key}}`,
    `{"api_key": "${key}" "model": "x"}`,
    `{"api_key": "${key}",, "model": "x"}`,
    `{"api_key": "${key}", "model": x}`,
    `{"api_key": ["${key}"]}`,
    `{"apikey": "${key}", "model": "demo"}`,
    `{"api_key": {"value": "${key}"}}`,
    `{'api_key': '${key}'}`,
    `["${key}"]`,
    `${key}`,
    `{"base_url": "${key}"}`,
    `{"model": "demo", "${key}": 1}`,
  ];
  await stage(() => ({ text: "never" }), async ({ narnat, home, root }) => {
    const user = join(home, ".narnat/narnat.json");
    await Deno.mkdir(join(root, ".narnat"));
    for (const source of sources) {
      await Deno.writeTextFile(user, source);
      await narnat(["-p", "go"]);
      await narnat(["doctor"]);
    }
  });
});
