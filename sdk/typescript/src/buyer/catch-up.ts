// What the account spent by other means: on another machine, by hand, or before there was a limit.

import type { CallOptions } from "../sender.js";
import type { Svc } from "../svc.js";
import { entryOf, entryOfEscrow, orderOf } from "./facts.js";
import { DAY, type Entry, type Ledger } from "./ledger.js";

/** How many items of a list are read at most, newest first. */
const ITEMS_MAX = 10_000;

/** Imports the orders and escrows of the last 24 hours. */
export async function catchUp(svc: Svc, ledger: Ledger, call: CallOptions): Promise<void> {
  const begin = Date.now() - DAY;
  const entries: Entry[] = [];
  const orders = svc.orders.list({ role: "buyer", since: new Date(begin).toISOString(), limit: 100, ...call });
  for (const order of await orders.toArray(ITEMS_MAX)) {
    // An escrow is counted by itself.
    if (order.escrowId === undefined) entries.push(entryOf(order, order.clientOrderId ?? `order:${order.id}`));
  }
  let read = 0;
  for await (const escrow of svc.escrow.list({ role: "buyer", limit: 100, ...call })) {
    if (Date.parse(escrow.createdAt) < begin || (read += 1) > ITEMS_MAX) break;
    entries.push(entryOfEscrow(escrow, orderOf(escrow)));
  }
  await ledger.record(entries, Date.now());
}
