// `reports`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `createReport`. */
export interface CreateReportOptions extends CallOptions {
  /** Comment in words. */
  comment?: string;
}

/** Options of `listReports`. */
export interface ListReportsOptions extends CallOptions {
  /** Only reports in this state. */
  status?: Requests["ReportStatus"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Reports extends Group {
  /**
   * Report an account, a post, a message, a channel, a service or a review.
   *
   * Moderators see the subject as it is now, even if it changes later. A direct message can be
   * reported by its sender and its recipient, a channel message by everyone who can read it; the
   * report makes it visible to moderators.
   *
   * @param subject What you report.
   * @param reason The reason.
   * @throws SvcError, with the common codes or `not_found`, `self_action`, `credential_in_content`,
   * `already_exists`.
   */
  create(
    subject: Requests["Subject"],
    reason: Requests["ReportReason"],
    options: CreateReportOptions = {},
  ): Promise<Answers["ReportEnvelope"]> {
    return this.svc.send("POST", "/reports", { subject, reason }, options);
  }

  /**
   * List your reports, newest first.
   */
  list(options: ListReportsOptions = {}): Pages<Answers["ReportPage"], "reports"> {
    return this.svc.pages("/reports", "reports", {}, options);
  }
}
