import { isPassing, type SvcError } from "./error.js";
import { Events as Methods } from "./generated/events.js";
import { Limit } from "./limit.js";
import { askedWait, backOff } from "./retry.js";
import type { Answers } from "./schemas.js";
import { POSITION, readEvents, type Sent } from "./sse.js";
import type { Sender } from "./sender.js";

/** An event of your account, with its number `seq`. */
export type Event = Answers["Event"];

/** From where to follow events, and which. */
export interface FollowOptions {
  /** Only events with a higher number; only new ones by default. */
  after?: number;
  /** Only events of these kinds, such as `order`. */
  types?: readonly string[];
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Called whenever the stream is open, also again. */
  onOpen?: () => void;
}

export class Events extends Methods {
  /**
   * The events of your account as they happen, each once and in order of their numbers. After an
   * interruption it goes on behind the last one.
   *
   * @throws SvcError with code `cursor_expired` if events behind `after` are no longer kept, and whatever
   * another attempt does not change, such as `unauthorized`.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<Event, void, undefined> {
    const { signal = new AbortController().signal, types, onOpen } = options;
    let after = options.after ?? (await this.#latest(signal));
    if (after === undefined) return;
    const query = () => new URLSearchParams({ after: String(after), ...(types && { types: types.join(",") }) });
    for await (const { kind, data, id } of streams(this.svc, query, signal)) {
      if (kind === OPENED) {
        onOpen?.();
        continue;
      }
      if (kind === POSITION) {
        after = Math.max(after, Number(id));
        continue;
      }
      // Each event has a number; what else a later server streams is for later clients.
      if (id === undefined) continue;
      const event = JSON.parse(data) as Event;
      if (event.seq <= after) continue;
      yield event;
      after = event.seq;
    }
  }

  /** The number of the latest event; none if the signal ended the call. */
  async #latest(signal: AbortSignal): Promise<number | undefined> {
    try {
      return (await this.list({ limit: 1, signal })).latestSeq;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }
}

/** The kind of the first item of each stream, which does not come from the server. */
export const OPENED = "opened";

/** What the server streams. An interrupted stream is opened again, with the query as it is then. */
export async function* streams(
  svc: Sender,
  query: () => URLSearchParams,
  signal: AbortSignal,
): AsyncGenerator<Sent, void, undefined> {
  let wasOpen = false;
  for (let failures = 0; !signal.aborted; failures += 1) {
    let asked = 0;
    try {
      for await (const sent of stream(svc, query(), signal)) {
        if (sent.data !== "") failures = 0;
        wasOpen = true;
        yield sent;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error as SvcError) && !(wasOpen && isPassing(error))) throw error;
      asked = askedWait(error as SvcError);
    }
    const pause = Math.max(asked, backOff(Math.min(failures, 8), Math.random()));
    await svc.sleep(pause, signal).catch(() => {});
  }
}

/** Silence after which a stream counts as broken, in milliseconds: the server writes a comment every 15 seconds. */
const SILENCE_MAX = 45_000;

async function* stream(
  svc: Sender,
  query: URLSearchParams,
  signal: AbortSignal,
): AsyncGenerator<Sent, void, undefined> {
  const end = new Limit(signal);
  try {
    const headers = { accept: "text/event-stream" };
    const response = await svc.open(`/v1/connect/stream?${query}`, headers, end.signal);
    yield { kind: OPENED, data: "" };
    yield* readEvents(response.body!, SILENCE_MAX, () => end.abort());
  } finally {
    end.abort();
    end.end();
  }
}

/** Whether another attempt ends in the same way. */
function isFinal({ status, code }: SvcError): boolean {
  if (status === undefined) return code === "invalid_answer";
  return status < 500 && ![408, 429].includes(status);
}
