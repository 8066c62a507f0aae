import { setTimeout as sleep } from "node:timers/promises";

import { SvcError } from "../error.js";
import type { Svc } from "../svc.js";
import type { Call, Journal } from "./journal.js";

/** The longest pause between attempts, in milliseconds. */
const PAUSE_MAX = 60_000;

/** Sends the answers of the journal until the server has taken or refused them. */
export class Outbox {
  readonly #svc: Svc;
  readonly #journal: Journal;
  readonly #signal: AbortSignal;
  readonly #log: (text: string, cause?: unknown) => void;

  constructor(svc: Svc, journal: Journal, signal: AbortSignal, log: (text: string, cause?: unknown) => void) {
    this.#svc = svc;
    this.#journal = journal;
    this.#signal = signal;
    this.#log = log;
  }

  async send(order: string, calls: readonly Call[]): Promise<void> {
    for (const call of calls) {
      const refused = await this.#sendOne(call);
      if (refused === undefined) continue;
      this.#log(`the server refused ${call.key}`, refused);
      if (call.otherwise === undefined || !isOpen(refused)) continue;
      await this.#journal.add({ is: "answer", id: order, calls: call.otherwise });
      return this.send(order, call.otherwise);
    }
    await this.#journal.add({ is: "done", id: order });
  }

  /** Why the server does not take a call, if it does not. */
  async #sendOne({ key, path, body }: Call): Promise<SvcError | undefined> {
    try {
      await this.until(() => this.#svc.sendBody("POST", path, body, { idempotencyKey: key }));
      return undefined;
    } catch (error) {
      const { status } = error as SvcError;
      if (status === undefined || status === 401) throw error;
      return error as SvcError;
    }
  }

  /** The answer to a call, however long the server cannot be reached. */
  async until<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (let pause = 1_000; ; pause = Math.min(pause * 2, PAUSE_MAX)) {
      this.#signal.throwIfAborted();
      try {
        return await call();
      } catch (error) {
        if (!mayPass(error)) throw error;
        const { retryAfter } = error;
        this.#log("trying again soon", error);
        const wait = Math.max(pause, (retryAfter ?? 0) * 1000);
        await sleep(wait, undefined, { signal: this.#signal });
      }
    }
  }
}

/** Whether another attempt may succeed: an outage, a limit, a suspension. */
function mayPass(error: unknown): error is SvcError {
  if (!(error instanceof SvcError)) return false;
  const { status } = error;
  if (status === undefined) return ["unreachable", "timeout"].includes(error.code);
  return status >= 500 || status === 408 || status === 429 || error.code === "account_suspended";
}

/** Whether the order still waits for an answer after a refusal. */
function isOpen({ code }: SvcError): boolean {
  return !["request_closed", "request_not_found", "not_found", "idempotency_conflict"].includes(code);
}
