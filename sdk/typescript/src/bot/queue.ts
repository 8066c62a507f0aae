/** Runs tasks of the same name one after the other, and at most `concurrency` tasks at once. */
export class Queue {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  readonly #last = new Map<string, Promise<void>>();

  constructor(concurrency: number) {
    this.#free = concurrency;
  }

  /** Resolves or rejects as the task does. */
  add(name: string, task: () => Promise<void>): Promise<void> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const run = before.then(() => this.#limited(task));
    const settled = run.catch(() => {}).then(() => {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    });
    this.#last.set(name, settled);
    return run;
  }

  async #limited(task: () => Promise<void>): Promise<void> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  /** Resolves when no task is left. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}
