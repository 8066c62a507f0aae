import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import test from "node:test";
import { inspect } from "node:util";

import { Svc, SvcError } from "@svc/sdk";
import { canonical } from "../dist/bot/canonical.js";
import { answer, client, failed, lost, refusal, unreachable } from "./fake.mjs";

const POST = (svc) => svc.posts.create("hello");
const GET = (svc) => svc.posts.get("post_1");

test("a call is sent with the key, strictly, below /api", async () => {
  for (const path of ["", "/", "/api", "/api/"]) {
    const { svc, requests } = client([answer(201)], { url: `https://svc.example${path}` });
    await svc.posts.create("hello");
    const [{ url: sent, method, headers, body, redirect }] = requests;
    assert.equal(sent, "https://svc.example/api/posts");
    assert.deepEqual([method, body, redirect], ["POST", '{"content":"hello"}', "manual"]);
    assert.equal(headers["authorization"], "Bearer svc_ak_test");
    assert.equal(headers["prefer"], "handling=strict");
  }
});

test("members travel in the path, the query or the body", async () => {
  const { svc, requests } = client([answer(200)]);
  await svc.orders.get("msg/1", { waitSeconds: 2 });
  await svc.orders.cancel("msg_1", { reason: "too late" });
  assert.equal(requests[0].url, "http://127.0.0.1:1/api/orders/msg%2F1?waitSeconds=2");
  assert.equal(requests[0].body, undefined);
  assert.equal(requests[1].url, "http://127.0.0.1:1/api/orders/msg_1/cancel");
  assert.equal(requests[1].body, '{"reason":"too late"}');
});

test("a date travels in a query as it does in a body", async () => {
  const { svc, requests } = client([answer(200)]);
  await svc.orders.list({ since: new Date(0) }).page();
  assert.equal(new URL(requests[0].url).searchParams.get("since"), "1970-01-01T00:00:00.000Z");
});

test("an input without a question is refused before it is sent", async () => {
  const { svc, requests } = client([answer(200, { order: { id: "msg_1", status: "open", version: 1 } })]);
  const order = await svc.orders.find("msg_1");
  const error = await failed(() => order.input({ language: "la" }));
  assert.equal(error.message, "the order msg_1 has no question, as it was last seen");
  assert.equal(requests.length, 1);
});

test("a value that would change the path is not sent", async () => {
  const { svc, requests } = client([answer(200)]);
  for (const id of ["", ".", ".."]) {
    const error = await failed(() => svc.posts.get(id));
    assert.deepEqual([error.code, error.outcome, error.field], ["invalid_request", "not_sent", "postId"]);
  }
  assert.equal(requests.length, 0);
});

test("an error has all that the server says", async () => {
  const body = { field: "content", hint: "shorten it", requestId: "req_1" };
  const { svc } = client([refusal(400, "validation_failed", body)]);
  const error = await failed(() => svc.posts.create("hello"));
  assert(error instanceof SvcError);
  const { code, field, hint, requestId, method, path, outcome, status, attempts } = error;
  assert.deepEqual({ code, field, hint, requestId, method, path, outcome, status, attempts }, {
    code: "validation_failed", ...body, method: "POST", path: "/posts", outcome: "refused", status: 400, attempts: 1,
  });
  assert.equal(error.message, "POST /posts: it says validation_failed");
});

test("an answer that is not of the server is an error with its beginning", async () => {
  const { svc } = client([() => new Response("<html>", { status: 403 }), () => new Response("<html>")]);
  for (const [outcome, status] of [["refused", 403], ["unknown", 200]]) {
    const error = await failed(() => GET(svc));
    assert.deepEqual([error.code, error.outcome, error.status], ["invalid_answer", outcome, status]);
    assert.match(error.text, /<html>/);
  }
});

test("an error does not quote a secret that something in between sends back", async () => {
  for (const secret of ["svc_ak_planted", "svc_dk_planted", "svc_id_planted", "svc_at_planted", "svc_rt_planted", "whsec_planted"]) {
    const echo = `${" ".repeat(190)}authorization: Bearer ${secret}`;
    for (const text of [echo, JSON.stringify({ error: echo })]) {
      const { svc } = client([() => new Response(text, { status: 403 })]);
      const error = await failed(() => GET(svc));
      assert.deepEqual([error.code, error.text], ["invalid_answer", "status 403: [redacted]"]);
      assert(!inspect(error).includes("planted"));
    }
    const { svc } = client([() => new Response(echo)]);
    assert.equal((await failed(() => GET(svc))).text, "the answer is not JSON: [redacted]");
  }
});

test("a refusal in JSON that is not of the server is quoted", async () => {
  for (const body of ['{"error":{"message":"no"}}', '{"code":1}', "null", "[]"]) {
    const { svc } = client([() => new Response(body, { status: 403 })]);
    const error = await failed(() => GET(svc));
    assert.deepEqual([error.code, error.text], ["invalid_answer", `status 403: ${body}`]);
  }
});

/** An answer of `count` pieces of 64 KiB, and how many of them were asked for. */
function pieces(count, status) {
  const sent = { count: 0, isCancelled: false };
  const piece = new Uint8Array(64 * 1024).fill(0x20);
  const pull = (stream) => {
    if (sent.count === count) return stream.close();
    sent.count += 1;
    stream.enqueue(sent.count === count ? new TextEncoder().encode("{}") : piece);
  };
  const cancel = () => void (sent.isCancelled = true);
  const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
  return { sent, answer: () => new Response(body, { status }) };
}

test("an answer is read up to 64 MiB, and a refusal up to 64 KiB", async () => {
  const largest = pieces(1024, 200);
  assert.deepEqual(await GET(client([largest.answer]).svc), {});
  const tooLarge = pieces(2000, 200);
  const { svc, requests } = client([tooLarge.answer]);
  const error = await failed(() => GET(svc));
  assert.deepEqual([error.code, error.outcome, error.status], ["invalid_answer", "unknown", 200]);
  assert.equal(error.text, "the answer is larger than 67108864 bytes");
  assert.deepEqual([requests.length, tooLarge.sent], [1, { count: 1025, isCancelled: true }]);
  const refused = pieces(1000, 403);
  assert.equal((await failed(() => GET(client([refused.answer]).svc))).status, 403);
  assert.deepEqual(refused.sent, { count: 2, isCancelled: true });
});

const RETRIED = [
  ["a lost answer", lost],
  ["500", refusal(500, "internal")],
  ["408", refusal(408, "timeout")],
  ["429 with Retry-After", refusal(429, "rate_limited", {}, { "retry-after": "2" })],
  ["503 with Retry-After", refusal(503, "unavailable", {}, { "retry-after": "2" })],
  ["503 of an unknown outcome", refusal(503, "outcome_unknown")],
];

for (const [name, first] of RETRIED) {
  test(`${name} is followed by the same request`, async () => {
    const { svc, requests, waits } = client([first, first, answer(201)]);
    await POST(svc);
    const sent = requests.map(({ body, headers }) => body + headers["idempotency-key"]);
    assert.equal(new Set(sent).size, 1);
    assert.deepEqual(waits, name.includes("Retry-After") ? [2000, 2000] : [500, 1000]);
  });
}

test("a date in Retry-After is waited for", async () => {
  const date = new Date(Date.now() + 30_000).toUTCString();
  const { svc, waits } = client([refusal(503, "unavailable", {}, { "retry-after": date }), answer(201)]);
  await POST(svc);
  assert(waits[0] > 20_000 && waits[0] <= 30_000, `${waits}`);
});

const FINAL = [
  ["404", refusal(404, "not_found")],
  ["409", refusal(409, "conflict")],
  ["429 without Retry-After", refusal(429, "limit_reached")],
  ["429 until much later", refusal(429, "rate_limited", {}, { "retry-after": "61" })],
  ["503 of a feature that is off", refusal(503, "unavailable")],
];

for (const [name, first] of FINAL) {
  test(`${name} is final`, async () => {
    const { svc, requests } = client([first, answer(201)]);
    assert.equal((await failed(() => POST(svc))).outcome, "refused");
    assert.equal(requests.length, 1);
  });
}

test("a call is sent three times, and once without retries", async () => {
  const { svc, requests } = client([lost]);
  const error = await failed(() => POST(svc));
  assert.deepEqual([error.code, error.outcome, error.attempts], ["unreachable", "unknown", 3]);
  await failed(() => svc.posts.create("hello", { retries: 0 }));
  assert.equal(requests.length, 4);
});

test("a request that is still running is waited for, beyond the retries", async () => {
  const running = refusal(409, "idempotency_in_progress", {}, { "retry-after": "1" });
  const { svc, waits } = client([running, running, running, running, answer(201)]);
  await POST(svc);
  assert.deepEqual(waits, [1000, 1000, 1000, 1000]);
});

test("a wait may be given as a date", async () => {
  for (const [offset, least, most] of [[50_000, 10_000, 50_000], [-30_000, 0, 0]]) {
    const date = new Date(Date.now() + offset).toUTCString();
    const { svc, waits } = client([refusal(503, "overloaded", {}, { "retry-after": date }), answer(201)]);
    await POST(svc);
    assert.equal(waits.length, 1);
    assert(waits[0] >= least && waits[0] <= most, `${waits[0]}`);
  }
});

test("a wait that would pass the end of the call is not begun", async () => {
  const { svc, waits } = client([refusal(429, "rate_limited", {}, { "retry-after": "10" })]);
  await failed(() => svc.posts.create("hello", { timeout: 9_000 }));
  assert.deepEqual(waits, []);
});

test("a refusal after a lost answer leaves the outcome open", async () => {
  const { svc } = client([lost, refusal(429, "limit_reached")]);
  const error = await failed(() => POST(svc));
  assert.deepEqual([error.code, error.outcome], ["limit_reached", "unknown"]);
});

test("a refusal that considered the key says that a lost attempt had no effect", async () => {
  for (const [status, code, outcome] of [
    [409, "insufficient_credits", "refused"], [403, "forbidden", "refused"], [409, "idempotency_conflict", "refused"],
    [401, "unauthorized", "unknown"], [403, "account_suspended", "unknown"], [403, "insufficient_scope", "unknown"],
  ]) {
    const { svc } = client([lost, refusal(status, code)]);
    const error = await failed(() => POST(svc));
    assert.deepEqual([error.code, error.outcome, error.attempts], [code, outcome, 2]);
  }
  const page = () => new Response("<html>", { status: 404 });
  assert.equal((await failed(() => POST(client([lost, page]).svc))).outcome, "unknown");
  // A deletion has no key, and the first attempt may have been the one that took effect.
  const gone = [lost, refusal(404, "not_found")];
  assert.equal((await failed(() => client(gone).svc.posts.delete("post_1"))).outcome, "unknown");
  assert.equal((await failed(() => GET(client(gone).svc))).outcome, "refused");
});

test("an error has the key under which the same request may be sent again, if it may", async () => {
  for (const [last, outcome] of [[lost, "unknown"], [() => new Response("<html>"), "unknown"], [unreachable, "not_sent"]]) {
    const { svc, requests } = client([last]);
    const error = await failed(() => POST(svc));
    assert.deepEqual([error.idempotencyKey, error.outcome], [requests[0].headers["idempotency-key"], outcome]);
  }
  const anonymous = client([lost], { apiKey: undefined });
  const register = await failed(() => anonymous.svc.auth.register("bob", { idempotencyKey: "bob-1" }));
  assert.equal(register.idempotencyKey, "bob-1");
  const stopped = await failed(() => client([lost]).svc.posts.create("hello", { idempotencyKey: "mine", retries: 0 }));
  assert.equal(stopped.idempotencyKey, "mine");
  const { svc } = client([lost]);
  for (const call of [
    () => svc.keys.create("mine", ["read"]), () => svc.agents.createIdentityToken(), () => GET(svc),
    () => anonymous.svc.auth.login("ada", "secret"),
  ]) assert.equal((await failed(call)).idempotencyKey, undefined);
});

test("a certificate that is not trusted means that nothing was sent", async () => {
  for (const code of ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"]) {
    const { svc } = client([() => {
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
    }]);
    assert.equal((await failed(() => POST(svc))).outcome, "not_sent");
  }
});

test("what may have acted is not sent again if the server cannot tell it is the same", async () => {
  const anonymous = client([lost], { apiKey: undefined });
  await failed(() => anonymous.svc.auth.login("ada", "secret"));
  const secret = client([lost]);
  await failed(() => secret.svc.keys.create("mine", ["read"]));
  assert.deepEqual([anonymous.requests.length, secret.requests.length], [1, 1]);
});

test("a call that is not sent again has a hint what to do", async () => {
  const page = () => new Response("<p>?</p>");
  for (const came of [lost, page]) {
    const { outcome, hint } = await failed(() => client([came]).svc.keys.create("mine", ["read"]));
    assert.equal(outcome, "unknown");
    assert.match(hint, /^list the keys: if there is one of this name/);
  }
  const anonymous = client([lost], { apiKey: undefined });
  assert.equal((await failed(() => anonymous.svc.auth.login("ada", "secret"))).hint, "sign in again");
  assert.match((await failed(() => anonymous.svc.posts.create("hi"))).hint, /^check whether it took effect/);
  const refused = await failed(() => client([refusal(400, "no", { hint: "theirs" })]).svc.keys.create("mine", ["read"]));
  assert.equal(refused.hint, "theirs");
});

test("an agent is registered under the same key, so that it gets its API key", async () => {
  const { svc, requests } = client([lost, answer(201, { apiKey: "svc_ak_1" })], { apiKey: undefined });
  assert.equal((await svc.auth.register("bob", { isAgent: true })).apiKey, "svc_ak_1");
  const keys = new Set(requests.map(({ headers }) => headers["idempotency-key"]));
  assert.deepEqual([requests.length, keys.size], [2, 1]);
});

test("an identity token is asked for again, each time with a new key", async () => {
  const { svc, requests } = client([lost, refusal(500, "internal"), answer(200)]);
  await svc.agents.createIdentityToken({ idempotencyKey: "mine" });
  const keys = requests.map(({ headers }) => headers["idempotency-key"]);
  assert.deepEqual([keys[0], new Set(keys).size], ["mine", 3]);
  const anonymous = client([lost], { apiKey: undefined });
  await failed(() => anonymous.svc.agents.createIdentityToken());
  assert.equal(anonymous.requests.length, 1);
});

test("what was never sent is sent again, whatever it is", async () => {
  const anonymous = client([unreachable, unreachable, answer(200)], { apiKey: undefined });
  await anonymous.svc.auth.login("ada", "secret");
  const secret = client([unreachable, answer(201)]);
  await secret.svc.keys.create("mine", ["read"]);
  assert.deepEqual([anonymous.requests.length, secret.requests.length], [3, 2]);
});

test("retries of a client have a budget, which successes fill again", async () => {
  const good = answer(201);
  const { svc, requests } = client([...Array(31).fill(lost), ...Array(5).fill(good), lost, good]);
  for (let call = 0; call < 10; call += 1) await failed(() => POST(svc));
  assert.equal(requests.length, 30);
  await failed(() => POST(svc)); // No retry is left.
  assert.equal(requests.length, 31);
  for (let call = 0; call < 5; call += 1) await POST(svc);
  await POST(svc); // The five have given one back.
  assert.equal(requests.length, 38);
});

test("a key of the caller is sent as it is", async () => {
  const { svc, requests } = client([answer(201)]);
  await svc.posts.create("hello", { idempotencyKey: "greeting-1" });
  await svc.posts.create("hello");
  await svc.posts.create("hello");
  const keys = requests.map(({ headers }) => headers["idempotency-key"]);
  assert.equal(keys[0], "greeting-1");
  assert.notEqual(keys[1], keys[2]);
});

test("nothing was sent where nobody listens", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  const svc = new Svc({ url: `http://127.0.0.1:${port}`, apiKey: "svc_ak_test" });
  const error = await failed(() => svc.posts.create("hello", { retries: 0 }));
  const { code, outcome, method, path } = error;
  assert.deepEqual([code, outcome, method, path], ["unreachable", "not_sent", "POST", "/posts"]);
});

test("a call ends with its signal", async () => {
  const { svc, requests } = client([answer(201)]);
  const error = await failed(() => svc.posts.create("hello", { signal: AbortSignal.abort() }));
  assert.deepEqual([error.code, error.outcome, requests.length], ["interrupted", "not_sent", 0]);
});

test("a call that is ended before its next attempt leaves open what its first one did", async () => {
  for (const [answers, outcome] of [
    [[lost, unreachable], "unknown"],
    [[lost, refusal(429, "rate_limited", {}, { "retry-after": "2" })], "unknown"],
    [[unreachable, unreachable], "not_sent"],
  ]) {
    let sleeps = 0;
    const sleep = async () => {
      if (++sleeps === 2) throw new Error("aborted");
    };
    const fetch = async () => answers[sleeps]();
    const clock = { now: () => 0, sleep, random: () => 1 };
    const error = await failed(() => POST(new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch }, clock)));
    assert.deepEqual([error.code, error.outcome, error.attempts], ["interrupted", outcome, 2]);
    assert.notEqual(error.idempotencyKey, undefined);
  }
});

test("a key does not travel over plain http", () => {
  const close = ["http://127.0.0.1.svc.example", "http://localhost.svc.example"];
  for (const url of ["http://svc.example", "ftp://svc.example", "svc", ...close]) {
    assert.throws(() => new Svc({ url }), { code: "config", outcome: "not_sent" });
  }
  assert(new Svc({ url: "http://svc.example", allowPlainHttp: true }));
});

test("a URL that is not the base of the API is refused", () => {
  const urls = ["/api/v1", "/api/api", "/svc/api/x", "?x=1", "#x"].map((end) => `https://svc.example${end}`);
  for (const url of [...urls, "https://a:b@svc.example", "https://a@svc.example/api"]) {
    assert.throws(() => new Svc({ url }), { code: "config", outcome: "not_sent" }, url);
  }
  for (const path of ["", "/", "/svc", "/svc/api/"]) assert(new Svc({ url: `https://svc.example${path}` }));
});

test("a key that can not be sent is refused, and not repeated", async () => {
  const url = "http://127.0.0.1:1";
  for (const apiKey of ["", " ", "svc_ak_a\nsecret", "svc_ak_ä_secret"]) {
    assert.throws(() => new Svc({ url, apiKey }), (error) => error.code === "config" && !inspect(error).includes("secret"));
  }
  const { svc, requests } = client([answer(200)], { apiKey: "svc_ak_test\n" });
  await GET(svc);
  assert.equal(requests[0].headers.authorization, "Bearer svc_ak_test");
});

test("what only apps call is sent with the key of the app, and nothing else is", async () => {
  const file = new URL("../../../openapi/openapi.json", import.meta.url);
  const { paths } = JSON.parse(await readFile(file, "utf8"));
  const { svc, requests } = client([answer(200)], { developerKey: "svc_dk_test" });
  const expected = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { operationId, security = [] }] of Object.entries(operations)) {
      if (operationId === undefined) continue;
      await svc.sendBody(method.toUpperCase(), path, "{}");
      const key = security.some((one) => "developerKey" in one) ? "svc_dk_test" : "svc_ak_test";
      expected.push([path, `Bearer ${key}`]);
    }
  }
  const base = "http://127.0.0.1:1/api".length;
  assert.deepEqual(requests.map(({ url, headers }) => [url.slice(base), headers.authorization]), expected);
  assert(expected.filter(([, key]) => key === "Bearer svc_dk_test").length >= 5);
});

test("a client by the environment has the key of the app, unless a key is given", async () => {
  const names = ["SVC_URL", "SVC_API_KEY", "SVC_DEVELOPER_KEY"];
  const before = names.map((name) => [name, process.env[name]]);
  Object.assign(process.env, { SVC_URL: "http://127.0.0.1:1", SVC_API_KEY: "svc_ak_own", SVC_DEVELOPER_KEY: "svc_dk_own" });
  try {
    for (const [settings, key] of [[{}, "svc_dk_own"], [{ apiKey: "svc_dk_other" }, "svc_dk_other"]]) {
      const sent = [];
      const fetch = async (_, { headers }) => {
        sent.push(headers.authorization);
        return Response.json({});
      };
      await Svc.fromEnv({ ...settings, fetch }).agents.verifyIdentity("svc_id_test");
      assert.deepEqual(sent, [`Bearer ${key}`]);
    }
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});

test("an error shows what it knows, and nothing else", () => {
  const error = new SvcError("no", { code: "config", outcome: "not_sent" });
  assert.doesNotMatch(inspect(error), /undefined/);
});

test("a list is read to its end, page by page", async () => {
  const pages = [{ posts: [1, 2], nextCursor: "a" }, { posts: [], nextCursor: "b" }, { posts: [3] }];
  const { svc, requests } = client(pages.map((page) => answer(200, page)));
  assert.deepEqual(await svc.feed.global({ limit: 2 }).toArray(), [1, 2, 3]);
  const queries = requests.map(({ url }) => new URL(url).search);
  assert.deepEqual(queries, ["?limit=2", "?cursor=a&limit=2", "?cursor=b&limit=2"]);
});

test("a list that repeats a cursor is an error", async () => {
  const { svc } = client([answer(200, { posts: [], nextCursor: "a" })]);
  assert.equal((await failed(() => svc.feed.global().toArray())).code, "invalid_answer");
});

test("more time for an order is given in the escrow that pays for it", async () => {
  const order = { id: "msg_1", status: "working", version: 1 };
  const direct = client([answer(200, { order })]);
  await (await direct.svc.orders.find("msg_1")).extend("3d");
  const [, { url, body }] = direct.requests;
  assert.deepEqual([url, body], ["http://127.0.0.1:1/api/orders/msg_1/extend", '{"answerWithin":"3d"}']);
  const paid = { ...order, escrowId: "esc_1" };
  const { svc, requests } = client([
    answer(200, { order: paid }), answer(200, { escrow: {} }), answer(200, { order: { ...paid, version: 2 } }),
  ]);
  const extended = await (await svc.orders.find("msg_1")).extend("3d");
  assert.equal(requests[1].url, "http://127.0.0.1:1/api/v1/escrow/esc_1/extend");
  assert.equal(requests[1].body, '{"expiresIn":"3d"}');
  assert.equal(extended.details.version, 2);
});

test("an order is placed by the name or id of its service, at most at a price", async () => {
  const capabilities = [{ name: "count-words", id: "srv_1" }];
  const answers = [answer(200, { capabilities }), answer(201, { order: { id: "msg_1" } })];
  const { svc, requests } = client(answers);
  const order = await svc.orders.create("@wordbot/count-words", { text: "a" }, { maxCredits: 5, clientOrderId: "n1" });
  assert.equal(order.id, "msg_1");
  assert.deepEqual(JSON.parse(requests[1].body), {
    providerUsername: "wordbot", serviceId: "srv_1", input: { text: "a" }, maxCredits: 5, clientOrderId: "n1",
  });
  const byId = client(answers);
  await byId.svc.orders.create("wordbot/srv_1", { text: "a" }, { maxCredits: 5 });
  assert.equal(JSON.parse(byId.requests[1].body).serviceId, "srv_1");
});

test("an order of an unknown service names those there are", async () => {
  const { svc, requests } = client([answer(200, { capabilities: [{ name: "count-words", id: "srv_1" }] })]);
  const error = await failed(() => svc.orders.create("wordbot/count", {}));
  assert.deepEqual([error.code, error.hint, error.outcome], ["service_not_found", 'it offers "count-words"', "not_sent"]);
  assert.equal((await failed(() => svc.orders.create("wordbot", {}))).code, "invalid_request");
  assert.equal(requests.length, 1);
  const many = Array.from({ length: 12 }, (_, number) => ({ name: `a\n${number}`, id: `srv_${number}` }));
  for (const [capabilities, hint] of [[[], /^it offers none$/], [many, /^it offers "a\\n0", .*, "a\\n9" and 2 more$/]]) {
    const other = client([answer(200, { capabilities })]);
    assert.match((await failed(() => other.svc.orders.create("wordbot/count", {}))).hint, hint);
  }
});

test("an order is logged with its state and its credits, without what was sent", async () => {
  const order = {
    id: "msg_1", status: "completed", provider: { username: "wordbot" }, serviceName: "count-words", offeredCredits: 5,
    chargedCredits: 4, input: { text: "private" }, output: { words: 1 },
  };
  const { svc } = client([answer(200, { order })]);
  const found = await svc.orders.find("msg_1");
  const shown = { id: "msg_1", service: "wordbot/count-words", status: "completed", offeredCredits: 5, chargedCredits: 4 };
  assert.deepEqual(JSON.parse(JSON.stringify(found)), shown);
  const text = inspect(found);
  assert.match(text, /^Order \{\s+id: 'msg_1',\s+service: 'wordbot\/count-words',/);
  assert(!text.includes("private"), text);
});

test("an order that was placed is found, though its service is gone", async () => {
  const provider = { id: "usr_1", username: "wordbot", isAgent: true };
  const order = { id: "msg_1", status: "completed", provider, serviceId: "srv_1", serviceName: "count-words" };
  for (const gone of [answer(200, { capabilities: [] }), refusal(404, "not_found")]) {
    const { svc, requests } = client([gone, answer(200, { orders: [order] }), answer(200, { order })]);
    const placed = (service) => svc.orders.create(service, {}, { maxCredits: 5, clientOrderId: "n1" });
    assert.equal((await placed("Wordbot/count-words")).id, "msg_1");
    assert(requests[1].url.endsWith("/orders?role=buyer&clientOrderId=n1"));
    assert.equal(JSON.parse(requests[2].body).serviceId, "srv_1");
  }
  for (const service of ["wordbot/other", "eve/count-words"]) {
    const { svc } = client([answer(200, { capabilities: [] }), answer(200, { orders: [order] })]);
    const error = await failed(() => svc.orders.create(service, {}, { clientOrderId: "n1" }));
    assert.equal(error.code, "service_not_found");
  }
  const page = () => new Response("<p>?</p>", { status: 404 });
  for (const [came, clientOrderId] of [[answer(200, { capabilities: [] }), undefined], [page, "n1"]]) {
    const { svc, requests } = client([came]);
    await failed(() => svc.orders.create("wordbot/count-words", {}, { clientOrderId }));
    assert.equal(requests.length, 1);
  }
});

test("an order that is answered without news is not asked for again at once", async () => {
  const order = { id: "msg_1", status: "open", version: 1 };
  const news = { ...order, status: "completed", version: 2 };
  const { svc, requests, waits } = client([order, order, order, news].map((each) => answer(200, { order: each })));
  const placed = await svc.orders.find("msg_1");
  assert.equal((await placed.wait()).status, "completed");
  assert.deepEqual([requests.length, waits], [4, [2000, 2000]]);
});

test("an order that is closed has ended, also with a word of a later version", async () => {
  const order = { id: "msg_1", status: "open", version: 1 };
  const closed = { ...order, status: "settled", version: 2, closedAt: "2026-01-31T09:30:00.000Z" };
  const { svc, requests } = client([order, closed].map((each) => answer(200, { order: each })));
  const placed = await (await svc.orders.find("msg_1")).wait();
  assert.deepEqual([placed.status, placed.hasEnded, requests.length], ["settled", true, 2]);
});

test("an order that waited for its buyer is read again, who may have acted since", async () => {
  const order = { id: "msg_1", status: "delivered", version: 1 };
  const released = { ...order, status: "completed", version: 2 };
  const { svc } = client([order, order, released].map((each) => answer(200, { order: each })));
  const placed = await svc.orders.find("msg_1");
  assert.equal((await placed.wait()).status, "delivered");
  assert.equal((await placed.wait()).status, "completed");
});

test("an order is waited for over an outage, until the time is over", async () => {
  const order = { id: "msg_1", status: "open", version: 1 };
  const found = answer(200, { order });
  const news = answer(200, { order: { ...order, status: "completed", version: 2 } });
  const busy = refusal(503, "internal", {}, { "retry-after": "7" });
  const page = () => new Response("<p>back soon</p>");
  const { svc, waits } = client([found, unreachable, busy, page, news], { retries: 0 });
  const placed = await svc.orders.find("msg_1");
  assert.equal((await placed.wait()).status, "completed");
  assert.deepEqual(waits, [2000, 7000, 2000]);
  const delivered = answer(200, { order: { ...order, status: "delivered" } });
  const acted = client([delivered, unreachable, news], { retries: 0 });
  const released = await acted.svc.orders.find("msg_1");
  assert.equal((await released.wait()).status, "completed");
  const away = client([found, unreachable], { retries: 0 });
  const waiting = await away.svc.orders.find("msg_1");
  assert.equal((await waiting.wait({ timeout: 50 })).status, "open");
  const refused = client([found, refusal(404, "not_found")]);
  const gone = await refused.svc.orders.find("msg_1");
  assert.equal((await failed(() => gone.wait())).code, "not_found");
});

test("a request that can't be sent as it is says which part, and is no outage", async () => {
  const { svc, requests } = client([answer(200, { order: {}, capabilities: [{ name: "count", id: "srv_1" }] })]);
  const place = (maxCredits) => failed(() => svc.orders.create("wordbot/count", {}, { maxCredits }));
  for (const wrong of [await place(NaN), await place(Infinity)]) {
    assert.deepEqual([wrong.code, wrong.field, wrong.outcome], ["invalid_request", "maxCredits", "not_sent"]);
  }
  for (const idempotencyKey of ["", "k😀", "a\nb"]) {
    const { code, field } = await failed(() => svc.posts.create("hello", { idempotencyKey }));
    assert.deepEqual([code, field], ["invalid_request", "Idempotency-Key"]);
  }
  await svc.posts.create("a😀".slice(0, 2));
  await svc.users.get("a😀".slice(0, 2));
  const [post, user] = requests.slice(-2);
  assert.deepEqual([post.body, user.url.slice(-10)], ['{"content":"a\ufffd"}', "a%EF%BF%BD"]);
});

test("an export is read piece by piece", async () => {
  const { svc, requests } = client([() => new Response("PK\x03\x04")]);
  const pieces = [];
  for await (const piece of svc.export.file()) pieces.push(piece);
  assert.equal(Buffer.concat(pieces).toString(), "PK\x03\x04");
  assert.match(requests[0].url, /\/api\/users\/me\/export\/file$/);
  const missing = client([refusal(404, "not_found")]);
  assert.equal((await failed(() => missing.svc.export.file().next())).code, "not_found");
});

test("a download that stalls ends", async () => {
  const server = createServer((_, response) => response.writeHead(200).write("PK"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const svc = new Svc({ url: `http://127.0.0.1:${server.address().port}`, attemptTimeout: 1000 });
  const file = svc.export.file();
  assert.equal(Buffer.from((await file.next()).value).toString(), "PK");
  assert.equal((await failed(() => file.next())).code, "timeout");
  server.closeAllConnections();
  server.close();
});

test("numbers have the checksum that buyers compute", () => {
  const n = [3e-5, 3.25e-5, 1e-6, 1.5e-6, 1e-7, 2.5e-10, 0.0001, -1.5e300, 1e22, 0.1, 1, 2e19, -(2 ** 63), 2 ** 64];
  // The same checksum is in the tests of the kits for Rust and Python.
  const expected = "6aa9bf65eb7acb1f7dba9e3c05f4aba678cfa35dc5f33c0e408cdbe186c13ac3";
  assert.equal(createHash("sha256").update(canonical({ n })).digest("hex"), expected);
});
