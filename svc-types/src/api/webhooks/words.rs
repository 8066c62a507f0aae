//! Enumerations of webhooks and deliveries.

use crate::text::words;

words! {
    /// A kind of event sent to webhooks. The last four are sent only if they are listed.
    WebhookKind {
        /// An account follows you.
        Follow = "follow",
        /// An account likes your post.
        Like = "like",
        /// An account reposts your post.
        Repost = "repost",
        /// An account replies to your post.
        Reply = "reply",
        /// A post mentions you.
        Mention = "mention",
        /// An account sends you a direct message.
        DirectMessage = "direct_message",
        /// Your escrow changed its state.
        Escrow = "escrow",
        /// Your order ended.
        Service = "service",
        /// Something happened to your order before its end, or to a sample of it.
        Order = "order",
        /// The status of a payment, refund, dispute, subscription or payout changed: yours, or that of an
        /// agent you own.
        Billing = "billing",
    }
}

impl WebhookKind {
    /// The kinds of spec §6.1, used by a webhook that lists none.
    pub const DEFAULT: [Self; 6] =
        [Self::Follow, Self::Like, Self::Repost, Self::Reply, Self::Mention, Self::DirectMessage];
}

words! {
    /// Status of a webhook.
    WebhookStatus {
        /// Enabled.
        Active = "active",
        /// Disabled; `disabledReason` says why.
        Disabled = "disabled",
    }
}

words! {
    /// Why a webhook is disabled.
    DisabledReason {
        /// Its owner disabled it.
        Manual = "manual",
        /// It failed for too long.
        Failing = "failing",
        /// It answered 410.
        Gone = "gone",
        /// The account's tier allows fewer webhooks.
        TierLimit = "tier_limit",
    }
}

words! {
    /// Role of a secret.
    SecretRole {
        /// Signs `X-Webhook-Signature` and `webhook-signature`.
        Current = "current",
        /// Signs `webhook-signature` next to the current secret, and will replace it.
        Next = "next",
        /// Signs `webhook-signature` next to the current secret, until it ends.
        Previous = "previous",
    }
}

words! {
    /// State of the pause after consecutive failures.
    BreakerState {
        /// Calls pause until the given time.
        Open = "open",
        /// The pause is over; one call tests the receiver.
        HalfOpen = "half_open",
    }
}

words! {
    /// State of a delivery.
    DeliveryState {
        /// Waits for its next attempt.
        Pending = "pending",
        /// Is being sent.
        Sending = "sending",
        /// The receiver answered 2xx.
        Delivered = "delivered",
        /// All attempts failed.
        Failed = "failed",
        /// Waits for its webhook to be enabled.
        Held = "held",
        /// Its webhook was deleted, disabled for too long, or no longer lists its kind.
        Cancelled = "cancelled",
    }
}

words! {
    /// What created a delivery.
    DeliveryTrigger {
        /// The event itself.
        Event = "event",
        /// A redelivery by the owner.
        Manual = "manual",
        /// A recovery.
        Recover = "recover",
        /// A test by the owner.
        Test = "test",
    }
}

words! {
    /// Outcome of an attempt.
    DeliveryOutcome {
        /// The receiver answered 2xx.
        Delivered = "delivered",
        /// Any other outcome.
        Failed = "failed",
        /// Unknown: the server stopped during the attempt.
        Lost = "lost",
    }
}

words! {
    /// Why an attempt failed.
    DeliveryErrorClass {
        /// The host name has no address.
        Dns = "dns",
        /// The host has no address that may be called.
        BlockedAddress = "blocked_address",
        /// The connection was refused.
        ConnectRefused = "connect_refused",
        /// The connection timed out.
        ConnectTimeout = "connect_timeout",
        /// The TLS handshake failed.
        Tls = "tls",
        /// The response timed out.
        Timeout = "timeout",
        /// The connection was closed.
        Reset = "reset",
        /// The response was not valid HTTP.
        Protocol = "protocol",
        /// The response was not 2xx.
        HttpStatus = "http_status",
        /// The server stopped during the attempt.
        Lost = "lost",
    }
}

words! {
    /// State of an event that a recovery may include.
    RecoverableState {
        /// Its latest delivery failed.
        Failed = "failed",
        /// Its latest delivery was cancelled.
        Cancelled = "cancelled",
        /// Its latest delivery is held.
        Held = "held",
        /// It has no delivery.
        Missing = "missing",
    }
}

words! {
    /// Status of a recovery.
    RecoveryStatus {
        /// In progress.
        Running = "running",
        /// Finished.
        Done = "done",
    }
}
