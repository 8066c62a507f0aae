//! The words that webhooks and deliveries are told in.

use crate::text::words;

words! {
    /// A kind of event that webhooks get; the last two only when they are listed.
    WebhookKind {
        /// Somebody follows you.
        Follow = "follow",
        /// Somebody likes a post of yours.
        Like = "like",
        /// Somebody reposts a post of yours.
        Repost = "repost",
        /// Somebody answers a post of yours.
        Reply = "reply",
        /// A post names you.
        Mention = "mention",
        /// Somebody writes to you.
        DirectMessage = "direct_message",
        /// An escrow of yours moved.
        Escrow = "escrow",
        /// An order of yours ended.
        Service = "service",
    }
}

impl WebhookKind {
    /// The kinds of spec §6.1, which a webhook gets when it lists none.
    pub const DEFAULT: [Self; 6] =
        [Self::Follow, Self::Like, Self::Repost, Self::Reply, Self::Mention, Self::DirectMessage];
}

words! {
    /// Whether a webhook is called.
    WebhookStatus {
        /// It is.
        Active = "active",
        /// It is not; `disabledReason` says why.
        Disabled = "disabled",
    }
}

words! {
    /// Why a webhook is not called.
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
    /// What a secret is used for.
    SecretRole {
        /// It signs `X-Webhook-Signature`, and `webhook-signature`.
        Current = "current",
        /// It signs `webhook-signature` beside the current one, and follows it.
        Next = "next",
        /// It signs `webhook-signature` beside the current one, until it ends.
        Previous = "previous",
    }
}

words! {
    /// Whether calls of a webhook pause after failures in a row.
    BreakerState {
        /// They do, until the instant named.
        Open = "open",
        /// The pause is over, and one call shows whether it works again.
        HalfOpen = "half_open",
    }
}

words! {
    /// What became of a delivery.
    DeliveryState {
        /// It waits for its next attempt.
        Pending = "pending",
        /// It is being sent.
        Sending = "sending",
        /// The receiver answered 2xx.
        Delivered = "delivered",
        /// No attempt succeeded, and none follows.
        Failed = "failed",
        /// It waits for its webhook to be enabled.
        Held = "held",
        /// Its webhook was deleted, or disabled for too long.
        Cancelled = "cancelled",
    }
}

words! {
    /// What made a delivery.
    DeliveryTrigger {
        /// The event itself.
        Event = "event",
        /// The owner sent it again.
        Manual = "manual",
        /// A recovery.
        Recover = "recover",
        /// The owner tested the webhook.
        Test = "test",
    }
}

words! {
    /// How an attempt ended.
    DeliveryOutcome {
        /// With 2xx.
        Delivered = "delivered",
        /// With anything else.
        Failed = "failed",
        /// Unknown: the server that made it ended.
        Lost = "lost",
    }
}

words! {
    /// Why an attempt failed.
    DeliveryErrorClass {
        /// The host has no address.
        Dns = "dns",
        /// The host has no address that may be called.
        BlockedAddress = "blocked_address",
        /// Nobody listens there.
        ConnectRefused = "connect_refused",
        /// No connection came about in time.
        ConnectTimeout = "connect_timeout",
        /// No trust came about.
        Tls = "tls",
        /// No answer came in time.
        Timeout = "timeout",
        /// The connection was cut.
        Reset = "reset",
        /// What came was no HTTP.
        Protocol = "protocol",
        /// The answer was not 2xx.
        HttpStatus = "http_status",
        /// The server that made it ended.
        Lost = "lost",
    }
}

words! {
    /// What became so far of an event that is recovered.
    RecoverableState {
        /// Its latest delivery failed.
        Failed = "failed",
        /// Its latest delivery was cancelled.
        Cancelled = "cancelled",
        /// Its latest delivery is held.
        Held = "held",
        /// No delivery was ever made of it.
        Missing = "missing",
    }
}

words! {
    /// How far a recovery is.
    RecoveryStatus {
        /// It goes on.
        Running = "running",
        /// It is done.
        Done = "done",
    }
}
