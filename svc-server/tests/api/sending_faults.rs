//! Webhook calls under faults: misbehaving receivers, hostile DNS, crashing servers.

mod addresses;
mod claims;
mod slots;

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use svc_client::types::WebhookId;
use svc_client::types::api::webhooks::{
    DeliveryAttempt, DeliveryErrorClass as Class, DeliveryOutcome, DeliveryState,
};
use svc_server::outbound::resolve::{Found, Names};
use svc_server::testing::Engine;
use svc_store::{sql, values};

use crate::app::{self, Member, TestApp};
use crate::on_both_engines;
use crate::receiver::{Mode, Receiver};
use crate::sending::{Line, attempt, calls_end};

/// Names of a test, with addresses that change.
#[derive(Clone, Debug, Default)]
struct Told(Arc<Mutex<HashMap<String, Vec<IpAddr>>>>);

impl Told {
    /// Gives a name these addresses, with spaces between them.
    fn set(&self, name: &str, addresses: &str) {
        let addresses = addresses.split(' ').map(|address| address.parse().unwrap()).collect();
        self.0.lock().unwrap().insert(name.to_owned(), addresses);
    }
}

impl Names for Told {
    fn find(&self, name: &str) -> Found {
        let found = self.0.lock().unwrap().get(name).cloned();
        Box::pin(async move { found.ok_or_else(|| std::io::Error::other("no such name")) })
    }
}

/// What a receiver does, and what is expected of it: class, status, seconds until the next attempt.
type Expected = (String, Option<Class>, Option<u16>, Option<u64>);

/// A webhook for each of these addresses; the first attempt of one event at each.
async fn first_attempts(app: &TestApp, urls: &[String]) -> Vec<(WebhookId, DeliveryAttempt)> {
    let [ada, bob] = app.agents(["ada", "bob"]).await;
    app.set_tier("ada", "pro").await;
    let mut webhooks = Vec::new();
    for url in urls {
        webhooks.push(ada.client.webhooks().create(url.as_str()).await.unwrap().webhook.id);
    }
    bob.write(&ada, "psst").await;
    let mut attempts = Vec::new();
    for webhook in webhooks {
        let id = ada.deliveries(&webhook).await.pop().unwrap().id;
        let (_, first) = attempt(&ada, &webhook, &id, 1).await;
        attempts.push((webhook, first));
    }
    attempts
}

fn compare(app: &TestApp, expected: &[Expected], attempts: &[(WebhookId, DeliveryAttempt)]) {
    let now = app.server.clock().now();
    for ((what, class, status, pause), (_, attempt)) in expected.iter().zip(attempts) {
        assert_eq!(attempt.error_class, *class, "{what}");
        assert_eq!(attempt.http_status, *status, "{what}");
        let outcome =
            if class.is_none() { DeliveryOutcome::Delivered } else { DeliveryOutcome::Failed };
        assert_eq!(attempt.outcome, outcome, "{what}");
        let waits = attempt.next_attempt_at.map(|next| next.since(now).as_secs());
        let planned = pause.map(|pause| pause..=pause * 6 / 5);
        assert_eq!(waits.is_some(), planned.is_some(), "{what}: {waits:?}");
        if let (Some(waits), Some(planned)) = (waits, planned) {
            assert!(planned.contains(&waits), "{what}: {waits}");
        }
    }
}

on_both_engines! {
    async fn each_fault_has_its_class_and_delay(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "1s",
        "webhooks.connect_timeout" = "1s"
    ) {
        let inside = Receiver::start(Mode::ok()).await;
        let redirect = format!("location: {}\r\n", inside.url());
        let long = format!("x-first: 1\r\nx-long: {}\r\n", "x".repeat(4096));
        let ok = || (None, Some(200), None);
        let status = |status, pause| (Some(Class::HttpStatus), Some(status), Some(pause));
        let fault = |class, pause| (Some(class), None, Some(pause));
        let table = [
            (Mode::ok(), ok()),
            (Mode::status(204, ""), (None, Some(204), None)),
            (Mode::DripsBody, ok()),
            (Mode::Endless, ok()),
            (Mode::Truncates, ok()),
            (Mode::Hangs, fault(Class::Timeout, 60)),
            (Mode::DripsHead, fault(Class::Timeout, 60)),
            (Mode::Resets, fault(Class::Reset, 5)),
            (Mode::ClosesEarly, fault(Class::Reset, 5)),
            (Mode::Garbage, fault(Class::Protocol, 5)),
            (Mode::status(302, &redirect), status(302, 5)),
            (Mode::status(404, &long), status(404, 5)),
            (Mode::status(429, "retry-after: 300\r\n"), status(429, 300)),
            (Mode::status(429, ""), status(429, 60)),
            (Mode::status(503, "retry-after: Sat, 31 Jan 2026 09:40:00 GMT\r\n"), status(503, 600)),
            (Mode::status(504, ""), status(504, 60)),
        ];
        let (mut receivers, mut expected): (Vec<Receiver>, Vec<Expected>) = Default::default();
        for (mode, (class, status, pause)) in table {
            expected.push((format!("{mode:?}"), class, status, pause));
            receivers.push(Receiver::start(mode).await);
        }
        let mut urls: Vec<String> = receivers.iter().map(Receiver::url).collect();
        let plain = receivers[0].address;
        let unknown = Receiver::start(Mode::UnknownCertificate).await;
        for (url, class) in [
            (format!("https://{plain}/"), Class::Tls),
            (format!("https://{}/", unknown.address), Class::Tls),
            ("http://127.0.0.1:2/".to_owned(), Class::ConnectRefused),
            ("https://nobody.example.org/".to_owned(), Class::Dns),
        ] {
            expected.push((url.clone(), Some(class), None, Some(5)));
            urls.push(url);
        }
        app.server.app().outbound.find_names_in(Arc::new(Told::default()));
        let attempts = first_attempts(&app, &urls).await;
        compare(&app, &expected, &attempts);
        assert_eq!((inside.hits().len(), unknown.hits().len()), (0, 0), "the request is not redirected there");
        let body_of = |index: usize| attempts[index].1.response_body.clone().unwrap_or_default();
        assert_eq!(body_of(4), "ten bytes.");
        assert_eq!(body_of(3).len(), 4096);
        let headers = attempts[11].1.response_headers.clone().unwrap();
        assert_eq!(headers.get("x-first").map(String::as_str), Some("1"));
        assert!(!headers.contains_key("x-long"), "what is kept of a call is bounded");
        for (receiver, (what, ..)) in receivers.iter().zip(&expected).skip(1) {
            assert_eq!(receiver.connections(), 1, "{what}: nothing is sent twice in silence");
        }
        calls_end(&app).await;
    }

    async fn a_test_of_a_receiver_that_hangs_is_answered(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "1s",
        "webhooks.connect_timeout" = "1s", "limits.request_timeout" = "1s"
    ) {
        let line = Line::new(app, Mode::Hangs).await;
        let tested = line.ada.client.webhooks().test(&line.webhook).await.unwrap().delivery;
        assert_eq!(tested.state, DeliveryState::Failed);
    }

    async fn secrets_that_cannot_be_decrypted_delay_only_their_own_webhook(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::ok()).await;
        let sql = sql!("select sealed from webhook_secret");
        let sealed = line.app.server.app().read(move |ctx| ctx.tx.one::<Vec<u8>>(sql, &[]));
        let sealed = sealed.await.unwrap();
        let keep = async |sealed: Vec<u8>| {
            let webhook = line.webhook.clone();
            let sql = sql!("update webhook_secret set sealed = $1 where webhook = $2");
            line.app.execute(move |ctx| ctx.tx.execute(sql, values![sealed, webhook])).await;
        };
        keep(vec![0; 64]).await;
        line.event().await;
        let healthy = Receiver::start(Mode::ok()).await;
        line.bob.client.webhooks().create(healthy.url()).await.unwrap();
        line.ada.write(&line.bob, "psst").await;
        healthy.reaches(1).await;
        line.all_are(DeliveryState::Pending).await;
        keep(sealed).await;
        line.app.advance(60);
        line.all_are(DeliveryState::Delivered).await;
    }
}

/// Two servers on one PostgreSQL.
async fn two() -> Option<(TestApp, TestApp)> {
    let database = app::database(Engine::Postgres).await?;
    let settings = [("webhooks.allow_loopback", "true")];
    let one = TestApp::on(Engine::Postgres, &database, &settings).await;
    let two = TestApp::on(Engine::Postgres, &database, &settings).await;
    Some((one, two))
}

#[tokio::test]
async fn two_servers_send_everything_once_and_share_the_limit() {
    let Some((one, two)) = two().await else { return };
    let bob = one.agent("bob").await;
    let (mut receivers, mut listeners): (Vec<Receiver>, Vec<Member>) = Default::default();
    for name in ["ada", "carol"] {
        let receiver = Receiver::start(Mode::ok()).await;
        let listener = one.agent(name).await;
        listener.client.webhooks().create(receiver.url()).await.unwrap();
        receivers.push(receiver);
        listeners.push(listener);
    }
    let by_two = two.client(bob.key.clone());
    for number in 0..60 {
        let content = format!("psst {number}");
        for listener in &listeners {
            let name = &*listener.user.username;
            if number % 2 == 0 {
                bob.client.messages().send(name, content.as_str()).await.unwrap();
            } else {
                by_two.messages().send(name, content.as_str()).await.unwrap();
            }
        }
    }
    for receiver in &receivers {
        let hits = receiver.reaches(60).await;
        let ids: BTreeSet<&str> = hits.iter().map(|hit| hit.header("X-Webhook-Id")).collect();
        assert_eq!((hits.len(), ids.len()), (60, 60));
        assert!(receiver.most_at_once() <= 4, "{}", receiver.most_at_once());
    }
    let sql = sql!("select count(*) from webhook_attempt where outcome <> 'delivered' or n > 1");
    assert_eq!(one.count(sql).await, 0);
}
