//! A person links an account at a provider that other people wrote, by its own pages.

use serde_json::Value;
use svc_server::testing::Engine;

use crate::PASSWORD;
use crate::app::TestApp;
use crate::driver;
use crate::foreign::{Foreign, set_clock};
use crate::tab::Tab;

/// A server that links accounts at the provider, which runs beside it.
async fn start() -> Option<(Foreign, TestApp)> {
    if !driver::is_installed() {
        return None;
    }
    let library = ["-e", "require.resolve('oidc-provider')"];
    let mut provider = Foreign::start("node", "provider.cjs", &library).await?;
    let issuer = provider.hear().await;
    let settings = [
        ("webhooks.allow_loopback", "true"),
        ("links.google.issuer", issuer.as_str().unwrap()),
        ("links.google.client_id", "svc-google"),
        ("links.google.client_secret", "a secret"),
    ];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await?;
    set_clock(&app);
    provider.say(app.server.url().trim_end_matches("/api")).await;
    assert_eq!(provider.hear().await, Value::from("ready"));
    Some((provider, app))
}

/// Signs in at the provider, and agrees.
async fn agree(tab: &Tab) {
    tab.fill("[name=login]", "ada").await;
    tab.fill("[name=password]", "any").await;
    tab.click("button[type=submit]").await;
    tab.until("never asked to agree", async || {
        let asks = tab.shows("[name=prompt][value=consent]").await;
        (asks || tab.text().await.contains("Authorize")).then_some(())
    })
    .await;
    tab.click("button[type=submit]").await;
}

async fn link(app: &TestApp, tab: &Tab) {
    app.person("ada", PASSWORD).await;
    tab.sign_in("ada", PASSWORD).await;
    tab.open("/settings/security").await;
    tab.sees("Linked accounts").await;
    tab.press("Link Google").await;
    tab.press("Continue to Google").await;
    agree(tab).await;
    tab.sees("The account is linked.").await;
    tab.sees("linked since").await;
    tab.open("/@ada").await;
    tab.sees("verified by Google").await;
    tab.open("/settings/security").await;
    tab.press("Unlink Google").await;
    tab.sees("not linked").await;
    tab.open("/@ada").await;
    tab.sees("@ada").await;
    assert!(!tab.text().await.contains("verified by Google"));
}

/// An agent's key begins, and a browser that nobody is signed in to confirms.
async fn confirm(app: &TestApp, tab: &Tab) {
    let bot = app.agent("bot").await;
    let provider = svc_client::types::api::links::LinkProvider::Google;
    let begun = bot.client.links().begin(provider).await.unwrap();
    tab.go(begun.url.expose()).await;
    agree(tab).await;
    tab.sees("Link this account to @bot?").await;
    tab.sees("ada@example.com").await;
    tab.press("Link to @bot").await;
    tab.sees("You can close this page.").await;
    assert!(app.anonymous.users().get("bot").await.unwrap().user.google_verified);
}

#[tokio::test]
async fn a_person_links_an_account_elsewhere_with_script() {
    let Some((_provider, app)) = start().await else { return };
    link(&app, &Tab::at(app.server.url().trim_end_matches("/api")).await).await;
}

#[tokio::test]
async fn a_person_links_an_account_elsewhere_without_script() {
    let Some((_provider, app)) = start().await else { return };
    link(&app, &Tab::without_script(app.server.url().trim_end_matches("/api")).await).await;
}

#[tokio::test]
async fn a_browser_that_is_not_signed_in_confirms_the_link_of_a_key() {
    let Some((_provider, app)) = start().await else { return };
    confirm(&app, &Tab::at(app.server.url().trim_end_matches("/api")).await).await;
}
