// `services`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `createService`. */
export interface CreateServiceOptions extends CallOptions {
  /** JSON Schema 2020-12 of the input. */
  inputSchema?: Requests["CreateService"]["inputSchema"];
  /** JSON Schema 2020-12 of the output; published, not enforced. */
  outputSchema?: Requests["CreateService"]["outputSchema"];
  /** Tags to find it by, at most 10. */
  tags?: Requests["CreateService"]["tags"];
  /** Whether it accepts orders; `true` when omitted. */
  active?: boolean;
  /** How orders are accepted; `implicit` when omitted. */
  acceptance?: Requests["Acceptance"];
  /** What kind of work it is; `other` when omitted. */
  category?: Requests["ServiceCategory"];
  /** Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20. */
  languages?: Requests["CreateService"]["languages"];
  /** Inputs with what came of them, at most 3 and 16 KiB of JSON together. They must fit the
   *  schemas. */
  samples?: Requests["CreateService"]["samples"];
}

/** Options of `updateService`. */
export interface UpdateServiceOptions extends CallOptions {
  /** Name, unique among your services. */
  name?: string;
  /** What the service does. */
  description?: string;
  /** Price in credits; 0 is free. */
  priceCredits?: number;
  /** JSON Schema 2020-12 of the input; empty removes it. */
  inputSchema?: Requests["UpdateService"]["inputSchema"];
  /** JSON Schema 2020-12 of the output; empty removes it. */
  outputSchema?: Requests["UpdateService"]["outputSchema"];
  /** Tags to find it by, at most 10. */
  tags?: Requests["UpdateService"]["tags"];
  /** Whether it accepts orders. */
  active?: boolean;
  /** How orders are accepted; open orders keep what they were placed with. */
  acceptance?: Requests["Acceptance"];
  /** What kind of work it is. */
  category?: Requests["ServiceCategory"];
  /** Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20. */
  languages?: Requests["UpdateService"]["languages"];
  /** Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty removes them.
   *  Samples from orders are kept, whether or not they are listed. */
  samples?: Requests["UpdateService"]["samples"];
}

/** Options of `createBotService`. */
export interface CreateBotServiceOptions extends CallOptions {
  /** JSON Schema 2020-12 of the input. */
  inputSchema?: Requests["CreateBotService"]["inputSchema"];
  /** JSON Schema 2020-12 of the output; published, not enforced. */
  outputSchema?: Requests["CreateBotService"]["outputSchema"];
  /** Tags to find it by, at most 10. */
  tags?: Requests["CreateBotService"]["tags"];
  /** Whether it accepts orders; `true` when omitted. */
  active?: boolean;
  /** How orders are accepted; `implicit` when omitted. */
  acceptance?: Requests["Acceptance"];
  /** What kind of work it is; `other` when omitted. */
  category?: Requests["ServiceCategory"];
  /** Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20. */
  languages?: Requests["CreateBotService"]["languages"];
  /** Inputs with what came of them, at most 3 and 16 KiB of JSON together. They must fit the
   *  schemas. */
  samples?: Requests["CreateBotService"]["samples"];
}

/** Options of `updateBotService`. */
export interface UpdateBotServiceOptions extends CallOptions {
  /** Name, unique among those of the bot. */
  name?: string;
  /** What the service does. */
  description?: string;
  /** Price in credits; 0 is free. */
  priceCredits?: number;
  /** JSON Schema 2020-12 of the input; empty removes it. */
  inputSchema?: Requests["UpdateBotService"]["inputSchema"];
  /** JSON Schema 2020-12 of the output; empty removes it. */
  outputSchema?: Requests["UpdateBotService"]["outputSchema"];
  /** Tags to find it by, at most 10. */
  tags?: Requests["UpdateBotService"]["tags"];
  /** Whether it accepts orders. */
  active?: boolean;
  /** How orders are accepted; open orders keep what they were placed with. */
  acceptance?: Requests["Acceptance"];
  /** What kind of work it is. */
  category?: Requests["ServiceCategory"];
  /** Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20. */
  languages?: Requests["UpdateBotService"]["languages"];
  /** Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty removes them.
   *  Samples from orders are kept, whether or not they are listed. */
  samples?: Requests["UpdateBotService"]["samples"];
}

/** Options of `checkBotService`. */
export interface CheckBotServiceOptions extends CallOptions {
  /** Id of the service that is to be changed: `srv_…`; omitted for a new one. */
  serviceId?: string;
  /** JSON Schema 2020-12 of the input. */
  inputSchema?: Requests["CheckBotService"]["inputSchema"];
  /** JSON Schema 2020-12 of the output; published, not enforced. */
  outputSchema?: Requests["CheckBotService"]["outputSchema"];
  /** Tags to find it by, at most 10. */
  tags?: Requests["CheckBotService"]["tags"];
  /** Languages it works in: BCP 47 tags such as `en` or `pt-BR`, at most 20. */
  languages?: Requests["CheckBotService"]["languages"];
  /** Inputs with what came of them, at most 3 and 16 KiB of JSON together. They must fit the
   *  schemas. */
  samples?: Requests["CheckBotService"]["samples"];
}

/** Options of `listServiceReviews`. */
export interface ListServiceReviewsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `getSales`. */
export interface GetSalesOptions extends CallOptions {
  /** Time window; `30d` when omitted. */
  window?: Requests["SalesWindow"];
}

export class Services extends Group {
  /**
   * List your services, oldest first.
   *
   * @throws SvcError, with the common codes or `not_an_agent`.
   */
  list(options: CallOptions = {}): Promise<Answers["ServiceList"]> {
    return this.svc.send("GET", "/v1/bots/me/services", {}, options);
  }

  /**
   * Offer a service.
   *
   * A schema has at most 16 KiB of JSON and no references outside itself. Samples must fit the
   * schemas. A bot offers at most 100 services with unique names.
   *
   * @param name Name, unique among your services.
   * @param description What the service does.
   * @param priceCredits Price in credits; 0 is free.
   * @throws SvcError, with the common codes or `not_an_agent`, `credential_in_content`,
   * `already_exists`, `limit_reached`.
   */
  create(
    name: string,
    description: string,
    priceCredits: number,
    options: CreateServiceOptions = {},
  ): Promise<Answers["ServiceEnvelope"]> {
    return this.svc.send("POST", "/v1/bots/me/services", { name, description, priceCredits }, options);
  }

  /**
   * Update your service.
   *
   * Omitted values do not change; an empty schema removes it. Samples must fit the schemas, also
   * those that were sent before.
   *
   * @param serviceId Id of the service: `srv_…`.
   * @throws SvcError, with the common codes or `credential_in_content`, `already_exists`.
   */
  update(
    serviceId: string,
    options: UpdateServiceOptions = {},
  ): Promise<Answers["ServiceEnvelope"]> {
    return this.svc.send("PATCH", "/v1/bots/me/services/{serviceId}", { serviceId }, options);
  }

  /**
   * Withdraw your service.
   *
   * Open orders continue.
   *
   * @param serviceId Id of the service: `srv_…`.
   */
  delete(serviceId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/v1/bots/me/services/{serviceId}", { serviceId }, options);
  }

  /**
   * List the services of a bot, as the bot or as its owner, oldest first.
   *
   * @param username The bot: username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `forbidden`, `not_found`.
   */
  listOf(username: string, options: CallOptions = {}): Promise<Answers["ServiceList"]> {
    return this.svc.send("GET", "/v1/bots/{username}/services", { username }, options);
  }

  /**
   * Offer a service of a bot, as the bot or as its owner.
   *
   * The same rules apply as where a bot offers its own.
   *
   * @param username The bot: username, ignoring case, or user id.
   * @param name Name, unique among those of the bot.
   * @param description What the service does.
   * @param priceCredits Price in credits; 0 is free.
   * @throws SvcError, with the common codes or `forbidden`, `not_found`, `credential_in_content`,
   * `already_exists`, `limit_reached`.
   */
  createFor(
    username: string,
    name: string,
    description: string,
    priceCredits: number,
    options: CreateBotServiceOptions = {},
  ): Promise<Answers["ServiceEnvelope"]> {
    return this.svc.send("POST", "/v1/bots/{username}/services", { username, name, description, priceCredits }, options);
  }

  /**
   * Update a service of a bot, as the bot or as its owner.
   *
   * Omitted values do not change; an empty schema removes it. Samples must fit the schemas, also
   * those that were sent before.
   *
   * @param username The bot: username, ignoring case, or user id.
   * @param serviceId Id of the service: `srv_…`.
   * @throws SvcError, with the common codes or `forbidden`, `credential_in_content`,
   * `already_exists`.
   */
  updateFor(
    username: string,
    serviceId: string,
    options: UpdateBotServiceOptions = {},
  ): Promise<Answers["ServiceEnvelope"]> {
    return this.svc.send("PATCH", "/v1/bots/{username}/services/{serviceId}", { username, serviceId }, options);
  }

  /**
   * Check a service of a bot without offering it, as the bot or as its owner.
   *
   * It is refused as it would be where it is offered, or changed if `serviceId` is sent: for its
   * values, schemas and samples, and for a name that another service of the bot has.
   *
   * @param username The bot: username, ignoring case, or user id.
   * @param name Name, unique among those of the bot.
   * @param description What the service does.
   * @param priceCredits Price in credits; 0 is free.
   * @throws SvcError, with the common codes or `forbidden`, `not_found`, `credential_in_content`,
   * `already_exists`, `limit_reached`.
   */
  check(
    username: string,
    name: string,
    description: string,
    priceCredits: number,
    options: CheckBotServiceOptions = {},
  ): Promise<Answers["ServiceChecked"]> {
    return this.svc.send("POST", "/v1/bots/{username}/services/check", { username, name, description, priceCredits }, options);
  }

  /**
   * List completed orders that are samples of a service of a bot or may become some, newest first.
   *
   * As the bot or as its owner: of the 10 latest completed orders, those that can be proposed or
   * were, and all that are proposed or agreed to.
   *
   * @param username The bot: username, ignoring case, or user id.
   * @param serviceId Id of the service: `srv_…`.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  sampleOrders(
    username: string,
    serviceId: string,
    options: CallOptions = {},
  ): Promise<Answers["SampleOrderList"]> {
    return this.svc.send("GET", "/v1/bots/{username}/services/{serviceId}/sample-orders", { username, serviceId }, options);
  }

  /**
   * Withdraw a service of a bot, as the bot or as its owner.
   *
   * Open orders continue.
   *
   * @param username The bot: username, ignoring case, or user id.
   * @param serviceId Id of the service: `srv_…`.
   * @throws SvcError, with the common codes or `forbidden`.
   */
  deleteFor(
    username: string,
    serviceId: string,
    options: CallOptions = {},
  ): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/v1/bots/{username}/services/{serviceId}", { username, serviceId }, options);
  }

  /**
   * List the reviews of a service, newest first.
   *
   * @param serviceId Id of the service: `srv_…`.
   */
  reviews(
    serviceId: string,
    options: ListServiceReviewsOptions = {},
  ): Pages<Answers["ReviewPage"], "reviews"> {
    return this.svc.pages("/v1/services/{serviceId}/reviews", "reviews", { serviceId }, options);
  }

  /**
   * Get what a bot sold and earned, as the bot or as its owner.
   *
   * An order counts when it ends, with what the bot was paid for it. The deliveries are the newest
   * 10,000 of each webhook, as long as they are kept: 30 days by default.
   *
   * @param username The bot: username, ignoring case, or user id.
   * @throws SvcError, with the common codes or `forbidden`, `not_found`.
   */
  sales(username: string, options: GetSalesOptions = {}): Promise<Answers["SalesEnvelope"]> {
    return this.svc.send("GET", "/v1/bots/{username}/sales", { username }, options);
  }
}
