//! Hints that are lost, repeated or out of order.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use svc_bot_kit::testing::Fault;
use svc_bot_kit::{Journal, Notifier, Source, WebhookEvent, WebhookRoutes, WebhookVerifier, sign};
use svc_client::types::api::messages::RequestStatus;
use svc_server::testing::{TestServer, until};
use tower::ServiceExt;

use super::market::{Market, count, open_once};

const SECRET: &str = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

/// Less than the poll interval without hints.
const SOON: Duration = Duration::from_secs(20);

fn route(notifier: &Notifier) -> WebhookRoutes {
    notifier.webhook(WebhookVerifier::new([SECRET]).unwrap())
}

/// Sends a webhook signed with this secret.
async fn call(route: &WebhookRoutes, secret: &str) -> StatusCode {
    let event = WebhookEvent::sample("direct_message").unwrap();
    let request: Request<Body> = sign::test_request(secret, &event).unwrap();
    Router::new().fallback_service(route.clone()).oneshot(request).await.unwrap().status()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_only_a_hint() {
    let market = Market::open().await;
    let starts = Arc::<AtomicU32>::default();
    let journal = Journal::memory().unwrap();
    let notifier = Notifier::new();
    let route = route(&notifier);
    let bot = || {
        let bot = svc_bot_kit::Bot::new(market.bot.clone()).journal(journal.clone());
        bot.service(count(&starts)).source(Source::notifier(&notifier))
    };
    open_once(bot()).await;
    let service = market.services().await.remove(0).0;
    let done = async {
        let mut orders = Vec::new();
        for (calls, text) in [(1, "reported"), (0, "not reported"), (3, "reported thrice")] {
            orders.push(market.order(&service, text, 0).await);
            for _ in 0..calls {
                assert_eq!(call(&route, SECRET).await, StatusCode::NO_CONTENT);
            }
        }
        for order in &orders {
            assert_eq!(market.closed(order).await.status, RequestStatus::Completed);
            assert_eq!(market.answers(order).await.len(), 1);
        }
    };
    let done = async { tokio::time::timeout(SOON, done).await.expect("the hints are received") };
    bot().run_until(done).await.unwrap();
    assert_eq!(starts.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn a_request_that_the_platform_did_not_sign_is_refused() {
    let route = route(&Notifier::new());
    let stranger = "whsec_GBkaGxwdHh8gISIjJCUmJygpKissLS4v";
    assert_eq!(call(&route, stranger).await, StatusCode::UNAUTHORIZED);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_sources_complement_each_other_without_duplicates() {
    let broker = [("mqtt_listen", "127.0.0.1:0")];
    let server = TestServer::start_with("sqlite::memory:", &broker).await;
    let market = Market::on(server).await;
    let starts = Arc::<AtomicU32>::default();
    let notifier = Notifier::new();
    let journal = Journal::memory().unwrap();
    let bot = || {
        let bot = svc_bot_kit::Bot::new(market.bot.clone()).journal(journal.clone());
        let bot =
            bot.service(count(&starts)).source(Source::notifier(&notifier)).source(Source::poll());
        bot.source(Source::mqtt(market.bot_key.clone()))
    };
    open_once(bot()).await;
    let service = market.services().await.remove(0).0;
    let done = async {
        for lap in 0..5 {
            let order = market.order(&service, "a", 0).await;
            for _ in 0..lap {
                notifier.notify();
            }
            assert_eq!(market.closed(&order).await.status, RequestStatus::Completed);
        }
    };
    let done = async { tokio::time::timeout(SOON, done).await.expect("the hints are received") };
    bot().run_until(done).await.unwrap();
    assert_eq!(starts.load(Ordering::Relaxed), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_a_proxy_did_not_find_is_opened_again() {
    const STREAM: &str = "GET /api/v1/connect/stream";
    let (market, journal) = (Market::open().await, Journal::memory().unwrap());
    let proxy = market.proxy().await;
    proxy.next(STREAM, Fault::Refuse { status: 404, retry_after: None });
    let bot = market.bot_behind(&proxy, &journal).source(Source::stream());
    let is_opened = until("the stream is opened again", async || proxy.seen(STREAM) >= 2);
    bot.run_until(is_opened).await.unwrap();
}
