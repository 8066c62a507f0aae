//! What must hold after every commit, each as a statement that finds what breaks it.

use std::time::Duration;

use svc_store::db::{Sql, Value};
use svc_store::error::Result;
use svc_store::{sql, values};
use svc_types::api::escrow::{EscrowAction, EscrowStatus, TRANSITIONS};

use super::{Finding, money, tiers};
use crate::app::Ctx;
use crate::services::figure;

/// How much may be swept between the clock and the snapshot.
const SWEPT_MEANWHILE: Duration = Duration::from_mins(1);

/// Every check, in order.
pub(super) fn all(ctx: &mut Ctx<'_, '_>) -> Result<Vec<Finding>> {
    let checks: [fn(&mut Ctx<'_, '_>) -> Result<Finding>; 24] = [
        balances_sum_to_nothing,
        a_balance_is_the_sum_of_its_entries,
        each_entry_tells_the_balance_after_it,
        transfers_balance,
        nobody_owes,
        money::movements_balance,
        money::backing_agrees,
        money::payments_agree,
        tiers::tiers_agree,
        money::payouts_agree,
        escrow_holds,
        request_holds,
        orders_end_with_their_escrows,
        credits_are_settled_after_they_are_held,
        splits_agree,
        logs_lead_to_the_state,
        moves_are_legal,
        every_move_is_told,
        charges_agree,
        ratings_agree,
        figures_agree,
        figures_of_agents_agree,
        sales_agree,
        events_have_no_gaps,
    ];
    checks.into_iter().map(|check| check(ctx)).collect()
}

pub(super) fn find(
    ctx: &mut Ctx<'_, '_>,
    id: &'static str,
    rule: &'static str,
    sql: Sql,
    values: &[Value<'_>],
) -> Result<Finding> {
    Ok(Finding { id, rule, broken: ctx.tx.all(sql, values)? })
}

fn balances_sum_to_nothing(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select 'all balances: ' || cast(sum(balance) as text) from ledger_account
         having sum(balance) <> 0"
    );
    find(ctx, "I1", "what was issued is what accounts have", sql, values![])
}

fn a_balance_is_the_sum_of_its_entries(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select a.id from ledger_account a
         left join (
            select account, sum(amount) as total, count(*) as n, max(seq) as last
            from ledger_entry group by account
         ) e on e.account = a.id
         where a.balance <> coalesce(e.total, 0) or a.entries <> coalesce(e.n, 0)
            or a.entries <> coalesce(e.last, 0)
         order by a.id limit 10"
    );
    find(ctx, "I2", "a balance is the sum of its entries, numbered without gaps", sql, values![])
}

fn each_entry_tells_the_balance_after_it(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select r.account || ' ' || cast(r.seq as text) from (
            select account, seq, balance_after,
                sum(amount) over (partition by account order by seq) as running
            from ledger_entry
         ) r
         where r.running <> r.balance_after
         order by r.account, r.seq limit 10"
    );
    find(ctx, "I2", "each entry records the balance after it", sql, values![])
}

fn transfers_balance(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select t.id from ledger_transfer t
         left join (
            select transfer, sum(amount) as total, count(*) as n
            from ledger_entry group by transfer
         ) e on e.transfer = t.id
         where coalesce(e.n, 0) < 2 or e.total <> 0
         order by t.id limit 10"
    );
    find(ctx, "I3", "each transfer has two entries or more, which sum to nothing", sql, values![])
}

fn nobody_owes(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select id from ledger_account
         where balance < 0 and kind not in ('issuance', 'sold', 'debt', 'written_off')
         order by id limit 10"
    );
    find(ctx, "I4", "no balance is below nothing", sql, values![])
}

fn escrow_holds(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select e.id from escrow e
         left join ledger_account h on h.id = 'hold:' || e.id
         where coalesce(h.balance, 0) <> case
            when e.status in ('funded', 'delivered', 'disputed') then e.amount else 0 end
         order by e.id limit 10"
    );
    find(ctx, "I5", "an escrow holds its amount exactly while it is funded", sql, values![])
}

fn request_holds(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select q.id from service_request q
         left join ledger_account h on h.id = 'hold:' || q.id
         where coalesce(h.balance, 0) <> case
            when q.state = 'open' and q.escrow is null then q.offered else 0 end
         order by q.id limit 10"
    );
    find(ctx, "I5", "an order holds its offer exactly while it is open", sql, values![])
}

/// Orders from before this rule have a clock of their own. One that was declined may have left its
/// escrow to another order, so that of the closed ones only the completed say what the escrow is.
fn orders_end_with_their_escrows(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select q.id from service_request q
         join escrow e on e.id = q.escrow
         where q.state = 'open' and q.due_at is null
                and e.status not in ('funded', 'delivered', 'disputed')
            or q.state = 'completed' and e.status <> 'released'
         order by q.id limit 10"
    );
    find(ctx, "O1", "an order ends with the escrow that pays for it", sql, values![])
}

fn credits_are_settled_after_they_are_held(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select t.ref from ledger_transfer t
         where t.kind in ('hold', 'settle')
         group by t.ref
         having sum(case when t.kind = 'hold' then 1 else 0 end) <> 1
            or sum(case when t.kind = 'settle' then 1 else 0 end) > 1
         order by t.ref limit 10"
    );
    find(ctx, "I6", "credits are held once and settled at most once", sql, values![])
}

fn splits_agree(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select e.id from escrow e
         left join ledger_transfer t on t.kind = 'settle' and t.ref = e.id
         left join ledger_entry p on p.transfer = t.id and p.account = 'user:' || e.provider
         left join ledger_entry b on b.transfer = t.id and b.account = 'user:' || e.buyer
         where e.close_reason = 'split'
            and (e.split_amount is null or e.split_amount <= 0 or e.split_amount >= e.amount
                or coalesce(p.amount, 0) <> e.split_amount
                or coalesce(b.amount, 0) <> e.amount - e.split_amount)
         order by e.id limit 10"
    );
    find(ctx, "I6", "a split pays both parties what was agreed", sql, values![])
}

fn logs_lead_to_the_state(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select e.id from escrow e
         left join (
            select escrow, count(*) as n, max(seq) as last from escrow_event group by escrow
         ) c on c.escrow = e.id
         left join escrow_event l on l.escrow = e.id and l.seq = e.version
         where coalesce(c.n, 0) <> e.version or coalesce(c.last, 0) <> e.version
            or l.to_status is null or l.to_status <> e.status
            or (e.closed_at is null) <> (e.close_reason is null)
            or (e.closed_at is null)
                <> (e.status in ('created', 'funded', 'delivered', 'disputed'))
            or e.closed_at is not null and (e.access_token is not null or e.due_at is not null)
            or exists (
                select 1 from escrow_event v
                join escrow_event w on w.escrow = v.escrow and w.seq = v.seq + 1
                where v.escrow = e.id and (w.from_status is null or w.from_status <> v.to_status))
         order by e.id limit 10"
    );
    find(ctx, "I7", "the log of an escrow leads to its state", sql, values![])
}

/// Only the moves of the table, and the opening.
fn moves_are_legal(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let rows: Vec<(String, String, String, String)> = ctx.tx.all(
        sql!(
            "select coalesce(from_status, ''), action, to_status, min(escrow) from escrow_event
             group by from_status, action, to_status
             order by min(escrow)"
        ),
        values![],
    )?;
    let is_illegal = |row: &&(String, String, String, String)| !is_legal(&row.0, &row.1, &row.2);
    let broken = rows.iter().filter(is_illegal).map(|row| row.3.clone()).take(10).collect();
    Ok(Finding { id: "I7", rule: "escrows move by the table alone", broken })
}

fn is_legal(from: &str, action: &str, to: &str) -> bool {
    let opening = from.is_empty()
        && action == EscrowAction::Created.as_str()
        && to == EscrowStatus::Created.as_str();
    opening
        || TRANSITIONS.iter().any(|row| {
            row.from.as_str() == from && row.told_as.as_str() == action && row.to.as_str() == to
        })
}

/// Covers the retention time of events. What was swept by a shorter one, or by a clock far ahead, is not expected.
/// Funding at creation is reported by the creation event.
fn every_move_is_told(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    // Events are swept beside the audit.
    let kept = ctx.app.config.retention.events.saturating_sub(SWEPT_MEANWHILE);
    let since = ctx.now().minus(kept);
    let sql = sql!(
        "select expected.subject from (
            select v.escrow || ':' || cast(v.seq as text) as subject,
                case when v.actor is null or v.actor <> e.buyer and v.actor <> e.provider
                    then 2 else 1 end as wanted,
                case when v.seq = 1 and exists (
                    select 1 from escrow_event w
                    where w.escrow = v.escrow and w.seq = 2 and w.action = 'funded'
                        and w.at = v.at) then 0 else 1 end as surely,
                v.at as moved_at, e.buyer as buyer, e.provider as provider
            from escrow_event v join escrow e on e.id = v.escrow
            where v.at > $1
            union all
            select id, case when closed_by in (requester, provider) then 1 else 2 end, 1,
                closed_at, requester, provider
            from service_request where state <> 'open' and closed_at > $1
         ) expected
         left join (
            select subject, count(*) as n from event
            where kind in ('escrow', 'service') group by subject
         ) e on e.subject = expected.subject
         where coalesce(e.n, 0) <> expected.wanted and (expected.surely = 1 or coalesce(e.n, 0) <> 0)
            and (coalesce(e.n, 0) > expected.wanted or not exists (
                select 1 from event_head h
                left join account_event s on s.account = h.stream and s.seq = h.swept_seq
                left join account_event n on n.account = h.stream and n.seq = h.swept_seq + 1
                where h.stream in (expected.buyer, expected.provider) and h.swept_seq > 0
                    and expected.moved_at <= coalesce(s.created_at, n.created_at, h.last_at)))
         order by expected.subject limit 10"
    );
    find(ctx, "I9", "each move notifies every other party once", sql, values![since])
}

fn charges_agree(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select q.id from service_request q
         left join ledger_transfer t on t.kind = 'settle' and t.ref = q.id
         left join ledger_entry p on p.transfer = t.id and p.account = 'user:' || q.provider
         left join ledger_entry r on r.transfer = t.id and r.account = 'user:' || q.requester
         where q.charged > q.offered
            or q.state = 'completed' and q.escrow is null and q.charged is null
            or q.state <> 'completed' and q.charged is not null
            or q.state <> 'open' and q.escrow is null and q.offered > 0
                and (coalesce(p.amount, 0) <> coalesce(q.charged, 0)
                    or coalesce(r.amount, 0) <> q.offered - coalesce(q.charged, 0))
         order by q.id limit 10"
    );
    find(
        ctx,
        "I10",
        "an order is settled as it was charged, at most what was offered",
        sql,
        values![],
    )
}

fn ratings_agree(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select s.id from service s
         left join (
            select service, count(*) as n, sum(half_steps) as total
            from service_rating where counted = true group by service
         ) r on r.service = s.id
         where s.ratings_count <> coalesce(r.n, 0) or s.ratings_sum <> coalesce(r.total, 0)
            or s.rating_tenths <> case when coalesce(r.n, 0) = 0 then 0
                else (s.ratings_sum * 10 + s.ratings_count) / (2 * s.ratings_count) end
         order by s.id limit 10"
    );
    find(ctx, "R", "a service's rating is the mean of its buyers' latest", sql, values![])
}

fn figures_agree(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select f.id from figure f
         join service s on s.id = f.id
         left join (
            select service, sum(completed) as completed, sum(failed) as failed from (
                select q.service, case when ",
        figure::REQUEST_COMPLETED,
        " then 1 else 0 end as completed, case when ",
        figure::REQUEST_FAILED,
        " then 1 else 0 end as failed
                from service_request q
                union all
                select e.service, case when ",
        figure::ESCROW_COMPLETED,
        " then 1 else 0 end, case when ",
        figure::ESCROW_FAILED,
        " then 1 else 0 end
                from escrow e
            ) ended group by service
         ) x on x.service = f.id
         where f.completed <> coalesce(x.completed, 0) or f.failed <> coalesce(x.failed, 0)
         order by f.id limit 10"
    );
    find(ctx, "F1", "the figures of a service are those of its orders", sql, values![])
}

fn figures_of_agents_agree(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select x.bot from (
            select s.bot, sum(f.completed) as completed, sum(f.failed) as failed,
                sum(s.ratings_count) as ratings_count, sum(s.ratings_sum) as ratings_sum
            from service s join figure f on f.id = s.id group by s.bot
         ) x
         left join (
            select bot, count(distinct buyer) as buyers from service_rating
            where counted = true group by bot
         ) r on r.bot = x.bot
         left join figure f on f.id = x.bot
         where f.id is null or f.completed <> x.completed or f.failed <> x.failed
            or f.ratings_count <> x.ratings_count or f.ratings_sum <> x.ratings_sum
            or f.buyers <> coalesce(r.buyers, 0)
         order by x.bot limit 10"
    );
    find(ctx, "F2", "the figures of an agent are those of its services", sql, values![])
}

fn sales_agree(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select f.id from figure f
         join service s on s.id = f.id
         left join (
            select service, sum(completed) as completed, sum(failed) as failed from sale
            where step = 86400000 group by service
         ) x on x.service = f.id
         where f.completed <> coalesce(x.completed, 0) or f.failed <> coalesce(x.failed, 0)
         order by f.id limit 10"
    );
    find(ctx, "F3", "the sales of a service are its figures", sql, values![])
}

fn events_have_no_gaps(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let sql = sql!(
        "select h.stream from event_head h
         join account a on a.id = h.stream and a.deleted_at is null
         where h.last_seq - h.swept_seq <> (
                select count(*) from account_event n join event e on e.id = n.event
                where n.account = h.stream and n.seq > h.swept_seq)
            or h.last_seq < (select max(seq) from account_event where account = h.stream)
         order by h.stream limit 10"
    );
    find(ctx, "N1", "an account's events are numbered without gaps", sql, values![])
}
