//! The data of a notification, and what follows from it: kind, text and subject.

use std::borrow::Cow;

use serde::Serialize;
use svc_types::api::connect::{
    BillingData, EscrowData, FollowData, LikeData, MentionData, ModerationData, OrderData,
    QuoteData, ReplyData, RepostData, ServiceData, SystemData,
};
use svc_types::api::messages::Message;
use svc_types::api::notifications::NotificationType;
use svc_types::api::orders::OrderAction;
use svc_types::api::security::SecurityEntry;
use svc_types::service_message::{REQUEST, RESPONSE};
use svc_types::{ConversationId, EscrowId, MessageId, PostId};

use super::text;

/// The data of an event.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Data<'a> {
    /// A new follower.
    Follow(FollowData),
    /// A like of its post.
    Like(LikeData),
    /// A repost of its post.
    Repost(RepostData),
    /// A reply to its post.
    Reply(ReplyData),
    /// A mention in a post.
    Mention(MentionData),
    /// A quote of its post.
    Quote(QuoteData),
    /// A direct message to it.
    DirectMessage(&'a Message),
    /// Its escrow moved.
    Escrow(Cow<'a, EscrowData>),
    /// Its order ended.
    Service(Cow<'a, ServiceData>),
    /// Something happened to its order.
    Order(Cow<'a, OrderData>),
    /// A payment, refund, dispute, subscription or payout of it, or of an agent it owns, changed.
    Billing(Cow<'a, BillingData>),
    /// Moderators acted on the account or its content.
    Moderation(ModerationData),
    /// A message from the server.
    System(Cow<'a, SystemData>),
    /// Something happened to its credentials.
    Security(&'a SecurityEntry),
}

/// The subject of a notification.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct About<'a> {
    pub(super) post: Option<&'a PostId>,
    pub(super) answer: Option<&'a PostId>,
    pub(super) message: Option<&'a MessageId>,
    pub(super) escrow: Option<&'a EscrowId>,
}

impl Data<'_> {
    /// The type of its notification.
    pub(super) const fn kind(&self) -> NotificationType {
        match self {
            Self::Follow(_) => NotificationType::Follow,
            Self::Like(_) => NotificationType::Like,
            Self::Repost(_) => NotificationType::Repost,
            Self::Reply(_) => NotificationType::Reply,
            Self::Mention(_) => NotificationType::Mention,
            Self::Quote(_) => NotificationType::Quote,
            Self::DirectMessage(_) => NotificationType::DirectMessage,
            Self::Escrow(_) => NotificationType::Escrow,
            Self::Service(_) | Self::Order(_) => NotificationType::ServiceRequest,
            Self::Billing(_) => NotificationType::Billing,
            Self::Moderation(_) => NotificationType::Moderation,
            Self::System(_) => NotificationType::System,
            Self::Security(_) => NotificationType::Security,
        }
    }

    /// The kind of its event.
    pub(super) const fn event(&self) -> &'static str {
        match self {
            Self::Follow(_) => "follow",
            Self::Like(_) => "like",
            Self::Repost(_) => "repost",
            Self::Reply(_) => "reply",
            Self::Mention(_) => "mention",
            Self::Quote(_) => "quote",
            Self::DirectMessage(_) => "direct_message",
            Self::Escrow(_) => "escrow",
            Self::Service(_) => "service",
            Self::Order(_) => "order",
            Self::Billing(_) => "billing",
            Self::Moderation(_) => "moderation",
            Self::System(_) => "system",
            Self::Security(_) => "security",
        }
    }

    /// Whether it is about money, so that its event is always written.
    pub(super) const fn is_money(&self) -> bool {
        matches!(self, Self::Escrow(_) | Self::Service(_) | Self::Order(_) | Self::Billing(_))
    }

    /// Whether it reaches an account that blocks or mutes its actor. Being asked for a sample is no part of
    /// the deal.
    pub(super) fn is_exempt(&self) -> bool {
        match self {
            Self::Order(data) => data.action != OrderAction::SampleProposed,
            Self::Moderation(_) | Self::System(_) | Self::Security(_) => true,
            _ => self.is_money(),
        }
    }

    /// Whether it is the message that orders a service or answers an order: its recipient waits for it, or has to
    /// act.
    pub(super) fn is_deal(&self) -> bool {
        let Self::DirectMessage(message) = self else { return false };
        message.schema.as_deref().is_some_and(|schema| [REQUEST, RESPONSE].contains(&schema))
    }

    /// Whether it has an entry in the list. Of an order, only what its reader must act on is listed, and what
    /// became of a question: its message and its end have entries already, and progress is for programs.
    pub(super) fn is_listed(&self) -> bool {
        match self {
            Self::Order(data) => matches!(
                data.action,
                OrderAction::InputRequired
                    | OrderAction::InputGiven
                    | OrderAction::Extended
                    | OrderAction::SampleProposed
                    | OrderAction::SampleAgreed
                    | OrderAction::SampleDeclined
                    | OrderAction::SampleRevoked
            ),
            Self::Billing(data) => text::is_news(data),
            _ => true,
        }
    }

    /// The conversation it belongs to.
    pub(super) const fn conversation(&self) -> Option<&ConversationId> {
        match self {
            Self::DirectMessage(message) => Some(&message.conversation_id),
            _ => None,
        }
    }

    /// The name of an action that can be undone, so that repeating it notifies once.
    pub(super) fn once(&self) -> Option<String> {
        match self {
            Self::Follow(data) => Some(format!("follow:{}", data.actor_id)),
            Self::Like(data) => Some(format!("like:{}:{}", data.actor_id, data.post_id)),
            Self::Repost(data) => Some(format!("repost:{}:{}", data.actor_id, data.post_id)),
            _ => None,
        }
    }

    pub(super) fn about(&self) -> About<'_> {
        let none = About::default();
        match self {
            Self::Like(LikeData { post_id, .. })
            | Self::Repost(RepostData { post_id, .. })
            | Self::Mention(MentionData { post_id, .. }) => About { post: Some(post_id), ..none },
            Self::Reply(data) => {
                About { post: Some(&data.post_id), answer: Some(&data.reply_id), ..none }
            }
            Self::Quote(data) => {
                About { post: Some(&data.post_id), answer: Some(&data.quote_id), ..none }
            }
            Self::Escrow(data) => About { escrow: Some(&data.escrow_id), ..none },
            Self::Service(data) => {
                let escrow = data.escrow_id.as_ref();
                About { message: Some(&data.request_id), escrow, ..none }
            }
            Self::Order(data) => About { message: Some(&data.order_id), ..none },
            // The event of a message has the message's number.
            Self::Follow(_)
            | Self::DirectMessage(_)
            | Self::Billing(_)
            | Self::Moderation(_)
            | Self::System(_)
            | Self::Security(_) => none,
        }
    }

    /// The text of the notification, if it has one.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Escrow(data) => Some(text::escrow(data)),
            Self::Service(data) => Some(text::service(data)),
            Self::Order(data) => Some(text::order(data)),
            Self::Billing(data) => Some(text::billing(data)),
            Self::Moderation(data) => Some(text::moderation(data)),
            Self::System(data) => Some(data.text.clone()),
            Self::Security(entry) => Some(entry.sentence()),
            _ => None,
        }
    }
}
