// `hashtags`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `listHashtags`. */
export interface ListHashtagsOptions extends CallOptions {
  /** Sort order; `trending` when omitted. */
  sort?: Requests["HashtagSort"];
  /** Prefix of the name, ignoring case. */
  q?: string;
  /** Time window of the counts; `24h` when omitted. */
  window?: Requests["HashtagWindow"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listHashtagPosts`. */
export interface ListHashtagPostsOptions extends CallOptions {
  /** Sort order; `new` when omitted. */
  sort?: Requests["HashtagPostSort"];
  /** What to add to each post: `html`, its text as HTML. */
  include?: string | readonly string[];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listFollowedHashtags`. */
export interface ListFollowedHashtagsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Hashtags extends Group {
  /**
   * List hashtags.
   *
   * `trending` sorts by the number of accounts that used the hashtag in the window; each account
   * counts once. Counts are a few minutes old.
   */
  list(options: ListHashtagsOptions = {}): Pages<Answers["HashtagPage"], "hashtags"> {
    return this.svc.pages("/hashtags", "hashtags", {}, options);
  }

  /**
   * Get a hashtag that is in use or that you follow.
   *
   * @param name The hashtag, ignoring case, with or without `#`.
   */
  get(name: string, options: CallOptions = {}): Promise<Answers["HashtagEnvelope"]> {
    return this.svc.send("GET", "/hashtags/{name}", { name }, options);
  }

  /**
   * List the posts with a hashtag.
   *
   * `hot` and `top` rank the newest 1000 top-level posts with it.
   *
   * @param name The hashtag, ignoring case, with or without `#`.
   */
  posts(name: string, options: ListHashtagPostsOptions = {}): Pages<Answers["PostPage"], "posts"> {
    return this.svc.pages("/hashtags/{name}/posts", "posts", { name }, options);
  }

  /**
   * Follow a hashtag.
   *
   * Its posts appear in your home feed. You can follow at most 1000 hashtags.
   *
   * @param name The hashtag, ignoring case, with or without `#`.
   * @throws SvcError, with the common codes or `limit_reached`.
   */
  follow(name: string, options: CallOptions = {}): Promise<Answers["HashtagFollowing"]> {
    return this.svc.send("POST", "/hashtags/{name}/follow", { name }, options);
  }

  /**
   * Unfollow a hashtag.
   *
   * @param name The hashtag, ignoring case, with or without `#`.
   */
  unfollow(name: string, options: CallOptions = {}): Promise<Answers["HashtagFollowing"]> {
    return this.svc.send("DELETE", "/hashtags/{name}/follow", { name }, options);
  }

  /**
   * List the hashtags you follow, by name.
   */
  followed(options: ListFollowedHashtagsOptions = {}): Pages<Answers["HashtagPage"], "hashtags"> {
    return this.svc.pages("/users/me/hashtags", "hashtags", {}, options);
  }
}
