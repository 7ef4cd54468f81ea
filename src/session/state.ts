/** The state of a session: what the entries of its file fold into. */
import type {
  AssistantMessage,
  Carried,
  KeptPrompt,
  Line,
  Message,
  SeenFile,
  SessionInfo,
  Todo,
  ToolCall,
  ToolMessage,
  Usage,
  View,
} from "../base/types.ts";
import { addUsage, NO_USAGE } from "../base/figures.ts";
import type { Entry, MessageFacts, RunFacts } from "./entries.ts";

/** The state an entry list folds into. */
export class State {
  name = "";
  updated = "";
  entered: string | undefined;
  messages: Message[] = [];
  /** What the model sees; the messages themselves until an entry changes it. */
  seenMessages: Message[] = this.messages;
  turns = 0;
  todos: readonly Todo[] = [];
  seen = new Map<string, SeenFile>();
  changed = new Map<string, boolean>();
  skills = new Set<string>();
  cwd: string;
  usage: Usage = NO_USAGE;
  lastUsage: Usage | undefined;
  lastAnswer: Message | undefined;
  /** Of those that say what they took. */
  answers = { count: 0, output: 0 };
  carried: Carried | undefined;
  /** What its requests began with, the newest last. */
  readonly prompts: KeptPrompt[] = [];
  held: Line | undefined;
  handedTo: string | undefined;
  /** What the last turn was run with. */
  run: RunFacts | undefined;
  /** All that has been applied: what the file is to hold. */
  readonly entries: Entry[] = [];
  /** The last entry of a message could not be read. */
  #lost = false;
  readonly #facts = new WeakMap<Message, MessageFacts>();
  /** Which message entry of the file a message came with. */
  readonly #numbers = new WeakMap<Message, number>();
  #entries = 0;
  readonly #views: { readonly behind: number; readonly view: View }[] = [];

  constructor(cwd: string) {
    this.cwd = cwd;
  }

  /** Place in `messages` of the first one that the model sees. */
  get viewFrom(): number {
    const view = this.#views.at(-1)?.view;
    if (!view) return 0;
    const first = this.messages.findIndex((one) => (this.#numbers.get(one) ?? -1) >= view.from);
    return first < 0 ? this.messages.length : first;
  }

  apply(entry: Entry): void {
    this.entries.push(entry);
    switch (entry.type) {
      case "session":
        this.updated = entry.time;
        this.held = entry.held;
        this.#inherit(entry.carried);
        break;
      case "name":
        this.name = entry.name;
        break;
      case "prompt":
        this.prompts.push(entry);
        break;
      case "usage":
        this.usage = addUsage(this.usage, entry.usage);
        break;
      case "retract":
        if (!this.#lost) this.#retract();
        this.#lost = false;
        break;
      case "lost":
        this.#entries++;
        this.#lost = true;
        break;
      case "entered":
        this.entered = entry.time;
        break;
      case "held":
        this.held = entry.line;
        break;
      case "handed_over":
        this.handedTo = entry.to;
        this.held = undefined;
        if (entry.to === undefined) this.updated = entry.time;
        break;
      case "view":
        this.#see(entry);
        break;
      case "event": {
        const { event } = entry;
        if (event.type !== "evidence") break;
        for (const path of event.changed) {
          this.changed.set(path, !event.unverified.includes(path));
        }
        break;
      }
      case "message":
        this.#add(entry);
    }
  }

  /** What accompanied a message; nothing for one that was filled in. */
  factsOf(message: Message): MessageFacts {
    return this.#facts.get(message) ?? {};
  }

  /** The calls at the end of the session that have no result. */
  open(): readonly ToolCall[] {
    const at = this.messages.findLastIndex(({ role }) => role !== "tool");
    const last = this.messages[at];
    if (last?.role !== "assistant") return [];
    const answered = this.messages.slice(at + 1).map((one) => one.role === "tool" ? one.id : "");
    return last.calls.filter(({ id }) => !answered.includes(id));
  }

  /** Fills open calls. */
  pair(filler: string): void {
    const whole = this.seenMessages === this.messages;
    this.messages = pairCalls(this.messages, filler);
    this.seenMessages = whole ? this.messages : pairCalls(this.seenMessages, filler);
  }

  /** A view of places in `messages` as an entry of the file tells it. */
  stored(view: View): View {
    const number = (place: number) => {
      for (const message of this.messages.slice(place)) {
        const found = this.#numbers.get(message);
        if (found !== undefined) return found;
      }
      return this.#entries;
    };
    return {
      why: view.why,
      lead: view.lead,
      from: number(view.from),
      shortened: view.shortened.flatMap(([place, text]) => {
        const found = this.#numbers.get(this.messages[place]!);
        return found === undefined ? [] : [[found, text] as const];
      }),
    };
  }

  /** The first `count` messages with what accompanied them, and the views among them, as entries of a new file. */
  before(count: number, time: string): Entry[] {
    const kept = this.messages.slice(0, count);
    const numbers = kept.flatMap((message) => this.#numbers.get(message) ?? []);
    const left = [...this.#views];
    const entries: Entry[] = [];
    /** Numbers begin anew, without those of retracted messages. */
    const renumber = (number: number) => numbers.filter((one) => one < number).length;
    const views = (until: number) => {
      while (left.length > 0 && left[0]!.behind <= until) {
        const { why, lead, from, shortened } = left.shift()!.view;
        entries.push({
          type: "view",
          time,
          why,
          lead,
          from: renumber(from),
          shortened: shortened.map(([number, text]) => [renumber(number), text] as const),
        });
      }
    };
    for (const message of kept) {
      const number = this.#numbers.get(message);
      if (number === undefined) continue;
      views(number);
      const { usage: _usage, ...facts } = this.factsOf(message);
      entries.push({ type: "message", time, message, ...facts });
    }
    const next = this.messages[count];
    if (next) views(this.#numbers.get(next) ?? 0);
    return entries;
  }

  info(id: string): SessionInfo {
    const first = this.messages.find((m) => this.factsOf(m).asked) ??
      this.messages.find((m) => m.role === "user");
    const text = first?.text ?? this.held?.text ?? this.carried?.title ?? "";
    return {
      id,
      name: this.name,
      updated: this.updated,
      turns: this.turns,
      messages: this.messages.length,
      title: (text.trim().split("\n")[0] ?? "").slice(0, 80),
      ...(this.entered === undefined ? {} : { entered: this.entered }),
      ...(this.carried === undefined ? {} : { parent: this.carried.parent }),
      ...(this.handedTo === undefined ? {} : { handedTo: this.handedTo }),
    };
  }

  #inherit(carried: Carried | undefined): void {
    if (!carried) return;
    this.carried = carried;
    this.todos = carried.todos;
    this.changed = new Map(carried.changed);
    this.skills = new Set(carried.skills);
    this.cwd = carried.cwd;
    this.usage = carried.usage;
  }

  #add(entry: Extract<Entry, { type: "message" }>): void {
    this.updated = entry.time;
    this.#lost = false;
    const { type: _type, time: _time, message, ...facts } = entry;
    if (this.seenMessages !== this.messages) this.seenMessages.push(message);
    this.messages.push(message);
    this.#facts.set(message, facts);
    this.#numbers.set(message, this.#entries++);
    if (entry.asked) {
      this.turns++;
      this.held = undefined;
      this.handedTo = undefined;
    }
    if (entry.run) this.run = entry.run;
    if (entry.usage) {
      this.usage = addUsage(this.usage, entry.usage);
      this.lastUsage = entry.usage;
      this.lastAnswer = message;
      const { count, output } = this.answers;
      this.answers = { count: count + 1, output: output + entry.usage.output };
    }
    for (const file of entry.seen ?? []) this.seen.set(file.path, file);
    if (entry.todos) this.todos = entry.todos;
    if (entry.cwd !== undefined) this.cwd = entry.cwd;
    for (const name of entry.skills ?? []) this.skills.add(name);
    for (const path of entry.changed ?? []) this.changed.set(path, false);
    if (entry.verified) { for (const path of this.changed.keys()) this.changed.set(path, true); }
  }

  #retract(): void {
    const last = this.messages.pop();
    if (!last) return;
    if (this.seenMessages.at(-1) === last) this.seenMessages.pop();
    const facts = this.factsOf(last);
    if (facts.asked) this.turns--;
    // What only that message showed must be read again.
    for (const file of facts.seen ?? []) this.seen.delete(file.path);
    for (const name of facts.skills ?? []) {
      if (!this.carried?.skills.includes(name)) this.skills.delete(name);
    }
  }

  #see(view: View): void {
    this.#views.push({ behind: this.#entries, view });
    const texts = new Map<number, string>();
    for (const { view } of this.#views) {
      for (const [number, text] of view.shortened) texts.set(number, text);
    }
    let from = this.viewFrom;
    // results without their calls would be refused
    while (this.messages[from]?.role === "tool") from++;
    const seen = this.messages.slice(from).map((message) => {
      const text = texts.get(this.#numbers.get(message) ?? -1);
      if (text === undefined || message.role !== "tool") return message;
      const { images: _images, ...rest } = message;
      return { ...rest, text };
    });
    this.seenMessages = view.lead === "" ? seen : [{ role: "user", text: view.lead }, ...seen];
    // What was counted was another request, and what Read has shown may not be seen any more.
    this.lastAnswer = undefined;
    for (const [path, { shown: _, ...file }] of this.seen) this.seen.set(path, file);
  }
}

/**
 * Makes calls and results pair: each call has one result right behind its message, `filler` where
 * there was none; results without a call are dropped. A pure function of the stored messages, so
 * nothing has to be written for the repair to last.
 */
export function pairCalls(messages: readonly Message[], filler: string): Message[] {
  const out: Message[] = [];
  let open: AssistantMessage["calls"] = [];
  let answers = new Map<string, ToolMessage>();
  const close = () => {
    for (const { id, name } of open) {
      out.push(answers.get(id) ?? { role: "tool", id, name, ok: false, text: filler });
    }
    open = [];
    answers = new Map();
  };
  for (const message of messages) {
    if (message.role === "tool") {
      answers.set(message.id, message);
      continue;
    }
    close();
    out.push(message);
    if (message.role === "assistant") open = message.calls;
  }
  close();
  return out;
}
