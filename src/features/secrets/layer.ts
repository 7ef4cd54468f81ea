/**
 * Where secrets are kept from the model: it is told none and its words come without any, calls get
 * those that their placeholders stand for, and their results lose them.
 */
import { unbroken } from "../../agent/loop/calls.ts";
import type { Middleware } from "../../agent/middleware.ts";
import type {
  AssistantMessage,
  Echo,
  Message,
  ModelClient,
  ModelEvent,
  ModelRequest,
  Secrets,
} from "../../base/types.ts";
import { preparedCall } from "../../tools/toolbox.ts";

/**
 * The look for secrets where text leaves for the model, though the session has had one: a file may have
 * told of more since. The inputs of its calls come as the model wrote them: they are to be carried out.
 */
export function redactedModel(client: ModelClient, secrets: Secrets): ModelClient {
  const told = new WeakMap<object, object>();
  /** Once for each object: what was sent once is sent again, byte for byte. */
  const once = <T extends object>(value: T): T => {
    const before = told.get(value);
    if (before) return before as T;
    const safe = secrets.redactIn(value);
    told.set(value, safe);
    told.set(safe, safe);
    return safe;
  };
  let system = { given: "", told: "" };
  const veiled = (request: ModelRequest): ModelRequest => {
    if (system.given !== request.system) {
      system = { given: request.system, told: secrets.redact(request.system) };
    }
    return {
      ...request,
      system: system.told,
      tools: once(request.tools),
      messages: request.messages.map(message),
    };
  };
  const message = (given: Message): Message => {
    const safe = once(given);
    return safe === given || safe.role !== "assistant"
      ? safe
      : unbrokenMessage(given as typeof safe, safe);
  };
  return {
    async *stream(request, signal) {
      yield* redactedEvents(client.stream(veiled(request), signal), secrets);
    },
  };
}

/** What is signed may not be changed: then it is left out. */
function unbrokenMessage(given: AssistantMessage, safe: AssistantMessage): AssistantMessage {
  const thinking = safe.thinking.filter((one, at) =>
    one.signature === undefined || one.text === given.thinking[at]!.text
  );
  if (safe.echo === undefined || safe.echo === given.echo) return { ...safe, thinking };
  return { ...safe, thinking, echo: unbrokenEcho(given.echo!, safe.echo) };
}

function unbrokenEcho(given: Echo, safe: Echo): Echo {
  const details = given.details?.filter((one, at) => one === safe.details![at]);
  return { ...given, ...details === undefined ? {} : { details } };
}

async function* redactedEvents(
  events: AsyncIterable<ModelEvent>,
  secrets: Secrets,
): AsyncGenerator<ModelEvent> {
  let kind: "text" | "thinking" | undefined;
  let redactor = secrets.stream();
  /** What is held back, when nothing more of it comes. */
  const rest = function* (): Generator<ModelEvent> {
    const delta = kind === undefined ? "" : redactor.end();
    if (kind !== undefined && delta !== "") yield { type: kind, delta };
    kind = undefined;
  };
  try {
    for await (const event of events) {
      const { type } = event;
      if (type === "retry") {
        // what came is void
        kind = undefined;
        redactor = secrets.stream();
      } else if (type !== kind) yield* rest();
      if (type === "text" || type === "thinking") {
        kind = type;
        const delta = redactor.push(event.delta);
        if (delta !== "") yield { type, delta };
      } else if (type === "done") yield { ...event, message: answered(event.message, secrets) };
      else yield event;
    }
  } catch (error) {
    // what was said before counts
    yield* rest();
    throw error;
  }
}

function answered(message: Extract<ModelEvent, { type: "done" }>["message"], secrets: Secrets) {
  const { text, thinking, echo } = message;
  const told = { text, thinking, echo };
  const safe = secrets.redactIn(told);
  return safe === told ? message : unbrokenMessage(message, { ...message, ...safe });
}

/** Redacts what comes back from a call, where it enters; the first result of a session that had secrets says what stands for them. */
export function redactResults(): Middleware {
  return {
    name: "redact",
    async aroundCall(call, host, next) {
      // what is thrown on the way is a result too
      const result = await unbroken(call.what, host, () => next(call, host));
      const safe = host.secrets.redactIn(result);
      if (safe.text === result.text) return safe;
      const note = host.t(
        "(«secret:…» stands for a secret that is hidden from you; the real value is there. In Edit and Write of the same file use it as it stands.)",
      );
      const known = host.session.messages.some(({ text }) => text.endsWith(note));
      return known ? safe : { ...safe, text: `${safe.text}\n\n${note}` };
    },
  };
}

/** Gives a call the secrets that its placeholders stand for, on the file they come from only. */
export function restorePlaceholders(): Middleware {
  return {
    name: "restore",
    async aroundCall(call, host, next) {
      const { secrets } = host;
      let { what } = call;
      if (secrets.placeholdersIn(JSON.stringify(what.input)).length > 0) {
        const { restoreSecrets } = await import("./restore.ts");
        const restored = await restoreSecrets(what, host);
        if (typeof restored === "string") return { ok: false, text: restored };
        // with its secrets the command is another text: here, and nowhere else, it is analysed again
        if (restored !== what) what = preparedCall(restored.tool, restored.input);
      }
      const result = await next(what === call.what ? call : { ...call, what }, host);
      // it may have brought a file with secrets into being, and shown it
      if (!what.tool.readOnly && what.tool.needs.length > 0) secrets.refresh();
      return result;
    },
  };
}
