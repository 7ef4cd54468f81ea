/** What looks like a key is found however it stands there, and what does not is left alone. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { isSecretValue } from "../../../src/features/secrets/named_values.ts";
import { secretsOf } from "../../support/parts.ts";
import { drawSecrets } from "./seeded.ts";
import { runs, slow } from "../../support/soak.ts";

const secrets = secretsOf({});
const { draw, base64, shaped } = drawSecrets(7);

for (const [kind, make] of Object.entries(shaped)) {
  Deno.test(`a ${kind} is hidden in prose, code, JSON, addresses, colours, diffs and numbered lines`, () => {
    for (let round = 0; round < 20; round++) {
      const key = make();
      const stands = new RegExp(`«secret:${kind}:[0-9a-f]{6}»`);
      const numbered = key.split("\n").map((line, at) => `${at + 1} | ${line}`).join("\n");
      const found = key.split("\n").map((line) => `deploy/key.pem:4:${line}`).join("\n");
      const removed = key.split("\n").map((line) => `-${line}`).join("\n");
      const text = [
        key,
        `the key is ${key}.`,
        `const key = "${key}";`,
        JSON.stringify({ text: `a\n${key}\n` }),
        JSON.stringify(JSON.stringify({ text: `a\n${key}\t` })),
        `https://example.com/?a=b&key=${encodeURIComponent(key)}&c`,
        `x%3D${encodeURIComponent(key)}`,
        `\u001b[31m${key}\u001b[0m`,
        `KEY='${key}'`,
        numbered,
        found,
        removed,
      ];
      for (const given of text) {
        const told = secrets.redact(given);
        for (const line of key.split("\n").filter((one) => /^(?!-----)./.test(one))) {
          assert.ok(!told.includes(line), `${JSON.stringify(given)} shows ${line}: ${told}`);
        }
        // what is written as in an address is hidden by the value, which is not known here
        if (!/%[0-9A-F]{2}/.test(encodeURIComponent(key)) || !given.includes("%")) {
          assert.match(told, stands);
        }
      }
    }
  });
}

Deno.test("secrets without a beginning of their own are told by what stands before them", () => {
  const aws = base64(30);
  const azure = base64(64);
  assert.match(
    secrets.redact(`aws_secret_access_key = ${aws}`),
    /^aws_secret_access_key = «secret:aws-secret:[0-9a-f]{6}»$/,
  );
  assert.match(
    secrets.redact(`{"SecretAccessKey":"${aws}"}`),
    /^\{"SecretAccessKey":"«secret:[^"]+»"\}$/,
  );
  assert.match(
    secrets.redact(`AccountKey=${azure};Endpoint`),
    /^AccountKey=«secret:[^;]+»;Endpoint$/,
  );
  assert.match(
    secrets.redact(`postgres://app:${draw(16)}1@db.example.com/x`),
    /^postgres:\/\/app:«secret:password:[0-9a-f]{6}»@db.example.com\/x$/,
  );
  assert.match(
    secrets.redact(`curl -H "Authorization: Bearer ${draw(40)}1"`),
    /Bearer «secret:bearer-token:[0-9a-f]{6}»"$/,
  );
  assert.match(
    secrets.redact(`Authorization: Basic ${btoa("me:very-secret")}`),
    /Basic «secret:login:[0-9a-f]{6}»$/,
  );
});

Deno.test("a password of six characters in an address is one, a shorter one and a word are none", () => {
  const address = (password: string) => `postgres://app:${password}@db.example.com/x`;
  assert.match(secrets.redact(address("s3cr3t")), /app:«secret:password:/);
  for (const password of ["s3cr3", "secret", "postgres1"]) {
    assert.equal(secrets.redact(address(password)), address(password));
  }
});

Deno.test("a value of a secret's name is one only when its characters vary", () => {
  for (
    const value of [
      "a1a1a1a1a1a1a1",
      "0000-0000-0000-000a",
      "aaaaaaaaaaaaaaaaaaaaaaaa",
      "abcabcabcabcabcabcab",
    ]
  ) {
    assert.equal(isSecretValue(value), false, value);
  }
  for (const value of ["a1b2c3d4e5", "abcdeabcdeabcdeabcde", "q7w8e9r0"]) {
    assert.equal(isSecretValue(value), true, value);
  }
});

Deno.test("a token that is glued to a word is one, and words that are glued together are none", () => {
  const { shaped } = drawSecrets(11);
  for (const kind of ["github-token", "gitlab-token", "npm-token", "openai-key", "stripe-key"]) {
    for (let round = 0; round < 20; round++) {
      const key = shaped[kind]!();
      const told = secrets.redact(`token=x${key} and oldest_${key}\n`);
      assert.ok(!told.includes(key), told);
      const redactor = secrets.bytes();
      const bytes = new TextEncoder().encode(`the_x${key} `);
      const pieces = [...bytes].flatMap((_, at) => [...redactor.push(bytes.subarray(at, at + 1))]);
      const streamed = [...pieces, ...redactor.end()].map((one) => new TextDecoder().decode(one))
        .join(
          "",
        );
      assert.ok(!streamed.includes(key), streamed);
    }
  }
  const words =
    "risk-proj-some-long-name-of-a-thing my_npm_package_of_many_words_in_one_name_that_goes_on " +
    "bigglpat-is-a-word-and-another-word-2 task_live_updates_of_all_things_in_the_list";
  assert.equal(secrets.redact(words), words);
});

Deno.test("a key has one placeholder, by itself and behind what tells of one", () => {
  const key = drawSecrets(8).shaped["github-token"]!();
  assert.equal(
    secrets.redact(`Authorization: Bearer ${key}`),
    `Authorization: Bearer ${secrets.redact(key)}`,
  );
});

Deno.test("what is no secret is left as it is", () => {
  const harmless = [
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "123e4567-e89b-12d3-a456-426614174000",
    `"integrity": "sha512-${base64(64)}"`,
    `data:image/png;base64,iVBORw0KGgo${base64(600)}`,
    "AKIAIOSFODNN7EXAMPLE",
    "sk-button-primary-large-hover-2",
    "the task-management-configuration-panel-v2 and risk-assessment-2024-final",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "postgres://user:password@localhost:5432/db",
    "postgres://user:${DB_PASSWORD}@localhost:5432/db",
    "https://example.com/a:b@c/d",
    "git@github.com:owner/name.git, mailto:me@example.com",
    "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
    'if (text.startsWith("-----BEGIN RSA PRIVATE KEY-----")) return "-----END RSA PRIVATE KEY-----";',
    `-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBa\n${
      base64(48)
    }\n-----END CERTIFICATE-----`,
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 me@host",
    "Authorization: Bearer ${token}",
    "Basic training and Bearer tokens are explained below",
    "npm_config_registry=https://npm.example npm_lifecycle_event=postinstall",
    "process.env.OPENAI_API_KEY ?? Deno.env.get('GITHUB_TOKEN')",
    "«secret:OPENAI_API_KEY» and «secret:github-token:3f2a9c»",
    "aws_secret_access_key = os.environ['AWS_SECRET_ACCESS_KEY']",
  ];
  for (const text of harmless) assert.equal(secrets.redact(text), text);
});

Deno.test("no hash, UUID or base64 is ever taken for a key", () => {
  const text = fc.oneof(
    fc.uuid(),
    fc.stringMatching(/^[0-9a-f]{40}$/),
    fc.stringMatching(/^[0-9a-f]{64}$/),
    fc.uint8Array({ minLength: 20, maxLength: 300 }).map((bytes) => bytes.toBase64()),
    fc.lorem({ maxCount: 30 }),
  );
  fc.assert(
    fc.property(text, (one) => assert.equal(secrets.redact(one), one)),
    { numRuns: runs(2000) },
  );
});

Deno.test("a key that was cut off is hidden as far as it goes", () => {
  const { "github-token": github, "private-key": block } = shaped;
  assert.match(
    secrets.redact(`${github!().slice(0, 24)}…`),
    /^«secret:github-token:[0-9a-f]{6}»…$/,
  );
  const lines = block!().split("\n");
  const told = secrets.redact(lines.slice(0, 4).join("\n"));
  for (const line of lines.slice(1, 4)) assert.ok(!told.includes(line), told);
  assert.match(secrets.redact(`found: ${lines[1]}`), /^found: «secret:private-key:[0-9a-f]{6}»$/);
});

Deno.test("a block of lines has one placeholder, however it is shown", () => {
  for (let round = 0; round < 20; round++) {
    const block = shaped["private-key"]!();
    const lines = block.split("\n");
    const ways = [
      block,
      lines.map((line, at) => `${at + 9} | ${line}`).join("\n"),
      lines.map((line) => `+${line}`).join("\n"),
      JSON.stringify(block),
      encodeURIComponent(block),
      lines.join("\r\n"),
    ];
    const found = ways.map((way) => /«secret:[^»]+»/.exec(secrets.redact(way))?.[0]);
    assert.deepEqual(new Set(found).size, 1, found.join(" "));
  }
});

Deno.test("hiding twice is hiding once", () => {
  for (const make of Object.values(shaped)) {
    const told = secrets.redact(`a ${make()} b\n${make()}`);
    assert.equal(secrets.redact(told), told);
  }
});

slow("the time it takes grows with the text alone, whatever stands there", () => {
  const evil = [
    "eyJ",
    "sk-",
    "://a:",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY-----\n",
    "glpat-.",
    "xoxb-",
    ":AA1234567890",
  ];
  for (const piece of evil) {
    // quadratic work on a megabyte would take minutes
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    assert.equal(typeof secrets.redact(text), "string");
  }
});
