/** Requests that change something or run something. */
import { say } from "../../base/text.ts";
import { countsIn, exitIn, hitsIn, linesIn, outputIn } from "./results.ts";
import { done, excerpt, failed, literally, type Script, type Setting, use } from "./script.ts";
import { bullets, cut, fence } from "./shape.ts";
import type { Of } from "./wishes.ts";

/** More files are not changed at one request. */
const MOST_FILES = 20;

/** Replaces a text in one file, or in all that have it. */
export function* replace(setting: Setting, { before, after, file }: Of<"replace">): Script {
  const { lang } = setting;
  let files = [file ?? ""];
  if (file === undefined) {
    const where = yield* use(say(lang, "demo.searching", { text: before }), "Grep", {
      ...literally(before),
      output_mode: "count",
    });
    if (!where.ok) return failed(lang, where);
    files = countsIn(where.text).map(({ path }) => path);
    if (files.length === 0) {
      return { ok: false, text: say(lang, "demo.not_found", { text: before }) };
    }
    if (files.length > MOST_FILES) {
      return { ok: false, text: say(lang, "demo.too_many", { n: files.length, most: MOST_FILES }) };
    }
  }
  const texts: string[] = [];
  for (const each of files) {
    const outcome = yield* replaceIn(setting, before, after, each);
    texts.push(outcome.text);
    if (!outcome.ok) return { ok: false, text: texts.join("\n\n") };
  }
  return { ok: true, text: texts.join("\n\n") };
}

function* replaceIn({ lang }: Setting, before: string, after: string, file: string): Script {
  const read = yield* use(say(lang, "demo.reading", { file }), "Read", { file_path: file });
  if (!read.ok) return failed(lang, read);
  const text = linesIn(read.text).map((line) => line.text).join("\n");
  const n = text.split(before).length - 1;
  if (n === 0) return { ok: false, text: say(lang, "demo.not_in_file", { text: before, file }) };
  const edit = yield* use(say(lang, "demo.editing", { file, n }), "Edit", {
    file_path: file,
    old_string: before,
    new_string: after,
    ...(n > 1 ? { replace_all: true } : {}),
  });
  if (!edit.ok) return failed(lang, edit);
  const check = yield* use(say(lang, "demo.verifying"), "Grep", {
    ...literally(after === "" ? before : after),
    path: file,
  });
  const hits = check.ok ? hitsIn(check.text) : [];
  const places = hits.slice(0, 5).map((hit) => `\`${file}:${hit.line}\` ${cut(hit.text)}`);
  return done(lang, "demo.replaced", {
    n,
    before,
    after,
    file,
    places: bullets(lang, places, hits.length - places.length),
  });
}

/** Writes a new file. */
export function* create({ lang }: Setting, { file, content }: Of<"create">): Script {
  const result = yield* use(say(lang, "demo.writing", { file }), "Write", {
    file_path: file,
    content,
  });
  if (!result.ok) return failed(lang, result);
  return done(lang, "demo.created", { file, n: content.split("\n").length - 1 });
}

/** Deletes a file, by a command that asks first. */
export function* remove({ lang }: Setting, { file }: Of<"delete">): Script {
  const path = file.startsWith("-") ? `./${file}` : file;
  const plain = /^[\w./-]+$/.test(path);
  const command = `rm ${plain ? path : `'${path.replaceAll("'", `'\\''`)}'`}`;
  const result = yield* use(say(lang, "demo.running", { command }), "Bash", { command });
  if (!result.ok) return failed(lang, result);
  return done(lang, "demo.deleted", { file });
}

/** Runs a command and reports its exit code. */
export function* run({ lang }: Setting, { command }: Of<"run">): Script {
  const result = yield* use(say(lang, "demo.running", { command }), "Bash", { command });
  const exit = exitIn(result.text);
  if (exit === undefined) return failed(lang, result);
  const text = fence(excerpt(outputIn(result.text), 20));
  return { ok: exit === 0, text: say(lang, "demo.ran", { command, exit, text }) };
}
