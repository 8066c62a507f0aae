//! Entries of the security log notify their account: in the app, as an event and by mail.

use http::Method;
use serde_json::{Value, json};
use svc_client::Client;
use svc_client::types::api::notifications::NotificationType;
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{Code, Scope};
use svc_core::tasks::sweep;
use svc_server::admin::Command;
use svc_server::mail::{Recorded, Recorder};
use svc_store::{sql, values};

use crate::app::{Member, TestApp, all_items};
use crate::device::Device;
use crate::email::{SECURITY, all_mails};
use crate::factors::add;
use crate::held::{Held, behind};
use crate::on_both_engines;
use crate::owners::{PASSWORD, own, pair};
use crate::pending::settle_all;
use crate::raw::answer;

const ADDRESS: &str = "ada@example.org";

const FAILED: &str = "A sign-in failed, from a network without an earlier sign-in of the account.";

/// Texts of the notifications about security, oldest first.
async fn told(client: &Client) -> Vec<String> {
    let mut told = all_items(client.notifications().list()).await;
    told.retain(|one| one.r#type == NotificationType::Security);
    told.reverse();
    told.into_iter().map(|one| one.text.unwrap()).collect()
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

/// An agent of this kind.
async fn agent(app: &TestApp) -> Member {
    reachable(app, app.agent("ada").await).await
}

/// Time stands still meanwhile, so that the server sends no mail on its own.
async fn reachable(app: &TestApp, ada: Member) -> Member {
    let id = ada.user.id.clone();
    let sql = sql!("update account set email = $1, email_verified_at = created_at where id = $2");
    app.execute(move |ctx| ctx.tx.execute(sql, values![ADDRESS, id])).await;
    ada
}

async fn sign_in(app: &TestApp, address: &str, password: &str) -> u16 {
    let request = app.raw(Method::POST, "/auth/login").header("x-forwarded-for", address);
    let body = json!({ "username": "ada", "password": password });
    answer(request.json(&body)).await.status.as_u16()
}

on_both_engines! {
    async fn a_registration_tells_nobody(app: TestApp) {
        let [ann, bot] = [app.person("ann", PASSWORD).await, app.agent("bot").await];
        for member in [&ann, &bot] {
            assert_eq!(member.client.events().list().await.unwrap().events, []);
        }
    }

    async fn an_account_is_told_of_each_entry(app: TestApp) {
        let ada = app.agent("ada").await;
        let key = ada.client.keys().create("reader", vec![Scope::Read]).await.unwrap().key;
        assert_eq!(told(&ada.client).await, ["An API key was created."]);
        let [event] = events(&ada.client).await.try_into().unwrap();
        assert_eq!(event["action"], "key_created");
        assert_eq!(event["keyId"], json!(key.key_id));
        assert_eq!(event["network"], "127.0.0.0/24");
        let [entry, _] = all_items(ada.client.security().log()).await.try_into().unwrap();
        assert_eq!(event, serde_json::to_value(entry).unwrap());
    }

    async fn what_is_refused_tells_nobody(app: TestApp) {
        let ada = app.agent("ada").await;
        let create = || ada.client.keys().create("reader", vec![Scope::Read]);
        create().await.unwrap();
        create().await.unwrap_err();
        assert_eq!(told(&ada.client).await.len(), 1);
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

    async fn an_owner_is_told_of_what_happens_to_its_agent(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        bot.client.keys().create("reader", vec![Scope::Read]).await.unwrap();
        ann.client.agents().pause("bot").await.unwrap();
        assert_eq!(told(&ann.client).await, [
            "@bot: A person became the owner of an agent.",
            "@bot: An API key was created.",
            "@bot: An agent was paused by its owner.",
        ]);
        assert_eq!(told(&bot.client).await[1..], [
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

    async fn entries_are_mailed_to_the_verified_address_together(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = agent(&app).await;
        let create = async |name: &str| {
            ada.client.keys().create(name, vec![Scope::Read]).await.unwrap();
        };
        create("first").await;
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.recipient, ADDRESS);
        assert!(mail.text.contains("@ada"), "{}", mail.text);
        assert!(mail.text.contains(" from 127.0.0.0/24\n  An API key was created.\n"), "{}", mail.text);
        let advice = format!(
            "\nIf this was not you, get a new API key, and delete the keys that you do not know:\n\n{}/forgot\n",
            app.server.app().public_url
        );
        assert!(mail.text.ends_with(&advice), "it has no password to change: {}", mail.text);
        sweep::once(app.server.app()).await.unwrap();
        for number in 0..3 {
            create(&number.to_string()).await;
        }
        assert_eq!(mailed(&app, &recorder).await, [], "the next one waits for ten minutes");
        app.agent("bob").await.client.users().delete_me("bob").await.unwrap();
        app.advance(600);
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.text.matches("An API key was created.").count(), 3);
        app.advance(600);
        assert_eq!(mailed(&app, &recorder).await, []);
        sweep::once(app.server.app()).await.unwrap();
        let noted = sql!("select count(*) from entry_mail");
        assert_eq!(app.count(noted).await, 0, "what delays no mail any more is forgotten");
    }

    async fn an_entry_is_mailed_although_another_node_made_a_larger_id_before(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = agent(&app).await;
        ada.client.keys().create("first", vec![Scope::Read]).await.unwrap();
        // The ids of a node stay ahead after its clock was.
        let ahead = sql!(
            "update security_entry set id = substr(id, 1, 4) || '7' || substr(id, 6)
             where id = (select first from entry_mail)"
        );
        let first = sql!("update entry_mail set first = (select max(id) from security_entry)");
        app.execute(move |ctx| {
            ctx.tx.execute(ahead, &[])?;
            ctx.tx.execute(first, &[])
        })
        .await;
        ada.client.keys().create("second", vec![Scope::Read]).await.unwrap();
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.text.matches("An API key was created.").count(), 2, "{}", mail.text);
    }

    async fn an_entry_is_mailed_although_the_last_mail_is_forgotten_meanwhile(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "database.connections" = "6"
    ) {
        let recorder = app.server.record_mails();
        let ada = agent(&app).await;
        ada.client.keys().create("first", vec![Scope::Read]).await.unwrap();
        assert_eq!(mailed(&app, &recorder).await.len(), 1);
        let sent = sql!("update entry_mail set sent_at = 0");
        app.execute(move |ctx| ctx.tx.execute(sent, &[])).await;
        // As another node that adds an entry.
        let held = Held::by(&app, |ctx| {
            let now = ctx.now();
            let sql = sql!(
                "update entry_mail set due_at = $1,
                    first = (select max(id) from security_entry where account = entry_mail.account)"
            );
            ctx.tx.execute(sql, values![now])
        })
        .await;
        behind(&app, held, 1, sweep::once(app.server.app())).await.unwrap();
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert!(mail.text.contains("An API key was created."), "{}", mail.text);
    }

    async fn a_mail_that_cannot_be_written_delays_no_other(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = agent(&app).await;
        ada.client.keys().create("first", vec![Scope::Read]).await.unwrap();
        let damage = sql!("update entry_mail set first = null");
        app.execute(move |ctx| ctx.tx.execute(damage, &[])).await;
        let bob = app.agent("bob").await;
        bob.client.users().update_me().email("bob@example.org").await.unwrap();
        let [mail] = all_mails(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.recipient, "bob@example.org");
    }

    async fn a_mail_about_an_agent_says_where_its_owner_stops_it(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let [ada, bot] = [person(&app).await, app.agent("bot").await];
        own(&ada, &bot).await;
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.recipient, ADDRESS);
        for text in ["@bot: A person became the owner of an agent.", "/settings/security\n"] {
            assert!(mail.text.contains(text), "{text}: {}", mail.text);
        }
        assert!(mail.text.ends_with("/settings/agents\n"), "{}", mail.text);
        bot.client.users().update_me().email("new@example.org").await.unwrap();
        settle_all(&app).await;
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.recipient, ADDRESS);
        let entered = "@bot: A new e-mail address was set, which counts once it is verified.";
        assert!(mail.text.contains(entered), "{}", mail.text);
    }

    async fn what_happened_before_an_address_was_replaced_is_mailed_to_the_former_one(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = person(&app).await;
        let create = async |name: &str| {
            ada.client.keys().create(name, vec![Scope::Read]).await.unwrap();
        };
        create("first").await;
        assert_eq!(mailed(&app, &recorder).await.len(), 1);
        create("of a thief").await;
        ada.client.users().update_me().email("thief@example.org").await.unwrap();
        let sent = all_mails(&app, &recorder).await;
        assert!(sent.iter().all(|mail| mail.subject != SECURITY), "that waits for ten minutes");
        let link = sent.iter().find(|mail| mail.recipient == "thief@example.org").unwrap();
        app.anonymous.auth().verify_email(link.token()).await.unwrap();
        let sent = mailed(&app, &recorder).await;
        let to = |address: &str| sent.iter().find(|mail| mail.recipient == address).unwrap();
        let created = "An API key was created.";
        assert!(to(ADDRESS).text.contains(created), "{}", to(ADDRESS).text);
        let new = &to("thief@example.org").text;
        assert!(new.contains("The e-mail address was changed."), "{new}");
        assert!(!new.contains(created), "{new}");
        app.advance(600);
        assert_eq!(mailed(&app, &recorder).await, []);
    }

    async fn what_waits_is_mailed_with_the_deletion_of_its_account_and_how_to_restore_that(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = person(&app).await;
        let create = async |name: &str| {
            ada.client.keys().create(name, vec![Scope::Read]).await.unwrap();
        };
        create("first").await;
        assert_eq!(mailed(&app, &recorder).await.len(), 1);
        create("of a thief").await;
        assert_eq!(mailed(&app, &recorder).await, []);
        let erased_at = ada.client.users().delete_me("ada").await.unwrap().erased_at.unwrap();
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.recipient, ADDRESS);
        let restore = format!("sign in and restore it before {erased_at}.\n");
        for text in ["An API key was created.", "The account was deleted.", &*restore, "/login\n"] {
            assert!(mail.text.contains(text), "{text}: {}", mail.text);
        }
        assert!(!mail.text.contains("/settings/"), "nothing else can be done: {}", mail.text);
    }

    async fn the_mail_about_the_deletion_of_an_agent_says_how_its_key_restores_it(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = agent(&app).await;
        ada.client.users().delete_me("ada").await.unwrap();
        settle_all(&app).await;
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        let restore = format!("\nPOST {}/api/auth/restore\n", app.server.app().public_url);
        assert!(mail.text.contains(&restore), "{}", mail.text);
        assert!(!mail.text.contains("/forgot"), "no link leads into it: {}", mail.text);
        ada.client.auth().restore().await.unwrap();
    }

    async fn an_owner_is_notified_of_a_sign_in_to_its_agent_from_a_new_network(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let [ann, ada] = [app.person("ann", PASSWORD).await, app.agent("ada").await];
        own(&ann, &ada).await;
        let hash = app.server.app().passwords.hash(PASSWORD.to_owned()).await.unwrap();
        let set = sql!("update account set password_hash = $1 where username = 'ada'");
        app.execute(move |ctx| ctx.tx.execute(set, values![hash])).await;
        for _ in 0..2 {
            assert_eq!(sign_in(&app, "198.51.100.7", PASSWORD).await, 200);
        }
        let told = told(&ann.client).await;
        let expected = "@ada: A sign-in started a session.";
        assert_eq!(told.iter().filter(|text| *text == expected).count(), 1, "{told:?}");
    }

    async fn an_owner_is_notified_of_the_deletion_of_its_agent(app: TestApp) {
        let [ann, bot] = pair(&app).await;
        bot.client.users().delete_me("bot").await.unwrap();
        settle_all(&app).await;
        let told = told(&ann.client).await;
        assert_eq!(told[told.len() - 2..], [
            "@bot: The account was deleted.",
            "@bot: The ownership of an agent ended (by @bot).",
        ]);
    }

    async fn a_mail_about_one_account_neither_delays_nor_replaces_that_about_another(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = agent(&app).await;
        let bob = app.agent("bob").await;
        let verify = sql!(
            "update account set email = 'bob@example.org', email_verified_at = created_at
             where username = 'bob'"
        );
        app.execute(move |ctx| ctx.tx.execute(verify, &[])).await;
        let create = async |who: &Member, name: &str| {
            who.client.keys().create(name, vec![Scope::Read]).await.unwrap();
        };
        create(&ada, "first").await;
        assert_eq!(mailed(&app, &recorder).await.len(), 1);
        create(&ada, "second").await;
        create(&bob, "another").await;
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.recipient, "bob@example.org");
        app.server.admin(Command::Delete { username: "bob".to_owned() }).await;
        // As if the mail had been due for long.
        let sent = sql!("update entry_mail set sent_at = 0");
        app.execute(move |ctx| ctx.tx.execute(sent, &[])).await;
        sweep::once(app.server.app()).await.unwrap();
        app.advance(600);
        let mails = mailed(&app, &recorder).await;
        assert!(mails.iter().any(|mail| mail.recipient == ADDRESS), "{mails:?}");
    }

    async fn a_failed_sign_in_to_one_account_hides_none_to_another(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let before = told(&ada.client).await.len();
        let request = app.raw(Method::POST, "/auth/login").header("x-forwarded-for", "198.51.100.7");
        let body = json!({ "username": "bob", "password": "wrong password" });
        assert_eq!(answer(request.json(&body)).await.status, 401);
        assert_eq!(sign_in(&app, "198.51.100.7", "wrong password").await, 401);
        assert_eq!(told(&ada.client).await[before..], [FAILED]);
    }

    async fn a_mail_names_twenty_entries_at_most(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = agent(&app).await;
        for number in 0..21 {
            ada.client.keys().create(number.to_string(), vec![Scope::Read]).await.unwrap();
        }
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.text.matches("An API key was created.").count(), 20);
        assert!(mail.text.contains("There is more in the log."));
    }

    async fn of_sign_ins_an_account_is_told_only_from_new_networks(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "trusted_proxies" = "127.0.0.1"
    ) {
        let recorder = app.server.record_mails();
        let ada = person(&app).await;
        assert_eq!(sign_in(&app, "198.51.100.7", PASSWORD).await, 200);
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert!(mail.text.contains(" from 198.51.100.0/24\n  A sign-in started a session.\n"));
        assert!(mail.text.contains("If this was not you, sign in, change your password,"), "{}", mail.text);
        let log = format!("\n{}/settings/security\n", app.server.app().public_url);
        assert!(mail.text.ends_with(&log), "{}", mail.text);
        app.advance(600);
        assert_eq!(sign_in(&app, "198.51.100.7", PASSWORD).await, 200);
        assert_eq!(mailed(&app, &recorder).await, []);
        let told = told(&ada.client).await;
        let sign_ins = told.iter().filter(|text| *text == "A sign-in started a session.");
        assert_eq!(sign_ins.count(), 1);
    }

    async fn a_failed_sign_in_is_told_once_it_has_failed(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "trusted_proxies" = "127.0.0.1"
    ) {
        let recorder = app.server.record_mails();
        let ada = person(&app).await;
        let before = told(&ada.client).await.len();
        assert_eq!(sign_in(&app, "198.51.100.7", "wrong password").await, 401);
        assert_eq!(sign_in(&app, "198.51.100.7", "wrong password").await, 401);
        assert_eq!(told(&ada.client).await[before..], [FAILED], "once a day and network");
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert!(mail.text.contains(FAILED));
    }

    async fn the_account_is_notified_of_a_wrong_code_after_the_right_password(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        add(&app, &ada).await;
        let before = told(&ada.client).await.len();
        let request = app.raw(Method::POST, "/auth/login");
        let request = request.header("x-forwarded-for", "198.51.100.7");
        let body = json!({ "username": "ada", "password": PASSWORD, "code": "000000" });
        let refused = answer(request.json(&body)).await.refusal();
        let found = (refused.code, refused.field.as_deref());
        assert_eq!(found, (Code::InvalidCredentials, Some("code")));
        assert_eq!(told(&ada.client).await[before..], [FAILED]);
    }

    async fn the_account_is_notified_of_a_failed_confirmation_and_of_a_wrong_code_at_a_reset(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        add(&app, &ada).await;
        let command = Command::Recover { username: "ada".to_owned() };
        let link = app.server.admin(command).await.remove(0).account().unwrap().link.unwrap();
        let (_, token) = link.expose().split_once("/reset?token=").unwrap();
        let before = told(&ada.client).await.len();
        let confirming = ada.raw(&app, Method::POST, "/auth/step-up");
        let resetting = app.raw(Method::POST, "/auth/password/reset/finish");
        let new = json!({ "token": token, "newPassword": "battery staple", "code": "000000" });
        for (request, network, body) in [
            (confirming, "198.51.100.7", json!({ "code": "000000" })),
            (resetting, "203.0.113.7", new),
        ] {
            let request = request.header("x-forwarded-for", network).json(&body);
            assert_eq!(answer(request).await.refusal().field.as_deref(), Some("code"));
        }
        assert_eq!(told(&ada.client).await[before..], [FAILED; 2]);
    }

    async fn the_account_is_notified_of_a_wrong_first_code(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        ada.client.factors().create_totp().await.unwrap();
        let before = told(&ada.client).await.len();
        let confirming = ada.raw(&app, Method::POST, "/auth/totp/confirm");
        let confirming = confirming.header("x-forwarded-for", "198.51.100.7");
        let refused = answer(confirming.json(&json!({ "code": "000000" }))).await.refusal();
        assert_eq!(refused.field.as_deref(), Some("code"));
        assert_eq!(told(&ada.client).await[before..], [FAILED]);
    }

    async fn the_account_is_notified_of_a_refused_passkey(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let bot = app.agent("bot").await;
        let mut device = Device::of(&bot).await;
        let before = told(&bot.client).await.len();
        let begun = app.anonymous.passkeys().begin_login().await.unwrap();
        let forged = device.signs_but(&begun.options, |says| says.is_forged = true);
        app.anonymous.passkeys().login(begun.ceremony_id, forged).await.unwrap_err();
        assert_eq!(told(&bot.client).await[before..], [FAILED]);
    }

    async fn an_account_without_a_verified_address_gets_no_mail(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.agent("ada").await;
        ada.client.keys().create("reader", vec![Scope::Read]).await.unwrap();
        assert_eq!(mailed(&app, &recorder).await, []);
        let sql = sql!("select count(*) from entry_mail");
        assert_eq!(app.count(sql).await, 0);
    }
}
