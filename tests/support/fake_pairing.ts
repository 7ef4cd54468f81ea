/** Says what is wrong with the pairing of tool calls and results in a request body, for both protocols. */
// deno-lint-ignore no-explicit-any -- the wire form, read freely
export function pairingErrorsOf(body: any): string[] {
  if (!Array.isArray(body?.messages)) return ["no messages"];
  const errors: string[] = [];
  const asked = new Set<string>();
  let open: string[] = [];
  for (const [at, message] of body.messages.entries()) {
    const answered = resultIds(message);
    if (open.length > 0 && message.role !== "tool" && answered.length === 0) {
      errors.push(`message ${at}: no result for ${open.join(", ")}`);
      open = [];
    }
    for (const id of answered) {
      if (!open.includes(id)) errors.push(`message ${at}: result without an open call: ${id}`);
      open = open.filter((one) => one !== id);
    }
    if (message.role === "user" && open.length > 0) {
      errors.push(`message ${at}: no result for ${open.join(", ")}`);
      open = [];
    }
    for (const id of callIds(message)) {
      if (typeof id !== "string" || !id) errors.push(`message ${at}: a call without id`);
      if (asked.has(id)) errors.push(`message ${at}: call id used twice: ${id}`);
      asked.add(id);
      open.push(id);
    }
    if (resultAfterText(message)) errors.push(`message ${at}: tool_result after other blocks`);
    const before = body.messages[at - 1];
    if (Array.isArray(message.content) && before?.role === message.role) {
      errors.push(`message ${at}: two ${message.role} messages in a row`);
    }
  }
  if (open.length > 0) errors.push(`end: no result for ${open.join(", ")}`);
  return errors;
}

// deno-lint-ignore no-explicit-any -- the wire form
function callIds(message: any): string[] {
  if (message.role !== "assistant") return [];
  const blocks = Array.isArray(message.content) ? message.content : [];
  return [
    // deno-lint-ignore no-explicit-any -- the wire form
    ...(message.tool_calls ?? []).map((call: any) => call.id),
    // deno-lint-ignore no-explicit-any -- the wire form
    ...blocks.filter((one: any) => one.type === "tool_use").map((one: any) => one.id),
  ];
}

// deno-lint-ignore no-explicit-any -- the wire form
function resultIds(message: any): string[] {
  if (message.role === "tool") return [message.tool_call_id];
  if (message.role !== "user" || !Array.isArray(message.content)) return [];
  return message.content
    // deno-lint-ignore no-explicit-any -- the wire form
    .filter((one: any) => one.type === "tool_result").map((one: any) => one.tool_use_id);
}

// deno-lint-ignore no-explicit-any -- the wire form
function resultAfterText(message: any): boolean {
  if (message.role !== "user" || !Array.isArray(message.content)) return false;
  let other = false;
  for (const block of message.content) {
    if (block.type !== "tool_result") other = true;
    else if (other) return true;
  }
  return false;
}
