//! Webhook calls under faults: misbehaving receivers, hostile DNS, crashing servers.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_client::types::api::webhooks::{
    CreateWebhook, DeliveryAttempt, DeliveryErrorClass as Class, DeliveryOutcome, DeliveryState,
    Webhook,
};
use svc_client::types::{Code, WebhookId};
use svc_server::admin::Command;
use svc_server::outbound::resolve::{Found, Names};
use svc_server::testing::Engine;
use svc_store::{sql, values};

use crate::app::{self, Member, TestApp, code};
use crate::on_both_engines;
use crate::receiver::{Mode, Receiver};
use crate::sending::{Line, attempt, until};

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
        until(async || {
            let sql = sql!("select cast(coalesce(sum(in_flight), 0) as bigint) from webhook");
            (app.count(sql).await == 0).then_some(())
        }).await;
    }

    async fn a_test_of_a_receiver_that_hangs_is_answered(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "1s",
        "webhooks.connect_timeout" = "1s", "limits.request_timeout" = "1s"
    ) {
        let line = Line::new(app, Mode::Hangs).await;
        let tested = line.ada.client.webhooks().test(&line.webhook).await.unwrap().delivery;
        assert_eq!(tested.state, DeliveryState::Failed);
    }

    async fn dns_rebinding_is_blocked(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "1s",
        "webhooks.connect_timeout" = "1s"
    ) {
        let names = Told::default();
        app.server.app().outbound.find_names_in(Arc::new(names.clone()));
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let receiver = Receiver::start(Mode::UnknownCertificate).await;
        let url = format!("https://hook.example.org:{}/", receiver.address.port());
        let class = async |address: &str| {
            names.set("hook.example.org", address);
            let webhook = ada.client.webhooks().create(url.as_str()).await.unwrap().webhook.id;
            bob.write(&ada, "psst").await;
            let id = ada.deliveries(&webhook).await.pop().unwrap().id;
            attempt(&ada, &webhook, &id, 1).await.1.error_class.unwrap()
        };
        assert_eq!(class("127.0.0.1").await, Class::Tls, "the name leads to the receiver");
        for inside in ["10.0.0.1", "169.254.169.254", "::ffff:10.0.0.1", "fd00::1"] {
            assert_eq!(class(inside).await, Class::BlockedAddress, "{inside}");
        }
    }

    async fn of_the_addresses_of_a_name_only_permitted_ones_are_called(
        app: TestApp, "webhooks.allow_networks" = "127.0.0.2/32"
    ) {
        let names = Told::default();
        app.server.app().outbound.find_names_in(Arc::new(names.clone()));
        let inside = Receiver::start(Mode::ok()).await;
        // At the second address, which is permitted, nobody listens.
        names.set("hook.example.org", "127.0.0.1 127.0.0.2");
        let url = format!("https://hook.example.org:{}/", inside.address.port());
        let attempts = first_attempts(&app, &[url]).await;
        assert_eq!(attempts[0].1.error_class, Some(Class::ConnectRefused));
        assert_eq!(inside.connections(), 0);
    }

    async fn internal_addresses_are_never_called(app: TestApp) {
        let names = Told::default();
        app.server.app().outbound.find_names_in(Arc::new(names.clone()));
        let inside = Receiver::start(Mode::ok()).await;
        let port = inside.address.port();
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for host in [
            "127.0.0.1", "2130706433", "0x7f.1", "127.1", "0177.0.0.1", "127.0.0.1.", "localhost",
            "localhost.", "[::1]", "[::]", "0.0.0.0", "[::ffff:127.0.0.1]", "[::127.0.0.1]",
            "10.0.0.1", "[fd00::1]", "169.254.169.254", "①②⑦.0.0.1",
        ] {
            let refused = ada.client.webhooks().create(format!("https://{host}:{port}/")).await;
            assert_eq!(code::<CreateWebhook>(refused), Code::WebhookUrlRefused, "{host}");
        }
        let url = format!("http://127.0.0.1:{port}/");
        let refused = ada.client.webhooks().create(url).await.unwrap_err();
        assert!(refused.hint().unwrap().contains("--allow-loopback-webhooks"), "{refused}");

        // What a row says is judged again with each call, and so is every address of a name.
        names.set("hook.example.org", "127.0.0.1");
        let by_name = format!("https://hook.example.org:{port}/");
        let by_name = ada.client.webhooks().create(by_name).await.unwrap().webhook.id;
        let by_row = ada.client.webhooks().create("https://8.8.8.8/").await.unwrap().webhook.id;
        let (id, url) = (by_row.clone(), inside.url());
        let sql = sql!("update webhook set url = $1 where id = $2");
        app.execute(move |ctx| ctx.tx.execute(sql, values![url, id])).await;
        bob.write(&ada, "psst").await;
        for webhook in [by_name, by_row] {
            let id = ada.deliveries(&webhook).await.pop().unwrap().id;
            let (_, first) = attempt(&ada, &webhook, &id, 1).await;
            assert_eq!(first.error_class, Some(Class::BlockedAddress));
        }
        assert_eq!(inside.connections(), 0);
    }

    async fn a_hanging_receiver_delays_no_other(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "10m"
    ) {
        let line = Line::new(app, Mode::Hangs).await;
        line.event().await;
        line.receiver.reaches(1).await;
        let webhook = line.webhook.clone();
        line.app.execute(move |ctx| {
            let now = ctx.now();
            let sql = sql!(
                "insert into webhook_delivery (id, webhook, event, kind, seq, replay_no,
                    trigger_kind, state, next_attempt_at, created_at)
                 with recursive n (i) as (
                    select 1 union all select i + 1 from n where i < 5000)
                 select 'dlv_' || cast(10000 + n.i as text), d.webhook, d.event, d.kind, d.seq, n.i,
                    'manual', 'pending', d.created_at - 1000, d.created_at
                 from webhook_delivery d cross join n where d.webhook = $1"
            );
            ctx.tx.execute(sql, values![webhook])?;
            ctx.effects.deliveries = true;
            ctx.tx.execute(sql!("update webhook set due_at = $1 where id = $2"), values![now, webhook])
        }).await;
        line.receiver.reaches(4).await;
        let healthy = Receiver::start(Mode::ok()).await;
        let mut others = Vec::new();
        for name in ["carol", "dave", "erin"] {
            let other = line.app.agent(name).await;
            other.client.webhooks().create(healthy.url()).await.unwrap();
            others.push(other);
        }
        for _ in 0..20 {
            for other in &others {
                line.bob.write(other, "psst").await;
            }
        }
        healthy.reaches(60).await;
        assert_eq!(line.receiver.hits().len(), 4, "it has its four slots, and no more");
        assert_eq!(healthy.hits().len(), 60);
        assert_eq!(line.now().await.pending_count, 5001);
        line.receiver.set(Mode::ok());
    }

    async fn a_slow_receiver_with_a_backlog_leaves_the_next_free_slot_to_others(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "10m",
        "webhooks.sends" = "4"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.events(6).await;
        line.receiver.reaches(4).await;
        let healthy = Receiver::start(Mode::ok()).await;
        let carol = line.app.agent("carol").await;
        carol.client.webhooks().create(healthy.url()).await.unwrap();
        line.bob.write(&carol, "psst").await;
        assert_eq!(line.receiver.hits().len(), 4, "every slot is taken");
        // What waits for the slow one has been due longer.
        line.receiver.answer(1);
        healthy.reaches(1).await;
        line.receiver.answer(5);
        line.all_are(DeliveryState::Delivered).await;
    }

    async fn an_expired_claim_is_lost_and_claimed_again(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.event().await;
        line.receiver.reaches(1).await;
        // As if its server had stopped to answer: three times the longest call.
        line.app.advance(60);
        let hits = line.receiver.reaches(2).await;
        assert_eq!(hits[0].header("X-Webhook-Id"), hits[1].header("X-Webhook-Id"));
        assert_eq!([hits[0].header("X-Webhook-Attempt"), hits[1].header("X-Webhook-Attempt")], ["1", "2"]);
        let (_, lost) = line.attempt(1).await;
        assert_eq!((lost.outcome, lost.error_class), (DeliveryOutcome::Lost, Some(Class::Lost)));
        line.receiver.answer(2);
        let delivered = line.all_are(DeliveryState::Delivered).await;
        let (_, second) = line.attempt(2).await;
        assert_eq!(second.outcome, DeliveryOutcome::Delivered);
        assert_eq!(delivered[0].attempts_count, 2);
        let (_, lost) = line.attempt(1).await;
        assert_eq!(lost.outcome, DeliveryOutcome::Lost, "the late answer changes nothing");
        until(async || {
            let sql = sql!("select cast(coalesce(sum(in_flight), 0) as bigint) from webhook");
            (line.app.count(sql).await == 0).then_some(())
        }).await;
    }

    async fn claims_that_expire_together_are_each_lost_and_claimed_again(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.events(2).await;
        line.receiver.reaches(2).await;
        line.app.advance(60);
        line.receiver.reaches(4).await;
        line.receiver.answer(4);
        for delivery in line.all_are(DeliveryState::Delivered).await {
            let (delivery, lost) = attempt(&line.ada, &line.webhook, &delivery.id, 1).await;
            assert_eq!((lost.outcome, delivery.attempts_count), (DeliveryOutcome::Lost, 2));
        }
    }

    async fn a_test_whose_call_is_lost_is_not_sent_again(
        app: TestApp, "webhooks.allow_loopback" = "true", "database.connections" = "4"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        let test = async {
            line.ada.client.webhooks().test(&line.webhook).await.unwrap().delivery
        };
        let losing = async {
            line.receiver.reaches(1).await;
            line.app.advance(60);
            let ended = async || {
                let test = line.deliveries().await.remove(0);
                (test.state != DeliveryState::Sending).then_some(test)
            };
            let lost = until(ended).await;
            line.receiver.answer(2);
            lost
        };
        let (answered, lost) = tokio::join!(test, losing);
        assert_eq!((answered.state, lost.state), (DeliveryState::Failed, DeliveryState::Failed));
        assert_eq!(line.receiver.hits().len(), 1);
    }

    async fn a_call_for_an_account_that_is_erased_meanwhile_holds_up_no_other(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.sends" = "1"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        let carol = line.app.agent("carol").await;
        let other = Receiver::start(Mode::ok()).await;
        carol.client.webhooks().create(other.url()).await.unwrap();
        line.event().await;
        line.receiver.reaches(1).await;
        line.ada.client.users().delete_me("ada").await.unwrap();
        line.app.server.admin(Command::Erase { username: "ada".to_owned() }).await;
        line.app.server.erase().await;
        assert_eq!(line.app.count(sql!("select count(*) from webhook")).await, 1, "carol's");
        // There is one slot, which the call for ada has until its result is dropped.
        line.bob.write(&carol, "psst").await;
        line.receiver.answer(1);
        other.reaches(1).await;
    }

    async fn secrets_that_cannot_be_decrypted_delay_their_own_webhook_alone(
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

    async fn a_delivery_fails_only_when_its_last_attempt_is_lost(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.retries" = "5s,30s"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.event().await;
        for n in 1..=3 {
            let hits = line.receiver.reaches(n).await;
            assert_eq!(hits[n - 1].header("X-Webhook-Attempt"), n.to_string());
            line.app.advance(60);
        }
        let failed = line.all_are(DeliveryState::Failed).await;
        assert_eq!((failed[0].attempts_count, failed[0].next_attempt_at), (3, None));
        for n in 1..=3 {
            assert_eq!(line.attempt(n).await.1.outcome, DeliveryOutcome::Lost);
        }
    }

    async fn a_webhook_deleted_during_a_call_is_not_retried(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.timeout" = "1s",
        "webhooks.connect_timeout" = "1s"
    ) {
        let line = Line::new(app, Mode::Hangs).await;
        line.event().await;
        line.receiver.reaches(1).await;
        line.ada.client.webhooks().delete(&line.webhook).await.unwrap();
        let sql = sql!("select count(*) from webhook_delivery where state = 'cancelled'");
        until(async || (line.app.count(sql).await == 1).then_some(())).await;
    }

    async fn a_call_that_is_lost_after_its_webhook_was_deleted_is_cancelled(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.event().await;
        line.receiver.reaches(1).await;
        line.ada.client.webhooks().delete(&line.webhook).await.unwrap();
        line.app.advance(60);
        let sql = sql!("select count(*) from webhook_delivery where state = 'cancelled'");
        until(async || (line.app.count(sql).await == 1).then_some(())).await;
        assert_eq!(line.receiver.hits().len(), 1);
    }

    async fn health_reports_delivery_lag(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.sends" = "1"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.events(2).await;
        line.receiver.reaches(1).await;
        let check = async || {
            let health = line.app.anonymous.health().read().await.unwrap();
            (health.status.to_string(), health.checks["webhookQueue"].to_string())
        };
        let both = |word: &str| (word.to_owned(), word.to_owned());
        line.app.advance(59);
        assert_eq!(check().await, both("ok"));
        line.app.advance(2);
        assert_eq!(check().await, both("degraded"), "the only slot is taken");
        line.receiver.answer(100);
        line.all_are(DeliveryState::Delivered).await;
        assert_eq!(check().await, both("ok"));
    }

    async fn retry_delays_are_not_lag(
        app: TestApp, "webhooks.allow_loopback" = "true", "webhooks.sends" = "1"
    ) {
        let line = Line::new(app, Mode::status(500, "")).await;
        line.events(5).await;
        let paused = line.webhook_is(|webhook| webhook.breaker.is_some()).await;
        let first = paused.breaker.unwrap().until;
        line.advance_to(first);
        let is_longer = |webhook: &Webhook| webhook.breaker.as_ref().is_some_and(|b| b.until > first);
        let second = line.webhook_is(is_longer).await.breaker.unwrap().until;
        // The only slot is taken when the pause of two minutes ends.
        let busy = Receiver::start(Mode::Waits(200)).await;
        line.bob.client.webhooks().create(busy.url()).await.unwrap();
        line.ada.write(&line.bob, "psst").await;
        busy.reaches(1).await;
        line.advance_to(second.plus(Duration::from_secs(1)));
        let health = line.app.anonymous.health().read().await.unwrap();
        assert_eq!(health.checks["webhookQueue"].to_string(), "ok");
        busy.answer(10);
        line.receiver.set(Mode::ok());
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
