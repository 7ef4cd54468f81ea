/** Real bash as the judge of what a command deletes. */
import { join } from "node:path";

/** Programs that only record where they were started. */
const DELETERS = ["rm", "unlink", "shred", "rmdir"];
/** Programs that do nothing. */
const IDLE = ["git", "npm", "docker"];
/** The machine's own programs that a command may use. */
const REAL =
  ("bash sh env timeout nice nohup setsid stdbuf xargs find cat ls grep sed tr sort uniq head" +
    " tail wc basename dirname base64 rev seq true false sleep mkdir touch cp mv chmod tee awk perl" +
    " python3 which diff cut tar dd truncate printf echo test expr").split(" ");
const STUB = `#!/bin/sh
case $1 in --help | --version) exit ;; esac
pwd -P >> RECORD
`;
const SUDO = `#!/bin/bash
while [[ $1 == -* ]]; do [[ $1 == -u ]] && shift; shift; done
exec "$@"`;
const SSH = `#!/bin/bash
while [[ $1 == -* ]]; do shift 2; done
shift
exec bash -c "$*"`;
/** What every command finds in its folder. */
const FIXTURES = { a: "1\n", b: "2\n", "c d": "3\n", list: "a\nb\n", "d/x.o": "4\n" };
const LANES = 2;

/** Folders and programs for as many commands; `folder` must be empty. */
export async function prepare(folder: string, count: number): Promise<void> {
  const bin = join(folder, "bin");
  const record = join(folder, "record");
  await Deno.mkdir(bin);
  await Deno.writeTextFile(record, "");
  const executable = (name: string, text: string) =>
    Deno.writeTextFile(join(bin, name), text, { mode: 0o755 });
  for (const name of DELETERS) await executable(name, STUB.replace("RECORD", record));
  for (const name of IDLE) await executable(name, "#!/bin/sh\n");
  await executable("sudo", SUDO);
  await executable("ssh", SSH);
  for (const name of REAL) {
    const path = await found(name);
    if (path) await Deno.symlink(name === "sh" ? "/bin/bash" : path, join(bin, name));
  }
  for (let i = 0; i < count; i++) {
    const place = join(folder, String(i));
    Deno.mkdirSync(join(place, "d"), { recursive: true });
    Deno.mkdirSync(join(place, "e"));
    for (const [name, text] of Object.entries(FIXTURES)) {
      Deno.writeTextFileSync(join(place, name), text);
    }
  }
}

/**
 * Runs each command in its prepared folder: whether bash started a deleting program there, or left
 * one of the files gone or empty.
 */
export async function judge(commands: readonly string[], folder: string): Promise<boolean[]> {
  await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
    const mine = commands.flatMap((command, i) => i % LANES === lane ? [`${i}\0${command}\0`] : []);
    const script = join(folder, `lane${lane}`);
    await Deno.writeTextFile(script, mine.join(""));
    await new Deno.Command("bash", {
      args: ["-c", DRIVER, "driver", script, folder],
      clearEnv: true,
      env: { PATH: join(folder, "bin"), HOME: folder, LC_ALL: "C" },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
  }));
  const ran = new Set(
    (await Deno.readTextFile(join(folder, "record"))).split("\n").map((line) =>
      line.slice(folder.length + 1).split("/")[0]
    ),
  );
  return commands.map((_, i) => ran.has(String(i)) || lost(join(folder, String(i))));
}

const DRIVER = `
mapfile -d '' -t all < "$1"
for ((n = 0; n < \${#all[@]}; n += 2)); do
  cd "$2/\${all[n]}" && bash -c "\${all[n + 1]}"
done
wait
sleep 0.3`;

async function found(name: string): Promise<string | undefined> {
  for (const folder of ["/usr/bin", "/bin"]) {
    try {
      await Deno.stat(join(folder, name));
      return join(folder, name);
    } catch {
      continue;
    }
  }
  return undefined;
}

function lost(place: string): boolean {
  const empty = (name: string) => {
    try {
      return Deno.statSync(join(place, name)).size === 0;
    } catch {
      return true;
    }
  };
  return Object.keys(FIXTURES).some(empty) || empty("e/.");
}
