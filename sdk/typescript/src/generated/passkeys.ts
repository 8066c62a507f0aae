// `passkeys`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

/** Options of `beginPasskeyLogin`. */
export interface BeginPasskeyLoginOptions extends CallOptions {
  /** The account to sign in to. A passkey of another account is then refused. */
  username?: string;
}

export class Passkeys extends Group {
  /**
   * Begin to add a passkey.
   *
   * Give `options` to `navigator.credentials.create()` of a browser on this server's pages. The
   * ceremony lasts 10 minutes, works once, and ends when you begin another. A key that may not do
   * everything can't add a passkey. 503 if the server's public address has no host name.
   *
   * @throws SvcError, with the common codes or `feature_not_configured`, `limit_reached`.
   */
  begin(options: CallOptions = {}): Promise<Answers["PasskeyCeremony"]> {
    return this.svc.send("POST", "/auth/passkeys/begin", {}, options);
  }

  /**
   * Add a passkey with what the browser answered.
   *
   * From now on it is enough to sign in, because the device verifies who uses it. 401 if the
   * answer does not belong to the ceremony.
   *
   * @param ceremonyId Id of the ceremony.
   * @param credential The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.
   * @param name A name by which you recognize it: 1–64 characters.
   * @throws SvcError, with the common codes or `feature_not_configured`, `invalid_credentials`,
   * `limit_reached`.
   */
  create(
    ceremonyId: string,
    credential: Requests["CreatePasskey"]["credential"],
    name: string,
    options: CallOptions = {},
  ): Promise<Answers["PasskeyEnvelope"]> {
    return this.svc.send("POST", "/auth/passkeys", { ceremonyId, credential, name }, options);
  }

  /**
   * Rename a passkey.
   *
   * @param passkeyId Id of the passkey.
   * @param name The new name: 1–64 characters.
   * @throws SvcError, with the common codes or `not_found`.
   */
  update(
    passkeyId: string,
    name: string,
    options: CallOptions = {},
  ): Promise<Answers["PasskeyEnvelope"]> {
    return this.svc.send("PATCH", "/auth/passkeys/{passkeyId}", { passkeyId, name }, options);
  }

  /**
   * Remove a passkey.
   *
   * 409 if it is the only way left into the account.
   *
   * @param passkeyId Id of the passkey.
   * @throws SvcError, with the common codes or `not_found`, `last_credential`.
   */
  delete(passkeyId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/auth/passkeys/{passkeyId}", { passkeyId }, options);
  }

  /**
   * Begin to sign in with a passkey.
   *
   * Give `options` to `navigator.credentials.get()`. They are the same for every account, and
   * for names without one: the device knows its passkeys for this server. The ceremony lasts
   * 10 minutes and works once.
   *
   * @throws SvcError, with the common codes or `feature_not_configured`, `rate_limited`.
   */
  beginLogin(options: BeginPasskeyLoginOptions = {}): Promise<Answers["PasskeyCeremony"]> {
    return this.svc.send("POST", "/auth/login/passkey/begin", {}, options);
  }

  /**
   * Sign in with a passkey.
   *
   * Sets the session cookie. A passkey is two factors, so no code is asked for.
   *
   * @param ceremonyId Id of the ceremony.
   * @param credential The `PublicKeyCredential` of the browser, as its `toJSON()` returns it.
   * @throws SvcError, with the common codes or `feature_not_configured`, `invalid_credentials`,
   * `rate_limited`.
   */
  login(
    ceremonyId: string,
    credential: Requests["LoginWithPasskey"]["credential"],
    options: CallOptions = {},
  ): Promise<Answers["LoggedIn"]> {
    return this.svc.send("POST", "/auth/login/passkey", { ceremonyId, credential }, options);
  }

  /**
   * Begin to confirm that it is you with a passkey.
   *
   * Give `options` to `navigator.credentials.get()`, and what it answers to `POST /auth/step-up`.
   * The ceremony lasts 10 minutes, works once, and ends when you begin another. 409 if you have
   * no passkey.
   *
   * @throws SvcError, with the common codes or `feature_not_configured`, `wrong_state`.
   */
  beginStepUp(options: CallOptions = {}): Promise<Answers["PasskeyCeremony"]> {
    return this.svc.send("POST", "/auth/step-up/passkey/begin", {}, options);
  }
}
