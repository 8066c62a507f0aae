//! Mails about pending changes, and the links in them that take a change back.

use svc_client::types::Code;
use svc_client::types::api::email::VerifyEmail;
use svc_client::types::api::pending::UndoPendingChange;
use svc_client::types::api::security::SecurityAction;
use svc_client::types::api::users::UpdateMe;

use super::{PASSWORD, actions, advance_past_wait, owned, pending};
use crate::app::code;
use crate::email::{mails, one_mail, verified};
use crate::on_both_engines;
use crate::owners::own;

on_both_engines! {
    async fn a_verified_address_is_notified_and_undoes_a_change_by_its_link(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let bot = app.agent("bot").await;
        verified(&app, &recorder, &bot.client, "bot@example.org").await;
        let deleted = bot.client.users().delete_me("bot").await.unwrap();
        assert!(deleted.pending_until.is_some(), "the reader of the mail may undo it");
        let mail = one_mail(&app, &recorder).await;
        assert_eq!(mail.recipient, "bot@example.org");
        assert_eq!(mail.subject, "A change of your account is pending");
        assert!(mail.text.contains("@bot") && mail.text.contains(" is to be deleted, in "), "{}", mail.text);
        let link = mail.text.lines().find_map(|line| line.split_once("/undo/")).unwrap().1;
        let undo = || app.anonymous.pending().undo(link);
        assert!(undo().await.unwrap().undone);
        assert_eq!(code::<UndoPendingChange>(undo().await), Code::NotFound);
        assert_eq!(pending(&bot).await, []);
        advance_past_wait(&app).await;
        assert_eq!(actions(&bot).await[0], SecurityAction::ChangeCancelled);
    }

    async fn an_owner_is_mailed_what_its_agent_asked_for_and_undoes_it_by_the_link(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let (grace, bot) = owned(&app).await;
        let verify = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(verify).await.unwrap();
        for round in 1..=4 {
            bot.client.agents().release("bot").await.unwrap();
            let sent = mails(&app, &recorder).await;
            assert_eq!(sent.len(), usize::from(round < 4), "three mails an hour");
            let id = pending(&grace).await.remove(0).2;
            let Some(mail) = sent.first() else { continue };
            assert_eq!(mail.recipient, "grace@example.org");
            assert_eq!(mail.subject, "A change of your agent is pending");
            let what = "is to leave its owner, in 72 hours.";
            assert!(mail.text.contains("Your agent @bot on ") && mail.text.contains(what), "{}", mail.text);
            if round < 3 {
                bot.client.pending().cancel(&id).await.unwrap();
                continue;
            }
            let link = mail.text.lines().find_map(|line| line.split_once("/undo/")).unwrap().1;
            assert!(app.anonymous.pending().undo(link).await.unwrap().undone);
            assert_eq!(pending(&grace).await, []);
        }
        assert_eq!(pending(&grace).await.len(), 1, "without a mail it waits all the same");
    }

    async fn a_mailbox_gets_three_links_an_hour_about_changes_of_its_account(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let bot = app.agent("bot").await;
        verified(&app, &recorder, &bot.client, "bot@example.org").await;
        let ask = async |address: &str| bot.client.users().update_me().email(address).await;
        for address in ["one@example.org", "two@example.org", "three@example.org"] {
            assert!(ask(address).await.unwrap().pending_until.is_some());
        }
        let refused = ask("four@example.org").await;
        assert_eq!(code::<UpdateMe>(refused), Code::RateLimited, "a stolen key fills no mailbox");
        let sent = mails(&app, &recorder).await;
        let recipients: Vec<&str> = sent.iter().map(|mail| mail.recipient.as_str()).collect();
        assert_eq!(recipients, ["bot@example.org"; 3]);
        let listed = bot.client.pending().list().await.unwrap().pending;
        assert_eq!(listed[0].email.as_deref(), Some("three@example.org"), "the last link takes it back");
        bot.client.users().delete_me("bot").await.expect("each kind of change has its own limit");
        app.advance(3_600);
        ask("four@example.org").await.unwrap();
    }

    async fn the_mail_about_a_change_names_it_and_what_to_do_otherwise(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let bot = app.agent("bot").await;
        verified(&app, &recorder, &bot.client, "bot@example.org").await;
        own(&app.person("grace", PASSWORD).await, &bot).await;
        mails(&app, &recorder).await;
        bot.client.users().update_me().email("thief@example.org").await.unwrap();
        let changed = one_mail(&app, &recorder).await;
        bot.client.agents().release("bot").await.unwrap();
        let released = one_mail(&app, &recorder).await;
        for (mail, what) in [(changed, "get another e-mail address"), (released, "leave its owner")] {
            assert_eq!(mail.recipient, "bot@example.org");
            let said = format!(
                "The account @bot on {} is to {what}, in 72 hours.\nIts API key asked for it.\n\n\
                 If it was not you, open this link and press the button, then replace the key:\n",
                app.server.app().public_url
            );
            assert!(mail.text.starts_with(&said), "{}", mail.text);
        }
    }

    async fn an_address_that_waits_for_its_link_is_given_up_when_the_keys_are_replaced(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let (grace, bot) = owned(&app).await;
        one_mail(&app, &recorder).await;
        bot.client.users().update_me().email("thief@example.org").await.unwrap();
        advance_past_wait(&app).await;
        let link = one_mail(&app, &recorder).await;
        assert_eq!(link.recipient, "thief@example.org");
        grace.client.auth().step_up().password(PASSWORD).await.unwrap();
        let key = grace.client.agents().rotate_key("bot").await.unwrap().api_key;
        let late = app.anonymous.auth().verify_email(link.token()).await;
        assert_eq!(code::<VerifyEmail>(late), Code::NotFound);
        assert_eq!(app.client(key).users().me().await.unwrap().user.pending_email, None);
        assert_eq!(actions(&grace).await[1], SecurityAction::ChangeCancelled);
    }
}
