/** What a server gives to be read, as a text for the model. */
import type { T } from "../../base/t.ts";
import { sizeText } from "../../files/file_kind.ts";
import { isRecord } from "../../base/is_record.ts";
import type { PromptMessage, ResourceContent } from "./types.ts";

/** Of a longer text the middle is left out. */
const CHARS = 100_000;

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
  const count = whole.length - CHARS;
  if (count <= 0) return whole.toWellFormed();
  const [head, tail] = [whole.slice(0, CHARS / 2), whole.slice(-CHARS / 2)];
  return `${head.toWellFormed()}\n${
    t("({count} characters left out here)", { count })
  }\n${tail.toWellFormed()}`;
}
