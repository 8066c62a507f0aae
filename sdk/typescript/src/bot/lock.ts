// A file that says which process uses the journal. Node has no locks on files.

import { link, readFile, rename, rm, writeFile } from "node:fs/promises";

import { SvcError } from "../error.js";

export interface Lock {
  release(): Promise<void>;
}

/** Takes the lock, also that of a process which is gone; throws if another process has it. */
export async function lock(path: string): Promise<Lock> {
  const mine = `${process.pid} ${await startOf(process.pid)}`;
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    // The owner is written before the name exists, so no process reads half of it.
    while (!(await taken(draft, path))) await clear(path);
  } finally {
    await rm(draft, { force: true });
  }
  return { release: () => rm(path, { force: true }) };
}

async function taken(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a process that is gone. */
async function clear(path: string): Promise<void> {
  const owner = await readFile(path, "utf8").catch(() => "");
  if (await isAlive(owner)) {
    throw new SvcError(`the process ${owner.split(" ")[0]} uses the journal`, {
      code: "config", outcome: "not_sent", hint: "stop it first: two bots of an account would work on the same orders",
    });
  }
  // Two processes may find the same lock: only what was read is removed.
  const aside = `${path}.old.${process.pid}`;
  await rename(path, aside).catch(() => {});
  const moved = await readFile(aside, "utf8").catch(() => owner);
  if (moved !== owner) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

async function isAlive(owner: string): Promise<boolean> {
  const [pid, start] = owner.split(" ");
  if (!pid) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return (await startOf(Number(pid))) === start;
}

/** When a process started, where the system tells: its number alone may be used again. */
async function startOf(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const facts = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie has ended; only its parent, which may never do so, has yet to ask how.
  return facts[0] === "Z" ? "ended" : (facts[19] ?? "unknown");
}
