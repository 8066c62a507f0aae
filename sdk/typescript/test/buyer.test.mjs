import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import test from "node:test";

import { ASK, file, Platform, refused, WHAT } from "./buying.mjs";
import { failed, lost, refusal } from "./fake.mjs";

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

test("a provider given by id counts by name for a program that limits providers", async () => {
  const [platform, journal] = [new Platform(), await file()];
  await platform.buyer({ journal }).order("usr_1/count-words", ASK, { maxCredits: 5 });
  assert.deepEqual(await refused(platform.buyer({ journal, perProvider: 8 })), ["perProvider", 5, 3]);
});

test("a higher price counts while an earlier run may still pay it", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 10 });
  for (const price of [8, 3]) {
    platform.price = price;
    platform.refusals = [lost];
    await failed(() => buyer.order(WHAT, ASK, { maxCredits: 8, clientOrderId: "a" }));
    platform.orders = []; // It has yet to reach the server.
  }
  assert.deepEqual(await refused(buyer), ["perDay", 3, 2]);
});

test("an order whose end was never seen leaves the journal of a buyer and is found by its id", async () => {
  const [platform, journal] = [new Platform(), await file()];
  const buyer = platform.buyer({ journal });
  const first = await buyer.order(WHAT, ASK, { maxCredits: 5, clientOrderId: "a" });
  const [head, placed] = (await readFile(journal, "utf8")).split("\n");
  const old = { ...JSON.parse(placed), createdAt: Date.now() - 8 * 24 * 3600 * 1000 };
  const lines = Array.from({ length: 1_100 }, (_, n) => JSON.stringify({ ...old, id: n === 0 ? "a" : `a${n}` }));
  await writeFile(journal, `${[head, ...lines].join("\n")}\n`);
  await buyer.order(WHAT, ASK, { maxCredits: 5, clientOrderId: "b" });
  const kept = (await readFile(journal, "utf8")).split("\n").slice(1, -1).map((line) => JSON.parse(line).id);
  assert.deepEqual(new Set(kept), new Set(["b"]));
  assert.equal((await buyer.order(WHAT, ASK, { maxCredits: 5, clientOrderId: "a" })).id, first.id);
});

test("an order that was placed is returned even if the journal of its buyer fails then", async () => {
  const [platform, journal] = [new Platform(), await file()];
  let text;
  platform.meanwhile = async () => {
    text = await readFile(journal, "utf8");
    await writeFile(journal, "damaged\n");
  };
  const order = await platform.buyer({ journal, perDay: 8 }).order(WHAT, ASK, { maxCredits: 5, escrow: true });
  await writeFile(journal, text);
  assert.deepEqual([order.id, platform.escrows[0].status], ["msg_0", "funded"]);
  assert.deepEqual(await refused(platform.buyer({ journal, perDay: 8 })), ["perDay", 5, 3]);
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

test("an order whose text ends within an emoji is found by its id", async () => {
  const platform = new Platform();
  const text = "waves \u{1f30a}".slice(0, 7);
  const options = { maxCredits: 5, clientOrderId: "a" };
  const { id } = await platform.buyer().order(WHAT, { text }, options);
  assert.equal((await platform.buyer().order(WHAT, { text }, options)).id, id);
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

test("one of many programs takes the journal of a buyer that was killed", async () => {
  for (let round = 0; round < 5; round += 1) {
    const [platform, journal] = [new Platform(), await file()];
    for (const name of ["lock", "lock.clear"]) await writeFile(`${journal}.${name}`, `4194305 1 ${"0".repeat(12)}`);
    const order = () => platform.buyer({ journal, perDay: 25 }).order(WHAT, ASK, { maxCredits: 5 });
    const ended = await Promise.allSettled(Array.from({ length: 8 }, order));
    const limits = ended.filter(({ status }) => status === "rejected").map(({ reason }) => reason.code);
    assert.deepEqual([platform.placed, limits], [5, Array(3).fill("spend_limit")]);
  }
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
