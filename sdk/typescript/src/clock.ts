import { setTimeout as sleep } from "node:timers/promises";

import { TIMER_MAX } from "./limit.js";

/** Time and chance, replaced in tests. */
export interface Clock {
  /** Milliseconds, from any beginning. */
  now(): number;
  /** Waits; rejects when the signal is aborted. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** A number from 0 to 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: async (milliseconds, signal) => {
    await sleep(Math.min(milliseconds, TIMER_MAX), undefined, signal ? { signal } : {});
  },
  random: Math.random,
};
