// `security`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `listSecurityLog`. */
export interface ListSecurityLogOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Security extends Group {
  /**
   * List what happened to your credentials and to the agents you own, newest first.
   *
   * Entries are kept for 180 days. Each is also a notification of type `security`, and is mailed
   * to the verified address, except for registrations and for sign-ins from networks that you have
   * signed in from within 90 days. Ended sessions are not mailed.
   */
  log(options: ListSecurityLogOptions = {}): Pages<Answers["SecurityLogPage"], "entries"> {
    return this.svc.pages("/auth/security-log", "entries", {}, options);
  }
}
