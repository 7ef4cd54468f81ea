import type { ToolContext } from "../base/types.ts";
import type { Named } from "./files.ts";

/** iconv's names for the encodings as browsers, and so Deno, understand them. */
const ICONV: { readonly [encoding: string]: string } = {
  "big5": "BIG5-HKSCS",
  "shift_jis": "CP932",
  "euc-kr": "CP949",
};

/** The command for Bash that turns a file into UTF-8 and leaves it alone when that fails. */
export function utf8Command(
  encoding: string,
  { path, shown }: Named,
  { cwd, workspace }: ToolContext,
): string {
  const file = cwd === workspace ? shown : path;
  const [from, to] = [file, `${file}.utf8`].map(quoted);
  const name = ICONV[encoding] ?? encoding.toUpperCase().replace("WINDOWS-", "CP");
  return `iconv -f ${name} -t UTF-8 ${from} > ${to} && mv ${to} ${from}`;
}

function quoted(path: string): string {
  const word = path.startsWith("-") ? `./${path}` : path;
  return /^[\p{L}\p{N}_./@%+=:,-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
