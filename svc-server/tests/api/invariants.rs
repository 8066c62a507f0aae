//! Invariants that no type checks.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex};

use http::Method;
use serde_json::json;
use svc_client::Client;
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Endpoint, Visitor};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::app::{Member, Names, cookie};
use crate::market::{object, offer, order, response, work};
use crate::on_both_engines;
use crate::raw::{answer, code_of};

#[test]
fn every_endpoint_is_served_and_nothing_else() {
    let mut declared = Names(Vec::new());
    svc_client::types::api::visit(&mut declared);
    let served = svc_server::features::routes().names();
    let unique: BTreeSet<_> = served.iter().copied().collect();
    assert_eq!(unique.len(), served.len(), "an endpoint is served twice");
    assert_eq!(unique, declared.0.into_iter().collect());
}

#[test]
fn names_of_endpoints_and_their_places_are_unique() {
    #[derive(Default)]
    struct Places(BTreeSet<&'static str>, BTreeSet<(String, &'static str)>, usize);
    impl Visitor for Places {
        fn visit<E: Endpoint>(&mut self) {
            self.0.insert(E::NAME);
            self.1.insert((E::METHOD.to_string(), E::PATH));
            self.2 += 1;
        }
    }
    let mut places = Places::default();
    svc_client::types::api::visit(&mut places);
    assert_eq!((places.0.len(), places.1.len()), (places.2, places.2));
}

/// A log in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Log {
    /// The log of this process, with everything the server writes.
    fn of_everything() -> &'static Self {
        static LOG: std::sync::OnceLock<Log> = std::sync::OnceLock::new();
        LOG.get_or_init(|| {
            let log = Self::default();
            let own = ["svc_server", "svc_core", "svc_store", "svc_mqtt", "svc_mcp"];
            let own = own.map(|part| format!("{part}=trace")).join(",");
            let filter = EnvFilter::new(format!("{own},hyper=debug,axum=trace,tower_http=trace"));
            let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false);
            subscriber.with_writer(log.clone()).init();
            log
        })
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

/// An order and an escrow from start to end; returns the log.
async fn deal(buyer: &Client, bot: &Member, engine: &str) -> Vec<String> {
    let secret = |of: &str| format!("the {of} of {engine}");
    let service = offer(bot, "work", 5).await;
    let mut order = order(&service, 5);
    order.input.insert("text".to_owned(), secret("input").into());
    let name = bot.user.username.as_str();
    let sent = buyer.messages().request_service(name, order).await.unwrap().message;
    let mut answer = response(&sent.message_id, ResponseStatus::Completed);
    answer.output = Some(object(json!({ "text": secret("output") })));
    bot.client.messages().respond_to(sent.sender.username, answer).await.unwrap();
    let opening = buyer.escrow().create(name, &service, 5, secret("task"));
    let id = opening.await.unwrap().escrow.id;
    let mut work = work();
    work.access_token = Some(secret("token").into());
    work.rest.insert("more".to_owned(), secret("work").into());
    bot.client.escrow().deliver(&id, work).notes(secret("notes")).await.unwrap();
    let dispute = buyer.escrow().dispute(&id, secret("reason"));
    dispute.evidence(json!(secret("evidence"))).await.unwrap();
    bot.client.escrow().respond(&id, secret("response")).await.unwrap();
    buyer.escrow().release(&id).feedback(secret("feedback")).await.unwrap();
    let said =
        ["input", "output", "task", "token", "work", "notes", "reason", "evidence", "response"];
    said.iter().chain(&["feedback"]).map(|of| secret(of)).collect()
}

on_both_engines! {
    async fn no_secret_ever_reaches_the_log(app: TestApp) {
        let log = Log::of_everything();
        let engine = format!("{:?}", app.engine).to_lowercase();
        let (name, email) = (format!("ada_{engine}"), format!("ada_{engine}@secret.example"));
        let password = format!("the horse of {engine}");
        let registering = app.anonymous.auth().register_person(name.as_str(), email.as_str(), password.as_str());
        let registered = registering.raw().await.unwrap();
        let mut secrets = vec![email, password.clone(), cookie(&registered.headers)];
        secrets.push(registered.value.api_key.expose().to_owned());
        let ada = app.client(registered.value.api_key);
        let session = app.sign_in(&name, &password).await;
        let browser = app.browser(&session);
        secrets.push(session);
        let guess = format!("the cow of {engine}");
        app.anonymous.auth().login(name.as_str(), guess.as_str()).await.unwrap_err();
        let new_password = format!("the mule of {engine}");
        browser.auth().change_password(password.as_str(), new_password.as_str()).await.unwrap();
        secrets.extend([guess, new_password]);

        let bob = app.agent(&format!("bob_{engine}")).await;
        let token = bob.client.agents().create_identity_token().await.unwrap().token;
        let gate = app.developer(&format!("Gate {engine}")).await;
        gate.client.agents().verify_identity(token.expose()).await.unwrap();
        let rotated = gate.client.developers().rotate_key().await.unwrap().developer_api_key;
        secrets.extend([bob.key.expose(), token.expose(), gate.key.expose(), rotated.expose()].map(str::to_owned));

        let made = bob.client.webhooks().create("https://hooks.example.org/svc").await.unwrap();
        let rotated = bob.client.webhooks().rotate_secret(&made.webhook.id).await.unwrap();
        secrets.extend([made.secret.expose(), rotated.secret.expose()].map(str::to_owned));

        let content = format!("psst, between us on {engine}");
        let sent = ada.messages().send(bob.user.username.as_str(), content.as_str()).await.unwrap();
        bob.client.messages().get(&sent.message.message_id).await.unwrap();
        bob.client.conversations().read(&sent.message.conversation_id, &sent.message.message_id).await.unwrap();
        let post = format!("for everybody on {engine}");
        ada.posts().create(post.as_str()).await.unwrap();
        let key = format!("one-{engine}-key");
        let keyed = || ada.messages().send(bob.user.username.as_str(), "again").idempotency_key(key.as_str());
        keyed().await.unwrap();
        keyed().await.unwrap();
        secrets.extend([content, post, key]);

        secrets.extend(deal(&ada, &bob, &engine).await);

        let broken = format!("{{\"content\":\"a broken body of {engine}");
        let request = app.raw(Method::POST, "/posts").bearer_auth(bob.key.expose());
        let request = request.header("content-type", "application/json").body(broken);
        assert_eq!(code_of(request).await, Code::InvalidJson);
        let query = format!("/users?q=a-query-of-{engine}");
        assert_eq!(answer(app.raw(Method::GET, &query)).await.status, 200);
        let leak = json!({ "bio": format!("my key: {}", bob.key.expose()) });
        let request = app.raw(Method::PATCH, "/users/me").bearer_auth(bob.key.expose());
        assert_eq!(code_of(request.json(&leak)).await, Code::CredentialInContent);
        let new = bob.client.auth().regenerate_api_key().await.unwrap().api_key;
        secrets.push(new.expose().to_owned());
        secrets.extend([format!("a broken body of {engine}"), format!("a-query-of-{engine}")]);
        app.client(new).users().delete_me(bob.user.username.as_str()).await.unwrap();

        let text = log.text();
        assert!(text.contains("/v1/agents/verify-identity"), "the log holds the requests");
        for secret in secrets {
            assert!(!text.contains(&secret), "the log holds {secret}");
        }
    }
}
