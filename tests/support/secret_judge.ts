/** Looks for secrets in whatever was said and written, whole or in part. */

const PIECE_CHARS = 12;

/** Stretches that tell a secret even when it is cut off or written with escapes. */
function piecesOf(secret: string): string[] {
  // the header of a JWT is everybody's
  const own = secret.startsWith("eyJ") ? secret.slice(secret.indexOf(".")) : secret;
  return (own.match(/[A-Za-z0-9]{12,}/g) ?? [])
    .flatMap((run) => [run.slice(0, PIECE_CHARS), run.slice(-PIECE_CHARS)]);
}

/** Finds any of the secrets in texts; each text is gone through once. */
export function createJudge(secrets: readonly string[]) {
  const whose = new Map(
    secrets.flatMap((secret) => piecesOf(secret).map((piece) => [piece, secret])),
  );
  const without = secrets.filter((secret) => piecesOf(secret).length === 0);
  if (without.length > 0) throw new Error(`nothing tells ${without[0]}`);
  return {
    /** Where secrets stand in the text, a few of them. */
    hits(text: string): string[] {
      const found: string[] = [];
      for (let at = 0; at + PIECE_CHARS <= text.length && found.length < 5; at++) {
        const secret = whose.get(text.slice(at, at + PIECE_CHARS));
        if (secret === undefined) continue;
        found.push(`${secret.slice(0, 80)} in …${text.slice(Math.max(0, at - 80), at + 60)}…`);
        at += PIECE_CHARS;
      }
      return found;
    },
  };
}
