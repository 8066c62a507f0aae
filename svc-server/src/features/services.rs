//! The services that a bot offers (spec §2.6).

mod accept;
mod owned;

use svc_core::app::Ctx;
use svc_core::identity::{Account, Viewer};
use svc_core::page::Page;
use svc_core::select_services;
use svc_core::services::service::{self, Record};
use svc_core::services::{account, figure, post, review, search};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::Deleted;
use svc_types::api::orders::ReviewPage;
use svc_types::api::services::{
    Acceptance, CreateService, DeleteService, LANGUAGES_MAX, ListServiceReviews, ListServices,
    SERVICES_MAX, Service, ServiceCategory, ServiceEnvelope, ServiceList, TAGS_MAX, UpdateService,
};
use svc_types::{Code, ServiceId, Text, Timestamp, UserId};

use self::accept::{Accepted, prepare_create, prepare_update};
use crate::http::Routes;

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

/// The text that search matches, in lower case.
struct Words {
    name: String,
    tags: String,
    all: String,
}

impl Words {
    fn of(name: &str, description: &str, tags: &[String]) -> Self {
        let (name_key, tags_key) = (service::name_key(name), tags.join("\n").to_lowercase());
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
    refuse_blank(Some(&*request.name))?;
    let labels = Labels::of(request.tags.as_deref(), request.languages.as_deref())?;
    // Serializes concurrent creations, so that each counts the other.
    account::lock(ctx, bot)?;
    refuse_too_many(ctx, bot)?;
    let id = insert(ctx, bot, request, labels, schemas)?.ok_or_else(name_taken)?;
    figure::begin(ctx, &id, bot)?;
    search::note(ctx, id.as_str())?;
    Ok(ServiceEnvelope { service: own(ctx, bot, &id)?.own()? })
}

/// Inserts a service; none when its name is taken.
fn insert(
    ctx: &mut Ctx<'_, '_>,
    bot: &UserId,
    request: &CreateService,
    labels: Labels,
    schemas: &Accepted,
) -> Result<Option<ServiceId>> {
    let (id, now): (ServiceId, _) = (ctx.id(), ctx.now());
    let tags = labels.tags.unwrap_or_default();
    let words = Words::of(&request.name, &request.description, &tags);
    let active = request.active.unwrap_or(true);
    let acceptance = request.acceptance.clone().unwrap_or(Acceptance::Implicit);
    let category = request.category.clone().unwrap_or(ServiceCategory::Unlisted);
    let (tags, languages) = (json(&tags)?, json(&labels.languages.unwrap_or_default())?);
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
    Ok((rows == 1).then_some(id))
}

/// 400 for a name that nobody sees: lists, pages and agent cards name a service by it.
fn refuse_blank(name: Option<&str>) -> Result<()> {
    account::refuse_blank_name("name", name)
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

/// Tags and languages in stored form, if they were sent.
struct Labels {
    tags: Option<Vec<String>>,
    languages: Option<Vec<String>>,
}

impl Labels {
    fn of(given: Option<&[Text<1, 32>]>, spoken: Option<&[Text<2, 35>]>) -> Result<Self> {
        Ok(Self { tags: tags(given)?, languages: languages(spoken)? })
    }
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
        account::refuse_blank_name("tags", Some(tag.as_str()))?;
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
    refuse_blank(request.name.as_deref())?;
    let labels = Labels::of(request.tags.as_deref(), request.languages.as_deref())?;
    let sql = sql!("select id from service where id = $1 for no key update");
    ctx.tx.lock(sql, values![request.service_id])?;
    let before = own(ctx, bot, &request.service_id)?.own()?;
    refuse_stale(schemas, &before)?;
    if let Some(name) = &request.name {
        refuse_taken(ctx, bot, name, Some(&request.service_id))?;
    }
    let after = changed(ctx, before, request, labels);
    store(ctx, &after, request, schemas)?;
    search::note(ctx, after.id.as_str())?;
    Ok(ServiceEnvelope { service: own(ctx, bot, &after.id)?.own()? })
}

/// The service with what is sent, but for schemas and samples, and the rest as it was.
fn changed(
    ctx: &Ctx<'_, '_>,
    mut service: Service,
    request: &UpdateService,
    labels: Labels,
) -> Service {
    service.updated_at = changed_at(ctx, &service);
    service.name = request.name.as_deref().map_or(service.name, str::to_owned);
    service.description = request.description.as_deref().map_or(service.description, str::to_owned);
    service.tags = labels.tags.unwrap_or(service.tags);
    service.price_credits = request.price_credits.unwrap_or(service.price_credits);
    service.active = request.active.unwrap_or(service.active);
    service.acceptance = request.acceptance.clone().unwrap_or(service.acceptance);
    service.category = request.category.clone().unwrap_or(service.category);
    service.languages = labels.languages.unwrap_or(service.languages);
    service
}

/// Stores a changed service. Its schemas and samples are kept unless they are sent.
fn store(
    ctx: &mut Ctx<'_, '_>,
    after: &Service,
    request: &UpdateService,
    schemas: &Accepted,
) -> Result<()> {
    let words = Words::of(&after.name, &after.description, &after.tags);
    let (tags, languages) = (json(&after.tags)?, json(&after.languages)?);
    ctx.tx.execute(
        sql!(
            "update service
             set name = $1, name_key = case when $2 then $3 else name_key end,
                description = $4, tags = $5, tags_key = $6,
                search_text = $7, price = $8, active = $9, acceptance = $10, updated_at = $11,
                input_schema = case when $12 then $13 else input_schema end,
                output_schema = case when $14 then $15 else output_schema end,
                samples = case when $16 then $17 else samples end,
                category = $18, languages = $19
             where id = $20"
        ),
        values![
            after.name,
            request.name.is_some(),
            words.name,
            after.description,
            tags,
            words.tags,
            words.all,
            after.price_credits,
            after.active,
            after.acceptance,
            after.updated_at,
            request.input_schema.is_some(),
            schemas.input,
            request.output_schema.is_some(),
            schemas.output,
            request.samples.is_some(),
            schemas.samples,
            after.category,
            languages,
            after.id
        ],
    )?;
    Ok(())
}

/// 503 if what was sent was checked beside another version of the service.
fn refuse_stale(schemas: &Accepted, before: &Service) -> Result<()> {
    if schemas.beside.is_none_or(|beside| beside == before.updated_at) {
        return Ok(());
    }
    Err(service::changed_meanwhile())
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
        values![bot, service::name_key(name)],
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
