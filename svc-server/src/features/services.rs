//! The services that a bot offers (spec §2.6).

mod owned;

use std::sync::Arc;

use serde_json::{Map, Value};
use svc_core::app::App;
use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::select_services;
use svc_core::services::service::{self, Record};
use svc_core::services::{account, figure, post, review, sample, schema, search};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::Deleted;
use svc_types::api::orders::ReviewPage;
use svc_types::api::services::{
    Acceptance, CreateService, DeleteService, LANGUAGES_MAX, ListServiceReviews, ListServices,
    SERVICES_MAX, Service, ServiceCategory, ServiceEnvelope, ServiceList, ServiceSample, TAGS_MAX,
    UpdateService,
};
use svc_types::schema::Schema;
use svc_types::{Code, ServiceId, Text, Timestamp, UserId};

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
        .read(reviews)
        .and(owned::routes())
}

/// The reviews of a service whose bot the caller may see, else 404.
fn reviews(
    ctx: &mut Ctx<'_, '_>,
    caller: &Viewer,
    request: &ListServiceReviews,
) -> Result<ReviewPage> {
    let not_found = || Error::not_found("service");
    let bot: Option<UserId> = ctx.tx.optional(
        sql!("select bot from service where id = $1 and deleted_at is null"),
        values![request.service_id],
    )?;
    let bot = bot.ok_or_else(not_found)?;
    account::find_visible(ctx, bot.as_str(), caller.account()).map_err(|_| not_found())?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    review::of_service(ctx, &page, &request.service_id)
}

fn list(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &ListServices) -> Result<ServiceList> {
    refuse_person(caller)?;
    list_of(ctx, &caller.id)
}

fn list_of(ctx: &mut Ctx<'_, '_>, bot: &UserId) -> Result<ServiceList> {
    let records: Vec<Record> = ctx.tx.all(
        select_services!("where s.bot = $1 and s.deleted_at is null order by s.id limit $2"),
        values![bot, SERVICES_MAX],
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

/// Schemas and samples in stored form. They are checked before the transaction, because compiling
/// schemas is slow.
struct Accepted {
    input: Option<String>,
    output: Option<String>,
    samples: Option<String>,
    /// The version of the service whose schemas or samples the others were checked with.
    beside: Option<Timestamp>,
}

type Object = Map<String, Value>;

/// What a service will have: each part that was sent, or else what is stored.
#[derive(Default)]
struct Parts {
    input: Option<Object>,
    output: Option<Object>,
    samples: Vec<ServiceSample>,
}

/// Brings schemas to stored form, and checks that all parts fit together.
async fn accept(app: &App, parts: Parts, beside: Option<Timestamp>) -> Result<Accepted> {
    let samples = sample::stored(&parts.samples)?;
    let Parts { input, output, samples: given } = parts;
    let is_plain = |schema: &Option<Object>| schema.as_ref().is_none_or(Map::is_empty);
    if is_plain(&input) && is_plain(&output) {
        return Ok(Accepted { input: None, output: None, samples, beside });
    }
    let accept = move || {
        let (input, output) = (input.as_ref(), output.as_ref());
        let accepted = Accepted {
            input: schema::accept("inputSchema", input)?,
            output: schema::accept("outputSchema", output)?,
            samples,
            beside,
        };
        refuse_unfit(&given, input, |sample| (&sample.input, "input"))?;
        refuse_unfit(&given, output, |sample| (&sample.output, "output"))?;
        Ok(accepted)
    };
    app.schemas.run(accept).await
}

/// 400 for samples of which a part does not fit its schema.
fn refuse_unfit(
    samples: &[ServiceSample],
    schema: Option<&Object>,
    part: fn(&ServiceSample) -> (&Object, &str),
) -> Result<()> {
    let Some(schema) = schema.filter(|schema| !schema.is_empty() && !samples.is_empty()) else {
        return Ok(());
    };
    let schema = Schema::new(schema).map_err(Error::internal)?;
    for (number, sample) in samples.iter().enumerate() {
        let (value, name) = part(sample);
        let faults = schema.faults(&Value::Object(value.clone()));
        let Some(first) = faults.first() else { continue };
        let message = format!("the {name} of a sample must fit {name}Schema: {}", first.message);
        let refusal = Refusal::new(Code::ValidationFailed, message);
        let refusal = match &sample.order_id {
            // It may not have been sent, and nothing that is sent changes it.
            Some(order) => refusal
                .field("samples")
                .hint(format!("take it off first: DELETE /orders/{order}/sample")),
            None => refusal
                .field(&format!("/samples/{number}/{name}{}", first.pointer))
                .hint("send samples that fit, or none"),
        };
        return Err(refusal.into());
    }
    Ok(())
}

async fn prepare_create(app: Arc<ServerApp>, ask: Arc<Call<CreateService>>) -> Result<Accepted> {
    refuse_person(&ask.caller)?;
    accept_new(&app, &ask.request).await
}

async fn accept_new(app: &App, request: &CreateService) -> Result<Accepted> {
    let parts = Parts {
        input: request.input_schema.clone(),
        output: request.output_schema.clone(),
        samples: sample::merged(request.samples.as_deref().unwrap_or_default(), &[])?,
    };
    accept(app, parts, None).await
}

async fn prepare_update(app: Arc<ServerApp>, ask: Arc<Call<UpdateService>>) -> Result<Accepted> {
    let bot = ask.caller.id.clone();
    accept_changed(&app, &ask.request, move |_| Ok(bot.clone())).await
}

/// Schemas and samples that are sent must fit those that are stored.
async fn accept_changed(
    app: &ServerApp,
    request: &UpdateService,
    bot: impl Fn(&mut Ctx<'_, '_>) -> Result<UserId> + Send + Sync + 'static,
) -> Result<Accepted> {
    let (input, output) = (request.input_schema.clone(), request.output_schema.clone());
    let samples = request.samples.clone();
    if input.is_none() && output.is_none() && samples.is_none() {
        return accept(app, Parts::default(), None).await;
    }
    let id = request.service_id.clone();
    let stored = app.read(move |ctx| {
        let bot = bot(ctx)?;
        own(ctx, &bot, &id)?.own()
    });
    let stored = stored.await?;
    let samples = match samples {
        Some(sent) => sample::merged(&sent, &stored.samples)?,
        None => stored.samples,
    };
    let parts = Parts {
        input: input.or(stored.input_schema),
        output: output.or(stored.output_schema),
        samples,
    };
    accept(app, parts, Some(stored.updated_at)).await
}

/// The text that search matches, in lower case.
struct Words {
    name: String,
    tags: String,
    all: String,
}

impl Words {
    fn of(name: &str, description: &str, tags: &[String]) -> Self {
        let (name_key, tags_key) = (name.to_lowercase(), tags.join("\n").to_lowercase());
        let all = service::search_text(name, tags, description);
        Self { name: name_key, tags: tags_key, all }
    }
}

fn create(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &CreateService,
    schemas: &Accepted,
) -> Result<ServiceEnvelope> {
    create_of(ctx, &caller.id, request, schemas)
}

fn create_of(
    ctx: &mut Ctx<'_, '_>,
    bot: &UserId,
    request: &CreateService,
    schemas: &Accepted,
) -> Result<ServiceEnvelope> {
    let tags = tags(request.tags.as_deref())?.unwrap_or_default();
    let languages = languages(request.languages.as_deref())?.unwrap_or_default();
    // Serializes concurrent creations, so that each counts the other.
    let sql = sql!("select id from account where id = $1 for no key update");
    ctx.tx.lock(sql, values![bot])?;
    refuse_too_many(ctx, bot)?;
    let words = Words::of(&request.name, &request.description, &tags);
    let (id, now): (ServiceId, _) = (ctx.id(), ctx.now());
    let active = request.active.unwrap_or(true);
    let acceptance = request.acceptance.clone().unwrap_or(Acceptance::Implicit);
    let category = request.category.clone().unwrap_or(ServiceCategory::Unlisted);
    let (tags, languages) = (json(&tags)?, json(&languages)?);
    let rows = ctx.tx.execute(
        sql!(
            "insert into service (id, bot, name, name_key, description, tags, tags_key, search_text,
                price, input_schema, output_schema, active, acceptance, ratings_count, ratings_sum,
                rating_tenths, created_at, updated_at, category, languages, samples)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, 0, 0, $14, $14, $15,
                $16, $17)
             on conflict do nothing"
        ),
        values![
            id,
            bot,
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
            now,
            category,
            languages,
            schemas.samples
        ],
    )?;
    if rows == 0 {
        return Err(name_taken());
    }
    figure::begin(ctx, &id, bot)?;
    search::note(ctx, id.as_str())?;
    Ok(ServiceEnvelope { service: own(ctx, bot, &id)?.own()? })
}

fn name_taken() -> Error {
    let refusal = Refusal::new(Code::AlreadyExists, "there is a service of this name already");
    refusal.field("name").hint("change that one, or choose another name").into()
}

fn refuse_too_many(ctx: &mut Ctx<'_, '_>, bot: &UserId) -> Result<()> {
    let count: i64 = ctx.tx.one(
        sql!("select count(*) from service where bot = $1 and deleted_at is null"),
        values![bot],
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

/// Languages in stored form, without duplicates.
fn languages(given: Option<&[Text<2, 35>]>) -> Result<Option<Vec<String>>> {
    let Some(given) = given else {
        return Ok(None);
    };
    if given.len() > LANGUAGES_MAX {
        let message = format!("languages must be at most {LANGUAGES_MAX} texts");
        return Err(Error::invalid("languages", message));
    }
    let mut languages: Vec<String> = Vec::new();
    for tag in given {
        if !post::is_language(tag) {
            let message = "languages must be BCP 47 tags such as en or pt-BR";
            return Err(Error::invalid("languages", message));
        }
        if !languages.iter().any(|known| known.eq_ignore_ascii_case(tag)) {
            languages.push(tag.to_string());
        }
    }
    Ok(Some(languages))
}

fn json(texts: &[String]) -> Result<String> {
    serde_json::to_string(texts).map_err(Error::internal)
}

/// The bot's service with this id, else 404.
fn own(ctx: &mut Ctx<'_, '_>, bot: &UserId, id: &ServiceId) -> Result<Record> {
    let found = ctx.tx.optional(
        select_services!("where s.id = $1 and s.bot = $2 and s.deleted_at is null"),
        values![id, bot],
    )?;
    found.ok_or_else(|| Error::not_found("service"))
}

fn update(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &UpdateService,
    schemas: &Accepted,
) -> Result<ServiceEnvelope> {
    update_of(ctx, &caller.id, request, schemas)
}

fn update_of(
    ctx: &mut Ctx<'_, '_>,
    bot: &UserId,
    request: &UpdateService,
    schemas: &Accepted,
) -> Result<ServiceEnvelope> {
    let tags = tags(request.tags.as_deref())?;
    let languages = languages(request.languages.as_deref())?;
    let sql = sql!("select id from service where id = $1 for no key update");
    ctx.tx.lock(sql, values![request.service_id])?;
    let before = own(ctx, bot, &request.service_id)?.own()?;
    refuse_stale(schemas, &before)?;
    if let Some(name) = &request.name {
        refuse_taken(ctx, bot, name, Some(&request.service_id))?;
    }
    let name = request.name.as_deref().unwrap_or(&before.name);
    let description = request.description.as_deref().unwrap_or(&before.description);
    let tags = tags.unwrap_or_else(|| before.tags.clone());
    let words = Words::of(name, description, &tags);
    let price = request.price_credits.unwrap_or(before.price_credits);
    let active = request.active.unwrap_or(before.active);
    let acceptance = request.acceptance.as_ref().unwrap_or(&before.acceptance);
    let category = request.category.as_ref().unwrap_or(&before.category);
    let languages = json(languages.as_ref().unwrap_or(&before.languages))?;
    let tags = json(&tags)?;
    let updated_at = changed_at(ctx, &before);
    ctx.tx.execute(
        sql!(
            "update service
             set name = $1, name_key = $2, description = $3, tags = $4, tags_key = $5,
                search_text = $6, price = $7, active = $8, acceptance = $9, updated_at = $10,
                input_schema = case when $11 then $12 else input_schema end,
                output_schema = case when $13 then $14 else output_schema end,
                samples = case when $15 then $16 else samples end,
                category = $17, languages = $18
             where id = $19"
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
            request.samples.is_some(),
            schemas.samples,
            category,
            languages,
            before.id
        ],
    )?;
    search::note(ctx, before.id.as_str())?;
    Ok(ServiceEnvelope { service: own(ctx, bot, &before.id)?.own()? })
}

/// 503 if what was sent was checked beside another version of the service.
fn refuse_stale(schemas: &Accepted, before: &Service) -> Result<()> {
    if schemas.beside.is_none_or(|beside| beside == before.updated_at) {
        return Ok(());
    }
    let refusal = Refusal::new(Code::Overloaded, "the service was changed meanwhile");
    Err(refusal.retry_after(1).into())
}

/// A timestamp later than every earlier version: it is part of the cache key of compiled schemas.
fn changed_at(ctx: &Ctx<'_, '_>, before: &Service) -> Timestamp {
    let next = before.updated_at.plus(std::time::Duration::from_millis(1));
    ctx.now().max(next)
}

/// 409 if a service of the bot, other than this one, has the name.
fn refuse_taken(
    ctx: &mut Ctx<'_, '_>,
    bot: &UserId,
    name: &str,
    own: Option<&ServiceId>,
) -> Result<()> {
    let found: Option<ServiceId> = ctx.tx.optional(
        sql!("select id from service where bot = $1 and name_key = $2 and deleted_at is null"),
        values![bot, name.to_lowercase()],
    )?;
    if found.is_some_and(|id| Some(&id) != own) { Err(name_taken()) } else { Ok(()) }
}

fn delete(ctx: &mut Ctx<'_, '_>, caller: &Account, request: &DeleteService) -> Result<Deleted> {
    delete_of(ctx, &caller.id, &request.service_id)
}

fn delete_of(ctx: &mut Ctx<'_, '_>, bot: &UserId, id: &ServiceId) -> Result<Deleted> {
    let record = own(ctx, bot, id)?;
    if service::withdraw(ctx, &record.id)? {
        Ok(Deleted { deleted: true })
    } else {
        Err(Error::not_found("service"))
    }
}
