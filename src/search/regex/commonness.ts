const LETTERS = "etaoinsrlcdupmfhgbyvwxkqzj";
const COMMON_SIGNS = " \n\t_.,()\"'=-/:;*<>{}[]";

/** Estimates what share of the bytes of source code and prose a byte makes up. */
export function commonness(byte: number): number {
  const char = String.fromCharCode(byte);
  const letter = LETTERS.indexOf(char.toLowerCase());
  if (letter >= 0) {
    const share = 0.07 / (1 + 0.25 * letter);
    return char === char.toLowerCase() ? share : share / 8;
  }
  const sign = COMMON_SIGNS.indexOf(char);
  if (sign === 0) return 0.15;
  if (sign > 0) return 0.02 / (1 + 0.05 * sign);
  return byte >= 48 && byte <= 57 ? 0.006 : 0.003;
}
