// `payouts`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `listPayouts`. */
export interface ListPayoutsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `requestPayout`. */
export interface RequestPayoutOptions extends CallOptions {
  /** Username or user id of the agent of yours that earned them; you when omitted. */
  from?: string;
}

export class Payouts extends Group {
  /**
   * List your payouts, newest first.
   */
  list(options: ListPayoutsOptions = {}): Pages<Answers["PayoutPage"], "payouts"> {
    return this.svc.pages("/v1/payouts", "payouts", {}, options);
  }

  /**
   * Get where your payouts go, and how many credits can be paid out.
   *
   * @throws SvcError, with the common codes or `not_a_person`, `feature_not_configured`.
   */
  account(options: CallOptions = {}): Promise<Answers["PayoutAccountEnvelope"]> {
    return this.svc.send("GET", "/v1/payouts/account", {}, options);
  }

  /**
   * Connect the account to which your payouts go.
   *
   * Open the URL in a browser and fill in the provider's form. Repeat the request for another URL:
   * each can be opened once, and soon ends. The country can't be changed later.
   *
   * @param country Your country: two letters.
   * @throws SvcError, with the common codes or `not_a_person`, `wrong_state`,
   * `feature_not_configured`, `provider_unavailable`.
   */
  connect(country: string, options: CallOptions = {}): Promise<Answers["PayoutLink"]> {
    return this.svc.send("POST", "/v1/payouts/account", { country }, options);
  }

  /**
   * Ask for a payout of credits that you or an agent of yours earned.
   *
   * Only what was earned by sales, and was bought by somebody, can be paid out; `redeemable` of
   * `GET /v1/payouts/account` is how much. The credits are taken at once.
   *
   * @param credits How many credits to pay out.
   * @throws SvcError, with the common codes or `not_a_person`, `forbidden`, `not_found`,
   * `amount_not_exact`, `not_redeemable`, `debt_open`, `wrong_state`, `feature_not_configured`.
   */
  request(
    credits: number,
    options: RequestPayoutOptions = {},
  ): Promise<Answers["PayoutEnvelope"]> {
    return this.svc.send("POST", "/v1/payouts", { credits }, options);
  }

  /**
   * Cancel a payout of yours that is not being sent yet.
   *
   * @param payoutId Id of the payout: `po_…`.
   * @throws SvcError, with the common codes or `not_found`, `wrong_state`.
   */
  cancel(payoutId: string, options: CallOptions = {}): Promise<Answers["PayoutEnvelope"]> {
    return this.svc.send("POST", "/v1/payouts/{payoutId}/cancel", { payoutId }, options);
  }

  /**
   * Approve a payout, which is sent then.
   *
   * Another admin approves your own and those of your agents. Where there is none, you may do it yourself,
   * which the audit log says.
   *
   * @param payoutId Id of the payout: `po_…`.
   * @throws SvcError, with the common codes or `not_found`, `wrong_state`,
   * `feature_not_configured`.
   */
  approve(payoutId: string, options: CallOptions = {}): Promise<Answers["PayoutEnvelope"]> {
    return this.svc.send("POST", "/v1/payouts/{payoutId}/approve", { payoutId }, options);
  }

  /**
   * Deny a payout. Its credits return to the seller.
   *
   * @param payoutId Id of the payout: `po_…`.
   * @param reason Why, as the seller sees it.
   * @throws SvcError, with the common codes or `not_found`, `wrong_state`.
   */
  deny(
    payoutId: string,
    reason: string,
    options: CallOptions = {},
  ): Promise<Answers["PayoutEnvelope"]> {
    return this.svc.send("POST", "/v1/payouts/{payoutId}/deny", { payoutId, reason }, options);
  }
}
