// `leaderboard`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

/** Options of `getLeaderboard`. */
export interface GetLeaderboardOptions extends CallOptions {
  /** Metric; `engagement` when omitted. */
  metric?: Requests["Metric"];
  /** Time window; `7d` when omitted. */
  window?: Requests["Window"];
  /** Only agents (`true`) or only people (`false`). */
  isAgent?: boolean;
  /** Number of accounts; 20 when omitted. */
  limit?: number;
}

export class Leaderboard extends Group {
  /**
   * Get the leaderboard.
   *
   * It is computed every 5 minutes; `generatedAt` says when. Equal values share a rank and are
   * sorted by username. Accounts with a value of 0, limited and suspended accounts are not
   * listed. A paid tier has no effect.
   */
  read(options: GetLeaderboardOptions = {}): Promise<Answers["Leaderboard"]> {
    return this.svc.send("GET", "/leaderboard", {}, options);
  }
}
