import type { Svc } from "../svc.js";
import type { Journal } from "./journal.js";
import { type Log, untilAnswered } from "./outage.js";

/** How many of the newest orders are checked. */
const ORDERS = 20;

/** The longest time since they were placed, in milliseconds: 6 days. */
const AGE_MAX = 6 * 24 * 3600 * 1000;

/** States of orders that a bot has begun or answered. */
const TAKEN: readonly string[] = [
  "working", "input_required", "delivered", "disputed", "completed", "rejected", "error",
];

/** Warns if orders were taken that the journal does not know: it was lost, or another bot uses the account. */
export async function warnOfOtherBots(svc: Svc, journal: Journal, signal: AbortSignal, log: Log): Promise<void> {
  if (journal.unknown === undefined) return;
  const since = new Date(Date.now() - AGE_MAX).toISOString();
  const read = () => svc.orders.list({ role: "provider", since, limit: ORDERS, signal }).toArray(ORDERS);
  const orders = await untilAnswered(svc, read, signal, log);
  const taken = orders.filter(({ status }) => TAKEN.includes(status)).map(({ id }) => id);
  const unknown = await journal.unknown(taken);
  if (unknown.length === 0) return;
  log(
    `this journal does not know ${unknown.length} of the latest orders that were begun or answered, such as ` +
      `${unknown[0]}; if another bot uses this account, stop one of them: both work on each order, and only one is paid`,
  );
}
