//! The services that a bot offers (spec §2.6).

use std::sync::Arc;

use serde_json::{Map, Value};
use svc_core::app::App;
use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::select_services;
use svc_core::services::service::{self, Record};
use svc_core::services::{schema, search};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::Deleted;
use svc_types::api::services::{
    Acceptance, CreateService, DeleteService, ListServices, SERVICES_MAX, Service, ServiceEnvelope,
    ServiceList, TAGS_MAX, UpdateService,
};
use svc_types::{Code, ServiceId, Text};

use crate::app::ServerApp;
use crate::http::Routes;
use crate::http::pipeline::Call;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new()
        .read(list)
        .write_prepared(prepare_create, create)
        .write_prepared(prepare_update, update)
        .write(delete)
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &ListServices) -> Result<ServiceList> {
    refuse_person(caller)?;
    let records: Vec<Record> = ctx.tx.all(
        select_services!("where s.bot = $1 and s.deleted_at is null order by s.id limit $2"),
        values![caller.id, SERVICES_MAX],
    )?;
    let services = records.into_iter().map(Record::own).collect::<Result<_>>()?;
    Ok(ServiceList { services })
}

fn refuse_person(caller: &Account) -> Result<()> {
    if caller.is_agent {
        Ok(())
    } else {
        Err(Error::refused(Code::NotAnAgent, "only agents offer services"))
    }
}

/// Schemas in stored form. They are checked before the transaction, because compiling them is slow.
struct Accepted {
    input: Option<String>,
    output: Option<String>,
}

async fn accept(
    app: &App,
    input: Option<Map<String, Value>>,
    output: Option<Map<String, Value>>,
) -> Result<Accepted> {
    if [&input, &output].iter().all(|schema| schema.as_ref().is_none_or(Map::is_empty)) {
        return Ok(Accepted { input: None, output: None });
    }
    let accept = move || {
        Ok(Accepted {
            input: schema::accept("inputSchema", input.as_ref())?,
            output: schema::accept("outputSchema", output.as_ref())?,
        })
    };
    app.schemas.run(accept).await
}

async fn prepare_create(app: Arc<ServerApp>, ask: Arc<Call<CreateService>>) -> Result<Accepted> {
    refuse_person(&ask.caller)?;
    let request = &ask.request;
    accept(&app, request.input_schema.clone(), request.output_schema.clone()).await
}

async fn prepare_update(app: Arc<ServerApp>, ask: Arc<Call<UpdateService>>) -> Result<Accepted> {
    let request = &ask.request;
    accept(&app, request.input_schema.clone(), request.output_schema.clone()).await
}

/// The text that search matches, in lower case.
struct Words {
    name: String,
    tags: String,
    all: String,
}

impl Words {
    fn of(name: &str, description: &str, tags: &[String]) -> Self {
        let (name, tags) = (name.to_lowercase(), tags.join("\n").to_lowercase());
        let all = format!("{name}\n{tags}\n{}", description.to_lowercase());
        Self { name, tags, all }
    }
}

fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateService,
    schemas: &Accepted,
) -> Result<ServiceEnvelope> {
    let tags = tags(request.tags.as_deref())?.unwrap_or_default();
    // Serializes concurrent creations, so that each counts the other.
    ctx.tx
        .lock(sql!("select id from account where id = $1 for no key update"), values![caller.id])?;
    refuse_too_many(ctx, caller)?;
    let words = Words::of(&request.name, &request.description, &tags);
    let (id, now): (ServiceId, _) = (ctx.id(), ctx.now());
    let active = request.active.unwrap_or(true);
    let acceptance = request.acceptance.clone().unwrap_or(Acceptance::Implicit);
    let tags = serde_json::to_string(&tags).map_err(Error::internal)?;
    let rows = ctx.tx.execute(
        sql!(
            "insert into service (id, bot, name, name_key, description, tags, tags_key, search_text,
                price, input_schema, output_schema, active, acceptance, ratings_count, ratings_sum,
                rating_tenths, created_at, updated_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, 0, 0, $14, $14)
             on conflict do nothing"
        ),
        values![
            id,
            caller.id,
            request.name,
            words.name,
            request.description,
            tags,
            words.tags,
            words.all,
            request.price_credits,
            schemas.input,
            schemas.output,
            active,
            acceptance,
            now
        ],
    )?;
    if rows == 0 {
        return Err(name_taken());
    }
    search::note(ctx, id.as_str())?;
    Ok(ServiceEnvelope { service: own(ctx, caller, &id)?.own()? })
}

fn name_taken() -> Error {
    let refusal = Refusal::new(Code::AlreadyExists, "there is a service of this name already");
    refusal.field("name").hint("change that one, or choose another name").into()
}

fn refuse_too_many(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<()> {
    let count: i64 = ctx.tx.one(
        sql!("select count(*) from service where bot = $1 and deleted_at is null"),
        values![caller.id],
    )?;
    if count < SERVICES_MAX {
        return Ok(());
    }
    let message = format!("a bot offers at most {SERVICES_MAX} services");
    Err(Refusal::new(Code::LimitReached, message).hint("withdraw one first").into())
}

/// Tags in stored form, without duplicates.
fn tags(tags: Option<&[Text<1, 32>]>) -> Result<Option<Vec<String>>> {
    let Some(given) = tags else {
        return Ok(None);
    };
    if given.len() > TAGS_MAX {
        return Err(Error::invalid("tags", format!("tags must be at most {TAGS_MAX} texts")));
    }
    let mut tags: Vec<String> = Vec::new();
    for tag in given {
        if !tags.iter().any(|known| known == tag.as_str()) {
            tags.push(tag.to_string());
        }
    }
    Ok(Some(tags))
}

/// The caller's service with this id, else 404.
fn own(ctx: &mut Ctx<'_, '_>, caller: &Account, id: &ServiceId) -> Result<Record> {
    let found = ctx.tx.optional(
        select_services!("where s.id = $1 and s.bot = $2 and s.deleted_at is null"),
        values![id, caller.id],
    )?;
    found.ok_or_else(|| Error::not_found("service"))
}

fn update(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdateService,
    schemas: &Accepted,
) -> Result<ServiceEnvelope> {
    let tags = tags(request.tags.as_deref())?;
    let sql = sql!("select id from service where id = $1 for no key update");
    ctx.tx.lock(sql, values![request.service_id])?;
    let before = own(ctx, caller, &request.service_id)?.own()?;
    refuse_taken(ctx, caller, request)?;
    let name = request.name.as_deref().unwrap_or(&before.name);
    let description = request.description.as_deref().unwrap_or(&before.description);
    let tags = tags.unwrap_or_else(|| before.tags.clone());
    let words = Words::of(name, description, &tags);
    let price = request.price_credits.unwrap_or(before.price_credits);
    let active = request.active.unwrap_or(before.active);
    let acceptance = request.acceptance.as_ref().unwrap_or(&before.acceptance);
    let tags = serde_json::to_string(&tags).map_err(Error::internal)?;
    let updated_at = changed_at(ctx, &before);
    ctx.tx.execute(
        sql!(
            "update service
             set name = $1, name_key = $2, description = $3, tags = $4, tags_key = $5,
                search_text = $6, price = $7, active = $8, acceptance = $9, updated_at = $10,
                input_schema = case when $11 then $12 else input_schema end,
                output_schema = case when $13 then $14 else output_schema end
             where id = $15"
        ),
        values![
            name,
            words.name,
            description,
            tags,
            words.tags,
            words.all,
            price,
            active,
            acceptance,
            updated_at,
            request.input_schema.is_some(),
            schemas.input,
            request.output_schema.is_some(),
            schemas.output,
            before.id
        ],
    )?;
    search::note(ctx, before.id.as_str())?;
    Ok(ServiceEnvelope { service: own(ctx, caller, &before.id)?.own()? })
}

/// A timestamp later than every earlier version: it is part of the cache key of compiled schemas.
fn changed_at(ctx: &Ctx<'_, '_>, before: &Service) -> svc_types::Timestamp {
    let next = before.updated_at.plus(std::time::Duration::from_millis(1));
    ctx.now().max(next)
}

/// 409 if another service of the caller has the new name.
fn refuse_taken(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &UpdateService) -> Result<()> {
    let Some(name) = &request.name else {
        return Ok(());
    };
    let found: Option<ServiceId> = ctx.tx.optional(
        sql!("select id from service where bot = $1 and name_key = $2 and deleted_at is null"),
        values![caller.id, name.to_lowercase()],
    )?;
    if found.is_some_and(|id| id != request.service_id) { Err(name_taken()) } else { Ok(()) }
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteService) -> Result<Deleted> {
    let record = own(ctx, caller, &request.service_id)?;
    if service::withdraw(ctx, &record.id)? {
        Ok(Deleted { deleted: true })
    } else {
        Err(Error::not_found("service"))
    }
}
