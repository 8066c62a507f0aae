// What the server says of orders and escrows, as the journal has it.

import { canonical } from "../bot/canonical.js";
import { SvcError } from "../error.js";
import { isOf, type ServiceOrder } from "../orders.js";
import { wellFormed } from "../request.js";
import type { Answers } from "../schemas.js";
import type { Entry } from "./ledger.js";
import { folded, micros } from "./limits.js";

export type Escrow = Answers["Escrow"];

/** Statuses of an order whose credits were returned, unless an escrow pays. */
const RETURNED: readonly string[] = ["rejected", "error", "expired", "cancelled", "refunded"];

export function entryOf(order: ServiceOrder, id: string): Entry {
  const { status, escrowId, chargedCredits, offeredCredits } = order;
  const isSpent = status === "completed";
  const isFreed = RETURNED.includes(status) && escrowId === undefined;
  return {
    id,
    provider: folded(order.provider.username),
    amount: micros(isSpent ? (chargedCredits ?? offeredCredits) : offeredCredits, "credits"),
    state: isSpent ? "spent" : isFreed ? "freed" : "reserved",
    createdAt: Date.parse(order.createdAt),
    placed: order.id,
    ...(escrowId !== undefined && { escrow: escrowId }),
  };
}

/** The order that an escrow pays for. */
export function entryOfEscrow(escrow: Escrow, id: string): Entry {
  const { status, amount, closeReason, split, requestId } = escrow;
  const isSpent = status === "released";
  const paid = isSpent && closeReason === "split" && split !== undefined ? split.providerAmount : amount;
  return {
    id,
    provider: folded(escrow.providerUsername),
    amount: micros(paid, "credits"),
    state: isSpent ? "spent" : ["created", "cancelled", "refunded"].includes(status) ? "freed" : "reserved",
    createdAt: Date.parse(escrow.createdAt),
    escrow: escrow.id,
    ...(requestId !== undefined && { placed: requestId }),
  };
}

/** The end of the description of an escrow that pays for the order with this id. */
export function descriptionOf(service: string, id: string): string {
  return `${service} (order ${id})`;
}

/** The id of the order that an escrow pays for, by its description. */
export function orderOf({ id, description }: Escrow): string {
  return / \(order ([\w.-]{1,58})\)$/.exec(description)?.[1] ?? `escrow:${id}`;
}

/** The id of an order, if it is valid. */
export function idOf(id: string | undefined): string | undefined {
  if (id === undefined || /^[\w.-]{1,58}$/.test(id)) return id;
  throw new SvcError("the id of an order must be 1 to 58 letters, digits and - _ .", {
    code: "invalid_request", outcome: "not_sent", field: "clientOrderId",
  });
}

/** A value as it is sent, for `JSON.stringify`. */
function asSent(_: string, value: unknown): unknown {
  return typeof value === "string" ? wellFormed(value) : value;
}

/** Refuses an id that was used for another order. */
export function ensureSame(order: ServiceOrder, id: string, provider: string, name: string, input: object): void {
  const given = canonical(JSON.parse(JSON.stringify(input, asSent)));
  // Once both have deleted the message, the input is gone.
  const isGone = order.closedAt !== undefined && Object.keys(order.input).length === 0;
  if (isOf(order, provider, name) && (isGone || given === canonical(order.input))) return;
  throw new SvcError(`the id ${id} was used for another order of ${order.serviceName}`, {
    code: "idempotency_conflict", outcome: "not_sent", field: "clientOrderId", hint: "use another id for a new order",
  });
}
