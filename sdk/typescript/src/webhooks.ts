import { Webhook, WebhookVerificationError } from "standardwebhooks";

import { SvcError } from "./error.js";
import { Webhooks as Methods } from "./generated/webhooks.js";

/** An event as a webhook carries it. */
export interface WebhookEvent {
  /** The event's id, the same in every attempt: handle each id once. */
  id: string;
  /** Its kind, such as `direct_message`. */
  event: string;
  timestamp: string;
  data: Record<string, unknown>;
  /** Whether it is a test with invented data. The header that says so is not signed. */
  isTest: boolean;
}

/** Headers of a request, as servers in Node and `fetch` have them. */
export type HeaderSource = Headers | Record<string, string | readonly string[] | undefined>;

/** The platform sends no longer body. */
const BODY_BYTES_MAX = 512 * 1024;

const TEST = "x-webhook-test";
const SIGNED = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;

/**
 * The event of a webhook, once its signature and its time have been verified.
 *
 * @param body The body as it came, unparsed.
 * @param secret The secret of the webhook; while you rotate it, both.
 * @throws SvcError with code `invalid_webhook` for anything that is not verified.
 */
export function unwrap(
  body: string | Uint8Array,
  headers: HeaderSource,
  secret: string | readonly string[],
): WebhookEvent {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    throw invalid("the body was parsed: pass its bytes as they came");
  }
  if (isTooLong(body)) throw invalid(`the body exceeds ${BODY_BYTES_MAX} bytes`);
  const text = typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const signed = Object.fromEntries(SIGNED.map((name) => [name, only(headers, name)]));
  const verifiers = (typeof secret === "string" ? [secret] : secret).map(verifier);
  let problem: unknown;
  for (const each of verifiers) {
    try {
      each.verify(text, signed);
      return event(text, signed["webhook-id"]!, found(headers, TEST).includes("true"));
    } catch (error) {
      if (error instanceof SvcError) throw error;
      // The signature fits: the package parses only what it has verified.
      if (error instanceof SyntaxError) throw invalid("the body is not an event", error);
      problem = error;
    }
  }
  if (problem instanceof WebhookVerificationError) throw invalid(explained(problem.message), problem);
  throw invalid(problem === undefined ? "there is no secret" : UNUSABLE, problem);
}

/** A text has at least as many bytes as its length says. */
function isTooLong(body: string | Uint8Array): boolean {
  if (body.length > BODY_BYTES_MAX || typeof body !== "string") return body.length > BODY_BYTES_MAX;
  return new TextEncoder().encode(body).length > BODY_BYTES_MAX;
}

const UNUSABLE = "the secret must be as the platform showed it: whsec_…";

/** What verifies with a secret. One that can't be used is a mistake that would show only after the rotation. */
function verifier(secret: string): Webhook {
  try {
    return new Webhook(secret.trim());
  } catch (error) {
    throw invalid(UNUSABLE, error);
  }
}

/** What the package says of a webhook that is not verified, with its probable cause. */
function explained(message: string): string {
  if (/timestamp/i.test(message)) return `the clocks differ by more than five minutes, or it is a replay: ${message}`;
  if (!/signature/i.test(message)) return message;
  return "the signature is wrong; is the body as it came, and the secret this webhook's?";
}

/** The values of a header. */
function found(headers: HeaderSource, name: string): (string | null)[] {
  if (headers instanceof Headers) return [headers.get(name)];
  return Object.entries(headers).filter(([key]) => key.toLowerCase() === name).flatMap(([, value]) => value ?? []);
}

/** The only value of a header. */
function only(headers: HeaderSource, name: string): string {
  const [value, ...others] = found(headers, name);
  if (others.length > 0 || typeof value !== "string" || value === "") {
    throw invalid(`the header ${name} is missing, or comes more than once`);
  }
  return value;
}

function event(text: string, id: string, isTest: boolean): WebhookEvent {
  const body = JSON.parse(text) as WebhookEvent;
  if (typeof body?.event !== "string" || typeof body.data !== "object" || body.data === null) {
    throw invalid("the body is not an event");
  }
  return { ...body, id, isTest };
}

function invalid(problem: string, cause?: unknown): SvcError {
  return new SvcError(problem, { code: "invalid_webhook", outcome: "refused", cause });
}

/** What receivers of webhooks need without a client. */
export const webhooks = { unwrap };

export class Webhooks extends Methods {
  /** The event of a webhook, once its signature and its time have been verified. */
  readonly unwrap = unwrap;
}
