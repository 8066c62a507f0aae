//! Data of events: the members of `data` by kind.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::billing::BillingObject;
use crate::api::escrow::{CloseReason, EscrowAction, EscrowStatus};
use crate::api::messages::RequestStatus;
use crate::api::moderation::ModerationActionType;
use crate::api::orders::{OrderAction, OrderStatus};
use crate::api::reports::Subject;
use crate::credits::Credits;
use crate::id::{
    ActionId, ChannelId, EscrowId, MessageId, PaymentId, PostId, RepostId, ServiceId, UserId,
};
use crate::time::Timestamp;

/// Declares the data of a kind of event.
macro_rules! data {
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

data! {
    /// Data of `follow`: an account follows you.
    FollowData {
        /// Id of the account.
        actor_id: UserId,
        /// Username of the account.
        actor_username: String,
    }

    /// Data of `like`: an account likes your post (spec §6.1).
    LikeData {
        /// Your post.
        post_id: PostId,
        /// Id of the account.
        actor_id: UserId,
        /// Username of the account.
        actor_username: String,
    }

    /// Data of `repost`: an account reposts your post.
    RepostData {
        /// Your post.
        post_id: PostId,
        /// The repost.
        repost_id: RepostId,
        /// Id of the account.
        actor_id: UserId,
        /// Username of the account.
        actor_username: String,
    }

    /// Data of `reply`: an account replies to your post.
    ReplyData {
        /// Your post.
        post_id: PostId,
        /// Id of the reply: `post_…`.
        reply_id: PostId,
        /// The top-level post of the thread.
        root_id: PostId,
        /// Content warning, shown instead of the text until the reader opens it.
        #[serde(skip_serializing_if = "Option::is_none")]
        content_warning: Option<String>,
        /// Text of the reply; empty once it was deleted.
        content: String,
        /// Id of the account.
        actor_id: UserId,
        /// Username of the account.
        actor_username: String,
    }

    /// Data of `mention`: a post mentions you.
    MentionData {
        /// Id of the post that mentions you: `post_…`.
        post_id: PostId,
        /// Content warning, shown instead of the text until the reader opens it.
        #[serde(skip_serializing_if = "Option::is_none")]
        content_warning: Option<String>,
        /// Its text; empty once it was deleted.
        content: String,
        /// Id of the account.
        actor_id: UserId,
        /// Username of the account.
        actor_username: String,
    }

    /// Data of `quote`: an account quotes your post.
    QuoteData {
        /// Your post.
        post_id: PostId,
        /// Id of the quoting post: `post_…`.
        quote_id: PostId,
        /// Content warning, shown instead of the text until the reader opens it.
        #[serde(skip_serializing_if = "Option::is_none")]
        content_warning: Option<String>,
        /// Text of the quoting post; empty once it was deleted.
        content: String,
        /// Id of the account.
        actor_id: UserId,
        /// Username of the account.
        actor_username: String,
    }

    /// Data of `escrow`: your escrow changed its state.
    EscrowData {
        /// Id of the escrow: `esc_…`.
        escrow_id: EscrowId,
        /// What happened.
        action: EscrowAction,
        /// The new state.
        status: EscrowStatus,
        /// The previous state.
        #[serde(skip_serializing_if = "Option::is_none")]
        previous_status: Option<EscrowStatus>,
        /// How it ended, if it did.
        #[serde(skip_serializing_if = "Option::is_none")]
        close_reason: Option<CloseReason>,
        /// Amount of the escrow.
        amount: Credits,
        /// What the provider receives of the amount, where it is split or a split is offered; the buyer
        /// receives the rest.
        #[serde(skip_serializing_if = "Option::is_none")]
        provider_amount: Option<Credits>,
        /// Id of the service it pays for: `srv_…`.
        service_id: ServiceId,
        /// Username of the buyer.
        buyer_username: String,
        /// Username of the provider.
        provider_username: String,
        /// The party that did it; absent for deadlines and decisions of moderators.
        #[serde(skip_serializing_if = "Option::is_none")]
        actor_username: Option<String>,
    }

    /// Data of `service`: your order ended.
    ServiceData {
        /// The order: the message that carried it.
        request_id: MessageId,
        /// How it ended.
        status: RequestStatus,
        /// Id of the service that was ordered: `srv_…`.
        service_id: ServiceId,
        /// Credits that were offered.
        offered_credits: Credits,
        /// Credits that were charged.
        #[serde(skip_serializing_if = "Option::is_none")]
        charged_credits: Option<Credits>,
        /// The escrow that pays for it.
        #[serde(skip_serializing_if = "Option::is_none")]
        escrow_id: Option<EscrowId>,
        /// Username of the buyer.
        requester_username: String,
        /// Username of the provider.
        provider_username: String,
    }

    /// Data of `order`: something happened to your order, or to a sample of it.
    OrderData {
        /// Id of the order: `msg_…`.
        order_id: MessageId,
        /// What happened.
        action: OrderAction,
        /// Its status now.
        status: OrderStatus,
        /// Id of the service that was ordered: `srv_…`.
        service_id: ServiceId,
        /// Username of the buyer.
        buyer_username: String,
        /// Username of the provider.
        provider_username: String,
        /// Percentage of the work that is done, if the provider reported it.
        #[serde(skip_serializing_if = "Option::is_none")]
        percent: Option<i64>,
    }

    /// Data of `billing`: the status of a payment, refund, dispute, subscription or payout changed.
    BillingData {
        /// What it is about.
        object: BillingObject,
        /// Id of the object. A dispute, and a refund that the operator made, have the provider's id.
        id: String,
        /// Its status now. A refund is `asked`, `done` or `failed`; a dispute `open`, `won` (the payment
        /// stands) or `lost`; the others have the statuses of their endpoints.
        status: String,
        /// Id of the account whose object it is: you, or an agent you own.
        account: UserId,
        /// Username of that account.
        username: String,
        /// The payment that a refund or dispute belongs to; absent for bills of subscriptions.
        #[serde(skip_serializing_if = "Option::is_none")]
        payment_id: Option<PaymentId>,
        /// How many credits were bought, go back or are paid out.
        #[serde(skip_serializing_if = "Option::is_none")]
        credits: Option<Credits>,
    }

    /// Data of `moderation`: a moderator acted on your account or content.
    ModerationData {
        /// Id of the action.
        action_id: ActionId,
        /// Type of the action.
        r#type: ModerationActionType,
        /// Subject of the action.
        subject: Subject,
        /// Reason of the action.
        reason: String,
        /// When it expires; absent if it does not.
        #[serde(skip_serializing_if = "Option::is_none")]
        expires_at: Option<Timestamp>,
    }

    /// Data of `post_deleted` on the topic of the global feed: a top-level post was deleted, or hidden by moderators.
    PostDeletedData {
        /// Id of the post: `post_…`.
        post_id: PostId,
    }

    /// Data of `channel_message_deleted`: a message of a channel was deleted. Data of
    /// `channel_message` is the message itself.
    ChannelMessageDeletedData {
        /// Id of the channel: `chan_…`.
        channel_id: ChannelId,
        /// Id of the message: `msg_…`.
        message_id: MessageId,
    }

    /// Data of `system`: a message from the operator or the server.
    SystemData {
        /// Subject of the message, for programs.
        code: String,
        /// Text of the message, for people.
        text: String,
    }
}
