// A buyer: orders services within limits.

import { randomBytes } from "node:crypto";

import { callOptions, named, offered, Order, type ServiceOrder } from "../orders.js";
import type { Requests } from "../schemas.js";
import type { CallOptions } from "../sender.js";
import type { Svc } from "../svc.js";
import { catchUp } from "./catch-up.js";
import { ensureSame, entryOf, entryOfEscrow, idOf } from "./facts.js";
import { Ledger } from "./ledger.js";
import { type Caps, folded, micros } from "./limits.js";
import { begun, ensureFunded, open, place, type Placing } from "./place.js";
import { settle } from "./settle.js";

/** The price in credits from which an escrow pays by default. */
const ESCROW_FROM = 50;

/** The limits of a buyer, and where it keeps what it spends. */
export interface BuyerOptions {
  /** The file with its orders; without one it is in memory, and the limits end with the program. */
  journal?: string;
  /** Limits the cost of one order, in credits. */
  perOrder?: number;
  /** Limits the total cost of all orders within any 24 hours. */
  perDay?: number;
  /** Limits the total cost of all orders from one provider within any 24 hours. */
  perProvider?: number;
  /** Allows only these providers, by username. */
  only?: string | readonly string[];
  /** The price from which an escrow pays: 50 credits by default. */
  escrowFrom?: number;
}

/** How to order a service. */
export interface BuyOptions extends Omit<CallOptions, "idempotencyKey"> {
  /** The most that it may cost, in credits: 0, for a service that costs nothing, by default. */
  maxCredits?: number;
  /** Your own id of the order, to place and pay it once: 1 to 58 letters, digits and `-` `_` `.`. */
  clientOrderId?: string;
  /** Time for the answer, such as `1h`. Not with an escrow, whose deadlines hold. */
  answerWithin?: string;
  /** Whether an escrow pays; by its price when omitted. */
  escrow?: boolean;
}

/**
 * Orders services within limits, which hold across restarts and for concurrent orders:
 * `new Buyer(svc, { journal: "buyer.journal", perDay: 50 })`.
 *
 * What an order costs is reserved in the journal before anything is sent; an order beyond a limit throws a
 * `SpendLimitError`. Processes can share a journal and its limits.
 */
export class Buyer {
  readonly #svc: Svc;
  readonly #ledger: Ledger;
  readonly #caps: Caps;
  readonly #escrowFrom: number;

  constructor(svc: Svc, options: BuyerOptions = {}) {
    const { journal, perOrder, perDay, perProvider, only, escrowFrom = ESCROW_FROM } = options;
    const limit = (value: number | undefined, name: string) => (value === undefined ? undefined : micros(value, name));
    this.#svc = svc;
    this.#ledger = new Ledger(journal);
    this.#caps = {
      perOrder: limit(perOrder, "perOrder"),
      perDay: limit(perDay, "perDay"),
      perProvider: limit(perProvider, "perProvider"),
      only: only === undefined ? undefined : new Set([only].flat().map(folded)),
    };
    this.#escrowFrom = micros(escrowFrom, "escrowFrom");
  }

  /**
   * Orders a service at its price, if that is at most `maxCredits` and within all limits:
   * `buyer.order("wordbot/count-words", { text }, { maxCredits: 5 })`. With `clientOrderId` the order is placed and
   * paid once, however often the program runs.
   */
  async order(
    service: string,
    input: Requests["CreateOrder"]["input"] | object,
    options: BuyOptions = {},
  ): Promise<BoughtOrder> {
    const [svc, ledger] = [this.#svc, this.#ledger];
    const [provider, name] = named(service);
    const call = callOptions(options);
    const id = idOf(options.clientOrderId) ?? randomBytes(16).toString("hex");
    const maxCredits = micros(options.maxCredits ?? 0, "maxCredits");
    const isNamed = options.clientOrderId !== undefined;
    const known = isNamed ? await ledger.find(id) : undefined;
    if (isNamed) {
      const earlier = await this.#earlier(id, known?.placed, call);
      if (earlier !== undefined) {
        ensureSame(earlier, id, provider, name, input);
        await settle(svc, ledger, earlier, call);
        return new BoughtOrder(svc, earlier, ledger);
      }
    }
    const found = await offered(svc, provider, name, call);
    const counted = await this.#counted(provider, call);
    const mayBeBegun = isNamed && known?.state !== "freed";
    let escrow = mayBeBegun ? await begun(svc, id, known?.escrow, provider, found.name, call) : undefined;
    // It was opened by an earlier run, which ended before it sent the order.
    if (escrow !== undefined) await ledger.record([entryOfEscrow(escrow, id)], Date.now());
    const amount = micros(escrow?.amount ?? found.priceCredits, "price");
    const reserved = await ledger.reserve({ id, provider: counted, amount, maxCredits }, this.#caps, Date.now());
    const placing: Placing = { svc, ledger, id, isNamed, provider, service: found, amount, reserved, call };
    const isByEscrow = amount > 0 && (options.escrow ?? amount >= this.#escrowFrom);
    if (escrow === undefined && isByEscrow) escrow = await open(placing);
    if (escrow !== undefined) await ensureFunded(placing, escrow);
    return new BoughtOrder(svc, await place(placing, input, escrow, options.answerWithin), ledger);
  }

  /**
   * Imports the orders and escrows of the last 24 hours from the server, whatever created them. Without it, the limits
   * count only orders of this journal, in the state that it last saw.
   */
  async catchUp(options: Omit<CallOptions, "idempotencyKey"> = {}): Promise<void> {
    await catchUp(this.#svc, this.#ledger, callOptions(options));
  }

  /** The order that was placed under this id, as the journal or the server knows it. */
  async #earlier(id: string, placed: string | undefined, call: CallOptions): Promise<ServiceOrder | undefined> {
    if (placed !== undefined) return (await this.#svc.orders.get(placed, call)).order;
    const { orders } = await this.#svc.orders.list({ role: "buyer", clientOrderId: id, ...call }).page();
    const [order] = orders;
    if (order !== undefined) await this.#ledger.record([entryOf(order, id)], Date.now());
    return order;
  }

  /** The name under which spending on a provider counts. Its user id must not bypass the limits. */
  async #counted(provider: string, call: CallOptions): Promise<string> {
    const { perProvider, only } = this.#caps;
    if (perProvider === undefined && only === undefined) return folded(provider);
    return folded((await this.#svc.users.get(provider, call)).user.username);
  }
}

/** An order of a buyer. */
export class BoughtOrder extends Order {
  readonly #svc: Svc;
  readonly #ledger: Ledger;

  /** @internal */
  constructor(svc: Svc, order: ServiceOrder, ledger: Ledger) {
    super(svc, order);
    this.#svc = svc;
    this.#ledger = ledger;
  }

  /** Like that of `svc.orders.create`, and records what the order cost once it has ended. */
  override async wait(options: CallOptions = {}): Promise<this> {
    await super.wait(options);
    await settle(this.#svc, this.#ledger, this.details, callOptions({ ...options, timeout: undefined }));
    return this;
  }

  /** Cancels the order; the credits are returned, and may be spent again. */
  override async cancel(reason?: string, options: CallOptions = {}): Promise<this> {
    await super.cancel(reason, options);
    await settle(this.#svc, this.#ledger, this.details, callOptions(options));
    return this;
  }
}
