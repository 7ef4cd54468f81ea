/** What a turn and a session may take and cost, and what the next request is expected to. */
import { addUsage, NO_USAGE } from "../base/figures.ts";
import type { T } from "../base/t.ts";
import type {
  Allowance,
  Answer,
  BudgetState,
  ContextManager,
  DaySpending,
  EventBody,
  Question,
  Session,
  SpentToday,
  Usage,
} from "../base/types.ts";

const BUDGETS = {
  session: {
    cost: "The session's cost budget",
    tokens: "The session's token budget",
  },
  day: {
    cost: "Today's cost budget",
    tokens: "Today's token budget",
  },
} as const;

const STANDINGS = {
  short: "{what} would be exceeded by the next request (about {next}): {spent} of {limit} spent",
  used_up: "{what} is used up: {spent} of {limit}",
  near: "{what} is {percent}% spent: {spent} of {limit}",
} as const;

/** A turn shorter than this has been watched to its end, in milliseconds. */
const LONG_TURN_MS = 30_000;

/** Tells of each turn's end whether a person has waited long for it, and may have gone: a plan is one wait. */
export function longWait(): (
  end: Pick<Extract<EventBody, { type: "turn_end" }>, "reason" | "ms" | "more">,
) => boolean {
  let waited = 0;
  return ({ reason, ms, more }) => {
    waited += ms;
    if (more) return false;
    const long = waited >= LONG_TURN_MS && reason !== "interrupted";
    waited = 0;
    return long;
  };
}

export interface TurnLimits {
  /** Model calls per turn. */
  readonly iterations: number;
  /** US dollars per session. */
  readonly cost: number | undefined;
  /** Tokens per session, input and output. */
  readonly tokens: number | undefined;
  /** Of all the user's narnats together. */
  readonly day?: Allowance;
  /** Milliseconds after which a tool call is given up. */
  readonly toolMs: number;
}

/** A limit, and how near it is. */
interface Limit {
  readonly scope: "session" | "day";
  readonly unit: "tokens" | "cost";
  readonly limit: number;
  readonly spent: number;
  /** What the next request is expected to take. */
  readonly next: number;
}

/** What to tell the user of it. */
function overText(
  how: "used_up" | "short" | "near",
  { scope, unit, limit, spent, next }: Limit,
  t: T,
  { percent = 0 }: { readonly percent?: number } = {},
): string {
  return t(STANDINGS[how], {
    what: t(BUDGETS[scope][unit]),
    spent: unit === "cost" ? `$${spent.toFixed(4)}` : spent,
    limit: figure(unit, limit),
    next: unit === "cost" ? `$${next.toFixed(4)}` : next,
    percent,
  });
}

/** `$0.5`, `2000`. */
const figure = (unit: Limit["unit"], n: number): string =>
  unit === "cost" ? `$${Number(n.toFixed(4))}` : String(Math.round(n));

/** Up to two digits that count, as a person would say it. */
export function roundUp(n: number, whole: boolean): number {
  const least = whole ? 1 : 0.01;
  const step = Math.max(least, 10 ** (Math.floor(Math.log10(Math.max(n, least))) - 1));
  return Number((Math.max(1, Math.ceil(n / step - 1e-9)) * step).toFixed(2));
}

/** Tokens of an answer in a session that has none yet. */
const FIRST_ANSWER = 500;

/** Tokens of a character: of most texts, and of Chinese and the like. */
const OF_ASCII = 0.28;
const OF_OTHER = 0.7;

/**
 * The next request of a session, of which `input` tokens are sent: what the last one has left in the
 * provider's cache, where it has one, and an answer as long as the session's are.
 */
export function expectedUsage(session: Session, input: number): Omit<Usage, "cost"> {
  const { lastUsage, meanOutput = FIRST_ANSWER } = session;
  const whole = Math.ceil(input);
  const cached = lastUsage && lastUsage.cached > 0 ? Math.min(whole, lastUsage.input) : 0;
  return { input: whole, output: Math.ceil(meanOutput), cached };
}

/** Tokens of what was streamed. */
export function streamedTokens(text: string): number {
  const other = text.replaceAll(/[\0-\x7f]+/g, "").length;
  return Math.ceil(other * OF_OTHER + (text.length - other) * OF_ASCII);
}

const RAISE_BY = {
  cost: "raise by, US dollars",
  tokens: "raise by, tokens",
} as const;

/** From this part of a limit on it is told. */
const NEAR = 0.8;
/** Of a limit, offered when it is reached. */
const OFFERED = 0.25;

/** US dollars for tokens of a model; null where its price is not known. */
export type PriceOf = (model: string, tokens: Omit<Usage, "cost">) => Promise<number | null>;

/** Of the lane that asks next. */
export interface Asker {
  readonly session: Session;
  readonly contextManager: ContextManager;
  readonly modelName: string;
}

export interface BudgetParts {
  readonly t: T;
  /** Of a session. */
  readonly session: Allowance;
  readonly day: Allowance;
  readonly spending: DaySpending;
  readonly priceOf: PriceOf;
  /** All that was spent for the session. */
  spent(): Usage;
  /** Warns the user. */
  tell(text: string): void;
  /** Asks a person; nobody is there when left out. */
  readonly ask?: ((question: Question, signal: AbortSignal) => Promise<Answer>) | undefined;
  /** Of the lane it is worked for, which has to pay too. */
  readonly above?: Budget | undefined;
}

/** What a session may spend, and the day. */
export class Budget {
  readonly #parts: BudgetParts;
  readonly #given: Limits;
  readonly #limits: { session: Allowance; day: Allowance };
  /** Limits that were told to be near, and that were told not to hold. */
  readonly #told = new Set<string>();

  constructor(parts: BudgetParts) {
    this.#parts = parts;
    this.#given = { session: parts.session, day: parts.day };
    this.#limits = { session: { ...parts.session }, day: { ...parts.day } };
  }

  get priceOf(): PriceOf {
    return this.#parts.priceOf;
  }

  /** Why the next request may not be made, in words for the user; nobody is asked. */
  async over(asker: Asker): Promise<string | undefined> {
    const at = await this.#check(asker);
    return at ? this.#reached(at) : await this.#parts.above?.over(asker);
  }

  /** The same, but a person may let the session go on: that raises its limit. */
  async pass(asker: Asker, signal: AbortSignal): Promise<string | undefined> {
    let before: Limit | undefined;
    let more: number | undefined;
    for (let at = await this.#check(asker); at; before = at, at = await this.#check(asker)) {
      const again = before?.scope === at.scope && before.unit === at.unit;
      more = this.#parts.ask && await this.#raise(at, again ? more : undefined, signal);
      if (more === undefined) return this.#reached(at);
    }
    return await this.#parts.above?.over(asker);
  }

  /** Tells of a limit that has come near; to be called when a request has been counted. */
  async warn(): Promise<void> {
    if (this.#isLimited("session") || this.#isLimited("day")) {
      const all = { session: this.#parts.spent(), day: (await this.#today()).usage };
      for (const at of this.#standing(all, { tokens: 0, cost: 0 })) this.#warnOf(at);
    }
    await this.#parts.above?.warn();
  }

  /** Counts a request on the day. */
  count(usage: Usage, model: string): Promise<void> {
    return this.#parts.spending.add(usage, model);
  }

  /** Another session takes the place of this one. */
  renew(): void {
    this.#limits.session = { ...this.#given.session };
    for (const one of this.#told) if (one.startsWith("session")) this.#told.delete(one);
  }

  async state(): Promise<BudgetState> {
    const { spending, spent } = this.#parts;
    const { session, day } = this.#limits;
    return { spent: spent(), today: await spending.today(), session, day };
  }

  #once(what: string, text: string): void {
    if (!this.#told.has(what)) this.#parts.tell(text);
    this.#told.add(what);
  }

  #isLimited(scope: Limit["scope"]): boolean {
    return UNITS.some((unit) => this.#limits[scope][unit] !== undefined);
  }

  async #today(): Promise<SpentToday> {
    return this.#isLimited("day") ? await this.#parts.spending.today() : NOTHING_TODAY;
  }

  async #check({ session, contextManager, modelName }: Asker): Promise<Limit | undefined> {
    if (!this.#isLimited("session") && !this.#isLimited("day")) return undefined;
    const { t, spent, priceOf } = this.#parts;
    const spentHere = spent();
    const expected = expectedUsage(session, contextManager.estimate(session));
    const counted = SCOPES.filter((scope) => this.#limits[scope].cost !== undefined);
    const price = counted.length > 0 ? await priceOf(modelName, expected) : 0;
    const today = await this.#today();
    const next = { tokens: expected.input + expected.output, cost: price ?? 0 };
    if (today.alone) {
      this.#once(
        "alone",
        t("What today has cost cannot be kept in ~/.narnat/spent: limits per day count this narnat alone"),
      );
    }
    const unpriced = { session: spentHere.cost === null, day: today.unpriced };
    if (price === null || counted.some((scope) => unpriced[scope])) {
      this.#once(
        "unpriced",
        t(
          "The price of {model}, or of a model before it, is not known: cost limits cannot hold for it, token limits do. narnat.json's prices can say it",
          { model: modelName },
        ),
      );
    }
    for (const at of this.#standing({ session: spentHere, day: today.usage }, next)) {
      if (at.spent >= at.limit || at.spent + at.next > at.limit) return at;
      this.#warnOf(at);
    }
    return undefined;
  }

  /** Each limit there is, with what is spent of it. */
  #standing(
    all: { readonly [scope in Limit["scope"]]: Usage },
    next: { readonly [unit in Limit["unit"]]: number },
  ): Limit[] {
    return SCOPES.flatMap((scope) =>
      UNITS.flatMap((unit): Limit[] => {
        const limit = this.#limits[scope][unit];
        const { input, output, cost } = all[scope];
        const spent = unit === "tokens" ? input + output : cost;
        if (limit === undefined || spent === null) return [];
        return [{ scope, unit, limit, spent, next: next[unit] }];
      })
    );
  }

  /** What is used up is not near: the next request asks. */
  #warnOf(at: Limit): void {
    const { scope, unit, limit, spent } = at;
    if (spent < NEAR * limit || spent >= limit) return;
    const percent = Math.floor(100 * spent / limit);
    this.#once(
      `${scope} ${unit} ${limit}`,
      overText("near", at, this.#parts.t, { percent }),
    );
  }

  #reached(at: Limit): string {
    return overText(at.spent >= at.limit ? "used_up" : "short", at, this.#parts.t);
  }

  /** Lets a person raise the limit, who may have given `little` more; how much, undefined after a No. */
  async #raise(
    at: Limit,
    little: number | undefined,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { t, ask, tell } = this.#parts;
    const { scope, unit, limit, spent, next } = at;
    const whole = unit === "tokens";
    const missing = spent + next - limit;
    const several = missing + 2 * next;
    const more = roundUp(Math.max(OFFERED * (this.#given[scope][unit] ?? 0), several), whole);
    const values = { more: figure(unit, little ?? 0), missing: figure(unit, missing) };
    const why = little === undefined ? "" : `${
      t(
        "{more} more is too little for the next request: about {missing} is still missing",
        values,
      )
    }\n`;
    const answer = await ask!({
      kind: "budget",
      question: `${why}${this.#reached(at)}\n${
        t("Raise the limit by this much, while narnat runs? No ends the turn.")
      }`,
      fields: [{
        name: "more",
        label: t(RAISE_BY[unit]),
        type: whole ? "integer" : "number",
        value: more,
        required: true,
        minimum: whole ? 1 : 0.0001,
      }],
    }, signal);
    if (answer === false) return undefined;
    const wanted = answer === true ? more : Number(answer.more);
    this.#limits[scope] = { ...this.#limits[scope], [unit]: limit + wanted };
    tell(t("{what} is raised by {more} to {limit}", {
      what: t(BUDGETS[scope][unit]),
      more: figure(unit, wanted),
      limit: figure(unit, limit + wanted),
    }));
    return wanted;
  }
}

const SCOPES = ["session", "day"] as const;
const UNITS = ["tokens", "cost"] as const;

interface Limits {
  readonly session: Allowance;
  readonly day: Allowance;
}

const NOTHING_TODAY: SpentToday = {
  usage: { ...NO_USAGE, cost: 0 },
  unpriced: false,
  alone: false,
};

/** For who is told of no other narnat: the sum of this one since it began. */
export function ownSpending(): DaySpending {
  let usage = { ...NO_USAGE, cost: 0 };
  let unpriced = false;
  return {
    add(more) {
      usage = { ...addUsage(usage, more), cost: usage.cost + (more.cost ?? 0) };
      unpriced ||= more.cost === null;
      return Promise.resolve();
    },
    today: () => Promise.resolve({ usage, unpriced, alone: false }),
  };
}
