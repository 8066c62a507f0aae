//! Services whose texts have a meaning similar to that of a term, by the vectors of an embedder.

use std::collections::HashMap;

use svc_store::db::{SLOTS, slots};
use svc_store::error::{Error, Overdue, Result};
use svc_store::{row, sql, values};
use svc_types::{ServiceId, UserId};

use crate::app::Ctx;
use crate::embeddings::{TEXTS_MAX, Term, Vector};

/// Services that a search finds by meaning, and how many of them one agent offers. An agent may have a hundred, all
/// with the same texts.
const FOUND_MAX: usize = 100;
const OF_ONE_MAX: usize = 10;

/// Services that a search compares, and how many it loads at once.
const COMPARED_MAX: usize = 20_000;
const LOADED: usize = 1_000;

/// Characters of a text that is embedded. Models read less.
const TEXT_MAX: usize = 4_000;

/// A service whose vector is missing, or was computed by another source.
#[derive(Debug)]
pub struct Waiting {
    service: ServiceId,
    /// Which of its texts this is, so that a change meanwhile is not lost.
    version: i64,
    name: String,
    tags: String,
    description: String,
}
row!(Waiting {
    service: "v.service",
    version: "v.version",
    name: "s.name",
    tags: "s.tags",
    description: "s.description",
});

impl Waiting {
    /// What is embedded.
    pub fn text(&self) -> String {
        let tags: Vec<String> = serde_json::from_str(&self.tags).unwrap_or_default();
        let text = format!("{}\n{}\n{}", self.name, tags.join(", "), self.description);
        text.chars().take(TEXT_MAX).collect()
    }

    /// Which service it is.
    pub const fn service(&self) -> &ServiceId {
        &self.service
    }
}

/// Notes that the texts of a service have changed, or that it is gone.
pub(super) fn note(ctx: &mut Ctx<'_, '_>, service: &ServiceId, exists: bool) -> Result<()> {
    let sql = if exists {
        sql!(
            "insert into service_vector (service) values ($1)
             on conflict (service) do update
                set version = service_vector.version + 1, source = ''"
        )
    } else {
        sql!("delete from service_vector where service = $1")
    };
    ctx.tx.execute(sql, values![service]).map(|_| ())
}

/// Some services that wait for a vector of this source.
pub fn waiting(ctx: &mut Ctx<'_, '_>, source: &str) -> Result<Vec<Waiting>> {
    let count = i64::try_from(TEXTS_MAX).map_err(Error::internal)?;
    ctx.tx.all(
        sql!(
            "select ",
            Waiting::COLUMNS,
            " from (
                select * from (
                    select service, version from service_vector where source < $1
                    order by source, service limit $2) below
                union all
                select * from (
                    select service, version from service_vector where source > $1
                    order by source, service limit $2) above
             ) v
             join service s on s.id = v.service
             limit $2"
        ),
        values![source, count],
    )
}

/// Keeps the vector of a service, unless its texts have changed meanwhile. One without a vector is similar to no term.
pub fn keep(
    ctx: &mut Ctx<'_, '_>,
    of: &Waiting,
    source: &str,
    vector: Option<&Vector>,
) -> Result<()> {
    let bytes = vector.map_or(&[][..], Vector::bytes);
    let sql = sql!(
        "update service_vector set vector = $1, source = $2 where service = $3 and version = $4"
    );
    ctx.tx.execute(sql, values![bytes, source, of.service, of.version]).map(|_| ())
}

/// The services closest to a term, the closest first; none without an embedder. The first search for a
/// term is [`Overdue`] until its vector is known.
pub(super) fn services(ctx: &mut Ctx<'_, '_>, term: &str) -> Result<Vec<ServiceId>> {
    let (app, now) = (ctx.app, ctx.now());
    let Some(embedder) = app.embeddings.embedder() else { return Ok(Vec::new()) };
    let vector = match app.embeddings.term(term, now) {
        Term::Known(vector) => vector,
        Term::Unknown => return Err(Error::Overdue(Overdue::Term(term.to_owned()))),
        Term::None => return Ok(Vec::new()),
    };
    let mut close = compared(ctx, embedder.source(), &vector)?;
    close.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let close: Vec<ServiceId> = close.into_iter().map(|(_, service)| service).collect();
    on_offer(ctx, &close)
}

/// The first of these services that can be ordered: the others would take their places.
fn on_offer(ctx: &mut Ctx<'_, '_>, close: &[ServiceId]) -> Result<Vec<ServiceId>> {
    let (mut found, mut of_each) = (Vec::new(), HashMap::<UserId, usize>::new());
    for some in close.chunks(SLOTS) {
        let mut bots = bots(ctx, some)?;
        for service in some {
            let Some(bot) = bots.remove(service) else { continue };
            let of_one = of_each.entry(bot).or_default();
            if *of_one < OF_ONE_MAX {
                *of_one += 1;
                found.push(service.clone());
            }
        }
        if found.len() >= FOUND_MAX {
            break;
        }
    }
    found.truncate(FOUND_MAX);
    Ok(found)
}

/// Who offers these services, of those that can be ordered.
fn bots(ctx: &mut Ctx<'_, '_>, services: &[ServiceId]) -> Result<HashMap<ServiceId, UserId>> {
    let rows: Vec<(ServiceId, UserId)> = ctx.tx.all(
        sql!(
            "select s.id, s.bot from service s cross join account a
             where s.active and s.deleted_at is null and a.id = s.bot
                and a.deleted_at is null and a.status <> 'suspended' and a.paused_at is null
                and a.allow_service_requests and s.id in (",
            slots!(1),
            ")"
        ),
        &slots(services),
    )?;
    Ok(rows.into_iter().collect())
}

/// The services that are similar enough, with their similarity.
fn compared(ctx: &mut Ctx<'_, '_>, source: &str, vector: &Vector) -> Result<Vec<(f64, ServiceId)>> {
    let least = ctx.app.config.search.similarity;
    let (mut close, mut after) = (Vec::new(), ServiceId::from(""));
    for _ in 0..COMPARED_MAX / LOADED {
        let count = i64::try_from(LOADED).map_err(Error::internal)?;
        let stored: Vec<(ServiceId, Vec<u8>)> = ctx.tx.all(
            sql!(
                "select service, vector from service_vector
                 where source = $1 and service > $2 order by service limit $3"
            ),
            values![source, after, count],
        )?;
        let Some((end, _)) = stored.last() else { break };
        after = end.clone();
        close.extend(stored.into_iter().filter_map(|(service, stored)| {
            vector.similarity(&stored).filter(|found| *found >= least).map(|found| (found, service))
        }));
    }
    Ok(close)
}
