/** Which images a model takes: told by its name before any request, for a refused image would stay in the session. */
import type { Config } from "../config/load.ts";
import type { Image, ToolMessage, UserMessage } from "../base/types.ts";
import { hostIs } from "./providers.ts";

const BASIC = ["image/png", "image/jpeg"];
const WEB = [...BASIC, "image/webp"];
const ALL = [...WEB, "image/gif"];

/** Families of models by the last part of their name, in lower case; what is not here reads text only. */
const FAMILIES: readonly (readonly [name: RegExp, types: readonly string[]])[] = [
  [/(?:^|\.)claude-(?!v?[12]\b|instant)/, ALL],
  [
    /^(?:(?:chat)?gpt-(?:4o|4\.[15]|4-turbo|5)|o1(?!-mini|-preview)|o3(?!-mini)|o4-mini)\b(?!.*(?:audio|realtime|transcribe|tts|search|spark))/,
    WEB,
  ],
  [/^gemini-(?:1\.5|[2-9]|(?:pro|flash|flash-lite)-latest)/, WEB],
  [/^kimi-(?:latest|k2\.[5-9])/, BASIC],
  [/^glm-\d+(?:\.\d+)?v/, BASIC],
  [/(?:^|\.)llama-?4\b/, BASIC],
  [/^grok-4/, BASIC],
  [/^qvq-/, BASIC],
  [/(?:^|[^a-z])vl(?:[^a-z]|$)/, BASIC],
  [/vision/, BASIC],
];

/** Hosts that answer to Claude's names with models of their own, which read text only. */
const STAND_INS = [
  "deepseek.com",
  "bigmodel.cn",
  "z.ai",
  "moonshot.cn",
  "moonshot.ai",
  "kimi.com",
  "minimax.io",
  "minimaxi.com",
];

/** Media types of the images that `model` takes at `baseUrl`, none for a text model; `images` overrules the name. */
export function imageTypes(
  model: string,
  { baseUrl, images }: Pick<Config, "baseUrl" | "images">,
): readonly string[] {
  if (images === false) return [];
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const stoodIn = name.includes("claude") && STAND_INS.some((host) => hostIs(baseUrl, host));
  const types = stoodIn ? undefined : FAMILIES.find(([family]) => family.test(name))?.[1];
  return types ?? (images ? BASIC : []);
}

/** The images of a message that go on the wire; a failed result may have none there. */
export function imagesFor(
  message: ToolMessage | UserMessage,
  types: readonly string[],
): readonly Image[] {
  if (!message.images || message.role === "tool" && !message.ok) return [];
  return message.images.filter(({ mediaType }) => types.includes(mediaType));
}
