//! Test fixtures: a server, its clients, and assertions on refusals.

use std::path::Path;
use std::time::Duration;

use http::header::{COOKIE, HeaderMap, HeaderName, HeaderValue};
use svc_client::types::api::developers;
use svc_client::types::api::messages::Message;
use svc_client::types::api::posts::Post;
use svc_client::types::api::users::User;
use svc_client::types::{ApiKey, Code, DeveloperKey, Endpoint, Paged, Visitor};
use svc_client::{Call, Client, ClientBuilder, Error};
use svc_core::app::Ctx;
use svc_core::services::visibility;
use svc_fake_stripe::FakeStripe;
use svc_server::admin::Command;
use svc_server::testing::{Engine, TestServer, until};
use svc_store::db::{Sql, sql, values};

use self::chain::FakeChain;
use self::selling::Selling;

// Other test programs include this file from their own folders.
#[path = "chain.rs"]
pub(crate) mod chain;
#[path = "selling.rs"]
mod selling;

/// How a browser says which site a request comes from.
pub(crate) const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Writes a test once and runs it on both engines; settings may follow the app: a constant, then others.
///
/// ```ignore
/// on_both_engines! {
///     async fn a_body_may_be_small(app: TestApp, "limits.body_bytes" = "10") { … }
///     async fn a_page_is_made(app: TestApp, ..SELLING, "billing.tax" = "true") { … }
/// }
/// ```
#[macro_export]
macro_rules! on_both_engines {
    ($($(#[$meta:meta])* async fn $name:ident(
        $app:ident: TestApp $(, ..$shared:ident)? $(, $key:literal = $value:literal)*
    ) $body:block)+) => {$(
        $(#[$meta])*
        async fn $name($app: $crate::app::TestApp) $body

        mod $name {
            use svc_server::testing::Engine::{self, Postgres, Sqlite};

            async fn on(engine: Engine) {
                let Some(database) = $crate::app::database(engine).await else { return };
                let own: &[(&str, &str)] = &[$(($key, $value)),*];
                let settings = [$(super::$shared,)? own].concat();
                super::$name($crate::app::TestApp::on(engine, &database, &settings).await).await;
                engine.remove(database);
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

/// A fresh database; `None` where the engine is missing.
pub(crate) async fn database(engine: Engine) -> Option<String> {
    tokio::task::spawn_blocking(move || engine.database()).await.unwrap()
}

/// A database that one server leaves and another one opens: for SQLite in this folder.
pub(crate) async fn lasting_database(engine: Engine, folder: &Path) -> Option<String> {
    match engine {
        Engine::Sqlite => Some(format!("sqlite:{}", folder.join("svc.db").display())),
        Engine::Postgres => database(engine).await,
    }
}

/// A server and a client without a credential.
pub(crate) struct TestApp {
    pub(crate) server: TestServer,
    pub(crate) engine: Engine,
    pub(crate) anonymous: Client,
    http: reqwest::Client,
    /// The stand-in for Stripe, if the settings of the test sell credits.
    pub(crate) selling: Option<Box<Selling>>,
    /// The stand-in for a chain, if the settings of the test take tokens.
    chain: Option<FakeChain>,
}

/// An account with its client.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) user: User,
    pub(crate) key: ApiKey,
    pub(crate) client: Client,
}

/// A developer's app with its client.
#[derive(Clone)]
pub(crate) struct Developer {
    pub(crate) app: developers::Developer,
    pub(crate) key: DeveloperKey,
    pub(crate) client: Client,
}

impl TestApp {
    /// A server on a fresh database with these settings; `None` where the engine is missing.
    pub(crate) async fn start_with(engine: Engine, settings: &[(&str, &str)]) -> Option<Self> {
        Some(Self::on(engine, &database(engine).await?, settings).await)
    }

    /// A server on this database.
    pub(crate) async fn on(engine: Engine, database: &str, settings: &[(&str, &str)]) -> Self {
        let selling = Selling::asked_for(settings).await.map(Box::new);
        let chain = FakeChain::asked_for(settings).await;
        let tokens = chain.as_ref().map(FakeChain::settings).unwrap_or_default();
        let own = selling.iter().flat_map(|selling| selling.settings());
        let own = own.chain(tokens.iter().map(|(name, text)| (*name, text.as_str())));
        let settings: Vec<_> = settings.iter().copied().chain(own).collect();
        let server = TestServer::start_with(database, &settings).await;
        let http = transport(HeaderMap::new());
        let anonymous = client(&server, &http).build().unwrap();
        Self { server, engine, anonymous, http, selling, chain }
    }

    /// A client with this key.
    pub(crate) fn client(&self, key: impl Into<ApiKey>) -> Client {
        let builder = client(&self.server, &self.http).api_key(key);
        builder.build().unwrap()
    }

    /// A client with this developer key.
    pub(crate) fn developer_client(&self, key: impl Into<DeveloperKey>) -> Client {
        let builder = client(&self.server, &self.http).developer_key(key);
        builder.build().unwrap()
    }

    /// A client that sends this cookie as our own pages do.
    pub(crate) fn browser(&self, cookie: &str) -> Client {
        let headers = HeaderMap::from_iter([
            (COOKIE, HeaderValue::try_from(cookie).unwrap()),
            (SEC_FETCH_SITE, HeaderValue::from_static("same-origin")),
        ]);
        client(&self.server, &transport(headers)).build().unwrap()
    }

    /// Signs in and returns the cookie for later requests.
    pub(crate) async fn sign_in(&self, username: &str, password: &str) -> String {
        let call = self.anonymous.auth().login(username, password);
        cookie(&call.raw().await.unwrap().headers)
    }

    /// A new agent.
    pub(crate) async fn agent(&self, username: &str) -> Member {
        let registered = self.anonymous.auth().register_agent(username).await.unwrap();
        let client = self.client(registered.api_key.clone());
        Member { user: registered.user, key: registered.api_key, client }
    }

    /// New agents.
    pub(crate) async fn agents<const N: usize>(&self, usernames: [&str; N]) -> [Member; N] {
        let mut members = Vec::with_capacity(N);
        for username in usernames {
            members.push(self.agent(username).await);
        }
        members.try_into().ok().expect("there are as many members as names")
    }

    /// New agents that follow each other, so that none is a stranger to another.
    pub(crate) async fn friends<const N: usize>(&self, usernames: [&str; N]) -> [Member; N] {
        let members = self.agents(usernames).await;
        for one in &members {
            for other in members.iter().filter(|other| other.user.id != one.user.id) {
                self.follow(one, other).await;
            }
        }
        members
    }

    /// A new person.
    pub(crate) async fn person(&self, username: &str, password: &str) -> Member {
        let email = format!("{username}@example.org");
        let registering = self.anonymous.auth().register_person(username, email.as_str(), password);
        let registered = registering.await.unwrap();
        let client = self.client(registered.api_key.clone());
        Member { user: registered.user, key: registered.api_key, client }
    }

    /// A new developer's app without an owner.
    pub(crate) async fn developer(&self, name: &str) -> Developer {
        let registering = self.anonymous.developers();
        let call = registering.register(name, "https://gate.example.org");
        let registered = call.await.unwrap();
        Developer {
            app: registered.developer,
            client: self.developer_client(registered.developer_api_key.clone()),
            key: registered.developer_api_key,
        }
    }

    /// Moves the clock, and Stripe's. Stripe goes first: a worker that wakes with the clock would else
    /// read its events up to a time at which some have yet to happen.
    pub(crate) fn advance(&self, seconds: u64) {
        let time = Duration::from_secs(seconds);
        self.selling.iter().for_each(|selling| selling.stripe.advance(time));
        self.server.clock().advance(time);
    }

    /// The stand-in for Stripe.
    pub(crate) fn stripe(&self) -> &FakeStripe {
        &self.selling.as_ref().expect("the settings of the test sell credits").stripe
    }

    /// The stand-in for a chain and a facilitator.
    pub(crate) fn chain(&self) -> &FakeChain {
        self.chain.as_ref().expect("the settings of the test take tokens")
    }

    /// Gives an account a role.
    pub(crate) async fn grant_role(&self, username: &str, role: &str) {
        self.server
            .admin(Command::GrantRole { username: username.into(), role: role.into() })
            .await;
    }

    /// Gives an account a tier.
    pub(crate) async fn set_tier(&self, username: &str, tier: &str) {
        self.server.admin(Command::SetTier { username: username.into(), tier: tier.into() }).await;
    }

    /// Issues credits to an account.
    pub(crate) async fn grant_credits(&self, username: &str, credits: u32) {
        let (amount, reason) = (credits.into(), "a test".into());
        let command = Command::GrantCredits { username: username.into(), amount, reason };
        self.server.admin(command).await;
    }

    /// Suspends an account.
    pub(crate) async fn suspend(&self, username: &str) {
        let command = Command::Suspend { username: username.into(), reason: "a test".into() };
        self.server.admin(command).await;
    }

    /// Lifts the suspension of an account.
    pub(crate) async fn unsuspend(&self, username: &str) {
        let command = Command::Unsuspend { username: username.into(), reason: "a test".into() };
        self.server.admin(command).await;
    }

    /// Makes one account follow another, by SQL.
    pub(crate) async fn follow(&self, who: &Member, whom: &Member) {
        let (who, whom) = (who.user.id.clone(), whom.user.id.clone());
        let sql = sql!("insert into follow (follower, followee, created_at) values ($1, $2, 0)");
        self.execute(move |ctx| ctx.tx.execute(sql, values![who, whom])).await;
    }

    /// Makes one account block another, by SQL.
    pub(crate) async fn block(&self, who: &Member, whom: &Member) {
        let (who, whom) = (who.user.id.clone(), whom.user.id.clone());
        let sql = sql!("insert into block (blocker, blocked, created_at) values ($1, $2, 0)");
        self.execute(move |ctx| ctx.tx.execute(sql, values![who, whom])).await;
    }

    /// Hides a post as moderators do.
    pub(crate) async fn hide(&self, post: &Post) {
        let id = post.id.clone();
        let hidden = self.server.app().write(move |ctx| visibility::hide(ctx, &id));
        hidden.await.unwrap();
    }

    /// Limits an account as moderators do.
    pub(crate) async fn limit(&self, who: &Member) {
        let id = who.user.id.clone();
        let sql = sql!("update account set status = 'limited' where id = $1");
        self.execute(move |ctx| ctx.tx.execute(sql, values![id])).await;
    }

    /// Brings search and hashtags up to date, as the server does each second. Its own task may have taken a text on
    /// PostgreSQL, which only that can index then.
    pub(crate) async fn index(&self) {
        until("no text waits to be indexed", async || {
            self.server.index().await;
            self.count(sql!("select count(*) from search_queue")).await == 0
        })
        .await;
        self.server.index().await;
    }

    /// Changes rows by SQL.
    pub(crate) async fn execute<F>(&self, job: F)
    where
        F: Fn(&mut Ctx<'_, '_>) -> svc_store::error::Result<u64> + Send + 'static,
    {
        let rows = self.server.app().write(job).await.unwrap();
        assert_ne!(rows, 0, "the statement found its row");
    }

    /// Counts rows by SQL.
    pub(crate) async fn count(&self, sql: Sql) -> i64 {
        self.server.app().read(move |ctx| ctx.tx.one(sql, &[])).await.unwrap()
    }

    /// A request that no typed client would send.
    pub(crate) fn raw(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        let url = format!("{}{path}", self.server.url());
        self.http.request(method, url)
    }
}

impl Member {
    /// Publishes a top-level post, which takes the slot.
    pub(crate) async fn post(&self, content: &str) -> Post {
        self.client.posts().create(content).await.unwrap().post
    }

    /// Answers a post.
    pub(crate) async fn reply(&self, to: &Post, content: &str) -> Post {
        self.client.posts().reply(&to.id, content).await.unwrap().post
    }

    /// Sends a direct message.
    pub(crate) async fn write(&self, to: &Self, content: &str) -> Message {
        let call = self.client.messages().send(&*to.user.username, content);
        call.await.unwrap().message
    }

    /// A request with this account's key, which no typed client would send.
    pub(crate) fn raw(
        &self,
        app: &TestApp,
        method: reqwest::Method,
        path: &str,
    ) -> reqwest::RequestBuilder {
        app.raw(method, path).bearer_auth(self.key.expose())
    }
}

/// Every item of a list, page by page.
pub(crate) async fn all_items<E: Paged + Clone>(list: Call<E>) -> Vec<E::Item> {
    let mut items = Vec::new();
    let mut next = Some(list.clone());
    while let Some(call) = next {
        let page = call.page().await.unwrap();
        items.extend(page.items);
        next = page.next_cursor.map(|cursor| list.clone().after(cursor));
    }
    items
}

/// A transport that sends these headers along.
pub(crate) fn transport(headers: HeaderMap) -> reqwest::Client {
    let builder = reqwest::Client::builder().default_headers(headers);
    let builder = builder.redirect(reqwest::redirect::Policy::none());
    // Nothing here speaks TLS, and reading the certificates of the system takes 3 ms.
    builder.tls_certs_only([]).no_proxy().build().unwrap()
}

fn client(server: &TestServer, http: &reqwest::Client) -> ClientBuilder {
    let builder = Client::builder(server.url()).http_client(http.clone());
    // On a busy machine an unoptimized server may need long for what is bounded in steps.
    builder.retries(0).attempt_timeout(Duration::from_mins(2))
}

/// The cookie an answer sets, as it is sent back: `name=value`.
pub(crate) fn cookie(headers: &HeaderMap) -> String {
    let set = headers["set-cookie"].to_str().unwrap();
    set.split(';').next().unwrap().to_owned()
}

/// The code of a refusal, which must be common or declared by the endpoint.
#[track_caller]
pub(crate) fn code<E: Endpoint>(result: Result<E::Response, Error>) -> Code {
    code_of_error::<E>(&result.expect_err("the call should have been refused"))
}

/// The code of a refusal and the member it names.
#[track_caller]
pub(crate) fn fault<E: Endpoint>(result: Result<E::Response, Error>) -> (Code, String) {
    let error = result.expect_err("the call should have been refused");
    let field = error.field().unwrap_or_else(|| panic!("no field in {error:?}"));
    (code_of_error::<E>(&error), field.to_owned())
}

#[track_caller]
fn code_of_error<E: Endpoint>(error: &Error) -> Code {
    let code = error.code().cloned().unwrap_or_else(|| panic!("no code in {error:?}"));
    let declared = svc_openapi::generate::codes::<E>();
    assert!(declared.contains(&code), "{} answered the undeclared {code}", E::NAME);
    code
}

/// Names of all declared endpoints.
pub(crate) struct Names(pub(crate) Vec<&'static str>);

impl Visitor for Names {
    fn visit<E: Endpoint>(&mut self) {
        self.0.push(E::NAME);
    }
}
