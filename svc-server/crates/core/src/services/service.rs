//! Services that bots offer (spec §2.6).

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::bots::Capability;
use svc_types::api::services::{Acceptance, Service, ServiceCategory, ServiceSample};
use svc_types::{Code, Credits, EscrowId, Rating, ReviewId, ServiceId, Timestamp, UserId};
use unicode_normalization::UnicodeNormalization;

use super::figure::Figures;
use super::{account, sample, search, visibility};
use crate::app::Ctx;

/// A service's row.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: ServiceId,
    /// The account that offers it.
    pub bot: UserId,
    /// Its name.
    pub name: String,
    /// Its description.
    pub description: String,
    tags: String,
    /// Its price.
    pub price: Credits,
    /// JSON Schema of the input.
    pub input_schema: Option<String>,
    /// JSON Schema of the output.
    pub output_schema: Option<String>,
    /// Whether it can be ordered.
    pub active: bool,
    /// How orders are accepted.
    pub acceptance: Acceptance,
    category: ServiceCategory,
    languages: String,
    /// Its samples, as JSON.
    pub samples: Option<String>,
    completed: Option<i64>,
    failed: Option<i64>,
    median_ms: Option<i64>,
    p95_ms: Option<i64>,
    ratings_count: i64,
    rating_tenths: i64,
    created_at: Timestamp,
    /// When its bot last changed it.
    pub updated_at: Timestamp,
}
row!(Record {
    id: "s.id",
    bot: "s.bot",
    name: "s.name",
    description: "s.description",
    tags: "s.tags",
    price: "s.price",
    input_schema: "s.input_schema",
    output_schema: "s.output_schema",
    active: "s.active",
    acceptance: "s.acceptance",
    category: "s.category",
    languages: "s.languages",
    samples: "s.samples",
    completed: "f.completed",
    failed: "f.failed",
    median_ms: "f.median_ms",
    p95_ms: "f.p95_ms",
    ratings_count: "s.ratings_count",
    rating_tenths: "s.rating_tenths",
    created_at: "s.created_at",
    updated_at: "s.updated_at",
});

/// A statement that reads service [`Record`]s: `select_services!("where s.id = $1")`.
#[macro_export]
macro_rules! select_services {
    ($rest:expr) => {
        svc_store::sql!(
            "select ",
            $crate::services::service::Record::COLUMNS,
            " from service s left join figure f on f.id = s.id ",
            $rest
        )
    };
}

impl Record {
    /// The service as its bot sees it.
    pub fn own(self) -> Result<Service> {
        Ok(Service {
            tags: self.tags()?,
            languages: texts(&self.languages)?,
            samples: self.samples()?,
            orders_done: self.figures().completed,
            median_answer_seconds: self.figures().median_seconds(),
            p95_answer_seconds: self.figures().p95_seconds(),
            success_rate: self.figures().success_rate(),
            rating: self.rating(),
            input_schema: schema(self.input_schema.as_deref())?,
            output_schema: schema(self.output_schema.as_deref())?,
            id: self.id,
            name: self.name,
            price_credits: self.price,
            ratings_count: self.ratings_count,
            description: self.description,
            active: self.active,
            acceptance: self.acceptance,
            category: self.category,
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }

    /// The service as buyers see it.
    pub fn capability(self) -> Result<Capability> {
        let without_order = |sample: ServiceSample| ServiceSample { order_id: None, ..sample };
        Ok(Capability {
            tags: self.tags()?,
            languages: texts(&self.languages)?,
            samples: self.samples()?.into_iter().map(without_order).collect(),
            orders_done: self.figures().completed,
            median_answer_seconds: self.figures().median_seconds(),
            p95_answer_seconds: self.figures().p95_seconds(),
            success_rate: self.figures().success_rate(),
            rating: self.rating(),
            input_schema: schema(self.input_schema.as_deref())?,
            output_schema: schema(self.output_schema.as_deref())?,
            id: self.id,
            name: self.name,
            price_credits: self.price,
            ratings_count: self.ratings_count,
            description: self.description,
            acceptance: self.acceptance,
            category: self.category,
        })
    }

    /// The service as a report keeps it: without samples that are orders, which their buyers may take back.
    pub fn reported(self) -> Result<Capability> {
        let is_own = |sample: &ServiceSample| sample.order_id.is_none();
        let samples = self.samples()?.into_iter().filter(is_own).collect();
        Ok(Capability { samples, ..self.capability()? })
    }

    fn tags(&self) -> Result<Vec<String>> {
        texts(&self.tags)
    }

    fn samples(&self) -> Result<Vec<ServiceSample>> {
        let samples = self.samples.as_deref().map(serde_json::from_str).transpose();
        Ok(samples.map_err(Error::internal)?.unwrap_or_default())
    }

    fn figures(&self) -> Figures {
        Figures {
            completed: self.completed.unwrap_or_default(),
            failed: self.failed.unwrap_or_default(),
            median_ms: self.median_ms,
            p95_ms: self.p95_ms,
        }
    }

    fn rating(&self) -> f64 {
        stars(self.rating_tenths)
    }
}

/// A JSON column with texts.
pub fn texts(json: &str) -> Result<Vec<String>> {
    serde_json::from_str(json).map_err(Error::internal)
}

/// A name as it is compared with others of its bot: in lower case, and with accents in one form.
pub fn name_key(name: &str) -> String {
    name.to_lowercase().nfc().collect()
}

/// The text that a search for services matches as it is, in lower case.
pub fn search_text(name: &str, tags: &[String], description: &str) -> String {
    format!("{name}\n{}\n{description}", tags.join("\n")).to_lowercase()
}

/// A mean rating as the API returns it.
pub fn stars(tenths: i64) -> f64 {
    i32::try_from(tenths).map_or(0.0, |tenths| f64::from(tenths) / 10.0)
}

fn schema(json: Option<&str>) -> Result<Option<Map<String, Value>>> {
    json.map(serde_json::from_str).transpose().map_err(Error::internal)
}

/// The active service of this bot with this id, else 404.
pub fn offered(ctx: &mut Ctx<'_, '_>, id: &ServiceId, bot: &account::Record) -> Result<Record> {
    if bot.is_paused {
        let message = "the agent's owner has paused it, and it offers nothing meanwhile";
        return Err(Error::refused(Code::ServiceNotFound, message));
    }
    let found = ctx.tx.optional(
        select_services!("where s.id = $1 and s.bot = $2 and s.active and s.deleted_at is null"),
        values![id, bot.id],
    )?;
    found.ok_or_else(|| Error::refused(Code::ServiceNotFound, "the account offers no such service"))
}

/// Deletes a service; false if it was deleted already. Its row stays for the deals that name it,
/// without samples.
pub fn withdraw(ctx: &mut Ctx<'_, '_>, id: &ServiceId) -> Result<bool> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update service set active = false, deleted_at = $1, samples = null
             where id = $2 and deleted_at is null"
        ),
        values![now, id],
    )?;
    sample::end_of_service(ctx, id)?;
    search::note(ctx, id.as_str())?;
    Ok(rows == 1)
}

/// What gave a rating.
#[derive(Clone, Copy, Debug)]
pub enum Rated<'a> {
    /// The release of an escrow.
    Release(&'a EscrowId),
    /// A review.
    Review(&'a ReviewId),
}

impl Rated<'_> {
    const fn escrow(&self) -> Option<&EscrowId> {
        match self {
            Self::Release(escrow) => Some(*escrow),
            Self::Review(_) => None,
        }
    }

    const fn review(&self) -> Option<&ReviewId> {
        match self {
            Self::Review(review) => Some(*review),
            Self::Release(_) => None,
        }
    }
}

/// 403 for a rating by the owner of the agent, or by another agent of that owner.
pub fn own_rating() -> Error {
    Error::refused(Code::Forbidden, "an owner and their agents can't rate each other")
}

/// Counts a buyer's rating. Only the latest of each buyer counts, and none while the buyer is suspended.
pub fn rate(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    buyer: &UserId,
    rated: Rated<'_>,
    rating: Rating,
    at: Timestamp,
) -> Result<()> {
    let before = counted(ctx, service, buyer)?;
    let (half_steps, counts) = (i64::from(rating.half_steps()), before.buyer_counts);
    ctx.tx.execute(
        sql!(
            "insert into service_rating (service, buyer, bot, escrow, review, half_steps, at,
                counted)
             values ($1, $2, $3, $4, $5, $6, $7, $8)
             on conflict (service, buyer) do update
             set escrow = excluded.escrow, review = excluded.review,
                half_steps = excluded.half_steps, at = excluded.at, counted = excluded.counted"
        ),
        values![service, buyer, before.bot, rated.escrow(), rated.review(), half_steps, at, counts],
    )?;
    let (number, sum) = if counts { (1, half_steps) } else { (0, 0) };
    count_instead(ctx, service, buyer, &before, number, sum)
}

/// Counts no rating of a buyer any more.
pub fn unrate(ctx: &mut Ctx<'_, '_>, service: &ServiceId, buyer: &UserId) -> Result<()> {
    let before = counted(ctx, service, buyer)?;
    let sql = sql!("delete from service_rating where service = $1 and buyer = $2");
    ctx.tx.execute(sql, values![service, buyer])?;
    count_instead(ctx, service, buyer, &before, 0, 0)
}

/// Counts this number of ratings with this sum instead of what counted before.
fn count_instead(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    buyer: &UserId,
    before: &Counted,
    number: i64,
    sum: i64,
) -> Result<()> {
    let more = number - before.number;
    add_rating(ctx, service, &before.bot, more, sum - before.sum)?;
    if more == 0 { Ok(()) } else { count_buyer(ctx, &before.bot, buyer, service, more) }
}

/// Keeps a buyer from being suspended until the transaction ends, so that whether their ratings count does not change.
pub fn hold_buyer(ctx: &mut Ctx<'_, '_>, buyer: &UserId) -> Result<()> {
    account::hold(ctx, buyer)
}

/// Locks the counters of who offers a service until the transaction ends, and so its ratings. The buyer comes first, as
/// in a suspension.
pub fn lock_ratings(ctx: &mut Ctx<'_, '_>, service: &ServiceId, buyer: &UserId) -> Result<()> {
    hold_buyer(ctx, buyer)?;
    let sql = sql!(
        "select id from figure
         where id = (select bot from service where id = $1) for no key update"
    );
    ctx.tx.lock(sql, values![service])
}

/// What a buyer's rating of a service counts: one or nothing.
struct Counted {
    /// Who offers the service.
    bot: UserId,
    number: i64,
    /// In half steps.
    sum: i64,
    /// Whether what the buyer rates it now is counted.
    buyer_counts: bool,
}
row!(Counted {
    bot: "s.bot",
    number: "case when r.counted = true then 1 else 0 end",
    sum: "case when r.counted = true then r.half_steps else 0 end",
    buyer_counts: visibility::RATING_INCLUDED,
});

/// What a buyer's rating counts. The ratings are locked until the transaction ends, and the buyer is not suspended
/// meanwhile.
fn counted(ctx: &mut Ctx<'_, '_>, service: &ServiceId, buyer: &UserId) -> Result<Counted> {
    lock_ratings(ctx, service, buyer)?;
    ctx.tx.one(
        sql!(
            "select ",
            Counted::COLUMNS,
            " from service s
             join account a on a.id = $1
             left join service_rating r on r.service = s.id and r.buyer = $1
             where s.id = $2"
        ),
        values![buyer, service],
    )
}

/// Changes the number and the sum of ratings.
fn add_rating(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    bot: &UserId,
    more: i64,
    sum: i64,
) -> Result<()> {
    // The mean in tenths of a step of 1, rounded half up: sum / 2 / count * 10.
    ctx.tx.execute(
        sql!(
            "update service
             set ratings_count = ratings_count + $1, ratings_sum = ratings_sum + $2,
                rating_tenths = case when ratings_count + $1 = 0 then 0 else
                    ((ratings_sum + $2) * 10 + (ratings_count + $1))
                        / (2 * (ratings_count + $1)) end
             where id = $3"
        ),
        values![more, sum, service],
    )?;
    let sql = sql!(
        "update figure set ratings_count = ratings_count + $1, ratings_sum = ratings_sum + $2
         where id = $3"
    );
    ctx.tx.execute(sql, values![more, sum, bot]).map(drop)
}

/// Counts a buyer who rates a service of an agent, unless another one of it was rated.
fn count_buyer(
    ctx: &mut Ctx<'_, '_>,
    bot: &UserId,
    buyer: &UserId,
    service: &ServiceId,
    more: i64,
) -> Result<()> {
    let sql = sql!(
        "update figure set buyers = buyers + $1
         where id = $2 and not exists (
            select 1 from service_rating r
            where r.bot = $2 and r.buyer = $3 and r.service <> $4 and r.counted = true)"
    );
    ctx.tx.execute(sql, values![more, bot, buyer, service]).map(drop)
}
