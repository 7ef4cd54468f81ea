import { english } from "../../../src/base/t.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { readServers } from "../../../src/features/mcp/config.ts";
import type { ServerConfig } from "../../../src/features/mcp/types.ts";
import { runs } from "../../support/soak.ts";

const PROJECT = "/w/.narnat/mcp.json";
const USER = "/home/me/.narnat/mcp.json";

/** What these files, by path, name. */
function read(
  files: { readonly [path: string]: string | object },
  env: { readonly [name: string]: string } = {},
  project: { readonly [name: string]: string } = env,
  trusted: (path: string) => boolean = () => true,
) {
  return readServers({
    workspace: "/w",
    userDir: "/home/me/.narnat",
    t: english,
    trusted,
    env: (name, scope) => (scope === "user" ? env : project)[name],
    readText(path) {
      const found = files[path];
      if (found === undefined) throw new Deno.errors.NotFound(path);
      return typeof found === "string" ? found : JSON.stringify(found);
    },
  });
}

/** The one server of the project's file that has this entry. */
function entry(given: unknown, env?: { readonly [name: string]: string }): ServerConfig {
  const { servers, warnings } = read({ [PROJECT]: { mcpServers: { one: given } } }, env);
  assert.deepEqual(warnings, []);
  assert.equal(servers.length, 1);
  return servers[0]!;
}

Deno.test("no file, an empty file and one without servers name none", () => {
  for (const text of [undefined, "", "{ /* none */ }"]) {
    const { servers, warnings } = read(text === undefined ? {} : { [PROJECT]: text });
    assert.deepEqual([servers, warnings], [[], []]);
  }
});

Deno.test("a program with all that may be said of it", () => {
  const server = entry({
    command: "npx",
    args: ["-y", "thing", 8080],
    env: { PORT: 80, DEBUG: true },
    cwd: "sub",
    timeout: 5000,
    startupTimeout: 30_000,
    tools: ["a"],
    disabledTools: ["b"],
  });
  assert.deepEqual({ ...server, hash: "" }, {
    name: "one",
    file: PROJECT,
    scope: "project",
    enabled: true,
    what: "npx -y thing 8080",
    reach: {
      type: "stdio",
      command: "npx",
      args: ["-y", "thing", "8080"],
      env: { PORT: "80", DEBUG: "true" },
      cwd: "/w/sub",
    },
    fault: "",
    tools: ["a"],
    withoutTools: ["b"],
    timeoutMs: 5000,
    startMs: 10_000 * 3,
    hash: "",
  });
});

Deno.test("an address, by whatever name its kind goes", () => {
  const reach = (given: object) => entry({ url: "https://x.example/mcp", ...given }).reach;
  const http = { type: "http", url: "https://x.example/mcp", headers: {} };
  for (const given of [{}, { type: "http" }, { transport: "streamable-http" }]) {
    assert.deepEqual(reach(given), http);
  }
  assert.deepEqual(reach({ type: "sse", headers: { A: "b" } }), {
    ...http,
    type: "sse",
    headers: { A: "b" },
  });
  assert.deepEqual(entry({ httpUrl: "https://x.example/mcp" }).reach, http);
});

Deno.test("the list form names its servers itself", () => {
  const { servers, warnings } = read({
    [PROJECT]: {
      mcpServers: [
        { name: "b", command: "npx", args: ["b"], enabled: false },
        { name: "a", command: "npx", args: [], env: { K: "v" }, enabled: true },
        { command: "npx" },
      ],
    },
  });
  assert.deepEqual(warnings, []);
  assert.deepEqual(servers.map(({ name, enabled, fault }) => [name, enabled, fault]), [
    [
      "#3",
      true,
      `${PROJECT}: mcpServers.#3.name must be a text that is not empty, found undefined`,
    ],
    ["a", true, ""],
    ["b", false, ""],
  ]);
});

Deno.test("a server without a name is at fault, and has one to be spoken of by", () => {
  const { servers } = read({ [PROJECT]: { mcpServers: { a: { command: "x" }, " ": {} } } });
  assert.deepEqual(servers.map(({ name, reach }) => [name, reach === undefined]), [
    ["#2", true],
    ["a", false],
  ]);
});

Deno.test("disabled and enabled say the same in two ways", () => {
  assert.equal(entry({ command: "x", disabled: true }).enabled, false);
  assert.equal(entry({ command: "x", enabled: false }).enabled, false);
  assert.equal(entry({ command: "x", disabled: false, enabled: true }).enabled, true);
});

Deno.test("the allow-list by the names that others give it", () => {
  for (const key of ["tools", "enabledTools", "allowedTools", "includeTools"]) {
    assert.deepEqual(entry({ command: "x", [key]: ["a", "b"] }).tools, ["a", "b"]);
  }
  assert.equal(entry({ command: "x", tools: ["*"] }).tools, undefined);
});

Deno.test("variables are put in, with their default, everywhere a text stands", () => {
  const server = entry({
    command: "${BIN}/run",
    args: ["--key=${KEY}", "${EMPTY:-none}", "${ABSENT:-a b}", "$KEY"],
    env: { TOKEN: "${KEY}" },
  }, { BIN: "/opt", KEY: "k", EMPTY: "" });
  assert.equal(server.what, "${BIN}/run --key=${KEY} ${EMPTY:-none} ${ABSENT:-a b} $KEY");
  assert.deepEqual(server.reach, {
    type: "stdio",
    command: "/opt/run",
    args: ["--key=k", "none", "a b", "$KEY"],
    env: { TOKEN: "k" },
    cwd: "/w",
  });
});

Deno.test("a variable that is not set is that server's fault only", () => {
  const { servers } = read({
    [PROJECT]: {
      mcpServers: { bad: { command: "x", env: { T: "${NOPE}" } }, good: { command: "y" } },
    },
  });
  assert.equal(
    servers[0]?.fault,
    `${PROJECT}: mcpServers.bad.env.T uses the environment variable NOPE, which is not set; set it, or write \${NOPE:-default}`,
  );
  assert.equal(servers[0]?.reach, undefined);
  assert.equal(servers[1]?.fault, "");
});

Deno.test("a variable that projects may not have is not said to be unset", () => {
  const { servers } = readServers({
    workspace: "/w",
    userDir: "/home/me/.narnat",
    t: english,
    env: (name, scope) => scope === "user" && name === "SECRET" ? "s" : undefined,
    withheld: (name) => name === "SECRET",
    readText: (path) =>
      JSON.stringify({
        mcpServers: path === USER
          ? { mine: { command: "x", env: { A: "${SECRET}" } } }
          : { theirs: { command: "x", env: { A: "${SECRET}" } }, no: { command: "${OTHER}" } },
      }),
  });
  const faults = Object.fromEntries(servers.map(({ name, fault }) => [name, fault]));
  assert.equal(faults["mine"], "");
  assert.match(faults["theirs"]!, /theirs\.env\.A uses SECRET.*no project's file may have/);
  assert.doesNotMatch(faults["theirs"]!, /not set/);
  assert.match(faults["no"]!, /OTHER, which is not set/);
});

Deno.test("an entry with both a program and an address needs a type to say which counts", () => {
  const both = { command: "x", url: "https://x.example/mcp" };
  assert.match(entry(both).fault, /mcpServers\.one has both a command and a url/);
  assert.equal(entry(both).reach, undefined);
  assert.equal(entry({ ...both, type: "stdio" }).reach?.type, "stdio");
  assert.equal(entry({ ...both, type: "http" }).reach?.type, "http");
});

Deno.test("a project's file and the user's see the variables of their scope", () => {
  const named = { mcpServers: { one: { command: "x", args: ["${KEY}"] } } };
  const whole = { KEY: "secret" };
  assert.notEqual(read({ [PROJECT]: named }, whole, {}).servers[0]?.fault, "");
  assert.equal(read({ [USER]: named }, whole, {}).servers[0]?.fault, "");
});

Deno.test("an entry that cannot be used tells file, key, what was expected and found", () => {
  const faults: [unknown, RegExp][] = [
    ["npx", /mcpServers\.one must be an object, found a text$/],
    [{}, /mcpServers\.one needs a command .* or a url/],
    [{ command: "" }, /one\.command must be a text that is not empty, found ""$/],
    [{ command: 5 }, /one\.command must be .*, found 5$/],
    [{ command: "x", args: "y" }, /one\.args must be a list of texts, found a text$/],
    [{ command: "x", env: ["A=b"] }, /one\.env must be an object \(name → text\)/],
    [{ command: "x", env: { A: {} } }, /one\.env\.A must be/],
    [{ command: "x", timeout: 60 }, /one\.timeout must be milliseconds .* found 60$/],
    // beyond what a timer can wait it would not wait at all
    [{ command: "x", timeout: 3e9 }, /one\.timeout must be milliseconds .* found 3000000000$/],
    [{ command: "x", disabled: "yes" }, /one\.disabled must be true \| false/],
    [{ url: "ftp://x" }, /one\.url must be a URL that begins with http/],
    [{ type: "carrier pigeon", url: "http://x" }, /one\.type must be "stdio" \| "http" \| "sse"/],
    [{ type: "constructor", url: "http://x" }, /one\.type must be "stdio" \| "http" \| "sse"/],
  ];
  for (const [given, expected] of faults) {
    const { fault, reach } = entry(given);
    assert.match(fault, expected);
    assert.ok(fault.startsWith(PROJECT));
    assert.equal(reach, undefined);
  }
});

Deno.test("a faulty value that may be a key is not shown", () => {
  const server = entry({ command: "x", args: "sk-very-secret" });
  assert.ok(!server.fault.includes("secret"));
});

Deno.test("a file that is no JSON takes no other along, and tells where it breaks off", () => {
  const { servers, warnings } = read({
    "/w/.mcp.json": '{\n  "mcpServers": {\n    "a": }\n}',
    "/w/.agent/mcp.json": '{ "mcpServers": 3 }',
    [USER]: { mcpServers: { good: { command: "x" } } },
  });
  assert.deepEqual(servers.map(({ name }) => name), ["good"]);
  assert.match(warnings[0] ?? "", /^\/w\/\.mcp\.json:3:10: not JSON at `}`/);
  assert.match(warnings[1] ?? "", /^\/w\/\.agent\/mcp\.json: mcpServers must be/);
});

Deno.test("a file that cannot be read is told of; one that is not there is not", () => {
  const { warnings } = readServers({
    workspace: "/w",
    userDir: undefined,
    t: english,
    env: () => undefined,
    readText(path) {
      if (path === "/w/.mcp.json") throw new Deno.errors.PermissionDenied("not yours");
      throw new Deno.errors.NotFound(path);
    },
  });
  assert.deepEqual(warnings, [
    "Cannot read /w/.mcp.json, so none of its MCP servers is started: not yours",
  ]);
});

Deno.test("comments, trailing commas and a byte order mark are fine", () => {
  const { servers, warnings } = read({
    [PROJECT]: '\ufeff{ // mine\n "mcpServers": { "a": { "command": "x", }, /* b */ }, }',
  });
  assert.deepEqual([servers.length, warnings], [1, []]);
});

Deno.test("of one name the project's file wins over the user's, and .narnat over the others", () => {
  const one = (command: string) => ({ mcpServers: { one: { command } } });
  const files: { [path: string]: object } = {
    [PROJECT]: one("a"),
    "/w/.mcp.json": one("b"),
    "/w/.agent/mcp.json": one("c"),
    [USER]: one("d"),
  };
  const commands: unknown[] = [];
  for (const path of Object.keys(files)) {
    const { servers } = read(files);
    assert.equal(servers.length, 1);
    commands.push([servers[0]?.file, servers[0]?.scope]);
    delete files[path];
  }
  assert.deepEqual(commands, [
    [PROJECT, "project"],
    ["/w/.mcp.json", "project"],
    ["/w/.agent/mcp.json", "project"],
    [USER, "user"],
  ]);
});

Deno.test("a relative program is the one under its folder; a bare name is looked for", () => {
  const command = (given: object) => {
    const { reach } = entry(given);
    return reach?.type === "stdio" ? reach.command : "";
  };
  assert.equal(command({ command: "./bin/x" }), "/w/bin/x");
  assert.equal(command({ command: "bin/x", cwd: "/srv" }), "/srv/bin/x");
  assert.equal(command({ command: "x" }), "x");
});

Deno.test("the hash of a configuration changes with what decides the tools, not with the rest", () => {
  const hash = (given: object, env?: { [name: string]: string }) => entry(given, env).hash;
  const same = hash({ command: "x", args: ["${A}"] }, { A: "1" });
  assert.equal(hash({ command: "x", args: ["${A}"], timeout: 9000 }, { A: "1" }), same);
  assert.notEqual(hash({ command: "x", args: ["${A}"] }, { A: "2" }), same);
  assert.notEqual(hash({ command: "y", args: ["1"] }), same);
});

Deno.test("the files tell the hash of their content", () => {
  const hashes = (text: string) => read({ [PROJECT]: text }).files.map(({ hash }) => hash);
  assert.deepEqual(hashes("{}"), hashes("{}"));
  assert.notDeepEqual(hashes("{}"), hashes("{ }"));
});

Deno.test("a type that is no text is a fault of that server", () => {
  const { fault } = entry({ command: "x", type: [{ toString: "" }] });
  assert.match(fault, /type.*"stdio" \| "http" \| "sse"/);
});

Deno.test("whatever stands in a file, reading it throws nothing", () => {
  const given = fc.oneof(
    fc.string(),
    fc.json(),
    fc.dictionary(fc.string(), fc.jsonValue()).map((mcpServers) => JSON.stringify({ mcpServers })),
    fc.array(fc.jsonValue()).map((mcpServers) => JSON.stringify({ mcpServers })),
    fc.record({
      command: fc.jsonValue(),
      args: fc.jsonValue(),
      env: fc.jsonValue(),
      url: fc.jsonValue(),
      type: fc.jsonValue(),
      timeout: fc.jsonValue(),
    }, { requiredKeys: [] }).map((one) => JSON.stringify({ mcpServers: { one } })),
  );
  fc.assert(
    fc.property(given, (text) => {
      for (const { fault, reach } of read({ [PROJECT]: text }).servers) {
        assert.equal(fault === "", reach !== undefined);
      }
    }),
    { numRuns: runs(500) },
  );
});

Deno.test("of a server that can be reached the program or the address is always told", () => {
  const command = fc.constantFrom("", null, " ", "npx", ["npx", "x"], []);
  const address = fc.constantFrom("", null, " ", "https://a.example/x");
  const kind = fc.constantFrom(undefined, null, "stdio", "http", "sse", "local");
  const given = fc.record({
    type: kind,
    transport: kind,
    command,
    args: fc.constantFrom(null, [], ["y"]),
    url: address,
    httpUrl: address,
  }, { requiredKeys: [] });
  fc.assert(
    fc.property(given, (one) => {
      const { reach, what } = entry(one);
      if (!reach) return;
      const own = reach.type === "stdio" ? reach.command : reach.url;
      assert.ok(own !== "" && what.includes(own), JSON.stringify([one, what]));
    }),
    { numRuns: runs(1000) },
  );
});

Deno.test("of one name the first counts, and one that is not trusted behind all that are", () => {
  const files = {
    [PROJECT]: { mcpServers: { a: { command: "one" } } },
    "/w/.mcp.json": { mcpServers: { a: { command: "two" } } },
    [USER]: { mcpServers: { a: { command: "three" } } },
  };
  const first = (...trusted: string[]) => {
    const { servers, hidden } = read(files, {}, {}, (path) => trusted.includes(path));
    assert.equal(hidden.length, 2);
    return servers.map(({ what }) => what).join();
  };
  assert.equal(first(), "three");
  assert.equal(first("/w/.mcp.json"), "two");
  assert.equal(first(PROJECT, "/w/.mcp.json"), "one");
});

Deno.test("a slip of the pen in a key is told with the nearest name, another agent's key is not", () => {
  const warned = (file: unknown) => read({ [PROJECT]: file as object }).warnings.join("\n");
  for (const key of ["mcpservers", "mcp_servers", "mcpServer", "servers"]) {
    assert.match(warned({ [key]: { a: { command: "x" } } }), /did you mean mcpServers\?$/);
  }
  assert.match(warned({ a: { command: "x" } }), /servers such as a belong into "mcpServers"/);
  assert.equal(warned({ note: "x", other: { a: 1 } }), "");
  for (const [slip, meant] of [["arg", "args"], ["evn", "env"], ["comand", "command"]] as const) {
    assert.match(
      warned({ mcpServers: { a: { command: "x", [slip]: "y" } } }),
      new RegExp(`mcpServers\\.a\\.${slip} means nothing .* did you mean ${meant}\\?$`),
    );
  }
  const others = {
    autoApprove: [],
    alwaysAllow: [],
    description: "",
    envFile: ".env",
    trust: true,
  };
  assert.equal(warned({ mcpServers: { a: { command: "x", ...others } } }), "");
});

Deno.test("JSON that is cut off is told as such", () => {
  const [warning] = read({ [PROJECT]: '{"mcpServers": {"a": ' }).warnings;
  assert.match(warning!, /:1:22: the JSON is cut off/);
});

Deno.test("a program in the home folder is found there", () => {
  const { reach } = entry({ command: "~/bin/x", cwd: "~/work" }, { HOME: "/home/me" });
  assert.ok(reach?.type === "stdio");
  assert.deepEqual([reach.command, reach.cwd], ["/home/me/bin/x", "/home/me/work"]);
});

Deno.test("a type that contradicts what is there is named", () => {
  assert.match(
    entry({ type: "stdio", url: "https://x.example" }).fault,
    /has a url and no command/,
  );
  assert.match(entry({ type: "http", command: "x" }).fault, /has a command and no url/);
});

Deno.test("mcpServers of a narnat.json count behind the mcp.json files, with a trust of their own", () => {
  const settings = "/w/.narnat/narnat.json";
  const one = { command: "settings" };
  const named = (files: Parameters<typeof read>[0]) =>
    read(files).servers.map(({ name, what, scope }) => [name, what.trim(), scope]);
  assert.deepEqual(named({ [settings]: { max_cost: 1, mcpServers: { one } } }), [
    ["one", "settings", "project"],
  ]);
  assert.deepEqual(named({ [settings]: '{/* c */ "mcp_servers": {"one": {"command": "x"}},}' }), [
    ["one", "x", "project"],
  ]);
  assert.deepEqual(named({ "/home/me/.narnat/narnat.json": { mcp_servers: { one } } }), [
    ["one", "settings", "user"],
  ]);
  const both = { [PROJECT]: { mcpServers: { one: { command: "file" } } } };
  assert.deepEqual(named({ ...both, [settings]: { mcpServers: { one } } })[0]![1], "file");
  // other keys of the settings change nothing of what is trusted; the servers do
  const hash = (value: object) => read({ [settings]: value }).files[0]?.hash;
  assert.equal(
    hash({ mcpServers: { one } }),
    hash({ max_cost: 2, mcp_servers: { one } }),
  );
  assert.notEqual(hash({ mcpServers: { one } }), hash({ mcpServers: { two: one } }));
  assert.equal(hash({ max_cost: 2 }), undefined);
});
