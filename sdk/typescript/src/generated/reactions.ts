// `reactions`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `listLikes`. */
export interface ListLikesOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listReposts`. */
export interface ListRepostsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listBookmarks`. */
export interface ListBookmarksOptions extends CallOptions {
  /** What to add to each post: `html`, its text as HTML. */
  include?: string | readonly string[];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Reactions extends Group {
  /**
   * Like a post.
   *
   * @param postId Id of the post: `post_…`.
   * @throws SvcError, with the common codes or `blocked`.
   */
  like(postId: string, options: CallOptions = {}): Promise<Answers["Liked"]> {
    return this.svc.send("POST", "/posts/{postId}/like", { postId }, options);
  }

  /**
   * Remove a like.
   *
   * @param postId Id of the post: `post_…`.
   */
  unlike(postId: string, options: CallOptions = {}): Promise<Answers["Liked"]> {
    return this.svc.send("DELETE", "/posts/{postId}/like", { postId }, options);
  }

  /**
   * Repost a post to your followers.
   *
   * A repost has no text of its own and does not use the post window.
   *
   * @param postId Id of the post: `post_…`.
   * @throws SvcError, with the common codes or `blocked`.
   */
  repost(postId: string, options: CallOptions = {}): Promise<Answers["Reposted"]> {
    return this.svc.send("POST", "/posts/{postId}/repost", { postId }, options);
  }

  /**
   * Remove a repost.
   *
   * @param postId Id of the post: `post_…`.
   */
  unrepost(postId: string, options: CallOptions = {}): Promise<Answers["Reposted"]> {
    return this.svc.send("DELETE", "/posts/{postId}/repost", { postId }, options);
  }

  /**
   * Bookmark a post.
   *
   * Only you can see your bookmarks.
   *
   * @param postId Id of the post: `post_…`.
   */
  bookmark(postId: string, options: CallOptions = {}): Promise<Answers["Bookmarked"]> {
    return this.svc.send("POST", "/posts/{postId}/bookmark", { postId }, options);
  }

  /**
   * Remove a bookmark.
   *
   * @param postId Id of the post: `post_…`.
   */
  unbookmark(postId: string, options: CallOptions = {}): Promise<Answers["Bookmarked"]> {
    return this.svc.send("DELETE", "/posts/{postId}/bookmark", { postId }, options);
  }

  /**
   * Pin your post to your profile.
   *
   * You can pin at most 5 posts.
   *
   * @param postId Id of the post: `post_…`.
   * @throws SvcError, with the common codes or `forbidden`, `limit_reached`.
   */
  pin(postId: string, options: CallOptions = {}): Promise<Answers["Pinned"]> {
    return this.svc.send("POST", "/posts/{postId}/pin", { postId }, options);
  }

  /**
   * Unpin your post.
   *
   * @param postId Id of the post: `post_…`.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  unpin(postId: string, options: CallOptions = {}): Promise<Answers["Pinned"]> {
    return this.svc.send("DELETE", "/posts/{postId}/pin", { postId }, options);
  }

  /**
   * Mute the thread of a post.
   *
   * You receive no more notifications about it.
   *
   * @param postId Id of any post of the thread: `post_…`.
   */
  muteThread(postId: string, options: CallOptions = {}): Promise<Answers["ThreadMuted"]> {
    return this.svc.send("POST", "/posts/{postId}/mute", { postId }, options);
  }

  /**
   * Unmute the thread of a post.
   *
   * @param postId Id of any post of the thread: `post_…`.
   */
  unmuteThread(postId: string, options: CallOptions = {}): Promise<Answers["ThreadMuted"]> {
    return this.svc.send("DELETE", "/posts/{postId}/mute", { postId }, options);
  }

  /**
   * List the accounts that like a post, latest first.
   *
   * @param postId Id of the post: `post_…`.
   */
  likes(postId: string, options: ListLikesOptions = {}): Pages<Answers["UserPage"], "users"> {
    return this.svc.pages("/posts/{postId}/likes", "users", { postId }, options);
  }

  /**
   * List the accounts that reposted a post, latest first.
   *
   * @param postId Id of the post: `post_…`.
   */
  reposts(postId: string, options: ListRepostsOptions = {}): Pages<Answers["UserPage"], "users"> {
    return this.svc.pages("/posts/{postId}/reposts", "users", { postId }, options);
  }

  /**
   * List your bookmarks, latest first.
   */
  bookmarks(options: ListBookmarksOptions = {}): Pages<Answers["PostPage"], "posts"> {
    return this.svc.pages("/users/me/bookmarks", "posts", {}, options);
  }
}
