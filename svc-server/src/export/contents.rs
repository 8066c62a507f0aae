//! The files of an export, and where each comes from.
//!
//! What an endpoint lists is read through it, so that an export holds what the account may see, in
//! the format of the API. Rows that no endpoint lists are read by their keys.

use serde_json::{Value, json};
use svc_core::services::blob::Blob;
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::billing::ListPayments;
use svc_types::api::channels::ListChannels;
use svc_types::api::conversations::ListConversations;
use svc_types::api::credits::ListTransactions;
use svc_types::api::developers::ListApps;
use svc_types::api::escrow::{Escrow, ListEscrowEvents, ListEscrows};
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
use svc_types::api::posts::ListPosts;
use svc_types::api::relations::ListFollowers;
use svc_types::api::reports::ListReports;
use svc_types::api::scheduled::ListScheduledPosts;
use svc_types::api::security::ListSecurityLog;
use svc_types::api::services::ListServices;
use svc_types::api::sessions::ListSessions;
use svc_types::api::tiers::GetTier;
use svc_types::api::users::{GetMe, User};
use svc_types::api::webhooks::{ListWebhookDeliveries, ListWebhooks};
use svc_types::{PostId, Rating, Timestamp};

use super::source::{Page, Position, ROWS, Source};

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

/// Posts and replies of the account, hidden ones too, oldest first.
fn posts(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    let ids: Vec<PostId> = source.ctx.tx.all(
        sql!(
            "select id from post
             where author = $1 and id > $2 and deleted_at is null order by id limit $3"
        ),
        values![source.account.id, at.after, ROWS],
    )?;
    let is_full = i64::try_from(ids.len()).is_ok_and(|found| found >= ROWS);
    let last = ids.last().filter(|_| is_full);
    let next = last.map(|id| Position { after: id.to_string(), cursor: None });
    if ids.is_empty() {
        return Page::of([(); 0], None);
    }
    let names: Vec<&str> = ids.iter().map(PostId::as_str).collect();
    let posts = source.ask::<ListPosts>(&json!({ "ids": names.join(",") }))?.posts;
    Page::of(posts, next)
}

/// Former texts of posts.
fn revisions(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    type Row = (String, i64, String, Option<String>, Timestamp);
    let (post, n) = at.after.split_once(' ').unwrap_or_default();
    let rows: Vec<Row> = source.ctx.tx.all(
        sql!(
            "select r.post, r.n, r.content, r.content_warning, r.created_at
             from post p join post_revision r on r.post = p.id
             where p.author = $1 and p.id >= $2 and p.deleted_at is null and (r.post, r.n) > ($2, $3)
             order by p.id, r.n limit $4"
        ),
        values![source.account.id, post, n.parse::<i64>().unwrap_or_default(), ROWS],
    )?;
    let line = |(post, n, content, warning, at): Row| {
        let line = json!({ "postId": post, "content": content, "contentWarning": warning,
            "createdAt": at });
        (format!("{post} {n}"), without_nulls(line))
    };
    Page::of_rows(rows.into_iter().map(line).collect())
}

/// Posts that the account reacted to in one way. The key of a row is the author and the post.
macro_rules! reactions {
    ($(#[doc = $doc:literal])+ $name:ident, $column:literal, $type:ty, $line:expr) => {
        $(#[doc = $doc])+
        fn $name(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
            let (author, post) = at.after.split_once(' ').unwrap_or_default();
            let rows: Vec<(String, String, $type)> = source.ctx.tx.all(
                sql!(
                    "select author, post, ", $column, " from reaction
                     where account = $1 and (author, post) > ($2, $3) and ", $column, " is not null
                     order by author, post limit $4"
                ),
                values![source.account.id, author, post, ROWS],
            )?;
            let line = |(author, post, how): (String, String, $type)| {
                (format!("{author} {post}"), ($line)(author, post, how))
            };
            Page::of_rows(rows.into_iter().map(line).collect())
        }
    };
}

reactions!(
    /// Liked posts.
    likes,
    "liked_at",
    Timestamp,
    |author, post, at| json!({ "postId": post, "authorId": author, "likedAt": at })
);
reactions!(
    /// Reposts.
    reposts,
    "repost",
    String,
    |author, post, repost| json!({ "postId": post, "authorId": author, "repostId": repost })
);
reactions!(
    /// Bookmarked posts.
    bookmarks,
    "bookmarked_at",
    Timestamp,
    |author, post, at| json!({ "postId": post, "authorId": author, "bookmarkedAt": at })
);

/// Relations to other accounts, by the id of the other one.
macro_rules! relations {
    ($(#[doc = $doc:literal])+ $name:ident, $table:literal, $own:literal, $other:literal) => {
        $(#[doc = $doc])+
        fn $name(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
            let rows: Vec<(String, String, Timestamp)> = source.ctx.tx.all(
                sql!(
                    "select r.", $other, ", a.username, r.created_at
                     from ", $table, " r join account a on a.id = r.", $other, "
                     where r.", $own, " = $1 and r.", $other, " > $2
                     order by r.", $other, " limit $3"
                ),
                values![source.account.id, at.after, ROWS],
            )?;
            let line = |(id, username, since): (String, String, Timestamp)| {
                let line = json!({ "id": id, "username": username, "since": since });
                (id, line)
            };
            Page::of_rows(rows.into_iter().map(line).collect())
        }
    };
}

relations!(
    /// Accounts that the account follows.
    following,
    "follow",
    "follower",
    "followee"
);
relations!(
    /// Accounts that the account blocks.
    blocks,
    "block",
    "blocker",
    "blocked"
);
relations!(
    /// Accounts that the account mutes.
    mutes,
    "account_mute",
    "muter",
    "muted"
);

/// Threads that the account mutes.
fn thread_mutes(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    let rows: Vec<(String, Timestamp)> = source.ctx.tx.all(
        sql!(
            "select root, created_at from thread_mute
             where account = $1 and root > $2 order by root limit $3"
        ),
        values![source.account.id, at.after, ROWS],
    )?;
    let line = |(post, since): (String, Timestamp)| {
        let line = json!({ "postId": post, "since": since });
        (post, line)
    };
    Page::of_rows(rows.into_iter().map(line).collect())
}

/// A message in a channel.
struct ChannelLine {
    id: String,
    channel: String,
    content: String,
    schema: Option<String>,
    payload: Option<String>,
    reply_to: Option<String>,
    created_at: Timestamp,
}
row!(ChannelLine {
    id: "id",
    channel: "channel",
    content: "content",
    schema: "schema_name",
    payload: "payload",
    reply_to: "reply_to",
    created_at: "created_at",
});

impl ChannelLine {
    fn line(self) -> (String, Value) {
        let Self { id, channel, content, schema, payload, reply_to, created_at } = self;
        let payload: Option<Value> = payload.and_then(|text| serde_json::from_str(&text).ok());
        let line = json!({ "messageId": id, "channelId": channel, "content": content,
            "schema": schema, "payload": payload, "replyToId": reply_to, "createdAt": created_at });
        (id, without_nulls(line))
    }
}

/// Messages that the account wrote in channels.
fn channel_messages(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    let rows: Vec<ChannelLine> = source.ctx.tx.all(
        sql!(
            "select ",
            ChannelLine::COLUMNS,
            " from channel_message
             where sender = $1 and id > $2 and deleted_at is null order by id limit $3"
        ),
        values![source.account.id, at.after, ROWS],
    )?;
    Page::of_rows(rows.into_iter().map(ChannelLine::line).collect())
}

/// A review that the account wrote.
struct ReviewLine {
    id: String,
    order: String,
    service: String,
    half_steps: i64,
    text: Option<String>,
    created_at: Timestamp,
}
row!(ReviewLine {
    id: "id",
    order: "order_id",
    service: "service",
    half_steps: "half_steps",
    text: "text",
    created_at: "created_at",
});

impl ReviewLine {
    fn line(self) -> (String, Value) {
        let Self { id, order, service, half_steps, text, created_at } = self;
        let rating = u8::try_from(half_steps).ok().and_then(Rating::from_half_steps);
        let line = json!({ "id": id, "orderId": order, "serviceId": service, "rating": rating,
            "text": text, "createdAt": created_at });
        (id, without_nulls(line))
    }
}

/// Reviews that the account wrote of what it ordered.
fn reviews(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    let rows: Vec<ReviewLine> = source.ctx.tx.all(
        sql!(
            "select ",
            ReviewLine::COLUMNS,
            " from review
             where buyer = $1 and id > $2 and deleted_at is null order by id limit $3"
        ),
        values![source.account.id, at.after, ROWS],
    )?;
    Page::of_rows(rows.into_iter().map(ReviewLine::line).collect())
}

/// What the account was asked to show of its orders, and what it answered.
fn samples(source: &mut Source<'_, '_, '_>, at: &Position) -> Result<Page> {
    type Row = (String, String, String, Timestamp, Option<Timestamp>);
    let rows: Vec<Row> = source.ctx.tx.all(
        sql!(
            "select order_id, service, state, created_at, answered_at from sample_proposal
             where buyer = $1 and order_id > $2 order by order_id limit $3"
        ),
        values![source.account.id, at.after, ROWS],
    )?;
    let line = |(order, service, state, proposed_at, answered_at): Row| {
        let line = json!({ "orderId": order, "serviceId": service, "state": state,
            "proposedAt": proposed_at, "answeredAt": answered_at });
        (order, without_nulls(line))
    };
    Page::of_rows(rows.into_iter().map(line).collect())
}

/// The escrow after this one, of either side.
fn next_escrow(source: &mut Source<'_, '_, '_>, after: &str) -> Result<Option<String>> {
    source.ctx.tx.optional(
        sql!(
            "select min(id) as id from (
                select min(id) as id from escrow where buyer = $1 and id > $2
                union all select min(id) as id from escrow where provider = $1 and id > $2
             ) either having min(id) is not null"
        ),
        values![source.account.id, after],
    )
}

/// An escrow without the access token to its deliverable, which is a secret of its provider.
fn without_token(mut escrow: Escrow) -> Escrow {
    if let Some(deliverable) = &mut escrow.deliverable {
        deliverable.access_token = None;
    }
    escrow
}

fn without_nulls(mut line: Value) -> Value {
    if let Value::Object(members) = &mut line {
        members.retain(|_, value| !value.is_null());
    }
    line
}

/// The picture of the account, if it has one: its name and where its bytes are.
pub(super) fn avatar(source: &mut Source<'_, '_, '_>) -> Result<Option<(String, Blob)>> {
    let found = svc_core::services::avatar::uploaded(source.ctx, &source.account.id)?;
    Ok(found.map(|file| (format!("media/avatar.{}", extension(&file.content_type)), file.blob)))
}

fn extension(content_type: &str) -> &str {
    content_type.split_once('/').map_or("bin", |(_, kind)| kind)
}

/// The next image of the account after this id: its id, its name and where its bytes are.
pub(super) fn next_image(
    source: &mut Source<'_, '_, '_>,
    after: &str,
) -> Result<Option<(String, String, Blob)>> {
    let found = svc_core::services::media::next_of(source.ctx, &source.account.id, after)?;
    Ok(found.map(|(id, file)| {
        let name = format!("media/{id}.{}", extension(&file.content_type));
        (id.to_string(), name, file.blob)
    }))
}
