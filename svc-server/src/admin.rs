//! Operator commands, which work on the server's database while it runs.

mod access;
mod billing;
mod ending;
mod line;
mod log;

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use clap::Subcommand;
use svc_core::app::{App, Ctx};
use svc_core::services::account::{self, Record, select_accounts};
use svc_core::services::audit::{self, By, On};
use svc_core::services::security::{self, About};
use svc_core::services::trust::{self, Trust};
use svc_core::services::{api_key, credits, factor, invite, moderation, passkey, session, tier};
use svc_core::{due, ids};
use svc_store::error::{Error, Refusal, Result};
use svc_store::values;
use svc_types::api::invites::{INVITE_LIFE, INVITE_LIFE_DEFAULT};
use svc_types::api::security::SecurityAction;
use svc_types::api::users::{Role, TierSetting};
use svc_types::{Code, PositiveCredits, Span};

pub use self::billing::BillingCommand;
pub use self::line::{AccountLine, AppLine, InviteLine, Line, Secret};
pub use self::log::LogCommand;

/// The actor of these commands in the audit log.
const OPERATOR: &str = "operator";

/// Maximum number of accounts or payouts in a list. [`run`] returns one more if there are more.
pub const LIST_MAX: usize = 1_000;

/// An operator command on accounts.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Give an account a role; the first admin is made this way.
    GrantRole {
        /// Username or user id.
        username: String,
        /// What the account may do from now on.
        #[arg(value_parser = ["user", "moderator", "admin"])]
        role: String,
    },
    /// Set the tier of an account, whatever it pays for.
    SetTier {
        /// Username or user id.
        username: String,
        /// The tier from now on; `auto` leaves it to what is paid.
        #[arg(value_parser = ["free", "boost", "pro", "auto"])]
        tier: String,
    },
    /// Decide how far an account is trusted, and so how much it may do (limits.new and so on).
    SetTrust {
        /// Username or user id.
        username: String,
        /// `earned` leaves it to the account's age and deals again.
        #[arg(value_parser = ["new", "established", "trusted", "earned"])]
        trust: String,
    },
    /// Issue credits to an account.
    GrantCredits {
        /// Username or user id.
        username: String,
        /// How many credits, at most 1,000,000,000 with at most 6 decimals.
        #[arg(value_parser = read_amount)]
        amount: PositiveCredits,
        /// What for.
        #[arg(long, value_parser = read_reason)]
        reason: String,
    },
    /// List accounts, newest first.
    ListUsers {
        /// Only those with this role.
        #[arg(long, value_parser = ["user", "moderator", "admin"])]
        role: Option<String>,
    },
    /// Suspend an account: it may only read and finish open orders, and others do not see it.
    Suspend {
        /// Username or user id.
        username: String,
        /// Why, for the audit log.
        #[arg(long, value_parser = read_reason)]
        reason: String,
    },
    /// Delete an account, suspended or not; unless it is suspended, it can be restored until it is erased.
    Delete {
        /// Username or user id.
        username: String,
    },
    /// Take the deletion of an account back, as its owner could do until it is erased.
    Restore {
        /// Username or user id.
        username: String,
    },
    /// Erase the texts of a deleted account now, without waiting for `accounts.erase_after`.
    Erase {
        /// Username or user id.
        username: String,
    },
    /// Delete an app of a developer or a program that registered itself, with the access that accounts gave it.
    /// This can't be undone.
    DeleteApp {
        /// Client id of the app or program: `app_…` or `cli_…`. A program whose id is a URL may ask again.
        app_id: String,
        /// Why, for the audit log.
        #[arg(long, value_parser = read_reason)]
        reason: String,
    },
    /// Print a link that leads back into an account: to a new password, or for an agent without one to a
    /// new API key, which ends the others. It works once, within 24 hours, and needs no mail.
    Recover {
        /// Username or user id.
        username: String,
    },
    /// Set a new random password and print it. All sessions end, and passkeys added in the last 72 hours
    /// are removed.
    ResetPassword {
        /// Username or user id.
        username: String,
    },
    /// End every API key of an account, the default one too, with its connections.
    RevokeKeys {
        /// Username or user id.
        username: String,
    },
    /// End every session of an account.
    RevokeSessions {
        /// Username or user id.
        username: String,
    },
    /// Remove the second factor and the passkeys of an account whose owner lost them.
    RemoveFactors {
        /// Username or user id.
        username: String,
    },
    /// Approve an account that waits for approval (signup.mode = "approval").
    Approve {
        /// Username or user id.
        username: String,
    },
    /// Make an invite, with which one account may sign up, and print its code and link.
    Invite {
        /// How long it works: 1h to 90d.
        #[arg(long, value_name = "DURATION", default_value_t = INVITE_LIFE_DEFAULT)]
        expires_in: Span,
    },
    /// Lift a suspension.
    Unsuspend {
        /// Username or user id.
        username: String,
        /// Why, for the audit log.
        #[arg(long, value_parser = read_reason)]
        reason: String,
    },
    /// List what the operator, admins, moderators and the server did, newest first, with the reasons.
    Log(LogCommand),
    /// Show the books of billing and payouts that wait, and forgive debts.
    Billing {
        /// What to do.
        #[command(subcommand)]
        command: BillingCommand,
    },
}

fn read_amount(text: &str) -> Result<PositiveCredits, String> {
    let wrong = "must be from 0.000001 to 1000000000 credits, with at most 6 decimals";
    text.parse().map_err(|_| wrong.to_owned())
}

/// Maximum length of a reason, in characters, as in the API.
const REASON_MAX: usize = 2_000;

fn read_reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > REASON_MAX {
        return Err(format!("must be a text of 1 to {REASON_MAX} characters"));
    }
    Ok(text.to_owned())
}

/// What is made before the transaction of a command, because it takes its time.
#[derive(Clone, Default)]
struct Prepared {
    password: String,
    hash: String,
}

/// Bytes of randomness in a new password.
const PASSWORD_BYTES: usize = 15;

impl Prepared {
    async fn of(app: &App, command: &Command) -> Result<Self> {
        if !matches!(command, Command::ResetPassword { .. }) {
            return Ok(Self::default());
        }
        let password = URL_SAFE_NO_PAD.encode(ids::random::<PASSWORD_BYTES>());
        let hash = app.passwords.hash(password.clone()).await?;
        Ok(Self { password, hash })
    }
}

/// Runs a command to its end and returns the affected accounts.
pub async fn run(app: &Arc<App>, command: &Command) -> Result<Vec<Line>> {
    // It changes nothing, and may read much.
    if let Command::Log(asked) = command {
        let asked = asked.clone();
        return due::read(app, move |ctx| asked.lines(ctx)).await;
    }
    let (asked, prepared) = (command.clone(), Prepared::of(app, command).await?);
    let lines = due::write(app, move |ctx| {
        ctx.act_as_operator();
        transact(ctx, &asked, &prepared)
    })
    .await?;
    if let Command::DeleteApp { app_id, .. } = command {
        ending::end_grants(app, app_id).await?;
    }
    Ok(lines)
}

fn transact(ctx: &mut Ctx<'_, '_>, command: &Command, prepared: &Prepared) -> Result<Vec<Line>> {
    match command {
        Command::GrantRole { username, role } => {
            grant_role(ctx, username, &Role::from(role.as_str()))
        }
        Command::SetTier { username, tier } => set_tier(ctx, username, tier),
        Command::SetTrust { username, trust } => set_trust(ctx, username, trust),
        Command::GrantCredits { username, amount, reason } => {
            grant_credits(ctx, username, *amount, reason)
        }
        Command::ListUsers { role } => list(ctx, role.as_deref()),
        Command::Suspend { username, reason } => {
            let record = find(ctx, username)?;
            moderation::suspend(ctx, OPERATOR, &record, reason)?;
            reload(ctx, username)
        }
        Command::Delete { username } => ending::delete(ctx, username),
        Command::Restore { username } => ending::restore(ctx, username),
        Command::Erase { username } => ending::erase(ctx, username),
        Command::DeleteApp { app_id, reason } => ending::delete_app(ctx, app_id, reason),
        Command::Recover { username } => {
            let record = find(ctx, username)?;
            access::recover(ctx, record)
        }
        Command::ResetPassword { username } => {
            let record = find(ctx, username)?;
            access::reset_password(ctx, record, prepared)
        }
        Command::RevokeKeys { username } => revoke_keys(ctx, username),
        Command::RevokeSessions { username } => revoke_sessions(ctx, username),
        Command::RemoveFactors { username } => remove_factors(ctx, username),
        Command::Approve { username } => {
            let record = find(ctx, username)?;
            access::approve(ctx, &record)?;
            reload(ctx, username)
        }
        Command::Log(asked) => asked.lines(ctx),
        Command::Invite { expires_in } => invite(ctx, *expires_in),
        Command::Billing { command } => billing::run(ctx, command),
        Command::Unsuspend { username, reason } => ending::unsuspend(ctx, username, reason),
    }
}

/// The account with this username, with or without `@`, or this id.
fn find(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Record> {
    let handle = bare(username);
    if let Some(record) = account::find(ctx, handle)? {
        return Ok(record);
    }
    if account::find_deleted(ctx, handle)?.is_none() {
        return Err(Error::not_found(&format!("account: {username}")));
    }
    let refusal = Refusal::new(Code::WrongState, format!("{username} is deleted"));
    let hint = "until it is erased, its owner can sign in and restore it, and `svc-server admin \
        restore` restores it; `svc-server admin erase` erases it now";
    Err(refusal.hint(hint).into())
}

/// A username as accounts have it: lists and pages write it with `@`.
fn bare(username: &str) -> &str {
    username.strip_prefix('@').unwrap_or(username)
}

fn grant_role(ctx: &mut Ctx<'_, '_>, username: &str, role: &Role) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    account::set_role(ctx, OPERATOR, &record.id, role)?;
    reload(ctx, username)
}

fn set_tier(ctx: &mut Ctx<'_, '_>, username: &str, tier: &str) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    let word = TierSetting::from(tier).word();
    tier::set_word(ctx, OPERATOR, &record.id, word.as_ref())?;
    reload(ctx, username)
}

fn set_trust(ctx: &mut Ctx<'_, '_>, username: &str, name: &str) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    let trust = (name != "earned").then(|| Trust::from(name));
    trust::set(ctx, &record.id, trust)?;
    audit::write(ctx, By(OPERATOR), "trust_set", On(record.id.as_str()), Some(name))?;
    Ok(vec![record.into()])
}

fn grant_credits(
    ctx: &mut Ctx<'_, '_>,
    username: &str,
    amount: PositiveCredits,
    reason: &str,
) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    credits::issue(ctx, OPERATOR, &record, amount.bounded(), reason)?;
    reload(ctx, username)
}

fn invite(ctx: &mut Ctx<'_, '_>, life: Span) -> Result<Vec<Line>> {
    if !INVITE_LIFE.contains(&life) {
        return Err(Error::invalid("expires-in", "--expires-in must be from 1h to 90d"));
    }
    let made = invite::create_for_operator(ctx, Some(life))?;
    audit::write(ctx, By(OPERATOR), "invite_created", On(made.invite.invite_id.as_str()), None)?;
    let [code, url] = [made.code, made.url].map(|secret| Secret(secret.expose().to_owned()));
    Ok(vec![Line::Invite(InviteLine { code, url })])
}

fn revoke_keys(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    api_key::revoke_all(ctx, &record.id)?;
    audit::write(ctx, By(OPERATOR), "keys_revoked", On(record.id.as_str()), None)?;
    Ok(vec![record.into()])
}

fn revoke_sessions(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    if session::end_all(ctx, &record.id)? {
        let action = SecurityAction::SessionEnded;
        security::note(ctx, &record.id, &action, About::default())?;
    }
    audit::write(ctx, By(OPERATOR), "sessions_revoked", On(record.id.as_str()), None)?;
    Ok(vec![record.into()])
}

fn remove_factors(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    let had_passkey = passkey::remove_all(ctx, &record.id)?;
    if !factor::remove(ctx, &record.id)? && !had_passkey {
        let message = format!("{username} has no second factor and no passkey");
        return Err(Error::refused(Code::WrongState, message));
    }
    audit::write(ctx, By(OPERATOR), "factors_removed", On(record.id.as_str()), None)?;
    Ok(vec![record.into()])
}

fn reload(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    Ok(vec![find(ctx, username)?.into()])
}

/// Rows to read for a list.
fn limit() -> i64 {
    i64::try_from(LIST_MAX + 1).unwrap_or(i64::MAX)
}

fn list(ctx: &mut Ctx<'_, '_>, role: Option<&str>) -> Result<Vec<Line>> {
    let records: Vec<Record> = ctx.tx.all(
        select_accounts!(
            "where a.deleted_at is null and (cast($1 as text) is null or a.role = $1)
             order by a.id desc limit $2"
        ),
        values![role, limit()],
    )?;
    Ok(records.into_iter().map(Line::from).collect())
}
