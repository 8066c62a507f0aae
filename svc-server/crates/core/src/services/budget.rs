//! How much accounts may do within a time.
//!
//! Each account has a bucket for each class of what it does, and pays from all it needs in one
//! statement of the act's own transaction (GCRA): a bucket holds a number of acts and fills up again
//! evenly. The number depends on how far the account is [trusted](trust). Agents share the buckets of
//! their owner. The statement changes the rows before it is known whether they had enough, so that acts
//! at once pay one after the other, on several nodes too; a refusal undoes the change.

use std::time::Duration;

use svc_store::db::Pair;
use svc_store::error::{Budget, Error, Refusal, Result, Window};
use svc_store::{returning, sql, values};
use svc_types::{Code, Cost, Span, Timestamp, UserId};

use super::trust::{self, Pot};
use crate::app::Ctx;
use crate::config::{AccountLimits, Rate};
use crate::identity::Account;

/// What is counted apart. The order is that of the statement below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Bytes of what is sent.
    Bytes,
    /// Changes.
    Writes,
    /// Messages.
    Messages,
    /// First messages to accounts without a common conversation.
    Strangers,
    /// Orders and escrows.
    Deals,
}

const CLASSES: [Class; 5] =
    [Class::Bytes, Class::Writes, Class::Messages, Class::Strangers, Class::Deals];

impl Class {
    /// Its name, in headers and in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Writes => "writes",
            Self::Messages => "dm",
            Self::Strangers => "strangers",
            Self::Deals => "deals",
        }
    }

    /// What is counted, where it is not requests.
    const fn unit(self) -> Option<&'static str> {
        if matches!(self, Self::Bytes) { Some("content-bytes") } else { None }
    }

    /// What is counted, as a refusal says it.
    const fn what(self) -> &'static str {
        match self {
            Self::Bytes => "bytes of content",
            Self::Writes => "changes",
            Self::Messages => "messages",
            Self::Strangers => "first messages to accounts that never wrote back",
            Self::Deals => "orders and escrows",
        }
    }

    const fn rate(self, limits: &AccountLimits) -> Rate {
        match self {
            Self::Bytes => limits.bytes,
            Self::Writes => limits.writes,
            Self::Messages => limits.messages,
            Self::Strangers => limits.strangers,
            Self::Deals => limits.deals,
        }
    }
}

/// Pays for a call of this cost, unless only its script knows what it costs, and pays for it.
pub fn pay_for(ctx: &mut Ctx<'_, '_>, caller: Option<&Account>, cost: Cost) -> Result<()> {
    let Some(account) = caller else { return Ok(()) };
    match cost {
        Cost::Bytes => pay(ctx, account, &[]),
        Cost::Write => pay(ctx, account, &[Class::Writes]),
        Cost::Deal => pay(ctx, account, &[Class::Writes, Class::Deals]),
        // `Message` is charged where content and recipient are known.
        _ => Ok(()),
    }
}

/// Pays one of each of these classes, and the bytes of the request; 429 if one of their buckets has too little, until
/// each has enough.
pub fn pay(ctx: &mut Ctx<'_, '_>, account: &Account, classes: &[Class]) -> Result<()> {
    let refusals = take_each(ctx, account, classes)?;
    refuse_for_longest(refusals)
}

/// Pays for bytes that are stored beside those of the request, such as a copy of what it names.
pub fn pay_for_copy(ctx: &mut Ctx<'_, '_>, account: &Account, copy: &str) -> Result<()> {
    let own = std::mem::replace(&mut ctx.request_bytes, copy.len() as u64);
    let paid = pay(ctx, account, &[]);
    ctx.request_bytes = own;
    paid
}

/// Pays for a message to one other account, besides what each message costs, so that two programs that answer each
/// other come to an end; 429 if there were too many, until each bucket has enough.
pub fn pay_with_peer(
    ctx: &mut Ctx<'_, '_>,
    account: &Account,
    classes: &[Class],
    peer: &UserId,
) -> Result<()> {
    let mut refusals = take_each(ctx, account, classes)?;
    refusals.extend(take_for_peer(ctx, &account.id, peer)?);
    refuse_for_longest(refusals)
}

/// Pays for what the other party of a deal is notified of again, as for a message to it; 429 when there were too many.
pub fn pay_peer(ctx: &mut Ctx<'_, '_>, account: &Account, peer: &UserId) -> Result<()> {
    take_for_peer(ctx, &account.id, peer)?.map_or(Ok(()), |refusal| Err(refusal.into()))
}

/// Of several refusals, returns the one with the longest wait, so that the caller waits once.
fn refuse_for_longest(refusals: Vec<Refusal>) -> Result<()> {
    let longest = refusals.into_iter().max_by_key(|refusal| refusal.retry_after);
    longest.map_or(Ok(()), |refusal| Err(refusal.into()))
}

/// Takes what is asked for, and notes what is left. Returns the refusals of the buckets that had too little.
fn take_each(ctx: &mut Ctx<'_, '_>, account: &Account, classes: &[Class]) -> Result<Vec<Refusal>> {
    if !ctx.app.config.limits.budgets {
        return Ok(Vec::new());
    }
    let bytes = ctx.request_bytes;
    let amount = |class| match class {
        Class::Bytes => bytes,
        class => u64::from(classes.contains(&class)),
    };
    let Pot { holder, limits } = trust::pot(ctx, account)?;
    let asked = CLASSES.map(|class| Asked::of(class, amount(class), limits));
    if asked.iter().all(|asked| asked.cost.is_none()) {
        return Ok(Vec::new());
    }
    let now = ctx.now();
    let mut refusals = Vec::new();
    for paid in take(ctx, &holder, &asked)? {
        let asked = asked.iter().find(|asked| asked.is_for(&paid));
        let asked = asked.ok_or_else(|| Error::internal("a bucket that nobody asked for"))?;
        match asked.judge(&paid, micros(now)) {
            Ok(spent) => {
                ctx.spent.retain(|known| known.name != spent.name);
                ctx.spent.push(spent);
            }
            Err(refusal) => refusals.push(*refusal),
        }
    }
    Ok(refusals)
}

/// Takes a message to one other account. Returns the refusal if there were too many.
fn take_for_peer(
    ctx: &mut Ctx<'_, '_>,
    account: &UserId,
    peer: &UserId,
) -> Result<Option<Refusal>> {
    let limits = &ctx.app.config.limits;
    let Rate { count, window } = limits.dm_per_peer;
    if !limits.budgets || count == 0 {
        return Ok(None);
    }
    let span = i64::try_from(window.as_micros()).unwrap_or(i64::MAX / 4);
    let (class, now, cost) = (format!("peer:{peer}"), micros(ctx.now()), span / i64::from(count));
    let far = far_ahead(now, window);
    let paid_off_at: i64 = ctx.tx.one_returning(
        returning!(
            "insert into budget (subject, class, paid_off_at)
             values ($1, $2, cast($3 as bigint) + cast($4 as bigint))
             on conflict (subject, class) do update
                set paid_off_at = excluded.paid_off_at
                    + case when budget.paid_off_at > $3 and budget.paid_off_at < $5
                           then budget.paid_off_at - $3 else 0 end",
            "paid_off_at",
            "budget where subject = $1 and class = $2",
        ),
        values![account, class, now, cost, far],
        values![account, class],
    )?;
    let over = paid_off_at - now - span;
    if over <= 0 {
        return Ok(None);
    }
    let span = Span::from_secs(window.as_secs());
    let message = format!("an account sends another one at most {count} messages in {span}");
    let reset = Timestamp::from_millis((paid_off_at - cost) / 1_000);
    let refusal = Refusal::new(Code::RateLimited, message)
        .hint("the limit is dm_per_peer; what was used comes back evenly over that time")
        .window(Window { limit: count.into(), remaining: 0, reset }, ctx.now());
    Ok(Some(refusal.retry_after(over.unsigned_abs().div_ceil(1_000_000))))
}

/// Holds all buckets of an account until the transaction ends, for acts that pay one by one: they
/// would otherwise take them in different orders, and after other rows.
pub fn hold(ctx: &mut Ctx<'_, '_>, account: &Account) -> Result<()> {
    if !ctx.app.config.limits.budgets {
        return Ok(());
    }
    let Pot { holder, limits } = trust::pot(ctx, account)?;
    let free = CLASSES.map(|class| Asked { cost: Some(0), ..Asked::of(class, 0, limits) });
    take(ctx, &holder, &free).map(|_| ())
}

/// What is asked of a bucket.
struct Asked {
    class: Class,
    rate: Rate,
    /// How long the bucket takes to fill up by it again, in microseconds; none if nothing is asked for or limited.
    cost: Option<i64>,
}

/// A bucket after it was paid from.
struct Paid {
    class: String,
    /// When it is full again, in microseconds.
    paid_off_at: i64,
}
svc_store::row!(Paid { class, paid_off_at });

impl Asked {
    fn of(class: Class, amount: u64, limits: &AccountLimits) -> Self {
        let rate = class.rate(limits);
        let is_counted = amount > 0 && rate.count > 0;
        // Rounded down, so that a full bucket really holds what it should.
        let cost = is_counted.then(|| {
            let cost = rate.window.as_micros() * u128::from(amount) / u128::from(rate.count);
            i64::try_from(cost).unwrap_or(i64::MAX / 4)
        });
        Self { class, rate, cost }
    }

    fn is_for(&self, paid: &Paid) -> bool {
        self.cost.is_some() && self.class.name() == paid.class
    }

    /// What is left, or 429 if the bucket had too little.
    fn judge(&self, paid: &Paid, now: i64) -> Result<Budget, Box<Refusal>> {
        let Rate { count, window } = self.rate;
        let span = i64::try_from(window.as_micros()).unwrap_or(i64::MAX / 4);
        let over = paid.paid_off_at - now - span;
        if over <= 0 {
            return Ok(self.spent(paid.paid_off_at, now));
        }
        let before = self.spent(paid.paid_off_at - self.cost.unwrap_or(0), now);
        let what =
            format!("{count} {} in {}", self.class.what(), Span::from_secs(window.as_secs()));
        let refusal = Refusal::new(Code::RateLimited, format!("an account has at most {what}"))
            .hint("what was used comes back evenly over that time; wait for retryAfter seconds")
            .budget(before)
            .window(self.window(&before, now), Timestamp::from_millis(now / 1_000));
        let wait = over.unsigned_abs().div_ceil(1_000_000);
        Err(Box::new(refusal.retry_after(wait)))
    }

    fn spent(&self, paid_off_at: i64, now: i64) -> Budget {
        let Rate { count, window } = self.rate;
        let owed = Duration::from_micros(u64::try_from(paid_off_at - now).unwrap_or(0));
        let free = window.saturating_sub(owed).as_micros() * u128::from(count);
        let left = u64::try_from(free / window.as_micros().max(1)).unwrap_or(u64::MAX);
        let (name, unit) = (self.class.name(), self.class.unit());
        Budget { name, unit, count, window, left, full_in: owed }
    }

    fn window(&self, spent: &Budget, now: i64) -> Window {
        let reset = Timestamp::from_millis(now / 1_000).plus(spent.full_in);
        Window { limit: self.rate.count.into(), remaining: spent.left, reset }
    }
}

/// Takes what is asked of the buckets of an account, whether or not they have it.
fn take(ctx: &mut Ctx<'_, '_>, account: &UserId, asked: &[Asked; 5]) -> Result<Vec<Paid>> {
    let now = micros(ctx.now());
    let [bytes, writes, messages, strangers, deals] =
        [0, 1, 2, 3, 4].map(|index: usize| asked[index].cost);
    let longest = asked.iter().map(|asked| asked.rate.window).max().unwrap_or_default();
    let far = far_ahead(now, longest);
    let mut paid: Vec<Paid> = ctx.tx.all_returning(
        returning!(
            "insert into budget (subject, class, paid_off_at)
             select cast($1 as text), asked.column1, cast($2 as bigint) + asked.column2
             from (values
                ('bytes', cast($3 as bigint)), ('writes', cast($4 as bigint)),
                ('dm', cast($5 as bigint)), ('strangers', cast($6 as bigint)),
                ('deals', cast($7 as bigint))) as asked
             where asked.column2 is not null
             on conflict (subject, class) do update
                set paid_off_at = excluded.paid_off_at
                    + case when budget.paid_off_at > $2 and budget.paid_off_at < $8
                           then budget.paid_off_at - $2 else 0 end",
            "class, paid_off_at",
            // All that have names of their own: those of peers lie between.
            "budget where subject = $1 and class < 'peer:'
             union all select class, paid_off_at from budget where subject = $1 and class > 'peer;'",
        ),
        values![account, now, bytes, writes, messages, strangers, deals, far],
        values![account],
    )?;
    paid.retain(|paid| asked.iter().any(|asked| asked.is_for(paid)));
    Ok(paid)
}

/// Rows that one step of [`forget_full`] reads.
const BATCH: i64 = 1_000;

/// Deletes the buckets between two that are full by a time.
const DELETE_FULL: &str = "delete from budget where (subject, class) in (
    select subject, class from budget
    where (subject, class) > ($1, $2) and (subject, class) <= ($3, $4) and paid_off_at <= $5";

/// Requests lock buckets in various orders, so locked ones are left to a later round.
const DELETE_FREE: Pair =
    Pair::new(sql!(DELETE_FULL, ")"), sql!(DELETE_FULL, " for update skip locked)"));

/// Deletes full buckets after this one: without a row, a bucket is full too. No index orders them by time, so
/// all are read, a batch at a time. Returns the last one of the batch if there may be more.
pub fn forget_full(
    ctx: &mut Ctx<'_, '_>,
    after: &(String, String),
) -> Result<Option<(String, String)>> {
    let read: Vec<(String, String)> = ctx.tx.all(
        sql!(
            "select subject, class from budget where (subject, class) > ($1, $2)
             order by subject, class limit $3"
        ),
        values![after.0, after.1, BATCH],
    )?;
    let Some(last) = read.last().cloned() else { return Ok(None) };
    let now = micros(ctx.now());
    ctx.tx.execute_pair(DELETE_FREE, values![after.0, after.1, last.0, last.1, now])?;
    let is_full = i64::try_from(read.len()).is_ok_and(|read| read == BATCH);
    Ok(Some(last).filter(|_| is_full))
}

/// A bucket that is full only after this was charged by a wrong clock that was far ahead: by a right one it is full
/// within its window. It counts as full, or the account would have to wait until then.
fn far_ahead(now: i64, window: Duration) -> i64 {
    let span = i64::try_from(window.as_micros()).unwrap_or(i64::MAX / 4);
    now.saturating_add(span.saturating_mul(2))
}

fn micros(at: Timestamp) -> i64 {
    at.as_millis().saturating_mul(1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: AccountLimits = AccountLimits {
        writes: Rate { count: 7, window: Duration::from_hours(1) },
        bytes: Rate { count: 67_108_864, window: Duration::from_hours(24) },
        messages: Rate { count: 0, window: Duration::from_hours(1) },
        strangers: Rate { count: 50, window: Duration::from_hours(24) },
        deals: Rate { count: 100, window: Duration::from_hours(1) },
        unfunded: 10,
        apps: 10,
        invites: 5,
    };

    /// How many acts a bucket has room for at once.
    fn admitted(class: Class, amount: u64) -> u64 {
        let asked = Asked::of(class, amount, &LIMITS);
        let (now, cost) = (1_769_851_800_000_000, asked.cost.unwrap());
        let mut paid = Paid { class: String::new(), paid_off_at: now };
        let mut admitted = 0;
        loop {
            paid.paid_off_at += cost;
            match asked.judge(&paid, now) {
                Ok(spent) => admitted += u64::from(spent.name == class.name()),
                Err(refusal) => {
                    assert_eq!(refusal.code, Code::RateLimited);
                    return admitted;
                }
            }
        }
    }

    #[test]
    fn a_full_bucket_holds_exactly_its_number() {
        assert_eq!(admitted(Class::Writes, 1), 7);
        assert_eq!(admitted(Class::Deals, 1), 100);
        assert_eq!(admitted(Class::Bytes, 1 << 20), 64);
        assert_eq!(admitted(Class::Bytes, 40_000), 1_677);
    }

    #[test]
    fn what_is_not_limited_is_not_asked_for() {
        assert_eq!(Asked::of(Class::Messages, 1, &LIMITS).cost, None);
        assert_eq!(Asked::of(Class::Writes, 0, &LIMITS).cost, None);
    }
}
