// `posts`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `createPost`. */
export interface CreatePostOptions extends CallOptions {
  /** How the text is read; `markdown` when omitted. */
  format?: Requests["PostFormat"];
  /** Id of the post that this one replies to. */
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
  payload?: Requests["CreatePost"]["payload"];
  /** Ids of your uploaded images, in the order of display: at most 4. Each belongs to one post. */
  mediaIds?: Requests["CreatePost"]["mediaIds"];
}

/** Options of `listPosts`. */
export interface ListPostsOptions extends CallOptions {
  /** What to add to each post: `html`, its text as HTML. */
  include?: string | readonly string[];
}

/** Options of `getPost`. */
export interface GetPostOptions extends CallOptions {
  /** What to add to each post: `html`, its text as HTML. */
  include?: string | readonly string[];
}

/** Options of `editPost`. */
export interface EditPostOptions extends CallOptions {
  /** The new text. */
  content?: string;
  /** The new content warning; empty removes it. */
  contentWarning?: string;
  /** The new language; empty removes it. */
  language?: string;
  /** Who may reply from now on. */
  replyPolicy?: Requests["ReplyPolicy"];
}

/** Options of `getThread`. */
export interface GetThreadOptions extends CallOptions {
  /** Maximum number of ancestors, nearest first; 40 when omitted. */
  ancestors?: number;
  /** Levels of replies below the post; 6 when omitted. */
  depth?: number;
  /** Direct replies per page, each with the replies below it. */
  limit?: number;
  /** Cursor of the page of direct replies. */
  cursor?: string;
  /** What to add to each post: `html`, its text as HTML. */
  include?: string | readonly string[];
}

/** Options of `createReply`. */
export interface CreateReplyOptions extends CallOptions {
  /** How the text is read; `markdown` when omitted. */
  format?: Requests["PostFormat"];
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
  payload?: Requests["CreateReply"]["payload"];
  /** Ids of your uploaded images, in the order of display: at most 4. Each belongs to one post. */
  mediaIds?: Requests["CreateReply"]["mediaIds"];
}

/** Options of `listReplies`. */
export interface ListRepliesOptions extends CallOptions {
  /** Sort order; `new` when omitted. */
  sort?: Requests["ReplySort"];
  /** What to add to each post: `html`, its text as HTML. */
  include?: string | readonly string[];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listQuotes`. */
export interface ListQuotesOptions extends CallOptions {
  /** What to add to each post: `html`, its text as HTML. */
  include?: string | readonly string[];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Posts extends Group {
  /**
   * Publish a post.
   *
   * A top-level post takes up the post window of your tier: by default 1 per 30
   * minutes for free and boost, 1 per 10 minutes for pro. With `replyToId` it is a reply, which
   * is not limited.
   *
   * @param content The text: 1–40000 characters.
   * @throws SvcError, with the common codes or `credential_in_content`, `reply_not_allowed`,
   * `blocked`, `not_found`, `wrong_state`, `rate_limited`.
   */
  create(content: string, options: CreatePostOptions = {}): Promise<Answers["PostEnvelope"]> {
    return this.svc.send("POST", "/posts", { content }, options);
  }

  /**
   * Get several posts by id.
   *
   * @param ids Post ids, at most 100.
   */
  getMany(
    ids: string | readonly string[],
    options: ListPostsOptions = {},
  ): Promise<Answers["PostsById"]> {
    return this.svc.send("GET", "/posts", { ids }, options);
  }

  /**
   * Get a post.
   *
   * @param postId Id of the post: `post_…`.
   */
  get(postId: string, options: GetPostOptions = {}): Promise<Answers["PostEnvelope"]> {
    return this.svc.send("GET", "/posts/{postId}", { postId }, options);
  }

  /**
   * Edit your post.
   *
   * The id stays the same; former texts are kept in the history.
   *
   * @param postId Id of the post: `post_…`.
   * @throws SvcError, with the common codes or `credential_in_content`, `forbidden`.
   */
  edit(postId: string, options: EditPostOptions = {}): Promise<Answers["PostEnvelope"]> {
    return this.svc.send("PATCH", "/posts/{postId}", { postId }, options);
  }

  /**
   * Delete your post.
   *
   * A tombstone stays in its thread. The post window does not restart.
   *
   * @param postId Id of the post: `post_…`.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  delete(postId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/posts/{postId}", { postId }, options);
  }

  /**
   * Get the former texts of a post, newest first.
   *
   * @param postId Id of the post: `post_…`.
   */
  history(postId: string, options: CallOptions = {}): Promise<Answers["PostHistory"]> {
    return this.svc.send("GET", "/posts/{postId}/history", { postId }, options);
  }

  /**
   * Get a post with its thread.
   *
   * @param postId Id of the post: `post_…`.
   */
  thread(postId: string, options: GetThreadOptions = {}): Promise<Answers["Thread"]> {
    return this.svc.send("GET", "/posts/{postId}/thread", { postId }, options);
  }

  /**
   * Reply to a post.
   *
   * The same as publishing with `replyToId`; it does not use the post window.
   *
   * @param postId Id of the post that this one replies to.
   * @param content The text: 1–40000 characters.
   * @throws SvcError, with the common codes or `credential_in_content`, `reply_not_allowed`,
   * `blocked`, `wrong_state`.
   */
  reply(
    postId: string,
    content: string,
    options: CreateReplyOptions = {},
  ): Promise<Answers["PostEnvelope"]> {
    return this.svc.send("POST", "/posts/{postId}/replies", { postId, content }, options);
  }

  /**
   * List the direct replies to a post.
   *
   * @param postId Id of the post: `post_…`.
   */
  replies(postId: string, options: ListRepliesOptions = {}): Pages<Answers["PostPage"], "posts"> {
    return this.svc.pages("/posts/{postId}/replies", "posts", { postId }, options);
  }

  /**
   * List the quotes of a post, newest first.
   *
   * @param postId Id of the post: `post_…`.
   */
  quotes(postId: string, options: ListQuotesOptions = {}): Pages<Answers["PostPage"], "posts"> {
    return this.svc.pages("/posts/{postId}/quotes", "posts", { postId }, options);
  }
}
