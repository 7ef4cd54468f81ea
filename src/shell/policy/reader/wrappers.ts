/** The tables of programs that run other programs. */

/** How a program is told the command it runs. */
export interface Wrapper {
  /** Options whose value may be the next argument. */
  readonly takes?: string;
  /** Operands before the command (`timeout 5 cmd`). */
  readonly operands?: number;
  /** `NAME=value` may stand before the command. */
  readonly assigns?: boolean;
  readonly remote?: boolean;
  /** The command's first word is a package and may carry its version (`rimraf@5`). */
  readonly versions?: boolean;
}

/** Programs whose operands are a command. */
export const WRAPPERS: { readonly [name: string]: Wrapper } = {
  sudo: {
    takes:
      "-u -g -p -C -T -R -D -h -r -t -U --user --group --prompt --close-from --chdir --chroot" +
      " --host --role --type --other-user --command-timeout",
    assigns: true,
  },
  doas: { takes: "-u -C", assigns: true },
  env: { takes: "-u -C -a --unset --chdir --argv0", assigns: true },
  timeout: { takes: "-k -s --kill-after --signal", operands: 1 },
  gtimeout: { takes: "-k -s --kill-after --signal", operands: 1 },
  nice: { takes: "-n --adjustment" },
  ionice: { takes: "-c -n -p --class --classdata" },
  nohup: {},
  setsid: {},
  setarch: {},
  stdbuf: { takes: "-i -o -e --input --output --error" },
  time: { takes: "-f -o --format --output" },
  builtin: {},
  exec: { takes: "-a" },
  chroot: { takes: "--userspec --groups", operands: 1 },
  unshare: { takes: "-S -G --setuid --setgid --root --wd" },
  nsenter: { takes: "-t -S -G --target --setuid --setgid" },
  strace: { takes: "-o -e -p -s -u -E -P -a -b -I -O -S -X" },
  ltrace: { takes: "-o -e -p -s -u -a -A -D -F -l -n -w -x" },
  valgrind: {},
  taskset: { operands: 1 },
  chrt: { takes: "-T -P -D", operands: 1 },
  prlimit: {},
  "systemd-run": { takes: "-p -u -t --unit --property --uid --gid --slice --description" },
  "systemd-inhibit": { takes: "--what --who --why --mode" },
  unbuffer: {},
  busybox: {},
  toybox: {},
  caffeinate: { takes: "-t -w" },
  arch: {},
  faketime: { operands: 1 },
  proxychains: { takes: "-f" },
  proxychains4: { takes: "-f" },
  torsocks: {},
  torify: {},
  "dbus-run-session": {},
  "xvfb-run": { takes: "-n -s -e -f -p -w --server-num --server-args" },
  firejail: {},
  fakeroot: {},
  setpriv: { takes: "--reuid --regid --groups --pdeathsig" },
  entr: {},
  rlwrap: {},
  npx: { takes: "-p --package -c --call", versions: true },
  bunx: { versions: true },
  pnpx: { takes: "-c --shell-mode", versions: true },
  uvx: { takes: "--from --with -p --python", versions: true },
  corepack: { versions: true },
  logsave: { takes: "-a", operands: 1 },
  chpst: { takes: "-u -U -b -e -d -o -p -f -c -l -L -m -n -r -t" },
  "s6-setuidgid": { operands: 1 },
  runuser: { takes: "-u -g -c --user --group --command" },
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  tini: { takes: "-p -e" },
  "dumb-init": { takes: "-r" },
  pkexec: { takes: "--user" },
  catchsegv: {},
  ccache: {},
  gtime: { takes: "-f -o --format --output" },
  numactl: { takes: "-N -m -C -i -p" },
  cgexec: { takes: "-g" },
  watchexec: { takes: "-w -e -i -d -s -f" },
  sshpass: { takes: "-p -f -d" },
  "cross-env": { assigns: true },
  shx: {},
  dotenv: { takes: "-f -e" },
  spawn: {},
  retry: { takes: "-t -d -s -m --tries --delay --sleep --times" },
  lvm: {},
  wine: {},
  wsl: { takes: "-d -u --distribution --user" },
};

/** Shells that read bash's language, nearly enough. */
export const SHELLS = new Set("sh bash dash zsh ksh mksh ash rbash fish tcsh csh".split(" "));

/** Programs that run a text given with an option as shell. */
export const TEXT_OPTIONS: { readonly [name: string]: string } = {
  su: "-c --command --session-command",
  runuser: "-c --command --session-command",
  script: "-c --command",
  flock: "-c --command",
  sg: "-c",
  vagrant: "-c --command",
  tar: "--to-command --checkpoint-action -I --use-compress-program --info-script -F",
  rsync: "--rsync-path -e --rsh",
  hyperfine: "-p -s -c --prepare --setup --cleanup --conclude",
  rg: "--pre",
  "nix-shell": "--run --command",
  nodemon: "--exec -x",
  ansible: "-a --args",
  npx: "-c --call",
  go: "-exec -toolexec -vettool",
  man: "-P --pager -H --html",
  zip: "-TT --unzip-command",
  capsh: "-c",
  borg: "--rsh",
  mapfile: "-C",
  readarray: "-C",
  complete: "-C",
  sort: "--compress-program",
  svn: "--diff-cmd --diff3-cmd --editor-cmd",
  cargo: "-s --shell",
  nu: "-c --commands",
  scp: "-S",
};

/** Options of docker and its kin whose value may be the next argument. */
export const CONTAINER_TAKES =
  "-v -e -p -w -u -l -h -m --volume --env --publish --workdir --user --name " +
  "--network --net --mount --entrypoint --label --env-file --platform --cpus --memory --hostname " +
  "--add-host --device --gpus --ulimit --restart --pull --shm-size --link --cap-add --cap-drop " +
  "--security-opt --tmpfs --ipc --pid --index -f --file --project-name --profile";
