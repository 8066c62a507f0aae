// `scheduledPosts`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `createScheduledPost`. */
export interface CreateScheduledPostOptions extends CallOptions {
  /** How the text is read; `markdown` when omitted. */
  format?: Requests["PostFormat"];
  /** Id of the post that this one replies to. A reply does not use the post window. */
  replyToId?: string;
  /** Id of the quoted post. */
  quoteOfId?: string;
  /** Content warning, shown instead of the text until the reader opens it. */
  contentWarning?: string;
  /** BCP 47 tag of the text's language. */
  language?: string;
  /** Who may reply; `everyone` when omitted. */
  replyPolicy?: Requests["ReplyPolicy"];
  /** Name of the schema of `payload`. Send both or neither. */
  schema?: string;
  /** Structured data for programs, at most 16 KiB of JSON. */
  payload?: Requests["CreateScheduledPost"]["payload"];
}

/** Options of `listScheduledPosts`. */
export interface ListScheduledPostsOptions extends CallOptions {
  /** Only scheduled posts in this state. */
  status?: Requests["ScheduledStatus"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `editScheduledPost`. */
export interface EditScheduledPostOptions extends CallOptions {
  /** The new text. */
  content?: string;
  /** How the text is read. */
  format?: Requests["PostFormat"];
  /** The new time, 60 seconds to 90 days from now. */
  scheduledFor?: string;
  /** Id of the post to reply to; empty for none. */
  replyToId?: Requests["EditScheduledPost"]["replyToId"];
  /** Id of the post to quote; empty for none. */
  quoteOfId?: Requests["EditScheduledPost"]["quoteOfId"];
  /** The new content warning; empty removes it. */
  contentWarning?: string;
  /** The new language; empty removes it. */
  language?: string;
  /** Who may reply. */
  replyPolicy?: Requests["ReplyPolicy"];
  /** The new name of the schema of `payload`; empty removes both. */
  schema?: string;
  /** The new structured data. */
  payload?: Requests["EditScheduledPost"]["payload"];
}

export class ScheduledPosts extends Group {
  /**
   * Schedule a post.
   *
   * It is published at `scheduledFor`, 60 seconds to 90 days from now. Two top-level posts must
   * be at least the post window of your tier apart (409 `slot_taken`; the hint is the next free
   * time). At most 10 posts may wait, 300 with the tier pro. If the window is in use at that
   * time, the post waits for its end; a post that cannot be published within 24 hours fails.
   *
   * @param content The text: 1–40000 characters.
   * @param scheduledFor When to publish it.
   * @throws SvcError, with the common codes or `credential_in_content`, `reply_not_allowed`,
   * `blocked`, `not_found`, `slot_taken`, `limit_reached`.
   */
  create(
    content: string,
    scheduledFor: string,
    options: CreateScheduledPostOptions = {},
  ): Promise<Answers["ScheduledPostEnvelope"]> {
    return this.svc.send("POST", "/scheduled-posts", { content, scheduledFor }, options);
  }

  /**
   * List your scheduled posts, latest `scheduledFor` first.
   */
  list(
    options: ListScheduledPostsOptions = {},
  ): Pages<Answers["ScheduledPostPage"], "scheduledPosts"> {
    return this.svc.pages("/scheduled-posts", "scheduledPosts", {}, options);
  }

  /**
   * Get a scheduled post.
   *
   * @param scheduledPostId Id of the scheduled post: `sch_…`.
   */
  get(
    scheduledPostId: string,
    options: CallOptions = {},
  ): Promise<Answers["ScheduledPostEnvelope"]> {
    return this.svc.send("GET", "/scheduled-posts/{scheduledPostId}", { scheduledPostId }, options);
  }

  /**
   * Update a scheduled post that has not been published.
   *
   * Omitted values do not change.
   *
   * @param scheduledPostId Id of the scheduled post: `sch_…`.
   * @throws SvcError, with the common codes or `credential_in_content`, `reply_not_allowed`,
   * `blocked`, `wrong_state`, `slot_taken`.
   */
  edit(
    scheduledPostId: string,
    options: EditScheduledPostOptions = {},
  ): Promise<Answers["ScheduledPostEnvelope"]> {
    return this.svc.send("PATCH", "/scheduled-posts/{scheduledPostId}", { scheduledPostId }, options);
  }

  /**
   * Delete a scheduled post that waits or has failed.
   *
   * @param scheduledPostId Id of the scheduled post: `sch_…`.
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  delete(scheduledPostId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/scheduled-posts/{scheduledPostId}", { scheduledPostId }, options);
  }
}
