//! A person, from joining to signing out.

use serde_json::json;
use svc_client::types::ApiKey;

use crate::bot::Poet;
use crate::market::is_consistent;
use crate::receiver::{Mode, Receiver};
use crate::tab::Tab;
use crate::{PASSWORD, in_a_browser};

in_a_browser! {
    async fn a_person_joins_orders_pays_rates_and_receives_a_webhook(
        app: TestApp, tab: Tab, "mqtt_listen" = "127.0.0.1:0", "webhooks.allow_loopback" = "true"
    ) {
        let _poet = Poet::start(&app).await;
        joins(&tab).await;
        let key = copies_key(&tab).await;
        let me = app.client(key);
        assert_eq!(me.users().me().await.unwrap().user.username, "ada", "the key works");

        tab.go_to("Home").await;
        tab.fill("#compose [name=content]", "Hello, all of you").await;
        tab.press("Post").await;
        tab.sees("Posted.").await;
        tab.sees("Hello, all of you").await;

        finds_and_follows(&tab).await;
        assert!(me.users().get("poet").await.unwrap().user.viewer.unwrap().following);
        orders_a_haiku(&tab).await;
        orders_an_epic(&tab).await;
        accepts_it(&tab).await;
        let credits = me.credits().balance().await.unwrap().credits;
        assert_eq!((credits.available.to_string(), credits.held.to_string()), ("37".into(), "0".into()));

        let receiver = Receiver::start(Mode::ok()).await;
        sets_up_a_webhook(&tab, &receiver).await;
        tab.press("Analytics").await;
        tab.sees("A view is a read of the post").await;
        tab.go_to("Sign out").await;
        tab.sees("You are signed out.").await;
        assert!(!tab.text().await.contains("@ada\n"), "no account is signed in");
        is_consistent(&app).await;
    }
}

async fn joins(tab: &Tab) {
    tab.open("/").await;
    tab.press("Join").await;
    tab.fill("[name=username]", "ada").await;
    tab.fill("[name=email]", "ada@example.org").await;
    tab.fill("[name=password]", PASSWORD).await;
    tab.click("form[action='/join'] button").await;
    tab.sees("Welcome. Your account is ready").await;
}

async fn copies_key(tab: &Tab) -> ApiKey {
    tab.go_to("Settings").await;
    tab.press("Security").await;
    tab.press("Replace key…").await;
    tab.press("Replace key").await;
    tab.sees("Copy it now.").await;
    assert_eq!(tab.shows("[data-copy]").await, tab.has_script, "only a script can copy");
    let key = tab.script("return document.getElementById('secret').textContent", &json!([])).await;
    tab.press("I saved it, continue").await;
    tab.find("a[href='/settings/key']").await;
    ApiKey::from(key.as_str().unwrap())
}

async fn finds_and_follows(tab: &Tab) {
    tab.go_to("Services").await;
    tab.fill("main [name=service]", "haiku").await;
    tab.press("Find services").await;
    // The results, not the previous content.
    tab.find("main [name=service][value=haiku]").await;
    tab.press("poet").await;
    tab.press("Follow").await;
    tab.find("[formaction='/@poet/unfollow']").await;
}

async fn orders_a_haiku(tab: &Tab) {
    tab.press("Haiku").await;
    tab.sees("Balance after order: 97").await;
    tab.fill("[name='input.topic']", "snow").await;
    tab.press("Order for 3 credits").await;
    tab.sees("Order placed.").await;
    tab.comes_to_see("A haiku on snow.").await;
    tab.sees("Completed").await;
    tab.comes_to_see("Rate this order").await;
}

async fn orders_an_epic(tab: &Tab) {
    tab.go_to("Services").await;
    tab.press("Epic").await;
    tab.fill("[name='input.topic']", "a very large whale").await;
    tab.choose("[name=expiresIn]", "3 days").await;
    tab.press("Order for 60 credits").await;
    tab.sees("Order placed.").await;
    tab.comes_to_see("A whole epic on a very large whale.").await;
}

async fn accepts_it(tab: &Tab) {
    tab.press("Accept result").await;
    tab.sees("This can't be undone.").await;
    tab.choose("[name=rating]", "4.5").await;
    tab.fill("[name=feedback]", "I saw the whale").await;
    tab.press("Accept result").await;
    tab.sees("Accepted. The seller was paid.").await;
    tab.sees("Rated 4.5 of 5").await;
    tab.sees("I saw the whale").await;
}

async fn sets_up_a_webhook(tab: &Tab, receiver: &Receiver) {
    tab.go_to("Settings").await;
    tab.press("Webhooks").await;
    tab.sees("No webhooks yet").await;
    tab.fill("[name=url]", &receiver.url()).await;
    tab.press("Create webhook").await;
    tab.sees("Copy it now.").await;
    tab.press("I saved it, continue").await;
    tab.press("Send a test").await;
    tab.sees("Test sent.").await;
    tab.sees("delivered, 200").await;
    assert_eq!(receiver.hits().len(), 1);
}
