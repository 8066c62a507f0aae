//! Webhooks: events of an account are sent to a URL (spec §6.1).

mod objects;
mod words;

pub use objects::{
    Breaker, Delivery, DeliveryAttempt, DeliveryEnvelope, DeliveryPage, DeliveryStats, LastError,
    Recovery, RecoveryEnvelope, Webhook, WebhookEnvelope, WebhookPage, WebhookSecretInfo,
    WebhookSecretRotated, WebhookStats, WebhookStatsEnvelope, WebhookWithSecret,
};
pub use words::{
    BreakerState, DeliveryErrorClass, DeliveryOutcome, DeliveryState, DeliveryTrigger,
    DisabledReason, RecoverableState, RecoveryStatus, SecretRole, WebhookKind, WebhookStatus,
};

use super::Deleted;
use crate::endpoints;
use crate::id::{DeliveryId, RecoveryId, WebhookId};
use crate::page::{Cursor, Limit, paged};
use crate::text::{Text, Whole};
use crate::time::Timestamp;

/// Maximum number of webhooks for the tiers free and boost, including disabled ones (spec §8).
pub const WEBHOOKS_MAX: i64 = 5;

/// Maximum number of webhooks for the tier pro, including disabled ones (spec §8).
pub const WEBHOOKS_MAX_PRO: i64 = 20;

/// Default overlap of two secrets after a rotation, in seconds.
pub const OVERLAP_DEFAULT: u32 = 86_400;

/// Maximum number of kinds or states in a request.
pub const KINDS_MAX: usize = 20;

/// A URL as typed; the server checks it.
pub type WebhookUrl = Text<1, 2048>;

endpoints! {
    /// Create a webhook.
    ///
    /// Its secret is shown once. The URL must be https with a public host, without user and
    /// fragment. You can have at most 5 webhooks, 20 with the tier pro, including disabled ones. For
    /// `direct_message`, which is among the default events, a key also needs the scope `dm`.
    POST "/webhooks" as webhooks.create by Account scope Account cost Write
        => CREATED WebhookWithSecret as secret,
        fails [WebhookUrlRefused, WebhookLimitReached, CredentialInContent];
    CreateWebhook {
        /// URL that receives the events.
        url: WebhookUrl,
        /// Kinds of events. When omitted: `follow`, `like`, `repost`, `reply`, `mention` and
        /// `direct_message`.
        #[schemars(length(min = 1, max = KINDS_MAX))]
        events: Option<Vec<WebhookKind>>,
        /// Description of the webhook.
        description: Option<Text<0, 200>>,
    }

    /// List your webhooks, newest first.
    GET "/webhooks" as webhooks.list by Account scope Account => OK WebhookPage;
    ListWebhooks {
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get a webhook.
    GET "/webhooks/{webhookId}" as webhooks.get by Account scope Account => OK WebhookEnvelope;
    GetWebhook {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
    }

    /// Update a webhook.
    ///
    /// Omitted values do not change; an empty `description` removes it. A new `url` resets the
    /// failure history. A key also needs the scope `dm` to subscribe to `direct_message`, and to change
    /// the `url` of a webhook that does.
    PATCH "/webhooks/{webhookId}" as webhooks.update
        by Account scope Account cost Write => OK WebhookEnvelope,
        fails [WebhookUrlRefused, CredentialInContent];
    UpdateWebhook {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
        /// URL that receives the events, including those that are waiting.
        url: Option<WebhookUrl>,
        /// Kinds of events. Waiting deliveries of other kinds are cancelled when they are due.
        #[schemars(length(min = 1, max = KINDS_MAX))]
        events: Option<Vec<WebhookKind>>,
        /// Description of the webhook.
        description: Option<Text<0, 200>>,
    }

    /// Delete a webhook.
    ///
    /// Waiting deliveries are cancelled.
    DELETE "/webhooks/{webhookId}" as webhooks.delete
        by Account scope Account cost Write => OK Deleted;
    DeleteWebhook {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
    }

    /// Enable a webhook.
    ///
    /// Its failure history is reset. Deliveries held for less than 72 hours are sent; older ones
    /// are cancelled and can be recovered.
    POST "/webhooks/{webhookId}/enable" as webhooks.enable by Account scope Account cost Write
        => OK WebhookEnvelope,
        fails [WebhookLimitReached];
    EnableWebhook {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
    }

    /// Disable a webhook.
    ///
    /// Waiting deliveries and events of the next 72 hours are held until it is enabled.
    POST "/webhooks/{webhookId}/disable" as webhooks.disable by Account scope Account cost Write
        => OK WebhookEnvelope;
    DisableWebhook {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
    }

    /// Rotate the secret of a webhook.
    ///
    /// The new secret is shown once. Both secrets are valid until the overlap ends:
    /// `webhook-signature` contains a signature of each, and `X-Webhook-Signature` uses the old one
    /// until the new one is promoted or the overlap ends. An overlap of 0 ends the old secret at
    /// once, even during another overlap. For a webhook that receives `direct_message`, a key also
    /// needs the scope `dm`.
    POST "/webhooks/{webhookId}/rotate-secret" as webhooks.rotate_secret
        by Account scope Account cost Write
        => OK WebhookSecretRotated as secret,
        fails [RotationInProgress];
    RotateWebhookSecret {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
        /// Seconds until the old secret ends, at most 7 days; 86400 when omitted.
        overlap_seconds: Option<Whole<0, 604_800>>,
    }

    /// Promote the new secret of a webhook.
    ///
    /// `X-Webhook-Signature` uses the new secret from now on. The old one stays valid in
    /// `webhook-signature` until the overlap ends.
    POST "/webhooks/{webhookId}/promote-secret" as webhooks.promote_secret
        by Account scope Account cost Write
        => OK WebhookEnvelope,
        fails [WrongState];
    PromoteWebhookSecret {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
    }

    /// Test a webhook with a sample event.
    ///
    /// Works for disabled webhooks, too. The response contains the result; the attempt is not
    /// repeated and does not count as a failure. At most one test per 5 seconds.
    POST "/webhooks/{webhookId}/test" as webhooks.test by Account scope Account cost Write
        => OK DeliveryEnvelope, fails [RateLimited];
    TestWebhook {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
        /// Kind of the sample event; `mention` when omitted.
        event: Option<WebhookKind>,
    }

    /// List the deliveries of a webhook, newest first.
    ///
    /// Deliveries are kept for 30 days by default. A short page is not necessarily the last.
    GET "/webhooks/{webhookId}/deliveries" as webhooks.deliveries by Account scope Account
        => OK DeliveryPage;
    ListWebhookDeliveries {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
        /// Only deliveries in this state.
        state: Option<DeliveryState>,
        /// Only deliveries of this kind of event.
        event: Option<WebhookKind>,
        /// Only deliveries created at this time or later.
        since: Option<Timestamp>,
        /// Only deliveries created before this time.
        until: Option<Timestamp>,
        /// Page size: 1 to 100, 20 when omitted.
        limit: Option<Limit>,
        /// Cursor of the page: `nextCursor` of the page before.
        cursor: Option<Cursor>,
    }

    /// Get a delivery with its body and attempts.
    ///
    /// The body is available as long as the event is kept; that of a `direct_message` only for keys with
    /// the scope `dm`.
    GET "/webhooks/{webhookId}/deliveries/{deliveryId}" as webhooks.delivery
        by Account scope Account
        => OK DeliveryEnvelope;
    GetWebhookDelivery {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
        /// Id of the delivery: `dlv_…`.
        delivery_id: DeliveryId,
    }

    /// Redeliver an event.
    ///
    /// Creates a new delivery with the same `X-Webhook-Id`. It is held while the webhook is
    /// disabled. For a `direct_message`, a key also needs the scope `dm`.
    POST "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver" as webhooks.redeliver
        by Account scope Account cost Write
        => CREATED DeliveryEnvelope, fails [EventExpired];
    RedeliverWebhook {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
        /// Id of the delivery: `dlv_…`.
        delivery_id: DeliveryId,
    }

    /// Recover failed deliveries of a time range.
    ///
    /// Runs in the background, oldest event first; the response contains the number of matching
    /// events. Includes events whose latest delivery is in one of `states` and whose kind the
    /// webhook subscribes to and your preferences allow now, as far back as events are kept. Waiting
    /// deliveries are not queued twice. At most 10 recoveries of a webhook run at once.
    POST "/webhooks/{webhookId}/recover" as webhooks.recover by Account scope Account cost Write
        => CREATED RecoveryEnvelope,
        fails [LimitReached];
    RecoverWebhook {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
        /// Start of the time range, inclusive.
        since: Timestamp,
        /// End of the time range; now when omitted.
        until: Option<Timestamp>,
        /// States of the latest delivery; all of these when omitted.
        #[schemars(length(min = 1, max = KINDS_MAX))]
        states: Option<Vec<RecoverableState>>,
        /// Only count the events; `false` when omitted.
        dry_run: Option<bool>,
    }

    /// Get the progress of a recovery.
    GET "/webhooks/{webhookId}/recoveries/{recoveryId}" as webhooks.recovery
        by Account scope Account
        => OK RecoveryEnvelope;
    GetWebhookRecovery {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
        /// Id of the recovery: `rcv_…`.
        recovery_id: RecoveryId,
    }

    /// Get the statistics of a webhook.
    ///
    /// Based on the newest 10,000 deliveries of each window, durations on the newest 1000. Tests do
    /// not count.
    GET "/webhooks/{webhookId}/stats" as webhooks.stats by Account scope Account
        => OK WebhookStatsEnvelope;
    GetWebhookStats {
        /// Id of the webhook: `wh_…`.
        webhook_id: WebhookId,
    }
}

paged! {
    ListWebhooks: webhooks of Webhook;
    ListWebhookDeliveries: deliveries of Delivery;
}
