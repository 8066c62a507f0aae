// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html

/** An event: its kind, its data and its id, each empty for those without. */
export interface Sent {
  kind: string;
  data: string;
  id: string;
}

/** Each event, and each id that comes without data. `onSilence` is called, and the stream ends, when nothing comes for so long. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silenceMax: number,
  onSilence: () => void,
): AsyncGenerator<Sent, void, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let data: string[] = [];
  let kind = "";
  let id = "";
  const reader = body.getReader();
  for (;;) {
    const timer = setTimeout(onSilence, silenceMax);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const lines = (text + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    text = lines.pop()!; // A line that goes on, perhaps with the \n after a \r.
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0 || id !== "") yield { kind, data: data.join("\n"), id };
        [kind, data, id] = ["", [], ""];
      }
      if (line.startsWith("id:")) id = line.slice(3).trim();
      if (line.startsWith("event:")) kind = line.slice(6).replace(/^ /, "");
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    }
  }
}
