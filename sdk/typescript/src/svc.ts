import { Channels } from "./channels.js";
import type { Clock } from "./clock.js";
import { SvcError } from "./error.js";
import { Events } from "./events.js";
import { Export } from "./export.js";
import { Methods } from "./generated/methods.js";
import { Orders } from "./orders.js";
import { Posts } from "./posts.js";
import type { Settings } from "./sender.js";
import { Users } from "./users.js";
import { Webhooks } from "./webhooks.js";

/**
 * A client of a server: `Svc.fromEnv()`, or `new Svc({ url, apiKey })`. Its methods are grouped by
 * feature: `svc.posts.create("hello")`.
 */
export class Svc extends Methods {
  override readonly channels: Channels = new Channels(this);
  override readonly events: Events = new Events(this);
  override readonly export: Export = new Export(this);
  override readonly orders: Orders = new Orders(this);
  override readonly posts: Posts = new Posts(this);
  override readonly users: Users = new Users(this);
  override readonly webhooks: Webhooks = new Webhooks(this);

  constructor(settings: Settings, clock?: Clock) {
    super(settings, clock);
  }

  /** A client by the environment: SVC_URL, SVC_API_KEY, SVC_DEVELOPER_KEY, SVC_ALLOW_PLAIN_HTTP. */
  static fromEnv(settings: Partial<Settings> = {}): Svc {
    return new Svc(settingsFromEnv(settings));
  }
}

/** Settings by the environment, unless they are given. */
export function settingsFromEnv(given: Partial<Settings>): Settings {
  const { SVC_URL, SVC_API_KEY, SVC_DEVELOPER_KEY, SVC_ALLOW_PLAIN_HTTP } = process.env;
  const url = given.url ?? SVC_URL;
  if (!url) throw new SvcError("SVC_URL must be set, such as https://svc.example", { code: "config", outcome: "not_sent" });
  const apiKey = given.apiKey ?? SVC_API_KEY;
  // A given key may be that of an app.
  const developerKey = given.developerKey ?? (given.apiKey === undefined ? SVC_DEVELOPER_KEY : undefined);
  return {
    ...given,
    url,
    ...(apiKey && { apiKey }),
    ...(developerKey && { developerKey }),
    allowPlainHttp: given.allowPlainHttp ?? SVC_ALLOW_PLAIN_HTTP === "1",
  };
}
