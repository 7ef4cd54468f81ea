import type { T, Text } from "../base/t.ts";
import type { Todo, Tool } from "../base/types.ts";
import { isRecord } from "../base/is_record.ts";
import { rename } from "./toolbox.ts";

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
  run(input, { t, todos: before }) {
    const todos: readonly Todo[] = (input.todos as Todo[]).map(
      ({ content, activeForm, status }) => ({
        content: (content ?? "").trim(),
        activeForm: (activeForm ?? "").trim(),
        status,
      }),
    );
    const broken = brokenRule(todos, before, t);
    if (broken) {
      return Promise.resolve({ ok: false, text: t("Todo list unchanged: {why}", { why: broken }) });
    }
    const text = [summary(todos, t), ...goneFrom(before, todos, t)].join("\n");
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
  t: T,
): string | undefined {
  const count = todos.length;
  if (count > ITEMS_AT_MOST) {
    return t("it has {count} items, at most {most} are kept; join small steps into larger items", {
      count,
      most: ITEMS_AT_MOST,
    });
  }
  const known = new Map<string, number>();
  for (const [i, todo] of todos.entries()) {
    const n = i + 1;
    for (const field of ["content", "activeForm"] as const) {
      if (todo[field] === "") {
        return t("item {n} has a blank {field}; content, activeForm and status are all required", {
          n,
          field,
        });
      }
    }
    if (!STATES.includes(todo.status)) {
      return t("item {n} has status {status}; it must be pending, in_progress or completed", {
        n,
        status: String(todo.status),
      });
    }
    const twin = known.get(todo.content);
    if (twin) {
      return t(
        "items {first} and {n} are both “{item}”; each item stands once: join them, or say in what they differ",
        { first: twin, n, item: todo.content },
      );
    }
    known.set(todo.content, n);
  }
  // a finished list makes room for the next, which may name the same steps
  const past = before.some((todo) => todo.status !== "completed") ? before : [];
  for (const [i, todo] of todos.entries()) {
    const old = past.find((each) => each.content === todo.content);
    if (old?.status === "completed" && todo.status !== "completed") {
      return t(
        "item {n} “{item}” was completed and cannot become {status} again; leave it completed and add a new item that says what is left to do",
        { n: i + 1, item: todo.content, status: todo.status },
      );
    }
  }
  const active = todos.flatMap((todo, i) => todo.status === "in_progress" ? [i + 1] : []);
  if (active.length > 1) {
    return t("items {which} are all in_progress; exactly one may be: set the others to pending", {
      which: active.join(", "),
    });
  }
  const open = todos.filter((todo) => todo.status !== "completed").length;
  if (open > 0 && active.length === 0) {
    return t(
      "of {open} open none is in_progress; exactly one must be: set the one you do next to in_progress",
      { open },
    );
  }
  return undefined;
}

/** Names what has left the list; a finished list makes room for the next without a word. */
function goneFrom(before: readonly Todo[], todos: readonly Todo[], t: T): string[] {
  const isOpen = (todo: Todo) => todo.status !== "completed";
  const gone = before.filter((old) => !todos.some((todo) => todo.content === old.content));
  const named = (text: Text, items: readonly Todo[]) => {
    if (items.length === 0) return [];
    return [t(text, { items: items.map((todo) => todo.content).join("; ") })];
  };
  const done = todos.length > 0 && before.some(isOpen) ? gone.filter((old) => !isOpen(old)) : [];
  return [
    ...named(
      "Note: these unfinished items are no longer on the list: {items}",
      gone.filter(isOpen),
    ),
    ...named(
      "Note: these completed items are no longer on the list (send the whole list): {items}",
      done,
    ),
  ];
}

function summary(todos: readonly Todo[], t: T): string {
  const total = todos.length;
  if (total === 0) return t("Todo list cleared");
  const now = todos.find((todo) => todo.status === "in_progress")?.activeForm;
  if (!now) return t("Todos: all {total} done", { total });
  const done = todos.filter((todo) => todo.status === "completed").length;
  return t("Todos: {done}/{total} done. Now: {now}", { done, total, now });
}
