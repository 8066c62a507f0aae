//! Webhooks, deliveries, attempts and recoveries.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::words::{
    BreakerState, DeliveryErrorClass, DeliveryOutcome, DeliveryState, DeliveryTrigger,
    DisabledReason, RecoverableState, RecoveryStatus, SecretRole, WebhookKind, WebhookStatus,
};
use crate::id::{DeliveryId, EventId, RecoveryId, WebhookId, WebhookSecretId};
use crate::page::Cursor;
use crate::secret::WebhookSecret;
use crate::time::Timestamp;

/// Declares objects with camelCase members.
macro_rules! objects {
    ($($(#[doc = $doc:literal])+ $name:ident {
        $($(#[$meta:meta])+ $field:ident: $type:ty,)+
    })+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[cfg_attr(not(feature = "constructible"), non_exhaustive)]
        pub struct $name {
            $($(#[$meta])+ pub $field: $type,)+
        }
    )+};
}

objects! {
    /// A URL that receives events of an account.
    Webhook {
        /// The webhook's id.
        id: WebhookId,
        /// URL that receives the events.
        url: String,
        /// Description of the webhook.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// Kinds of events it receives.
        events: Vec<WebhookKind>,
        /// Whether it is enabled.
        status: WebhookStatus,
        /// Why it is disabled.
        #[serde(skip_serializing_if = "Option::is_none")]
        disabled_reason: Option<DisabledReason>,
        /// Last four characters of the current secret.
        secret_hint: String,
        /// Its secrets, without their values.
        secrets: Vec<WebhookSecretInfo>,
        /// The pause after consecutive failures, if there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        breaker: Option<Breaker>,
        /// When an attempt last succeeded.
        #[serde(skip_serializing_if = "Option::is_none")]
        last_success_at: Option<Timestamp>,
        /// The latest failed attempt.
        #[serde(skip_serializing_if = "Option::is_none")]
        last_error: Option<LastError>,
        /// Deliveries that wait, are held or are being sent; exact up to 10,000.
        pending_count: u32,
        /// When it was created.
        created_at: Timestamp,
        /// When its owner last changed it, or it was disabled.
        updated_at: Timestamp,
    }

    /// A secret without its value.
    WebhookSecretInfo {
        /// The secret's id; attempts name the secret that signed them.
        id: WebhookSecretId,
        /// What it is used for.
        role: SecretRole,
        /// When it was created.
        created_at: Timestamp,
        /// When it expires; absent if it does not.
        #[serde(skip_serializing_if = "Option::is_none")]
        expires_at: Option<Timestamp>,
    }

    /// The pause after consecutive failures.
    Breaker {
        /// State of the pause.
        state: BreakerState,
        /// When the pause ends or ended.
        until: Timestamp,
    }

    /// The latest failed attempt.
    LastError {
        /// When the attempt started.
        at: Timestamp,
        /// Why it failed.
        class: DeliveryErrorClass,
        /// HTTP status of the response, if there was one.
        #[serde(skip_serializing_if = "Option::is_none")]
        http_status: Option<u16>,
    }

    /// Response with a webhook.
    WebhookEnvelope {
        /// The webhook.
        webhook: Webhook,
    }

    /// A new webhook and its secret.
    WebhookWithSecret {
        /// The webhook.
        webhook: Webhook,
        /// The signing secret. It is shown only once.
        secret: WebhookSecret,
    }

    /// A webhook and its new secret.
    WebhookSecretRotated {
        /// The webhook.
        webhook: Webhook,
        /// The new signing secret, used next to the old one and then alone. It is shown only once.
        secret: WebhookSecret,
        /// When the old secret ends.
        previous_expires_at: Timestamp,
    }

    /// A page of webhooks.
    WebhookPage {
        /// The webhooks.
        webhooks: Vec<Webhook>,
        /// Cursor of the next page; absent on the last page.
        #[serde(skip_serializing_if = "Option::is_none")]
        next_cursor: Option<Cursor>,
    }

    /// Delivery of an event to a webhook.
    Delivery {
        /// The delivery's id, sent as `X-Webhook-Delivery`.
        id: DeliveryId,
        /// Id of the webhook it is sent to: `wh_…`.
        webhook_id: WebhookId,
        /// The event's id, sent as `X-Webhook-Id`.
        event_id: EventId,
        /// Kind of the event.
        event: String,
        /// State of the delivery.
        state: DeliveryState,
        /// What created the delivery.
        trigger: DeliveryTrigger,
        /// Number of attempts so far.
        attempts_count: u32,
        /// When the next attempt is due.
        #[serde(skip_serializing_if = "Option::is_none")]
        next_attempt_at: Option<Timestamp>,
        /// When it was delivered.
        #[serde(skip_serializing_if = "Option::is_none")]
        delivered_at: Option<Timestamp>,
        /// When it was created.
        created_at: Timestamp,
        /// The body, byte for byte; only when a single delivery is read.
        #[serde(skip_serializing_if = "Option::is_none")]
        body: Option<String>,
        /// The attempts, oldest first; only when a single delivery is read.
        #[serde(skip_serializing_if = "Option::is_none")]
        attempts: Option<Vec<DeliveryAttempt>>,
    }

    /// One attempt of a delivery.
    DeliveryAttempt {
        /// Number of the attempt, sent as `X-Webhook-Attempt`.
        n: u32,
        /// When it started.
        started_at: Timestamp,
        /// Duration in milliseconds.
        duration_ms: u64,
        /// Outcome of the attempt.
        outcome: DeliveryOutcome,
        /// When the next attempt is due.
        #[serde(skip_serializing_if = "Option::is_none")]
        next_attempt_at: Option<Timestamp>,
        /// HTTP status of the response.
        #[serde(skip_serializing_if = "Option::is_none")]
        http_status: Option<u16>,
        /// Why it failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        error_class: Option<DeliveryErrorClass>,
        /// IP address that was called.
        #[serde(skip_serializing_if = "Option::is_none")]
        remote_ip: Option<String>,
        /// Id of the secret that signed `X-Webhook-Signature`.
        #[serde(skip_serializing_if = "Option::is_none")]
        secret_id: Option<WebhookSecretId>,
        /// Headers of the request; signatures are masked.
        #[serde(skip_serializing_if = "Option::is_none")]
        request_headers: Option<BTreeMap<String, String>>,
        /// Headers of the response.
        #[serde(skip_serializing_if = "Option::is_none")]
        response_headers: Option<BTreeMap<String, String>>,
        /// The first bytes of the response body, at most 4 KiB.
        #[serde(skip_serializing_if = "Option::is_none")]
        response_body: Option<String>,
    }

    /// Response with a delivery.
    DeliveryEnvelope {
        /// The delivery.
        delivery: Delivery,
    }

    /// A page of deliveries.
    DeliveryPage {
        /// The deliveries.
        deliveries: Vec<Delivery>,
        /// Cursor of the next page; absent on the last page.
        #[serde(skip_serializing_if = "Option::is_none")]
        next_cursor: Option<Cursor>,
    }

    /// Recovery of the events of a time range.
    Recovery {
        /// The recovery's id.
        id: RecoveryId,
        /// Start of the time range, inclusive.
        since: Timestamp,
        /// End of the time range.
        until: Timestamp,
        /// States of the latest delivery that are included.
        states: Vec<RecoverableState>,
        /// Number of matching events when the recovery was created.
        matched: u64,
        /// Number of events queued so far.
        queued: u64,
        /// Status of the recovery.
        status: RecoveryStatus,
        /// When the recovery was created.
        created_at: Timestamp,
    }

    /// Response with a recovery.
    RecoveryEnvelope {
        /// The recovery.
        recovery: Recovery,
    }

    /// Statistics of a webhook by window.
    WebhookStats {
        /// The last 24 hours.
        #[serde(rename = "24h")]
        day: DeliveryStats,
        /// The last 7 days.
        #[serde(rename = "7d")]
        week: DeliveryStats,
    }

    /// Statistics of one window.
    DeliveryStats {
        /// Number of deliveries by state.
        by_state: BTreeMap<String, u64>,
        /// Share of delivered ones among finished deliveries, from 0 to 1; absent if none finished.
        #[serde(skip_serializing_if = "Option::is_none")]
        success_rate: Option<f64>,
        /// Median duration of attempts in milliseconds; absent without attempts.
        #[serde(rename = "p50Ms", skip_serializing_if = "Option::is_none")]
        p50_ms: Option<u64>,
        /// 95th percentile of the duration of attempts in milliseconds; absent without attempts.
        #[serde(rename = "p95Ms", skip_serializing_if = "Option::is_none")]
        p95_ms: Option<u64>,
    }

    /// Response with the statistics of a webhook.
    WebhookStatsEnvelope {
        /// The statistics.
        stats: WebhookStats,
    }
}
