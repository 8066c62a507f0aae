//! Real money: credits that are bought, given back and disputed.
//!
//! A webhook of the provider names an object and never says its state. The name is queued, a worker
//! of the edge gets the object, and what it finds is applied here, in one transaction that the
//! worker's lease guards. So neither order nor repetition of webhooks matters. Nothing here calls the
//! provider: the worker hands over [`facts`].
//!
//! | module | what it holds |
//! |---|---|
//! | `facts` | what the worker found at the provider |
//! | `queue` | objects that must be fetched from the provider |
//! | `payment` | purchases, from the first click to the credits |
//! | `withdrawn` | pages of accounts that were deleted |
//! | `cap` | how much an account can buy in a day |
//! | `topup` | purchases that agents pay with tokens on a chain |
//! | `pass` | tiers for 30 days, paid with credits |
//! | `subscription` | tiers that people pay each month, with seats |
//! | `refund` | what goes back to the buyer |
//! | `dispute` | what a buyer's bank takes back |
//! | `claim` | credits of a failed refund whose money went another way |
//! | `payout` | credits that sellers earned, paid out |
//! | `status` | payments and payouts of the whole platform |
//! | `cash` | the balance at the provider |
//! | `debt` | what a buyer owes after a dispute |
//! | `reconcile` | our books, as they are compared with the provider's |
//! | `notify` | events about all of these |
//! | `tiers` | what a tier rests on, and what tiers cost |
//! | `state` | the mode of the key, and up to when events were read |

mod cap;
pub mod cash;
mod claim;
pub mod debt;
pub mod dispute;
pub mod facts;
mod notify;
pub mod pass;
pub mod payment;
pub mod payout;
pub mod queue;
pub mod reconcile;
pub mod refund;
pub mod state;
pub mod status;
pub mod subscription;
pub mod tiers;
pub mod topup;
pub mod withdrawn;

use std::time::Duration;

use svc_store::error::{Error, Refusal, Result};
use svc_store::{sql, values};
use svc_types::api::billing::Billing;
use svc_types::{Balance, Code, UserId};

use crate::app::{App, Ctx};
use crate::identity::Account;
use crate::services::ledger::Holder;

/// 503 where credits can be bought neither from Stripe nor with tokens.
pub fn require_any(app: &App) -> Result<()> {
    if app.config.sells_credits() { Ok(()) } else { require(app) }
}

/// 503 where nothing can be bought from Stripe.
pub fn require(app: &App) -> Result<()> {
    if app.config.billing.is_on() {
        return Ok(());
    }
    Err(off(if app.config.sells_credits() { "no credits by card" } else { "no credits" }))
}

/// 503 where no tier is sold: passes are, beside the subscription.
pub fn require_tiers(app: &App) -> Result<()> {
    if app.config.billing.is_on() { Ok(()) } else { Err(off("no tiers")) }
}

/// The refusal of what is sold together with credits from Stripe.
fn off(what: &str) -> Error {
    let refusal = Refusal::new(Code::FeatureNotConfigured, format!("this server sells {what}"));
    refusal.hint("its operator turns this on by the setting billing.stripe.key_file").into()
}

/// What credits cost, and how many an account can buy.
pub fn offer(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<Billing> {
    let left = cap::of(ctx, caller)?.left;
    let sql = sql!("select backed from ledger_account where id = $1");
    let backed: Option<i64> = ctx.tx.optional(sql, values![Holder::User(&caller.id).id()])?;
    let debt = debt::of(ctx, &caller.id)?;
    let in_test = state::in_test(ctx)?;
    let config = &ctx.app.config;
    let prices = &config.credits;
    Ok(Billing {
        currency: config.billing.currency.clone(),
        decimals: config.billing.decimals(),
        price: prices.price().to_owned(),
        min: prices.min,
        max: prices.max,
        refund_seconds: prices.refund_window.as_secs(),
        left,
        backed: Balance::from_micros(backed.unwrap_or(0)),
        debt: Balance::from_micros(debt),
        in_test,
    })
}

/// How long after the end of a payment, by our clock, its tokens may still arrive. A chain that stands still,
/// or that is no longer asked, must not keep an account from being deleted for ever.
const CHAIN_MAX: Duration = Duration::from_hours(24);

/// 409 while an account owes credits, one of its payments is disputed, on its way or on its way back, or a
/// payout of what it earned is open. A page that nobody has completed is no payment yet.
pub fn refuse_obligations(ctx: &mut Ctx<'_, '_>, account: &UserId) -> Result<()> {
    let given_up = ctx.now().minus(CHAIN_MAX);
    let open: Vec<String> = ctx.tx.all(
        sql!(
            "select id from ledger_account where id = 'debt:' || $1 and balance < 0
             union all
             select d.id from payment_dispute d join payment p on p.id = d.payment
             where p.account = $1 and d.status = 'open'
             union all
             select d.id from invoice_dispute d join subscription_invoice i on i.id = d.invoice
             join subscription s on s.id = i.subscription
             where s.account = $1 and d.status = 'open'
             union all
             select r.id from payment_refund r join payment p on p.id = r.payment
             where p.account = $1 and r.status = 'asked'
             union all
             select id from payment
             where account = $1 and status = 'open' and url is null
                and (nonce is null or expires_at > $2)
             union all
             select id from payout
             where person = $1 and status in ('requested', 'approved', 'sending')
             union all
             select id from payout
             where account = $1 and person <> $1
                and status in ('requested', 'approved', 'sending')
             limit 100"
        ),
        values![account, given_up],
    )?;
    if open.is_empty() {
        return Ok(());
    }
    let message = "a payment of the account is disputed, on its way or on its way back, a payout is open, \
        or it owes credits";
    Err(Refusal::new(Code::OpenObligations, message).hint(open.join(", ")).into())
}
