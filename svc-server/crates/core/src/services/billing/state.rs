//! What is known of the provider as a whole: the mode of its key, the name of this server there, and
//! up to when its events were read.

use std::time::Duration;

use svc_store::error::{Error, Result};
use svc_store::{sql, values};
use svc_types::Timestamp;
use svc_types::money::TOKEN;

use crate::app::Ctx;
use crate::keys;

/// How much earlier than the last look the next one begins: the clocks differ, and events come late.
const OVERLAP: Duration = Duration::from_hours(1);

/// How long the provider keeps its events.
const KEPT: Duration = Duration::from_hours(30 * 24);

/// How long a node that looks for events keeps the others from it.
const POLL_LEASE: Duration = Duration::from_mins(10);

/// The mode of the key.
const MODE: &str = "mode";
/// The name of this server in the metadata of objects.
const SERVER: &str = "server";
/// Up to when events were read, in milliseconds.
const EVENTS: &str = "events";
/// When events are read next, in milliseconds.
const POLL: &str = "poll";

/// Notes the mode of payments, and makes a name for this server; the name.
///
/// A setup error, which begins with what sets the mode, where payments of the other mode were made:
/// credits of test payments cost nothing. Another one where there is money in another currency.
pub fn open(ctx: &mut Ctx<'_, '_>, in_test: bool, cause: &str) -> Result<String> {
    let sql = sql!(
        "select in_test from payment where in_test <> $1
         union all select in_test from subscription where in_test <> $1 limit 1"
    );
    if ctx.tx.optional::<bool>(sql, values![in_test])?.is_some() {
        let payments = if in_test { "live" } else { "test" };
        let message = format!("{cause}, but this database has {payments} payments");
        return Err(Error::setup(message));
    }
    refuse_other_currency(ctx)?;
    set(ctx, MODE, if in_test { "test" } else { "live" })?;
    let (name, now) = (format!("srv_{}", keys::new_key_id()), ctx.now());
    set_once(ctx, SERVER, &name)?;
    set_once(ctx, EVENTS, &now.as_millis().to_string())?;
    get(ctx, SERVER)?.ok_or_else(|| Error::internal("this server has no name at the provider"))
}

/// A setup error where there is money in another currency: an amount is a whole number of its smallest unit, and
/// nothing converts it. A page that nobody paid on does no harm.
fn refuse_other_currency(ctx: &mut Ctx<'_, '_>) -> Result<()> {
    let currency = &ctx.app.config.billing.currency;
    let other: Option<String> = ctx.tx.optional(
        sql!(
            "select currency from (
                select currency from money_account
                union all select currency from payment where status <> 'expired'
                union all select currency from subscription where status <> 'ended'
                union all select currency from payout
                    where status in ('requested', 'approved', 'sending')
             ) used where currency not in ($1, $2) limit 1"
        ),
        values![currency, TOKEN],
    )?;
    let Some(other) = other else { return Ok(()) };
    let message =
        format!("billing.currency is {currency}, but this database has amounts in {other}");
    Err(Error::setup(message))
}

/// Whether no real money is paid.
pub fn in_test(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    Ok(mode(ctx)?.is_some_and(|mode| mode == "test"))
}

/// `test` or `live`, as the settings said when the server last started with any for payments.
pub fn mode(ctx: &mut Ctx<'_, '_>) -> Result<Option<String>> {
    get(ctx, MODE)
}

/// Begins to read events, if it is time and no other node does; since when.
pub fn begin_poll(ctx: &mut Ctx<'_, '_>) -> Result<Option<Timestamp>> {
    let now = ctx.now();
    ctx.tx.lock(
        sql!("select name from provider_state where name = $1 for update"),
        values![EVENTS],
    )?;
    if !is_poll_due(ctx)? {
        return Ok(None);
    }
    set(ctx, POLL, &now.plus(POLL_LEASE).as_millis().to_string())?;
    // A clock that was ahead noted a time that says nothing about what was read.
    let since = |read: Timestamp| if read > now { now.minus(KEPT) } else { read.minus(OVERLAP) };
    Ok(instant(ctx, EVENTS)?.map(since))
}

/// Notes that events were read up to a time.
pub fn end_poll(ctx: &mut Ctx<'_, '_>, until: Timestamp) -> Result<()> {
    let next = ctx.now().plus(ctx.app.config.billing.stripe.poll);
    set(ctx, EVENTS, &until.as_millis().to_string())?;
    set(ctx, POLL, &next.as_millis().to_string())
}

/// Up to when events were read.
pub fn events_read(ctx: &mut Ctx<'_, '_>) -> Result<Option<Timestamp>> {
    instant(ctx, EVENTS)
}

/// Whether it is time to read events. A time too far off was noted by a clock that was ahead.
pub fn is_poll_due(ctx: &mut Ctx<'_, '_>) -> Result<bool> {
    let now = ctx.now();
    let longest = ctx.app.config.billing.stripe.poll.max(POLL_LEASE);
    let far = now.plus(longest).plus(OVERLAP);
    Ok(instant(ctx, POLL)?.is_none_or(|next| now >= next || next > far))
}

fn instant(ctx: &mut Ctx<'_, '_>, name: &str) -> Result<Option<Timestamp>> {
    let Some(text) = get(ctx, name)? else { return Ok(None) };
    text.parse().map(|millis| Some(Timestamp::from_millis(millis))).map_err(Error::internal)
}

fn get(ctx: &mut Ctx<'_, '_>, name: &str) -> Result<Option<String>> {
    ctx.tx.optional(sql!("select value from provider_state where name = $1"), values![name])
}

fn set(ctx: &mut Ctx<'_, '_>, name: &str, value: &str) -> Result<()> {
    ctx.tx.write(
        sql!(
            "insert into provider_state (name, value) values ($1, $2)
             on conflict (name) do update set value = excluded.value"
        ),
        values![name, value],
    )
}

fn set_once(ctx: &mut Ctx<'_, '_>, name: &str, value: &str) -> Result<()> {
    ctx.tx.write(
        sql!("insert into provider_state (name, value) values ($1, $2) on conflict do nothing"),
        values![name, value],
    )
}
