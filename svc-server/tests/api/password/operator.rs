//! Ways back into an account, and out of it, by the operator.

use serde_json::json;
use svc_client::types::api::pending::UndoPendingChange;
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{Code, Scope, Scopes};
use svc_server::admin::Command;
use svc_store::sql;

use super::{HOUR, NEW, PASSWORD, finish, person, recover};
use crate::app::code;
use crate::email::{mails, undo_of, verified};
use crate::factors::{add, current_code};
use crate::on_both_engines;

on_both_engines! {
    async fn a_link_of_the_operator_leads_back_without_mail(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let session = app.browser(&app.sign_in("ada", PASSWORD).await);
        let [first, token] = [recover(&app, "ada").await, recover(&app, "ada").await];
        app.sign_in("ada", PASSWORD).await;
        let ended = finish(&app, &json!({ "token": first, "newPassword": NEW })).await;
        assert_eq!(ended.refusal().code, Code::FeatureNotConfigured, "the next link ends it");
        let missing = finish(&app, &json!({ "token": token })).await.refusal();
        assert_eq!((missing.code, missing.field.as_deref()), (Code::ValidationFailed, Some("newPassword")));
        app.advance(24 * HOUR - 1);
        app.anonymous.auth().finish_password_reset(&*token).new_password(NEW).await.unwrap();
        session.auth().session().await.unwrap_err();
        app.sign_in("ada", NEW).await;
        let log = ada.client.security().log().await.unwrap().entries;
        let by = |action: SecurityAction| {
            log.iter().find(|entry| entry.action == action).map(|entry| entry.actor.clone())
        };
        assert_eq!(by(SecurityAction::RecoveryLinkCreated), Some(Some("operator".to_owned())));
        assert_eq!(by(SecurityAction::Recovered), Some(None));
    }

    async fn a_link_of_the_operator_ends_after_a_day(app: TestApp, "mail.url" = "smtp://127.0.0.1:9") {
        app.agent("bot").await;
        let token = recover(&app, "bot").await;
        app.advance(24 * HOUR);
        assert_eq!(finish(&app, &json!({ "token": token })).await.refusal().code, Code::NotFound);
        let token = recover(&app, "bot").await;
        let key = app.anonymous.auth().finish_password_reset(token).await.unwrap().api_key.unwrap();
        app.client(key).users().me().await.unwrap();
    }

    async fn a_recovery_of_an_agent_ends_every_key_that_a_thief_may_have_added(app: TestApp) {
        let bot = app.agent("bot").await;
        let keys = bot.client.keys();
        let all: Vec<Scope> = Scopes::ALL.iter().collect();
        let of_thief = app.client(keys.create("backup", all).await.unwrap().api_key);
        let reader = keys.create("reader", vec![Scope::Read]).await.unwrap().api_key;
        let token = recover(&app, "bot").await;
        let key = app.anonymous.auth().finish_password_reset(token).await.unwrap().api_key.unwrap();
        of_thief.auth().regenerate_api_key().await.unwrap_err();
        for ended in [&of_thief, &app.client(reader), &bot.client] {
            assert_eq!(ended.users().me().await.unwrap_err().code(), Some(&Code::Unauthorized));
        }
        let client = app.client(key);
        assert_eq!(client.keys().list().await.unwrap().keys.len(), 1, "the new default key");
        let log = client.security().log().await.unwrap().entries;
        let ends = log.iter().filter(|entry| entry.action == SecurityAction::KeyEnded);
        assert_eq!(ends.count(), 3);
    }

    async fn the_keys_of_a_person_outlive_a_new_password(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let reader = ada.client.keys().create("reader", vec![Scope::Read]).await.unwrap().api_key;
        let token = recover(&app, "ada").await;
        app.anonymous.auth().finish_password_reset(token).new_password(NEW).await.unwrap();
        app.client(reader).users().me().await.unwrap();
        assert_eq!(ada.client.keys().list().await.unwrap().keys.len(), 2);
    }

    async fn a_link_of_the_operator_does_not_replace_the_second_factor(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let (totp, _) = add(&app, &ada).await;
        let token = recover(&app, "ada").await;
        let asked = finish(&app, &json!({ "token": token, "newPassword": NEW })).await.refusal();
        assert_eq!(asked.code, Code::SecondFactorRequired);
        app.advance(60);
        let members = json!({ "token": token, "newPassword": NEW, "code": current_code(&app, &totp) });
        finish(&app, &members).await.json();
    }

    async fn an_operator_sets_a_password_that_ends_sessions_and_links(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let session = app.browser(&app.sign_in("ada", PASSWORD).await);
        let token = recover(&app, "ada").await;
        let command = Command::ResetPassword { username: "ada".to_owned() };
        let line = app.server.admin(command).await.remove(0).account().unwrap();
        app.anonymous.auth().login("ada", PASSWORD).await.unwrap_err();
        app.anonymous.auth().login("ada", line.password.unwrap().expose()).await.unwrap();
        session.auth().session().await.unwrap_err();
        let ended = finish(&app, &json!({ "token": token, "newPassword": NEW })).await.refusal();
        assert_eq!(ended.code, Code::FeatureNotConfigured);
        let log = ada.client.security().log().await.unwrap().entries;
        let changed = log.iter().find(|entry| entry.action == SecurityAction::PasswordChanged);
        assert_eq!(changed.unwrap().actor.as_deref(), Some("operator"));
    }

    async fn after_a_link_of_the_operator_no_former_mailbox_takes_a_new_address_back(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = person(&app, &recorder, "ada").await;
        ada.client.users().update_me().email("thief@example.org").await.unwrap();
        let [of_thief, notice] = mails(&app, &recorder).await.try_into().unwrap();
        app.anonymous.auth().verify_email(of_thief.token()).await.unwrap();
        let token = recover(&app, "ada").await;
        app.anonymous.auth().finish_password_reset(&*token).new_password(NEW).await.unwrap();
        let undone = app.anonymous.pending().undo(undo_of(&notice)).await;
        assert_eq!(code::<UndoPendingChange>(undone), Code::NotFound);
        ada.client.users().update_me().email("ada@example.org").await.unwrap();
        let [own, to_thief] = mails(&app, &recorder).await.try_into().unwrap();
        assert_eq!(to_thief.recipient, "thief@example.org");
        assert!(!to_thief.text.contains("/undo/"), "{}", to_thief.text);
        app.anonymous.auth().verify_email(own.token()).await.unwrap();
        let user = ada.client.users().me().await.unwrap().user;
        assert_eq!((user.email.as_deref(), user.email_verified), (Some("ada@example.org"), Some(true)));
    }

    async fn an_agent_that_the_operator_led_back_does_not_wait_for_the_mailbox_of_a_thief(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let bot = app.agent("bot").await;
        verified(&app, &recorder, &bot.client, "thief@example.org").await;
        let token = recover(&app, "bot").await;
        let key = app.anonymous.auth().finish_password_reset(token).await.unwrap().api_key.unwrap();
        let changed = app.client(key).users().update_me().email("bot@example.org").await.unwrap();
        assert_eq!(changed.pending_until, None);
        let [link, _] = mails(&app, &recorder).await.try_into().unwrap();
        assert_eq!(link.recipient, "bot@example.org");
    }

    async fn an_operator_deletes_an_account_as_it_could_itself(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let service = bob.client.services().create("count", "counts", 5).await.unwrap().service.id;
        let deal = ada.client.escrow().create("bob", &service, 5, "words").await.unwrap().escrow.id;
        let delete = || Command::Delete { username: "ada".to_owned() };
        let open = app.server.try_admin(&delete()).await.unwrap_err();
        assert_eq!(open.code(), Code::OpenObligations);
        ada.client.escrow().cancel(&deal).await.unwrap();
        app.server.admin(delete()).await;
        ada.client.auth().restore().await.unwrap();
        let log = ada.client.security().log().await.unwrap().entries;
        let deleted = log.iter().find(|entry| entry.action == SecurityAction::AccountDeleted);
        assert_eq!(deleted.unwrap().actor.as_deref(), Some("operator"));
        let audited = sql!("select count(*) from audit_log where actor = 'operator' and action = 'account_deleted'");
        assert_eq!(app.count(audited).await, 1);
    }
}
