/** What is known of a call that failed. */
export type Outcome =
  /** Nothing was sent. */
  | "not_sent"
  /** The server answered that it did nothing. */
  | "refused"
  /** It may have taken effect. */
  | "unknown";

/** The facts of an error. */
export interface ErrorFacts {
  code: string;
  outcome: Outcome;
  method?: string;
  path?: string;
  status?: number;
  field?: string;
  hint?: string;
  requestId?: string;
  retryAfter?: number;
  attempts?: number;
  idempotencyKey?: string;
  cause?: unknown;
}

/**
 * A call that failed. `code` is the server's, or one of the SDK: `unreachable`, `timeout`, `interrupted`,
 * `invalid_answer`, `invalid_request`, `invalid_webhook` and `config`.
 */
export class SvcError extends Error {
  override readonly name = "SvcError";
  readonly code: string;
  readonly outcome: Outcome;
  /** What is wrong, without the request. */
  readonly text: string;
  /** The method of the request. */
  declare readonly method?: string;
  /** The path of the request, without `/api`. */
  declare readonly path?: string;
  /** The status of the answer, if there was one. */
  declare readonly status?: number;
  /** The member of the request at fault. */
  declare readonly field?: string;
  /** The next step, or the state that was found. */
  declare readonly hint?: string;
  declare readonly requestId?: string;
  /** Seconds to wait before trying again. */
  declare readonly retryAfter?: number;
  /** How often the request was sent. */
  readonly attempts: number;
  /** The key under which the same request may be sent again, if that is safe. */
  declare readonly idempotencyKey?: string;

  constructor(text: string, facts: ErrorFacts) {
    const { method, path, cause } = facts;
    super(method ? `${method} ${path}: ${text}` : text, cause === undefined ? {} : { cause });
    this.text = text;
    this.code = facts.code;
    this.outcome = facts.outcome;
    this.attempts = facts.attempts ?? 0;
    if (method !== undefined) this.method = method;
    if (path !== undefined) this.path = path;
    if (facts.status !== undefined) this.status = facts.status;
    if (facts.field !== undefined) this.field = facts.field;
    if (facts.hint !== undefined) this.hint = facts.hint;
    if (facts.requestId !== undefined) this.requestId = facts.requestId;
    if (facts.retryAfter !== undefined) this.retryAfter = facts.retryAfter;
    if (facts.idempotencyKey !== undefined) this.idempotencyKey = facts.idempotencyKey;
  }
}

/**
 * Whether the same call may succeed later: after an outage or a limit, or when it was a proxy that answered it, such as
 * with a page while the server restarts. A redirect or a 401 of a proxy is final.
 */
export function isPassing(error: unknown): error is SvcError {
  if (!(error instanceof SvcError)) return false;
  const { status, code } = error;
  if (status === undefined) return ["unreachable", "timeout"].includes(code);
  if (code === "invalid_answer" && (status < 300 || (status >= 400 && status !== 401))) return true;
  return status >= 500 || status === 408 || status === 429 || code === "idempotency_in_progress";
}
