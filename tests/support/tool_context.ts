import { english } from "../../src/base/t.ts";
import type {
  Question,
  SeenFile,
  Tool,
  ToolContext,
  ToolInput,
  ToolResult,
} from "../../src/base/types.ts";

/**
 * A ToolContext over a real folder that remembers what tools report, as a session would:
 * `run()` applies `seen`, `todos` and `cwd` of each result.
 */
export class ToolRunner {
  readonly seen = new Map<string, SeenFile>();
  readonly questions: Question[] = [];
  readonly progress: string[] = [];
  readonly workspace: string;
  /** What `ask` answers. */
  answer = false;
  overrides: Partial<ToolContext> = {};

  constructor(workspace: string) {
    this.workspace = workspace;
  }

  context(): ToolContext {
    return {
      lane: "main",
      planned: false,
      workspace: this.workspace,
      cwd: this.workspace,
      t: english,
      permission: "open",
      signal: new AbortController().signal,
      seen: this.seen,
      todos: [],
      imageTypes: [],
      outputDir: this.workspace + "/.narnat/outputs",
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: this.workspace, LANG: "C.UTF-8" },
      ask: (question) => {
        this.questions.push(question);
        return Promise.resolve(this.answer);
      },
      fill: (question) => {
        this.questions.push(question);
        return Promise.resolve(this.answer ? {} : undefined);
      },
      progress: (text) => void this.progress.push(text),
      ...this.overrides,
    };
  }

  async run(tool: Tool, input: ToolInput): Promise<ToolResult> {
    const result = await tool.run(input, this.context());
    for (const file of result.seen ?? []) this.seen.set(file.path, file);
    if (result.todos) this.overrides = { ...this.overrides, todos: result.todos };
    if (result.cwd) this.overrides = { ...this.overrides, cwd: result.cwd };
    return result;
  }
}
