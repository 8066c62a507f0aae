//! Entries of the security log notify their account: in the app, as an event and by mail.

mod mails;
mod sign_ins;

use http::Method;
use serde_json::{Value, json};
use svc_client::Client;
use svc_client::types::Scope;
use svc_client::types::api::notifications::NotificationType;
use svc_client::types::api::security::SecurityAction;
use svc_server::admin::Command;
use svc_server::mail::{Recorded, Recorder};
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items};
use crate::email::{SECURITY, all_mails};
use crate::on_both_engines;
use crate::owners::{PASSWORD, pair};
use crate::pending::advance_past_wait;
use crate::raw::answer;

const ADDRESS: &str = "ada@example.org";

/// Texts of the notifications about security, oldest first.
async fn notified(client: &Client) -> Vec<String> {
    let mut notified = all_items(client.notifications().list()).await;
    notified.retain(|one| one.r#type == NotificationType::Security);
    notified.reverse();
    notified.into_iter().map(|one| one.text.unwrap()).collect()
}

/// Data of the events about security.
async fn events(client: &Client) -> Vec<Value> {
    let events = client.events().list().await.unwrap().events;
    let events = events.into_iter().filter(|event| event.event == "security");
    events.map(|event| Value::from(event.data)).collect()
}

/// The mails about security that are due.
async fn mailed(app: &TestApp, recorder: &Recorder) -> Vec<Recorded> {
    let mut mails = all_mails(app, recorder).await;
    mails.retain(|mail| mail.subject == SECURITY);
    mails
}

/// A person with a verified address.
async fn person(app: &TestApp) -> Member {
    reachable(app, app.person("ada", PASSWORD).await).await
}

/// The account with a verified address. The clock stands still, so the server sends no mail on its own.
async fn reachable(app: &TestApp, ada: Member) -> Member {
    let id = ada.user.id.clone();
    let sql = sql!("update account set email = $1, email_verified_at = created_at where id = $2");
    app.execute(move |ctx| ctx.tx.execute(sql, values![ADDRESS, id])).await;
    ada
}

on_both_engines! {
    async fn a_registration_notifies_no_one(app: TestApp) {
        let [ann, bot] = [app.person("ann", PASSWORD).await, app.agent("bot").await];
        for member in [&ann, &bot] {
            assert_eq!(member.client.events().list().await.unwrap().events, []);
        }
    }

    async fn an_account_is_notified_of_each_entry(app: TestApp) {
        let ada = app.agent("ada").await;
        let key = ada.client.keys().create("reader", vec![Scope::Read]).await.unwrap().key;
        assert_eq!(notified(&ada.client).await, ["An API key was created."]);
        let [event] = events(&ada.client).await.try_into().unwrap();
        assert_eq!(event["action"], "key_created");
        assert_eq!(event["keyId"], json!(key.key_id));
        assert_eq!(event["network"], "127.0.0.0/24");
        let [entry, _] = all_items(ada.client.security().log()).await.try_into().unwrap();
        assert_eq!(event, serde_json::to_value(entry).unwrap());
    }

    async fn what_is_refused_notifies_no_one(app: TestApp) {
        let ada = app.agent("ada").await;
        let create = || ada.client.keys().create("reader", vec![Scope::Read]);
        create().await.unwrap();
        create().await.unwrap_err();
        assert_eq!(notified(&ada.client).await.len(), 1);
    }

    async fn notifications_about_security_cannot_be_turned_off(app: TestApp) {
        let ada = app.agent("ada").await;
        let off = json!({ "preferences": { "types": { "security": { "inApp": false } } } });
        let refused = answer(ada.raw(&app, Method::PUT, "/notifications/preferences").json(&off));
        let refusal = refused.await.refusal();
        assert_eq!(refusal.error, "notifications of type security cannot be turned off");
        let preferences = ada.client.notifications().preferences().await.unwrap().preferences;
        assert!(!preferences.types.contains_key("security"));
    }

    async fn an_owner_is_notified_of_what_happens_to_its_agent(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        bot.client.keys().create("reader", vec![Scope::Read]).await.unwrap();
        ann.client.agents().pause("bot").await.unwrap();
        assert_eq!(notified(&ann.client).await, [
            "@bot: A person became the owner of an agent.",
            "@bot: An API key was created.",
            "@bot: An agent was paused by its owner.",
        ]);
        assert_eq!(notified(&bot.client).await[1..], [
            "A person became the owner of an agent (by @ann).",
            "An API key was created.",
            "An agent was paused by its owner (by @ann).",
        ]);
        let log = all_items(ann.client.security().log()).await;
        assert_eq!(log[1].action, SecurityAction::KeyCreated);
        assert_eq!(log[1].agent.as_deref(), Some("bot"));
        app.server.admin(Command::Recover { username: "bot".to_owned() }).await;
        let by_operator = ann.client.security().log().await.unwrap().entries.remove(0);
        assert_eq!(by_operator.action, SecurityAction::RecoveryLinkCreated);
        assert_eq!(by_operator.agent.as_deref(), Some("bot"));
        assert_eq!(by_operator.actor.as_deref(), Some("operator"));
    }

    async fn an_owner_is_notified_of_the_deletion_of_its_agent(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        bot.client.users().delete_me("bot").await.unwrap();
        advance_past_wait(&app).await;
        let notified = notified(&ann.client).await;
        assert_eq!(notified[notified.len() - 2..], [
            "@bot: The account was deleted.",
            "@bot: The ownership of an agent ended (by @bot).",
        ]);
    }
}
