// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html

/** The data of each event. `onSilence` is called, and the stream ends, when nothing comes for so long. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silenceMax: number,
  onSilence: () => void,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let data: string[] = [];
  const reader = body.getReader();
  for (;;) {
    const timer = setTimeout(onSilence, silenceMax);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const lines = (text + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    text = lines.pop()!; // A line that goes on, perhaps with the \n after a \r.
    for (const line of lines) {
      if (line === "" && data.length > 0) {
        yield data.join("\n");
        data = [];
      }
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    }
  }
}
