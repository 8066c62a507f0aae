// The journal of a buyer: a file with what its orders cost.
//
// What an order costs is reserved together with the check of the limits, before anything is sent, so that
// concurrent orders can't exceed a limit together. The file is locked only while it is used, so processes can
// share it and its limits.

import { randomBytes } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { syncFolder } from "../bot/journal.js";
import { lock, type Lock } from "../bot/lock.js";
import { SvcError } from "../error.js";
import { type Caps, checkDay, checkOrder, type Expense } from "./limits.js";

/** The sliding window of the limits per day, in milliseconds. */
export const DAY = 24 * 3600 * 1000;

/**
 * How long an order is kept after its end or, if the buyer never saw that, after its start, in milliseconds.
 * The server still finds it by its id.
 */
const KEPT = 7 * DAY;

/** How long to wait for another process that uses the file, in milliseconds. */
const PATIENCE = 5_000;

/** How many lines the file may have in addition to two for each order. */
const STALE_MAX = 1_000;

/** The first line of the file. */
const HEAD = '{"journal":"svc-buyer","version":1}';

/** An order in the journal; the last line with its id counts. */
export interface Entry {
  id: string;
  /** Username in lower case. */
  provider: string;
  /** Millionths of a credit. */
  amount: number;
  state: "reserved" | "spent" | "freed";
  createdAt: number;
  settledAt?: number;
  /** The escrow that pays. */
  escrow?: string;
  /** The id by which the server knows the order. */
  placed?: string;
  /** That of its reservation. */
  token?: string;
}

/** What an order costs is reserved. */
export interface Reservation {
  /** Whether this run made it; if not, a concurrent one may rely on it. */
  isNew: boolean;
  /** The same for each run that continues it, for keys of its calls. */
  token: string;
}

type Entries = Map<string, Entry>;

export class Ledger {
  readonly #path: string | undefined;
  readonly #memory: Entries = new Map();
  #last: Promise<unknown> = Promise.resolve();

  constructor(path?: string) {
    this.#path = path;
  }

  find(id: string): Promise<Entry | undefined> {
    return this.#use((entries) => entries.get(id));
  }

  /**
   * Reserves what an order costs, unless it would exceed a limit. An order that is begun already is checked again. Once
   * its credits have left the account it counts as spent since then, and only the limits of a single order are checked.
   */
  reserve(expense: Expense, caps: Caps, now: number): Promise<Reservation> {
    return this.#use((entries, write) => {
      const { id, provider, amount } = expense;
      const begun = entries.get(id);
      const isBegun = begun !== undefined && begun.state !== "freed";
      const token = (isBegun ? begun.token : undefined) ?? randomBytes(8).toString("hex");
      checkOrder(expense, caps);
      if (begun !== undefined && isPaid(begun)) return { isNew: false, token };
      checkDay(expense, caps, (by) => spentBesides(entries, id, now, by));
      forget(entries, now);
      // A concurrent run may be sending the order at the price that it reserved.
      const most = isBegun ? Math.max(begun.amount, amount) : amount;
      write({ id, provider, amount: most, state: "reserved", createdAt: now, token });
      return { isNew: !isBegun, token };
    });
  }

  /** Records the escrow that pays for an order. */
  note(id: string, escrow: string): Promise<void> {
    return this.#use((entries, write) => {
      const entry = entries.get(id);
      if (entry !== undefined) write({ ...entry, escrow });
    });
  }

  /** Records that an order costs nothing. */
  free(id: string, now: number): Promise<void> {
    return this.#use((entries, write) => {
      const entry = entries.get(id);
      if (entry?.state === "reserved") write({ ...entry, state: "freed", settledAt: now });
    });
  }

  /** Records what the server says of orders, also of those that are not in the journal. */
  record(known: readonly Entry[], now: number): Promise<void> {
    return this.#use((entries, write) => {
      for (const entry of known) {
        const before = earlierOf(entries, entry);
        if (before === undefined) continue;
        const { settledAt = now, escrow: _, ...rest } = before;
        // The server knows the provider by name also if it was given by its id.
        const { provider, state, amount, escrow, placed = rest.placed } = entry;
        write({
          ...rest,
          provider,
          state,
          amount,
          ...(escrow !== undefined && { escrow }),
          ...(placed !== undefined && { placed }),
          ...(state !== "reserved" && { settledAt }),
        });
      }
    });
  }

  /** Reads the orders, and writes those that change, with the file locked. */
  #use<T>(work: (entries: Entries, write: (entry: Entry) => void) => T): Promise<T> {
    const path = this.#path;
    const used = this.#last.then(() => (path === undefined ? inMemory(this.#memory, work) : inFile(path, work)));
    this.#last = used.catch(() => {});
    return used;
  }
}

type Work<T> = (entries: Entries, write: (entry: Entry) => void) => T;

function inMemory<T>(entries: Entries, work: Work<T>): T {
  return work(entries, (entry) => entries.set(entry.id, entry));
}

async function inFile<T>(path: string, work: Work<T>): Promise<T> {
  const held = await locked(path);
  try {
    return await inLocked(path, work);
  } catch (error) {
    throw error instanceof SvcError ? error : unusable(path, error);
  } finally {
    await held.release();
  }
}

async function inLocked<T>(path: string, work: Work<T>): Promise<T> {
  const text = await readFile(path, "utf8").catch(emptyIfMissing);
  const entries = parsed(text, path);
  const written: Entry[] = [];
  const result = work(entries, (entry) => {
    entries.set(entry.id, entry);
    written.push(entry);
  });
  if (written.length > 0) await save(path, text, entries, written);
  return result;
}

/** The lock of the file, once no other process has it. */
async function locked(path: string): Promise<Lock> {
  for (const end = performance.now() + PATIENCE; ; ) {
    try {
      return await lock(`${path}.lock`);
    } catch (error) {
      if (!(error instanceof SvcError)) throw unusable(path, error);
      if (performance.now() > end) {
        // Without the start of a process, as on Windows, a later one may have the number of one that is gone.
        const hint = `if that process does not use it, remove ${path}.lock`;
        throw new SvcError(`the journal ${path} is busy: ${error.text}`, { code: "config", outcome: "not_sent", hint });
      }
    }
    await sleep(5 + Math.random() * 20);
  }
}

/** Appends what changed; a file that is new, long, or ends within a line is replaced as a whole. */
async function save(path: string, text: string, entries: Entries, written: readonly Entry[]): Promise<void> {
  const lines = text.split("\n").length;
  if (text.endsWith("\n") && lines < 2 * entries.size + STALE_MAX) {
    const file = await open(path, "a", 0o600);
    try {
      await file.appendFile(written.map(line).join(""));
      await file.datasync();
    } finally {
      await file.close();
    }
    return;
  }
  const file = await open(`${path}.new`, "w", 0o600);
  try {
    await file.writeFile(`${HEAD}\n${[...entries.values()].map(line).join("")}`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  await syncFolder(dirname(path));
}

function line(entry: Entry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** The orders of a file. A last line without its end is dropped: nothing was done because of it. */
function parsed(text: string, path: string): Entries {
  const [head, ...lines] = text.split("\n").slice(0, -1);
  if (text !== "" && head !== HEAD) {
    const problem = "is no journal of a buyer, or one of a later version";
    throw new SvcError(`${path} ${problem}`, { code: "config", outcome: "not_sent" });
  }
  const found = lines.map((text, index) => entryOf(text, `${path}:${index + 2}`));
  return new Map(found.map((entry) => [entry.id, entry]));
}

function entryOf(text: string, place: string): Entry {
  try {
    const entry = JSON.parse(text) as Entry;
    if (typeof entry.id === "string" && Number.isSafeInteger(entry.amount)) return entry;
  } catch {
    // The error below says so.
  }
  throw new SvcError(`${place} is damaged`, {
    code: "config", outcome: "not_sent", hint: "restore the file, or move it away: the limits then count from zero",
  });
}

/** Drops what is old. It may be on disk until the file is written again as a whole. */
function forget(entries: Entries, now: number): void {
  for (const { id, settledAt, createdAt } of entries.values()) {
    if ((settledAt ?? createdAt) < now - KEPT) entries.delete(id);
  }
}

/** The entry to update with what the server says: a new one unless there is one, none for what cost nothing. */
function earlierOf(entries: Entries, entry: Entry): Entry | undefined {
  const same = alike(entries, entry);
  if (same !== undefined) return same;
  const known = entries.get(entry.id);
  const begun = known?.state === "freed" ? undefined : known;
  if (begun !== undefined && entry.placed !== undefined) return begun;
  // The id of an escrow's order comes from its description. An order that is placed again has another escrow, and the
  // end of the earlier one says nothing about it.
  if (entry.state === "freed") return undefined;
  if (begun === undefined) return entry;
  return isPaid(begun) ? { ...entry, id: `escrow:${entry.escrow}` } : begun;
}

/** Whether its credits have left the account: with the order, or into the escrow. */
function isPaid({ state, placed, escrow }: Entry): boolean {
  return state !== "freed" && (placed !== undefined || escrow !== undefined);
}

/** The entry of the same order or escrow, under any id. */
function alike(entries: Entries, { placed, escrow }: Entry): Entry | undefined {
  const is = (mine: string | undefined, its: string | undefined) => mine !== undefined && mine === its;
  return [...entries.values()].find((it) => is(placed, it.placed) || is(escrow, it.escrow));
}

/** What other orders reserved or spent within a day. Those of a clock that was far ahead are left out. */
function spentBesides(entries: Entries, id: string, now: number, provider?: string): number {
  let spent = 0;
  for (const entry of entries.values()) {
    if (entry.id === id || entry.state === "freed") continue;
    if (provider !== undefined && entry.provider !== provider) continue;
    if (entry.createdAt > now - DAY && entry.createdAt < now + DAY) spent += entry.amount;
  }
  return spent;
}

function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "";
  throw error;
}

function unusable(path: string, cause: unknown): SvcError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SvcError(`the journal ${path} can't be used: ${why}`, { code: "config", outcome: "not_sent", cause });
}
