// What the types allow and refuse; compiled by a test, never run.

import { type Answers, Bot, Buyer, type Ctx, type Requests, type SpendLimit, Svc } from "@svc/sdk";

const bot = Bot.fromEnv({ journal: "types.journal" });
const tags = { type: "array", items: { enum: ["a", "b"] } } as const;
const input = { type: "object", properties: { text: { type: "string" }, tags }, required: ["text"] } as const;
const output = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] } as const;

bot.service("typed", { price: 1, input, output }, (cx, ask) => {
  const first: "a" | "b" | undefined = ask.tags?.[0];
  cx.charge(first === "a" ? 1 : 0);
  // @ts-expect-error: a text has no such member
  ask.text.nothing;
  // @ts-expect-error: a member that may be absent
  ask.tags.length;
  return { n: ask.text.length };
});

// @ts-expect-error: the output does not fit its schema
bot.service("wrong", { price: 1, output }, () => ({ n: "one" }));

const schema: Record<string, unknown> = JSON.parse("{}");
bot.service("loose", { price: 0, input: schema }, async (_: Ctx, ask: { text: string }) => ({ said: ask.text }));
bot.service("empty", { price: 0 }, () => {});

const svc = Svc.fromEnv();
// As `svc codegen` prints it.
interface Ask {
  text: string;
}
const ask: Ask = { text: "to be" };
const placed = await svc.orders.create("wordbot/count-words", ask);
await placed.input(ask);
bot.service("parts", {}, async (cx) => cx.partial(ask));
// @ts-expect-error: an input is an object
await svc.orders.create("wordbot/count-words", "to be");
const bought = await new Buyer(svc, { perDay: 5, only: "wordbot" }).order("wordbot/count-words", ask, { maxCredits: 5 });
(await bought.wait()).status satisfies string;
"perDay" satisfies SpendLimit;
// @ts-expect-error: a limit is a number of credits
new Buyer(svc, { perDay: "5" });
const order: Answers["ServiceOrder"] = (await svc.orders.get("msg_1")).order;
const later: typeof order.status = "a word of a newer server";
// @ts-expect-error: requests have known words only
const wrong: Requests["OrderStatus"] = "a word of a newer server";
// @ts-expect-error: a post needs a text
await svc.posts.create();
for await (const post of svc.feed.global()) post.author.username satisfies string;
console.log(later, wrong);
