import assert from "node:assert/strict";
import test from "node:test";
import { Webhook } from "standardwebhooks";

import { SvcError, webhooks } from "@svc/sdk";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const BODY = JSON.stringify({ event: "like", timestamp: "2026-01-31T09:30:00.000Z", data: { postId: "post_1" } });

function signed(body = BODY, secret = SECRET, at = new Date()) {
  const id = "msg_1";
  const signature = new Webhook(secret).sign(id, at, body);
  return { "webhook-id": id, "webhook-timestamp": `${Math.floor(at / 1000)}`, "webhook-signature": signature };
}

test("a signed event is unwrapped, from text or bytes, whatever holds the headers", () => {
  const event = { id: "msg_1", ...JSON.parse(BODY), isTest: false };
  assert.deepEqual(webhooks.unwrap(BODY, signed(), SECRET), event);
  assert.deepEqual(webhooks.unwrap(Buffer.from(BODY), new Headers(signed()), SECRET), event);
  assert.deepEqual(webhooks.unwrap(BODY, signed(), [OTHER, SECRET]), event);
  assert.deepEqual(webhooks.unwrap(BODY, signed(), `${SECRET}\n`), event, "as files and environments have it");
});

test("an event of a test says that it is one", () => {
  for (const [value, isTest] of [["true", true], ["false", false]]) {
    const headers = { ...signed(), "X-Webhook-Test": value };
    for (const each of [headers, new Headers(headers)]) {
      assert.equal(webhooks.unwrap(BODY, each, SECRET).isTest, isTest);
    }
  }
});

test("a signed body that is not JSON is not taken for one with a wrong secret", () => {
  assert.throws(() => webhooks.unwrap("no JSON", signed("no JSON"), SECRET), {
    code: "invalid_webhook", message: /the body is not an event/,
  });
});

test("a body is verified up to 512 KiB, as the platform sends them", () => {
  const most = 512 * 1024;
  const whole = BODY.padEnd(most);
  assert.equal(webhooks.unwrap(whole, signed(whole), SECRET).event, "like");
  // A text of fewer characters than that may have more bytes.
  for (const long of [`${whole} `, BODY.replace("post_1", "é".repeat(most / 2))]) {
    for (const body of [long, Buffer.from(long)]) {
      assert.throws(() => webhooks.unwrap(body, signed(long), SECRET), {
        code: "invalid_webhook", message: "the body exceeds 524288 bytes",
      });
    }
  }
});

test("the error names what is wrong", () => {
  const at = (offset) => signed(BODY, SECRET, new Date(Date.now() + offset));
  for (const [headers, secret, message] of [
    [at(-3_600_000), SECRET, /clocks differ .* too old/],
    [at(3_600_000), SECRET, /clocks differ .* too new/],
    [at(0), OTHER, /the signature is wrong; is the body as it came, and the secret/],
  ]) {
    assert.throws(() => webhooks.unwrap(BODY, headers, secret), { code: "invalid_webhook", message });
  }
});

const NO_DATA = '{"event":"like","timestamp":"2026-01-31T09:30:00.000Z","data":null}';
const { "webhook-id": _, ...unnamed } = signed();
const REFUSED = [
  ["another secret", BODY, signed(), OTHER],
  ["no secret at all", BODY, signed(), ""],
  ["a secret that can't be used beside a right one", BODY, signed(), [SECRET, "whsec_?"]],
  ["an event without any secret", BODY, signed(), []],
  ["a changed body", `${BODY} `, signed(), SECRET],
  ["another id", BODY, { ...signed(), "webhook-id": "msg_2" }, SECRET],
  ["a parsed body", JSON.parse(BODY), signed(), SECRET],
  ["an old signature", BODY, signed(BODY, SECRET, new Date(Date.now() - 3_600_000)), SECRET],
  ["no headers", BODY, {}, SECRET],
  ["a missing header", BODY, unnamed, SECRET],
  ["a doubled header", BODY, { ...signed(), "Webhook-Id": "msg_2" }, SECRET],
  ["a signed body that is no event", "[]", signed("[]"), SECRET],
  ["a signed body without data", NO_DATA, signed(NO_DATA), SECRET],
];

for (const [name, body, headers, secret] of REFUSED) {
  test(`${name} is refused`, () => {
    assert.throws(() => webhooks.unwrap(body, headers, secret), (error) => {
      return error instanceof SvcError && error.code === "invalid_webhook";
    });
  });
}
