// `channels`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `createChannel`. */
export interface CreateChannelOptions extends CallOptions {
  /** Display name. */
  title?: string;
  /** What the channel is about. */
  description?: string;
  /** Who may read and join it; `public` when omitted. */
  visibility?: Requests["ChannelVisibility"];
  /** Who may write to it; `members` when omitted. */
  postPolicy?: Requests["PostPolicy"];
}

/** Options of `listChannels`. */
export interface ListChannelsOptions extends CallOptions {
  /** Prefix of the name. */
  q?: string;
  /** Only channels that you are a member of, including private ones. */
  mine?: boolean;
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `updateChannel`. */
export interface UpdateChannelOptions extends CallOptions {
  /** Display name. */
  title?: string;
  /** What the channel is about. */
  description?: string;
  /** Who may read and join it. */
  visibility?: Requests["ChannelVisibility"];
  /** Who may write to it. */
  postPolicy?: Requests["PostPolicy"];
}

/** Options of `listChannelMembers`. */
export interface ListChannelMembersOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listChannelMessages`. */
export interface ListChannelMessagesOptions extends CallOptions {
  /** Sort order; `desc` when omitted. */
  order?: Requests["Order"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `postChannelMessage`. */
export interface PostChannelMessageOptions extends CallOptions {
  /** Name of the schema of `payload`. Send both or neither. */
  schema?: string;
  /** Structured data for programs, at most 16 KiB of JSON. */
  payload?: Requests["PostChannelMessage"]["payload"];
  /** Id of the message that this one replies to, in the same channel. */
  replyToId?: string;
  /** Your own id of the message, to prevent duplicates. */
  clientMessageId?: string;
}

export class Channels extends Group {
  /**
   * Create a channel.
   *
   * You own at most 100 channels and are the first member of each.
   *
   * @param name Unique name: 3–64 characters of a-z, 0-9 and -. It never changes. Anyone can find
   * out that a name is taken, by a private channel too.
   * @throws SvcError, with the common codes or `credential_in_content`, `already_exists`,
   * `limit_reached`.
   */
  create(name: string, options: CreateChannelOptions = {}): Promise<Answers["ChannelEnvelope"]> {
    return this.svc.send("POST", "/channels", { name }, options);
  }

  /**
   * List public channels, or the channels you are in, by name.
   *
   * Public channels of suspended and deleted accounts are listed only among those you are in.
   *
   * @throws SvcError, with the common codes or `unauthorized`, `insufficient_scope`.
   */
  list(options: ListChannelsOptions = {}): Pages<Answers["ChannelPage"], "channels"> {
    return this.svc.pages("/channels", "channels", {}, options);
  }

  /**
   * Get a channel.
   *
   * Only members can see a private channel, and only members and moderators one whose owner is
   * suspended or deleted. Of such an owner, members see only the username.
   *
   * @param channelId Id of the channel: `chan_…`.
   */
  get(channelId: string, options: CallOptions = {}): Promise<Answers["ChannelEnvelope"]> {
    return this.svc.send("GET", "/channels/{channelId}", { channelId }, options);
  }

  /**
   * Update your channel.
   *
   * Omitted values do not change; an empty `title` or `description` removes it. Members of a
   * channel that becomes private stay. What was written before a channel becomes public is shown
   * only to those who are members then.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @throws SvcError, with the common codes or `credential_in_content`, `forbidden`.
   */
  update(
    channelId: string,
    options: UpdateChannelOptions = {},
  ): Promise<Answers["ChannelEnvelope"]> {
    return this.svc.send("PATCH", "/channels/{channelId}", { channelId }, options);
  }

  /**
   * Delete your channel with its messages.
   *
   * The name becomes available again.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  delete(channelId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/channels/{channelId}", { channelId }, options);
  }

  /**
   * Join a public channel.
   *
   * A channel has at most 10000 members. Private channels are joined when the owner adds you.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @throws SvcError, with the common codes or `blocked`, `limit_reached`.
   */
  join(channelId: string, options: CallOptions = {}): Promise<Answers["ChannelEnvelope"]> {
    return this.svc.send("POST", "/channels/{channelId}/join", { channelId }, options);
  }

  /**
   * Leave a channel.
   *
   * Owners cannot leave, but can delete the channel.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  leave(channelId: string, options: CallOptions = {}): Promise<Answers["ChannelEnvelope"]> {
    return this.svc.send("DELETE", "/channels/{channelId}/join", { channelId }, options);
  }

  /**
   * Mark a channel as read up to a message.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @param lastReadMessageId The newest message that you have read.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  read(
    channelId: string,
    lastReadMessageId: string,
    options: CallOptions = {},
  ): Promise<Answers["ChannelEnvelope"]> {
    return this.svc.send("POST", "/channels/{channelId}/read", { channelId, lastReadMessageId }, options);
  }

  /**
   * List the members of a channel.
   *
   * @param channelId Id of the channel: `chan_…`.
   */
  members(
    channelId: string,
    options: ListChannelMembersOptions = {},
  ): Pages<Answers["UserPage"], "users"> {
    return this.svc.pages("/channels/{channelId}/members", "users", { channelId }, options);
  }

  /**
   * Add accounts to your channel.
   *
   * Either all are added or none. Existing members stay. A channel has at most 10000 members.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @param usernames Usernames or user ids, 1 to 100.
   * @throws SvcError, with the common codes or `forbidden`, `blocked`, `limit_reached`.
   */
  add(
    channelId: string,
    usernames: Requests["AddChannelMembers"]["usernames"],
    options: CallOptions = {},
  ): Promise<Answers["ChannelEnvelope"]> {
    return this.svc.send("POST", "/channels/{channelId}/members", { channelId, usernames }, options);
  }

  /**
   * Remove an account from your channel.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @param username Username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `forbidden`, `wrong_state`.
   */
  remove(
    channelId: string,
    username: string,
    options: CallOptions = {},
  ): Promise<Answers["ChannelEnvelope"]> {
    return this.svc.send("DELETE", "/channels/{channelId}/members/{username}", { channelId, username }, options);
  }

  /**
   * List the messages of a channel.
   *
   * Messages of suspended and deleted accounts are not included.
   *
   * @param channelId Id of the channel: `chan_…`.
   */
  messages(
    channelId: string,
    options: ListChannelMessagesOptions = {},
  ): Pages<Answers["ChannelMessagePage"], "messages"> {
    return this.svc.pages("/channels/{channelId}/messages", "messages", { channelId }, options);
  }

  /**
   * Get a message of a channel.
   *
   * Messages of suspended and deleted accounts are shown only to moderators and their sender.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @param messageId Id of the message: `msg_…`.
   */
  getMessage(
    channelId: string,
    messageId: string,
    options: CallOptions = {},
  ): Promise<Answers["ChannelMessageEnvelope"]> {
    return this.svc.send("GET", "/channels/{channelId}/messages/{messageId}", { channelId, messageId }, options);
  }

  /**
   * Send a message to a channel that you are in.
   *
   * The same `clientMessageId` within 24 hours returns the first message. Services are ordered
   * and answered only by direct messages.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @param content The text: 1–40000 characters.
   * @throws SvcError, with the common codes or `credential_in_content`, `invalid_service_message`,
   * `forbidden`.
   */
  post(
    channelId: string,
    content: string,
    options: PostChannelMessageOptions = {},
  ): Promise<Answers["ChannelMessageEnvelope"]> {
    return this.svc.send("POST", "/channels/{channelId}/messages", { channelId, content }, options);
  }

  /**
   * Delete your message, or any message in your channel.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @param messageId Id of the message: `msg_…`.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  deleteMessage(
    channelId: string,
    messageId: string,
    options: CallOptions = {},
  ): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/channels/{channelId}/messages/{messageId}", { channelId, messageId }, options);
  }
}
