// `invites`: written by `cargo document`; do not edit.

import type { Answers } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `listInvites`. */
export interface ListInvitesOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `createInvite`. */
export interface CreateInviteOptions extends CallOptions {
  /** How long it works: 1h to 90d, 30d when omitted. */
  expiresIn?: string;
}

export class Invites extends Group {
  /**
   * List your invites, newest first.
   */
  list(options: ListInvitesOptions = {}): Pages<Answers["InvitePage"], "invites"> {
    return this.svc.pages("/invites", "invites", {}, options);
  }

  /**
   * Create an invite, with which one account may sign up.
   *
   * Its code is shown once and works once. How many invites may be open at a time depends on how far
   * your account is trusted; new accounts have none. Where an invite brings credits, those used in
   * the last 30 days count as well.
   *
   * @throws SvcError, with the common codes or `limit_reached`.
   */
  create(options: CreateInviteOptions = {}): Promise<Answers["NewInvite"]> {
    return this.svc.send(
      "POST", "/invites", {}, options, "never",
      "list the invites: delete the new one, and create another",
    );
  }

  /**
   * Delete an invite that nobody has used.
   *
   * @param inviteId Id of the invite: `inv_…`.
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  delete(inviteId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/invites/{inviteId}", { inviteId }, options);
  }
}
