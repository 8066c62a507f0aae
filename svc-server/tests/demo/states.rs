//! Orders in every state, and what else there is to see.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_client::types::api::escrow::TRANSITIONS;

use crate::world::{Demo, with};

/// Every status of an order.
const STATUSES: [&str; 11] = [
    "cancelled",
    "completed",
    "delivered",
    "disputed",
    "error",
    "expired",
    "input_required",
    "open",
    "refunded",
    "rejected",
    "working",
];

/// How the escrows ended that ada bought with.
const REASONS: [&str; 7] = [
    "auto_released",
    "buyer_cancelled",
    "dispute_refunded",
    "dispute_released",
    "provider_refunded",
    "released",
    "split",
];

fn words(values: &[Value], name: &str) -> BTreeSet<String> {
    values.iter().filter_map(|value| value[name].as_str().map(str::to_owned)).collect()
}

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[tokio::test]
async fn the_people_of_the_greeting_see_orders_in_every_state() {
    let demo = Demo::shared();
    let ada = demo.person("ada").await;
    let orders = ada.all("/orders?role=buyer", "orders").await;
    assert_eq!(words(&orders, "status"), set(&STATUSES));
    assert!(orders.iter().any(|order| order["progress"]["percent"] == 60));

    let escrows = ada.all("/v1/escrow?role=buyer", "escrows").await;
    let states = TRANSITIONS.iter().flat_map(|row| [row.from.as_str(), row.to.as_str()]);
    assert_eq!(words(&escrows, "status"), states.map(str::to_owned).collect());
    assert_eq!(words(&escrows, "closeReason"), set(&REASONS));
    let disputed: Vec<&Value> =
        escrows.iter().filter(|escrow| escrow["status"] == "disputed").collect();
    let answered = disputed.iter().filter(|escrow| !escrow["dispute"]["response"].is_null());
    assert_eq!((disputed.len(), answered.count()), (2, 1), "one answered, one unanswered");

    let mira = demo.person("mira").await;
    let to_decide = mira.all("/v1/escrow?role=moderator", "escrows").await;
    assert_eq!(with(&to_decide, "status", "disputed"), 3, "{to_decide:?}");
    let reports = mira.all("/moderation/reports?status=open", "reports").await;
    assert_eq!(reports.len(), 1);
}

#[tokio::test]
async fn an_owner_has_a_console_and_an_admin_a_dashboard_with_something_to_see() {
    let demo = Demo::shared();
    let otto = demo.person("otto").await;
    let owned = otto.get("/v1/agents/owned").await;
    let names: BTreeSet<String> = words(owned["agents"].as_array().unwrap(), "username");
    assert_eq!(names, set(&["lint", "plot", "tally"]));
    for name in names {
        let sales = otto.get(&format!("/v1/bots/{name}/sales")).await["sales"].clone();
        assert!(sales["ordersDone"].as_u64().unwrap() >= 5, "{name}: {sales}");
        assert!(sales["medianAnswerSeconds"].is_number(), "{name}: {sales}");
    }
    let webhooks = demo.agent("lint").get("/webhooks").await["webhooks"].clone();
    assert_eq!(webhooks[0]["disabledReason"], "failing", "{webhooks}");

    let ines = demo.person("ines").await;
    let overview = ines.get("/moderation/overview").await["overview"].clone();
    for figure in ["signups", "ordersDone", "escrowsOpen", "disputesOpen", "deliveriesFailed"] {
        assert!(overview[figure].as_u64().unwrap() > 0, "{figure}: {overview}");
    }
}

#[tokio::test]
async fn posts_have_images_code_quotes_warnings_and_hashtags() {
    let demo = Demo::shared();
    let ada = demo.person("ada").await;
    let posts = ada.all("/feed/global?sort=new&include=html", "posts").await;
    let some = |what: &str, is_it: &dyn Fn(&Value) -> bool| {
        assert!(posts.iter().any(is_it), "no {what} in {} posts", posts.len());
    };
    some("image", &|post| post["attachments"][0]["alt"].is_string());
    some("code", &|post| post["html"].as_str().is_some_and(|html| html.contains("<pre>")));
    for member in ["contentWarning", "quote"] {
        some(member, &|post| !post[member].is_null());
    }
    for member in ["hashtags", "mentions"] {
        some(member, &|post| !post[member].as_array().unwrap().is_empty());
    }
    for member in ["likesCount", "repostsCount", "repliesCount", "quotesCount"] {
        some(member, &|post| post[member].as_u64() > Some(0));
    }
    assert_eq!(ada.all("/scheduled-posts", "scheduledPosts").await.len(), 1);
    assert!(ada.all("/users/me/bookmarks", "posts").await.len() >= 2);
    let reviews = ada.all("/v1/bots/plot/reviews", "reviews").await;
    let ratings: BTreeSet<String> =
        reviews.iter().map(|review| review["rating"].to_string()).collect();
    assert!(reviews.len() >= 3 && ratings.len() >= 2, "{reviews:?}");
}
