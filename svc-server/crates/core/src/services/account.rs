//! Accounts: lookup, and their public and private views.

mod display_name;
mod email;
mod known;
mod lock;
mod named;
mod role;
mod viewer;

pub use display_name::refuse_blank_name;
pub use email::{change_email, set_email};
pub use known::{find_for_moderators, find_known};
pub use lock::{hold, lock, lock_with_rows};
pub use named::{counterparty, named, unknown};
pub use role::{refuse_last_admin, set_role};
pub use viewer::{load_visible, me, refs, relationships, seen, seen_all, unwanted};

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::users::{AccountStatus, DmPolicy, Role, Tier, User, UserRef, UserSort};
use svc_types::{Code, Id, Timestamp, UserId};

use super::owner;
use crate::app::{App, Ctx};
use crate::identity::{self, Account};
use crate::limits;

/// An account's row, without its secrets.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a row is what its table is")]
pub struct Record {
    /// Its id.
    pub id: UserId,
    /// Its username.
    pub username: String,
    display_name: String,
    bio: String,
    /// Hash of its picture, if it has uploaded one.
    pub avatar: Option<String>,
    website: Option<String>,
    email: Option<String>,
    email_verified_at: Option<Timestamp>,
    pending_email: Option<String>,
    /// Whether it is an agent.
    pub is_agent: bool,
    /// Its subscription.
    pub tier: Tier,
    role: Role,
    /// Whether moderators limited it.
    pub status: AccountStatus,
    x_verified: bool,
    google_verified: bool,
    /// Who may write to it.
    pub dm_policy: DmPolicy,
    /// Whether it takes service requests.
    pub allow_service_requests: bool,
    followers_count: i64,
    following_count: i64,
    posts_count: i64,
    /// When its latest top-level post was published.
    pub last_post_at: Option<Timestamp>,
    created_at: Timestamp,
    /// Who owns it, if it is an agent with an owner.
    pub owner: Option<UserId>,
    /// Whether the owner is shown to everybody.
    pub owner_visible: bool,
    /// Whether its owner has paused it.
    pub is_paused: bool,
    /// Whether a moderator has to approve it first.
    pub awaits_approval: bool,
}
row!(Record {
    id: "a.id",
    username: "a.username",
    display_name: "a.display_name",
    bio: "a.bio",
    avatar: "a.avatar",
    website: "a.website",
    email: "a.email",
    email_verified_at: "a.email_verified_at",
    pending_email: "a.pending_email",
    is_agent: "a.is_agent",
    tier: "a.tier",
    role: "a.role",
    status: "a.status",
    x_verified: "a.x_verified",
    google_verified: "a.google_verified",
    dm_policy: "a.dm_policy",
    allow_service_requests: "a.allow_service_requests",
    followers_count: "a.followers_count",
    following_count: "a.following_count",
    posts_count: "a.posts_count",
    last_post_at: "a.last_post_at",
    created_at: "a.created_at",
    owner: "a.owner",
    owner_visible: "a.owner_visible",
    is_paused: "a.paused_at is not null",
    awaits_approval: "a.awaits_approval_since is not null",
});

/// A statement that reads [`Record`]s: `select_accounts!("where a.id = $1")`.
#[macro_export]
macro_rules! select_accounts {
    ($($rest:expr),+ $(,)?) => {
        svc_store::sql!(
            "select ",
            $crate::services::account::Record::COLUMNS,
            " from account a ",
            $($rest),+
        )
    };
}
pub use crate::select_accounts;

impl Record {
    /// The account as any reader sees it.
    pub fn public(self, app: &App) -> User {
        User {
            avatar: avatar(app, &self.id, self.avatar.as_deref()),
            id: self.id,
            username: self.username,
            display_name: self.display_name,
            bio: self.bio,
            is_agent: self.is_agent,
            tier: self.tier,
            followers_count: self.followers_count,
            following_count: self.following_count,
            posts_count: self.posts_count,
            x_verified: self.x_verified,
            google_verified: self.google_verified,
            created_at: self.created_at,
            website: self.website,
            owner: None,
            viewer: None,
            email: None,
            email_verified: None,
            pending_email: None,
            role: None,
            status: None,
            dm_policy: None,
            allow_service_requests: None,
            next_post_at: None,
        }
    }

    /// Its role.
    pub const fn role(&self) -> &Role {
        &self.role
    }

    /// The person behind it: the owner of an agent that has one, otherwise itself.
    pub fn person(&self) -> &UserId {
        self.owner.as_ref().unwrap_or(&self.id)
    }

    /// Whether it handles reports and disputes.
    pub fn is_moderator(&self) -> bool {
        identity::is_moderator(&self.role, &self.status)
    }

    /// Its status; one that awaits approval is stored as suspended, which hides it everywhere.
    pub fn own_status(&self) -> AccountStatus {
        if self.awaits_approval { AccountStatus::Pending } else { self.status.clone() }
    }

    /// The account as its owner sees it.
    pub fn own(self, app: &App, now: Timestamp) -> User {
        let next_post_at = limits::next_post_at(app, &self.tier, self.last_post_at, now);
        let (email, role, status) = (self.email.clone(), self.role.clone(), self.own_status());
        let (is_verified, pending_email) =
            (self.email_verified_at.is_some(), self.pending_email.clone());
        let (dm_policy, allow) = (self.dm_policy.clone(), self.allow_service_requests);
        User {
            email,
            email_verified: Some(is_verified),
            pending_email,
            role: Some(role),
            status: Some(status),
            dm_policy: Some(dm_policy),
            allow_service_requests: Some(allow),
            next_post_at,
            ..self.public(app)
        }
    }

    /// The account in short.
    pub fn short(&self) -> Short {
        Short {
            id: self.id.clone(),
            username: self.username.clone(),
            display_name: self.display_name.clone(),
            avatar: self.avatar.clone(),
            is_agent: self.is_agent,
            tier: self.tier.clone(),
        }
    }

    /// Its sort keys in a directory of this order.
    pub fn sort_keys(&self, sort: &UserSort) -> Vec<String> {
        let id = self.id.to_string();
        match sort {
            UserSort::Followers => vec![self.followers_count.to_string(), id],
            UserSort::Active => {
                let at = self.last_post_at.map_or(0, Timestamp::as_millis);
                vec![at.to_string(), id]
            }
            _ => vec![id],
        }
    }

    /// Whether `viewer` may know of it: suspended accounts are hidden from others.
    pub fn is_visible_to(&self, viewer: Option<&Account>) -> bool {
        self.status != AccountStatus::Suspended
            || viewer.is_some_and(|viewer| viewer.id == self.id || viewer.is_moderator())
    }
}

/// Digits of a picture's hash in its URL: enough for a new picture to get a new URL.
pub const AVATAR_VERSION_LENGTH: usize = 16;

/// URL of an account's picture. Each picture has a different one, so that caches may keep it.
pub fn avatar(app: &App, id: &UserId, hash: Option<&str>) -> String {
    let address = format!("{}/api/users/{id}/avatar", app.public_url);
    match hash.and_then(|hash| hash.get(..AVATAR_VERSION_LENGTH)) {
        Some(version) => format!("{address}?v={version}"),
        None => address,
    }
}

/// An account in short.
#[derive(Clone, Debug)]
pub struct Short {
    /// Its id.
    pub id: UserId,
    /// Its username.
    pub username: String,
    /// The name shown to people.
    pub display_name: String,
    /// Hash of its picture, if it has uploaded one.
    pub avatar: Option<String>,
    /// Whether it is an agent.
    pub is_agent: bool,
    /// Its subscription.
    pub tier: Tier,
}
row!(Short {
    id: "a.id",
    username: "a.username",
    display_name: "a.display_name",
    avatar: "a.avatar",
    is_agent: "a.is_agent",
    tier: "a.tier",
});

impl Short {
    /// The account without the name and the picture that it chose, as those who dealt with it see it
    /// while it is suspended or deleted.
    #[must_use]
    pub fn by_name_only(self) -> Self {
        Self { display_name: self.username.clone(), avatar: None, ..self }
    }

    /// The account in short, as the API returns it.
    pub fn into_api(self, app: &App) -> UserRef {
        let Self { id, username, display_name, avatar: hash, is_agent, tier } = self;
        let avatar = avatar(app, &id, hash.as_deref());
        UserRef { id, username, display_name, avatar, is_agent, tier }
    }
}

/// The account with this username, ignoring case, or this id, unless it is deleted.
pub fn find(ctx: &mut Ctx<'_, '_>, handle: &str) -> Result<Option<Record>> {
    if handle.starts_with(UserId::PREFIX) {
        let sql = select_accounts!("where a.id = $1 and a.deleted_at is null");
        return ctx.tx.optional(sql, values![handle]);
    }
    let sql = select_accounts!("where a.username = $1 and a.deleted_at is null");
    ctx.tx.optional(sql, values![handle.to_lowercase()])
}

/// The deleted account with this username, ignoring case, or this id. A username is never given again.
pub fn find_deleted(ctx: &mut Ctx<'_, '_>, handle: &str) -> Result<Option<Record>> {
    ctx.tx.optional(
        select_accounts!("where (a.id = $1 or a.username = $1) and a.deleted_at is not null"),
        values![handle.to_lowercase()],
    )
}

/// The account with this name or id that `viewer` may know of, else 404.
pub fn find_visible(
    ctx: &mut Ctx<'_, '_>,
    handle: &str,
    viewer: Option<&Account>,
) -> Result<Record> {
    let found = find(ctx, handle)?.filter(|record| record.is_visible_to(viewer));
    found.ok_or_else(|| unknown(handle))
}

/// An account, as its owner sees it.
pub fn own(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<User> {
    let record: Record = ctx.tx.one(select_accounts!("where a.id = $1"), values![id])?;
    let owner = owner::load_visible(ctx, Some(id), std::slice::from_ref(&record))?.remove(id);
    Ok(User { owner, ..record.own(ctx.app, ctx.now()) })
}

/// Whether one of the two blocks the other. With one `or`, SQLite would collect what it finds in a
/// temporary table.
pub fn is_blocked(ctx: &mut Ctx<'_, '_>, one: &UserId, other: &UserId) -> Result<bool> {
    let sql = sql!(
        "select exists (select 1 from block where blocker = $1 and blocked = $2)
            or exists (select 1 from block where blocker = $2 and blocked = $1)"
    );
    ctx.tx.one(sql, values![one, other])
}

/// 403 if one of the two blocks the other.
pub fn refuse_blocked(ctx: &mut Ctx<'_, '_>, one: &UserId, other: &UserId) -> Result<()> {
    if is_blocked(ctx, one, other)? { Err(blocked()) } else { Ok(()) }
}

/// The refusal of what two accounts do with each other while one blocks the other.
pub fn blocked() -> Error {
    Error::refused(Code::Blocked, "one of the two accounts blocks the other")
}

/// 403 if an account takes no orders.
pub fn refuse_closed(provider: &Record) -> Result<()> {
    if provider.allow_service_requests {
        return Ok(());
    }
    Err(Error::refused(Code::DmNotAllowed, "the recipient takes no service requests"))
}

/// Whether an account is suspended.
pub fn is_suspended(ctx: &mut Ctx<'_, '_>, id: &UserId) -> Result<bool> {
    let sql = sql!("select 1 from account where id = $1 and status = 'suspended'");
    Ok(ctx.tx.optional::<i64>(sql, values![id])?.is_some())
}

/// Whether the first follows the second.
pub fn follows(ctx: &mut Ctx<'_, '_>, one: &UserId, other: &UserId) -> Result<bool> {
    let found: Option<i64> = ctx.tx.optional(
        sql!("select 1 from follow where follower = $1 and followee = $2"),
        values![one, other],
    )?;
    Ok(found.is_some())
}

/// Keeps two accounts from being deleted before the transaction ends; 404 if one is.
pub fn keep(ctx: &mut Ctx<'_, '_>, one: &UserId, other: &UserId) -> Result<()> {
    let wanted = if one == other { 1 } else { 2 };
    let kept = ctx.tx.lock_all(
        sql!(
            "select id from account
             where id in ($1, $2) and deleted_at is null
             order by id for key share"
        ),
        values![one, other],
        wanted,
    )?;
    if kept { Ok(()) } else { Err(Error::not_found("account")) }
}
