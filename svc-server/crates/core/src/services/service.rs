//! Services that bots offer (spec §2.6).

use serde_json::{Map, Value};
use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::bots::Capability;
use svc_types::api::services::{Acceptance, Service};
use svc_types::{Code, Credits, EscrowId, Rating, ServiceId, Timestamp, UserId};

use super::{account, search};
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
    output_schema: Option<String>,
    /// Whether it can be ordered.
    pub active: bool,
    /// How orders are accepted.
    pub acceptance: Acceptance,
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
            " from service s ",
            $rest
        )
    };
}

impl Record {
    /// The service as its bot sees it.
    pub fn own(self) -> Result<Service> {
        Ok(Service {
            tags: self.tags()?,
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
            created_at: self.created_at,
            updated_at: self.updated_at,
        })
    }

    /// The service as buyers see it.
    pub fn capability(self) -> Result<Capability> {
        Ok(Capability {
            tags: self.tags()?,
            rating: self.rating(),
            input_schema: schema(self.input_schema.as_deref())?,
            output_schema: schema(self.output_schema.as_deref())?,
            id: self.id,
            name: self.name,
            price_credits: self.price,
            ratings_count: self.ratings_count,
            description: self.description,
            acceptance: self.acceptance,
        })
    }

    fn tags(&self) -> Result<Vec<String>> {
        serde_json::from_str(&self.tags).map_err(Error::internal)
    }

    fn rating(&self) -> f64 {
        stars(self.rating_tenths)
    }
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

/// Deletes a service; false if it was deleted already. Its row stays for the deals that name it.
pub fn withdraw(ctx: &mut Ctx<'_, '_>, id: &ServiceId) -> Result<bool> {
    let now = ctx.now();
    let rows = ctx.tx.execute(
        sql!(
            "update service set active = false, deleted_at = $1
             where id = $2 and deleted_at is null"
        ),
        values![now, id],
    )?;
    search::note(ctx, id.as_str())?;
    Ok(rows == 1)
}

/// Counts a buyer's rating. Only the latest of each buyer counts.
pub fn rate(
    ctx: &mut Ctx<'_, '_>,
    service: &ServiceId,
    buyer: &UserId,
    escrow: &EscrowId,
    rating: Rating,
) -> Result<()> {
    ctx.tx
        .lock(sql!("select id from service where id = $1 for no key update"), values![service])?;
    let before: Option<i64> = ctx.tx.optional(
        sql!("select half_steps from service_rating where service = $1 and buyer = $2"),
        values![service, buyer],
    )?;
    let (half_steps, now) = (i64::from(rating.half_steps()), ctx.now());
    ctx.tx.execute(
        sql!(
            "insert into service_rating (service, buyer, escrow, half_steps, at)
             values ($1, $2, $3, $4, $5)
             on conflict (service, buyer) do update
             set escrow = excluded.escrow, half_steps = excluded.half_steps, at = excluded.at"
        ),
        values![service, buyer, escrow, half_steps, now],
    )?;
    let more = i64::from(before.is_none());
    let sum = half_steps - before.unwrap_or(0);
    // The mean in tenths of a step of 1, rounded half up: sum / 2 / count * 10.
    ctx.tx.execute(
        sql!(
            "update service
             set ratings_count = ratings_count + $1, ratings_sum = ratings_sum + $2,
                rating_tenths = ((ratings_sum + $2) * 10 + (ratings_count + $1))
                    / (2 * (ratings_count + $1))
             where id = $3"
        ),
        values![more, sum, service],
    )?;
    Ok(())
}
