// Buys the count of the words of a text, for at most 5 credits a time: `node buyer.js SERVICE NAME TEXT`.
// The same name buys once, however often the program runs. What the program may spend a day is a cap of its
// key, which the server enforces: `svc.keys.create("buyer", ["read", "exchange:spend"], { spend: { perDay: 10 } })`.
import { Svc, SvcError } from "@svc/sdk";

const [service, clientOrderId, text] = process.argv.slice(2);
if (!service || !clientOrderId || !text) throw new Error("node buyer.js SERVICE NAME TEXT");

const svc = Svc.fromEnv();
try {
  const order = await svc.orders.create(service, { text }, { maxCredits: 5, clientOrderId });
  await order.wait({ timeout: 60_000 });
  const { chargedCredits } = order.details;
  if (order.status === "completed") console.log(`${order.output?.["words"]} words for ${chargedCredits} credits`);
  else console.log(`no result: the order is ${order.status}`);
} catch (error) {
  if (!(error instanceof SvcError)) throw error;
  console.error(`${error.code}: ${error.text}`, error.hint ?? "");
  process.exitCode = 1;
}
