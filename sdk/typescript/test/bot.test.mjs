import assert from "node:assert/strict";
import test from "node:test";

import { Bot, Svc } from "@svc/sdk";

import { unreachable } from "./fake.mjs";

const ada = { id: "usr_1", username: "ada", isAgent: false };

function order(status, more = {}) {
  return {
    id: "msg_1", status, version: 1, buyer: ada, provider: ada, conversationId: "conv_1", serviceId: "srv_1",
    serviceName: "count", input: {}, offeredCredits: 5, partialsCount: 0, createdAt: "2026-01-31T09:30:00.000Z", ...more,
  };
}

/** A server with these answers, whose stream of events is silent until its reader ends it. */
function server(answer) {
  return async (url, { method, signal }) => {
    const { pathname, searchParams } = new URL(url);
    if (!pathname.endsWith("/connect/stream")) return Response.json(answer(method, pathname, searchParams));
    signal.throwIfAborted();
    const start = (stream) => signal.addEventListener("abort", () => stream.error(signal.reason));
    return new Response(new ReadableStream({ start }));
  };
}

/** What a bot sends until it is done with an order, given its jobs at the start and what the server has. */
async function sent(jobs, found, escrow) {
  const stop = new AbortController();
  const journal = { open: async () => jobs, add: async ({ is }) => is === "done" && stop.abort(), close: async () => {} };
  const calls = [];
  const answer = (method, path, query) => {
    if (path.endsWith("/services")) return method === "GET" ? { services: [] } : { service: { id: "srv_1" } };
    if (path.endsWith("/connect/events")) return { events: [], latestSeq: 0 };
    if (path.endsWith("/orders")) return { orders: query.get("status") === found.status ? [found] : [] };
    if (path.endsWith("/escrow/esc_1")) return { escrow };
    if (method === "POST") calls.push(path.replace(/^.*\/(orders|escrow)\//, ""));
    return { order: found };
  };
  const fetch = server(answer);
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch });
  const bot = new Bot(svc, { journal }).service("count", { price: 5 }, () => ({ words: 2 }));
  await bot.run({ signal: stop.signal });
  return calls;
}

test("a bot that lost its journal takes up what it had begun", async () => {
  for (const status of ["open", "working", "input_required"]) {
    assert.deepEqual(await sent([], order(status)), ["msg_1/progress", "msg_1/answer"], status);
  }
});

test("a bot does not send a delivery again that has arrived", async () => {
  const call = (key, path) => ({ key, path, body: "{}" });
  const calls = [call("deliver:msg_1:1", "/v1/escrow/esc_1/deliver"), call("resp:msg_1", "/orders/msg_1/answer")];
  const again = (status) => sent([{ id: "msg_1", starts: 1, calls }], order(status, { escrowId: "esc_1" }), { status });
  assert.deepEqual(await again("funded"), ["esc_1/deliver", "msg_1/answer"]);
  assert.deepEqual(await again("delivered"), ["msg_1/answer"]);
});

/** A bot whose server has these answers, and whose waits take no time; its log. */
function botWith(answer, handler) {
  const problems = [];
  const fetch = server(answer);
  const clock = { now: () => performance.now(), sleep: async () => {}, random: () => 1 };
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", retries: 0, fetch }, clock);
  const stop = new AbortController();
  const add = async ({ is }) => is === "done" && stop.abort();
  const journal = { open: async () => [], add, close: async () => {} };
  const bot = new Bot(svc, { journal, log: (text) => problems.push(text) });
  bot.service("count", { price: 5 }, handler);
  return { bot, stop, problems };
}

test("a bot waits for its server, from its start and while it asks", async () => {
  const answers = [];
  let [starts, looks] = [0, 0];
  const answer = (method, path, query) => {
    if (path.endsWith("/services") && method === "GET" && (starts += 1) < 3) unreachable();
    if (path.endsWith("/services")) return method === "GET" ? { services: [] } : { service: { id: "srv_1" } };
    if (path.endsWith("/connect/events")) return { events: [], latestSeq: 0 };
    if (path.endsWith("/orders")) return { orders: query.get("status") === "open" ? [order("open")] : [] };
    if (path.endsWith("/answer")) answers.push(path);
    if (method === "GET" && (looks += 1) < 3) unreachable();
    const given = method === "GET" && { inputAt: "2026-01-31T09:31:00.000Z", input: { words: 3 } };
    return { order: order("input_required", { version: looks + 1, prompt: { id: "1", text: "?", ...given } }) };
  };
  let said;
  const { bot, stop, problems } = botWith(answer, async (cx) => (said = await cx.ask("how many?")));
  await bot.run({ signal: stop.signal });
  assert.deepEqual([said, answers.length, starts, looks], [{ words: 3 }, 1, 3, 3]);
  assert.deepEqual(problems, Array(4).fill("trying again soon"));
});

test("a bot that waits for its server can be stopped", async () => {
  const { bot, stop } = botWith(() => {
    stop.abort();
    unreachable();
  }, () => ({}));
  await bot.run({ signal: stop.signal });
});

test("a bot needs a key", () => {
  const { SVC_API_KEY: before } = process.env;
  delete process.env.SVC_API_KEY;
  try {
    const begin = () => Bot.fromEnv({ url: "http://127.0.0.1:1", journal: "none" });
    assert.throws(begin, /SVC_API_KEY is not set/);
  } finally {
    if (before !== undefined) process.env.SVC_API_KEY = before;
  }
});
