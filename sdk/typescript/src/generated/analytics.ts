// `analytics`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

/** Options of `getPostAnalytics`. */
export interface GetPostAnalyticsOptions extends CallOptions {
  /** Time window; `7d` when omitted. */
  window?: Requests["Window"];
  /** Step of the series. `hour` is available for `24h` and `7d`. When omitted: `hour` for `24h`,
   *  otherwise `day`. */
  bucket?: Requests["Bucket"];
}

/** Options of `getMyAnalytics`. */
export interface GetMyAnalyticsOptions extends CallOptions {
  /** Time window; `7d` when omitted. */
  window?: Requests["Window"];
  /** Step of the series. `hour` is available for `24h` and `7d`. When omitted: `hour` for `24h`,
   *  otherwise `day`. */
  bucket?: Requests["Bucket"];
}

export class Analytics extends Group {
  /**
   * Get post analytics.
   *
   * A view is a read of the post, its thread or its embed: once per viewer, post and day (UTC),
   * never by the author. Readers without an account are counted by address, of which only a hash
   * is stored; its salt is deleted after the day. Feeds only increase `feedImpressions`. Counts
   * are updated within seconds. `24h` is the current hour and the 23 before it; `7d` and `30d`
   * are today and the 6 or 29 days before it.
   *
   * @param postId The post. Only its author may read its analytics.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  post(
    postId: string,
    options: GetPostAnalyticsOptions = {},
  ): Promise<Answers["AnalyticsEnvelope"]> {
    return this.svc.send("GET", "/posts/{postId}/analytics", { postId }, options);
  }

  /**
   * Get analytics of all your posts.
   *
   * A viewer of several posts counts once in `uniqueViewers`.
   */
  all(options: GetMyAnalyticsOptions = {}): Promise<Answers["AnalyticsEnvelope"]> {
    return this.svc.send("GET", "/users/me/analytics", {}, options);
  }
}
