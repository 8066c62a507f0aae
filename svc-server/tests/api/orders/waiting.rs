//! Waiting for a change of an order.

use std::time::Duration;

use http::Method;
use svc_client::types::api::orders::{OrderStatus, ProgressState, ResponseStatus};
use svc_client::types::{Code, MessageId};
use svc_core::tasks::waits;
use svc_core::waits::WAITS_MAX;
use svc_server::testing::{Engine, TestServer, until};
use tokio::task::{JoinHandle, JoinSet};

use crate::app::{Member, TestApp};
use crate::market::Market;
use crate::on_both_engines;
use crate::raw::{Raw, answer};
use crate::waits::requests_wait;

/// Asks for an order, and returns once this many requests wait.
async fn waiting(app: &TestApp, by: &Member, path: &str, count: usize) -> JoinHandle<Raw> {
    crate::waits::waiting(app, by.raw(app, Method::GET, path), count).await
}

fn status(received: &Raw) -> String {
    received.json()["order"]["status"].as_str().unwrap().to_owned()
}

on_both_engines! {
    async fn a_wait_ends_with_the_first_change_by_either_side(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let path = format!("/orders/{id}?waitSeconds=60");
        let buyer = waiting(&market.app, &market.ada, &path, 1).await;
        let provider = waiting(&market.app, &market.bob, &path, 2).await;
        market.bob.client.orders().progress(&id, ProgressState::Working).await.unwrap();
        let (buyer, provider) = (buyer.await.unwrap(), provider.await.unwrap());
        assert_eq!((status(&buyer), buyer.json()), ("working".to_owned(), provider.json()));
        assert_eq!(market.app.server.app().post_commit.waits.count(), 0);
    }

    async fn a_wait_for_a_known_version_misses_no_change(app: TestApp) {
        let market = Market::new(app).await;
        let order = market.placed().await;
        let get = |after: u64| market.ada.client.orders().get(&order.id).wait_seconds(60).after_version(after);
        market.bob.client.orders().progress(&order.id, ProgressState::Working).await.unwrap();
        let missed = get(u64::try_from(order.version).unwrap()).await.unwrap().order;
        assert_eq!(missed.status, OrderStatus::Working, "the change had happened before");
        let path = format!("/orders/{}?waitSeconds=60&afterVersion={}", order.id, missed.version);
        let next = waiting(&market.app, &market.ada, &path, 1).await;
        market.bob.client.orders().answer(&order.id, ResponseStatus::Completed).await.unwrap();
        assert_eq!(status(&next.await.unwrap()), "completed");
        assert_eq!(get(u64::MAX).await.unwrap().order.status, OrderStatus::Completed, "an end is answered at once");
    }

    async fn a_wait_ends_in_time_without_a_change(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let shorter = waiting(&market.app, &market.ada, &format!("/orders/{id}?waitSeconds=29"), 1).await;
        let longer = waiting(&market.app, &market.ada, &format!("/orders/{id}?waitSeconds=30"), 2).await;
        market.app.advance(29);
        assert_eq!(status(&shorter.await.unwrap()), "open");
        assert_eq!(market.app.server.app().post_commit.waits.count(), 1, "the longer one goes on");
        market.app.advance(1);
        assert_eq!(status(&longer.await.unwrap()), "open");
        for (query, code) in [("waitSeconds=61", Code::ValidationFailed), ("wait=1", Code::UnknownParameter)] {
            let received = answer(market.ada.raw(&market.app, Method::GET, &format!("/orders/{id}?{query}"))).await;
            assert_eq!(received.refusal().code, code);
        }
        let at_once = market.ada.client.orders().get(&id).wait_seconds(0).await.unwrap();
        assert_eq!(at_once.order.status, OrderStatus::Open);
    }

    async fn moves_of_the_escrow_end_a_wait(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.open(10).await.id;
        let id = market.placing().escrow_id(&escrow).await.unwrap().order.id;
        let path = format!("/orders/{id}?waitSeconds=60");
        let asking = waiting(&market.app, &market.ada, &path, 1).await;
        market.deliver(&escrow).await;
        assert_eq!(status(&asking.await.unwrap()), "delivered");
        let asking = waiting(&market.app, &market.bob, &path, 1).await;
        market.ada.client.escrow().release(&escrow).await.unwrap();
        assert_eq!(status(&asking.await.unwrap()), "completed");
    }

    async fn an_order_that_expires_ends_a_wait(app: TestApp) {
        let market = Market::new(app).await;
        let placing = market.placing().max_credits(5);
        let placed = placing.answer_within(svc_client::types::Span::from_secs(60)).await.unwrap().order;
        market.app.advance(40);
        let asking = waiting(&market.app, &market.ada, &format!("/orders/{}?waitSeconds=60", placed.id), 1).await;
        market.app.advance(20);
        svc_core::due::sweep(market.app.server.app()).await.unwrap();
        assert_eq!(status(&asking.await.unwrap()), "expired");
    }

    async fn an_account_waits_twenty_times_and_the_next_is_answered_at_once(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let path = format!("/orders/{id}?waitSeconds=60");
        let mut asking = Vec::new();
        for count in 1..=WAITS_MAX {
            asking.push(waiting(&market.app, &market.ada, &path, count).await);
        }
        let next = answer(market.ada.raw(&market.app, Method::GET, &path)).await;
        assert_eq!(status(&next), "open");
        let other = waiting(&market.app, &market.bob, &path, WAITS_MAX + 1).await;
        market.bob.client.orders().answer(&id, ResponseStatus::Completed).await.unwrap();
        for asking in asking.into_iter().chain([other]) {
            assert_eq!(status(&asking.await.unwrap()), "completed");
        }
    }

    async fn waits_hold_no_connection_to_the_database(app: TestApp, "database.readers" = "1") {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let mut asking = JoinSet::new();
        for member in [&market.ada, &market.bob] {
            for _ in 0..WAITS_MAX {
                let path = format!("/orders/{id}?waitSeconds=60");
                asking.spawn(answer(member.raw(&market.app, Method::GET, &path)));
            }
        }
        requests_wait(&market.app, 2 * WAITS_MAX).await;
        let groups = market.app.server.app().db.groups();
        // Each reads once more after it is registered; then only two other reads are left.
        until("waiting reads nothing", async || {
            groups.watch();
            assert_eq!(market.order_seen(&id).await.status, OrderStatus::Open);
            groups.take().len() == 2
        }).await;
        market.bob.client.orders().answer(&id, ResponseStatus::Completed).await.unwrap();
        assert!(asking.join_all().await.iter().all(|it| status(it) == "completed"));
    }

    async fn a_wait_may_be_longer_than_a_request(app: TestApp, "limits.request_timeout" = "1s") {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let asking = waiting(&market.app, &market.ada, &format!("/orders/{id}?waitSeconds=60"), 1).await;
        // Real time, since that is what the limit of requests counts.
        tokio::time::timeout(Duration::from_millis(1_200), asking).await.expect_err("it still waits");
    }

    async fn a_key_that_ends_gets_no_order(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let asking = waiting(&market.app, &market.ada, &format!("/orders/{id}?waitSeconds=60"), 1).await;
        market.ada.client.auth().regenerate_api_key().await.unwrap();
        market.bob.client.orders().progress(&id, ProgressState::Working).await.unwrap();
        assert_eq!(asking.await.unwrap().refusal().code, Code::Unauthorized);
    }
}

#[tokio::test]
async fn a_wait_ends_when_the_server_stops() {
    let app = TestApp::start_with(Engine::Sqlite, &[]).await.unwrap();
    let market = Market::new(app).await;
    let id = market.placed().await.id;
    let path = format!("/orders/{id}?waitSeconds=60");
    let asking = waiting(&market.app, &market.ada, &path, 1).await;
    market.app.server.stop().await;
    assert_eq!(status(&asking.await.unwrap()), "open");
}

#[tokio::test]
async fn a_change_by_another_node_ends_a_wait() {
    let Some(database) = Engine::Postgres.database() else { return };
    let app = TestApp::on(Engine::Postgres, &database, &[]).await;
    let market = Market::new(app).await;
    let other = TestServer::start_with(&database, &[]).await;
    let id: MessageId = market.placed().await.id;
    let path = format!("/orders/{id}?waitSeconds=60");
    let asking = waiting(&market.app, &market.ada, &path, 1).await;
    let bob = svc_client::Client::builder(other.url()).api_key(market.bob.key.clone());
    bob.build().unwrap().orders().progress(&id, ProgressState::Working).await.unwrap();
    waits::once(market.app.server.app()).await.unwrap();
    assert_eq!(status(&asking.await.unwrap()), "working");
}
