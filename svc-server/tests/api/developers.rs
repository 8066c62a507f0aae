//! Developers' apps and their keys (spec §2.9, §4).

use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_client::types::api::developers::{
    DeleteApp, DeleteDeveloper, Developer, GetApp, GetDeveloper, RegisterDeveloper, RotateAppKey,
    RotateDeveloperKey, UpdateDeveloper,
};
use svc_client::types::api::posts::CreatePost;
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{AppId, Code, Scope};
use svc_core::tasks::sweep;
use svc_server::testing::START;
use svc_store::error::Error;
use svc_store::{sql, values};

use crate::app::{TestApp, code};
use crate::held::{Held, behind};
use crate::oauth::{DONE, text};
use crate::on_both_engines;
use crate::raw::{answer, code_of};

fn registration() -> serde_json::Value {
    json!({ "appName": "Gate", "website": "https://gate.example.org", "description": "lets agents in" })
}

/// Replaces the key of an app, as its account does on another node.
async fn replacing(app: &TestApp, id: &AppId) -> Held {
    let id = id.clone();
    Held::by(app, move |ctx| {
        let key = format!("new-{id}");
        let sql = sql!("update developer_app set key_id = $1 where id = $2");
        ctx.tx.execute(sql, values![key, id])
    })
    .await
}

on_both_engines! {
    async fn anyone_can_register_an_app(app: TestApp) {
        let ada = app.agent("ada").await;
        for key in [None, Some(&ada.key)] {
            let request = app.raw(Method::POST, "/v1/developers/register").json(&registration());
            let request = match key {
                Some(key) => request.bearer_auth(key.expose()),
                None => request,
            };
            let registered = answer(request).await;
            assert_eq!(registered.status, 201);
            let body = registered.json();
            let key = body["developer_api_key"].as_str().unwrap();
            let own = app.developer_client(key).developers().me().await.unwrap().developer;
            let expected = json!({
                "id": own.id, "appName": "Gate", "website": "https://gate.example.org",
                "description": "lets agents in", "createdAt": START,
                "verificationsCount": 0,
            });
            assert_eq!(body, json!({ "developer_api_key": key, "developer": expected }));
            assert_eq!(json!(own), expected);
            assert!(key.starts_with("svc_dk_"));
        }
    }

    async fn uses_and_verifications_of_an_app_are_counted(app: TestApp) {
        let ada = app.agent("ada").await;
        let registered = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let gate = app.developer_client(registered.developer_api_key);
        let counted = async || {
            app.server.flush().await;
            let listed = ada.client.developers().apps().await.unwrap().developers.remove(0);
            (listed.last_used_at, listed.verifications_count)
        };
        assert_eq!(counted().await, (None, 0));
        app.advance(1);
        gate.developers().me().await.unwrap();
        let used = app.server.clock().now();
        assert_eq!(counted().await, (Some(used), 0));
        app.advance(1);
        let token = ada.client.agents().create_identity_token().await.unwrap().token;
        for _ in 0..2 {
            gate.agents().verify_identity(token.expose()).await.unwrap();
        }
        gate.agents().verify_identity(format!("svc_id_{}", "A".repeat(43)).as_str()).await.unwrap_err();
        let verified = app.server.clock().now();
        assert_eq!(counted().await, (Some(verified), 2));
        let by_id = ada.client.developers().app(&registered.developer.id).await.unwrap().developer;
        assert_eq!((by_id.last_used_at, by_id.verifications_count), (Some(verified), 2));
    }

    async fn a_verification_whose_job_runs_again_counts_once(
        app: TestApp, "database.connections" = "6"
    ) {
        let ada = app.agent("ada").await;
        let registered = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let held = Held::by(&app, |_| Ok(0)).await;
        let id = registered.developer.id;
        // On SQLite both join the commit of what is held, and the second undoes it.
        let verifying = app.server.app().write(move |ctx| {
            let now = ctx.now();
            ctx.effects.verified.push((id.clone(), now));
            Ok(())
        });
        let failing = app.server.app().write(|ctx| {
            ctx.tx.execute(sql!("update account set bio = 'changed'"), &[])?;
            Err::<(), _>(Error::internal("a test"))
        });
        let (verified, failed, ()) = tokio::join!(verifying, failing, held.release());
        assert!(verified.is_ok() && failed.is_err());
        app.server.flush().await;
        let listed = ada.client.developers().apps().await.unwrap().developers.remove(0);
        assert_eq!(listed.verifications_count, 1);
    }

    async fn names_of_apps_need_not_be_unique(app: TestApp) {
        let [one, other] = [app.developer("Gate").await, app.developer("Gate").await];
        assert_ne!(one.app.id, other.app.id);
    }

    async fn a_bad_credential_does_not_register_an_app(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.auth().regenerate_api_key().await.unwrap();
        let registered = ada.client.developers().register("Gate", "https://gate.example.org").await;
        assert_eq!(code::<RegisterDeveloper>(registered), Code::Unauthorized);
    }

    async fn only_a_credential_that_manages_an_account_registers_an_app_for_it(app: TestApp) {
        let (ada, bot) = (app.visitor("ada").await, app.agent("bot").await);
        let client = app.register_client(&[DONE]).await;
        let token = text(&app.tokens(&ada, &client, "openid").await, "access_token");
        let reader = bot.client.keys().create("reader", [Scope::Read]).await.unwrap().api_key;
        for credential in [&*token, reader.expose()] {
            let request = app.raw(Method::POST, "/v1/developers/register").json(&registration());
            assert_eq!(code_of(request.bearer_auth(credential)).await, Code::InsufficientScope);
        }
        for member in [&ada.member, &bot] {
            assert_eq!(member.client.developers().apps().await.unwrap().developers, []);
        }
        let keeper = bot.client.keys().create("keeper", [Scope::Account]).await.unwrap().api_key;
        let made = app.client(keeper).developers().register("Gate", "https://gate.example.org").await;
        let own = bot.client.developers().apps().await.unwrap().developers;
        assert_eq!(own, [made.unwrap().developer]);
    }

    async fn a_suspended_account_replaces_the_key_of_its_app_and_deletes_it(app: TestApp) {
        let ada = app.agent("ada").await;
        let made = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let id = &made.developer.id;
        app.suspend("ada").await;
        let fresh = ada.client.developers().rotate_app_key(id).await.unwrap().developer_api_key;
        let old = app.developer_client(made.developer_api_key).developers().me().await;
        assert_eq!(code::<GetDeveloper>(old), Code::InvalidDeveloperKey);
        assert_eq!(ada.client.developers().apps().await.unwrap().developers.len(), 1);
        ada.client.developers().delete_app(id).await.unwrap();
        let ended = app.developer_client(fresh).developers().me().await;
        assert_eq!(code::<GetDeveloper>(ended), Code::InvalidDeveloperKey);
    }

    async fn an_app_needs_a_name_and_a_web_address(app: TestApp) {
        let long = "x".repeat(101);
        for (member, value) in [
            ("appName", json!("")), ("appName", json!(long)), ("appName", json!(7)), ("appName", json!("\u{200b} \u{2060}")),
            ("website", json!("ftp://gate.example.org")), ("website", json!("gate")),
            ("website", json!("https:gate.example.org")), ("website", json!("https:\\\\gate.example.org")),
            ("website", json!("javascript:alert(1)")), ("description", json!("x".repeat(1001))),
        ] {
            let mut members = registration();
            members[member] = value;
            let request = app.raw(Method::POST, "/v1/developers/register").json(&members);
            let refusal = answer(request).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some(member)));
        }
    }

    async fn an_app_changes_what_it_names(app: TestApp) {
        let gate = app.developer("Gate").await;
        let described = gate.client.developers().update().description("lets agents in").await;
        let expected = Developer { description: Some("lets agents in".to_owned()), ..gate.app.clone() };
        assert_eq!(described.unwrap().developer, expected);
        let moved = gate.client.developers().update().app_name("Door").website("http://door.example.org");
        let moved = moved.description("").await.unwrap().developer;
        assert_eq!((&*moved.app_name, &*moved.website), ("Door", "http://door.example.org"));
        assert_eq!(moved.description, None, "empty clears it");
        let unseen = gate.client.developers().update().app_name("\u{200b}").await;
        assert_eq!(unseen.unwrap_err().field(), Some("appName"));
        assert_eq!(gate.client.developers().me().await.unwrap().developer, moved);
    }

    async fn what_is_done_with_one_app_leaves_the_others(app: TestApp) {
        let (gate, door) = (app.developer("Gate").await, app.developer("Door").await);
        let changing = gate.client.developers().update().app_name("Other").website("https://other.example.org");
        let changing = changing.description("changed").redirect_uris(["https://other.example.org/done".into()]);
        changing.await.unwrap();
        gate.client.developers().rotate_key().await.unwrap();
        assert_eq!(door.client.developers().me().await.unwrap().developer, door.app);
    }

    async fn a_rotated_key_ends_the_old_one_at_once(app: TestApp) {
        let gate = app.developer("Gate").await;
        let new = gate.client.developers().rotate_key().await.unwrap().developer_api_key;
        let old = gate.client.developers().me().await;
        assert_eq!(code::<GetDeveloper>(old), Code::InvalidDeveloperKey);
        let again = app.developer_client(new).developers().me().await.unwrap();
        assert_eq!(again.developer, gate.app);
    }

    async fn an_old_key_verifies_for_the_overlap_and_changes_nothing(app: TestApp) {
        let (ada, gate) = (app.agent("ada").await, app.developer("Gate").await);
        let made = gate.client.developers().rotate_key().overlap_seconds(3600).await.unwrap();
        let end = app.server.clock().now().plus(Duration::from_hours(1));
        assert_eq!(made.previous_expires_at, Some(end));
        let fresh = app.developer_client(made.developer_api_key);
        let token = ada.client.agents().create_identity_token().await.unwrap().token;
        for client in [&gate.client, &fresh] {
            client.agents().verify_identity(token.expose()).await.unwrap();
        }
        let text = format!("mine is {}", gate.key.expose());
        let posted = ada.client.posts().create(&*text).await;
        assert_eq!(code::<CreatePost>(posted), Code::CredentialInContent, "it is live");
        let old = gate.client.developers();
        assert_eq!(code::<UpdateDeveloper>(old.update().app_name("Door").await), Code::InvalidDeveloperKey);
        assert_eq!(code::<RotateDeveloperKey>(old.rotate_key().await), Code::InvalidDeveloperKey);
        assert_eq!(code::<DeleteDeveloper>(old.delete().await), Code::InvalidDeveloperKey);
        app.advance(3599);
        assert_eq!(old.me().await.unwrap().developer.app_name, "Gate");
        app.advance(1);
        assert_eq!(code::<GetDeveloper>(old.me().await), Code::InvalidDeveloperKey);
        fresh.developers().me().await.unwrap();
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from developer_old_key")).await, 0);
    }

    async fn a_rotation_without_overlap_ends_all_keys_before_it(app: TestApp) {
        let ada = app.agent("ada").await;
        let made = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let other = app.developer("Door").await;
        other.client.developers().rotate_key().overlap_seconds(3600).await.unwrap();
        let id = &made.developer.id;
        let mut clients = vec![app.developer_client(made.developer_api_key)];
        for _ in 0..2 {
            let made = ada.client.developers().rotate_app_key(id).overlap_seconds(604_800).await.unwrap();
            clients.push(app.developer_client(made.developer_api_key));
        }
        for client in &clients {
            client.developers().me().await.unwrap();
        }
        let last = ada.client.developers().rotate_app_key(id).await.unwrap();
        assert_eq!(last.previous_expires_at, None);
        for client in &clients {
            assert_eq!(code::<GetDeveloper>(client.developers().me().await), Code::InvalidDeveloperKey);
        }
        app.developer_client(last.developer_api_key).developers().me().await.unwrap();
        other.client.developers().me().await.unwrap();
        let far = ada.client.developers().rotate_app_key(id).overlap_seconds(604_801).await;
        assert_eq!(code::<RotateAppKey>(far), Code::ValidationFailed);
    }

    async fn a_developer_key_that_is_found_in_public_ends(app: TestApp) {
        let ada = app.agent("ada").await;
        let made = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let (id, old) = (made.developer.id, made.developer_api_key);
        let made = ada.client.developers().rotate_app_key(&id).overlap_seconds(3600).await.unwrap();
        let (fresh, report) = (made.developer_api_key, app.anonymous.keys());
        report.report(old.expose()).await.unwrap();
        let ended = app.developer_client(old).developers().me().await;
        assert_eq!(code::<GetDeveloper>(ended), Code::InvalidDeveloperKey);
        app.developer_client(fresh.clone()).developers().me().await.unwrap();
        report.report(fresh.expose()).await.unwrap();
        let ended = app.developer_client(fresh).developers().me().await;
        assert_eq!(code::<GetDeveloper>(ended), Code::InvalidDeveloperKey);
        let log = ada.client.security().log().await.unwrap().entries;
        assert_eq!((&log[0].action, &log[0].app_id), (&SecurityAction::KeyReported, &Some(id.clone())));
        let made = ada.client.developers().rotate_app_key(&id).await.unwrap();
        app.developer_client(made.developer_api_key).developers().me().await.unwrap();
        let unowned = app.developer("Door").await;
        report.report(unowned.key.expose()).await.unwrap();
        unowned.client.developers().me().await.unwrap();
    }

    async fn at_most_ten_old_keys_of_an_app_work(app: TestApp) {
        let mut client = app.developer("Gate").await.client;
        for _ in 0..12 {
            let made = client.developers().rotate_key().overlap_seconds(3600).await.unwrap();
            client = app.developer_client(made.developer_api_key);
        }
        client.developers().me().await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from developer_old_key")).await, 10);
    }

    async fn an_account_learns_what_the_key_of_its_app_changes(app: TestApp) {
        use SecurityAction::{AppChanged, AppDeleted, AppKeyReplaced, SignedUp};
        let ada = app.agent("ada").await;
        let made = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
        let (id, thief) = (made.developer.id, app.developer_client(made.developer_api_key));
        for _ in 0..2 {
            thief.developers().update().redirect_uris(["https://thief.example.org".into()]).await.unwrap();
        }
        thief.developers().update().app_name("Gates").await.unwrap();
        app.advance(601);
        thief.developers().update().app_name("Gates").await.unwrap();
        thief.developers().update().website("https://thief.example.org").await.unwrap();
        let made = thief.developers().rotate_key().await.unwrap();
        app.developer_client(made.developer_api_key).developers().delete().await.unwrap();
        let log = ada.client.security().log().await.unwrap().entries;
        let actions: Vec<_> = log.iter().rev().map(|entry| entry.action.clone()).collect();
        assert_eq!(actions, [SignedUp, AppChanged, AppChanged, AppKeyReplaced, AppDeleted]);
        assert!(log[..4].iter().all(|entry| entry.app_id.as_ref() == Some(&id)));
        let notified = ada.client.notifications().list().await.unwrap().notifications;
        assert_eq!(notified.len(), 4);
    }

    async fn a_deleted_app_has_no_key_and_harms_no_other(app: TestApp) {
        let gate = app.developer("Gate").await;
        let door = app.developer("Door").await;
        assert!(gate.client.developers().delete().await.unwrap().deleted);
        assert_eq!(code::<DeleteDeveloper>(gate.client.developers().delete().await), Code::InvalidDeveloperKey);
        assert_eq!(door.client.developers().me().await.unwrap().developer, door.app);
    }

    async fn an_account_key_is_refused_with_a_hint_to_use_a_developer_key(app: TestApp) {
        let ada = app.person("ada", "correct horse").await;
        let cookie = app.sign_in("ada", "correct horse").await;
        let me = || app.raw(Method::GET, "/v1/developers/me");
        assert_eq!(code_of(me().bearer_auth(ada.key.expose())).await, Code::DeveloperKeyRequired);
        assert_eq!(code_of(me().header("cookie", cookie)).await, Code::DeveloperKeyRequired);
        assert_eq!(code_of(me()).await, Code::InvalidDeveloperKey);
        assert_eq!(code_of(me().bearer_auth("svc_dk_invented")).await, Code::InvalidDeveloperKey);
    }

    async fn two_concurrent_rotations_leave_one_live_key(
        app: TestApp, "database.connections" = "4"
    ) {
        let gate = app.developer("Gate").await;
        let rotate = || gate.client.developers().rotate_key().into_future();
        let (one, other) = tokio::join!(rotate(), rotate());
        let mut alive = 0;
        for rotated in [one, other] {
            match rotated {
                Ok(new) => {
                    let client = app.developer_client(new.developer_api_key);
                    alive += usize::from(client.developers().me().await.is_ok());
                }
                refused => assert_eq!(code::<RotateDeveloperKey>(refused), Code::InvalidDeveloperKey),
            }
        }
        assert_eq!(alive, 1);
    }

    async fn an_old_key_does_not_replace_the_one_that_its_account_has_made_meanwhile(
        app: TestApp, "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        for _ in 0..5 {
            let made = ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
            let thief = app.developer_client(made.developer_api_key);
            let theirs = thief.developers().rotate_key().into_future();
            let ours = ada.client.developers().rotate_app_key(&made.developer.id).into_future();
            let (_, ours) = tokio::join!(theirs, ours);
            let ours = app.developer_client(ours.unwrap().developer_api_key);
            assert_eq!(ours.developers().me().await.unwrap().developer.id, made.developer.id);
        }
    }

    async fn an_old_key_neither_changes_nor_deletes_an_app_whose_key_is_replaced_meanwhile(
        app: TestApp, "database.connections" = "6"
    ) {
        let gate = app.developer("Gate").await;
        let changing = gate.client.developers().update().redirect_uris(["https://thief.example.org".into()]);
        let changed = behind(&app, replacing(&app, &gate.app.id).await, 1, changing.into_future()).await;
        assert_eq!(code::<UpdateDeveloper>(changed), Code::InvalidDeveloperKey);
        let door = app.developer("Door").await;
        let deleting = door.client.developers().delete().into_future();
        let deleted = behind(&app, replacing(&app, &door.app.id).await, 1, deleting).await;
        assert_eq!(code::<DeleteDeveloper>(deleted), Code::InvalidDeveloperKey);
        let harmed = sql!(
            "select count(*) from developer_app where redirect_uris is not null or deleted_at is not null"
        );
        assert_eq!(app.count(harmed).await, 0);
    }

    async fn an_account_lists_rotates_and_deletes_its_apps(app: TestApp) {
        let [ada, eve] = app.agents(["ada", "eve"]).await;
        let register = async |name: &str| {
            let made = ada.client.developers().register(name, "https://gate.example.org").await.unwrap();
            (made.developer, made.developer_api_key)
        };
        let (first, old) = register("First").await;
        let (second, _) = register("Second").await;
        app.developer("Nobody's").await;
        let own = ada.client.developers().apps().await.unwrap().developers;
        assert_eq!(own, [second.clone(), first.clone()]);
        let page = ada.client.developers().apps().with(|list| list.limit = Some(1.into())).await.unwrap();
        assert_eq!((page.developers, page.next_cursor.is_some()), (vec![second.clone()], true));
        let rest = ada.client.developers().apps().with(|list| list.cursor = page.next_cursor).limit(1);
        let rest = rest.await.unwrap();
        assert_eq!((rest.developers, rest.next_cursor), (vec![first.clone()], None));
        assert_eq!(eve.client.developers().apps().await.unwrap().developers, []);
        assert_eq!(ada.client.developers().app(&first.id).await.unwrap().developer, first);
        assert_eq!(code::<GetApp>(eve.client.developers().app(&first.id).await), Code::NotFound);
        assert_eq!(code::<RotateAppKey>(eve.client.developers().rotate_app_key(&first.id).await), Code::NotFound);
        assert_eq!(code::<DeleteApp>(eve.client.developers().delete_app(&first.id).await), Code::NotFound);

        let fresh = ada.client.developers().rotate_app_key(&first.id).await.unwrap().developer_api_key;
        let ended = app.developer_client(old.expose()).developers().me().await;
        assert_eq!(code::<GetDeveloper>(ended), Code::InvalidDeveloperKey);
        let by_key = app.developer_client(fresh.expose());
        assert_eq!(by_key.developers().me().await.unwrap().developer, first);
        ada.client.developers().delete_app(&first.id).await.unwrap();
        assert_eq!(code::<GetDeveloper>(by_key.developers().me().await), Code::InvalidDeveloperKey);
        assert_eq!(code::<DeleteApp>(ada.client.developers().delete_app(&first.id).await), Code::NotFound);
        assert_eq!(ada.client.developers().apps().await.unwrap().developers, [second]);
        let logged = sql!(
            "select count(*) from audit_log l join account a on a.id = l.actor
             where l.action in ('developer_key_rotated', 'developer_deleted') and a.username = 'ada'"
        );
        assert_eq!(app.count(logged).await, 2);
    }
}
