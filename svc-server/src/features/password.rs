//! Lost passwords and keys.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Anybody;
use svc_core::services::mail::{self, Link};
use svc_store::error::{Error, Result};
use svc_types::Password;
use svc_types::api::password::{
    FinishPasswordReset, PasswordReset, RequestPasswordReset, ResetAccepted,
};

use crate::app::ServerApp;
use crate::http::Routes;
use crate::http::pipeline::Call;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().requiring(mail::require).write(request).write_prepared(prepare, finish)
}

fn request(
    ctx: &mut Ctx<'_, '_>,
    _: &Anybody,
    request: &RequestPasswordReset,
) -> Result<ResetAccepted> {
    mail::request_reset(ctx, &request.email.as_str().to_lowercase())?;
    Ok(ResetAccepted { accepted: true })
}

/// What a link sets.
struct Prepared {
    /// Hash of the new password; none for an account without a password.
    password_hash: Option<String>,
}

/// Hashes the new password. A link that leads nowhere costs no hashing.
async fn prepare(app: Arc<ServerApp>, call: Arc<Call<FinishPasswordReset>>) -> Result<Prepared> {
    let asked = Arc::clone(&call);
    app.read(move |ctx| check(&mail::reset_link(ctx, &asked.request.token)?, &asked.request))
        .await?;
    let password_hash = match call.request.new_password.as_ref().map(Password::expose) {
        Some(password) => Some(app.passwords.hash(password.to_owned()).await?),
        None => None,
    };
    Ok(Prepared { password_hash })
}

/// 400 unless a new password is sent for an account that has one, and for no other.
fn check(link: &Link, request: &FinishPasswordReset) -> Result<()> {
    match (link.has_password, &request.new_password) {
        (true, None) => Err(Error::invalid(
            "newPassword",
            "newPassword is required for this account and must be 8 to 128 characters",
        )),
        (false, Some(_)) => Err(Error::invalid(
            "newPassword",
            "this account has no password; omit newPassword to get a new API key",
        )),
        _ => Ok(()),
    }
}

fn finish(
    ctx: &mut Ctx<'_, '_>,
    _: &Anybody,
    request: &FinishPasswordReset,
    new: &Prepared,
) -> Result<PasswordReset> {
    let api_key = mail::finish_reset(ctx, &request.token, |link| {
        check(link, request)?;
        Ok(new.password_hash.clone())
    })?;
    Ok(PasswordReset { changed: true, api_key })
}
