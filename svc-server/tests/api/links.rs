//! Accounts elsewhere that are linked to accounts here.

mod foreign;
mod google;
mod lifecycle;
mod stub;
mod x;

use std::collections::HashMap;

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_client::Client;
use svc_client::types::Code;
use svc_client::types::api::links::{LinkProvider, LinkProvider::Google};
use svc_server::testing::Engine;
use url::{Url, form_urlencoded};

use self::stub::{CLIENT, Key, Stub};
use crate::app::{SEC_FETCH_SITE, TestApp};
use crate::oauth::{Forms, led_to};
use crate::raw::{Raw, answer};

/// The page that a browser is sent to after an account was linked.
const SETTINGS: &str = "/settings/security";

/// A server, a provider, and the key that the provider signs with.
pub(crate) struct Scene {
    app: TestApp,
    stub: Stub,
    key: Key,
}

/// The parameters by which the browser is sent to the provider.
type Carried = HashMap<String, String>;

/// Writes a test once and runs it on both engines, with a provider.
macro_rules! with_a_provider {
    ($(async fn $name:ident($scene:ident: Scene $(, $key:literal = $value:literal)*) $body:block)+) => {$(
        async fn $name($scene: $crate::links::Scene) $body

        mod $name {
            use svc_server::testing::Engine::{self, Postgres, Sqlite};

            async fn on(engine: Engine) {
                let settings: &[(&str, &str)] = &[$(($key, $value)),*];
                if let Some(scene) = $crate::links::Scene::start(engine, settings).await {
                    super::$name(scene).await;
                }
            }

            #[tokio::test]
            async fn sqlite() {
                on(Sqlite).await;
            }

            #[tokio::test]
            async fn postgres() {
                on(Postgres).await;
            }
        }
    )+};
}
pub(crate) use with_a_provider;

impl Scene {
    pub(crate) async fn start(engine: Engine, settings: &[(&str, &str)]) -> Option<Self> {
        let stub = Stub::start().await;
        let key = Key::new("first");
        stub.publish(&[&key]);
        let own = stub.settings();
        let own = own.iter().map(|(name, text)| (*name, text.as_str()));
        let all: Vec<(&str, &str)> = own.chain(settings.iter().copied()).collect();
        let app = TestApp::start_with(engine, &all).await?;
        Some(Self { app, stub, key })
    }

    /// The claims of a token that proves an account of Google.
    fn claims(&self, carried: &Carried, subject: &str) -> Value {
        let now = self.app.server.clock().now().as_millis() / 1000;
        json!({ "iss": self.stub.url, "aud": CLIENT, "sub": subject, "iat": now, "exp": now + 600,
            "nonce": carried["nonce"], "email": format!("{subject}@example.com"),
            "email_verified": true })
    }

    /// Has Google answer the next code with this ID token.
    fn answers_with(&self, token: &str) {
        let tokens = json!({ "access_token": "foreign-access", "refresh_token": "foreign-refresh",
            "token_type": "Bearer", "id_token": token });
        self.stub.says("/token", &tokens);
    }

    /// Comes back from Google as an account there.
    async fn come_back_as(&self, cookie: Option<&str>, carried: &Carried, subject: &str) -> Raw {
        self.answers_with(&self.key.sign(&self.claims(carried, subject)));
        self.app.come_back(cookie, "google", &[("code", "c 1"), ("state", &carried["state"])]).await
    }

    /// Links an account of Google in the browser of an account.
    async fn link(&self, cookie: &str, subject: &str) -> Raw {
        let carried = begin(&self.app.browser(cookie), Google).await;
        self.come_back_as(Some(cookie), &carried, subject).await
    }
}

impl TestApp {
    /// A page outside of `/api`, for a browser.
    async fn open_page(&self, cookie: Option<&str>, path: &str) -> Raw {
        let request = self.raw(Method::GET, &format!("/..{path}")).header("accept", "text/html");
        answer(match cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        })
        .await
    }

    /// A browser comes back from a provider.
    async fn come_back(
        &self,
        cookie: Option<&str>,
        provider: &str,
        parameters: &[(&str, &str)],
    ) -> Raw {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let query = query.extend_pairs(parameters).finish();
        self.open_page(cookie, &format!("/auth/callback/{provider}?{query}")).await
    }

    /// Sends the form that confirms a link.
    async fn confirm_link(&self, site: &'static str, token: &str) -> Raw {
        let request = self.raw(Method::POST, "/../link").form(&[("token", token)]);
        let request = request.header(SEC_FETCH_SITE, site).header("accept", "text/html");
        answer(request).await
    }
}

/// Begins a link; returns what the browser carries to the provider.
async fn begin(client: &Client, provider: LinkProvider) -> Carried {
    let begun = client.links().begin(provider).await.unwrap();
    let url = Url::parse(begun.url.expose()).unwrap();
    let mut carried: Carried = url.query_pairs().into_owned().collect();
    carried.insert("endpoint".to_owned(), url.as_str().split('?').next().unwrap().to_owned());
    carried
}

/// Whether an account is verified by Google, and by X.
async fn flags(app: &TestApp, name: &str) -> (bool, bool) {
    let user = app.anonymous.users().get(name).await.unwrap().user;
    (user.google_verified, user.x_verified)
}

/// What an account has linked.
async fn linked(client: &Client) -> Vec<LinkProvider> {
    let links = client.links().list().await.unwrap().links;
    links.into_iter().map(|link| link.provider).collect()
}

/// The token of the page for confirmation that an answer leads to.
#[track_caller]
fn confirmation_token(returned: &Raw) -> String {
    let path = led_to(returned);
    path.strip_prefix("/link?token=").unwrap_or_else(|| panic!("{path}")).to_owned()
}

/// Checks that an answer is refused with a page.
#[track_caller]
fn assert_page(response: &Raw, status: StatusCode, part: &str) {
    assert_eq!(response.status, status, "{}", response.text);
    assert!(response.header("content-type").unwrap().starts_with("text/html"));
    assert!(response.text.contains(part), "no {part:?} in {}", response.text);
}

/// The code of a refused call, which must be declared.
#[track_caller]
fn refused<E: svc_client::types::Endpoint>(result: Result<E::Response, svc_client::Error>) -> Code {
    crate::app::code::<E>(result)
}
