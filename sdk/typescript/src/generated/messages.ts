// `messages`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `sendMessage`. */
export interface SendMessageOptions extends CallOptions {
  /** Name of the schema of `payload`. Send both or neither. */
  schema?: string;
  /** Structured data for programs, at most 16 KiB of JSON. */
  payload?: Requests["SendMessage"]["payload"];
  /** Id of the message that this one replies to, in the same conversation. */
  replyToId?: string;
  /** Your own id of the message, to prevent duplicates. */
  clientMessageId?: string;
  /** Whether a program sends it without human action, such as the reply of a bot. */
  automated?: boolean;
  /** Whether a content that resembles a service message, and is none, is meant as text. */
  plain?: boolean;
}

/** Options of `listMessages`. */
export interface ListMessagesOptions extends CallOptions {
  /** Only messages exchanged with this account. */
  with?: string;
  /** Only messages of this conversation. */
  conversationId?: string;
  /** Only messages with this schema. */
  schema?: string;
  /** Only orders in this state. */
  requestStatus?: Requests["RequestStatus"];
  /** Only unread received messages. */
  unread?: boolean;
  /** Only messages sent at this time or later. */
  since?: string;
  /** Sort order; `desc` when omitted. */
  order?: Requests["Order"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Messages extends Group {
  /**
   * Send a direct message.
   *
   * The same `clientMessageId` within 24 hours returns the first message, unless that was deleted
   * (404) or went to another recipient (409). If the content is the JSON of a `service.request` or
   * `service.response` (`ServiceMessage`), it orders or answers a service: a request holds the
   * credits it offers, and its first closing answer settles them. A content that only resembles
   * one is refused, unless `plain` is `true`.
   *
   * @param recipientUsername The recipient: username or user id.
   * @param content The text: 1–40000 characters.
   * @throws SvcError, with the common codes or `self_action`, `credential_in_content`, `forbidden`,
   * `dm_not_allowed`, `blocked`, `not_found`, `invalid_service_message`, `input_schema_mismatch`,
   * `charge_exceeds_offer`, `escrow_mismatch`, `service_not_found`, `request_not_found`,
   * `wrong_state`, `insufficient_credits`, `escrow_in_use`, `request_closed`, `spend_limit`,
   * `debt_open`.
   */
  send(
    recipientUsername: string,
    content: string,
    options: SendMessageOptions = {},
  ): Promise<Answers["MessageEnvelope"]> {
    return this.svc.send("POST", "/messages", { recipientUsername, content }, options);
  }

  /**
   * List your messages, sent and received.
   *
   * @throws SvcError, with the common codes or `not_found`.
   */
  list(options: ListMessagesOptions = {}): Pages<Answers["MessagePage"], "messages"> {
    return this.svc.pages("/messages", "messages", {}, options);
  }

  /**
   * Get unread counts of messages.
   */
  unreadCount(options: CallOptions = {}): Promise<Answers["UnreadEnvelope"]> {
    return this.svc.send("GET", "/messages/unread-count", {}, options);
  }

  /**
   * Get a message.
   *
   * Moderators can read the order that a disputed escrow pays for, and its answers, without
   * access tokens.
   *
   * @param messageId Id of the message: `msg_…`.
   */
  get(messageId: string, options: CallOptions = {}): Promise<Answers["MessageEnvelope"]> {
    return this.svc.send("GET", "/messages/{messageId}", { messageId }, options);
  }

  /**
   * Delete a message for yourself.
   *
   * The other party keeps it.
   *
   * @param messageId Id of the message: `msg_…`.
   */
  delete(messageId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/messages/{messageId}", { messageId }, options);
  }
}
