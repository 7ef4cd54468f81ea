import { say } from "../text.ts";
import type { Lang, Todo, Tool } from "../types.ts";

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
  aliases: ["todo_write"],
  run(input, { lang, todos: before }) {
    const todos: readonly Todo[] = (input.todos as Todo[]).map((
      { content, activeForm, status },
    ) => (
      { content, activeForm, status }
    ));
    const broken = brokenRule(todos, lang);
    if (broken) return Promise.resolve({ ok: false, text: broken });
    const dropped = before.filter((old) =>
      old.status !== "completed" && !todos.some((todo) => todo.content === old.content)
    );
    const items = dropped.map((todo) => todo.content).join("; ");
    const note = dropped.length > 0 ? "\n" + say(lang, "todo.dropped", { items }) : "";
    const text = summary(todos, lang) + note;
    return Promise.resolve({ ok: true, text, todos, detail: { kind: "todos", todos } });
  },
};

/** The first rule the list breaks, as the error for the model. */
function brokenRule(todos: readonly Todo[], lang: Lang): string | undefined {
  for (const [i, todo] of todos.entries()) {
    const n = i + 1;
    for (const field of ["content", "activeForm"] as const) {
      if (!todo[field]?.trim()) return say(lang, "todo.blank", { n, field });
    }
    if (!["pending", "in_progress", "completed"].includes(todo.status)) {
      return say(lang, "todo.status", { n, status: String(todo.status) });
    }
  }
  const active = todos.flatMap((todo, i) => todo.status === "in_progress" ? [i + 1] : []);
  if (active.length > 1) return say(lang, "todo.many_in_progress", { which: active.join(", ") });
  const open = todos.filter((todo) => todo.status !== "completed").length;
  if (open > 0 && active.length === 0) return say(lang, "todo.none_in_progress", { open });
  return undefined;
}

function summary(todos: readonly Todo[], lang: Lang): string {
  const total = todos.length;
  if (total === 0) return say(lang, "todo.cleared");
  const now = todos.find((todo) => todo.status === "in_progress")?.activeForm;
  if (!now) return say(lang, "todo.all_done", { total });
  const done = todos.filter((todo) => todo.status === "completed").length;
  return say(lang, "todo.progress", { done, total, now });
}
