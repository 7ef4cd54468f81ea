/** How well a name answers to what was typed: 0 begins with it … 3 has its letters in order; undefined: not at all. Both in lower case. */
export function fuzzyTier(typed: string, name: string, base = 0): number | undefined {
  const at = name.indexOf(typed, base);
  if (at === base) return 0;
  if (at > base) return 1;
  if (base > 0 && name.includes(typed)) return 2;
  let from = 0;
  for (const char of typed) {
    const found = name.indexOf(char, from);
    if (found < 0) return undefined;
    from = found + char.length;
  }
  return 3;
}
