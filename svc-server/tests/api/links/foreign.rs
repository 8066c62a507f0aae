//! A provider that other people wrote: oidc-provider as Google, and as X.

use std::collections::BTreeMap;

use http::{Method, StatusCode};
use serde_json::Value;
use svc_client::types::api::links::LinkProvider;
use svc_client::types::api::links::LinkProvider::{Google, X};
use svc_server::testing::Engine::{self, Postgres, Sqlite};
use url::Url;

use super::{SETTINGS, assert_page, flags};
use crate::app::TestApp;
use crate::foreign::{Foreign, set_clock};
use crate::oauth::{Forms, led_to};
use crate::raw::{Raw, answer};

/// A browser that signs in at the provider.
struct Person<'a> {
    app: &'a TestApp,
    name: &'a str,
    cookies: BTreeMap<String, String>,
}

impl Person<'_> {
    /// Sends a request to the provider with the cookies it has set, and keeps new ones.
    async fn send(&mut self, method: Method, url: &Url, fields: &[(&str, &str)]) -> Raw {
        let path = format!("/../x{}", url.path());
        let request = self.app.raw(method, &path);
        let (client, request) = request.build_split();
        let mut request = request.unwrap();
        *request.url_mut() = url.clone();
        let mut request = reqwest::RequestBuilder::from_parts(client, request);
        if !fields.is_empty() {
            request = request.form(fields);
        }
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let received = answer(request.header("cookie", cookies.join("; "))).await;
        for cookie in received.headers.get_all("set-cookie") {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        received
    }

    /// Signs in and agrees; the answer is where the provider sends the browser back to.
    async fn agree(&mut self, start: &str) -> Url {
        let mut url = Url::parse(start).unwrap();
        let mut fields: Vec<(&str, &str)> = Vec::new();
        for _ in 0..12 {
            let method = if fields.is_empty() { Method::GET } else { Method::POST };
            let received = self.send(method, &url, &fields).await;
            fields.clear();
            if received.status.is_redirection() {
                url = url.join(received.header("location").unwrap()).unwrap();
                if url.path().starts_with("/auth/callback/") {
                    return url;
                }
            } else {
                assert_eq!(received.status, StatusCode::OK, "{}", received.text);
                fields = if received.text.contains("name=\"login\"") {
                    vec![("prompt", "login"), ("login", self.name), ("password", "any")]
                } else {
                    vec![("prompt", "consent")]
                };
            }
        }
        panic!("the provider never sends the browser back: {url}");
    }
}

/// A server that links accounts at the provider, which runs beside it.
async fn start(engine: Engine) -> Option<(Foreign, TestApp)> {
    let library = ["-e", "require.resolve('oidc-provider')"];
    let mut provider = Foreign::start("node", "provider.cjs", &library).await?;
    let issuer = provider.hear().await;
    let issuer = issuer.as_str().unwrap();
    let own = |path: &str| format!("{issuer}{path}");
    let [authorize, token] = [own("/auth"), own("/token")];
    let settings = [
        ("webhooks.allow_loopback", "true"),
        ("links.google.issuer", issuer),
        ("links.google.client_id", "svc-google"),
        ("links.google.client_secret", "a secret"),
        ("links.x.authorize_url", &authorize),
        ("links.x.token_url", &token),
        ("links.x.api_url", issuer),
        ("links.x.client_id", "svc-x"),
        ("links.x.client_secret", "a secret"),
    ];
    let app = TestApp::start_with(engine, &settings).await?;
    set_clock(&app);
    provider.say(&app.root()).await;
    assert_eq!(provider.hear().await, Value::from("ready"));
    Some((provider, app))
}

/// Links an account of the provider, in the browser of an account here.
async fn link(app: &TestApp, cookie: &str, provider: LinkProvider, name: &str) -> Raw {
    let begun = app.browser(cookie).links().begin(provider).await.unwrap();
    let mut person = Person { app, name, cookies: BTreeMap::new() };
    let back = person.agree(begun.url.expose()).await;
    let path = back.as_str().strip_prefix(&*app.root()).unwrap();
    app.open_page(Some(cookie), path).await
}

async fn people_link_accounts_of_a_provider_that_we_did_not_write(engine: Engine) {
    let Some((_provider, app)) = start(engine).await else { return };
    let [ada, bob] = [app.visitor("ada").await, app.visitor("bob").await];
    let unverified = link(&app, &ada.cookie, Google, "unverified").await;
    assert_page(&unverified, StatusCode::BAD_REQUEST, "no verified e-mail");
    assert_eq!(led_to(&link(&app, &ada.cookie, Google, "ada").await), SETTINGS);
    assert_eq!(flags(&app, "ada").await, (true, false));
    assert_eq!(led_to(&link(&app, &ada.cookie, X, "ada").await), SETTINGS);
    assert_eq!(flags(&app, "ada").await, (true, true));
    let taken = link(&app, &bob.cookie, X, "ada").await;
    assert_page(&taken, StatusCode::CONFLICT, "linked to another account");
    app.browser(&ada.cookie).links().delete(Google).await.unwrap();
    assert_eq!(flags(&app, "ada").await, (false, true));
    assert_eq!(led_to(&link(&app, &bob.cookie, Google, "ada").await), SETTINGS);
}

mod people_link {
    use super::*;

    #[tokio::test]
    async fn sqlite() {
        Box::pin(people_link_accounts_of_a_provider_that_we_did_not_write(Sqlite)).await;
    }

    #[tokio::test]
    async fn postgres() {
        Box::pin(people_link_accounts_of_a_provider_that_we_did_not_write(Postgres)).await;
    }
}
