//! Webhooks: what happens to an account is sent to an address of its own (spec §6.1).

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

/// Webhooks of an account of the tiers free and boost, disabled ones included (spec §8).
pub const WEBHOOKS_MAX: i64 = 5;

/// Webhooks of an account of the tier pro, disabled ones included (spec §8).
pub const WEBHOOKS_MAX_PRO: i64 = 20;

/// Seconds two secrets are valid together when a rotation does not say otherwise.
pub const OVERLAP_DEFAULT: u32 = 86_400;

/// Most kinds, or states, that a request lists.
pub const KINDS_MAX: usize = 20;

/// An address as it was typed; the server judges it.
pub type WebhookUrl = Text<1, 2048>;

endpoints! {
    /// Make a webhook; its secret is shown once.
    ///
    /// The address must be https at a public host, without user and fragment. An account has at
    /// most 5 webhooks, 20 of the tier pro, disabled ones included.
    POST "/webhooks" by Account => CREATED WebhookWithSecret as secret,
        fails [WebhookUrlRefused, WebhookLimitReached, CredentialInContent];
    CreateWebhook {
        /// Where events are sent.
        url: WebhookUrl,
        /// Which events; when left out `follow`, `like`, `repost`, `reply`, `mention` and
        /// `direct_message`.
        #[schemars(length(min = 1, max = KINDS_MAX))]
        events: Option<Vec<WebhookKind>>,
        /// What it is for.
        description: Option<Text<0, 200>>,
    }

    /// List one's own webhooks, newest first.
    GET "/webhooks" by Account => OK WebhookPage;
    ListWebhooks {
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read a webhook.
    GET "/webhooks/{webhookId}" by Account => OK WebhookEnvelope;
    GetWebhook {
        /// The webhook.
        webhook_id: WebhookId,
    }

    /// Change a webhook.
    ///
    /// Members that are left out stay as they are; an empty `description` removes it. Another
    /// `url` forgets the failures of the one before.
    PATCH "/webhooks/{webhookId}" by Account => OK WebhookEnvelope,
        fails [WebhookUrlRefused, CredentialInContent];
    UpdateWebhook {
        /// The webhook.
        webhook_id: WebhookId,
        /// Where events are sent from now on, what waits included.
        url: Option<WebhookUrl>,
        /// Which events from now on.
        #[schemars(length(min = 1, max = KINDS_MAX))]
        events: Option<Vec<WebhookKind>>,
        /// What it is for.
        description: Option<Text<0, 200>>,
    }

    /// Delete a webhook; what waits is cancelled.
    DELETE "/webhooks/{webhookId}" by Account => OK Deleted;
    DeleteWebhook {
        /// The webhook.
        webhook_id: WebhookId,
    }

    /// Let a webhook be called again.
    ///
    /// Its failures are forgotten. What was held for less than 72 hours is sent, the rest is
    /// cancelled and can be recovered.
    POST "/webhooks/{webhookId}/enable" by Account => OK WebhookEnvelope,
        fails [WebhookLimitReached];
    EnableWebhook {
        /// The webhook.
        webhook_id: WebhookId,
    }

    /// Stop calling a webhook.
    ///
    /// What waits, and events of the next 72 hours, are held until it is enabled.
    POST "/webhooks/{webhookId}/disable" by Account => OK WebhookEnvelope;
    DisableWebhook {
        /// The webhook.
        webhook_id: WebhookId,
    }

    /// Give a webhook a new secret, which is shown once.
    ///
    /// For `overlapSeconds` both secrets are valid: `webhook-signature` holds a signature of each,
    /// `X-Webhook-Signature` is made with the old one until the new one is promoted or the overlap
    /// ends. With 0 the old secret ends at once, also amid an overlap.
    POST "/webhooks/{webhookId}/rotate-secret" by Account => OK WebhookSecretRotated as secret,
        fails [RotationInProgress];
    RotateWebhookSecret {
        /// The webhook.
        webhook_id: WebhookId,
        /// Seconds until the old secret ends, at most 7 days; 86400 when left out.
        overlap_seconds: Option<Whole<0, 604_800>>,
    }

    /// Sign `X-Webhook-Signature` with the new secret from now on.
    ///
    /// The old one stays valid in `webhook-signature` until the overlap ends.
    POST "/webhooks/{webhookId}/promote-secret" by Account => OK WebhookEnvelope,
        fails [WrongState];
    PromoteWebhookSecret {
        /// The webhook.
        webhook_id: WebhookId,
    }

    /// Call a webhook with a sample event, once.
    ///
    /// Also while it is disabled. The answer tells how it went; the attempt is not repeated, and
    /// no failure of it counts. At most one in 5 seconds.
    POST "/webhooks/{webhookId}/test" by Account => OK DeliveryEnvelope, fails [RateLimited];
    TestWebhook {
        /// The webhook.
        webhook_id: WebhookId,
        /// The kind of the sample; `mention` when left out.
        event: Option<WebhookKind>,
    }

    /// List what was sent to a webhook or waits, newest first.
    ///
    /// Kept for 30 days. A short page is not the end.
    GET "/webhooks/{webhookId}/deliveries" by Account => OK DeliveryPage;
    ListWebhookDeliveries {
        /// The webhook.
        webhook_id: WebhookId,
        /// Only those in this state.
        state: Option<DeliveryState>,
        /// Only those of events of this kind.
        event: Option<WebhookKind>,
        /// Only those made at this instant or later.
        since: Option<Timestamp>,
        /// Only those made before this instant.
        until: Option<Timestamp>,
        /// Items per page.
        limit: Option<Limit>,
        /// Where the page begins.
        cursor: Option<Cursor>,
    }

    /// Read a delivery with its body and its attempts.
    ///
    /// The body is there as long as the event is kept.
    GET "/webhooks/{webhookId}/deliveries/{deliveryId}" by Account => OK DeliveryEnvelope;
    GetWebhookDelivery {
        /// The webhook.
        webhook_id: WebhookId,
        /// The delivery.
        delivery_id: DeliveryId,
    }

    /// Send an event again, as a delivery of its own.
    ///
    /// `X-Webhook-Id` stays the same. While the webhook is disabled the delivery is held.
    POST "/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver" by Account
        => CREATED DeliveryEnvelope, fails [EventExpired];
    RedeliverWebhook {
        /// The webhook.
        webhook_id: WebhookId,
        /// The delivery.
        delivery_id: DeliveryId,
    }

    /// Send again what was not delivered in a span of time.
    ///
    /// Done in the background, oldest event first; the answer tells how many were found. Takes
    /// events whose latest delivery is in one of `states`, of the kinds the webhook lists now, as
    /// far back as events are kept. What waits already is not queued twice. At most 10 recoveries
    /// of a webhook go on at once.
    POST "/webhooks/{webhookId}/recover" by Account => CREATED RecoveryEnvelope,
        fails [LimitReached];
    RecoverWebhook {
        /// The webhook.
        webhook_id: WebhookId,
        /// Events from this instant on.
        since: Timestamp,
        /// Events up to this instant; up to now when left out.
        until: Option<Timestamp>,
        /// What became of them so far; all of these when left out.
        #[schemars(length(min = 1, max = KINDS_MAX))]
        states: Option<Vec<RecoverableState>>,
        /// Only count; false when left out.
        dry_run: Option<bool>,
    }

    /// Read how far a recovery is.
    GET "/webhooks/{webhookId}/recoveries/{recoveryId}" by Account => OK RecoveryEnvelope;
    GetWebhookRecovery {
        /// The webhook.
        webhook_id: WebhookId,
        /// The recovery.
        recovery_id: RecoveryId,
    }

    /// Read how deliveries of a webhook fare.
    ///
    /// Taken from the newest 10,000 deliveries of each window, times from the newest 1000; tests
    /// do not count.
    GET "/webhooks/{webhookId}/stats" by Account => OK WebhookStatsEnvelope;
    GetWebhookStats {
        /// The webhook.
        webhook_id: WebhookId,
    }
}

paged! {
    ListWebhooks: webhooks of Webhook;
    ListWebhookDeliveries: deliveries of Delivery;
}
