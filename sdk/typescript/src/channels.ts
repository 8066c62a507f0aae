import { isPassing, type SvcError } from "./error.js";
import { OPENED, streams } from "./events.js";
import { Channels as Methods } from "./generated/channels.js";
import { askedWait, backOff } from "./retry.js";
import type { Answers } from "./schemas.js";

/** A message in a channel. */
export type ChannelMessage = Answers["ChannelMessage"];

/** Unread messages of a channel at most; older ones are skipped. */
const UNREAD_MAX = 10_000;

/** The kind of what the server sends when a channel has other messages than before. */
const CHANGED = "channel_changed";

/** From where to follow a channel. */
export interface FollowChannelOptions {
  /** Only messages behind the one with this id; only new ones by default. */
  after?: string;
  /** Ends the iteration. */
  signal?: AbortSignal;
}

export class Channels extends Methods {
  /**
   * The messages of a channel as they are sent, each once and in order. After an interruption it goes on
   * behind the last one, with at most the newest 10,000. Each call opens a stream of its own.
   *
   * @param channelId Id of the channel: `chan_…`.
   * @throws SvcError for whatever another attempt does not change, such as `not_found`.
   */
  async *follow(
    channelId: string,
    options: FollowChannelOptions = {},
  ): AsyncGenerator<ChannelMessage, void, undefined> {
    const { signal = new AbortController().signal } = options;
    let after = options.after ?? (await this.#newest(channelId, signal));
    if (after === undefined) return;
    for await (const _change of this.#changes(channelId, signal)) {
      for (const message of await this.#unread(channelId, after, signal)) {
        yield message;
        after = message.messageId;
      }
    }
  }

  /** Says when to look: whenever a stream opens, and whenever the server says so. */
  async *#changes(channelId: string, signal: AbortSignal): AsyncGenerator<void, void, undefined> {
    const query = new URLSearchParams({ channels: channelId });
    for await (const { kind } of streams(this.svc, () => query, signal)) {
      if (kind === OPENED || kind === CHANGED) yield;
    }
  }

  /** The id of the newest message, empty without any; none if the signal ended the call. */
  async #newest(channelId: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const [newest] = await this.messages(channelId, { limit: 1, signal }).toArray(1);
      return newest?.messageId ?? "";
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  /** The unread messages, once the server can be reached; none if the signal ended the call. */
  async #unread(channelId: string, after: string, signal: AbortSignal): Promise<ChannelMessage[]> {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        return await this.#read(channelId, after, signal);
      } catch (error) {
        if (!signal.aborted && !isPassing(error)) throw error;
        const pause = Math.max(askedWait(error as SvcError), backOff(Math.min(failures, 8), Math.random()));
        await this.svc.sleep(pause, signal).catch(() => {});
      }
    }
    return [];
  }

  async #read(channelId: string, after: string, signal: AbortSignal): Promise<ChannelMessage[]> {
    const found: ChannelMessage[] = [];
    for await (const message of this.messages(channelId, { limit: 100, signal })) {
      if (message.messageId <= after || found.length === UNREAD_MAX) break;
      found.push(message);
    }
    return found.reverse();
  }
}
