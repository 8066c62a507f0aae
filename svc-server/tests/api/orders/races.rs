//! Concurrent actions on an order: one wins, and no credit is lost or created.

use http::Method;
use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::orders::{OrderStatus, ResponseStatus};
use tokio::task::JoinSet;

use crate::market::{Market, has, object};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

/// How many races are run.
const RACES: usize = 200;

on_both_engines! {
    async fn one_of_cancelling_and_beginning_wins(app: TestApp, "database.connections" = "4") {
        let market = Market::new(app).await;
        market.app.grant_credits("ada", 1000).await;
        market.accepts_explicitly().await;
        let mut won = [0, 0];
        for race in 0..RACES {
            let id = market.placed().await.id;
            let cancel = market.ada.raw(&market.app, Method::POST, &format!("/orders/{id}/cancel"));
            let start = market.bob.raw(&market.app, Method::POST, &format!("/orders/{id}/progress"));
            let (cancel, start) = (cancel.json(&json!({})), start.json(&json!({ "state": "working" })));
            // The one that is sent first mostly wins, so they take turns.
            let (cancelled, begun) = if race % 2 == 0 {
                tokio::join!(answer(cancel), answer(start))
            } else {
                let (begun, cancelled) = tokio::join!(answer(start), answer(cancel));
                (cancelled, begun)
            };
            let order = market.order_seen(&id).await;
            if cancelled.status == 200 {
                let refusal = begun.refusal();
                assert_eq!((refusal.code, refusal.hint.as_deref()), (Code::RequestClosed, Some("cancelled")));
                assert_eq!(order.status, OrderStatus::Cancelled);
                won[0] += 1;
            } else {
                let refusal = cancelled.refusal();
                assert_eq!((refusal.code, refusal.hint.as_deref()), (Code::WrongState, Some("working")));
                assert_eq!((begun.status.as_u16(), order.status), (200, OrderStatus::Working));
                won[1] += 1;
            }
        }
        assert_eq!(won[0] + won[1], RACES);
        assert_eq!(has(&market.ada).await, format!("{}+{}", 1100 - 5 * won[1], 5 * won[1]));
        market.is_consistent().await;
    }

    async fn an_order_that_ends_while_it_is_deleted_is_emptied(app: TestApp, "database.connections" = "4") {
        let market = Market::new(app).await;
        for race in 0..20 {
            let input = object(json!({ "text": "for two" }));
            let placing = market.ada.client.orders().create("bob", &market.service, input);
            let id = placing.max_credits(5).await.unwrap().order.id;
            market.ada.client.messages().delete(&id).await.unwrap();
            let bob = &market.bob.client;
            let delete = async { bob.messages().delete(&id).await.unwrap() };
            let end = async { bob.orders().answer(&id, ResponseStatus::Completed).await.unwrap() };
            if race % 2 == 0 {
                tokio::join!(delete, end);
            } else {
                tokio::join!(end, delete);
            }
            let order = market.order_seen(&id).await;
            assert_eq!((order.status, order.input.len()), (OrderStatus::Completed, 0));
        }
    }

    async fn an_own_id_orders_once_of_fifty_at_once(app: TestApp, "database.connections" = "4") {
        let market = Market::new(app).await;
        let body = json!({
            "providerUsername": "bob", "serviceId": market.service, "input": {}, "maxCredits": 5,
            "clientOrderId": "one",
        });
        let mut asking = JoinSet::new();
        for _ in 0..50 {
            asking.spawn(answer(market.ada.raw(&market.app, Method::POST, "/orders").json(&body)));
        }
        let answers: Vec<Raw> = asking.join_all().await;
        assert_eq!(answers.iter().filter(|it| it.status == 201).count(), 1);
        assert_eq!(answers.iter().filter(|it| it.status == 200).count(), 49);
        let bodies: std::collections::BTreeSet<String> = answers.iter().map(|it| it.json().to_string()).collect();
        assert_eq!(bodies.len(), 1);
        assert_eq!(market.have().await, ["95+5", "100+0"]);
        market.is_consistent().await;
    }

    async fn inputs_and_partial_results_at_once_are_taken_one_by_one(
        app: TestApp, "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let mut asking = JoinSet::new();
        for n in 0..10 {
            let report = market.bob.raw(&market.app, Method::POST, &format!("/orders/{id}/progress"));
            asking.spawn(answer(report.json(&json!({ "state": "working", "partial": n }))));
        }
        assert!(asking.join_all().await.iter().all(|it| it.status == 200));
        let partials = market.ada.client.orders().partials(&id).await.unwrap().partials;
        assert_eq!(partials.iter().map(|it| it.n).collect::<Vec<_>>(), (1..=10).collect::<Vec<_>>());
        let ask = json!({ "state": "input_required", "prompt": "?" });
        market.sent(&market.bob, Method::POST, &format!("/orders/{id}/progress"), &ask).await.json();
        let mut asking = JoinSet::new();
        for n in 0..10 {
            let input = market.ada.raw(&market.app, Method::POST, &format!("/orders/{id}/input"));
            asking.spawn(answer(input.json(&json!({ "promptId": "1", "input": n }))));
        }
        let answers = asking.join_all().await;
        let (given, refused): (Vec<Raw>, Vec<Raw>) = answers.into_iter().partition(|it| it.status == 200);
        assert_eq!(given.len(), 1);
        assert!(refused.iter().all(|it| it.refusal().code == Code::WrongState));
        assert_eq!(market.order_seen(&id).await.version, 1 + 10 + 1 + 1);
    }
}
