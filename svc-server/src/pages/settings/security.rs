//! Security: password, API keys, sessions, and what happened to them.

use askama::Template;
use svc_core::services::passkey;
use svc_store::error::Result;
use svc_types::Scope;
use svc_types::api::Deleted;
use svc_types::api::auth::{ChangePassword, PasswordChanged};
use svc_types::api::factors::{Factors, GetFactors};
use svc_types::api::grants::{DeleteGrant, Grant, ListGrants};
use svc_types::api::keys::{
    ApiKeyEnvelope, ApiKeyInfo, CreateApiKey, CreatedApiKey, DeleteApiKey, ListApiKeys,
    UpdateApiKey,
};
use svc_types::api::links::{BeginLink, DeleteLink, LinkProvider, ListLinks};
use svc_types::api::passkeys::{DeletePasskey, PasskeyEnvelope, UpdatePasskey};
use svc_types::api::pending::PendingChange;
use svc_types::api::security::{ListSecurityLog, SecurityAction, SecurityEntry};
use svc_types::api::sessions::{DeleteOtherSessions, DeleteSession, ListSessions, SessionInfo};

use super::key::Secret;
use super::pending;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::language::Language;
use crate::pages::links::{self, Row};
use crate::pages::{Flash, Frame};

pub(super) const PATH: &str = "/settings/security";

/// Scopes to choose from, with the ids of their labels.
const SCOPES: [(Scope, &str); 7] = [
    (Scope::Read, "settings-scope-read"),
    (Scope::Write, "settings-scope-write"),
    (Scope::Dm, "settings-scope-dm"),
    (Scope::ExchangeSpend, "settings-scope-spend"),
    (Scope::ExchangeSell, "settings-scope-sell"),
    (Scope::Identity, "settings-scope-identity"),
    (Scope::Account, "settings-scope-account"),
];

/// Lifetimes to choose from, with the ids of their labels.
const LIVES: [(&str, &str); 4] = [
    ("30d", "settings-security-life-month"),
    ("90d", "settings-security-life-quarter"),
    ("365d", "settings-security-life-year"),
    ("", "settings-security-life-endless"),
];

/// The pages of this module.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(PATH, show)
        .form::<ChangePassword>("/settings/password", show, |_, _: &PasswordChanged| {
            Done::to(PATH).say(Flash::PasswordChanged)
        })
        .form_once::<CreateApiKey>("/settings/security/keys", show, made)
        .form::<UpdateApiKey>("/settings/security/keys/{keyId}", show, |_, _: &ApiKeyEnvelope| {
            Done::to(PATH).say(Flash::Saved)
        })
        .button::<DeleteApiKey>("/settings/security/keys/{keyId}/delete", |_, _: &Deleted| {
            done(Flash::KeyEnded)
        })
        .when_gone(|_| Done::to(PATH))
        .form::<UpdatePasskey>(
            "/settings/security/passkeys/{passkeyId}",
            show,
            |_, _: &PasskeyEnvelope| Done::to(PATH).say(Flash::Saved),
        )
        .button::<DeletePasskey>(
            "/settings/security/passkeys/{passkeyId}/delete",
            |_, _: &Deleted| done(Flash::PasskeyRemoved),
        )
        .when_gone(|_| Done::to(PATH))
        .and(access())
}

/// The forms of sessions, programs and accounts elsewhere.
fn access() -> Pages {
    Pages::new()
        .button::<DeleteGrant>("/settings/security/grants/{grantId}/delete", |_, _: &Deleted| {
            done(Flash::GrantEnded)
        })
        .when_gone(|_| Done::to(PATH))
        .form_once::<BeginLink>("/settings/security/links/{provider}/begin", show, links::leave)
        .button::<DeleteLink>("/settings/security/links/{provider}/delete", |_, _: &Deleted| {
            done(Flash::Unlinked)
        })
        .when_gone(|_| Done::to(PATH))
        .button::<DeleteSession>(
            "/settings/security/sessions/{sessionId}/delete",
            |_, _: &Deleted| done(Flash::SessionEnded),
        )
        .when_gone(|_| Done::to(PATH))
        .button::<DeleteOtherSessions>("/settings/security/sessions/delete", |_, _: &Deleted| {
            done(Flash::SessionsEnded)
        })
}

/// Back to the page, with what was done.
fn done(flash: Flash) -> Done {
    Done::to(PATH).say(flash)
}

#[derive(Template)]
#[template(path = "settings/security.html")]
struct Page<'a> {
    frame: Frame,
    tab: &'static str,
    username: String,
    /// Changes of the account and of its agents that wait.
    pending: Vec<PendingChange>,
    password: Form<'a>,
    form: Form<'a>,
    rename_key: Form<'a>,
    keys: Vec<ApiKeyInfo>,
    sessions: Vec<SessionInfo>,
    grants: Vec<Grant>,
    links: Vec<Row>,
    refused_link: Form<'a>,
    entries: Vec<SecurityEntry>,
    factors: Factors,
    rename: Form<'a>,
    /// Whether passkeys can be added here.
    offers_passkeys: bool,
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

    /// What a key may do.
    fn rights(&self, key: &ApiKeyInfo) -> String {
        let language = self.frame.language;
        if key.is_default {
            return language.text("settings-security-may-all");
        }
        may(language, key.scopes.iter().map(Scope::as_str))
    }

    /// What a program may do.
    fn rights_of(&self, grant: &Grant) -> String {
        may(self.frame.language, grant.scopes.iter().map(String::as_str))
    }

    /// What happened.
    fn happened(&self, action: &SecurityAction) -> String {
        happened(self.frame.language, action)
    }
}

/// What these scopes allow; one that only a newer server knows is named.
fn may<'a>(language: Language, scopes: impl Iterator<Item = &'a str>) -> String {
    let rights: Vec<String> = scopes.map(|scope| right(language, scope)).collect();
    language.message("settings-security-may").with("scopes", rights.join("; ")).to_string()
}

fn right(language: Language, scope: &str) -> String {
    let id = format!("settings-may-{}", scope.replace(':', "-"));
    if language.has(&id) { language.text(&id) } else { scope.to_owned() }
}

/// What happened; for what a newer server has noted, the word for it.
pub(in crate::pages) fn happened(language: Language, action: &SecurityAction) -> String {
    let word = action.as_str().replace('_', "-");
    let id = format!("settings-log-{word}");
    if language.has(&id) { language.text(&id) } else { action.meaning().to_owned() }
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let cursor = request.field("cursor").map(Into::into);
    let log = context.ask(&ListSecurityLog { limit: None, cursor })?;
    let username = context.signed_in()?.username.clone();
    Html::of(&Page {
        frame: Frame::of(context, request, request.t("settings-tab-security"))?,
        tab: PATH,
        username,
        pending: pending::all(context)?,
        password: request.form::<ChangePassword>(),
        form: request.form::<CreateApiKey>(),
        rename_key: request.form::<UpdateApiKey>(),
        keys: context.ask(&ListApiKeys {})?.keys,
        sessions: context.ask(&ListSessions {})?.sessions,
        grants: context.ask(&ListGrants {})?.grants,
        links: links(context)?,
        refused_link: request.form::<BeginLink>(),
        next: request.next(log.next_cursor.as_ref()),
        entries: log.entries,
        factors: context.ask(&GetFactors {})?,
        rename: request.form::<UpdatePasskey>(),
        offers_passkeys: passkey::is_on(context.app()),
        scopes: &SCOPES,
        lives: &LIVES,
    })
}

/// The providers that can be linked, and those that are.
fn links(context: &mut PageContext<'_>) -> Result<Vec<Row>> {
    let linked = context.ask(&ListLinks {})?.links;
    let settings = &context.app().config.links;
    let rows = [LinkProvider::Google, LinkProvider::X].into_iter().map(|provider| {
        let link = linked.iter().find(|link| link.provider == provider);
        let can_begin = settings.client(&provider).is_some();
        Row { linked_at: link.map(|link| link.linked_at), provider, can_begin }
    });
    Ok(rows.filter(|row| row.can_begin || row.linked_at.is_some()).collect())
}

fn made(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    made: &CreatedApiKey,
) -> Result<Html> {
    Html::of(&Secret {
        frame: Frame::of(context, request, request.t("settings-key-title"))?,
        what: "settings-key-new",
        value: made.api_key.expose(),
        meaning: "settings-security-key-about",
        command: String::new(),
        back: PATH.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_security_log_has_a_text_for_each_action() {
        for word in SecurityAction::WORDS {
            let id = format!("settings-log-{}", word.replace('_', "-"));
            assert!(Language::ALL.iter().all(|language| language.has(&id)), "{word}");
        }
    }
}
