//! Channels as they are stored, and as readers see them.

use svc_store::error::{Error, Result};
use svc_store::{row, values};
use svc_types::api::channels::{
    Channel, ChannelEnvelope, ChannelViewer, ChannelVisibility, PostPolicy,
};
use svc_types::{ChannelId, Timestamp, UserId};

use crate::app::{App, Ctx};
use crate::identity::Account;
use crate::services::account::Short;

/// What topics of channels begin with.
const TOPIC: &str = "svc/channels/";

/// A channel's row with its owner and the reader's membership.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: ChannelId,
    /// Its name.
    pub name: String,
    title: Option<String>,
    description: Option<String>,
    visibility: ChannelVisibility,
    post_policy: PostPolicy,
    /// Number of members.
    pub members_count: i64,
    created_at: Timestamp,
    /// Its owner.
    pub owner: Short,
    /// Whether the reader is a member.
    pub is_member: bool,
    /// Whether its owner is neither suspended nor deleted.
    is_owner_shown: bool,
    /// Counted among the newest 100 messages, so that a channel that is never read costs no more. As in the list, those of
    /// suspended and deleted accounts do not count: nobody could mark them as read.
    unread_count: i64,
    joined_at: Option<Timestamp>,
    /// The message after which the reader sees all; those before were written while the channel was private, and the
    /// reader was not in it.
    pub(super) sees_after: String,
}
row!(Record {
    id: "c.id",
    name: "c.name",
    title: "c.title",
    description: "c.description",
    visibility: "c.visibility",
    post_policy: "c.post_policy",
    members_count: "c.members_count",
    created_at: "c.created_at",
    owner: Short::COLUMNS,
    is_member: "v.account is not null",
    is_owner_shown: "a.deleted_at is null and a.status <> 'suspended'",
    unread_count: "case when v.account is null then 0 else (
        select count(*) from (
            select n.sender from channel_message n
            where n.channel = v.channel and n.id > v.last_read and n.deleted_at is null
            order by n.id desc limit 100
        ) newest cross join account s
        where s.id = newest.sender and newest.sender <> v.account
            and s.deleted_at is null and s.status <> 'suspended'
    ) end",
    joined_at: "v.joined_at",
    sees_after: "coalesce(
        case when v.account is null then c.opened_after else v.sees_after end, '')",
});

/// A statement that reads [`Record`]s for the reader in `$1`: `select_channels!("c.id = $2")`.
#[macro_export]
macro_rules! select_channels {
    ($from:literal, $rest:literal) => {
        svc_store::sql!(
            "select ",
            $crate::services::channel::Record::COLUMNS,
            " from ",
            $from,
            " cross join account a
             where a.id = c.owner and c.deleted_at is null and ",
            $rest
        )
    };
    ($rest:literal) => {
        $crate::select_channels!(
            "channel c left join channel_member v on v.channel = c.id and v.account = $1",
            $rest
        )
    };
}

impl Record {
    /// The channel as `viewer` sees it.
    pub fn into_api(self, app: &App, viewer: Option<&Account>) -> Channel {
        let seen = viewer.map(|viewer| ChannelViewer {
            member: self.is_member,
            owner: viewer.id == self.owner.id,
            unread_count: self.unread_count,
            joined_at: self.joined_at,
        });
        let shows_owner = self.shows_owner_to(viewer);
        let owner = if shows_owner { self.owner } else { self.owner.by_name_only() };
        Channel {
            topic: format!("{TOPIC}{}", self.id),
            id: self.id,
            name: self.name,
            title: self.title,
            description: self.description,
            owner: owner.into_api(app),
            visibility: self.visibility,
            post_policy: self.post_policy,
            members_count: self.members_count,
            created_at: self.created_at,
            viewer: seen,
        }
    }

    /// Whether `viewer` may know of it. While its owner is suspended or deleted, only members and moderators
    /// know of a public channel, which names its owner.
    pub(super) fn is_visible_to(&self, viewer: Option<&Account>) -> bool {
        let is_open = self.visibility == ChannelVisibility::Public;
        self.is_member || is_open && self.shows_owner_to(viewer)
    }

    /// Whether `viewer` may know more of its owner than the username.
    fn shows_owner_to(&self, viewer: Option<&Account>) -> bool {
        let knows = |viewer: &Account| viewer.id == self.owner.id || viewer.is_moderator();
        self.is_owner_shown || viewer.is_some_and(knows)
    }

    /// Whether `account`, a member, may write.
    pub(super) fn takes_posts_of(&self, account: &UserId) -> bool {
        self.post_policy != PostPolicy::Owner || *account == self.owner.id
    }
}

/// The channel with this id, without a check of visibility.
pub(super) fn find(
    ctx: &mut Ctx<'_, '_>,
    id: &ChannelId,
    reader: Option<&UserId>,
) -> Result<Option<Record>> {
    ctx.tx.optional(select_channels!("c.id = $2"), values![reader, id])
}

/// The channel with this id that `viewer` may know of, else 404. Only members know of a private
/// channel, and members and moderators of one whose owner is suspended or deleted.
pub fn visible(ctx: &mut Ctx<'_, '_>, id: &ChannelId, viewer: Option<&Account>) -> Result<Record> {
    let found = find(ctx, id, viewer.map(|viewer| &viewer.id))?;
    let found = found.filter(|channel| channel.is_visible_to(viewer));
    found.ok_or_else(|| Error::not_found("channel"))
}

/// The channel as it is now.
pub fn envelope(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    id: &ChannelId,
) -> Result<ChannelEnvelope> {
    let record = visible(ctx, id, Some(caller))?;
    Ok(ChannelEnvelope { channel: record.into_api(ctx.app, Some(caller)) })
}
