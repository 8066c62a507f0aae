//! Lost passwords and keys.

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::Anybody;
use svc_core::network::Network;
use svc_core::passwords;
use svc_core::services::attempt::{Guesser, SignIn};
use svc_core::services::factor;
use svc_core::services::mail::{self, Link};
use svc_store::error::{Error, Result};
use svc_types::UserId;
use svc_types::api::password::{
    FinishPasswordReset, PasswordReset, RequestPasswordReset, ResetAccepted,
};

use crate::app::ServerApp;
use crate::attempts;
use crate::http::Routes;
use crate::http::pipeline::Call;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    // A link of the operator works without mail.
    let finish = Routes::new().write_prepared(prepare, finish);
    Routes::new().requiring(mail::require).write(request).and(finish)
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
    /// The attempt at the code of the second factor, if it is needed.
    attempt: Option<(UserId, SignIn)>,
}

/// Counts the attempt at a code, and hashes the new password. A link that leads nowhere costs
/// neither, and a refused new password no attempt.
async fn prepare(app: Arc<ServerApp>, call: Arc<Call<FinishPasswordReset>>) -> Result<Prepared> {
    let asked = Arc::clone(&call);
    let link = app.read(move |ctx| {
        let link = mail::reset_link(ctx, &asked.request.token)?;
        check(&link, &asked.request).map(|()| link)
    });
    let link = link.await?;
    let Some(code) = call.request.code.as_ref().filter(|_| link.has_factor) else {
        let password_hash = hash(&app, &call.request).await?;
        return Ok(Prepared { password_hash, attempt: None });
    };
    let network = Network::of(call.address);
    let (account, name) = (link.account.clone(), link.username);
    let start = move |ctx: &mut Ctx<'_, '_>| {
        SignIn::start(ctx, &name, network, Some(&account), Guesser::Holder)
    };
    let attempt = app.write(start).await?;
    let attempt = attempts::refuse_wrong_code(&app, attempt, &link.account, code).await?;
    let hashed = hash(&app, &call.request).await;
    let (password_hash, attempt) = attempts::judged(&app, attempt, hashed).await?;
    Ok(Prepared { password_hash, attempt: Some((link.account, attempt)) })
}

/// Hashes the new password, if there is one.
async fn hash(app: &Arc<ServerApp>, request: &FinishPasswordReset) -> Result<Option<String>> {
    match &request.new_password {
        None => Ok(None),
        Some(password) => {
            app.passwords.hash_new("newPassword", password.expose().to_owned()).await.map(Some)
        }
    }
}

/// 401 without a code that is needed; 400 unless a new password is sent for an account that has one,
/// and for no other.
fn check(link: &Link, request: &FinishPasswordReset) -> Result<()> {
    if link.has_factor && request.code.is_none() {
        return Err(factor::code_needed());
    }
    match (link.has_password, &request.new_password) {
        (true, None) => Err(Error::invalid(
            "newPassword",
            "newPassword is required for this account and must be 8 to 128 characters",
        )),
        (false, Some(_)) => Err(Error::invalid(
            "newPassword",
            "this account has no password; omit newPassword to get a new API key",
        )),
        (true, Some(password)) => {
            let names = [link.username.as_str(), link.email.as_deref().unwrap_or_default()];
            passwords::refuse_common("newPassword", password.expose(), &names)
        }
        (false, None) => Ok(()),
    }
}

fn finish(
    ctx: &mut Ctx<'_, '_>,
    _: &Anybody,
    request: &FinishPasswordReset,
    new: &Prepared,
) -> Result<PasswordReset> {
    let api_key = mail::finish_reset(ctx, &request.token, request.code.as_ref(), |link| {
        check(link, request)?;
        Ok(new.password_hash.clone())
    })?;
    if let Some((account, attempt)) = &new.attempt {
        attempt.succeeded(ctx, account)?;
    }
    Ok(PasswordReset { changed: true, api_key })
}
