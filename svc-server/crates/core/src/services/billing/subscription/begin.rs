//! From the request to the page on which the first month is paid.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::tiers::{Subscribe, SubscriptionStatus};
use svc_types::{Code, SubscriptionId, UserId};

use super::super::facts::{Session, SessionState};
use super::super::queue::{self, Kind};
use super::{Record, change, ids, known, running, seat, take, text_of};
use crate::app::Ctx;
use crate::identity::Account;
use crate::services::account;

/// How long a page can be paid.
const LIFE: Duration = Duration::from_hours(23);

/// A subscription that was asked for, or a change of one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// The subscription.
    pub subscription: SubscriptionId,
    /// What the provider must do first: the page of the subscription or the change with this id.
    pub work: Option<String>,
}

/// Begins a subscription of the caller, or changes who has its seats.
pub fn subscribe(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &Subscribe,
    in_test: bool,
) -> Result<Asked> {
    if caller.is_agent {
        let message = "only people subscribe; an agent can buy a pass";
        return Err(Error::refused(Code::NotAPerson, message));
    }
    let seats = seat::named(ctx, caller, &request.seats)?;
    account::lock(ctx, &caller.id)?;
    let Some(record) = running(ctx, &caller.id)? else {
        return insert(ctx, &caller.id, &seats, in_test);
    };
    let record = take(ctx, &record.id)?;
    let is_same = ids(&record.wanted) == seats;
    match record.status {
        SubscriptionStatus::Creating | SubscriptionStatus::Open if is_same => {
            let work = (record.status == SubscriptionStatus::Creating)
                .then(|| record.id.as_str().to_owned());
            Ok(Asked { subscription: record.id, work })
        }
        SubscriptionStatus::Creating => {
            let message = "the page of the subscription is being made";
            let refusal = Refusal::new(Code::WrongState, message);
            Err(refusal.hint("repeat the first request, or try again in a minute").into())
        }
        // The page with other seats is closed before the new one is made.
        SubscriptionStatus::Open => {
            withdraw(ctx, &record)?;
            insert(ctx, &caller.id, &seats, in_test)
        }
        _ => change::seats(ctx, &record, &seats),
    }
}

fn insert(
    ctx: &mut Ctx<'_, '_>,
    person: &UserId,
    seats: &[UserId],
    in_test: bool,
) -> Result<Asked> {
    let config = &ctx.app.config;
    let (currency, amount) = (config.billing.currency.clone(), config.pro.amount(&config.billing));
    let (id, now): (SubscriptionId, _) = (ctx.id(), ctx.now());
    let (wanted, expires_at) = (text_of(seats), now.plus(LIFE));
    ctx.tx.write(
        sql!(
            "insert into subscription (id, account, status, currency, amount, in_test, wanted,
                quantity, cancels, created_at, expires_at)
             values ($1, $2, 'creating', $3, $4, $5, $6, 0, false, $7, $8)"
        ),
        values![id, person, currency, amount, in_test, wanted, now, expires_at],
    )?;
    queue::raise_for_request(ctx, Kind::NewSubscription, id.as_str())?;
    let work = Some(id.as_str().to_owned());
    Ok(Asked { subscription: id, work })
}

/// Ends a subscription that nobody has paid. The worker closes its page.
pub(super) fn withdraw(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<()> {
    end_unpaid(ctx, &record.id)?;
    queue::raise(ctx, Kind::NewSubscription, record.id.as_str())
}

fn end_unpaid(ctx: &mut Ctx<'_, '_>, id: &SubscriptionId) -> Result<()> {
    let now = ctx.now();
    ctx.tx.write(
        sql!(
            "update subscription set status = 'ended', ended_at = $1
             where id = $2 and status in ('creating', 'open')"
        ),
        values![now, id],
    )
}

/// Ends a subscription whose page the provider refuses to make.
pub fn give_up(ctx: &mut Ctx<'_, '_>, id: &SubscriptionId) -> Result<()> {
    take(ctx, id)?;
    end_unpaid(ctx, id)
}

/// Pages of subscriptions of the same person that were withdrawn and may still be open.
pub fn withdrawn_pages(ctx: &mut Ctx<'_, '_>, record: &Record) -> Result<Vec<String>> {
    let now = ctx.now();
    let sql = sql!(
        "select session from subscription
         where account = $1 and status = 'ended' and provider_id is null and expires_at > $2
            and session is not null
         order by id"
    );
    ctx.tx.all(sql, values![record.account, now])
}

/// Pages that wait for their payer: a look at them finds what no webhook brought.
pub fn raise_open(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<()> {
    let sql = sql!("select session from subscription where status = 'open' order by id limit $1");
    let sessions: Vec<String> = ctx.tx.all(sql, values![most])?;
    sessions.iter().try_for_each(|session| queue::raise(ctx, Kind::Session, session))
}

/// The page of a subscription, if it waits for its payer and nothing has named it lately.
pub fn unseen(ctx: &mut Ctx<'_, '_>, id: &SubscriptionId) -> Result<Option<String>> {
    let sql = sql!(
        "select s.session from subscription s
         where s.id = $1 and s.status = 'open' and not exists (
            select 1 from provider_object o where o.id = s.session and o.due_at is not null)"
    );
    ctx.tx.optional(sql, values![id])
}

/// Applies what a page is now. `provider_id` is the subscription that was made by paying it.
pub fn apply_page(
    ctx: &mut Ctx<'_, '_>,
    id: &SubscriptionId,
    page: &Session,
    provider_id: Option<&str>,
) -> Result<()> {
    if known(ctx, id)?.is_none() {
        return Ok(());
    }
    let record = take(ctx, id)?;
    match (&record.status, page.state, provider_id) {
        (SubscriptionStatus::Creating, SessionState::Unpaid, _) => {
            let sql = sql!(
                "update subscription set status = 'open', session = $1, url = $2
                 where id = $3 and status = 'creating'"
            );
            ctx.tx.write(sql, values![page.id, page.url, id])
        }
        (_, SessionState::Expired, _) => {
            note_page(ctx, id, page)?;
            end_unpaid(ctx, id)
        }
        (_, SessionState::Paid, Some(made)) => {
            note_page(ctx, id, page)?;
            queue::raise(ctx, Kind::Subscription, made)
        }
        // A page that was withdrawn while it was made is to be closed.
        (SubscriptionStatus::Ended, SessionState::Unpaid, _) if page.url.is_some() => {
            note_page(ctx, id, page)?;
            queue::raise(ctx, Kind::NewSubscription, id.as_str())
        }
        _ => Ok(()),
    }
}

fn note_page(ctx: &mut Ctx<'_, '_>, id: &SubscriptionId, page: &Session) -> Result<()> {
    let sql = sql!("update subscription set session = $1 where id = $2 and session is null");
    ctx.tx.write(sql, values![page.id, id])
}
