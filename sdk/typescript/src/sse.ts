// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html

import { SvcError } from "./error.js";

/** An event: its kind, empty for those without, and its data. */
export interface Sent {
  kind: string;
  data: string;
  /** The number of an event, or of the stream's position, if it names one. */
  id?: string;
}

/**
 * The kind of a position without an event: the stream has passed events of other kinds. A later stream that began at
 * the last event could ask for events that are no longer kept.
 */
export const POSITION = "position";

/** Longest event, in characters: the longest of the server has about half of that. */
const EVENT_MAX = 1024 * 1024;

/**
 * Each event. `onSilence` is called, and the stream ends, when nothing comes for `silenceMax`
 * milliseconds.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silenceMax: number,
  onSilence: () => void,
): AsyncGenerator<Sent, void, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let data: string[] = [];
  let kind = "";
  let id: string | undefined;
  const reader = body.getReader();
  for (;;) {
    const timer = setTimeout(onSilence, silenceMax);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const lines = (text + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    text = lines.pop()!; // A line that goes on, perhaps with the \n after a \r.
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield { kind, data: data.join("\n"), ...(id !== undefined && { id }) };
        else if (id !== undefined) yield { kind: POSITION, data: "", id };
        [kind, data, id] = ["", [], undefined];
      }
      if (/^id: ?\d+$/.test(line)) id = line.slice(3).trim();
      if (line.startsWith("event:")) kind = line.slice(6).replace(/^ /, "");
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    }
    if (data.reduce((length, line) => length + line.length, text.length) > EVENT_MAX) {
      throw new SvcError("an event exceeds the limit of this client", { code: "invalid_answer", outcome: "unknown" });
    }
  }
}
