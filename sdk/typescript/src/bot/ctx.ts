import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

import { SvcError } from "../error.js";
import { PAUSE, type ServiceOrder } from "../orders.js";
import type { Requests } from "../schemas.js";
import type { Svc } from "../svc.js";
import { isAnswered } from "./answer.js";
import { type Log, toStderr, untilAnswered } from "./outage.js";

/** Millionths of a credit, the smallest amount, in a credit. */
const MICROS = 1e6;

/** The steps that are under way, for what each of them calls. */
const underWay = new AsyncLocalStorage<readonly string[]>();

/** How far the work is. */
export interface Progress {
  /** 0 to 100. */
  percent?: number;
  note?: string;
  /** Until when you would need time; only the buyer can give it. */
  wantsUntil?: Date;
}

/** The steps of a handler that are done, which the journal keeps. */
export interface Steps {
  done: ReadonlyMap<string, unknown>;
  add(name: string, value: unknown): Promise<void>;
}

/** The order that a handler works on. */
export class Ctx {
  /** Aborted when the time of the handler is over, and when the bot stops. */
  readonly signal: AbortSignal;
  readonly #svc: Svc;
  readonly #log: Log;
  readonly #steps: Steps;
  #order: ServiceOrder;
  #charge: number | undefined;
  #partials = 0;
  /** How many of them each step has sent. */
  readonly #sent = new Map<string, number>();
  /** How often this run has asked each question. */
  readonly #asked = new Map<string, number>();

  constructor(svc: Svc, order: ServiceOrder, signal: AbortSignal, log: Log = toStderr, steps: Steps = unkept()) {
    this.#svc = svc;
    this.#log = log;
    this.#steps = steps;
    this.#order = order;
    this.signal = signal;
  }

  get orderId(): string {
    return this.#order.id;
  }

  /** All that the server says of the order. */
  get order(): ServiceOrder {
    return this.#order;
  }

  get buyer(): ServiceOrder["buyer"] {
    return this.#order.buyer;
  }

  /** What will be charged, if it is not the whole offer. */
  get charged(): number | undefined {
    return this.#charge;
  }

  /**
   * Charges less than the offer, rounded to millionths of a credit; a larger amount is capped. An escrow always pays
   * in full.
   */
  charge(credits: number): void {
    if (!Number.isFinite(credits)) throw new RangeError("the charge must be a number of credits");
    const capped = Math.max(0, Math.min(credits, this.#order.offeredCredits));
    this.#charge = Math.round(capped * MICROS) / MICROS;
  }

  /** Tells the buyer how far the work is. */
  async progress({ wantsUntil, ...progress }: Progress): Promise<void> {
    const until = wantsUntil && { wantsUntil: wantsUntil.toISOString() };
    await this.#report("working", { ...progress, ...until });
  }

  /**
   * Sends the buyer a part of the result: at most 100 of 64 KiB, at no cost. A handler that runs again after a
   * crash sends each of them only once, provided that it sends them in the same order.
   */
  async partial(partial: Requests["ProgressOrder"]["partial"] | object): Promise<void> {
    this.#count(1);
    try {
      await this.#report("working", { partial, idempotencyKey: `partial:${this.orderId}:${this.#partials}` });
    } catch (error) {
      // The handler ran before, and sent its partial result of this number.
      if ((error as SvcError).code !== "idempotency_conflict") throw error;
    }
  }

  /**
   * Asks the buyer a question, and waits for the answer. The time of the order goes on. Give the service a `timeout`
   * that leaves time for it.
   *
   * The journal keeps question and answer: a handler that runs again waits for the answer to the same question, or
   * has it already. A question that one run asks twice has two answers.
   */
  async ask(prompt: string, schema?: Record<string, unknown>): Promise<unknown> {
    const promptSchema = schema && { promptSchema: schema };
    const members = { prompt, ...promptSchema };
    const number = (this.#asked.get(prompt) ?? 0) + 1;
    this.#asked.set(prompt, number);
    const name = number === 1 ? `:${prompt}` : ` ${number}:${prompt}`;
    const step = `ask${name}`;
    const send = async () => (await this.#report("input_required", members)).prompt?.id;
    const again = async () => {
      const id = await send();
      await this.#steps.add(step, id);
      return id;
    };
    const id = await this.once(step, send);
    // The order has only the latest question: a later one takes the place of this one.
    return this.once(`answer${name}`, () => this.#input(id, again));
  }

  /**
   * Does a step once, even if the handler runs again: the journal has its result, as JSON, which is what the handler
   * gets in the first run too: a `Date` is a text. A crash after the step but before its result is stored repeats
   * it. Give `stepKey` to systems that take idempotency keys.
   */
  async once<Value>(step: string, work: () => Value | Promise<Value>): Promise<Value> {
    const { done } = this.#steps;
    if (done.has(step)) {
      this.#count(Number(done.get(`partials:${step}`) ?? 0));
      return done.get(step) as Value;
    }
    const value = asJson(await underWay.run([...stepsHere(), step], work));
    // Partial results are known by their number, so a run that skips the step counts its own.
    const sent = this.#sent.get(step);
    if (sent) await this.#steps.add(`partials:${step}`, sent);
    await this.#steps.add(step, value);
    return value;
  }

  /** Counts partial results that were sent, also for the steps that sent them. */
  #count(partials: number): void {
    this.#partials += partials;
    for (const step of stepsHere()) this.#sent.set(step, (this.#sent.get(step) ?? 0) + partials);
  }

  /** An idempotency key for a step, the same when the handler runs again. */
  stepKey(step: string): string {
    return `step:${step}:${this.orderId}`;
  }

  /** Waits for the input to a question, which `again` sends again. */
  async #input(id: string | undefined, again: () => Promise<string | undefined>): Promise<unknown> {
    for (;;) {
      const { prompt: now, version, status } = this.#order;
      if (now?.id === id && now?.inputAt !== undefined) return now.input;
      if (now !== undefined && now.id === id && status === "working") {
        // A handler that runs again reported progress, which withdraws the question.
        id = await again();
        continue;
      }
      if (isAnswered(this.#order)) {
        throw new SvcError(`the order is ${status}`, { code: "request_closed", outcome: "refused" });
      }
      const options = { waitSeconds: 60, afterVersion: version, signal: this.signal };
      const look = () => this.#svc.orders.get(this.orderId, options);
      // The buyer may take days: an outage meanwhile must not fail the order.
      this.#order = (await untilAnswered(this.#svc, look, this.signal, this.#log)).order;
      // The next request says that it was interrupted.
      if (this.#order.version === version) await this.#svc.sleep(PAUSE, this.signal).catch(() => {});
    }
  }

  /** Reports to the buyer, once, when the server can be reached: an outage must not fail the order. */
  async #report(state: Requests["ProgressState"], members: object): Promise<ServiceOrder> {
    const options = { idempotencyKey: randomUUID(), ...members, signal: this.signal };
    const report = () => this.#svc.orders.progress(this.orderId, state, options);
    this.#order = (await untilAnswered(this.#svc, report, this.signal, this.#log)).order;
    return this.#order;
  }
}

/** The steps that the caller is a part of, the outermost first. */
function stepsHere(): readonly string[] {
  return underWay.getStore() ?? [];
}

/** A value as the journal keeps it. */
function asJson<Value>(value: Value): Value {
  const text = JSON.stringify(value) as string | undefined; // There is none for `undefined`.
  return text === undefined ? value : (JSON.parse(text) as Value);
}

/** Steps that are forgotten with the handler. */
function unkept(): Steps {
  const done = new Map<string, unknown>();
  return { done, add: async (name, value) => void done.set(name, value) };
}
