//! Credits: balance, transactions, and grants.

use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_core::page::Page;
use svc_core::services::{account, credits, overdue};
use svc_store::error::Result;
use svc_store::{row, sql, values};
use svc_types::api::credits::{
    CreditBalance, CreditsEnvelope, GetCredits, GrantCredits, ListTransactions, Transaction,
    TransactionPage, Transfer, TransferEnvelope, TransferKind,
};
use svc_types::api::orders::OrderRole;
use svc_types::{Balance, EscrowId, Id, MessageId, PaymentId, PayoutId, Timestamp, TransferId};

use crate::http::Routes;

/// The endpoints of this feature.
pub fn routes() -> Routes {
    Routes::new().read(balance).read(list).write(grant)
}

fn balance(ctx: &mut Ctx<'_, '_>, caller: &Account, _: &GetCredits) -> Result<CreditsEnvelope> {
    overdue::refuse(ctx, &caller.id)?;
    // A single statement, so that credits moving between the two are counted once.
    let (available, held, backed, debt): (Balance, Balance, Balance, Balance) = ctx.tx.one(
        sql!(
            "select coalesce((select balance from ledger_account where id = 'user:' || $1), 0),
                cast(
                    (select coalesce(sum(amount), 0) from escrow
                        where buyer = $1 and status in ('funded', 'delivered', 'disputed'))
                    + (select coalesce(sum(offered), 0) from service_request
                        where requester = $1 and state = 'open' and escrow is null)
                    as bigint),
                coalesce((select backed from ledger_account where id = 'user:' || $1), 0),
                coalesce((select 0 - balance from ledger_account where id = 'debt:' || $1), 0)"
        ),
        values![caller.id],
    )?;
    let is_sold = ctx.app.config.sells_credits();
    let [backed, debt] = [backed, debt].map(|amount| is_sold.then_some(amount));
    Ok(CreditsEnvelope { credits: CreditBalance { available, held, backed, debt } })
}

struct Entry {
    id: TransferId,
    kind: TransferKind,
    reference: String,
    reason: Option<String>,
    amount: Balance,
    balance_after: Balance,
    created_at: Timestamp,
    seq: i64,
    counterparty: Option<String>,
    service_name: Option<String>,
    role: Option<OrderRole>,
    payment: Option<String>,
    returned: Option<Balance>,
}
row!(Entry {
    id: "t.id",
    kind: "t.kind",
    reference: "t.ref",
    reason: "t.reason",
    amount: "e.amount",
    balance_after: "e.balance_after",
    created_at: "t.at",
    seq: "e.seq",
    counterparty: "p.username",
    // An erased account has left its services without names.
    service_name: "nullif(s.name, '')",
    role: "case e.account when 'user:' || coalesce(c.buyer, q.requester) then 'buyer'
        when 'user:' || coalesce(c.provider, q.provider) then 'provider' end",
    payment: "case when t.kind in ('refund', 'refunded', 'refund_failed')
            then (select r.payment from payment_refund r where r.id = t.ref)
        when t.kind in ('claw', 'won', 'lost')
            then coalesce(
                (select d.payment from payment_dispute d where d.id = t.ref),
                (select r.payment from payment_refund r where r.id = t.ref)) end",
    returned: "(select cast(coalesce(sum(b.amount), 0) as bigint) from ledger_transfer d
        left join ledger_entry b on b.transfer = d.id and b.account = e.account
        where t.kind = 'hold' and d.kind = 'settle' and d.ref = t.ref
        having count(d.id) > 0)",
});

impl Entry {
    fn into_api(self) -> Transaction {
        let escrow = self.reference.starts_with(EscrowId::PREFIX);
        let request = self.reference.starts_with(MessageId::PREFIX);
        let payment = self.reference.starts_with(PaymentId::PREFIX);
        let payout = self.reference.starts_with(PayoutId::PREFIX);
        Transaction {
            id: self.id,
            kind: self.kind,
            reason: self.reason,
            escrow_id: escrow.then(|| self.reference.as_str().into()),
            request_id: request.then(|| self.reference.as_str().into()),
            payout_id: payout.then(|| self.reference.as_str().into()),
            payment_id: payment.then_some(self.reference).or(self.payment).map(PaymentId::from),
            counterparty: self.counterparty,
            service_name: self.service_name,
            role: self.role,
            returned: self.returned,
            amount: self.amount,
            balance_after: self.balance_after,
            created_at: self.created_at,
        }
    }
}

fn list(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &ListTransactions,
) -> Result<TransactionPage> {
    overdue::refuse(ctx, &caller.id)?;
    let page = Page::of(request, request.limit, request.cursor.as_ref(), 1)?;
    let before = page.after_seq()?.unwrap_or(i64::MAX);
    let mut entries: Vec<Entry> = ctx.tx.all(
        sql!(
            "select ",
            Entry::COLUMNS,
            " from ledger_entry e join ledger_transfer t on t.id = e.transfer
             left join escrow c on c.id = t.ref
             left join service_request q on q.id = t.ref
             left join service s on s.id = coalesce(c.service, q.service)
             left join account p on p.id = case e.account
                when 'user:' || coalesce(c.buyer, q.requester) then coalesce(c.provider, q.provider)
                else coalesce(c.buyer, q.requester) end
             where e.account = $1 and e.seq < $2 and (cast($3 as text) is null or t.kind = $3)
             order by e.seq desc limit $4"
        ),
        values![format!("user:{}", caller.id), before, request.kind, page.rows()],
    )?;
    let next_cursor = page.cut(&mut entries, |entry| vec![entry.seq.to_string()]);
    let transactions = entries.into_iter().map(Entry::into_api).collect();
    Ok(TransactionPage { transactions, next_cursor })
}

fn grant(
    ctx: &mut Ctx<'_, '_>,
    caller: &Account,
    request: &GrantCredits,
) -> Result<TransferEnvelope> {
    let to = account::find_visible(ctx, request.username.as_str(), Some(caller))
        .map_err(|error| error.about("username"))?;
    let amount = request.amount.bounded();
    let id = credits::issue(ctx, caller.id.as_str(), &to, amount, &request.reason)?;
    let created_at = ctx.now();
    Ok(TransferEnvelope {
        transfer: Transfer {
            amount,
            to: to.username,
            id,
            from: None,
            escrow_id: None,
            reason: Some(request.reason.to_string()),
            created_at,
        },
    })
}
