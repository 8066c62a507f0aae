//! The files of an export, and where each comes from.
//!
//! What an endpoint lists is read through it, so that an export holds what the account may see, in
//! the format of the API. Rows that no endpoint lists are read by their keys.

mod channels;
mod deals;
mod media;
mod posts;
mod relations;

use serde_json::{Value, json};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::billing::ListPayments;
use svc_types::api::channels::ListChannels;
use svc_types::api::conversations::ListConversations;
use svc_types::api::credits::ListTransactions;
use svc_types::api::developers::ListApps;
use svc_types::api::escrow::{ListEscrowEvents, ListEscrows};
use svc_types::api::factors::GetFactors;
use svc_types::api::grants::ListGrants;
use svc_types::api::hashtags::ListFollowedHashtags;
use svc_types::api::invites::ListInvites;
use svc_types::api::keys::ListApiKeys;
use svc_types::api::links::ListLinks;
use svc_types::api::lists::{ListListMembers, ListLists};
use svc_types::api::messages::ListMessages;
use svc_types::api::notifications::{GetPreferences, ListNotifications};
use svc_types::api::orders::ListOrders;
use svc_types::api::owners::ListOwnedAgents;
use svc_types::api::payouts::ListPayouts;
use svc_types::api::pending::ListPendingChanges;
use svc_types::api::relations::ListFollowers;
use svc_types::api::reports::ListReports;
use svc_types::api::scheduled::ListScheduledPosts;
use svc_types::api::security::ListSecurityLog;
use svc_types::api::services::ListServices;
use svc_types::api::sessions::ListSessions;
use svc_types::api::tiers::GetTier;
use svc_types::api::users::{GetMe, User};
use svc_types::api::webhooks::{ListWebhookDeliveries, ListWebhooks};

use self::channels::channel_messages;
use self::deals::{next_escrow, reviews, samples, without_token};
pub(super) use self::media::{avatar, next_image};
use self::posts::{bookmarks, likes, posts, reposts, revisions};
use self::relations::{blocks, following, mutes, thread_mutes};
use super::source::{Page, Position, Source};

/// A file of the archive.
pub(super) struct File {
    pub(super) name: &'static str,
    /// Reads a page of it.
    pub(super) read: fn(&mut Source<'_, '_, '_>, &Position) -> Result<Page>,
}

/// A file.
macro_rules! file {
    ($name:literal, $read:expr) => {
        File { name: concat!($name, ".jsonl"), read: $read }
    };
}

/// All files but media and manifest, in their order.
pub(super) const FILES: &[File] = &[
    file!("account", |source, _| Page::of([source.ask::<GetMe>(&json!({}))?.user], None)),
    file!("posts", posts),
    file!("post_revisions", revisions),
    file!("likes", likes),
    file!("reposts", reposts),
    file!("bookmarks", bookmarks),
    file!("scheduled_posts", |source, at| source.paged::<ListScheduledPosts>(json!({}), at)),
    file!("following", following),
    file!("followers", |source, at| {
        let id = source.account.id.as_str();
        source.paged_as::<ListFollowers, _>(
            json!({ "username": id }),
            at,
            |user: User| json!({ "id": user.id, "username": user.username }),
        )
    }),
    file!("blocks", blocks),
    file!("mutes", mutes),
    file!("thread_mutes", thread_mutes),
    file!("hashtags", |source, at| source.paged::<ListFollowedHashtags>(json!({}), at)),
    file!("lists", |source, at| source.paged::<ListLists>(json!({}), at)),
    file!("list_members", |source, at| {
        source.nested::<ListListMembers>("listId", at, |source, after| {
            let sql = sql!("select id from list where owner = $1 and id > $2 order by id limit 1");
            source.ctx.tx.optional(sql, values![source.account.id, after])
        })
    }),
    file!("messages", |source, at| { source.paged::<ListMessages>(json!({ "order": "asc" }), at) }),
    file!("orders", |source, at| source.paged::<ListOrders>(json!({}), at)),
    file!("conversations", |source, at| source.paged::<ListConversations>(json!({}), at)),
    file!("message_requests", |source, at| {
        source.paged::<ListConversations>(json!({ "folder": "requests" }), at)
    }),
    file!("declined_conversations", |source, at| {
        source.paged::<ListConversations>(json!({ "folder": "declined" }), at)
    }),
    file!("channels", |source, at| source.paged::<ListChannels>(json!({ "mine": true }), at)),
    file!("channel_messages", channel_messages),
    file!("notifications", |source, at| source.paged::<ListNotifications>(json!({}), at)),
    file!("notification_preferences", |source, _| {
        Page::of([source.ask::<GetPreferences>(&json!({}))?.preferences], None)
    }),
    file!("services", |source, _| {
        if !source.account.is_agent {
            return Page::of([(); 0], None);
        }
        Page::of(source.ask::<ListServices>(&json!({}))?.services, None)
    }),
    file!("reviews", reviews),
    file!("samples", samples),
    file!("escrows", |source, at| {
        source.paged_as::<ListEscrows, _>(json!({}), at, without_token)
    }),
    file!("escrow_events", |source, at| {
        source.nested::<ListEscrowEvents>("escrowId", at, next_escrow)
    }),
    file!("ledger", |source, at| source.paged::<ListTransactions>(json!({}), at)),
    file!("payments", |source, at| source.paged::<ListPayments>(json!({}), at)),
    file!("tier", |source, _| Page::of([source.ask::<GetTier>(&json!({}))?.tier], None)),
    file!("payouts", |source, at| source.paged::<ListPayouts>(json!({}), at)),
    file!("webhooks", |source, at| source.paged::<ListWebhooks>(json!({}), at)),
    file!("webhook_deliveries", |source, at| {
        source.nested::<ListWebhookDeliveries>("webhookId", at, |source, after| {
            let sql = sql!(
                "select id from webhook where account = $1 and id > $2 and deleted_at is null
                 order by id limit 1"
            );
            source.ctx.tx.optional(sql, values![source.account.id, after])
        })
    }),
    file!("apps", |source, at| source.paged::<ListApps>(json!({}), at)),
    file!("keys", |source, _| Page::of(source.ask::<ListApiKeys>(&json!({}))?.keys, None)),
    file!("sessions", |source, _| {
        Page::of(source.ask::<ListSessions>(&json!({}))?.sessions, None)
    }),
    file!("grants", |source, _| Page::of(source.ask::<ListGrants>(&json!({}))?.grants, None)),
    file!("links", |source, _| Page::of(source.ask::<ListLinks>(&json!({}))?.links, None)),
    file!("invites", |source, at| source.paged::<ListInvites>(json!({}), at)),
    file!("factors", |source, _| Page::of([source.ask::<GetFactors>(&json!({}))?], None)),
    file!("security_log", |source, at| source.paged::<ListSecurityLog>(json!({}), at)),
    file!("pending_changes", |source, _| {
        Page::of(source.ask::<ListPendingChanges>(&json!({}))?.pending, None)
    }),
    file!("agents", |source, _| {
        if source.account.is_agent {
            return Page::of([(); 0], None);
        }
        Page::of(source.ask::<ListOwnedAgents>(&json!({}))?.agents, None)
    }),
    file!("reports", |source, at| source.paged::<ListReports>(json!({}), at)),
];

fn without_nulls(mut line: Value) -> Value {
    if let Value::Object(members) = &mut line {
        members.retain(|_, value| !value.is_null());
    }
    line
}
