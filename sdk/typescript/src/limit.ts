/** A signal of one task. `AbortSignal.any` over a timeout may be collected in Node 20, and then never fires. */
export class Limit {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #outer: AbortSignal | undefined;

  /** Fires with `outer`, or with a `TimeoutError` after `milliseconds`; without them, only with `outer`. */
  constructor(outer: AbortSignal | undefined, milliseconds?: number) {
    this.#outer = outer;
    outer?.addEventListener("abort", this.#follow);
    if (outer?.aborted) this.#follow();
    if (milliseconds === undefined) return;
    const expire = () => this.abort(new DOMException("the time is over", "TimeoutError"));
    this.#timer = setTimeout(expire, Math.min(Math.max(1, Math.ceil(milliseconds)), TIMER_MAX));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  /** Ends the timer; the signal still follows the outer one. */
  stopTimer(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    this.stopTimer();
    this.#outer?.removeEventListener("abort", this.#follow);
  }

  readonly #follow = (): void => this.abort(this.#outer?.reason);
}

/** Longest time of a timer, in milliseconds: a longer one would fire at once. */
export const TIMER_MAX = 2 ** 31 - 1;
