//! Purchases of credits, from the first click to the credits.

mod apply;

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{row, sql, values};
use svc_types::api::billing::{BillingObject, ListPayments, Payment, PaymentPage, PaymentStatus};
use svc_types::{Code, Credits, PaymentId, Timestamp, UserId};

pub(super) use self::apply::credit;
pub use self::apply::{apply, give_up};

use super::cap;
use super::notify::{Change, notify};
use super::queue::{self, Kind};
use super::refund::{self, Gone};
use crate::app::Ctx;
use crate::identity::Account;
use crate::page::Page;
use crate::services::account;
use crate::services::ledger::Holder;

/// How long a payment can be made.
const LIFE: Duration = Duration::from_hours(23);

/// A stored payment.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id.
    pub id: PaymentId,
    /// Who gets the credits.
    pub account: UserId,
    /// The username.
    pub username: String,
    /// Its status.
    pub status: PaymentStatus,
    /// What is bought.
    pub credits: Credits,
    /// The currency.
    pub currency: String,
    /// The price without tax.
    pub amount: i64,
    /// The tax, once it is paid.
    pub tax: Option<i64>,
    /// Whether no real money is paid.
    pub in_test: bool,
    /// The provider's page.
    pub session: Option<String>,
    /// Its URL; none once the payer has completed it.
    pub url: Option<String>,
    /// What the provider calls the payment.
    pub intent: Option<String>,
    /// The provider's page with the receipt; none for what an agent bought before it had its present owner.
    pub receipt_url: Option<String>,
    /// When it was begun.
    pub created_at: Timestamp,
    /// Until when it can be paid.
    pub expires_at: Timestamp,
    /// When it was paid.
    pub paid_at: Option<Timestamp>,
}
row!(Record {
    id: "id",
    account: "account",
    username: "(select a.username from account a where a.id = payment.account)",
    status: "status",
    credits: "credits",
    currency: "currency",
    amount: "amount",
    tax: "tax",
    in_test: "in_test",
    session: "session",
    url: "url",
    intent: "intent",
    receipt_url: "(select case when a.owner is null or a.claimed_at <= payment.created_at
        then nullif(payment.receipt_url, '') end from account a where a.id = payment.account)",
    created_at: "created_at",
    expires_at: "expires_at",
    paid_at: "paid_at",
});

impl Record {
    /// What was paid, with tax.
    pub fn total(&self) -> i64 {
        self.amount.saturating_add(self.tax.unwrap_or(0))
    }

    /// Where the credits came from.
    pub(super) const fn source(&self) -> Holder<'static> {
        if self.in_test { Holder::SoldInTest } else { Holder::Sold }
    }

    /// Notifies the buyer, and the person who owns it, that the payment is decided, and wakes requests that
    /// wait for it.
    pub(super) fn notify(&self, ctx: &mut Ctx<'_, '_>, status: &PaymentStatus) -> Result<()> {
        ctx.effects.changed.push(self.id.to_string());
        notify(ctx, None, &self.change(status))
    }

    /// Notifies the person who owns the buyer that a page waits for a payer. The buyer asked for it.
    fn notify_owner(&self, ctx: &mut Ctx<'_, '_>) -> Result<()> {
        notify(ctx, Some(&self.account), &self.change(&PaymentStatus::Open))
    }

    fn change<'a>(&'a self, status: &'a PaymentStatus) -> Change<'a> {
        Change {
            object: BillingObject::Payment,
            id: self.id.as_str(),
            status: status.as_str(),
            account: &self.account,
            person: None,
            payment: None,
            credits: Some(self.credits),
        }
    }

    /// The payment as the API returns it.
    pub fn into_api(self, ctx: &mut Ctx<'_, '_>) -> Result<Payment> {
        let mut payments = into_api(ctx, vec![self])?;
        payments.pop().ok_or_else(|| Error::internal("a payment is lost on its way out"))
    }

    fn with(self, gone: Gone, refundable: i64) -> Payment {
        let is_open = self.status == PaymentStatus::Open;
        Payment {
            payment_id: self.id,
            account: self.account,
            username: self.username,
            status: self.status,
            credits: self.credits,
            currency: self.currency,
            amount: self.amount,
            tax: self.tax,
            refunded_credits: Credits::from_micros(gone.refunded),
            refundable_credits: Credits::from_micros(refundable),
            disputed: gone.disputed > 0,
            dispute_lost: gone.disputed > 0 && gone.lost == gone.disputed,
            in_test: self.in_test,
            url: self.url.filter(|_| is_open),
            receipt_url: self.receipt_url,
            created_at: self.created_at,
            expires_at: self.expires_at,
            paid_at: self.paid_at,
        }
    }
}

/// Payments as the API returns them, with two statements however many there are.
pub fn into_api(ctx: &mut Ctx<'_, '_>, records: Vec<Record>) -> Result<Vec<Payment>> {
    // Nothing can be gone of the others.
    let paid = records.iter().filter(|record| record.status == PaymentStatus::Paid);
    let (ids, mut accounts): (Vec<PaymentId>, Vec<UserId>) =
        paid.map(|record| (record.id.clone(), record.account.clone())).unzip();
    accounts.sort();
    accounts.dedup();
    let gone = refund::gone_of(ctx, &ids)?;
    let unspent = refund::unspent_of(ctx, &accounts)?;
    let whole = |record: Record| {
        let gone = gone.get(&record.id).copied().unwrap_or_default();
        let unspent = unspent.get(&record.account).copied().unwrap_or_default();
        let refundable = refund::refundable_of(ctx, &record, gone, unspent);
        record.with(gone, refundable)
    };
    Ok(records.into_iter().map(whole).collect())
}

/// Begins a purchase, whose page the worker makes.
pub fn begin(
    ctx: &mut Ctx<'_, '_>,
    buyer: &Account,
    credits: Credits,
    in_test: bool,
) -> Result<Record> {
    let amount = price(ctx, credits)?;
    let buyer = cap::lock(ctx, buyer)?;
    cap::refuse_beyond(ctx, &buyer, amount)?;
    let (id, now): (PaymentId, _) = (ctx.id(), ctx.now());
    let (currency, expires_at) = (ctx.app.config.billing.currency.clone(), now.plus(LIFE));
    ctx.tx.write(
        sql!(
            "insert into payment (id, account, status, credits, currency, amount, in_test,
                created_at, expires_at)
             values ($1, $2, 'creating', $3, $4, $5, $6, $7, $8)"
        ),
        values![id, buyer.id, credits, currency, amount, in_test, now, expires_at],
    )?;
    queue::raise_for_request(ctx, Kind::Payment, id.as_str())?;
    find(ctx, &id)
}

/// The price of an amount of credits, if it can be bought.
fn price(ctx: &Ctx<'_, '_>, credits: Credits) -> Result<i64> {
    let config = &ctx.app.config;
    let (billing, prices) = (&config.billing, &config.credits);
    if credits < prices.min || credits > prices.max {
        let message = format!("credits must be from {} to {}", prices.min, prices.max);
        return Err(Error::invalid("credits", message));
    }
    prices.price_of(credits, billing).ok_or_else(|| {
        let message = "the price of the credits must be a whole amount of money";
        let refusal = Refusal::new(Code::AmountNotExact, message).field("credits");
        let nearest = prices.nearest(credits, billing).map(|credits| credits.to_string());
        refusal.hint(nearest.unwrap_or_default()).into()
    })
}

/// Payments of an account and of the agents that it owns, newest first.
pub fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListPayments,
) -> Result<PaymentPage> {
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let mut records: Vec<Record> = ctx.tx.all(
        sql!(
            "select ",
            Record::COLUMNS,
            " from payment
             where account in (select $1 union all select id from account where owner = $1)
                and (cast($2 as text) is null or id < $2)
             order by id desc limit $3"
        ),
        values![caller.id, page.after_one(), page.rows()],
    )?;
    let next_cursor = page.cut(&mut records, |record| vec![record.id.to_string()]);
    Ok(PaymentPage { payments: into_api(ctx, records)?, next_cursor })
}

/// A payment of an account, or of an agent that it owns; else 404.
pub fn of_party(ctx: &mut Ctx<'_, '_>, id: &PaymentId, caller: &Account) -> Result<Record> {
    let sql = sql!(
        "select ",
        Record::COLUMNS,
        " from payment
         where id = $1
            and account in (select $2 union all select id from account where owner = $2)"
    );
    let found = ctx.tx.optional(sql, values![id, caller.id])?;
    found.ok_or_else(|| Error::not_found("payment"))
}

/// A payment.
pub fn find(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<Record> {
    known(ctx, id)?.ok_or_else(|| Error::not_found("payment"))
}

/// A payment, if it is known: one that was begun after a backup is not, once that is restored.
pub fn known(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<Option<Record>> {
    let sql = sql!("select ", Record::COLUMNS, " from payment where id = $1");
    ctx.tx.optional(sql, values![id])
}

/// A payment, locked until the transaction ends, with the account that got the credits.
pub(super) fn take(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<Record> {
    let sql = sql!("select account from payment where id = $1");
    let owner: Option<UserId> = ctx.tx.optional(sql, values![id])?;
    let owner = owner.ok_or_else(|| Error::not_found("payment"))?;
    account::lock_with_rows(ctx, &owner)?;
    ctx.tx.lock(sql!("select id from payment where id = $1 for update"), values![id])?;
    find(ctx, id)
}

/// The payment of a refund or dispute, locked. None if it brought no credits, so that none go back: it is not known,
/// or another amount was paid.
pub(super) fn take_paid(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<Option<Record>> {
    if known(ctx, id)?.is_none() {
        return Ok(None);
    }
    let record = take(ctx, id)?;
    match record.status {
        PaymentStatus::Paid => Ok(Some(record)),
        PaymentStatus::Mismatch => Ok(None),
        _ => Err(Error::internal("a refund or dispute comes before its payment")),
    }
}

/// The payment that a provider's object belongs to, by what the provider calls it.
pub fn by_intent(ctx: &mut Ctx<'_, '_>, intent: &str) -> Result<Option<PaymentId>> {
    ctx.tx.optional(sql!("select id from payment where intent = $1"), values![intent])
}

/// Forgets the receipts of what an agent has bought since it got its owner, because the ownership is about to end: they
/// need no sign-in, and show the name and the address of the payer. The empty text keeps away the receipt of a payment
/// that is under way.
pub fn forget_receipts(ctx: &mut Ctx<'_, '_>, agent: &UserId, owner: &UserId) -> Result<()> {
    ctx.tx.write(
        sql!(
            "update payment set receipt_url = ''
             where account = $1 and created_at >= (
                select claimed_at from account where id = $1 and owner = $2)"
        ),
        values![agent, owner],
    )
}

/// Whether the page of a payment waits for its payer, and nothing has named it lately.
pub fn is_unseen(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<bool> {
    let sql = sql!(
        "select 1 from payment p where p.id = $1 and p.status = 'open' and not exists (
            select 1 from provider_object o where o.id = p.session and o.due_at is not null)"
    );
    Ok(ctx.tx.optional::<i64>(sql, values![id])?.is_some())
}

/// Names the page of a payment that waits for its payer, because the payer came back from it.
pub fn came_back(ctx: &mut Ctx<'_, '_>, id: &PaymentId) -> Result<()> {
    let sql = sql!("select session from payment where id = $1 and status = 'open'");
    let session: Option<Option<String>> = ctx.tx.optional(sql, values![id])?;
    match session.flatten() {
        Some(session) => queue::raise(ctx, Kind::Session, &session),
        None => Ok(()),
    }
}

/// Queues payments that wait for their payer: a look at their pages finds what no webhook reported.
pub fn raise_open(ctx: &mut Ctx<'_, '_>, most: i64) -> Result<()> {
    let sessions: Vec<String> = ctx.tx.all(
        sql!(
            "select session from payment where status = 'open' and session is not null
             order by id limit $1"
        ),
        values![most],
    )?;
    sessions.iter().try_for_each(|session| queue::raise(ctx, Kind::Session, session))
}
