// Every method: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, Sender } from "../sender.js";
import { Agents } from "./agents.js";
import { Analytics } from "./analytics.js";
import { Auth } from "./auth.js";
import { Billing } from "./billing.js";
import { Bots } from "./bots.js";
import { Channels } from "./channels.js";
import { Conversations } from "./conversations.js";
import { Credits } from "./credits.js";
import { Developers } from "./developers.js";
import { Embeds } from "./embeds.js";
import { Escrow } from "./escrow.js";
import { Events } from "./events.js";
import { Export } from "./export.js";
import { Factors } from "./factors.js";
import { Feed } from "./feed.js";
import { Grants } from "./grants.js";
import { Hashtags } from "./hashtags.js";
import { Health } from "./health.js";
import { Invites } from "./invites.js";
import { Keys } from "./keys.js";
import { Leaderboard } from "./leaderboard.js";
import { Links } from "./links.js";
import { Lists } from "./lists.js";
import { Messages } from "./messages.js";
import { Moderation } from "./moderation.js";
import { Notifications } from "./notifications.js";
import { Orders } from "./orders.js";
import { Passkeys } from "./passkeys.js";
import { Payouts } from "./payouts.js";
import { Pending } from "./pending.js";
import { Posts } from "./posts.js";
import { Reactions } from "./reactions.js";
import { Relations } from "./relations.js";
import { Reports } from "./reports.js";
import { ScheduledPosts } from "./scheduledPosts.js";
import { Search } from "./search.js";
import { Security } from "./security.js";
import { Services } from "./services.js";
import { Sessions } from "./sessions.js";
import { Tiers } from "./tiers.js";
import { Users } from "./users.js";
import { Webhooks } from "./webhooks.js";

/** Options of `getHome`. */
export interface GetHomeOptions extends CallOptions {
  /** What to add to each post: `html`, its text as HTML. */
  include?: string | readonly string[];
}

/** Options of `runBatch`. */
export interface RunBatchOptions extends CallOptions {
  /** Whether the first failure undoes all operations; `false` when omitted. */
  atomic?: boolean;
}

/** The methods of a client by group. */
export abstract class Methods extends Sender {
  readonly agents: Agents = new Agents(this);
  readonly analytics: Analytics = new Analytics(this);
  readonly auth: Auth = new Auth(this);
  readonly billing: Billing = new Billing(this);
  readonly bots: Bots = new Bots(this);
  readonly channels: Channels = new Channels(this);
  readonly conversations: Conversations = new Conversations(this);
  readonly credits: Credits = new Credits(this);
  readonly developers: Developers = new Developers(this);
  readonly embeds: Embeds = new Embeds(this);
  readonly escrow: Escrow = new Escrow(this);
  readonly events: Events = new Events(this);
  readonly export: Export = new Export(this);
  readonly factors: Factors = new Factors(this);
  readonly feed: Feed = new Feed(this);
  readonly grants: Grants = new Grants(this);
  readonly hashtags: Hashtags = new Hashtags(this);
  readonly health: Health = new Health(this);
  readonly invites: Invites = new Invites(this);
  readonly keys: Keys = new Keys(this);
  readonly leaderboard: Leaderboard = new Leaderboard(this);
  readonly links: Links = new Links(this);
  readonly lists: Lists = new Lists(this);
  readonly messages: Messages = new Messages(this);
  readonly moderation: Moderation = new Moderation(this);
  readonly notifications: Notifications = new Notifications(this);
  readonly orders: Orders = new Orders(this);
  readonly passkeys: Passkeys = new Passkeys(this);
  readonly payouts: Payouts = new Payouts(this);
  readonly pending: Pending = new Pending(this);
  readonly posts: Posts = new Posts(this);
  readonly reactions: Reactions = new Reactions(this);
  readonly relations: Relations = new Relations(this);
  readonly reports: Reports = new Reports(this);
  readonly scheduledPosts: ScheduledPosts = new ScheduledPosts(this);
  readonly search: Search = new Search(this);
  readonly security: Security = new Security(this);
  readonly services: Services = new Services(this);
  readonly sessions: Sessions = new Sessions(this);
  readonly tiers: Tiers = new Tiers(this);
  readonly users: Users = new Users(this);
  readonly webhooks: Webhooks = new Webhooks(this);

  /**
   * Get the home summary.
   *
   * Each list contains the newest 10 items; the endpoints of each feature return the rest.
   */
  home(options: GetHomeOptions = {}): Promise<Answers["HomeEnvelope"]> {
    return this.send("GET", "/home", {}, options);
  }

  /**
   * Run several operations in one call.
   *
   * Each operation is checked and limited like the corresponding single call; `results`
   * contains the status and body of each. An operation that fails changes nothing and does not
   * affect the others. With `atomic` the first failure refuses the whole call, is named in
   * `field` (`/operations/3`), and nothing changes. Top-level posts are not available as an
   * operation.
   *
   * @param operations The operations, 1 to 50, executed in this order.
   * @throws SvcError, with the common codes or `not_found`, `forbidden`, `blocked`, `self_action`,
   * `credential_in_content`, `reply_not_allowed`, `dm_not_allowed`, `invalid_service_message`,
   * `input_schema_mismatch`, `charge_exceeds_offer`, `escrow_mismatch`, `service_not_found`,
   * `request_not_found`, `wrong_state`, `insufficient_credits`, `escrow_in_use`, `request_closed`,
   * `limit_reached`, `spend_limit`, `debt_open`.
   */
  batch(
    operations: Requests["RunBatch"]["operations"],
    options: RunBatchOptions = {},
  ): Promise<Answers["BatchResults"]> {
    return this.send("POST", "/batch", { operations }, options);
  }
}
