// The limits of a buyer, and the error for an order beyond one.

import { SvcError } from "../error.js";

/** The name of a limit. */
export type SpendLimit = "maxCredits" | "perOrder" | "perProvider" | "perDay" | "only";

/** The order would exceed a limit of its buyer. Nothing was sent. */
export class SpendLimitError extends SvcError {
  readonly limit: SpendLimit;
  /** What the order costs, in credits. */
  readonly asked: number;
  /** The credits that the limit still allows. */
  readonly left: number;

  constructor(limit: SpendLimit, asked: number, left: number) {
    const text =
      limit === "only"
        ? "the provider must be one of those that the buyer's limit `only` names"
        : `the order costs ${asked} ${asked === 1 ? "credit" : "credits"}, and ${limit} leaves ${left}`;
    super(text, { code: "spend_limit", outcome: "not_sent" });
    this.limit = limit;
    this.asked = asked;
    this.left = left;
  }
}

/** How much may be spent, in millionths of a credit, and with which providers. */
export interface Caps {
  perOrder: number | undefined;
  perDay: number | undefined;
  perProvider: number | undefined;
  /** Usernames in lower case. */
  only: ReadonlySet<string> | undefined;
}

/** What an order costs at most, in millionths of a credit. */
export interface Expense {
  id: string;
  /** Username in lower case. */
  provider: string;
  amount: number;
  maxCredits: number;
}

/** Refuses an order that exceeds a limit by itself. */
export function checkOrder({ provider, amount, maxCredits }: Expense, { only, perOrder }: Caps): void {
  if (only !== undefined && !only.has(provider)) throw new SpendLimitError("only", credits(amount), 0);
  for (const [limit, most] of [["maxCredits", maxCredits], ["perOrder", perOrder]] as const) {
    if (most !== undefined && amount > most) throw new SpendLimitError(limit, credits(amount), credits(most));
  }
}

/** Refuses an order that exceeds a limit together with the others of the day; `spent` is what those cost. */
export function checkDay(
  { provider, amount }: Expense,
  { perProvider, perDay }: Caps,
  spent: (provider?: string) => number,
): void {
  for (const [limit, most, by] of [["perProvider", perProvider, provider], ["perDay", perDay, undefined]] as const) {
    if (most === undefined) continue;
    const left = Math.max(0, most - spent(by));
    if (amount > left) throw new SpendLimitError(limit, credits(amount), credits(left));
  }
}

/** Millionths of a credit: sums of credits would not be exact. */
export function micros(credits: number, field: string): number {
  const value = Math.round(credits * 1e6);
  if (typeof credits === "number" && value >= 0 && Number.isFinite(value)) return value;
  throw new SvcError(`${field} must be a number of credits, such as 5 or 0.25, not ${String(credits)}`, {
    code: "invalid_request", outcome: "not_sent", field,
  });
}

export function credits(micros: number): number {
  return micros / 1e6;
}

/** The name under which spending on a provider counts. */
export function folded(username: string): string {
  return username.replace(/^@/, "").toLowerCase();
}
