// `factors`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

export class Factors extends Group {
  /**
   * Get your second factors and passkeys.
   */
  get(options: CallOptions = {}): Promise<Answers["Factors"]> {
    return this.svc.send("GET", "/auth/factors", {}, options);
  }

  /**
   * Begin to add an authenticator app.
   *
   * The URI goes into the app, as a QR code or by hand, and is shown once. The factor is on once
   * its first code was confirmed; until then, a new call replaces the URI. 409 if the factor is
   * on, and for accounts without a password.
   *
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  createTotp(options: CallOptions = {}): Promise<Answers["NewTotp"]> {
    return this.svc.send(
      "POST", "/auth/totp", {}, options, "never",
      "begin again; the new URI replaces the lost one",
    );
  }

  /**
   * Turn the authenticator app on with its first code.
   *
   * From now on signing in needs a code. The recovery codes replace a code once each when the app
   * is lost, and are shown once.
   *
   * @param code The code that the app shows: six digits.
   * @throws SvcError, with the common codes or `invalid_credentials`, `wrong_state`,
   * `rate_limited`.
   */
  confirmTotp(code: string, options: CallOptions = {}): Promise<Answers["RecoveryCodes"]> {
    return this.svc.send(
      "POST", "/auth/totp/confirm", { code }, options, "never",
      "read the factors: if the authenticator app is on, create other recovery codes",
    );
  }

  /**
   * Remove the authenticator app, and the recovery codes with it.
   *
   * @throws SvcError, with the common codes or `not_found`.
   */
  deleteTotp(options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/auth/totp", {}, options);
  }

  /**
   * Replace your recovery codes.
   *
   * The former ones end. The new ones are shown once.
   *
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  createRecoveryCodes(options: CallOptions = {}): Promise<Answers["RecoveryCodes"]> {
    return this.svc.send(
      "POST", "/auth/recovery-codes", {}, options, "never",
      "create others; the lost ones end then",
    );
  }
}
