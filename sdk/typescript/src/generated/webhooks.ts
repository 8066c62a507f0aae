// `webhooks`: written by `cargo document`; do not edit.

import type { Answers, Requests } from "../schemas.js";
import { type CallOptions, type Pages, Group } from "../sender.js";

/** Options of `createWebhook`. */
export interface CreateWebhookOptions extends CallOptions {
  /** Kinds of events. When omitted: `follow`, `like`, `repost`, `reply`, `mention` and
   *  `direct_message`. */
  events?: Requests["CreateWebhook"]["events"];
  /** Description of the webhook. */
  description?: string;
}

/** Options of `listWebhooks`. */
export interface ListWebhooksOptions extends CallOptions {
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `updateWebhook`. */
export interface UpdateWebhookOptions extends CallOptions {
  /** URL that receives the events, including those that are waiting. */
  url?: string;
  /** Kinds of events. Waiting deliveries of other kinds are cancelled when they are due. */
  events?: Requests["UpdateWebhook"]["events"];
  /** Description of the webhook. */
  description?: string;
}

/** Options of `rotateWebhookSecret`. */
export interface RotateWebhookSecretOptions extends CallOptions {
  /** Seconds until the old secret ends, at most 7 days; 86400 when omitted. */
  overlapSeconds?: number;
}

/** Options of `testWebhook`. */
export interface TestWebhookOptions extends CallOptions {
  /** Kind of the sample event; `mention` when omitted. */
  event?: Requests["WebhookKind"];
}

/** Options of `listWebhookDeliveries`. */
export interface ListWebhookDeliveriesOptions extends CallOptions {
  /** Only deliveries in this state. */
  state?: Requests["DeliveryState"];
  /** Only deliveries of this kind of event. */
  event?: Requests["WebhookKind"];
  /** Only deliveries created at this time or later. */
  since?: string;
  /** Only deliveries created before this time. */
  until?: string;
  /** Page size: 1 to 100, 20 when omitted. */
  limit?: number;
}

/** Options of `recoverWebhook`. */
export interface RecoverWebhookOptions extends CallOptions {
  /** End of the time range; now when omitted. */
  until?: string;
  /** States of the latest delivery; all of these when omitted. */
  states?: Requests["RecoverWebhook"]["states"];
  /** Only count the events; `false` when omitted. */
  dryRun?: boolean;
}

export class Webhooks extends Group {
  /**
   * Create a webhook.
   *
   * Its secret is shown once. The URL must be https with a public host, without user and
   * fragment. You can have at most 5 webhooks, 20 with the tier pro, including disabled ones. For
   * `direct_message`, which is among the default events, a key also needs the scope `dm`.
   *
   * @param url URL that receives the events.
   * @throws SvcError, with the common codes or `webhook_url_refused`, `webhook_limit_reached`,
   * `credential_in_content`.
   */
  create(url: string, options: CreateWebhookOptions = {}): Promise<Answers["WebhookWithSecret"]> {
    return this.svc.send(
      "POST", "/webhooks", { url }, options, "never",
      "list the webhooks: if there is one of this URL, its secret is lost; delete it and create another",
    );
  }

  /**
   * List your webhooks, newest first.
   */
  list(options: ListWebhooksOptions = {}): Pages<Answers["WebhookPage"], "webhooks"> {
    return this.svc.pages("/webhooks", "webhooks", {}, options);
  }

  /**
   * Get a webhook.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   */
  get(webhookId: string, options: CallOptions = {}): Promise<Answers["WebhookEnvelope"]> {
    return this.svc.send("GET", "/webhooks/{webhookId}", { webhookId }, options);
  }

  /**
   * Update a webhook.
   *
   * Omitted values do not change; an empty `description` removes it. A new `url` resets the
   * failure history. A key also needs the scope `dm` to subscribe to `direct_message`, and to change
   * the `url` of a webhook that does.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   * @throws SvcError, with the common codes or `webhook_url_refused`, `credential_in_content`.
   */
  update(
    webhookId: string,
    options: UpdateWebhookOptions = {},
  ): Promise<Answers["WebhookEnvelope"]> {
    return this.svc.send("PATCH", "/webhooks/{webhookId}", { webhookId }, options);
  }

  /**
   * Delete a webhook.
   *
   * Waiting deliveries are cancelled.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   */
  delete(webhookId: string, options: CallOptions = {}): Promise<Answers["Deleted"]> {
    return this.svc.send("DELETE", "/webhooks/{webhookId}", { webhookId }, options);
  }

  /**
   * Enable a webhook.
   *
   * Its failure history is reset. Deliveries held for less than 72 hours are sent; older ones
   * are cancelled and can be recovered.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   * @throws SvcError, with the common codes or `webhook_limit_reached`.
   */
  enable(webhookId: string, options: CallOptions = {}): Promise<Answers["WebhookEnvelope"]> {
    return this.svc.send("POST", "/webhooks/{webhookId}/enable", { webhookId }, options);
  }

  /**
   * Disable a webhook.
   *
   * Waiting deliveries and events of the next 72 hours are held until it is enabled.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   */
  disable(webhookId: string, options: CallOptions = {}): Promise<Answers["WebhookEnvelope"]> {
    return this.svc.send("POST", "/webhooks/{webhookId}/disable", { webhookId }, options);
  }

  /**
   * Rotate the secret of a webhook.
   *
   * The new secret is shown once. Both secrets are valid until the overlap ends:
   * `webhook-signature` contains a signature of each, and `X-Webhook-Signature` uses the old one
   * until the new one is promoted or the overlap ends. An overlap of 0 ends the old secret at
   * once, even during another overlap. For a webhook that receives `direct_message`, a key also
   * needs the scope `dm`.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   * @throws SvcError, with the common codes or `rotation_in_progress`.
   */
  rotateSecret(
    webhookId: string,
    options: RotateWebhookSecretOptions = {},
  ): Promise<Answers["WebhookSecretRotated"]> {
    return this.svc.send(
      "POST", "/webhooks/{webhookId}/rotate-secret", { webhookId }, options, "never",
      "rotate again with an overlap of 0 seconds, which ends the old secret and the lost one",
    );
  }

  /**
   * Promote the new secret of a webhook.
   *
   * `X-Webhook-Signature` uses the new secret from now on. The old one stays valid in
   * `webhook-signature` until the overlap ends.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   * @throws SvcError, with the common codes or `wrong_state`.
   */
  promoteSecret(
    webhookId: string,
    options: CallOptions = {},
  ): Promise<Answers["WebhookEnvelope"]> {
    return this.svc.send("POST", "/webhooks/{webhookId}/promote-secret", { webhookId }, options);
  }

  /**
   * Test a webhook with a sample event.
   *
   * Works for disabled webhooks, too. The response contains the result; the attempt is not
   * repeated and does not count as a failure. At most one test per 5 seconds.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   * @throws SvcError, with the common codes or `rate_limited`.
   */
  test(webhookId: string, options: TestWebhookOptions = {}): Promise<Answers["DeliveryEnvelope"]> {
    return this.svc.send("POST", "/webhooks/{webhookId}/test", { webhookId }, options);
  }

  /**
   * List the deliveries of a webhook, newest first.
   *
   * Deliveries are kept for 30 days by default. A short page is not necessarily the last.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   */
  deliveries(
    webhookId: string,
    options: ListWebhookDeliveriesOptions = {},
  ): Pages<Answers["DeliveryPage"], "deliveries"> {
    return this.svc.pages("/webhooks/{webhookId}/deliveries", "deliveries", { webhookId }, options);
  }

  /**
   * Get a delivery with its body and attempts.
   *
   * The body is available as long as the event is kept; that of a `direct_message` only for keys with
   * the scope `dm`.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   * @param deliveryId Id of the delivery: `dlv_…`.
   */
  delivery(
    webhookId: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Promise<Answers["DeliveryEnvelope"]> {
    return this.svc.send("GET", "/webhooks/{webhookId}/deliveries/{deliveryId}", { webhookId, deliveryId }, options);
  }

  /**
   * Redeliver an event.
   *
   * Creates a new delivery with the same `X-Webhook-Id`. It is held while the webhook is
   * disabled. For a `direct_message`, a key also needs the scope `dm`.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   * @param deliveryId Id of the delivery: `dlv_…`.
   * @throws SvcError, with the common codes or `event_expired`.
   */
  redeliver(
    webhookId: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Promise<Answers["DeliveryEnvelope"]> {
    return this.svc.send("POST", "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", { webhookId, deliveryId }, options);
  }

  /**
   * Recover failed deliveries of a time range.
   *
   * Runs in the background, oldest event first; the response contains the number of matching
   * events. Includes events whose latest delivery is in one of `states` and whose kind the
   * webhook subscribes to and your preferences allow now, as far back as events are kept. Waiting
   * deliveries are not queued twice. At most 10 recoveries of a webhook run at once.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   * @param since Start of the time range, inclusive.
   * @throws SvcError, with the common codes or `limit_reached`.
   */
  recover(
    webhookId: string,
    since: string,
    options: RecoverWebhookOptions = {},
  ): Promise<Answers["RecoveryEnvelope"]> {
    return this.svc.send("POST", "/webhooks/{webhookId}/recover", { webhookId, since }, options);
  }

  /**
   * Get the progress of a recovery.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   * @param recoveryId Id of the recovery: `rcv_…`.
   */
  recovery(
    webhookId: string,
    recoveryId: string,
    options: CallOptions = {},
  ): Promise<Answers["RecoveryEnvelope"]> {
    return this.svc.send("GET", "/webhooks/{webhookId}/recoveries/{recoveryId}", { webhookId, recoveryId }, options);
  }

  /**
   * Get the statistics of a webhook.
   *
   * Based on the newest 10,000 deliveries of each window, durations on the newest 1000. Tests do
   * not count.
   *
   * @param webhookId Id of the webhook: `wh_…`.
   */
  stats(webhookId: string, options: CallOptions = {}): Promise<Answers["WebhookStatsEnvelope"]> {
    return this.svc.send("GET", "/webhooks/{webhookId}/stats", { webhookId }, options);
  }
}
