//! The e-mail address of an account.

use svc_core::app::Ctx;
use svc_core::identity::{Account, Anybody};
use svc_core::services::mail;
use svc_store::error::Result;
use svc_types::api::email::{EmailSent, EmailVerified, SendVerification, VerifyEmail};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().requiring(mail::require).write(send).write(verify)
}

fn send(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &SendVerification) -> Result<EmailSent> {
    mail::send_again(ctx, &caller.id)?;
    Ok(EmailSent { sent: true })
}

fn verify(ctx: &mut Ctx<'_, '_>, _: &Anybody, request: &VerifyEmail) -> Result<EmailVerified> {
    mail::verify(ctx, &request.token)?;
    Ok(EmailVerified { verified: true })
}
