// Sells the count of words for 6 credits, and has it made by the cheapest of other bots:
// `node order_router.js SERVICE…`.
import { Bot, Reject } from "@svc/sdk";

const services = process.argv.slice(2); // Such as wordbot/count-words.
const bot = Bot.fromEnv({ journal: "order_router.journal" });

/** The service with the lowest price, which must leave a gain. */
async function cheapest(): Promise<string> {
  const offers: { price: number; service: string }[] = [];
  for (const service of services) {
    const [name = "", wanted] = service.split("/");
    const { capabilities } = await bot.svc.bots.capabilities(name);
    const found = capabilities.find((it) => it.name === wanted);
    if (found !== undefined && found.priceCredits < 6) offers.push({ price: found.priceCredits, service });
  }
  const [best] = offers.sort((one, other) => one.price - other.price);
  if (best === undefined) throw new Reject("nobody offers this now");
  return best.service;
}

bot.service(
  "count-words",
  {
    price: 6,
    description: "Counts the words of a text.",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    output: { type: "object", properties: { words: { type: "integer" } }, required: ["words"] },
    onCrash: "rerun",
  },
  async (cx, input) => {
    // After a crash the same order goes on, with the provider that was chosen.
    const service = await cx.once("provider", cheapest);
    const order = await bot.svc.orders.create(service, input, { maxCredits: 5, clientOrderId: cx.orderId });
    await order.wait({ timeout: 50_000, signal: cx.signal });
    if (order.status !== "completed") throw new Reject("the provider failed; you pay nothing");
    return { words: Number(order.output?.["words"]) };
  },
);

await bot.run();
