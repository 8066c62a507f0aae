import assert from "node:assert/strict";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";

import { Buyer, SpendLimitError, Svc, SvcError } from "@svc/sdk";
import { failed, lost, refusal, unreachable } from "./fake.mjs";

const WHAT = "wordbot/count-words";
const ASK = { text: "a bb" };
const PROVIDER = { id: "usr_1", username: "WordBot", isAgent: true };

/** A platform with one provider and its service, which keeps what it is sent. */
class Platform {
  price = 5;
  orders = [];
  escrows = [];
  /** The escrows by their keys. */
  opened = new Map();
  /** Whether the balance covers no escrow. */
  isPoor = false;
  /** What comes in place of an order. */
  refusals = [];
  sent = [];

  buyer(limits) {
    const fetch = async (url, init) => this.answer(new URL(url), init);
    return new Buyer(new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", retries: 0, fetch }), limits);
  }

  answer({ pathname, searchParams }, { method, body, headers }) {
    const path = pathname.replace(/^\/api/, "");
    this.sent.push(`${method} ${path}`);
    const given = JSON.parse(body ?? "{}");
    if (path.endsWith("/capabilities")) {
      return Response.json({ capabilities: [{ id: "srv_1", name: "count-words", priceCredits: this.price }] });
    }
    if (path.startsWith("/users/")) return Response.json({ user: PROVIDER });
    if (path === "/orders" && method === "POST") return this.order(given);
    if (path === "/orders") {
      const id = searchParams.get("clientOrderId");
      return Response.json({ orders: this.orders.filter((it) => id === null || it.clientOrderId === id) });
    }
    if (path.startsWith("/orders/")) return Response.json({ order: this.orders.find(({ id }) => path.endsWith(id)) });
    if (path === "/v1/escrow" && method === "POST") {
      const key = headers["idempotency-key"];
      const status = this.isPoor ? "created" : "funded";
      if (!this.opened.has(key)) {
        const id = `esc_${this.escrows.length}`;
        this.escrows.push({ ...given, id, providerUsername: "wordbot", createdAt: new Date().toISOString(), status });
        this.opened.set(key, this.escrows.at(-1));
      }
      return Response.json({ escrow: this.opened.get(key) });
    }
    if (path === "/v1/escrow") {
      const status = searchParams.get("status");
      return Response.json({ escrows: this.escrows.filter((it) => status === null || it.status === status) });
    }
    const escrow = this.escrows.find(({ id }) => path.includes(id));
    if (path.endsWith("/cancel")) escrow.status = "cancelled";
    return Response.json({ escrow });
  }

  order({ input, clientOrderId, escrowId }) {
    const refused = this.refusals.shift();
    if (refused !== undefined && refused !== lost) return refused();
    this.orders.push({
      id: `msg_${this.orders.length}`, status: "open", version: 1, provider: PROVIDER, serviceId: "srv_1",
      serviceName: "count-words", input, clientOrderId, escrowId, offeredCredits: this.price,
      createdAt: new Date().toISOString(),
    });
    return refused?.() ?? Response.json({ order: this.orders.at(-1) }, { status: 201 });
  }

  /** Ends the latest order. */
  end(status, more = {}) {
    Object.assign(this.orders.at(-1), { status, closedAt: new Date().toISOString(), version: 2, ...more });
  }

  get placed() {
    return this.sent.filter((it) => it === "POST /orders").length;
  }
}

async function refused(buyer, what = WHAT, options = {}) {
  const error = await failed(() => buyer.order(what, ASK, { maxCredits: 5, ...options }));
  assert(error instanceof SpendLimitError && error instanceof SvcError, String(error));
  assert.deepEqual([error.code, error.outcome], ["spend_limit", "not_sent"]);
  return [error.limit, error.asked, error.left];
}

async function file() {
  return join(await mkdtemp(join(tmpdir(), "svc-")), "buyer.journal");
}

test("an order beyond any limit of its buyer sends nothing", async () => {
  const platform = new Platform();
  const cases = [
    ["perOrder", { perOrder: 3 }, 3],
    ["perDay", { perDay: 2 }, 2],
    ["perProvider", { perDay: 9, perProvider: 1 }, 1],
    ["only", { only: ["@Paintbot"] }, 0],
    ["only", { only: "paintbot" }, 0],
  ];
  for (const [name, limits, left] of cases) assert.deepEqual(await refused(platform.buyer(limits)), [name, 5, left]);
  assert.deepEqual(await refused(platform.buyer(), WHAT, { maxCredits: 4 }), ["maxCredits", 5, 4]);
  assert.deepEqual(await refused(platform.buyer(), WHAT, { maxCredits: undefined }), ["maxCredits", 5, 0]);
  assert.deepEqual(platform.sent.filter((it) => it.startsWith("POST")), []);
});

test("the error of a limit says what it leaves", async () => {
  const platform = new Platform();
  platform.price = 0.25;
  const error = await failed(() => platform.buyer({ perDay: 0.1 }).order(WHAT, ASK, { maxCredits: 1 }));
  assert.equal(error.message, "the order costs 0.25 credits, and perDay leaves 0.1");
});

test("limits of a buyer hold after a restart and for another process", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
  const [platform, journal] = [new Platform(), await file()];
  await platform.buyer({ journal, perDay: 8 }).order(WHAT, ASK, { maxCredits: 5 });
  assert.equal((await stat(journal)).mode & 0o777, 0o600);
  const again = platform.buyer({ journal, perDay: 8 });
  assert.deepEqual(await refused(again), ["perDay", 5, 3]);
  t.mock.timers.setTime(1_800_000_000_000 + 24 * 3600 * 1000 - 1);
  assert.deepEqual(await refused(again), ["perDay", 5, 3]);
  t.mock.timers.setTime(1_800_000_000_000 + 24 * 3600 * 1000);
  await again.order(WHAT, ASK, { maxCredits: 5 });
  assert.equal(platform.placed, 2);
});

test("a provider counts the same by name and by id", async () => {
  const buyer = new Platform().buyer({ perProvider: 8, only: ["WordBot"] });
  await buyer.order("usr_1/count-words", ASK, { maxCredits: 5 });
  assert.deepEqual(await refused(buyer, "@WORDBOT/count-words"), ["perProvider", 5, 3]);
});

test("what is returned or not charged may be spent again", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 5 });
  for (const status of ["rejected", "error", "expired", "cancelled"]) {
    const order = await buyer.order(WHAT, ASK, { maxCredits: 5 });
    assert.deepEqual(await refused(buyer), ["perDay", 5, 0]);
    platform.end(status);
    assert.equal((await order.wait()).status, status);
  }
  const order = await buyer.order(WHAT, ASK, { maxCredits: 5 });
  platform.end("completed", { chargedCredits: 2 });
  await order.wait();
  assert.deepEqual(await refused(buyer), ["perDay", 5, 3]);
});

test("an order that ended in a way of a later platform still counts", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 5 });
  const order = await buyer.order(WHAT, ASK, { maxCredits: 5 });
  platform.end("halved");
  await order.wait();
  assert.deepEqual(await refused(buyer), ["perDay", 5, 0]);
});

test("a refused order costs nothing, and one whose answer was lost counts", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 5 });
  platform.refusals = [refusal(409, "insufficient_credits")];
  await failed(() => buyer.order(WHAT, ASK, { maxCredits: 5 }));
  platform.refusals = [lost];
  const options = { maxCredits: 5, clientOrderId: "notes-1" };
  assert.equal((await failed(() => buyer.order(WHAT, ASK, options))).outcome, "unknown");
  assert.deepEqual(await refused(buyer), ["perDay", 5, 0]);
  const found = await buyer.order(WHAT, ASK, options);
  assert.deepEqual([found.id, platform.orders.length], ["msg_0", 1]);
});

test("an id is ordered once, whatever the limits are later", async () => {
  const [platform, journal] = [new Platform(), await file()];
  const options = { maxCredits: 5, clientOrderId: "a" };
  const { id } = await platform.buyer({ journal }).order(WHAT, ASK, options);
  platform.end("completed", { chargedCredits: 5 });
  for (const again of [platform.buyer({ journal, perDay: 1 }), platform.buyer({ perDay: 1 })]) {
    const order = await again.order("@WordBot/count-words", ASK, options);
    assert.deepEqual([order.id, order.status], [id, "completed"]);
    assert.deepEqual(await refused(again), ["perDay", 5, 0]);
    const error = await failed(() => again.order(WHAT, { text: "other" }, options));
    assert.equal(error.code, "idempotency_conflict");
  }
  assert.equal(platform.placed, 1);
});

test("what was spent elsewhere counts after catching up", async () => {
  const platform = new Platform();
  await platform.buyer().order(WHAT, ASK, { maxCredits: 5 });
  await platform.buyer({ escrowFrom: 5 }).order(WHAT, ASK, { maxCredits: 5 });
  const buyer = platform.buyer({ perDay: 14 });
  await buyer.catchUp();
  await buyer.catchUp();
  assert.deepEqual(await refused(buyer), ["perDay", 5, 4]);
});

test("concurrent orders never exceed a limit together", async () => {
  const [platform, journal] = [new Platform(), await file()];
  const order = () => platform.buyer({ journal, perDay: 25 }).order(WHAT, ASK, { maxCredits: 5 });
  const ended = await Promise.allSettled(Array.from({ length: 12 }, order));
  const left = ended.filter(({ status }) => status === "rejected").map(({ reason }) => reason.left);
  assert.deepEqual([platform.placed, left], [5, Array(7).fill(0)]);
});

test("large and small credits of a buyer are exact", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 2e9, escrowFrom: 1e10 });
  for (const price of [999_999_999.999999, 0.000001, 1e9]) {
    platform.price = price;
    await buyer.order(WHAT, ASK, { maxCredits: 1e9 });
  }
  platform.price = 0.000001;
  assert.deepEqual(await refused(buyer), ["perDay", 0.000001, 0]);
});

test("wrong limits, ids and journals of a buyer are refused", async () => {
  const platform = new Platform();
  for (const wrong of [{ perDay: -1 }, { perOrder: NaN }, { perProvider: "ten" }]) {
    assert.equal((await failed(() => platform.buyer(wrong))).field, Object.keys(wrong)[0]);
  }
  for (const clientOrderId of ["", "a b", "x".repeat(59)]) {
    const error = await failed(() => platform.buyer().order(WHAT, ASK, { maxCredits: 5, clientOrderId }));
    assert.equal(error.field, "clientOrderId");
  }
  const journal = await file();
  await writeFile(journal, '{"is":"order","id":"msg_1"}\n');
  const error = await failed(() => platform.buyer({ journal }).order(WHAT, ASK, { maxCredits: 5 }));
  assert.match(error.message, /no journal of a buyer/);
  assert.equal(platform.placed, 0);
});

test("a line of a buyer's journal that a crash cut off is dropped", async () => {
  const [platform, journal] = [new Platform(), await file()];
  await platform.buyer({ journal, perDay: 8 }).order(WHAT, ASK, { maxCredits: 5 });
  await writeFile(journal, '{"id":"half', { flag: "a" });
  assert.deepEqual(await refused(platform.buyer({ journal, perDay: 8 })), ["perDay", 5, 3]);
  await platform.buyer({ journal }).order(WHAT, ASK, { maxCredits: 5 });
  assert.deepEqual(await refused(platform.buyer({ journal, perDay: 12 })), ["perDay", 5, 2]);
  assert(!(await readFile(journal, "utf8")).includes("half"));
});

test("an escrow pays from a price on, and its end decides the cost", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 9, escrowFrom: 5 });
  const order = await buyer.order(WHAT, ASK, { maxCredits: 5, clientOrderId: "big" });
  const [escrow] = platform.escrows;
  assert.equal(escrow.description, "count-words (order big)");
  assert.equal(order.details.escrowId, escrow.id);
  Object.assign(escrow, { status: "released", closeReason: "split", split: { providerAmount: 2 } });
  platform.end("completed", { chargedCredits: 2 });
  await order.wait();
  await buyer.order(WHAT, ASK, { maxCredits: 5, escrow: false });
  assert.deepEqual(await refused(buyer), ["perDay", 5, 2]);
});

test("the escrow of an order that was rejected is cancelled", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 5, escrowFrom: 5 });
  const order = await buyer.order(WHAT, ASK, { maxCredits: 5 });
  platform.end("rejected");
  await order.wait();
  assert.equal(platform.escrows[0].status, "cancelled");
  await buyer.order(WHAT, ASK, { maxCredits: 5 });
});

test("a refused order leaves no escrow and frees its credits", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 5 });
  platform.refusals = [refusal(422, "input_schema_mismatch")];
  await failed(() => buyer.order(WHAT, ASK, { maxCredits: 5, escrow: true }));
  assert.equal(platform.escrows[0].status, "cancelled");
  await buyer.order(WHAT, ASK, { maxCredits: 5, escrow: true });
});

test("an escrow stays for an order that can be sent again, and no other", async () => {
  for (const [clientOrderId, status, left] of [["big", "funded", 0], [undefined, "cancelled", 5]]) {
    const platform = new Platform();
    const buyer = platform.buyer({ perDay: 5 });
    platform.refusals = [refusal(503, "unavailable")];
    const error = await failed(() => buyer.order(WHAT, ASK, { maxCredits: 5, escrow: true, clientOrderId }));
    assert.deepEqual([error.status, platform.escrows[0].status], [503, status]);
    platform.price = 6;
    assert.deepEqual(await refused(buyer, WHAT, { maxCredits: 6 }), ["perDay", 6, left]);
  }
});

test("an escrow that the balance did not cover is opened again under the same id", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 5 });
  const options = { maxCredits: 5, escrow: true, clientOrderId: "big" };
  platform.isPoor = true;
  assert.equal((await failed(() => buyer.order(WHAT, ASK, options))).code, "insufficient_credits");
  assert.equal(platform.escrows[0].status, "cancelled");
  platform.isPoor = false;
  await buyer.order(WHAT, ASK, options);
  assert.deepEqual(platform.escrows.map(({ status }) => status), ["cancelled", "funded"]);
});

test("a run that ended behind the escrow is continued with it", async () => {
  const platform = new Platform();
  platform.refusals = [unreachable];
  const options = { maxCredits: 5, clientOrderId: "big", escrow: true };
  const error = await failed(() => platform.buyer({ perDay: 5 }).order(WHAT, ASK, options));
  assert.equal(error.outcome, "not_sent");
  assert.equal(platform.escrows[0].status, "funded");
  await platform.buyer({ perDay: 5 }).order(WHAT, ASK, options);
  assert.deepEqual([platform.escrows.length, platform.orders.length], [1, 1]);
});
