//! Services found by their meaning, with an embedder beside the server.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::routing::post;
use http::StatusCode;
use serde_json::{Value, json};
use svc_core::tasks::embed;
use svc_server::testing::{Engine, until};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::app::{TestApp, all_items};
use crate::market::offer;

const ENGINES: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

const NOTHING: [&str; 0] = [];

/// Words that mean much the same, each row a direction.
const TOPICS: [&[&str]; 3] =
    [&["notary", "contract", "legal"], &["picture", "drawing"], &["weather", "rain"]];

/// What an embedder does.
#[derive(Default)]
struct Behaviour {
    calls: AtomicUsize,
    /// Calls from now on that fail.
    failures: AtomicUsize,
    /// Vectors that it leaves out of an answer.
    missing: AtomicUsize,
    /// What it says in place of an answer.
    says: Mutex<Option<&'static str>>,
    /// Whether it never answers.
    hangs: AtomicBool,
    /// A word that no text may have.
    refuses: Mutex<Option<&'static str>>,
}

/// An embedder that knows three topics.
struct Stub {
    url: String,
    behaviour: Arc<Behaviour>,
    task: JoinHandle<()>,
}

impl Drop for Stub {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Stub {
    async fn start() -> Self {
        let behaviour = Arc::new(Behaviour::default());
        let router =
            axum::Router::new().route("/embed", post(answer)).with_state(Arc::clone(&behaviour));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/embed", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, behaviour, task }
    }

    fn calls(&self) -> usize {
        self.behaviour.calls.load(Ordering::Relaxed)
    }
}

async fn answer(State(behaviour): State<Arc<Behaviour>>, body: String) -> (StatusCode, String) {
    behaviour.calls.fetch_add(1, Ordering::Relaxed);
    if behaviour.hangs.load(Ordering::Relaxed) {
        return std::future::pending().await;
    }
    let fails = |left: usize| left.checked_sub(1);
    if behaviour.failures.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fails).is_ok() {
        return (StatusCode::INTERNAL_SERVER_ERROR, String::new());
    }
    let refused = *behaviour.refuses.lock().unwrap();
    if refused.is_some_and(|word| body.contains(word)) {
        return (StatusCode::PAYLOAD_TOO_LARGE, String::new());
    }
    if let Some(text) = *behaviour.says.lock().unwrap() {
        return (StatusCode::OK, text.to_owned());
    }
    let request: Value = serde_json::from_str(&body).unwrap();
    let texts = request["texts"].as_array().unwrap();
    let missing = behaviour.missing.load(Ordering::Relaxed);
    let known = texts.iter().skip(missing);
    let vectors: Vec<[f32; 8]> = known.map(|text| vector(text.as_str().unwrap())).collect();
    (StatusCode::OK, json!({ "vectors": vectors }).to_string())
}

/// A direction by topic, apart from a little that all texts share.
fn vector(text: &str) -> [f32; 8] {
    let text = text.to_lowercase();
    let mut vector = [0.0; 8];
    vector[7] = 0.1;
    for (topic, words) in TOPICS.iter().enumerate() {
        let hits = words.iter().filter(|word| text.contains(**word)).count();
        vector[topic] += f32::from(u8::try_from(hits).unwrap());
    }
    vector
}

/// A server whose embedder knows the services `contract` of one, `drawing` of two, `rain` of three.
async fn market(engine: Engine, embedder: &Stub) -> Option<TestApp> {
    market_with(engine, embedder, "10s").await
}

/// The same, where the embedder has so much time to answer.
async fn market_with(engine: Engine, embedder: &Stub, timeout: &str) -> Option<TestApp> {
    let settings = [("search.embedder", &*embedder.url), ("search.embedder_timeout", timeout)];
    let app = TestApp::start_with(engine, &settings).await?;
    let bots = app.agents(["one", "two", "three"]).await;
    for (bot, (name, price)) in bots.iter().zip([("contract", 9), ("drawing", 4), ("rain", 1)]) {
        offer(bot, name, price).await;
    }
    app.server.index().await;
    app.server.embed().await;
    Some(app)
}

/// What a term finds: `one/contract meaning contract`, each.
async fn found(app: &TestApp, term: &str) -> Vec<String> {
    let bots = all_items(app.anonymous.bots().discover(term).limit(1)).await;
    let line = |bot: &str, service: svc_client::types::api::bots::BotService| {
        let why = service.matched.expect("a term has a match");
        format!("{bot}/{} {} {}", service.name, why.kind, why.term)
    };
    let lines = bots
        .into_iter()
        .flat_map(|bot| bot.services.into_iter().map(move |service| line(&bot.username, service)));
    lines.collect()
}

#[tokio::test]
async fn what_no_word_finds_is_found_by_meaning() {
    let embedder = Stub::start().await;
    for engine in ENGINES {
        let Some(app) = market(engine, &embedder).await else { continue };
        assert_eq!(found(&app, "notary").await, ["one/contract meaning contract"]);
        assert_eq!(found(&app, "picture").await, ["two/drawing meaning drawing"]);
        assert_eq!(found(&app, "cooking").await, Vec::<String>::new(), "nothing is close enough");
        let both = ["one/contract meaning contract", "three/rain meaning rain"];
        assert_eq!(found(&app, "legal notary, weather").await, both, "the closest first");
    }
}

#[tokio::test]
async fn words_and_filters_come_before_meaning() {
    let embedder = Stub::start().await;
    for engine in ENGINES {
        let Some(app) = market(engine, &embedder).await else { continue };
        let four = app.agent("four").await;
        offer(&four, "notary directory", 1).await;
        app.server.index().await;
        app.server.embed().await;
        assert_eq!(found(&app, "notary").await, ["four/notary directory exact notary"]);
        let cheap = app.anonymous.bots().discover("legal").max_price(2);
        let names: Vec<String> =
            all_items(cheap).await.into_iter().map(|bot| bot.username).collect();
        assert_eq!(names, ["four"]);
    }
}

#[tokio::test]
async fn one_agent_with_many_services_leaves_room_for_others() {
    let embedder = Stub::start().await;
    for engine in ENGINES {
        let Some(app) = market(engine, &embedder).await else { continue };
        let four = app.agent("four").await;
        for number in 0..100 {
            offer(&four, &format!("xlegalxnotaryx{number}"), 1).await;
        }
        app.server.index().await;
        app.server.embed().await;
        let sellers = async || {
            let bots = all_items(app.anonymous.bots().discover("legal notary")).await;
            bots.into_iter().map(|bot| bot.username).collect::<Vec<_>>()
        };
        assert_eq!(sellers().await, ["four", "one"], "the closest first");
        four.client.users().update_me().allow_service_requests(false).await.unwrap();
        assert_eq!(sellers().await, ["one"], "what can't be ordered takes no place");
    }
}

#[tokio::test]
async fn texts_that_change_get_a_new_vector() {
    let embedder = Stub::start().await;
    for engine in ENGINES {
        let Some(app) = market(engine, &embedder).await else { continue };
        let calls = embedder.calls();
        app.server.embed().await;
        assert_eq!(embedder.calls(), calls, "nothing has changed");
        let four = app.agent("four").await;
        let service = offer(&four, "sketches", 1).await;
        let before = "two/drawing meaning drawing";
        assert_eq!(found(&app, "picture").await, [before]);
        four.client.services().update(&service).name("sketch (drawing)").await.unwrap();
        app.server.index().await;
        assert_eq!(found(&app, "picture").await, [before], "it waits for its vector");
        let both = [before, "four/sketch (drawing) meaning sketch (drawing)"];
        let is_found = async || {
            app.advance(5);
            found(&app, "picture").await == both
        };
        until("the server asks for it by itself", is_found).await;
        four.client.services().delete(&service).await.unwrap();
        app.server.index().await;
        assert_eq!(found(&app, "picture").await, [before]);
    }
}

#[tokio::test]
async fn a_failing_embedder_finds_nothing_and_is_asked_again() {
    let embedder = Stub::start().await;
    for engine in ENGINES {
        let Some(app) = market(engine, &embedder).await else { continue };
        embedder.behaviour.failures.store(1, Ordering::Relaxed);
        assert_eq!(found(&app, "notary").await, Vec::<String>::new());
        let calls = embedder.calls();
        assert_eq!(found(&app, "notary").await, Vec::<String>::new());
        assert_eq!(embedder.calls(), calls, "not before ten seconds are over");
        app.advance(11);
        assert_eq!(found(&app, "notary").await, ["one/contract meaning contract"]);
    }
}

#[tokio::test]
async fn an_embedder_that_does_not_answer_is_left_in_time_and_asked_again() {
    let embedder = Stub::start().await;
    for engine in ENGINES {
        let Some(app) = market_with(engine, &embedder, "1s").await else { continue };
        embedder.behaviour.hangs.store(true, Ordering::Relaxed);
        assert_eq!(found(&app, "notary").await, NOTHING);
        let calls = embedder.calls();
        assert_eq!(found(&app, "notary").await, NOTHING);
        assert_eq!(embedder.calls(), calls, "not before ten seconds are over");
        assert_eq!(found(&app, "rain").await, ["three/rain exact rain"], "words need no embedder");
        embedder.behaviour.hangs.store(false, Ordering::Relaxed);
        app.advance(11);
        assert_eq!(found(&app, "notary").await, ["one/contract meaning contract"]);
    }
}

#[tokio::test]
async fn services_that_an_embedder_did_not_take_are_found_after_the_next_round() {
    let embedder = Stub::start().await;
    let behaviour = &embedder.behaviour;
    for engine in ENGINES {
        let Some(app) = market_with(engine, &embedder, "1s").await else { continue };
        let four = app.agent("four").await;
        offer(&four, "sketch (drawing)", 1).await;
        app.server.index().await;
        behaviour.failures.store(usize::MAX, Ordering::Relaxed);
        embed::once(app.server.app()).await.unwrap_err();
        behaviour.failures.store(0, Ordering::Relaxed);
        behaviour.hangs.store(true, Ordering::Relaxed);
        embed::once(app.server.app()).await.unwrap_err();
        behaviour.hangs.store(false, Ordering::Relaxed);
        let known = "two/drawing meaning drawing";
        assert_eq!(found(&app, "picture").await, [known], "the other waits for its vector");
        app.advance(5);
        let both = [known, "four/sketch (drawing) meaning sketch (drawing)"];
        until("a round embeds the service", async || found(&app, "picture").await == both).await;
    }
}

#[tokio::test]
async fn a_text_that_an_embedder_does_not_accept_keeps_no_other_from_its_vector() {
    let embedder = Stub::start().await;
    for engine in ENGINES {
        let Some(app) = market(engine, &embedder).await else { continue };
        *embedder.behaviour.refuses.lock().unwrap() = Some("endless");
        let four = app.agent("four").await;
        let endless = offer(&four, "endless drawing", 1).await;
        app.server.index().await;
        app.server.embed().await;
        offer(&four, "sketch (drawing)", 1).await;
        app.server.index().await;
        app.server.embed().await;
        let both =
            ["two/drawing meaning drawing", "four/sketch (drawing) meaning sketch (drawing)"];
        assert_eq!(found(&app, "picture").await, both);
        let calls = embedder.calls();
        app.server.embed().await;
        assert_eq!(embedder.calls(), calls, "it is not asked for the same text again");
        four.client.services().update(&endless).name("short drawing").await.unwrap();
        app.server.index().await;
        app.server.embed().await;
        assert_eq!(found(&app, "picture").await.len(), 3);
        *embedder.behaviour.refuses.lock().unwrap() = None;
    }
}

#[tokio::test]
async fn an_embedder_that_fails_for_a_moment_leaves_no_service_out() {
    let embedder = Stub::start().await;
    for engine in ENGINES {
        let Some(app) = market(engine, &embedder).await else { continue };
        let four = app.agent("four").await;
        offer(&four, "sketch (drawing)", 1).await;
        app.server.index().await;
        // Of all texts at once, and of the first one.
        embedder.behaviour.failures.store(2, Ordering::Relaxed);
        app.server.embed().await;
        assert_eq!(found(&app, "picture").await.len(), 2);
    }
}

#[tokio::test]
async fn an_answer_without_all_vectors_or_of_another_form_is_refused() {
    let embedder = Stub::start().await;
    for engine in ENGINES {
        let Some(app) = market(engine, &embedder).await else { continue };
        embedder.behaviour.missing.store(1, Ordering::Relaxed);
        assert_eq!(found(&app, "notary").await, Vec::<String>::new());
        embedder.behaviour.missing.store(0, Ordering::Relaxed);
        for nonsense in ["", "<html>", r#"{"vectors":[["north"]]}"#, r#"{"vectors":[[0,0]]}"#] {
            *embedder.behaviour.says.lock().unwrap() = Some(nonsense);
            app.advance(11);
            assert_eq!(found(&app, "notary").await, Vec::<String>::new(), "{nonsense}");
        }
        *embedder.behaviour.says.lock().unwrap() = None;
        app.advance(11);
        assert_eq!(found(&app, "notary").await, ["one/contract meaning contract"]);
    }
}
