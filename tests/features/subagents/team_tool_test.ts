import assert from "node:assert/strict";
import {
  agentsStage,
  firstLine,
  isMember,
  lastText,
  MEMBERS,
  results,
  team,
  teamStage as stage,
  toolsOf,
} from "./stage.ts";
import type { Step } from "../../support/scripted_model.ts";
import { tool } from "../../support/test_agent.ts";

Deno.test("what is sent to one comes back as a line, and it remembers what was before", async () => {
  const s = stage(
    [
      team({ action: "create", members: MEMBERS }),
      team({ action: "send", to: "ann", text: "write the model" }),
      { text: "I wait" },
      team({ action: "send", to: "ann", text: "and now the test" }),
      { text: "I wait again" },
      { text: "thanks" },
    ],
    (_request, texts) => ({ text: `did: ${texts.join(" + ")}` }),
  );
  await s.t.say("go");
  assert.match(
    results(s)[0]!.text,
    /ann \(backend\), bob \(frontend\), eve \(reviewer\)\. eve reviews/,
  );
  const from = s.t.of("turn_start").map(({ from }) => from).filter((one) => one !== "main");
  assert.deepEqual(from, [undefined, "team:ann", "team:ann"]);
  const lines = s.t.messages.filter((m) => /of the team answers/.test(m.text));
  assert.match(lines[0]!.text, /ann \(backend\)[^]*did: write the model\n/);
  assert.match(lines[1]!.text, /did: write the model \+ and now the test\n/);
  const infos = s.t.agent.agents.list("main");
  assert.deepEqual(infos.map(({ id, state, member }) => [id, state, member]), [
    ["ann", "done", true],
    ["bob", "done", true],
    ["eve", "done", true],
  ]);
  assert.equal(s.t.agent.controller.current().turns, 1);
  await s.t.agent.close();
  assert.deepEqual(s.scopes, { opened: 3, ended: 3 });
});

Deno.test("a broadcast goes to all but the last, who gets all answers at once and reviews them", async () => {
  const seen: Record<string, string[]> = { ann: [], bob: [], eve: [] };
  const s = stage(
    [
      team({ action: "create", members: MEMBERS }),
      team({ action: "broadcast", text: "build it" }),
      { text: "I wait" },
      (request) => ({ text: `lead read: ${lastText(request)}` }),
    ],
    (request, texts) => {
      const last = texts.at(-1)!;
      if (last === "build it") {
        return { text: seen["ann"]!.push(last) === 1 ? "first part" : "second part" };
      }
      seen["eve"]!.push(last);
      void request;
      return { text: "it is good" };
    },
  );
  await s.t.say("go");
  assert.equal(seen["ann"]!.length, 2);
  assert.equal(seen["eve"]!.length, 1);
  const review = seen["eve"]![0]!;
  assert.match(
    review,
    /Review[^]*build it[^]*ann \(backend\)[^]*first part[^]*bob \(frontend\)[^]*second part/,
  );
  const from = s.t.of("turn_start").map(({ from }) => from).filter((one) => one !== "main");
  assert.deepEqual(from, [undefined, "team:eve"]);
  assert.match(s.t.messages.at(-1)!.text, /lead read: .*eve \(reviewer\)[^]*it is good/);
  await s.t.agent.close();
});

Deno.test("members write to one another; the lead hears of who asked only when that one has its answer", async () => {
  const { promise: over, resolve: release } = Promise.withResolvers<void>();
  const slow = tool("Slow", () => over.then(() => ({ ok: true, text: "slept" })));
  const s = stage(
    [
      team({ action: "create", members: MEMBERS.slice(0, 2) }),
      team({ action: "send", to: "ann", text: "make the page" }),
      { text: "I wait" },
      { text: "thanks" },
    ],
    (request, texts) => {
      if (texts[0] === "which port?") {
        return request.messages.length === 1
          ? { calls: [{ name: "Slow" }] }
          : { text: "port 8080" };
      }
      if (texts.some((text) => /port 8080/.test(text))) return { text: "the page uses 8080" };
      return request.messages.length === 1
        ? { calls: [{ name: "Send", input: { to: "bob", text: "which port?" } }] }
        : { text: "I have asked bob" };
    },
    { tools: [slow] },
  );
  s.t.agent.bus.subscribe((event) => event.type === "turn_end" && release(), "team:ann");
  await s.t.say("go");
  const lines = s.t.messages.filter((m) => /of the team answers/.test(m.text));
  assert.equal(lines.length, 1);
  assert.match(lines[0]!.text, /the page uses 8080/);
  await s.t.agent.close();
});

Deno.test("two that ask each other both get an answer", async () => {
  const ask = (to: string, text: string): Step => ({
    calls: [{ name: "Send", input: { to, text } }],
  });
  const s = stage(
    [
      team({ action: "create", members: MEMBERS.slice(0, 2) }),
      team({ action: "send", to: "ann", text: "begin" }),
      { text: "I wait" },
      { text: "thanks" },
    ],
    (_request, texts) => {
      const last = texts.at(-1)!;
      if (last === "begin") {
        return texts.length === 1 && _request.messages.length === 1
          ? ask("bob", "and you?")
          : { text: "asked" };
      }
      if (last === "and you?") {
        return _request.messages.length === 1 ? ask("ann", "no, you?") : { text: "I asked back" };
      }
      return { text: `I know: ${last.includes("no, you?") ? "asked" : "answered"}` };
    },
  );
  await s.t.say("go");
  const lines = s.t.messages.filter((m) => /of the team answers/.test(m.text));
  assert.equal(lines.length, 1);
  assert.match(lines[0]!.text, /I know/);
  await s.t.agent.close();
});

Deno.test("writing to one another has an end", async () => {
  let letters = 0;
  const got = new Set<string>();
  const s = stage(
    [
      team({ action: "create", members: MEMBERS.slice(0, 2) }),
      team({ action: "send", to: "ann", text: "begin" }),
      { text: "I wait" },
      { text: "thanks" },
    ],
    (request, texts) => {
      if (lastText(request).includes("cannot send more")) return { text: "I give up asking" };
      if (texts[0] !== "begin") {
        for (const text of texts) if (text.startsWith("letter")) got.add(text);
        return { text: "hm" };
      }
      letters++;
      return { calls: [{ name: "Send", input: { to: "bob", text: `letter ${letters}` } }] };
    },
    { limits: { iterations: 500 } },
  );
  await s.t.say("go");
  assert.equal(got.size, 20);
  assert.match(s.t.messages.map(({ text }) => text).join("\n"), /I give up asking/);
  await s.t.agent.close();
});

Deno.test("what cannot be done is refused, with what there is", async () => {
  const s = stage(
    [
      team({ action: "send", to: "ann", text: "x" }),
      team({ action: "create", members: MEMBERS.slice(0, 1) }),
      team({ action: "create", members: [...MEMBERS, ...MEMBERS] }),
      team({ action: "create", members: [MEMBERS[0], MEMBERS[0]] }),
      team({ action: "create", members: [MEMBERS[0], { name: "a b", role: "x" }] }),
      team({ action: "create", members: [MEMBERS[0], { ...MEMBERS[1], type: "odd" }] }),
      team({ action: "create", members: MEMBERS }),
      team({ action: "create", members: MEMBERS }),
      team({ action: "send", to: "zoe", text: "x" }),
      team({ action: "send", to: "ann", text: " " }),
      { text: "ok" },
    ],
    () => ({ text: "hm" }),
  );
  await s.t.say("go");
  const expected = [
    /no team yet/,
    /2 to 4 members, got 1/,
    /2 to 4 members, got 6/,
    /cannot be named ann/,
    /cannot be named a b/,
    /unknown parameter 'members\[1\]\.type'/,
    /The team is there/,
    /a team already \(ann, bob, eve\)/,
    /zoe is not in the team; there are: ann, bob, eve/,
    /text is empty/,
  ];
  for (const [i, { ok, text }] of results(s).entries()) {
    assert.match(text, expected[i]!);
    assert.equal(ok, i === 6);
  }
  await s.t.agent.close();
});

Deno.test("a team is its lead's alone: its names are taken, and nobody else writes to it", async () => {
  const { t, model } = agentsStage((request) => {
    const calls = request.messages.filter((m) => m.role === "assistant").length;
    if (firstLine(request) === "one") {
      return calls === 0 ? team({ action: "create", members: MEMBERS.slice(0, 2) }) : {};
    }
    const eve = { name: "eve", role: "x" };
    return [
      team({ action: "create", members: [MEMBERS[0], eve] }),
      team({ action: "create", members: [MEMBERS[2], { ...eve, name: "zoe" }] }),
      team({ action: "send", to: "ann", text: "x" }),
    ][calls] ?? {};
  });
  for (const lane of ["one", "two"]) {
    t.agent.bus.send({ type: "line", lane: lane, text: lane });
    await t.agent.idle();
  }
  const told = model.requests.at(-1)!.messages.filter((m) => m.role === "tool");
  assert.deepEqual(told.map((m) => m.text.slice(0, 35)), [
    "Error: a member cannot be named ann",
    "The team is there: eve (reviewer), ",
    "Error: ann is not in the team; ther",
  ]);
  await t.agent.close();
});

Deno.test("disbanding ends the members and what they do, and their names are free again", async () => {
  const s = stage(
    [
      team({ action: "create", members: MEMBERS }),
      team({ action: "send", to: "ann", text: "work" }),
      { text: "I wait" },
      { text: "noted" },
      team({ action: "disband" }),
      { text: "gone" },
      team({ action: "create", members: MEMBERS }),
      { text: "again" },
    ],
    () => ({ text: "busy", hang: true }),
  );
  s.t.send("go");
  await s.t.until((event) => event.type === "text" && event.delta === "busy");
  s.t.agent.agents.stop("ann");
  await s.t.agent.idle();
  assert.match(
    s.t.messages.map(({ text }) => text).join("\n"),
    /ann \(backend\) of the team was stopped/,
  );
  await s.t.say("disband them");
  assert.match(results(s).at(-1)!.text, /disbanded: bob, eve/);
  assert.deepEqual(s.t.agent.agents.list(), []);
  assert.deepEqual(s.scopes, { opened: 3, ended: 3 });
  await s.t.say("again");
  assert.match(results(s).at(-1)!.text, /The team is there/);
  await s.t.agent.close();
  assert.deepEqual(s.scopes, { opened: 6, ended: 6 });
});

Deno.test("a stop of the lead interrupts the members, who stay; leaving the session ends them", async () => {
  const s = stage(
    [
      team({ action: "create", members: MEMBERS }),
      team({ action: "broadcast", text: "work" }),
      { text: "I wait" },
      { text: "so it is" },
    ],
    (_request, texts) => texts.at(-1) === "work" ? { text: "busy", hang: true } : { text: "hm" },
  );
  s.t.send("go");
  await s.t.until(() =>
    s.t.of("text").filter(({ delta }) => delta === "busy").length === 2 &&
    s.t.of("turn_end").length === 1
  );
  s.t.stop();
  await s.t.agent.idle();
  assert.deepEqual(s.t.agent.agents.list().map(({ id, state }) => [id, state]), [
    ["ann", "stopped"],
    ["bob", "stopped"],
    ["eve", "done"],
  ]);
  assert.equal(s.t.of("turn_start").filter(({ from }) => from !== "main").length, 1);
  await s.t.say("and?");
  assert.equal(s.t.messages.filter(({ text }) => /of the team was stopped/.test(text)).length, 2);
  await s.t.say("/new");
  assert.deepEqual(s.t.agent.agents.list(), []);
  assert.deepEqual(s.scopes, { opened: 3, ended: 3 });
});

Deno.test("a member that fails says why, and can be asked again", async () => {
  let fails = true;
  const s = stage(
    [
      team({ action: "create", members: MEMBERS.slice(0, 2) }),
      team({ action: "send", to: "bob", text: "try" }),
      { text: "I wait" },
      team({ action: "send", to: "bob", text: "try again" }),
      { text: "I wait" },
      { text: "good" },
    ],
    () => {
      if (!fails) return { text: "now it works" };
      fails = false;
      return { error: new Error("the wire broke") };
    },
  );
  await s.t.say("go");
  const text = s.t.messages.map(({ text }) => text).join("\n");
  assert.match(text, /bob \(frontend\) of the team has failed[^]*the wire broke[^]*now it works/);
  await s.t.agent.close();
});

Deno.test("members have the tools of agents and Send, and no way to lead", async () => {
  let offered: string[] = [];
  const s = stage(
    [
      team({ action: "create", members: MEMBERS.slice(0, 2) }),
      team({ action: "send", to: "bob", text: "x" }),
      { text: "I wait" },
    ],
    (request) => {
      offered = toolsOf(request);
      assert.equal(firstLine(request), "x");
      return { text: "y" };
    },
    { tools: [tool("Look", () => ({ ok: true, text: "" }))] },
  );
  await s.t.say("go");
  assert.deepEqual(offered, ["Look", "Send"]);
  await s.t.agent.close();
});

Deno.test("a team can be disbanded in the middle of its work, and made anew in the same breath", async () => {
  const s = stage(
    [
      team({ action: "create", members: MEMBERS }),
      team({ action: "broadcast", text: "work" }),
      {
        calls: [
          { name: "Team", input: { action: "disband" } },
          { name: "Team", input: { action: "create", members: MEMBERS.toReversed() } },
          { name: "Team", input: { action: "send", to: "bob", text: "new work" } },
        ],
      },
      { text: "I wait" },
      { text: "good" },
    ],
    (_request, texts) =>
      texts[0] === "work" ? { calls: [{ name: "Stuck" }] } : { text: "new answer" },
    { tools: [tool("Stuck", () => new Promise(() => {}))] },
  );
  await s.t.say("go");
  assert.deepEqual(results(s).map(({ ok }) => ok), [true, true, true, true, true]);
  assert.match(s.t.messages.map(({ text }) => text).join("\n"), /new answer/);
  assert.deepEqual(s.t.agent.agents.list().map(({ id }) => id), ["eve", "bob", "ann"]);
  await s.t.agent.close();
  assert.deepEqual(s.scopes, { opened: 6, ended: 6 });
});

Deno.test("a team of a turn with only some tools has no others, nor has the turn that hears of it", async () => {
  const ran: string[] = [];
  const change = tool("Change", (_input, { lane }) => {
    ran.push(lane);
    return { ok: true, text: "changed" };
  }, { readOnly: false });
  const { t } = stage(
    [
      team({ action: "create", members: MEMBERS }),
      team({ action: "broadcast", text: "do it" }),
      { text: "I wait" },
      { calls: [{ name: "Change" }] },
    ],
    (request) =>
      /allows only/.test(lastText(request)) ? { text: "no" } : { calls: [{ name: "Change" }] },
    { tools: [change] },
  );
  t.agent.bus.send({ type: "line", lane: "main", text: "go", tools: ["Team"] });
  await t.agent.idle();
  assert.deepEqual(ran, []);
  assert.equal(t.of("tool_end").filter(({ name, ok }) => name === "Change" && !ok).length, 4);
});

Deno.test("a lead and a member that thank each other for ever come to an end, until a person says more", async () => {
  let lead = 0;
  const { t } = agentsStage((request) => {
    if (isMember(request)) return { text: "thank you" };
    // whatever goes wrong, this ends
    if (++lead > 100) return { text: "enough" };
    if (lead === 1) return team({ action: "create", members: MEMBERS });
    return /Sent to/.test(lastText(request))
      ? { text: "I wait" }
      : team({ action: "send", to: "ann", text: `no, thank you (${lead})` });
  }, { limits: { iterations: 5 } });
  await t.say("go");
  assert.equal(t.of("turn_start").filter(({ from }) => from === "team:ann").length, 5);
  const held = () => t.of("notice").filter(({ text }) => /5 turns without a word/.test(text));
  assert.equal(held().length, 1);
  assert.equal(t.agent.controller.current().messages.at(-1)!.role, "assistant");
  await t.say("go on");
  const line = t.messages.findIndex(({ text }) => text === "go on");
  assert.match(t.messages[line + 1]!.text, /ann .*of the team answers/, "what was held is read");
  assert.equal(held().length, 2);
});
