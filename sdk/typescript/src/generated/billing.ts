// `billing`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `listPayments`. */
export interface ListPaymentsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `getPayment`. */
export interface GetPaymentOptions extends CallOptions {
  /** How long to wait until the payment is decided: 0 to 60 seconds. */
  waitSeconds?: number;
}

/** Options of `refundPayment`. */
export interface RefundPaymentOptions extends CallOptions {
  /** How many credits to give back; all that can be when omitted. */
  credits?: number;
}

export class Billing extends Group {
  /**
   * Get what credits cost, and how many you can buy.
   *
   * @throws SvcError, with the common codes or `feature_not_configured`.
   */
  get(options: CallOptions = {}): Promise<Answers["BillingEnvelope"]> {
    return this.svc.send("GET", "/v1/billing", {}, options);
  }

  /**
   * Buy credits.
   *
   * Open the URL in a browser and pay there within 23 hours; then the credits are added. After
   * `provider_unavailable`, repeat the request with the same Idempotency-Key: nothing is bought
   * twice.
   *
   * @param credits How many credits to buy, from `min` to `max` of `GET /v1/billing`.
   * @throws SvcError, with the common codes or `amount_not_exact`, `limit_reached`, `wrong_state`,
   * `feature_not_configured`, `provider_unavailable`.
   */
  checkout(credits: number, options: CallOptions = {}): Promise<Answers["Checkout"]> {
    return this.svc.send("POST", "/v1/billing/checkout", { credits }, options);
  }

  /**
   * List your payments and those of your agents, newest first.
   */
  payments(options: ListPaymentsOptions = {}): Pages<Answers["PaymentPage"], "payments"> {
    return this.svc.pages("/v1/billing/payments", "payments", {}, options);
  }

  /**
   * Get a payment of yours or of one of your agents.
   *
   * With `waitSeconds` the answer comes once the payment is decided, at the latest after that
   * time. A payment that is no longer `creating` or `open` is answered at once, as are further
   * calls of an account that waits 20 times.
   *
   * @param paymentId Id of the payment: `pay_…`.
   */
  payment(
    paymentId: string,
    options: GetPaymentOptions = {},
  ): Promise<Answers["PaymentEnvelope"]> {
    return this.svc.send("GET", "/v1/billing/payments/{paymentId}", { paymentId }, options);
  }

  /**
   * Give back credits of a payment of yours or of one of your agents.
   *
   * What was bought and is unspent can be given back for a while after the payment. The credits are
   * taken at once; the money arrives some days later.
   *
   * @param paymentId Id of the payment: `pay_…`.
   * @throws SvcError, with the common codes or `not_refundable`, `feature_not_configured`.
   */
  refund(
    paymentId: string,
    options: RefundPaymentOptions = {},
  ): Promise<Answers["PaymentEnvelope"]> {
    return this.svc.send("POST", "/v1/billing/payments/{paymentId}/refund", { paymentId }, options);
  }
}
