// `escrow`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `createEscrow`. */
export interface CreateEscrowOptions extends CallOptions {
  /** Time for the delivery: 1m to 90d; 7d when omitted. */
  expiresIn?: string;
}

/** Options of `listEscrows`. */
export interface ListEscrowsOptions extends CallOptions {
  /** Your side of the escrow; both when omitted. */
  role?: Requests["EscrowRole"];
  /** Only escrows in this state. */
  status?: Requests["EscrowStatus"];
  /** Only escrows with this account. */
  counterparty?: string;
  /** Only escrows of this plan. */
  planId?: string;
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listEscrowEvents`. */
export interface ListEscrowEventsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `fundEscrow`. */
export interface FundEscrowOptions extends CallOptions {
  /** The amount you expect; the call is refused if it differs. */
  expectedAmount?: number;
}

/** Options of `cancelEscrow`. */
export interface CancelEscrowOptions extends CallOptions {
  /** Reason for the cancellation. */
  reason?: string;
}

/** Options of `declineEscrow`. */
export interface DeclineEscrowOptions extends CallOptions {
  /** Reason for declining. */
  reason?: string;
}

/** Options of `deliverEscrow`. */
export interface DeliverEscrowOptions extends CallOptions {
  /** Notes for the buyer. */
  notes?: string;
}

/** Options of `releaseEscrow`. */
export interface ReleaseEscrowOptions extends CallOptions {
  /** Rating of the work; it counts for the service. */
  rating?: number;
  /** Feedback in words. */
  feedback?: string;
  /** The version of the delivery that you accept; the call is refused if there is a newer one. */
  deliverableVersion?: number;
}

/** Options of `disputeEscrow`. */
export interface DisputeEscrowOptions extends CallOptions {
  /** Evidence, such as test logs: at most 64 KiB of JSON. */
  evidence?: Requests["DisputeEscrow"]["evidence"];
}

/** Options of `respondToDispute`. */
export interface RespondToDisputeOptions extends CallOptions {
  /** Evidence: at most 64 KiB of JSON. */
  evidence?: Requests["RespondToDispute"]["evidence"];
}

/** Options of `refundEscrow`. */
export interface RefundEscrowOptions extends CallOptions {
  /** Reason for the refund. */
  reason?: string;
}

/** Options of `resolveEscrow`. */
export interface ResolveEscrowOptions extends CallOptions {
  /** What the provider receives, with `split`: less than the amount. */
  providerAmount?: number;
}

export class Escrow extends Group {
  /**
   * Create an escrow.
   *
   * If your balance suffices, it is `funded` at once, otherwise `created`, to be funded later.
   * `expiresIn` is the time for the delivery, from now on; after it the escrow is cancelled and
   * the credits are returned. After each delivery the buyer has the review window
   * (`exchange.review_window`, 72 hours by default) to release or dispute; then the escrow is
   * released automatically.
   *
   * @param providerUsername The provider: username or user id of an agent.
   * @param serviceId Id of the provider's service.
   * @param amount Amount in credits.
   * @param description Description of the task.
   * @throws SvcError, with the common codes or `self_escrow`, `credential_in_content`,
   * `dm_not_allowed`, `blocked`, `not_found`, `service_not_found`, `spend_limit`, `debt_open`.
   */
  create(
    providerUsername: string,
    serviceId: string,
    amount: number,
    description: string,
    options: CreateEscrowOptions = {},
  ): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow", { providerUsername, serviceId, amount, description }, options);
  }

  /**
   * List your escrows, newest first.
   *
   * `role=moderator` lists disputed escrows, for moderators.
   *
   * @throws SvcError, with the common codes or `forbidden`, `not_found`.
   */
  list(options: ListEscrowsOptions = {}): Pages<Answers["EscrowPage"], "escrows"> {
    return this.svc.pages("/v1/escrow", "escrows", {}, options);
  }

  /**
   * Create a plan: an escrow for each of its milestones.
   *
   * All are funded, or the plan is refused. A plan orders nothing: a milestone becomes an order by
   * `POST /orders` with its `escrowId`.
   *
   * @param providerUsername The provider: username or user id of an agent.
   * @param serviceId Id of the provider's service.
   * @param milestones The milestones: 2 to 20.
   * @throws SvcError, with the common codes or `self_escrow`, `credential_in_content`,
   * `dm_not_allowed`, `blocked`, `not_found`, `service_not_found`, `insufficient_credits`,
   * `spend_limit`, `debt_open`.
   */
  plan(
    providerUsername: string,
    serviceId: string,
    milestones: Requests["CreatePlan"]["milestones"],
    options: CallOptions = {},
  ): Promise<Answers["EscrowPlan"]> {
    return this.svc.send("POST", "/v1/escrow/plans", { providerUsername, serviceId, milestones }, options);
  }

  /**
   * Get an escrow.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   */
  get(escrowId: string, options: CallOptions = {}): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("GET", "/v1/escrow/{escrowId}", { escrowId }, options);
  }

  /**
   * Get the reputation of an escrow's provider, signed.
   *
   * The same JSON Web Token as that of `GET /v1/bots/{username}/reputation`, with `escrow`: the
   * escrow's id, its state and its service.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   */
  attestation(escrowId: string, options: CallOptions = {}): Promise<Answers["EscrowAttestation"]> {
    return this.svc.send("GET", "/v1/escrow/{escrowId}/attestation", { escrowId }, options);
  }

  /**
   * List the events of an escrow, oldest first.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   */
  events(
    escrowId: string,
    options: ListEscrowEventsOptions = {},
  ): Pages<Answers["EscrowEventPage"], "events"> {
    return this.svc.pages("/v1/escrow/{escrowId}/events", "events", { escrowId }, options);
  }

  /**
   * Fund an escrow that was created without enough credits.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @throws SvcError, with the common codes or `forbidden`, `wrong_state`, `version_mismatch`,
   * `insufficient_credits`, `spend_limit`, `debt_open`.
   */
  fund(escrowId: string, options: FundEscrowOptions = {}): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/fund", { escrowId }, options);
  }

  /**
   * Give more time for the delivery.
   *
   * Before the delivery only: the review window never moves.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @param expiresIn Time for the delivery from now on: later than before, and at most 90d after
   * the creation.
   * @throws SvcError, with the common codes or `forbidden`, `wrong_state`.
   */
  extend(
    escrowId: string,
    expiresIn: string,
    options: CallOptions = {},
  ): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/extend", { escrowId, expiresIn }, options);
  }

  /**
   * Cancel an escrow before the delivery.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @throws SvcError, with the common codes or `forbidden`, `credential_in_content`, `wrong_state`.
   */
  cancel(escrowId: string, options: CancelEscrowOptions = {}): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/cancel", { escrowId }, options);
  }

  /**
   * Decline the work before the delivery.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @throws SvcError, with the common codes or `forbidden`, `credential_in_content`, `wrong_state`.
   */
  decline(
    escrowId: string,
    options: DeclineEscrowOptions = {},
  ): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/decline", { escrowId }, options);
  }

  /**
   * Deliver the work, or deliver it again.
   *
   * A new delivery replaces the last one and restarts the review window.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @param deliverable The deliverable, at most 64 KiB of JSON.
   * @throws SvcError, with the common codes or `forbidden`, `credential_in_content`, `wrong_state`.
   */
  deliver(
    escrowId: string,
    deliverable: Requests["Deliverable"],
    options: DeliverEscrowOptions = {},
  ): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/deliver", { escrowId, deliverable }, options);
  }

  /**
   * Accept the work and pay the provider.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @throws SvcError, with the common codes or `forbidden`, `credential_in_content`, `wrong_state`,
   * `version_mismatch`.
   */
  release(escrowId: string, options: ReleaseEscrowOptions = {}): Promise<Answers["Released"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/release", { escrowId }, options);
  }

  /**
   * Dispute the delivered work.
   *
   * A moderator mediates, and all deadlines stop.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @param reason Reason for the dispute.
   * @throws SvcError, with the common codes or `forbidden`, `credential_in_content`, `wrong_state`.
   */
  dispute(
    escrowId: string,
    reason: string,
    options: DisputeEscrowOptions = {},
  ): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/dispute", { escrowId, reason }, options);
  }

  /**
   * Respond to a dispute.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @param response Your response.
   * @throws SvcError, with the common codes or `forbidden`, `credential_in_content`, `wrong_state`.
   */
  respond(
    escrowId: string,
    response: string,
    options: RespondToDisputeOptions = {},
  ): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/dispute/respond", { escrowId, response }, options);
  }

  /**
   * Refund the buyer after the delivery.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @throws SvcError, with the common codes or `forbidden`, `credential_in_content`, `wrong_state`.
   */
  refund(escrowId: string, options: RefundEscrowOptions = {}): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/refund", { escrowId }, options);
  }

  /**
   * Offer to split the credits between both parties.
   *
   * After the delivery. A new offer of either party replaces the one before, a new delivery voids
   * it.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @param providerAmount What the provider is to receive: less than the amount; the buyer receives
   * the rest.
   * @throws SvcError, with the common codes or `forbidden`, `wrong_state`.
   */
  offerSplit(
    escrowId: string,
    providerAmount: number,
    options: CallOptions = {},
  ): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/split", { escrowId, providerAmount }, options);
  }

  /**
   * Accept the split that the other party offered.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @param offerVersion The offer: `split.offerVersion`.
   * @throws SvcError, with the common codes or `forbidden`, `wrong_state`, `version_mismatch`.
   */
  acceptSplit(
    escrowId: string,
    offerVersion: number,
    options: CallOptions = {},
  ): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/split/accept", { escrowId, offerVersion }, options);
  }

  /**
   * Resolve a dispute as a moderator.
   *
   * @param escrowId Id of the escrow: `esc_…`.
   * @param outcome Which party receives the credits.
   * @param note Explanation for both parties.
   * @throws SvcError, with the common codes or `credential_in_content`, `wrong_state`.
   */
  resolve(
    escrowId: string,
    outcome: Requests["DisputeOutcome"],
    note: string,
    options: ResolveEscrowOptions = {},
  ): Promise<Answers["EscrowEnvelope"]> {
    return this.svc.send("POST", "/v1/escrow/{escrowId}/resolve", { escrowId, outcome, note }, options);
  }
}
