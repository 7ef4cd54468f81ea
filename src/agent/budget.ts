/** What a session may cost, and what its next request is expected to. */
import type {
  Allowance,
  Answer,
  BudgetState,
  DaySpending,
  Keeper,
  Question,
  Session,
  SpentToday,
  Usage,
} from "../base/types.ts";
import type { T } from "../base/t.ts";
import { BUDGETS } from "./loop/limits.ts";
import { addUsage, NO_USAGE } from "../base/usage.ts";
import { expectedUsage } from "./loop/expected.ts";
import { figure, type Limit, overText, roundUp } from "./loop/limits.ts";

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
  readonly keeper: Keeper;
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

export interface Budget {
  /** Why the next request may not be made, in words for the user; nobody is asked. */
  over(asker: Asker): Promise<string | undefined>;
  /** The same, but a person may let the session go on: that raises its limit. */
  pass(asker: Asker, signal: AbortSignal): Promise<string | undefined>;
  /** Tells of a limit that has come near; to be called when a request has been counted. */
  warn(): Promise<void>;
  /** Counts a request on the day. */
  count(usage: Usage, model: string): Promise<void>;
  readonly priceOf: PriceOf;
  /** Another session takes the place of this one. */
  renew(): void;
  state(): Promise<BudgetState>;
}

const SCOPES = ["session", "day"] as const;
const UNITS = ["tokens", "cost"] as const;

export function createBudget(parts: BudgetParts): Budget {
  const { t, spending, priceOf, above } = parts;
  const given = { session: parts.session, day: parts.day };
  const limits = { session: { ...given.session }, day: { ...given.day } };
  /** Limits that were told to be near, and that were told not to hold. */
  const told = new Set<string>();
  const once = (what: string, text: string) => {
    if (!told.has(what)) parts.tell(text);
    told.add(what);
  };
  const limited = (scope: typeof SCOPES[number]) =>
    UNITS.some((unit) => limits[scope][unit] !== undefined);
  const todayIfLimited = async () => limited("day") ? await spending.today() : NOTHING_TODAY;

  async function check({ session, keeper, modelName }: Asker): Promise<Limit | undefined> {
    if (!limited("session") && !limited("day")) return undefined;
    const spentHere = parts.spent();
    const expected = expectedUsage(session, keeper.estimate(session));
    const counted = SCOPES.filter((scope) => limits[scope].cost !== undefined);
    const price = counted.length > 0 ? await priceOf(modelName, expected) : 0;
    const today = await todayIfLimited();
    const next = { tokens: expected.input + expected.output, cost: price ?? 0 };
    if (today.alone) {
      once(
        "alone",
        t("What today has cost cannot be kept in ~/.narnat/spent: limits per day count this narnat alone"),
      );
    }
    const unpriced = { session: spentHere.cost === null, day: today.unpriced };
    if (price === null || counted.some((scope) => unpriced[scope])) {
      once(
        "unpriced",
        t(
          "The price of {model}, or of a model before it, is not known: cost limits cannot hold for it, token limits do. narnat.json's prices can say it",
          { model: modelName },
        ),
      );
    }
    for (const at of standing({ session: spentHere, day: today.usage }, next)) {
      if (at.spent >= at.limit || at.spent + at.next > at.limit) return at;
      warnOf(at);
    }
    return undefined;
  }

  /** Each limit there is, with what is spent of it. */
  function standing(
    all: { readonly [scope in Limit["scope"]]: Usage },
    next: { readonly [unit in Limit["unit"]]: number },
  ): Limit[] {
    return SCOPES.flatMap((scope) =>
      UNITS.flatMap((unit): Limit[] => {
        const limit = limits[scope][unit];
        const { input, output, cost } = all[scope];
        const spent = unit === "tokens" ? input + output : cost;
        if (limit === undefined || spent === null) return [];
        return [{ scope, unit, limit, spent, next: next[unit] }];
      })
    );
  }

  /** What is used up is not near: the next request asks. */
  function warnOf(at: Limit): void {
    const { scope, unit, limit, spent } = at;
    if (spent < NEAR * limit || spent >= limit) return;
    const percent = Math.floor(100 * spent / limit);
    once(`${scope} ${unit} ${limit}`, overText("near", at, t, { percent }));
  }

  /** Lets a person raise the limit, who may have given `little` more; how much, undefined after a No. */
  async function raised(
    at: Limit,
    little: number | undefined,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { scope, unit, limit, spent, next } = at;
    const whole = unit === "tokens";
    const missing = spent + next - limit;
    const several = missing + 2 * next;
    const more = roundUp(Math.max(OFFERED * (given[scope][unit] ?? 0), several), whole);
    const values = { more: figure(unit, little ?? 0), missing: figure(unit, missing) };
    const why = little === undefined ? "" : `${
      t(
        "{more} more is too little for the next request: about {missing} is still missing",
        values,
      )
    }\n`;
    const answer = await parts.ask!({
      kind: "budget",
      question: `${why}${reached(at)}\n${
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
    limits[scope][unit] = limit + wanted;
    parts.tell(t("{what} is raised by {more} to {limit}", {
      what: t(BUDGETS[scope][unit]),
      more: figure(unit, wanted),
      limit: figure(unit, limit + wanted),
    }));
    return wanted;
  }

  const reached = (at: Limit) => overText(at.spent >= at.limit ? "used_up" : "short", at, t);

  return {
    priceOf,
    async over(asker) {
      const at = await check(asker);
      return at ? reached(at) : await above?.over(asker);
    },
    async pass(asker, signal) {
      let before: Limit | undefined;
      let more: number | undefined;
      for (let at = await check(asker); at; before = at, at = await check(asker)) {
        const again = before?.scope === at.scope && before.unit === at.unit;
        more = parts.ask && await raised(at, again ? more : undefined, signal);
        if (more === undefined) return reached(at);
      }
      return await above?.over(asker);
    },
    async warn() {
      if (limited("session") || limited("day")) {
        const all = { session: parts.spent(), day: (await todayIfLimited()).usage };
        standing(all, { tokens: 0, cost: 0 }).forEach(warnOf);
      }
      await above?.warn();
    },
    count: (usage, model) => spending.add(usage, model),
    renew() {
      limits.session = { ...given.session };
      for (const one of told) if (one.startsWith("session")) told.delete(one);
    },
    state: async () => ({
      spent: parts.spent(),
      today: await spending.today(),
      session: limits.session,
      day: limits.day,
    }),
  };
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
