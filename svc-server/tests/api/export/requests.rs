//! When exports are made and kept, for whom, and what ends them.

use http::{Method, StatusCode};
use svc_client::types::api::export::{CreateExport, ExportFailure, ExportState, GetExport};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{Code, Scope};
use svc_core::services::blob::Blob;
use svc_core::services::export::{self, LEASE};
use svc_core::tasks::sweep;
use svc_store::sql;

use super::{Contents, DAY, PASSWORD, download, exported, make, state};
use crate::app::{all_items, code};
use crate::on_both_engines;
use crate::raw::{answer, code_of};

on_both_engines! {
    async fn an_export_is_made_once_a_day(app: TestApp) {
        let ada = app.agent("ada").await;
        exported(&app, &ada).await;
        app.advance(DAY - 1);
        assert_eq!(code::<CreateExport>(ada.client.export().create().await), Code::LimitReached);
        assert_eq!(state(&ada).await.state, ExportState::Ready, "the last one stays");
        app.advance(1);
        ada.post("since then").await;
        let found = exported(&app, &ada).await;
        assert_eq!(found.column("posts", "/content"), ["since then"]);
        assert_eq!(app.count(sql!("select count(distinct build) from export_chunk")).await, 1);
    }

    async fn a_file_is_kept_for_seven_days(app: TestApp) {
        let ada = app.agent("ada").await;
        exported(&app, &ada).await;
        app.advance(7 * DAY - 1);
        download(&ada).await;
        app.advance(1);
        assert_eq!(code::<GetExport>(ada.client.export().get().await), Code::NotFound);
        let file = ada.raw(&app, Method::GET, "/users/me/export/file");
        assert_eq!(code_of(file).await, Code::NotFound);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from export_chunk")).await, 0);
        assert_eq!(app.count(sql!("select count(*) from export")).await, 0);
    }

    async fn the_end_of_a_file_leaves_those_of_other_accounts(app: TestApp) {
        let [ada, bob, cid, zoe] = app.agents(["ada", "bob", "cid", "zoe"]).await;
        exported(&app, &ada).await;
        exported(&app, &zoe).await;
        // More pieces of somebody else than are deleted at once, which come first in their order.
        let pieces = sql!(
            "with recursive k (i) as (select 1 union all select i + 1 from k where i < 20)
             insert into export_chunk (account, build, n, bytes)
             select a.id, 0, k.i, c.bytes
             from k, account a join export_chunk c on c.account = a.id
             where a.username = 'zoe' and c.n = 0"
        );
        app.execute(move |ctx| ctx.tx.execute(pieces, &[])).await;
        exported(&app, &bob).await;
        app.advance(DAY);
        exported(&app, &cid).await;
        exported(&app, &ada).await;
        download(&bob).await;
        let of_ada = sql!(
            "select count(distinct c.build) from export_chunk c join account a on a.id = c.account
             where a.username = 'ada'"
        );
        assert_eq!(app.count(of_ada).await, 1, "the file before is gone");
        app.advance(6 * DAY);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(code::<GetExport>(bob.client.export().get().await), Code::NotFound);
        let of_bob = sql!(
            "select count(*) from export_chunk c join account a on a.id = c.account
             where a.username = 'bob'"
        );
        assert_eq!(app.count(of_bob).await, 0);
        download(&ada).await;
        download(&cid).await;
    }

    async fn only_its_account_downloads_an_export(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let reader = ada.client.keys().create("reader", [Scope::Read]).await.unwrap().api_key;
        exported(&app, &ada).await;
        assert_eq!(code::<GetExport>(bob.client.export().get().await), Code::NotFound);
        let path = "/users/me/export/file";
        assert_eq!(code_of(bob.raw(&app, Method::GET, path)).await, Code::NotFound);
        assert_eq!(code_of(app.raw(Method::GET, path)).await, Code::Unauthorized);
        let limited = app.raw(Method::GET, path).bearer_auth(reader.expose());
        assert_eq!(code_of(limited).await, Code::InsufficientScope);
        let served = answer(ada.raw(&app, Method::HEAD, path)).await;
        assert_eq!(served.status, StatusCode::OK);
        for (name, value) in [
            ("content-type", "application/zip"),
            ("content-disposition", "attachment; filename=\"svc-export-ada.zip\""),
            ("cache-control", "no-store"),
        ] {
            assert_eq!(served.header(name), Some(value));
        }
    }

    async fn a_key_that_may_not_read_messages_gets_no_file_with_them(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        exported(&app, &ada).await;
        app.advance(DAY);
        ada.client.auth().step_up().password(PASSWORD).await.unwrap();
        let mut keys = Vec::new();
        for (name, scopes) in [
            ("account", vec![Scope::Account]),
            ("no messages", vec![Scope::Account, Scope::Read]),
            ("only messages", vec![Scope::Account, Scope::Dm]),
            ("all of it", vec![Scope::Account, Scope::Read, Scope::Dm]),
        ] {
            let key = ada.client.keys().create(name, scopes).await.unwrap().api_key;
            app.client(key.clone()).auth().step_up().password(PASSWORD).await.unwrap();
            keys.push(key);
        }
        let all = keys.pop().unwrap();
        for key in keys {
            let file = app.raw(Method::GET, "/users/me/export/file").bearer_auth(key.expose());
            assert_eq!(code_of(file).await, Code::InsufficientScope);
            let created = app.client(key).export().create().await;
            assert_eq!(code::<CreateExport>(created), Code::InsufficientScope);
        }
        let file = app.raw(Method::GET, "/users/me/export/file").bearer_auth(all.expose());
        assert_eq!(answer(file).await.status, StatusCode::OK);
        app.client(all).export().create().await.unwrap();
    }

    async fn asking_for_it_is_confirmed_and_logged(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.advance(600);
        assert_eq!(code::<CreateExport>(ada.client.export().create().await), Code::StepUpRequired);
        ada.client.auth().step_up().password(PASSWORD).await.unwrap();
        ada.client.export().create().await.unwrap();
        let log = all_items(ada.client.security().log()).await;
        assert_eq!(log[0].action, SecurityAction::ExportRequested);
    }

    async fn a_suspended_account_confirms_that_it_asks_for_its_data(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.suspend("ada").await;
        app.advance(600);
        assert_eq!(code::<CreateExport>(ada.client.export().create().await), Code::StepUpRequired);
        ada.client.auth().step_up().password(PASSWORD).await.unwrap();
        ada.client.export().create().await.unwrap();
    }

    async fn another_node_takes_over_after_a_crash(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.post("kept").await;
        ada.client.export().create().await.unwrap();
        // A node takes the request, stores a piece, and is never heard of again.
        let crashed = app.server.app().write(export::take).await.unwrap().unwrap();
        let attempt = crashed.clone();
        let stored = move |ctx: &mut svc_core::app::Ctx<'_, '_>| export::store(ctx, &attempt, 0, &Blob::Bytes(b"lost".to_vec()));
        assert!(app.server.app().write(stored).await.unwrap());
        app.server.export().await;
        assert_eq!(state(&ada).await.state, ExportState::Working, "its lease has not ended");
        app.advance(LEASE.as_secs());
        make(&app, &ada).await;
        let found = Contents::of(download(&ada).await);
        assert_eq!(found.column("posts", "/content"), ["kept"]);
        // It was only slow, and goes on.
        let attempt = crashed.clone();
        let late = move |ctx: &mut svc_core::app::Ctx<'_, '_>| export::store(ctx, &attempt, 1, &Blob::Bytes(b"late".to_vec()));
        assert!(!app.server.app().write(late).await.unwrap());
        let late = move |ctx: &mut svc_core::app::Ctx<'_, '_>| export::finish(ctx, &crashed, 8);
        assert!(!app.server.app().write(late).await.unwrap());
        assert_eq!(Contents::of(download(&ada).await).lines("posts").len(), 1);
    }

    async fn a_request_that_no_node_survives_fails(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.export().create().await.unwrap();
        // Five nodes have taken it, and the lease of the last has ended.
        app.execute(|ctx| ctx.tx.execute(sql!("update export set tries = 5"), &[])).await;
        let failed = make(&app, &ada).await;
        assert_eq!((failed.state, failed.reason), (ExportState::Failed, Some(ExportFailure::Internal)));
        assert_eq!(failed.expires_at, None);
        app.advance(DAY);
        exported(&app, &ada).await;
    }

    async fn an_attempt_that_could_not_store_its_pieces_is_not_counted(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for member in [&ada, &bob] {
            member.client.export().create().await.unwrap();
        }
        let of_ada = app.server.app().write(export::take).await.unwrap().unwrap();
        assert_eq!(of_ada.account, ada.user.id);
        app.server.app().write(export::take).await.unwrap().unwrap();
        app.execute(|ctx| ctx.tx.execute(sql!("update export set tries = 5"), &[])).await;
        app.server.app().write(move |ctx| export::put_off(ctx, &of_ada)).await.unwrap();
        app.advance(LEASE.as_secs());
        assert_eq!(make(&app, &ada).await.state, ExportState::Ready);
        let failed = make(&app, &bob).await;
        assert_eq!(failed.reason, Some(ExportFailure::Internal), "it was the fifth one of bob's");
    }

    async fn more_data_than_a_file_may_hold_fails(app: TestApp, "limits.export_bytes" = "3000") {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        bob.write(&ada, &"long ".repeat(800)).await;
        ada.client.export().create().await.unwrap();
        app.server.export().await;
        let failed = state(&ada).await;
        assert_eq!((failed.state, failed.reason), (ExportState::Failed, Some(ExportFailure::TooLarge)));
        let file = answer(ada.raw(&app, Method::GET, "/users/me/export/file")).await.refusal();
        assert_eq!((file.code, &*file.error), (Code::NotFound, "the export is failed"));
        assert_eq!(app.count(sql!("select count(*) from export_chunk")).await, 0);
    }

    async fn suspended_accounts_have_a_right_to_their_data_and_deleted_ones_to_none(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.suspend("ada").await;
        exported(&app, &ada).await;
        bob.client.export().create().await.unwrap();
        bob.client.users().delete_me("bob").await.unwrap();
        app.server.export().await;
        assert_eq!(code::<GetExport>(bob.client.export().get().await), Code::AccountDeleted);
        let file = bob.raw(&app, Method::GET, "/users/me/export/file");
        assert_eq!(code_of(file).await, Code::AccountDeleted);
        assert_eq!(app.count(sql!("select count(*) from export where state = 'working'")).await, 1);
        bob.client.auth().restore().await.unwrap();
        assert_eq!(make(&app, &bob).await.state, ExportState::Ready);
        // A node that has begun before the deletion stores nothing any more.
        let cid = app.agent("cid").await;
        cid.client.export().create().await.unwrap();
        let begun = app.server.app().write(export::take).await.unwrap().unwrap();
        cid.client.users().delete_me("cid").await.unwrap();
        let stored = move |ctx: &mut svc_core::app::Ctx<'_, '_>| export::store(ctx, &begun, 0, &Blob::Bytes(b"late".to_vec()));
        assert!(!app.server.app().write(stored).await.unwrap());
    }
}
