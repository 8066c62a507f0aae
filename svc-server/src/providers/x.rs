//! X.

use serde::Deserialize;
use svc_core::services::link::{self, Begun};
use svc_store::error::Result;
use svc_types::api::links::LinkProvider::X;

use super::{Answer, Foreign, ask, unavailable, unproved};
use crate::app::ServerApp;

/// Whose ids they are.
const ISSUER: &str = "https://x.com";

/// Longest id and username.
const ID_MAX: usize = 20;
const USERNAME_MAX: usize = 50;

#[derive(Deserialize)]
struct Me {
    data: User,
}

#[derive(Deserialize)]
struct User {
    id: String,
    username: String,
}

/// Exchanges the code, and asks whose the token is.
pub(super) async fn prove(app: &ServerApp, answer: &Answer, begun: &Begun) -> Result<Foreign> {
    let settings = &app.config.links.x;
    let tokens = ask::exchange(app, &X, &settings.token_url, &answer.code, begun).await?;
    let token = tokens.access_token.ok_or_else(|| unproved(&X, "it brings no access token"))?;
    let url = format!("{}/2/users/me", settings.api_url.trim_end_matches('/'));
    let Me { data } = ask::parse(&X, &ask::document_of(app, &X, &url, &token).await?)?;
    let is_id =
        (1..=ID_MAX).contains(&data.id.len()) && data.id.bytes().all(|b| b.is_ascii_digit());
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let has_name =
        (1..=USERNAME_MAX).contains(&data.username.len()) && data.username.bytes().all(is_name);
    if !is_id || !has_name {
        return Err(unavailable(&X, "its account is malformed"));
    }
    Ok(Foreign { subject: link::subject(ISSUER, &data.id), name: format!("@{}", data.username) })
}
