// A file that says which process uses the journal, and a socket on which that process answers: Node has no file locks.

import { randomBytes } from "node:crypto";
import { access, link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";

import { SvcError } from "../error.js";

export interface Lock {
  release(): Promise<void>;
}

/** What is noted instead of the start of a process where the system does not tell it, as on macOS. */
const UNKNOWN = "unknown";

/**
 * Takes the lock, also that of a process which is gone; throws if another process has it. `proc` is where the system
 * tells when processes started.
 */
export async function lock(path: string, proc = "/proc"): Promise<Lock> {
  const id = newId();
  const mine = `${process.pid} ${await startOf(process.pid, proc)} ${id}`;
  const draft = `${path}.${id}`;
  const server = await answering(socketOf(path, id));
  try {
    await writeFile(draft, mine, { mode: 0o600 });
    // The owner is written before the name exists, so no process reads half of it.
    while (!(await taken(draft, path))) await clear(path, draft, proc);
  } catch (error) {
    server?.close();
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const release = async () => {
    await rm(path, { force: true });
    server?.close(); // It removes the socket.
  };
  return { release };
}

/** A random part of the names of files: processes in different containers may have the same number. */
function newId(): string {
  return randomBytes(6).toString("hex");
}

function socketOf(path: string, id: string): string {
  return `${path}.${id}.sock`;
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
async function clear(path: string, draft: string, proc: string): Promise<void> {
  const owner = await ownerOf(path);
  if (owner === undefined) return; // It was released meanwhile, and another process may take it now.
  if (await isHere(path, owner, proc)) {
    throw new SvcError(`the process ${owner.split(" ")[0]} uses the journal`, {
      code: "config", outcome: "not_sent", hint: "stop it first: two bots of an account would work on the same orders",
    });
  }
  // Several processes may find the same lock. Only one at a time removes it: another could remove a newer lock.
  const clearing = `${path}.clear`;
  if (!(await taken(draft, clearing))) return unblock(path, clearing, proc);
  try {
    if ((await ownerOf(path)) !== owner) return;
    const [, , id] = owner.split(" ");
    if (id !== undefined) await rm(socketOf(path, id), { force: true });
    await rm(path, { force: true });
  } finally {
    await rm(clearing, { force: true });
  }
}

/** Removes the file of a process that ended while it removed a lock. */
async function unblock(path: string, clearing: string, proc: string): Promise<void> {
  const owner = await ownerOf(clearing);
  if (owner === undefined || (await isHere(path, owner, proc))) return;
  const aside = `${clearing}.${newId()}`;
  await rename(clearing, aside).catch(() => {});
  const moved = await readFile(aside, "utf8").catch(() => owner);
  if (moved !== owner) await link(aside, clearing).catch(() => {});
  await rm(aside, { force: true });
}

function ownerOf(path: string): Promise<string | undefined> {
  return readFile(path, "utf8").catch(unlessMissing);
}

/** Whether the owner of a lock still runs. */
async function isHere(path: string, owner: string, proc: string): Promise<boolean> {
  const [pid = "", start, id] = owner.split(" ");
  const socket = id === undefined ? undefined : socketOf(path, id);
  if (socket !== undefined && (await answers(socket))) return true;
  if (!(await isRunning(pid, start, proc))) return false;
  // Without its start, a process may have the number of one that was killed. The owner would answer on its socket,
  // unless it has none.
  return start !== UNKNOWN || socket === undefined || !(await exists(socket));
}

function exists(path: string): Promise<boolean> {
  return access(path).then(() => true, () => false);
}

function unlessMissing(error: NodeJS.ErrnoException): string | undefined {
  return error.code === "ENOENT" ? undefined : "";
}

/** Whether a process of this machine runs, as far as this process sees them: not those of another container. */
async function isRunning(pid: string, start: string | undefined, proc: string): Promise<boolean> {
  if (pid === "") return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return (await startOf(Number(pid), proc)) === start;
}

/** When a process started, where the system tells: the number of a process may be used again. */
async function startOf(pid: number, proc: string): Promise<string> {
  const stat = await readFile(`${proc}/${pid}/stat`, "utf8").catch(() => "");
  const facts = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // A zombie has ended; only its parent, which may never do so, has yet to ask how.
  return facts[0] === "Z" ? "ended" : (facts[19] ?? UNKNOWN);
}

/** Longest name of a socket, in bytes: systems allow 103 or more. */
const SOCKET_NAME_MAX = 100;

/** Takes connections until this process ends, however it ends. None where the folder takes no sockets. */
function answering(path: string): Promise<Server | undefined> {
  if (process.platform === "win32" || Buffer.byteLength(path) > SOCKET_NAME_MAX) return Promise.resolve(undefined);
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve) => {
    server.on("error", () => resolve(undefined));
    server.listen({ path, exclusive: true }, () => resolve(server));
  });
}

/** Whether a process takes connections there, also one in another container that shares the folder. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
