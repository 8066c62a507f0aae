//! A bot whose account is suspended, at its start and while it works, or whose key may no longer answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use svc_bot_kit::{
    Bot, Ctx, Error, Fail, Health, Journal, Notifier, Service, Source, Stage, service,
};
use svc_client::Client;
use svc_client::types::api::messages::RequestStatus;
use svc_client::types::{Code, Scope};
use svc_server::admin::Command;
use svc_server::testing::until;
use tokio::sync::Notify;

use super::market::{Ask, Count, Market, count, reached};

async fn suspend(market: &Market) {
    let command = Command::Suspend { username: "wordbot".into(), reason: "a test".into() };
    market.server.admin(command).await;
}

async fn unsuspend(market: &Market) {
    let command = Command::Unsuspend { username: "wordbot".into(), reason: "a test".into() };
    market.server.admin(command).await;
}

/// A client that acts by another key of the bot, which may sell, and the id of that key.
async fn seller(market: &Market) -> (Client, String) {
    let scopes = [Scope::Read, Scope::Dm, Scope::ExchangeSell];
    let created = market.bot.keys().create("seller", scopes).await.unwrap();
    let client = Client::builder(market.server.url()).api_key(created.api_key);
    (client.build().unwrap(), created.key.key_id)
}

/// A service that works until it is let go, once per permit.
fn held(starts: &Arc<AtomicU32>, let_go: &Arc<Notify>) -> Service {
    let (starts, let_go) = (Arc::clone(starts), Arc::clone(let_go));
    service("count-words", move |_: Ctx, _: Ask| {
        starts.fetch_add(1, Ordering::SeqCst);
        let let_go = Arc::clone(&let_go);
        async move {
            let_go.notified().await;
            Ok::<_, Fail>(Count { words: 1 })
        }
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_bot_finishes_its_orders_and_goes_on_when_the_suspension_is_over() {
    let market = Market::open().await;
    let (starts, let_go) = (Arc::<AtomicU32>::default(), Arc::<Notify>::default());
    let service = market.publish(held(&starts, &let_go)).await;
    let bot = Bot::new(market.bot.clone()).journal(Journal::memory().unwrap());
    let bot = bot.service(held(&starts, &let_go)).source(Source::stream());
    let deals = async {
        let begun = market.order(&service, "begun", 0).await;
        reached(&starts, 1).await;
        suspend(&market).await;
        let_go.notify_one();
        assert_eq!(market.closed(&begun).await.status, RequestStatus::Completed);
        unsuspend(&market).await;
        let_go.notify_one();
        let later = market.order(&service, "later", 0).await;
        assert_eq!(market.closed(&later).await.status, RequestStatus::Completed);
    };
    bot.run_until(deals).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_starts_with_other_services_waits_until_the_suspension_is_over() {
    let market = Market::open().await;
    let starts = Arc::default();
    let service = market.publish(count(&starts)).await;
    suspend(&market).await;
    let proxy = market.proxy().await;
    let bot = market.bot_behind(&proxy, &Journal::memory().unwrap());
    let bot = bot.service(count(&starts).price(5));
    let opens = async {
        until("the change is refused", async || proxy.seen("PATCH /api/v1/bots/me/services") > 0)
            .await;
        unsuspend(&market).await;
        until("the service is changed", async || {
            market.bot.services().list().await.unwrap().services[0].price_credits == 5.into()
        })
        .await;
        let order = market.order(&service, "a bb", 5).await;
        assert_eq!(market.closed(&order).await.status, RequestStatus::Completed);
    };
    bot.run_until(opens).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_the_key_may_not_send_waits_for_another_key() {
    let market = Market::open().await;
    let (starts, let_go) = (Arc::<AtomicU32>::default(), Arc::<Notify>::default());
    let service = market.publish(held(&starts, &let_go)).await;
    let (journal, notifier) = (Journal::memory().unwrap(), Notifier::new());
    let (client, key) = seller(&market).await;
    let bot = Bot::new(client).journal(journal.clone()).service(held(&starts, &let_go));
    let bot = bot.source(Source::notifier(&notifier));
    let running = tokio::spawn(bot.run_until(std::future::pending()));
    let order = market.order(&service, "begun", 0).await;
    notifier.notify();
    reached(&starts, 1).await;
    let narrow = market.bot.keys().update(&*key);
    narrow.scopes([Scope::Read, Scope::Dm]).await.unwrap();
    let_go.notify_one();
    let Error::Client(refused) = running.await.unwrap().unwrap_err() else {
        panic!("the platform refused the answer");
    };
    assert_eq!(refused.code(), Some(&Code::InsufficientScope));
    let again = Bot::new(market.bot.clone()).journal(journal).service(held(&starts, &let_go));
    let answered = async {
        assert_eq!(market.closed(&order).await.status, RequestStatus::Completed);
    };
    again.run_until(answered).await.unwrap();
    assert_eq!(starts.load(Ordering::SeqCst), 1, "the handler does not run again");
}

#[tokio::test(flavor = "multi_thread")]
async fn work_in_progress_when_the_key_ends_is_answered_with_another_key() {
    let market = Market::open().await;
    let (starts, let_go) = (Arc::<AtomicU32>::default(), Arc::<Notify>::default());
    let service = market.publish(held(&starts, &let_go)).await;
    let (journal, health, notifier) = (Journal::memory().unwrap(), Health::new(), Notifier::new());
    let (client, key) = seller(&market).await;
    let bot = Bot::new(client).journal(journal.clone()).service(held(&starts, &let_go));
    let bot = bot.health(&health).source(Source::notifier(&notifier));
    let running = tokio::spawn(bot.run_until(std::future::pending()));
    let order = market.order(&service, "begun", 0).await;
    notifier.notify();
    reached(&starts, 1).await;
    market.bot.keys().delete(&*key).await.unwrap();
    notifier.notify();
    let is_closing = async || health.report().await.stage == Stage::Closing;
    until("the bot waits for its handler", is_closing).await;
    let_go.notify_one();
    let ended = running.await.unwrap().unwrap_err();
    assert!(matches!(ended, Error::Client(_)), "{ended:?}");
    let again = Bot::new(market.bot.clone()).journal(journal).service(held(&starts, &let_go));
    let answered = async {
        assert_eq!(market.closed(&order).await.status, RequestStatus::Completed);
    };
    again.run_until(answered).await.unwrap();
    assert_eq!(starts.load(Ordering::SeqCst), 1, "the handler does not run again");
}
