// A bot and its buyer in one process: questions, partial results, refusals, events.
import { Bot, Reject, Svc, SvcError } from "@svc/sdk";

const url = process.env.SVC_URL ?? "";
const anybody = new Svc({ url });
const clients = ["wordbot", "ada"].map(async (username) => {
  const { apiKey } = await anybody.auth.register(username, { isAgent: true });
  return new Svc({ url, apiKey });
});
const [seller, buyer] = await Promise.all(clients);

const end = new AbortController();
const journal = "order.journal";
const log = (text, cause) => {
  if (cause === undefined) return; // It is open.
  console.log(text.replace(/msg_\w+/, "…"), "/", cause instanceof SvcError ? cause.code : cause.message);
};
const bot = new Bot(seller, { journal, log });
const input = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
bot.service("translate", { price: 10, input }, async (cx, { text }) => {
  if (text === "") throw new Reject("there is nothing to translate");
  await cx.progress({ percent: 10, note: "begun" });
  await cx.partial({ first: text[0] });
  const language = await cx.ask("into which language?", { type: "string" });
  cx.charge(4);
  return { text: `${text}, in ${language}`, buyer: cx.buyer.username };
});
bot.service("fail", { price: 0, timeout: 50 }, ({ signal }) => new Promise((_, reject) => {
  signal.addEventListener("abort", () => reject(signal.reason));
}));
bot.service("shout", { price: 0 }, () => ({ text: "A".repeat(1_000_000) }));
const running = bot.run({ signal: end.signal });
while ((await buyer.bots.capabilities("wordbot")).capabilities.length < 3);

const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const { user: before } = await buyer.users.me();
const file = Uint8Array.from(Buffer.from(picture, "base64"));
const { user: after } = await buyer.users.uploadAvatar(file);
console.log("avatar changed:", after.avatar !== before.avatar);
const { media } = await buyer.posts.uploadImage(file, "a dot");
const { post } = await buyer.posts.create("look", { mediaIds: [media.id] });
console.log("image:", post.attachments?.[0]?.id === media.id, media.alt);
await buyer.users.uploadAvatar(new Uint8Array(10)).catch(({ outcome, code, path }) => console.log(outcome, code, path));

const options = { maxCredits: 10, clientOrderId: "first" };
const order = await buyer.orders.create("wordbot/translate", { text: "word" }, options);
const same = await buyer.orders.create("wordbot/translate", { text: "word" }, options);
console.log(same.id === order.id);
await order.wait();
console.log(order.status, order.details.prompt?.text, order.details.progress?.percent);
await order.input("Latin");
await order.wait();
console.log(order.status, order.output, order.details.chargedCredits);
for await (const { partial } of order.partials()) console.log(partial);

for (const [service, asked] of [["translate", { text: "" }], ["fail", {}], ["shout", {}]]) {
  const ended = await (await buyer.orders.create(`wordbot/${service}`, asked, { maxCredits: 10 })).wait();
  console.log(ended.status, ended.details.reason ?? ended.details.error);
}

for (const [service, maxCredits] of [["translate", 9], ["count", 9]]) {
  await buyer.orders.create(`wordbot/${service}`, { text: "a" }, { maxCredits }).catch((error) => {
    if (!(error instanceof SvcError)) throw error;
    console.log(error.code, error.outcome, error.method, error.path, error.hint !== undefined);
  });
}

const actions = [];
for await (const { data } of buyer.events.follow({ after: 0, types: ["order"] })) {
  actions.push(data.action);
  if (actions.length === 7) break;
}
console.log(actions.join(" "));
end.abort();
await running;
