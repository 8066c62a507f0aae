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
async function run({ jobs = [], handler = () => ({ words: 2 }), judge = () => undefined, found = [order("open")], options = {}, bot: limits = {}, stop = new AbortController() }) {
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
  const bot = new Bot(svc, { journal, log: () => {}, ...limits }).service("count", { price: 5, ...options }, handler);
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

test("an order in an open state of a later server is answered, and one that ended in its own way is not", async () => {
  const jobs = [{ id: "msg_1", starts: 0 }];
  const open = await run({ jobs, found: [order("paused")] });
  assert.deepEqual([open.failure, open.answers.map(({ status }) => status)], [undefined, ["completed"]]);
  const ended = await run({ jobs, found: [order("halved", { closedAt: "2026-01-31T09:30:00.000Z" })] });
  assert.deepEqual([ended.failure, ended.answers], [undefined, []]);
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

test("a delivery is not sent again if it arrived before an outage, or was taken although it is refused", async () => {
  for (const [status, outcome, expected] of [
    ["delivered", "lost", ["deliver", "answer"]],
    ["funded", "lost", ["deliver", "deliver", "answer"]],
    ["delivered", "refused", ["deliver", "answer"]],
  ]) {
    const [sent, escrow] = [[], { status: "funded", amount: 5 }];
    const judge = (method, path) => {
      if (path === "/v1/escrow/esc_1") return Response.json({ escrow });
      if (method !== "POST" || path.endsWith("/services") || path.endsWith("/progress")) return undefined;
      sent.push(path.split("/").at(-1));
      if (sent.length > 1) return undefined;
      escrow.status = status;
      if (outcome === "refused") return refusal(409, "wrong_state");
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("broken"), { code: "ECONNRESET" }) });
    };
    const { answers, failure } = await run({ found: [order("open", { escrowId: "esc_1" })], judge });
    assert.deepEqual([failure, sent, answers.at(-1).status], [undefined, expected, "delivered"]);
  }
});

test("an error takes the place of all calls of an answer that is refused", async () => {
  const escrow = { status: "funded", amount: 5 };
  const decline = () => { throw new Reject("not today"); };
  for (const [handler, refused] of [[undefined, "/v1/escrow/esc_1/deliver"], [decline, "/orders/msg_1/answer"]]) {
    const sent = [];
    const judge = (method, path) => {
      if (path === "/v1/escrow/esc_1") return Response.json({ escrow });
      if (method !== "POST" || path.endsWith("/services") || path.endsWith("/progress")) return undefined;
      sent.push(path);
      return sent.length === 1 && path === refused ? refusal(400, "credential_in_content") : undefined;
    };
    const { answers, failure } = await run({ found: [order("open", { escrowId: "esc_1" })], judge, ...(handler && { handler }) });
    assert.deepEqual([failure, sent], [undefined, [refused, "/orders/msg_1/answer", "/v1/escrow/esc_1/decline"]]);
    const [{ key, status, error }] = answers;
    assert.deepEqual([key, status, error], ["resp:msg_1:error", "error", "the result could not be sent; nothing is charged"]);
  }
});

test("an order that ended meanwhile, or is gone, is neither worked on nor answered again", async () => {
  const never = () => assert.fail("it has ended");
  const cancelled = (_, path) => (path.endsWith("/progress") ? refusal(409, "request_closed") : undefined);
  const gone = (_, path) => (path.startsWith("/orders/") ? refusal(404, "not_found") : undefined);
  const jobs = [{ id: "msg_1", starts: 1, calls: [{ key: "resp:msg_1", path: "/orders/msg_1/answer", body: "{}" }] }];
  for (const options of [{ judge: cancelled }, { judge: gone, jobs, found: [] }, { judge: gone, jobs: [{ id: "msg_1", starts: 0 }], found: [] }]) {
    const { answers, entries, failure } = await run({ handler: never, ...options });
    assert.deepEqual([failure, answers, entries.at(-1)], [undefined, [], { is: "done", id: "msg_1" }]);
  }
  for (const code of ["request_closed", "idempotency_conflict"]) {
    const sent = [];
    const judge = (_, path) => (path.endsWith("/answer") ? (sent.push(path), refusal(409, code)) : undefined);
    assert.equal((await run({ judge })).failure, undefined);
    assert.equal(sent.length, 1, code);
  }
});

test("handlers run at once up to the concurrency", async () => {
  let [running, most] = [0, 0];
  const handler = async () => {
    most = Math.max(most, (running += 1));
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    running -= 1;
    return { words: 2 };
  };
  const found = [1, 2, 3, 4, 5].map((number) => order("open", { id: `msg_${number}`, conversationId: `conv_${number}` }));
  await run({ found, handler, bot: { concurrency: 2 } });
  assert.equal(most, 2);
});

test("a bot that stops leaves what takes too long to its next start, and does not answer it", async () => {
  const stop = new AbortController();
  let ended = false;
  const handler = ({ signal }) => {
    stop.abort();
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(ended = signal.reason)));
  };
  const found = [order("open"), order("open", { id: "msg_2" })]; // Both of one conversation.
  const { answers, entries, failure } = await run({ found, handler, stop, bot: { drain: 1 } });
  assert.deepEqual([failure, answers, ended !== false], [undefined, [], true]);
  const begun = [["order", "msg_1"], ["start", "msg_1"]];
  assert.deepEqual(entries.map(({ is, id }) => [is, id]), begun);
  const quick = new AbortController();
  const finished = await run({ found, handler: () => (quick.abort(), { words: 2 }), stop: quick });
  const done = [["answer", "msg_1"], ["done", "msg_1"]];
  assert.deepEqual(finished.entries.map(({ is, id }) => [is, id]), [...begun, ...done], "and begins no other");
});

test("a bot whose older events are gone looks for open orders, and listens again", async () => {
  let streams = 0;
  const judge = (_, path) => (path === "/v1/connect/stream" && (streams += 1) === 1 ? refusal(409, "cursor_expired") : undefined);
  const handler = async () => {
    for (let turn = 0; streams < 2 && turn < 1000; turn += 1) await new Promise(setImmediate);
    return { words: 2 };
  };
  const { answers, failure } = await run({ judge, handler });
  assert.deepEqual([failure, answers.length, streams], [undefined, 1, 2]);
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

test("a page of a proxy in place of an answer is an outage", async () => {
  const page = () => new Response("<p>back soon</p>", { headers: { "content-type": "text/html" } });
  for (const at of ["/orders/msg_1", "/orders/msg_1/answer", "/orders/msg_1/progress", "/v1/connect/events"]) {
    let pages = 3;
    const judge = (_, path) => (path === at && (pages -= 1) >= 0 ? page() : undefined);
    const { answers, failure } = await run({ jobs: at === "/orders/msg_1" ? [{ id: "msg_1", starts: 0 }] : [], judge });
    assert.deepEqual([failure, answers.map(({ key, status }) => [key, status])], [undefined, [["resp:msg_1", "completed"]]], at);
    assert(pages < 3, at);
  }
});

test("an answer that is still being taken is not replaced by an error", async () => {
  let running = 3;
  const judge = (_, path) =>
    path.endsWith("/answer") && (running -= 1) >= 0 ? refusal(409, "idempotency_in_progress") : undefined;
  const { answers } = await run({ judge });
  assert.deepEqual(answers.map(({ status }) => status), ["completed"]);
});

test("a bot whose key is refused keeps the results of its running handlers", async () => {
  let isRefused = false;
  const judge = (_, path) => {
    if (!path.endsWith("/answer")) return undefined;
    isRefused = true;
    return refusal(401, "unauthorized");
  };
  const handler = async ({ orderId, signal }) => {
    const isLate = orderId === "msg_2";
    for (let turn = 0; isLate && !isRefused && turn < 1000; turn += 1) await new Promise(setImmediate);
    for (let turn = 0; isLate && turn < 10; turn += 1) await new Promise(setImmediate);
    signal.throwIfAborted();
    return { words: 2 };
  };
  const found = [order("open"), order("open", { id: "msg_2", conversationId: "conv_2" })];
  const { entries, failure } = await run({ found, handler, judge });
  assert.equal(failure?.code, "unauthorized");
  const answers = entries.filter(({ is }) => is === "answer");
  assert.deepEqual(answers.map(({ id, calls: [{ body }] }) => [id, JSON.parse(body).status]), [
    ["msg_1", "completed"], ["msg_2", "completed"],
  ]);
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
