//! Payments that are given back, whole or in parts.

use http::Method;
use serde_json::json;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Credits, PaymentId};
use svc_core::due;
use svc_core::services::billing::facts::{DisputeState, RefundState, Session, SessionState};

use super::{ask, books, dispute, purse, refunded, refused, work};
use crate::market::{Market, is_consistent, offer, order, response};
use crate::on_both_engines;
use crate::payout::earn;
use crate::purchase::{apply, begin, buy, session};
use crate::raw::answer;
use crate::stripe::UNCALLED;

on_both_engines! {
    async fn partial_refunds_count_once_each_and_sum_to_what_was_paid(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "exchange.signup_grant" = "7", "exchange.grant_requires" = "nothing"
    ) {
        let ada = app.agent("ada").await;
        let bought = buy(&app, &ada, 1000).await;
        // More than was bought never goes back, whatever the account has.
        assert_eq!(refused(ask(&app, (&ada, &bought), Some(1001)).await), (Code::NotRefundable, "1000".to_owned()));
        let (first, cents) = ask(&app, (&ada, &bought), Some(333)).await.unwrap();
        assert_eq!((cents, purse(&ada).await.as_str()), (333, "674 of which 667, owes 0"));
        let deleted = ada.client.users().delete_me("ada").await.unwrap_err();
        assert_eq!((deleted.code(), deleted.hint()), (Some(&Code::OpenObligations), Some(&*first)));
        app.agent("eve").await.client.users().delete_me("eve").await.expect("it is not hers");
        refunded(&app, (&bought, "re_1", Some(&first)), 333, RefundState::Pending).await;
        is_consistent(&app).await;
        refunded(&app, (&bought, "re_1", Some(&first)), 333, RefundState::Succeeded).await;
        assert_eq!(books(&app).await, [667, -667, 0, 0]);

        let (second, cents) = ask(&app, (&ada, &bought), None).await.unwrap();
        assert_eq!((cents, purse(&ada).await.as_str()), (667, "7 of which 0, owes 0"));
        refunded(&app, (&bought, "re_2", Some(&second)), 667, RefundState::Succeeded).await;
        assert_eq!(books(&app).await, [0, 0, 0, 0]);
        assert_eq!(refused(ask(&app, (&ada, &bought), None).await).0, Code::NotRefundable);
        is_consistent(&app).await;

        // A bank may send it back days later.
        refunded(&app, (&bought, "re_2", Some(&second)), 667, RefundState::Failed).await;
        assert_eq!(purse(&ada).await, "674 of which 667, owes 0");
        assert_eq!(books(&app).await, [667, -667, 0, 0]);
        is_consistent(&app).await;
    }

    async fn what_another_refund_took_of_the_money_that_a_bank_sent_back_is_not_given_twice(
        app: TestApp, ..UNCALLED
    ) {
        let ada = app.agent("ada").await;
        for (cents, left) in [(1000, [0, 1000]), (400, [1600, 2000])] {
            let bought = buy(&app, &ada, 1000).await;
            let (first, _) = ask(&app, (&ada, &bought), None).await.unwrap();
            let [sent, again] = ["sent", "again"].map(|word| format!("re_{word}_{cents}"));
            refunded(&app, (&bought, &sent, Some(&first)), 1000, RefundState::Succeeded).await;
            // The operator sends some of it again, before anybody here knows that it came back.
            refunded(&app, (&bought, &again, None), cents, RefundState::Succeeded).await;
            refunded(&app, (&bought, &sent, Some(&first)), 1000, RefundState::Failed).await;
            assert_eq!(purse(&ada).await, format!("{0} of which {0}, owes 0", left[0]));
            assert_eq!(books(&app).await, [left[0], -left[0], 0, 0]);
            is_consistent(&app).await;
            // That comes back, too.
            refunded(&app, (&bought, &again, None), cents, RefundState::Failed).await;
            assert_eq!(purse(&ada).await, format!("{0} of which {0}, owes 0", left[1]));
            assert_eq!(books(&app).await, [left[1], -left[1], 0, 0]);
            is_consistent(&app).await;
        }
    }

    async fn two_refunds_that_a_bank_sent_back_return_no_more_backed_credits_than_they_took(
        app: TestApp, ..UNCALLED
    ) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        for (cents, left) in [(500, 0), (400, 100)] {
            let bought = buy(app, ada, 500).await;
            work(&market, 300).await;
            app.grant_credits("ada", 300).await;
            assert_eq!(purse(ada).await, "500 of which 200, owes 0");
            let [sent, again] = ["sent", "again"].map(|word| format!("re_{word}_{cents}"));
            refunded(app, (&bought, &sent, None), 500, RefundState::Succeeded).await;
            // The operator sends some of it again, before anybody here knows that it came back.
            refunded(app, (&bought, &again, None), cents, RefundState::Succeeded).await;
            refunded(app, (&bought, &sent, None), 500, RefundState::Failed).await;
            assert_eq!(purse(ada).await, format!("{left} of which 0, owes 0"));
            is_consistent(app).await;
            refunded(app, (&bought, &again, None), cents, RefundState::Failed).await;
            assert_eq!(purse(ada).await, "500 of which 200, owes 0");
            is_consistent(app).await;
            work(&market, 500).await;
        }
    }

    async fn the_last_part_of_a_refund_takes_the_cents_that_rounding_left(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.agent("ada").await;
        let bought = begin(&app, &ada, 500).await.unwrap();
        let paid = Session { tax: 95, total: 595, ..session(&bought, 500, SessionState::Paid) };
        apply(&app, &bought, paid).await;
        // 333 of 500 credits are 396.27 cents, and the others 198.73.
        let (first, cents) = ask(&app, (&ada, &bought), Some(333)).await.unwrap();
        assert_eq!(cents, 396);
        refunded(&app, (&bought, "re_1", Some(&first)), 396, RefundState::Succeeded).await;
        let (second, cents) = ask(&app, (&ada, &bought), None).await.unwrap();
        assert_eq!(cents, 199);
        refunded(&app, (&bought, "re_2", Some(&second)), 199, RefundState::Succeeded).await;
        assert_eq!(books(&app).await, [0, 0, 0, 0], "nothing is kept, and the tax went back, too");
        is_consistent(&app).await;
    }

    async fn what_is_worth_less_than_a_cent_is_not_offered_to_be_given_back(
        app: TestApp, ..UNCALLED
    ) {
        let market = Market::new(app).await;
        let bought = buy(&market.app, &market.ada, 500).await;
        for (spent, left) in [(499_000_000, 1_u32), (500_000, 0)] {
            let order = market.ordered(Credits::from_micros(spent)).await;
            market.answer(response(&order, ResponseStatus::Completed)).await;
            let shown = market.ada.client.billing().payment(&bought).await.unwrap().payment;
            assert_eq!(shown.refundable_credits, Credits::from(left), "{spent}");
        }
        assert_eq!(purse(&market.ada).await, "0.5 of which 0.5, owes 0");
        let nothing = ask(&market.app, (&market.ada, &bought), None).await;
        assert_eq!(refused(nothing), (Code::NotRefundable, "0".to_owned()));
        market.is_consistent().await;
    }

    async fn what_was_refunded_of_a_payment_is_not_given_back_from_another_one(
        app: TestApp, ..UNCALLED
    ) {
        let ada = app.agent("ada").await;
        let bought = buy(&app, &ada, 500).await;
        buy(&app, &ada, 500).await;
        let (first, _) = ask(&app, (&ada, &bought), Some(300)).await.unwrap();
        refunded(&app, (&bought, "re_1", Some(&first)), 300, RefundState::Succeeded).await;
        assert_eq!(purse(&ada).await, "700 of which 700, owes 0");
        let shown = ada.client.billing().payment(&bought).await.unwrap().payment;
        assert_eq!(shown.refundable_credits, 200.into());
        assert_eq!(refused(ask(&app, (&ada, &bought), Some(201)).await), (Code::NotRefundable, "200".to_owned()));
        is_consistent(&app).await;
    }

    async fn an_operator_says_for_how_long_a_payment_can_be_given_back(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret",
        "credits.refund_window" = "1d"
    ) {
        let ada = app.agent("ada").await;
        let bought = buy(&app, &ada, 500).await;
        app.advance(86_400);
        ask(&app, (&ada, &bought), Some(100)).await.unwrap();
        app.advance(1);
        let late = ask(&app, (&ada, &bought), Some(100)).await;
        assert_eq!(refused(late), (Code::NotRefundable, "0".to_owned()));
    }

    async fn a_payment_can_be_given_back_for_14_days(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.agent("ada").await;
        let bought = buy(&app, &ada, 500).await;
        app.advance(14 * 86_400);
        ask(&app, (&ada, &bought), Some(100)).await.unwrap();
        app.advance(1);
        assert_eq!(refused(ask(&app, (&ada, &bought), Some(100)).await), (Code::NotRefundable, "0".to_owned()));
        is_consistent(&app).await;
    }

    async fn a_refund_that_is_refused_says_why(app: TestApp, ..UNCALLED) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let why = async |payment: &PaymentId| {
            let path = format!("/v1/billing/payments/{payment}/refund");
            let said = answer(ada.raw(app, Method::POST, &path).json(&json!({}))).await.refusal();
            assert_eq!((said.code, said.hint.as_deref()), (Code::NotRefundable, Some("0")));
            said.error
        };
        let open = begin(app, ada, 500).await.unwrap();
        assert_eq!(&*why(&open).await, "only a completed payment can be refunded");
        let spent = buy(app, ada, 500).await;
        work(&market, 500).await;
        let nothing = "nothing is left to refund: the credits were spent or already given back";
        assert_eq!(&*why(&spent).await, nothing);
        let disputed = buy(app, ada, 500).await;
        dispute(app, &disputed, 100, DisputeState::Open).await;
        assert_eq!(&*why(&disputed).await, "the payment is disputed at the bank");
        app.advance(14 * 86_400 + 1);
        assert_eq!(&*why(&spent).await, "the refund period of this payment is over");
    }

    async fn nothing_of_a_payment_is_given_back_while_a_bank_disputes_a_part(
        app: TestApp,
        "billing.stripe.key_file" = "stripe.key", "billing.stripe.webhook_secret_files" = "stripe.secret"
    ) {
        let ada = app.agent("ada").await;
        let bought = buy(&app, &ada, 500).await;
        dispute(&app, &bought, 100, DisputeState::Open).await;
        assert_eq!(refused(ask(&app, (&ada, &bought), None).await), (Code::NotRefundable, "0".to_owned()));
        dispute(&app, &bought, 100, DisputeState::Won).await;
        assert_eq!(ask(&app, (&ada, &bought), None).await.unwrap().1, 500);
        is_consistent(&app).await;
    }

    async fn a_refund_made_at_the_provider_takes_its_credits_and_their_backing(
        app: TestApp, ..UNCALLED
    ) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let bought = buy(app, ada, 500).await;
        work(&market, 500).await;
        app.grant_credits("ada", 200).await;
        // What was bought is spent, and nothing is paid for what was granted.
        assert_eq!(refused(ask(app, (ada, &bought), None).await), (Code::NotRefundable, "0".to_owned()));
        refunded(app, (&bought, "re_1", None), 500, RefundState::Pending).await;
        assert_eq!(purse(ada).await, "0 of which 0, owes 300");
        is_consistent(app).await;
        // What comes back is backed as it was when it left: granted credits never become bought ones.
        refunded(app, (&bought, "re_1", None), 500, RefundState::Failed).await;
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(purse(ada).await, "200 of which 0, owes 0");
        is_consistent(app).await;
    }

    async fn what_was_earned_is_not_given_back_as_if_it_were_bought(app: TestApp, ..UNCALLED) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let bought = buy(app, ada, 500).await;
        earn(app, &ada.user.id, 300).await;
        // What was bought is spent first.
        work(&market, 400).await;
        assert_eq!(purse(ada).await, "400 of which 400, owes 0");
        let shown = ada.client.billing().payment(&bought).await.unwrap().payment;
        assert_eq!(shown.refundable_credits, 100.into());
        let more = ask(app, (ada, &bought), Some(101)).await;
        assert_eq!(refused(more), (Code::NotRefundable, "100".to_owned()));
        assert_eq!(ask(app, (ada, &bought), None).await.unwrap().1, 100);
        assert_eq!(purse(ada).await, "300 of which 300, owes 0");
        let nothing = ask(app, (ada, &bought), None).await;
        assert_eq!(refused(nothing), (Code::NotRefundable, "0".to_owned()));
        is_consistent(app).await;
    }

    async fn what_was_earned_does_not_become_bought_in_a_deal_that_gives_it_back(
        app: TestApp, ..UNCALLED
    ) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let bought = buy(app, ada, 500).await;
        earn(app, &ada.user.id, 300).await;
        work(&market, 500).await;
        let declined = market.ordered(300).await;
        market.answer(response(&declined, ResponseStatus::Rejected)).await;
        assert_eq!(purse(ada).await, "300 of which 300, owes 0");
        let nothing = ask(app, (ada, &bought), None).await;
        assert_eq!(refused(nothing), (Code::NotRefundable, "0".to_owned()));
        is_consistent(app).await;
    }

    async fn what_a_debtor_earns_pays_the_debt_before_anything_is_given_back(
        app: TestApp, ..UNCALLED
    ) {
        let market = Market::new(app).await;
        let (app, ada, bob) = (&market.app, &market.ada, &market.bob);
        let (disputed, other) = (buy(app, ada, 500).await, buy(app, ada, 500).await);
        work(&market, 1000).await;
        dispute(app, &disputed, 500, DisputeState::Open).await;
        let service = offer(ada, "poems", 150).await;
        let sent = bob.client.messages().request_service("ada", order(&service, 150)).await.unwrap();
        let done = response(&sent.message.message_id, ResponseStatus::Completed);
        ada.client.messages().respond_to("bob", done).await.unwrap();
        assert_eq!(purse(ada).await, "150 of which 150, owes 500", "nothing was collected yet");
        let asked = ask(app, (ada, &other), Some(150)).await;
        assert_eq!(refused(asked), (Code::NotRefundable, "0".to_owned()));
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(purse(ada).await, "0 of which 0, owes 350");
        is_consistent(app).await;
    }
}
