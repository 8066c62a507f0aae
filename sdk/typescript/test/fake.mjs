// A server with answers prepared by a test, and a clock that moves on when a call waits.

import { Svc } from "@svc/sdk";

/** An answer in JSON. */
export function answer(status, body = {}, headers = {}) {
  return () => Response.json(body, { status, headers });
}

/** A refusal as the server writes it. */
export function refusal(status, code, more = {}, headers = {}) {
  return answer(status, { error: `it says ${code}`, code, ...more }, headers);
}

/** A connection that breaks after the request was sent. */
export function lost() {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("broken"), { code: "ECONNRESET" }) });
}

/** A connection that is never made. */
export function unreachable() {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
}

/** A client of a server that gives these answers in turn, the last one again and again. */
export function client(answers, settings = {}) {
  const requests = [];
  const waits = [];
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
    random: () => 1,
  };
  const fetch = async (url, init) => {
    requests.push({ url, ...init });
    return answers[Math.min(requests.length, answers.length) - 1]();
  };
  const svc = new Svc({ url: "http://127.0.0.1:1", apiKey: "svc_ak_test", fetch, ...settings }, clock);
  return { svc, requests, waits };
}

/** The error of a call that fails. */
export async function failed(call) {
  try {
    await call();
  } catch (error) {
    return error;
  }
  throw new Error("the call did not fail");
}
