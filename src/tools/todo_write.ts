import { say } from "../base/text.ts";
import type { Lang, Todo, Tool } from "../base/types.ts";
import { isRecord } from "../base/is_record.ts";
import { rename } from "./schema.ts";

const ITEMS_AT_MOST = 100;
const STATES: readonly string[] = ["pending", "in_progress", "completed"];

/** TodoWrite: the whole list each time, exactly one item in progress while any is open. */
export const todoWrite: Tool = {
  name: "TodoWrite",
  description:
    "Keep the task list of multi-step work: send the whole list each time. Exactly one item is in_progress while any is open; mark items completed as soon as they are done. An empty list clears it.",
  input: {
    type: "object",
    properties: {
      todos: {
        type: "array",
        items: {
          type: "object",
          properties: {
            content: { type: "string", description: "Run tests" },
            activeForm: { type: "string", description: "Running tests" },
            status: { type: "string", enum: ["pending", "in_progress", "completed"] },
          },
          required: ["content", "activeForm", "status"],
        },
      },
    },
    required: ["todos"],
  },
  readOnly: false,
  needs: [],
  aliases: ["todo_write", "write_todos"],
  adapt(input) {
    const out = rename(input, { items: "todos", todo_list: "todos" });
    if (!Array.isArray(out["todos"])) return out;
    return { ...out, todos: out["todos"].map(adaptItem) };
  },
  run(input, { lang, todos: before }) {
    const todos: readonly Todo[] = (input.todos as Todo[]).map(
      ({ content, activeForm, status }) => ({
        content: (content ?? "").trim(),
        activeForm: (activeForm ?? "").trim(),
        status,
      }),
    );
    const broken = brokenRule(todos, before, lang);
    if (broken) {
      return Promise.resolve({ ok: false, text: say(lang, "todo.unchanged", { why: broken }) });
    }
    const text = [summary(todos, lang), ...goneFrom(before, todos, lang)].join("\n");
    return Promise.resolve({ ok: true, text, todos, detail: { kind: "todos", todos } });
  },
};

/** Other agents' items carry an id and a priority, and have names of their own. */
function adaptItem(item: unknown): unknown {
  if (!isRecord(item)) return item;
  const out = rename(item, { active_form: "activeForm", title: "content", task: "content" });
  delete out["id"];
  delete out["priority"];
  const status = String(out["status"]).replaceAll("-", "_");
  if (STATES.includes(status)) out["status"] = status;
  if (status === "done" || status === "complete") out["status"] = "completed";
  return out;
}

/** The first rule the list breaks, as the error for the model. */
function brokenRule(
  todos: readonly Todo[],
  before: readonly Todo[],
  lang: Lang,
): string | undefined {
  const count = todos.length;
  if (count > ITEMS_AT_MOST) return say(lang, "todo.too_many", { count, most: ITEMS_AT_MOST });
  const known = new Map<string, number>();
  for (const [i, todo] of todos.entries()) {
    const n = i + 1;
    for (const field of ["content", "activeForm"] as const) {
      if (todo[field] === "") return say(lang, "todo.blank", { n, field });
    }
    if (!STATES.includes(todo.status)) {
      return say(lang, "todo.status", { n, status: String(todo.status) });
    }
    const twin = known.get(todo.content);
    if (twin) return say(lang, "todo.twice", { first: twin, n, item: todo.content });
    known.set(todo.content, n);
  }
  // a finished list makes room for the next, which may name the same steps
  const past = before.some((todo) => todo.status !== "completed") ? before : [];
  for (const [i, todo] of todos.entries()) {
    const old = past.find((each) => each.content === todo.content);
    if (old?.status === "completed" && todo.status !== "completed") {
      return say(lang, "todo.reopened", { n: i + 1, item: todo.content, status: todo.status });
    }
  }
  const active = todos.flatMap((todo, i) => todo.status === "in_progress" ? [i + 1] : []);
  if (active.length > 1) return say(lang, "todo.many_in_progress", { which: active.join(", ") });
  const open = todos.filter((todo) => todo.status !== "completed").length;
  if (open > 0 && active.length === 0) return say(lang, "todo.none_in_progress", { open });
  return undefined;
}

/** Names what has left the list; a finished list makes room for the next without a word. */
function goneFrom(before: readonly Todo[], todos: readonly Todo[], lang: Lang): string[] {
  const isOpen = (todo: Todo) => todo.status !== "completed";
  const gone = before.filter((old) => !todos.some((todo) => todo.content === old.content));
  const named = (key: "todo.dropped" | "todo.dropped_done", items: readonly Todo[]) => {
    if (items.length === 0) return [];
    return [say(lang, key, { items: items.map((todo) => todo.content).join("; ") })];
  };
  const done = todos.length > 0 && before.some(isOpen) ? gone.filter((old) => !isOpen(old)) : [];
  return [...named("todo.dropped", gone.filter(isOpen)), ...named("todo.dropped_done", done)];
}

function summary(todos: readonly Todo[], lang: Lang): string {
  const total = todos.length;
  if (total === 0) return say(lang, "todo.cleared");
  const now = todos.find((todo) => todo.status === "in_progress")?.activeForm;
  if (!now) return say(lang, "todo.all_done", { total });
  const done = todos.filter((todo) => todo.status === "completed").length;
  return say(lang, "todo.progress", { done, total, now });
}
