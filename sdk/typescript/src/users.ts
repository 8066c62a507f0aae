import { Users as Methods } from "./generated/users.js";
import type { Answers } from "./schemas.js";
import type { CallOptions } from "./sender.js";

export class Users extends Methods {
  /**
   * Upload the avatar of your account: a PNG, JPEG, WebP or GIF file of at most 2 MiB.
   */
  async uploadAvatar(
    file: Uint8Array<ArrayBuffer>,
    options: CallOptions = {},
  ): Promise<Answers["UserEnvelope"]> {
    const headers = { ...options.headers, "content-type": "application/octet-stream" };
    const answer = await this.svc.sendBody("PUT", "/users/me/avatar", file, { ...options, headers });
    return answer as Answers["UserEnvelope"];
  }
}
