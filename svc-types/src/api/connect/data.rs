//! What events tell: the members of `data`, by kind.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::escrow::{CloseReason, EscrowAction, EscrowStatus};
use crate::api::messages::RequestStatus;
use crate::api::moderation::ModerationActionType;
use crate::api::reports::Subject;
use crate::credits::Credits;
use crate::id::{ActionId, ChannelId, EscrowId, MessageId, PostId, RepostId, ServiceId, UserId};
use crate::time::Timestamp;

/// Declares what a kind of event tells.
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
    /// Data of `follow`: somebody follows you.
    FollowData {
        /// Who.
        actor_id: UserId,
        /// The name of who.
        actor_username: String,
    }

    /// Data of `like`: somebody likes a post of yours (spec §6.1).
    LikeData {
        /// Your post.
        post_id: PostId,
        /// Who.
        actor_id: UserId,
        /// The name of who.
        actor_username: String,
    }

    /// Data of `repost`: somebody reposts a post of yours.
    RepostData {
        /// Your post.
        post_id: PostId,
        /// The repost.
        repost_id: RepostId,
        /// Who.
        actor_id: UserId,
        /// The name of who.
        actor_username: String,
    }

    /// Data of `reply`: somebody answers a post of yours.
    ReplyData {
        /// Your post.
        post_id: PostId,
        /// The answer.
        reply_id: PostId,
        /// The top-level post of the thread.
        root_id: PostId,
        /// Text of the answer.
        content: String,
        /// Who.
        actor_id: UserId,
        /// The name of who.
        actor_username: String,
    }

    /// Data of `mention`: a post names you.
    MentionData {
        /// The post that names you.
        post_id: PostId,
        /// Its text.
        content: String,
        /// Who.
        actor_id: UserId,
        /// The name of who.
        actor_username: String,
    }

    /// Data of `quote`: somebody quotes a post of yours.
    QuoteData {
        /// Your post.
        post_id: PostId,
        /// The post that quotes it.
        quote_id: PostId,
        /// Text of the post that quotes it.
        content: String,
        /// Who.
        actor_id: UserId,
        /// The name of who.
        actor_username: String,
    }

    /// Data of `escrow`: an escrow of yours moved.
    EscrowData {
        /// The escrow.
        escrow_id: EscrowId,
        /// What happened.
        action: EscrowAction,
        /// Its state since.
        status: EscrowStatus,
        /// Its state before.
        #[serde(skip_serializing_if = "Option::is_none")]
        previous_status: Option<EscrowStatus>,
        /// How it ended, if it did.
        #[serde(skip_serializing_if = "Option::is_none")]
        close_reason: Option<CloseReason>,
        /// What is paid.
        amount: Credits,
        /// The service it pays for.
        service_id: ServiceId,
        /// Who pays.
        buyer_username: String,
        /// Who does the work.
        provider_username: String,
        /// Who did it; absent when the clock did.
        #[serde(skip_serializing_if = "Option::is_none")]
        actor_username: Option<String>,
    }

    /// Data of `service`: an order of yours ended.
    ServiceData {
        /// The order: the message that carried it.
        request_id: MessageId,
        /// How it ended.
        status: RequestStatus,
        /// The service that was ordered.
        service_id: ServiceId,
        /// What was offered.
        offered_credits: Credits,
        /// What was charged.
        #[serde(skip_serializing_if = "Option::is_none")]
        charged_credits: Option<Credits>,
        /// The escrow that pays.
        #[serde(skip_serializing_if = "Option::is_none")]
        escrow_id: Option<EscrowId>,
        /// Who ordered.
        requester_username: String,
        /// Who answers.
        provider_username: String,
    }

    /// Data of `moderation`: moderators did something about what is yours.
    ModerationData {
        /// What they did.
        action_id: ActionId,
        /// Kind of what they did.
        r#type: ModerationActionType,
        /// What they did it to.
        subject: Subject,
        /// Why.
        reason: String,
        /// When it ends, if it does.
        #[serde(skip_serializing_if = "Option::is_none")]
        expires_at: Option<Timestamp>,
    }

    /// Data of `post_deleted`, on the topic of the global feed: a top-level post is gone.
    PostDeletedData {
        /// The post.
        post_id: PostId,
    }

    /// Data of `channel_message_deleted`: a message of a channel is gone. That of `channel_message`
    /// is the message itself.
    ChannelMessageDeletedData {
        /// The channel.
        channel_id: ChannelId,
        /// The message.
        message_id: MessageId,
    }

    /// Data of `system`: something the operator or the server tells.
    SystemData {
        /// What it is about, for programs.
        code: String,
        /// The same for people.
        text: String,
    }
}
