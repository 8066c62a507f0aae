// One attempt: its address, its answer, its failure.

import { type ErrorFacts, type Outcome, SvcError } from "./error.js";

/** A request as errors name it. */
export interface Attempt {
  method: string;
  path: string;
  attempts: number;
  /** The key under which it may be sent again. */
  idempotencyKey?: string;
}

function config(problem: string): SvcError {
  return new SvcError(problem, { code: "config", outcome: "not_sent" });
}

/** The key, without white space around it. The error of `fetch` for a header that can't be sent would quote the key. */
export function checkedKey(key: string | undefined): string | undefined {
  const trimmed = key?.trim();
  if (trimmed === "") throw config("the key is empty: leave it out to call without one");
  if (trimmed !== undefined && !/^[!-~]+$/.test(trimmed)) {
    throw config("the key must be visible ASCII: look for a line break in it");
  }
  return trimmed;
}

/** The base URL of the API, whether the URL of the server names `/api` or not. */
export function baseUrl(text: string, allowPlainHttp: boolean): string {
  if (!URL.canParse(text)) throw config("the URL of the server is not valid: set SVC_URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw config("the URL of the server must begin with https:// or http://");
  }
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !isHere && !allowPlainHttp) {
    throw config("http would show the key on the way: use https, or set SVC_ALLOW_PLAIN_HTTP=1");
  }
  const path = url.pathname.replace(/\/+$/, "");
  const base = path.endsWith("/api") ? path : `${path}/api`;
  const isBare = [url.username, url.password, url.search, url.hash].every((part) => part === "");
  // Otherwise each call would be answered with a 404.
  if (!isBare || base.slice(0, -"/api".length).concat("/").includes("/api/")) {
    throw config("the URL of the server must be without user, query, fragment and a path after /api");
  }
  return url.origin + base;
}

/** What a server says of an error. */
interface ErrorBody {
  error: string;
  code: string;
  field?: string;
  hint?: string;
  requestId?: string;
  retryAfter?: number;
}

/** Largest answer, in bytes: a page of 100 orders with the largest inputs and results has about 40 MiB. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/** How much of a refusal is read, in bytes. */
const REFUSAL_BYTES_MAX = 64 * 1024;

/** The code of an answer that is not the platform's. */
const FOREIGN = "invalid_answer";

/** The answer as JSON; throws what the server refuses. */
export async function readAnswer(response: Response, attempt: Attempt): Promise<unknown> {
  if (!response.ok) {
    const { text } = await read(response, REFUSAL_BYTES_MAX);
    const body = parsed(text);
    throw refusal(response, text, isErrorBody(body) ? body : undefined, attempt);
  }
  const { text, isWhole } = await read(response, ANSWER_BYTES_MAX);
  const body = isWhole ? parsed(text) : undefined;
  if (body !== undefined) return body;
  const problem = isWhole ? `is not JSON: ${preview(text)}` : `is larger than ${ANSWER_BYTES_MAX} bytes`;
  const facts = { ...named(attempt), code: FOREIGN, outcome: "unknown", status: response.status } as const;
  throw new SvcError(`the answer ${problem}`, facts);
}

/** The text of an answer up to a size; the rest is not read. */
async function read({ body }: Response, bytesMax: number): Promise<{ text: string; isWhole: boolean }> {
  const [reader, decoder] = [body?.getReader(), new TextDecoder()];
  let [text, left] = ["", bytesMax];
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || value === undefined) return { text: text + decoder.decode(), isWhole: true };
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.length;
    if (left >= 0) continue;
    await reader?.cancel().catch(() => {}); // It frees the connection.
    return { text, isWhole: false };
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  const { error, code } = (body ?? {}) as { error?: unknown; code?: unknown };
  return typeof error === "string" && typeof code === "string";
}

/** How secrets begin. Something in between may answer with the request, and its key. */
const SECRET_PREFIXES = ["svc_ak_", "svc_dk_", "svc_id_", "svc_at_", "svc_rt_", "whsec_"];

/** The beginning of an answer that is not the platform's. */
function preview(text: string): string {
  return SECRET_PREFIXES.some((prefix) => text.includes(prefix)) ? "[redacted]" : text.slice(0, 200);
}

function refusal(response: Response, text: string, body: ErrorBody | undefined, attempt: Attempt): SvcError {
  const { status } = response;
  const code = body?.code ?? FOREIGN;
  const requestId = body?.requestId ?? response.headers.get("x-request-id") ?? undefined;
  const retryAfter = seconds(response.headers.get("retry-after")) ?? body?.retryAfter;
  const facts: ErrorFacts = { ...named(attempt), status, code, outcome: outcome(status, code) };
  if (body?.field !== undefined) facts.field = body.field;
  if (body?.hint !== undefined) facts.hint = body.hint;
  if (requestId !== undefined) facts.requestId = requestId;
  if (retryAfter !== undefined) facts.retryAfter = retryAfter;
  return new SvcError(body?.error ?? `status ${status}: ${preview(text)}`, facts);
}

/** What a refusal says of the effect. */
function outcome(status: number, code: string): Outcome {
  // A 503 of the platform has no effect; one of a proxy in between may.
  if (status === 503 && code !== FOREIGN && code !== "outcome_unknown") return "refused";
  const isUnclear = status === 408 || status >= 500 || code === "idempotency_in_progress";
  return isUnclear ? "unknown" : "refused";
}

/** Retry-After in seconds: a number, or a date. */
function seconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/** Problems of a connection that was never made. */
const NOT_SENT = new Set([
  "ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT",
]);

/** Parts of the codes of certificates that are not trusted, and of ports that `fetch` refuses. */
const UNSENT = /CERT|TLS|SSL|LEAF_SIGNATURE|bad port/;

/** Why there is no answer. */
export function failure(error: unknown, attempt: Attempt, signal?: AbortSignal, known?: Outcome): SvcError {
  if (error instanceof SvcError) return error;
  const facts = { ...named(attempt), outcome: known ?? "unknown", cause: error } as const;
  if (signal?.aborted) return new SvcError("interrupted", { ...facts, code: "interrupted" });
  if ((error as Error)?.name === "TimeoutError") {
    return new SvcError("no answer in time", { ...facts, code: "timeout" });
  }
  const reasons = causes(error);
  const isUnsent = reasons.some((reason) => NOT_SENT.has(reason) || UNSENT.test(reason));
  const text = `could not reach the server: ${reasons.at(-1) ?? String(error)}`;
  return new SvcError(text, { ...facts, code: "unreachable", outcome: isUnsent ? "not_sent" : "unknown" });
}

/** The codes of an error and of its causes. */
function causes(error: unknown): string[] {
  const found: string[] = [];
  for (let next = error as (Error & { code?: unknown; errors?: Error[] }) | undefined; next; ) {
    const each = next.errors?.[0] ?? next;
    const { code } = each as { code?: unknown };
    found.push(typeof code === "string" ? code : each.message);
    next = next.cause as typeof next;
  }
  return found;
}

function named({ method, path, attempts, idempotencyKey }: Attempt): Attempt {
  return { method, path: path.split("?")[0]!, attempts, ...(idempotencyKey !== undefined && { idempotencyKey }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
