// The bot of the README's kind, killed at a point of its work: `node killed.mjs POINT`.
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

import { Bot, FileJournal, Svc } from "@svc/sdk";

const point = process.argv[2] ?? "none";

/** Says where it is, and ends the process as a power cut does if this is the point. */
function at(name) {
  console.log(name);
  if (name === point) process.kill(process.pid, "SIGKILL");
}

/** The entry that is being added. */
let adding = "none";

/** Where the journal is rewritten: a point when half of the new file is written, all of it, and when it is renamed. */
const { open, rename } = fs;
fs.open = async (path, ...rest) => {
  const file = await open(path, ...rest);
  if (!path.endsWith(".new")) return file;
  const write = file.writeFile.bind(file);
  file.writeFile = async (text) => {
    const half = Math.floor(text.length / 2);
    await write(text.slice(0, half));
    at(`${adding} half`);
    await write(text.slice(half));
  };
  return file;
};
fs.rename = async (from, to) => {
  at(`${adding} whole`);
  await rename(from, to);
  at(`${adding} renamed`);
};
syncBuiltinESMExports();
const isRewritten = /^(\w+) (half|whole|renamed)$/.test(point);

/** The journal of the README, with a point before and behind each entry. It says what is done. */
class Journal extends FileJournal {
  async add(entry) {
    adding = entry.is;
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
  if (url.includes("/orders?") && url.includes("status=")) console.log("looked");
  return response;
}

const svc = Svc.fromEnv({ fetch: send });
const journal = new Journal(`${process.env.BOT}.journal`, isRewritten ? 1 : undefined);
await new Bot(svc, { journal })
  .service("count-words", { price: 5, onCrash: process.env.ON_CRASH ?? "error" }, (_, { text }) => {
    console.log("starts");
    at("in the handler");
    const output = { words: text.split(" ").length };
    at("end of the handler");
    return output;
  })
  .run();
