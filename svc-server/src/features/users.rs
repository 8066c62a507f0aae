//! Accounts and their profiles.

mod directory;

use std::sync::Arc;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::services::account::Record;
use svc_core::services::attempt::Counter;
use svc_core::services::pending::{self, Change};
use svc_core::services::{account, analytics, avatar, deletion, mail, search, step_up};
use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::api::users::{
    AccountDeleted, DeleteMe, GetMe, GetUser, ListUsers, UpdateMe, UpdatedUser, UserEnvelope,
    UserPage,
};
use svc_types::{Clearable, Id, Scope, Timestamp, UserId};

use crate::app::ServerApp;
use crate::http::{Answer, Routes};

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .read(me)
        .write_prepared_if(names_email, load, count, update)
        .write(delete)
        .write(avatar::delete)
        .read(read)
        .read(list)
}

fn me(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &GetMe) -> Result<UserEnvelope> {
    Ok(UserEnvelope { user: account::me(ctx, caller)? })
}

fn read(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &GetUser) -> Result<UserEnvelope> {
    let viewer = caller.account();
    let record = account::find_visible(ctx, request.username.as_str(), viewer)?;
    analytics::note_profile_view(ctx, viewer, &record.id);
    Ok(UserEnvelope { user: account::seen(ctx, viewer, record)? })
}

/// Whether a request changes the e-mail address.
const fn names_email(request: &UpdateMe) -> bool {
    request.email.is_some()
}

/// What counts a change that is refused because another account has the address. The refusal takes back what its
/// transaction counts, and says that somebody has the address.
fn load(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UpdateMe) -> Result<Vec<Counter>> {
    require_scopes(caller, request)?;
    let Some(email) = &request.email else { return Ok(Vec::new()) };
    if !mail::is_of_another(ctx, &caller.id, &email.as_str().to_lowercase())? {
        return Ok(Vec::new());
    }
    step_up::require(ctx, caller)?;
    Ok(Counter::taken_addresses(ctx, &caller.id))
}

/// Counts a change that will be refused, or addresses could be probed without limit.
async fn count(app: Arc<ServerApp>, counters: Vec<Counter>) -> Result<()> {
    if counters.is_empty() {
        return Ok(());
    }
    let take = move |ctx: &mut Ctx<'_, '_>| {
        counters.iter().try_for_each(|counter| counter.take(ctx).map(drop))
    };
    app.write(take).await
}

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "`write_prepared_if` passes it like this"
)]
fn update(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdateMe,
    _: &Option<()>,
) -> Result<Answer<UpdatedUser>> {
    require_scopes(caller, request)?;
    account::refuse_blank_name("displayName", request.display_name.as_deref())?;
    let pending_until = update_email(ctx, caller, request)?;
    update_profile(ctx, caller, request)?;
    search::note(ctx, caller.id.as_str())?;
    let user = account::me(ctx, caller)?;
    Ok(Answer::from(UpdatedUser { user, pending_until }).pending(pending_until.is_some()))
}

/// Changes the e-mail address. The present one only gives a pending one up.
fn update_email(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdateMe,
) -> Result<Option<Timestamp>> {
    let Some(email) = &request.email else { return Ok(None) };
    let email = email.as_str().to_lowercase();
    if mail::is_on(ctx.app) {
        mail::propose(ctx, caller, &email)
    } else {
        account::change_email(ctx, caller, &email)
    }
}

fn update_profile(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UpdateMe) -> Result<()> {
    let (sets_website, website) = match &request.website {
        Some(Clearable(website)) => (true, website.as_ref().map(|url| url.as_str().to_owned())),
        None => (false, None),
    };
    let (display_name, bio) = (request.display_name.as_deref(), request.bio.as_deref());
    let now = ctx.now();
    ctx.tx.execute(
        sql!(
            "update account set
                display_name = coalesce($1, display_name),
                bio = coalesce($2, bio),
                website = case when $3 then $4 else website end,
                dm_policy = coalesce($5, dm_policy),
                allow_service_requests = coalesce($6, allow_service_requests),
                updated_at = $7
             where id = $8"
        ),
        values![
            display_name,
            bio,
            sets_website,
            website,
            request.dm_policy,
            request.allow_service_requests,
            now,
            caller.id
        ],
    )?;
    Ok(())
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

fn delete(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &DeleteMe,
) -> Result<Answer<AccountDeleted>> {
    if !request.confirm.eq_ignore_ascii_case(&caller.username) {
        return Err(Error::invalid("confirm", "confirm must be the username of the account"));
    }
    if let Some(counter) = Counter::deletions(ctx, &caller.id) {
        counter.take(ctx)?;
    }
    let pending_until = pending::delay(ctx, caller, Change::Deletion)?;
    let erased_at = match pending_until {
        Some(_) => None,
        None => Some(deletion::delete(ctx, caller)?),
    };
    let deleted = erased_at.is_some();
    Ok(Answer::from(AccountDeleted { deleted, erased_at, pending_until }).pending(!deleted))
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Viewer, request: &ListUsers) -> Result<UserPage> {
    let viewer = caller.account();
    if request.ids.is_some() || request.usernames.is_some() {
        refuse_filters(request)?;
    }
    match (&request.ids, &request.usernames) {
        (None, None) => directory::page(ctx, viewer, request),
        (Some(names), None) => {
            named(ctx, viewer, &names.0, |name| name.starts_with(UserId::PREFIX))
        }
        (None, Some(names)) => {
            named(ctx, viewer, &names.0, |name| !name.starts_with(UserId::PREFIX))
        }
        (Some(_), Some(_)) => {
            Err(Error::invalid("ids", "either ids or usernames must be given, not both"))
        }
    }
}

/// Refuses what selects, orders and pages accounts of the directory, beside names of accounts.
fn refuse_filters(request: &ListUsers) -> Result<()> {
    let filters = [
        ("q", request.q.is_some()),
        ("isAgent", request.is_agent.is_some()),
        ("sort", request.sort.is_some()),
        ("window", request.window.is_some()),
        ("cursor", request.cursor.is_some()),
    ];
    match filters.into_iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => {
            Err(Error::invalid(name, format!("{name} must be absent with ids or usernames")))
        }
        None => Ok(()),
    }
}

/// The requested accounts in that order, and the names without an account; each once, however often it is named.
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
            Some(record) if records.iter().any(|known: &Record| known.id == record.id) => {}
            Some(record) => records.push(record),
            None if missing.contains(name) => {}
            None => missing.push(name.clone()),
        }
    }
    let users = account::seen_all(ctx, viewer, records)?;
    Ok(UserPage { users, missing: Some(missing), next_cursor: None })
}
