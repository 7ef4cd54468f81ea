/** The log: one file per start, one line per fact, secrets masked by who opens it. */
import { under } from "./path.ts";
import { errorMessage } from "./errors.ts";

export type Level = "DEBUG" | "INFO" | "WARNING" | "ERROR";

const ORDER: readonly Level[] = ["DEBUG", "INFO", "WARNING", "ERROR"];

/** Writes `time [module] LEVEL text`; never throws. */
export interface Log {
  debug(module: string, text: string): void;
  info(module: string, text: string): void;
  warning(module: string, text: string): void;
  error(module: string, text: string): void;
  /** Path of the file, or undefined while nothing was written or nothing can be. */
  readonly path: string | undefined;
}

export interface LogOptions {
  /** Folder of the log files; undefined keeps no log. */
  readonly dir: string | undefined;
  readonly now: () => Date;
  /** Replaces what must not be written. */
  readonly redactAlways: (text: string) => string;
  readonly level?: Level;
  /** Called once when the log cannot be written. */
  readonly onFailure?: (why: string) => void;
}

const pad = (n: number) => String(n).padStart(2, "0");
const day = (d: Date) => `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())}`;
const clock = (d: Date, colon: string) =>
  [d.getHours(), d.getMinutes(), d.getSeconds()].map(pad).join(colon);

/** Opens the log; its file is made at the first line. */
export function createLog(options: LogOptions): Log {
  const least = ORDER.indexOf(options.level ?? "INFO");
  const encoder = new TextEncoder();
  let file: Deno.FsFile | undefined;
  let path: string | undefined;
  let dead = options.dir === undefined;

  function open(at: Date): Deno.FsFile {
    const dir = options.dir!;
    Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
    const name = `${day(at)}_${clock(at, "-")}`;
    for (let n = 1;; n++) {
      path = under(dir, n === 1 ? `${name}.log` : `${name}_${n}.log`);
      try {
        return Deno.openSync(path, { append: true, createNew: true, mode: 0o600 });
      } catch (error) {
        if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      }
    }
  }

  function write(level: Level, module: string, text: string): void {
    if (dead || ORDER.indexOf(level) < least) return;
    const at = options.now();
    const line = options.redactAlways(text).replaceAll("\r", "\\r").replaceAll("\n", "\\n");
    try {
      file ??= open(at);
      file.writeSync(
        encoder.encode(`${day(at)} ${clock(at, ":")} [${module}] ${level} ${line}\n`),
      );
    } catch (error) {
      dead = true;
      path = undefined;
      options.onFailure?.(errorMessage(error));
    }
  }

  return {
    debug: (module, text) => write("DEBUG", module, text),
    info: (module, text) => write("INFO", module, text),
    warning: (module, text) => write("WARNING", module, text),
    error: (module, text) => write("ERROR", module, text),
    get path() {
      return path;
    },
  };
}
