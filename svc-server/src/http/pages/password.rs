//! Forms that require the password.

use std::sync::Arc;

use http::header::{COOKIE, HeaderValue, SET_COOKIE};
use http::request::Parts;
use svc_store::error::{Error, Refusal, Result};
use svc_types::Code;
use svc_types::api::auth::{Login, Logout};

use super::act::reading;
use super::request::PageRequest;
use super::{PageContext, Site};
use crate::app::ServerApp;
use crate::http::answer::Reply;

/// The field of the password.
const FIELD: &str = "password";

/// Refuses a form with a wrong password. The login endpoint checks it, with its limits, and the
/// session that it opens is closed at once.
pub(super) async fn prove(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: &Parts,
    request: &PageRequest,
) -> Result<()> {
    let name =
        |context: &mut PageContext<'_>| context.signed_in().map(|account| account.username.clone());
    let name = reading(site, app, parts, name).await?;
    let Some(password) = request.field(FIELD) else {
        return Err(Error::invalid(FIELD, "password is required"));
    };
    let login =
        Login { username: Some(name.as_str().into()), email: None, password: password.into() };
    match site.direct.send(app, parts.clone(), &login, None).await {
        Ok(reply) => log_out(site, app, parts, &reply).await,
        Err(error) if error.code() == Code::InvalidCredentials => {
            let refusal = Refusal::new(Code::InvalidCredentials, "the password is wrong");
            Err(refusal.field(FIELD).into())
        }
        Err(error) => Err(error),
    }
}

async fn log_out(
    site: &Arc<Site>,
    app: &Arc<ServerApp>,
    parts: &Parts,
    reply: &Reply,
) -> Result<()> {
    let cookie = reply.headers.iter().find(|(name, _)| *name == SET_COOKIE);
    let pair = cookie.and_then(|(_, value)| value.to_str().ok()?.split(';').next());
    let Some(Ok(pair)) = pair.map(HeaderValue::try_from) else { return Ok(()) };
    let mut parts = parts.clone();
    parts.headers.insert(COOKIE, pair);
    site.direct.send(app, parts, &Logout {}, None).await.map(drop)
}
