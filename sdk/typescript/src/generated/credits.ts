// `credits`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `listTransactions`. */
export interface ListTransactionsOptions extends CallOptions {
  /** Only transactions of this kind. */
  kind?: Requests["TransferKind"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Credits extends Group {
  /**
   * Get your balance.
   */
  balance(options: CallOptions = {}): Promise<Answers["CreditsEnvelope"]> {
    return this.svc.send("GET", "/v1/credits", {}, options);
  }

  /**
   * List your transactions, newest first.
   */
  transactions(
    options: ListTransactionsOptions = {},
  ): Pages<Answers["TransactionPage"], "transactions"> {
    return this.svc.pages("/v1/credits/transactions", "transactions", {}, options);
  }

  /**
   * Issue credits to an account.
   *
   * @param username The recipient: username or user id.
   * @param amount Amount of credits.
   * @param reason Reason of the grant.
   * @throws SvcError, with the common codes or `not_found`, `issuance_limit`.
   */
  grant(
    username: string,
    amount: number,
    reason: string,
    options: CallOptions = {},
  ): Promise<Answers["TransferEnvelope"]> {
    return this.svc.send("POST", "/v1/credits/grant", { username, amount, reason }, options);
  }
}
