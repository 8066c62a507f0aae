import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import test from "node:test";

import { Svc } from "@svc/sdk";
import { readEvents } from "../dist/sse.js";
import { failed } from "./fake.mjs";

/** A server whose streams are written by these functions in turn. */
async function serving(streams) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    streams[asked.length - 1](response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}`;
  const svc = new Svc({ url, apiKey: "svc_ak_test" });
  return { svc, url, asked, close: () => server.closeAllConnections() ?? server.close() };
}

function stream(...chunks) {
  return async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const chunk of chunks) await new Promise((resolve) => response.write(chunk, resolve));
    response.destroy();
  };
}

const event = (seq) => `id: ${seq}\ndata: {"seq":${seq}}\n\n`;

test("events are followed over a broken stream, each once and in order", async () => {
  const { svc, asked, close } = await serving([
    stream(": hello\r\n\r\n", event(8).slice(0, 9), event(8).slice(9), event(9)),
    stream(event(9), event(10)),
  ]);
  const seen = [];
  for await (const { seq } of svc.events.follow({ after: 7, types: ["order", "like"] })) {
    seen.push(seq);
    if (seq === 10) break;
  }
  close();
  assert.deepEqual(seen, [8, 9, 10]);
  const at = (after) => `/api/v1/connect/stream?after=${after}&types=order%2Clike`;
  assert.deepEqual(asked, [at(7), at(9)]);
});

test("a stream continues behind events of other kinds, and over a page of a proxy", async () => {
  const page = (response) => response.writeHead(404).end("<p>?</p>");
  const quiet = stream("id: 7\n: events follow\n\n", event(8), "id: 41\n: still here\n\n", ": still here\n\n");
  const { svc, asked, close } = await serving([quiet, page, stream(event(42))]);
  const seen = [];
  for await (const { seq } of svc.events.follow({ after: 7, types: ["like"] })) {
    seen.push(seq);
    if (seq === 42) break;
  }
  close();
  assert.deepEqual(seen, [8, 42]);
  assert.deepEqual(asked.slice(1), Array(2).fill("/api/v1/connect/stream?after=41&types=like"));
});

test("what a later server streams besides events is passed over", async () => {
  const other = 'event: server_stops\ndata: {"within":5}\n\n';
  const { svc, asked, close } = await serving([stream(event(8), other), stream(other, event(9))]);
  const seen = [];
  for await (const { seq } of svc.events.follow({ after: 7 })) {
    seen.push(seq);
    if (seq === 9) break;
  }
  close();
  assert.deepEqual([seen, asked[1]], [[8, 9], "/api/v1/connect/stream?after=8"]);
});

test("a stream that is refused is opened again when the server asks", async () => {
  const refused = (after) => (response) =>
    response.writeHead(429, { "retry-after": after }).end('{"error":"busy","code":"rate_limited"}');
  const { url, close } = await serving([refused("90"), refused("86400"), stream(event(8))]);
  const waits = [];
  const sleep = async (milliseconds) => waits.push(milliseconds);
  const svc = new Svc({ url, apiKey: "svc_ak_test" }, { now: () => 0, sleep, random: () => 1 });
  const { value } = await svc.events.follow({ after: 7 }).next();
  close();
  assert.deepEqual([value.seq, waits], [8, [90_000, 3_600_000]]);
});

test("a stream is silent when nothing came for so long, and not before", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let [stream, silences] = [undefined, 0];
  const events = readEvents(new ReadableStream({ start: (it) => (stream = it) }), 45_000, () => (silences += 1));
  const turn = () => new Promise(setImmediate);
  const first = events.next();
  for (const piece of [event(8).slice(0, 9), event(8).slice(9)]) {
    t.mock.timers.tick(40_000);
    stream.enqueue(new TextEncoder().encode(piece));
    await turn();
  }
  assert.deepEqual([(await first).value.data, silences], ['{"seq":8}', 0]);
  void events.next();
  await turn();
  t.mock.timers.tick(45_000);
  assert.equal(silences, 1);
});

test("an endless event is an error", async () => {
  const endless = (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: ");
    const more = () => response.destroyed || response.write("x".repeat(65_536), more);
    more();
  };
  const { svc, close } = await serving([endless]);
  const error = await failed(() => svc.events.follow({ after: 7 }).next());
  close();
  assert.deepEqual([error.code, error.text], ["invalid_answer", "an event exceeds the limit of this client"]);
});

test("events that are no longer kept are an error", async () => {
  const { svc, close } = await serving([
    (response) => response.writeHead(409).end('{"error":"too old","code":"cursor_expired"}'),
  ]);
  const error = await failed(() => svc.events.follow({ after: 1 }).next());
  close();
  assert.deepEqual([error.code, error.path], ["cursor_expired", "/v1/connect/stream"]);
});

test("following ends with its signal", async () => {
  const { svc, close } = await serving([(response) => response.writeHead(200).write(event(1))]);
  const end = new AbortController();
  const seen = [];
  for await (const { seq } of svc.events.follow({ after: 0, signal: end.signal })) {
    seen.push(seq);
    end.abort();
  }
  close();
  assert.deepEqual(seen, [1]);
});

test("following ends with its signal before it began", async () => {
  const end = new AbortController();
  const { svc, asked, close } = await serving([() => end.abort()]);
  const { done } = await svc.events.follow({ signal: end.signal }).next();
  close();
  assert.deepEqual([done, asked], [true, ["/api/v1/connect/events?limit=1"]]);
});

test("a channel is followed over an interruption, each message once and in order", async () => {
  const ids = ["msg_1"];
  const streams = ["event: channel_changed\ndata: {}\n\n", ""];
  const server = createServer((request, response) => {
    if (!request.url.startsWith("/api/v1/connect/stream")) {
      const messages = [...ids].reverse().map((messageId) => ({ messageId }));
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ messages }));
    }
    assert.match(request.url, /\?channels=chan_1$/);
    response.writeHead(200, { "content-type": "text/event-stream" });
    ids.push(`msg_${ids.length + 1}`, `msg_${ids.length + 2}`); // Between two streams, too.
    response.write(`: events follow\n\n${streams.shift()}`);
    setTimeout(() => response.destroy(), 50);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const svc = new Svc({ url: `http://127.0.0.1:${server.address().port}`, apiKey: "svc_ak_test" });
  const seen = [];
  for await (const { messageId } of svc.channels.follow("chan_1")) {
    seen.push(messageId);
    if (seen.length === 4) break;
  }
  assert.deepEqual(seen, ["msg_2", "msg_3", "msg_4", "msg_5"]);
  server.closeAllConnections();
  server.close();
});

/** A server of a channel: its streams are open until the server ends, and what it says of messages is given in turn. */
async function channelOf(answers) {
  const server = createServer((request, response) => {
    if (request.url.startsWith("/api/v1/connect/stream")) {
      return response.writeHead(200, { "content-type": "text/event-stream" }).write(": events follow\n\n");
    }
    const [status, headers, body] = answers.shift();
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}`;
  return { url, close: () => server.closeAllConnections() ?? server.close() };
}

test("a channel is followed over messages that can not be read now", async () => {
  const refused = (code) => ({ error: "no", code });
  const outages = [
    [502, {}, "<p>?</p>"], [200, {}, "<p>back soon</p>"], [404, {}, "<p>?</p>"],
    [429, { "retry-after": "90" }, refused("rate_limited")],
  ];
  const { url, close } = await channelOf([...outages, [200, {}, { messages: [{ messageId: "msg_2" }] }]]);
  const waits = [];
  const sleep = async (milliseconds) => waits.push(milliseconds);
  const svc = new Svc({ url, apiKey: "svc_ak_test", retries: 0 }, { now: () => 0, sleep, random: () => 1 });
  const { value } = await svc.channels.follow("chan_1", { after: "msg_1" }).next();
  close();
  assert.deepEqual([value.messageId, waits.length, waits[3]], ["msg_2", outages.length, 90_000]);
});

test("a channel that may not be read ends its messages", async () => {
  for (const [status, code] of [[404, "not_found"], [401, "unauthorized"]]) {
    const { url, close } = await channelOf([[status, {}, { error: "no", code }]]);
    const svc = new Svc({ url, apiKey: "svc_ak_test" });
    const error = await failed(() => svc.channels.follow("chan_1", { after: "msg_1" }).next());
    close();
    assert.deepEqual([error.code, error.path], [code, "/channels/chan_1/messages"]);
  }
});

test("following a channel ends with its signal, also while messages are read", async () => {
  for (const options of [{}, { after: "msg_1" }]) {
    const end = new AbortController();
    const fetch = async (url, { signal }) => {
      if (url.includes("/connect/stream")) return new Response(": events follow\n\n");
      end.abort();
      signal.throwIfAborted();
      throw new Error("the signal does not end the call");
    };
    const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch });
    const { done } = await svc.channels.follow("chan_1", { ...options, signal: end.signal }).next();
    assert.equal(done, true);
  }
});
