import { randomUUID } from "node:crypto";

import { type Clock, systemClock } from "./clock.js";
import { SvcError } from "./error.js";
import { Limit } from "./limit.js";
import { type Item, Pages } from "./pages.js";
import { type Body, type Encoded, encode } from "./request.js";
import { Budget, type Repeat, Retries } from "./retry.js";
import { type Attempt, baseUrl, checkedKey, failure, readAnswer } from "./transport.js";

export { type Item, Pages };

/** Options of every call. */
export interface CallOptions {
  /** Lets equal calls take effect once; 1 to 255 visible ASCII characters. A POST without gets a new one. */
  idempotencyKey?: string;
  /** Time for the whole call with its retries and waits, in milliseconds. */
  timeout?: number;
  /** How often the call is tried again. */
  retries?: number;
  /** Further headers. */
  headers?: Record<string, string>;
  /** Ends the call. */
  signal?: AbortSignal;
}

/** How to reach a server. */
export interface Settings {
  /** URL of the server, with or without `/api`. */
  url: string;
  /** The API key, or a developer key. */
  apiKey?: string;
  /** The key of an app, for what only apps call: `agents.verifyIdentity`, and `developers.me` and the like. */
  developerKey?: string;
  /** Time for a whole call, in milliseconds: 120,000 by default. */
  timeout?: number;
  /** Time for one attempt, in milliseconds: 30,000 by default. */
  attemptTimeout?: number;
  /** The longest Retry-After that is waited for, in milliseconds: 60,000 by default. */
  maxRetryWait?: number;
  /** How often a call is tried again: 2 by default. */
  retries?: number;
  /** Allows http to other hosts than this one. */
  allowPlainHttp?: boolean;
  /** Replaces `fetch`. */
  fetch?: typeof fetch;
}

const DEFAULTS = { timeout: 120_000, attemptTimeout: 30_000, maxRetryWait: 60_000, retries: 2 };

/** The paths that take the key of an app, and no other. */
const OF_APPS = /^\/v1\/(agents\/verify-identity|developers\/me)(?![^/?])/;

/** What one call needs beside its request. */
interface Course {
  options: CallOptions;
  repeat: Repeat;
  /** Longest time that the server takes on purpose, in milliseconds. */
  patience: number;
  /** The next step if the answer is lost and the call may not be repeated. */
  lostHint?: string | undefined;
}

/** Sends requests, with as many retries as their outcome allows. */
export abstract class Sender {
  readonly #base: string;
  readonly #key: string | undefined;
  readonly #developerKey: string | undefined;
  readonly #settings: Settings & typeof DEFAULTS;
  readonly #clock: Clock;
  readonly #budget = new Budget();

  constructor(settings: Settings, clock: Clock = systemClock) {
    this.#base = baseUrl(settings.url, settings.allowPlainHttp ?? false);
    this.#key = checkedKey(settings.apiKey);
    this.#developerKey = checkedKey(settings.developerKey);
    const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
    this.#settings = { ...DEFAULTS, ...given, url: settings.url };
    this.#clock = clock;
  }

  /**
   * Calls an endpoint. `repeat`: how, after an attempt whose outcome is unclear. `lostHint`: what to do if the answer
   * is lost and it may not be repeated.
   */
  async send<Answer>(
    method: string,
    path: string,
    members: object,
    options: object = {},
    repeat: Repeat = "same",
    lostHint?: string,
  ): Promise<Answer> {
    const [call, optional] = split(options);
    const all: Record<string, unknown> = { ...members, ...optional };
    const patience = Number(all["waitSeconds"] ?? 0) * 1000;
    // The server ignores the key of an anonymous caller, unless it says otherwise.
    const isIgnored = method === "POST" && this.#keyOf(path) === undefined && repeat !== "kept";
    const course: Course = { options: call, repeat: isIgnored ? "never" : repeat, patience, lostHint };
    return (await this.#run(encode(method, path, all), course)) as Answer;
  }

  /** Sends a body as it is, such as one from a journal. It is JSON unless `headers` say otherwise. */
  async sendBody(method: string, path: string, body: Body, options: CallOptions = {}): Promise<unknown> {
    return this.#run({ method, path, body }, { options, repeat: "same", patience: 0 });
  }

  /** Lists what an endpoint answers page by page. */
  pages<Page extends { nextCursor?: string }, List extends keyof Page & string>(
    path: string,
    list: List,
    members: object,
    options: object = {},
  ): Pages<Page, List> {
    const read = (cursor?: string) => this.send<Page>("GET", path, { ...members, cursor }, options);
    return new Pages(read, list);
  }

  /** Opens a stream: the answer without its body read. There are no retries. */
  async open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    const attempt = { method: "GET", path, attempts: 1 };
    const limit = new Limit(signal, this.#settings.attemptTimeout);
    try {
      const response = await this.#fetch(attempt, headers, undefined, limit.signal);
      if (response.status !== 200) await readAnswer(response, attempt);
      return response;
    } catch (error) {
      throw failure(error, attempt, signal);
    } finally {
      limit.stopTimer(); // The signal still ends the stream.
    }
  }

  /** The bytes of a file as they come, each within the time of an attempt. There are no retries. */
  async *download(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const end = new Limit(signal);
    try {
      const { body } = await this.open(path, { accept: "*/*" }, end.signal);
      const reader = body!.getReader();
      for (;;) {
        const piece = new Limit(undefined, this.#settings.attemptTimeout);
        piece.signal.onabort = () => end.abort(piece.signal.reason);
        const { done, value } = await reader.read().finally(() => piece.end());
        if (done) return;
        yield value;
      }
    } catch (error) {
      throw failure(error, { method: "GET", path, attempts: 1 }, signal);
    } finally {
      end.abort(); // It frees the connection, also when the caller stops early.
      end.end();
    }
  }

  /** Waits, by the clock of the client. @internal */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(milliseconds, signal);
  }

  async #run(request: Encoded, { options, repeat, patience, lostHint }: Course): Promise<unknown> {
    const { timeout = this.#settings.timeout + patience, retries = this.#settings.retries } = options;
    const { attemptTimeout, maxRetryWait } = this.#settings;
    checkIdempotencyKey(request, options);
    const headers = headersOf(request, options);
    const end = this.#clock.now() + timeout;
    const tries = new Retries({ retries, maxRetryWait, end, repeat, lostHint }, this.#budget, this.#clock);
    const idempotencyKey = ["same", "kept"].includes(repeat) ? headers["idempotency-key"] : undefined;
    const named = { ...request, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    for (let attempts = 1; ; attempts += 1) {
      const limit = Math.min(end - this.#clock.now(), attemptTimeout + patience);
      try {
        const answer = await this.#attempt({ ...named, attempts }, headers, limit, options.signal);
        if (attempts === 1) this.#budget.giveBack();
        return answer;
      } catch (error) {
        const pause = tries.pauseAfter(error as SvcError);
        await this.#pause(pause, tries.explained(error as SvcError), options.signal);
        if (repeat === "newKey") headers["idempotency-key"] = randomUUID();
      }
    }
  }

  async #pause(milliseconds: number, last: SvcError, signal?: AbortSignal): Promise<void> {
    try {
      await this.#clock.sleep(milliseconds, signal);
    } catch {
      throw new SvcError("interrupted before it was tried again", { ...last, code: "interrupted", cause: last });
    }
  }

  async #attempt(
    attempt: Attempt & Encoded,
    headers: Record<string, string>,
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<unknown> {
    if (signal?.aborted) throw failure(signal.reason, attempt, signal, "not_sent");
    const limit = new Limit(signal, milliseconds);
    try {
      return await readAnswer(await this.#fetch(attempt, headers, attempt.body, limit.signal), attempt);
    } catch (error) {
      throw failure(error, attempt, signal);
    } finally {
      limit.end();
    }
  }

  /** The key that a request is sent with: an app's for what only apps call. */
  #keyOf(path: string): string | undefined {
    return OF_APPS.test(path) ? (this.#developerKey ?? this.#key) : this.#key;
  }

  #fetch(
    attempt: Attempt,
    headers: Record<string, string>,
    body: Body | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const common: Record<string, string> = { accept: "application/json", prefer: "handling=strict" };
    const key = this.#keyOf(attempt.path);
    if (key !== undefined) common["authorization"] = `Bearer ${key}`;
    const send = this.#settings.fetch ?? fetch;
    return send(this.#base + attempt.path, {
      method: attempt.method,
      headers: { ...common, ...headers },
      redirect: "manual", // A key never goes to another host.
      signal,
      ...(body !== undefined && { body }),
    });
  }
}

/** The methods of a group of endpoints. */
export abstract class Group {
  constructor(protected readonly svc: Sender) {}
}

/** The options of a call, and the optional members of its request. */
function split(options: object): [CallOptions, object] {
  const { idempotencyKey, timeout, retries, headers, signal, ...members } = options as CallOptions;
  const call: Record<string, unknown> = { idempotencyKey, timeout, retries, headers, signal };
  for (const name of Object.keys(call)) if (call[name] === undefined) delete call[name];
  return [call, members];
}

function headersOf({ method, body }: Encoded, options: CallOptions): Record<string, string> {
  const headers: Record<string, string> = {
    ...(body !== undefined && { "content-type": "application/json" }),
    ...options.headers,
  };
  if (method === "POST") headers["idempotency-key"] = options.idempotencyKey ?? randomUUID();
  return headers;
}

/** Refuses what can't be a header: the error of `fetch` would look like an outage. */
function checkIdempotencyKey({ method, path }: Encoded, { idempotencyKey: key }: CallOptions): void {
  if (key === undefined || /^[!-~]{1,255}$/.test(key)) return;
  throw new SvcError("an idempotency key must be 1 to 255 visible ASCII characters", {
    code: "invalid_request", outcome: "not_sent", method, path, field: "Idempotency-Key",
  });
}
