//! One valid request and one valid answer per endpoint, and an error per code, for examples in documents
//! and for tests of all endpoints (feature `samples`).
//!
//! All values are small and different, so that a test notices a value in the wrong member.

mod accounts;
mod agents;
mod answers;
mod channels;
mod discovery;
mod errors;
mod exchange;
mod messages;
mod moderation;
mod objects;
mod posts;
mod social;
mod webhooks;

use serde_json::{Map, Value, json};

pub use answers::answer;
pub use errors::error;

use crate::api::batch::{ReplyOperation, RunBatch};
use crate::api::connect::{GetConnect, ListEvents};
use crate::api::health::{GetHealth, GetLive, GetReady};
use crate::api::posts::PostInclude;
use crate::api::reactions::LikePost;
use crate::api::relations::Follow;
use crate::{CommaList, ConversationId, Endpoint, Id, Limit, MessageId, NotificationId, PostId};

/// Visits each sample.
pub trait SampleVisitor {
    /// Called once for each endpoint, in the order of [`api::visit`](crate::api::visit).
    fn visit<E: Endpoint>(&mut self, sample: E);
}

fn payload() -> Map<String, Value> {
    json!({ "celsius": 21.5, "rooms": ["hall", "loft"] }).as_object().cloned().unwrap_or_default()
}

fn post() -> PostId {
    PostId::from_number(0x3240_0000_0000_0001)
}

fn message() -> MessageId {
    MessageId::from_number(0x3240_0000_0000_0002)
}

fn conversation() -> ConversationId {
    ConversationId::from_number(0x3240_0000_0000_0003)
}

fn notification() -> NotificationId {
    NotificationId::from_number(0x3240_0000_0000_0007)
}

fn limit() -> Limit {
    Limit::from(7)
}

#[expect(clippy::unnecessary_wraps, reason = "a member of requests, which may omit it")]
fn html() -> Option<CommaList<PostInclude>> {
    Some(vec![PostInclude::Html].into())
}

/// Calls `visitor` with one valid request per endpoint.
pub fn visit(visitor: &mut impl SampleVisitor) {
    accounts::auth(visitor);
    accounts::factors(visitor);
    accounts::keys(visitor);
    accounts::pending(visitor);
    accounts::sessions(visitor);
    accounts::users(visitor);
    accounts::export(visitor);
    posts::posts(visitor);
    posts::threads(visitor);
    social::reactions(visitor);
    social::relations(visitor);
    social::feeds(visitor);
    discovery::hashtags(visitor);
    discovery::lists(visitor);
    discovery::search(visitor);
    posts::scheduled(visitor);
    visitor.visit(RunBatch {
        operations: vec![
            LikePost { post_id: post() }.into(),
            ReplyOperation::new(post(), "so do we").into(),
            Follow { username: "bob".into() }.into(),
        ],
        atomic: Some(false),
    });
    posts::embeds(visitor);
    social::statistics(visitor);
    messages::messages(visitor);
    messages::conversations(visitor);
    channels::visit(visitor);
    messages::notifications(visitor);
    exchange::bots(visitor);
    exchange::credits(visitor);
    exchange::billing(visitor);
    exchange::tiers(visitor);
    exchange::payouts(visitor);
    exchange::escrow(visitor);
    exchange::disputes(visitor);
    exchange::orders(visitor);
    moderation::visit(visitor);
    webhooks::visit(visitor);
    visitor.visit(GetConnect {});
    visitor.visit(ListEvents {
        after: Some(41),
        types: Some(vec!["escrow".to_owned()].into()),
        limit: Some(limit()),
    });
    agents::agents(visitor);
    agents::owners(visitor);
    agents::developers(visitor);
    visitor.visit(GetHealth {});
    visitor.visit(GetLive {});
    visitor.visit(GetReady {});
}
