//! Figures of orders, services and sellers, each against its list.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::world::{Caller, Demo, count, text, with};

/// Below this many orders, a service has no median and no share of success.
const FEW: usize = 5;

/// The orders of a service as its seller sees them, each with its review.
async fn orders(seller: &Caller, service: &Value) -> Vec<Value> {
    let path = format!("/orders?role=provider&serviceId={}", text(service, "id"));
    let mut orders = Vec::new();
    for order in seller.all(&path, "orders").await {
        let path = format!("/orders/{}", text(&order, "id"));
        orders.push(seller.get(&path).await["order"].clone());
    }
    orders
}

#[tokio::test]
async fn the_figures_of_each_service_are_those_of_its_orders() {
    let demo = Demo::shared();
    let ada = demo.person("ada").await;
    let (mut busy, mut new) = (0, 0);
    for agent in demo.agents() {
        let seller = demo.agent(&agent);
        for service in ada.services(&agent).await {
            let orders = orders(&seller, &service).await;
            let done = with(&orders, "status", "completed");
            assert_eq!(count(&service, "ordersDone"), done, "{}", service["name"]);
            busy += usize::from(done > FEW);
            new += usize::from((1..FEW).contains(&done));
            success(&service, &orders, done);
            ratings(&seller, &service, &orders).await;
            let path = format!("/v1/services/{}/reviews", text(&service, "id"));
            let reviews = ada.all(&path, "reviews").await;
            let reviewed = orders.iter().filter(|order| order["review"].is_object()).count();
            assert_eq!(reviews.len(), reviewed, "{}", service["name"]);
        }
    }
    assert!(busy >= 6 && new >= 2, "{busy} busy services, {new} new ones");
}

/// The share of orders that were successful.
fn success(service: &Value, orders: &[Value], done: usize) {
    let failed: usize =
        ["error", "expired", "refunded"].map(|word| with(orders, "status", word)).iter().sum();
    let shown = service["successRate"].as_f64();
    assert_eq!(shown.is_some(), done + failed >= FEW, "{service}");
    assert_eq!(service["medianAnswerSeconds"].is_number(), done >= FEW, "{service}");
    if let Some(shown) = shown {
        let parts = |count: usize| f64::from(u32::try_from(count).unwrap());
        let share = parts(done) / parts(done + failed);
        assert!((shown - share).abs() < 0.001, "{shown} is not {share}: {service}");
    }
}

/// The rating of a service: the mean of the latest of each buyer.
async fn ratings(seller: &Caller, service: &Value, orders: &[Value]) {
    let mut latest: BTreeMap<&str, (&str, f64)> = BTreeMap::new();
    let escrows = seller.all("/v1/escrow?role=provider", "escrows").await;
    for order in orders {
        let escrow = escrows.iter().find(|escrow| escrow["id"] == order["escrowId"]);
        let rated = match (order["review"].as_object(), escrow) {
            (Some(review), _) => Some((review["createdAt"].as_str().unwrap(), &review["rating"])),
            (None, Some(escrow)) if escrow["rating"].is_number() => {
                Some((text(escrow, "closedAt"), &escrow["rating"]))
            }
            _ => None,
        };
        let Some((at, rating)) = rated else { continue };
        let (known_at, known) =
            latest.entry(text(&order["buyer"], "username")).or_insert((at, 0.0));
        if at >= *known_at {
            (*known_at, *known) = (at, rating.as_f64().unwrap());
        }
    }
    assert_eq!(count(service, "ratingsCount"), latest.len(), "{service}");
    let sum: f64 = latest.values().map(|(_, rating)| rating).sum();
    let mean = sum / f64::from(u32::try_from(latest.len().max(1)).unwrap());
    let shown = service["rating"].as_f64().unwrap();
    assert!((shown - mean).abs() <= 0.05 + 1e-9, "{shown} is not {mean}: {latest:?}");
}

#[tokio::test]
async fn the_figures_of_a_seller_are_the_sums_of_its_orders() {
    let demo = Demo::shared();
    let otto = demo.person("otto").await;
    for name in ["lint", "plot", "tally"] {
        let path = format!("/v1/bots/{name}/sales?window=90d");
        let sales = otto.get(&path).await["sales"].clone();
        let seller = demo.agent(name);
        let orders = seller.all("/orders?role=provider", "orders").await;
        let completed = orders.iter().filter(|order| order["status"] == "completed");
        let earned: f64 = completed.map(|order| order["chargedCredits"].as_f64().unwrap()).sum();
        assert_eq!(sales["earned"].as_f64(), Some(earned), "{name}");
        assert_eq!(count(&sales, "ordersDone"), with(&orders, "status", "completed"), "{name}");
        let failed: usize =
            ["error", "expired", "refunded"].map(|word| with(&orders, "status", word)).iter().sum();
        assert_eq!(count(&sales, "ordersFailed"), failed, "{name}");
        for list in ["series", "services"] {
            let sum: usize =
                sales[list].as_array().unwrap().iter().map(|one| count(one, "ordersDone")).sum();
            assert_eq!(sum, count(&sales, "ordersDone"), "{list} of {name}");
        }
        let reputation = otto.get(&format!("/v1/bots/{name}/reputation")).await;
        assert_eq!(reputation["reputation"]["orders"], sales["ordersDone"], "{name}");
    }
}

#[tokio::test]
async fn the_figures_of_the_dashboard_are_those_of_its_lists() {
    let demo = Demo::shared();
    let (ines, mira) = (demo.person("ines").await, demo.person("mira").await);
    let overview = ines.get("/moderation/overview").await["overview"].clone();
    let disputes = mira.all("/v1/escrow?role=moderator&status=disputed", "escrows").await;
    assert_eq!(count(&overview, "disputesOpen"), disputes.len());
    let oldest = disputes.iter().map(|escrow| text(&escrow["dispute"], "openedAt")).min();
    assert_eq!(overview["oldestDisputeAt"].as_str(), oldest);

    let failed = ines.all("/moderation/failed-deliveries", "deliveries").await;
    let begin = text(&overview["series"][0], "start");
    let lately = failed.iter().filter(|delivery| text(delivery, "createdAt") >= begin).count();
    assert!(lately > 0);
    assert_eq!(count(&overview, "deliveriesFailed"), lately);
    let listed = ines.all("/moderation/failed-deliveries?window=7d", "deliveries").await;
    assert_eq!(listed.len(), lately);

    for (outcome, figure) in [("completed", "ordersDone"), ("failed", "ordersFailed")] {
        let path = format!("/moderation/orders?window=7d&outcome={outcome}");
        let ended = ines.all(&path, "orders").await;
        assert!(outcome == "failed" || !ended.is_empty());
        assert_eq!(count(&overview, figure), ended.len(), "{outcome}");
        assert!(ended.iter().all(|order| text(order, "closedAt") >= begin), "{outcome}");
    }

    let mut held = 0.0;
    let mut open = 0;
    for agent in demo.agents() {
        for escrow in demo.agent(&agent).all("/v1/escrow?role=provider", "escrows").await {
            if ["funded", "delivered", "disputed"].contains(&text(&escrow, "status")) {
                open += 1;
                held += escrow["amount"].as_f64().unwrap();
            }
        }
    }
    assert_eq!(count(&overview, "escrowsOpen"), open);
    assert_eq!(overview["escrowsHold"].as_f64(), Some(held));
    let listed = ines.all("/moderation/escrows", "escrows").await;
    let sum: f64 = listed.iter().map(|escrow| escrow["amount"].as_f64().unwrap()).sum();
    assert_eq!((listed.len(), sum), (open, held));
}
