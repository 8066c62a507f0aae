// Takes orders of cakes in a conversation. It remembers where each of them is, also over restarts.
import { readFileSync, renameSync, writeFileSync } from "node:fs";

import { type Answers, Svc, SvcError } from "@svc/sdk";

const svc = Svc.fromEnv();
const file = "dialogue.json";

/** What is remembered: the last event, and for each person the kind of cake, empty until it is known. */
interface Memory {
  after: number;
  cakes: Map<string, string>;
}

function load(latest: number): Memory {
  try {
    const { after, cakes } = JSON.parse(readFileSync(file, "utf8")) as { after: number; cakes: [string, string][] };
    return { after, cakes: new Map(cakes) };
  } catch {
    return { after: latest, cakes: new Map() };
  }
}

/** The answer to a message. */
function answer(cakes: Memory["cakes"], name: string, text: string): string {
  const kind = cakes.get(name);
  if (text === "/cancel") {
    cakes.delete(name);
    return "Forgotten.";
  }
  if (kind) {
    cakes.delete(name);
    return `One ${kind} cake for ${text}.`;
  }
  const isNew = kind === undefined;
  cakes.set(name, isNew ? "" : text);
  return isNew ? "Which cake would you like?" : "For which day?";
}

/** Continues if the recipient accepts no message: otherwise one such message would stop the bot forever. */
function unlessUnwelcome(error: unknown): void {
  const codes = ["blocked", "dm_not_allowed", "not_found", "wrong_state"];
  if (!(error instanceof SvcError) || !codes.includes(error.code)) throw error;
}

const { latestSeq, oldestSeq } = await svc.events.list({ limit: 1 });
const memory = load(latestSeq);
const after = Math.max(memory.after, oldestSeq - 1); // Events are kept for a week.
for await (const { seq, data } of svc.events.follow({ after, types: ["direct_message"] })) {
  const message = data as unknown as Answers["Message"];
  if (!message.automated) { // Two bots would talk for ever.
    const text = answer(memory.cakes, message.sender.username, message.content);
    const idempotencyKey = `answer:${message.messageId}`; // The answer is sent once,
    await svc.messages.send(message.sender.username, text, { automated: true, idempotencyKey }).catch(unlessUnwelcome);
  }
  memory.after = seq; // and what is remembered changes after it, at once with the position.
  writeFileSync(`${file}.new`, JSON.stringify({ ...memory, cakes: [...memory.cakes] }));
  renameSync(`${file}.new`, file);
}
