/** Keys of many services, however they stand there. */
import assert from "node:assert/strict";
import { secretsOf } from "../../support/parts.ts";
import { drawSecrets } from "./seeded.ts";
import { withWorkspace } from "../../support/temp_workspace.ts";

const secrets = secretsOf({});
const { draw, base64 } = drawSecrets(23);
const HEX = "0123456789abcdef";
const CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const hex = (length: number) => draw(length, HEX);
const uuid = () => [8, 4, 4, 4, 12].map(hex).join("-");
/** Its number in base64 without the sign at the end, as Discord writes it. */
const bot = () => `${btoa(`1${draw(17, "0123456789")}`)}.${draw(6)}.${draw(38)}`;

const keys: { readonly [kind: string]: () => string } = {
  "twilio-key": () => `SK${hex(32)}`,
  "heroku-key": () => `HRKU-AA${draw(58)}`,
  "discord-token": bot,
  "discord-webhook": () => `https://discord.com/api/webhooks/${draw(19, "123456789")}/${draw(68)}`,
  "doppler-token": () => `dp.st.prd.${draw(43)}`,
  "mailgun-key": () => `key-${hex(32)}`,
  "airtable-token": () => `pat${draw(14)}.${hex(64)}`,
  "square-token": () => `EAAA${draw(60)}`,
  "pulumi-token": () => `pul-${hex(40)}`,
  "terraform-token": () => `${draw(14)}.atlasv1.${draw(67)}`,
  "openshift-token": () => `sha256~${draw(43)}`,
  "resend-key": () => `re_${draw(8)}_${draw(24)}`,
  "tailscale-key": () => `tskey-auth-${draw(16)}-${draw(32)}`,
  "brevo-key": () => `xkeysib-${hex(64)}-${draw(16)}`,
  "shippo-token": () => `shippo_live_${hex(40)}`,
  "xai-key": () => `xai-${draw(40)}_${draw(43)}`,
  "vault-token": () => `hvr.${draw(24)}`,
  "azure-key": () => `${draw(52)}JQQJ99BF${draw(7)}AAASAZDO${draw(4)}7zKq2mXw`.slice(0, 84),
  "newrelic-key": () => `${hex(36)}NRAL`,
  "maxmind-key": () => `${draw(6)}_${draw(29)}_mmk`,
  "adafruit-key": () => `aio_${draw(28)}`,
  "buildkite-token": () => `bkua_${hex(40)}`,
  "circleci-token": () => `CCIPAT_${draw(22)}_${hex(40)}`,
  "crates-token": () => `cio${draw(31)}7`,
  "dependencytrack-key": () => `odt_${draw(32)}`,
  "hubspot-token": () => `pat-na1-${uuid()}`,
  "mongodb-secret": () => `mdb_sa_sk_${draw(40)}`,
  "nuget-key": () => `oy2${draw(43, "abcdefghijklmnopqrstuvwxyz0123456789")}`,
  "sonar-token": () => `squ_${hex(40)}`,
  "voiceflow-key": () => `VF.DM.${hex(24)}.${draw(16)}`,
  "zoho-token": () => `1000.${hex(32)}.${hex(32)}`,
  "appsync-key": () => `da2-${draw(26, "abcdefghijklmnopqrstuvwxyz0123456789")}`,
  "dropbox-token": () => `sl.${draw(138)}`,
  "twitch-key": () => `live_${draw(9, "123456789")}_${draw(30)}`,
  "salesforce-token": () => `00D${draw(12)}!${draw(96)}`,
  "slack-token": () => `xoxs-${draw(12, "123456789")}-${draw(12, "123456789")}-${draw(24)}`,
  "stripe-key": () => `rk_prod_${draw(24)}`,
};

for (const [kind, make] of Object.entries(keys)) {
  Deno.test(`a ${kind} is hidden in prose, code, JSON and settings`, () => {
    for (let round = 0; round < 20; round++) {
      const key = make();
      for (
        const text of [
          key,
          `it is ${key}.`,
          `k = "${key}"`,
          JSON.stringify({ k: key }),
          `K=${key}\n`,
        ]
      ) {
        const told = secrets.redact(text);
        assert.ok(!told.includes(key.slice(-16)), told);
        assert.match(told, new RegExp(`«secret:${kind}:[0-9a-f]{6}»`));
      }
    }
  });
}

const named: { readonly [text: string]: () => string } = {
  "export HEROKU_API_KEY=": uuid,
  "ARK_API_KEY: ": uuid,
  "twilioAuthToken = '": () => hex(32),
  "TWILIO_AUTH_TOKEN=": () => hex(32),
  'ZhipuAI(api_key="': () => `${hex(32)}.${draw(16)}`,
  "ZAI_API_KEY=": () => `${hex(32)}.${draw(16)}`,
  'MAILGUN_API_KEY="': () => `${hex(32)}-${hex(8)}-${hex(8)}`,
  "airtable_api_key: ": () => `key${draw(14)}`,
  "//registry.npmjs.org/:_authToken=": uuid,
  "//npm.example.com/:_authToken=": () => base64(30),
  "SENTRY_DSN=https://": () => hex(32),
};

for (const [before, make] of Object.entries(named)) {
  Deno.test(`what stands behind ${before} is hidden`, () => {
    for (let round = 0; round < 20; round++) {
      const key = make();
      const behind = before.endsWith("://") ? "@o123.ingest.sentry.io/456" : "";
      const told = secrets.redact(`${before}${key}${behind}\n`);
      assert.ok(told.startsWith(before) && !told.includes(key.slice(-10)), told);
    }
  });
}

Deno.test("a short key that a name calls one is hidden, a name in its place is not", () => {
  const drawn = [
    "q7Rw2LkZ9vTx4NbM8sHd",
    "k3m9x2q8v7c1z5b4n6t0w2",
    "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB",
  ];
  for (const key of drawn) {
    for (
      const line of [
        `api_key = "${key}"`,
        `API_KEY=${key}`,
        `"apiKey": "${key}",`,
        `x-api-key: ${key}`,
      ]
    ) {
      assert.ok(!secrets.redactAlways(line).includes(key), line);
    }
  }
  const names = [
    ...["sample0api1key2value3name", "AbstractApiKey2Factory3Bean", "customer1Order2Invoice3Total"],
    ...["test_key_1234567890123", "my-api-key-for-staging-2", "process.env.API_KEY_V2_PROD_2"],
    ...[
      "getApiKeyFromVault2Secret",
      "api-key-v1beta1-service-account",
      "YOUR_API_KEY_HERE_1234567",
    ],
  ];
  for (const name of names) {
    assert.equal(secrets.redactAlways(`api_key = "${name}"`), `api_key = "${name}"`);
  }
});

Deno.test("a UUID, a hash and an address that nothing calls a key pass", () => {
  for (
    const text of [
      `request_id=${uuid()}`,
      `apiKeyId: ${uuid()}`,
      `integrity: ${hex(32)}.tar.gz`,
      `SKU${draw(10, CAPITALS)} SK${hex(20)}`,
      `path.${draw(14)}.${hex(20)}`,
      "https://deploy-user-of-the-long-name@git.example.com/x",
      `commit ${hex(40)}`,
      "puts('Private-Lines: ' + lines(thePrivateKeyOfTheUser)); puts('Private-MAC')",
      `_authToken=\${NPM_TOKEN}`,
    ]
  ) assert.equal(secrets.redact(text), text);
});

Deno.test("the private lines of a PuTTY key are hidden, whole, cut off and in a stream", () => {
  const lines = Array.from({ length: 14 }, () => draw(64));
  const head =
    "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: me\nPublic-Lines: 1\nAAAAB3Nza\n";
  const key = `${head}Private-Lines: ${lines.length}\n${lines.join("\n")}\nPrivate-MAC: ${
    hex(64)
  }\n`;
  const redactor = secrets.bytes();
  const bytes = new TextEncoder().encode(key);
  const parts = [bytes.subarray(0, 150), bytes.subarray(150, 400), bytes.subarray(400)];
  const streamed = [...parts.flatMap((part) => [...redactor.push(part)]), ...redactor.end()]
    .map((part) => new TextDecoder().decode(part)).join("");
  for (const told of [secrets.redact(key), secrets.redact(key.slice(0, 700)), streamed]) {
    assert.match(told, /Private-Lines: 14\n«secret:private-key/);
    for (const line of lines) assert.ok(!told.includes(line), told);
  }
});

Deno.test("what a workspace logs in with is known by value, wherever it turns up", async () => {
  const [npm, login, dsn, net] = [draw(40), base64(24), hex(32), `pw-${draw(12)}1`];
  const files = {
    ".npmrc":
      `# _authToken=none\n//r.example.com/:_authToken="${npm}"\n_auth=${login}\nregistry=https://r.example.com/\n`,
    ".netrc": `machine example.com login me password ${net}\n`,
    ".env.local":
      `SENTRY_DSN=https://${dsn}@o1.ingest.sentry.io/2\nNEXT_URL=https://example.com/a\n`,
  };
  await withWorkspace(files, (root) => {
    const known = secretsOf({}, root);
    known.refresh();
    for (const value of [npm, login, dsn, net]) {
      const told = known.redact(`it said ${value} and no more`);
      assert.ok(!told.includes(value), told);
    }
    assert.equal(
      known.redact("registry=https://r.example.com/ none"),
      "registry=https://r.example.com/ none",
    );
  });
});

Deno.test("a private key in base64 is hidden, a certificate and a public key are not", () => {
  const pem = (label: string) =>
    btoa(`-----BEGIN ${label}-----\n${base64(400)}\n-----END ${label}-----\n`);
  for (const label of ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "]) {
    const key = pem(`${label}PRIVATE KEY`);
    const told = secrets.redact(`tls.key: ${key}\nKEY_B64="${key}"`);
    assert.ok(!told.includes(key.slice(30, 60)) && !told.includes(key.slice(-40)), told);
    assert.match(told, /^tls\.key: «secret:private-key:/);
  }
  for (const label of ["CERTIFICATE", "PUBLIC KEY"]) {
    const open = `tls.crt: ${pem(label)}`;
    assert.equal(secrets.redact(open), open);
  }
});

Deno.test("the password of a command's login is hidden, what only looks like one is not", () => {
  for (
    const command of [
      "curl -u user:d2LkV78zLx https://h/",
      "curl -s --user 'api:d2LkV78zLx!t' https://h/",
      'curl --user="j.smith:dB2yF6@qL9vZm1P" https://h/',
      "http --proxy-user u:d2LkV78zLx&",
    ]
  ) {
    const told = secrets.redact(command);
    assert.doesNotMatch(told, /d2LkV78|dB2yF6/);
    assert.match(told, /«secret:password:[0-9a-f]{6}»/);
  }
  for (
    const command of [
      "docker run -u 1000:1000 x",
      "rsync -u host1:/srv/data2 .",
      "curl -u user:$PASS1234 https://h/",
      "curl -u user:password1 https://h/",
      "gobuster -u http://h4:8080/a1b2c3",
      "git push -u origin main:feature",
    ]
  ) assert.equal(secrets.redact(command), command);
});

Deno.test("a key that a header carries is hidden, however the header is written", () => {
  for (
    const [before, key, after] of [
      ["Authorization: Token ", hex(40), "\n"],
      ["authorization: token ", hex(40), ""],
      [`curl -H "Authorization: ApiKey `, base64(30).replaceAll(/[=+/]/g, "7"), `" https://h/`],
      [`{"Authorization": "Token `, hex(40), `"}`],
      [`headers={'Authorization': 'token=`, hex(32), `'}`],
      ["Authorization: GenieKey ", uuid(), "\n"],
      ["Authorization: ", hex(64), "\r\n"],
      ["X-Api-Key: ", uuid(), "\n"],
      ["x-api-key: ", hex(32), "\n"],
      ["X-API-KEY:", "7" + draw(24) + "4x", ""],
      [`'X-Api-Key': '`, uuid(), `'`],
      [`"X-Auth-Token": "`, hex(32), `",`],
      ["PRIVATE-TOKEN: ", "2" + draw(20) + "5x", "\n"],
      ["Ocp-Apim-Subscription-Key: ", hex(32), "\n"],
      [`api_key = "`, uuid(), `"`],
      ["softlayer_api_key: ", hex(64), "\n"],
      ["apikey=", `${draw(20)}173--${draw(19)}`, "\n"],
    ] as const
  ) {
    const told = secrets.redact(before + key + after);
    assert.ok(told.startsWith(before) && told.endsWith(after), told);
    assert.ok(!told.includes(key.slice(0, 10)) && !told.includes(key.slice(-10)), told);
  }
  for (
    const text of [
      "Authorization: Token YOUR_API_TOKEN_GOES_HERE",
      "Authorization: Token $TOKEN1234567890123456",
      "headers.authorization = await getAuthorizationHeaderOf(request2)",
      "authorization: authorizationCodeWithPkceS256,",
      `Idempotency-Key: ${uuid()}`,
      "cache-key: v1-linux-2024-node20-cafe1234",
      "X-Api-Key: {{ api_key_2024_of_the_tenant }}",
      "apiKey: process.env.THE_SERVICE_API_KEY_2024",
      "-H 'x-api-key: $ANTHROPIC_API_KEY'",
    ]
  ) assert.equal(secrets.redact(text), text);
});

Deno.test("a password on a command's line or in its variable is hidden", () => {
  for (
    const [before, given, after] of [
      ["mysql -u root -p", "d2LkV78zLx", " shop"],
      ["mysqldump -h db -u app -p'", "k#9 fQz!2", "' shop"],
      ["mysql -uroot --password=", "Tq8vLmW2", " shop"],
      ["PGPASSWORD=", "d2LkV78zLx", " psql -h db"],
      ["export PGPASSWORD='", "hunter2!", "'"],
      ["PGPASSWORD=", "deadbeef", " psql"],
      ["MYSQL_PWD: ", "d2LkV78zLx", "\n"],
      ["sshpass -p ", "d2LkV78zLx", " ssh me@h"],
      ["redis-cli -h r -a ", "d2LkV78zLx", " ping"],
      ["docker login -u me -p ", "d2LkV78zLx", " r.example.com"],
      ["mongosh -u app -p ", "d2LkV78zLx", " h"],
      ["gpg --batch --passphrase ", "d2LkV78zLx", " -c f"],
      ["scheme://cafebabe:", "deadbeef", "@host"],
      ["redis://:", "qwmvnzlk", "@cache:6379/0"],
      ["amqp://app:", "correcthorse", "@mq"],
    ] as const
  ) {
    const told = secrets.redact(before + given + after);
    assert.ok(told.startsWith(before + "«secret:password:") && told.endsWith("»" + after), told);
  }
  for (
    const text of [
      "mysql -p shop",
      "mysql -P 3306 -pPASSWORD shop",
      "mysql -p$MYSQL_PASSWORD shop",
      "mkdir -p /srv/app2/data9",
      "docker run -p 8080:80 -p 127.0.0.1:5432:5432 x1",
      "ssh -p 22022 me@h",
      "PGPASSWORD=$POSTGRES_PASSWORD psql",
      "PGPASSWORD=secret psql",
      "PGPASSWORD=${PG_PASS1234} psql",
      "tool --password <your-password>",
      "--password prompts-for-it",
      "redis-cli -a $REDIS_AUTH2",
      "https://username:password@www.example.com",
      "https://REDACTED:REDACTED@www.example.com",
      "postgres://user:mypassword@localhost/db",
      "https://host:8080/@scope/name",
      "mysql://benutzer:passwort@host",
    ]
  ) assert.equal(secrets.redact(text), text);
});

Deno.test("Facebook's and Mailchimp's keys are hidden: two parts that one sign joins", () => {
  for (const key of [`${draw(15, "123456789")}|${draw(27)}`, `${hex(32)}-us14`, `${hex(32)}-us5`]) {
    for (const text of [key, `token=${key}&x=1`, `"${key}"`, `it is ${key}.`]) {
      const told = secrets.redact(text);
      assert.equal(told.replace(/«secret:[\w-]+:[0-9a-f]{6}»/, key), text);
      assert.ok(!told.includes(key), told);
    }
  }
  for (
    const text of [
      "| 123456789012345|a | 12|bc |",
      `${hex(32)}-usage`,
      "1|2|3456789012345678901234567",
    ]
  ) {
    assert.equal(secrets.redact(text), text);
  }
});
