//! The tier of an account, what it rests on, and what tiers cost.

use svc_store::error::Result;
use svc_types::api::tiers::{Subscription, TierPrices, TierState};
use svc_types::api::users::Tier;

use super::pass;
use super::subscription::{self, seat};
use crate::app::{App, Ctx};
use crate::identity::Account;
use crate::services::tier;

/// The tier of the caller, and what tiers cost.
pub fn state(ctx: &mut Ctx<'_, '_>, caller: &Account) -> Result<TierState> {
    let (facts, now) = (tier::facts(ctx, &caller.id)?, ctx.now());
    let subscription = match subscription::running(ctx, &caller.id)? {
        Some(record) => Some(record.into_api(ctx)?),
        None => None::<Subscription>,
    };
    Ok(TierState {
        tier: tier::tier_of(&facts, now),
        until: tier::until(&facts, now),
        by_operator: facts.word.is_some(),
        seat: seat::has(ctx, &caller.id)?,
        passes: pass::running(ctx, caller)?,
        subscription,
        prices: prices(ctx.app),
    })
}

/// What tiers cost; none where nothing is sold.
fn prices(app: &App) -> Option<TierPrices> {
    let (billing, pro) = (&app.config.billing, &app.config.pro);
    billing.is_on().then(|| TierPrices {
        currency: billing.currency.clone(),
        decimals: billing.decimals(),
        pro: pro.amount(billing),
        boost_pass: pass::price(app, &Tier::Boost),
        pro_pass: pass::price(app, &Tier::Pro),
    })
}
