//! Stripe's books compared with ours.

use serde_json::json;
use svc_server::billing::{self, Report};
use svc_store::{sql, values};

use super::{books, buy, page, purse, purse_of, seen, tell, waiting, work};
use crate::app::TestApp;
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::stripe::{SELLING, newest};
use crate::tiers::{PASSWORD, subscribed};

const DAY: u64 = 24 * 3_600;

pub(crate) async fn reconcile(app: &TestApp, fix: bool) -> Report {
    let since = svc_server::testing::START;
    billing::reconcile(app.server.app(), since, fix).await.unwrap()
}

/// Differences as `what`, sorted.
pub(crate) fn differences(report: &Report) -> Vec<&str> {
    report.differences.iter().map(|difference| difference.what.as_str()).collect()
}

on_both_engines! {
    async fn reconcile_names_what_differs_and_fixes_what_was_lost(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (_, intent) = buy(&app, &ada, 500).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        // Nobody reports these.
        let (_, session) = page(&app, &ada, 700).await;
        app.stripe().pay(&session);
        app.stripe().refund(&intent, 100);
        let report = reconcile(&app, false).await;
        assert_eq!(differences(&report)[..2], ["paid at Stripe, and open here", "unknown here"]);
        let entries = &differences(&report)[2..];
        assert_eq!(entries.len(), 2, "what arrived and what left: {report}");
        assert!(entries[0].ends_with(" of -1.00 USD is not counted here"), "{report}");
        assert!(entries[1].ends_with(" of 7.00 USD is not counted here"), "{report}");
        assert_eq!((report.queued, waiting(&app).await), (0, 0));
        assert_eq!(reconcile(&app, true).await.queued, 4);
        work(&app).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        assert_eq!(purse(&ada).await, purse_of("1100", "0"));
        // A refund beside one that is known.
        app.stripe().refund(&intent, 50);
        assert_eq!(differences(&reconcile(&app, true).await)[0], "unknown here");
        work(&app).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        // What no look settles is for people.
        app.stripe().change(&session, |it| it["amount_subtotal"] = json!(800));
        let report = reconcile(&app, true).await;
        assert_eq!(differences(&report), ["8.00 USD at Stripe, and 7.00 USD here"]);
        assert_eq!(report.queued, 0);
        is_consistent(&app).await;
    }

    async fn reconcile_names_what_has_not_arrived_ten_days_after_it_was_paid(
        app: TestApp, ..SELLING
    ) {
        let ada = app.agent("ada").await;
        buy(&app, &ada, 700).await;
        let (_, session) = page(&app, &ada, 500).await;
        let intent = app.stripe().pay(&session);
        let mut charges = app.stripe().objects("charge").into_iter();
        let charge = charges.find(|it| it["payment_intent"] == json!(intent)).unwrap();
        let (id, entry) = (charge["id"].as_str().unwrap(), &charge["balance_transaction"]);
        // Stripe never enters it into the balance.
        app.stripe().change(entry.as_str().unwrap(), |it| it["source"] = json!(null));
        app.stripe().change(id, |it| it["balance_transaction"] = json!(null));
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of("1200", "0"));
        app.advance(10 * DAY - 60);
        assert_eq!(differences(&reconcile(&app, true).await), Vec::<&str>::new());
        app.advance(60);
        let report = reconcile(&app, true).await;
        assert_eq!(
            differences(&report),
            ["5.00 USD was paid ten days ago or earlier, and is not in the balance"]
        );
        assert_eq!((report.differences[0].id.as_str(), report.queued), (id, 0));
        is_consistent(&app).await;
    }

    async fn a_refund_at_stripe_that_is_on_its_way_is_no_difference(app: TestApp, ..SELLING) {
        let ann = app.person("ann", PASSWORD).await;
        subscribed(&app, &ann, &["ann"]).await;
        let bill = newest(&app, "payment_intent");
        let (_, intent) = buy(&app, &ann, 500).await;
        app.stripe().hold_refunds(true);
        let paid_back = [app.stripe().refund(&intent, 100), app.stripe().refund(&bill, 99)];
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ann).await, purse_of("400", "0"));
        assert_eq!(differences(&reconcile(&app, true).await), Vec::<&str>::new());
        // Nobody reports that they arrived. What was taken from the buyer at once is no news.
        for refund in &paid_back {
            app.stripe().complete_refund(refund);
        }
        assert_eq!(differences(&reconcile(&app, true).await), ["unknown here"]);
        work(&app).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        // What has ended here stays as it is, so another look is no help.
        let dispute = app.stripe().dispute(&intent);
        tell(&app, app.stripe().deliveries()).await;
        app.stripe().win(&dispute);
        tell(&app, app.stripe().deliveries()).await;
        app.stripe().change(&dispute, |it| it["status"] = json!("lost"));
        let report = reconcile(&app, true).await;
        assert_eq!((differences(&report), report.queued), (vec!["lost at Stripe, and won here"], 0));
        is_consistent(&app).await;
    }

    async fn a_dispute_that_the_bank_has_decided_twice_ends_as_stripe_says(
        app: TestApp, ..SELLING
    ) {
        let ann = app.person("ann", PASSWORD).await;
        subscribed(&app, &ann, &["ann"]).await;
        let bill = newest(&app, "payment_intent");
        let (_, intent) = buy(&app, &ann, 500).await;
        let before = books(&app).await;
        let disputes = [app.stripe().dispute(&intent), app.stripe().dispute(&bill)];
        tell(&app, app.stripe().deliveries()).await;
        for dispute in &disputes {
            app.stripe().lose(dispute);
        }
        tell(&app, app.stripe().deliveries()).await;
        let [receivable, cash, fees, held, lost] = books(&app).await;
        assert_eq!((purse(&ann).await, held, lost), (purse_of("0", "0"), 0, 500 + 999));
        assert_eq!((receivable, cash + fees), (0, before[1] + before[2] - 500 - 999));
        is_consistent(&app).await;
        // Nobody reports that both are won after all.
        for dispute in &disputes {
            app.stripe().win(dispute);
        }
        app.stripe().deliveries();
        let report = reconcile(&app, true).await;
        let won = "won at Stripe, and lost here";
        assert_eq!(differences(&report)[..2], [won, won], "{report}");
        work(&app).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        assert_eq!((purse(&ann).await, books(&app).await[4]), (purse_of("500", "0"), 0));
        assert_eq!(books(&app).await[0], 0, "all of it arrived");
        is_consistent(&app).await;
    }

    async fn what_nobody_asked_for_is_settled_by_a_refund_at_stripe(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let mut intents = Vec::new();
        for _ in 0..2 {
            let (id, session) = page(&app, &ada, 500).await;
            intents.push(app.stripe().pay(&session));
            app.stripe().change(&session, |it| it["amount_subtotal"] = json!(499));
            tell(&app, app.stripe().deliveries()).await;
            assert_eq!(seen(&app, &id).await.status.as_str(), "mismatch");
        }
        let named = "paid at Stripe, and mismatch here";
        assert_eq!(differences(&reconcile(&app, true).await), [named, named]);
        // The operator gives one back, and the bank takes the other one.
        app.stripe().refund(&intents[0], 500);
        let dispute = app.stripe().dispute(&intents[1]);
        tell(&app, app.stripe().deliveries()).await;
        app.stripe().lose(&dispute);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!((waiting(&app).await, purse(&ada).await), (0, purse_of("0", "0")));
        let [receivable, _, _, disputed, lost] = books(&app).await;
        assert_eq!((receivable, disputed, lost), (0, 0, 0));
        let left = reconcile(&app, false).await;
        assert_eq!(differences(&left), [named], "nothing of the refunded one");
        is_consistent(&app).await;
    }

    async fn what_a_restored_backup_does_not_know_is_settled_by_a_refund_at_stripe(
        app: TestApp, ..SELLING
    ) {
        let ada = app.agent("ada").await;
        let (id, session) = page(&app, &ada, 500).await;
        let sql = sql!("delete from payment where id = $1");
        app.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
        let intent = app.stripe().pay(&session);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!((waiting(&app).await, purse(&ada).await), (0, purse_of("0", "0")));
        let report = reconcile(&app, true).await;
        assert_eq!(differences(&report), ["belongs to this server, which has no such payment"]);
        app.stripe().refund(&intent, 500);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!((waiting(&app).await, books(&app).await[0]), (0, 0));
        assert_eq!(differences(&reconcile(&app, true).await), Vec::<&str>::new());
        is_consistent(&app).await;
    }
}
