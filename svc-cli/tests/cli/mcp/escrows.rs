//! Escrows that an agent opens, and deliveries that it accepts.

use serde_json::json;
use svc_bot_kit::testing::{Fault, FaultProxy};

use super::{Agent, limited};
use crate::market::Market;

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_releases_only_the_delivery_whose_checksum_it_was_shown() {
    const THREE: &str = "sha256:77cfe6e04689b043c6e169ad067435c1bfb843a7efc38da2dc68db05ab336c04";
    const OTHER: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";
    let market = Market::open().await;
    let (mut agent, _) = limited(&market);
    let wanted = json!({
        "service": "wordbot/report", "input": { "topic": "rust" }, "maxCredits": 60, "id": "r",
        "waitSeconds": 0,
    });
    let open = agent.done("order", wanted);
    let escrow = open["escrowId"].as_str().unwrap().to_owned();
    let deliver = |pages: u32, checksum: &str| {
        let work = json!({ "type": "json", "data": { "pages": pages }, "checksum": checksum });
        let work = work.to_string();
        market.bot(&["escrow", "deliver", &escrow, "--deliverable", &work]).ok();
    };
    let release = |version: u32, checksum: &str| json!({ "escrowId": escrow, "deliverableVersion": version, "checksum": checksum });
    deliver(4, THREE);
    let unseen =
        agent.refused("escrow_release", json!({ "escrowId": escrow, "deliverableVersion": 1 }));
    assert!(unseen["error"].as_str().unwrap().starts_with("checksum is needed"), "{unseen:#}");
    assert_eq!(agent.refused("escrow_release", release(1, OTHER))["code"], "checksum_mismatch");
    let claimed = agent.refused("escrow_release", release(1, THREE));
    assert_eq!(claimed["code"], "checksum_mismatch", "four pages are not three");
    deliver(3, THREE);
    assert_eq!(agent.refused("escrow_release", release(1, THREE))["code"], "version_mismatch");
    assert_eq!(market.credits(), (40.into(), 60.into()));
    agent.seen("escrow_release", release(2, THREE));
    assert_eq!(market.credits(), (40.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_looks_at_a_delivery_and_releases_what_it_saw() {
    let market = Market::open().await;
    let (mut agent, _) = limited(&market);
    let mut wanted = json!({
        "service": "wordbot/report", "input": { "topic": "rust" }, "maxCredits": 60, "id": "r",
        "waitSeconds": 0,
    });
    let open = agent.done("order", wanted.clone());
    assert_eq!(open["status"], "open");
    let escrow = open["escrowId"].as_str().unwrap();
    let work = json!({ "type": "json", "data": { "pages": 3 } }).to_string();
    market.bot(&["escrow", "deliver", escrow, "--deliverable", &work]).ok();
    wanted["waitSeconds"] = 30.into();
    let delivered = agent.done("order", wanted);
    assert_eq!(delivered["untrusted"]["deliverable"]["data"]["pages"], 3);
    assert_eq!(agent.seen("escrow_show", json!({ "escrowId": escrow }))["escrow"]["amount"], 60);
    let unseen = agent.refused("escrow_release", json!({ "escrowId": escrow }));
    assert!(unseen["error"].as_str().unwrap().contains("deliverableVersion"), "{unseen:#}");
    let version = &delivered["deliverableVersion"];
    let seen = json!({ "escrowId": escrow, "deliverableVersion": version, "rating": 4.5 });
    assert_eq!(agent.seen("escrow_release", seen)["transfer"]["amount"], 60);
    // 70 a day: ten are left.
    let more =
        json!({ "service": "wordbot/report", "input": { "topic": "rust" }, "maxCredits": 60 });
    assert_eq!(agent.refused("order", more)["code"], "spend_limit");
    assert_eq!(market.credits(), (40.into(), 0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_disputed_or_paid_for_is_not_to_be_released() {
    let market = Market::open().await;
    let (mut agent, _) = limited(&market);
    let wanted = json!({
        "service": "wordbot/report", "input": { "topic": "rust" }, "maxCredits": 60, "id": "r",
        "waitSeconds": 0,
    });
    let open = agent.done("order", wanted.clone());
    let escrow = open["escrowId"].as_str().unwrap();
    let work = json!({ "type": "json", "data": { "pages": 3 } }).to_string();
    market.bot(&["escrow", "deliver", escrow, "--deliverable", &work]).ok();
    agent.seen("escrow_dispute", json!({ "escrowId": escrow, "reason": "a page is missing" }));
    let disputed = agent.done("order", wanted.clone());
    assert_eq!((&disputed["status"], disputed.get("hint")), (&json!("disputed"), None));
    let version = &disputed["deliverableVersion"];
    agent.seen("escrow_release", json!({ "escrowId": escrow, "deliverableVersion": version }));
    let paid = agent.done("order", wanted);
    assert_eq!((&paid["status"], &paid["chargedCredits"]), (&json!("completed"), &json!(60)));
    assert_eq!((paid.get("hint"), paid.get("deliverableVersion")), (None, None));
    assert_eq!(paid["untrusted"]["deliverable"]["data"]["pages"], 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_that_an_agent_opens_counts_against_the_limit() {
    let market = Market::open().await;
    let (mut agent, _) = limited(&market);
    let offers = agent.seen("capabilities", json!({ "username": "wordbot" }));
    let service = offers["capabilities"][0]["id"].clone();
    let open = |amount: u32| {
        json!({
            "providerUsername": "wordbot", "serviceId": service, "amount": amount,
            "description": "a deal",
        })
    };
    let opened = agent.seen("escrow_open", open(60))["escrow"].take();
    assert_eq!(opened["status"], "funded");
    assert_eq!(agent.refused("escrow_open", open(11))["code"], "spend_limit");

    // It pays for no order of this agent, so a person releases it.
    let id = opened["id"].as_str().unwrap();
    market.bot(&["escrow", "deliver", id, "--deliverable", "{\"type\":\"text\"}"]).ok();
    let release = json!({ "escrowId": id, "deliverableVersion": 1 });
    let refused = agent.refused("escrow_release", release);
    assert_eq!(refused["error"], "this escrow pays for no order of the tool order");
    assert_eq!(market.credits(), (40.into(), 60.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_escrow_that_the_balance_does_not_cover_is_not_left_open() {
    let market = Market::open().await;
    market.ada(&["profile", "limit", "--per-day", "200"]).ok();
    let (mut agent, _) = Agent::start(market.ada(&["mcp"]));
    let offers = agent.seen("capabilities", json!({ "username": "wordbot" }));
    let service = &offers["capabilities"][0]["id"];
    let open = |amount: u32| {
        json!({
            "providerUsername": "wordbot", "serviceId": service, "amount": amount,
            "description": "a deal",
        })
    };
    let refused = agent.refused("escrow_open", open(150));
    assert_eq!(
        (&refused["code"], &refused["error"]),
        (
            &"insufficient_credits".into(),
            &"the balance does not cover 150 credits; no escrow was opened".into()
        )
    );
    let unpaid = agent.seen("escrow_list", json!({ "status": "created" }));
    assert_eq!(unpaid["escrows"], json!([]));
    // What was not spent does not count against the limit.
    assert_eq!(agent.seen("escrow_open", open(100))["escrow"]["status"], "funded");
    assert_eq!(market.credits(), (0.into(), 100.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_uncertain_effect_is_looked_up_before_a_tool_is_called_again() {
    let market = Market::open().await;
    let proxy = FaultProxy::start(market.shell.server.url()).await.unwrap();
    proxy.always("POST /api/v1/escrow", Fault::LoseAnswer);
    let key = market.shell.key("ada");
    let typed = market.shell.svc(&["mcp"]).env("SVC_URL", proxy.url()).env("SVC_API_KEY", &key);
    let (mut agent, _) = Agent::start(typed.env("SVC_MAX_CREDITS_PER_DAY", "70"));
    let offers = agent.seen("capabilities", json!({ "username": "wordbot" }));
    let service = &offers["capabilities"][0]["id"];
    let wanted = json!({
        "providerUsername": "wordbot", "serviceId": service, "amount": 3, "description": "words",
    });
    let lost = agent.refused("escrow_open", wanted);
    let hint = "it may have taken effect: look for it before you call the tool again";
    assert_eq!((&lost["exitCode"], &lost["hint"]), (&7.into(), &hint.into()));
    assert!(lost.get("idempotencyKey").is_none(), "no tool takes it: {lost:#}");
    assert_eq!(market.credits(), (97.into(), 3.into()));
}
