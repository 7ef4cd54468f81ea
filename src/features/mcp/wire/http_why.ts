/** What went wrong on the way to a server, in words for the user: what was found, and what to do. */
import { say } from "../../../base/text.ts";
import type { Lang } from "../../../base/types.ts";
import { hasOwnHeader, LoginError } from "../auth/oauth.ts";
import type { Reach } from "../types.ts";
import { isRecord } from "../../../base/is_record.ts";
import { truncate } from "../../../base/truncate.ts";

const TEXT_CHARS = 200;

export interface HttpPlace {
  readonly server: string;
  readonly reach: Extract<Reach, { readonly type: "http" | "sse" }>;
  readonly lang: Lang;
}

/** The HTTP status an error tells of, its own or its cause's. */
export function statusOf(error: unknown): number | undefined {
  for (const one of chain(error)) {
    const { status, code } = one;
    if (typeof status === "number") return status;
    if (one["name"] === "SseError" && typeof code === "number") return code;
    const told = /\(HTTP (\d{3})\)/.exec(String(one["message"]))?.[1];
    if (told !== undefined) return Number(told);
    const data = one["data"];
    if (isRecord(data) && typeof data["status"] === "number") return data["status"];
  }
}

/** Whether the answer was no message at all. */
export function unusable(error: unknown): boolean {
  return chain(error).some(({ code, name }) =>
    code === "CLIENT_HTTP_UNEXPECTED_CONTENT" || name === "SyntaxError" || name === "ZodError" ||
    name === "$ZodError"
  );
}

/** Undefined for an error that says it well enough itself. */
export function httpWhy(error: unknown, { server, reach, lang }: HttpPlace): string | undefined {
  if (error === undefined) return undefined;
  const all = chain(error);
  const login = all.find((one) => one instanceof LoginError);
  if (login) return String(login["message"]);
  const url = new URL(reach.url);
  const values = { server, host: url.host, url: `${url.origin}${url.pathname}` };
  const names = all.map(({ name }) => name);
  if (names.includes("TooLong")) return say(lang, "mcp.too_long");
  const status = statusOf(error) ?? (names.includes("UnauthorizedError") ? 401 : undefined);
  const redirect = all.map(({ message }) => /Redirect to (\S+) not followed/.exec(String(message)))
    .find((match) => match !== null)?.[1];
  if (redirect !== undefined) return say(lang, "mcp.http_redirect", { ...values, to: redirect });
  if (status === 401) {
    return say(lang, hasOwnHeader(reach) ? "mcp.http_bad_header" : "mcp.http_login", values);
  }
  if (status === 403) return say(lang, "mcp.http_forbidden", values);
  if (status === 404 || status === 405) return say(lang, "mcp.http_nothing", { ...values, status });
  if (unusable(error)) return say(lang, "mcp.http_no_json", values);
  if (status !== undefined) {
    const text = truncate(textOf(all), TEXT_CHARS);
    return say(lang, "mcp.http_status", {
      ...values,
      status,
      text: text === "" ? "" : `: ${text}`,
    });
  }
  const messages = all.map(({ message }) => String(message));
  if (messages.some((text) => /connection refused|os error 111/i.test(text))) {
    return say(lang, "mcp.http_refused", values);
  }
  if (
    messages.some((text) => /reading a body|decoding response|body from connection/i.test(text))
  ) {
    return say(lang, "mcp.http_lost");
  }
  const unknown = messages.some((text) => /dns error|failed to lookup/i.test(text));
  const unanswered = messages.some((text) => /timed out|os error 110/i.test(text));
  if (unknown || unanswered) {
    const why = say(lang, unknown ? "mcp.no_such_host" : "mcp.host_silent");
    return say(lang, "mcp.http_unreached", { ...values, why });
  }
  const why = messages.findLast((text) => /error sending request|client error/i.test(text)) ??
    messages.find((text) => /^fetch failed/i.test(text));
  if (why !== undefined) {
    return say(lang, "mcp.http_unreached", { ...values, why: truncate(lastPart(why), TEXT_CHARS) });
  }
  return undefined;
}

type Told = { readonly [key: string]: unknown };

/** An error and its causes, the outermost first. */
function chain(error: unknown): readonly Told[] {
  const all: Told[] = [];
  for (let one = error; one instanceof Error && all.length < 8; one = one.cause) {
    all.push(one as unknown as Told);
  }
  return all;
}

/** What the server said, where that is a message and no page. */
function textOf(all: readonly Told[]): string {
  const told = all.map(({ data }) => isRecord(data) ? data["text"] : undefined)
    .find((text) => typeof text === "string");
  const text = String(told ?? "").trim();
  if (/^<|<html/i.test(text)) return "";
  try {
    const value: unknown = JSON.parse(text);
    const error = isRecord(value) ? value["error"] : undefined;
    const message = isRecord(error) ? error["message"] : isRecord(value) ? value["message"] : error;
    return typeof message === "string" ? message : text;
  } catch {
    return text;
  }
}

/** The end of a chain such as `error sending request for url (…): client error (Connect): dns error`. */
const lastPart = (message: string) => message.replace(/^.*?\): /, "");
