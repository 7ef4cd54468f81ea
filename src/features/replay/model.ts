/** The recorded model: it says again what a model said, one answer a request. */
import type { ModelClient, RecordedAnswer } from "../../base/types.ts";
import { ModelError } from "../../base/types.ts";

export interface ReplayHost {
  /** Called as an answer that is whole ends, with its place from 0. */
  answered(index: number): void;
  /** The turn is to be stopped now. */
  stop(): void;
}

/**
 * Answers request after request as recorded, whatever they say. Throws ModelError "refused" behind
 * the last one.
 */
export function replayModel(answers: readonly RecordedAnswer[], host: ReplayHost): ModelClient {
  let next = 0;
  return {
    async *stream(_request, signal) {
      signal.throwIfAborted();
      const index = next++;
      const answer = answers[index];
      if (!answer) throw new ModelError("refused", "the recording has no more answers");
      if (answer.kind === "error") throw new ModelError(answer.error, answer.text);
      const text = answer.kind === "stopped" ? answer.text : answer.message.text;
      if (text !== "") yield { type: "text", delta: text };
      if (answer.kind === "stopped") {
        const stopped = new Promise<never>((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason), { once: true })
        );
        host.stop();
        return await stopped;
      }
      for (const { name } of answer.message.calls) yield { type: "call", name };
      host.answered(index);
      yield { type: "done", message: answer.message, usage: answer.usage, stop: answer.stop };
    },
  };
}
