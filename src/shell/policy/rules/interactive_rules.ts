/** Programs that wait for a person at a terminal, and what to use instead. */
import { type Invocation, readOptions } from "../reader/invocation.ts";
import type { Text } from "../../../base/t.ts";
import { containerWaits, databaseWaits, followsLogs, gitAsks, gitWaits } from "./waits.ts";

/** One line of policy on interactive programs. A test runs every example. */
export interface InteractiveRule {
  readonly names: string;
  readonly waits: (call: Invocation) => boolean;
  /** The text that names the way without a terminal. */
  readonly hint: Text;
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

const SSH_TAKES = "-p -i -l -o -F -J -L -R -D -b -c -e -m -w -E -I -O -Q -S -W -B";

/** The verbs of MinIO's mc, which is no file manager. */
const MINIO = new Set(
  ("admin alias anonymous batch cat config cors cp diff du encrypt event find get head idp ilm legalhold" +
    " license ls mb mirror mv od ping pipe put quota rb ready replicate retention rm share sql stat" +
    " support tag tree undo update version watch").split(" "),
);

/** Where `--help` may be an argument of what is started, which still waits. */
const STARTERS =
  /^(?:docker|podman|nerdctl|docker-compose|kubectl|oc|ssh|watch|screen|tmux|su|sudo)$/;

/** Whether a call only prints what the program is for. */
export function asksForHelp({ name, args }: Invocation): boolean {
  return !STARTERS.test(name) && args.some(({ text }) => /^--(?:tool-)?help$/.test(text));
}

const AN_EDITOR =
  "{name} is an interactive editor and there is no terminal. Change files with Read and Edit, new ones with Write";
const ENDLESS =
  "this form of {name} never ends by itself. Leave out -f: for the last lines use tail -n 50, journalctl -n 50 or docker logs --tail 50; or put timeout 10 before it";
const A_PROMPT =
  "{name} would wait for a keyboard and there is no terminal. Run a script file, or pass the code with -c or -e";
const A_SCREEN =
  "{name} needs a terminal and there is none. Use its non-interactive form, or ask the user to run it";

export const INTERACTIVE_RULES: readonly InteractiveRule[] = [
  {
    names: "vi vim nvim view vimdiff rvim gvim ex",
    waits: ({ name, args }) => {
      const options = readOptions(args, "-c -S -s -u -i -r -T -d");
      const batch = options.has("--version", "--help", "-h", "--headless") ||
        (options.has("-e", "-E") && options.has("-s"));
      const quiet = name === "ex" ? /^-\w*s/ : /^-\w*[eE]\w*s|^-s$/;
      return !batch && !args.some((arg) => quiet.test(arg.text));
    },
    hint: AN_EDITOR,
    yes: ["vi notes.md", "sudo vim /etc/hosts", "vim"],
    no: ["vim -es -c 'wq' a", "nvim --headless +q", "vim --version"],
  },
  {
    names: "nano pico emacs emacsclient joe micro hx helix kak mcedit ne ed sudoedit",
    waits: (call) =>
      !readOptions(call.args).has(
        "--batch",
        "-batch",
        "--script",
        "--version",
        "--help",
        "--eval",
      ) &&
      !(call.name === "ed" && call.hasInput),
    hint: AN_EDITOR,
    yes: ["nano a.txt", "emacs -nw a", "ed a"],
    no: ["emacs --batch -l a.el", "printf 'w\\nq\\n' | ed -s a", "nano --version"],
  },
  {
    names: "top htop btop atop glances nvtop iotop iftop nmon bmon btm powertop",
    waits: ({ args }) => {
      const options = readOptions(args, "-n -d -p -u -U -o -i --interval");
      if (options.has("--help", "--version", "-v", "-V", "-h")) return false;
      return !options.has("-b", "--batch", "-t", "--stdout", "--stdout-csv", "--csv");
    },
    hint:
      "{name} keeps redrawing a screen and there is no terminal. Use a form that ends, such as top -bn1 or ps aux",
    yes: ["top", "sudo top", "htop -d 5"],
    no: ["top -bn1 | head -5", "top -b -n 1", "iotop -b -n1"],
  },
  {
    names: "watch",
    waits: ({ args, bounded }) =>
      !bounded && !readOptions(args, "-n --interval", true).has("--help", "--version", "-v", "-h"),
    hint:
      "{name} repeats its command for ever and there is no terminal. Run the command itself once, or put timeout 10 before it",
    yes: ["watch -n1 date", "watch kubectl get pods"],
    no: ["timeout 5 watch -n1 date", "watch --version"],
  },
  {
    names: "tail journalctl",
    waits: ({ name, args, hasInput, bounded }) => {
      const takes = name === "tail"
        ? "-n -c -s --lines --bytes --pid --sleep-interval --max-unchanged-stats"
        : "-u -n -p -t -o -g -b -S -U -D --unit --lines --priority --identifier --output --grep";
      const options = readOptions(args, takes);
      const follows = options.has("-f", "--follow") || (name === "tail" && options.has("-F"));
      if (!follows || bounded || options.has("--help", "--version", "--pid")) return false;
      return name !== "tail" || !hasInput || options.operands.length > 0;
    },
    hint: ENDLESS,
    yes: [
      "tail -f a.log",
      "tail -n 5 -F a.log",
      "tail -20f a.log",
      "cd logs && tail --follow=name a.log",
      "grep -n x a.log | head -3; tail -f a.log",
      "sudo journalctl -fu nginx",
      "bash -c 'tail -f a.log'",
    ],
    no: [
      "timeout 5 tail -f a.log",
      "timeout -s INT 5 bash -c 'tail -f a.log'",
      "tail -f a.log | grep -m1 ready",
      "tail -f a.log & sleep 2; kill $!",
      "tail -f --pid=12 a.log",
      "npm run dev | tail -f",
      "tail -n 20 a.log",
      "journalctl -u nginx -n 50",
      "npm run dev",
    ],
  },
  {
    names: "docker podman nerdctl docker-compose kubectl oc",
    waits: followsLogs,
    hint: ENDLESS,
    yes: [
      "docker logs -f web",
      "docker logs --tail 5 --follow web",
      "docker compose -f dev.yml logs -f",
      "docker-compose logs -f db",
      "kubectl -n shop logs -f pod/a",
    ],
    no: [
      "docker logs --tail 50 web",
      "timeout 10 docker logs -f web",
      "docker logs -f web | grep -m1 ready",
      "docker logs -f web > web.log & sleep 2",
      "docker compose -f logs ps",
      "docker build -f logs .",
      "kubectl apply -f logs",
    ],
  },
  {
    names: "less more most pg lv vless",
    waits: ({ args }) => !readOptions(args).has("--help", "--version", "-V"),
    hint: "{name} is a pager and there is no terminal. Leave it out; for a file use Read",
    yes: ["less a.log", "less +F a.log", "git log | less", "cat a | more"],
    no: ["PAGER=less git log", "less --version"],
  },
  {
    names: "python python2 python3 ipython bpython ptpython pypy3",
    waits: (call) => {
      const options = readOptions(call.args, "-c -m -W -X", true);
      if (options.has("--version", "-V", "--help", "-h")) return false;
      if (/^i?pdb$/.test(options.value("-m") ?? "")) return false;
      if (options.has("-i")) return true;
      if (options.value("-c") !== undefined || options.value("-m") !== undefined) return false;
      if (/manage\.py$/.test(options.operands[0]?.text ?? "")) {
        return /^(shell|dbshell|shell_plus)$/.test(options.operands[1]?.text ?? "") &&
          options.operands.length === 2 && !call.hasInput;
      }
      return options.operands.length === 0 && !call.hasInput;
    },
    hint: A_PROMPT,
    yes: ["python", "python3", "ipython", "python -i a.py"],
    no: ["python a.py", "python -c 'print(1)'", "python3 -m pytest", "python < a.py", "python -V"],
  },
  {
    names:
      "node deno bun irb pry lua luajit julia ghci scala jshell erl iex r rdb clojure clj sbcl ocaml" +
      " utop swipl gore php bc dc octave gnuplot maxima",
    waits: (call) => {
      const { name, args } = call;
      const options = readOptions(args, "-e -r -p --eval --print -S");
      if (options.has("--version", "-v", "-V", "--help", "-h", "-e", "--eval", "-p", "-r", "-f")) {
        return false;
      }
      if (name === "php") return options.has("-a");
      if (name === "iex") return !call.hasInput;
      const first = options.operands[0]?.text;
      if (name === "bun" && first === undefined) return false;
      return (first === undefined && args.length === 0 && !call.hasInput) || first === "repl";
    },
    hint: A_PROMPT,
    yes: ["node", "deno", "deno repl", "irb", "php -a", "iex -S mix", "ghci"],
    no: ["node a.js", "node -v", "deno test", "echo 1 | node", "bun", "php -r 'echo 1;'"],
  },
  {
    names:
      "psql mysql mariadb sqlite3 mongo mongosh redis-cli duckdb sqlcmd clickhouse-client sqlplus",
    waits: databaseWaits,
    hint:
      "{name} would wait for a keyboard and there is no terminal. Pass the statement (-c, -e), or a file with <",
    yes: ["psql -U app shop", "mysql -u root shop", "sqlite3 a.db", "redis-cli", "mongosh"],
    no: [
      "psql -c 'select 1'",
      "mysql -e 'select 1' shop",
      "mysql shop < dump.sql",
      "sqlite3 a.db 'select 1'",
      "redis-cli get a",
      "psql -l",
      "echo 'select 1' | psql",
    ],
  },
  {
    names: "git",
    waits: gitAsks,
    hint:
      "this form of {name} asks piece by piece and there is no terminal. Name the files; for a part of a file write that part of git diff to a patch and git apply --cached it (of clean, see -n first)",
    yes: [
      "git stash -p",
      "git stash push --patch",
      "git add -p",
      "git add -i",
      "git -C a checkout -p",
      "git commit -p -m a",
      "git clean -i",
    ],
    no: [
      "git add .",
      "git clean -xdf -e a",
      "git add -p < answers",
      "git log -p",
      "git stash -m p",
      "git stash show -p | head",
      "git stash show --patch stash@{0}",
      "git stash list -p",
      "git add -i --help",
      "git clean -i -h",
    ],
  },
  {
    names: "git",
    waits: gitWaits,
    hint:
      'this form of {name} opens an editor and there is no terminal. Use -m, --no-edit, or put GIT_EDITOR=true before it (for rebase -i GIT_SEQUENCE_EDITOR="sed -i …")',
    yes: [
      "git rebase --interactive main",
      "git rebase -i HEAD~3",
      "git commit",
      "git commit --amend",
      "git rebase --continue",
      "git -C a tag -a v1",
      "git config --edit",
      "git mergetool",
    ],
    no: [
      "git commit -m a",
      "git commit -am a",
      "git commit --amend --no-edit",
      "git commit -F a",
      "GIT_EDITOR=true git rebase --continue",
      "GIT_SEQUENCE_EDITOR=true git rebase -i HEAD~2",
      "git rebase main",
      "git add .",
      "git tag v1",
      "git log",
      "git mergetool --tool-help",
      "git commit --help",
      "git rebase -i -h",
      "git difftool --tool-help",
    ],
  },
  {
    names: "python python2 python3 pypy3 pdb ipdb pudb",
    waits: (call) => {
      const debugs = !call.name.startsWith("py") ||
        /^(i?pdb|pudb)$/.test(readOptions(call.args, "-c -m -W -X", true).value("-m") ?? "");
      return debugs && !call.hasInput && !call.args.some((arg) => /^--?h(elp)?$/.test(arg.text));
    },
    hint:
      "a debugger would wait for a keyboard and there is no terminal. Pipe its commands in, such as printf 'b 12\\nc\\np x\\nq\\n' | python -m pdb a.py, or add prints",
    yes: ["python -m pdb a.py", "python3 -m pdb -c continue a.py", "pdb a.py"],
    no: ["printf 'c\\nw\\n' | python -m pdb a.py", "python -m pdb -h", "python -m pytest"],
  },
  {
    names: "telnet",
    waits: (call) => !call.hasInput,
    hint:
      "{name} would wait for a keyboard and there is no terminal. To see whether a port answers use nc -zv -w 5 host port; to send something, printf … | nc -w 5 host port",
    yes: ["telnet host 25", "telnet"],
    no: ["nc -zv host 25", "printf 'QUIT\\r\\n' | telnet host 25"],
  },
  {
    names: "ssh",
    waits: ({ args, hasInput }) => {
      const options = readOptions(args, SSH_TAKES, true);
      // with one -t ssh does without a terminal where there is none
      const forced = args.filter((arg) => arg.text === "-t").length > 1 || options.has("-tt");
      return forced && !hasInput && options.operands.length > 1;
    },
    hint: "{name} -tt forces a terminal and there is none. Leave out -t, such as ssh host 'ls'",
    yes: ["ssh -tt host 'sudo ls'", "ssh -t -t host ls"],
    no: ["ssh -t host ls", "ssh host ls"],
  },
  {
    names: "ssh mosh sftp ftp slogin",
    waits: (call) => {
      const options = readOptions(call.args, SSH_TAKES, true);
      if (call.hasInput || options.has("-V", "-N", "-T", "-G", "-Q", "-O", "-f", "--version")) {
        return false;
      }
      if (call.name === "sftp" && options.has("-b")) return false;
      return call.name !== "ssh" || options.operands.length === 1;
    },
    hint:
      "{name} would open a remote session and there is no terminal. Give the command after the host, such as ssh host 'ls'",
    yes: ["ssh build01", "ssh -p 22 me@host", "ssh -t host", "sftp host"],
    no: ["ssh host ls", "ssh -T git@host", "ssh -V", "sftp -b cmds host", "ssh host < a.sh"],
  },
  {
    names: "docker podman nerdctl docker-compose kubectl oc",
    waits: containerWaits,
    hint:
      "this form of {name} needs a terminal and there is none. Leave out -t (and -i) and give the command to run",
    yes: [
      "docker exec -it db psql -U app",
      "docker run -it ubuntu bash",
      "docker run --rm -ti a",
      "docker attach a",
      "kubectl exec -it pod -- sh",
      "kubectl edit deploy a",
      "docker run -i -t a",
    ],
    no: ["docker run --rm -i node:22 node -v", "docker exec db ls", "kubectl exec pod -- ls"],
  },
  {
    names: "npm yarn pnpm composer poetry cargo",
    waits: ({ name, args, hasInput }) => {
      const options = readOptions(args, "-w --workspace");
      const [verb, second] = options.operands.map((arg) => arg.text);
      if (hasInput) return false;
      if (verb === "init") {
        return /^(npm|yarn|composer|poetry)$/.test(name) && second === undefined &&
          !options.has("-y", "--yes", "-n", "--no-interaction", "-f");
      }
      return /^(login|adduser)$/.test(verb ?? "") && name !== "cargo";
    },
    hint:
      "this form of {name} asks questions and there is no terminal. Use the form that does not, such as npm init -y",
    yes: ["npm init", "yarn init", "npm login", "poetry init"],
    no: [
      "poetry init --help",
      "npm login --help",
      "npm init -y",
      "npm test",
      "yarn init -y",
      "yes | npm init",
      "cargo init",
    ],
  },
  {
    names: "gdb lldb jdb dlv",
    waits: (call) =>
      !call.hasInput &&
      !call.args.some((arg) =>
        /^-{1,2}(batch\w*|ex|eval-command|version|help|b|o|s)$/.test(arg.text)
      ),
    hint:
      "{name} would wait for a keyboard and there is no terminal. Use its batch form, such as gdb -batch -ex run",
    yes: ["gdb ./a.out", "lldb a"],
    no: ["gdb -batch -ex run ./a.out", "gdb --version"],
  },
  {
    names: "tmux screen byobu zellij",
    waits: ({ name, args }) => {
      const texts = args.map((arg) => arg.text);
      if (texts.some((text) => /^-(V|v|ls|list|wipe|X|h)$|^--version$/.test(text))) return false;
      if (name === "screen") return !texts.some((text) => /^-\w*d\w*m|^-d|^-S$/.test(text));
      const verb = texts.find((text) => !text.startsWith("-"));
      if (verb === undefined || /^a(ttach(-session)?)?$/.test(verb)) return true;
      return /^new(-session)?$/.test(verb) && !texts.some((text) => /^-\w*d/.test(text));
    },
    hint: A_SCREEN,
    yes: ["tmux", "tmux attach -t a", "tmux new -s a", "screen -r a"],
    no: ["tmux ls", "tmux new-session -d -s a", "tmux send-keys -t a x", "screen -dmS a sh"],
  },
  {
    names:
      "fzf dialog whiptail mc ranger nnn lf vifm lazygit lazydocker tig gitui k9s ncdu cfdisk cgdisk" +
      " passwd chsh visudo vipw vigr mutt neomutt irssi weechat alsamixer nmtui minicom picocom cu" +
      " links elinks gitk tclsh menuconfig dpkg-reconfigure raspi-config",
    waits: (call) => {
      const options = readOptions(call.args);
      if (options.has("--help", "--version", "-V")) return false;
      const [verb] = options.operands;
      if (call.name === "mc" && MINIO.has(verb?.text ?? "")) return false;
      if (/^(links|elinks)$/.test(call.name)) return !options.has("-dump", "-source", "-d");
      if (/^(fzf|tclsh|passwd|mutt|ncdu|visudo)$/.test(call.name)) {
        const batch = options.has(
          ...["-f", "--filter", "-S", "-l", "-o", "-c", "-s", "-d", "-u"],
          ...["--status", "--delete", "--lock", "--unlock"],
        );
        return !batch && !(call.hasInput && call.name !== "fzf") &&
          !(call.name === "tclsh" && options.operands.length > 0);
      }
      return true;
    },
    hint: A_SCREEN,
    yes: ["fzf", "mc", "lazygit", "passwd", "ls | fzf"],
    no: [
      "passwd --status",
      "mc ls a/b",
      "mc alias list",
      "fzf --version",
      "fzf -f a < b",
      "tclsh a.tcl",
      "echo x | passwd --stdin me",
    ],
  },
  {
    names: "lynx w3m",
    waits: ({ args }) =>
      !args.some((arg) => /^-{1,2}(dump|source|version|help|dump_source)/.test(arg.text)),
    hint: A_SCREEN,
    yes: ["lynx example.com"],
    no: ["lynx -dump example.com", "w3m -dump a.html"],
  },
  {
    names: "su sudo bash sh zsh fish dash ksh powershell pwsh cmd wsl",
    waits: (call) => {
      if (call.hasInput) return false;
      const takes = "-c -u -g -s -p -o -O --command --user";
      const options = readOptions(call.args, takes, call.name !== "su");
      if (call.name === "sudo") {
        return options.has("-i", "-s", "-e") && options.operands.length === 0;
      }
      if (call.name === "su") return options.value("-c", "--command") === undefined;
      if (options.has("--version", "--help", "-c", "-s", "-Version")) return false;
      return call.args.every((arg) =>
        /^(-l|-i|--login|--norc|--noprofile|-NoLogo)$/.test(arg.text)
      );
    },
    hint:
      "{name} would open an interactive shell and there is no terminal. Write the commands themselves",
    yes: ["bash", "sudo -i", "su -", "zsh -l", "powershell"],
    no: [
      "bash a.sh",
      "sh -c ls",
      "bash --version",
      "sudo ls",
      "bash < a.sh",
      "su -c ls me",
      "su me -c ls",
    ],
  },
  {
    names: "crontab fdisk gdisk parted systemctl",
    waits: (call) => {
      const options = readOptions(call.args, "-u");
      if (call.name === "crontab") return options.has("-e");
      if (call.name === "systemctl") return options.operands[0]?.text === "edit";
      const batch = options.has(
        "-l",
        "--list",
        "-s",
        "--script",
        "-x",
        "--help",
        "--version",
        "-v",
        "-V",
      );
      return !batch && !call.hasInput;
    },
    hint: A_SCREEN,
    yes: ["crontab -e", "fdisk /dev/sda", "systemctl edit a"],
    no: ["crontab -l", "fdisk -l", "systemctl status a"],
  },
  {
    names: "rails bundle flask heroku php artisan make gh aws gcloud vagrant adb",
    waits: ({ name, args, hasInput }) => {
      const text = args.map((arg) => arg.text).join(" ");
      if (hasInput) return false;
      const waiting: { readonly [program: string]: RegExp } = {
        rails: /^(c|console|dbconsole|db)$/,
        bundle: /^console$/,
        flask: /^shell$/,
        php: /^artisan tinker$/,
        artisan: /^tinker$/,
        make: /\b(menu|n|x|g)config$/,
        gh: /^auth login$/,
        aws: /^configure$/,
        gcloud: /^(init|auth login)$/,
        vagrant: /^ssh( [^-]\S*)?$/,
        adb: /^shell$/,
        heroku: /^login$/,
      };
      return waiting[name]?.test(text) ?? false;
    },
    hint: A_SCREEN,
    yes: ["rails console", "make menuconfig", "gh auth login", "adb shell", "vagrant ssh"],
    no: ["rails test", "make", "aws s3 ls", "vagrant ssh -c ls", "gh auth login --with-token < t"],
  },
];
