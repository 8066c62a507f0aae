//! An order that is sent again resumes; another order under the same id is refused.

use std::time::Duration;

use serde_json::json;
use svc_bot_kit::testing::Fault;
use svc_bot_kit::{Buyer, Error, Order};
use svc_client::types::service_message::ResponseStatus;

use super::market::{Market, count, report};

fn other_input(buyer: &Buyer) -> Order {
    count(buyer).input(&json!({ "text": "another" }))
}

fn hashes(error: &Error) -> (String, String) {
    match error {
        Error::OrderDiffers { begun, asked, .. } => (begun.to_string(), asked.to_string()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_id_with_other_input_is_refused_with_both_hashes() {
    let market = Market::open().await;
    let buyer = market.buyer();
    count(&buyer).id("same").send().await.unwrap();
    // The second has lost its journal, and asks the platform.
    for buyer in [buyer.clone(), market.buyer()] {
        let refused = other_input(&buyer).id("same").send().await.unwrap_err();
        let (begun, asked) = hashes(&refused);
        assert_ne!(begun, asked);
        let message = refused.to_string();
        assert!(message.contains(&begun) && message.contains(&asked), "{message}");
        assert_eq!(hashes(&other_input(&buyer).id("same").quote().await.unwrap_err()).0, begun);
        assert_eq!(hashes(&other_input(&buyer).id("same").earlier().await.unwrap_err()).0, begun);
        let without = buyer.order("wordbot/count").id("same").send().await;
        assert!(without.is_ok(), "what is not given is not compared: {without:?}");
        count(&buyer).id("same").send().await.unwrap();
    }
    assert_eq!((market.orders().await.len(), market.credits().await), (1, (95.into(), 5.into())));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_did_not_arrive_is_not_sent_with_other_input() {
    let market = Market::open().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("buyer.db");
    let (_proxy, cut) = market.buyer_behind(Fault::LoseRequest, "POST /api/messages").await;
    count(&cut.journal(&file)).id("same").send().await.unwrap_err();
    let buyer = market.buyer().journal(&file);
    hashes(&other_input(&buyer).id("same").send().await.unwrap_err());
    assert_eq!(market.orders().await.len(), 0);
    count(&buyer).id("same").send().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_did_not_arrive_is_sent_however_its_provider_is_named() {
    for (is_first_by_id, is_limited) in [(false, false), (true, false), (true, true)] {
        let market = Market::open().await;
        let id = market.wordbot.users().me().await.unwrap().user.id;
        let mut names = ["wordbot", id.as_str()];
        if is_first_by_id {
            names.reverse();
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("buyer.db");
        let same = |buyer: &Buyer, name: &str| {
            let order = buyer.order(format!("{name}/count")).input(&json!({ "text": "a bb" }));
            order.max_credits(5).id("same")
        };
        let (_proxy, cut) = market.buyer_behind(Fault::LoseRequest, "POST /api/messages").await;
        same(&cut.journal(&file), names[0]).send().await.unwrap_err();
        let buyer = market.buyer().journal(&file);
        let buyer = if is_limited { buyer.per_provider(5) } else { buyer };
        let other = same(&buyer, names[1]).input(&json!({ "text": "another" }));
        hashes(&other.send().await.unwrap_err());
        for name in [names[1], names[0]] {
            same(&buyer, name).send().await.unwrap();
            assert_eq!(market.orders().await.len(), 1);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_without_a_sent_order_is_free_for_other_input() {
    let market = Market::open().await;
    let buyer = market.buyer();
    let closed = market.wordbot.users().update_me();
    closed.with(|me| me.allow_service_requests = Some(false)).await.unwrap();
    count(&buyer).id("same").send().await.unwrap_err();
    let refused = other_input(&buyer).id("same").send().await.unwrap_err();
    assert!(matches!(refused, Error::Client(_)), "{refused:?}");
    assert_eq!(buyer.placed("same").await.unwrap().unwrap().status, "refused");
    assert_eq!(count(&buyer).unfinished().await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_is_unfinished_until_its_outcome_was_seen() {
    let market = Market::open().await;
    let folder = tempfile::tempdir().unwrap();
    let buyer = || market.buyer().journal(folder.path().join("buyer.db"));
    let unfinished = async |order: Order| order.unfinished().await.unwrap().map(|found| found.id);
    assert_eq!(unfinished(count(&buyer())).await, None);
    let deal = count(&buyer()).id("first").send().await.unwrap();
    for order in [count(&buyer()), count(&buyer()).max_credits(9)] {
        assert_eq!(unfinished(order).await.as_deref(), Some("first"));
    }
    let id = market.wordbot.users().me().await.unwrap().user.id;
    let by_id = buyer().order(format!("{id}/Count")).input(&json!({ "text": "a bb" }));
    assert_eq!(unfinished(by_id).await.as_deref(), Some("first"));
    for other in [other_input(&buyer()), report(&buyer())] {
        assert_eq!(unfinished(other).await, None);
    }
    market.answer(ResponseStatus::Completed, json!({})).await;
    // The platform has the answer, but this buyer has not read it.
    let listed = buyer().orders(20).await.unwrap().remove(0);
    assert_eq!((listed.id.as_str(), listed.status.as_str()), ("first", "completed"));
    assert_eq!(listed.request.as_ref(), Some(deal.request()));
    assert_eq!(unfinished(count(&buyer())).await.as_deref(), Some("first"));
    deal.wait(Duration::from_mins(1)).await.unwrap();
    assert_eq!(unfinished(count(&buyer())).await, None);

    // One whose message the buyer has deleted is listed as it was known last.
    let deleted = count(&buyer()).id("second").send().await.unwrap();
    market.ada.messages().delete(deleted.request()).await.unwrap();
    let listed = buyer().orders(20).await.unwrap();
    let state = |id: &str| listed.iter().find(|order| order.id == id).map(|it| it.status.as_str());
    assert_eq!((state("first"), state("second")), (Some("completed"), Some("open")));
}
