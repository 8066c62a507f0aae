//! What was paid for seats, when a bank takes it back and when Stripe's books are compared with ours.

use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::users::Tier;
use svc_core::services::ledger::money::Money;
use svc_fake_stripe::Delivery;
use svc_server::admin::{BillingCommand, Command};
use svc_store::{sql, values};

use super::reconcile::{differences, reconcile};
use super::{balances, tell, waiting, work};
use crate::app::{Member, TestApp};
use crate::billing::broken_by;
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::owners::pair;
use crate::stripe::newest;
use crate::tiers::{PASSWORD, pass_days, subscribed, tier};

/// Balances of money: receivable, sold seats, disputed and lost.
async fn books(app: &TestApp) -> [i64; 4] {
    let accounts = [Money::Receivable, Money::Subscriptions, Money::Disputed, Money::Loss];
    balances(app, accounts).await
}

/// What Stripe calls the last payment.
fn intent(app: &TestApp) -> String {
    newest(app, "payment_intent")
}

/// Lets a person pay for a seat of her agent, too; what Stripe calls the payment.
async fn pay_for_another_seat(app: &TestApp, ann: &Member) -> String {
    ann.client.auth().step_up().password(PASSWORD).await.unwrap();
    ann.client.tiers().subscribe(["ann", "bot"]).await.unwrap();
    tell(app, app.stripe().deliveries()).await;
    intent(app)
}

/// Lets a person pay for a month, of which only Stripe's reports will tell.
async fn paid_unnoticed(app: &TestApp) -> Vec<Delivery> {
    let ann = app.person("ann", PASSWORD).await;
    ann.client.tiers().subscribe(["ann"]).await.unwrap();
    work(app).await;
    app.stripe().subscribe(&newest(app, "checkout.session"));
    app.stripe().deliveries()
}

/// The tier after a month that can't be paid, which is kept while the time for it runs.
async fn after_an_unpaid_month(app: &TestApp, subscription: &str, person: &Member) -> Tier {
    app.stripe().decline(subscription, true);
    pass_days(app, 31).await;
    is_consistent(app).await;
    tier(person).await
}

on_both_engines! {
    async fn a_cancellation_that_stripe_refuses_is_no_declined_payment(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        // The operator ended it at Stripe, which has not reported that yet.
        app.stripe().change(&id, |it| it["status"] = json!("canceled"));
        let refused = ann.client.tiers().cancel().await.unwrap_err();
        let hint = "GET /v1/billing/tier shows what the subscription is now";
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::WrongState), Some(hint)));
        work(&app).await;
        assert_eq!(tier(&ann).await, Tier::Free, "the refusal was reason enough to look");
        is_consistent(&app).await;
    }

    async fn a_disputed_month_is_entered_once_and_ends_the_grace(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        let dispute = app.stripe().dispute(&intent(&app));
        let deliveries = app.stripe().deliveries();
        tell(&app, [deliveries.clone(), deliveries].concat()).await;
        assert_eq!(books(&app).await, [0, -999, 999, 0]);
        let status = Command::Billing { command: BillingCommand::Status };
        let printed = app.server.admin(status).await[0].to_string();
        assert!(printed.contains("\n1 disputes open\n0 accounts in debt\n"), "{printed}");
        let deleted = ann.client.users().delete_me("ann").await.unwrap_err();
        assert_eq!((deleted.code(), deleted.hint()), (Some(&Code::OpenObligations), Some(&*dispute)));
        app.agent("bob").await.client.users().delete_me("bob").await.unwrap();
        assert_eq!(broken_by(&app, sql!("delete from invoice_dispute")).await, "I13");
        is_consistent(&app).await;
        app.stripe().lose(&dispute);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(books(&app).await, [0, -999, 0, 999]);
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        // The month that was sold stays; nothing is given on credit.
        assert_eq!(tier(&ann).await, Tier::Pro);
        assert_eq!(after_an_unpaid_month(&app, &id, &ann).await, Tier::Free);
    }

    async fn a_dispute_of_a_month_that_is_won_leaves_nothing_behind(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        let dispute = app.stripe().dispute(&intent(&app));
        tell(&app, app.stripe().deliveries()).await;
        app.stripe().win(&dispute);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(books(&app).await, [0, -999, 0, 0]);
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        assert_eq!(after_an_unpaid_month(&app, &id, &ann).await, Tier::Pro, "it has its grace again");
    }

    async fn a_month_that_is_paid_after_a_refund_has_its_grace_again(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        app.stripe().refund(&intent(&app), 999);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        pass_days(&app, 31).await;
        assert_eq!(tier(&ann).await, Tier::Pro, "the second month is paid");
        assert_eq!(after_an_unpaid_month(&app, &id, &ann).await, Tier::Pro, "only the first month went back");
    }

    async fn a_month_that_costs_nothing_gives_no_grace_after_a_refund(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        app.stripe().refund(&intent(&app), 999);
        tell(&app, app.stripe().deliveries()).await;
        pass_days(&app, 30).await;
        // The operator takes nothing for the second month.
        app.stripe().change(&newest(&app, "invoice"), |it| it["total"] = json!(0));
        pass_days(&app, 1).await;
        assert_eq!(tier(&ann).await, Tier::Pro, "she has the second month");
        let bills = sql!("select count(*) from subscription_invoice where amount = 0");
        assert_eq!(app.count(bills).await, 1);
        assert_eq!(after_an_unpaid_month(&app, &id, &ann).await, Tier::Free, "no payment followed the refund");
    }

    async fn a_dispute_that_is_won_gives_no_grace_while_a_refund_counts(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        // Two others: one can't pay either, and the other one pays.
        let [bea, cat] = [app.person("bea", PASSWORD).await, app.person("cat", PASSWORD).await];
        let of_bea = subscribed(&app, &bea, &["bea"]).await;
        subscribed(&app, &cat, &["cat"]).await;
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        app.stripe().refund(&intent(&app), 99);
        let dispute = app.stripe().dispute(&intent(&app));
        tell(&app, app.stripe().deliveries()).await;
        app.stripe().win(&dispute);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(books(&app).await, [0, -900 - 2 * 999, 0, 0]);
        app.stripe().decline(&of_bea, true);
        assert_eq!(after_an_unpaid_month(&app, &id, &ann).await, Tier::Free);
        assert_eq!([tier(&bea).await, tier(&cat).await], [Tier::Pro, Tier::Pro]);
    }

    async fn a_refund_that_failed_gives_no_grace_while_another_one_counts(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        for (name, other, found) in [("ann", 0, Tier::Pro), ("bea", 50, Tier::Free)] {
            let person = app.person(name, PASSWORD).await;
            let id = subscribed(&app, &person, &[name]).await;
            if other > 0 {
                app.stripe().refund(&intent(&app), other);
            }
            let refund = app.stripe().refund(&intent(&app), 99);
            tell(&app, app.stripe().deliveries()).await;
            app.stripe().fail_refund(&refund);
            tell(&app, app.stripe().deliveries()).await;
            assert_eq!(after_an_unpaid_month(&app, &id, &person).await, found, "{name}");
        }
    }

    async fn a_later_refund_that_failed_leaves_that_of_another_bill(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let [ann, _bot] = pair(&app).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        let first = intent(&app);
        pass_days(&app, 1).await;
        let second = pay_for_another_seat(&app, &ann).await;
        assert_ne!(first, second);
        pass_days(&app, 1).await;
        app.stripe().refund(&first, 99);
        pass_days(&app, 1).await;
        let refund = app.stripe().refund(&second, 99);
        tell(&app, app.stripe().deliveries()).await;
        app.stripe().fail_refund(&refund);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(after_an_unpaid_month(&app, &id, &ann).await, Tier::Free);
    }

    async fn a_refund_from_before_the_last_payment_that_is_reported_after_it_takes_no_grace(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let [ann, _bot] = pair(&app).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        app.stripe().refund(&intent(&app), 999);
        let late = app.stripe().deliveries();
        app.advance(60);
        pay_for_another_seat(&app, &ann).await;
        tell(&app, late).await;
        assert_eq!(after_an_unpaid_month(&app, &id, &ann).await, Tier::Pro);
    }

    async fn a_refund_that_failed_gives_no_grace_while_a_dispute_is_open(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let bea = app.person("bea", PASSWORD).await;
        let of_bea = subscribed(&app, &bea, &["bea"]).await;
        app.stripe().decline(&of_bea, true);
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        let refund = app.stripe().refund(&intent(&app), 99);
        app.stripe().dispute(&intent(&app));
        tell(&app, app.stripe().deliveries()).await;
        app.stripe().fail_refund(&refund);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(after_an_unpaid_month(&app, &id, &ann).await, Tier::Free);
        assert_eq!(tier(&bea).await, Tier::Pro, "nobody disputes what she paid");
    }

    async fn a_dispute_that_is_reported_before_its_bill_is_entered_with_it(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let mut deliveries = paid_unnoticed(&app).await;
        app.stripe().dispute(&intent(&app));
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(books(&app).await, [0, 0, 0, 0]);
        deliveries.reverse();
        tell(&app, deliveries).await;
        work(&app).await;
        assert_eq!(books(&app).await, [0, -999, 999, 0]);
        is_consistent(&app).await;
    }

    async fn a_refund_that_failed_before_its_bill_was_reported_is_entered_with_it(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let bill = paid_unnoticed(&app).await;
        let refund = app.stripe().refund(&intent(&app), 99);
        app.stripe().fail_refund(&refund);
        tell(&app, app.stripe().deliveries()).await;
        tell(&app, bill).await;
        work(&app).await;
        assert_eq!(books(&app).await, [0, -999, 0, 0]);
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        is_consistent(&app).await;
    }

    async fn reconcile_names_seats_bills_and_entries_that_differ(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let ann = app.person("ann", PASSWORD).await;
        let id = subscribed(&app, &ann, &["ann"]).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        // Nobody reports the next month.
        app.stripe().advance(std::time::Duration::from_hours(31 * 24));
        app.stripe().decline(&id, true);
        app.stripe().deliveries();
        app.stripe().change(&id, |it| it["status"] = json!("past_due"));
        assert_eq!(
            differences(&reconcile(&app, false).await),
            ["past_due with 1 seats at Stripe, and active with 1 here", "paid, and unknown here"]
        );
        app.stripe().change(&id, |it| it["status"] = json!("active"));
        reconcile(&app, true).await;
        work(&app).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        assert_eq!(books(&app).await, [0, -2 * 999, 0, 0]);
        // It ends at Stripe, and what Stripe says of the past differs: that is for people.
        app.stripe().change(&id, |it| it["status"] = json!("canceled"));
        let (entry, bill) = (newest(&app, "balance_transaction"), newest(&app, "invoice"));
        app.stripe().change(&entry, |it| it["fee"] = json!(1));
        app.stripe().change(&bill, |it| it["amount_paid"] = json!(1));
        let report = reconcile(&app, true).await;
        assert_eq!(
            differences(&report),
            [
                "not running at Stripe, and running here",
                "0.01 USD paid at Stripe, and 9.99 USD here",
                "9.99 USD less 0.01 USD at Stripe, and 9.99 USD less 0.59 USD counted here",
            ]
        );
        assert_eq!(report.queued, 1);
        is_consistent(&app).await;
    }

    async fn a_subscription_that_a_restored_backup_does_not_know_waits_for_nothing(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let deliveries = paid_unnoticed(&app).await;
        let sql = sql!("delete from subscription");
        app.execute(move |ctx| ctx.tx.execute(sql, values![])).await;
        tell(&app, deliveries).await;
        work(&app).await;
        assert_eq!((waiting(&app).await, books(&app).await), (0, [0; 4]));
        let report = reconcile(&app, false).await;
        let named = "belongs to this server, which has no such subscription";
        assert!(differences(&report).contains(&named), "{report}");
        is_consistent(&app).await;
    }
}
