//! The security log of an account: sign-ins, and changes of its credentials.
//!
//! The log of an owner also has the entries of its agents. Accounts are notified of new entries, in the
//! app and by mail, at the end of the transaction, because counters of events are locked last.

mod alerts;

use std::time::Duration;

use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::security::{SecurityAction, SecurityEntry, SecurityLogPage};
use svc_types::{AppId, SecurityEntryId, SessionId, Timestamp, UserId};

pub use self::alerts::Alert;
pub(crate) use self::alerts::send_alerts;
use self::alerts::{alert, is_mailed};
use crate::app::Ctx;
use crate::network::Network;
use crate::page::Page;

/// How long entries are kept.
const RETENTION: Duration = Duration::from_hours(180 * 24);

/// Time between two entries of failed sign-ins from a network.
const FAILURE_EVERY: Duration = Duration::from_hours(24);

/// What an entry is about, apart from the account.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// An API key.
    pub key_id: Option<&'a str>,
    /// A session.
    pub session: Option<&'a SessionId>,
    /// An app.
    pub app: Option<&'a AppId>,
    /// An agent that the account owns or owned.
    pub agent: Option<&'a UserId>,
    /// Who did it, if not the account itself.
    pub actor: Option<&'a UserId>,
}

impl<'a> About<'a> {
    const NOTHING: Self = Self { key_id: None, session: None, app: None, agent: None, actor: None };

    /// About a key.
    pub const fn key(key_id: &'a str) -> Self {
        Self { key_id: Some(key_id), ..Self::NOTHING }
    }

    /// About a session.
    pub const fn session(session: &'a SessionId) -> Self {
        Self { session: Some(session), ..Self::NOTHING }
    }

    /// About an app.
    pub const fn app(app: &'a AppId) -> Self {
        Self { app: Some(app), ..Self::NOTHING }
    }

    /// About an agent of the account.
    #[must_use]
    pub const fn agent(self, agent: &'a UserId) -> Self {
        Self { agent: Some(agent), ..self }
    }

    /// Done by another account.
    #[must_use]
    pub const fn by(self, actor: &'a UserId) -> Self {
        Self { actor: Some(actor), ..self }
    }
}

/// Adds an entry with the network of the request, and one for the owner of an agent.
pub fn note(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    action: &SecurityAction,
    about: About<'_>,
) -> Result<()> {
    let network = ctx.address().map(|address| Network::of(address).around().to_string());
    note_from(ctx, account, action, network.as_deref(), about)
}

/// Adds an entry of what a stranger did, whose network is none of the account's business.
pub fn note_by_stranger(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    action: &SecurityAction,
) -> Result<()> {
    note_from(ctx, account, action, None, About::default())
}

fn note_from(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    action: &SecurityAction,
    network: Option<&str>,
    about: About<'_>,
) -> Result<()> {
    let entry = insert(ctx, account, action, network, about)?;
    alert(ctx, entry, account, action, is_mailed(action));
    if about.agent.is_some() {
        return Ok(());
    }
    let Some((entry, owner)) = copy_to_owner(ctx, account, action, network, about)? else {
        return Ok(());
    };
    // The mail about a new address goes to the agent only.
    let is_mailed = is_mailed(action) || *action == SecurityAction::EmailPending;
    alert(ctx, entry, &owner, action, is_mailed);
    Ok(())
}

/// Adds the entry of a sign-in. It notifies the account, and the owner of an agent, only if it comes from a network
/// that the account has not signed in from lately; more notifications would go unread.
pub fn note_sign_in(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    session: &SessionId,
    is_known: bool,
) -> Result<()> {
    let network = ctx.network().around().to_string();
    let action = SecurityAction::SignedIn;
    let about = About::session(session);
    let entry = insert(ctx, account, &action, Some(&network), about)?;
    if is_known {
        return Ok(());
    }
    alert(ctx, entry, account, &action, is_mailed(&action));
    if let Some((entry, owner)) = copy_to_owner(ctx, account, &action, Some(&network), about)? {
        alert(ctx, entry, &owner, &action, is_mailed(&action));
    }
    Ok(())
}

/// Adds the entry of an agent to the log of its owner, if it has one.
fn copy_to_owner(
    ctx: &mut Ctx<'_, '_>,
    agent: &UserId,
    action: &SecurityAction,
    network: Option<&str>,
    about: About<'_>,
) -> Result<Option<(SecurityEntryId, UserId)>> {
    let (id, now): (SecurityEntryId, _) = (ctx.id(), ctx.now());
    let is_by_operator = ctx.is_by_operator();
    let owner: Option<UserId> = ctx.tx.optional(
        sql!(
            "insert into security_entry (id, account, action, at, network, key_id, session, app,
                agent, actor, by_operator)
             select $1, a.owner, $2, cast($3 as bigint), $4, $5, $6, $7, a.id, nullif($8, a.owner),
                cast($9 as boolean)
             from account a where a.id = $10 and a.owner is not null
             returning account"
        ),
        values![
            id,
            action,
            now,
            network,
            about.key_id,
            about.session,
            about.app,
            about.actor,
            is_by_operator,
            agent
        ],
    )?;
    Ok(owner.map(|owner| (id, owner)))
}

/// Adds an entry of a failed sign-in, unless there was one from the network within a day. Failures of an agent of the
/// account do not count, nor do those dated by a clock that was far ahead: no other would be noted until that time.
pub fn note_failure(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    network: Network,
) -> Result<Option<SecurityEntryId>> {
    note_failure_from(ctx, account, &network.around().to_string())
}

/// The same with the name of the network, as entries have it.
pub(super) fn note_failure_from(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    network: &str,
) -> Result<Option<SecurityEntryId>> {
    let (since, far) = (ctx.now().minus(FAILURE_EVERY), ctx.now().plus(FAILURE_EVERY));
    // The index of failures needs the word itself.
    let noted: Option<i64> = ctx.tx.optional(
        sql!(
            "select 1 from security_entry
             where account = $1 and action = 'sign_in_failed' and network = $2
                and at > $3 and at < $4 and agent is null
             limit 1"
        ),
        values![account, network, since, far],
    )?;
    if noted.is_some() {
        return Ok(None);
    }
    let action = SecurityAction::SignInFailed;
    insert(ctx, account, &action, Some(network), About::default()).map(Some)
}

/// Notifies an account, and the owner of an agent, of a sign-in that has failed from this network.
pub fn note_failed(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    entry: &SecurityEntryId,
    network: &str,
) -> Result<()> {
    let action = SecurityAction::SignInFailed;
    alert(ctx, entry.clone(), account, &action, is_mailed(&action));
    let about = About::default();
    if let Some((entry, owner)) = copy_to_owner(ctx, account, &action, Some(network), about)? {
        alert(ctx, entry, &owner, &action, is_mailed(&action));
    }
    Ok(())
}

/// Removes an entry that proved wrong.
pub fn take_back(ctx: &mut Ctx<'_, '_>, entry: &SecurityEntryId) -> Result<()> {
    ctx.tx.execute(sql!("delete from security_entry where id = $1"), values![entry]).map(drop)
}

fn insert(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    action: &SecurityAction,
    network: Option<&str>,
    about: About<'_>,
) -> Result<SecurityEntryId> {
    let (id, now): (SecurityEntryId, _) = (ctx.id(), ctx.now());
    ctx.tx.execute(
        sql!(
            "insert into security_entry (id, account, action, at, network, key_id, session, app,
                agent, actor, by_operator)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
        ),
        values![
            id,
            account,
            action,
            now,
            network,
            about.key_id,
            about.session,
            about.app,
            about.agent,
            about.actor,
            ctx.is_by_operator()
        ],
    )?;
    Ok(id)
}

struct Record {
    id: SecurityEntryId,
    action: SecurityAction,
    at: Timestamp,
    network: Option<String>,
    key_id: Option<String>,
    session: Option<SessionId>,
    app: Option<AppId>,
    agent: Option<String>,
    actor: Option<String>,
}
// Where an owner was is not the business of the agent: a program reads its log. The owner's own entry names it.
row!(Record {
    id: "e.id",
    action: "e.action",
    at: "e.at",
    network: "case when e.actor is null or e.agent is not null then e.network end",
    key_id: "e.key_id",
    session: "e.session",
    app: "e.app",
    agent: "(select a.username from account a where a.id = e.agent)",
    actor: "case when e.by_operator = true then 'operator'
        else (select a.username from account a where a.id = e.actor) end",
});

impl Record {
    fn into_api(self) -> SecurityEntry {
        SecurityEntry {
            entry_id: self.id,
            action: self.action,
            at: self.at,
            network: self.network,
            key_id: self.key_id,
            session_id: self.session,
            app_id: self.app,
            agent: self.agent,
            actor: self.actor,
        }
    }
}

fn one(ctx: &mut Ctx<'_, '_>, id: &SecurityEntryId) -> Result<Option<SecurityEntry>> {
    let sql = sql!("select ", Record::COLUMNS, " from security_entry e where e.id = $1");
    Ok(ctx.tx.optional::<Record>(sql, values![id])?.map(Record::into_api))
}

/// The entries of an account from this one on, oldest first.
pub(super) fn since(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    first: &SecurityEntryId,
    most: i64,
) -> Result<Vec<SecurityEntry>> {
    let records: Vec<Record> = ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from security_entry e where e.account = $1 and e.id >= $2 order by e.id limit $3"
        ),
        values![account, first, most],
    )?;
    Ok(records.into_iter().map(Record::into_api).collect())
}

/// A page of an account's entries, newest first.
pub fn page(ctx: &mut Ctx<'_, '_>, account: &UserId, page: &Page) -> Result<SecurityLogPage> {
    let mut records: Vec<Record> = ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from security_entry e where e.account = $1 and e.id < $2
             order by e.id desc limit $3"
        ),
        values![account, page.before(), page.rows()],
    )?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    Ok(SecurityLogPage {
        entries: records.into_iter().map(Record::into_api).collect(),
        next_cursor,
    })
}

/// Deletes entries that are kept no longer.
pub fn forget(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<u64> {
    let before: SecurityEntryId = crate::ids::first_of(ctx.now().minus(RETENTION));
    ctx.tx.execute(
        sql!(
            "delete from security_entry where id in
             (select id from security_entry where id < $1 order by id limit $2)"
        ),
        values![before, most],
    )
}
