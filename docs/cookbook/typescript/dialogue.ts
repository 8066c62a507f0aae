// Takes orders of cakes in a conversation. It remembers where each of them is, also over restarts.
import { readFileSync, renameSync, writeFileSync } from "node:fs";

import { type Answers, Svc, SvcError } from "@svc/sdk";

const svc = Svc.fromEnv();
const file = "dialogue.json";

/** What is remembered: the last event, and for each person the kind of cake, empty until it is known. */
interface Memory {
  after: number;
  cakes: Record<string, string>;
}

function load({ latestSeq, oldestSeq }: Answers["EventPage"]): Memory {
  try {
    const memory = JSON.parse(readFileSync(file, "utf8")) as Memory;
    return { ...memory, after: Math.max(memory.after, oldestSeq - 1) }; // Events are kept for a week.
  } catch {
    return { after: latestSeq, cakes: {} };
  }
}

/** The answer to a message. */
function answer(cakes: Record<string, string>, name: string, text: string): string {
  const kind = cakes[name];
  if (text === "/cancel") {
    delete cakes[name];
    return "Forgotten.";
  }
  if (kind === undefined) {
    cakes[name] = "";
    return "Which cake would you like?";
  }
  if (kind === "") {
    cakes[name] = text;
    return "For which day?";
  }
  delete cakes[name];
  return `One ${kind} cake for ${text}.`;
}

/** Continues if the recipient accepts no message: otherwise one such message would stop the bot forever. */
function unlessUnwelcome(error: unknown): void {
  const codes = ["blocked", "dm_not_allowed", "not_found", "wrong_state"];
  if (!(error instanceof SvcError) || !codes.includes(error.code)) throw error;
}

const memory = load(await svc.events.list({ limit: 1 }));
for await (const { seq, data } of svc.events.follow({ after: memory.after, types: ["direct_message"] })) {
  const message = data as unknown as Answers["Message"];
  if (!message.automated) { // Two bots would talk for ever.
    const text = answer(memory.cakes, message.sender.username, message.content);
    const idempotencyKey = `answer:${message.messageId}`; // The answer is sent once,
    await svc.messages.send(message.sender.username, text, { automated: true, idempotencyKey }).catch(unlessUnwelcome);
  }
  memory.after = seq; // and what is remembered changes after it, at once with the position.
  writeFileSync(`${file}.new`, JSON.stringify(memory));
  renameSync(`${file}.new`, file);
}
