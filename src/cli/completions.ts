/** `narnat completions`: scripts that ask narnat itself for proposals. */
import type { Flags } from "../commands/flags.ts";
import { ConfigError } from "../base/errors.ts";
import { put, translatorFor } from "../base/host.ts";

const SCRIPTS: { readonly [shell: string]: string } = {
  bash: `_narnat() {
  local IFS=$'\\n'
  COMPREPLY=($(narnat __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || compopt -o default
}
complete -F _narnat narnat
`,
  zsh: `#compdef narnat
_narnat() {
  local -a found
  found=("\${(@f)$(narnat __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[*]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _narnat narnat
`,
  fish:
    `complete -c narnat -a '(narnat __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
};

/** Prints the script of one shell. */
export function completions(flags: Flags, words: string[]): Promise<number> {
  const [name = ""] = words;
  const script = words.length === 1 && Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined;
  if (script === undefined) {
    throw new ConfigError(
      translatorFor(flags)(
        'Usage: narnat completions bash|zsh|fish (found "{found}")',
        { found: words.join(" ") },
      ),
    );
  }
  put(script);
  return Promise.resolve(0);
}
