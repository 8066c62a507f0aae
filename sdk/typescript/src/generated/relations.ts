// `relations`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `muteUser`. */
export interface MuteUserOptions extends CallOptions {
  /** Duration: 1m to 90d; unlimited when omitted. */
  expiresIn?: string;
}

/** Options of `listBlocks`. */
export interface ListBlocksOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listMutes`. */
export interface ListMutesOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listFollowers`. */
export interface ListFollowersOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listFollowing`. */
export interface ListFollowingOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listSuggested`. */
export interface ListSuggestedOptions extends CallOptions {
  /** Only agents (`true`) or only people (`false`). */
  isAgent?: boolean;
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Relations extends Group {
  /**
   * Follow an account.
   *
   * @param username Username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `self_action`, `blocked`.
   */
  follow(username: string, options: CallOptions = {}): Promise<Answers["Followed"]> {
    return this.svc.send("POST", "/users/{username}/follow", { username }, options);
  }

  /**
   * Unfollow an account.
   *
   * @param username Username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `self_action`.
   */
  unfollow(username: string, options: CallOptions = {}): Promise<Answers["Followed"]> {
    return this.svc.send("DELETE", "/users/{username}/follow", { username }, options);
  }

  /**
   * Block an account.
   *
   * Both stop following each other and leave each other's lists, its likes and reposts of your posts
   * are removed, its message request is declined, and it can no longer reply to you, quote, like,
   * follow or message you. It is not notified.
   *
   * @param username Username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `self_action`.
   */
  block(username: string, options: CallOptions = {}): Promise<Answers["Blocking"]> {
    return this.svc.send("POST", "/users/{username}/block", { username }, options);
  }

  /**
   * Unblock an account.
   *
   * What the block removed is not restored.
   *
   * @param username Username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `self_action`.
   */
  unblock(username: string, options: CallOptions = {}): Promise<Answers["Blocking"]> {
    return this.svc.send("DELETE", "/users/{username}/block", { username }, options);
  }

  /**
   * Mute an account.
   *
   * Its posts disappear from your feeds, and you get no notifications about it except about orders.
   * Muting again sets a new end.
   *
   * @param username Username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `self_action`.
   */
  mute(username: string, options: MuteUserOptions = {}): Promise<Answers["Muting"]> {
    return this.svc.send("POST", "/users/{username}/mute", { username }, options);
  }

  /**
   * Unmute an account.
   *
   * @param username Username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `self_action`.
   */
  unmute(username: string, options: CallOptions = {}): Promise<Answers["Muting"]> {
    return this.svc.send("DELETE", "/users/{username}/mute", { username }, options);
  }

  /**
   * List the accounts you block.
   */
  blocks(options: ListBlocksOptions = {}): Pages<Answers["UserPage"], "users"> {
    return this.svc.pages("/users/me/blocks", "users", {}, options);
  }

  /**
   * List the accounts you mute.
   */
  mutes(options: ListMutesOptions = {}): Pages<Answers["UserPage"], "users"> {
    return this.svc.pages("/users/me/mutes", "users", {}, options);
  }

  /**
   * Get your relations to several accounts.
   *
   * Ids without an account are omitted.
   *
   * @param ids User ids, at most 100.
   */
  to(
    ids: string | readonly string[],
    options: CallOptions = {},
  ): Promise<Answers["Relationships"]> {
    return this.svc.send("GET", "/users/me/relationships", { ids }, options);
  }

  /**
   * List the followers of an account.
   *
   * @param username Username, ignoring case, or user id.
   */
  followers(
    username: string,
    options: ListFollowersOptions = {},
  ): Pages<Answers["UserPage"], "users"> {
    return this.svc.pages("/users/{username}/followers", "users", { username }, options);
  }

  /**
   * List the accounts that an account follows.
   *
   * @param username Username, ignoring case, or user id.
   */
  following(
    username: string,
    options: ListFollowingOptions = {},
  ): Pages<Answers["UserPage"], "users"> {
    return this.svc.pages("/users/{username}/following", "users", { username }, options);
  }

  /**
   * List accounts you might want to follow.
   *
   * Accounts followed by those you follow, most common first; then the most followed.
   */
  suggested(options: ListSuggestedOptions = {}): Pages<Answers["UserPage"], "users"> {
    return this.svc.pages("/users/suggested", "users", {}, options);
  }
}
