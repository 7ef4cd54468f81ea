/** The nouns of narnat. This file imports only the type of `t`; every room speaks in these words. */
import type { T } from "./t.ts";

/** Colours for a light or a dark terminal, none, or what the terminal says of itself. */
export type Theme = "light" | "dark" | "none" | "auto";

/** A value that survives `JSON.stringify`. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

// ---------------------------------------------------------------- messages

/** A tool call as the model made it. `input` is the raw JSON text, exactly as received, so that it is sent back unchanged. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  /** Provider fields we do not understand, echoed on the wire (Gemini's `extra_content`). */
  readonly extra?: { readonly [key: string]: Json };
}

/** One block of a model's thinking. `signature` and `redacted` belong to the Messages protocol and are sent back verbatim. */
export interface Thinking {
  readonly text: string;
  readonly signature?: string;
  readonly redacted?: string;
}

export interface UserMessage {
  readonly role: "user";
  readonly text: string;
  /** Of a file the user attached; `text` alone must say what they are. */
  readonly images?: readonly Image[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly thinking: readonly Thinking[];
  readonly echo?: Echo;
}

/** What goes back to where an answer came from and to nobody else, with the calls' `extra`. */
export interface Echo {
  /** Host name with port. */
  readonly host: string;
  readonly model: string;
  /** `reasoning_details` as OpenRouter and others send them, their pieces put together. */
  readonly details?: readonly Json[];
}

/** An image, as it is stored and sent. */
export interface Image {
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  readonly mediaType: string;
  /** The file's bytes in base64. */
  readonly data: string;
}

export interface ToolMessage {
  readonly role: "tool";
  /** The id of the call this answers. */
  readonly id: string;
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
  /** Sent with the text where the model takes them; `text` alone must say what they are. */
  readonly images?: readonly Image[];
}

/** What is stored and sent; the wire form is the model room's business. The system prompt is not a message. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Tokens of one or more requests. `input` includes `cached`. `cost` is in US dollars, null when the price is not known. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cost: number | null;
}

// ---------------------------------------------------------------- model

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
}

export type ToolChoice = "auto" | "unwanted" | "none";

export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
  /**
   * The tools always stay in the request, as the prefix must not change. `none`: they may not be
   * called; `unwanted`: the same, but only where saying so loses no cached prefix.
   */
  readonly toolChoice?: ToolChoice;
  /** Called when the provider has it; a client that cannot tell may leave that to its first event. */
  readonly onSent?: () => void;
}

/** `end`: finished; `calls`: wants tools; `length`: cut at the output limit; `refused`: the provider's filter. */
export type StopReason = "end" | "calls" | "length" | "refused";

export type ModelEvent =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  /** What came as text since the request began was thinking. */
  | { readonly type: "thought" }
  /** A call has begun to arrive; for the screen only, the call itself is in `done`. */
  | { readonly type: "call"; readonly name: string }
  /** More of the input of the call that is arriving; for the screen too. */
  | { readonly type: "input"; readonly delta: string }
  /** A retry is about to be waited for; everything streamed since the request began is void. */
  | {
    readonly type: "retry";
    readonly attempt: number;
    readonly waitMs: number;
    readonly kind: ModelErrorKind;
    readonly text: string;
  }
  /** Always last; a stream that ends without it has thrown. */
  | {
    readonly type: "done";
    readonly message: AssistantMessage;
    readonly usage: Usage;
    readonly stop: StopReason;
  };

export type ModelErrorKind =
  /** 401, 403, no key. */
  | "auth"
  /** 429 and overloaded. */
  | "rate"
  /** Refused connection, reset, cut or stalled stream, 5xx. */
  | "network"
  /** The conversation does not fit the model's window. */
  | "overflow"
  /** The provider will not answer this request: unknown model, bad request, no credit, content filter. */
  | "refused"
  /** The answer is not in the protocol: HTML, plain JSON, malformed chunks. */
  | "protocol";

/** The models there are besides the one at hand. */
export interface Models {
  /** Names; throws when the provider does not tell. */
  list(signal?: AbortSignal): Promise<readonly string[]>;
  /** Throws when it cannot be had as configured. */
  open(name: string): Promise<OpenModel>;
  /** Host that a model is asked at; empty for one that asks nobody. */
  hostOf(name: string): string;
}

/** A model that can be asked, and the media types of the images it takes. */
export interface OpenModel {
  readonly client: ModelClient;
  readonly imageTypes: readonly string[];
}

/** The only error a ModelClient throws, apart from the signal's own abort reason. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly kind: ModelErrorKind;
  /** HTTP status, 0 when there was none. */
  readonly status: number;
  /** What the server asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    more: { status?: number; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.status = more.status ?? 0;
    this.retryAfterMs = more.retryAfterMs;
  }
}

export interface ModelClient {
  /** Yields events and ends with `done`. Throws ModelError, or `signal.reason` when aborted. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

// ---------------------------------------------------------------- tools

/** The subset of JSON Schema that tool inputs use. */
export interface JsonSchema {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly description?: string;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly items?: JsonSchema;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
}

export interface Todo {
  readonly content: string;
  readonly activeForm: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** A file whose content the model has seen. */
export interface SeenFile {
  /** Real, absolute path. */
  readonly path: string;
  /** Which content it is: `versionOf` of workspace/version.ts. */
  readonly hash: string;
  /** The ranges of lines (first, last; from 1) that Read has shown of this content. */
  readonly shown?: readonly (readonly [first: number, last: number])[];
  /** All of its lines have been shown, or were written by the model itself. */
  readonly whole?: true;
}

/** What the targets of a question hold, counted in short time. */
export interface Stakes {
  readonly files: number;
  readonly folders: number;
  /** Of the files together. */
  readonly bytes: number;
  /** True when the counting was cut short: the counts are the least there is. */
  readonly more: boolean;
  /** How many targets lie outside the workspace. */
  readonly outside: number;
  /** Files that git could not bring back: untracked, ignored, or changed since the last commit; absent where git does not tell. */
  readonly notInGit?: number;
  /** A repository goes with its history: git brings none of its files back. */
  readonly history?: boolean;
  /** A target is, or holds, the whole of this. */
  readonly whole?: "root" | "home" | "workspace";
  /** What narnat itself keeps here goes too: sessions, checkpoints, trash. */
  readonly own?: boolean;
  /** Not all that is counted goes: the counts are the most there is. */
  readonly some?: boolean;
}

/** Something to be filled in. */
export interface Field {
  readonly name: string;
  /** In words for the user. */
  readonly label: string;
  /** `lines`: a list, an item a line; `choices`: any of them. */
  readonly type: "text" | "lines" | "number" | "integer" | "boolean" | "choice" | "choices";
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** What it holds when nobody changes it. */
  readonly value?: Json;
  readonly required?: boolean;
  /** Of the number, the characters of a text, or the items of a list. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Of a text. */
  readonly format?: "email" | "uri" | "date" | "date-time";
}

/** The fields of a question by their names. */
export type Filled = { readonly [field: string]: Json };

/** Yes, No, or what was filled in, which is a Yes. */
export type Answer = boolean | Filled;

/** Something a person must decide. The answer is yes or no; no answer is no. */
export interface Question {
  readonly kind: "delete" | "danger" | "tool" | "trust" | "plan" | "input" | "undo" | "budget";
  readonly question: string;
  /** What has been done already, in a sentence: No takes it back. */
  readonly done?: string;
  readonly command?: string;
  /** What a Yes may be accompanied by; the fields as they are when it is not. */
  readonly fields?: readonly Field[];
  /** The user has asked for the question: its fields are shown at once. */
  readonly direct?: true;
  /** The tool call it is about, whole. */
  readonly call?: { readonly name: string; readonly input: Json };
  /** Resolved absolute paths, where known. */
  readonly targets?: readonly string[];
  readonly stakes?: Stakes;
}

export type Permission = "open" | "guarded" | "ask";

/** Where what commands delete is kept. */
export interface Trash {
  readonly dir: string;
  /** Keeps what `rm` in a command is about to take away, as far as that can be. Rejects on a stop only. */
  keep(deletes: Deletes, command: string, context: ToolContext): Promise<KeptDeletes | undefined>;
}

/** What a command is about to delete by name. */
export interface Deletes {
  /** Absolute paths, which may hold wildcards; any other is not known for sure. */
  readonly unlinked: readonly string[];
  /** The programs that delete, with commas between them. */
  readonly values: { readonly names?: string };
}

/** What was made ready before a command that deletes. */
export interface KeptDeletes {
  /** The line for the model and the person, once the command has ended; undefined where nothing is to be said. */
  ended(): Promise<string | undefined>;
  /** The same while it still runs. */
  begun(): string | undefined;
}

/** What a tool may know and do besides its input. */
export interface ToolContext {
  /** Key of the lane that calls. */
  readonly lane: string;
  /** A step of a plan is being carried out, or what a hook asked for: no plan is made of it. */
  readonly planned: boolean;
  /** Real, absolute path of the workspace. */
  readonly workspace: string;
  /** Folder in which shell commands run; starts as the workspace. */
  readonly cwd: string;
  readonly t: T;
  readonly permission: Permission;
  readonly signal: AbortSignal;
  /** Keyed by real path. */
  readonly seen: ReadonlyMap<string, SeenFile>;
  readonly todos: readonly Todo[];
  /** Media types of the images that the session's model takes; none for a model that reads text only. */
  readonly imageTypes: readonly string[];
  /** Folder for the full copy of output that was cut; may not exist yet, its parents neither. */
  readonly outputDir: string;
  /** Where deletes are kept, and for which turn of which session; nowhere when left out. */
  readonly trash?: Trash & { readonly session: string; readonly turn: number };
  /** Looks at what commands have taken away; nobody does when left out. */
  readonly disk?: DiskWatch;
  /** Environment for child processes, without provider keys. */
  readonly env: { readonly [name: string]: string };
  /** Of the call's shell command. */
  readonly analysis?: CallAnalysis;
  /** The user asked for this call with a line: what only teaches a model its tools does not apply. */
  readonly typed?: boolean;
  /** No file outside of the workspace may be used. */
  readonly workspaceOnly?: boolean;
  ask(question: Question): Promise<boolean>;
  /** Asks for the question's fields too; undefined for a No. */
  fill(question: Question): Promise<Filled | undefined>;
  /** For the screen only; never reaches the model. */
  progress(text: string): void;
  /** Puts placeholders for secrets, for a tool that keeps a copy of its own. */
  redact?(text: string): string;
}

/** One match (seed 001). */
export interface Hit {
  /** As the result names it. */
  readonly path: string;
  /** From 1, in characters (UTF-16) within the line where the match begins. */
  readonly line: number;
  readonly col: number;
  readonly match: string;
}

/** What the screen shows of a result. */
export type Detail =
  | {
    readonly kind: "diff";
    readonly path: string;
    readonly added: number;
    readonly removed: number;
    /** Unified diff without file headers. */
    readonly diff: string;
  }
  | {
    readonly kind: "command";
    readonly exit: number | null;
    readonly signal?: string;
    readonly timedOut?: boolean;
    readonly output?: string;
    /** Lines that were written, where `output` leaves some out. */
    readonly lines?: number;
    /** What came of it besides, for people: always shown. */
    readonly note?: string;
    /** Paths that it has deleted or emptied without a Yes, and that were brought back. */
    readonly restored?: readonly string[];
    /** The exit is not that of the test or build in it: a pipe or a later command hides it. */
    readonly masked?: true;
    /** Of a job that was asked about: what it runs, and for how long it has. */
    readonly job?: { readonly command: string; readonly ms: number };
  }
  | { readonly kind: "lines"; readonly count: number; readonly path?: string }
  | {
    readonly kind: "matches";
    readonly count: number;
    readonly files: number;
    /** Of Grep's `content` mode: where the first ones stand, those that are not shown among them. */
    readonly hits?: readonly Hit[];
  }
  | { readonly kind: "todos"; readonly todos: readonly Todo[] }
  | { readonly kind: "page"; readonly url: string; readonly bytes: number }
  /** The user said No; nothing was run. */
  | { readonly kind: "declined" }
  /** It may not be called now; nothing was run. */
  | { readonly kind: "barred" };

/** `text` is for the model, `detail` for the screen. State changes ride home here; tools never touch the session. */
export interface ToolResult {
  readonly ok: boolean;
  readonly text: string;
  /** For the model too; only of `ToolContext.imageTypes`, and such as surely decode. */
  readonly images?: readonly Image[];
  /** For the user alone: what came of the call that its row does not show. */
  readonly notices?: readonly string[];
  readonly detail?: Detail;
  readonly seen?: readonly SeenFile[];
  readonly todos?: readonly Todo[];
  readonly cwd?: string;
  /** Workspace-relative paths this call changed, for the verification reminder. */
  readonly changed?: readonly string[];
  /** True when this call ran something that can verify changes (a test, a build, a run). */
  readonly verified?: boolean;
  /** A plan: the turn ends here, and each step is asked in a turn of its own. */
  readonly steps?: readonly string[];
}

/** One tool. Input has been validated against `input` before `run` is called. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** Read-only calls that stand next to each other run in parallel. */
  readonly readOnly: boolean;
  /** Deno permissions without which the tool is not offered. */
  readonly needs: readonly ("read" | "write" | "run" | "net")[];
  /** Other agents' names for this tool (`read_file`); accepted on input, never shown. */
  readonly aliases?: readonly string[];
  /**
   * Whether it surely changes nothing with this input, although it is not read-only; with `where`
   * by no program of the project's either.
   */
  onlyReads?(
    input: ToolInput,
    where?: Pick<ToolContext, "cwd" | "workspace" | "env">,
    analysis?: CallAnalysis,
  ): Promise<boolean>;
  /** How the shell command of a call is analysed, when that is first asked for. */
  analyse?(input: ToolInput): CallAnalysis;
  /** Rewrites other agents' parameter spellings into ours, before validation. */
  adapt?(input: ToolInput): ToolInput;
  /** Whether `run` asks the user about this input itself, so that no question need come before. */
  asks?(input: ToolInput, context: ToolContext): Promise<boolean>;
  run(input: ToolInput, context: ToolContext): Promise<ToolResult>;
  /** A call begins to arrive: loads what it will need. Never throws. */
  warm?(): void;
  /** Whether a call may run beside its neighbours that may, though the tool is not read-only. */
  parallel?(
    input: ToolInput,
    where: Pick<ToolContext, "cwd" | "workspace" | "env">,
    analysis?: CallAnalysis,
  ): Promise<boolean>;
  /** Whoever runs it checks its input. */
  readonly unchecked?: true;
  /** It ends by itself, or when it is stopped: no limit of time holds. */
  readonly unlimited?: true;
  /**
   * A placeholder in its input is turned back into the secret that the file it changes holds, or that
   * one of the files its command names holds; a call of any other tool that needs something is refused.
   */
  readonly givenSecrets?: "file" | "command";
}

// deno-lint-ignore no-explicit-any -- validated against the tool's schema before run()
export type ToolInput = Record<string, any>;

/** The tools a session has, in the order the model sees them. */
export interface Toolbox {
  /** The same from one `refresh` to the next. */
  readonly definitions: readonly ToolDefinition[];
  /**
   * Called before each turn: takes in the tools that have come, and drops those that have gone;
   * returns what is to be told of it.
   */
  refresh?(signal: AbortSignal): Promise<readonly string[]>;
  /** Finds the tool by name or alias, parses and validates the raw input; a string is the error for the model. */
  prepare(name: string, input: string, t: T): PreparedCall | string;
}

export interface PreparedCall {
  readonly tool: Tool;
  readonly input: ToolInput;
  /** What is known of its shell command, for all who judge the call. */
  readonly analysis?: CallAnalysis;
}

/** What is known of a shell command; each thing is found out once. */
export interface CommandAnalysis {
  readonly command: string;
}

/** Made when it is first asked for, and the same one from then on. */
export type CallAnalysis = () => Promise<CommandAnalysis>;

// ---------------------------------------------------------------- in and out

/** What a person submits. */
export interface Line {
  readonly text: string;
  /** What they typed of it themself: only there `@path` names a file to attach, and `/` or `!` a line to run; all of it when left out. */
  readonly typed?: string;
  /** Key of the lane it comes from, `plan`, or another sender that is no person: it does not count as a question. */
  readonly from?: string;
  /** What the model is to read behind it. */
  readonly behind?: readonly string[];
  /** The only tools of its turn. */
  readonly tools?: readonly string[];
}

/** Everything that happens. `lane` is the key of its lane: `main` for the terminal and headless. */
export type Inbound =
  /** `watched`: a person waits for it, so a command that changes nothing is answered beside the turn. */
  | ({ readonly type: "line"; readonly lane: string; readonly watched?: true } & Line)
  /** Takes the newest waiting line with this text back, if it still waits: `unqueued` says so. */
  | { readonly type: "unqueue"; readonly lane: string; readonly text: string }
  | {
    readonly type: "answer";
    readonly lane: string;
    readonly id: string;
    /** An Answer; what is none for the question is a No. */
    readonly value: Json;
  }
  /** `leaving`: who stops it goes, so a line that waits for a handover stays with the session. */
  | { readonly type: "stop"; readonly lane: string; readonly leaving?: true };

/**
 * `command`: a slash line ran instead of a turn. `length`, `refused`: the provider cut the answer
 * off at its output limit, or declined to answer.
 */
export type TurnEndReason =
  | "done"
  | "length"
  | "refused"
  | "error"
  | "interrupted"
  | "max_iterations"
  | "budget"
  | "loop"
  | "command";

/** Why a turn failed, beyond the model's own kinds. */
export type ErrorKind = ModelErrorKind | "disk" | "bug" | "input" | "compress";

export type EventBody =
  /** `from` as in Line. */
  | { readonly type: "turn_start"; readonly text: string; readonly from?: string }
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thinking"; readonly delta: string }
  | {
    readonly type: "tool_start";
    readonly id: string;
    readonly name: string;
    readonly input: Json;
  }
  /**
   * The model is writing a call: so much of its input so far, and the file it names; without a name,
   * a summary that only the host reads. At most once a second.
   */
  | {
    readonly type: "writing";
    readonly name: string;
    readonly chars: number;
    readonly path?: string;
  }
  | { readonly type: "tool_progress"; readonly id: string; readonly text: string }
  | {
    readonly type: "tool_end";
    readonly id: string;
    readonly name: string;
    readonly ok: boolean;
    readonly text: string;
    readonly detail?: Detail;
    readonly ms: number;
  }
  /** `answered`: nobody is asked, this was the answer. */
  | { readonly type: "ask"; readonly id: string; readonly answered?: boolean } & Question
  | {
    readonly type: "notice";
    readonly level: "info" | "warn";
    readonly text: string;
    /** Set on a retry: what was streamed since the request began is void, and this is the countdown. */
    readonly retryMs?: number;
    /** What the model sees has changed, or will: a script is told too. */
    readonly context?: true;
    /** This limit, or refusal, ends the turn. */
    readonly limit?: true;
    /** Set when a line typed meanwhile joined the running turn, or is answered beside it. */
    readonly joined?: string;
  }
  /** A waiting line was taken back; it will not run. */
  | { readonly type: "unqueued"; readonly text: string }
  | {
    readonly type: "usage";
    readonly input: number;
    readonly output: number;
    readonly cached: number;
    readonly cost: number | null;
  }
  | { readonly type: "error"; readonly kind: ErrorKind; readonly text: string }
  /** The user wants `text` on the clipboard; only who shows the session knows the way there. */
  | { readonly type: "copy"; readonly text: string }
  /** The user wants to edit a file. */
  | { readonly type: "edit"; readonly path: string }
  /** The user wants other colours. */
  | { readonly type: "theme"; readonly theme: Theme }
  /** An agent that works for this lane; at most once a second while its state stays the same. */
  | ({ readonly type: "agent" } & AgentInfo)
  /** Whether only tools that change nothing may be called. */
  | { readonly type: "plan_mode"; readonly on: boolean }
  /** What of the turn's changes has been verified; of a turn that changed something, before its end. */
  | ({ readonly type: "evidence" } & Evidence)
  /** The turn's end waits for hooks. */
  | { readonly type: "hook"; readonly event: "turn_end" }
  | { readonly type: "compress_start" }
  /** `to`: the session that goes on, where there is one; `usage`: what the summary has cost. */
  | {
    readonly type: "compress_end";
    readonly ok: boolean;
    readonly to?: string;
    readonly usage: Usage;
  }
  /** `prompt` is a line for the user to edit: one that was not answered, or one gone back to. */
  | {
    readonly type: "turn_end";
    readonly reason: TurnEndReason;
    readonly prompt?: string;
    /** Steps of the plan follow at once. */
    readonly more?: true;
    readonly iterations: number;
    readonly ms: number;
  };

export interface EventStamp {
  /** Id of the session (the one `--resume` takes). */
  readonly session: string;
  /** Number of the turn within the session, from 1; 0 outside a turn. */
  readonly turn: number;
  /** ISO 8601. */
  readonly time: string;
}

/** Everything seen; deltas only, never the whole text again. */
export type AgentEvent = EventStamp & EventBody;

/** The one door: lines in, events out. */
export interface Bus {
  send(inbound: Inbound): void;
  /** Calls `listener` for each event of the lane (of every lane without a key); returns the way to stop. */
  subscribe(listener: (event: AgentEvent) => void, session?: string): () => void;
}

export interface Channel {
  readonly name: string;
  /** Resolves with the exit code when the channel has ended by itself. */
  start(bus: Bus): Promise<number>;
  stop(): Promise<void>;
}

// ---------------------------------------------------------------- agents, servers, hooks

/** `stopped`: by a person, or with the lane it worked for. */
export type AgentState = "queued" | "running" | "done" | "failed" | "stopped";

/** An agent that works for a lane, in a lane of its own. */
export interface AgentInfo {
  /** Eight characters; of a member of a team, its name. */
  readonly id: string;
  readonly label: string;
  /** Name of its kind; empty for the general one. */
  readonly kind: string;
  readonly state: AgentState;
  /** Model calls so far. */
  readonly steps: number;
  /** The tool it runs; empty while it thinks. */
  readonly doing: string;
  readonly usage: Usage;
  /** Since it began, without its time in the queue. */
  readonly ms: number;
  /** A member of a team: it stays until it is stopped, and is `done` while nobody wants anything. */
  readonly member?: true;
}

/** A kind of agent, in a file of its own. */
export interface AgentKind {
  readonly name: string;
  readonly description: string;
  /** Names of the only tools it has; all of them when left out. */
  readonly tools?: readonly string[];
  /** The parent's when left out. */
  readonly model?: string;
  /** What it is told beside the base prompt. */
  readonly prompt: string;
}

/** What an agent is to do. */
export interface AgentTask {
  readonly text: string;
  /** A few words for people. */
  readonly label: string;
  readonly kind?: AgentKind;
}

/** What became of it. */
export interface AgentAnswer {
  readonly info: AgentInfo;
  /** What it said last, for the model: bounded, with the way to the rest; why it failed, where it did. */
  readonly text: string;
}

/** The agents that work for lanes. */
export interface Agents {
  /** Begins one, or lets it wait for a place; its answer comes to the lane `parent` as a line. */
  start(task: AgentTask, parent: string): AgentInfo;
  /** Begins one and waits; it is stopped with the signal. */
  run(task: AgentTask, parent: string, signal: AbortSignal): Promise<AgentAnswer>;
  /** Opens a lane `team:<name>` that stays until it is stopped; `task` says what it is there for. */
  keep(name: string, task: AgentTask, parent: string): AgentInfo;
  /**
   * Gives a text to kept ones. What each answers comes to the lane `from` as a line; with `reviewer`
   * all answers go to that one, and the review comes. False when one of them is not there.
   */
  post(to: readonly string[], text: string, from: string, reviewer?: string): boolean;
  /** All of them, or those of one lane, the newest last. */
  list(parent?: string): readonly AgentInfo[];
  /** What one said last; undefined when there is none of that id. */
  said(id: string): string | undefined;
  /** Stops one; false when there is none of that id, or it has ended. */
  stop(id: string): boolean;
}

/** `off`: by the user. `untrusted`: of a project nobody has said Yes to. */
export type ServerState = "connecting" | "ready" | "error" | "closed" | "off" | "untrusted";

/** A server of tools, as people see it. */
export interface ServerInfo {
  readonly name: string;
  readonly state: ServerState;
  /** The program, or the address. */
  readonly what: string;
  readonly tools: readonly string[];
  readonly resources: number;
  readonly prompts: number;
  /** Why it is in error; empty otherwise. */
  readonly why: string;
  /** File that names it. */
  readonly file: string;
  /** Tools that are others than the user knows: their next call asks. */
  readonly changed?: readonly string[];
  /** From the beginning of the connection until it was ready. */
  readonly ms?: number;
}

/** The servers of tools. */
export interface Servers {
  list(): readonly ServerInfo[];
  /** Settles when it is known which there are, and those that may are begun, or with the signal; never rejects. */
  listed(signal: AbortSignal): Promise<void>;
  /** The end of what a server wrote on stderr. */
  stderr(name: string): string;
  /** Ends the connection, if any, and makes a new one. Throws in words for the user. */
  reconnect(name: string): Promise<ServerInfo>;
  /** Keeps it off, or lets it be on, in this session. */
  enable(name: string, on: boolean): Promise<ServerInfo>;
  /** What a server says of its tools, of those it has now. */
  describe(name: string): readonly { readonly name: string; readonly description: string }[];
  /** What may be read of those that are ready. */
  resources(): readonly ServerResource[];
  /** Reads one for the model. Rejects in words for the user, or with the signal's reason. */
  read(server: string, uri: string, signal: AbortSignal): Promise<string>;
  prompts(): readonly ServerPrompt[];
  /** Settles when a server has told its prompts, or has failed, or with the signal; never rejects. */
  ready(server: string, signal: AbortSignal): Promise<void>;
  /** What a prompt comes to with these arguments. Rejects as `read` does. */
  prompt(
    server: string,
    name: string,
    args: { readonly [name: string]: string },
    signal: AbortSignal,
  ): Promise<string>;
}

/** Something that a server lets be read, as `@server:uri` names it. */
export interface ServerResource {
  readonly server: string;
  /** Of a template it holds `{places}`. */
  readonly uri: string;
  /** For people. */
  readonly name: string;
  readonly template: boolean;
}

/** A text that a server has ready, to be asked as `/server:name`. */
export interface ServerPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

/** What a hook may hear of. */
export type HookEvent =
  | { readonly event: "session_start" }
  | { readonly event: "before_tool"; readonly tool: string; readonly input: Json }
  | {
    readonly event: "after_tool";
    readonly tool: string;
    readonly input: Json;
    readonly ok: boolean;
    readonly result: string;
  }
  | { readonly event: "turn_end"; readonly reason: TurnEndReason; readonly text: string }
  | { readonly event: "notify"; readonly text: string };

/** Programs of the user's that hear what happens. */
export interface Hooks {
  /**
   * Runs those that are for the event. What one of them blocks with is returned: for the model in
   * the place of a result (`before_tool`), behind it (`after_tool`), or as a line to go on with
   * (`turn_end`). Never throws, and never takes longer than their timeouts.
   */
  run(
    event: HookEvent,
    at: { readonly session: string; readonly lane: string },
    signal: AbortSignal,
    tell: (text: string) => void,
  ): Promise<string | undefined>;
  /** Whether any is for this event: what it is told need not be made otherwise. */
  has(event: HookEvent["event"]): boolean;
}

// ---------------------------------------------------------------- session

export interface SessionInfo {
  readonly id: string;
  /** Given by /save; empty otherwise. */
  readonly name: string;
  /** ISO 8601 of the last message. */
  readonly updated: string;
  /** ISO 8601 of when a person came back to it last. */
  readonly entered?: string;
  readonly turns: number;
  readonly messages: number;
  /** First line of the first question. */
  readonly title: string;
  /** A narnat holds it at this moment. */
  readonly busy?: true;
  /** The session whose summary it began with. */
  readonly parent?: string;
  /** The session that goes on in its place. */
  readonly handedTo?: string;
}

/** A place where what was looked for was said. */
export interface SearchHit {
  /** Id of the session; of `memory` the file's name. */
  readonly session: string;
  /** ISO 8601. */
  readonly time: string;
  /** `summary`: what a session began with; `history`: what became of one; `memory`: what is kept of all. */
  readonly who: "user" | "assistant" | "tool" | "summary" | "history" | "memory";
  /** One line of the text, what was found marked «so». */
  readonly snippet: string;
}

export interface SearchHits {
  /** Lines of the memory, then the newest first, a few of each session. */
  readonly hits: readonly SearchHit[];
  /** Whether there are more. */
  readonly more: boolean;
}

/** A session as the rest of the house may see it; only core/session.ts writes it. */
export interface Session {
  readonly id: string;
  readonly name: string;
  readonly messages: readonly Message[];
  /** Submitted user questions. */
  readonly turns: number;
  readonly todos: readonly Todo[];
  readonly seen: ReadonlyMap<string, SeenFile>;
  readonly cwd: string;
  /** What the model sees of `messages`, and what stands in the place of the others. */
  readonly view: readonly Message[];
  /** Place in `messages` of the first one that the model sees. */
  readonly viewFrom: number;
  /** Paths changed, relative to the workspace, oldest first; true once they are verified. */
  readonly changed: ReadonlyMap<string, boolean>;
  /** Skills whose text was loaded. */
  readonly skills: ReadonlySet<string>;
  /** What a handover brought from the session before it. */
  readonly carried?: Carried | undefined;
  /** A line that waits for a handover. */
  readonly held?: Line | undefined;
  /** Of all requests. */
  readonly usage: Usage;
  /** Of the request that was answered last: how full the model's window is. */
  readonly lastUsage?: Usage | undefined;
  /** The answer that `lastUsage` came with, while the view still begins as that request did. */
  readonly lastAnswer?: Message | undefined;
  /** The lines a person submitted, oldest first, as typed. */
  readonly prompts: readonly string[];
  /** Tokens of an answer on the average; undefined before the first. */
  readonly meanOutput?: number | undefined;
}

// ---------------------------------------------------------------- context, commands

/** What the model sees of a session from one moment on. */
export interface View {
  readonly why: "shortened" | "consolidated" | "trimmed";
  /** A user's message that stands first; empty for none. */
  readonly lead: string;
  /** Place in `Session.messages` of the first message that is seen. */
  readonly from: number;
  /** Places of tool results that are seen, from now on, as another text. */
  readonly shortened: readonly (readonly [place: number, text: string])[];
}

/** A system prompt of a session, but for what narnat says itself. */
export interface KeptPrompt {
  /** Tells which prompt of narnat's own it was around. */
  readonly own: string;
  /** The day it names. */
  readonly today: string;
  readonly parts: readonly {
    readonly name: string;
    readonly text: string;
    readonly files?: readonly string[];
  }[];
}

/** What a session takes over from the one that was handed over. */
export interface Carried {
  /** Id of that session. */
  readonly parent: string;
  readonly title: string;
  /** Questions it had. */
  readonly turns?: number;
  /** Stands at the end of the system prompt. */
  readonly summary: string;
  /** So many characters below its heading are the model's own. */
  readonly written?: number;
  readonly todos: readonly Todo[];
  readonly changed: readonly (readonly [path: string, verified: boolean])[];
  readonly skills: readonly string[];
  /** The lines that a person submitted last, oldest first. */
  readonly prompts?: readonly string[];
  readonly cwd: string;
  readonly usage: Usage;
}

/** A session could not be summarised; the message says why, in words for the user. */
export class HandoverFailed extends Error {
  override readonly name = "HandoverFailed";
}

/** What a model answers to a context manager's question. */
export interface HostAnswer {
  readonly text: string;
  readonly usage: Usage;
  readonly stop: StopReason;
}

/** What a context manager may do to a session, by the core's hand. */
export interface ContextHost {
  readonly session: Session;
  readonly signal: AbortSignal;
  /** Folder for full copies of what the model no longer sees whole; may not exist yet. */
  readonly outputDir: string;
  /**
   * Asks the session's model, whose tools stay in the request but may not be called; what that cost
   * is counted on the session. Throws ModelError, also when the session may cost no more, or
   * `signal.reason`.
   */
  ask(messages: readonly Message[]): Promise<HostAnswer>;
  show(view: View): void;
  /** Tells of a change in what the model sees; `passing`: only that it is being made. */
  notice(level: "info" | "warn", text: string, passing?: "passing"): void;
}

/** Guidance for one kind of task, in a file of its own. */
export interface Skill {
  readonly name: string;
  /** One line; empty where the file gives none. */
  readonly description: string;
  /** Of its file, as people name it. */
  readonly path: string;
  /** In the prompt in full. */
  readonly always: boolean;
  /** What it needs and is not there. */
  readonly missing: readonly string[];
}

/** What a skill is, before anybody looks whether it can be used. */
export interface SkillFacts {
  readonly name: string;
  /** One line; empty where the file gives none. */
  readonly description: string;
  readonly always: boolean;
  /** Only the user may load it. */
  readonly hidden: boolean;
  readonly enabled: boolean;
  readonly bins: readonly string[];
  readonly env: readonly string[];
  /** Systems it works on; none named means all. */
  readonly os: readonly string[];
  /** Why it cannot be offered to the model. */
  readonly problem?: "yaml" | "json" | "no_description" | "unclosed" | "not_text" | "too_long";
}

/** A skill that cannot be loaded. */
export interface Withheld {
  readonly name: string;
  /** In words for the user. */
  readonly why: string;
}

/** What one thing has of the tokens of the next request. */
export interface Share {
  /**
   * `prompt`: a part of the system prompt; `definitions`: of the tools; `host`: what narnat told the
   * model; `tool`: the calls of one tool and their results.
   */
  readonly kind: "prompt" | "definitions" | "user" | "host" | "answer" | "thinking" | "tool";
  /** Of the part or the tool; empty for the others. */
  readonly name: string;
  readonly tokens: number;
}

/** All that decides what the model sees. */
export interface ContextManager {
  /** Reads, and fetches, what the prompt is made of; awaited before the first request. */
  ready(waiting?: { readonly signal: AbortSignal; tell(text: string): void }): Promise<void>;
  /** The system prompt; the same bytes for the whole session. */
  system(): string;
  /** Called with the number of each line a person submitted, before the next request; returns notices for the user. */
  beforeTurn(turn: number): readonly string[];
  /** Makes room where the window is nearly full; returns the messages to send now. */
  beforeCall(host: ContextHost): Promise<readonly Message[]>;
  /** The provider said that the messages do not fit: makes room; why there is none to make, in words for the user. */
  onOverflow(host: ContextHost, error: ModelError): Promise<string | undefined>;
  /** What of the system prompt holds no more, for the model to read behind a person's line. */
  outdated(): readonly string[];
  /** Called behind each step's results; a message for the model to stand behind them, if any. */
  afterCalls(): string | undefined;
  /** What the next request will count, in tokens. */
  estimate(session: Session): number;
  /** What these tokens are made of. */
  shares(session: Session): readonly Share[];
  /** Tokens of the model's window; undefined while nobody has told. */
  readonly window: number | undefined;
  /** Questions after which the session has to be handed over. */
  readonly mostTurns: number;
  /**
   * Summarises the session, with an eye to `focus`, for the next one to go on from. Throws ModelError,
   * HandoverFailed, or `signal.reason`; then nothing has changed.
   */
  handOver(host: ContextHost, focus: string): Promise<Carried>;
  /** The summary is in a session, or given up: what only carried it there may go. */
  settled(summary: string): void;
  /** The skills that a line may load; none before `ready`. */
  readonly skills: readonly Skill[];
  /** Skills that no line may load, and why; none before `ready`. */
  withheld(): Promise<readonly Withheld[]>;
  /** What the model is to read of a skill; undefined when its file cannot be read any more. */
  skillText(skill: Skill): string | undefined;
}

/** What is kept of sessions for those that come after them. */
export interface Memory {
  /** Folder of its files; undefined where nothing is kept. */
  readonly dir: string | undefined;
  /** Replaces what looks like a key. */
  redactAlways(text: string): string;
  /**
   * A lane leaves a session: keeps what was asked and what came out of it, of the messages from a
   * place on, or `summary`, which says it better. Never throws.
   */
  leave(session: Session, from: number, summary?: string): void;
  /**
   * Like `leave`, in the words of the session's model, or without it when it fails or the signal
   * says so; returns what is to be told of it. Never throws.
   */
  archive(host: ContextHost, from: number): Promise<string>;
  /** Takes what earlier conversations taught into the memory files; returns what is to be told of it. Throws with the reason. */
  dream(signal: AbortSignal): Promise<string>;
  /** Whether one that was begun here is at it. */
  readonly dreaming: boolean;
  /** Why a Dream would do nothing now, in words for the user; empty where it would. */
  whyNoDream(): string;
  /** The last changes of the files, newest first; empty for none. Throws where no record can be had. */
  log(count: number): Promise<string>;
  /** Undoes a change that `log` lists, the last Dream's when left out; returns which. Throws with the reason. */
  restore(id: string | undefined): Promise<string>;
}

/** The agent's narrow face for slash commands and the screen. */
export interface SessionController {
  readonly t: T;
  /** The model of the next turn. */
  readonly model: string;
  /** Tokens of its window, where the session knows. */
  readonly window?: number | undefined;
  readonly workspace: string;
  readonly permission: Permission;
  /** Bash runs in a sandbox; undefined where it does not. */
  readonly sandbox?: { readonly network: boolean } | undefined;
  readonly version: string;
  /** Host of the model's endpoint; empty for the demo. */
  readonly endpoint: string;
  current(): Session;
  /** What the tokens of the next request are made of. */
  shares(): Promise<readonly Share[]>;
  list(): Promise<readonly SessionInfo[]>;
  /** Finds where all these words were said in any stored session. Rejects in words for the user. */
  search(words: string): Promise<SearchHits>;
  /** Names the current session. */
  save(name: string): Promise<SessionInfo>;
  /** Switches to a stored session by id, unique id prefix, name, or number in `list()` order from 1. */
  enter(which: string): Promise<SessionInfo>;
  /**
   * Deletes a stored session when the user, who is asked, says Yes; undefined after a No. The same
   * forms as `enter`. Never the current one.
   */
  remove(which: string): Promise<SessionInfo | undefined>;
  /**
   * Starts an empty session; the old one stays on disk. With `archived` it is summarised for the
   * memory beside the turns, if anything in it is new: true when it is.
   */
  fresh(archived?: "archived"): Promise<boolean>;
  /**
   * Goes on in a new session with what was said before the prompt at `index` of the session's
   * prompts; that prompt is given back to the user's line, the old session stays as it is.
   */
  back(index: number): Promise<void>;
  /**
   * Hands the session over to a new one, which begins with its summary; `focus` is what the user wants
   * in it above all. Throws when that fails; then the session goes on.
   */
  compact(focus: string): Promise<SessionInfo>;
  /** Goes back to the session whose summary the current one began with. Throws when there is none. */
  undoCompact(): Promise<SessionInfo>;
  /** The skills that a line may load. */
  skills(): Promise<readonly Skill[]>;
  /** Those that none may. */
  withheld(): Promise<readonly Withheld[]>;
  /** Names of the models there are; throws when the provider does not tell. The demo is always among them. */
  models(): Promise<readonly string[]>;
  /** Takes another model of the same provider, or the demo, from the next turn on. */
  useModel(name: string): Promise<void>;
  /** Stops the running turn and the agents at work for it at once; false where nothing was to stop. */
  stop(): boolean;
  /** Puts text on the user's clipboard, by the hand of who shows the session. */
  copy(text: string): void;
  readonly memory: Memory;
  readonly checkpoints: Checkpoints;
  readonly agents: Agents;
  readonly servers: Servers;
  /** Only tools that change nothing may be called, until a plan is approved. */
  readonly planMode: boolean;
  usePlanMode(on: boolean): void;
  /** Asks the user. */
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
  /** Opens a file in the user's editor, by the hand of who shows the session. */
  edit(path: string): void;
  /** Tells the model something with the next prompt; a session without messages reads it anyway. */
  note(text: string): void;
  /** Works beside the turns until it is stopped; `begin` is told now, and what it resolves or rejects with. */
  background(work: (signal: AbortSignal) => Promise<string>, begin?: string): void;
  /** What work beside the turns has cost since narnat began. */
  readonly backgroundUsage: Usage;
  /** What is spent, and may be. */
  budget(): Promise<BudgetState>;
  /** Stops all work beside the turns, as a stop does that comes outside of one. */
  stopBackground(): void;
  /** The user's choice of colours. */
  readonly theme: Theme;
  /** Changes the colours and keeps the choice in the user's narnat.json; returns why it was not kept, or undefined. */
  useTheme(theme: Theme): Promise<string | undefined>;
  exit(): void;
}

/** One slash command. What it returns is shown to the user as a notice; it throws to refuse. */
export interface Command {
  readonly name: string;
  /** What other programs call it; another command of that name goes before. */
  readonly aliases?: readonly string[];
  /** Argument shape for the help, for example `[name]`. */
  readonly usage?: (t: T) => string;
  readonly help: (t: T) => string;
  /** It changes nothing, and is answered while a turn runs. */
  readonly anytime?: true;
  /** It ends narnat, and does not wait for a compression, which it stops. */
  readonly leaves?: true;
  run(args: string, controller: SessionController): Promise<string> | string;
  /**
   * The line is for the model: it is asked as a turn, with what this returns besides; undefined to run
   * the command. Throws in words for the user.
   */
  asks?(
    args: string,
    controller: SessionController,
    signal: AbortSignal,
  ): Promise<Asking | undefined>;
  /** What its arguments may be, the likeliest first. */
  complete?(controller: SessionController): Promise<readonly Choice[]>;
}

/** What a command's line asks the model besides its own text. */
export interface Asking extends Pick<Line, "typed" | "behind" | "tools"> {
  /** To be told to the user. */
  readonly notices?: readonly string[];
}

/** One value of a command's argument. */
export interface Choice {
  readonly value: string;
  /** What it stands for. */
  readonly help: string;
}

// ---------------------------------------------------------------- secrets

/** Takes pieces as they come and gives back what may be told; holds back only what may become a secret. */
export interface StreamRedactor<Piece, Told> {
  push(piece: Piece): Told;
  /** What is held back: nothing follows. */
  end(): Told;
}

/** What must reach neither the model nor anything narnat writes; a placeholder stands for each value. */
export interface Secrets {
  /** The user has turned it off: only narnat's own keys are hidden. */
  readonly off: boolean;
  /** Values that are known so far. */
  readonly count: number;
  /** The text with a placeholder for each secret. */
  redact(text: string): string;
  /** The same for all texts within a value, which is the same one where there are none; JSON stays JSON. */
  redactIn<V>(value: V): V;
  /** The same for what a person is to judge: no file of a project can hide a part of it. */
  redactOwn(text: string): string;
  /** The same for what narnat keeps to itself, where keys are hidden even when the user has turned it off. */
  redactAlways(text: string): string;
  stream(): StreamRedactor<string, string>;
  bytes(): StreamRedactor<Uint8Array, readonly Uint8Array[]>;
  /** The secrets of a text as they are written there, by whatever may stand for them; undefined for two of one name. */
  valuesIn(text: string): ReadonlyMap<string, string | undefined>;
  /** Each once. */
  placeholdersIn(text: string): readonly string[];
  /** A person has typed this in a lane: the secrets in it may be used there. */
  hear(text: string, lane: string): void;
  heard(lane: string): ReadonlyMap<string, string>;
  /** Reads the files that hold secrets, where they have changed; what they held before stays known. */
  refresh(): void;
}

// ---------------------------------------------------------------- checkpoints

/** Something that can not be brought back, with the reason. */
export interface Uncovered {
  /** Relative to the workspace, with `/`; of a folder all in it. */
  readonly path: string;
  /**
   * `ignored`: by git's rules; `rule`: a folder that is made from other files; `large`: a file above
   * the bound; `total`: beyond the bound of all; `special`: a socket or device; `unnameable`: its
   * name is no UTF-8; `disk`: its content could not be kept; `git`: the repository itself.
   */
  readonly why:
    | "ignored"
    | "rule"
    | "large"
    | "total"
    | "special"
    | "unreadable"
    | "unnameable"
    | "disk"
    | "git";
  /** It has changed in that turn. */
  readonly touched?: true;
}

/** A turn that changed something, as people see it. */
export interface CheckpointTurn {
  readonly id: string;
  readonly session: string;
  /** Number within the session. */
  readonly turn: number;
  /** Place of its line among the session's prompts; none where no person asked. */
  readonly prompt?: number;
  /** First line of what was asked. */
  readonly text: string;
  /** ISO 8601. */
  readonly ended: string;
  readonly created: number;
  readonly changed: number;
  readonly deleted: number;
  /** The first of the paths, and how many there are besides. */
  readonly paths: readonly string[];
  readonly more: number;
  readonly undone: boolean;
  /** narnat was killed meanwhile. */
  readonly interrupted: boolean;
}

/** What is to be taken back. */
export interface RestoreWish {
  readonly what: "undo" | "redo";
  /** Id of the session whose turns count; all of the workspace's when left out, or where it has none. */
  readonly session?: string;
  /** So many turns. */
  readonly count?: number;
  /** Up to this turn, and all after it. */
  readonly to?: string;
}

/** What becomes of one path. */
export interface RestoreRow {
  readonly path: string;
  /** `attributes`: its owner, or which other names it has. */
  readonly does: "create" | "change" | "delete" | "mode" | "attributes" | "replace";
  readonly folder?: true;
  /** Lines that come and go; absent for what is no text. */
  readonly added?: number;
  readonly removed?: number;
  /** Of one whose mode alone changes, now and then. */
  readonly modes?: readonly [from: number, to: number];
  /** Bytes of the file now and then. */
  readonly from?: number;
  readonly to?: number;
}

/** What taking back will do. */
export interface RestorePreview {
  readonly id: string;
  readonly what: RestoreWish["what"];
  /** It is what an earlier one has left undone when narnat was killed. */
  readonly rest: boolean;
  readonly turns: readonly CheckpointTurn[];
  readonly rows: readonly RestoreRow[];
  /** Changed by others since: they stay as they are unless it is asked for. */
  readonly conflicts: readonly RestoreRow[];
  /** Conflicts that stay as they are: too large to be kept. */
  readonly fixed: readonly string[];
  /** Changed in those turns, but not to be brought back. */
  readonly uncovered: readonly Uncovered[];
  /** Another narnat worked here meanwhile. */
  readonly others: boolean;
}

/** Where `paths` is empty and something stood in the way, the same can be asked for again. */
export interface RestoreOutcome {
  readonly paths: readonly string[];
  readonly failed: readonly { readonly path: string; readonly why: string }[];
  /** Conflicts that stay as they are. */
  readonly kept: readonly string[];
}

/** A turn, to be told apart from others. */
export interface TurnMark {
  readonly session: string;
  readonly turn: number;
  readonly prompt?: number;
  readonly text: string;
}

/** A path whose content a command has taken away, and neither git nor another file holds it. */
export interface Loss {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** `reverted`: work that was not committed gave way to an older version; `overwritten`: to another file. */
  readonly how: "deleted" | "emptied" | "reverted" | "overwritten";
  /** Where the file that stands in its place was moved from. */
  readonly from?: string;
  /** It can be brought back. */
  readonly kept: boolean;
  /** For who has read the file it is a new version, and no loss. */
  readonly unread?: true;
}

/** Came of putting back what was lost. */
export interface BroughtBack {
  /** Hold again what they held. */
  readonly paths: readonly string[];
  /** Hold what stood in the place of those. */
  readonly aside: readonly string[];
}

/** A command that has been run. */
export interface RunCommand {
  readonly command: string;
  /** The folder in which it began. */
  readonly cwd: string;
  /** Absolute paths that may go, with all below them, as a person has said; or all that it takes. */
  readonly agreed: readonly string[] | "all";
}

/** The second judge of commands: what is gone from the disk. */
export interface DiskWatch {
  /** A command goes on while others are judged, until it has ended; what it was agreed to holds so long. */
  background(command: RunCommand, ended: Promise<unknown>): void;
  /**
   * What commands have taken away since last time, this one with them, which took so many
   * milliseconds. In a large folder the answer may come with a later call. Never rejects.
   */
  losses(command?: RunCommand, ms?: number): Promise<readonly Loss[]>;
  /** Puts back what was lost. Never rejects. */
  bringBack(paths: readonly string[]): Promise<BroughtBack>;
}

/** What a turn tells of itself. */
export interface TurnWatch extends DiskWatch {
  /**
   * A call comes next that may change something: waits until what is there is kept. Never rejects;
   * what cannot be undone for what reason is told.
   */
  before(
    signal: AbortSignal,
    tell: { progress(text: string): void; warn(text: string): void },
  ): Promise<void>;
  /** A call that is no command has changed something: these paths, relative to the workspace, or it is not known what. */
  changed(paths: readonly string[] | undefined): void;
  /**
   * What commands have taken away that no answer to `losses` has told: as far as it is known by
   * now, or with `all` as far as it can be. Never rejects.
   */
  late(all: boolean): Promise<readonly Loss[]>;
  /** Takes down what has changed; returns the files and links, none where no such call was made. Never rejects. */
  look(): Promise<readonly string[]>;
  end(): void;
}

/** What turns have changed in the workspace, and the way back. */
export interface Checkpoints {
  /** A turn of a lane begins. */
  begin(lane: string, turn: TurnMark): TurnWatch;
  /** Those that changed something, the newest first: of the session, or where it has none of the workspace. */
  turns(session?: string): Promise<readonly CheckpointTurn[]>;
  /** Rejects in words for the user where there is nothing to take back. */
  preview(wish: RestoreWish): Promise<RestorePreview>;
  /** Carries the last preview out; `overwrite` names conflicts. Rejects in words for the user. */
  restore(id: string, overwrite: readonly string[]): Promise<RestoreOutcome>;
  close(): Promise<void>;
}

// ---------------------------------------------------------------- replay

/** What became of one request to a model, as a session tells it. */
export type RecordedAnswer =
  | {
    readonly kind: "message";
    readonly message: AssistantMessage;
    readonly usage: Usage;
    readonly stop: StopReason;
  }
  | { readonly kind: "error"; readonly error: ModelErrorKind; readonly text: string }
  /** It was stopped amid the answer, of which this had come. */
  | { readonly kind: "stopped"; readonly text: string };

// ---------------------------------------------------------------- budgets, evidence

/** What may be spent; what is left out has no limit. */
export interface Allowance {
  /** US dollars. */
  readonly cost?: number | undefined;
  /** Input and output. */
  readonly tokens?: number | undefined;
}

/** What has been spent since midnight on the user's clock. */
export interface SpentToday {
  /** Its cost is that of the requests whose price is known. */
  readonly usage: Usage & { readonly cost: number };
  /** There were requests whose price is not known. */
  readonly unpriced: boolean;
  /** The sum could not be kept: it is this narnat's alone. */
  readonly alone: boolean;
}

/** What all narnats of a user spend in a day. */
export interface DaySpending {
  /** Counts a request. Never rejects. */
  add(usage: Usage, model: string): Promise<void>;
  today(): Promise<SpentToday>;
}

export interface BudgetState {
  /** For the session, with what was spent beside its turns. */
  readonly spent: Usage;
  readonly today: SpentToday;
  /** The limits as they stand now, with what a person has added. */
  readonly session: Allowance;
  readonly day: Allowance;
}

/** What became of the changes of a turn, by the results of its tools. */
export interface Evidence {
  /** Paths relative to the workspace; whatever has changed them. */
  readonly changed: readonly string[];
  /** Tests, builds and runs behind the last change of at least one of them. */
  readonly runs: readonly {
    readonly command: string;
    readonly exit: number | null;
    readonly ms: number;
    /** As in Detail. */
    readonly masked?: true;
  }[];
  /** Those of `changed` that no such command has run behind and ended well. */
  readonly unverified: readonly string[];
  /** So many more have changed. */
  readonly more?: number;
}
