// A buyer: orders services within limits.

import { randomBytes } from "node:crypto";

import { SvcError } from "../error.js";
import { callOptions, named, offered, Order, type ServiceOrder } from "../orders.js";
import type { Requests } from "../schemas.js";
import type { CallOptions } from "../sender.js";
import type { Svc } from "../svc.js";
import { catchUp } from "./catch-up.js";
import { ensureSame, entryOf, entryOfEscrow, idOf } from "./facts.js";
import { type Entry, Ledger } from "./ledger.js";
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

/** What a program orders. */
interface Asked {
  id: string;
  /** Whether the program gave it its id. */
  isNamed: boolean;
  provider: string;
  name: string;
  input: object;
  /** Millionths of a credit. */
  maxCredits: number;
  options: BuyOptions;
  call: CallOptions;
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
    const [provider, name] = named(service);
    const id = idOf(options.clientOrderId) ?? randomBytes(16).toString("hex");
    const maxCredits = micros(options.maxCredits ?? 0, "maxCredits");
    const isNamed = options.clientOrderId !== undefined;
    const asked: Asked = { id, isNamed, provider, name, input, maxCredits, options, call: callOptions(options) };
    const known = isNamed ? await this.#ledger.find(id) : undefined;
    const earlier = isNamed ? await this.#earlier(asked, known?.placed) : undefined;
    return new BoughtOrder(this.#svc, earlier ?? (await this.#placed(asked, known)), this.#ledger);
  }

  /** Reserves what an order costs, pays it and sends it. */
  async #placed(asked: Asked, known: Entry | undefined): Promise<ServiceOrder> {
    const [svc, ledger] = [this.#svc, this.#ledger];
    const { id, isNamed, provider, name, maxCredits, options, call } = asked;
    const service = await offered(svc, provider, name, call);
    const counted = await this.#counted(provider, call);
    const mayBeBegun = isNamed && known?.state !== "freed";
    let escrow = mayBeBegun ? await begun(svc, id, known?.escrow, provider, service.name, call) : undefined;
    if (escrow !== undefined) await ledger.record([entryOfEscrow(escrow, id)], Date.now());
    const amount = micros(escrow?.amount ?? service.priceCredits, "price");
    const opens = escrow === undefined && this.#isByEscrow(amount, options);
    const reserved = await ledger.reserve({ id, provider: counted, amount, maxCredits }, this.#caps, Date.now());
    const placing: Placing = { svc, ledger, id, isNamed, provider, service, amount, reserved, call };
    if (opens) escrow = await open(placing);
    if (escrow !== undefined) await ensureFunded(placing, escrow);
    return place(placing, asked.input, escrow, options.answerWithin);
  }

  /**
   * Imports the orders and escrows of the last 24 hours from the server, whatever created them. Without it, the limits
   * count only orders of this journal, in the state that it last saw.
   */
  async catchUp(options: Omit<CallOptions, "idempotencyKey"> = {}): Promise<void> {
    await catchUp(this.#svc, this.#ledger, callOptions(options));
  }

  /** Whether an escrow is to pay; refuses what does not go with one before it is opened. */
  #isByEscrow(amount: number, { escrow, answerWithin }: BuyOptions): boolean {
    const isWanted = amount > 0 && (escrow ?? amount >= this.#escrowFrom);
    if (!isWanted || answerWithin === undefined) return isWanted;
    throw new SvcError("answerWithin must be omitted, since an escrow pays, whose deadlines hold", {
      code: "invalid_request", outcome: "not_sent", field: "answerWithin",
      hint: "with `escrow: false` the order is paid without one",
    });
  }

  /** The order that was placed under this id, as the journal or the server knows it. */
  async #earlier(asked: Asked, placed: string | undefined): Promise<ServiceOrder | undefined> {
    const { id, provider, name, input, call } = asked;
    const order = placed === undefined ? await this.#found(id, call) : (await this.#svc.orders.get(placed, call)).order;
    if (order === undefined) return undefined;
    ensureSame(order, id, provider, name, input);
    await settle(this.#svc, this.#ledger, order, call);
    return order;
  }

  async #found(id: string, call: CallOptions): Promise<ServiceOrder | undefined> {
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
