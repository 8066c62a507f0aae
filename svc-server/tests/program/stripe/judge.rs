use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use svc_fake_stripe::{API_KEY, Call, FakeStripe, WEBHOOK_SECRET};
use svc_server::stripe::{After, NewRefund, NewTransfer, Stripe, SubscriptionUpdate, verify};
use svc_store::testing::left_out;

use super::{client, paid, payment_of, purchase, seats, subscribed, time};
use crate::languages::{command, node_modules, said};
use crate::process::Place;

const SCRIPT: &str = include_str!("../foreign/stripe.mjs");

/// What the script says about the session that was paid, of 595 cents.
const SAYS: &str = "\
    paid 500 595 95 ch\n\
    refund succeeded 100 491\n\
    same refund true\n\
    StripeIdempotencyError 400\n\
    resource_missing 404 id\n\
    parameter_unknown 400 payment_method\n\
    StripeAuthenticationError 401\n\
    refunds 100,1,1,1,1\n\
    events refund.created,refund.created,refund.created,refund.created,refund.created\n\
    adjustment,refund,refund,refund,refund,refund,charge\n\
    won 2\n\
    refund.created\n\
    StripeSignatureVerificationError\n";

/// The types of npm's `stripe` for the parameters and the answer of each call that our client makes.
const TYPES: [(&str, &str, &str); 25] = [
    ("POST /v1/checkout/sessions", "Checkout.SessionCreateParams", "Checkout.Session"),
    ("POST /v1/checkout/sessions/{id}/expire", "Checkout.SessionExpireParams", "Checkout.Session"),
    ("GET /v1/checkout/sessions/{id}", "Checkout.SessionRetrieveParams", "Checkout.Session"),
    ("GET /v1/checkout/sessions", "Checkout.SessionListParams", "ApiList<Stripe.Checkout.Session>"),
    ("GET /v1/payment_intents/{id}", "PaymentIntentRetrieveParams", "PaymentIntent"),
    ("GET /v1/charges/{id}", "ChargeRetrieveParams", "Charge"),
    ("POST /v1/refunds", "RefundCreateParams", "Refund"),
    ("GET /v1/refunds/{id}", "RefundRetrieveParams", "Refund"),
    ("GET /v1/refunds", "RefundListParams", "ApiList<Stripe.Refund>"),
    ("GET /v1/disputes/{id}", "DisputeRetrieveParams", "Dispute"),
    ("GET /v1/disputes", "DisputeListParams", "ApiList<Stripe.Dispute>"),
    (
        "GET /v1/balance_transactions",
        "BalanceTransactionListParams",
        "ApiList<Stripe.BalanceTransaction>",
    ),
    ("GET /v1/events", "EventListParams", "ApiList<Stripe.Event>"),
    ("GET /v1/subscriptions/{id}", "SubscriptionRetrieveParams", "Subscription"),
    ("POST /v1/subscriptions/{id}", "SubscriptionUpdateParams", "Subscription"),
    ("DELETE /v1/subscriptions/{id}", "SubscriptionCancelParams", "Subscription"),
    ("GET /v1/invoices/{id}", "InvoiceRetrieveParams", "Invoice"),
    (
        "POST /v1/billing_portal/sessions",
        "BillingPortal.SessionCreateParams",
        "BillingPortal.Session",
    ),
    ("POST /v1/accounts", "AccountCreateParams", "Account"),
    ("GET /v1/accounts/{id}", "AccountRetrieveParams", "Account"),
    ("GET /v1/accounts", "AccountListParams", "ApiList<Stripe.Account>"),
    ("POST /v1/account_links", "AccountLinkCreateParams", "AccountLink"),
    ("POST /v1/transfers", "TransferCreateParams", "Transfer"),
    ("GET /v1/transfers/{id}", "TransferRetrieveParams", "Transfer"),
    ("GET /v1/transfers", "TransferListParams", "ApiList<Stripe.Transfer>"),
];

/// A folder where npm's `stripe` is found; none if it is not installed.
fn place() -> Option<Place> {
    let Some(modules) = node_modules().filter(|folder| folder.join("stripe").is_dir()) else {
        left_out("stripe in NODE_PATH");
        return None;
    };
    let place = Place::new();
    symlink(modules, place.path("node_modules")).unwrap();
    fs::write(place.path("stripe.mjs"), SCRIPT).unwrap();
    Some(place)
}

async fn script(place: &Place, fake: &FakeStripe, arguments: &[&str]) -> String {
    let fixed = ["stripe.mjs", fake.url(), API_KEY, WEBHOOK_SECRET];
    let mut node = command(place, "node", &[&fixed[..], arguments].concat());
    said(node.env("NO_PROXY", "127.0.0.1").env("STRIPE_SUPPRESS_NOTICES", "true")).await
}

#[tokio::test]
async fn the_npm_client_of_stripe_drives_the_stand_in() {
    let Some(place) = place() else { return };
    let fake = FakeStripe::start().await;
    let session = script(&place, &fake, &["create", &(fake.now() + 3_600).to_string()]).await;
    let payment = fake.pay(session.trim());
    let _others = fake.deliveries();
    (0..4).for_each(|_| drop(fake.refund(&payment, 1)));
    let webhook = fake.deliveries().remove(0);
    fs::write(place.path("body"), &webhook.body).unwrap();
    // The script refunds, then the bank takes back the rest.
    let refunded = script(&place, &fake, &["use", session.trim()]).await;
    let dispute = fake.dispute(&payment);
    fake.win(&dispute);
    let disputed = script(&place, &fake, &["after", &dispute, &webhook.signature]).await;
    assert_eq!(refunded + &disputed, SAYS);
}

#[tokio::test]
async fn what_the_npm_client_signs_is_verified() {
    let Some(place) = place() else { return };
    let fake = FakeStripe::start().await;
    let body = json!({ "id": "evt_1", "object": "event", "text": "ü\n" }).to_string();
    fs::write(place.path("body"), &body).unwrap();
    let header = script(&place, &fake, &["sign", &fake.now().to_string()]).await;
    let (header, secrets) = (header.trim(), [WEBHOOK_SECRET.parse().unwrap()]);
    let check = |body: &str| verify(body.as_bytes(), header, &secrets, time(fake.now()));
    assert_eq!(check(&body), Ok(()));
    assert!(check(&body.replace("evt_1", "evt_2")).is_err());
}

/// Makes each call of our client once.
async fn every_call(fake: &FakeStripe) -> Vec<Call> {
    let stripe = client(fake);
    let session = paid(fake, &stripe, "pay_1").await;
    let payment = payment_of(&session);
    let refund =
        NewRefund { refund: "re_1", server: "srv_1", payment_intent: &payment, amount: 95 };
    let refund = stripe.create_refund(&refund).await.unwrap();
    stripe.refund(&refund.id).await.unwrap();
    stripe.refunds_of(&payment, None).await.unwrap();
    let dispute = stripe.dispute(&fake.dispute(&payment)).await.unwrap();
    stripe.charge(dispute.charge.id()).await.unwrap();
    stripe.payment_intent(&payment).await.unwrap();
    let other = stripe.create_checkout(&purchase(fake, "pay_2")).await.unwrap();
    stripe.expire_checkout(&other.id, "pay_2-expire").await.unwrap();
    let after = After { since: time(fake.now()), id: None };
    stripe.checkouts(After { id: Some(&other.id), ..after }).await.unwrap();
    stripe.checkouts_with_charges(after).await.unwrap();
    stripe.refunds(after).await.unwrap();
    stripe.disputes(after).await.unwrap();
    stripe.balance_transactions(after).await.unwrap();
    stripe.events(&["charge.refunded", "refund.created"], after).await.unwrap();
    every_call_of_subscriptions(fake, &stripe).await;
    calls_of_connect(fake, &stripe).await;
    fake.calls()
}

/// Makes each call of our client about subscriptions once.
async fn every_call_of_subscriptions(fake: &FakeStripe, stripe: &Stripe) {
    let id = subscribed(fake, stripe, "sbs_1").await;
    let found = stripe.subscription(&id).await.unwrap();
    let item = &found.items.data[0].id;
    for (key, update) in [
        ("sbc_1", SubscriptionUpdate::Seats { item, quantity: 3, are_more: true }),
        ("sbc_2", SubscriptionUpdate::Seats { item, quantity: 1, are_more: false }),
        ("sbc_3", SubscriptionUpdate::Cancels(true)),
        ("sbc_4", SubscriptionUpdate::Endless),
    ] {
        stripe.update_subscription(&id, update, key).await.unwrap();
    }
    let invoice = fake.objects("invoice").pop().unwrap();
    stripe.invoice(invoice["id"].as_str().unwrap()).await.unwrap();
    let back = "https://svc.example.org/settings/billing";
    stripe.create_portal(&found.customer, back, "portal_1").await.unwrap();
    stripe.cancel_subscription(&id).await.unwrap();
    let again = seats(fake, "sbs_2", Some(&found.customer));
    stripe.create_subscription_checkout(&again).await.unwrap();
}

/// Makes each call about accounts of sellers.
async fn calls_of_connect(fake: &FakeStripe, stripe: &Stripe) {
    let after = After { since: time(fake.now()), id: None };
    let account = stripe.create_account("poa_1", "srv_1", "DE").await.unwrap().id;
    let page = "https://svc.example.org/sell/payouts";
    stripe.create_account_link(&account, page, page, "poa_1_1").await.unwrap();
    fake.enable_account(&account);
    assert!(stripe.account(&account).await.unwrap().is_enabled());
    stripe.accounts(after).await.unwrap();
    let new = NewTransfer {
        payout: "po_1",
        key: "po_1",
        server: "srv_1",
        account: &account,
        currency: "usd",
        amount: 100,
    };
    let made = stripe.create_transfer(&new).await.unwrap();
    fake.reverse(&made.id, 40);
    let found = stripe.transfer(&made.id).await.unwrap();
    assert_eq!((found.amount_reversed, found.reversals.data.len()), (40, 1));
    stripe.transfers(after).await.unwrap();
    assert_eq!(stripe.transfers_of("po_1").await.unwrap().data.len(), 1);
}

/// A module that assigns what was recorded to its types, and parameters with wrong names, which must
/// be refused.
fn module(calls: &[Call]) -> String {
    let types: BTreeMap<_, _> =
        TYPES.iter().map(|(name, params, answer)| (*name, (params, answer))).collect();
    let mut module = "import Stripe from 'stripe';\n\
        type Part<T> = T extends (infer U)[] ? Part<U>[] : \
        T extends object ? { [K in keyof T]?: Part<T[K]> } : T;\n"
        .to_owned();
    for (index, call) in calls.iter().enumerate() {
        let (params, answer) = types[call.endpoint.as_str()];
        writeln!(module, "export const p{index}: Stripe.{params} = {};", call.parameters).unwrap();
        writeln!(module, "export const a{index}: Part<Stripe.{answer}> = {};", call.answer)
            .unwrap();
    }
    let (create, object) = (&calls[0].parameters, &calls[0].answer);
    for (index, place) in
        ["", "/line_items/0/price_data/product_data", "/invoice_creation"].iter().enumerate()
    {
        let wrong = with_wrong_name(create, place);
        writeln!(module, "// @ts-expect-error\nexport const w{index}: Stripe.Checkout.SessionCreateParams = {wrong};").unwrap();
    }
    let wrong = with_wrong_name(object, "/total_details");
    writeln!(
        module,
        "// @ts-expect-error\nexport const w: Part<Stripe.Checkout.Session> = {wrong};"
    )
    .unwrap();
    module
}

fn with_wrong_name(parameters: &Value, place: &str) -> Value {
    let mut parameters = parameters.clone();
    parameters.pointer_mut(place).unwrap()["wrong_name"] = json!("x");
    parameters
}

#[tokio::test]
async fn the_types_of_the_npm_client_accept_what_ours_asks() {
    let Some(place) = place() else { return };
    let fake = FakeStripe::start().await;
    let calls = every_call(&fake).await;
    for (name, ..) in TYPES {
        assert!(calls.iter().any(|call| call.endpoint == name), "{name} is never called");
    }
    fs::write(place.path("calls.mts"), module(&calls)).unwrap();
    let rules =
        "--strict --noEmit --skipLibCheck --target es2022 --module nodenext --types node calls.mts";
    said(command(&place, "tsc", &[]).args(rules.split(' '))).await;
}
