//! Pages and refunds are made once, whatever goes wrong on the way to Stripe.

use std::time::Duration;

use http::{Method, StatusCode};
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::json;
use svc_client::types::{Code, Timestamp};
use svc_fake_stripe::Fault;
use svc_server::testing::until;
use svc_store::{sql, values};

use super::{PAUSE, ask, begin, books, buy, purse, purse_of, seen, tell, work};
use crate::app::{Member, TestApp};
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::raw::{Raw, answer};
use crate::stripe::{SELLING, newest};

/// Buys credits, with the same Idempotency-Key each time.
async fn checkout(app: &TestApp, buyer: &Member) -> Raw {
    let request = buyer.raw(app, Method::POST, "/v1/billing/checkout");
    answer(request.header("idempotency-key", "a").json(&json!({ "credits": 500 }))).await
}

on_both_engines! {
    async fn a_page_that_takes_longer_than_a_request_is_there_when_the_request_is_repeated(
        app: TestApp, "billing.stripe.key_file" = "its own", "limits.request_timeout" = "3s"
    ) {
        let ada = app.agent("ada").await;
        app.stripe().fail_next("POST", "/v1/checkout/sessions", Fault::AnswersLate);
        let refused = checkout(&app, &ada).await.refusal();
        assert_eq!(refused.code, Code::ProviderUnavailable, "{refused:?}");
        let hint = refused.hint.as_deref().unwrap_or_default();
        assert!(hint.contains("the same Idempotency-Key"), "{hint}");
        // The request has ended, but its call to Stripe has not.
        app.stripe().answer_late();
        let open = sql!("select count(*) from payment where status = 'open'");
        until("the page is noted", async || app.count(open).await == 1).await;
        let again = checkout(&app, &ada).await;
        assert_eq!(again.status, StatusCode::CREATED, "{again:?}");
        let page = app.stripe().objects("checkout.session").pop().unwrap();
        assert_eq!(again.json()["url"], page["url"]);
        let calls = app.stripe().calls();
        let made = calls.iter().filter(|call| call.endpoint == "POST /v1/checkout/sessions");
        assert_eq!(made.count(), 1, "it was asked for once");
    }

    async fn a_page_is_made_once_whatever_goes_wrong(
        app: TestApp, "billing.stripe.key_file" = "its own", "credits.buy_per_day" = "500,500,500"
    ) {
        let ada = app.agent("ada").await;
        for (number, fault) in faults().enumerate() {
            app.stripe().fail_next("POST", "/v1/checkout/sessions", fault);
            let id = begin(&app, &ada, 500).await;
            work(&app).await;
            app.advance(PAUSE);
            work(&app).await;
            assert_eq!(seen(&app, &id).await.status.as_str(), "open", "{fault:?}");
            assert_eq!(app.stripe().objects("checkout.session").len(), number + 1, "{fault:?}");
        }
        // Stripe is down for a while, and then it is not.
        app.stripe().set_down(true);
        let id = begin(&app, &ada, 500).await;
        for _ in 0..3 {
            work(&app).await;
            app.advance(PAUSE);
        }
        assert_eq!(seen(&app, &id).await.status.as_str(), "creating");
        app.stripe().set_down(false);
        work(&app).await;
        assert_eq!(seen(&app, &id).await.status.as_str(), "open");
    }

    async fn metrics_show_what_stripe_fails_at_again_and_again(app: TestApp, ..SELLING) {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _measuring = metrics::set_default_local_recorder(&recorder);
        let is_shown = |line: &str| recorder.handle().render().lines().any(|shown| shown == line);
        let ada = app.agent("ada").await;
        app.stripe().set_down(true);
        begin(&app, &ada, 500).await;
        for _ in 0..6 {
            work(&app).await;
            app.advance(PAUSE);
        }
        work(&app).await;
        assert!(is_shown("svc_billing_failing 1"), "{}", recorder.handle().render());
        app.stripe().set_down(false);
        app.advance(PAUSE);
        work(&app).await;
        work(&app).await;
        let text = recorder.handle().render();
        assert!(is_shown("svc_billing_failing 0"), "{text}");
        let name = "svc_billing_read_timestamp_seconds ";
        let read: f64 =
            text.lines().find_map(|line| line.strip_prefix(name)?.parse().ok()).unwrap();
        let now = app.server.clock().now().since(Timestamp::from_millis(0));
        assert!(now.saturating_sub(Duration::from_secs_f64(read)) < Duration::from_hours(1));
    }

    async fn a_refund_is_made_once_whatever_goes_wrong(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (id, _) = buy(&app, &ada, 1_000).await;
        for (number, fault) in faults().enumerate() {
            app.stripe().fail_next("POST", "/v1/refunds", fault);
            ask(&app, &ada, &id, 100).await;
            work(&app).await;
            app.advance(PAUSE);
            work(&app).await;
            tell(&app, app.stripe().deliveries()).await;
            assert_eq!(app.stripe().objects("refund").len(), number + 1, "{fault:?}");
        }
        let count = i64::try_from(faults().count()).unwrap();
        assert_eq!(purse(&ada).await, purse_of(&(1_000 - 100 * count).to_string(), "0"));
        let [receivable, cash, fee, ..] = books(&app).await;
        assert_eq!((receivable, cash), (0, 1_000 - 100 * count - fee));
        is_consistent(&app).await;
        // The bank sends one back days later.
        app.stripe().fail_refund(&newest(&app, "refund"));
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of(&(1_100 - 100 * count).to_string(), "0"));
        is_consistent(&app).await;
        // Another one is cancelled.
        let refund = app.stripe().objects("refund").remove(0);
        let refund = refund["id"].as_str().unwrap();
        app.stripe().fail_refund(refund);
        app.stripe().change(refund, |it| it["status"] = json!("canceled"));
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of(&(1_200 - 100 * count).to_string(), "0"));
        is_consistent(&app).await;
    }

    async fn a_refund_whose_node_died_is_found_when_stripe_has_forgotten_its_key(
        app: TestApp, ..SELLING
    ) {
        let ada = app.agent("ada").await;
        let (id, _) = buy(&app, &ada, 500).await;
        app.stripe().fail_next("POST", "/v1/refunds", Fault::LosesAnswer);
        ask(&app, &ada, &id, 100).await;
        work(&app).await;
        // The node did not even note that it had tried.
        let forget = sql!("update provider_object set tries = 0 where kind = 'new_refund'");
        app.execute(move |ctx| ctx.tx.execute(forget, values![])).await;
        app.advance(25 * 3_600);
        app.stripe().fail_next("GET", "/v1/events", Fault::FailsBefore);
        work(&app).await;
        assert_eq!(app.stripe().objects("refund").len(), 1);
        assert_eq!(purse(&ada).await, purse_of("400", "0"));
        is_consistent(&app).await;
    }

    async fn a_dispute_gets_the_credits_of_a_refund_that_comes_too_late(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (id, intent) = buy(&app, &ada, 1_000).await;
        app.stripe().fail_next("POST", "/v1/refunds", Fault::FailsBefore);
        ask(&app, &ada, &id, 400).await;
        work(&app).await;
        app.stripe().dispute(&intent);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        // Stripe refuses a refund of what is disputed.
        app.advance(PAUSE);
        work(&app).await;
        assert_eq!(app.stripe().objects("refund").len(), 0);
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        app.stripe().win(&newest(&app, "dispute"));
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of("1000", "0"));
        is_consistent(&app).await;
    }

    async fn a_refund_that_stripe_refuses_gives_the_credits_back(app: TestApp, ..SELLING) {
        let ada = app.agent("ada").await;
        let (id, intent) = buy(&app, &ada, 500).await;
        ask(&app, &ada, &id, 500).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        // A dispute that nobody has reported yet.
        let dispute = app.stripe().dispute(&intent);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        let payment = ada.client.billing().payment(&id).await.unwrap().payment;
        assert!(payment.disputed && !payment.dispute_lost, "{payment:?}");
        app.stripe().lose(&dispute);
        tell(&app, app.stripe().deliveries()).await;
        let [receivable, _, _, disputed, lost] = books(&app).await;
        assert_eq!((receivable, disputed, lost), (0, 0, 500));
        let payment = ada.client.billing().payment(&id).await.unwrap().payment;
        assert!(payment.disputed && payment.dispute_lost, "{payment:?}");
        is_consistent(&app).await;
    }
}

/// What goes wrong with a call that makes something, and is over soon.
fn faults() -> impl Iterator<Item = Fault> {
    use Fault::{
        FailsAfter, FailsBefore, Garbles, KeyInUse, LimitsRate, LosesAnswer, LosesCall, RefusesKey,
    };
    [FailsBefore, FailsAfter, LosesCall, LosesAnswer, Garbles, LimitsRate, KeyInUse, RefusesKey]
        .into_iter()
}
