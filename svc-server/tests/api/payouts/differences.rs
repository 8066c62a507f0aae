//! Differences from Stripe and in the books, which are found.

use serde_json::json;
use svc_server::billing;
use svc_store::sql;

use super::{round, sendable};
use crate::audit::{broken_by, ids};
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::stripe::PAYING_OUT;

on_both_engines! {
    async fn transfers_that_no_payout_knows_are_named(
        app: TestApp, ..PAYING_OUT, "payouts.review" = "false"
    ) {
        let (_, id) = sendable(&app).await;
        round(&app).await;
        let since = svc_server::testing::START;
        let compared = || billing::reconcile(app.server.app(), since, true);
        assert_eq!(compared().await.unwrap().differences, []);
        let transfer = app.stripe().objects("transfer").pop().unwrap();
        let account = transfer["destination"].as_str().unwrap();
        let mut metadata = transfer["metadata"].clone();
        let second = app.stripe().transfer(account, 100, &metadata);
        metadata["svc"] = json!("po_unknown");
        let foreign = app.stripe().transfer(account, 7, &metadata);
        metadata["server"] = json!("another server");
        app.stripe().transfer(account, 7, &metadata);
        let found = compared().await.unwrap().differences;
        let found: Vec<_> = found.iter().map(|it| (&*it.id, &*it.what)).collect();
        assert_eq!(found, [
            (&*foreign, "belongs to this server, which has no such payout"),
            (&*second, "is a second transfer of its payout"),
        ]);
        // Undone by hand, the payout is found to be unknown at Stripe.
        for it in [&second, &foreign] {
            app.stripe().change(it, |it| it["metadata"] = json!({}));
        }
        app.stripe().change(transfer["id"].as_str().unwrap(), |it| it["metadata"] = json!({}));
        let found = compared().await.unwrap().differences;
        assert_eq!(found[0].id, id.as_str());
    }

    async fn broken_books_of_payouts_are_found(
        app: TestApp, ..PAYING_OUT, "payouts.review" = "false"
    ) {
        sendable(&app).await;
        is_consistent(&app).await;
        let more = [sql!("update payout set credits = credits + 1")];
        assert_eq!(broken_by(&app, more).await, ids(["I15"]));
        round(&app).await;
        is_consistent(&app).await;
        // A payout that was sent although no money was paid out for it; other money has its id.
        let unpaid = [
            sql!("update payout set status = 'returned'"),
            sql!(
                "insert into payout (id, person, account, destination, status, credits, currency,
                    amount, created_at)
                 select (select min(ref) from money_transfer where kind = 'cash'), person, account,
                    destination, 'sent', credits, currency, amount, created_at from payout"
            ),
        ];
        assert_eq!(broken_by(&app, unpaid).await, ids(["I15"]));
    }
}
