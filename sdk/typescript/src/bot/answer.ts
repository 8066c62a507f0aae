// What a bot sends at the end of an order.

import { createHash } from "node:crypto";

import type { ServiceOrder } from "../orders.js";
import { wellFormed } from "../request.js";
import { canonical } from "./canonical.js";
import type { Call } from "./journal.js";

/** What is wrong with an order, and where. */
export interface Fault {
  pointer: string;
  message: string;
}

/** How the work ended. */
export type Verdict =
  | { is: "completed"; output: Record<string, unknown>; charged: number | undefined }
  | Rejected
  | { is: "error"; text: string };

/** The order is declined. Programs of buyers look for the faults. */
export interface Rejected {
  is: "rejected";
  reason: string;
  faults?: Fault[];
}

/** A rejection because of one member of the order. */
export function rejected(reason: string, pointer: string, message: string): Rejected {
  return { is: "rejected", reason, faults: [{ pointer, message }] };
}

/** States of orders that are answered, or have ended otherwise. A later server may have further open ones. */
const ANSWERED: readonly string[] = [
  "delivered", "disputed", "completed", "rejected", "error", "refunded", "expired", "cancelled",
];

/** Whether an order waits for no answer of the bot any more. */
export function isAnswered({ closedAt, status }: ServiceOrder): boolean {
  return closedAt !== undefined || ANSWERED.includes(status);
}

/** What buyers read of a failure: its cause is for the log of the bot. */
export const FAILED = "the service failed; nothing is charged";
export const TOO_SLOW = "the service took too long; nothing is charged";
export const INTERRUPTED = "the service was interrupted; nothing is charged";
const UNSENDABLE = "the result could not be sent; nothing is charged";

/** Longest reason that the server takes, in characters. */
const REASON_MAX = 1000;

/** The calls that answer an order, in this order. */
export function answer({ id, escrowId }: ServiceOrder, verdict: Verdict): Call[] {
  const decline = escrowId === undefined ? [] : [declined(id, escrowId)];
  const failed = { ...response(id, body({ is: "error", text: UNSENDABLE })), key: `resp:${id}:error` };
  const otherwise = [failed, ...decline];
  if (verdict.is !== "completed") return [{ ...response(id, body(verdict)), otherwise }, ...decline];
  if (escrowId === undefined) return [{ ...response(id, body(verdict)), otherwise }];
  return [{ ...delivery(id, escrowId, verdict.output), otherwise }, delivered(id, escrowId)];
}

function body(verdict: Verdict): object {
  switch (verdict.is) {
    case "completed":
      return { status: "completed", output: verdict.output, chargedCredits: verdict.charged };
    case "rejected":
      return {
        status: "rejected",
        reason: shortened(verdict.reason) || "the order is declined",
        ...(verdict.faults && { output: { faults: verdict.faults } }),
      };
    case "error":
      return { status: "error", error: verdict.text };
  }
}

/** The reason, cut by code points, as the server counts: an emoji is one of them, and two in UTF-16. */
function shortened(reason: string): string {
  return [...wellFormed(reason.slice(0, 2 * REASON_MAX))].slice(0, REASON_MAX).join("");
}

function response(order: string, answer: object): Call {
  return call(`resp:${order}`, `/orders/${encodeURIComponent(order)}/answer`, answer);
}

/** The key of the call that delivers the output of an order. */
export function deliveryKey(order: string): string {
  return `deliver:${order}:1`;
}

/** The output as a deliverable. */
function delivery(order: string, escrow: string, data: Record<string, unknown>): Call {
  const checksum = `sha256:${createHash("sha256").update(canonical(data)).digest("hex")}`;
  const deliverable = { type: "json", data, checksum };
  return call(deliveryKey(order), `/v1/escrow/${encodeURIComponent(escrow)}/deliver`, { deliverable });
}

function delivered(order: string, escrowId: string): Call {
  const output = { escrowId, message: "the work is in the escrow" };
  return response(order, { status: "delivered", output });
}

function declined(order: string, escrow: string): Call {
  const path = `/v1/escrow/${encodeURIComponent(escrow)}/decline`;
  return call(`decline:${order}`, path, { reason: "the order was not carried out; see the answer" });
}

function call(key: string, path: string, body: object): Call {
  return { key, path, body: JSON.stringify(body) };
}
