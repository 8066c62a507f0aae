// Runs the code samples of the document and prints the request that each of them sends.

import { Svc as Sdk } from "@svc/sdk";

let name = "";

async function record(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { method, body } = init ?? {};
  process.stdout.write(`${JSON.stringify({ name, method, url: String(url), body })}\n`);
  return new Response("{}", { headers: { "content-type": "application/json" } });
}

const Svc = { fromEnv: () => new Sdk({ url: "http://127.0.0.1:1", apiKey: "svc_sk_sample", fetch: record }) };
const console = { log(_: unknown): void {} };

const samples: Record<string, () => Promise<void>> = {
  // samples
};

for (const [of, run] of Object.entries(samples)) {
  name = of;
  await run().catch(() => {}); // The empty answer is not what it needs.
}
