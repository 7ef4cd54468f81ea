import { english, type T } from "../../src/base/t.ts";
import type { AssistantMessage, Message, ModelRequest, Usage } from "../../src/base/types.ts";
import { demoModel } from "../../src/models/demo.ts";
import { createSearcher } from "../../src/search/mod.ts";
import { bashTool } from "../../src/tools/bash/bash.ts";
import { edit } from "../../src/tools/edit/edit.ts";
import { globTool } from "../../src/tools/glob/glob.ts";
import { grepTool } from "../../src/tools/grep/grep.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { read } from "../../src/tools/read/read.ts";
import { todoWrite } from "../../src/tools/todo_write.ts";
import { write } from "../../src/tools/write/write.ts";
import { ToolRunner } from "../support/tool_context.ts";

/** A conversation between the demo model and the real tools, without the loop around them. */
export class DemoTalk {
  readonly messages: Message[] = [];
  readonly usages: Usage[] = [];
  readonly runner: ToolRunner;
  readonly #searcher = createSearcher({
    entry: import.meta.resolve("../../main.ts"),
    workers: 1,
  });
  readonly #tools = [
    read,
    write,
    edit,
    globTool(this.#searcher),
    grepTool(this.#searcher),
    bashTool(),
    todoWrite,
  ];
  /** Tools left out. */
  without: readonly string[] = [];

  constructor(root: string, t: T = english) {
    this.runner = new ToolRunner(root);
    const cache = Deno.env.get("DENO_DIR");
    const { env } = this.runner.context();
    this.runner.overrides = { t, env: cache ? { ...env, DENO_DIR: cache } : env };
  }

  [Symbol.dispose](): void {
    this.#searcher.close();
  }

  /** Asks, runs every call, and returns the final answer. */
  async ask(text: string): Promise<string> {
    this.messages.push({ role: "user", text });
    for (;;) {
      const message = await this.step();
      if (message.calls.length === 0) return message.text;
    }
  }

  /** One model call, and the calls it asks for. */
  async step(toolChoice: "auto" | "none" = "auto"): Promise<AssistantMessage> {
    const message = await answerOf(this.request(toolChoice), (usage) => this.usages.push(usage));
    this.messages.push(message);
    const toolbox = createToolbox(this.#tools);
    for (const { id, name, input } of message.calls) {
      const what = toolbox.prepare(name, input, this.runner.context().t);
      const result = typeof what === "string"
        ? { ok: false, text: what }
        : await this.runner.run(what.tool, what.input);
      this.messages.push({ role: "tool", id, name, ok: result.ok, text: result.text });
    }
    return message;
  }

  request(toolChoice: "auto" | "none" = "auto"): ModelRequest {
    const tools = createToolbox(this.#tools).definitions;
    return {
      model: "demo",
      system: "You are narnat.",
      tools: tools.filter((tool) => !this.without.includes(tool.name)),
      messages: [...this.messages],
      toolChoice,
    };
  }

  /** Names of the tools called so far. */
  get called(): string[] {
    return this.messages.flatMap((m) => m.role === "assistant" ? m.calls.map((c) => c.name) : []);
  }
}

/** The message a fresh demo model answers a request with. */
export async function answerOf(
  request: ModelRequest,
  onUsage: (usage: Usage) => void = () => {},
): Promise<AssistantMessage> {
  let text = "";
  for await (const event of demoModel().stream(request, new AbortController().signal)) {
    if (event.type === "text") text += event.delta;
    if (event.type !== "done") continue;
    onUsage(event.usage);
    if (text !== event.message.text) throw new Error("what was streamed is not the message");
    return event.message;
  }
  throw new Error("the stream ended without done");
}
