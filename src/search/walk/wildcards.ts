/** Joins what a glob's parts are as regular expressions, so that V8 need not try all ways to share a path among its wildcards. */

/** A star: whatever of one name. */
export const STAR = "[^/]*";
/**
 * Joins the units of one name, each a character or STAR. All stars but the last end where what
 * follows them stands first, which is as good as any later place: so a name matches in one way only.
 */
export function joinName(units: readonly string[]): string {
  if (units.indexOf(STAR) === units.lastIndexOf(STAR)) return units.join("");
  const chunks = [""];
  for (const unit of units) {
    if (unit === STAR) chunks.push("");
    else chunks[chunks.length - 1] += unit;
  }
  const [first, ...others] = chunks;
  const last = others.pop();
  const middle = others.map((chunk) => chunk && `(?:(?!${chunk})[^/])*${chunk}`);
  return first + middle.join("") + STAR + last;
}

/**
 * Joins what stands between the `**` of a glob: all but the last end with a slash. `deep` is what
 * `**` and its slash match, `folder` one name and its slash as they do.
 */
export function joinDeep(parts: readonly string[], deep: string, folder: string): string {
  const [first, ...others] = parts;
  const last = others.pop();
  if (last === undefined) return first ?? "";
  const middle = others.map((part) => part && `(?:(?!${part})${folder})*${part}`);
  return first + middle.join("") + deep + last;
}
