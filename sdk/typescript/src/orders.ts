import { isPassing, SvcError } from "./error.js";
import { Escrow } from "./generated/escrow.js";
import { type CreateOrderOptions, type GetOrderOptions, Orders as Methods } from "./generated/orders.js";
import { askedWait } from "./retry.js";
import type { Answers, Requests } from "./schemas.js";
import type { CallOptions, Sender } from "./sender.js";

/** An order as the server shows it. */
export type ServiceOrder = Answers["ServiceOrder"];

/** Words of an order that has ended. */
const ENDED: readonly string[] = ["completed", "rejected", "error", "refunded", "expired", "cancelled"];

/** How many services an error names. */
const NAMES_MAX = 10;

/** The method that `console.log` calls in Node. By its name, the types of the package need none of Node's. */
const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom");

/** Longest wait of one request, in seconds. */
const WAIT_MAX = 60;

/** How much longer than asked a wait may take if the server does not answer, in milliseconds. */
const GRACE = 10_000;

/** The pause after an answer without news, in milliseconds: it comes early to an account that waits too often. */
export const PAUSE = 2_000;

/** The input of a service: an object. An `interface`, such as `svc codegen` prints, has no index signature. */
type Input = Requests["CreateOrder"]["input"];

/** How to order a service. */
export interface OrderOptions extends CreateOrderOptions {
  /** Pay today's price if it is at most this many credits; 0, for a service that costs nothing, by default. */
  maxCredits?: number;
}

export class Orders extends Methods {
  /**
   * Order a service: `svc.orders.create("wordbot/count-words", { text }, { maxCredits: 5 })`.
   *
   * With `clientOrderId` the order is placed once, however often the program runs, also if the provider no longer
   * offers the service.
   *
   * @param service The provider and its service, by name or id.
   * @param input Input of the service; it must match the published schema.
   */
  async create(service: string, input: Input | object, options: OrderOptions = {}): Promise<Order> {
    const [provider, name] = named(service);
    const found = await offered(this.svc, provider, name, callOptions(options)).catch(async (error: unknown) => {
      const placed = isGone(error) ? await this.#placed(provider, name, options) : undefined;
      if (placed === undefined) throw error;
      return { id: placed.serviceId }; // The server compares the rest.
    });
    const isPriced = options.offeredCredits !== undefined || options.escrowId !== undefined;
    const price = isPriced ? {} : { maxCredits: options.maxCredits ?? 0 };
    const { order } = await this.place(provider, found.id, input as Input, { ...options, ...price });
    return new Order(this.svc, order);
  }

  /** An earlier order of a service that its provider no longer offers. */
  async #placed(provider: string, name: string, options: OrderOptions): Promise<ServiceOrder | undefined> {
    const { clientOrderId } = options;
    if (clientOrderId === undefined) return undefined;
    const { orders } = await this.list({ role: "buyer", clientOrderId, ...callOptions(options) }).page();
    return orders.find((it) => isOf(it, provider, name));
  }

  /** An order placed before, to wait for it or to act on it. */
  async find(orderId: string, options: CallOptions = {}): Promise<Order> {
    return new Order(this.svc, (await this.get(orderId, options)).order);
  }
}

/** An order of yours. Its members are what the server last said of it. */
export class Order {
  #now: ServiceOrder;
  readonly #svc: Sender;
  readonly #orders: Methods;

  constructor(svc: Sender, order: ServiceOrder) {
    this.#now = order;
    this.#svc = svc;
    this.#orders = new Methods(svc);
  }

  get id(): string {
    return this.#now.id;
  }

  get status(): ServiceOrder["status"] {
    return this.#now.status;
  }

  /** The output, once it is completed. */
  get output(): ServiceOrder["output"] {
    return this.#now.output;
  }

  /** All that the server says of it. */
  get details(): ServiceOrder {
    return this.#now;
  }

  /** What logs show of it: neither its input nor its output. */
  toJSON(): { id: string; service: string; status: string; offeredCredits: number; chargedCredits?: number } {
    const { id, provider, serviceName, status, offeredCredits, chargedCredits } = this.#now;
    const service = `${provider.username}/${serviceName}`;
    return { id, service, status, offeredCredits, ...(chargedCredits !== undefined && { chargedCredits }) };
  }

  /** What `console.log` shows. */
  [INSPECT](_: number, options: object, inspect: (value: object, options: object) => string): string {
    return `Order ${inspect(this.toJSON(), options)}`;
  }

  /** Whether nothing more happens to it. A later server may have further words for an end. */
  get hasEnded(): boolean {
    return this.#now.closedAt !== undefined || ENDED.includes(this.#now.status);
  }

  /**
   * Waits until the order ends, or until you are to act: at a question (`input_required`) and at the
   * delivery into an escrow (`delivered`). Call it again when you have acted. While the server cannot be
   * reached, it keeps trying. After `timeout` milliseconds it returns the order as it is; you can wait again.
   */
  async wait(options: CallOptions = {}): Promise<this> {
    const { timeout, ...call } = options;
    const end = timeout === undefined ? Infinity : performance.now() + timeout;
    let isOld = this.#isYourTurn() && !this.hasEnded; // You may have acted since.
    for (let isFirst = true; isOld || !this.#isYourTurn(); isFirst = false) {
      const left = end - performance.now();
      if (left <= 0 && !(isOld && isFirst)) break;
      const waitSeconds = Math.min(WAIT_MAX, Math.max(0, Math.ceil(left / 1000)));
      const { version } = this.#now;
      const asked = performance.now();
      const limited = left === Infinity ? call : { ...call, timeout: Math.max(left, 0) + GRACE };
      const pause = await this.#look(isOld ? limited : { ...limited, waitSeconds, afterVersion: version });
      if (pause === undefined && isOld) {
        isOld = false;
        continue;
      }
      const early = waitSeconds * 1000 - (performance.now() - asked);
      const rest = pause === undefined ? Math.min(PAUSE, early) : Math.min(pause, end - performance.now());
      // The next request says that it was interrupted.
      if (this.#now.version === version && rest > 0) await this.#svc.sleep(rest, call.signal).catch(() => {});
    }
    return this;
  }

  /** Reads the order. If the server cannot be reached, returns the pause before the next attempt. */
  async #look(options: GetOrderOptions): Promise<number | undefined> {
    try {
      this.#now = (await this.#orders.get(this.id, options)).order;
      return undefined;
    } catch (error) {
      if (!isPassing(error)) throw error;
      return Math.max(PAUSE, askedWait(error));
    }
  }

  #isYourTurn(): boolean {
    const { status, prompt } = this.#now;
    const isAsked = status === "input_required" && prompt !== undefined && prompt.inputAt === undefined;
    return this.hasEnded || isAsked || status === "delivered" || status === "disputed";
  }

  /** Reads the order again. */
  async refresh(options: CallOptions = {}): Promise<this> {
    this.#now = (await this.#orders.get(this.id, options)).order;
    return this;
  }

  /** Answers the question of the provider. */
  async input(input: Requests["InputOrder"]["input"] | object, options: CallOptions = {}): Promise<this> {
    const { prompt } = this.#now;
    if (prompt === undefined) {
      throw new SvcError(`the order ${this.id} has no question, as it was last seen`, {
        code: "invalid_request", outcome: "not_sent", hint: "wait until its status is input_required",
      });
    }
    this.#now = (await this.#orders.input(this.id, prompt.id, input as Input, options)).order;
    return this;
  }

  /** Cancels the order; the credits are returned. */
  async cancel(reason?: string, options: CallOptions = {}): Promise<this> {
    const given = reason === undefined ? options : { ...options, reason };
    this.#now = (await this.#orders.cancel(this.id, given)).order;
    return this;
  }

  /** Gives the provider more time, such as `3d`, from now on, in the escrow that pays for it if there is one. */
  async extend(answerWithin: string, options: CallOptions = {}): Promise<this> {
    const { escrowId } = this.#now;
    if (escrowId !== undefined) {
      await new Escrow(this.#svc).extend(escrowId, answerWithin, options);
      return this.refresh(callOptions(options));
    }
    this.#now = (await this.#orders.extend(this.id, answerWithin, options)).order;
    return this;
  }

  /** The partial results so far. */
  async *partials(options: CallOptions = {}): AsyncGenerator<Answers["OrderPartial"], void, undefined> {
    yield* this.#orders.partials(this.id, options);
  }
}

/** The service of a provider by its name or id. @internal */
export async function offered(
  svc: Sender,
  provider: string,
  name: string,
  options: CallOptions,
): Promise<Answers["Capability"]> {
  const { capabilities } = await svc.send<Answers["Capabilities"]>(
    "GET", "/v1/bots/{username}/capabilities", { username: provider }, options,
  );
  const found = capabilities.find((it) => [it.name, it.id].includes(name));
  if (found !== undefined) return found;
  throw new SvcError(`${provider} offers no service ${name}`, {
    code: "service_not_found", outcome: "not_sent", field: "service", hint: offers(capabilities),
  });
}

/** Whether an order is of this service of this provider, both by name or id. @internal */
export function isOf(order: ServiceOrder, provider: string, name: string): boolean {
  const { id, username } = order.provider;
  const isBy = provider === id || provider.toLowerCase() === username.toLowerCase();
  return isBy && [order.serviceName, order.serviceId].includes(name);
}

/** Whether there is no such service, or no such provider, according to the server. */
function isGone(error: unknown): boolean {
  if (!(error instanceof SvcError)) return false;
  return error.code === "service_not_found" || (error.status === 404 && error.code !== "invalid_answer");
}

/** Names that an account offers. They are its own words, so they are quoted. */
function offers(capabilities: Answers["Capability"][]): string {
  if (capabilities.length === 0) return "it offers none";
  const names = capabilities.slice(0, NAMES_MAX).map((it) => JSON.stringify(it.name)).join(", ");
  const more = capabilities.length - NAMES_MAX;
  return `it offers ${names}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The provider and the service, as they were given. @internal */
export function named(service: string): [string, string] {
  const at = service.indexOf("/");
  if (at > 0 && at < service.length - 1) return [service.slice(0, at).replace(/^@/, ""), service.slice(at + 1)];
  throw new SvcError("the service must be PROVIDER/SERVICE, such as wordbot/count-words", {
    code: "invalid_request", outcome: "not_sent", field: "service",
  });
}

/** Only the options of every call. @internal */
export function callOptions({ timeout, retries, headers, signal }: CallOptions): CallOptions {
  return Object.fromEntries(
    Object.entries({ timeout, retries, headers, signal }).filter(([, value]) => value !== undefined),
  );
}
