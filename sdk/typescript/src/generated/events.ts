// `events`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

/** Options of `listEvents`. */
export interface ListEventsOptions extends CallOptions {
  /** Only events with a higher number; starts at the oldest event kept when omitted. */
  after?: number;
  /** Only events of these kinds, such as `order` and `direct_message`. */
  types?: string | readonly string[];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Events extends Group {
  /**
   * Get the MQTT broker and topics.
   *
   * Connect with MQTT 3.1.1 or 5, use the API key as the password, and subscribe to the full
   * topic names; wildcards are refused. Read events that you missed with
   * `GET /v1/connect/events`.
   *
   * @throws SvcError, with the common codes or `feature_not_configured`.
   */
  connect(options: CallOptions = {}): Promise<Answers["ConnectEnvelope"]> {
    return this.svc.send("GET", "/v1/connect", {}, options);
  }

  /**
   * List your events, oldest first.
   *
   * Events are numbered without gaps. Set `after` to the last number you have seen; `nextCursor`
   * of the response is the number for the next call. A page of some `types` may be empty and
   * have a `nextCursor` when many others lie between.
   *
   * @throws SvcError, with the common codes or `cursor_expired`.
   */
  list(options: ListEventsOptions = {}): Promise<Answers["EventPage"]> {
    return this.svc.send("GET", "/v1/connect/events", {}, options);
  }
}
