//! Security: API keys, sessions, and what happened to them.

use askama::Template;
use svc_core::services::passkey;
use svc_store::error::Result;
use svc_types::Scope;
use svc_types::api::Deleted;
use svc_types::api::factors::{Factors, GetFactors};
use svc_types::api::grants::{DeleteGrant, Grant, ListGrants};
use svc_types::api::keys::{ApiKeyInfo, CreateApiKey, CreatedApiKey, DeleteApiKey, ListApiKeys};
use svc_types::api::links::{BeginLink, DeleteLink, LinkProvider, ListLinks};
use svc_types::api::passkeys::{DeletePasskey, PasskeyEnvelope, UpdatePasskey};
use svc_types::api::security::{ListSecurityLog, SecurityEntry};
use svc_types::api::sessions::{DeleteOtherSessions, DeleteSession, ListSessions, SessionInfo};

use super::key::Secret;
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};
use crate::pages::links::{self, Row};
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
        .form::<UpdatePasskey>(
            "/settings/security/passkeys/{passkeyId}",
            show,
            |_, _: &PasskeyEnvelope| Done::to(PATH).say(Flash::Saved),
        )
        .button::<DeletePasskey>("/settings/security/passkeys/{passkeyId}/delete", ended)
        .button::<DeleteGrant>("/settings/security/grants/{grantId}/delete", ended)
        .form_once::<BeginLink>("/settings/security/links/{provider}/begin", show, links::leave)
        .button::<DeleteLink>("/settings/security/links/{provider}/delete", ended)
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
