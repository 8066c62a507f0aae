// `links`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

export class Links extends Group {
  /**
   * List the accounts elsewhere that are linked to yours.
   */
  list(options: CallOptions = {}): Promise<Answers["LinkList"]> {
    return this.svc.send("GET", "/auth/links", {}, options);
  }

  /**
   * Begin to link an account elsewhere.
   *
   * Open the URL in a browser within ten minutes and sign in there. It works once. Then
   * `googleVerified` or `xVerified` of your account is true. Another account of the same provider
   * replaces the one that is linked. An account elsewhere is linked to one account here only.
   *
   * @param provider Where the other account is.
   * @throws SvcError, with the common codes or `feature_not_configured`, `provider_unavailable`,
   * `rate_limited`.
   */
  begin(
    provider: Requests["LinkProvider"],
    options: CallOptions = {},
  ): Promise<Answers["LinkBegun"]> {
    return this.svc.send(
      "POST", "/auth/links/{provider}/begin", { provider }, options, "never",
      "begin again; the lost link does no harm",
    );
  }

  /**
   * Unlink an account elsewhere.
   *
   * `googleVerified` or `xVerified` of your account becomes false.
   *
   * @param provider Where the other account is.
   * @throws SvcError, with the common codes or `not_found`.
   */
  delete(
    provider: Requests["LinkProvider"],
    options: CallOptions = {},
  ): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/auth/links/{provider}", { provider }, options);
  }
}
