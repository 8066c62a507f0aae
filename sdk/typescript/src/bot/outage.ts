import { isPassing, SvcError } from "../error.js";
import { askedWait } from "../retry.js";
import type { Sender } from "../sender.js";

/** The first pause between attempts, doubled after each, and the longest, in milliseconds. */
const PAUSE = 500;
const PAUSE_MAX = 60_000;
/** The pause before a stream is opened again that a proxy refused, in milliseconds. */
const PAUSE_SHORT = 2_000;

/** How a bot says that it is open, and reports problems. */
export type Log = (text: string, cause?: unknown) => void;

/** Problems of a call in one line, others with their stack. */
export function toStderr(text: string, cause?: unknown): void {
  if (cause instanceof SvcError) console.error(`${text}: ${described(cause)}`);
  else console.error(...(cause === undefined ? [text] : [text, cause]));
}

/** An error with the facts that help to find its cause. */
function described({ message, status, code, requestId, hint }: SvcError): string {
  const facts = [status, code, requestId && `request ${requestId}`].filter((fact) => fact !== undefined);
  return `${message} (${facts.join(", ")})${hint === undefined ? "" : `\nhint: ${hint}`}`;
}

/**
 * The answer to a call, however long the server cannot be reached or the account may not act; rejects when the
 * signal is aborted.
 */
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
      if (!isPassing(error) && !isInactive(error)) throw error;
      await wait(svc, error, pause, signal, log);
    }
  }
}

/** Waits before something is tried again that an error ended; ends with the signal. */
export async function waitOut(svc: Sender, error: SvcError, signal: AbortSignal, log: Log): Promise<void> {
  const pause = isInactive(error) ? PAUSE_MAX : PAUSE_SHORT;
  await wait(svc, error, pause, signal, log).catch(() => {});
}

/** Whether the account may only read and finish what is open: it is suspended, or its owner has paused it. */
export function isInactive(error: unknown): error is SvcError {
  return error instanceof SvcError && ["account_suspended", "account_paused"].includes(error.code);
}

async function wait(svc: Sender, error: SvcError, pause: number, signal: AbortSignal, log: Log): Promise<void> {
  // Bots that lost the server together do not return together.
  const milliseconds = Math.max(askedWait(error), pause * (0.75 + Math.random() / 4));
  log(`trying again in ${(milliseconds / 1000).toFixed(1)} s`, error);
  await svc.sleep(milliseconds, signal);
}
