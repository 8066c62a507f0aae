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
}

/** Headers of a request, as servers in Node and `fetch` have them. */
export type HeaderSource = Headers | Record<string, string | readonly string[] | undefined>;

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
  const text = typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const signed = Object.fromEntries(SIGNED.map((name) => [name, only(headers, name)]));
  const secrets = typeof secret === "string" ? [secret] : secret;
  let problem: unknown;
  for (const each of secrets) {
    try {
      new Webhook(each.trim()).verify(text, signed);
      return event(text, signed["webhook-id"]!);
    } catch (error) {
      if (error instanceof SvcError) throw error;
      // The signature fits: the package parses only what it has verified.
      if (error instanceof SyntaxError) throw invalid("the body is not an event", error);
      problem = error;
    }
  }
  if (problem instanceof WebhookVerificationError) throw invalid(explained(problem.message), problem);
  throw invalid("the secret must be as the platform showed it: whsec_…", problem);
}

/** What the package says of a webhook that is not verified, with its probable cause. */
function explained(message: string): string {
  if (/timestamp/i.test(message)) return `the clocks differ by more than five minutes, or it is a replay: ${message}`;
  if (!/signature/i.test(message)) return message;
  return "the signature is wrong; is the body as it came, and the secret this webhook's?";
}

/** The only value of a header. */
function only(headers: HeaderSource, name: string): string {
  const found = headers instanceof Headers
    ? [headers.get(name)]
    : Object.entries(headers).filter(([key]) => key.toLowerCase() === name).flatMap(([, value]) => value ?? []);
  const [value] = found;
  if (found.length !== 1 || typeof value !== "string" || value === "") {
    throw invalid(`the header ${name} is missing, or comes more than once`);
  }
  return value;
}

function event(text: string, id: string): WebhookEvent {
  const found = JSON.parse(text) as WebhookEvent;
  if (typeof found?.event !== "string" || typeof found.data !== "object") {
    throw invalid("the body is not an event");
  }
  return { ...found, id };
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
