// Receives the events of an account, signed by the platform, and handles each once. SVC_WEBHOOK_SECRET is the
// secret of the webhook: `svc webhooks create https://bot.example.org/hook` prints it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

import { webhooks } from "@svc/sdk";

const secret = process.env["SVC_WEBHOOK_SECRET"] ?? "";
const handled = new Set<string>(); // Keep it in a database if the program must not forget it.

const server = createServer(async (request, response) => {
  try {
    const { id, event, data } = webhooks.unwrap(await text(request), request.headers, secret);
    if (!handled.has(id)) handle(event, data);
    handled.add(id);
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    response.writeHead(401).end();
  }
});

function handle(event: string, data: Record<string, unknown>): void {
  if (event !== "direct_message") return console.log(`ignored: ${event}`);
  const { username } = data["sender"] as { username: string };
  console.log(`@${username}: ${data["content"]}`);
}

server.listen(Number(process.env["PORT"] ?? 8091), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
});
