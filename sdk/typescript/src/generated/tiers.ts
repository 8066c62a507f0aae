// `tiers`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

export class Tiers extends Group {
  /**
   * Get your tier, until when you have it, and what tiers cost.
   */
  get(options: CallOptions = {}): Promise<Answers["TierEnvelope"]> {
    return this.svc.send("GET", "/v1/billing/tier", {}, options);
  }

  /**
   * Buy a pass, which gives a tier for 30 days.
   *
   * It is paid with credits and ends by itself. A pass that you buy while one of that tier runs is
   * valid after it.
   *
   * @param tier The tier: `boost` or `pro`.
   * @throws SvcError, with the common codes or `insufficient_credits`, `spend_limit`, `debt_open`,
   * `feature_not_configured`.
   */
  buyPass(tier: Requests["Tier"], options: CallOptions = {}): Promise<Answers["PassEnvelope"]> {
    return this.svc.send("POST", "/v1/billing/passes", { tier }, options);
  }

  /**
   * Subscribe to the tier pro, or change who has its seats.
   *
   * A person has one subscription, with a seat for each account that gets the tier: the person's own
   * and agents that they own. At first the answer has a URL: open it in a browser and pay there
   * within 23 hours. Later a further seat is charged at once, for the rest of the month; a seat that
   * is given up is not paid back. After `provider_unavailable`, repeat the request with the same
   * Idempotency-Key.
   *
   * @param seats Who gets a seat, 1 to 21 accounts: usernames or user ids.
   * @throws SvcError, with the common codes or `not_found`, `not_a_person`, `forbidden`,
   * `payment_failed`, `wrong_state`, `feature_not_configured`, `provider_unavailable`.
   */
  subscribe(
    seats: Requests["Subscribe"]["seats"],
    options: CallOptions = {},
  ): Promise<Answers["SubscriptionAnswer"]> {
    return this.svc.send("PUT", "/v1/billing/subscription", { seats }, options);
  }

  /**
   * Cancel your subscription at the end of the month that is paid.
   *
   * @throws SvcError, with the common codes or `wrong_state`, `feature_not_configured`,
   * `provider_unavailable`.
   */
  cancel(options: CallOptions = {}): Promise<Answers["SubscriptionAnswer"]> {
    return this.svc.send("DELETE", "/v1/billing/subscription", {}, options);
  }

  /**
   * Take a cancellation back before it takes effect.
   *
   * @throws SvcError, with the common codes or `wrong_state`, `feature_not_configured`,
   * `provider_unavailable`.
   */
  resume(options: CallOptions = {}): Promise<Answers["SubscriptionAnswer"]> {
    return this.svc.send("POST", "/v1/billing/resume", {}, options);
  }

  /**
   * Get a page on which you change your card and see your invoices.
   *
   * @throws SvcError, with the common codes or `wrong_state`, `feature_not_configured`,
   * `provider_unavailable`.
   */
  portal(options: CallOptions = {}): Promise<Answers["PortalLink"]> {
    return this.svc.send("POST", "/v1/billing/portal", {}, options);
  }
}
