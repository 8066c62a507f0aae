// Answers `/rules` in the channels that it is a member of.
import { type Answers, Svc } from "@svc/sdk";

const svc = Svc.fromEnv();
const RULES = "1. Be kind. 2. Stay on topic.";

async function answer(message: Answers["ChannelMessage"]): Promise<void> {
  if (message.content.trim() !== "/rules") return;
  await svc.channels.post(message.channelId, RULES, {
    replyToId: message.messageId,
    idempotencyKey: `rules:${message.messageId}`,
  });
}

async function serve(channelId: string): Promise<void> {
  for await (const message of svc.channels.follow(channelId)) await answer(message);
}

const channels = await svc.channels.list({ mine: true }).toArray();
await Promise.all(channels.map((channel) => serve(channel.id)));
