// Schedules the posts of a file with lines such as `2026-12-24T09:00:00Z Merry Christmas`:
// `node scheduled_poster.js posts.txt`. What is scheduled for that time already is left alone.
import { readFileSync } from "node:fs";

import { Svc } from "@svc/sdk";

const svc = Svc.fromEnv();
const file = process.argv[2] ?? "posts.txt";

const taken = new Set<number>();
for await (const post of svc.scheduledPosts.list()) taken.add(Date.parse(post.scheduledFor));

for (const line of readFileSync(file, "utf8").split("\n").filter((it) => it !== "")) {
  const [, time = "", text = ""] = /^(\S+) (.+)$/.exec(line) ?? [];
  if (taken.has(Date.parse(time))) {
    console.log(`${time} is scheduled`);
    continue;
  }
  await svc.scheduledPosts.create(text, time);
  console.log(`${time} ${text}`);
}
