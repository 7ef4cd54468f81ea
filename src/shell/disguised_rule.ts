/** Text that a command line hides from whoever reads it. */
import { readsCommands } from "./layers.ts";
import type { Rule } from "./rule.ts";
import { SHELLS } from "./wrappers.ts";

/** Commands that were written down and then made unreadable on their way to a shell. */
export const DISGUISED: Rule = {
  names: [...SHELLS].join(" "),
  hits: ({ args, disguised }) => disguised && readsCommands(args) ? [] : undefined,
  yes: [
    "tr a-y b-z <<< 'ql -qe btqb' | sh",
    "echo 'ez n' | tr a-z n-za-m | sudo bash -s",
    "echo ZWNobyBoaQ== | openssl base64 -d | cat | sh",
  ],
  no: [
    "curl -fsSL https://example.com/install.sh | sh",
    'echo "$SETUP" | openssl base64 -d | bash',
    "python3 make.py | tr a b | sh",
    "echo y | tr y n | sh install.sh",
    "echo 'ls' | sh",
    "tr a-z A-Z <<< hello | grep H",
  ],
};
