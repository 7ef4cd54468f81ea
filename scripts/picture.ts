/**
 * Writes docs/screen.svg: `deno task picture`. narnat runs in tmux with the demo model,
 * mends the demo's project and is asked to delete a folder; the picture is what the screen shows then.
 */
import { dirname, join } from "node:path";
import { demoProject } from "./demo_project.ts";

const ROOT = dirname(import.meta.dirname!);
const FILE = join(ROOT, "docs/screen.svg");
const COLUMNS = 92;
const ROWS = 44;
/** Work that no commit holds. */
const NOTES = { "notes/ideas.md": "vouchers\n", "notes/prices.md": "tea 450\n" };

/** Pixels of a cell, its text and the margin; the width is that of the usual fonts at this size. */
const CELL = { width: 8.43, height: 18, font: 14, base: 13, margin: 14 };
const PLAIN = "#d4d7dd";
const GROUND = "#16181d";
/** Black, red, green, yellow, blue, magenta, cyan, white, and the bright ones. */
const COLOURS = [
  ..."#3b4048 #e8707a #8fc97c #e0b866 #6fa8e8 #c38be0 #5fbfc9 #d4d7dd".split(" "),
  ..."#6b7280 #f08f97 #a9dd98 #ecd08c #93c0f2 #d6abec #86d5dd #ffffff".split(" "),
];

interface Style {
  readonly colour: string;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly inverse: boolean;
}

const NO_STYLE: Style = { colour: PLAIN, bold: false, dim: false, italic: false, inverse: false };

/** The style after the codes of one `ESC [ … m`; colours beyond the sixteen are the plain one. */
function styled(style: Style, codes: readonly number[]): Style {
  const [code = 0, ...rest] = codes;
  const next = ((): Style => {
    if (code === 0) return NO_STYLE;
    if (code === 1) return { ...style, bold: true };
    if (code === 2) return { ...style, dim: true };
    if (code === 22) return { ...style, bold: false, dim: false };
    if (code === 3 || code === 23) return { ...style, italic: code === 3 };
    if (code === 7 || code === 27) return { ...style, inverse: code === 7 };
    if (code >= 30 && code <= 37) return { ...style, colour: COLOURS[code - 30]! };
    if (code >= 90 && code <= 97) return { ...style, colour: COLOURS[code - 82]! };
    return code === 39 ? { ...style, colour: PLAIN } : style;
  })();
  return rest.length > 0 ? styled(next, rest) : next;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** One run of cells in one style; blanks show only where they are inverse. */
function runOf(text: string, style: Style, column: number, row: number): string {
  const { width, height, base, margin } = CELL;
  const at = (cells: number) => (margin + cells * width).toFixed(1);
  const box = style.inverse
    ? `<rect x="${at(column)}" y="${margin + row * height}" width="${
      ([...text].length * width).toFixed(1)
    }" height="${height}" fill="${style.colour}"/>`
    : "";
  const words = text.trim();
  if (words === "") return box;
  const marks = [
    style.inverse ? GROUND : style.colour,
    style.dim ? ' opacity="0.62"' : "",
    style.bold ? ' font-weight="bold"' : "",
    style.italic ? ' font-style="italic"' : "",
  ];
  const blanks = text.length - text.trimStart().length;
  const length = ([...words].length * width).toFixed(1);
  return `${box}<text x="${at(column + blanks)}" y="${
    margin + row * height + base
  }" textLength="${length}" fill="${marks[0]}"${marks.slice(1).join("")}>${escaped(words)}</text>`;
}

/** The picture of a screen that `tmux capture-pane -e` has told; characters are one cell wide. */
export function svgOf(screen: string): string {
  const rows = screen.replace(/^(?:\s*\n)+/, "").trimEnd().split("\n");
  const drawn: string[] = [];
  let style = NO_STYLE;
  for (const [row, line] of rows.entries()) {
    let column = 0;
    // deno-lint-ignore no-control-regex -- colours
    for (const [index, part] of line.split(/\x1b\[([\d;]*)m/).entries()) {
      if (index % 2 === 1) style = styled(style, part.split(";").map(Number));
      else if (part !== "") {
        drawn.push(runOf(part, style, column, row));
        column += [...part].length;
      }
    }
  }
  const { width, height, font, margin } = CELL;
  const size = [COLUMNS * width, rows.length * height].map((edge) => Math.ceil(edge + 2 * margin));
  const fonts = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(" ")}" width="${
      size[0]
    }" height="${size[1]}" font-family="${fonts}" font-size="${font}" xml:space="preserve">`,
    `<rect width="100%" height="100%" rx="8" fill="${GROUND}"/>`,
    ...drawn.filter((one) => one !== ""),
    "</svg>\n",
  ].join("\n");
}

/** What a picture says, without what differs from run to run: times and tokens. */
const words = (svg: string) => svg.replaceAll(/<[^>]*>/g, "").replaceAll(/\d+(?:\.\d+)?/g, "0");

/** Lends `work` a folder with the shop in it and removes it afterwards. */
async function withShop(work: (dir: string) => Promise<string>): Promise<string> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "narnat-picture-" }));
  try {
    const project = join(dir, "shop");
    const write = async (files: { readonly [path: string]: string }) => {
      for (const [path, content] of Object.entries(files)) {
        await Deno.mkdir(dirname(join(project, path)), { recursive: true });
        await Deno.writeTextFile(join(project, path), content);
      }
    };
    await write(demoProject);
    const me = ["-c", "user.name=demo", "-c", "user.email=demo@example.invalid"];
    const git = ["init -qb main", "add .", "commit -qm Shop"];
    for (const args of git) await output("git", ["-C", project, ...me, ...args.split(" ")]);
    await write(NOTES);
    return await work(dir);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

async function output(program: string, args: readonly string[], env = {}): Promise<string> {
  const run = await new Deno.Command(program, { args: [...args], env }).output();
  if (!run.success) throw new Error(`${program}: ${new TextDecoder().decode(run.stderr)}`);
  return new TextDecoder().decode(run.stdout);
}

/** Plays the scene; returns the screen at its end, with its colours, as if `dir` were a home. */
async function played(dir: string): Promise<string> {
  const tmux = (...args: string[]) =>
    output("tmux", ["-L", `picture-${Deno.pid}`, "-f", "/dev/null", ...args], {
      TMUX: "",
      LC_ALL: "C.UTF-8",
    });
  const { denoDir } = JSON.parse(await output(Deno.execPath(), ["info", "--json"]));
  const environment = [
    `HOME=${dir}`,
    `PATH=${dirname(Deno.execPath())}:/usr/bin:/bin`,
    `DENO_DIR=${denoDir}`,
    "TERM=xterm-256color",
    "LANG=C.UTF-8",
  ];
  const narnat = [Deno.execPath(), "run", "-A", "--config", join(ROOT, "deno.json")]
    .concat([join(ROOT, "main.ts"), "--model", "demo", "-C", join(dir, "shop")]);
  const size = ["-x", `${COLUMNS}`, "-y", `${ROWS}`];
  await tmux("new-session", "-d", "-s", "t", ...size, "env", "-i", ...environment, ...narnat);
  const shows = async (what: RegExp) => {
    for (let tries = 0; tries < 600; tries++) {
      if (what.test(await tmux("capture-pane", "-p", "-t", "t"))) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the screen never showed ${what}`);
  };
  const say = async (line: string) => {
    await tmux("send-keys", "-t", "t", "-l", line);
    await tmux("send-keys", "-t", "t", "Enter");
  };
  try {
    await shows(/^❯/m);
    await say("fix the failing test");
    await shows(/turn 1\/120/);
    await shows(/ out .* s$/m);
    await say("run rm -rf notes");
    await shows(/Yes/);
    const screen = await tmux("capture-pane", "-e", "-p", "-t", "t");
    return screen.replaceAll(dir, "/home/me");
  } finally {
    await tmux("kill-server");
  }
}

if (import.meta.main) {
  const svg = svgOf(await withShop(played));
  const before = await Deno.readTextFile(FILE).catch(() => "");
  if (words(svg) === words(before)) console.log("docs/screen.svg shows it already");
  else await Deno.writeTextFile(FILE, svg);
}
