//! Accounts that leave or return while something else happens to them.

use std::sync::Arc;

use futures_util::future::join_all;
use svc_client::types::Code;
use svc_client::types::api::moderation::ModerationActionType as Kind;
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::api::webhooks::DeliveryState;
use svc_core::tasks::erase;
use svc_server::admin::Command;
use svc_server::testing::Engine;
use svc_store::sql;

use crate::app::{TestApp, database};
use crate::counts;
use crate::held::{Held, behind, waiting};
use crate::market::Market;
use crate::moderation::staff;
use crate::on_both_engines;
use crate::receiver::Mode;
use crate::sending::Line;

on_both_engines! {
    async fn accounts_that_know_each_other_leave_and_come_back_at_once(
        app: TestApp, "database.connections" = "8"
    ) {
        let names = ["ada", "bob", "cat", "dan", "eve", "fay"];
        let members = app.agents(names).await;
        let [zoe, judge] = [app.agent("zoe").await, staff(&app, "judge", "moderator").await];
        for n in 0..3 {
            let list = zoe.client.lists().create(format!("list {n}")).await.unwrap().list.id;
            zoe.client.lists().add(&list, names).await.unwrap();
            let room = zoe.client.channels().create(format!("room-{n}")).await.unwrap().channel.id;
            zoe.client.channels().add(&room, names).await.unwrap();
        }
        for author in &members {
            let post = author.post("hello").await;
            for other in members.iter().filter(|other| other.user.id != author.user.id) {
                other.client.reactions().like(&post.id).await.unwrap();
                other.client.relations().follow(&*author.user.username).await.unwrap();
            }
        }
        let leaving = members.iter().zip(names);
        let leaving = leaving.map(|(one, name)| one.client.users().delete_me(name).into_future());
        for left in join_all(leaving).await {
            left.unwrap();
        }
        counts::are_right(&app).await;
        let returning = members.iter().map(|one| one.client.auth().restore().into_future());
        for returned in join_all(returning).await {
            returned.unwrap();
        }
        counts::are_right(&app).await;
        for kind in [Kind::Suspend, Kind::Unsuspend] {
            let acts = names.map(|name| {
                let acting = judge.client.moderation();
                acting.act(Subject::user(name), kind.clone(), "the rules").into_future()
            });
            for done in join_all(acts).await {
                done.unwrap();
            }
            counts::are_right(&app).await;
        }
    }

    async fn an_account_that_leaves_gets_no_order_and_no_escrow_meanwhile(
        app: TestApp, "database.connections" = "8"
    ) {
        let market = Market::new(app).await;
        let app = &market.app;
        let eve = app.agent("eve").await;
        app.follow(&market.bob, &eve).await;
        // He leaves the followers of eve once he is known to have no deals.
        let held = Held::account(app, eve.user.id.clone()).await;
        let leave = market.bob.client.users().delete_me("bob").into_future();
        let deal = async {
            waiting(app, 1).await;
            let order = market.ordering(market.order(5)).into_future();
            tokio::join!(order, market.opening(10).into_future())
        };
        let both = async { tokio::join!(leave, deal) };
        let (left, (ordered, opened)) = behind(app, held, 3, both).await;
        match left {
            Ok(_) => {
                for refused in [ordered.err(), opened.err()] {
                    let refused = refused.expect("he has left");
                    let code = refused.code().unwrap();
                    assert!(matches!(code, Code::NotFound | Code::ServiceNotFound), "{refused:?}");
                }
            }
            // SQLite may have served the deals before.
            Err(refused) => assert_eq!(
                (app.engine, refused.code()),
                (Engine::Sqlite, Some(&Code::OpenObligations))
            ),
        }
        market.is_consistent().await;
    }

    async fn what_a_receiver_answers_waits_for_an_account_that_leaves_and_not_the_other_way_round(
        app: TestApp, "webhooks.allow_loopback" = "true", "database.connections" = "6"
    ) {
        let line = Line::new(app, Mode::Waits(200)).await;
        line.event().await;
        line.receiver.reaches(1).await;
        let held = Held::leaving(&line.app, &line.ada.user.id).await;
        line.receiver.answer(1);
        waiting(&line.app, 1).await;
        if line.app.engine == Engine::Postgres {
            let free = sql!("select id from webhook for no key update skip locked");
            let free = line.app.server.app().write(move |ctx| ctx.tx.execute(free, &[]));
            assert_eq!(free.await.unwrap(), 1, "the webhook is locked after the account");
        }
        held.release().await;
        line.all_are(DeliveryState::Delivered).await;
    }

    async fn an_account_that_is_restored_is_not_erased_by_what_was_asked_for_before(
        app: TestApp, "database.connections" = "6"
    ) {
        let ada = app.agent("ada").await;
        ada.client.users().delete_me("ada").await.unwrap();
        let held = Held::account(&app, ada.user.id.clone()).await;
        let restore = ada.client.auth().restore().into_future();
        let erase = async {
            waiting(&app, 1).await;
            app.server.try_admin(&Command::Erase { username: "ada".to_owned() }).await
        };
        let (restored, erased) =
            behind(&app, held, 2, async { tokio::join!(restore, erase) }).await;
        if restored.is_err() {
            assert!(erased.is_ok(), "one of the two comes first");
            return;
        }
        assert_eq!(erased.err().unwrap().code(), Code::WrongState);
        ada.client.users().delete_me("ada").await.unwrap();
        app.server.erase().await;
        ada.client.auth().restore().await.unwrap();
    }
}

#[tokio::test]
async fn accounts_that_nodes_erase_at_once_leave_no_text_in_a_report() {
    let Some(url) = database(Engine::Postgres).await else { return };
    let app = TestApp::on(Engine::Postgres, &url, &[("database.connections", "8")]).await;
    let [ada, bob, cat] = app.agents(["ada", "bob", "cat"]).await;
    let asked = bob.post("what do you think?").await;
    let quote = ada.client.posts().create("a secret").quote(&asked.id).await.unwrap().post;
    let reporting = cat.client.reports().create(Subject::post(&quote.id), ReportReason::Spam);
    let report = reporting.await.unwrap().report.id;
    bob.client.users().delete_me("bob").await.unwrap();
    app.advance(1);
    ada.client.users().delete_me("ada").await.unwrap();
    app.server.admin(Command::Erase { username: "ada".to_owned() }).await;

    let held = Held::report(&app, &report).await;
    let (core, other) = (Arc::clone(app.server.app()), Arc::clone(app.server.app()));
    // The first empties the report, because it is about ada.
    let first = tokio::spawn(async move { erase::once(&core).await });
    waiting(&app, 1).await;
    app.server.admin(Command::Erase { username: "bob".to_owned() }).await;
    // The second takes out what the report quotes of bob.
    let second = tokio::spawn(async move { erase::once(&other).await });
    waiting(&app, 2).await;
    held.release().await;
    first.await.unwrap().unwrap();
    second.await.unwrap().unwrap();
    let left = sql!(
        "select count(*) from report where snapshot like '%secret%' or snapshot like '%think%'"
    );
    assert_eq!(app.count(left).await, 0);
    drop(app);
    Engine::Postgres.remove(url);
}
