// What an order cost in the end.

import { isPassing } from "../error.js";
import type { ServiceOrder } from "../orders.js";
import type { CallOptions } from "../sender.js";
import type { Svc } from "../svc.js";
import { entryOf, entryOfEscrow } from "./facts.js";
import type { Ledger } from "./ledger.js";
import { cancel } from "./place.js";

/** Records what an order cost, once that is known. */
export async function settle(svc: Svc, ledger: Ledger, order: ServiceOrder, call: CallOptions): Promise<void> {
  const { escrowId, closedAt, clientOrderId, status } = order;
  const id = clientOrderId ?? `order:${order.id}`;
  let entry = entryOf(order, id);
  if (escrowId !== undefined && closedAt !== undefined) {
    try {
      let { escrow } = await svc.escrow.get(escrowId, call);
      // The provider no longer works on it.
      const isLeft = ["rejected", "error", "cancelled"].includes(status) && escrow.status === "funded";
      if (isLeft) escrow = await cancel(svc, id, escrowId, call);
      entry = entryOfEscrow(escrow, id);
    } catch (error) {
      if (!isPassing(error)) throw error;
      return; // Until the escrow is read, the limits count the whole amount.
    }
  }
  if (entry.state !== "reserved") await ledger.record([entry], Date.now());
}
