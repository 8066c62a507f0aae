//! Payments through Stripe: pages, webhooks, refunds and disputes, whatever gets lost, repeated or
//! reordered. A stand-in plays Stripe.

use std::ops::Range;

use http::StatusCode;
use reqwest::Method;
use serde_json::{Value, json};
use svc_client::types::api::billing::CreateCheckout;
use svc_client::types::{Code, Credits, PaymentId};
use svc_core::app::Ctx;
use svc_core::identity::credentials::account_of_key;
use svc_core::services::billing::{payment, refund};
use svc_core::services::ledger::money::{self, Money};
use svc_fake_stripe::{Delivery, Fault, WEBHOOK_SECRET, sign};
use svc_server::billing::{self, Report};
use svc_server::testing::{Engine, TestServer};
use svc_store::sql;

use crate::app::{Member, TestApp, code, database, remove};
use crate::market::is_consistent;
use crate::on_both_engines;

/// Time after which every failed object is due again.
const PAUSE: u64 = 3_700;

/// Begins a purchase; its id.
async fn begin(app: &TestApp, buyer: &Member, credits: u32) -> PaymentId {
    let key = buyer.key.expose().to_owned();
    let job = move |ctx: &mut Ctx<'_, '_>| {
        let buyer = account_of_key(ctx, &key)?;
        Ok(payment::begin(ctx, &buyer, Credits::from(credits), true)?.id)
    };
    app.server.app().write(job).await.unwrap()
}

/// A round of the worker.
async fn work(app: &TestApp) {
    billing::once(app.server.app()).await.unwrap();
}

/// Begins a purchase and makes its page; its id and the id of the page.
async fn page(app: &TestApp, buyer: &Member, credits: u32) -> (PaymentId, String) {
    let id = begin(app, buyer, credits).await;
    work(app).await;
    let session = seen(app, &id).await.session.expect("its page was made");
    (id, session)
}

/// Buys credits and tells the server; the id of the payment, and Stripe's.
async fn buy(app: &TestApp, buyer: &Member, credits: u32) -> (PaymentId, String) {
    let (id, session) = page(app, buyer, credits).await;
    let intent = app.stripe().pay(&session);
    tell(app, app.stripe().deliveries()).await;
    (id, intent)
}

async fn seen(app: &TestApp, id: &PaymentId) -> payment::Record {
    let id = id.clone();
    app.server.app().read(move |ctx| payment::find(ctx, &id)).await.unwrap()
}

/// Sends webhooks and works on what they name.
async fn tell(app: &TestApp, deliveries: Vec<Delivery>) {
    for delivery in deliveries {
        assert_eq!(send(&app.server, &delivery.body, &delivery.signature).await.0, StatusCode::OK);
    }
    work(app).await;
}

/// Sends a webhook; the status, and the code of a refusal.
async fn send(server: &TestServer, body: &str, signature: &str) -> (StatusCode, String) {
    let url = format!("{}/webhooks/stripe", server.url().trim_end_matches("/api"));
    let request = reqwest::Client::new().request(Method::POST, url).body(body.to_owned());
    let request = request.header("content-type", "application/json; charset=utf-8");
    let answer = request.header("stripe-signature", signature).send().await.unwrap();
    let status = answer.status();
    let body: Value = answer.json().await.unwrap();
    (status, body["code"].as_str().unwrap_or_default().to_owned())
}

/// What is available and owed.
async fn purse(member: &Member) -> (String, String) {
    let credits = member.client.credits().balance().await.unwrap().credits;
    (credits.available.to_string(), credits.debt.unwrap_or_default().to_string())
}

fn purse_of(available: &str, debt: &str) -> (String, String) {
    (available.to_owned(), debt.to_owned())
}

/// Balances of money: receivable, cash, fees, disputed and lost.
async fn books(app: &TestApp) -> [i64; 5] {
    let job = |ctx: &mut Ctx<'_, '_>| {
        let mut balance = |account| money::balance(ctx, account, "usd");
        Ok([
            balance(Money::Receivable)?,
            balance(Money::Cash)?,
            balance(Money::ProviderFee)?,
            balance(Money::Disputed)?,
            balance(Money::Loss)?,
        ])
    };
    app.server.app().read(job).await.unwrap()
}

async fn purchases(app: &TestApp) -> i64 {
    app.count(sql!("select count(*) from ledger_transfer where kind = 'purchase'")).await
}

/// Objects that wait for the worker.
async fn waiting(app: &TestApp) -> i64 {
    app.count(sql!("select count(*) from provider_object where due_at is not null")).await
}

/// Asks for a refund.
async fn ask(app: &TestApp, buyer: &Member, id: &PaymentId, credits: u32) {
    let (by, id) = (buyer.user.id.clone(), id.clone());
    let job = move |ctx: &mut Ctx<'_, '_>| refund::ask(ctx, &id, Some(Credits::from(credits)), &by);
    app.server.app().write(job).await.unwrap();
}

async fn reconcile(app: &TestApp, fix: bool) -> Report {
    let since = svc_server::testing::START;
    billing::reconcile(app.server.app(), since, fix).await.unwrap()
}

/// Differences as `what`, sorted.
fn differences(report: &Report) -> Vec<&str> {
    report.differences.iter().map(|difference| difference.what.as_str()).collect()
}

on_both_engines! {
    async fn a_payment_told_fifty_times_adds_its_credits_once(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let (id, session) = page(&app, &ada, 500).await;
        assert!(seen(&app, &id).await.url.unwrap().starts_with("https://checkout.stripe.com/"));
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        app.stripe().pay(&session);
        let told = app.stripe().deliveries();
        for _ in 0..50 {
            tell(&app, told.clone()).await;
        }
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        // 5.00 arrived, of which Stripe keeps 0.45.
        assert_eq!(books(&app).await, [0, 455, 45, 0, 0]);
        assert_eq!(waiting(&app).await, 0);
        is_consistent(&app).await;
    }

    async fn a_checkout_returns_the_page_and_a_repeated_key_the_same_one(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let checkout = || ada.client.billing().checkout(500).idempotency_key("one");
        // The first answer of Stripe is lost.
        app.stripe().fail_next("POST", "/v1/checkout/sessions", Fault::LosesAnswer);
        assert_eq!(code::<CreateCheckout>(checkout().await), Code::ProviderUnavailable);
        app.advance(PAUSE);
        let begun = checkout().await.unwrap();
        assert_eq!(begun.url, checkout().await.unwrap().url);
        let session = begun.url.strip_prefix("https://checkout.stripe.com/c/pay/").unwrap();
        app.stripe().pay(session);
        tell(&app, app.stripe().deliveries()).await;
        let read = ada.client.billing().payment(&begun.payment.payment_id).await.unwrap().payment;
        assert_eq!((read.status.as_str(), read.in_test), ("paid", true));
        assert_eq!(read.receipt_url.unwrap().split("ch_").next(), Some("https://pay.stripe.com/receipts/"));
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        assert_eq!(code::<CreateCheckout>(checkout().await), Code::WrongState);
        let refunded = ada.client.billing().refund(&read.payment_id).await.unwrap().payment;
        assert_eq!(refunded.refunded_credits, 500.into());
        work(&app).await;
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        is_consistent(&app).await;
    }

    async fn a_payment_of_which_nobody_tells_is_found_by_a_look_at_the_events(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let (_, session) = page(&app, &ada, 500).await;
        app.stripe().pay(&session);
        app.advance(14 * 60);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        app.advance(2 * 60);
        work(&app).await;
        assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
        is_consistent(&app).await;
    }

    async fn a_buyer_who_comes_back_is_enough(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let (id, session) = page(&app, &ada, 500).await;
        let call = &app.stripe().calls()[1];
        let url = call.parameters["success_url"].as_str().unwrap();
        let own = format!("{}/billing/return?payment={id}", app.server.app().public_url);
        assert_eq!(url, own);
        app.stripe().pay(&session);
        let browser = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let browser = browser.build().unwrap();
        for (query, page) in [
            (format!("?payment={id}"), format!("/credits?payment={id}")),
            (format!("?payment={id}"), format!("/credits?payment={id}")),
            ("?payment=pay_0".to_owned(), "/credits?payment=pay_0".to_owned()),
            ("?payment=%0d%0aset-cookie:".to_owned(), "/credits".to_owned()),
            (String::new(), "/credits".to_owned()),
        ] {
            let base = app.server.url().trim_end_matches("/api").to_owned();
            let answer = browser.get(format!("{base}/billing/return{query}")).send().await.unwrap();
            assert_eq!(answer.status(), StatusCode::SEE_OTHER);
            assert_eq!(answer.headers()["location"], page.as_str());
        }
        assert_eq!(waiting(&app).await, 1);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
    }

    async fn a_webhook_that_stripe_did_not_sign_just_now_is_refused(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let ada = app.agent("ada").await;
        let (_, session) = page(&app, &ada, 500).await;
        app.stripe().pay(&session);
        let delivery = app.stripe().deliveries().pop().unwrap();
        let (body, now) = (delivery.body, app.stripe().now());
        let signed = |time| sign(&body, WEBHOOK_SECRET, time);
        let invalid = (StatusCode::BAD_REQUEST, "invalid_signature".to_owned());
        for signature in [
            sign(&body, "whsec_anotheranotheranother", now),
            sign(&format!("{body} "), WEBHOOK_SECRET, now),
            signed(now - 301),
            signed(now + 301),
            signed(now).replace("v1=", "v0="),
            String::new(),
        ] {
            assert_eq!(send(&app.server, &body, &signature).await, invalid, "{signature}");
        }
        assert_eq!(waiting(&app).await, 0);
        let signed_now = |body: &str| sign(body, WEBHOOK_SECRET, now);
        let long = format!("{body}{}", " ".repeat(300 * 1024));
        let (status, _) = send(&app.server, &long, &signed_now(&long)).await;
        assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
        let (status, code) = send(&app.server, "{", &signed_now("{")).await;
        assert_eq!((status, code.as_str()), (StatusCode::BAD_REQUEST, "validation_failed"));
        assert_eq!(send(&app.server, &body, &signed(now - 299)).await.0, StatusCode::OK);
        assert_eq!(waiting(&app).await, 1);
    }

    async fn an_event_of_no_interest_changes_nothing(
        app: TestApp, "billing.stripe.key_file" = "its own"
    ) {
        let now = app.stripe().now();
        let event = |kind: &str, livemode: bool, id: Value| json!({
            "id": "evt_1", "type": kind, "created": now, "livemode": livemode,
            "data": { "object": { "id": id, "object": "charge" } },
        });
        for event in [
            event("customer.created", false, json!("cus_1")),
            event("charge.succeeded", true, json!("ch_1")),
            event("charge.succeeded", false, json!(null)),
            event("charge.succeeded", false, json!("../refunds")),
            event("charge.succeeded", false, json!("x".repeat(256))),
        ] {
            let body = event.to_string();
            let sent = send(&app.server, &body, &sign(&body, WEBHOOK_SECRET, now)).await;
            assert_eq!(sent.0, StatusCode::OK, "{body}");
        }
        assert_eq!(waiting(&app).await, 0);
        // One who has the secret can name what does not exist: it is looked up once.
        let body = event("charge.succeeded", false, json!("ch_none")).to_string();
        send(&app.server, &body, &sign(&body, WEBHOOK_SECRET, now)).await;
        work(&app).await;
        assert_eq!(waiting(&app).await, 0);
    }

    async fn an_unpaid_page_adds_nothing_and_another_amount_or_currency_is_for_the_operator(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let (later, session) = page(&app, &ada, 500).await;
        // Completed, but the money takes days.
        app.stripe().pay_later(&session);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(seen(&app, &later).await.status.as_str(), "open");
        let changes: [(&str, Value); 3] = [
            ("amount_subtotal", json!(499)), ("amount_total", json!(499)), ("currency", json!("eur")),
        ];
        for (name, value) in changes {
            let (id, session) = page(&app, &ada, 500).await;
            app.stripe().pay(&session);
            app.stripe().change(&session, |it| it[name] = value);
            tell(&app, app.stripe().deliveries()).await;
            assert_eq!(seen(&app, &id).await.status.as_str(), "mismatch", "{name}");
        }
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        app.stripe().settle(&session);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        let (failed, session) = page(&app, &ada, 500).await;
        app.stripe().pay_later(&session);
        app.stripe().fail(&session);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(seen(&app, &failed).await.status.as_str(), "expired");
    }

    async fn events_in_any_order_end_alike(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
        // Told late, all at once, the newest first: a refund and a dispute come before the purchase.
        let ada = app.agent("ada").await;
        let (first, one) = page(&app, &ada, 500).await;
        let (_, two) = page(&app, &ada, 700).await;
        let stripe = app.stripe();
        let (one, two) = (stripe.pay(&one), stripe.pay(&two));
        stripe.refund(&one, 100);
        stripe.refund(&one, 50);
        let dispute = stripe.dispute(&two);
        let mut told = stripe.deliveries();
        told.reverse();
        tell(&app, told.clone()).await;
        for _ in 0..3 {
            app.advance(PAUSE);
            work(&app).await;
        }
        assert_eq!(purse(&ada).await, purse_of("350", "0"));
        assert_eq!(seen(&app, &first).await.status.as_str(), "paid");
        let [receivable, cash, fee, disputed, lost] = books(&app).await;
        assert_eq!((receivable, disputed, lost), (0, 700, 0));
        assert_eq!(cash, 1_200 - 150 - 700 - fee);
        is_consistent(&app).await;
        // Webhooks that arrive again change nothing, and the dispute is won.
        app.stripe().win(&dispute);
        told.extend(app.stripe().deliveries());
        let now = app.stripe().now();
        for Delivery { body, .. } in told {
            let sent = send(&app.server, &body, &sign(&body, WEBHOOK_SECRET, now)).await;
            assert_eq!(sent.0, StatusCode::OK);
        }
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("1050", "0"));
        assert_eq!(waiting(&app).await, 0);
        is_consistent(&app).await;
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

    async fn a_refund_is_made_once_whatever_goes_wrong(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
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
        let refund = app.stripe().objects("refund").pop().unwrap();
        app.stripe().fail_refund(refund["id"].as_str().unwrap());
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of(&(1_100 - 100 * count).to_string(), "0"));
        is_consistent(&app).await;
    }

    async fn a_refund_that_stripe_refuses_gives_the_credits_back(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let (id, intent) = buy(&app, &ada, 500).await;
        ask(&app, &ada, &id, 500).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        // A dispute, of which nobody has told yet.
        let dispute = app.stripe().dispute(&intent);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        app.stripe().lose(&dispute);
        tell(&app, app.stripe().deliveries()).await;
        let [receivable, _, _, disputed, lost] = books(&app).await;
        assert_eq!((receivable, disputed, lost), (0, 0, 500));
        is_consistent(&app).await;
    }

    async fn objects_of_another_server_are_left_alone(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let (id, session) = page(&app, &ada, 500).await;
        let intent = app.stripe().pay(&session);
        let charge = app.stripe().object(&intent)["latest_charge"].as_str().unwrap().to_owned();
        for object in [&session, &charge] {
            app.stripe().change(object, |it| it["metadata"]["server"] = json!("srv_other"));
        }
        app.stripe().refund(&intent, 100);
        tell(&app, app.stripe().deliveries()).await;
        assert_eq!(seen(&app, &id).await.status.as_str(), "open");
        assert_eq!((purse(&ada).await, waiting(&app).await), (purse_of("0", "0"), 0));
        assert_eq!(books(&app).await, [0; 5]);
    }

    async fn reconcile_names_what_differs_and_fixes_what_was_lost(
        app: TestApp, "billing.stripe.key_file" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let (_, intent) = buy(&app, &ada, 500).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        // Nobody reports these.
        let (_, session) = page(&app, &ada, 700).await;
        app.stripe().pay(&session);
        app.stripe().refund(&intent, 100);
        let report = reconcile(&app, false).await;
        assert_eq!(differences(&report), ["paid at Stripe, and open here", "unknown here"]);
        assert_eq!((report.queued, waiting(&app).await), (0, 0));
        assert_eq!(reconcile(&app, true).await.queued, 2);
        work(&app).await;
        assert_eq!(differences(&reconcile(&app, false).await), Vec::<&str>::new());
        assert_eq!(purse(&ada).await, purse_of("1100", "0"));
        // What no look settles is for people.
        app.stripe().change(&session, |it| it["amount_subtotal"] = json!(800));
        let report = reconcile(&app, true).await;
        assert_eq!(differences(&report), ["800 usd at Stripe, and 700 usd here"]);
        assert_eq!(report.queued, 0);
        is_consistent(&app).await;
    }
}

/// What goes wrong with a call that makes something, and is over soon.
fn faults() -> impl Iterator<Item = Fault> {
    use Fault::{FailsAfter, FailsBefore, KeyInUse, LimitsRate, LosesAnswer, LosesCall};
    [FailsBefore, FailsAfter, LosesCall, LosesAnswer, LimitsRate, KeyInUse].into_iter()
}

/// Webhooks that one of two nodes gets.
fn half(deliveries: &[Delivery], range: Range<usize>) -> impl Iterator<Item = &Delivery> {
    range.map(|number| &deliveries[number % deliveries.len()])
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_that_are_told_at_once_add_the_credits_once() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let settings = [("billing.stripe.key_file", "its own"), ("exchange.signup_grant", "0")];
    let app = TestApp::on(Engine::Postgres, &database, &settings).await;
    let own: Vec<_> = app.selling.iter().flat_map(|selling| selling.settings()).collect();
    let other = TestServer::start_with(&database, &own).await;
    let ada = app.agent("ada").await;
    let (_, session) = page(&app, &ada, 500).await;
    app.stripe().pay(&session);
    let told = app.stripe().deliveries();
    let node = async |server: &TestServer, range| {
        for delivery in half(&told, range) {
            let sent = send(server, &delivery.body, &delivery.signature).await;
            assert_eq!(sent.0, StatusCode::OK);
            billing::once(server.app()).await.unwrap();
        }
    };
    tokio::join!(node(&app.server, 0..25), node(&other, 25..50));
    work(&app).await;
    assert_eq!((purse(&ada).await, purchases(&app).await), (purse_of("500", "0"), 1));
    assert_eq!(books(&app).await, [0, 455, 45, 0, 0]);
    is_consistent(&app).await;
    other.stop().await;
    drop(app);
    remove(Engine::Postgres, database).await;
}

/// The error of a server that is started with one setting changed.
async fn refused(app: &TestApp, database: &str, changed: (&'static str, &str)) -> String {
    let own = app.selling.iter().flat_map(|selling| selling.settings());
    let settings: Vec<_> = own.chain([changed]).collect();
    let error = TestServer::try_start_with(database, &settings).await.unwrap_err();
    assert!(error.is_setup(), "{error}");
    error.to_string()
}

#[tokio::test]
async fn a_key_of_the_other_mode_or_no_key_ends_the_start() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let setting = "billing.stripe.key_file";
    let app = TestApp::on(Engine::Postgres, &database, &[(setting, "its own")]).await;
    let ada = app.agent("ada").await;
    begin(&app, &ada, 500).await;
    let selling = app.selling.as_ref().unwrap();
    let live = selling.file("live.key", "rk_live_fakefakefakefake");
    let none = selling.file("none.key", "a password");
    for (changed, part) in [
        ((setting, live.to_str().unwrap()), "this database has test payments"),
        ((setting, none.to_str().unwrap()), "must be a key of Stripe"),
        ((setting, "/nowhere"), "No such file"),
        (("billing.allow_test", "false"), "needs billing.allow_test"),
    ] {
        let why = refused(&app, &database, changed).await;
        assert!(why.contains(setting) && why.contains(part), "{why}");
    }
    drop(app);
    remove(Engine::Postgres, database).await;
}
