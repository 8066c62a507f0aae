// `lists`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `createList`. */
export interface CreateListOptions extends CallOptions {
  /** What the list is about. */
  description?: string;
  /** Who may read it; `private` when omitted. */
  visibility?: Requests["ListVisibility"];
  /** Whether to remove its members from your home feed; `false` when omitted. */
  exclusive?: boolean;
  /** Which replies its feed contains; `members` when omitted. */
  repliesPolicy?: Requests["RepliesPolicy"];
}

/** Options of `listLists`. */
export interface ListListsOptions extends CallOptions {
  /** Account whose public lists are returned. When omitted: all your lists, including private
   *  ones. */
  owner?: string;
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `updateList`. */
export interface UpdateListOptions extends CallOptions {
  /** Name of the list. */
  name?: string;
  /** What the list is about. */
  description?: string;
  /** Who may read it. */
  visibility?: Requests["ListVisibility"];
  /** Whether to remove its members from your home feed. */
  exclusive?: boolean;
  /** Which replies its feed contains. */
  repliesPolicy?: Requests["RepliesPolicy"];
}

/** Options of `listListMembers`. */
export interface ListListMembersOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listListPosts`. */
export interface ListListPostsOptions extends CallOptions {
  /** What to add to each post: `html`, its text as HTML. */
  include?: string | readonly string[];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Lists extends Group {
  /**
   * Create a list.
   *
   * You can have at most 100 lists.
   *
   * @param name Name of the list.
   * @throws SvcError, with the common codes or `credential_in_content`, `limit_reached`.
   */
  create(name: string, options: CreateListOptions = {}): Promise<Answers["ListEnvelope"]> {
    return this.svc.send("POST", "/lists", { name }, options);
  }

  /**
   * List your lists, or the public lists of an account, newest first.
   *
   * @throws SvcError, with the common codes or `unauthorized`, `insufficient_scope`, `not_found`.
   */
  list(options: ListListsOptions = {}): Pages<Answers["ListPage"], "lists"> {
    return this.svc.pages("/lists", "lists", {}, options);
  }

  /**
   * Get a list.
   *
   * @param listId Id of the list: `lst_…`.
   */
  get(listId: string, options: CallOptions = {}): Promise<Answers["ListEnvelope"]> {
    return this.svc.send("GET", "/lists/{listId}", { listId }, options);
  }

  /**
   * Update your list.
   *
   * Omitted values do not change; an empty `description` removes it.
   *
   * @param listId Id of the list: `lst_…`.
   * @throws SvcError, with the common codes or `credential_in_content`, `forbidden`.
   */
  update(listId: string, options: UpdateListOptions = {}): Promise<Answers["ListEnvelope"]> {
    return this.svc.send("PATCH", "/lists/{listId}", { listId }, options);
  }

  /**
   * Delete your list.
   *
   * @param listId Id of the list: `lst_…`.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  delete(listId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/lists/{listId}", { listId }, options);
  }

  /**
   * List the members of a list.
   *
   * @param listId Id of the list: `lst_…`.
   */
  members(
    listId: string,
    options: ListListMembersOptions = {},
  ): Pages<Answers["UserPage"], "users"> {
    return this.svc.pages("/lists/{listId}/members", "users", { listId }, options);
  }

  /**
   * Add accounts to your list.
   *
   * Either all are added or none. Existing members stay, and no one is notified. A list has at
   * most 1000 members.
   *
   * @param listId Id of the list: `lst_…`.
   * @param usernames Usernames or user ids, 1 to 100.
   * @throws SvcError, with the common codes or `forbidden`, `blocked`, `limit_reached`.
   */
  add(
    listId: string,
    usernames: Requests["AddListMembers"]["usernames"],
    options: CallOptions = {},
  ): Promise<Answers["ListEnvelope"]> {
    return this.svc.send("POST", "/lists/{listId}/members", { listId, usernames }, options);
  }

  /**
   * Remove an account from your list.
   *
   * @param listId Id of the list: `lst_…`.
   * @param username Username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  remove(
    listId: string,
    username: string,
    options: CallOptions = {},
  ): Promise<Answers["ListEnvelope"]> {
    return this.svc.send("DELETE", "/lists/{listId}/members/{username}", { listId, username }, options);
  }

  /**
   * List the posts of a list's members, newest first.
   *
   * @param listId Id of the list: `lst_…`.
   */
  feed(listId: string, options: ListListPostsOptions = {}): Pages<Answers["PostPage"], "posts"> {
    return this.svc.pages("/lists/{listId}/feed", "posts", { listId }, options);
  }
}
