import { isPassing, SvcError } from "../error.js";
import type { Answers } from "../schemas.js";
import type { Svc } from "../svc.js";
import { deliveryKey } from "./answer.js";
import type { Call, Journal } from "./journal.js";
import { type Log, untilAnswered } from "./outage.js";

/** Sends the answers of the journal until the server has taken or refused them. */
export class Outbox {
  readonly #svc: Svc;
  readonly #journal: Journal;
  readonly #signal: AbortSignal;
  readonly #log: Log;

  constructor(svc: Svc, journal: Journal, signal: AbortSignal, log: Log) {
    this.#svc = svc;
    this.#journal = journal;
    this.#signal = signal;
    this.#log = log;
  }

  async send(order: string, calls: readonly Call[]): Promise<void> {
    for (const call of calls) {
      const refused = await this.#sendOne(call, order);
      if (refused === undefined) continue;
      this.#log(`the server refused ${call.key}`, refused);
      if (call.otherwise === undefined || !isOpen(refused)) continue;
      await this.#journal.add({ is: "answer", id: order, calls: call.otherwise });
      return this.send(order, call.otherwise);
    }
    await this.#journal.add({ is: "done", id: order });
  }

  /** Why the server does not take a call, if it does not. */
  async #sendOne({ key, path, body }: Call, order: string): Promise<SvcError | undefined> {
    const isArrived = () => (key === deliveryKey(order) ? this.#isDelivered(path) : Promise.resolve(false));
    let mayHaveArrived = false;
    try {
      await this.until(async () => {
        if (mayHaveArrived && (await isArrived())) return;
        mayHaveArrived = true;
        await this.#svc.sendBody("POST", path, body, { idempotencyKey: key });
      });
      return undefined;
    } catch (error) {
      const { status } = error as SvcError;
      if (status === undefined || isKeyRefused(error as SvcError)) throw error;
      // The escrow may have moved on because the work was delivered already.
      return (await this.until(isArrived)) ? undefined : (error as SvcError);
    }
  }

  /** Whether the escrow of a delivery has the work: after a day, the server no longer knows the key of the call. */
  async #isDelivered(path: string): Promise<boolean> {
    const escrow = await escrowOf(this.#svc, decodeURIComponent(path.split("/").at(-2) ?? ""));
    return !(escrow instanceof SvcError) && hasWork(escrow);
  }

  /** The answer to a call, however long the server cannot be reached. */
  until<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return untilAnswered(this.#svc, call, this.#signal, this.#log);
  }
}

/** The escrow, or why the server does not show it. */
export async function escrowOf(svc: Svc, id: string): Promise<Answers["Escrow"] | SvcError> {
  try {
    return (await svc.escrow.get(id)).escrow;
  } catch (error) {
    const isRefused = error instanceof SvcError && (error.status === 403 || error.status === 404);
    if (isRefused && !isKeyRefused(error) && !isPassing(error)) return error;
    throw error;
  }
}

/** Whether the work was delivered into an escrow, which pays for one order only. */
export function hasWork({ status }: Answers["Escrow"]): boolean {
  return ["delivered", "disputed", "released"].includes(status);
}

/**
 * Whether the server no longer takes the key, or not for this call or from this address. Then the answer waits in the
 * journal for a key that may send it.
 */
export function isKeyRefused({ status, code }: SvcError): boolean {
  return status === 401 || ["insufficient_scope", "address_not_allowed"].includes(code);
}

/** Whether the order still waits for an answer after a refusal. */
function isOpen({ code }: SvcError): boolean {
  return !["request_closed", "request_not_found", "not_found", "idempotency_conflict"].includes(code);
}
