import { Limit } from "../limit.js";
import type { ServiceOrder } from "../orders.js";
import { expressible } from "../request.js";
import type { Svc } from "../svc.js";
import { FAILED, TOO_SLOW, type Verdict } from "./answer.js";
import { Ctx, type Steps } from "./ctx.js";
import type { Log } from "./outage.js";
import { type Offer, Reject } from "./service.js";

/** Time for a run of a handler by default, in milliseconds. */
const TIMEOUT = 60_000;

/** Runs the handler of an order, whatever it does. */
export async function work(
  svc: Svc,
  offer: Offer,
  order: ServiceOrder,
  steps: Steps,
  ending: AbortSignal,
  log: Log,
): Promise<Verdict> {
  const { timeout = TIMEOUT } = offer.options;
  const limit = new Limit(ending, timeout);
  const cx = new Ctx(svc, order, limit.signal, log, steps);
  try {
    const run = (async (): Promise<unknown> => offer.handler(cx, order.input))();
    const output = object(await Promise.race([run, aborted(limit.signal)]));
    const fault = offer.check(output);
    if (fault !== undefined) throw new TypeError(`the output does not match its schema: ${fault}`);
    return { is: "completed", output, charged: cx.charged };
  } catch (error) {
    if (error instanceof Reject) return { is: "rejected", reason: error.message };
    log(`${offer.name} failed on ${order.id}`, error);
    return { is: "error", text: limit.signal.aborted ? TOO_SLOW : FAILED };
  } finally {
    limit.end();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  });
}

/** The output as a JSON object. */
function object(output: unknown): Record<string, unknown> {
  const json = output === undefined ? {} : (JSON.parse(JSON.stringify(output, member) ?? "null") as unknown);
  if (json === null || typeof json !== "object" || Array.isArray(json)) {
    throw new TypeError("the output of a service must be an object");
  }
  return json as Record<string, unknown>;
}

/** A member of the output; a `null` in place of a number would be at the buyer's cost. */
const member = expressible(
  (name, value) => new TypeError(`the output has ${value} as ${name}, which JSON can't express`),
);
