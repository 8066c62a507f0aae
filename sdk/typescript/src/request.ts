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
  const invalid = (field: string, text: string) =>
    new SvcError(text, { code: "invalid_request", outcome: "not_sent", method, path: template, field });
  const rest = new Map(Object.entries(members).filter(([, value]) => value !== undefined));
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name) ?? "");
    rest.delete(name);
    // URL parsers fold `.` and `..` into another path.
    if (["", ".", ".."].includes(value)) {
      throw invalid(name, `${name} must not be empty, \`.\` or \`..\`, since it is part of the path`);
    }
    return encodeURIComponent(wellFormed(value));
  });
  if (method === "GET" || method === "DELETE") {
    const query = new URLSearchParams();
    rest.forEach((value, name) => query.append(name, value instanceof Date ? value.toISOString() : String(value)));
    return { method, path: rest.size > 0 ? `${path}?${query}` : path };
  }
  if (rest.size === 0) return { method, path };
  const replacer = expressible((name, value) => invalid(name, `${name} must be a finite number, not ${value}`));
  return { method, path, body: JSON.stringify(Object.fromEntries(rest), replacer) };
}

/** A replacer for `JSON.stringify`, which would write `NaN` and infinite numbers as `null`: they are refused. */
export function expressible(
  refusal: (name: string, value: number) => Error,
): (name: string, value: unknown) => unknown {
  return (name, value) => {
    if (typeof value === "string") return wellFormed(value);
    if (typeof value !== "number" || Number.isFinite(value)) return value;
    throw refusal(name, value);
  };
}

/** The text with U+FFFD in place of lone surrogates, such as `slice` leaves of an emoji: UTF-8 has none. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
