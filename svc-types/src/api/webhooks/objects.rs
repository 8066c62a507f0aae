//! Webhooks, their deliveries, attempts and recoveries as objects.

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
    /// An address that is told what happens to an account.
    Webhook {
        /// The webhook's id.
        id: WebhookId,
        /// Where events are sent.
        url: String,
        /// What it is for.
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// Which events it gets.
        events: Vec<WebhookKind>,
        /// Whether it is called.
        status: WebhookStatus,
        /// Why it is not called.
        #[serde(skip_serializing_if = "Option::is_none")]
        disabled_reason: Option<DisabledReason>,
        /// Last four characters of the current secret.
        secret_hint: String,
        /// Its secrets, never their values.
        secrets: Vec<WebhookSecretInfo>,
        /// The pause after failures in a row, if there is one.
        #[serde(skip_serializing_if = "Option::is_none")]
        breaker: Option<Breaker>,
        /// When an attempt succeeded last.
        #[serde(skip_serializing_if = "Option::is_none")]
        last_success_at: Option<Timestamp>,
        /// How an attempt failed last.
        #[serde(skip_serializing_if = "Option::is_none")]
        last_error: Option<LastError>,
        /// Deliveries that wait, are held or are being sent; exact up to 10,000.
        pending_count: u32,
        /// When it was made.
        created_at: Timestamp,
        /// When its owner changed it last, or it was disabled.
        updated_at: Timestamp,
    }

    /// A secret without its value.
    WebhookSecretInfo {
        /// The secret's id; attempts name the one that signed.
        id: WebhookSecretId,
        /// What it is used for.
        role: SecretRole,
        /// When it was made.
        created_at: Timestamp,
        /// When it ends, if it does.
        #[serde(skip_serializing_if = "Option::is_none")]
        expires_at: Option<Timestamp>,
    }

    /// The pause after failures in a row.
    Breaker {
        /// Whether it still lasts.
        state: BreakerState,
        /// When it ends, or ended.
        until: Timestamp,
    }

    /// How an attempt failed last.
    LastError {
        /// When.
        at: Timestamp,
        /// Why.
        class: DeliveryErrorClass,
        /// Status of the answer, if one came.
        #[serde(skip_serializing_if = "Option::is_none")]
        http_status: Option<u16>,
    }

    /// A webhook in its wrapper.
    WebhookEnvelope {
        /// The webhook.
        webhook: Webhook,
    }

    /// A new webhook and its secret.
    WebhookWithSecret {
        /// The webhook.
        webhook: Webhook,
        /// What signs its calls, shown this once.
        secret: WebhookSecret,
    }

    /// A webhook and its new secret.
    WebhookSecretRotated {
        /// The webhook.
        webhook: Webhook,
        /// What signs its calls beside the old one, and then alone; shown this once.
        secret: WebhookSecret,
        /// When the old one ends.
        previous_expires_at: Timestamp,
    }

    /// A page of webhooks.
    WebhookPage {
        /// The webhooks.
        webhooks: Vec<Webhook>,
        /// Where the next page begins; absent at the end.
        #[serde(skip_serializing_if = "Option::is_none")]
        next_cursor: Option<Cursor>,
    }

    /// An event on its way to a webhook.
    Delivery {
        /// The delivery's id, sent as `X-Webhook-Delivery`.
        id: DeliveryId,
        /// Where it goes.
        webhook_id: WebhookId,
        /// The event, sent as `X-Webhook-Id`.
        event_id: EventId,
        /// The event's kind.
        event: String,
        /// What became of it.
        state: DeliveryState,
        /// What made it.
        trigger: DeliveryTrigger,
        /// Attempts so far.
        attempts_count: u32,
        /// When the next attempt is made.
        #[serde(skip_serializing_if = "Option::is_none")]
        next_attempt_at: Option<Timestamp>,
        /// When it arrived.
        #[serde(skip_serializing_if = "Option::is_none")]
        delivered_at: Option<Timestamp>,
        /// When it was made.
        created_at: Timestamp,
        /// What is sent, byte for byte; only where one delivery is read.
        #[serde(skip_serializing_if = "Option::is_none")]
        body: Option<String>,
        /// The attempts, oldest first; only where one delivery is read.
        #[serde(skip_serializing_if = "Option::is_none")]
        attempts: Option<Vec<DeliveryAttempt>>,
    }

    /// One call of a webhook.
    DeliveryAttempt {
        /// Its number, sent as `X-Webhook-Attempt`.
        n: u32,
        /// When it began.
        started_at: Timestamp,
        /// How long it took, in milliseconds.
        duration_ms: u64,
        /// How it ended.
        outcome: DeliveryOutcome,
        /// When the next one follows.
        #[serde(skip_serializing_if = "Option::is_none")]
        next_attempt_at: Option<Timestamp>,
        /// Status of the answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        http_status: Option<u16>,
        /// Why it failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        error_class: Option<DeliveryErrorClass>,
        /// The address that was called.
        #[serde(skip_serializing_if = "Option::is_none")]
        remote_ip: Option<String>,
        /// The secret that signed `X-Webhook-Signature`.
        #[serde(skip_serializing_if = "Option::is_none")]
        secret_id: Option<WebhookSecretId>,
        /// What was sent before the body; signatures are blanked.
        #[serde(skip_serializing_if = "Option::is_none")]
        request_headers: Option<BTreeMap<String, String>>,
        /// What was answered before the body.
        #[serde(skip_serializing_if = "Option::is_none")]
        response_headers: Option<BTreeMap<String, String>>,
        /// The beginning of the answer, at most 4 KiB.
        #[serde(skip_serializing_if = "Option::is_none")]
        response_body: Option<String>,
    }

    /// A delivery in its wrapper.
    DeliveryEnvelope {
        /// The delivery.
        delivery: Delivery,
    }

    /// A page of deliveries.
    DeliveryPage {
        /// The deliveries.
        deliveries: Vec<Delivery>,
        /// Where the next page begins; absent at the end.
        #[serde(skip_serializing_if = "Option::is_none")]
        next_cursor: Option<Cursor>,
    }

    /// Events of a span of time that are sent again.
    Recovery {
        /// The recovery's id.
        id: RecoveryId,
        /// Events from this instant on.
        since: Timestamp,
        /// Events up to this instant.
        until: Timestamp,
        /// What had become of them.
        states: Vec<RecoverableState>,
        /// Events found when it was asked for.
        matched: u64,
        /// Events queued so far.
        queued: u64,
        /// Whether it goes on.
        status: RecoveryStatus,
        /// When it was asked for.
        created_at: Timestamp,
    }

    /// A recovery in its wrapper.
    RecoveryEnvelope {
        /// The recovery.
        recovery: Recovery,
    }

    /// How deliveries fare, by window.
    WebhookStats {
        /// In the last 24 hours.
        #[serde(rename = "24h")]
        day: DeliveryStats,
        /// In the last 7 days.
        #[serde(rename = "7d")]
        week: DeliveryStats,
    }

    /// How deliveries of a window fare.
    DeliveryStats {
        /// How many are in each state.
        by_state: BTreeMap<String, u64>,
        /// Delivered ones among those that ended, from 0 to 1; absent when none ended.
        #[serde(skip_serializing_if = "Option::is_none")]
        success_rate: Option<f64>,
        /// Half of the attempts took no longer, in milliseconds; absent when there was none.
        #[serde(rename = "p50Ms", skip_serializing_if = "Option::is_none")]
        p50_ms: Option<u64>,
        /// 95 of 100 attempts took no longer, in milliseconds; absent when there was none.
        #[serde(rename = "p95Ms", skip_serializing_if = "Option::is_none")]
        p95_ms: Option<u64>,
    }

    /// How deliveries of a webhook fare.
    WebhookStatsEnvelope {
        /// The figures.
        stats: WebhookStats,
    }
}
