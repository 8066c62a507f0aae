//! The health of a bot.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use svc_bot_kit::testing::Clock;
use svc_bot_kit::{Ctx, Fail, Health, Notifier, Service, Source, Stage, service};
use svc_server::testing::{found, until};
use tokio::sync::Notify;
use tower::ServiceExt;

use super::market::{Ask, Count, Market, count, opening};

/// Requests the health check endpoint.
async fn ask(health: &Health) -> (StatusCode, Value) {
    let router = Router::new().route_service("/healthz", health.clone().into_service());
    let request = Request::get("/healthz").body(Body::empty()).unwrap();
    let response = router.oneshot(request).await.unwrap();
    assert_eq!(response.headers()["cache-control"], "no-store");
    let (status, body) = (response.status(), response.into_body().collect().await.unwrap());
    (status, serde_json::from_slice(&body.to_bytes()).unwrap())
}

/// A service that works until it is let go.
fn slow(begun: &Arc<Notify>, let_go: &Arc<Notify>) -> Service {
    let (begun, let_go) = (Arc::clone(begun), Arc::clone(let_go));
    service("count-words", move |_: Ctx, _: Ask| {
        let (begun, let_go) = (Arc::clone(&begun), Arc::clone(&let_go));
        async move {
            begun.notify_one();
            let_go.notified().await;
            Ok::<_, Fail>(Count { words: 1 })
        }
    })
}

// One thread: the bot cannot ask the platform between the move of the clock and the report.
#[tokio::test]
async fn a_bot_is_healthy_while_it_is_open_and_in_contact_with_the_platform() {
    let market = Market::open().await;
    let (health, clock, notifier) = (Health::new(), Clock::new(), Notifier::new());
    let (status, report) = ask(&health).await;
    assert_eq!((status, &report["stage"]), (StatusCode::SERVICE_UNAVAILABLE, &"starting".into()));
    let bot = market.bot().service(count(&Arc::<AtomicU32>::default()));
    let bot = bot.health(&health).clock(&clock).source(Source::notifier(&notifier));
    let (bot, opened) = opening(bot);
    let seen = async {
        opened.notified().await;
        let (status, report) = ask(&health).await;
        assert_eq!(status, StatusCode::OK, "{report}");
        assert_eq!((&report["well"], &report["stage"]), (&true.into(), &"open".into()));
        assert_eq!((&report["jobs"], &report["calls"]), (&0.into(), &0.into()));
        clock.advance(Duration::from_secs(85));
        assert_eq!(ask(&health).await.0, StatusCode::OK, "it polls every 30 s, and may do so late");
        clock.advance(Duration::from_secs(91));
        let (status, report) = ask(&health).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "the platform is silent: {report}");
        notifier.notify();
        until("the platform is heard again", async || health.report().await.well).await;
    };
    bot.run_until(seen).await.unwrap();
    let (status, report) = ask(&health).await;
    assert_eq!((status, &report["stage"]), (StatusCode::SERVICE_UNAVAILABLE, &"closed".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_ends_its_work_takes_no_orders() {
    let market = Market::open().await;
    let (begun, let_go) = (Arc::<Notify>::default(), Arc::<Notify>::default());
    let service = market.publish(slow(&begun, &let_go)).await;
    let order = market.order(&service, "a", 0).await;
    let health = Health::new();
    let bot = market.bot().service(slow(&begun, &let_go)).health(&health);
    let watched = async {
        let closing = found("the bot closes", async || {
            Some(health.report().await).filter(|report| report.stage == Stage::Closing)
        });
        let report = closing.await;
        assert_eq!((report.well, report.jobs), (false, Some(1)));
        let_go.notify_one();
    };
    let (ended, ()) = tokio::join!(bot.run_until(begun.notified()), watched);
    ended.unwrap();
    assert_eq!(market.answers(&order).await.len(), 1);
    assert_eq!(health.report().await.stage, Stage::Closed);
}

#[tokio::test]
async fn a_bot_that_can_not_start_has_ended() {
    let market = Market::open().await;
    let health = Health::new();
    let stranger = svc_client::Client::builder(market.server.url()).api_key("svc_ak_wrong");
    let bot = svc_bot_kit::Bot::new(stranger.build().unwrap()).health(&health);
    let journal = svc_bot_kit::Journal::memory().unwrap();
    bot.journal(journal).run_until(std::future::pending()).await.unwrap_err();
    let report = health.report().await;
    assert_eq!((report.stage, report.well, report.jobs), (Stage::Closed, false, None));
}
