import type { Todo } from "../../base/types.ts";
import { clip } from "../../base/control_characters.ts";
import { cut, type Look, type Row } from "./rows.ts";

/** The todo panel, at most `max` rows: what is done folds first, then what comes last; one row tells what is being done. */
export function todoRows(todos: readonly Todo[], look: Look, max: number): Row[] {
  const { style } = look;
  const row = (todo: Todo): Row => {
    const text = clip(todo.status === "in_progress" ? todo.activeForm : todo.content);
    switch (todo.status) {
      case "completed":
        return cut(style.dim(`  ✓ ${text}`));
      case "in_progress":
        return cut(style.cyan(`  ▸ ${style.bold(text)}`));
      case "pending":
        return cut(`  ○ ${text}`);
    }
  };
  if (todos.length <= max) return todos.map(row);
  if (max === 1) {
    const now = todos.find(({ status }) => status === "in_progress") ??
      todos.find(({ status }) => status === "pending") ?? todos.at(-1)!;
    const done = todos.filter(({ status }) => status === "completed").length;
    return [{ ...row(now), end: style.dim(` · ${done}/${todos.length}`) }];
  }
  const left = todos.filter((todo) => todo.status !== "completed");
  const done = todos.length - left.length;
  const rows = done > 0 ? [cut(style.dim(`  ✓ ${look.t("{count} done", { count: done })}`))] : [];
  const room = Math.max(1, max - rows.length);
  if (left.length <= room) return [...rows, ...left.map(row)];
  const shown = left.slice(0, room - 1);
  const more = look.t("… {count} more", { count: left.length - shown.length });
  return [...rows, ...shown.map(row), cut(style.dim(`  ${more}`))];
}

/** What a panel shows of a list at rest: nothing when all is done. */
export function openTodos(todos: readonly Todo[]): readonly Todo[] {
  return todos.every((todo) => todo.status === "completed") ? [] : todos;
}
