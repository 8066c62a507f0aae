import assert from "node:assert/strict";
import test from "node:test";

import { ASK, Platform, refused, WHAT } from "./buying.mjs";
import { failed, refusal, unreachable } from "./fake.mjs";

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

test("a time for the answer is refused before an escrow is opened", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 5, escrowFrom: 5 });
  const options = { maxCredits: 5, answerWithin: "1h" };
  const error = await failed(() => buyer.order(WHAT, ASK, options));
  assert.deepEqual([error.field, error.outcome, platform.escrows], ["answerWithin", "not_sent", []]);
  await buyer.order(WHAT, ASK, { ...options, escrow: false });
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

test("an earlier escrow under the same id does not free what pays now", async () => {
  for (const escrow of [true, false]) {
    const platform = new Platform();
    const buyer = platform.buyer({ perDay: 9 });
    platform.isPoor = true;
    await failed(() => buyer.order(WHAT, ASK, { maxCredits: 5, escrow: true, clientOrderId: "big" }));
    platform.isPoor = false;
    await buyer.order(WHAT, ASK, { maxCredits: 5, escrow, clientOrderId: "big" });
    platform.escrows.reverse(); // newest first
    for (const limited of [buyer, platform.buyer({ perDay: 9 })]) {
      await limited.catchUp();
      assert.deepEqual(await refused(limited), ["perDay", 5, 4]);
    }
  }
});

test("an order that is begun again elsewhere counts from then", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 9 });
  const options = { maxCredits: 5, clientOrderId: "big" };
  platform.refusals = [refusal(422, "input_schema_mismatch")];
  await failed(() => buyer.order(WHAT, ASK, { ...options, escrow: true }));
  t.mock.timers.setTime(1_800_000_000_000 + 2 * 24 * 3600 * 1000);
  await platform.buyer().order(WHAT, ASK, options);
  await buyer.catchUp();
  assert.deepEqual(await refused(buyer), ["perDay", 5, 4]);
});

test("two escrows under the same id both count", async () => {
  const platform = new Platform();
  const buyer = platform.buyer({ perDay: 14 });
  await buyer.order(WHAT, ASK, { maxCredits: 5, escrow: true, clientOrderId: "big" });
  platform.escrows.unshift({ ...platform.escrows[0], id: "esc_hand" });
  for (let run = 0; run < 2; run += 1) await buyer.catchUp();
  assert.deepEqual(await refused(buyer), ["perDay", 5, 4]);
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
