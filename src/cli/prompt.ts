/** `narnat prompt`: what would be sent, with sizes. */
import { choicesFrom, type Flags } from "../commands/flags.ts";
import { partName } from "../commands/status.ts";
import { table } from "../commands/table.ts";
import { joinParts, promptParts } from "../context/mod.ts";
import { createHistory } from "../session/history.ts";
import { previousContext } from "../session/task_notes.ts";
import { under } from "../base/path.ts";
import { stateOf } from "../features/skills/skill_state.ts";
import { skillSet } from "../features/skills/skill_parts.ts";
import { findSkills } from "../features/skills/skills.ts";
import { createToolbox } from "../tools/toolbox.ts";
import { extraTools } from "../app/extra_tools.ts";
import { type AgentEnvironment, openEnvironment } from "../app/environment.ts";
import { hasServers } from "../features/mcp/places.ts";
import { lookUpTrust } from "../features/trust/mod.ts";
import { putData, translatorFor } from "../base/host.ts";

const bytes = (text: string) => new TextEncoder().encode(text).length;
/** Characters per token vary by language; a quarter of the bytes is near enough for a size column. */
const tokens = (text: string) => Math.ceil(bytes(text) / 4);

/** Prints the prompt, the tools, and a table of sizes. */
export async function prompt(flags: Flags): Promise<number> {
  const environment = openEnvironment(choicesFrom(flags), translatorFor(flags), "no model");
  const { t } = environment.config;
  const memory = under(environment.workspace, ".narnat", "memory");
  const previous = () => previousContext(createHistory(memory, () => new Date()));
  const extra = await moreTools(environment);
  const { secrets } = environment;
  secrets.refresh();
  const { definitions } = createToolbox([...environment.tools, ...extra.tools]);
  const skills = await findSkills(environment.prompt);
  const parts = promptParts({ ...environment.prompt, previous }, skillSet(skills))
    .map((one) => ({ ...one, text: secrets.redact(one.text) }));
  const left = [
    ...parts.flatMap((part) => part.left).map(({ file, why }) => t(why, { file })),
    ...skills.filter((skill) => skill.off || skill.hidden)
      .map((skill) => `${skill.path}: ${stateOf(skill, skills, t)}`),
    ...extra.left,
  ];
  const tools = definitions.map((tool) => ({
    name: tool.name,
    text: JSON.stringify({
      type: "function",
      function: { name: tool.name, description: tool.description, parameters: tool.input },
    }),
  }));
  const rows = [
    ...parts.map((part) => ({
      kind: "prompt" as const,
      name: part.name,
      text: part.text,
      cut: part.cut,
    })),
    ...tools.map((tool) => ({ kind: "tool" as const, name: tool.name, text: tool.text, cut: 0 })),
  ].map(({ kind, name, text, cut }) => ({
    kind,
    name,
    bytes: bytes(text),
    tokens: tokens(text),
    cut,
  }));
  if (flags.outputFormat === "json") {
    putData(
      JSON.stringify({
        system: joinParts(parts),
        tools: definitions,
        parts: rows,
        left,
      }) + "\n",
    );
  } else {
    const sum = (key: "bytes" | "tokens") => rows.reduce((total, row) => total + row[key], 0);
    const sizes = table([
      [
        t("part"),
        t("name"),
        t("bytes"),
        "~tokens",
      ],
      ...rows.map(({ kind, name, bytes, tokens, cut }) => [
        t(kind),
        partName(name, t),
        String(bytes),
        String(tokens),
        ...cut > 0 ? [t("({bytes} bytes cut)", { bytes: cut })] : [],
      ]),
      [t("total"), "", String(sum("bytes")), String(sum("tokens"))],
    ], [2, 3]);
    putData(
      joinParts(parts) + "\n\n" + tools.map((tool) => tool.text + "\n").join("") + "\n" +
        sizes.map((row) => row + "\n").join("") +
        left.map((what) => t("left out: {what}", { what }) + "\n").join(""),
    );
  }
  await environment.close();
  return 0;
}

/** The tools besides the built-in ones, those of servers as they were last; and what of them is not known. */
async function moreTools(environment: AgentEnvironment) {
  const agents = () => {
    throw new Error("no agents here");
  };
  const { extra, texts } = await extraTools(environment, agents);
  await lookUpTrust(environment);
  if (!hasServers(environment)) return { tools: extra, left: texts };
  const { rememberedServerTools } = await import("../features/mcp/tools.ts");
  const { tools, left } = await rememberedServerTools(environment);
  return { tools: [...extra, ...tools], left: [...texts, ...left] };
}
