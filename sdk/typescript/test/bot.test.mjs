import assert from "node:assert/strict";
import test from "node:test";

import { Bot, Ctx, Svc } from "@svc/sdk";

import { checkOf } from "../dist/bot/check.js";
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
  return (await worked(jobs, found, escrow)).calls;
}

/** The calls of a bot until it is done with an order, and what its answers say. */
async function worked(jobs, found, escrow, options = {}, handler = () => ({ words: 2 }), log = () => {}) {
  const stop = new AbortController();
  const journal = { open: async () => jobs, add: async ({ is }) => is === "done" && stop.abort(), close: async () => {} };
  const [calls, answers] = [[], []];
  const answer = (method, path, query) => {
    if (path.endsWith("/services")) return method === "GET" ? { services: [] } : { service: { id: "srv_1" } };
    if (path.endsWith("/connect/events")) return { events: [], latestSeq: 0 };
    if (path.endsWith("/orders")) return { orders: query.get("status") === found.status ? [found] : [] };
    if (path.endsWith("/escrow/esc_1")) return { escrow };
    if (method === "POST") calls.push(path.replace(/^.*\/(orders|escrow)\//, ""));
    return { order: found };
  };
  const fetch = async (url, init) => {
    if (url.endsWith("/answer")) answers.push(JSON.parse(init.body));
    return server(answer)(url, init);
  };
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch });
  const bot = new Bot(svc, { journal, log }).service("count", { price: 5, ...options }, handler);
  await bot.run({ signal: stop.signal });
  return { calls, answers };
}

test("a service whose price needs an escrow rejects orders without one", async () => {
  const answered = async (found, escrowFrom) => {
    const { answers: [answer] } = await worked([], found, { status: "funded", amount: 5 }, { escrowFrom });
    return answer;
  };
  const { status, reason, output } = await answered(order("open"), 5);
  assert.deepEqual([status, output.faults[0].pointer], ["rejected", "/escrowId"]);
  assert.match(reason, /requires an escrow: POST \/v1\/escrow/);
  assert.equal((await answered(order("open"), 6)).status, "completed");
  assert.equal((await answered(order("open", { escrowId: "esc_1" }), 5)).status, "delivered");
});

test("a bot rejects orders that it does not sell, or not for so little, and says what is wrong", async () => {
  const answered = async (found, escrow) => {
    const { calls, answers: [{ status, output }] } = await worked([], found, escrow);
    return [status, output.faults[0].pointer, output.faults[0].message, ...calls];
  };
  const unknown = "must be the id of an offered service; see the capabilities";
  assert.deepEqual(await answered(order("open", { serviceId: "srv_2" })), ["rejected", "/serviceId", unknown, "msg_1/answer"]);
  const cheap = order("open", { offeredCredits: 4 });
  assert.deepEqual(await answered(cheap), ["rejected", "/offeredCredits", "must be at least the price, 5", "msg_1/answer"]);
  const paid = order("open", { escrowId: "esc_1" });
  for (const [escrow, wrong] of [
    [{ status: "created", amount: 5 }, "must be funded but is created"],
    [{ status: "funded", amount: 4 }, "must hold at least the price, 5"],
  ]) {
    // Once the escrow is declined, the order takes no answer.
    assert.deepEqual(await answered(paid, escrow), ["rejected", "/escrowId", wrong, "msg_1/answer", "esc_1/decline"]);
  }
});

test("a bot that stops waits for its handlers as long as it may, also without end", async (t) => {
  const warnings = t.mock.method(process, "emitWarning", () => {});
  const stop = new AbortController();
  const journal = { open: async () => [], add: async () => {}, close: async () => {} };
  const statuses = [];
  const fetch = async (url, init) => {
    if (url.endsWith("/answer")) statuses.push(JSON.parse(init.body).status);
    return server((method, path, query) => {
      if (path.endsWith("/services")) return method === "GET" ? { services: [] } : { service: { id: "srv_1" } };
      if (path.endsWith("/connect/events")) return { events: [], latestSeq: 0 };
      if (path.endsWith("/orders")) return { orders: query.get("status") === "open" ? [order("open")] : [] };
      return { order: order("open") };
    })(url, init);
  };
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch });
  const bot = new Bot(svc, { journal, log: () => {}, drain: Infinity });
  bot.service("count", { price: 5 }, async () => {
    stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { words: 2 };
  });
  await bot.run({ signal: stop.signal });
  assert.deepEqual([statuses, warnings.mock.callCount()], [["completed"], 0]);
});

test("an output that does not match its schema is an error and costs nothing", async () => {
  const member = { type: "integer", minimum: 1, format: "uint32" };
  const output = { type: "object", properties: { words: member }, required: ["words"] };
  const answered = async (result) => {
    const { answers: [answer] } = await worked([], order("open"), undefined, { output }, () => result);
    return [answer.status, answer.error, answer.chargedCredits];
  };
  const failed = ["error", "the service failed; nothing is charged", undefined];
  for (const result of [{ words: 0 }, { words: "two" }, {}, undefined]) assert.deepEqual(await answered(result), failed);
  // The server reads all schemas as those of 2020-12.
  for (const $schema of [undefined, "http://json-schema.org/draft-07/schema#"]) {
    if ($schema !== undefined) output.$schema = $schema;
    assert.deepEqual(await answered({ words: 2, more: true }), ["completed", undefined, undefined]);
  }
  const wrong = worked([], order("open"), undefined, { output: { type: "nothing" } });
  await assert.rejects(wrong, /^SvcError: the output of the service count is no JSON Schema: /);
});

test("an output is checked without what this engine can't compile, and the log says so", async () => {
  const number = { $ref: "#/$defs/number" };
  const answered = async (schema, result) => {
    const lines = [];
    const output = { $id: "https://bot.example/out", $defs: { number: { type: "integer" } }, type: "object", ...schema };
    const { answers: [{ status }] } = await worked([], order("open"), undefined, { output }, () => result, (line) => lines.push(line));
    return [status, ...lines.filter((line) => line.startsWith("the output"))];
  };
  for (const bad of [{ pattern: "(?i)x" }, { pattern: "^\\-a$" }, { enum: [] }, { nullable: true }]) {
    const schema = { properties: { words: number, bad }, additionalProperties: false };
    const [good, line, ...more] = await answered(schema, { words: 2, bad: "y" });
    assert.deepEqual([good, more], ["completed", []]);
    assert.match(line, /^the output of the service count is checked without the schema of "bad": ./);
    assert.equal((await answered(schema, { words: "two" }))[0], "error");
    assert.equal((await answered(schema, { other: 2 }))[0], "error");
    // Without this part, `not` would match less.
    const [whole, all] = await answered({ properties: { words: number }, not: { required: ["a"], properties: { a: bad } } }, {});
    assert.equal(whole, "completed");
    assert.match(all, /^the output of the service count is not checked: ./);
  }
  assert.deepEqual(await answered({ properties: { words: number } }, { words: 2 }), ["completed"]);
});

test("an output is checked against a schema that refers to itself", async () => {
  for (const [$id, $ref] of [[undefined, "#"], ["https://bot.example/out", "https://bot.example/out"]]) {
    const schema = { ...($id && { $id }), type: "object", properties: { words: { type: "integer" }, next: { $ref } } };
    const { check, gap } = await checkOf(schema);
    assert.equal(gap, undefined);
    assert.deepEqual([check({ next: { words: 2 } }), typeof check({ next: { words: "two" } })], [undefined, "string"]);
    const withBad = await checkOf({ ...schema, properties: { ...schema.properties, bad: { pattern: "(?i)x" } } });
    assert.match(withBad.gap, /^is checked without the schema of "bad": /);
    assert.equal(typeof withBad.check({ next: { words: "two" } }), "string");
  }
});

test("without the package that checks outputs, the error says what to install", async () => {
  const missing = async () => {
    throw Object.assign(new Error("Cannot find package 'ajv'"), { code: "ERR_MODULE_NOT_FOUND" });
  };
  await assert.rejects(checkOf({ type: "object" }, missing), { code: "config", message: /run `npm install ajv@8`$/ });
});

test("a policy must be known, and the name of a service is used once", () => {
  const bot = new Bot(new Svc({ url: "http://127.0.0.1:1" }), { journal: "none" });
  assert.throws(() => bot.service("count", { onCrash: "retry" }, () => ({})), /must be error, reject or rerun/);
  bot.service("count", {}, () => ({}));
  for (const name of ["count", "Count"]) {
    assert.throws(() => bot.service(name, {}, () => ({})), /there are two services of the name [cC]ount/);
  }
});

test("only what differs is changed, and a name is known in any case", async () => {
  const known = {
    id: "srv_1", name: "count", description: "count", priceCredits: 5, acceptance: "explicit", active: true,
    category: "writing", languages: ["en"], tags: [],
  };
  const sent = async (options, name = "count") => {
    const [changes, stop] = [[], new AbortController()];
    const fetch = async (url, { method, body }) => {
      if (method === "PATCH") changes.push(JSON.parse(body));
      if (url.endsWith("/services") || method === "PATCH") return Response.json({ services: [known], service: known });
      stop.abort();
      return Response.json({ orders: [], latestSeq: 0 });
    };
    const journal = { open: async () => [], add: async () => {}, close: async () => {} };
    const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch });
    const bot = new Bot(svc, { journal, log: () => {} }).service(name, { price: 5, description: "count", ...options }, () => ({}));
    await bot.run({ signal: stop.signal });
    return changes;
  };
  assert.deepEqual(await sent({}), []);
  assert.deepEqual(await sent({ category: "writing", languages: ["en"] }), []);
  const changed = { category: "data", languages: ["en", "fr"] };
  assert.deepEqual(await sent(changed), [changed]);
  // The platform takes these for one name, and would refuse a second service of it.
  known.name = "Caf\u00e9";
  for (const name of ["caf\u00e9", "cafe\u0301"]) assert.deepEqual(await sent({}, name), [{ name }]);
  assert.deepEqual(await sent({}, "Caf\u00e9"), []);
});

test("a bot warns of orders that its journal does not know, since another bot may have taken them", async () => {
  const logged = async (unknown) => {
    const [lines, asked, stop] = [[], [], new AbortController()];
    const orders = [
      order("working"), order("completed", { id: "msg_2" }), order("open", { id: "msg_3" }), order("expired", { id: "msg_4" }),
    ];
    const answer = (method, path, query) => {
      if (path.endsWith("/services")) return method === "GET" ? { services: [] } : { service: { id: "srv_1" } };
      if (path.endsWith("/connect/events")) return { events: [], latestSeq: 0 };
      if (path.endsWith("/orders") && query.get("status") === null) return { orders };
      stop.abort();
      return { orders: [] };
    };
    const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch: server(answer) });
    const journal = {
      open: async () => [], add: async () => {}, close: async () => {},
      unknown: async (ids) => (asked.push(...ids), ids.filter((id) => unknown.includes(id))),
    };
    const bot = new Bot(svc, { journal, log: (text) => lines.push(text) }).service("count", {}, () => ({}));
    await bot.run({ signal: stop.signal });
    assert.deepEqual(asked, ["msg_1", "msg_2"]);
    return lines;
  };
  assert.deepEqual(await logged([]), ["open for orders: count"]);
  const [warning, opened] = await logged(["msg_2"]);
  assert.match(warning, /^this journal does not know 1 of the latest orders .*, such as msg_2; if another bot uses this/);
  assert.equal(opened, "open for orders: count");
});

test("a bot that lost its journal takes up what it had begun", async () => {
  for (const status of ["open", "working", "input_required"]) {
    assert.deepEqual(await sent([], order(status)), ["msg_1/progress", "msg_1/answer"], status);
  }
});

test("a bot whose buyer has yet to answer a question does not withdraw it when it starts again", async () => {
  const { calls } = await worked([{ id: "msg_1", starts: 1 }], order("input_required"), undefined, { onCrash: "rerun" });
  assert.deepEqual(calls, ["msg_1/answer"]);
});

test("a buyer reads why there is no result, without the cause", async () => {
  const answered = async (handler, options = {}, jobs = []) => {
    const { answers: [answer] } = await worked(jobs, order("open"), undefined, options, handler);
    return [answer.status, answer.error];
  };
  const error = (text) => ["error", `${text}; nothing is charged`];
  assert.deepEqual(await answered(() => { throw new Error("a secret of ours"); }), error("the service failed"));
  for (const value of [NaN, [{ deep: -Infinity }]]) {
    assert.deepEqual(await answered(() => ({ value })), error("the service failed"), "JSON can't express it");
  }
  assert.deepEqual(await answered(() => new Promise(() => {}), { timeout: 1 }), error("the service took too long"));
  assert.deepEqual(await answered(undefined, {}, [{ id: "msg_1", starts: 1 }]), error("the service was interrupted"));
});

test("a handler may charge less, and never more", async () => {
  const charged = async (credits) => {
    const handler = (cx) => (cx.charge(credits), { words: 2 });
    const { answers: [answer] } = await worked([], order("open"), undefined, {}, handler);
    return answer.chargedCredits;
  };
  assert.deepEqual([await charged(2), await charged(1_000), await charged(-1)], [2, 5, 0]);
});

test("a bot does not send a delivery again that has arrived", async () => {
  const call = (key, path) => ({ key, path, body: "{}" });
  const calls = [call("deliver:msg_1:1", "/v1/escrow/esc_1/deliver"), call("resp:msg_1", "/orders/msg_1/answer")];
  const again = (status) => sent([{ id: "msg_1", starts: 1, calls }], order(status, { escrowId: "esc_1" }), { status });
  assert.deepEqual(await again("funded"), ["esc_1/deliver", "msg_1/answer"]);
  for (const status of ["delivered", "disputed"]) assert.deepEqual(await again(status), ["msg_1/answer"], status);
});

test("a handler runs again after a crash at most three times in all, and then the buyer reads of it", async () => {
  const text = "the service was interrupted; nothing is charged";
  for (const [starts, onCrash, status, said] of [
    [2, "rerun", "completed", undefined], [3, "rerun", "error", text], [1, "error", "error", text], [1, "reject", "rejected", text],
  ]) {
    const { calls, answers: [answer] } = await worked([{ id: "msg_1", starts }], order("working"), undefined, { onCrash });
    assert.deepEqual([answer.status, answer.error ?? answer.reason, calls], [status, said, ["msg_1/answer"]]);
  }
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
  let [starts, looks, reports] = [0, 0, 0];
  const answer = (method, path, query) => {
    if (path.endsWith("/services") && method === "GET" && (starts += 1) < 3) unreachable();
    if (path.endsWith("/progress") && (reports += 1) === 2) unreachable(); // The first accepts the order.
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
  assert.deepEqual([said, answers.length, starts, looks, reports], [{ words: 3 }, 1, 3, 3, 3]);
  const waits = problems.filter((problem) => problem !== "open for orders: count");
  assert.deepEqual([problems.length, waits.length], [6, 5]);
  waits.forEach((wait) => assert.match(wait, /^trying again in \d\.\d s$/));
});

test("a bot waits while its account may not act, from its start and while it listens", async () => {
  for (const code of ["account_suspended", "account_paused"]) {
    const [refused, stop] = [{ error: "not now", code }, new AbortController()];
    let [changes, streams] = [0, 0];
    const fetch = async (url, { method }) => {
      const { pathname } = new URL(url);
      if (pathname.endsWith("/connect/stream")) {
        if ((streams += 1) > 2) stop.abort();
        return Response.json(refused, { status: 403 });
      }
      if (pathname.endsWith("/services") && method === "GET") return Response.json({ services: [] });
      if (pathname.endsWith("/services")) {
        const isFirst = (changes += 1) === 1;
        return isFirst ? Response.json(refused, { status: 403 }) : Response.json({ service: { id: "srv_1" } });
      }
      return Response.json(pathname.endsWith("/connect/events") ? { latestSeq: 0 } : { orders: [] });
    };
    const waits = [];
    const sleep = async (milliseconds) => {
      waits.push(milliseconds);
      await new Promise(setImmediate);
    };
    const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch }, { now: () => 0, sleep, random: () => 1 });
    const journal = { open: async () => [], add: async () => {}, close: async () => {} };
    const bot = new Bot(svc, { journal, log: () => {} }).service("count", { price: 5 }, () => ({}));
    await bot.run({ signal: stop.signal });
    assert.deepEqual([changes, streams], [2, 3], code);
    const [change, ...others] = waits;
    assert(change >= 375 && change <= 500, `${change}`);
    others.forEach((wait) => assert(wait >= 45_000 && wait <= 60_000, `${wait}`));
  }
});

test("a bot waits as long as its server asks, and at most an hour", async () => {
  const waits = [];
  const sleep = async (milliseconds) => waits.push(milliseconds);
  const asked = ["1", "90", "86400"];
  const fetch = async () => {
    const body = { error: "busy", code: "rate_limited" };
    if (asked.length === 0) throw new Error("an error that ends the bot");
    return Response.json(body, { status: 429, headers: { "retry-after": asked.shift() } });
  };
  const settings = { url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch, retries: 0 };
  const svc = new Svc(settings, { now: () => 0, sleep, random: () => 1 });
  const stop = new AbortController();
  const log = (text) => text.startsWith("trying again in 3600.0 s") && stop.abort();
  const journal = { open: async () => [], add: async () => {}, close: async () => {} };
  const bot = new Bot(svc, { journal, log }).service("count", { price: 5 }, () => ({}));
  await bot.run({ signal: stop.signal });
  assert.deepEqual(waits, [1_000, 90_000, 3_600_000]);
});

test("a handler that runs again has the results of its steps, and of its questions", async () => {
  const steps = new Map([["ask:from", "q1"], ["answer:from", "en"], ["ask:to", "q2"], ["fetch", 7]]);
  const given = { prompt: { id: "q2", text: "to", inputAt: "2026-01-31T09:31:00.000Z", input: "fr" } };
  const sent = [];
  const answer = (method, path) => {
    if (method === "POST") sent.push(path);
    return { order: order("working", given) };
  };
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch: server(answer) });
  const added = [];
  const add = async (...step) => void added.push(step);
  const cx = new Ctx(svc, order("working", given), new AbortController().signal, () => {}, { done: steps, add });
  assert.deepEqual([await cx.ask("from"), await cx.ask("to")], ["en", "fr"]);
  assert.equal(await cx.once("fetch", () => assert.fail("it is done")), 7);
  assert.equal(await cx.once("store", async () => 8), 8);
  assert.deepEqual(added, [["answer:to", "fr"], ["store", 8]]);
  assert.deepEqual([sent, cx.stepKey("store")], [[], "step:store:msg_1"]);
});

test("a bot that is running is not run a second time, and keeps its journal", async () => {
  let closed = 0;
  const journal = { open: async () => [], add: async () => {}, close: async () => void (closed += 1) };
  const answer = (_, path) => (path.endsWith("/connect/events") ? { events: [], latestSeq: 0 } : { services: [], orders: [] });
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch: server(answer) });
  const bot = new Bot(svc, { journal, log: () => {} });
  const stop = new AbortController();
  const running = bot.run({ signal: stop.signal });
  await assert.rejects(bot.run(), { code: "config", text: "the bot is running already" });
  assert.equal(closed, 0);
  stop.abort();
  await running;
  assert.equal(closed, 1);
  await bot.run({ signal: stop.signal });
  assert.equal(closed, 2, "it can run again");
});

test("a question that a handler asks twice has two answers", async () => {
  const prompt = (id, given = {}) => ({ prompt: { id, text: "anything else?", ...given } });
  const answered = (input) => ({ inputAt: "2026-01-31T09:31:00.000Z", input });
  const answers = [
    order("input_required", prompt("q1")),
    order("working", { version: 2, ...prompt("q1", answered("tea")) }),
    order("input_required", { version: 3, ...prompt("q2") }),
    order("working", { version: 4, ...prompt("q2", answered("nothing")) }),
  ];
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch: server(() => ({ order: answers.shift() })) });
  const done = new Map();
  const steps = { done, add: async (name, value) => void done.set(name, value) };
  for (let run = 1; run <= 2; run += 1) {
    const cx = new Ctx(svc, order("working"), new AbortController().signal, () => {}, steps);
    assert.deepEqual([await cx.ask("anything else?"), await cx.ask("anything else?")], ["tea", "nothing"]);
  }
});

test("the result of a step is the same when the handler runs again", async () => {
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test" });
  const lines = [];
  const add = async (name, value) => void lines.push(JSON.stringify({ name, value }));
  const values = [new Date(0), { at: new Date(0), left: undefined }, undefined, [undefined], 1];
  const run = async (done) => {
    const cx = new Ctx(svc, order("working"), new AbortController().signal, () => {}, { done, add });
    return Promise.all(values.map((value, index) => cx.once(`step ${index}`, () => value)));
  };
  const first = await run(new Map());
  assert.deepEqual(first, ["1970-01-01T00:00:00.000Z", { at: "1970-01-01T00:00:00.000Z" }, undefined, [null], 1]);
  assert.deepEqual(await run(new Map(lines.map((line) => JSON.parse(line)).map(({ name, value }) => [name, value]))), first);
});

test("a question that a report withdrew is asked again", async () => {
  const prompt = (id, given = {}) => ({ prompt: { id, text: "from", ...given } });
  const answers = [
    order("working", prompt("q1")),
    order("input_required", { version: 2, ...prompt("q2") }),
    order("working", { version: 3, ...prompt("q2", { inputAt: "2026-01-31T09:31:00.000Z", input: "en" }) }),
  ];
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch: server(() => ({ order: answers.shift() })) });
  const added = [];
  const steps = { done: new Map([["ask:from", "q1"]]), add: async (...step) => void added.push(step) };
  const cx = new Ctx(svc, order("input_required", prompt("q1")), new AbortController().signal, () => {}, steps);
  await cx.progress({ percent: 10 });
  assert.equal(await cx.ask("from"), "en");
  assert.deepEqual(added, [["ask:from", "q2"], ["answer:from", "en"]]);
});

test("a question waits in an open state of a later server, until the order has ended", async () => {
  const closedAt = "2026-01-31T09:31:00.000Z";
  for (const [answered, outcome] of [
    [order("working", { version: 3, prompt: { id: "q1", inputAt: closedAt, input: "en" } }), "en"],
    [order("halved", { version: 3, closedAt }), "request_closed"],
    [order("cancelled", { version: 3 }), "request_closed"],
  ]) {
    const answers = [order("paused", { version: 2, prompt: { id: "q1" } }), answered];
    const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch: server(() => ({ order: answers.shift() })) });
    const steps = { done: new Map([["ask:from", "q1"]]), add: async () => {} };
    const cx = new Ctx(svc, order("input_required", { prompt: { id: "q1" } }), new AbortController().signal, () => {}, steps);
    assert.equal(await cx.ask("from").catch(({ code }) => code), outcome);
  }
});

test("a partial result is sent once, though the handler runs again", async () => {
  const keys = [];
  const fetch = async (_, { headers }) => {
    keys.push(headers["idempotency-key"]);
    const refused = { error: "another one", code: "idempotency_conflict" };
    return keys.length > 1 ? Response.json(refused, { status: 409 }) : Response.json({ order: order("working") });
  };
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch });
  const cx = new Ctx(svc, order("working"), new AbortController().signal);
  await cx.partial({ words: 1 });
  await cx.partial({ words: 2 });
  assert.deepEqual(keys, ["partial:msg_1:1", "partial:msg_1:2"]);
});

test("a handler that runs again skips the partial results of its steps, and sends the others", async () => {
  const keys = [];
  const fetch = async (_, { headers }) => {
    keys.push(headers["idempotency-key"]);
    return Response.json({ order: order("working") });
  };
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch });
  const done = new Map();
  const steps = { done, add: async (name, value) => void done.set(name, value) };
  for (const isAgain of [false, true]) {
    const cx = new Ctx(svc, order("working"), new AbortController().signal, () => {}, steps);
    await cx.once("two", async () => {
      await cx.partial("a");
      await cx.partial("b");
    });
    if (isAgain) await cx.partial("c");
  }
  assert.deepEqual(keys, ["partial:msg_1:1", "partial:msg_1:2", "partial:msg_1:3"]);
});

test("a partial result beside a step is sent once, though a handler that runs again skips the step", async () => {
  const keys = [];
  const fetch = async (_, { headers }) => {
    keys.push(headers["idempotency-key"]);
    return Response.json({ order: order("working") });
  };
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch });
  const done = new Map();
  const steps = { done, add: async (name, value) => void done.set(name, value) };
  for (const run of [1, 2]) {
    const cx = new Ctx(svc, order("working"), new AbortController().signal, () => {}, steps);
    const sent = new AbortController();
    const search = cx.once("search", () => new Promise((end) => sent.signal.addEventListener("abort", () => end(run))));
    await cx.partial("a");
    sent.abort();
    await search;
    if (run === 2) await cx.partial("b");
  }
  assert.deepEqual(keys, ["partial:msg_1:1", "partial:msg_1:1", "partial:msg_1:2"]);
});

test("a bot that waits for its server can be stopped", async () => {
  const { bot, stop } = botWith(() => {
    stop.abort();
    unreachable();
  }, () => ({}));
  await bot.run({ signal: stop.signal });
});

test("a bot can be stopped while it publishes to a server that does not answer", async () => {
  const [stop, journal] = [new AbortController(), { open: async () => [], add: async () => {}, close: async () => {} }];
  let calls = 0;
  const fetch = (_, { signal }) => new Promise((_, reject) => {
    calls += 1;
    signal.addEventListener("abort", () => reject(signal.reason));
    stop.abort();
  });
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch });
  await new Bot(svc, { journal, log: () => {} }).service("count", {}, () => ({})).run({ signal: stop.signal });
  assert.equal(calls, 1);
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
