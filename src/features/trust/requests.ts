/**
 * What a project wants to start on its user's machine, in words, and the trust in it that the user
 * has given.
 */
import { visibleLine } from "../../base/control_characters.ts";
import { demand } from "../../base/host.ts";
import type { Environment, TrustRequest } from "../../commands/environment.ts";
import {
  readTrust,
  type TrustBook,
  type Trusted,
  trustedBefore,
  trustFile,
} from "../../config/project.ts";

const LOCK_WAIT_MS = 5000;

/** Trusts these at the path, in the place of what was trusted under the same names. Throws the platform's error. */
export async function trust(
  userDir: string,
  path: string,
  wanted: readonly Trusted[],
): Promise<void> {
  await change(userDir, (book) => {
    const known = book.get(path) ?? new Map();
    for (const { what, hash, rows } of wanted) known.set(what, rows ? { hash, rows } : { hash });
    book.set(path, known);
  });
}

/** Takes the trust in all there is at the path back; returns what was trusted. Throws as `trust` does. */
export async function untrust(userDir: string, path: string): Promise<readonly string[]> {
  let gone: readonly string[] = [];
  if (!readTrust(userDir).has(path)) return gone;
  await change(userDir, (book) => {
    gone = [...book.get(path)?.keys() ?? []];
    book.delete(path);
  });
  return gone;
}

/** Changes the file as a whole or not at all; of several narnats at it one waits for the other. */
async function change(userDir: string, edit: (book: TrustBook) => void): Promise<void> {
  const { lockFile } = await import("../../files/file_lock.ts");
  Deno.mkdirSync(userDir, { recursive: true, mode: 0o700 });
  const path = trustFile(userDir);
  using _lock = await lockFile(`${path}.lock`, LOCK_WAIT_MS);
  const book = readTrust(userDir);
  edit(book);
  const entries = [...book].map(([path, known]) => [path, Object.fromEntries(known)]);
  const temporary = `${path}.tmp`;
  Deno.writeTextFileSync(temporary, JSON.stringify(Object.fromEntries(entries), null, 2) + "\n", {
    mode: 0o600,
  });
  Deno.renameSync(temporary, path);
}

/** What the project wants; empty for most. */
export async function projectRequests(environment: Environment): Promise<TrustRequest[]> {
  const found = await Promise.all(environment.trustSources.map((one) => one.requests(environment)));
  return found.flat()
    // those that are off want nothing
    .filter(({ rows }) => rows.length > 0)
    .map((want) => shownRequest(want, environment));
}

/** The same as people may see it, and as it is kept. */
const shownRequest = (want: TrustRequest, { secrets }: Environment): TrustRequest => ({
  ...want,
  rows: want.rows.map((row) => visibleLine(secrets.redactOwn(row))),
});

/** Trusts for this session, and from now on. Rejects with why it could not be kept. */
export async function trustRequests(
  environment: Environment,
  wants: readonly TrustRequest[],
): Promise<void> {
  for (const { what, hash } of wants) environment.trusted.set(what, hash);
  const { userDir } = environment.prompt;
  if (userDir === undefined) return;
  demand("write", userDir);
  await trust(userDir, environment.workspace, wants.map((want) => shownRequest(want, environment)));
}

/** What is wanted, a row each; of what was trusted before and has changed, what has. */
export function requestRows(
  environment: Environment,
  wants: readonly TrustRequest[],
  all = false,
): string[] {
  const { prompt: { userDir }, workspace, config: { t } } = environment;
  return wants.flatMap((want) => {
    const { what, rows, hash, brief = Infinity } = want;
    const before = userDir === undefined ? undefined : trustedBefore(userDir, workspace, what);
    if (before && before.hash !== hash) {
      const changes = before.rows ? changed(before.rows, rows) : rows.map((row) => `  ${row}`);
      const unseen = before.rows !== undefined && changes.length === 0;
      return [
        `${what} ${t("(changed since you trusted it)")}:`,
        ...unseen
          ? [
            `  ${
              t("what has changed is not shown here: comments, layout, or a value that may be secret")
            }`,
          ]
          : changes,
      ];
    }
    const most = all ? Infinity : brief;
    return [
      `${what}:`,
      ...rows.slice(0, most).map((row) => `  ${row}`),
      ...rows.length > most
        ? [`  ${t("({n} more {n:row|rows}; narnat trust shows all)", { n: rows.length - most })}`]
        : [],
    ];
  });
}

/** The rows that are gone, then those that have come. */
function changed(before: readonly string[], now: readonly string[]): string[] {
  return [
    ...before.filter((row) => !now.includes(row)).map((row) => `- ${row}`),
    ...now.filter((row) => !before.includes(row)).map((row) => `+ ${row}`),
  ];
}
