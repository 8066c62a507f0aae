//! Concurrent conflicting actions: exactly one wins, and no credit is lost or created.

use std::sync::Arc;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::escrow::{EscrowStatus, is_terminal};
use svc_client::types::api::messages::SendMessage;
use svc_client::types::service_message::{ResponseStatus, ServiceMessage};
use svc_client::types::{Code, EscrowId};
use svc_core::due;
use tokio::task::JoinSet;

use crate::app::{Member, code};
use crate::idempotency::{fifty, post};
use crate::market::{Market, has, response};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

/// An action of ada's or bob's with what it sends.
type Action<'a> = (&'a Member, &'a str, Value);

/// Sends each action three times, all at once.
fn at_once(market: &Market, id: &EscrowId, actions: &[Action<'_>]) -> JoinSet<Raw> {
    let mut asking = JoinSet::new();
    for _ in 0..3 {
        for (by, action, members) in actions {
            let path = format!("/v1/escrow/{id}/{action}");
            asking.spawn(answer(by.raw(&market.app, Method::POST, &path).json(members)));
        }
    }
    asking
}

/// How many actions won; all others were refused with `wrong_state`.
async fn winners(asking: JoinSet<Raw>) -> usize {
    let won =
        |received: &Raw| received.status == 200 || received.refusal().code != Code::WrongState;
    let won: Vec<Raw> = asking.join_all().await.into_iter().filter(won).collect();
    // An action that was refused with another code fails here.
    for received in &won {
        received.json();
    }
    won.len()
}

/// Checks that the log holds each action that won, and ends at most once; returns how often it ends.
async fn ends(market: &Market, id: &EscrowId, before: i64, won: usize) -> usize {
    let lines = market.bob.client.escrow().events(id).limit(100).await.unwrap().events;
    let by_hand = lines.iter().filter(|line| line.seq > before && line.actor_username.is_some());
    assert_eq!(by_hand.count(), won, "{lines:?}");
    let escrow = market.seen(id).await;
    let last = lines.last().unwrap();
    assert_eq!((&last.to, last.seq), (&escrow.status, escrow.version));
    let ends = lines.iter().filter(|line| is_terminal(&line.to)).count();
    assert!(ends <= 1, "{lines:?}");
    ends
}

/// All credits of ada and bob in millionths.
async fn all_credits(market: &Market) -> i64 {
    let mut all = 0;
    for member in [&market.ada, &market.bob] {
        let credits = member.client.credits().balance().await.unwrap().credits;
        all += credits.available.micros() + credits.held.micros();
    }
    all
}

/// What both may ask of delivered work.
fn reviews(market: &Market) -> [Action<'_>; 5] {
    [
        (&market.ada, "release", json!({ "rating": 4 })),
        (&market.ada, "dispute", json!({ "reason": "it fails" })),
        (&market.bob, "refund", json!({})),
        (&market.bob, "deliver", json!({ "deliverable": { "type": "text" } })),
        (&market.ada, "cancel", json!({})),
    ]
}

on_both_engines! {
    async fn one_of_all_concurrent_outcomes_of_a_review_wins(
        app: TestApp, "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        for _ in 0..5 {
            let escrow = market.escrow(&EscrowStatus::Delivered).await;
            let won = winners(at_once(&market, &escrow.id, &reviews(&market))).await;
            assert_eq!(ends(&market, &escrow.id, escrow.version, won).await, 1);
        }
        assert_eq!(all_credits(&market).await, 200_000_000);
        market.is_consistent().await;
    }

    async fn the_clock_races_like_any_caller(app: TestApp, "database.connections" = "4") {
        let market = Market::new(app).await;
        for _ in 0..5 {
            let escrow = market.escrow(&EscrowStatus::Delivered).await;
            market.app.advance(72 * 3_600 - 1);
            let asking = at_once(&market, &escrow.id, &reviews(&market));
            let app = Arc::clone(market.app.server.app());
            let sweeping = tokio::spawn(async move { due::sweep(&app).await });
            market.app.advance(1);
            let won = winners(asking).await;
            sweeping.await.unwrap().unwrap();
            assert_eq!(ends(&market, &escrow.id, escrow.version, won).await, 1);
        }
        assert_eq!(all_credits(&market).await, 200_000_000);
        market.is_consistent().await;
    }

    async fn delivery_and_cancellation_exclude_each_other(
        app: TestApp, "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        for late in [false, true, false, true] {
            let escrow = market.escrow(&EscrowStatus::Funded).await;
            market.app.advance(7 * 86_400 - 1);
            let asking = at_once(&market, &escrow.id, &[
                (&market.ada, "cancel", json!({})),
                (&market.bob, "decline", json!({})),
                (&market.bob, "deliver", json!({ "deliverable": { "type": "text" } })),
            ]);
            market.app.advance(u64::from(late));
            let won = winners(asking).await;
            let ended = ends(&market, &escrow.id, escrow.version, won).await;
            let delivered = market.seen(&escrow.id).await.status == EscrowStatus::Delivered;
            assert_ne!(ended == 1, delivered);
        }
        assert_eq!(all_credits(&market).await, 200_000_000);
        market.is_consistent().await;
    }

    async fn concurrent_funding_pays_once(app: TestApp, "database.connections" = "4") {
        let market = Market::new(app).await;
        let ids = [market.open(150).await.id, market.open(150).await.id];
        market.app.grant_credits("ada", 100).await;
        let mut asking = JoinSet::new();
        for number in 0..12 {
            let funding = market.ada.client.escrow().fund(&ids[number % 2]);
            asking.spawn(funding.into_future());
        }
        let answers = asking.join_all().await;
        let (funded, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        assert_eq!(funded.len(), 1);
        for refused in refused {
            let refused = refused.unwrap_err();
            assert!(matches!(refused.code(), Some(Code::WrongState | Code::InsufficientCredits)), "{refused:?}");
        }
        assert_eq!(has(&market.ada).await, "50+150");
        market.is_consistent().await;
    }

    async fn one_of_two_concurrent_answers_counts(app: TestApp, "database.connections" = "4") {
        let market = Market::new(app).await;
        for late in [false, true, false, true] {
            let id = market.ordered(5).await;
            market.app.advance(86_399);
            let mut asking = JoinSet::new();
            for _ in 0..3 {
                for status in [ResponseStatus::Completed, ResponseStatus::Rejected, ResponseStatus::Error] {
                    let answering = market.bob.client.messages().respond_to("ada", response(&id, status));
                    asking.spawn(answering.into_future());
                }
            }
            market.app.advance(u64::from(late));
            let answers = asking.join_all().await;
            let (counted, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
            let order = market.ada.client.messages().get(&id).await.unwrap().message.request.unwrap();
            assert!(counted.len() == 1 || late && counted.is_empty() && order.status.as_str() == "expired");
            for refused in refused {
                let error = refused.unwrap_err();
                assert_eq!(error.hint(), Some(order.status.as_str()));
                assert_eq!(code::<SendMessage>(Err(error)), Code::RequestClosed);
            }
            let answered = counted.into_iter().next().map(|sent| sent.unwrap().message.message_id);
            assert_eq!(order.response_message_id, answered);
        }
        assert_eq!(all_credits(&market).await, 200_000_000);
        market.is_consistent().await;
    }

    async fn of_two_hundred_concurrent_orders_the_affordable_ones_are_sent(
        app: TestApp, "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let ordering = || market.ada.client.messages().request_service("bob", market.order(10));
        let asking: JoinSet<_> = (0..200).map(|_| ordering().into_future()).collect();
        let answers = asking.join_all().await;
        let (sent, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        assert_eq!(sent.len(), 10);
        for refused in refused {
            assert_eq!(code::<SendMessage>(refused), Code::InsufficientCredits);
        }
        assert_eq!(market.have().await, ["0+100", "100+0"]);
        let unread = market.bob.client.messages().unread_count().await.unwrap().unread;
        assert_eq!((unread.messages, unread.service_requests), (10, 10));
        market.is_consistent().await;
    }

    async fn of_fifty_concurrent_escrows_the_affordable_ones_are_funded(
        app: TestApp, "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let asking: JoinSet<_> = (0..50).map(|_| market.opening(10).into_future()).collect();
        let opened = asking.join_all().await.into_iter().map(|opened| opened.unwrap().escrow.status);
        assert_eq!(opened.filter(|status| *status == EscrowStatus::Funded).count(), 10);
        assert_eq!(market.have().await, ["0+100", "100+0"]);
        market.is_consistent().await;
    }

    async fn one_of_two_concurrent_orders_with_one_escrow_is_sent(
        app: TestApp, "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        let mut order = market.order(10);
        order.escrow_id = Some(market.open(10).await.id);
        let ordering = || market.ada.client.messages().request_service("bob", order.clone());
        let asking: JoinSet<_> = (0..8).map(|_| ordering().into_future()).collect();
        let answers = asking.join_all().await;
        let (sent, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        assert_eq!(sent.len(), 1);
        for refused in refused {
            assert_eq!(code::<SendMessage>(refused), Code::EscrowInUse);
        }
        market.is_consistent().await;
    }

    async fn fifty_identical_concurrent_escrows_are_one(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (&market.ada, &market.bob);
        let keyed = |by: &Member, path: &str, members: &Value| post(&market.app, &by.key, path, path, members);
        let open = json!({
            "providerUsername": "bob", "serviceId": market.service, "amount": 10, "description": "a report",
        });
        let opened = fifty(|| keyed(ada, "/v1/escrow", &open)).await.json();
        let id: EscrowId = opened["escrow"]["id"].as_str().unwrap().into();
        assert_eq!(has(ada).await, "90+10");
        let delivered = json!({ "deliverable": { "type": "text" } });
        fifty(|| keyed(bob, &format!("/v1/escrow/{id}/deliver"), &delivered)).await.json();
        assert_eq!(market.seen(&id).await.deliverable_version, 1);
        fifty(|| keyed(ada, &format!("/v1/escrow/{id}/release"), &json!({ "rating": 5 }))).await.json();
        assert_eq!(market.have().await, ["90+0", "110+0"]);

        let message = |to: &str, message: &ServiceMessage| {
            json!({ "recipientUsername": to, "content": message.content() })
        };
        let order = message("bob", &ServiceMessage::Request(market.order(10)));
        let sent = fifty(|| keyed(ada, "/messages", &order)).await.json();
        assert_eq!(has(ada).await, "80+10");
        let id = sent["message"]["messageId"].as_str().unwrap().into();
        let done = message("ada", &ServiceMessage::Response(response(&id, ResponseStatus::Completed)));
        fifty(|| keyed(bob, "/messages", &done)).await.json();
        assert_eq!(market.have().await, ["80+0", "120+0"]);
        market.is_consistent().await;
    }
}
