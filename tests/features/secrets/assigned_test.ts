/** What stands beside a name that says what it is, and what a shape has told once. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { drawSecrets } from "./seeded.ts";
import { secretsOf } from "../../support/parts.ts";
import { runs } from "../../support/soak.ts";

const { draw } = drawSecrets(11);
const SIGNS = "ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789!#%*+=@^_-";
/** As a password manager draws them: of each kind a few. */
const drawn = (length: number) => draw(length - 6, SIGNS) + "h7Kq2Z";

const PLACES = [
  "db:\n  password: VALUE\n  port: 5432\n",
  '{\n  "password": "VALUE",\n  "port": 1\n}',
  '{"user":"a","password":"VALUE","x":1}',
  '{"body":"{\\"password\\":\\"VALUE\\"}"}',
  'db_password = "VALUE"',
  "client_secret: VALUE",
  "API_TOKEN=VALUE",
  "export GITLAB_PASS=VALUE\n",
  "SECRET_KEY = 'django-insecure-VALUE'",
  "secret_key_base: VALUE",
  "prog --token VALUE --verbose",
  "prog --access-token=VALUE",
  '"Server=tcp:db,1433;Password=VALUE;Encrypt=True;"',
  "spring.datasource.password=VALUE\n",
  "<password>VALUE</password>",
  "apiVersion: v1\nkind: Secret\ndata:\n  password: VALUE\n",
  "    12→  auth_token: 'VALUE'",
  "conf/db.yml:12:  password: VALUE",
  "const accessKey = `VALUE`;",
  'cfg := Config{Password: "VALUE"}',
  "pwd: VALUE\n",
  "DB_PWD=VALUE\n",
  "数据库:\n  密码: VALUE\n  端口: 5432\n",
  '{"用户": "a", "密码": "VALUE"}',
  '{"body":"{\\"访问令牌\\":\\"VALUE\\"}"}',
  "访问密钥：VALUE\n",
  "口令=VALUE\n",
  "私钥 = 'VALUE'",
  "api 密钥: VALUE",
  "export 令牌=VALUE\n",
  '    12→  资料库密碼: "VALUE"',
  '配置["密钥"] = "VALUE"',
];

Deno.test("a drawn value beside a name that speaks of a secret is hidden, and nothing else with it", () => {
  const { redact: hide } = secretsOf({});
  for (const place of PLACES) {
    for (const length of [20, 28, 40]) {
      const value = /prog|Server|<pass/.test(place) ? draw(length) + "7Kq2Z" : drawn(length);
      const text = place.replace("VALUE", () => value);
      const told = hide(text);
      assert.ok(!told.includes(value), `${text} → ${told}`);
      const [head = "", tail = ""] = told.split(/«secret:[\w.-]+:[0-9a-f]{6}»/);
      assert.ok(text.startsWith(head) && text.endsWith(tail), told);
      assert.ok(head.length >= place.indexOf("VALUE") - "django-insecure-".length, told);
      assert.equal(tail, place.slice(place.indexOf("VALUE") + 5));
    }
  }
  const inSecret = `kind: Secret\ndata:\n  password: ${btoa("pX7!kq29#LmZ4wT8")}\n`;
  assert.match(hide(inSecret), /password: «secret:password:[0-9a-f]{6}»\n$/);
});

Deno.test("words, code, places and references beside such a name are left as they are", () => {
  const { redact: hide } = secretsOf({});
  const lines = [
    "password: str = None",
    "token = get_token()",
    'password: "changeme"',
    'password: "correct-horse-battery-9"',
    "password: ${DB_PASSWORD_2}",
    'password = "{{ vault.db_pw_1 }}"',
    "token: process.env.API_TOKEN2",
    "secret = config.auth2.jwtSecret9",
    "secret: aws_secretsmanager_secret_v1.Db2.arn",
    "password_file: /run/secrets/db_pw_1",
    "password: /run/secrets/Db1Pw2X3y",
    "PWD=/home/me/Project2/X9",
    "token: this.tokens[i1].value2",
    "const token = await fetchOAuth2TokenV2(a1)",
    "        bypass: (0,i1.tOptional)(i1.tString),",
    'secret: "customer1Order2Invoice3Total"',
    'token: "2024-01-02T10:00:00Z"',
    'token: "v1.22.3-beta.4+build.9"',
    "accessKey: AbstractApiKey2Factory3Bean",
    "if (password === expected.Pass2Word3) return",
    "passwordHash: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'",
    "broken: aB3dE5fG7hJ9kL1m",
    "compass: aB3dE5fG7hJ9kL1m",
    "<input type=password name=Pw1Xq2Zk9Lm3>",
    "密码: str = None",
    '密码: "changeme"',
    "密码：请在这里输入至少12位的密码，区分大小写",
    '"密码": "用户输入的Password2",',
    "密码: ${DB_PASSWORD_2}",
    "令牌 = get_token()",
    "令牌: process.env.API_TOKEN2",
    "密码文件: aB3dE5fG7hJ9kL1m",
    "密钥: /run/secrets/Db1Pw2X3y",
    '令牌: "2024-01-02T10:00:00Z"',
    "公钥: aB3dE5fG7hJ9kL1m",
    "密码 aB3dE5fG7hJ9kL1m",
    "`密码` 是 aB3dE5fG7hJ9kL1m",
  ];
  for (const line of lines) assert.equal(hide(line), line);
});

Deno.test("split anywhere, a stream hides what stands beside such a name", () => {
  const text = `db:\n  password: ${drawn(28)}\n{"client_secret": "${drawn(24)}"} --token ${
    draw(30)
  }7Kq x\n密码：${drawn(20)}\n DB_PWD=${drawn(22)}\n`;
  const whole = secretsOf({}).redact(text);
  assert.equal(whole.match(/«secret:/g)?.length, 5, whole);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
      const redactor = secretsOf({}).stream();
      let told = "";
      for (let at = 0, turn = 0; at < text.length; turn++) {
        const size = sizes[turn % sizes.length]!;
        told += redactor.push(text.slice(at, at + size));
        at += size;
      }
      assert.equal(told + redactor.end(), whole);
    }),
    { numRuns: runs(200) },
  );
});

Deno.test("a known value beside such a name keeps its own name, however it is written there", () => {
  const password = 'k9"Xq2!Zr7Lm4\\Tw8';
  const { redact: hide } = secretsOf({ DB_PASSWORD: password });
  assert.equal(
    hide(`{"password":${JSON.stringify(password)}}`),
    '{"password":"«secret:DB_PASSWORD»"}',
  );
});

Deno.test("what a shape has told is known from then on, in base64, hex, addresses and JSON", () => {
  const keys = [
    `ghp_${draw(36)}`,
    `hf_${draw(34)}`,
    `1234567890:AA${draw(33)}`,
    `${draw(3)}8Q~${draw(34)}`,
    `SK${draw(32, "0123456789abcdef")}`,
  ];
  const file = keys.map((key) => `it is ${key}\n`).join("");
  for (const before of ["", "a", "bc"]) {
    const secrets = secretsOf({});
    const safe = secrets.redact(file);
    const standing = safe.match(/«secret:[^»]*»/g)!;
    assert.equal(standing.length, keys.length, safe);
    const bytes = new TextEncoder().encode(before + file);
    for (const form of [bytes.toBase64(), bytes.toBase64({ alphabet: "base64url" })]) {
      assert.deepEqual(secrets.redact(form).match(/«secret:[^»]*»/g), standing);
    }
    const lines = bytes.toBase64().replaceAll(/.{76}(?=.)/g, "$&\n");
    assert.deepEqual(secrets.redact(lines).match(/«secret:[^»]*»/g), standing);
    for (const [at, key] of keys.entries()) {
      const hex = new TextEncoder().encode(key).toHex();
      const forms = [encodeURIComponent(key), JSON.stringify(key), hex, hex.toUpperCase()];
      for (const form of forms) {
        assert.ok(secrets.redact(`x ${form} y`).includes(standing[at]!), form);
      }
    }
  }
});

Deno.test("what a program's output has shown is known in the same output and in the next", () => {
  const key = `ghp_${draw(36)}`;
  const encoder = new TextEncoder();
  const form = encoder.encode(`a ${key} b`).toBase64();
  const secrets = secretsOf({});
  const redactor = secrets.bytes();
  const decoder = new TextDecoder();
  const text = [...redactor.push(encoder.encode(`${key}\n${form}\n`)), ...redactor.end()]
    .map((part) => decoder.decode(part, { stream: true })).join("");
  const placeholder = /«secret:github-token:[0-9a-f]{6}»/g;
  assert.equal(text.match(placeholder)?.length, 2, text);
  assert.equal(secrets.redact(form).match(placeholder)?.length, 1);
});

Deno.test("however many keys a file shows, what is known of them stays bounded", () => {
  const secrets = secretsOf({});
  const many = Array.from({ length: 1200 }, () => `ghp_${draw(36)}`);
  secrets.redact(many.join("\n"));
  const known = many.filter((key) => secrets.redact(btoa(key)) !== btoa(key));
  assert.equal(known.length, 1000);
});
