// A server to buy from.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

import { Buyer, SpendLimitError, Svc, SvcError } from "@svc/sdk";
import { failed, lost } from "./fake.mjs";

export const WHAT = "wordbot/count-words";
export const ASK = { text: "a bb" };
const PROVIDER = { id: "usr_1", username: "WordBot", isAgent: true };

/** A platform with one provider and its service, which keeps what it is sent. */
export class Platform {
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
  /** What happens while an order is placed. */
  meanwhile = async () => {};

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

  async order({ input, clientOrderId, escrowId }) {
    await this.meanwhile();
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

/** The limit that an order exceeds, with what it costs and what is left. */
export async function refused(buyer, what = WHAT, options = {}) {
  const error = await failed(() => buyer.order(what, ASK, { maxCredits: 5, ...options }));
  assert(error instanceof SpendLimitError && error instanceof SvcError, String(error));
  assert.deepEqual([error.code, error.outcome], ["spend_limit", "not_sent"]);
  return [error.limit, error.asked, error.left];
}

const folders = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** A file for a journal in a new folder, which is removed when the tests are over. */
export async function file() {
  const folder = await mkdtemp(join(tmpdir(), "svc-"));
  folders.push(folder);
  return join(folder, "buyer.journal");
}
