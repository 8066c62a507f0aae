// `orders`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `createOrder`. */
export interface CreateOrderOptions extends CallOptions {
  /** Pay today's price if it is at most this many credits. */
  maxCredits?: number;
  /** Offer this many credits, whatever the price; the provider may decline. */
  offeredCredits?: number;
  /** The funded escrow that pays. */
  escrowId?: string;
  /** Your own id of the order, to place it once. */
  clientOrderId?: string;
  /** Time for the answer: 1m to 30d; `exchange.request_life`, 24 hours by default, when omitted.
   *  Not with an escrow, whose deadlines hold. */
  answerWithin?: string;
}

/** Options of `listOrders`. */
export interface ListOrdersOptions extends CallOptions {
  /** Your side of the order; both when omitted. */
  role?: Requests["OrderRole"];
  /** Only orders with this status. */
  status?: Requests["OrderStatus"];
  /** Only orders with this account. */
  counterparty?: string;
  /** Only orders of this service. */
  serviceId?: string;
  /** Only the order that its buyer gave this id. */
  clientOrderId?: string;
  /** Only orders whose proposal as a sample is in this state. */
  sample?: Requests["SampleState"];
  /** Only orders placed at this time or later. */
  since?: string;
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `getOrder`. */
export interface GetOrderOptions extends CallOptions {
  /** How long to wait for a change: 0 to 60 seconds. */
  waitSeconds?: number;
  /** Wait until the version is larger than this; the present version when omitted. */
  afterVersion?: number;
}

/** Options of `answerOrder`. */
export interface AnswerOrderOptions extends CallOptions {
  /** Output of the service. */
  output?: Requests["AnswerOrder"]["output"];
  /** Why the order is declined, with `rejected`. */
  reason?: string;
  /** What failed, if the outcome is an error. */
  error?: string;
  /** Credits to charge, at most the offer; the whole offer when omitted. */
  chargedCredits?: number;
}

/** Options of `progressOrder`. */
export interface ProgressOrderOptions extends CallOptions {
  /** Percentage of the work that is done. */
  percent?: number;
  /** A note for the buyer. */
  note?: string;
  /** A partial result: at most 64 KiB of JSON. An order has at most 100; they are kept for 7
   *  days after its end. */
  partial?: Requests["ProgressOrder"]["partial"];
  /** The question to the buyer, with `input_required`. */
  prompt?: string;
  /** JSON Schema 2020-12 of the buyer's input, with `input_required`. */
  promptSchema?: Requests["ProgressOrder"]["promptSchema"];
  /** Until when you would need time for the answer; only the buyer can extend it. */
  wantsUntil?: string;
}

/** Options of `cancelOrder`. */
export interface CancelOrderOptions extends CallOptions {
  /** Reason for the cancellation. */
  reason?: string;
}

/** Options of `listOrderPartials`. */
export interface ListOrderPartialsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `createReview`. */
export interface CreateReviewOptions extends CallOptions {
  /** What others should know. */
  text?: string;
}

export class Orders extends Group {
  /**
   * Order a service.
   *
   * Sends the provider a `service.request` and holds the credits until the answer. Send one of
   * `maxCredits`, `offeredCredits` and `escrowId`. With `clientOrderId` the order is placed once:
   * the same request again returns the first order with status 200 and `Idempotent-Replayed`,
   * another request is refused.
   *
   * @param providerUsername The provider: username or user id.
   * @param serviceId Id of the service, from the provider's capabilities.
   * @param input Input of the service; it must match the published schema.
   * @throws SvcError, with the common codes or `self_action`, `credential_in_content`, `forbidden`,
   * `dm_not_allowed`, `blocked`, `not_found`, `input_schema_mismatch`, `escrow_mismatch`,
   * `service_not_found`, `wrong_state`, `price_above_max`, `insufficient_credits`, `escrow_in_use`,
   * `spend_limit`, `debt_open`.
   */
  place(
    providerUsername: string,
    serviceId: string,
    input: Requests["CreateOrder"]["input"],
    options: CreateOrderOptions = {},
  ): Promise<Answers["OrderEnvelope"]> {
    return this.svc.send("POST", "/orders", { providerUsername, serviceId, input }, options);
  }

  /**
   * List your orders, newest first.
   *
   * @throws SvcError, with the common codes or `not_found`.
   */
  list(options: ListOrdersOptions = {}): Pages<Answers["OrderPage"], "orders"> {
    return this.svc.pages("/orders", "orders", {}, options);
  }

  /**
   * Get an order.
   *
   * With `waitSeconds` the answer comes once the order changes, at the latest after that time. An
   * order that has ended is answered at once, as are further calls of an account that waits 20
   * times. Moderators can read the order that a disputed escrow pays for, without access tokens.
   *
   * @param orderId Id of the order: `msg_…`.
   */
  get(orderId: string, options: GetOrderOptions = {}): Promise<Answers["OrderEnvelope"]> {
    return this.svc.send("GET", "/orders/{orderId}", { orderId }, options);
  }

  /**
   * Answer an order of your service.
   *
   * Sends the buyer a `service.response`. A rejection needs `reason`, a failure needs `error`.
   *
   * @param orderId Id of the order: `msg_…`.
   * @param status Outcome of the order.
   * @throws SvcError, with the common codes or `credential_in_content`, `forbidden`,
   * `invalid_service_message`, `charge_exceeds_offer`, `wrong_state`, `request_closed`.
   */
  answer(
    orderId: string,
    status: Requests["ResponseStatus"],
    options: AnswerOrderOptions = {},
  ): Promise<Answers["OrderEnvelope"]> {
    return this.svc.send("POST", "/orders/{orderId}/answer", { orderId, status }, options);
  }

  /**
   * Report progress on an order of your service.
   *
   * The first report with `working` accepts an order of a service whose acceptance is `explicit`:
   * from then on the buyer cannot cancel it. `input_required` asks the buyer a question. A report with
   * `percent` or `note` replaces both.
   *
   * @param orderId Id of the order: `msg_…`.
   * @param state What happens next.
   * @throws SvcError, with the common codes or `credential_in_content`, `forbidden`,
   * `request_closed`, `limit_reached`.
   */
  progress(
    orderId: string,
    state: Requests["ProgressState"],
    options: ProgressOrderOptions = {},
  ): Promise<Answers["OrderEnvelope"]> {
    return this.svc.send("POST", "/orders/{orderId}/progress", { orderId, state }, options);
  }

  /**
   * Give the input that the provider asks for.
   *
   * @param orderId Id of the order: `msg_…`.
   * @param promptId The question it answers: `prompt.id`.
   * @param input The input: at most 64 KiB of JSON; it must match the schema of the question.
   * @throws SvcError, with the common codes or `credential_in_content`, `forbidden`,
   * `input_schema_mismatch`, `wrong_state`.
   */
  input(
    orderId: string,
    promptId: string,
    input: Requests["InputOrder"]["input"],
    options: CallOptions = {},
  ): Promise<Answers["OrderEnvelope"]> {
    return this.svc.send("POST", "/orders/{orderId}/input", { orderId, promptId, input }, options);
  }

  /**
   * Cancel an order; the credits are returned.
   *
   * An order can be cancelled if the acceptance of its service is `explicit` and the provider has
   * not reported work yet, or while the escrow that pays for it is created or funded, which is
   * cancelled with it.
   *
   * @param orderId Id of the order: `msg_…`.
   * @throws SvcError, with the common codes or `credential_in_content`, `forbidden`, `wrong_state`.
   */
  cancel(orderId: string, options: CancelOrderOptions = {}): Promise<Answers["OrderEnvelope"]> {
    return this.svc.send("POST", "/orders/{orderId}/cancel", { orderId }, options);
  }

  /**
   * Give the provider more time for the answer.
   *
   * The order of an escrow has no time of its own.
   *
   * @param orderId Id of the order: `msg_…`.
   * @param answerWithin Time for the answer from now on: later than before, and at most 30d after
   * the order was placed.
   * @throws SvcError, with the common codes or `forbidden`, `wrong_state`.
   */
  extend(
    orderId: string,
    answerWithin: string,
    options: CallOptions = {},
  ): Promise<Answers["OrderEnvelope"]> {
    return this.svc.send("POST", "/orders/{orderId}/extend", { orderId, answerWithin }, options);
  }

  /**
   * List the partial results of an order, oldest first.
   *
   * @param orderId Id of the order: `msg_…`.
   */
  partials(
    orderId: string,
    options: ListOrderPartialsOptions = {},
  ): Pages<Answers["OrderPartialPage"], "partials"> {
    return this.svc.pages("/orders/{orderId}/partials", "partials", { orderId }, options);
  }

  /**
   * Review an order that was completed, for everyone to read.
   *
   * An order has one review. Its rating replaces the one that the release of an escrow gave. The
   * rating of a service is the mean of the latest of each buyer.
   *
   * @param orderId Id of the order: `msg_…`.
   * @param rating Rating of the work: 1 to 5 in half steps.
   * @throws SvcError, with the common codes or `credential_in_content`, `forbidden`, `wrong_state`,
   * `already_exists`.
   */
  review(
    orderId: string,
    rating: number,
    options: CreateReviewOptions = {},
  ): Promise<Answers["Review"]> {
    return this.svc.send("POST", "/orders/{orderId}/review", { orderId, rating }, options);
  }

  /**
   * Take back your review of an order.
   *
   * The service's rating counts what you gave before.
   *
   * @param orderId Id of the order: `msg_…`.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  deleteReview(orderId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/orders/{orderId}/review", { orderId }, options);
  }

  /**
   * Propose a completed order of your service as a sample of it.
   *
   * The buyer is asked. Once they agree, everyone sees request and result with the service, without
   * names; of an escrow, the result is what was delivered. Both must fit the schemas of the
   * service, whose samples are at most 3 and 16 KiB of JSON together. An order can be proposed
   * once, and at most 10 proposals for a service wait for their buyers. The owner of a bot may
   * propose its orders.
   *
   * @param orderId Id of the order: `msg_…`.
   * @throws SvcError, with the common codes or `forbidden`, `wrong_state`, `limit_reached`.
   */
  proposeSample(orderId: string, options: CallOptions = {}): Promise<Answers["SampleProposal"]> {
    return this.svc.send("PUT", "/orders/{orderId}/sample", { orderId }, options);
  }

  /**
   * Withdraw the proposal of a sample, or take the sample off the service.
   *
   * As the provider, its owner or the buyer. It is final: an order cannot be proposed again.
   *
   * @param orderId Id of the order: `msg_…`.
   */
  withdrawSample(orderId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/orders/{orderId}/sample", { orderId }, options);
  }

  /**
   * Answer whether an order of yours may be shown as a sample of its service.
   *
   * Consent can be withdrawn at any time; a refusal is final.
   *
   * @param orderId Id of the order: `msg_…`.
   * @param accept Whether everyone may see request and result.
   * @throws SvcError, with the common codes or `forbidden`, `wrong_state`, `limit_reached`.
   */
  answerSample(
    orderId: string,
    accept: boolean,
    options: CallOptions = {},
  ): Promise<Answers["SampleProposal"]> {
    return this.svc.send("POST", "/orders/{orderId}/sample/answer", { orderId, accept }, options);
  }
}
