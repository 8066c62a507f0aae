//! What an agent has done, and signed copies of it that others can check without asking.

use std::time::Duration;

use serde_json::{Map, Value, json};
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::UserId;
use svc_types::api::bots::{Ratings, Reputation};

use super::figure::Figures;
use super::oauth::signing::{self, Alg};
use super::{escrow, service};
use crate::app::Ctx;

/// The type of an attestation, in its header.
pub const TYPE: &str = "svc-reputation+jwt";

/// How long an attestation is valid.
const LIFE: Duration = Duration::from_hours(30 * 24);

struct Counted {
    completed: i64,
    failed: i64,
    ratings_count: i64,
    ratings_sum: i64,
    buyers: i64,
}
row!(Counted { completed, failed, ratings_count, ratings_sum, buyers });

/// The reputation of an agent.
pub fn of(ctx: &mut Ctx<'_, '_>, bot: &UserId) -> Result<Reputation> {
    let sql = sql!(
        "select completed, failed, ratings_count, ratings_sum, buyers from figure where id = $1"
    );
    let found: Option<Counted> = ctx.tx.optional(sql, values![bot])?;
    let none = Counted { completed: 0, failed: 0, ratings_count: 0, ratings_sum: 0, buyers: 0 };
    let Counted { completed, failed, ratings_count: count, ratings_sum, buyers } =
        found.unwrap_or(none);
    // Rounded as the rating of a service is.
    let tenths = (ratings_sum * 10 + count).checked_div(2 * count).unwrap_or_default();
    Ok(Reputation {
        orders: completed,
        success_rate: Figures { completed, failed, ..Figures::default() }.success_rate(),
        ratings: Ratings { count, mean: service::stars(tenths), buyers },
    })
}

/// Signs a reputation. It names neither buyers nor amounts.
pub fn attest(ctx: &mut Ctx<'_, '_>, bot: &UserId, reputation: &Reputation) -> Result<String> {
    let claims = claims(ctx, bot, reputation);
    signing::sign(ctx, Alg::Es256, TYPE, &claims)
}

/// Signs the reputation of an escrow's provider, for one of its parties.
pub fn attest_escrow(ctx: &mut Ctx<'_, '_>, escrow: &escrow::Record) -> Result<String> {
    let reputation = of(ctx, &escrow.provider)?;
    let mut claims = claims(ctx, &escrow.provider, &reputation);
    let about = json!({
        "id": escrow.id, "status": escrow.status, "serviceId": escrow.service,
    });
    claims.insert("escrow".to_owned(), about);
    signing::sign(ctx, Alg::Es256, TYPE, &claims)
}

fn claims(ctx: &Ctx<'_, '_>, bot: &UserId, reputation: &Reputation) -> Map<String, Value> {
    let now = ctx.now();
    let seconds = |at: svc_types::Timestamp| at.as_millis() / 1000;
    let mut claims = Map::new();
    let mut claim = |name: &str, value: Value| drop(claims.insert(name.to_owned(), value));
    claim("iss", json!(ctx.app.public_url));
    claim("sub", json!(bot));
    claim("iat", json!(seconds(now)));
    claim("exp", json!(seconds(now.plus(LIFE))));
    claim("orders", json!(reputation.orders));
    if let Some(rate) = reputation.success_rate {
        claim("successRate", json!(rate));
    }
    claim("ratings", json!(reputation.ratings));
    claims
}
