//! From credential to caller: one impl per `by` type.

use svc_store::error::{Error, Refusal, Result};
use svc_types::api::auth::AuthMethod;
use svc_types::api::users::{AccountStatus, Role, Tier};
use svc_types::{AppId, By, Code, GrantId, Scope, Scopes, UserId, by};

use super::credentials::{Bearer, Credentials, account as by_credential, developer, unauthorized};
use crate::app::Ctx;
use crate::keys::Hash;
use crate::services::spend::Caps;
use crate::services::trust::Basis;

/// The account that calls.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub struct Account {
    /// Its id.
    pub id: UserId,
    /// Its username.
    pub username: String,
    /// The name shown to people.
    pub display_name: String,
    /// Hash of its picture, if it has uploaded one.
    pub avatar: Option<String>,
    /// What it may do.
    pub role: Role,
    /// Whether moderators limited it.
    pub status: AccountStatus,
    /// Its subscription.
    pub tier: Tier,
    /// Whether it is an agent.
    pub is_agent: bool,
    /// Whether it is deleted and not erased yet.
    pub is_deleted: bool,
    /// Who owns it, if it is an agent with an owner.
    pub owner: Option<UserId>,
    /// Whether its owner has paused it.
    pub is_paused: bool,
    /// What the trust in it rests on.
    pub trust: Basis,
    /// Whether a moderator has to approve it first.
    pub awaits_approval: bool,
    /// How it was authenticated.
    pub method: SignedBy,
    /// What its credential may do.
    pub scopes: Scopes,
    /// Whether its credential may read its e-mail address: a session, a key that reads or manages the account, or a
    /// token with the scope `email`.
    pub reads_email: bool,
    /// What its credential may spend.
    pub caps: Caps,
}

/// How an account was authenticated.
#[derive(Clone, Debug)]
pub enum SignedBy {
    /// By the key with this id.
    ApiKey(String),
    /// By the session with this hash; `stale` when it should be marked as seen.
    Session {
        /// Hash of the cookie.
        hash: Hash,
        /// Whether it should be marked as seen.
        stale: bool,
    },
    /// By an access token of this grant.
    Token(GrantId),
    /// Not at all: a timer carries out an earlier request.
    Clock,
}

impl Account {
    /// The person behind it: the owner of an agent that has one, otherwise itself.
    pub fn person(&self) -> &UserId {
        self.owner.as_ref().unwrap_or(&self.id)
    }

    /// How it was authenticated, as the API reports it.
    pub const fn auth_method(&self) -> AuthMethod {
        match self.method {
            SignedBy::ApiKey(_) | SignedBy::Clock => AuthMethod::ApiKey,
            SignedBy::Session { .. } => AuthMethod::Session,
            SignedBy::Token(_) => AuthMethod::Oauth,
        }
    }

    /// 403 unless its credential has one of these scopes. Calls that need no account need none.
    pub fn require(&self, scopes: Scopes) -> Result<()> {
        if scopes.is_empty() || self.scopes.intersects(scopes) {
            return Ok(());
        }
        let names: Vec<String> = scopes.iter().map(|scope| scope.to_string()).collect();
        let is_given = |scope: Scope| !matches!(scope, Scope::Account | Scope::Moderate);
        let (what, hint) = match &self.method {
            SignedBy::Token(_) if !scopes.iter().any(is_given) => {
                ("access token", "programs are not given this scope; use an API key that has it")
            }
            SignedBy::Token(_) => ("access token", "ask the account for this scope"),
            _ => ("API key", "use a key with this scope; create one with POST /auth/keys"),
        };
        let message = format!("the {what} lacks the scope {}", names.join(" or "));
        let refusal = Refusal::new(Code::InsufficientScope, message);
        // One of them is enough, so the first is what a program asks for.
        Err(refusal.scope(names.first().map_or("", String::as_str)).hint(hint).into())
    }

    /// [`Self::require`] of one scope.
    pub fn require_one(&self, scope: &Scope) -> Result<()> {
        self.require(std::iter::once(scope).collect())
    }

    /// 403 while it may only read and finish what is open: suspended, or paused by its owner.
    pub fn require_active(&self) -> Result<()> {
        if self.status == AccountStatus::Suspended {
            let message = "the account is suspended and may only read and finish what is open";
            return Err(Error::refused(Code::AccountSuspended, message));
        }
        self.require_unpaused()
    }

    /// 403 while its owner has paused it.
    pub fn require_unpaused(&self) -> Result<()> {
        if self.is_paused { Err(Self::paused()) } else { Ok(()) }
    }

    /// The 403 of an agent that its owner has paused.
    pub fn paused() -> Error {
        let message = "the agent's owner has paused it; it may only read and finish what is open";
        Refusal::new(Code::AccountPaused, message).hint("its owner can resume it").into()
    }

    /// Whether it handles reports and disputes with this credential, which needs the scope `moderate` besides
    /// the role. A program that a moderator lets read sees what others see.
    pub fn is_moderator(&self) -> bool {
        self.scopes.contains(&Scope::Moderate) && is_moderator(&self.role, &self.status)
    }
}

/// Whether an account handles reports and disputes and may see their subjects: by its role, and
/// never while it is suspended.
pub fn is_moderator(role: &Role, status: &AccountStatus) -> bool {
    moderates(role) && *status != AccountStatus::Suspended
}

const fn moderates(role: &Role) -> bool {
    matches!(role, Role::Moderator | Role::Admin)
}

/// The developer's app that calls.
#[derive(Clone, Debug)]
pub struct DeveloperApp {
    /// Its id.
    pub id: AppId,
    /// The public part of the key that it called with.
    pub key_id: String,
    /// Whether its account is suspended or deleted.
    pub is_barred: bool,
}

/// A reader: an account, or anonymous.
#[derive(Clone, Debug)]
pub struct Viewer(Option<Account>);

impl Viewer {
    /// The account that reads, if it is one. A credential that may not read needs no scope here, and sees what
    /// everybody sees: a program that only signs people in would otherwise read their private channels.
    pub fn account(&self) -> Option<&Account> {
        self.0.as_ref().filter(|account| account.scopes.contains(&Scope::Read))
    }

    /// The account, for a request that asks for what is its own: 401 with this message without one, 403 if its
    /// credential may not read.
    pub fn reader(&self, message: &str) -> Result<&Account> {
        let account = self.0.as_ref();
        let account = account.ok_or_else(|| Error::refused(Code::Unauthorized, message))?;
        account.require_one(&Scope::Read)?;
        Ok(account)
    }
}

/// An unauthenticated caller.
#[derive(Clone, Debug)]
pub struct Anybody;

/// An authenticated caller, or an anonymous one.
pub trait Caller: Clone + Send + Sync + 'static {
    /// The owner of Idempotency-Keys; `None` for anonymous callers.
    fn principal(&self) -> Option<&str>;

    /// The account behind it, if there is one.
    fn account(&self) -> Option<&Account>;
}

/// Identifies the caller from credentials.
pub trait Credential: By {
    /// The type a handler receives.
    type Caller: Caller;

    /// The caller if no credential is needed, which saves a query.
    fn unasked() -> Option<Self::Caller> {
        None
    }

    /// The caller, or the 401 or 403 that follows from the credential alone.
    fn identify(ctx: &mut Ctx<'_, '_>, credentials: &Credentials) -> Result<Self::Caller>;

    /// The caller if the account is already known, or there is none.
    fn of(account: Option<&Account>) -> Result<Self::Caller>;
}

impl Caller for Anybody {
    fn principal(&self) -> Option<&str> {
        None
    }

    fn account(&self) -> Option<&Account> {
        None
    }
}

impl Caller for Account {
    fn principal(&self) -> Option<&str> {
        Some(self.id.as_str())
    }

    fn account(&self) -> Option<&Account> {
        Some(self)
    }
}

impl Caller for Viewer {
    fn principal(&self) -> Option<&str> {
        self.0.as_ref().and_then(Account::principal)
    }

    fn account(&self) -> Option<&Account> {
        self.0.as_ref()
    }
}

impl Caller for DeveloperApp {
    fn principal(&self) -> Option<&str> {
        Some(self.id.as_str())
    }

    fn account(&self) -> Option<&Account> {
        None
    }
}

impl Credential for by::Anyone {
    type Caller = Anybody;

    fn unasked() -> Option<Anybody> {
        Some(Anybody)
    }

    fn identify(_: &mut Ctx<'_, '_>, _: &Credentials) -> Result<Anybody> {
        Ok(Anybody)
    }

    fn of(_: Option<&Account>) -> Result<Anybody> {
        Ok(Anybody)
    }
}

impl Credential for by::Optional {
    type Caller = Viewer;

    fn identify(ctx: &mut Ctx<'_, '_>, credentials: &Credentials) -> Result<Viewer> {
        let is_absent = credentials.is_absent();
        let account = if is_absent { None } else { Some(by_credential(ctx, credentials)?) };
        Ok(Viewer(account))
    }

    fn of(account: Option<&Account>) -> Result<Viewer> {
        Ok(Viewer(account.cloned()))
    }
}

impl Credential for by::Account {
    type Caller = Account;

    fn identify(ctx: &mut Ctx<'_, '_>, credentials: &Credentials) -> Result<Account> {
        by_credential(ctx, credentials)
    }

    fn of(account: Option<&Account>) -> Result<Account> {
        account.cloned().ok_or_else(unauthorized)
    }
}

impl Credential for by::Moderator {
    type Caller = Account;

    fn identify(ctx: &mut Ctx<'_, '_>, credentials: &Credentials) -> Result<Account> {
        Self::of(Some(&by_credential(ctx, credentials)?))
    }

    fn of(account: Option<&Account>) -> Result<Account> {
        let account = by::Account::of(account)?;
        if moderates(&account.role) {
            refuse_suspended(account)
        } else {
            Err(wrong_role("a moderator"))
        }
    }
}

impl Credential for by::Admin {
    type Caller = Account;

    fn identify(ctx: &mut Ctx<'_, '_>, credentials: &Credentials) -> Result<Account> {
        Self::of(Some(&by_credential(ctx, credentials)?))
    }

    fn of(account: Option<&Account>) -> Result<Account> {
        let account = by::Account::of(account)?;
        if account.role == Role::Admin {
            refuse_suspended(account)
        } else {
            Err(wrong_role("an admin"))
        }
    }
}

impl Credential for by::Developer {
    type Caller = DeveloperApp;

    fn identify(ctx: &mut Ctx<'_, '_>, credentials: &Credentials) -> Result<DeveloperApp> {
        if let Bearer::Key(key) = &credentials.bearer
            && let Some(app) = developer(ctx, key)?
        {
            if app.is_barred {
                let message = "the account of the app is suspended or deleted";
                return Err(Error::refused(Code::InvalidDeveloperKey, message));
            }
            ctx.app.app_uses.note(&app.id, ctx.now());
            return Ok(app);
        }
        match by_credential(ctx, credentials) {
            Ok(account) => Self::of(Some(&account)),
            Err(Error::Refused(_)) => Self::of(None),
            Err(fault) => Err(fault),
        }
    }

    fn of(account: Option<&Account>) -> Result<DeveloperApp> {
        if account.is_none() {
            let message = "a valid developer key is needed: Authorization: Bearer svc_dk_…";
            return Err(Error::refused(Code::InvalidDeveloperKey, message));
        }
        let message = "this call needs a developer key, not an account's credential";
        let refusal = Refusal::new(Code::DeveloperKeyRequired, message);
        Err(refusal.hint("register an app with POST /v1/developers/register").into())
    }
}

/// Refuses suspended moderators and admins, even for reads.
fn refuse_suspended(account: Account) -> Result<Account> {
    if account.status != AccountStatus::Suspended {
        return Ok(account);
    }
    let message = "the account is suspended and may not use its role";
    Err(Error::refused(Code::AccountSuspended, message))
}

fn wrong_role(who: &str) -> Error {
    Error::refused(Code::Forbidden, format!("only {who} may do this"))
}
