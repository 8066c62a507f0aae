import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import test, { after } from "node:test";

import { FileJournal } from "@svc/sdk";
import { lock } from "../dist/bot/lock.js";
import { failed } from "./fake.mjs";

const places = [];
after(() => Promise.all(places.map((path) => rm(dirname(path), { recursive: true }))));

/** A journal in a new folder, which is removed when the tests are over. */
async function place() {
  const path = join(await mkdtemp(join(tmpdir(), "svc-journal-")), "bot.journal");
  places.push(path);
  return path;
}

const calls = [{ key: "resp:a", path: "/orders/a/answer", body: '{"status":"error"}' }];

/** The journal after these entries, opened again. */
async function reopened(path, entries, sizeMax) {
  const journal = new FileJournal(path, sizeMax);
  await journal.open();
  await Promise.all(entries.map((entry) => journal.add(entry)));
  await journal.close();
  const again = new FileJournal(path);
  const jobs = await again.open();
  await again.close();
  return jobs;
}

test("a journal knows what is not done", async () => {
  const jobs = await reopened(await place(), [
    { is: "order", id: "a" },
    { is: "start", id: "a" },
    { is: "answer", id: "a", calls },
    { is: "order", id: "b" },
    { is: "order", id: "c" },
    { is: "done", id: "b" },
  ]);
  assert.deepEqual(jobs, [{ id: "a", starts: 1, calls }, { id: "c", starts: 0 }]);
});

test("a journal keeps the steps of a handler until there is an answer", async () => {
  const step = (id, name, value) => ({ is: "step", id, name, value });
  const jobs = await reopened(await place(), [
    { is: "order", id: "a" },
    step("a", "fetch", { words: 2 }),
    step("a", "__proto__", null),
    step("b", "fetch", 1),
    { is: "answer", id: "b", calls },
  ]);
  const steps = new Map([["fetch", { words: 2 }], ["__proto__", null]]);
  assert.deepEqual(jobs, [{ id: "a", starts: 0, steps }, { id: "b", starts: 0, calls }]);
});

test("a journal that has grown keeps only what is not done, and which orders were lately", async () => {
  const path = await place();
  const many = Array.from({ length: 150 }, (_, number) => `order_${number}`);
  const entries = many.flatMap((id) => [{ is: "order", id }, { is: "done", id }]);
  const jobs = await reopened(path, [{ is: "order", id: "a" }, { is: "start", id: "a" }, ...entries], 1000);
  assert.deepEqual(jobs, [{ id: "a", starts: 1 }]);
  assert((await stat(path)).size < 5000);
  const journal = new FileJournal(path);
  await journal.open();
  assert.deepEqual(await journal.unknown(["a", "b", "order_49", "order_50", "order_149"]), ["b", "order_49"]);
  await journal.close();
});

test("a line that was cut by a crash is left out, a damaged one is refused", async () => {
  const path = await place();
  await writeFile(path, '{"is":"order","id":"a"}\n{"is":"done","i');
  assert.deepEqual(await reopened(path, []), [{ id: "a", starts: 0 }]);
  await writeFile(path, '{"is":"order"\n{"is":"order","id":"b"}\n');
  const error = await failed(() => reopened(path, []));
  assert.equal(error.code, "config");
  assert.match(error.message, /:1 is damaged/);
  assert.match(await readFile(path, "utf8"), /"b"/);
});

test("a journal belongs to one process, until that has ended", async () => {
  const path = await place();
  const first = new FileJournal(path);
  await first.open();
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const error = await failed(() => new FileJournal(path).open());
  assert.match(error.message, new RegExp(`process ${process.pid} uses the journal`));
  await first.close();
  await writeFile(`${path}.lock`, "999999999 1");
  assert.deepEqual(await reopened(path, []), []);
});

test("a journal belongs to a process whose number says nothing here, as one in another container", async (t) => {
  if (process.platform === "win32") return t.skip("it has no such sockets");
  const path = await place();
  const first = new FileJournal(path);
  await first.open();
  const [, start, id] = (await readFile(`${path}.lock`, "utf8")).split(" ");
  for (const foreign of [`999999999 1 ${id}`, `${process.pid} 1 ${id}`]) {
    await writeFile(`${path}.lock`, foreign);
    assert.match((await failed(() => new FileJournal(path).open())).message, /uses the journal/);
  }
  assert.notEqual(start, "1");
  await first.close();
  await writeFile(`${path}.lock`, `999999999 1 ${id}`);
  assert.deepEqual(await reopened(path, []), []);
  assert.deepEqual(await readdir(dirname(path)), ["bot.journal"]);
});

test("a journal is free when its process was killed, also before the parent of that asks", async (t) => {
  if (process.platform !== "linux") return t.skip("it has no /proc");
  const path = await place();
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [pid] = await once(parent.stdout.setEncoding("utf8"), "data");
    // The shell would ask for its child; what it becomes does not.
    const name = () => readFile(`/proc/${parent.pid}/comm`, "utf8");
    while ((await name()).trim() !== "sleep") await new Promise(setImmediate);
    process.kill(Number(pid), "SIGKILL");
    const facts = async () => (await readFile(`/proc/${pid.trim()}/stat`, "utf8")).split(") ")[1].split(" ");
    while ((await facts())[0] !== "Z") await new Promise(setImmediate);
    await writeFile(`${path}.lock`, `${pid.trim()} ${(await facts())[19]}`);
    assert.deepEqual(await reopened(path, []), []);
  } finally {
    parent.kill("SIGKILL");
  }
});

test("where nobody tells when a process started, a lock belongs to the one that answers on its socket", async () => {
  const path = `${await place()}.lock`;
  const nowhere = dirname(path);
  const held = await lock(path, nowhere);
  assert.equal((await failed(() => lock(path, nowhere))).code, "config");
  await held.release();
  const id = "0".repeat(12);
  const killed = `${process.pid} unknown ${id}`;
  await writeFile(path, killed);
  await writeFile(`${path}.${id}.sock`, "");
  await (await lock(path, nowhere)).release();
  // Without a socket, its number is all that is known.
  await writeFile(path, killed);
  assert.equal((await failed(() => lock(path, nowhere))).code, "config");
});
