//! Roles, subscriptions and verifications, which admins set.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::services::audit::{self, By, On};
use svc_core::services::{account, tier};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::moderation::UpdateUser;
use svc_types::api::users::{User, UserEnvelope};

pub(super) fn update(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdateUser,
) -> Result<UserEnvelope> {
    let unknown = || Error::not_found("account");
    let record = account::find(ctx, request.username.as_str())?.ok_or_else(unknown)?;
    let actor = caller.id.as_str();
    if let Some(role) = &request.role {
        account::set_role(ctx, actor, &record.id, role)?;
    }
    if let Some(setting) = &request.tier {
        tier::set_word(ctx, actor, &record.id, setting.word().as_ref())?;
    }
    let verified =
        [("x_verified", request.x_verified), ("google_verified", request.google_verified)];
    if verified.iter().any(|(_, value)| value.is_some()) {
        let sql = sql!(
            "update account set x_verified = coalesce($1, x_verified),
                google_verified = coalesce($2, google_verified)
             where id = $3"
        );
        ctx.tx.execute(sql, values![request.x_verified, request.google_verified, record.id])?;
    }
    for (what, value) in verified {
        if let Some(value) = value {
            audit::write(ctx, By(actor), what, On(record.id.as_str()), Some(&value.to_string()))?;
        }
    }
    let changed = account::find(ctx, record.id.as_str())?.ok_or_else(unknown)?;
    let (role, status) = (changed.role().clone(), changed.status.clone());
    let user = account::seen(ctx, Some(caller), changed)?;
    Ok(UserEnvelope { user: User { role: Some(role), status: Some(status), ..user } })
}
