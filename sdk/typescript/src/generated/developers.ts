// `developers`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `registerDeveloper`. */
export interface RegisterDeveloperOptions extends CallOptions {
  /** What the app does. */
  description?: string;
  /** Where people return from "Sign in with svc", at most 10: `https` URLs, loopback URLs such
   *  as `http://127.0.0.1/callback`, or a scheme of the app such as `org.example.app:/done`. */
  redirectUris?: Requests["RegisterDeveloper"]["redirectUris"];
  /** How ID tokens for the app are signed; `ES256` when omitted. */
  idTokenSignedResponseAlg?: Requests["IdTokenAlg"];
}

/** Options of `updateDeveloper`. */
export interface UpdateDeveloperOptions extends CallOptions {
  /** Name of the app. */
  appName?: string;
  /** URL of the app's website. */
  website?: string;
  /** What the app does. */
  description?: string;
  /** Where people return from "Sign in with svc", at most 10; an empty list removes all. */
  redirectUris?: Requests["UpdateDeveloper"]["redirectUris"];
  /** How ID tokens for the app are signed from now on. */
  idTokenSignedResponseAlg?: Requests["IdTokenAlg"];
}

/** Options of `rotateDeveloperKey`. */
export interface RotateDeveloperKeyOptions extends CallOptions {
  /** Seconds until the old key ends, at most 7 days; 0 when omitted. */
  overlapSeconds?: number;
}

/** Options of `listApps`. */
export interface ListAppsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `rotateAppKey`. */
export interface RotateAppKeyOptions extends CallOptions {
  /** Seconds until the old key ends, at most 7 days; 0 when omitted. */
  overlapSeconds?: number;
}

export class Developers extends Group {
  /**
   * Register a developer app.
   *
   * No account is required. If you are signed in, the app belongs to your account; a key needs the
   * scope `account` for that.
   *
   * @param appName Name of the app.
   * @param website URL of the app's website.
   * @throws SvcError, with the common codes or `insufficient_scope`, `credential_in_content`,
   * `limit_reached`, `rate_limited`.
   */
  register(
    appName: string,
    website: string,
    options: RegisterDeveloperOptions = {},
  ): Promise<Answers["DeveloperRegistered"]> {
    return this.svc.send(
      "POST", "/v1/developers/register", { appName, website }, options, "never",
      "register again; the app whose key is lost does no harm",
    );
  }

  /**
   * Get your app.
   *
   * @throws SvcError, with the common codes or `invalid_developer_key`, `developer_key_required`.
   */
  me(options: CallOptions = {}): Promise<Answers["DeveloperEnvelope"]> {
    return this.svc.send("GET", "/v1/developers/me", {}, options);
  }

  /**
   * Update your app.
   *
   * @throws SvcError, with the common codes or `invalid_developer_key`, `developer_key_required`,
   * `credential_in_content`.
   */
  update(options: UpdateDeveloperOptions = {}): Promise<Answers["DeveloperEnvelope"]> {
    return this.svc.send("PATCH", "/v1/developers/me", {}, options);
  }

  /**
   * Delete your app.
   *
   * Its developer key and its tokens end at once; accounts no longer see it among their grants.
   *
   * @throws SvcError, with the common codes or `invalid_developer_key`, `developer_key_required`.
   */
  delete(options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/v1/developers/me", {}, options);
  }

  /**
   * Rotate your developer key.
   *
   * The old key ends at once, or after an overlap. Until then it verifies identities and is a secret of the app,
   * but changes nothing about it. An overlap of 0 also ends the keys that earlier rotations left.
   *
   * @throws SvcError, with the common codes or `invalid_developer_key`, `developer_key_required`.
   */
  rotateKey(options: RotateDeveloperKeyOptions = {}): Promise<Answers["NewDeveloperKey"]> {
    return this.svc.send(
      "POST", "/v1/developers/me/rotate-key", {}, options, "never",
      "rotate the key again: if the old one is refused, the new one is lost; the account of the app can replace it, or register a new app",
    );
  }

  /**
   * List the apps that your account registered, newest first.
   */
  apps(options: ListAppsOptions = {}): Pages<Answers["DeveloperPage"], "developers"> {
    return this.svc.pages("/v1/developers/apps", "developers", {}, options);
  }

  /**
   * Get an app that your account registered.
   *
   * @param appId Id of the app: `app_…`.
   */
  app(appId: string, options: CallOptions = {}): Promise<Answers["DeveloperEnvelope"]> {
    return this.svc.send("GET", "/v1/developers/apps/{appId}", { appId }, options);
  }

  /**
   * Rotate the developer key of an app that your account registered.
   *
   * The old key ends at once, or after an overlap. Until then it verifies identities and is a secret of the app,
   * but changes nothing about it. An overlap of 0 also ends the keys that earlier rotations left.
   *
   * @param appId Id of the app: `app_…`.
   */
  rotateAppKey(
    appId: string,
    options: RotateAppKeyOptions = {},
  ): Promise<Answers["NewDeveloperKey"]> {
    return this.svc.send(
      "POST", "/v1/developers/apps/{appId}/rotate-key", { appId }, options, "never",
      "rotate the key again; the lost one does no harm",
    );
  }

  /**
   * Delete an app that your account registered.
   *
   * Its developer key and its tokens end at once; accounts no longer see it among their grants.
   *
   * @param appId Id of the app: `app_…`.
   */
  deleteApp(appId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/v1/developers/apps/{appId}", { appId }, options);
  }
}
