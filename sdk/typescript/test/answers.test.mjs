// What becomes of an order, whatever its handler, its key and a proxy do.

import assert from "node:assert/strict";
import test from "node:test";

import { Bot, Reject, Svc } from "@svc/sdk";

const ada = { id: "usr_1", username: "ada", isAgent: false };

function order(status, more = {}) {
  return {
    id: "msg_1", status, version: 1, buyer: ada, provider: ada, conversationId: "conv_1", serviceId: "srv_1",
    serviceName: "count", input: {}, offeredCredits: 5, partialsCount: 0, createdAt: "2026-01-31T09:30:00.000Z", ...more,
  };
}

/** A journal with these jobs, and what was added to it. */
function journalOf(jobs, onAdded = () => {}) {
  const entries = [];
  const add = async (entry) => {
    entries.push(entry);
    onAdded(entry);
  };
  return { entries, open: async () => jobs, add, close: async () => {} };
}

/** A bot of one service at a server with one open order, whose answers are judged by `judge`. */
async function run({ jobs = [], handler = () => ({ words: 2 }), judge = () => undefined, found = [order("open")], options = {} }) {
  const stop = new AbortController();
  const done = new Set();
  const journal = journalOf(jobs, ({ is, id }) => {
    if (is === "done") done.add(id);
    if (done.size === Math.max(found.length, jobs.length)) stop.abort();
  });
  const answers = [];
  const fetch = async (url, { method, body, headers, signal }) => {
    const { pathname, searchParams } = new URL(url);
    const judged = judge(method, pathname.replace("/api", ""));
    if (judged !== undefined) return judged;
    if (pathname.endsWith("/connect/stream")) {
      signal.throwIfAborted();
      const start = (stream) => signal.addEventListener("abort", () => stream.error(signal.reason));
      return new Response(new ReadableStream({ start }));
    }
    if (pathname.endsWith("/services")) return Response.json({ services: [], service: { id: "srv_1" } });
    if (pathname.endsWith("/connect/events")) return Response.json({ events: [], latestSeq: 0 });
    if (pathname.endsWith("/orders")) {
      return Response.json({ orders: searchParams.get("status") === "open" ? found : [] });
    }
    if (pathname.endsWith("/answer")) answers.push({ key: headers["idempotency-key"], ...JSON.parse(body) });
    const id = pathname.split("/").find((part) => part.startsWith("msg_"));
    return Response.json({ order: found.find((each) => each.id === id) ?? order("open", { id }) });
  };
  const clock = { now: () => performance.now(), sleep: () => new Promise(setImmediate), random: () => 1 };
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", retries: 0, fetch }, clock);
  const bot = new Bot(svc, { journal, log: () => {} }).service("count", { price: 5, ...options }, handler);
  const failure = await bot.run({ signal: stop.signal }).then(() => undefined, (error) => error);
  return { answers, entries: journal.entries, failure };
}

const refusal = (status, code) => Response.json({ error: "no", code }, { status });

test("an answer that the key may not send waits for another key", async () => {
  for (const [status, code] of [[401, "unauthorized"], [403, "insufficient_scope"], [403, "address_not_allowed"]]) {
    const judge = (_, path) => (path.endsWith("/answer") ? refusal(status, code) : undefined);
    const { entries, failure } = await run({ judge });
    assert.equal(failure?.code, code);
    assert.deepEqual(entries.map(({ is }) => is), ["order", "start", "answer"], code);
    const [{ calls }] = entries.slice(-1);
    const { answers } = await run({ jobs: [{ id: "msg_1", starts: 1, calls }], found: [] });
    assert.deepEqual(answers.map(({ key, status }) => [key, status]), [["resp:msg_1", "completed"]]);
  }
});

test("an order is not declined because the key may not read its escrow", async () => {
  const found = [order("open", { escrowId: "esc_1" })];
  for (const code of ["insufficient_scope", "address_not_allowed"]) {
    const judge = (_, path) => (path === "/v1/escrow/esc_1" ? refusal(403, code) : undefined);
    const { entries, failure } = await run({ found, judge });
    assert.deepEqual([failure?.code, entries.map(({ is }) => is)], [code, ["order"]]);
  }
});

test("work is delivered again if its escrow can't be read", async () => {
  const found = [order("working", { escrowId: "esc_1" })];
  const calls = [{ key: "deliver:msg_1:1", path: "/v1/escrow/esc_1/deliver", body: "{}" }];
  const delivered = [];
  const judge = (method, path) => {
    if (method === "POST" && path.startsWith("/v1/escrow/")) delivered.push(path);
    return path === "/v1/escrow/esc_1" ? refusal(404, "not_found") : undefined;
  };
  const { failure } = await run({ jobs: [{ id: "msg_1", starts: 1, calls }], found, judge });
  assert.deepEqual([failure, delivered], [undefined, ["/v1/escrow/esc_1/deliver"]]);
});

test("a page of a proxy is an outage, for an order that is read and for one that is answered", async () => {
  for (const at of ["/orders/msg_1", "/orders/msg_1/answer", "/orders/msg_1/progress", "/v1/connect/stream"]) {
    let pages = 3;
    const judge = (_, path) => (path === at && (pages -= 1) >= 0 ? new Response("<p>?</p>", { status: 404 }) : undefined);
    const { answers, failure } = await run({ jobs: at === "/orders/msg_1" ? [{ id: "msg_1", starts: 0 }] : [], judge });
    assert.deepEqual([failure, answers.map(({ status }) => status)], [undefined, ["completed"]], at);
    assert(pages < 3, at);
  }
});

test("a charge is rounded to what an amount can have", async () => {
  const charged = async (credits) => {
    const { answers: [answer] } = await run({ handler: (cx) => (cx.charge(credits), { words: 2 }) });
    return answer.chargedCredits;
  };
  const found = [await charged(0.1 * 3), await charged(1 / 3), await charged(1e30), await charged(4)];
  assert.deepEqual(found, [0.3, 0.333333, 5, 4]);
});

test("texts that end within an emoji are sent", async () => {
  const { answers: [output] } = await run({ handler: () => ({ text: "a😀".slice(0, 2) }) });
  assert.deepEqual(output.output, { text: "a\ufffd" });
  const reason = `x${"😀".repeat(1200)}`;
  const { answers: [rejected] } = await run({ handler: () => { throw new Reject(reason); } });
  assert.deepEqual([rejected.status, rejected.reason], ["rejected", `x${"😀".repeat(999)}`]);
});

test("orders of one conversation run one after the other, also after a crash", async () => {
  const ids = ["msg_1", "msg_2", "msg_3"];
  let [running, most] = [0, 0];
  const handler = async () => {
    most = Math.max(most, (running += 1));
    await new Promise(setImmediate);
    running -= 1;
    return { words: 2 };
  };
  const found = ids.map((id) => order("open", { id }));
  const { entries } = await run({ found, handler });
  const jobs = ids.map((id) => ({ id, starts: 1, conversation: entries.find((entry) => entry.id === id).conversation }));
  await run({ jobs, found: [], handler, options: { onCrash: "rerun" } });
  assert.equal(most, 1);
});
