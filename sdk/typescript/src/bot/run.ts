import { setTimeout as sleep } from "node:timers/promises";

import { isPassing, SvcError } from "../error.js";
import { TIMER_MAX } from "../limit.js";
import type { ServiceOrder } from "../orders.js";
import type { Svc } from "../svc.js";
import { answer, deliveryKey, INTERRUPTED, isAnswered, rejected, type Rejected, type Verdict } from "./answer.js";
import type { BotOptions } from "./bot.js";
import type { Steps } from "./ctx.js";
import type { Call, Job, Journal } from "./journal.js";
import { isInactive, toStderr, untilAnswered, waitOut } from "./outage.js";
import { escrowOf, hasWork, Outbox } from "./outbox.js";
import { Queue } from "./queue.js";
import { needsEscrow, type Offer } from "./service.js";
import { work } from "./work.js";

/** Most starts of a handler with `onCrash: "rerun"`. */
const STARTS_MAX = 3;

/** Most orders that a bot takes on at once; others wait on the server. */
const KNOWN_MAX = 1000;

/** States of orders that wait for the bot. */
const UNANSWERED = ["open", "working", "input_required"] as const;

type Unanswered = (typeof UNANSWERED)[number];

/** Pause between two readings of the open orders, in case an event was missed, in milliseconds. */
const LOOK_PAUSE = 30_000;

/** How long handlers may go on after the stop by default, in milliseconds. */
const DRAIN = 30_000;

/** A run of a bot, from its start to its end. */
export class Run {
  readonly #svc: Svc;
  readonly #journal: Journal;
  readonly #offers: ReadonlyMap<string, Offer>;
  readonly #options: BotOptions;
  readonly #stop: AbortController;
  /** Ends handlers that are still running when the bot has to end. */
  readonly #hurry = new AbortController();
  readonly #outbox: Outbox;
  readonly #queue: Queue;
  /** The orders that wait or are worked on. */
  readonly #known = new Set<string>();
  #failure: unknown;

  constructor(
    svc: Svc,
    journal: Journal,
    offers: ReadonlyMap<string, Offer>,
    options: BotOptions,
    stop: AbortController,
  ) {
    this.#svc = svc;
    this.#journal = journal;
    this.#offers = offers;
    this.#options = options;
    this.#stop = stop;
    this.#outbox = new Outbox(svc, journal, this.#hurry.signal, this.#log);
    this.#queue = new Queue(Math.max(options.concurrency ?? 16, 1));
  }

  async all(jobs: readonly Job[]): Promise<void> {
    jobs.forEach((job) => this.#known.add(job.id));
    jobs.forEach((job) => this.#enqueue(job.id, job.conversation ?? job.id, () => this.#resume(job)));
    const { signal } = this.#stop;
    await Promise.all([this.#listen(signal), this.#lookAgain(signal)].map((task) => task.catch(this.#fail)));
    await this.#drain();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Events say when to look; what they say of the order is not used. */
  async #listen(signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        const latest = () => this.#svc.events.list({ limit: 1, signal });
        const { latestSeq: after } = await untilAnswered(this.#svc, latest, signal, this.#log);
        const onOpen = () => void this.#look().catch(this.#fail);
        for await (const event of this.#svc.events.follow({ after, types: ["order"], signal, onOpen })) {
          const { action, orderId } = event.data as { action?: string; orderId?: string };
          if (action === "placed" && orderId !== undefined) await this.#consider(orderId);
        }
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (isInactive(error) || isPassing(error)) {
          await waitOut(this.#svc, error, signal, this.#log);
          continue;
        }
        // Older events are gone: the open orders show what was missed.
        if ((error as SvcError).code !== "cursor_expired") throw error;
      }
    }
  }

  async #lookAgain(signal: AbortSignal): Promise<void> {
    // The journal has the orders that were begun, unless it was lost.
    let states: readonly Unanswered[] = UNANSWERED;
    while (!signal.aborted) {
      if (await this.#look(states)) states = ["open"];
      await sleep(LOOK_PAUSE, undefined, { signal }).catch(() => {});
    }
  }

  /** Considers each order in these states; returns whether all could be read and taken on. */
  async #look(states: readonly Unanswered[] = ["open"]): Promise<boolean> {
    const { signal } = this.#stop;
    try {
      for (const status of states) {
        for await (const order of this.#svc.orders.list({ role: "provider", status, limit: 100, signal })) {
          // What was begun may have been answered since the list was made.
          await (status === "open" ? this.#consider(order.id, order) : this.#consider(order.id, undefined, states));
        }
      }
      return this.#known.size < KNOWN_MAX;
    } catch (error) {
      if (signal.aborted) return false;
      if (!isForNow(error)) throw error;
      this.#log("the open orders cannot be read now", error);
      return false;
    }
  }

  /** Takes on an order that is new, if it is in one of these states. */
  async #consider(id: string, order?: ServiceOrder, states: readonly string[] = ["open"]): Promise<void> {
    if (this.#known.has(id) || this.#known.size >= KNOWN_MAX || this.#stop.signal.aborted) return;
    const found = order ?? (await this.#read(id));
    if (found === undefined || !states.includes(found.status)) return;
    if (this.#known.has(id)) return; // Another look was faster.
    this.#known.add(id);
    this.#enqueue(id, found.conversationId, async () => {
      await this.#journal.add({ is: "order", id, conversation: found.conversationId });
      await this.#begin({ id, starts: 0 }, found);
    });
  }

  async #read(id: string): Promise<ServiceOrder | undefined> {
    try {
      return (await this.#svc.orders.get(id)).order;
    } catch (error) {
      if (isForNow(error) || (error as SvcError).status === 404) return undefined;
      throw error;
    }
  }

  /** One order of a conversation after the other. */
  #enqueue(id: string, conversation: string, task: () => Promise<void>): void {
    const unlessStopped = async () => (this.#stop.signal.aborted ? undefined : await task());
    const forget = () => this.#known.delete(id);
    void this.#queue.add(conversation, unlessStopped).then(forget, this.#fail);
  }

  /** Goes on with an order where the bot was interrupted. */
  async #resume(job: Job): Promise<void> {
    const order = await this.#stillThere(job);
    if (order === undefined) return this.#journal.add({ is: "done", id: job.id });
    if (job.calls) return this.#outbox.send(job.id, await this.#unsent(job.calls, order));
    await this.#begin(job, order);
  }

  /** The order of a job, unless the server no longer has it. */
  async #stillThere(job: Job): Promise<ServiceOrder | undefined> {
    try {
      return (await this.#outbox.until(() => this.#svc.orders.get(job.id))).order;
    } catch (error) {
      if (error instanceof SvcError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** The calls without a delivery that has arrived: after a day, the server no longer knows its key. */
  async #unsent(calls: Call[], { id, escrowId }: ServiceOrder): Promise<Call[]> {
    if (escrowId === undefined || calls[0]?.key !== deliveryKey(id)) return calls;
    const escrow = await this.#outbox.until(() => escrowOf(this.#svc, escrowId));
    if (escrow instanceof SvcError) return calls; // The answer to the delivery says why.
    return hasWork(escrow) ? calls.slice(1) : calls;
  }

  async #begin(job: Job, order: ServiceOrder): Promise<void> {
    if (isAnswered(order)) return this.#journal.add({ is: "done", id: job.id });
    const verdict = await this.#verdict(job, order);
    if (verdict === undefined) return;
    const calls = answer(order, verdict);
    await this.#journal.add({ is: "answer", id: job.id, calls });
    await this.#outbox.send(job.id, calls);
  }

  async #verdict(job: Job, order: ServiceOrder): Promise<Verdict | undefined> {
    const offer = this.#offers.get(order.serviceId);
    if (offer === undefined) return NOT_OFFERED;
    const crashed = job.starts > 0 ? afterCrash(offer, job.starts) : undefined;
    return crashed ?? (await this.#accepted(job, order, offer));
  }

  /** Accepts the order and works on it; without a verdict there is nothing to answer. */
  async #accepted(job: Job, order: ServiceOrder, offer: Offer): Promise<Verdict | undefined> {
    if (order.escrowId === undefined && needsEscrow(offer.options)) return ESCROW_NEEDED;
    const problem = await this.#outbox.until(() => unpaid(this.#svc, order, offer));
    if (problem !== undefined) return problem;
    const { id } = order;
    try {
      // Under a new key: a stored answer would say that an order which has ended is open. A handler that runs again
      // may wait for an answer to its question, which the report would withdraw.
      if (job.starts === 0) order = (await this.#outbox.until(() => this.#svc.orders.progress(id, "working"))).order;
    } catch (error) {
      if ((error as SvcError).status !== 409 && (error as SvcError).status !== 404) throw error;
      await this.#journal.add({ is: "done", id: job.id }); // The buyer has cancelled it.
      return undefined;
    }
    await this.#journal.add({ is: "start", id: job.id });
    const verdict = await work(this.#svc, offer, order, this.#steps(job), this.#hurry.signal, this.#log);
    // A handler that was ended with the bot falls under the policy of crashes.
    return this.#hurry.signal.aborted && verdict.is === "error" ? undefined : verdict;
  }

  #steps({ id, steps }: Job): Steps {
    const done = new Map(steps);
    const add = async (name: string, value: unknown) => {
      await this.#journal.add({ is: "step", id, name, value });
      done.set(name, value);
    };
    return { done, add };
  }

  /** Waits for running handlers, and for their answers to be sent. */
  async #drain(): Promise<void> {
    const timer = setTimeout(() => this.#hurry.abort(), Math.min(this.#options.drain ?? DRAIN, TIMER_MAX));
    const isIdle = this.#queue.idle();
    const gaveUp = new Promise<void>((resolve) => this.#hurry.signal.addEventListener("abort", () => resolve()));
    // A refused key does not end running handlers: their answers wait in the journal for another key.
    if (this.#failure !== undefined && !(this.#failure instanceof SvcError)) this.#hurry.abort();
    await Promise.race([isIdle, gaveUp]);
    clearTimeout(timer);
  }

  readonly #fail = (error: unknown): void => {
    if (this.#hurry.signal.aborted) return; // What was interrupted goes on after the next start.
    this.#failure ??= error;
    this.#stop.abort();
  };

  readonly #log = (text: string, cause?: unknown): void => {
    (this.#options.log ?? toStderr)(text, cause);
  };
}

/** What follows when a handler was started and did not end. */
function afterCrash(offer: Offer, starts: number): Verdict | undefined {
  switch (offer.options.onCrash ?? "error") {
    case "rerun":
      return starts < STARTS_MAX ? undefined : { is: "error", text: INTERRUPTED };
    case "reject":
      return { is: "rejected", reason: INTERRUPTED };
    default:
      return { is: "error", text: INTERRUPTED };
  }
}

/** The answer to an order of a service that the code does not name. */
const NOT_OFFERED = rejected(
  "the service is not offered", "/serviceId", "must be the id of an offered service; see the capabilities",
);

/** The answer to an order without the escrow that it needs. */
const ESCROW_NEEDED = rejected(
  "the service requires an escrow: POST /v1/escrow opens one, whose id is the escrowId of the order",
  "/escrowId", "must name a funded escrow for this service",
);

/** What is missing for the order to be paid. */
async function unpaid(svc: Svc, order: ServiceOrder, offer: Offer): Promise<Rejected | undefined> {
  const { price } = offer.options;
  if (order.escrowId === undefined) {
    if (order.offeredCredits >= price) return undefined;
    return rejected("the offer is below the price", "/offeredCredits", `must be at least the price, ${price}`);
  }
  const found = await escrowOf(svc, order.escrowId);
  if (found instanceof SvcError) {
    return rejected("the escrow does not match the order", "/escrowId", `must be a readable escrow: ${found.text}`);
  }
  const { status, amount } = found;
  if (status === "funded" && amount >= price) return undefined;
  const wrong = status === "funded" ? `must hold at least the price, ${price}` : `must be funded but is ${status}`;
  return rejected("the escrow does not pay for the order", "/escrowId", wrong);
}

/** Whether a problem may pass by itself: an outage, a limit, or a list whose pages contradict each other. */
function isForNow(error: unknown): boolean {
  return isPassing(error) || (error instanceof SvcError && error.status === undefined);
}
