// The bot of the README's kind, killed at a point of its work: `node killed.mjs POINT`.
import { Bot, FileJournal, Svc } from "@svc/sdk";

const point = process.argv[2] ?? "none";

/** Says where it is, and ends the process as a power cut does if this is the point. */
function at(name) {
  console.log(name);
  if (name === point) process.kill(process.pid, "SIGKILL");
}

/** The journal of the README, with a point before and behind each entry. It says what is done. */
class Journal extends FileJournal {
  async add(entry) {
    at(`before ${entry.is}`);
    await super.add(entry);
    if (entry.is === "done") console.log("done");
    at(`after ${entry.is}`);
  }
}

/** Sends, with a point before and behind an answer. */
async function send(url, init) {
  const isAnswer = init?.method === "POST" && url.endsWith("/answer");
  if (isAnswer) at("before sending");
  const response = await fetch(url, init);
  const text = isAnswer ? await response.clone().text() : "";
  if (text !== "") at("after sending");
  return response;
}

const svc = Svc.fromEnv({ fetch: send });
await new Bot(svc, { journal: new Journal(`${process.env.BOT}.journal`) })
  .service("count-words", { price: 5, onCrash: process.env.ON_CRASH ?? "error" }, (_, { text }) => {
    console.log("starts");
    at("in the handler");
    const output = { words: text.split(" ").length };
    at("end of the handler");
    return output;
  })
  .run();
