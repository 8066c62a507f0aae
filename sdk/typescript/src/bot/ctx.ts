import { SvcError } from "../error.js";
import { PAUSE, type ServiceOrder } from "../orders.js";
import type { Requests } from "../schemas.js";
import type { Svc } from "../svc.js";
import { type Log, toStderr, untilAnswered } from "./outage.js";

/** How far the work is. */
export interface Progress {
  /** 0 to 100. */
  percent?: number;
  note?: string;
  /** Until when you would need time; only the buyer can give it. */
  wantsUntil?: Date;
}

/** The order that a handler works on. */
export class Ctx {
  /** Aborted when the time of the handler is over, and when the bot stops. */
  readonly signal: AbortSignal;
  readonly #svc: Svc;
  readonly #log: Log;
  #order: ServiceOrder;
  #charge: number | undefined;

  constructor(svc: Svc, order: ServiceOrder, signal: AbortSignal, log: Log = toStderr) {
    this.#svc = svc;
    this.#log = log;
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

  /** Charges less than the offer. */
  charge(credits: number): void {
    if (!(credits >= 0 && credits <= this.#order.offeredCredits)) {
      throw new RangeError(`the charge is 0 to ${this.#order.offeredCredits} credits`);
    }
    this.#charge = credits;
  }

  /** Tells the buyer how far the work is. */
  async progress({ wantsUntil, ...progress }: Progress): Promise<void> {
    const until = wantsUntil && { wantsUntil: wantsUntil.toISOString() };
    await this.#report("working", { ...progress, ...until });
  }

  /** Sends the buyer a part of the result: at most 100 of 64 KiB, at no cost. */
  async partial(partial: Requests["ProgressOrder"]["partial"]): Promise<void> {
    await this.#report("working", { partial });
  }

  /** Asks the buyer a question, and waits for the answer. The time of the order goes on. */
  async ask(prompt: string, schema?: Record<string, unknown>): Promise<unknown> {
    const promptSchema = schema && { promptSchema: schema };
    const asked = await this.#report("input_required", { prompt, ...promptSchema });
    const id = asked.prompt?.id;
    for (;;) {
      const { prompt: now, version, status } = this.#order;
      if (now?.id === id && now?.inputAt !== undefined) return now.input;
      if (!["input_required", "working"].includes(status)) {
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

  async #report(state: Requests["ProgressState"], members: object): Promise<ServiceOrder> {
    const options = { ...members, signal: this.signal };
    this.#order = (await this.#svc.orders.progress(this.orderId, state, options)).order;
    return this.#order;
  }
}
