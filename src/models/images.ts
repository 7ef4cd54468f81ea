/** Which images a model takes: told by its name before any request, for a refused image would stay in the session. */
import type { Config } from "../config/load.ts";
import type { Image, ToolMessage, UserMessage } from "../base/types.ts";
import {
  bareModel,
  COMMON_IMAGES,
  familyOf,
  isAt,
  PROVIDERS,
  USUAL_IMAGES,
} from "../config/registry.ts";

/** Media types of the images that `model` takes at `baseUrl`, none for a text model; `images` overrules the name. */
export function imageTypes(
  model: string,
  { baseUrl, images }: Pick<Config, "baseUrl" | "images">,
): readonly string[] {
  if (images === false) return [];
  const name = bareModel(model);
  const stoodIn = name.includes("claude") &&
    PROVIDERS.some((one) => one.claudeStandIn && isAt(one, baseUrl));
  const families = [...PROVIDERS.flatMap((one) => one.images ?? []), ...COMMON_IMAGES];
  const types = stoodIn ? undefined : familyOf(families, name);
  return types ?? (images ? USUAL_IMAGES : []);
}

/** The images of a message that go on the wire; a failed result may have none there. */
export function imagesFor(
  message: ToolMessage | UserMessage,
  types: readonly string[],
): readonly Image[] {
  if (!message.images || message.role === "tool" && !message.ok) return [];
  return message.images.filter(({ mediaType }) => types.includes(mediaType));
}
