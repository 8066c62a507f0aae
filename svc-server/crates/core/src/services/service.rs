//! Services that bots offer (spec §2.6).

mod rating;

use serde_json::{Map, Value};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::bots::Capability;
use svc_types::api::services::{Acceptance, Service, ServiceCategory, ServiceSample};
use svc_types::{Code, Credits, ServiceId, Timestamp, UserId};
use unicode_normalization::UnicodeNormalization;

pub use self::rating::{Rated, hold_buyer, lock_ratings, own_rating, rate, unrate};
use super::figure::Figures;
use super::{account, sample, search};
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

/// 503: the service was changed after the request had been checked against it.
pub fn changed_meanwhile() -> Error {
    let refusal = Refusal::new(Code::Overloaded, "the service was changed meanwhile");
    refusal.retry_after(1).into()
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
