//! A bot that starts while the platform fails.

use std::sync::Arc;

use svc_bot_kit::testing::Fault;
use svc_bot_kit::{Bot, Journal};

use super::market::{Market, count, open_once};

#[tokio::test(flavor = "multi_thread")]
async fn a_service_is_offered_once_however_its_publishing_goes_wrong() {
    let busy = || Fault::Refuse { status: 503, retry_after: None };
    let faults = [
        ("GET /api/v1/bots/me/services", busy()),
        ("POST /api/v1/bots/me/services", Fault::Refuse { status: 429, retry_after: Some(1) }),
        ("POST /api/v1/bots/me/services", Fault::LoseRequest),
        ("POST /api/v1/bots/me/services", Fault::LoseAnswer),
        ("POST /api/v1/bots/me/services", Fault::Deny { status: 500 }),
        ("GET /api/users/me", busy()),
        ("GET /api/orders", busy()),
        ("GET /api/messages", busy()),
        ("GET /api/v1/connect/events", busy()),
    ];
    for (begins, fault) in faults {
        let market = Market::open().await;
        let proxy = market.proxy().await;
        proxy.next(begins, fault.clone());
        let bot = market.bot_behind(&proxy, &Journal::memory().unwrap());
        open_once(bot.service(count(&Arc::default()))).await;
        assert_eq!(market.services().await.len(), 1, "{begins} {fault:?}");
        assert!(proxy.seen(begins) > 1 || fault != busy(), "it was tried again: {begins}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_refused_at_the_start_ends_the_bot() {
    let market = Market::open().await;
    let stranger = svc_client::Client::builder(market.server.url()).api_key("svc_ak_wrong");
    let bot = Bot::new(stranger.build().unwrap()).journal(Journal::memory().unwrap());
    let ended = bot.service(count(&Arc::default())).run_until(std::future::pending()).await;
    assert!(matches!(ended, Err(svc_bot_kit::Error::Client(_))), "{ended:?}");
}
