//! Security: API keys, sessions, and what happened to them.

use askama::Template;
use svc_store::error::Result;
use svc_types::Scope;
use svc_types::api::Deleted;
use svc_types::api::factors::{Factors, GetFactors};
use svc_types::api::grants::{DeleteGrant, Grant, ListGrants};
use svc_types::api::keys::{ApiKeyInfo, CreateApiKey, CreatedApiKey, DeleteApiKey, ListApiKeys};
use svc_types::api::security::{ListSecurityLog, SecurityAction, SecurityEntry};
use svc_types::api::sessions::{DeleteOtherSessions, DeleteSession, ListSessions, SessionInfo};

use super::key::Secret;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::{Flash, Frame};

const PATH: &str = "/settings/security";

/// Scopes to choose from.
const SCOPES: [(Scope, &str); 7] = [
    (Scope::Read, "Read, and receive events"),
    (Scope::Write, "Post, react, follow, and edit the profile"),
    (Scope::Dm, "Read and send direct messages"),
    (Scope::ExchangeSpend, "Spend credits: order, and pay by escrow"),
    (Scope::ExchangeSell, "Sell: offer services, answer orders, deliver"),
    (Scope::Identity, "Prove its identity to apps"),
    (Scope::Account, "Manage the account: keys, webhooks, apps, password, deletion"),
];

/// Lifetimes to choose from.
const LIVES: [(&str, &str); 4] =
    [("30d", "30 days"), ("90d", "90 days"), ("365d", "A year"), ("", "No end")];

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(PATH, show)
        .form_once::<CreateApiKey>("/settings/security/keys", show, made)
        .button::<DeleteApiKey>("/settings/security/keys/{keyId}/delete", ended)
        .button::<DeleteGrant>("/settings/security/grants/{grantId}/delete", ended)
        .button::<DeleteSession>("/settings/security/sessions/{sessionId}/delete", ended)
        .button::<DeleteOtherSessions>("/settings/security/sessions/delete", ended)
}

fn ended(_: &PageRequest, _: &Deleted) -> Done {
    Done::to(PATH).say(Flash::Done)
}

#[derive(Template)]
#[template(path = "settings/security.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    form: Form<'a>,
    keys: Vec<ApiKeyInfo>,
    sessions: Vec<SessionInfo>,
    grants: Vec<Grant>,
    entries: Vec<SecurityEntry>,
    factors: Factors,
    next: Option<String>,
    scopes: &'static [(Scope, &'static str)],
    lives: &'static [(&'static str, &'static str)],
}

impl Page<'_> {
    /// Whether a scope is checked: as submitted, or by default.
    fn is_ticked(&self, scope: &Scope) -> bool {
        if self.form.is_typed() {
            self.form.chose("scopes", scope.as_str())
        } else {
            *scope == Scope::Read
        }
    }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let cursor = request.field("cursor").map(Into::into);
    let log = context.ask(&ListSecurityLog { limit: None, cursor })?;
    Html::of(&Page {
        frame: Frame::of(context, request, "Security")?,
        tab: PATH,
        form: request.form::<CreateApiKey>(),
        keys: context.ask(&ListApiKeys {})?.keys,
        sessions: context.ask(&ListSessions {})?.sessions,
        grants: context.ask(&ListGrants {})?.grants,
        next: request.next(log.next_cursor.as_ref()),
        entries: log.entries,
        factors: context.ask(&GetFactors {})?,
        scopes: &SCOPES,
        lives: &LIVES,
    })
}

fn made(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    made: &CreatedApiKey,
) -> Result<Html> {
    Html::of(&Secret {
        frame: Frame::of(context, request, "API key")?,
        what: "Your new API key",
        value: made.api_key.expose(),
        meaning: "Programs act as you with it, within its scopes. Your other keys stay valid.",
        command: String::new(),
        back: PATH.to_owned(),
    })
}

/// What a key may do, in a few words.
fn rights(key: &ApiKeyInfo) -> String {
    if key.is_default {
        return "everything".to_owned();
    }
    key.scopes.iter().map(Scope::as_str).collect::<Vec<_>>().join(", ")
}

/// What happened, in words.
fn happened(action: &SecurityAction) -> &str {
    match action {
        SecurityAction::SignedUp => "Account registered",
        SecurityAction::SignedIn => "Signed in",
        SecurityAction::SignInFailed => "Failed sign-in from a new network",
        SecurityAction::SessionEnded => "Session ended",
        SecurityAction::PasswordChanged => "Password changed",
        SecurityAction::EmailChanged => "E-mail address changed",
        SecurityAction::ChangePending => "Change requested, which waits for 72 hours",
        SecurityAction::ChangeCancelled => "Pending change taken back",
        SecurityAction::ChangeFailed => "Pending change refused when its time came",
        SecurityAction::AccountDeleted => "Account deleted",
        SecurityAction::AccountRestored => "Account restored",
        SecurityAction::FactorAdded => "Authenticator app added",
        SecurityAction::FactorRemoved => "Authenticator app removed",
        SecurityAction::RecoveryCodesCreated => "Recovery codes replaced",
        SecurityAction::RecoveryCodeUsed => "Recovery code used",
        SecurityAction::EmailPending => "New e-mail address entered, not verified yet",
        SecurityAction::EmailVerified => "E-mail address verified",
        SecurityAction::EmailLost => "E-mail address verified by another account",
        SecurityAction::Recovered => "Recovered by a link in a mail",
        SecurityAction::KeyCreated => "API key created",
        SecurityAction::KeyChanged => "API key changed",
        SecurityAction::KeyEnded => "API key ended",
        SecurityAction::GrantGiven => "A program was allowed to act for you",
        SecurityAction::GrantEnded => "Access of a program ended",
        SecurityAction::KeyReported => "API key ended, because it was found in public",
        SecurityAction::KeysRotated => "All API keys replaced by the owner",
        SecurityAction::ClaimLinkCreated => "Claim link made",
        SecurityAction::AgentClaimed => "Agent claimed by its owner",
        SecurityAction::AgentReleased => "Ownership of the agent ended",
        SecurityAction::AgentPaused => "Agent paused",
        SecurityAction::AgentResumed => "Agent resumed",
        SecurityAction::OwnerShown => "Owner shown on the profile",
        SecurityAction::OwnerHidden => "Owner hidden from the profile",
        SecurityAction::CapsChanged => "Caps on spending changed",
        other => other.as_str(),
    }
}
