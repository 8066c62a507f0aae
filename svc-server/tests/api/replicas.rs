//! Reads of replicas: which requests leave the primary, and what they see.

use http::Method;
use reqwest::RequestBuilder;
use serde_json::json;
use svc_client::types::Code;
use svc_server::testing::{Engine, until};
use svc_store::db::Position;
use svc_store::testing::postgres::Cluster;
use tokio::task::spawn_blocking;

use crate::app::TestApp;
use crate::on_both_engines;
use crate::raw::{answer, code_of};

const PASSWORD: &str = "correct horse";

/// The header that names a commit.
const COMMIT: &str = "x-svc-consistency";

/// A server whose database has a standby.
struct Pair {
    app: TestApp,
    _clusters: [Cluster; 2],
}

impl Pair {
    /// A pair whose standby has these options, and is read while it lags by a minute at most.
    async fn start(options: &'static str) -> Option<Self> {
        let pair = spawn_blocking(|| Cluster::with_standby(options)).await.unwrap()?;
        let [(primary, database), (standby, copy)] = pair;
        let settings = [("database.replicas", copy.as_str()), ("database.replica_lag_max", "1m")];
        let app = TestApp::on(Engine::Postgres, &database, &settings).await;
        Some(Self { app, _clusters: [primary, standby] })
    }

    fn get(&self, path: &str) -> RequestBuilder {
        self.app.raw(Method::GET, path)
    }

    /// Whether a request reads the standby.
    async fn leaves(&self, request: RequestBuilder) -> bool {
        let groups = self.app.server.app().db.groups();
        groups.watch();
        answer(request).await;
        groups.take().iter().any(|group| group.kind == "replica")
    }

    /// Waits until a guest who asks for this reads the standby.
    async fn is_left_for(&self, path: &str) {
        until(path, async || self.leaves(self.get(path)).await).await;
    }
}

on_both_engines! {
    async fn without_replicas_no_commit_is_named_and_what_names_one_must_be_right(app: TestApp) {
        let ada = app.agent("ada").await;
        let renaming = ada.raw(&app, Method::PATCH, "/users/me").json(&json!({ "displayName": "Ada" }));
        assert_eq!(answer(renaming).await.header(COMMIT), None);
        let long = "1".repeat(5_000);
        for wrong in ["", "latest", "0/16B3748", "1-0/16B3748, 1-0/16B3748", &long] {
            let read = app.raw(Method::GET, "/users/ada").header(COMMIT, wrong);
            let refusal = answer(read).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some("X-Svc-Consistency")));
            assert!(refusal.error.contains("such as 1-0/16B3748"), "{}", refusal.error);
            for path in ["/users/ada", "/auth/challenge", "/health"] {
                let read = ada.raw(&app, Method::GET, path).header(COMMIT, wrong);
                assert_eq!(code_of(read).await, Code::ValidationFailed, "{path}: {wrong}");
            }
            let own = answer(ada.raw(&app, Method::GET, "/users/me").header(COMMIT, wrong)).await;
            assert_eq!(own.json()["user"]["displayName"], "Ada", "only what guests may read takes it");
        }
        let read = answer(app.raw(Method::GET, "/users/ada").header(COMMIT, "1-0/16B3748")).await;
        assert_eq!(read.json()["user"]["displayName"], "Ada");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_response_to_a_request_that_wrote_names_its_commit() {
    let Some(pair) = Pair::start("").await else { return };
    let registering = || {
        let request = pair.app.raw(Method::POST, "/auth/register");
        let request = request.header("idempotency-key", "key-1-0123456789abcdef");
        request.json(&json!({ "username": "ada", "isAgent": true }))
    };
    let registered = answer(registering()).await;
    let commit = registered.header(COMMIT).unwrap();
    assert!(commit.starts_with("1-0/") && commit.parse::<Position>().is_ok(), "{commit}");
    let key = registered.json()["apiKey"].as_str().unwrap().to_owned();
    let posting = pair.app.raw(Method::POST, "/posts").json(&json!({ "content": "hello" }));
    let posted = answer(posting.bearer_auth(&key)).await;
    assert!(posted.header(COMMIT).is_some_and(|later| later != commit), "{posted:?}");
    let again = answer(registering()).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert!(again.header(COMMIT).is_some(), "the account is behind it, too");
    for read in [pair.get("/users/ada"), pair.get("/users/me").bearer_auth(&key)] {
        assert_eq!(answer(read).await.header(COMMIT), None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_read_a_replica_and_accounts_the_primary() {
    let Some(pair) = Pair::start("").await else { return };
    let ada = pair.app.agent("ada").await;
    let post = ada.post("hello").await.id;
    pair.app.person("bob", PASSWORD).await;
    let cookie = pair.app.sign_in("bob", PASSWORD).await;
    let calls = [
        format!("/posts/{post}"),
        format!("/posts/{post}/thread"),
        format!("/embed/posts/{post}"),
        "/users/ada".to_owned(),
        "/feed/global".to_owned(),
        "/search?q=hello".to_owned(),
        "/leaderboard".to_owned(),
    ];
    let pages = [format!("/../post/{post}"), "/../@ada".to_owned(), "/../".to_owned()];
    for path in calls.iter().chain(&pages) {
        pair.is_left_for(path).await;
        assert!(!pair.leaves(pair.get(path).header("cookie", &cookie)).await, "{path}");
    }
    for path in
        calls.iter().map(String::as_str).chain(["/users/me", "/conversations", "/v1/credits"])
    {
        assert!(!pair.leaves(ada.raw(&pair.app, Method::GET, path)).await, "{path}");
        assert!(!pair.leaves(pair.get(path).bearer_auth("svc_ak_wrong")).await, "{path}");
    }
    for path in ["/health", "/users/me", "/../login", "/../join", "/../messages"] {
        assert!(!pair.leaves(pair.get(path)).await, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_thousand_reads_that_name_a_commit_none_is_stale() {
    let Some(pair) = Pair::start("-c recovery_min_apply_delay=2s").await else { return };
    let ada = pair.app.agent("ada").await;
    pair.is_left_for("/users/ada").await;
    let (mut stale, mut last) = (0, String::new());
    for round in 0..100 {
        let name = format!("Ada {round}.");
        let renaming = ada.raw(&pair.app, Method::PATCH, "/users/me");
        let renamed = answer(renaming.json(&json!({ "displayName": name }))).await;
        renamed.header(COMMIT).unwrap().clone_into(&mut last);
        for _ in 0..10 {
            let read = answer(pair.get("/users/ada").header(COMMIT, &last)).await;
            assert_eq!(read.json()["user"]["displayName"], name);
        }
        stale += usize::from(!answer(pair.get("/users/ada")).await.text.contains(&name));
    }
    assert_ne!(stale, 0, "without the name of a commit it may be old");
    let named = || pair.get("/users/ada").header(COMMIT, &last);
    until("the last commit is replayed", async || pair.leaves(named()).await).await;
    assert_eq!(answer(named()).await.json()["user"]["displayName"], "Ada 99.");
}
