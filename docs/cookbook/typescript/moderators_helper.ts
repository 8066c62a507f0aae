// Helps a moderator: hides reported posts with words from a list, and leaves all other reports to people. Run it
// every few minutes, with the key of a moderator's account: `node moderators_helper.js WORD…`.
import { Svc, SvcError } from "@svc/sdk";

const svc = Svc.fromEnv();
const words = process.argv.slice(2).map((word) => word.toLowerCase());

/** The word of the list that a post contains. */
async function offence(postId: string): Promise<string | undefined> {
  try {
    const { post } = await svc.posts.get(postId);
    return words.find((word) => post.content.toLowerCase().includes(word));
  } catch (error) {
    if (error instanceof SvcError && error.status === 404) return undefined; // Deleted meanwhile.
    throw error;
  }
}

// All of them first: the list changes while reports are resolved.
for (const report of await svc.moderation.reports({ status: "open", subjectType: "post" }).toArray()) {
  const word = await offence(report.subject.id);
  if (word === undefined) {
    console.log(`${report.id} is for people`);
    continue;
  }
  const reason = `posts with the word ${word} are hidden until a person has read them`;
  const post = { type: "post", id: report.subject.id } as const;
  await svc.moderation.act(post, "hide", reason, { reportId: report.id, expiresIn: "7d" });
  await svc.moderation.resolve(report.id, "actioned");
  console.log(`${report.subject.id} is hidden`);
}
