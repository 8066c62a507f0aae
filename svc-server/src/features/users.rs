//! Accounts and their profiles.

mod directory;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::services::account;
use svc_core::services::security::{self, About};
use svc_core::services::{analytics, avatar, deletion, search, step_up};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::security::SecurityAction;
use svc_types::api::users::{
    AccountDeleted, DeleteMe, GetMe, GetUser, ListUsers, UpdateMe, UserEnvelope, UserPage,
};
use svc_types::{Clearable, Code, Scope, UserId};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(me).write(update).write(delete).write(avatar::delete).read(read).read(list)
}

fn me(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &GetMe) -> Result<UserEnvelope> {
    Ok(UserEnvelope { user: account::own(ctx, &caller.id)? })
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &GetUser) -> Result<UserEnvelope> {
    let viewer = caller.account();
    let record = account::find_visible(ctx, request.username.as_str(), viewer)?;
    analytics::profile_read(ctx, viewer, &record.id);
    Ok(UserEnvelope { user: account::seen(ctx, viewer, record)? })
}

fn update(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UpdateMe) -> Result<UserEnvelope> {
    require_scopes(caller, request)?;
    let email = request.email.as_ref().map(|email| email.as_str().to_lowercase());
    refuse_taken(ctx, email.as_deref(), &caller.id)?;
    let (sets_website, website) = match &request.website {
        Some(Clearable(website)) => (true, website.as_ref().map(|url| url.as_str().to_owned())),
        None => (false, None),
    };
    let moves = moves(ctx, caller, email.as_deref())?;
    if moves {
        step_up::require(ctx, caller)?;
    }
    let now = ctx.now();
    let display_name = request.display_name.as_deref();
    let bio = request.bio.as_deref();
    ctx.tx.execute(
        sql!(
            "update account set
                display_name = coalesce($1, display_name),
                bio = coalesce($2, bio),
                website = case when $3 then $4 else website end,
                email = coalesce($5, email),
                dm_policy = coalesce($6, dm_policy),
                allow_service_requests = coalesce($7, allow_service_requests),
                updated_at = $8
             where id = $9"
        ),
        values![
            display_name,
            bio,
            sets_website,
            website,
            email,
            request.dm_policy,
            request.allow_service_requests,
            now,
            caller.id
        ],
    )?;
    if moves {
        security::note(ctx, &caller.id, &SecurityAction::EmailChanged, About::default())?;
    }
    search::note(ctx, caller.id.as_str())?;
    Ok(UserEnvelope { user: account::own(ctx, &caller.id)? })
}

/// 403 unless the key may change what the request names: the e-mail address is a way into the
/// account, the rest is the profile.
fn require_scopes(caller: &Account, request: &UpdateMe) -> Result<()> {
    let UpdateMe { display_name, bio, website, email, dm_policy, allow_service_requests } = request;
    if email.is_some() {
        caller.require_one(&Scope::Account)?;
    }
    let is_profile = display_name.is_some()
        || bio.is_some()
        || website.is_some()
        || dm_policy.is_some()
        || allow_service_requests.is_some();
    if is_profile { caller.require_one(&Scope::Write) } else { Ok(()) }
}

/// Whether the e-mail address changes; pages send it with every change of the profile.
fn moves(ctx: &mut Ctx<'_, '_>, caller: &Account, email: Option<&str>) -> Result<bool> {
    let Some(email) = email else { return Ok(false) };
    let sql = sql!("select email from account where id = $1");
    let before: Option<String> = ctx.tx.one(sql, values![caller.id])?;
    Ok(before.as_deref() != Some(email))
}

fn refuse_taken(ctx: &mut Ctx<'_, '_>, email: Option<&str>, own: &UserId) -> Result<()> {
    let Some(email) = email else { return Ok(()) };
    let sql = sql!("select id from account where email = $1");
    let owner: Option<UserId> = ctx.tx.optional(sql, values![email])?;
    if owner.is_some_and(|owner| owner != *own) {
        return Err(Refusal::new(Code::EmailTaken, "the e-mail address is taken")
            .field("email")
            .into());
    }
    Ok(())
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteMe) -> Result<AccountDeleted> {
    if !request.confirm.eq_ignore_ascii_case(&caller.username) {
        return Err(Error::invalid("confirm", "confirm must be the username of the account"));
    }
    Ok(AccountDeleted { deleted: true, erased_at: deletion::delete(ctx, caller)? })
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListUsers) -> Result<UserPage> {
    let viewer = caller.account();
    match (&request.ids, &request.usernames) {
        (None, None) => directory::page(ctx, viewer, request),
        (Some(names), None) => named(ctx, viewer, &names.0, |name| name.starts_with("usr_")),
        (None, Some(names)) => named(ctx, viewer, &names.0, |name| !name.starts_with("usr_")),
        (Some(_), Some(_)) => {
            Err(Error::invalid("ids", "either ids or usernames must be given, not both"))
        }
    }
}

/// The requested accounts in that order, and the names without an account.
fn named(
    ctx: &mut Ctx<'_, '_>,
    viewer: Option<&Account>,
    names: &[String],
    is_kind: impl Fn(&str) -> bool,
) -> Result<UserPage> {
    let (mut records, mut missing) = (Vec::new(), Vec::new());
    for name in names {
        let found = if is_kind(name) { account::find(ctx, name)? } else { None };
        match found.filter(|record| record.is_visible_to(viewer)) {
            Some(record) => records.push(record),
            None => missing.push(name.clone()),
        }
    }
    let users = account::seen_all(ctx, viewer, records)?;
    Ok(UserPage { users, missing: Some(missing), next_cursor: None })
}
