//! Operator commands, which work on the server's database while it runs.

mod access;
mod ending;

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use clap::Subcommand;
use serde::Serialize;
use svc_core::app::{App, Ctx};
use svc_core::services::account::{self, Record, select_accounts};
use svc_core::services::security::{self, About};
use svc_core::services::trust::{self, Trust};
use svc_core::services::{api_key, audit, credits, factor, moderation, passkey, session};
use svc_core::{due, ids};
use svc_store::error::{Error, Refusal, Result};
use svc_store::values;
use svc_types::api::security::SecurityAction;
use svc_types::api::users::{Role, Tier};
use svc_types::{Code, PositiveCredits};

/// The actor of these commands in the audit log.
const OPERATOR: &str = "operator";

/// Most accounts in a list.
const LIST_MAX: i64 = 1_000;

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
    /// Give an account a subscription.
    SetTier {
        /// Username or user id.
        username: String,
        /// The subscription from now on.
        #[arg(value_parser = ["free", "boost", "pro"])]
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
        amount: PositiveCredits,
        /// What for.
        #[arg(long)]
        reason: String,
    },
    /// List accounts, newest first.
    ListUsers {
        /// Only those with this role.
        #[arg(long, value_parser = ["user", "moderator", "admin"])]
        role: Option<String>,
    },
    /// Suspend an account: it may only read, and others do not see it.
    Suspend {
        /// Username or user id.
        username: String,
        /// Why, for the audit log.
        #[arg(long)]
        reason: String,
    },
    /// Delete an account, as it could do itself; it can be restored until it is erased.
    Delete {
        /// Username or user id.
        username: String,
    },
    /// Erase the texts of a deleted account now, without waiting for `accounts.erase_after`.
    Erase {
        /// Username or user id.
        username: String,
    },
    /// Print a link that leads back into an account: to a new password, or to a new API key for an
    /// agent without one. It works once, within 24 hours, and needs no mail.
    Recover {
        /// Username or user id.
        username: String,
    },
    /// Set a new random password and print it; all sessions end.
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
    /// Lift a suspension.
    Unsuspend {
        /// Username or user id.
        username: String,
        /// Why, for the audit log.
        #[arg(long)]
        reason: String,
    },
}

/// A secret that a command prints once.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Secret(String);

impl Secret {
    /// The secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[redacted]")
    }
}

/// An account in the output of these commands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    id: String,
    username: String,
    role: String,
    tier: String,
    status: String,
    /// A link that leads back into the account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<Secret>,
    /// Its new password.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<Secret>,
}

impl From<Record> for Line {
    fn from(record: Record) -> Self {
        Self {
            id: record.id.to_string(),
            role: record.role().to_string(),
            tier: record.tier.to_string(),
            status: record.status.to_string(),
            username: record.username,
            link: None,
            password: None,
        }
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { id, username, role, tier, status, link, password } = self;
        write!(f, "{username}  {role}  {tier}  {status}  {id}")?;
        let secrets = [link, password].into_iter().flatten();
        secrets.map(|secret| write!(f, "\n{}", secret.expose())).collect()
    }
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
    let (asked, prepared) = (command.clone(), Prepared::of(app, command).await?);
    due::write(app, move |ctx| {
        ctx.act_as_operator();
        transact(ctx, &asked, &prepared)
    })
    .await
}

fn transact(ctx: &mut Ctx<'_, '_>, command: &Command, prepared: &Prepared) -> Result<Vec<Line>> {
    match command {
        Command::GrantRole { username, role } => {
            grant_role(ctx, username, &Role::from(role.as_str()))
        }
        Command::SetTier { username, tier } => set_tier(ctx, username, &Tier::from(tier.as_str())),
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
        Command::Erase { username } => ending::erase(ctx, username),
        Command::Recover { username } => {
            let record = find(ctx, username)?;
            access::recover(ctx, record)
        }
        Command::ResetPassword { username } => {
            let record = find(ctx, username)?;
            access::reset_password(ctx, record, prepared)
        }
        Command::RevokeKeys { username } => revoke_keys(ctx, username),
        Command::RevokeSessions { username } => {
            let record = find(ctx, username)?;
            if session::end_all(ctx, &record.id)? {
                let action = SecurityAction::SessionEnded;
                security::note(ctx, &record.id, &action, About::default())?;
            }
            audit::write(ctx, OPERATOR, "sessions_revoked", record.id.as_str(), "")?;
            Ok(vec![record.into()])
        }
        Command::RemoveFactors { username } => {
            let record = find(ctx, username)?;
            let had_passkey = passkey::remove_all(ctx, &record.id)?;
            if !factor::remove(ctx, &record.id)? && !had_passkey {
                let message = format!("{username} has no second factor and no passkey");
                return Err(Error::refused(Code::WrongState, message));
            }
            audit::write(ctx, OPERATOR, "factors_removed", record.id.as_str(), "")?;
            Ok(vec![record.into()])
        }
        Command::Unsuspend { username, reason } => {
            let record = find(ctx, username)?;
            moderation::unsuspend(ctx, OPERATOR, &record, reason)?;
            reload(ctx, username)
        }
    }
}

fn find(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Record> {
    account::find(ctx, username)?.ok_or_else(|| Error::not_found(&format!("account: {username}")))
}

fn grant_role(ctx: &mut Ctx<'_, '_>, username: &str, role: &Role) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    account::set_role(ctx, OPERATOR, &record.id, role)?;
    reload(ctx, username)
}

fn set_tier(ctx: &mut Ctx<'_, '_>, username: &str, tier: &Tier) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    account::set_tier(ctx, OPERATOR, &record.id, tier)?;
    reload(ctx, username)
}

fn set_trust(ctx: &mut Ctx<'_, '_>, username: &str, name: &str) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    let trust = (name != "earned").then(|| Trust::from(name));
    trust::set(ctx, &record.id, trust)?;
    audit::write(ctx, OPERATOR, "trust_set", record.id.as_str(), name)?;
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

fn revoke_keys(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    let record = find(ctx, username)?;
    api_key::revoke_all(ctx, &record.id)?;
    audit::write(ctx, OPERATOR, "keys_revoked", record.id.as_str(), "")?;
    Ok(vec![record.into()])
}

fn reload(ctx: &mut Ctx<'_, '_>, username: &str) -> Result<Vec<Line>> {
    Ok(vec![find(ctx, username)?.into()])
}

fn list(ctx: &mut Ctx<'_, '_>, role: Option<&str>) -> Result<Vec<Line>> {
    let records: Vec<Record> = ctx.tx.all(
        select_accounts!(
            "where a.deleted_at is null and (cast($1 as text) is null or a.role = $1)
             order by a.id desc limit $2"
        ),
        values![role, LIST_MAX],
    )?;
    Ok(records.into_iter().map(Line::from).collect())
}
