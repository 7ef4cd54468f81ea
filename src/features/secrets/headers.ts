/** Keys that a header of a request carries: only its name tells them. */
import { BEARER, DOTTED, endOfRun, mixed, type Shape } from "./shape.ts";

const LEAST = 16;
const MOST = 4000;

/** `Authorization: Token KEY`; what `Bearer` and `Basic` carry has its own shapes. */
const SCHEME =
  /^["']?\s*[:=,]\s*["'`]?(?!Bearer\b|Basic\b|Digest\b|AWS4)(?:[A-Za-z][\w-]{1,30}[ =]+(?:token=)?["'\\]{0,2})?/i;
/** `X-Api-Key: KEY`, `"X-Api-Key": "KEY"`, `-H X-Api-Key:KEY`. */
const COLON = /^["']?\s*[:,]\s*["'`]?/;

/** Drawn by lot: the number at a name's end is not. */
function isDrawn(body: string): boolean {
  const bare = body.replace(/=+$/, "");
  return mixed(body) && !bare.includes("=") && /\d.*\d/.test(bare.replace(/\d+$/, ""));
}

function header(name: string, before: RegExp, is: Uint8Array): Shape {
  return {
    kind: "header-key",
    begin: name,
    apart: true,
    look(text, at, last) {
      const behind = at + name.length;
      const opening = before.exec(text.slice(behind, behind + 80))?.[0];
      if (opening === undefined) {
        return !last && text.length - behind < 80 && /^["']?\s*$/.test(text.slice(behind))
          ? "more"
          : undefined;
      }
      const from = behind + opening.length;
      const end = endOfRun(text, from, is, MOST + 1);
      if (end === text.length && !last && end - from <= MOST) return "more";
      if (end - from < LEAST || end - from > MOST) return undefined;
      return isDrawn(text.slice(from, end)) ? { start: from, end } : undefined;
    },
  };
}

/** What names of such headers end in. */
const NAMES = [
  "api-key",
  "api-token",
  "access-token",
  "auth-token",
  "auth-key",
  "private-token",
  "gitlab-token",
  "vault-token",
  "figma-token",
  "subscription-key",
  "application-key",
  "rapidapi-key",
];

const written = (name: string) => {
  const title = name.replaceAll(/(?<=-)[a-z]/g, (letter) => letter.toUpperCase());
  // the first letter may be either
  return [...new Set([name, title, name.toUpperCase(), title.replace("Api", "API")])].map((one) =>
    one.slice(1)
  );
};

export const HEADERS: readonly Shape[] = [
  ...["uthorization", "UTHORIZATION"].map((name) => header(name, SCHEME, BEARER)),
  ...NAMES.flatMap(written).map((name) => header(name, COLON, DOTTED)),
];
