//! `svc billing` and the purchases of `svc credits`.

use serde_json::{Value, json};

use crate::place::Place;
use crate::shell::{Shell, typed};

/// A server that sells credits, and whose provider is down.
pub(crate) const SOLD: [(&str, &str); 3] = [
    ("billing.stripe.key_file", "stripe.key"),
    ("billing.stripe.webhook_secret_files", "stripe.secret"),
    ("billing.stripe.api_url", "http://127.0.0.1:9"),
];

#[tokio::test(flavor = "multi_thread")]
async fn where_nothing_is_sold_the_price_is_refused_and_there_are_no_payments() {
    let shell = Shell::with_agent().await;
    for line in [&["billing", "show"][..], &["credits", "buy", "500"]] {
        let refused = shell.svc(&[line, &["--json"]].concat()).fails(1);
        assert_eq!(refused["code"], "feature_not_configured", "{line:?}");
    }
    assert_eq!(shell.svc(&["credits", "payments"]).ok(), "no payments\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_is_begun_listed_and_not_given_back_before_it_is_paid() {
    let shell = Shell::start_with(&SOLD).await;
    shell.svc(&["signup", "wordbot", "--agent"]).ok();
    let prices = shell.svc(&["billing", "show"]).ok();
    assert!(prices.starts_with("0.01 USD a credit, 500 to 100000 credits at a time\n"), "{prices}");
    assert!(prices.contains("for 50.00 USD more at present"), "{prices}");
    let few = shell.svc(&["credits", "buy", "5", "--json"]).fails(2);
    assert_eq!(few["code"], "validation_failed");
    let part = shell.svc(&["credits", "buy", "500.5"]).run().ends_with(2);
    assert!(part.stderr.contains("for example 501 credits"), "{part:?}");
    let line = ["credits", "buy", "500", "--wait", "1s", "--idempotency-key", "a", "--json"];
    let down = shell.svc(&line).run();
    assert!(down.stderr.contains("provider_unavailable"), "{down:?}");
    assert!(down.stderr.contains("\"idempotencyKey\":\"a\""), "the hint asks for it: {down:?}");
    let listed = shell.svc(&["credits", "payments"]).ok();
    assert!(listed.contains("@wordbot  500 credits for 5.00 USD  creating"), "{listed}");
    let id = listed.split(' ').next().unwrap();
    let early = shell.svc(&["credits", "refund", id, "--yes", "--json"]).run();
    assert!(early.stderr.contains("not_refundable"), "{early:?}");
    assert!(shell.svc(&["billing", "show"]).ok().contains("for 45.00 USD more"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pass_is_bought_and_shown_and_a_subscription_is_for_people() {
    let shell = Shell::start_with(&[&SOLD[..], &[("passes.boost", "60")]].concat()).await;
    shell.svc(&["signup", "wordbot", "--agent"]).ok();
    let prices = "a pro seat costs 9.99 USD a month, a boost pass 60 credits\n";
    assert_eq!(shell.svc(&["billing", "tier"]).ok(), format!("free\n{prices}"));
    let bought = shell.svc(&["billing", "pass", "boost", "--yes"]).ok();
    assert!(bought.starts_with("pass_") && bought.contains("  boost  60 credits  "), "{bought}");
    let shown = shell.svc(&["billing", "tier"]).ok();
    assert!(
        shown.starts_with("boost until 20") && shown.ends_with(&format!("{bought}{prices}")),
        "{shown}"
    );
    let few = shell.svc(&["billing", "pass", "boost", "--yes", "--json"]).run();
    assert!(few.stderr.contains("insufficient_credits"), "{few:?}");
    let agent = shell.svc(&["billing", "seats", "wordbot", "--yes", "--json"]).run();
    assert!(agent.stderr.contains("not_a_person"), "{agent:?}");
    for line in [["billing", "cancel"], ["billing", "resume"], ["billing", "portal"]] {
        let none = shell.svc(&[&line[..], &["--json"]].concat()).run();
        assert!(none.stderr.contains("wrong_state"), "{none:?}");
    }
}

#[test]
fn who_waits_for_a_payment_learns_where_it_is_made_and_outlasts_an_outage() {
    let payment = |status: &str| {
        json!({
            "paymentId": "pay_1", "account": "usr_1", "username": "wordbot", "status": status,
            "credits": 500, "currency": "usd", "amount": 500, "refundedCredits": 0,
            "refundableCredits": 0, "disputed": false, "inTest": true,
            "createdAt": "2026-01-31T09:30:00.000Z", "expiresAt": "2026-02-01T09:30:00.000Z",
        })
    };
    let answer = |status: &str, body: &str| {
        let length = body.len();
        format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}")
    };
    let begun = json!({ "payment": payment("open"), "url": "https://pay.example/1" });
    let paid = json!({ "payment": payment("paid") });
    let place = Place::answering_in_turn(&[
        &answer("201 Created", &begun.to_string()),
        &answer("503 Service Unavailable", ""),
        &answer("200 OK", &paid.to_string()),
    ]);
    let folder = tempfile::tempdir().unwrap();
    let line = ["credits", "buy", "500", "--wait", "1m", "--json", "--url", &place.url];
    let ended = typed(&folder, &line).env("SVC_API_KEY", "svc_ak_x").run().ends_with(0);
    assert_eq!(ended.stderr, "pay in a browser: https://pay.example/1\n");
    let shown: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(shown["payment"]["status"], "paid");
    assert_eq!(place.received().len(), 3, "one purchase was begun");
}
