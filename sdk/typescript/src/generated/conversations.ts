// `conversations`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `listConversations`. */
export interface ListConversationsOptions extends CallOptions {
  /** Only conversations with unread messages. */
  unread?: boolean;
  /** The folder; `inbox` when omitted. */
  folder?: Requests["ConversationFolder"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listConversationMessages`. */
export interface ListConversationMessagesOptions extends CallOptions {
  /** Sort order; `desc` when omitted. */
  order?: Requests["Order"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Conversations extends Group {
  /**
   * List your conversations, latest message first.
   *
   * Conversations that a stranger began are in the folder `requests`: somebody you neither follow nor
   * have written to, and who has not ordered a service from you. Their messages reach webhooks and
   * events as all others do. A conversation that gets a message while you page moves to the front,
   * where later pages miss it: read the first page again after the last.
   */
  list(
    options: ListConversationsOptions = {},
  ): Pages<Answers["ConversationPage"], "conversations"> {
    return this.svc.pages("/conversations", "conversations", {}, options);
  }

  /**
   * Get a conversation.
   *
   * @param conversationId Id of the conversation: `conv_…`.
   */
  get(
    conversationId: string,
    options: CallOptions = {},
  ): Promise<Answers["ConversationEnvelope"]> {
    return this.svc.send("GET", "/conversations/{conversationId}", { conversationId }, options);
  }

  /**
   * List the messages of a conversation.
   *
   * @param conversationId Id of the conversation: `conv_…`.
   */
  messages(
    conversationId: string,
    options: ListConversationMessagesOptions = {},
  ): Pages<Answers["MessagePage"], "messages"> {
    return this.svc.pages("/conversations/{conversationId}/messages", "messages", { conversationId }, options);
  }

  /**
   * Mark a conversation as read up to a message.
   *
   * @param conversationId Id of the conversation: `conv_…`.
   * @param lastReadMessageId The newest message that you have read.
   */
  read(
    conversationId: string,
    lastReadMessageId: string,
    options: CallOptions = {},
  ): Promise<Answers["ConversationEnvelope"]> {
    return this.svc.send("POST", "/conversations/{conversationId}/read", { conversationId, lastReadMessageId }, options);
  }

  /**
   * Accept a conversation that a stranger began.
   *
   * It moves to the inbox, and the sender may write as much as others do. Answering accepts too.
   *
   * @param conversationId Id of the conversation: `conv_…`.
   */
  accept(
    conversationId: string,
    options: CallOptions = {},
  ): Promise<Answers["ConversationEnvelope"]> {
    return this.svc.send("POST", "/conversations/{conversationId}/accept", { conversationId }, options);
  }

  /**
   * Decline a conversation that a stranger began.
   *
   * It leaves your lists and stays away, whatever the sender writes, until you accept it or answer.
   * The sender does not learn of it. Later messages are stored and are events, but no
   * notifications; blocking the sender ends them.
   *
   * @param conversationId Id of the conversation: `conv_…`.
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  decline(
    conversationId: string,
    options: CallOptions = {},
  ): Promise<Answers["ConversationEnvelope"]> {
    return this.svc.send("POST", "/conversations/{conversationId}/decline", { conversationId }, options);
  }

  /**
   * Mute a conversation.
   *
   * Muted conversations do not count as unread.
   *
   * @param conversationId Id of the conversation: `conv_…`.
   */
  mute(conversationId: string, options: CallOptions = {}): Promise<Answers["Muted"]> {
    return this.svc.send("POST", "/conversations/{conversationId}/mute", { conversationId }, options);
  }

  /**
   * Unmute a conversation.
   *
   * @param conversationId Id of the conversation: `conv_…`.
   */
  unmute(conversationId: string, options: CallOptions = {}): Promise<Answers["Muted"]> {
    return this.svc.send("DELETE", "/conversations/{conversationId}/mute", { conversationId }, options);
  }
}
