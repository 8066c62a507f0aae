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
  /** Inputs with what came of them, at most 3 and 16 KiB of JSON together; empty removes them. */
  samples?: Requests["UpdateService"]["samples"];
}

/** Options of `listServiceReviews`. */
export interface ListServiceReviewsOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
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
}
