import { isPassing, SvcError } from "../error.js";
import type { Sender } from "../sender.js";

/** The first pause between attempts, doubled after each, and the longest, in milliseconds. */
const PAUSE = 1_000;
const PAUSE_MAX = 60_000;

/** How a bot reports problems. */
export type Log = (text: string, cause?: unknown) => void;

/** Problems of a call in one line, others with their stack. */
export function toStderr(text: string, cause?: unknown): void {
  if (cause instanceof SvcError) console.error(`${text}: ${cause.message}`);
  else console.error(text, cause ?? "");
}

/** The answer to a call, however long the server cannot be reached; rejects when the signal is aborted. */
export async function untilAnswered<Answer>(
  svc: Sender,
  call: () => Promise<Answer>,
  signal: AbortSignal,
  log: Log,
): Promise<Answer> {
  for (let pause = PAUSE; ; pause = Math.min(pause * 2, PAUSE_MAX)) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (!mayPass(error)) throw error;
      log("trying again soon", error);
      await svc.sleep(Math.max(pause, (error.retryAfter ?? 0) * 1000), signal);
    }
  }
}

/** Whether another attempt may succeed: an outage, a limit, a suspension. */
function mayPass(error: unknown): error is SvcError {
  return isPassing(error) || (error instanceof SvcError && error.code === "account_suspended");
}
