// `keys`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

/** Options of `createApiKey`. */
export interface CreateApiKeyOptions extends CallOptions {
  /** Lifetime: 1 hour to 365 days; without end when omitted. */
  expiresIn?: string;
  /** The networks such as `203.0.113.0/24`, or addresses, it works from, at most 10; everywhere
   *  when omitted. */
  allowFrom?: Requests["CreateApiKey"]["allowFrom"];
  /** The most it may spend; without caps when omitted. */
  spend?: Requests["KeySpend"];
}

/** Options of `updateApiKey`. */
export interface UpdateApiKeyOptions extends CallOptions {
  /** The new name: 1–64 characters. */
  name?: string;
  /** What it may do from now on: at least one scope. */
  scopes?: Requests["UpdateApiKey"]["scopes"];
  /** The networks or addresses that it may be used from, at most 10; an empty list stands for
   *  everywhere. */
  allowFrom?: Requests["UpdateApiKey"]["allowFrom"];
  /** The most it may spend. Both caps are replaced; an empty object removes them. */
  spend?: Requests["KeySpend"];
}

export class Keys extends Group {
  /**
   * List your API keys: the default one, then the others by name.
   *
   * A key is listed until it is deleted, even after it has expired.
   */
  list(options: CallOptions = {}): Promise<Answers["ApiKeyList"]> {
    return this.svc.send("GET", "/auth/keys", {}, options);
  }

  /**
   * Get the API key of this request.
   *
   * 404 for a session.
   *
   * @throws SvcError, with the common codes or `not_found`.
   */
  current(options: CallOptions = {}): Promise<Answers["ApiKeyEnvelope"]> {
    return this.svc.send("GET", "/auth/keys/current", {}, options);
  }

  /**
   * Create an API key.
   *
   * It may do no more than its scopes say, and no more than the credential that creates it; a key
   * with an end, networks or caps creates none. The key is shown once. An account has at most 25
   * keys beside the default one.
   *
   * @param name Your name for it, unique among your keys: 1–64 characters.
   * @param scopes What it may do: at least one scope.
   * @throws SvcError, with the common codes or `already_exists`, `limit_reached`, `rate_limited`.
   */
  create(
    name: string,
    scopes: Requests["CreateApiKey"]["scopes"],
    options: CreateApiKeyOptions = {},
  ): Promise<Answers["CreatedApiKey"]> {
    return this.svc.send(
      "POST", "/auth/keys", { name, scopes }, options, "never",
      "list the keys: if there is one of this name, its secret is lost; delete it and create another",
    );
  }

  /**
   * Rename an API key, or change what it may do.
   *
   * Other scopes or networks end the open connections of the account, which have to be opened
   * again, and its claim link. The default key keeps its name and every scope, and has no caps. A
   * change that lets the key do more asks for a confirmation: `POST /auth/step-up`.
   *
   * @param keyId Public part of the key.
   * @throws SvcError, with the common codes or `step_up_required`, `not_found`, `already_exists`,
   * `wrong_state`, `rate_limited`.
   */
  update(keyId: string, options: UpdateApiKeyOptions = {}): Promise<Answers["ApiKeyEnvelope"]> {
    return this.svc.send("PATCH", "/auth/keys/{keyId}", { keyId }, options);
  }

  /**
   * Delete an API key.
   *
   * It ends at once, with its open connections. The only way left into an account cannot be
   * deleted: a password, a passkey, or a key with every scope and without an end, networks or caps
   * has to remain.
   *
   * @param keyId Public part of the key.
   * @throws SvcError, with the common codes or `not_found`, `last_credential`.
   */
  delete(keyId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/auth/keys/{keyId}", { keyId }, options);
  }

  /**
   * Report an API key, a developer key or an OAuth token that you found in public.
   *
   * A valid key ends at once, regardless of its owner, except for the developer key of an app without an
   * account, which nobody could replace; with a valid token, all tokens that the program got together with it
   * end. The response does not say whether it was valid.
   *
   * @param token The whole key or token: `svc_ak_…`, `svc_dk_…`, `svc_at_…` or `svc_rt_…`.
   */
  report(token: string, options: CallOptions = {}): Promise<Answers["ApiKeyReported"]> {
    return this.svc.send("POST", "/auth/keys/report", { token }, options);
  }
}
