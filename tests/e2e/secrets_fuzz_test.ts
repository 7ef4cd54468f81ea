/** Thousands of secrets in all places that narnat comes upon: none is told, and none is kept. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Json } from "../../src/base/types.ts";
import { BUNDLED } from "../support/bundled.ts";
import { type Reply, startFakeProvider } from "../support/fake_provider.ts";
import { fakeCommand } from "../features/mcp/stage.ts";
import { cleanEnv, runNarnat } from "../support/narnat.ts";
import { drawSecrets } from "../features/secrets/seeded.ts";
import { withWorkspace } from "../support/temp_workspace.ts";
import { runs, slow, SOAK } from "../support/soak.ts";

/** Secrets of each place; a placement is one secret in one of them. `deno task soak-secrets` has ten thousand. */
const EACH = SOAK > 1 ? 680 : 60;
const PLACED = SOAK > 1 ? 10_000 : 1000;

const PIECE_CHARS = 12;

/** Stretches that tell a secret even when it is cut off or written with escapes. */
function piecesOf(secret: string): string[] {
  // the header of a JWT is everybody's
  const own = secret.startsWith("eyJ") ? secret.slice(secret.indexOf(".")) : secret;
  return (own.match(/[A-Za-z0-9]{12,}/g) ?? [])
    .flatMap((run) => [run.slice(0, PIECE_CHARS), run.slice(-PIECE_CHARS)]);
}

/** Finds any of the secrets in texts; each text is gone through once. */
function createJudge(secrets: readonly string[]) {
  const whose = new Map(
    secrets.flatMap((secret) => piecesOf(secret).map((piece) => [piece, secret])),
  );
  const without = secrets.filter((secret) => piecesOf(secret).length === 0);
  if (without.length > 0) throw new Error(`nothing tells ${without[0]}`);
  return {
    /** Where secrets stand in the text, a few of them. */
    hits(text: string): string[] {
      const found: string[] = [];
      for (let at = 0; at + PIECE_CHARS <= text.length && found.length < 5; at++) {
        const secret = whose.get(text.slice(at, at + PIECE_CHARS));
        if (secret === undefined) continue;
        found.push(`${secret.slice(0, 80)} in …${text.slice(Math.max(0, at - 80), at + 60)}…`);
        at += PIECE_CHARS;
      }
      return found;
    },
  };
}

function* filesBelow(dir: string): Generator<[string, string]> {
  for (const entry of Deno.readDirSync(dir)) {
    const path = join(dir, entry.name);
    // what is kept to undo a turn is the files themselves
    if (entry.isDirectory && entry.name !== "checkpoints") yield* filesBelow(path);
    else if (entry.isFile) yield [path, new TextDecoder("latin1").decode(Deno.readFileSync(path))];
  }
}

const chunked = <T>(all: readonly T[], size: number): T[][] =>
  Array.from(
    { length: Math.ceil(all.length / size) },
    (_, at) => all.slice(at * size, (at + 1) * size),
  );
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const call = (name: string, input: Json) => ({ name, input });

/** Says one line after the other, each when the one before it has been answered. */
async function converse(
  lines: readonly string[],
  cwd: string,
  env: { readonly [name: string]: string },
) {
  const child = new Deno.Command(BUNDLED.command, {
    args: [
      ...BUNDLED.args,
      "-p",
      "--input-format",
      "stream-json",
      "--output-format",
      "stream-json",
    ],
    cwd,
    clearEnv: true,
    env: { ...cleanEnv(join(cwd, "..", "home")), ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const complaints = new Response(child.stderr).text();
  const writer = child.stdin.getWriter();
  const encoder = new TextEncoder();
  const rest = [...lines];
  const next = async () => {
    const text = rest.shift();
    if (text === undefined) return await writer.close();
    await writer.write(encoder.encode(JSON.stringify({ type: "user", text }) + "\n"));
  };
  await next();
  const said: string[] = [];
  let open = "";
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    said.push(piece);
    const whole = (open + piece).split("\n");
    open = whole.pop()!;
    for (const line of whole) if (line.startsWith('{"type":"turn_end"')) await next();
  }
  await child.status;
  const stdout = said.join("");
  // deno-lint-ignore no-explicit-any -- events are read freely
  const events: any[] = stdout.trim().split("\n").map((line) => JSON.parse(line));
  return { stdout, stderr: await complaints, lines: events };
}

/** Runs one session that meets them all; returns how many there were, and where any was told. */
async function fuzz(
  seed: number,
  redact = true,
): Promise<{ placed: number; told: string[]; hidden: number }> {
  const { random, draw, shaped } = drawSecrets(seed);
  const makers = Object.entries(shaped).filter(([kind]) => kind !== "private-key").map(([, make]) =>
    make
  );
  const placed: string[] = [];
  /** Values that only their names tell: passwords with whatever a shell and JSON have to escape. */
  const password = () => draw(13) + `"'$&\\ %@!`[Math.floor(random() * 10)]! + draw(13);
  const named = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => [`SERVICE_${at}_API_KEY`, at % 3 === 0 ? password() : draw(32)] as const,
    );
  const ofEnv = named(60);
  const ofFile = named(60).map(([name, value]) =>
    [name.replace("SERVICE", "LOCAL"), value] as const
  );
  const ofConfig = {
    header: draw(40),
    server: draw(36),
    own: `sk-own${draw(40)}`,
    search: draw(32),
  };
  const known = [...ofEnv, ...ofFile].map(([, value]) => value);
  const some = (count: number, blocks = 3): string[] => {
    const all = Array.from(
      { length: count },
      (_, at) =>
        at < blocks
          ? shaped["private-key"]!()
          : random() < 0.4
          ? known[Math.floor(random() * known.length)]!
          : makers[Math.floor(random() * makers.length)]!(),
    );
    placed.push(...all);
    return all;
  };
  const words = [
    "note",
    "const key =",
    "error: bad key",
    "token:",
    "password is",
    "Authorization:",
    "x",
    "密钥",
  ];
  const prose = (secret: string) => `${words[Math.floor(random() * words.length)]} ${secret}`;
  /** A script whose output comes in pieces of odd sizes. */
  const emit = (secrets: readonly string[]) =>
    secrets.flatMap((secret) => {
      const line = `${prose(secret)}\n`;
      const sizes: string[] = [];
      for (let at = 0; at < line.length;) {
        const size = 1 + Math.floor(random() * 40);
        sizes.push(`printf %s ${quoted(line.slice(at, at + size))}`);
        at += size;
      }
      return sizes;
    }).join("\n") + "\n";

  const files: { [path: string]: string } = {
    ".env": ofFile.map(([name, value]) =>
      `${name}=${
        quoted(value).includes("\\''")
          ? JSON.stringify(value).replaceAll("$", "\\$")
          : quoted(value)
      }`
    ).join("\n"),
    "narnat.md": some(30, 1).map(prose).join("\n"),
    "AGENTS.md": some(30, 1).map(prose).join("\n"),
    "skills/review/SKILL.md": `---\ndescription: how to review\n---\n${
      some(20, 1).map(prose).join("\n")
    }\n`,
    "attached.txt": some(EACH / 2).map(prose).join("\n"),
    "near.txt": "nothing of this kind\n",
    "out.sh": emit(some(EACH)),
    "err.sh": emit(some(EACH)),
    "hook.txt": some(100).map(prose).join("\n"),
  };
  const reads = chunked(some(EACH), 140).map((part, at) => {
    files[`read/${at}.txt`] = part.map(prose).join("\n");
    return call("Read", { file_path: `read/${at}.txt` });
  });
  const jsons = chunked(some(EACH), 140).map((part, at) => {
    const text = part.map((secret) =>
      JSON.stringify(at % 2 ? { v: JSON.stringify({ secret }) } : { secret })
    );
    files[`json/${at}.jsonl`] = text.join("\n");
    return call("Read", { file_path: `json/${at}.jsonl` });
  });
  const greps = chunked(some(EACH), 80).map((part, at) => {
    files[`grep/${at}.txt`] = part.map((secret) => `needle ${secret}`).join("\n");
    return call("Grep", {
      pattern: "needle",
      path: `grep/${at}.txt`,
      output_mode: "content",
      "-A": 24,
      head_limit: 5000,
    });
  });
  const missing = chunked(some(120, 0), 2).map((part) =>
    call("Read", { file_path: `no/${part.join("/")}` })
  );
  const unfound = chunked(some(EACH), 20).map((part) =>
    call("Edit", { file_path: "near.txt", old_string: part.join("\n"), new_string: "x" })
  );
  const echoed = chunked(some(EACH), 20).map((part) =>
    call("Bash", { command: `echo ${quoted(part.join("\n"))}` })
  );
  const failing = chunked(some(EACH, 0), 20).map((part) =>
    call("Bash", { command: `ls ${part.map(quoted).join(" ")}` })
  );
  const written = chunked(some(EACH), 140).map((part, at) =>
    call("Write", { file_path: `written/${at}.txt`, content: part.map(prose).join("\n") })
  );
  const served = chunked(some(EACH), 20).map((part) =>
    call("mcp_fake_echo", { text: part.join("\n") })
  );
  const todos = chunked(some(100, 0), 10).map((part) =>
    call("TodoWrite", {
      todos: part.map((secret, at) => ({
        content: `rotate ${secret}`,
        activeForm: secret,
        status: at === 0 ? "in_progress" : "pending",
      })),
    })
  );
  const dump = "env; printenv; export -p; declare -p; set; env 1>&2";
  placed.push(...Array.from({ length: 6 }, () => ofEnv.map(([, value]) => value)).flat());
  const spoken = chunked(some(EACH), 20).map((part) => part.map(prose).join(" and "));
  const thought = chunked(some(EACH), 20).map((part) => part.map(prose).join(" so "));
  const typed = chunked(some(EACH), 20).map((part) => part.map(prose).join(", "));
  const shell = chunked(some(200, 0), 10).map((part) => `!echo ${part.map(quoted).join(" ")}`);
  placed.push(...Object.values(ofConfig));

  const saying = (text: string): Reply => ({ text });
  const calling = (calls: readonly { name: string; input: Json }[]): Reply[] =>
    chunked(calls, 30).map((part): Reply => ({ calls: part }));
  /** Each turn: the line, and what the model answers. */
  const turns: [string, Reply[]][] = [
    [`look at it @attached.txt $review`, [saying("looked")]],
    ["read", [...calling([...reads, ...jsons]), saying("read")]],
    ["search", [...calling(greps), saying("found")]],
    ["run", [
      ...calling([
        call("Bash", { command: "bash out.sh" }),
        call("Bash", { command: "bash err.sh >&2" }),
        call("Bash", { command: dump }),
      ]),
      saying("ran"),
    ]],
    ["err", [
      ...calling([call("Read", { file_path: "near.txt" }), ...missing, ...unfound, ...failing]),
      saying("failed"),
    ]],
    ["say", [...calling([...echoed, ...written, ...served, ...todos]), saying("said")]],
    ...spoken.map((text, at): [string, Reply[]] => ["speak", [{
      text,
      thinking: thought[at]!,
      deltas: 3 + Math.floor(random() * 200),
      ...at % 10 === 0 ? { chunk: "bytes" } : at % 2 ? { chunk: "awkward" } : {},
    }]]),
    ...typed.map((text): [string, Reply[]] => [text, [saying("heard")]]),
    ...shell.map((line): [string, Reply[]] => [line, []]),
    ["/export all.md", []],
  ];
  const provider = await startFakeProvider(turns.flatMap(([, replies]) => replies));
  const own = {
    "narnat.json": JSON.stringify({
      api_key: ofConfig.own,
      base_url: provider.url,
      model: "fake",
      brave_api_key: ofConfig.search,
      context_window: 10_000_000,
      checkpoints: false,
      ...redact ? {} : { redact },
      hooks: {
        before_tool: [{ match: "Write|Bash", command: "cat >>../heard.log" }],
        after_tool: [{
          match: "TodoWrite",
          command: "cat >>../heard.log; cat hook.txt >&2; exit 2",
        }],
        turn_end: ["cat >>../heard.log"],
        session_start: ["cat hook.txt"],
      },
    }),
    "mcp.json": JSON.stringify({
      mcpServers: {
        fake: { ...fakeCommand({}), env: { FAKE_TOKEN: ofConfig.server } },
        off: {
          url: "http://127.0.0.1:9/",
          headers: { Authorization: `Bearer ${ofConfig.header}` },
          disabled: true,
        },
      },
    }),
  };
  try {
    return await withWorkspace({ "w/.narnat/.keep": "" }, async (root) => {
      const put = (path: string, text: string) => {
        Deno.mkdirSync(join(root, path, ".."), { recursive: true });
        Deno.writeTextFileSync(join(root, path), text);
      };
      for (const [path, text] of Object.entries(files)) {
        put(/^(?:narnat\.md|skills)/.test(path) ? `w/.narnat/${path}` : `w/${path}`, text);
      }
      for (const [name, text] of Object.entries(own)) put(`home/.narnat/${name}`, text);
      const sources = new Set(["narnat.md", "SKILL.md", ...Object.keys(own)]);
      const judge = createJudge(placed);
      const told: string[] = [];
      let hidden = 0;
      const hear = (text: string, where: string) => {
        told.push(...judge.hits(text).map((hit) => `${where}: ${hit}`));
        hidden += text.split("«secret:").length - 1;
      };
      const env = { NARNAT_LOG: "debug", ...Object.fromEntries(ofEnv) };
      const run = async (args: string[], stdin = "") => {
        const ran = await runNarnat(BUNDLED, args, { cwd: join(root, "w"), env, stdin });
        hear(ran.stdout, `stdout of ${args.join(" ")}`);
        hear(ran.stderr, `stderr of ${args.join(" ")}`);
        return ran;
      };
      const ran = await converse(turns.map(([text]) => text), join(root, "w"), env);
      hear(ran.stdout, "stdout");
      hear(ran.stderr, "stderr");
      assert.equal(provider.pairingErrors.length, 0, provider.pairingErrors.join("\n"));
      // the script was played to its end: all of it was met
      const ends = ran.lines.filter(({ type }) => type === "tool_end");
      assert.equal(
        ends.length,
        turns.flatMap(([, replies]) => replies)
          .flatMap((reply) => "calls" in reply ? reply.calls ?? [] : []).length + shell.length + 1,
        ran.stderr.slice(0, 2000),
      );
      const last = provider.requests.at(-1)!;
      hear(last.body, "the last request");
      // each request goes on from the one before it
      const counts = provider.requests.map(({ json }) => json.messages.length);
      assert.deepEqual(counts, counts.toSorted((a, b) => a - b));
      await run(["sessions", "show", "1"]);
      await run(["sessions"]);
      await run(["prompt"]);
      await run(["-p", "-c", "/show"]);
      hear(Deno.readTextFileSync(join(root, "w/all.md")), "/export");
      hear(Deno.readTextFileSync(join(root, "heard.log")), "what hooks heard");
      for (const place of ["w/.narnat", "home/.narnat"]) {
        for (const [path, text] of filesBelow(join(root, place))) {
          if (!sources.has(path.split("/").at(-1)!)) hear(text, path);
        }
      }
      return { placed: placed.length, told, hidden };
    });
  } finally {
    await provider.close();
  }
}

slow({
  name: "of secrets in files, outputs, errors, talk, servers and hooks none is told or kept",
  async fn() {
    for (let seed = 1; seed <= runs(1); seed++) {
      const { placed, told, hidden } = await fuzz(seed);
      assert.deepEqual(told.slice(0, 5), [], `seed ${seed}`);
      assert.ok(placed >= PLACED, `only ${placed}`);
      assert.ok(hidden >= placed, `${hidden} placeholders for ${placed} secrets`);
      console.log(`seed ${seed}: ${placed} secrets, ${told.length} told, ${hidden} hidden`);
    }
  },
});

slow("turned off, they are told: the judge sees them", async () => {
  const { told } = await fuzz(1, false);
  for (const place of ["stdout", "last request", ".jsonl", "/export", "hooks"]) {
    assert.ok(told.some((hit) => hit.split(": ")[0]!.includes(place)), place);
  }
});
