/** The form in which the deletes of a language are written down. */
import type { Arg } from "./words.ts";

// Deletes in PowerShell's own language.

/** Cmdlets and aliases at the place of a command; `-WhatIf` only tells. */
const COMMAND =
  /(^|[;|{(&\n=]|\b(do|else|try|finally|return|begin|process|end))\s*(remove-(?!variable|module|job|event|psbreakpoint|pssession|typedata|psdrive|alias)\w+|ri|rm|rmdir|rd|del|erase|clear-(content|item|itemproperty|recyclebin|disk)|clc|cli|format-volume|initialize-disk)(\.exe)?(?![\w-])(?![^;|\n}]*\s-whatif\b)/;
/** .NET's methods, and a member called on each object of a pipeline. */
const METHOD =
  /::\s*delete(file|directory)?\s*\(|\.\s*delete\s*\(|(foreach-object|foreach|%)\s+delete\b/;

export const POWERSHELL: Language = {
  programs: /^(powershell|pwsh)$/,
  options: "-c -command -Command -C",
  strings: /@'\r?\n[^]*?\n'@|'(?:''|[^'])*'|"(?:`[^]|""|(?!\$\()[^"`])*"|<#[^]*?#>|#[^\n]*/g,
  deletes: new RegExp(`${COMMAND.source}|${METHOD.source}`, "im"),
  says: /\$null\s*>\s*(?!\$null)\S|\bset-content\b[^;|\n]*\s(''|""|\$null)\s*($|[;|}])/im,
  starts: /\b(iex|invoke-expression|invoke-command|icm|start-process|saps)\b|&\s*[('"$]/i,
  operand: true,
  shell: true,
  yes: [
    `pwsh -c "Remove-Item a -Recurse"`,
    `powershell -Command "Get-ChildItem | ForEach-Object { Remove-Item $_ }"`,
    `powershell "gci *.tmp | % { ri $_ }"`,
    `powershell "Remove-\`Item a"`,
    `powershell -c "gci *.tmp | % Delete"`,
    `powershell -Command "if (Test-Path a) { del a }"`,
    `powershell -Command "[IO.File]::Delete('a')"`,
    `powershell -Command "(Get-Item a).Delete()"`,
    `powershell -Command "Clear-Content a; Write-Host ok"`,
    `powershell -Command "iex 'Remove-Item a'"`,
    `powershell -Command "& 'Remove-Item' a"`,
    `pwsh -c 'Write-Host "$(Remove-Item a)"'`,
    `pwsh -c "Set-Content a ''"`,
    `pwsh -c "git clean -fd"`,
    `pwsh -c "cmd /c del a"`,
    `pwsh -c 'Remove-AzResourceGroup x'`,
    "powershell -EncodedCommand UgBlAG0AbwB2AGUALQBJAHQAZQBtACAAYQAuAHQAeAB0AA==",
    "pwsh -nop -e UgBlAG0AbwB2AGUALQBJAHQAZQBtACAAYQAuAHQAeAB0AA==",
  ],
  no: [
    `powershell -Command "Get-ChildItem -Recurse"`,
    `powershell -Command "Write-Host 'Remove-Item a'"`,
    `powershell -Command "Get-Content a | Select-String 'Remove-Item'"`,
    `powershell -Command "Remove-Item a -WhatIf"`,
    `powershell -Command "Remove-Variable x"`,
    `pwsh -c "Set-Content a 'x'"`,
    `pwsh -c "Get-Help Remove-Item"`,
    `pwsh -c 'ls # Remove-Item a'`,
    `powershell -ExecutionPolicy Bypass -File build.ps1`,
    "powershell -EncodedCommand ZABpAHIA",
  ],
};

/** The text behind `-EncodedCommand` (base64 of UTF-16LE), however short the option was written. */
export function decodedCommand(args: readonly Arg[]): string | undefined {
  const at = args.findIndex((arg) => /^[-/]e(c|nc?\w*)?$/i.test(arg.text));
  const code = args[at + 1]?.text;
  if (at < 0 || code === undefined) return undefined;
  try {
    const bytes = Uint8Array.from(atob(code), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-16le").decode(bytes);
  } catch {
    return undefined;
  }
}

/** How deletes look in one language; a test runs its examples through the whole gate. */
export interface Language {
  readonly programs: RegExp;
  /** Options whose value is code. */
  readonly options: string;
  /** Where string literals and comments are. */
  readonly strings: RegExp;
  /** A call that deletes, looked for with string literals blanked. */
  readonly deletes: RegExp;
  /** A call that deletes and is known by what its literals say. */
  readonly says?: RegExp;
  /** A file opened to be written anew: emptied where nothing in the code `writes`. */
  readonly opens?: RegExp;
  readonly writes?: RegExp;
  /** A call that starts a shell or a program: then the literals themselves are read as commands. */
  readonly starts?: RegExp;
  /** Lines that hand their rest, a group, to a shell. */
  readonly escapes?: RegExp;
  /** The first operand is code too. */
  readonly operand?: boolean;
  /** What a deleting call is given first is the path of a file. */
  readonly paths?: boolean;
  /** The code is also read as a command line: its programs may be any. */
  readonly shell?: boolean;
  /** Commands that must be asked about. */
  readonly yes: readonly string[];
  /** Commands of the same programs that must not. */
  readonly no: readonly string[];
}
