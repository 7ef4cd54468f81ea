/** Why a model stopped, in the words of providers and of the gateways before them. */
import type { StopReason } from "../../base/types.ts";

const CUT = /^(?:length|(?:max|model)_?(?:output_?)?(?:tokens|length)|token_limit|incomplete)$/i;

const REFUSED = new RegExp(
  "^(?:content[_-]?filter(?:ed)?|sensitive|refusal|(?:image_)?safety|recitation|blocklist|blocked|" +
    "prohibited_content|spii|guardrail_intervened|error_toxic|data_inspection_failed)$",
  "i",
);

/** The answer broke off: DeepSeek, Zhipu, OpenRouter, vLLM, Gemini. */
const BROKEN = new RegExp(
  "^(?:insufficient_system_resource|network_error|(?:server_)?error|abort(?:ed)?|" +
    "timeout|(?:.*[: ])?malformed_(?:function_call|response))$",
  "i",
);

/** What a reason and the calls of an answer come to. */
export function stopOf(reason: string, calls: boolean): StopReason {
  if (CUT.test(reason)) return "length";
  if (REFUSED.test(reason)) return "refused";
  // some providers say "stop" although they call, others "tool_calls" although they do not
  return calls ? "calls" : "end";
}

/** Whether a reason tells that the answer is not whole, so that another try may bring it. */
export function isBroken(reason: string): boolean {
  return BROKEN.test(reason);
}
