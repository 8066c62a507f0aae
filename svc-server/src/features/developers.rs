//! Developer apps and their keys (spec §2.9, §4).

use svc_types::api::Deleted;
use svc_types::api::developers::{
    DeleteDeveloper, Developer, DeveloperEnvelope, DeveloperRegistered, GetDeveloper,
    NewDeveloperKey, RegisterDeveloper, RotateDeveloperKey, UpdateDeveloper,
};
use svc_types::{AppId, Timestamp};

use crate::acts::{audit, secrets};
use crate::app::Cx;
use crate::error::Result;
use crate::http::{DeveloperApp, Routes, Viewer};
use crate::keys::{self, DEVELOPER_KEY, NewKey};
use crate::{row, sql, values};

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().write(register).read(read).write(update).write(delete).write(rotate)
}

fn register(
    cx: &mut Cx<'_, '_>,
    caller: &Viewer,
    request: &RegisterDeveloper,
) -> Result<DeveloperRegistered> {
    let description = request.description.as_deref().filter(|text| !text.is_empty());
    secrets::refuse_in(cx, "description", description.unwrap_or(""))?;
    let NewKey { key, key_id, hash } = keys::generate(DEVELOPER_KEY);
    let (id, now): (AppId, _) = (cx.id(), cx.now());
    let owner = caller.account().map(|account| &account.id);
    cx.tx.execute(
        sql!(
            "insert into developer_app (id, owner, app_name, website, description, key_id, key_hash,
                created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)"
        ),
        values![
            id,
            owner,
            &*request.app_name,
            request.website.as_str(),
            description,
            key_id,
            hash,
            now
        ],
    )?;
    Ok(DeveloperRegistered { developer_api_key: key.into(), developer: load(cx, &id)? })
}

struct Record {
    id: AppId,
    app_name: String,
    website: String,
    description: Option<String>,
    created_at: Timestamp,
}
row!(Record { id, app_name, website, description, created_at });

fn load(cx: &mut Cx<'_, '_>, id: &AppId) -> Result<Developer> {
    let sql = sql!(
        "select id, app_name, website, description, created_at from developer_app where id = $1"
    );
    let Record { id, app_name, website, description, created_at } = cx.tx.one(sql, values![id])?;
    Ok(Developer { id, app_name, website, description, created_at })
}

fn read(cx: &mut Cx<'_, '_>, app: &DeveloperApp, _: &GetDeveloper) -> Result<DeveloperEnvelope> {
    Ok(DeveloperEnvelope { developer: load(cx, &app.id)? })
}

fn update(
    cx: &mut Cx<'_, '_>,
    app: &DeveloperApp,
    request: &UpdateDeveloper,
) -> Result<DeveloperEnvelope> {
    let description = request.description.as_deref();
    secrets::refuse_in(cx, "description", description.unwrap_or(""))?;
    let app_name = request.app_name.as_deref();
    let website = request.website.as_ref().map(svc_types::WebUrl::as_str);
    cx.tx.execute(
        sql!(
            "update developer_app set
                app_name = coalesce($1, app_name),
                website = coalesce($2, website),
                description = case when cast($3 as text) is null then description
                    when $3 = '' then null else $3 end
             where id = $4"
        ),
        values![app_name, website, description, app.id],
    )?;
    Ok(DeveloperEnvelope { developer: load(cx, &app.id)? })
}

fn delete(cx: &mut Cx<'_, '_>, app: &DeveloperApp, _: &DeleteDeveloper) -> Result<Deleted> {
    let now = cx.now();
    let sql = sql!("update developer_app set deleted_at = $1 where id = $2 and deleted_at is null");
    cx.tx.execute(sql, values![now, app.id])?;
    audit::write(cx, app.id.as_str(), "developer_deleted", app.id.as_str(), "")?;
    Ok(Deleted { deleted: true })
}

fn rotate(
    cx: &mut Cx<'_, '_>,
    app: &DeveloperApp,
    _: &RotateDeveloperKey,
) -> Result<NewDeveloperKey> {
    let NewKey { key, key_id, hash } = keys::generate(DEVELOPER_KEY);
    let sql = sql!("update developer_app set key_id = $1, key_hash = $2 where id = $3");
    cx.tx.execute(sql, values![key_id, hash, app.id])?;
    audit::write(cx, app.id.as_str(), "developer_key_rotated", app.id.as_str(), "")?;
    Ok(NewDeveloperKey { developer_api_key: key.into() })
}
