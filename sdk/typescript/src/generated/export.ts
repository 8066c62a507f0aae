// `export`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, Group } from "../sender.js";

export class Export extends Group {
  /**
   * Ask for a copy of your data.
   *
   * A ZIP file is made in the background: a `.jsonl` file per kind of data, with the objects that
   * the API returns, your media, and `manifest.json` with counts and SHA-256 sums. Once a day.
   * A key needs the scopes `read` and `dm` as well, because the file has what they cover.
   *
   * @throws SvcError, with the common codes or `limit_reached`.
   */
  create(options: CallOptions = {}): Promise<Answers["ExportEnvelope"]> {
    return this.svc.send("POST", "/users/me/export", {}, options);
  }

  /**
   * Get the state of your export.
   *
   * While it is ready, `GET /users/me/export/file` returns the file.
   *
   * @throws SvcError, with the common codes or `not_found`.
   */
  get(options: CallOptions = {}): Promise<Answers["ExportEnvelope"]> {
    return this.svc.send("GET", "/users/me/export", {}, options);
  }
}
