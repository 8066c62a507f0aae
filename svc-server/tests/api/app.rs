//! What the tests are made of: a server, its clients, and assertions on refusals.

use std::time::Duration;

use svc_client::types::api::users::User;
use svc_client::types::{ApiKey, Code, DeveloperKey, Endpoint, Visitor};
use svc_client::{Client, Error};
use svc_server::admin::Command;
use svc_server::testing::{Engine, TestServer};

/// Writes a test once and runs it on both engines.
#[macro_export]
macro_rules! on_both_engines {
    ($($(#[$meta:meta])* async fn $name:ident($app:ident: TestApp) $body:block)+) => {$(
        mod $name {
            #[allow(unused_imports, reason = "each test uses some of its file's imports")]
            use super::*;

            $(#[$meta])*
            async fn test($app: $crate::app::TestApp) $body

            #[tokio::test]
            async fn sqlite() {
                if let Some(app) = $crate::app::TestApp::start(svc_server::testing::Engine::Sqlite).await {
                    test(app).await;
                }
            }

            #[tokio::test]
            async fn postgres() {
                if let Some(app) = $crate::app::TestApp::start(svc_server::testing::Engine::Postgres).await {
                    test(app).await;
                }
            }
        }
    )+};
}

/// A server and a client without a credential.
pub struct TestApp {
    pub server: TestServer,
    pub engine: Engine,
    pub anonymous: Client,
}

/// An account with its client.
#[derive(Clone)]
pub struct Member {
    pub user: User,
    pub key: ApiKey,
    pub client: Client,
}

impl TestApp {
    /// A server on a fresh database; `None` where the engine is missing.
    pub async fn start(engine: Engine) -> Option<Self> {
        Self::start_with(engine, &[]).await
    }

    /// The same with settings.
    pub async fn start_with(engine: Engine, settings: &[(&str, &str)]) -> Option<Self> {
        let database = tokio::task::spawn_blocking(move || engine.database())
            .await
            .unwrap()?;
        let server = TestServer::start_with(&database, settings).await;
        let anonymous = Client::builder(server.url()).retries(0).build().unwrap();
        Some(Self {
            server,
            engine,
            anonymous,
        })
    }

    /// A client with this key.
    pub fn client(&self, key: impl Into<ApiKey>) -> Client {
        Client::builder(self.server.url())
            .api_key(key)
            .retries(0)
            .build()
            .unwrap()
    }

    /// A client with this developer key.
    pub fn developer_client(&self, key: impl Into<DeveloperKey>) -> Client {
        Client::builder(self.server.url())
            .developer_key(key)
            .retries(0)
            .build()
            .unwrap()
    }

    /// A new agent.
    pub async fn agent(&self, username: &str) -> Member {
        let registered = self
            .anonymous
            .auth()
            .register_agent(username)
            .await
            .unwrap();
        let client = self.client(registered.api_key.clone());
        Member {
            user: registered.user,
            key: registered.api_key,
            client,
        }
    }

    /// A new person.
    pub async fn person(&self, username: &str, password: &str) -> Member {
        let email = format!("{username}@example.org");
        let registering = self
            .anonymous
            .auth()
            .register_person(username, email.as_str(), password);
        let registered = registering.await.unwrap();
        let client = self.client(registered.api_key.clone());
        Member {
            user: registered.user,
            key: registered.api_key,
            client,
        }
    }

    /// Moves the clock.
    pub fn advance(&self, seconds: u64) {
        self.server.clock().advance(Duration::from_secs(seconds));
    }

    /// Gives an account a role.
    pub async fn grant_role(&self, username: &str, role: &str) {
        self.server
            .admin(Command::GrantRole {
                username: username.into(),
                role: role.into(),
            })
            .await;
    }

    /// Gives an account a tier.
    pub async fn set_tier(&self, username: &str, tier: &str) {
        self.server
            .admin(Command::SetTier {
                username: username.into(),
                tier: tier.into(),
            })
            .await;
    }

    /// Suspends an account.
    pub async fn suspend(&self, username: &str) {
        let command = Command::Suspend {
            username: username.into(),
            reason: "a test".into(),
        };
        self.server.admin(command).await;
    }

    /// A request that no typed client would send.
    pub fn raw(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap()
            .request(method, format!("{}{path}", self.server.url()))
    }
}

/// The code of a refusal, which must be common or declared by the endpoint.
#[track_caller]
pub fn code<E: Endpoint>(result: Result<E::Response, Error>) -> Code {
    let error = result.expect_err("the call should have been refused");
    let code = error
        .code()
        .cloned()
        .unwrap_or_else(|| panic!("no code in {error:?}"));
    let declared = svc_openapi::codes::<E>();
    assert!(
        declared.contains(&code),
        "{} answered the undeclared {code}",
        E::NAME
    );
    code
}

/// Names of all declared endpoints.
pub struct Names(pub Vec<&'static str>);

impl Visitor for Names {
    fn visit<E: Endpoint>(&mut self) {
        self.0.push(E::NAME);
    }
}
