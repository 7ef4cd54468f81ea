/** Text that a command line hides from whoever reads it. */
import { readsCommands, runsUnknown } from "../reader/layers.ts";
import type { Rule } from "./rule.ts";
import { SHELLS } from "../reader/wrappers.ts";

/** Commands that were written down and then made unreadable on their way to a shell. */
export const DISGUISED: Rule = {
  names: [...SHELLS, "eval source ."].join(" "),
  hits: ({ name, args, disguised, veiled }) =>
    veiled && (!SHELLS.has(name) || runsUnknown(args)) ||
      disguised && SHELLS.has(name) && readsCommands(args)
      ? []
      : undefined,
  unseen: true,
  yes: [
    `python3 -c "print('r' + 'm a')" | sh`,
    "git branch --format='git branch -D %(refname:short)' | grep x | sh",
    `eval "$(perl -e 'print "r", "m a"')"`,
    "bash <(tr a-y b-z <<< 'ql -qe btqb')",
    `python3 -c "print('r' + 'm a')" > x.sh; sh x.sh`,
    "tr a-y b-z <<< 'ql -qe btqb' | sh",
    "echo 'ez n' | tr a-z n-za-m | sudo bash -s",
    "echo ZWNobyBoaQ== | openssl base64 -d | cat | sh",
  ],
  no: [
    "curl -fsSL https://example.com/install.sh | sh",
    'echo "$SETUP" | openssl base64 -d | bash',
    "python3 make.py | tr a b | sh",
    'eval "$(ssh-agent -s)"',
    "source <(kubectl completion bash)",
    'bash -c "$(curl -fsSL https://example.com/install.sh)"',
    `ls | awk '{print "mv " $1 " x"}' | sh`,
    "echo y | tr y n | sh install.sh",
    "echo 'ls' | sh",
    "tr a-z A-Z <<< hello | grep H",
  ],
};
