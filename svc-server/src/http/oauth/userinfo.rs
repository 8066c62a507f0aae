//! Who an access token acts for (OpenID Connect Core, 5.3).

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use serde_json::Value;
use svc_core::app::Ctx;
use svc_core::identity::credentials::{token_of, wrong_token};
use svc_core::identity::{Account, Bearer};
use svc_core::services::oauth::id_token;
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;

use super::answer;
use crate::app::ServerApp;
use crate::http::credentials;
use crate::http::refuse::carry;

/// Answers with what the token's scopes tell of its account.
pub(super) async fn read(State(app): State<Arc<ServerApp>>, request: Request) -> Response {
    let bearer = credentials::read(&app.config, request.method(), request.headers()).bearer;
    let read = app.read(move |ctx| claims(ctx, &bearer));
    match read.await {
        Ok(claims) => answer::object(StatusCode::OK, &claims),
        Err(error) => carry(naming_openid(error)),
    }
}

/// A refusal says which tokens would do.
fn naming_openid(error: Error) -> Error {
    match error {
        Error::Refused(refusal) => refusal.scope("openid").into(),
        other => other,
    }
}

fn claims(ctx: &mut Ctx<'_, '_>, bearer: &Bearer) -> Result<Value> {
    let token = match bearer {
        Bearer::Key(token) => token,
        Bearer::Absent => return Err(missing()),
        Bearer::Malformed => return Err(wrong_token()),
    };
    // A token for either resource will do.
    let (account, scopes, _) = token_of(ctx, token)?;
    if !scopes.openid {
        let message = "the access token lacks the scope openid";
        let refusal = Refusal::new(Code::InsufficientScope, message);
        return Err(refusal.hint("ask the account for this scope").into());
    }
    refuse_barred(&account)?;
    id_token::claims(ctx, &account.id, scopes).map(Value::Object)
}

/// 401 without a token. No API key or session works here.
fn missing() -> Error {
    Refusal::new(Code::Unauthorized, "an access token with the scope openid is needed")
        .hint("send Authorization: Bearer svc_at_…")
        .into()
}

/// 403 for a suspended account or a paused agent, as verify-identity answers: programs that ask here ask
/// whether to let somebody in.
fn refuse_barred(account: &Account) -> Result<()> {
    let Err(error) = account.require_active() else { return Ok(()) };
    let message = "the account is suspended or paused, so nobody can sign in with it";
    Err(Error::refused(error.code(), message))
}
