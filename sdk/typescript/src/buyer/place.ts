// The calls that pay for an order and send it.

import { isPassing, SvcError } from "../error.js";
import type { ServiceOrder } from "../orders.js";
import type { Answers, Requests } from "../schemas.js";
import type { CallOptions } from "../sender.js";
import type { Svc } from "../svc.js";
import { descriptionOf, entryOf, type Escrow } from "./facts.js";
import type { Ledger, Reservation } from "./ledger.js";
import { credits } from "./limits.js";

/** An order whose cost is reserved. */
export interface Placing {
  svc: Svc;
  ledger: Ledger;
  id: string;
  /** Whether the program gave it its id, and can send it again. */
  isNamed: boolean;
  provider: string;
  service: Answers["Capability"];
  /** Millionths of a credit. */
  amount: number;
  reserved: Reservation;
  call: CallOptions;
}

/** Codes with which the server says that another run is placing the same order. */
const CONCURRENT: readonly string[] = ["idempotency_conflict", "idempotency_in_progress", "escrow_in_use"];

/** How many escrows are searched at most. */
const ITEMS_MAX = 10_000;

/** The escrow that an earlier run opened for this order, which ended before it was sent. */
export async function begun(
  svc: Svc,
  id: string,
  escrow: string | undefined,
  provider: string,
  service: string,
  call: CallOptions,
): Promise<Escrow | undefined> {
  if (escrow !== undefined) return (await svc.escrow.get(escrow, call)).escrow;
  const description = descriptionOf(service, id);
  let read = 0;
  const which = { role: "buyer", counterparty: provider, status: "funded", limit: 100 } as const;
  for await (const each of svc.escrow.list({ ...which, ...call })) {
    if (each.description === description) return each;
    if ((read += 1) === ITEMS_MAX) break;
  }
  return undefined;
}

/** Opens the escrow that pays. */
export async function open(placing: Placing): Promise<Escrow> {
  const { svc, ledger, id, provider, service, amount, reserved, call } = placing;
  // An escrow that ended must not come back when an order with the same id is begun again.
  const options = { ...call, idempotencyKey: `order:${id}:escrow:${reserved.token}` };
  const description = descriptionOf(service.name, id);
  const opening = svc.escrow.create(provider, service.id, credits(amount), description, options);
  const opened = await opening.catch(async (error: unknown) => {
    if (nothingHappened(error) && reserved.isNew) await ledger.free(id, Date.now());
    throw error;
  });
  // An escrow that the journal does not know is found by its description. It must not stay behind without an order.
  await ledger.note(id, opened.escrow.id).catch(() => {});
  // The answer may be replayed, with the state that the escrow had when it was opened.
  return (reserved.isNew ? opened : await svc.escrow.get(opened.escrow.id, call)).escrow;
}

/** Refuses an escrow that holds no credits, and frees those that were reserved. */
export async function ensureFunded({ svc, ledger, id, amount, call }: Placing, escrow: Escrow): Promise<void> {
  if (escrow.status === "created") {
    await cancel(svc, id, escrow.id, call);
    await ledger.free(id, Date.now());
    throw new SvcError(`the balance does not cover the escrow of ${credits(amount)} credits`, {
      code: "insufficient_credits", outcome: "refused", hint: "nothing was ordered",
    });
  }
  if (["cancelled", "refunded"].includes(escrow.status)) {
    await ledger.free(id, Date.now());
    throw new SvcError(`the escrow ${escrow.id} of the order ${id} has ended`, {
      code: "order_ended", outcome: "not_sent", hint: "order it again",
    });
  }
}

/** Sends the order. */
export async function place(
  placing: Placing,
  input: object,
  escrow: Escrow | undefined,
  answerWithin: string | undefined,
): Promise<ServiceOrder> {
  const { svc, ledger, id, provider, service, amount, call } = placing;
  const payment = escrow === undefined ? { maxCredits: credits(amount) } : { escrowId: escrow.id };
  const options = { ...call, ...payment, clientOrderId: id, ...(answerWithin !== undefined && { answerWithin }) };
  const placed = svc.orders.place(provider, service.id, input as Requests["CreateOrder"]["input"], options);
  const { order } = await placed.catch(async (error: unknown) => {
    if (nothingHappened(error)) await giveBack(placing, escrow, error);
    throw error;
  });
  // The order is placed even if the journal can't be written; what was reserved for it counts.
  await ledger.record([entryOf(order, id)], Date.now()).catch(() => {});
  return order;
}

/** Frees the credits of an order that the server refused. */
async function giveBack(placing: Placing, escrow: Escrow | undefined, error: unknown): Promise<void> {
  const { svc, ledger, id, isNamed, reserved, call } = placing;
  if (escrow === undefined) {
    if (reserved.isNew) await ledger.free(id, Date.now());
    return;
  }
  // An order with an id can be sent again, with this escrow.
  if (isNamed && (isPassing(error) || (error as SvcError).code === "interrupted")) return;
  // The credits must not stay in an escrow for which no order was sent. The refusal of the order says more than an
  // error of this call, for which the signal of the order does not count.
  const { signal: _, ...rest } = call;
  const left = await cancel(svc, id, escrow.id, rest).catch(() => undefined);
  if (left !== undefined && ["cancelled", "refunded"].includes(left.status)) await ledger.free(id, Date.now());
}

/** Cancels an escrow, and returns its state afterwards. */
export async function cancel(svc: Svc, id: string, escrow: string, call: CallOptions): Promise<Escrow> {
  try {
    return (await svc.escrow.cancel(escrow, { ...call, idempotencyKey: `order:${id}:cancel:${escrow}` })).escrow;
  } catch (error) {
    if (!(error instanceof SvcError) || error.status !== 409) throw error;
  }
  // It has ended, or work was delivered into it, so it can't be cancelled.
  return (await svc.escrow.get(escrow, call)).escrow;
}

function nothingHappened(error: unknown): boolean {
  return error instanceof SvcError && error.outcome !== "unknown" && !CONCURRENT.includes(error.code);
}
