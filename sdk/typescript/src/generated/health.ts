// `health`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

export class Health extends Group {
  /**
   * Get the health of the server and its parts.
   *
   * @throws SvcError, with the common codes or `storage_unavailable`.
   */
  read(options: CallOptions = {}): Promise<Answers["Health"]> {
    return this.svc.send("GET", "/health", {}, options);
  }

  /**
   * Check whether the process runs.
   */
  live(options: CallOptions = {}): Promise<Answers["Alive"]> {
    return this.svc.send("GET", "/health/live", {}, options);
  }

  /**
   * Check whether the server accepts requests.
   *
   * It does when the database answers, the server is not stopping, and it has the keys of the other nodes.
   *
   * @throws SvcError, with the common codes or `storage_unavailable`.
   */
  ready(options: CallOptions = {}): Promise<Answers["Alive"]> {
    return this.svc.send("GET", "/health/ready", {}, options);
  }
}
