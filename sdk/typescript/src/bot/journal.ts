import { type FileHandle, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";

import { SvcError } from "../error.js";
import { lock, type Lock } from "./lock.js";

/** A call that answers an order: the same bytes under the same key, however often it is sent. */
export interface Call {
  key: string;
  path: string;
  body: string;
  /** What is sent in its place if the server refuses it although the order is open. */
  otherwise?: Call[];
}

/** What a bot writes down before it goes on. */
export type Entry =
  /** The order is known; those of a conversation run one after the other. */
  | { is: "order"; id: string; conversation?: string }
  /** Its handler starts. */
  | { is: "start"; id: string }
  /** A step of its handler is done, with this result as JSON. */
  | { is: "step"; id: string; name: string; value: unknown }
  /** Its answer stands. */
  | { is: "answer"; id: string; calls: Call[] }
  /** The server has the answer, or wants none. */
  | { is: "done"; id: string };

/** An order that is not done. */
export interface Job {
  id: string;
  /** Its conversation, unless an earlier version wrote it down. */
  conversation?: string;
  /** How often its handler was started. */
  starts: number;
  /** The results of the steps that its handler did, by their names. */
  steps?: ReadonlyMap<string, unknown>;
  calls?: Call[];
}

/** What a bot remembers when it is killed. */
export interface Journal {
  /** Opens it, for only this process: the orders that are not done. */
  open(): Promise<Job[]>;
  /** Adds an entry, and returns when it survives a power cut. */
  add(entry: Entry): Promise<void>;
  /**
   * Those of these orders that it does not know, neither as open nor as done lately. With it a bot notices at its
   * start that another one uses its account.
   */
  unknown?(orders: readonly string[]): Promise<string[]>;
  close(): Promise<void>;
}

/** How many of the orders that are done it knows. */
const DONE_MAX = 100;

/** Size at which what is done is left out of the file, in bytes. */
const SIZE_MAX = 16 * 1024 * 1024;

/** A journal in a file, to which entries are appended. */
export class FileJournal implements Journal {
  readonly #path: string;
  readonly #sizeMax: number;
  readonly #jobs = new Map<string, Job>();
  /** The latest orders that are done. */
  readonly #done = new Set<string>();
  #lock: Lock | undefined;
  #file: FileHandle | undefined;
  #size = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(path: string, sizeMax: number = SIZE_MAX) {
    this.#path = path;
    this.#sizeMax = sizeMax;
  }

  async open(): Promise<Job[]> {
    this.#lock = await lock(`${this.#path}.lock`);
    const text = await readFile(this.#path, "utf8").catch(emptyIfMissing);
    replay(text, this.#path).forEach((entry) => this.#apply(entry));
    await this.#rewrite();
    return [...this.#jobs.values()].map((job) => ({ ...job }));
  }

  add(entry: Entry): Promise<void> {
    const added = this.#last.then(() => this.#append(entry));
    // After a failed write the file may end within a line, so nothing more is added.
    this.#last = added;
    this.#last.catch(() => {});
    return added;
  }

  async #append(entry: Entry): Promise<void> {
    if (!this.#file) throw new Error("the journal is not open");
    await this.#file.appendFile(line(entry));
    await this.#file.datasync();
    this.#apply(entry);
    this.#size += Buffer.byteLength(line(entry));
    if (this.#size >= this.#sizeMax) await this.#rewrite();
  }

  async unknown(orders: readonly string[]): Promise<string[]> {
    return orders.filter((id) => !this.#jobs.has(id) && !this.#done.has(id));
  }

  #apply(entry: Entry): void {
    apply(this.#jobs, entry);
    if (entry.is !== "done") return;
    this.#done.add(entry.id);
    const [oldest] = this.#done;
    if (oldest !== undefined && this.#done.size > DONE_MAX) this.#done.delete(oldest);
  }

  /** Writes what is not done, and which orders were lately, to a new file, which replaces the old one as a whole. */
  async #rewrite(): Promise<void> {
    const done = [...this.#done].map((id): Entry => ({ is: "done", id }));
    const text = [...done, ...[...this.#jobs.values()].flatMap(entries)].map(line).join("");
    const file = await open(`${this.#path}.new`, "w", 0o600);
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await rename(`${this.#path}.new`, this.#path);
    await syncFolder(dirname(this.#path));
    await this.#file?.close();
    this.#file = await open(this.#path, "a", 0o600);
    this.#size = 0;
  }

  async close(): Promise<void> {
    await this.#last.catch(() => {});
    await this.#file?.close();
    this.#file = undefined;
    this.#jobs.clear();
    this.#done.clear();
    await this.#lock?.release();
    this.#lock = undefined;
  }
}

/** Makes the new name of a file survive a power cut. @internal */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return; // It has no such call.
  const folder = await open(path);
  await folder.sync();
  await folder.close();
}

function line(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

function entries(job: Job): Entry[] {
  const { id, conversation, starts, steps = new Map<string, unknown>(), calls } = job;
  const order: Entry = { is: "order", id, ...(conversation !== undefined && { conversation }) };
  const started = Array.from({ length: starts }, (): Entry => ({ is: "start", id }));
  const done = [...steps].map(([name, value]): Entry => ({ is: "step", id, name, value }));
  return [order, ...started, ...done, ...(calls ? [{ is: "answer", id, calls } as const] : [])];
}

/** The entries of a file. Nothing followed from a last line without its end, so it is dropped. */
function replay(text: string, path: string): Entry[] {
  return text.split("\n").slice(0, -1).map((line, index) => {
    const entry = parsed(line);
    if (entry !== undefined) return entry;
    throw new SvcError(`${path}:${index + 1} is damaged`, {
      code: "config", outcome: "not_sent", hint: "restore the file, or move it away and start without it",
    });
  });
}

function apply(jobs: Map<string, Job>, entry: Entry): void {
  const job = jobs.get(entry.id) ?? { id: entry.id, starts: 0 };
  jobs.set(entry.id, job);
  if (entry.is === "order" && entry.conversation !== undefined) job.conversation = entry.conversation;
  if (entry.is === "start") job.starts += 1;
  if (entry.is === "step") job.steps = new Map(job.steps).set(entry.name, entry.value);
  if (entry.is === "answer") {
    job.calls = entry.calls;
    delete job.steps; // The handler runs no more.
  }
  if (entry.is === "done") jobs.delete(entry.id);
}

function parsed(line: string): Entry | undefined {
  try {
    const entry = JSON.parse(line) as Entry;
    return typeof entry.id === "string" ? entry : undefined;
  } catch {
    return undefined;
  }
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw error;
}
