//! Developer apps and their keys (spec §2.9, §4).

use std::time::Duration;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Caller, DeveloperApp, Viewer};
use svc_core::keys::{self, DEVELOPER_KEY, NewKey};
use svc_core::page::Page;
use svc_core::services::account;
use svc_core::services::attempt::Counter;
use svc_core::services::audit::{self, By, On};
use svc_core::services::oauth::client;
use svc_core::services::{credential, developer_app, trust};
use svc_store::error::{Error, Refusal, Result, Window};
use svc_store::{row, sql, values};
use svc_types::api::Deleted;
use svc_types::api::developers::{
    DeleteApp, DeleteDeveloper, Developer, DeveloperEnvelope, DeveloperPage, DeveloperRegistered,
    GetApp, GetDeveloper, IdTokenAlg, ListApps, NewDeveloperKey, RegisterDeveloper, RotateAppKey,
    RotateDeveloperKey, UpdateDeveloper,
};
use svc_types::api::security::SecurityAction;
use svc_types::{AppId, Code, Scope, Text, Timestamp, Whole};

use crate::http::{Answer, Routes};

/// The member with the name of an app.
const APP_NAME: &str = "appName";

/// The endpoints of this feature.
pub fn routes() -> Routes {
    let by_key = Routes::new().write(register).read(read).write(update).write(delete).write(rotate);
    let own = by_key.read(apps).read(app);
    own.write(delete_app).allow_suspended().write(rotate_app).allow_suspended()
}

fn register(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &RegisterDeveloper,
) -> Result<Answer<DeveloperRegistered>> {
    // Also one whose credential may not read.
    let caller = Caller::account(caller);
    if let Some(account) = caller {
        account.require_one(&Scope::Account)?;
    }
    let description = request.description.as_deref().filter(|text| !text.is_empty());
    let owner = caller.map(|account| &account.id);
    let redirect_uris = redirects(request.redirect_uris.as_deref())?;
    let alg = request.id_token_signed_response_alg.as_ref().map(IdTokenAlg::as_str);
    account::refuse_blank_name(APP_NAME, Some(&*request.app_name))?;
    let window = take_place(ctx, caller)?;
    let NewKey { key, key_id, hash } = keys::generate(DEVELOPER_KEY);
    let (id, now): (AppId, _) = (ctx.id(), ctx.now());
    ctx.tx.execute(
        sql!(
            "insert into developer_app (id, owner, app_name, website, description, key_id, key_hash,
                redirect_uris, id_token_alg, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        ),
        values![
            id,
            owner,
            &*request.app_name,
            request.website.as_str(),
            description,
            key_id,
            hash,
            redirect_uris,
            alg,
            now
        ],
    )?;
    let registered =
        DeveloperRegistered { developer_api_key: key.into(), developer: load(ctx, &id)? };
    Ok(Answer::from(registered).window_if(window))
}

/// Redirect URIs as they are stored, a line each; `None` if the request names none.
fn redirects(uris: Option<&[Text<1, 2000>]>) -> Result<Option<String>> {
    let Some(uris) = uris else { return Ok(None) };
    let uris: Vec<&str> = uris.iter().map(|uri| &**uri).collect();
    let uris = client::redirects(&uris)
        .map_err(|message| Error::invalid("redirectUris", message.to_owned()))?;
    Ok(Some(uris.join("\n")))
}

/// Refuses an account with the maximum number of apps, and limits registrations by network; returns what is left
/// of that limit.
fn take_place(ctx: &mut Ctx<'_, '_>, owner: Option<&Account>) -> Result<Option<Window>> {
    let Some(owner) = owner else {
        let counters = Counter::apps(ctx, ctx.network());
        return Counter::take_all(ctx, &counters);
    };
    let limits = &ctx.app.config.limits;
    let most = limits.of(trust::of(ctx, owner)?).apps;
    if !limits.budgets || most == 0 {
        return Ok(None);
    }
    let owner = &owner.id;
    // Serializes concurrent registrations, so that each counts the other.
    account::lock(ctx, owner)?;
    let sql = sql!("select count(*) from developer_app where owner = $1 and deleted_at is null");
    if ctx.tx.one::<i64>(sql, values![owner])? < i64::from(most) {
        return Ok(None);
    }
    let refusal = Refusal::new(Code::LimitReached, format!("an account has at most {most} apps"));
    Err(refusal.hint("delete one: DELETE /v1/developers/apps/{appId}").into())
}

struct Record {
    id: AppId,
    app_name: String,
    website: String,
    description: Option<String>,
    redirect_uris: Option<String>,
    id_token_alg: Option<String>,
    last_used_at: Option<Timestamp>,
    verifications: i64,
    created_at: Timestamp,
}
row!(Record {
    id: "id",
    app_name: "app_name",
    website: "website",
    description: "description",
    redirect_uris: "redirect_uris",
    id_token_alg: "id_token_alg",
    last_used_at: "last_used_at",
    verifications: "verifications",
    created_at: "created_at",
});

impl Record {
    fn into_api(self) -> Developer {
        let redirect_uris = self.redirect_uris.iter().flat_map(|uris| uris.lines());
        Developer {
            redirect_uris: redirect_uris.map(str::to_owned).collect(),
            id: self.id,
            app_name: self.app_name,
            website: self.website,
            description: self.description,
            id_token_signed_response_alg: self.id_token_alg.as_deref().map(IdTokenAlg::from),
            last_used_at: self.last_used_at,
            verifications_count: self.verifications,
            created_at: self.created_at,
        }
    }
}

fn load(ctx: &mut Ctx<'_, '_>, id: &AppId) -> Result<Developer> {
    let sql = sql!("select ", Record::COLUMNS, " from developer_app where id = $1");
    ctx.tx.one::<Record>(sql, values![id]).map(Record::into_api)
}

fn read(ctx: &mut Ctx<'_, '_>, app: &DeveloperApp, _: &GetDeveloper) -> Result<DeveloperEnvelope> {
    Ok(DeveloperEnvelope { developer: load(ctx, &app.id)? })
}

fn update(
    ctx: &mut Ctx<'_, '_>,
    app: &DeveloperApp,
    request: &UpdateDeveloper,
) -> Result<DeveloperEnvelope> {
    let description = request.description.as_deref();
    let redirect_uris = redirects(request.redirect_uris.as_deref())?;
    let app_name = request.app_name.as_deref();
    account::refuse_blank_name(APP_NAME, app_name)?;
    hold_key(ctx, app)?;
    let before = load(ctx, &app.id)?;
    let website = request.website.as_ref().map(svc_types::WebUrl::as_str);
    let alg = request.id_token_signed_response_alg.as_ref().map(IdTokenAlg::as_str);
    ctx.tx.execute(
        sql!(
            "update developer_app set
                app_name = coalesce($1, app_name),
                website = coalesce($2, website),
                description = case when cast($3 as text) is null then description
                    when $3 = '' then null else $3 end,
                id_token_alg = coalesce($4, id_token_alg)
             where id = $5"
        ),
        values![app_name, website, description, alg, app.id],
    )?;
    if let Some(redirect_uris) = redirect_uris {
        let sql = sql!("update developer_app set redirect_uris = $1 where id = $2");
        ctx.tx.execute(sql, values![redirect_uris, app.id])?;
    }
    let developer = load(ctx, &app.id)?;
    if developer != before {
        developer_app::note(ctx, &app.id, &SecurityAction::AppChanged)?;
    }
    Ok(DeveloperEnvelope { developer })
}

fn delete(ctx: &mut Ctx<'_, '_>, app: &DeveloperApp, _: &DeleteDeveloper) -> Result<Deleted> {
    hold_key(ctx, app)?;
    end(ctx, &app.id, app.id.as_str())
}

/// Deletes an app. `by` is the app or the account that registered it.
fn end(ctx: &mut Ctx<'_, '_>, id: &AppId, by: &str) -> Result<Deleted> {
    developer_app::end(ctx, id, By(by), None)?;
    Ok(Deleted { deleted: true })
}

fn rotate(
    ctx: &mut Ctx<'_, '_>,
    app: &DeveloperApp,
    request: &RotateDeveloperKey,
) -> Result<NewDeveloperKey> {
    hold_key(ctx, app)?;
    renew(ctx, &app.id, app.id.as_str(), request.overlap_seconds)
}

/// 401 for an old key, also if the account that registered the app has replaced it since the request was read.
/// Otherwise the app is locked.
fn hold_key(ctx: &mut Ctx<'_, '_>, app: &DeveloperApp) -> Result<()> {
    lock(ctx, &app.id)?;
    let sql = sql!("select 1 from developer_app where key_id = $1 and deleted_at is null");
    if ctx.tx.optional::<i64>(sql, values![app.key_id])?.is_some() {
        return Ok(());
    }
    let message = "the developer key was replaced; only the new one changes the app";
    Err(Error::refused(Code::InvalidDeveloperKey, message))
}

/// Lets nobody else replace the key of an app until the transaction ends.
fn lock(ctx: &mut Ctx<'_, '_>, app: &AppId) -> Result<()> {
    developer_app::hold_account(ctx, app)?;
    let lock = sql!("select id from developer_app where id = $1 for no key update");
    ctx.tx.lock(lock, values![app])
}

/// Replaces the key of a locked app. `by` is the app or the account that registered it.
fn renew(
    ctx: &mut Ctx<'_, '_>,
    id: &AppId,
    by: &str,
    overlap: Option<Whole<0, 604_800>>,
) -> Result<NewDeveloperKey> {
    let NewKey { key, key_id, hash } = keys::generate(DEVELOPER_KEY);
    let seconds = overlap.map(Whole::get).filter(|seconds| *seconds > 0);
    let now = ctx.now();
    let previous_expires_at = seconds.map(|seconds| now.plus(Duration::from_secs(seconds.into())));
    developer_app::replace_key(ctx, id, (&key_id, &hash), previous_expires_at)?;
    audit::write(ctx, By(by), "developer_key_rotated", On(id.as_str()), None)?;
    Ok(NewDeveloperKey { developer_api_key: key.into(), previous_expires_at })
}

fn apps(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &ListApps) -> Result<DeveloperPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut records: Vec<Record> = ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from developer_app
             where owner = $1 and id < $2 and deleted_at is null
             order by id desc limit $3"
        ),
        values![caller.id, page.before(), page.rows()],
    )?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    Ok(DeveloperPage {
        developers: records.into_iter().map(Record::into_api).collect(),
        next_cursor,
    })
}

fn app(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &GetApp) -> Result<DeveloperEnvelope> {
    own(ctx, caller, &request.app_id)?;
    Ok(DeveloperEnvelope { developer: load(ctx, &request.app_id)? })
}

fn delete_app(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteApp) -> Result<Deleted> {
    caller.require_unpaused()?;
    own(ctx, caller, &request.app_id)?;
    end(ctx, &request.app_id, caller.id.as_str())
}

fn rotate_app(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &RotateAppKey,
) -> Result<NewDeveloperKey> {
    caller.require_unpaused()?;
    credential::hold(ctx, caller)?;
    lock(ctx, &request.app_id)?;
    own(ctx, caller, &request.app_id)?;
    renew(ctx, &request.app_id, caller.id.as_str(), request.overlap_seconds)
}

/// 404 if the app is deleted or was registered by another account.
fn own(ctx: &mut Ctx<'_, '_>, caller: &Account, app: &AppId) -> Result<()> {
    let sql =
        sql!("select 1 from developer_app where id = $1 and owner = $2 and deleted_at is null");
    let found: Option<i64> = ctx.tx.optional(sql, values![app, caller.id])?;
    found.map(|_| ()).ok_or_else(|| Error::not_found("app"))
}
