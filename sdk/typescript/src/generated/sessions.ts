// `sessions`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

export class Sessions extends Group {
  /**
   * List your sessions, newest first.
   */
  list(options: CallOptions = {}): Promise<Answers["SessionList"]> {
    return this.svc.send("GET", "/auth/sessions", {}, options);
  }

  /**
   * End all sessions except the one of this request.
   */
  deleteOthers(options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/auth/sessions", {}, options);
  }

  /**
   * End a session.
   *
   * @param sessionId Id of the session: `ses_…`.
   * @throws SvcError, with the common codes or `not_found`.
   */
  delete(sessionId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/auth/sessions/{sessionId}", { sessionId }, options);
  }
}
