//! Sessions and the security log.

use http::Method;
use serde_json::json;
use svc_client::Client;
use svc_client::types::api::auth::GetSession;
use svc_client::types::api::notifications::NotificationType;
use svc_client::types::api::posts::CreatePost;
use svc_client::types::api::security::{SecurityAction, SecurityEntry};
use svc_client::types::api::sessions::DeleteSession;
use svc_client::types::{Code, Scope};
use svc_core::tasks::sweep;
use svc_store::{sql, values};

use crate::app::{TestApp, all_items, code};
use crate::factors::{add, current_code};
use crate::on_both_engines;
use crate::owners::own;
use crate::raw::answer;

const PASSWORD: &str = "correct horse";
const DAY: u64 = 86_400;

/// The actions of the log, oldest first.
async fn actions(client: &Client) -> Vec<SecurityAction> {
    let mut entries = all_items(client.security().log()).await;
    entries.reverse();
    entries.into_iter().map(|entry| entry.action).collect()
}

/// That the session or key of a client has ended.
async fn has_ended(client: &Client) {
    assert_eq!(code::<GetSession>(client.auth().session().await), Code::Unauthorized);
}

/// Tries to sign in from an address.
async fn sign_in_from(app: &TestApp, address: &str, password: &str) -> u16 {
    sign_in_as(app, "ada", address, password).await
}

async fn sign_in_as(app: &TestApp, name: &str, address: &str, password: &str) -> u16 {
    let request = app.raw(Method::POST, "/auth/login").header("x-forwarded-for", address);
    let members = json!({ "username": name, "password": password });
    answer(request.json(&members)).await.status.as_u16()
}

on_both_engines! {
    async fn sessions_are_listed_with_the_current_one(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let first = app.browser(&app.sign_in("ada", PASSWORD).await);
        app.advance(60);
        let second = app.browser(&app.sign_in("ada", PASSWORD).await);
        let sessions = second.sessions().list().await.unwrap().sessions;
        let current: Vec<bool> = sessions.iter().map(|session| session.is_current).collect();
        assert_eq!(current, [true, false, false], "the oldest is that of the sign-up");
        assert!(sessions.iter().all(|session| session.created_from == "127.0.0.0/24"));
        let by_key = ada.client.sessions().list().await.unwrap().sessions;
        assert!(by_key.iter().all(|session| !session.is_current));
        first.auth().logout().await.unwrap();
        assert_eq!(second.sessions().list().await.unwrap().sessions.len(), 2);
        app.advance(7 * DAY);
        assert_eq!(ada.client.sessions().list().await.unwrap().sessions.len(), 0, "they ended as idle");
    }

    async fn a_session_is_ended_from_elsewhere(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let lost = app.browser(&app.sign_in("ada", PASSWORD).await);
        lost.auth().session().await.unwrap();
        app.advance(60);
        let here = app.browser(&app.sign_in("ada", PASSWORD).await);
        let sessions = here.sessions().list().await.unwrap().sessions;
        let id = sessions[1].session_id.clone();
        let bob = app.agent("bob").await;
        assert_eq!(code::<DeleteSession>(bob.client.sessions().delete(&id).await), Code::NotFound);
        here.sessions().delete(&id).await.unwrap();
        has_ended(&lost).await;
        assert_eq!(code::<DeleteSession>(here.sessions().delete(&id).await), Code::NotFound);
        here.auth().session().await.unwrap();
    }

    async fn a_suspended_account_ends_what_a_thief_has_of_it(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let thief = app.browser(&app.sign_in("ada", PASSWORD).await);
        let stolen = ada.client.keys().create("stolen", [Scope::Read, Scope::Dm]).await.unwrap();
        let reader = app.client(stolen.api_key);
        app.suspend("ada").await;
        thief.auth().session().await.expect("a suspension ends no session");
        ada.client.auth().change_password(PASSWORD, "battery staple").await.unwrap();
        has_ended(&thief).await;
        let here = app.browser(&app.sign_in("ada", "battery staple").await);
        here.auth().session().await.unwrap();
        ada.client.sessions().delete_others().await.unwrap();
        has_ended(&here).await;
        reader.auth().session().await.expect("a key is no session");
        ada.client.keys().delete(&*stolen.key.key_id).await.unwrap();
        has_ended(&reader).await;
        let key = ada.client.auth().regenerate_api_key().await.unwrap().api_key;
        has_ended(&ada.client).await;
        let refused = app.client(key).posts().create("hello").await;
        assert_eq!(code::<CreatePost>(refused), Code::AccountSuspended);
    }

    async fn all_other_sessions_end_at_once(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let [other, here] = [(); 2].map(|()| app.sign_in("ada", PASSWORD));
        let (other, here) = (app.browser(&other.await), app.browser(&here.await));
        app.person("bob", PASSWORD).await;
        let of_bob = app.browser(&app.sign_in("bob", PASSWORD).await);
        other.auth().session().await.unwrap();
        here.sessions().delete_others().await.unwrap();
        of_bob.auth().session().await.expect("it is that of another account");
        has_ended(&other).await;
        assert_eq!(here.sessions().list().await.unwrap().sessions.len(), 1);
        ada.client.sessions().delete_others().await.unwrap();
        has_ended(&here).await;
    }

    async fn the_log_shows_what_happened_to_credentials(app: TestApp) {
        use SecurityAction::{
            EmailChanged, KeyChanged, KeyCreated, KeyEnded, KeyReported, PasswordChanged,
            SessionEnded, SignedIn, SignedUp,
        };
        let ada = app.person("ada", PASSWORD).await;
        let created = ada.client.keys().create("reader", vec![Scope::Read]).await.unwrap();
        let id = &*created.key.key_id;
        ada.client.keys().update(id).name("r").await.unwrap();
        app.anonymous.keys().report(created.api_key.expose()).await.unwrap();
        let browser = app.browser(&app.sign_in("ada", PASSWORD).await);
        browser.auth().change_password(PASSWORD, "battery staple").await.unwrap();
        browser.users().update_me().email("new@example.org").await.unwrap();
        browser.auth().logout().await.unwrap();
        let key = ada.client.auth().regenerate_api_key().await.unwrap().api_key;
        let client = app.client(key);
        let expected = [
            SignedUp, SignedIn, KeyCreated, KeyChanged, KeyReported, SignedIn, PasswordChanged,
            SessionEnded, EmailChanged, SessionEnded, KeyEnded, KeyCreated,
        ];
        assert_eq!(actions(&client).await, expected);
        let log = client.security().log().await.unwrap().entries;
        let paged = all_items(client.security().log().limit(5)).await;
        let ids = |all: &[SecurityEntry]| all.iter().map(|one| one.entry_id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&paged), ids(&log), "page by page");
        assert!(log.iter().all(|entry| entry.network.as_deref() == Some("127.0.0.0/24")
            || entry.action == KeyReported));
        let about_key = log.iter().filter(|entry| entry.key_id.as_deref() == Some(id)).count();
        assert_eq!(about_key, 3);
    }

    async fn a_failed_sign_in_from_a_new_network_is_logged_once_a_day(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        use SecurityAction::{SignInFailed, SignedIn, SignedUp};
        let ada = app.person("ada", PASSWORD).await;
        assert_eq!(sign_in_from(&app, "203.0.113.7", PASSWORD).await, 200);
        assert_eq!(sign_in_from(&app, "203.0.113.7", "wrong").await, 401);
        for _ in 0..3 {
            assert_eq!(sign_in_from(&app, "198.51.100.7", "wrong").await, 401);
        }
        app.advance(DAY);
        assert_eq!(sign_in_from(&app, "198.51.100.7", "wrong").await, 401);
        let expected = [SignedUp, SignedIn, SignedIn, SignInFailed, SignInFailed];
        assert_eq!(actions(&ada.client).await, expected);
        let newest = ada.client.security().log().await.unwrap().entries.remove(0);
        assert_eq!(newest.network.as_deref(), Some("198.51.100.0/24"));
        assert_eq!(sign_in_from(&app, "198.51.100.7", PASSWORD).await, 200);
        assert_eq!(actions(&ada.client).await.last(), Some(&SignedIn));
    }

    async fn a_failed_sign_in_is_logged_although_a_clock_far_ahead_dated_the_last_one(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        use SecurityAction::SignInFailed;
        let ada = app.person("ada", PASSWORD).await;
        let before = actions(&ada.client).await.len();
        assert_eq!(sign_in_from(&app, "198.51.100.7", "wrong").await, 401);
        let year = sql!(
            "update security_entry set at = at + 31536000000 where action = 'sign_in_failed'"
        );
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        for _ in 0..2 {
            assert_eq!(sign_in_from(&app, "198.51.100.7", "wrong").await, 401);
        }
        assert_eq!(actions(&ada.client).await[before..], [SignInFailed, SignInFailed]);
    }

    async fn a_password_from_a_new_network_without_its_code_is_a_failed_sign_in(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        use SecurityAction::{SignInFailed, SignedIn};
        let ada = app.person("ada", PASSWORD).await;
        let (totp, _) = add(&app, &ada).await;
        let before = actions(&ada.client).await.len();
        assert_eq!(sign_in_from(&app, "198.51.100.7", PASSWORD).await, 401);
        app.advance(299);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(actions(&ada.client).await.len(), before, "the code may still come");
        app.advance(1);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(actions(&ada.client).await[before..], [SignInFailed]);
        let newest = ada.client.security().log().await.unwrap().entries.remove(0);
        assert_eq!(newest.network.as_deref(), Some("198.51.100.0/24"));
        let notified = ada.client.notifications().list().await.unwrap().notifications;
        assert_eq!(notified[0].r#type, NotificationType::Security);

        // One that sends the password again with the code.
        assert_eq!(sign_in_from(&app, "203.0.113.7", PASSWORD).await, 401);
        let members = json!({ "username": "ada", "password": PASSWORD, "code": current_code(&app, &totp).expose() });
        let request = app.raw(Method::POST, "/auth/login").header("x-forwarded-for", "203.0.113.7");
        assert_eq!(answer(request.json(&members)).await.status.as_u16(), 200);
        app.advance(300);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(actions(&ada.client).await[before..], [SignInFailed, SignedIn]);
    }

    async fn a_password_that_is_typed_elsewhere_does_not_hide_that_it_was_typed_before(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        add(&app, &ada).await;
        let before = actions(&ada.client).await.len();
        for address in ["198.51.100.7", "127.0.0.1"] {
            assert_eq!(sign_in_from(&app, address, PASSWORD).await, 401);
        }
        assert_eq!(actions(&ada.client).await[before..], [SecurityAction::SignInFailed]);
    }

    async fn a_sign_in_to_an_agent_does_not_hide_a_password_of_its_owner_without_its_code(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        use SecurityAction::{SignInFailed, SignedIn};
        let [ada, bot] = [app.person("ada", PASSWORD).await, app.agent("bot").await];
        own(&ada, &bot).await;
        add(&app, &ada).await;
        let hash = app.server.app().passwords.hash(PASSWORD.to_owned()).await.unwrap();
        let set = sql!("update account set password_hash = $1 where username = 'bot'");
        app.execute(move |ctx| ctx.tx.execute(set, values![hash])).await;
        let before = actions(&ada.client).await.len();
        assert_eq!(sign_in_from(&app, "198.51.100.7", PASSWORD).await, 401);
        assert_eq!(sign_in_as(&app, "bot", "198.51.100.7", PASSWORD).await, 200);
        app.advance(300);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(actions(&ada.client).await[before..], [SignedIn, SignInFailed], "the agent's, her own");
    }

    async fn an_owner_is_notified_of_failed_sign_ins_to_an_agent(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        use SecurityAction::SignInFailed;
        let [ada, bot] = [app.person("ada", PASSWORD).await, app.agent("bot").await];
        own(&ada, &bot).await;
        let before = actions(&ada.client).await.len();
        for _ in 0..2 {
            assert_eq!(sign_in_as(&app, "bot", "198.51.100.7", "wrong").await, 401);
        }
        assert_eq!(actions(&ada.client).await[before..], [SignInFailed], "once a day");
        let newest = ada.client.security().log().await.unwrap().entries.remove(0);
        let about = (newest.agent.as_deref(), newest.network.as_deref());
        assert_eq!(about, (Some("bot"), Some("198.51.100.0/24")));
        let notified = ada.client.notifications().list().await.unwrap().notifications;
        assert_eq!(notified[0].r#type, NotificationType::Security);
        assert_eq!(actions(&bot.client).await.last(), Some(&SignInFailed));
        // Her own is not taken for that of the agent.
        assert_eq!(sign_in_from(&app, "198.51.100.7", "wrong").await, 401);
        assert_eq!(actions(&ada.client).await[before..], [SignInFailed, SignInFailed]);
        let newest = ada.client.security().log().await.unwrap().entries.remove(0);
        assert_eq!(newest.agent, None);
    }

    async fn entries_are_kept_for_180_days(app: TestApp) {
        let ada = app.agent("ada").await;
        assert_eq!(actions(&ada.client).await.len(), 1);
        app.advance(180 * DAY);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(actions(&ada.client).await.len(), 1);
        app.advance(1);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(actions(&ada.client).await.len(), 0);
    }
}
