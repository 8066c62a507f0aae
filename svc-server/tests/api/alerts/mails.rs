//! Mails about entries of the security log.

use svc_client::types::Scope;
use svc_core::tasks::sweep;
use svc_server::admin::Command;
use svc_server::mail::Recorder;
use svc_store::{sql, values};

use super::{ADDRESS, mailed, person, reachable};
use crate::app::{Member, TestApp};
use crate::email::{SECURITY, all_mails};
use crate::held::{Held, behind};
use crate::on_both_engines;
use crate::owners::own;
use crate::pending::advance_past_wait;

/// An agent with a verified address.
async fn agent(app: &TestApp) -> Member {
    reachable(app, app.agent("ada").await).await
}

/// Creates a key, which is an entry of the log.
async fn create_key(member: &Member, name: &str) {
    member.client.keys().create(name, vec![Scope::Read]).await.unwrap();
}

/// Creates a key that is mailed at once, and another, whose mail waits for ten minutes.
async fn create_key_that_waits(app: &TestApp, recorder: &Recorder, member: &Member) {
    create_key(member, "first").await;
    assert_eq!(mailed(app, recorder).await.len(), 1);
    create_key(member, "of a thief").await;
}

on_both_engines! {
    async fn entries_are_mailed_to_the_verified_address_together(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = agent(&app).await;
        create_key(&ada, "first").await;
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
            create_key(&ada, &number.to_string()).await;
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
        create_key(&ada, "first").await;
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
        create_key(&ada, "second").await;
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.text.matches("An API key was created.").count(), 2, "{}", mail.text);
    }

    async fn an_entry_is_mailed_although_the_last_mail_is_forgotten_meanwhile(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "database.connections" = "6"
    ) {
        let recorder = app.server.record_mails();
        let ada = agent(&app).await;
        create_key(&ada, "first").await;
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
        create_key(&ada, "first").await;
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
        advance_past_wait(&app).await;
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
        create_key_that_waits(&app, &recorder, &ada).await;
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
        create_key_that_waits(&app, &recorder, &ada).await;
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
        advance_past_wait(&app).await;
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        let restore = format!("\nPOST {}/api/auth/restore\n", app.server.app().public_url);
        assert!(mail.text.contains(&restore), "{}", mail.text);
        assert!(!mail.text.contains("/forgot"), "no link leads into it: {}", mail.text);
        ada.client.auth().restore().await.unwrap();
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
        create_key(&ada, "first").await;
        assert_eq!(mailed(&app, &recorder).await.len(), 1);
        create_key(&ada, "second").await;
        create_key(&bob, "another").await;
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

    async fn a_mail_names_twenty_entries_at_most(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = agent(&app).await;
        for number in 0..21 {
            create_key(&ada, &number.to_string()).await;
        }
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert_eq!(mail.text.matches("An API key was created.").count(), 20);
        assert!(mail.text.contains("There is more in the log."));
    }

    async fn an_account_without_a_verified_address_gets_no_mail(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.agent("ada").await;
        create_key(&ada, "reader").await;
        assert_eq!(mailed(&app, &recorder).await, []);
        let sql = sql!("select count(*) from entry_mail");
        assert_eq!(app.count(sql).await, 0);
    }
}
