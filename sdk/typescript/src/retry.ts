// Which calls are tried again, and when.

import type { Clock } from "./clock.js";
import { SvcError } from "./error.js";

/** The first pause between two attempts, doubled after each, and the longest, in milliseconds. */
const BACK_OFF = 500;
const BACK_OFF_MAX = 8_000;
/** Shortest pause before asking again for the answer of a request that is running, in milliseconds. */
const IN_PROGRESS = 1_000;
/**
 * The longest wait that the server can ask of what goes on until it is back, in milliseconds. Then it is asked
 * again, in case it is back earlier.
 */
const ASKED_MAX = 3_600_000;

/** How a call may be sent again once it may have reached the server. */
export type Repeat =
  /** With the same bytes and the same idempotency key. */
  | "same"
  /** As with `same`, also for an anonymous caller: the server keeps the key. */
  | "kept"
  /** With a new key: its answer is secret, so the server does not store it, and a second effect is harmless. */
  | "newKey"
  /** Not at all: a second effect would do harm. */
  | "never";

/** What to do after an error: the pause is the server's, or a back-off if there is none. */
type Verdict = "final" | { pause?: number; isCounted: boolean };

/** The retry table. */
function verdict(error: SvcError, repeat: Repeat): Verdict {
  if (error.code === "interrupted") return "final";
  const retry = (pause?: number): Verdict => ({ isCounted: true, ...(pause !== undefined && { pause }) });
  if (error.status === undefined && error.outcome === "not_sent") return retry();
  if (repeat === "never") return "final";
  const pause = error.retryAfter === undefined ? undefined : error.retryAfter * 1000;
  switch (error.status) {
    case undefined:
      return error.outcome === "unknown" ? retry() : "final";
    case 408:
    case 500:
    case 502:
    case 504:
      return retry(pause);
    case 429:
      return pause === undefined ? "final" : retry(pause);
    case 503:
      return pause !== undefined || error.code === "outcome_unknown" ? retry(pause) : "final";
    case 409:
      if (error.code !== "idempotency_in_progress") return "final";
      return { pause: Math.max(pause ?? 0, IN_PROGRESS), isCounted: false };
    default:
      return "final";
  }
}

/** How long the server asks to wait, in milliseconds: at most an hour. */
export function askedWait({ retryAfter }: SvcError): number {
  return Math.min((retryAfter ?? 0) * 1000, ASKED_MAX);
}

/** The pause before retry number `retry` (from 0): doubled, limited, times 0.75 to 1. */
export function backOff(retry: number, random: number): number {
  return Math.min(BACK_OFF * 2 ** retry, BACK_OFF_MAX) * (0.75 + random / 4);
}

/** Cost of a retry, in the fifths that the budget counts: a success at the first attempt returns one. */
const RETRY = 5;
/** A full budget: 20 retries. */
const BUDGET_MAX = 20 * RETRY;

/** The retries left to a client, so that retries do not multiply an outage. Counted in fifths. */
export class Budget {
  #left = BUDGET_MAX;

  /** Takes one retry, if any is left. */
  take(): boolean {
    if (this.#left < RETRY) return false;
    this.#left -= RETRY;
    return true;
  }

  /** Returns a fifth of a retry, for a success at the first attempt. */
  giveBack(): void {
    this.#left = Math.min(BUDGET_MAX, this.#left + 1);
  }
}

/** What limits the retries of a call. */
export interface Limits {
  /** How many there are at most. */
  retries: number;
  /** The longest pause that the server may ask for, in milliseconds. */
  maxRetryWait: number;
  /** When the time of the call is over, by the clock. */
  end: number;
  repeat: Repeat;
  /** The next step if the answer is lost and the call may not be repeated. */
  lostHint?: string | undefined;
}

/** The next step without one of the endpoint. */
const LOST_HINT = "check whether it took effect before calling again";

/** The retries of one call. */
export class Retries {
  readonly #limits: Limits;
  readonly #budget: Budget;
  readonly #clock: Clock;
  #count = 0;
  #mayHaveActed = false;

  constructor(limits: Limits, budget: Budget, clock: Clock) {
    this.#limits = limits;
    this.#budget = budget;
    this.#clock = clock;
  }

  /** How long to wait before the next attempt, in milliseconds; throws the error if there is none. */
  pauseAfter(error: SvcError): number {
    this.#mayHaveActed ||= error.outcome === "unknown";
    const pause = this.#pause(error);
    if (pause === undefined) throw this.explained(error);
    return pause;
  }

  /** The last error, in view of the attempts before it. */
  explained(error: SvcError): SvcError {
    const { repeat, lostHint: hint = LOST_HINT } = this.#limits;
    const known = this.#mayHaveActed ? unclear(error) : error;
    if (repeat !== "never" || known.outcome !== "unknown") return known;
    return new SvcError(known.text, { ...known, hint, cause: known.cause });
  }

  #pause(error: SvcError): number | undefined {
    const { retries, maxRetryWait, end, repeat } = this.#limits;
    const next = verdict(error, repeat);
    if (next === "final" || retries === 0) return undefined;
    if ((next.pause ?? 0) > maxRetryWait) return undefined;
    const pause = next.pause ?? backOff(this.#count, this.#clock.random());
    if (this.#clock.now() + pause >= end) return undefined;
    if (!next.isCounted) return pause;
    if (this.#count >= retries || !this.#budget.take()) return undefined;
    this.#count += 1;
    return pause;
  }
}

/** Refusals that the server makes before it looks at the idempotency key. */
const EARLY = ["account_paused", "account_suspended", "address_not_allowed", "insufficient_scope"];

/** Whether an error does not show what became of an earlier attempt; all other refusals considered its key. */
function isSilent({ status, code, method, idempotencyKey }: SvcError): boolean {
  // After a deletion that took effect, the next attempt finds nothing.
  if (idempotencyKey === undefined && method !== "GET") return true;
  return status === undefined || [401, 429, 503].includes(status) || ["invalid_answer", ...EARLY].includes(code);
}

/** An error after an earlier attempt that may have taken effect. */
function unclear(error: SvcError): SvcError {
  if (error.outcome === "unknown" || !isSilent(error)) return error;
  return new SvcError(error.text, { ...error, outcome: "unknown", cause: error });
}
