// `moderation`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `listModerationReports`. */
export interface ListModerationReportsOptions extends CallOptions {
  /** Only reports in this state. */
  status?: Requests["ReportStatus"];
  /** Only reports with this reason. */
  reason?: Requests["ReportReason"];
  /** Only reports about this type of subject. */
  subjectType?: Requests["SubjectType"];
  /** Only reports assigned to this moderator: username or user id. */
  assignee?: string;
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `assignReport`. */
export interface AssignReportOptions extends CallOptions {
  /** The assignee: username or user id of a moderator; you when omitted. */
  username?: string;
}

/** Options of `resolveReport`. */
export interface ResolveReportOptions extends CallOptions {
  /** Note for other moderators. */
  note?: string;
}

/** Options of `reopenReport`. */
export interface ReopenReportOptions extends CallOptions {
  /** Note for other moderators. */
  note?: string;
}

/** Options of `createModerationAction`. */
export interface CreateModerationActionOptions extends CallOptions {
  /** The label, for `label` and `unlabel`: 1–32 characters of a-z, 0-9, _ and -. */
  label?: string;
  /** Duration of `hide`, `label`, `limit` and `suspend`: 1m to 90d; permanent when omitted. */
  expiresIn?: string;
  /** The report that led to the action; its status does not change. */
  reportId?: string;
}

/** Options of `listModerationActions`. */
export interface ListModerationActionsOptions extends CallOptions {
  /** Only actions on this type of subject. */
  subjectType?: Requests["SubjectType"];
  /** Only actions on the subject with this id. */
  subjectId?: string;
  /** Only actions by this moderator: username or user id. */
  actor?: string;
  /** Only actions of this type. */
  type?: Requests["ModerationActionType"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `updateUser`. */
export interface UpdateUserOptions extends CallOptions {
  /** The role. The last admin keeps it. */
  role?: Requests["Role"];
  /** The tier, whatever is paid for; `auto` leaves it to what is paid. */
  tier?: Requests["TierSetting"];
  /** Whether the X account is verified. */
  xVerified?: boolean;
  /** Whether the Google account is verified. */
  googleVerified?: boolean;
}

/** Options of `listSignups`. */
export interface ListSignupsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `getOverview`. */
export interface GetOverviewOptions extends CallOptions {
  /** Time window; `7d` when omitted. */
  window?: Requests["OverviewWindow"];
}

/** Options of `listFailedDeliveries`. */
export interface ListFailedDeliveriesOptions extends CallOptions {
  /** Only deliveries that began in this time window; all when omitted. */
  window?: Requests["OverviewWindow"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listEndedOrders`. */
export interface ListEndedOrdersOptions extends CallOptions {
  /** How they ended; `completed` when omitted. */
  outcome?: Requests["OrderOutcome"];
  /** Only orders that ended in this time window; `7d` when omitted. */
  window?: Requests["OverviewWindow"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listOpenEscrows`. */
export interface ListOpenEscrowsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listQueue`. */
export interface ListQueueOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Moderation extends Group {
  /**
   * Get the state of payments and payouts of the whole platform.
   *
   * @throws SvcError, with the common codes or `feature_not_configured`.
   */
  billing(options: CallOptions = {}): Promise<Answers["BillingStatusEnvelope"]> {
    return this.svc.send("GET", "/moderation/billing", {}, options);
  }

  /**
   * List the reports of all accounts, newest first.
   *
   * @throws SvcError, with the common codes or `not_found`.
   */
  reports(options: ListModerationReportsOptions = {}): Pages<Answers["ReportPage"], "reports"> {
    return this.svc.pages("/moderation/reports", "reports", {}, options);
  }

  /**
   * Get a report.
   *
   * @param reportId Id of the report: `rpt_…`.
   */
  report(reportId: string, options: CallOptions = {}): Promise<Answers["ReportEnvelope"]> {
    return this.svc.send("GET", "/moderation/reports/{reportId}", { reportId }, options);
  }

  /**
   * Assign an open report to yourself or another moderator.
   *
   * @param reportId Id of the report: `rpt_…`.
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  assign(reportId: string, options: AssignReportOptions = {}): Promise<Answers["ReportEnvelope"]> {
    return this.svc.send("POST", "/moderation/reports/{reportId}/assign", { reportId }, options);
  }

  /**
   * Close an open report.
   *
   * Closing takes no action; use the actions endpoint for that.
   *
   * @param reportId Id of the report: `rpt_…`.
   * @param outcome Whether action was taken.
   * @throws SvcError, with the common codes or `credential_in_content`, `wrong_state`.
   */
  resolve(
    reportId: string,
    outcome: Requests["ReportOutcome"],
    options: ResolveReportOptions = {},
  ): Promise<Answers["ReportEnvelope"]> {
    return this.svc.send("POST", "/moderation/reports/{reportId}/resolve", { reportId, outcome }, options);
  }

  /**
   * Reopen a report.
   *
   * @param reportId Id of the report: `rpt_…`.
   * @throws SvcError, with the common codes or `credential_in_content`, `wrong_state`.
   */
  reopen(reportId: string, options: ReopenReportOptions = {}): Promise<Answers["ReportEnvelope"]> {
    return this.svc.send("POST", "/moderation/reports/{reportId}/reopen", { reportId }, options);
  }

  /**
   * Act on an account, a post, a message, a channel, a service or a review.
   *
   * On posts: `hide`, `restore`, `remove`, `label`, `unlabel`. On direct messages that were reported
   * or sent to you: `hide`, `restore`, `remove`. On accounts: `warn`, `limit`, `unlimit`, `suspend`,
   * `unsuspend`. On services, channels, reviews, and channel messages that were reported or that you
   * can read: `remove`. Accounts with the same or a higher role, and their content, are protected.
   * With `expiresIn` the effect ends automatically; repeating the action replaces the end. The owner
   * of the subject is notified, unless neither the effect nor its end changes.
   *
   * @param subject What the action is about.
   * @param type The action.
   * @param reason Reason, shown to the owner of the subject.
   * @throws SvcError, with the common codes or `not_found`, `credential_in_content`, `wrong_state`.
   */
  act(
    subject: Requests["Subject"],
    type: Requests["ModerationActionType"],
    reason: string,
    options: CreateModerationActionOptions = {},
  ): Promise<Answers["ModerationActionEnvelope"]> {
    return this.svc.send("POST", "/moderation/actions", { subject, type, reason }, options);
  }

  /**
   * List actions of moderators, newest first.
   *
   * @throws SvcError, with the common codes or `not_found`.
   */
  actions(
    options: ListModerationActionsOptions = {},
  ): Pages<Answers["ModerationActionPage"], "actions"> {
    return this.svc.pages("/moderation/actions", "actions", {}, options);
  }

  /**
   * Set role, tier and verifications of an account.
   *
   * @param username Username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  updateUser(username: string, options: UpdateUserOptions = {}): Promise<Answers["UserEnvelope"]> {
    return this.svc.send("PATCH", "/moderation/users/{username}", { username }, options);
  }

  /**
   * List the accounts that wait for approval, oldest first.
   */
  signups(options: ListSignupsOptions = {}): Pages<Answers["SignupPage"], "signups"> {
    return this.svc.pages("/moderation/signups", "signups", {}, options);
  }

  /**
   * Approve an account, which may then do what every new account may.
   *
   * @param userId The account: user id, or username, ignoring case.
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  approveSignup(userId: string, options: CallOptions = {}): Promise<Answers["UserEnvelope"]> {
    return this.svc.send("POST", "/moderation/signups/{userId}/approve", { userId }, options);
  }

  /**
   * Reject an account.
   *
   * It is erased at once, and its username and e-mail address are free again.
   *
   * @param userId The account: user id, or username, ignoring case.
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  rejectSignup(userId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("POST", "/moderation/signups/{userId}/reject", { userId }, options);
  }

  /**
   * Get figures of the whole platform.
   *
   * Counts of sign-ups, of failed deliveries and of what waits in a queue end at 10,000.
   */
  overview(options: GetOverviewOptions = {}): Promise<Answers["OverviewEnvelope"]> {
    return this.svc.send("GET", "/moderation/overview", {}, options);
  }

  /**
   * List deliveries to the webhooks of all accounts that were given up, newest first.
   */
  failedDeliveries(
    options: ListFailedDeliveriesOptions = {},
  ): Pages<Answers["FailedDeliveryPage"], "deliveries"> {
    return this.svc.pages("/moderation/failed-deliveries", "deliveries", {}, options);
  }

  /**
   * List ended orders of all accounts, latest end first, without their contents.
   *
   * These are the orders that `ordersDone` and `ordersFailed` of `GET /moderation/overview` count.
   */
  orders(options: ListEndedOrdersOptions = {}): Pages<Answers["EndedOrderPage"], "orders"> {
    return this.svc.pages("/moderation/orders", "orders", {}, options);
  }

  /**
   * List escrows that hold credits, oldest first, without their contents.
   *
   * These are the escrows that `escrowsOpen` and `escrowsHold` of `GET /moderation/overview` count.
   */
  escrows(options: ListOpenEscrowsOptions = {}): Pages<Answers["OpenEscrowPage"], "escrows"> {
    return this.svc.pages("/moderation/escrows", "escrows", {}, options);
  }

  /**
   * List the entries of a queue, longest overdue first, without contents or addresses.
   *
   * The queue `search` is listed by id, since it holds no times.
   *
   * @param queue The queue.
   */
  queue(
    queue: Requests["QueueName"],
    options: ListQueueOptions = {},
  ): Pages<Answers["QueuePage"], "entries"> {
    return this.svc.pages("/moderation/queues/{queue}", "entries", { queue }, options);
  }
}
