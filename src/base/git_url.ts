/** A git repository's address: judged, named, and shown without what is secret in it. */

/** Why an address is not handed to git. */
export type UrlFault = "option" | "transport" | "form";

const SCHEMES = ["http", "https", "ssh", "git", "file"];

/** What git may speak, for `GIT_ALLOW_PROTOCOL`. */
export const PROTOCOLS = SCHEMES.join(":");

/** What is wrong with an address; undefined where git may have it. */
export function urlFault(url: string): UrlFault | undefined {
  // deno-lint-ignore no-control-regex -- a line break would begin a line of git's own protocols
  if (url.trim() === "" || /[\x00-\x1f\x7f]/.test(url)) return "form";
  if (url.startsWith("-")) return "option";
  // `ext::sh -c …`: git would start a program that the address names
  if (/^[\w+.-]*::/.test(url)) return "transport";
  const [, scheme, authority = ""] = /^([\w+.-]+):\/\/([^/]*)/.exec(url) ?? [];
  if (scheme !== undefined) {
    if (!SCHEMES.includes(scheme.toLowerCase())) return "transport";
    const host = authority.slice(authority.lastIndexOf("@") + 1);
    return authority.startsWith("-") || host.startsWith("-") ? "option" : undefined;
  }
  if (isPath(url)) return undefined;
  const [, host] = /^(?:[^/:@]+@)?([^/:@]+):./.exec(url) ?? [];
  if (host === undefined) return "form";
  return host.startsWith("-") ? "option" : undefined;
}

/** The host git would ask; undefined for a folder of this machine. */
export function hostOf(url: string): string | undefined {
  if (isPath(url) || /^file:/i.test(url)) return undefined;
  const parsed = url.includes("://") ? URL.parse(url) : undefined;
  return parsed ? parsed.hostname : /^(?:[^/:@]+@)?([^/:@]+):/.exec(url)?.[1];
}

/** The address as people, logs and receipts may see it. */
export function shownUrl(url: string): string {
  const shown = url.replace(/^([\w+.-]+:\/\/)([^/]*)@/, (_, scheme: string, user: string) => {
    const name = user.replace(/:.*$/s, "");
    return scheme.toLowerCase() === "ssh://" && name !== "" ? `${scheme}${name}@` : scheme;
  });
  return /^https?:/i.test(shown) ? shown.replace(/[?#].*$/s, "") : shown;
}

/** Takes what is secret in the address out of a text, also where git words the address anew. */
export function withoutSecret(text: string, url: string): string {
  const [, user = ""] = /^[\w+.-]+:\/\/([^/]*)@/.exec(url) ?? [];
  const [, query = ""] = /^https?:[^?#]*[?#](.+)$/is.exec(url) ?? [];
  const words = [user, user.slice(user.indexOf(":") + 1), query].flatMap((word) => [
    word,
    decoded(word),
  ]);
  return words.filter((word) => word.length > 3).sort((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, "***"), text.replaceAll(url, shownUrl(url)));
}

/** Name of the repository: the end of its address. */
export function repoName(url: string): string {
  const path = shownUrl(url).replace(/[/\\]+$/, "").replace(/\.git$/i, "");
  const name = path.split(/[/\\:]/).at(-1) ?? "";
  return name.replaceAll(/[^\w.-]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, "").slice(0, 64) || "repo";
}

/** The same with what stands before it in the address: its owner, or the folder it lies in. */
export function ownerAndName(url: string): string {
  const above = shownUrl(url).replace(/[/\\]+$/, "").replace(/[/\\:][^/\\:]*$/, "");
  return `${repoName(above)}-${repoName(url)}`.slice(0, 64);
}

/** Names the folder of its clone; who asks for it makes no difference. */
export async function urlHash(url: string): Promise<string> {
  const bytes = new TextEncoder().encode(shownUrl(url).replace(/\/+$/, ""));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const isPath = (url: string) =>
  url.startsWith("/") || Deno.build.os === "windows" && /^[a-z]:[/\\]/i.test(url);

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
