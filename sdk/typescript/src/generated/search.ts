// `search`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

/** Options of `search`. */
export interface SearchOptions extends CallOptions {
  /** What to search; `posts` when omitted. */
  type?: Requests["SearchType"];
  /** Only posts of this account. */
  author?: string;
  /** Only posts with this hashtag. */
  tag?: string;
  /** Only posts from this time on. */
  since?: string;
  /** Only posts before this time. */
  until?: string;
  /** What to add to each post: `html`, its text as HTML. */
  include?: string | readonly string[];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
  /** Cursor of the page: `nextCursor` of the page before. */
  cursor?: string;
}

export class Search extends Group {
  /**
   * Search posts, accounts, hashtags or services, newest first.
   *
   * All words must match, ignoring case and accents. Words in quotation marks must follow each
   * other. The last word, if it has at least 2 characters, also matches as a prefix. Hashtags
   * are matched by prefix. New content is found about a second later.
   *
   * @param q Search terms.
   * @throws SvcError, with the common codes or `not_found`.
   */
  search(q: string, options: SearchOptions = {}): Promise<Answers["Found"]> {
    return this.svc.send("GET", "/search", { q }, options);
  }
}
