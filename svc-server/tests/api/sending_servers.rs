//! Webhook calls and the server that makes them: its start, its database, its proxy.

use std::time::Duration;

use svc_client::types::api::webhooks::{DeliveryOutcome, DeliveryState};
use svc_server::testing::{Engine, until};
use svc_store::{sql, values};

use crate::app::{self, TestApp};
use crate::receiver::{Mode, Receiver};
use crate::sending::Line;

/// On SQLite, where a trigger is a fault of the database.
#[tokio::test]
async fn a_call_is_recorded_and_not_repeated_although_the_database_failed() {
    let settings = [("webhooks.allow_loopback", "true")];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let line = Line::new(app, Mode::Waits(200)).await;
    let [fail, mend] = [
        sql!(
            "create trigger fails before insert on webhook_attempt
             begin select raise(abort, 'a test'); end"
        ),
        sql!("drop trigger fails"),
    ];
    let app = line.app.server.app();
    app.write(move |ctx| ctx.tx.execute(fail, &[])).await.unwrap();
    line.event().await;
    line.receiver.reaches(1).await;
    let groups = app.db.groups();
    groups.watch();
    line.receiver.answer(2);
    // A claim that finds nothing is one statement.
    until("a record fails", async || {
        let seen = groups.take();
        groups.watch();
        seen.iter().any(|group| group.kind == "write" && group.statements > 2)
    })
    .await;
    app.write(move |ctx| ctx.tx.execute(mend, &[])).await.unwrap();
    let delivered = line.all_are(DeliveryState::Delivered).await;
    assert_eq!((delivered[0].attempts_count, line.receiver.hits().len()), (1, 1));
}

/// On SQLite, where a trigger is a fault of the database.
#[tokio::test]
async fn a_call_that_cannot_be_recorded_delays_no_other() {
    let settings = [("webhooks.allow_loopback", "true")];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let line = Line::new(app, Mode::status(418, "")).await;
    let fail = sql!(
        "create trigger fails before insert on webhook_attempt when new.http_status = 418
         begin select raise(abort, 'a test'); end"
    );
    line.app.server.app().write(move |ctx| ctx.tx.execute(fail, &[])).await.unwrap();
    line.event().await;
    line.receiver.reaches(1).await;
    let healthy = Receiver::start(Mode::ok()).await;
    let id = line.bob.client.webhooks().create(healthy.url()).await.unwrap().webhook.id;
    line.ada.write(&line.bob, "psst").await;
    until("the other is delivered", async || {
        let delivery = line.bob.deliveries(&id).await.pop();
        delivery.is_some_and(|delivery| delivery.state == DeliveryState::Delivered)
    })
    .await;
    // When the lease of the other ends, it is called again.
    line.receiver.set(Mode::ok());
    line.app.advance(60);
    let delivered = line.all_are(DeliveryState::Delivered).await;
    assert_eq!((delivered[0].attempts_count, line.receiver.hits().len()), (2, 2));
    assert_eq!(line.attempt(1).await.1.outcome, DeliveryOutcome::Lost);
}

/// No other server runs on SQLite, so what was claimed belongs to nobody any more.
#[tokio::test]
async fn a_server_on_sqlite_sends_at_once_what_the_one_before_it_was_sending() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("svc.db").display());
    let settings = [("webhooks.allow_loopback", "true")];
    let app = TestApp::on(Engine::Sqlite, &database, &settings).await;
    let line = Line::new(app, Mode::ok()).await;
    line.event().await;
    line.all_are(DeliveryState::Delivered).await;
    // As a server leaves it that is killed in its second attempt.
    line.app
        .execute(|ctx| {
            let end = ctx.now().plus(Duration::from_secs(48));
            let sql = sql!(
                "update webhook_delivery set state = 'sending', attempt = 2, delivered_at = null,
                    lease_owner = 'srv_1', lease_until = $1"
            );
            ctx.tx.execute(sql, values![end])
        })
        .await;
    let Line { app, receiver, .. } = line;
    app.server.stop().await;
    let _next = TestApp::on(Engine::Sqlite, &database, &settings).await;
    let hits = receiver.reaches(2).await;
    assert_eq!(hits[0].header("X-Webhook-Id"), hits[1].header("X-Webhook-Id"));
    assert_eq!(hits[1].header("X-Webhook-Attempt"), "3");
}

#[tokio::test]
async fn a_server_that_starts_leaves_running_calls_to_the_others() {
    let Some(database) = app::database(Engine::Postgres).await else { return };
    let settings = [("webhooks.allow_loopback", "true"), ("webhooks.sends", "1")];
    let app = TestApp::on(Engine::Postgres, &database, &settings).await;
    let line = Line::new(app, Mode::Waits(200)).await;
    line.event().await;
    line.receiver.reaches(1).await;
    let second = TestApp::on(Engine::Postgres, &database, &settings).await;
    // The first one has no slot for this, so the second one has begun to send.
    let healthy = Receiver::start(Mode::ok()).await;
    line.bob.client.webhooks().create(healthy.url()).await.unwrap();
    let ada = second.client(line.ada.key.clone());
    ada.messages().send("bob", "psst").await.unwrap();
    healthy.reaches(1).await;
    line.receiver.answer(2);
    let delivered = line.all_are(DeliveryState::Delivered).await;
    assert_eq!((delivered[0].attempts_count, line.receiver.hits().len()), (1, 1));
}

#[tokio::test]
async fn every_call_goes_through_the_proxy_of_the_settings() {
    let proxy = Receiver::start(Mode::ok()).await;
    let url = format!("http://{}", proxy.address);
    let settings = [("webhooks.allow_loopback", "true"), ("webhooks.proxy", &*url)];
    let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
    let line = Line::new(app, Mode::ok()).await;
    line.event().await;
    line.all_are(DeliveryState::Delivered).await;
    let head = proxy.reaches(1).await.remove(0).head;
    assert!(head.starts_with(&format!("POST {} HTTP/1.1\r\n", line.receiver.url())), "{head}");
    assert_eq!(line.receiver.connections(), 0);
}
