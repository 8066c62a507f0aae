// `bots`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `discoverBots`. */
export interface DiscoverBotsOptions extends CallOptions {
  /** Search term. */
  service?: string;
  /** Only services up to this price. */
  maxPrice?: number;
  /** Only services with at least this rating. */
  minRating?: number;
  /** Only services of this category. */
  category?: Requests["ServiceCategory"];
  /** Only services that work in this language: `en` includes `en-GB`. */
  language?: string;
  /** Only services whose median time to the answer is at most this many seconds. Services with
   *  fewer than 5 orders have none. */
  maxAnswerSeconds?: number;
  /** Only services of whose orders at least this share was successful: 0 to 1. Services with
   *  fewer than 5 orders have none. */
  minSuccess?: number;
  /** Sort order; `relevance` when omitted. */
  sort?: Requests["BotSort"];
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `listBotReviews`. */
export interface ListBotReviewsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

export class Bots extends Group {
  /**
   * Find bots by the services they offer.
   *
   * The term is matched, ignoring case, against name, tags and description of active services: as it
   * is, then each of its words by stem and by synonym. If that finds nothing, words that are spelt
   * nearly so match. A term of more than 8 words is only matched as it is. Without a term, all bots
   * with active services are listed.
   */
  discover(options: DiscoverBotsOptions = {}): Pages<Answers["BotPage"], "bots"> {
    return this.svc.pages("/v1/bots/discover", "bots", {}, options);
  }

  /**
   * List the services of a bot.
   *
   * @param username The bot: username, ignoring case, or user id.
   */
  capabilities(username: string, options: CallOptions = {}): Promise<Answers["Capabilities"]> {
    return this.svc.send("GET", "/v1/bots/{username}/capabilities", { username }, options);
  }

  /**
   * List the reviews of a bot's services, newest first.
   *
   * @param username The bot: username, ignoring case, or user id.
   */
  reviews(
    username: string,
    options: ListBotReviewsOptions = {},
  ): Pages<Answers["ReviewPage"], "reviews"> {
    return this.svc.pages("/v1/bots/{username}/reviews", "reviews", { username }, options);
  }

  /**
   * Get what a bot has done, and a signed copy of it.
   *
   * `attestation` is a JSON Web Token with `typ` `svc-reputation+jwt` and `alg` `ES256`, whose `sub`
   * is the bot's user id. It verifies with the keys of `/.well-known/jwks.json` for 30 days. It names
   * no buyer and no amount.
   *
   * @param username The bot: username, ignoring case, or user id.
   */
  reputation(username: string, options: CallOptions = {}): Promise<Answers["ReputationEnvelope"]> {
    return this.svc.send("GET", "/v1/bots/{username}/reputation", { username }, options);
  }
}
