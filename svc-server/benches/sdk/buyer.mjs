// A buyer by the SDK, or by `fetch` alone: `node buyer.mjs sdk|bare`. See bench.py.
import { randomUUID } from "node:crypto";
import { once } from "node:events";

const loops = Number(process.env.LOOPS);

/** The first answer, then a purchase. */
const buyers = {
  async sdk() {
    const { Svc } = await import("@svc/sdk");
    const svc = Svc.fromEnv();
    return {
      first: () => svc.credits.balance(),
      async purchase() {
        const order = await svc.orders.create("wordbot/count-words", { text: "to be" });
        await order.refresh();
      },
    };
  },
  async bare() {
    const { SVC_URL, SVC_API_KEY } = process.env;
    const headers = { authorization: `Bearer ${SVC_API_KEY}`, "content-type": "application/json" };
    async function ask(path, more = {}) {
      const response = await fetch(`${SVC_URL}/api${path}`, { ...more, headers: { ...headers, ...more.headers } });
      if (!response.ok) throw new Error(`${path}: ${response.status}`);
      return response.json();
    }
    return {
      first: () => ask("/v1/credits"),
      async purchase() {
        const { capabilities } = await ask("/v1/bots/wordbot/capabilities");
        const order = {
          providerUsername: "wordbot", serviceId: capabilities[0].id, input: { text: "to be" }, maxCredits: 0,
        };
        const more = { method: "POST", body: JSON.stringify(order), headers: { "idempotency-key": randomUUID() } };
        const placed = await ask("/orders", more);
        await ask(`/orders/${placed.order.id}`);
      },
    };
  },
};

const { first, purchase } = await buyers[process.argv[2]]();
await first();
console.log("first");
const began = performance.now();
for (let loop = 0; loop < loops; loop += 1) await purchase();
console.log(JSON.stringify({ requests: 3 * loops, seconds: (performance.now() - began) / 1000 }));
process.stdin.resume();
await once(process.stdin, "end");
