//! Query plans of payments.

use svc_client::types::api::users::Tier;
use svc_core::services::billing::payout::destination;
use svc_core::services::billing::subscription::begin as subscribing;
use svc_core::services::billing::{debt, payment};
use svc_core::services::tier;

use super::{World, assert_plans};
use crate::purchase::{begin, buy};

#[tokio::test]
async fn payments_are_found_by_indexes() {
    let settings = [
        ("billing.stripe.key_file", "stripe.key"),
        ("billing.stripe.webhook_secret_files", "stripe.secret"),
    ];
    let mut world = World::with(&settings).await;
    let billing = world.ada.client.clone();
    let billing = billing.billing();
    world.record("prices", billing.get()).await;
    world.app.server.app().plans.watch();
    begin(&world.app, &world.ada, 500).await.unwrap();
    let plans = world.app.server.app().plans.take();
    world.note("begin", plans);
    let bought = buy(&world.app, &world.ada, 500).await;
    world.record("list", billing.payments()).await;
    world.record("one", billing.payment(&bought)).await;
    world.record("refund", billing.refund(&bought)).await;
    assert_plans("billing", &world.plans);
}

#[tokio::test]
async fn tiers_are_found_by_indexes() {
    let settings = [
        ("billing.stripe.key_file", "stripe.key"),
        ("billing.stripe.webhook_secret_files", "stripe.secret"),
        ("passes.boost", "10"),
    ];
    let mut world = World::with(&settings).await;
    let tiers = world.ada.client.clone();
    let tiers = tiers.tiers();
    world.record("tier", tiers.get()).await;
    world.record("pass", tiers.buy_pass(Tier::Boost)).await;
    world.app.server.app().plans.watch();
    world.app.server.app().read(tier::due).await.unwrap();
    let plans = world.app.server.app().plans.take();
    world.note("sweep", plans);
    assert_plans("tiers", &world.plans);
}

#[tokio::test]
async fn debts_are_found_by_indexes() {
    let mut world = World::new().await;
    world.app.server.app().plans.watch();
    world.app.server.app().read(debt::collectable).await.unwrap();
    world.app.server.app().read(|ctx| debt::debtors(ctx, 10)).await.unwrap();
    let plans = world.app.server.app().plans.take();
    assert!(plans.iter().any(|plan| plan.sql.text().contains("ledger_account")), "they were read");
    world.note("debts", plans);
}

#[tokio::test]
async fn what_waits_at_the_provider_is_found_by_indexes() {
    let mut world = World::new().await;
    world.app.server.app().plans.watch();
    let raised = world.app.server.app().write(|ctx| {
        payment::raise_open(ctx, 10)?;
        subscribing::raise_open(ctx, 10)?;
        destination::raise_waiting(ctx, 10)
    });
    raised.await.unwrap();
    let plans = world.app.server.app().plans.take();
    assert!(plans.iter().any(|plan| plan.sql.text().contains("payout_account")), "they were read");
    world.note("waiting", plans);
}
