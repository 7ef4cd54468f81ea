/** Strings that try to steer a terminal, and the proof that none of them did. */
// deno-lint-ignore-file no-control-regex -- control characters are this file's subject

const PIECES: readonly string[] = [
  ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)),
  "\x7f",
  ...Array.from({ length: 32 }, (_, code) => String.fromCharCode(0x80 + code)),
  // CSI: colours, moves, wipes, modes, reports; 7-bit and 8-bit; cut short; with odd parameters
  "\x1b[31m",
  "\x1b[5;8;45m",
  "\x9b38;5;213m",
  "\x1b[2J",
  "\x1b[3J",
  "\x1b[H",
  "\x1b[99A",
  "\x1b[?1049h",
  "\x1b[?2004l",
  "\x1b[?25l",
  "\x1b[6n",
  "\x1b[c",
  "\x1b[>0q",
  "\x1b[18t",
  "\x1b[",
  "\x1b[?",
  "\x1b[1;",
  "\x1b[200~",
  "\x1b[201~",
  "\x1b[4:3m",
  "\x1b[58;2;1;2;3m",
  "\x1b[!p",
  "\x1b[1 q",
  "\x9b2J",
  "\x9b",
  // OSC, DCS, APC, PM, SOS: ended by BEL, by ST, by nothing
  "\x1b]0;title\x07",
  "\x1b]2;title\x1b\\",
  "\x1b]52;c;aGk=\x07",
  "\x1b]8;;http://evil/\x07link\x1b]8;;\x07",
  "\x1b]8;;file:///etc/passwd\x1b\\",
  "\x1b]9;note\x07",
  "\x1b]777;notify;a;b\x07",
  "\x1b]4;1;?\x07",
  "\x1b]",
  "\x9d0;title\x9c",
  "\x1bP1$tx\x1b\\",
  "\x1bPq#0\x1b\\",
  "\x90q\x9c",
  "\x1b_pi:c\x07",
  "\x1b_Gf=24;AAAA\x1b\\",
  "\x1b^x\x1b\\",
  "\x1bX",
  "\x1b\\",
  // two-character escapes
  "\x1bc",
  "\x1b7",
  "\x1b8",
  "\x1bD",
  "\x1bM",
  "\x1bE",
  "\x1b(0",
  "\x1b#8",
  "\x1b%G",
  "\x1b=",
  "\x1bN",
  "\x1b",
  // what shows nothing or turns the text around
  "\u202e",
  "\u202d",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
  "\u200e",
  "\u200f",
  "\u061c",
  "\u200b",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u2028",
  "\u2029",
  "\u180e",
  "\u{e0001}",
  "\ufff9",
  "\ufffb",
  // broken text
  "\ud800",
  "\udfff",
  "\udc1b\ud83d",
  "\ud83d",
  // what markdown and narnat itself make something of
  "`",
  "```\n",
  "**",
  "|",
  "\n|-|\n",
  "# ",
  "> ",
  "- ",
  "[x](http://a/\x1b[2J)",
  "<b>",
  "&#27;[2J",
  "&#x9b;",
  "\\",
  "\u200d",
  "\u200c",
  "@a\x1b[2J",
  "!ls",
  "/x",
  "[paste #1 +2 lines]",
  "word",
  " ",
  "你好",
  "👩‍💻",
  "é",
  "0;1",
  "m",
  "~",
];

/** A string that tries to steer the terminal; a few are very long. */
export function hostile(random: () => number): string {
  const pick = (below: number) => Math.floor(random() * below);
  const length = pick(200) === 0 ? 400 : 1 + pick(8);
  let text = "";
  for (let n = 0; n < length; n++) {
    text += pick(6) === 0 ? String.fromCharCode(pick(0x10000)) : PIECES[pick(PIECES.length)];
  }
  return text;
}

/** Every sequence that narnat and pi-tui write of their own; the styles are those of no colours. */
const OWN: readonly RegExp[] = [
  /\x1b\[(?:[0123479]|2[2-9]|39)(?:;(?:[0123479]|2[2-9]|39))*m/,
  // moves of no more than a screen of 24 rows, a column, the row and what is below the cursor erased
  /\x1b\[(?:[1-9]|1\d|2[0-4])?[AB]|\x1b\[\d+G|\x1b\[J|\x1b\[2?K/,
  /\x1b\[\?(?:2026|2004|25|7)[hl]/,
  /\x1b\]8;;(?:https?:\/\/[!-~]*)?(?:\x07|\x1b\\)/,
  /\x1b[78]/,
  // the window's title, kept and given back
  /\x1b\](?:2|9);[^\p{Cc}\p{Cs}]*\x07|\x1b\[2[23];2t/u,
];
const OWN_OR_CHARACTER = new RegExp(
  `(${OWN.map((form) => form.source).join("|")})|[\\r\\n]|` +
    // the format characters that `plain` keeps
    `(?![\\u200c\\u200d\\u0600-\\u0605\\u06dd\\u070f\\u08e2\\u{e0020}-\\u{e007f}])` +
    `[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]`,
  "gu",
);

interface Traffic {
  /** narnat's own sequences. */
  readonly own: number;
  /** Anything else that a terminal would not just draw: each with what stands around it. */
  readonly foreign: readonly string[];
}

/** Reads what was written to a terminal. */
export function readTraffic(written: string): Traffic {
  let own = 0;
  const foreign: string[] = [];
  for (const match of written.matchAll(OWN_OR_CHARACTER)) {
    if (match[1] !== undefined) own++;
    else if (match[0] !== "\n" && match[0] !== "\r") {
      foreign.push(JSON.stringify(written.slice(Math.max(0, match.index - 30), match.index + 30)));
    }
  }
  return { own, foreign };
}
