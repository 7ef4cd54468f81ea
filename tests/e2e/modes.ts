// deno-lint-ignore-file no-control-regex -- modes are set by control characters

/** In which state a terminal is left by all that was written to it; what is as at first is not named. */
export function modesLeft(written: string): string[] {
  const modes = new Map<string, string>();
  // Of the private modes these are on when a terminal starts.
  const first: { readonly [mode: string]: string } = { "7": "h", "25": "h" };
  for (const [, numbers = "", state = ""] of written.matchAll(/\x1b\[\?([\d;]+)([hl])/g)) {
    for (const number of numbers.split(";")) modes.set(number, state);
  }
  const left = [...modes].filter(([mode, state]) => state !== (first[mode] ?? "l"))
    .map(([mode, state]) => `?${mode}${state}`);
  const count = (form: RegExp) => [...written.matchAll(form)].length;
  if (count(/\x1b\[>\d*u/g) > count(/\x1b\[<\d*u/g)) left.push("Kitty keys");
  const keys = [...written.matchAll(/\x1b\[>4(?:;(\d*))?m/g)].at(-1);
  if (Number(keys?.[1] ?? 0) > 0) left.push("modified keys");
  const styles = [...written.matchAll(/\x1b\[([\d;]*)m/g)].at(-1);
  if (styles !== undefined && !/^(?:0?|(?:.*;)?0)$/.test(styles[1]!)) left.push(`SGR ${styles[1]}`);
  if (count(/\x1b\[22;2t/g) > count(/\x1b\[23;2t/g)) left.push("title");
  return left;
}
