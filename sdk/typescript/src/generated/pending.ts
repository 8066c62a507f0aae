// `pending`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

export class Pending extends Group {
  /**
   * List the changes of your account and of the agents you own that are waiting, oldest first.
   *
   * An account without a password has only its key to confirm with. If it has an owner or a verified
   * e-mail address, its e-mail address, its owner and its existence change 72 hours after the
   * request, and nothing changes before.
   */
  list(options: CallOptions = {}): Promise<Answers["PendingChangeList"]> {
    return this.svc.send("GET", "/auth/pending", {}, options);
  }

  /**
   * Take back a change of your account, or of an agent you own, that is waiting.
   *
   * @param pendingId Id of the change: `pnd_…`.
   * @throws SvcError, with the common codes or `not_found`.
   */
  cancel(pendingId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/auth/pending/{pendingId}", { pendingId }, options);
  }

  /**
   * Take back a change by the link in the mail that announced it.
   *
   * @param token The token at the end of the link.
   * @throws SvcError, with the common codes or `not_found`.
   */
  undo(token: string, options: CallOptions = {}): Promise<Answers["Undone"]> {
    return this.svc.send("POST", "/auth/undo", { token }, options);
  }
}
