/** Ways in which bash can be made to read one text. */
import type { Random } from "./random.ts";

/** `text` as one single-quoted word. */
export function single(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `text` as one double-quoted word. */
export function double(text: string): string {
  return `"${text.replace(/[\\"$`]/g, "\\$&")}"`;
}

/** `text` as one word of ANSI-C quoting, some of its characters by number. */
export function ansi(text: string, random: Random): string {
  const body = [...new TextEncoder().encode(text)].map((code) => {
    const char = String.fromCharCode(code);
    if (code < 32 || code > 126 || char === "'" || char === "\\" || random.below(4) === 0) {
      return random.below(2) === 0
        ? `\\x${code.toString(16).padStart(2, "0")}`
        : `\\${code.toString(8).padStart(3, "0")}`;
    }
    return char;
  }).join("");
  return `$'${body}'`;
}

/** `text` as one word in some kind of quotes. */
export function quoted(text: string, random: Random): string {
  return random.pick([single, double, (one: string) => ansi(one, random)])(text);
}

/** A program's name in some spelling that needs nothing before it; `bin` is the folder it lies in. */
export function spelt(name: string, random: Random, bin: string): string {
  const at = 1 + random.below(name.length - 1);
  const [head, tail] = [name.slice(0, at), name.slice(at)];
  return random.pick<() => string>([
    () => name,
    () => name,
    () => `\\${name}`,
    () => `'${name}'`,
    () => `"${name}"`,
    () => `${head}'${tail}'`,
    () => `"${head}"${tail}`,
    () => `${head}""${tail}`,
    () => `${head}\\${tail}`,
    () => `${head}\\\n${tail}`,
    () => ansi(name, random),
    () => `${head}${ansi(tail, random)}`,
    () => `$(echo ${name})`,
    () => `\`echo ${name}\``,
    () => `$(printf %s ${head} ${tail})`,
    () => `"$(echo ${name})"`,
    () => `$(printf '\\x${head.charCodeAt(0).toString(16)}')${name.slice(1)}`,
    () => `\${none:-${name}}`,
    () => `\${none-${head}}${tail}`,
    () => `${head}\${none}${tail}`,
    () => `${head}$(:)${tail}`,
    () => `${bin}/${name}`,
    () => `${bin}/${head}[${tail[0]}]${tail.slice(1)}`,
    () => `${bin}/${name[0]}${"?".repeat(name.length - 2)}${name.at(-1)}`,
    () => `$(which ${name})`,
    () => `$(command -v ${name})`,
    () => `"$(type -P ${name})"`,
    () => `$'${head}'"${tail}"`,
    () => `\${none:=${name}}`,
  ])();
}

/** A program's name behind a variable; `before` must run first. */
export function hidden(name: string, v: string, random: Random): { before: string; word: string } {
  const at = 1 + random.below(name.length - 1);
  const [head, tail] = [name.slice(0, at), name.slice(at)];
  return random.pick<() => { before: string; word: string }>([
    () => ({ before: `${v}=${name}`, word: `$${v}` }),
    () => ({ before: `${v}=${quoted(name, random)}`, word: `"\${${v}}"` }),
    () => ({ before: `${v}=${head}`, word: `\${${v}}${tail}` }),
    () => ({ before: `${v}=${head}; ${v}+=${tail}`, word: `$${v}` }),
    () => ({ before: `${v}1=${head} ${v}2=${tail}`, word: `$${v}1$${v}2` }),
    () => ({ before: `${v}=x${name}`, word: `\${${v}#x}` }),
    () => ({ before: `${v}=${name}.exe`, word: `\${${v}%.*}` }),
    () => ({ before: `${v}=xx${name}y`, word: `\${${v}:2:${name.length}}` }),
    () => ({ before: `${v}=xx${name}`, word: `\${${v}:$((1+1))}` }),
    () => ({ before: `${v}=${name.toUpperCase()}`, word: `\${${v},,}` }),
    () => ({ before: `${v}=${head}@${tail}`, word: `\${${v}/@/}` }),
    () => ({ before: `${v}=${head}@@${tail}`, word: `\${${v}//@}` }),
    () => ({ before: `${v}=(ls ${name})`, word: `\${${v}[1]}` }),
    () => ({ before: `${v}=(${name} ls)`, word: `\${${v}[2-2]}` }),
    () => ({ before: `${v}=(ls ${name}); n${v}=1`, word: `\${${v}[n${v}]}` }),
    () => ({ before: `${v}=(ls ${name})`, word: `\${${v}[-1]}` }),
    () => ({ before: `declare -A ${v}=([k]=${name})`, word: `\${${v}[k]}` }),
    () => ({ before: `declare -A ${v}; ${v}[k]=${name}`, word: `\${${v}[k]}` }),
    () => ({ before: `o${v}=${name}; ${v}=o${v}`, word: `\${!${v}}` }),
    () => ({ before: `declare -n ${v}=o${v}; o${v}=${name}`, word: `$${v}` }),
    () => ({ before: `printf -v ${v} %s ${head} ${tail}`, word: `$${v}` }),
    () => ({ before: `read ${v} <<< ${name}`, word: `$${v}` }),
    () => ({ before: `read -r x${v} ${v} <<< "ls ${name}"`, word: `$${v}` }),
    () => ({ before: `mapfile -t ${v} <<< ${name}`, word: `\${${v}[0]}` }),
    () => ({ before: `${v}=$(echo ${name})`, word: `$${v}` }),
    () => ({ before: `${v}=$(tr a-z b-za <<< ls >/dev/null; echo ${name})`, word: `$${v}` }),
    () => ({ before: `export ${v}=${name}`, word: `$${v}` }),
    () => ({ before: `declare ${v}=${name}`, word: `$${v}` }),
    () => ({ before: `: \${${v}:=${name}}`, word: `$${v}` }),
    () => ({ before: `let n${v}=1; ${v}=${name}`, word: `$${v}` }),
    () => ({ before: `f${v}() { command ${name} "$@"; }`, word: `f${v}` }),
    () => ({ before: `function f${v} { ${name} "\${@}"; }`, word: `f${v}` }),
    () => ({ before: `f${v}() { local p=${name}; $p "$@"; }`, word: `f${v}` }),
    () => ({ before: `f${v}() { "$@"; }`, word: `f${v} ${name}` }),
    () => ({ before: `f${v}() { shift; "$@"; }`, word: `f${v} x ${name}` }),
    () => ({ before: `f${v}() { $1 "\${@:2}"; }`, word: `f${v} ${name}` }),
    () => ({ before: `f${v}() { printf ${name}; }`, word: `$(f${v})` }),
    () => ({ before: `IFS=, ; ${v}=${name},-f`, word: `$${v}` }),
  ])();
}
