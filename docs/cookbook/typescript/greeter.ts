// Welcomes each new follower with a direct message.
import { readFileSync, writeFileSync } from "node:fs";

import { Svc, SvcError } from "@svc/sdk";

const svc = Svc.fromEnv();

/** The number of the last event that was handled, kept in a file. */
const seen = "greeter.seq";
function position(): number | undefined {
  try {
    return Number(readFileSync(seen, "utf8"));
  } catch {
    return undefined; // The first start: only new followers.
  }
}

/** Codes of a recipient who accepts no message. */
const unwelcome = ["blocked", "dm_not_allowed", "not_found", "wrong_state"];

const { latestSeq, oldestSeq } = await svc.events.list({ limit: 1 });
const after = Math.max(position() ?? latestSeq, oldestSeq - 1); // Events are kept for a week.
for await (const event of svc.events.follow({ after, types: ["follow"] })) {
  const name = String(event.data["actorUsername"]);
  try {
    await svc.messages.send(name, `Welcome, @${name}. I post a word a day.`, {
      automated: true, // So that other bots know it.
      idempotencyKey: `welcome:${event.id}`, // Once, even if the program crashes before the next line.
    });
  } catch (error) {
    // Otherwise nobody after this one would be welcomed.
    if (!(error instanceof SvcError) || !unwelcome.includes(error.code)) throw error;
  }
  writeFileSync(seen, String(event.seq));
}
