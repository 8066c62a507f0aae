//! Subscriptions of people to the tier pro.
//!
//! A person has one that runs. The provider knows how many seats are paid and until when; who has
//! them is known here.
//!
//! | module | what it holds |
//! |---|---|
//! | `begin` | from the request to the page on which the first month is paid |
//! | `change` | what the provider must change: seats, cancellation, end |
//! | `dispute` | months whose payment a bank takes back |
//! | `invoice` | months that were paid |
//! | `seat` | who has a seat |
//! | `state` | what the provider says of a subscription, applied |

pub mod begin;
pub mod change;
pub mod dispute;
pub mod invoice;
pub mod seat;
pub mod state;

use svc_store::error::{Error, Result};
use svc_store::{row, sql, values};
use svc_types::api::tiers::{Seat, Subscription, SubscriptionStatus};
use svc_types::{SubscriptionId, Timestamp, UserId};

use super::queue::{self, Kind};
use crate::app::Ctx;
use crate::services::account;

/// A stored subscription.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: SubscriptionId,
    /// The person.
    pub account: UserId,
    /// Its status.
    pub status: SubscriptionStatus,
    /// The currency.
    pub currency: String,
    /// The price of a seat for a month, without tax.
    pub amount: i64,
    in_test: bool,
    /// Who gets the first seats.
    wanted: String,
    /// The provider's page.
    pub session: Option<String>,
    url: Option<String>,
    /// What the provider calls it, once it was paid.
    pub provider_id: Option<String>,
    /// Whom the provider bills.
    pub customer: Option<String>,
    /// What the provider calls its seats.
    pub item: Option<String>,
    /// Seats that are paid.
    pub quantity: i64,
    /// Whether it ends with the period.
    pub cancels: bool,
    paid_until: Option<Timestamp>,
    /// Until when its seats give the tier.
    until: Option<Timestamp>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// Until when its page can be paid.
    pub expires_at: Timestamp,
}
row!(Record {
    id: "id",
    account: "account",
    status: "status",
    currency: "currency",
    amount: "amount",
    in_test: "in_test",
    wanted: "wanted",
    session: "session",
    url: "url",
    provider_id: "provider_id",
    customer: "customer",
    item: "item",
    quantity: "quantity",
    cancels: "cancels",
    paid_until: "paid_until",
    until: "until_at",
    created_at: "created_at",
    expires_at: "expires_at",
});

impl Record {
    /// How many seats are to be paid at first.
    pub fn seats_wanted(&self) -> usize {
        ids(&self.wanted).len()
    }

    /// The subscription as the API returns it.
    pub fn into_api(self, ctx: &mut Ctx<'_, '_>) -> Result<Subscription> {
        let is_open = self.status == SubscriptionStatus::Open;
        let seats = match self.status {
            SubscriptionStatus::Creating | SubscriptionStatus::Open => named(ctx, &self.wanted)?,
            _ => seat::with_names(ctx, &self.id)?,
        };
        Ok(Subscription {
            subscription_id: self.id,
            status: self.status,
            seats,
            currency: self.currency,
            amount: self.amount,
            paid_seats: self.quantity,
            paid_until: self.paid_until,
            cancels: self.cancels,
            in_test: self.in_test,
            url: self.url.filter(|_| is_open),
        })
    }
}

/// A subscription.
pub fn find(ctx: &mut Ctx<'_, '_>, id: &SubscriptionId) -> Result<Record> {
    known(ctx, id)?.ok_or_else(|| Error::not_found("subscription"))
}

/// A subscription, if it is known: one that was begun after a backup is not, once that is restored.
fn known(ctx: &mut Ctx<'_, '_>, id: &SubscriptionId) -> Result<Option<Record>> {
    let sql = sql!("select ", Record::COLUMNS, " from subscription where id = $1");
    ctx.tx.optional(sql, values![id])
}

/// The subscription of a person that has not ended.
pub fn running(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Option<Record>> {
    let sql = sql!(
        "select ",
        Record::COLUMNS,
        " from subscription where account = $1 and status <> 'ended'"
    );
    ctx.tx.optional(sql, values![account])
}

/// A subscription, locked until the transaction ends, with its person.
fn take(ctx: &mut Ctx<'_, '_>, id: &SubscriptionId) -> Result<Record> {
    let account = find(ctx, id)?.account;
    account::lock_with_rows(ctx, &account)?;
    ctx.tx.lock(sql!("select id from subscription where id = $1 for update"), values![id])?;
    find(ctx, id)
}

/// Queues a subscription to be read again at the provider: how long its seats are kept depends on its state
/// there, and on the money that went back.
fn look_again(ctx: &mut Ctx<'_, '_>, id: &SubscriptionId) -> Result<()> {
    match find(ctx, id)?.provider_id {
        Some(id) => queue::raise(ctx, Kind::Subscription, &id),
        None => Ok(()),
    }
}

/// The last customer of the provider that a person was.
pub fn customer(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<Option<String>> {
    let sql = sql!(
        "select customer from subscription where account = $1 and customer is not null
         order by id desc limit 1"
    );
    ctx.tx.optional(sql, values![account])
}

/// Ends the subscription of an account that is about to be deleted, and gives up its seat.
pub fn end_with(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    seat::give_up(ctx, account)?;
    let Some(record) = running(ctx, account)? else { return Ok(()) };
    match record.status {
        SubscriptionStatus::Creating | SubscriptionStatus::Open => begin::withdraw(ctx, &record),
        _ => change::end(ctx, &record),
    }
}

/// Ids of accounts, as they are kept in a column.
fn ids(text: &str) -> Vec<UserId> {
    text.split_whitespace().map(UserId::from).collect()
}

/// The reverse of [`ids`].
fn text_of(accounts: &[UserId]) -> String {
    let ids: Vec<&str> = accounts.iter().map(UserId::as_str).collect();
    ids.join(" ")
}

fn named(ctx: &mut Ctx<'_, '_>, wanted: &str) -> Result<Vec<Seat>> {
    let mut seats = Vec::new();
    for account in ids(wanted) {
        let sql = sql!("select username from account where id = $1");
        let username: Option<String> = ctx.tx.optional(sql, values![account])?;
        seats.extend(username.map(|username| Seat { account, username }));
    }
    Ok(seats)
}
