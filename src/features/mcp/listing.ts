/**
 * What a server has, page by page and within bounds, and what it gives to be read, as a text for
 * the model.
 */
import { isRecord } from "../../base/is_record.ts";
import { truncate } from "../../base/strings.ts";
import type { T } from "../../base/t.ts";
import type { Json } from "../../base/types.ts";
import { sizeText } from "../../files/file_kind.ts";
import type {
  Prompt,
  PromptMessage,
  Resource,
  ResourceContent,
  ServerTool,
  ToolList,
} from "./types.ts";

/** Asks a server; the result is an object, and nothing more is known of it. */
export type Ask = (
  method: string,
  params: { [key: string]: unknown },
  signal: AbortSignal,
) => Promise<Fields>;

type Fields = { readonly [key: string]: unknown };

const PAGES = 100;
const ITEMS = 1000;
/** Of a list as JSON. */
const CHARS = 4_000_000;
const NAME_CHARS = 200;
const DESCRIPTION_CHARS = 8000;
/** Of one tool's schema: it stands in every request. */
const INPUT_CHARS = 50_000;

/** What the pages of one list hold; `cut` when there is more than is taken. */
async function listAll(
  ask: Ask,
  method: string,
  key: string,
  signal: AbortSignal,
): Promise<{ readonly items: readonly unknown[]; readonly cut: boolean }> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let chars = 0;
  for (let page = 0; page < PAGES; page++) {
    const result = await ask(method, cursor === undefined ? {} : { cursor }, signal);
    const found = result[key];
    for (const item of Array.isArray(found) ? found : []) {
      chars += JSON.stringify(item).length;
      if (items.length >= ITEMS || chars > CHARS) return { items, cut: true };
      items.push(item);
    }
    const next = result["nextCursor"];
    if (typeof next !== "string" || next === "") return { items, cut: false };
    if (cursors.has(next)) return { items, cut: true };
    cursors.add(next);
    cursor = next;
  }
  return { items, cut: true };
}

/** Lists a server's tools; one that cannot be used is left out, with a warning. */
export async function listTools(ask: Ask, t: T, signal: AbortSignal): Promise<ToolList> {
  const { items, cut } = await listAll(ask, "tools/list", "tools", signal);
  const tools = new Map<string, ServerTool>();
  const warnings: string[] = [];
  for (const [at, item] of items.entries()) {
    const tool = toolOf(item, t);
    if (typeof tool === "string") {
      const name = nameOf(item)?.slice(0, NAME_CHARS).toWellFormed() ?? `#${at + 1}`;
      warnings.push(t("The tool {tool} was left out: {why}", { tool: name, why: tool }));
    } else if (tools.has(tool.name)) {
      warnings.push(t("A second tool {tool} was left out: the name is taken", { tool: tool.name }));
    } else {
      tools.set(tool.name, tool);
    }
  }
  if (cut) {
    warnings.push(
      t("The list of tools never ends; the first {count} were taken", { count: tools.size }),
    );
  }
  return { tools: [...tools.values()], warnings };
}

/** Lists resources and templates; those without an address are left out. */
export async function listResources(ask: Ask, signal: AbortSignal): Promise<readonly Resource[]> {
  const plain = await listAll(ask, "resources/list", "resources", signal);
  // Many servers that have no templates do not know the question.
  const places = await listAll(ask, "resources/templates/list", "resourceTemplates", signal)
    .catch(() => ({ items: [] }));
  const read = (key: string, template: boolean) => (item: unknown): Resource[] => {
    if (!isRecord(item)) return [];
    const uri = text(item[key]);
    return uri === "" ? [] : [{
      uri,
      name: text(item["title"]) || text(item["name"]),
      description: text(item["description"]),
      mediaType: text(item["mimeType"]),
      template,
    }];
  };
  return [
    ...plain.items.flatMap(read("uri", false)),
    ...places.items.flatMap(read("uriTemplate", true)),
  ];
}

/** Lists prompts; those without a name are left out. */
export async function listPrompts(ask: Ask, signal: AbortSignal): Promise<readonly Prompt[]> {
  const { items } = await listAll(ask, "prompts/list", "prompts", signal);
  return items.flatMap((item) => {
    const name = nameOf(item);
    if (!isRecord(item) || name === undefined) return [];
    const given = Array.isArray(item["arguments"]) ? item["arguments"] : [];
    const args = given.filter(isRecord).filter((one) => nameOf(one) !== undefined).map((one) => ({
      name: nameOf(one)!,
      description: text(one["description"]),
      required: one["required"] === true,
    }));
    return [{
      name,
      description: text(item["description"]) || text(item["title"]),
      arguments: args,
    }];
  });
}

/** A tool as it can be used; a text says why it cannot. */
function toolOf(item: unknown, t: T): ServerTool | string {
  const name = nameOf(item);
  if (!isRecord(item) || name === undefined || name.length > NAME_CHARS) {
    return t("it has no usable name");
  }
  const schema = item["inputSchema"] ?? { type: "object" };
  const type = isRecord(schema) ? schema["type"] ?? "object" : undefined;
  const properties = isRecord(schema) ? schema["properties"] ?? {} : undefined;
  if (!isRecord(schema) || type !== "object" || !isRecord(properties)) {
    return t("its inputSchema is not the JSON Schema of an object");
  }
  if (JSON.stringify(schema).length > INPUT_CHARS) {
    return t("its inputSchema is larger than {chars} characters", { chars: INPUT_CHARS });
  }
  const notes = isRecord(item["annotations"]) ? item["annotations"] : {};
  const description = text(item["description"]);
  return {
    name,
    title: text(item["title"]) || text(notes["title"]),
    description: truncate(description, DESCRIPTION_CHARS),
    input: flat(schema as { [key: string]: Json }),
    readOnly: notes["readOnlyHint"] === true,
  };
}

/**
 * An object's schema without `anyOf`, `oneOf`, `allOf` at its top: providers refuse the whole
 * request for one. What they name stays, nothing of it is required.
 */
function flat({ $schema: _, ...schema }: { [key: string]: Json }): { [key: string]: Json } {
  const { anyOf, oneOf, allOf, ...rest } = schema;
  let properties = (rest["properties"] ?? {}) as { [key: string]: Json };
  for (const choice of [anyOf, oneOf, allOf].flatMap((each) => Array.isArray(each) ? each : [])) {
    const more = isRecord(choice) && isRecord(choice["properties"]) ? choice["properties"] : {};
    properties = { ...more as { [key: string]: Json }, ...properties };
  }
  return { ...rest, type: "object", properties };
}

const text = (value: unknown) => typeof value === "string" ? value : "";

function nameOf(item: unknown): string | undefined {
  const name = isRecord(item) ? text(item["name"]) : "";
  return name.trim() === "" ? undefined : name;
}

/** Of a longer text the middle is left out. */
const TEXT_CHARS = 100_000;

/** A resource; of what is no text only kind and size. */
export function resourceText(contents: readonly ResourceContent[], t: T): string {
  const parts = contents.map((one) =>
    contents.length > 1 ? `${one.uri}:\n${said(one)}` : said(one)
  );
  return cut(parts.join("\n\n"), t) || t("(no content)");

  function said({ uri, mediaType, text, blob = "" }: ResourceContent): string {
    return text ?? blobText(uri, mediaType, blob, t);
  }
}

/** A prompt; who says what is told where it is not all the user's. */
export function promptText(messages: readonly PromptMessage[], t: T): string {
  const named = messages.some(({ role }) => role === "assistant");
  const parts = messages.map(({ role, content }) => {
    const text = blockText(content, t);
    return named ? `[${role}]\n${text}` : text;
  });
  return cut(parts.join("\n\n"), t);
}

function blockText(block: PromptMessage["content"], t: T): string {
  const text = (value: unknown) => typeof value === "string" ? value : "";
  if (block["type"] === "text") return text(block["text"]);
  const resource = block["resource"];
  if (block["type"] === "resource" && isRecord(resource)) {
    const uri = text(resource["uri"]);
    if (typeof resource["text"] === "string") return `${uri}:\n${resource["text"]}`;
    return blobText(uri, text(resource["mimeType"]), text(resource["blob"]), t);
  }
  if (block["type"] === "image" || block["type"] === "audio") {
    return blobText(text(block["type"]), text(block["mimeType"]), text(block["data"]), t);
  }
  return JSON.stringify(block);
}

function blobText(uri: string, type: string, base64: string, t: T): string {
  const size = sizeText(Math.floor(base64.replace(/[\s=]/g, "").length * 3 / 4));
  return t("[resource {uri}, {type}, {size}; not text]", { uri, type, size });
}

function cut(whole: string, t: T): string {
  const count = whole.length - TEXT_CHARS;
  if (count <= 0) return whole.toWellFormed();
  const [head, tail] = [whole.slice(0, TEXT_CHARS / 2), whole.slice(-TEXT_CHARS / 2)];
  return `${head.toWellFormed()}\n${
    t("({count} characters left out here)", { count })
  }\n${tail.toWellFormed()}`;
}
