// How a request travels: members named in the path in the path, all others in the query of GET and
// DELETE, otherwise in the body.

import { SvcError } from "./error.js";

/** The bytes of a body; text is sent as UTF-8. */
export type Body = string | Uint8Array<ArrayBuffer>;

/** A request ready to be sent. */
export interface Encoded {
  method: string;
  /** Path below the base URL, with its query. */
  path: string;
  /** The bytes of the body, the same in each attempt. */
  body?: Body;
}

export function encode(method: string, template: string, members: Record<string, unknown>): Encoded {
  const rest = new Map(Object.entries(members).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name) ?? "");
    rest.delete(name);
    // URL parsers fold `.` and `..` into another path.
    if (["", ".", ".."].includes(value)) {
      const text = `${name} must not be empty, \`.\` or \`..\`, since it is part of the path`;
      throw new SvcError(text, {
        code: "invalid_request", outcome: "not_sent", method, path: template, field: name,
      });
    }
    return encodeURIComponent(wellFormed(value));
  });
  if (method === "GET" || method === "DELETE") {
    const query = new URLSearchParams();
    rest.forEach((value, name) => query.append(name, String(value)));
    return { method, path: rest.size > 0 ? `${path}?${query}` : path };
  }
  if (rest.size === 0) return { method, path };
  const expressible = (name: string, value: unknown): unknown => {
    if (typeof value === "string") return wellFormed(value);
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    throw new SvcError(`${name} must be a number that JSON can express, not ${value}`, {
      code: "invalid_request", outcome: "not_sent", method, path: template, field: name,
    });
  };
  return { method, path, body: JSON.stringify(Object.fromEntries(rest), expressible) };
}

/**
 * A text without halves of characters that UTF-16 has in two parts, such as those that `slice` leaves of an emoji:
 * they become U+FFFD, since UTF-8 can't express them.
 */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
