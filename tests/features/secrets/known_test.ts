/** Values that are known are hidden however they are written, and turned back from where they stand. */
import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import {
  ofEnvFile,
  ofJson,
  ofKeyFile,
  ofVariable,
} from "../../../src/features/secrets/named_values.ts";
import { secretsOf } from "../../support/parts.ts";
import { drawSecrets } from "./seeded.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";
import { runs, slow } from "../../support/soak.ts";

const { draw } = drawSecrets(3);
/** What passwords are made of. */
const value = fc.stringMatching(/^[A-Za-z0-9][!-~]{12,40}[A-Za-z]$/)
  .filter((text) => /\d/.test(text) && new Set(text).size > 8 && !/«|»/.test(text));

Deno.test("a known value is hidden in every way of writing it", () => {
  fc.assert(
    fc.property(value, (password) => {
      const { redact: redact } = secretsOf({ DB_PASSWORD: password });
      const quoted = `'${password.replaceAll("'", "'\\''")}'`;
      const forms = [
        password,
        JSON.stringify(password),
        JSON.stringify(JSON.stringify(password)),
        encodeURIComponent(password),
        encodeURIComponent(password).toLowerCase() === password.toLowerCase()
          ? password
          : encodeURIComponent(password),
        // Python's and Go's
        encodeURIComponent(password).replaceAll(
          /[!'()*]/g,
          (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
        ),
        quoted,
        JSON.stringify(quoted.slice(1, -1)),
        `"${password.replaceAll(/["\\$`]/g, "\\$&")}"`,
        password.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
        new TextEncoder().encode(password).toBase64(),
      ];
      for (const form of forms) {
        const told = redact(`PGPASSWORD=${form} psql`);
        assert.ok(told.includes("«secret:DB_PASSWORD»"), told);
        assert.ok(!told.includes(form.replaceAll(/^["']|["']$/g, "")), told);
      }
    }),
    { numRuns: runs(300) },
  );
});

Deno.test("in base64 a known value is hidden wherever it begins and whatever follows", () => {
  const around = fc.stringMatching(/^[a-z:{}" \n]{0,7}$/);
  fc.assert(
    fc.property(value, around, around, (password, before, behind) => {
      const { redact: redact, valuesIn } = secretsOf({ DB_PASSWORD: password });
      const bytes = new TextEncoder().encode(before + password + behind);
      for (const alphabet of ["base64", "base64url"] as const) {
        const form = bytes.toBase64({ alphabet });
        const told = redact(`it is ${form}`);
        const [head = "", tail, ...more] = told.slice("it is ".length)
          .split("«secret:DB_PASSWORD»");
        assert.ok(tail !== undefined && more.length === 0, told);
        // beside it nothing of it is left but the bits it shares with its neighbours
        assert.ok(head.length * 6 < (before.length + 1) * 8, told);
        assert.ok(tail.replace(/=+$/, "").length * 6 < (behind.length + 1) * 8 + 6, told);
        const written = valuesIn(`it is ${form}`).get("«secret:DB_PASSWORD»");
        assert.equal(told.replace("«secret:DB_PASSWORD»", written!), `it is ${form}`);
      }
    }),
    { numRuns: runs(300) },
  );
});

Deno.test("in base64 of many lines a known value is hidden over their breaks", () => {
  const lines = (bytes: Uint8Array<ArrayBuffer>, end: string) =>
    bytes.toBase64().replaceAll(/.{76}(?=.)/g, `$&${end}`);
  const place = fc.integer({ min: 0, max: 300 });
  fc.assert(
    fc.property(
      value,
      place,
      place,
      fc.constantFrom("\n", "\r\n"),
      (token, before, behind, end) => {
        const { redact: redact, valuesIn } = secretsOf({ TOKEN: token });
        const text = lines(
          new TextEncoder().encode("a:".repeat(before) + token + "\n" + "b ".repeat(behind)),
          end,
        );
        const told = redact(text);
        const parts = told.split("«secret:TOKEN»");
        assert.equal(parts.length, 2, told);
        const written = valuesIn(text).get("«secret:TOKEN»")!;
        assert.equal(parts.join(written), text);
        // all of it but the bits it shares with its neighbours
        assert.ok(
          written.replaceAll(/\s/g, "").length >= Math.floor(token.length * 8 / 6) - 2,
          told,
        );
      },
    ),
    { numRuns: runs(300) },
  );
});

slow("split anywhere, a stream hides what the whole text would", () => {
  // these are told by their midst: a few characters before it may have been told already
  const { "azure-secret": _azure, "telegram-token": _telegram, ...shaped } = drawSecrets(11).shaped;
  const known = draw(30);
  const secrets = secretsOf({ TOKEN: known });
  const parts = fc.array(
    fc.oneof(
      fc.constantFrom(...Object.values(shaped)).map((make) => make()),
      fc.constant(known),
      fc.lorem({ maxCount: 5 }),
      fc.constantFrom("\n", "\t", "s", "sk-", "://", "-----", "key=", '"', "…", "界", "🙂"),
    ),
    { maxLength: 12 },
  ).map((all) => all.join(" "));
  fc.assert(
    fc.property(
      parts,
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (text, sizes) => {
        const whole = secrets.redact(text);
        const redactor = secrets.stream();
        let told = "";
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          told += redactor.push(text.slice(at, at + size));
          at += size;
        }
        assert.equal(told + redactor.end(), whole);
        const bytes = new TextEncoder().encode(text);
        const veiled = secrets.bytes();
        const chunks: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          chunks.push(...veiled.push(bytes.subarray(at, at + size)));
          at += size;
        }
        chunks.push(...veiled.end());
        const all = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
        assert.equal(new TextDecoder().decode(all), whole);
      },
    ),
    { numRuns: runs(1000) },
  );
});

Deno.test("what is no secret streams at once", () => {
  const redactor = secretsOf({ TOKEN: draw(30) }).stream();
  const text = "The quick brown fox jumps over the lazy dog. ";
  let held = 0;
  let [given, told] = ["", ""];
  for (const char of text.repeat(20)) {
    given += char;
    told += redactor.push(char);
    held = Math.max(held, given.length - told.length);
  }
  assert.ok(held <= 6, `${held} characters were held back`);
});

Deno.test("bytes that are no text stay what they are", () => {
  const secrets = secretsOf({});
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
      const redactor = secrets.bytes();
      const all = [
        ...redactor.push(bytes.subarray(0, 1000)),
        ...redactor.push(bytes.subarray(1000)),
        ...redactor.end(),
      ];
      assert.deepEqual(all.flatMap((chunk) => [...chunk]), [...bytes]);
    }),
    { numRuns: runs(300) },
  );
});

Deno.test("what is told by its midst leaves what stands around it whole, whichever piece comes when", () => {
  const { "azure-secret": azure, "telegram-token": telegram } = drawSecrets(12).shaped;
  const secrets = secretsOf({});
  for (const make of [azure!, telegram!]) {
    for (let size = 1; size < 20; size++) {
      const secret = make();
      const text = `a token: ${secret} and more`;
      const redactor = secrets.bytes();
      const bytes = new TextEncoder().encode(text);
      const told: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        told.push(...redactor.push(bytes.subarray(at, at + size)));
      }
      told.push(...redactor.end());
      const all = new TextDecoder().decode(Uint8Array.from(told.flatMap((one) => [...one])));
      assert.match(all, /^a token: [\w:~.-]{0,14}«secret:[^»]+» and more$/);
      assert.ok(!all.includes(secret.slice(-24)), all);
    }
  }
});

Deno.test("of values of which one begins with another the longer one is meant", () => {
  const token = draw(24);
  const { redact: redact, valuesIn } = secretsOf({ A: token, B: `${token}-more-0f-it` });
  assert.equal(redact(`=${token};`), "=«secret:A»;");
  assert.equal(redact(`=${token}-more-0f-it;`), "=«secret:B»;");
  assert.ok(!valuesIn(`=${token}-more-0f-it;`).has("«secret:A»"));
});

Deno.test("a value of many lines is hidden line by line too", () => {
  const block = drawSecrets(22).shaped["private-key"]!();
  const { redact: redact } = secretsOf({}, undefined, { env: { SIGNING_KEY: block } });
  for (const line of block.split("\n").slice(1, -1)) {
    assert.match(redact(`7 | ${line}`), /^7 \| «secret:SIGNING_KEY(?::[0-9a-f]{6})?»$/);
  }
});

Deno.test("a known value that was cut off is hidden at either end", () => {
  const token = draw(40);
  const { redact: redact } = secretsOf({ TOKEN: token });
  assert.equal(redact(`is ${token.slice(0, 20)}…`), "is «secret:TOKEN»…");
  assert.equal(redact(`is ${token.slice(0, 13)}`), "is «secret:TOKEN»");
  assert.equal(redact(`…${token.slice(-20)} and`), "…«secret:TOKEN» and");
  assert.equal(
    redact(`${token.slice(0, 12)}x and`),
    `${token.slice(0, 12)}x and`,
    "it goes on otherwise",
  );
});

Deno.test("the same value has the same placeholder in the next session, two values of one name have two", () => {
  const [one, two] = [draw(30), draw(30)];
  const env = { off: false, env: { API_KEY: one } };
  assert.equal(
    secretsOf({}, undefined, env).redact(one),
    secretsOf({}, undefined, env).redact(one),
  );
  const both = secretsOf({ API_KEY: two }, undefined, env);
  const [a, b] = [both.redact(one), both.redact(two)];
  assert.match(a, /^«secret:API_KEY:[0-9a-f]{6}»$/);
  assert.match(b, /^«secret:API_KEY:[0-9a-f]{6}»$/);
  assert.notEqual(a, b);
  // the shorter one means either then
  assert.equal(both.valuesIn(`${one} ${two}`).get("«secret:API_KEY»"), undefined);
  assert.equal(both.valuesIn(`x=${two}`).get("«secret:API_KEY»"), two);
});

Deno.test("the environment tells which variables hold secrets", () => {
  const secret = (name: string, given: string) => ofVariable(name, given).length > 0;
  for (
    const [name, given] of [
      ["OPENAI_API_KEY", draw(32)],
      ["GITHUB_TOKEN", draw(36)],
      ["DB_PASSWORD", "hunter2hunter2"],
      ["AWS_SECRET_ACCESS_KEY", draw(40)],
      ["DATABASE_URL", "postgres://app:s3cr3t-pass@db/x"],
      ["SENTRY_DSN", "https://0123456789abcdef:fedcba9876@sentry.example/1"],
      ["npm_config__authToken", draw(36)],
      ["GOOGLE_APPLICATION_CREDENTIALS_JSON", `{"private_key_id":"${draw(20)}1"}`],
    ] as const
  ) assert.ok(secret(name, given), name);
  for (
    const [name, given] of [
      ["NODE_ENV", "development"],
      ["USE_TOKEN", "true"],
      ["SECRET_MODE", "production"],
      ["API_KEY", "changeme"],
      ["API_KEY", "your-api-key-here"],
      ["SSH_AUTH_SOCK", "/tmp/ssh-XXXXabc123/agent.1"],
      ["AWS_ACCESS_KEY_ID_FILE", "/etc/aws/key1234"],
      ["GPG_KEY", "E3FF2839C048B25C084DEBE9B26995E310250568"],
      ["TOKENIZERS_PARALLELISM", "false1234567"],
      ["NEXT_PUBLIC_KEY", draw(30)],
      ["KEYBOARD_LAYOUT", "us-intl-2024-x"],
      ["PWD", "/home/me/project-2024"],
      ["DATABASE_URL", "postgres://localhost:5432/app"],
      ["JWT_SECRET", "${JWT_SECRET_FROM_VAULT}"],
      ["PASSWORD_MIN_LENGTH", "12"],
      ["CACHE_KEY_PREFIX", "app-v1-2024-cache"],
      ["TOKEN_EXPIRY", "2024-01-01"],
      ["VITE_FIREBASE_AUTH_DOMAIN", "my-app-2024.example"],
      ["AUTH_PROVIDERS", "github,google"],
      ["TOKEN_ENDPOINT", "auth.example.com/oauth2"],
    ] as const
  ) assert.ok(!secret(name, given), `${name}=${given}`);
});

Deno.test("`.env` files are read as the programs that use them do", () => {
  const [a, b, c] = [draw(20), draw(20), draw(20)];
  const text = [
    "# a comment",
    `API_KEY=${a} # of the test account`,
    `export GITHUB_TOKEN="${b}"`,
    `DB_PASSWORD = '${c}#x'`,
    "DEBUG=true",
    "PORT=3000",
    `PRIVATE_KEY="-----BEGIN PRIVATE KEY-----\\n${draw(64)}\\n-----END PRIVATE KEY-----"`,
  ].join("\n");
  const values = ofEnvFile(text).map(({ value }) => value);
  for (const one of [a, b, `${c}#x`]) assert.ok(values.includes(one), one);
  assert.ok(!values.includes("true"));
});

Deno.test("an empty variable takes nothing from the line below it", () => {
  const key = draw(24);
  const text = `DEBUG=\nAPI_KEY=${key}\r\nOTHER =   \r\n\n  export NEXT_TOKEN = ${key}x\nLAST=`;
  assert.deepEqual(ofEnvFile(text), [
    { name: "API_KEY", value: key },
    { name: "NEXT_TOKEN", value: `${key}x` },
  ]);
});

Deno.test("whatever a project puts into its files, reading them takes no longer than they are long", () => {
  // each took minutes when it was quadratic
  const chars = 400_000;
  for (const piece of ["\n", " \n", "A='\n", "A_TOKEN=a\n", "export ", "aA"]) {
    assert.ok(Array.isArray(ofEnvFile(piece.repeat(chars / piece.length) + "!")));
  }
  assert.ok(Array.isArray(ofEnvFile(`A_TOKEN=a${" ".repeat(chars)}b`)));
  assert.ok(Array.isArray(ofKeyFile("x", `-----BEGIN ${"PRIVATE KEY".repeat(chars / 11)}`)));
});

slow("thousands of values that begin or end alike cost a text no more than a few do", () => {
  const keys = Array.from({ length: 3000 }, (_, at) => [
    [`A${at}`, `the quick brown fox ${draw(20)}`],
    [`B${at}`, `${draw(20)} the quick brown fox`],
  ]).flat();
  const { redact: redact } = secretsOf(Object.fromEntries(keys));
  // this took minutes when each was compared with each
  const text = `x${"the quick brown fox ".repeat(50_000)}.`;
  assert.ok(redact(text) === text);
  assert.equal(redact(`=${keys[4000]![1]}.`), `=«secret:${keys[4000]![0]}».`);
});

Deno.test("configuration is searched for what its names call secret", () => {
  const [a, b, c, d, e] = [draw(20), draw(20), draw(20), draw(20), draw(20)];
  const values = ofJson(`{
    // comments are allowed
    "api_key": "${a}",
    "mcpServers": {
      "x": {"url": "https://mcp.example/?token=${b}", "headers": {"Authorization": "Bearer ${c}"}},
      "y": {"command": "run", "args": ["--api-key", "${d}", "--name=plain-name-12"], "env": {"Y_TOKEN": "${e}", "MODE": "development"}},
    },
  }`).map(({ value }) => value);
  for (const one of [a, b, c, d, e]) assert.ok(values.includes(one), one);
  assert.ok(!values.some((one) => /plain|development/.test(one)));
});

Deno.test("files of a workspace are read again when they have changed, samples and foreign ones never", async () => {
  const [first, second, sample, foreign, deep] = [draw(24), draw(24), draw(24), draw(24), draw(24)];
  await withWorkspace({
    ".env": `API_KEY=${first}\n`,
    ".env.example": `API_KEY=${sample}\n`,
    "node_modules/x/.env": `API_KEY=${foreign}\n`,
    "packages/app/.env.local": `APP_TOKEN=${deep}\n`,
  }, async (root) => {
    const secrets = secretsOf({}, root);
    assert.equal(secrets.redact(first), first, "nothing is read before it is wanted");
    secrets.refresh();
    assert.equal(secrets.redact(first), "«secret:API_KEY»");
    assert.equal(secrets.redact(deep), "«secret:APP_TOKEN»");
    assert.equal(secrets.redact(`${sample} ${foreign}`), `${sample} ${foreign}`);
    await Deno.writeTextFile(join(root, ".env"), `API_KEY=${second}\nNEW=1\n`);
    secrets.refresh();
    assert.equal(secrets.redact(second), "«secret:API_KEY»");
    // a diff tells of the old one, and it may still be good
    assert.match(secrets.redact(first), /^«secret:API_KEY:[0-9a-f]{6}»$/);
    assert.equal(secrets.valuesIn(second).get("«secret:API_KEY»"), second);
    await Deno.remove(join(root, ".env"));
    secrets.refresh();
    assert.equal(secrets.redact(second), "«secret:API_KEY»");
  });
});

Deno.test("the `.env` at the top of a repository is known in its parts, what lies above it never is", async () => {
  const [top, above, own] = [draw(24), draw(24), draw(24)];
  await withWorkspace({
    ".env": `API_KEY=${above}\n`,
    "repo/.git/HEAD": "",
    "repo/.env": `API_KEY=${top}\n`,
    "repo/packages/app/x": "",
    "loose/.env": `API_KEY=${own}\n`,
    "loose/part/x": "",
  }, (root) => {
    const secrets = secretsOf({}, join(root, "repo/packages/app"));
    secrets.refresh();
    assert.equal(secrets.redact(top), "«secret:API_KEY»");
    assert.equal(secrets.redact(above), above);
    const loose = secretsOf({}, join(root, "loose/part"));
    loose.refresh();
    assert.equal(loose.redact(own), own, "nothing says that the folder above belongs to it");
  });
});

Deno.test("a search may show the lines of a key file one by one; those of a certificate beside it pass", async () => {
  const block = drawSecrets(21).shaped["private-key"]!();
  const certificate = `-----BEGIN CERTIFICATE-----\n${draw(64)}\n${
    draw(64)
  }\n-----END CERTIFICATE-----`;
  await withWorkspace({ "deploy/tls.pem": `${certificate}\n${block}\n` }, (root) => {
    const secrets = secretsOf({}, root);
    secrets.refresh();
    for (const line of block.split("\n").filter((one) => one.length === 64)) {
      assert.match(
        secrets.redact(`deploy/tls.pem:7:${line}`),
        /^deploy\/tls\.pem:7:«secret:[^»]+»$/,
      );
    }
    assert.equal(secrets.redact(certificate), certificate);
  });
});

Deno.test("for a person to judge the user's own keys are hidden and what looks like one, not what a project's files call secret", async () => {
  const [own, token] = [draw(30), `ghp_${draw(36)}`];
  await withWorkspace({ ".env": "SETUP_TOKEN=tools/setup-01.sh\n" }, (root) => {
    const secrets = secretsOf({ api_key: own }, root);
    secrets.refresh();
    assert.match(
      secrets.redactOwn(`tools/setup-01.sh ${own} ${token}`),
      /^tools\/setup-01\.sh «secret:api_key» «secret:github-token:[0-9a-f]{6}»$/,
    );
  });
});

Deno.test("a pipe and a huge file in the place of a `.env` hold nothing up", async () => {
  await withWorkspace({ "a/x": "" }, async (root) => {
    await new Deno.Command("mkfifo", { args: [join(root, ".env")] }).output();
    await Deno.writeTextFile(join(root, "a/.env"), `API_KEY=${draw(24)}\n`.repeat(30_000));
    const secrets = secretsOf({}, root);
    secrets.refresh();
    assert.equal(secrets.count, 0);
  });
});

Deno.test("turned off, only narnat's own keys are hidden, in its log all that looks like one", () => {
  const [own, token] = [draw(30), `ghp_${draw(36)}`];
  const secrets = secretsOf({ api_key: own }, undefined, { off: true, env: { X_TOKEN: draw(30) } });
  assert.equal(secrets.redact(`${own} ${token}`), `«secret:api_key» ${token}`);
  assert.match(
    secrets.redactAlways(`${own} ${token}`),
    /^«secret:api_key» «secret:github-token:[0-9a-f]{6}»$/,
  );
  assert.equal(secrets.count, 1);
});

Deno.test("a word in a key's place hides nothing", () => {
  for (const word of ["ollama", "EMPTY", "lm-studio", "not-needed", "short"]) {
    assert.equal(secretsOf({ api_key: word }).redact(`use ${word} here`), `use ${word} here`);
  }
  for (const key of ["k-123456", "abcdefghijklmnopqrstuvwx", "pass:word"]) {
    assert.equal(
      secretsOf({ api_key: key }).redact(`use ${key} here`),
      "use «secret:api_key» here",
    );
  }
});

Deno.test("a known value that goes on where a shape ends is hidden whole, also in a stream", () => {
  for (const password of [`${draw(9)}7&${draw(9)}`, `a7${draw(7)}"${draw(9)}`]) {
    const secrets = secretsOf({ DB_PASSWORD: password });
    for (const before of ["curl -u me:", "PGPASSWORD=", "curl -u me:7x", "X-Api-Key: "]) {
      const text = `${before}${password} next`;
      const redactor = secrets.stream();
      const streamed = [...text].map((char) => redactor.push(char)).join("") + redactor.end();
      for (const told of [secrets.redact(text), streamed]) {
        assert.ok(!told.includes(password.slice(-8)), told);
        assert.ok(!told.includes(password.slice(0, 8)), told);
        assert.ok(told.endsWith("» next"), told);
      }
    }
  }
});
