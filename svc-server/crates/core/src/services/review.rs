//! Reviews: what buyers say of completed orders, for everyone to read.

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::messages::RequestStatus;
use svc_types::api::orders::{CreateReview, Review, ReviewPage};
use svc_types::{Code, EscrowId, MessageId, Rating, ReviewId, ServiceId, Timestamp, UserId};

use super::service::{self, Rated};
use super::{owner, service_request};
use crate::app::Ctx;
use crate::identity::Account;
use crate::page::Page;

/// A review that is shown.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: ReviewId,
    /// Who wrote it.
    pub buyer: UserId,
    /// Whose service was ordered.
    pub bot: UserId,
    service: ServiceId,
    half_steps: i64,
    text: Option<String>,
    created_at: Timestamp,
}
row!(Record {
    id: "w.id",
    buyer: "w.buyer",
    bot: "w.bot",
    service: "w.service",
    half_steps: "w.half_steps",
    // What a deleted account wrote is hidden until it is erased.
    text: "case when a.deleted_at is null then w.text end",
    created_at: "w.created_at",
});

/// A statement that reads review [`Record`]s, by conditions on the review and on its buyer `a`.
macro_rules! select_reviews {
    ($conditions:literal) => {
        sql!(
            "select ",
            Record::COLUMNS,
            " from review w cross join account a where a.id = w.buyer and ",
            $conditions
        )
    };
}

impl Record {
    /// The review as the API returns it.
    pub fn into_api(self) -> Result<Review> {
        Ok(Review {
            id: self.id,
            service_id: self.service,
            rating: rating(self.half_steps)?,
            text: self.text,
            created_at: self.created_at,
        })
    }
}

fn rating(half_steps: i64) -> Result<Rating> {
    let found = u8::try_from(half_steps).ok().and_then(Rating::from_half_steps);
    found.ok_or_else(|| Error::internal("a stored rating is out of its range"))
}

/// An order as its reviews find it.
struct Order {
    id: MessageId,
    service: ServiceId,
    bot: UserId,
}

/// The order with this id, locked: 404 for others than its parties, 403 for its provider. What is
/// overdue is advanced first.
fn take(
    ctx: &mut Ctx<'_, '_>,
    id: &MessageId,
    caller: &Account,
) -> Result<service_request::Record> {
    let order = service_request::take(ctx, id)?;
    let order = order.filter(|order| [&order.requester, &order.provider].contains(&&caller.id));
    let order = order.ok_or_else(|| Error::not_found("order"))?;
    if order.requester != caller.id {
        return Err(Error::refused(Code::Forbidden, "only its buyer may review an order"));
    }
    order.refuse_overdue(ctx)?;
    Ok(order)
}

/// Reviews a completed order, once, and counts its rating.
pub fn create(ctx: &mut Ctx<'_, '_>, buyer: &Account, request: &CreateReview) -> Result<Review> {
    let order = take(ctx, &request.order_id, buyer)?;
    if owner::are_of_one(ctx, [&order.requester, &order.provider])? {
        return Err(service::own_rating());
    }
    if *order.state() != RequestStatus::Completed {
        let message = format!("the order is {}, and must be completed", order.state_word());
        return Err(Refusal::new(Code::WrongState, message).hint(order.state_word()).into());
    }
    let order = Order { id: order.id, service: order.service, bot: order.provider };
    let record = Record {
        id: ctx.id(),
        buyer: buyer.id.clone(),
        bot: order.bot,
        service: order.service,
        half_steps: request.rating.half_steps().into(),
        text: request.text.as_deref().map(str::to_owned),
        created_at: ctx.now(),
    };
    insert(ctx, &order.id, &record)?;
    let (rated, at) = (Rated::Review(&record.id), record.created_at);
    service::rate(ctx, &record.service, &buyer.id, rated, request.rating, at)?;
    record.into_api()
}

fn insert(ctx: &mut Ctx<'_, '_>, order: &MessageId, record: &Record) -> Result<()> {
    let rows = ctx.tx.execute(
        sql!(
            "insert into review (id, order_id, service, bot, buyer, half_steps, text, created_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)
             on conflict do nothing"
        ),
        values![
            record.id,
            order,
            record.service,
            record.bot,
            record.buyer,
            record.half_steps,
            record.text,
            record.created_at
        ],
    )?;
    if rows == 1 {
        return Ok(());
    }
    let refusal = Refusal::new(Code::AlreadyExists, "the order has a review already");
    Err(refusal.hint("take it back first, unless moderators removed it").into())
}

/// Takes back the caller's review of an order; 404 if there is none.
pub fn take_back(ctx: &mut Ctx<'_, '_>, buyer: &Account, order: &MessageId) -> Result<()> {
    let order = take(ctx, order, buyer)?;
    let found: Option<ReviewId> = ctx.tx.optional(
        sql!("select id from review where order_id = $1 and deleted_at is null"),
        values![order.id],
    )?;
    let found = found.ok_or_else(|| Error::not_found("review"))?;
    if end(ctx, &found, EndedBy::Author)? { Ok(()) } else { Err(Error::not_found("review")) }
}

/// Removes a review for moderators; false if it was gone already.
pub fn remove(ctx: &mut Ctx<'_, '_>, id: &ReviewId) -> Result<bool> {
    end(ctx, id, EndedBy::Moderator)
}

/// Who ends a review.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndedBy {
    Author,
    Moderator,
}

/// Ends a review, and counts what its author gave the service before. The text of one that moderators
/// removed stays for them.
fn end(ctx: &mut Ctx<'_, '_>, id: &ReviewId, by: EndedBy) -> Result<bool> {
    let (now, is_removed) = (ctx.now(), by == EndedBy::Moderator);
    let ended: Option<(ServiceId, UserId)> = ctx.tx.optional(
        sql!(
            "update review
             set deleted_at = $1, removed = $2, text = case when $2 then text end
             where id = $3 and deleted_at is null
             returning service, buyer"
        ),
        values![now, is_removed, id],
    )?;
    let Some((service, buyer)) = ended else { return Ok(false) };
    count_again(ctx, &service, &buyer)?;
    Ok(true)
}

/// Counts the latest rating that a buyer still gives a service: by a review, or at a release.
fn count_again(ctx: &mut Ctx<'_, '_>, service: &ServiceId, buyer: &UserId) -> Result<()> {
    // Another review of the buyer's may begin or end at the same time.
    service::lock_ratings(ctx, service, buyer)?;
    let review: Option<(ReviewId, i64, Timestamp)> = ctx.tx.optional(
        sql!(
            "select id, half_steps, created_at from review
             where service = $1 and buyer = $2 and deleted_at is null
             order by id desc limit 1"
        ),
        values![service, buyer],
    )?;
    let release: Option<(EscrowId, i64, Timestamp)> = ctx.tx.optional(
        sql!(
            "select id, rating_half, closed_at from escrow
             where service = $1 and buyer = $2 and rating_half is not null
             order by closed_at desc limit 1"
        ),
        values![service, buyer],
    )?;
    let reviewed_at = review.as_ref().map(|(_, _, at)| *at);
    match (review, release) {
        (_, Some((id, half_steps, at))) if Some(at) > reviewed_at => {
            service::rate(ctx, service, buyer, Rated::Release(&id), rating(half_steps)?, at)
        }
        (Some((id, half_steps, at)), _) => {
            service::rate(ctx, service, buyer, Rated::Review(&id), rating(half_steps)?, at)
        }
        _ => service::unrate(ctx, service, buyer),
    }
}

/// The review with this id, unless it is gone.
pub fn find(ctx: &mut Ctx<'_, '_>, id: &ReviewId) -> Result<Option<Record>> {
    ctx.tx.optional(select_reviews!("w.id = $1 and w.deleted_at is null"), values![id])
}

/// The review of an order, if there is one.
pub fn of_order(ctx: &mut Ctx<'_, '_>, order: &MessageId) -> Result<Option<Review>> {
    let found: Option<Record> = ctx
        .tx
        .optional(select_reviews!("w.order_id = $1 and w.deleted_at is null"), values![order])?;
    found.map(Record::into_api).transpose()
}

/// A page of reviews of an agent's services, newest first. Those of suspended buyers are not shown, as their ratings do
/// not count.
pub fn of_bot(ctx: &mut Ctx<'_, '_>, page: &Page, bot: &UserId) -> Result<ReviewPage> {
    let found = ctx.tx.all(
        select_reviews!(
            "w.bot = $1 and w.deleted_at is null and w.id < $2 and a.status <> 'suspended'
             order by w.id desc limit $3"
        ),
        values![bot, page.before(), page.rows()],
    )?;
    paged(page, found)
}

/// A page of reviews of a service, newest first, as [`of_bot`] shows them.
pub fn of_service(ctx: &mut Ctx<'_, '_>, page: &Page, service: &ServiceId) -> Result<ReviewPage> {
    let found = ctx.tx.all(
        select_reviews!(
            "w.service = $1 and w.deleted_at is null and w.id < $2 and a.status <> 'suspended'
             order by w.id desc limit $3"
        ),
        values![service, page.before(), page.rows()],
    )?;
    paged(page, found)
}

fn paged(page: &Page, mut found: Vec<Record>) -> Result<ReviewPage> {
    let next_cursor = page.cut(&mut found, |last| vec![last.id.to_string()]);
    let reviews = found.into_iter().map(Record::into_api).collect::<Result<_>>()?;
    Ok(ReviewPage { reviews, next_cursor })
}
