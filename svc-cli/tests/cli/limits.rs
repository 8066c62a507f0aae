//! `svc profile limit`: counts spending by every means, and refunds.

use serde_json::{Value, json};
use svc_bot_kit::testing::{Fault, FaultProxy};
use svc_server::clock::Clock;

use crate::market::Market;

const COUNT: [&str; 7] =
    ["order", "wordbot/count", "--text=a", "--max-credits", "5", "--new", "--json"];

/// A market whose server has the time of this machine, by which limits look back.
async fn market() -> Market {
    let market = Market::open().await;
    let clock = market.shell.server.clock();
    clock.advance(Clock::system().now().since(clock.now()));
    market
}

/// Refused for a limit, in these words.
#[track_caller]
fn refused(market: &Market, line: &[&str]) -> String {
    let error: Value = market.ada(line).fails(8);
    assert_eq!(error["code"], "spend_limit", "{error}");
    error["error"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_by_hand_is_judged_by_the_limits_and_counted() {
    let market = market().await;
    let create = |amount: &'static str| {
        let line = ["escrow", "create", "wordbot/report", "--amount", amount];
        [&line[..], &["--description", "do", "--yes", "--json"]].concat()
    };
    market.ada(&["profile", "limit", "--per-day", "12", "--per-order", "10"]).ok();
    let message = refused(&market, &create("11"));
    assert_eq!(message, "the escrow takes 11 credits, and per_order leaves 10");
    let opened = market.ada(&create("10")).json();
    assert_eq!(market.credits(), (90.into(), 10.into()));
    let message = refused(&market, &create("3"));
    assert_eq!(message, "the escrow takes 3 credits, and per_day leaves 2");
    assert_eq!(refused(&market, &COUNT), "the order costs 5 credits, and per_day leaves 2");
    let id = opened["escrow"]["id"].as_str().unwrap();
    market.ada(&["escrow", "cancel", id]).ok();
    market.ada(&COUNT).json();
    assert_eq!(market.credits(), (95.into(), 5.into()));
    assert_eq!(market.ada(&["orders", "--json"]).json()["orders"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_again_lifts_no_limit() {
    let market = market().await;
    market.ada(&["profile", "limit", "--per-order", "4"]).ok();
    let key = market.shell.key("ada");
    market.ada(&["login", "--with-key"]).stdin(&key).ok();
    assert_eq!(refused(&market, &COUNT), "the order costs 5 credits, and per_order leaves 4");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_is_set_for_a_profile_of_the_server_in_use() {
    let market = market().await;
    let limit = || market.shell.svc(&["profile", "limit", "--per-order", "4", "--json"]);
    let elsewhere = limit().env("SVC_URL", "http://127.0.0.1:1").fails(3);
    assert_eq!(elsewhere["error"], "the profile in use is not for http://127.0.0.1:1/api");
    let by_key = limit().env("SVC_API_KEY", &market.shell.key("ada")).fails(2);
    assert_eq!(by_key["error"], "a key of the environment has no profile");
    assert_eq!(limit().json()["spend"]["per_order"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_is_judged_by_the_limits_as_a_whole() {
    let market = market().await;
    let milestones = |second: u32| {
        json!([{ "amount": 10, "description": "a" }, { "amount": second, "description": "b" }])
            .to_string()
    };
    let plan = ["escrow", "plan", "wordbot/report", "--yes", "--json", "--milestones"];
    market.ada(&["profile", "limit", "--per-day", "15"]).ok();
    let message = refused(&market, &[&plan[..], &[&milestones(6)]].concat());
    assert_eq!(message, "the escrow takes 6 credits, and per_day leaves 5");
    assert_eq!(market.credits(), (100.into(), 0.into()));
    let opened = market.ada(&[&plan[..], &[&milestones(5)]].concat()).json();
    assert_eq!(opened["escrows"].as_array().unwrap().len(), 2, "what was refused is not reserved");
    assert_eq!(market.credits(), (85.into(), 15.into()));
    assert_eq!(refused(&market, &COUNT), "the order costs 5 credits, and per_day leaves 0");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_with_a_misspelt_member_holds_nothing() {
    let market = market().await;
    let milestones = json!([
        { "amount": 10, "description": "a", "expiresin": "1d" },
        { "amount": 1, "description": "b" },
    ]);
    let plan = ["escrow", "plan", "wordbot/report", "--yes", "--json", "--milestones"];
    let refused = market.ada(&[&plan[..], &[&milestones.to_string()]].concat()).fails(2);
    assert_eq!(refused["error"], "--milestones.0.expiresin is not known here");
    assert_eq!(market.credits(), (100.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_that_is_funded_later_is_judged_then() {
    let market = market().await;
    let line = ["escrow", "create", "wordbot/report", "--amount", "101", "--description", "do"];
    let opened = market.ada(&[&line[..], &["--yes", "--json"]].concat()).json();
    assert_eq!(opened["escrow"]["status"], "created");
    market.ada(&["profile", "limit", "--per-day", "100"]).ok();
    let fund = ["escrow", "fund", opened["escrow"]["id"].as_str().unwrap(), "--yes", "--json"];
    assert_eq!(refused(&market, &fund), "the escrow takes 101 credits, and per_day leaves 100");
    market.ada(&["profile", "limit", "--per-day", "200"]).ok();
    assert_eq!(market.ada(&fund).fails(8)["code"], "insufficient_credits");
    // What could not be paid does not count.
    market.ada(&COUNT).json();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_that_may_have_been_paid_counts() {
    let market = market().await;
    market.ada(&["profile", "limit", "--per-day", "10"]).ok();
    let line = ["escrow", "create", "wordbot/report", "--amount", "8", "--description", "do"];
    let line = [&line[..], &["--yes", "--json"]].concat();
    let proxy = FaultProxy::start(market.shell.server.url()).await.unwrap();
    proxy.always("POST /api/v1/escrow", Fault::LoseRequest);
    let key = market.shell.key("ada");
    let lost = market.shell.svc(&line).env("SVC_URL", proxy.url()).env("SVC_API_KEY", &key);
    lost.env("SVC_MAX_CREDITS_PER_DAY", "10").fails(7);
    assert_eq!(refused(&market, &line), "the escrow takes 8 credits, and per_day leaves 2");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_escrow_that_a_limit_refuses_leads_to_the_first() {
    let market = market().await;
    market.ada(&["profile", "limit", "--per-day", "10"]).ok();
    let line = ["escrow", "create", "wordbot/report", "--amount", "8", "--description", "do"];
    let line = [&line[..], &["--yes", "--json", "--idempotency-key", "one"]].concat();
    market.ada(&line).json();
    let again = market.ada(&line).fails(8);
    let hint = again["hint"].as_str().unwrap();
    assert!(hint.starts_with("svc --profile ada escrow list shows whether"), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_of_before_and_of_elsewhere_count_until_they_are_given_back() {
    let market = market().await;
    market.ada(&COUNT).json();
    // Another folder, as on another machine.
    let elsewhere = tempfile::tempdir().unwrap();
    let typed = market.shell.svc(&COUNT).env("SVC_API_KEY", &market.shell.key("ada"));
    typed.env("SVC_CONFIG_DIR", elsewhere.path().to_str().unwrap()).json();
    let report = ["order", "wordbot/report", "--topic=rust", "--max-credits", "60", "--json"];
    let report = [&report[..], &["--escrow", "7d", "--id", "deal1"]].concat();
    market.ada(&report).json();
    market.ada(&["profile", "limit", "--per-day", "72"]).ok();
    assert_eq!(refused(&market, &COUNT), "the order costs 5 credits, and per_day leaves 2");
    let escrow = market.ada(&["escrow", "list", "--json"]).json();
    market.ada(&["escrow", "cancel", escrow["escrows"][0]["id"].as_str().unwrap()]).ok();
    market.ada(&COUNT).json();
    assert_eq!(market.credits(), (85.into(), 15.into()));
}
