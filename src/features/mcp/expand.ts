/** Puts variables into the texts of a configuration. */

const PLACE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * `text` with `${NAME}` and `${NAME:-default}` filled in; `missing` is told the name of each that
 * has neither value nor default. An empty value counts as none where there is a default.
 */
export function expand(
  text: string,
  env: (name: string) => string | undefined,
  missing: (name: string) => void,
): string {
  return text.replace(PLACE, (whole, name: string, otherwise: string | undefined) => {
    const value = env(name);
    if (value !== undefined && (value !== "" || otherwise === undefined)) return value;
    if (otherwise !== undefined) return otherwise;
    missing(name);
    return whole;
  });
}
