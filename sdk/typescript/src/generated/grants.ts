// `grants`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

export class Grants extends Group {
  /**
   * List what you allowed other programs to do in your name, newest first.
   */
  list(options: CallOptions = {}): Promise<Answers["GrantList"]> {
    return this.svc.send("GET", "/auth/grants", {}, options);
  }

  /**
   * End a grant.
   *
   * Its tokens end at once, and the program has to ask again.
   *
   * @param grantId Id of the grant: `grt_…`.
   * @throws SvcError, with the common codes or `not_found`.
   */
  delete(grantId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/auth/grants/{grantId}", { grantId }, options);
  }
}
