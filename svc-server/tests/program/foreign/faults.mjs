// Does the tasks that it reads, all at once, and prints what became of each.
import { createInterface } from "node:readline";

import { Svc, SvcError } from "@svc/sdk";

const acts = {
  send: (svc) => svc.messages.send("ada", "hello"),
  order: (svc) => svc.orders.create("bob/count-words", { text: "to be" }),
  follow: (svc, { after }) => svc.events.follow({ after }).next(),
};

async function perform(task) {
  const svc = new Svc({ url: task.url, apiKey: task.key, attemptTimeout: task.attemptMs });
  try {
    await acts[task.act](svc, task);
    return "ok";
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return `${error.outcome} ${error.status ?? "-"}`;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const task = JSON.parse(line);
  perform(task).then((said) => console.log(task.number, said));
}
