//! What must hold of money and of the credits it stands behind.

use svc_store::error::Result;
use svc_store::{sql, values};

use super::Finding;
use super::checks::find;
use crate::app::Ctx;

pub(super) fn movements_balance(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select t.id from money_transfer t
         left join (
            select e.transfer, count(*) as n, sum(e.amount) as total,
                min(a.currency) as lowest, max(a.currency) as highest
            from money_entry e join money_account a on a.id = e.account
            group by e.transfer
         ) e on e.transfer = t.id
         where coalesce(e.n, 0) = 1 or coalesce(e.total, 0) <> 0
            or coalesce(e.lowest, t.currency) <> t.currency
            or coalesce(e.highest, t.currency) <> t.currency
         union all
         select a.id from money_account a
         left join (
            select account, count(*) as n, sum(amount) as total from money_entry group by account
         ) e on e.account = a.id
         where a.balance <> coalesce(e.total, 0) or a.entries <> coalesce(e.n, 0)
         limit 10"
    );
    find(ctx, "I11", "a movement of money sums to nothing in one currency", sql, values![])
}

pub(super) fn backing_agrees(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select a.id from ledger_account a
         left join (
            select account, sum(backed) as total from ledger_entry group by account
         ) e on e.account = a.id
         where a.backed <> coalesce(e.total, 0)
            or (a.backed < 0 or a.backed > a.balance)
                and a.kind not in ('issuance', 'sold', 'debt', 'written_off')
         union all
         select transfer from ledger_entry group by transfer having sum(backed) <> 0
         limit 10"
    );
    find(ctx, "I12", "what money stands behind is what was sold, and never more", sql, values![])
}

/// What is frozen for a refund or a dispute is what it takes back, until it ends, and so is the money of
/// disputes.
pub(super) fn payments_agree(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select coalesce(p.id, t.ref) from payment p
         left join ledger_transfer t on t.kind = 'purchase' and t.ref = p.id
         where (p.status = 'paid') <> (t.id is not null)
         union all
         select t.ref from ledger_transfer t left join payment p on p.id = t.ref
         where t.kind = 'purchase' and p.id is null
         union all
         select p.id from payment p join (
            select payment, credits, amount from payment_refund where status <> 'failed'
            union all
            select payment, credits, amount from payment_dispute where status <> 'won'
         ) g on g.payment = p.id
         group by p.id, p.credits, p.amount, p.tax
         having sum(g.credits) > p.credits or sum(g.amount) > p.amount + coalesce(p.tax, 0)
         union all
         select g.id from (
            select id, credits, status = 'asked' as is_open from payment_refund
            union all
            select id, credits, status = 'open' from payment_dispute
         ) g
         left join ledger_account a on a.id = 'frozen:' || g.id
         where coalesce(a.balance, 0) <> case when g.is_open then g.credits else 0 end
         union all
         select a.id from money_account a
         left join (
            select currency, sum(amount) as amount from (
                select p.currency, d.amount from payment_dispute d join payment p on p.id = d.payment
                where d.status = 'open'
                union all
                select s.currency, d.amount from invoice_dispute d
                join subscription_invoice i on i.id = d.invoice
                join subscription s on s.id = i.subscription
                where d.status = 'open'
            ) o group by currency
         ) o on o.currency = a.currency
         where a.kind = 'disputed' and a.balance <> coalesce(o.amount, 0)
         limit 10"
    );
    find(ctx, "I13", "a paid payment has one purchase, of which no more goes back", sql, values![])
}

/// What is payable is what payouts under way took, and what is redeemed is what was sent.
pub(super) fn payouts_agree(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select p.id from payout p
         left join ledger_account a on a.id = 'payable:' || p.id
         where coalesce(a.balance, 0)
            <> case when p.status in ('requested', 'approved', 'sending') then p.credits else 0 end
         union all
         select a.id from ledger_account a left join payout p on 'payable:' || p.id = a.id
         where a.kind = 'payable' and p.id is null
         union all
         select a.id from ledger_account a
         where a.id = 'redeemed' and a.balance
            <> (select coalesce(sum(credits), 0) from payout where status = 'sent')
         union all
         select p.id from payout p
         left join money_transfer t on t.kind = 'payout' and t.ref = p.id
         where p.status = 'sent' and t.id is null
         limit 10"
    );
    find(ctx, "I15", "what is payable is what payouts under way took", sql, values![])
}
