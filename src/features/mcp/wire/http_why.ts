/** What went wrong on the way to a server, in words for the user: what was found, and what to do. */
import type { T } from "../../../base/t.ts";
import { hasOwnHeader, LoginError } from "../auth/oauth.ts";
import type { Reach } from "../types.ts";
import { isRecord } from "../../../base/is_record.ts";
import { truncate } from "../../../base/strings.ts";

const TEXT_CHARS = 200;

export interface HttpPlace {
  readonly server: string;
  readonly reach: Extract<Reach, { readonly type: "http" | "sse" }>;
  readonly t: T;
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
export function httpWhy(error: unknown, { server, reach, t }: HttpPlace): string | undefined {
  if (error === undefined) return undefined;
  const all = chain(error);
  const login = all.find((one) => one instanceof LoginError);
  if (login) return String(login["message"]);
  const url = new URL(reach.url);
  const values = { server, host: url.host, url: `${url.origin}${url.pathname}` };
  const names = all.map(({ name }) => name);
  if (names.includes("TooLong")) return t("the answer is longer than 64 MB and was not read");
  const status = statusOf(error) ?? (names.includes("UnauthorizedError") ? 401 : undefined);
  const redirect = all.map(({ message }) => /Redirect to (\S+) not followed/.exec(String(message)))
    .find((match) => match !== null)?.[1];
  if (redirect !== undefined) {
    return t(
      "the server redirects to {to}, which was not followed: headers of the configuration go nowhere else; if that is right, make it the url",
      { ...values, to: redirect },
    );
  }
  if (status === 401) {
    return t(
      hasOwnHeader(reach)
        ? "the server does not take the Authorization header of its configuration (HTTP 401); check the key in headers"
        : "the server wants a login (HTTP 401); run narnat mcp login {server}, then /mcp reconnect {server}",
      values,
    );
  }
  if (status === 403) {
    return t(
      "the server denies access (HTTP 403): the account or key may not, or log in again with narnat mcp login {server}",
      values,
    );
  }
  if (status === 404 || status === 405) {
    return t(
      "no MCP server answers at {url} (HTTP {status}); check the address, which often ends in /mcp or /sse",
      { ...values, status },
    );
  }
  if (unusable(error)) {
    return t(
      "{url} answered with something that is no MCP message (a web page?); check the address, and whether a proxy or a login page stands between",
      values,
    );
  }
  if (status !== undefined) {
    const text = truncate(textOf(all), TEXT_CHARS);
    return t("the server answered HTTP {status}{text}", {
      ...values,
      status,
      text: text === "" ? "" : `: ${text}`,
    });
  }
  const messages = all.map(({ message }) => String(message));
  if (messages.some((text) => /connection refused|os error 111/i.test(text))) {
    return t("{host} refuses connections: the server does not run, or it is another port", values);
  }
  if (
    messages.some((text) => /reading a body|decoding response|body from connection/i.test(text))
  ) {
    return t("the connection broke in the middle of the answer; try again, or /mcp reconnect");
  }
  const unknown = messages.some((text) => /dns error|failed to lookup/i.test(text));
  const unanswered = messages.some((text) => /timed out|os error 110/i.test(text));
  if (unknown || unanswered) {
    const why = t(
      unknown
        ? "there is no host of that name; check the address and the network"
        : "it does not answer; check the address and the network",
    );
    return t("{host} cannot be reached: {why}", { ...values, why });
  }
  const why = messages.findLast((text) => /error sending request|client error/i.test(text)) ??
    messages.find((text) => /^fetch failed/i.test(text));
  if (why !== undefined) {
    return t("{host} cannot be reached: {why}", {
      ...values,
      why: truncate(lastPart(why), TEXT_CHARS),
    });
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
