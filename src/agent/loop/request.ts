/**
 * One request to a model: the images it may carry, what is told of a call while the model writes
 * it, what it has cost, and its lines in the log.
 */
import type { T } from "../../base/t.ts";
import type {
  ContextManager,
  EventBody,
  Image,
  Message,
  ModelClient,
  ModelEvent,
  Share,
  Toolbox,
  ToolChoice,
  Usage,
} from "../../base/types.ts";
import type { SessionFile } from "../../session/store.ts";
import { type Budget, expectedUsage, streamedTokens } from "../budget.ts";

/** Between two tellings of how far a call has been written. */
const WRITING_MS = 1000;
/** Of a call's input, in which its path is looked for; one with escapes in it is not told. */
const BEGINNING_CHARS = 4000;
const PATH = /"(?:file_?path|path)"\s*:\s*"([^"\\]+)"/i;

interface Writing {
  begin(name: string): void;
  /** More of the input of the call that began last; of a summary before any has begun. */
  more(delta: string): void;
  /** Tells now how far it is. */
  tell(): void;
}

/** Tells every second how much of the call that the model is writing has come. */
export function createWriting(
  { emit, now }: { emit(event: EventBody): void; now(): number },
): Writing {
  let name = "";
  let chars = 0;
  let beginning = "";
  let told = now();
  const tell = () => {
    told = now();
    const path = name === "" ? undefined : PATH.exec(beginning)?.[1];
    emit({ type: "writing", name, chars, ...path === undefined ? {} : { path } });
  };
  return {
    tell,
    begin(next: string): void {
      name = next;
      chars = 0;
      beginning = "";
    },
    more(delta: string): void {
      chars += delta.length;
      if (beginning.length < BEGINNING_CHARS) beginning += delta;
      if (now() - told >= WRITING_MS) tell();
    },
  };
}

/** Anthropic takes smaller ones only when a request has more than 20. */
const IMAGES_AT_MOST = 20;
/** Characters of base64; the tightest provider known takes 20 MB a request. */
const CHARS_AT_MOST = 16_000_000;

/**
 * Keeps a result's images while the session has room for them, as a request that is too large would
 * end it; else says why they are left out. Every request carries all images of the session.
 */
export function withRoomFor(
  images: readonly Image[] | undefined,
  messages: readonly Message[],
  t: T,
): {
  readonly images: { readonly images?: readonly Image[] };
  readonly note: string;
  /** For the user. */
  readonly notices: readonly string[];
} {
  if (!images || images.length === 0) return { images: {}, note: "", notices: [] };
  const all = messages.flatMap((one) => one.role === "assistant" ? [] : one.images ?? []);
  const count = all.length;
  all.push(...images);
  const chars = all.reduce((sum, { data }) => sum + data.length, 0);
  return all.length <= IMAGES_AT_MOST && chars <= CHARS_AT_MOST
    ? { images: { images }, note: "", notices: [] }
    : {
      images: {},
      note: "\n" +
        t(
          "Its picture is left out: this conversation carries {count} {count:image|images} and can take no more. Go on with what you have seen, or tell the user to start a new one (/clear) for it.",
          { count },
        ),
      notices: [
        t(
          "An image was not sent: this session carries {count} already and can take no more. /new starts another one",
          { count },
        ),
      ],
    };
}

/** How many images of a session do not go out with a request: its model takes none of their types. */
export function unsentImages(messages: readonly Message[], types: readonly string[]): number {
  return messages.flatMap((one) => one.role === "assistant" ? [] : one.images ?? [])
    .filter(({ mediaType }) => !types.includes(mediaType)).length;
}

/** What the log says of an answered request. */
export function responseLine({ input, output, cached, cost }: Usage, ms: number, t: T) {
  const dollars = cost === null ? "unknown" : `$${cost.toFixed(4)}`;
  return t(
    "response done, tokens_out={output}, cost={cost}, tokens_in={input}, cached={cached}, latency={ms}ms",
    { output, cost: dollars, input, cached, ms: Math.round(ms) },
  );
}

/** `base 1200, definitions 1900, user 30, Read 4100`: what the window is filled with. */
export function shareLine(shares: readonly Share[]): string {
  return shares.map(({ kind, name, tokens }) => `${name || kind} ${tokens}`).join(", ");
}

/** As much of a budget as one request needs. */
export type RequestBudget = Pick<Budget, "priceOf" | "count" | "over">;

export interface RequestParts {
  readonly session: SessionFile;
  readonly contextManager: ContextManager;
  readonly model: ModelClient;
  readonly modelName: string;
  readonly toolbox: Toolbox;
  readonly budget: RequestBudget;
  readonly signal: AbortSignal;
  /** The session is closed: what it costs is not counted on it. */
  readonly closed?: boolean;
  /** As in ModelRequest. */
  readonly onSent?: () => void;
  emit(event: EventBody): void;
}

/**
 * Asks the model; every request to one goes through here. It is counted on the day. Of an answer that
 * broke off no provider tells the tokens, but it is paid for: they are estimated, and counted on the
 * session too, as are those of a server that tells none; where nothing came, nothing is known to have
 * been spent.
 */
export async function* request(
  parts: RequestParts,
  messages: readonly Message[],
  toolChoice: ToolChoice,
): AsyncGenerator<ModelEvent> {
  const { session, contextManager, modelName, budget, signal } = parts;
  let streamed = "";
  const estimated = async (): Promise<Usage> => {
    const { input, cached } = expectedUsage(session, contextManager.estimate(session));
    const tokens = { input, cached, output: streamedTokens(streamed) };
    streamed = "";
    return { ...tokens, cost: await budget.priceOf(modelName, tokens) };
  };
  const broken = async () => {
    if (streamed === "") return;
    const usage = await estimated();
    if (!parts.closed) session.spend(usage);
    parts.emit({ type: "usage", ...usage });
    await budget.count(usage, modelName);
  };
  try {
    const stream = parts.model.stream({
      model: modelName,
      system: contextManager.system(),
      tools: parts.toolbox.definitions,
      messages,
      toolChoice,
      ...parts.onSent ? { onSent: parts.onSent } : {},
    }, signal);
    for await (const event of stream) {
      const { type } = event;
      if (type === "text" || type === "thinking" || type === "input") streamed += event.delta;
      else if (type === "retry") await broken();
      else if (type === "done") {
        // some servers tell no tokens
        const usage = event.usage.input > 0 ? event.usage : await estimated();
        streamed = "";
        await budget.count(usage, modelName);
        yield { ...event, usage };
        continue;
      }
      yield event;
    }
  } finally {
    await broken();
  }
}
