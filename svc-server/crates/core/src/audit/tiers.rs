//! What must hold of tiers and what they rest on.

use svc_store::error::Result;
use svc_store::{sql, values};

use super::Finding;
use super::checks::find;
use crate::app::Ctx;

/// Tiers that time has changed wait for the sweep. A seat ends with its subscription, and passes are
/// paid for.
pub(super) fn tiers_agree(ctx: &mut Ctx<'_, '_>) -> Result<Finding> {
    let now = ctx.now();
    let sql = sql!(
        "select a.id from account a
         left join tier_facts f on f.account = a.id
         where (f.due_at is null or f.due_at > $1) and a.tier <> case
            when f.word is not null then f.word
            when f.seat_until > $1 or f.pro_until > $1 then 'pro'
            when f.boost_until > $1 then 'boost'
            else 'free' end
         union all
         select f.account from tier_facts f
         left join (
            select account, max(case when tier = 'boost' then until_at end) as boost_until,
                max(case when tier = 'pro' then until_at end) as pro_until
            from pass group by account
         ) p on p.account = f.account
         left join seat s on s.account = f.account
         left join subscription b on b.id = s.subscription
         where coalesce(f.boost_until, 0) <> coalesce(p.boost_until, 0)
            or coalesce(f.pro_until, 0) <> coalesce(p.pro_until, 0)
            or coalesce(f.seat_until, 0) <> coalesce(b.until_at, 0)
         union all
         select p.account from pass p
         left join tier_facts f on f.account = p.account
         left join ledger_transfer t on t.kind = 'pass' and t.ref = p.id
         where f.account is null or t.id is null
         union all
         select s.account from seat s join subscription b on b.id = s.subscription
         join account a on a.id = s.account
         where b.status = 'ended'
            or (select count(*) from seat x where x.subscription = b.id) > b.quantity
            or a.id <> b.account and (a.owner is null or a.owner <> b.account)
         limit 10"
    );
    find(ctx, "I14", "a tier is the operator's word, or what is paid", sql, values![now])
}
