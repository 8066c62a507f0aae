//! Publishing services.

use std::sync::Arc;
use std::time::Duration;

use svc_bot_kit::{Bot, Ctx, Error, Journal, Service, service};
use svc_client::types::Scope;
use svc_client::types::api::services::ServiceCategory;
use svc_server::testing::until;

use super::market::{Ask, Count, Market, count, open_once};

fn words() -> Service {
    count(&Arc::default()).price(5)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_is_created_once_and_changed_where_it_differs() {
    let market = Market::open().await;
    let id = market.publish(words()).await;
    let before = market.bot.services().list().await.unwrap().services.remove(0);
    assert_eq!(before.price_credits, 5.into());
    assert_eq!(before.input_schema.unwrap()["properties"]["text"]["minLength"], 1);
    market.server.clock().advance(Duration::from_secs(1));
    open_once(market.bot().service(words())).await;
    let same = market.bot.services().list().await.unwrap().services;
    assert_eq!((same.len(), &same[0].id), (1, &id));
    assert_eq!(same[0].updated_at, before.updated_at, "nothing was sent");
    let changed = words().price(6).description("counts").tags(["text"]);
    let is_changed = until("the service has its new price", async || {
        market.bot.services().list().await.unwrap().services[0].price_credits == 6.into()
    });
    market.bot().service(changed).run_until(is_changed).await.unwrap();
    let after = market.bot.services().list().await.unwrap().services.remove(0);
    assert_eq!((after.id, after.description.as_str()), (id, "counts"));
    assert_eq!(after.tags, ["text"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn category_and_languages_stay_unless_they_are_given() {
    let market = Market::open().await;
    let shown = async || {
        let service = market.bot.services().list().await.unwrap().services.remove(0);
        (service.category, service.languages)
    };
    market.publish(words().category(ServiceCategory::Writing).languages(["en"])).await;
    let written = (ServiceCategory::Writing, vec!["en".to_owned()]);
    assert_eq!(shown().await, written);
    let is_priced = until("the service has its new price", async || {
        market.bot.services().list().await.unwrap().services[0].price_credits == 6.into()
    });
    market.bot().service(words().price(6)).run_until(is_priced).await.unwrap();
    assert_eq!(shown().await, written);
    let analysed = (ServiceCategory::Data, vec!["en".to_owned(), "fr".to_owned()]);
    let changed = words().category(ServiceCategory::Data).languages(["en", "fr"]);
    let is_changed = until("the service is changed", async || shown().await == analysed);
    market.bot().service(changed).run_until(is_changed).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn other_services_stay_unless_they_are_pruned() {
    let market = Market::open().await;
    market.bot.services().create("old", "by hand", 1).await.unwrap();
    market.bot().service(words()).run_until(market.published(2)).await.unwrap();
    assert_eq!(market.services().await.len(), 2);
    let alone = until("the other service is gone", async || market.services().await.len() == 1);
    market.bot().service(words()).prune_services(true).run_until(alone).await.unwrap();
    assert_eq!(market.services().await[0].1, "count-words");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_misconfigured_bot_fails_at_the_start() {
    let market = Market::open().await;
    let never = std::future::pending::<()>;
    let homeless = Bot::new(market.bot.clone()).run_until(never()).await.unwrap_err();
    assert!(homeless.to_string().contains("needs a journal"), "{homeless}");
    let journal = Journal::memory().unwrap();
    let twice = Bot::new(market.bot.clone()).journal(journal.clone());
    let twice = twice.service(words()).service(words()).run_until(never()).await.unwrap_err();
    assert!(twice.to_string().contains("two services of the name count-words"), "{twice}");
    let upper = service("Count-Words", |_: Ctx, _: Ask| async { Ok(Count { words: 0 }) });
    let alike = Bot::new(market.bot.clone()).journal(journal.clone()).service(words());
    let alike = alike.service(upper).run_until(never()).await.unwrap_err();
    assert!(alike.to_string().contains("two services of the name Count-Words"), "{alike}");
    let stranger = svc_client::Client::builder(market.server.url()).api_key("svc_ak_wrong");
    let stranger = Bot::new(stranger.build().unwrap()).journal(journal.clone());
    let refused = stranger.run_until(never()).await.unwrap_err();
    assert!(matches!(refused, Error::Client(_)), "{refused:?}");
    let ada = Bot::new(market.buyer.clone()).journal(journal.clone());
    ada.service(words()).run_until(std::future::ready(())).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_that_only_talks_needs_neither_a_key_that_sells_nor_the_account_of_an_agent() {
    let market = Market::open().await;
    let url = market.server.url();
    let created = market.bot.keys().create("talk", [Scope::Read, Scope::Dm]).await.unwrap();
    let anonymous = svc_client::Client::builder(&url).build().unwrap();
    let person =
        anonymous.auth().register_person("eve", "eve@example.org", "correct horse battery");
    for key in [created.api_key, person.await.unwrap().api_key] {
        let client = svc_client::Client::builder(&url).api_key(key).build().unwrap();
        let bot = Bot::new(client).journal(Journal::memory().unwrap());
        open_once(bot.on_message(async |_, _| Ok(()))).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_whose_name_changed_in_case_only_is_the_same() {
    let market = Market::open().await;
    let offer = market.bot.services().create("Count-Words", "counts", 5);
    let id = offer.await.unwrap().service.id;
    let is_renamed =
        until("it has its new name", async || market.services().await[0].1 == "count-words");
    market.bot().service(words()).run_until(is_renamed).await.unwrap();
    assert_eq!(market.services().await, [(id, "count-words".to_owned())]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_whose_accents_are_composed_in_another_way_is_the_same() {
    let market = Market::open().await;
    let offer = market.bot.services().create("Cafe\u{301}-Words", "counts", 5);
    let id = offer.await.unwrap().service.id;
    let is_described = until("it has its description", async || {
        market.bot.services().list().await.unwrap().services[0].description == "in coffees"
    });
    let composed = "Caf\u{e9}-Words";
    let answer = |_: Ctx, ask: Ask| async move { Ok(Count { words: ask.text.len() }) };
    let described = service(composed, answer).price(5).description("in coffees");
    market.bot().service(described).run_until(is_described).await.unwrap();
    assert_eq!(market.services().await, [(id, composed.to_owned())]);
}
