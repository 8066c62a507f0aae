//! A new address beside the former one: pending, verified, taken back.

use svc_client::types::Code;
use svc_client::types::api::email::VerifyEmail;
use svc_client::types::api::pending::UndoPendingChange;
use svc_client::types::api::security::SecurityAction;
use svc_client::types::api::users::UpdateMe;
use svc_server::mail::Recorded;

use super::{
    HOUR, PASSWORD, actions, addresses, mails, one_mail, sign_in, state, undo_of, verified,
};
use crate::app::code;
use crate::on_both_engines;

on_both_engines! {
    async fn a_changed_address_counts_once_verified_and_the_former_one_is_notified(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let first = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(first).await.unwrap();
        let user = ada.client.users().update_me().email("Two@example.org").bio("hi").await.unwrap();
        assert_eq!((user.user.bio.as_str(), user.user.pending_email), ("hi", Some("two@example.org".to_owned())));
        let mails = mails(&app, &recorder).await;
        let recipients: Vec<&str> = mails.iter().map(|mail| mail.recipient.as_str()).collect();
        assert_eq!(recipients, ["two@example.org", "ada@example.org"]);
        assert!(!mails[1].text.contains("token="), "{}", mails[1].text);
        assert!(mails[1].text.contains("the account @ada on "), "{}", mails[1].text);
        let advice = format!(
            "The link works once, within 72 hours. Then set a new password, or get a new API key for\n\
             an agent without a password:\n\n{}/forgot\n",
            app.server.app().public_url
        );
        assert!(mails[1].text.ends_with(&advice), "{}", mails[1].text);
        assert_eq!(mails[1].subject, "Your e-mail address is being changed");
        let expected = state("ada@example.org", true, "two@example.org");
        assert_eq!(addresses(&ada.client).await, expected);
        assert_eq!(sign_in(&app, "ada@example.org").await, 200);
        assert_eq!(sign_in(&app, "two@example.org").await, 401);
        app.anonymous.auth().verify_email(mails[0].token()).await.unwrap();
        assert_eq!(addresses(&ada.client).await, state("two@example.org", true, ""));
        assert_eq!(sign_in(&app, "two@example.org").await, 200);
        assert_eq!(sign_in(&app, "ada@example.org").await, 401);
        let log = actions(&ada.client).await;
        let position = |action| log.iter().position(|entry| *entry == action).unwrap();
        assert!(position(SecurityAction::EmailChanged) < position(SecurityAction::EmailPending));
    }

    async fn the_former_address_takes_a_new_one_back_before_and_after_it_counts(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let first = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(first).await.unwrap();
        let undo = |notice: &Recorded| app.anonymous.pending().undo(undo_of(notice));
        let verify = |mail: &Recorded| app.anonymous.auth().verify_email(mail.token());
        let own = state("ada@example.org", true, "");
        ada.client.users().update_me().email("thief@example.org").await.unwrap();
        let [of_thief, notice] = mails(&app, &recorder).await.try_into().unwrap();
        assert!(undo(&notice).await.unwrap().undone);
        assert_eq!(addresses(&ada.client).await, own);
        assert_eq!(code::<VerifyEmail>(verify(&of_thief).await), Code::NotFound);
        app.advance(2 * HOUR);
        ada.client.auth().step_up().password(PASSWORD).await.unwrap();
        ada.client.users().update_me().email("thief@example.org").await.unwrap();
        let [of_thief, notice] = mails(&app, &recorder).await.try_into().unwrap();
        verify(&of_thief).await.unwrap();
        ada.client.users().update_me().email("third@example.org").await.unwrap();
        let [of_third, notice_to_thief] = mails(&app, &recorder).await.try_into().unwrap();
        app.advance(72 * HOUR - 1);
        assert!(undo(&notice).await.unwrap().undone);
        assert_eq!(addresses(&ada.client).await, own);
        assert_eq!(sign_in(&app, "ada@example.org").await, 200);
        assert_eq!(actions(&ada.client).await[1], SecurityAction::EmailChanged);
        assert_eq!(code::<VerifyEmail>(verify(&of_third).await), Code::NotFound);
        for used in [&notice, &notice_to_thief] {
            assert_eq!(code::<UndoPendingChange>(undo(used).await), Code::NotFound);
        }
    }

    async fn a_former_address_takes_nothing_back_after_72_hours_or_once_another_account_has_it(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let [ada, bob] = [app.person("ada", PASSWORD).await, app.person("bob", PASSWORD).await];
        for mail in mails(&app, &recorder).await {
            app.anonymous.auth().verify_email(mail.token()).await.unwrap();
        }
        let mut notices = Vec::new();
        for (member, address) in [(&ada, "ada2@example.org"), (&bob, "bob2@example.org")] {
            member.client.users().update_me().email(address).await.unwrap();
            let [new, notice] = mails(&app, &recorder).await.try_into().unwrap();
            app.anonymous.auth().verify_email(new.token()).await.unwrap();
            notices.push(undo_of(&notice));
        }
        let cyd = app.agent("cyd").await;
        verified(&app, &recorder, &cyd.client, "bob@example.org").await;
        let undo = |number: usize| app.anonymous.pending().undo(&*notices[number]);
        assert_eq!(code::<UndoPendingChange>(undo(1).await), Code::NotFound);
        assert_eq!(addresses(&bob.client).await, state("bob2@example.org", true, ""));
        app.advance(72 * HOUR);
        assert_eq!(code::<UndoPendingChange>(undo(0).await), Code::NotFound);
        assert_eq!(addresses(&ada.client).await, state("ada2@example.org", true, ""));
        assert_eq!(addresses(&cyd.client).await, state("bob@example.org", true, ""));
    }

    async fn a_newer_address_ends_the_link_of_the_pending_one(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let first = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(first).await.unwrap();
        ada.client.users().update_me().email("two@example.org").await.unwrap();
        let [two, _] = mails(&app, &recorder).await.try_into().unwrap();
        ada.client.users().update_me().email("two@example.org").await.unwrap();
        assert_eq!(mails(&app, &recorder).await, [], "it is pending already");
        ada.client.users().update_me().email("three@example.org").await.unwrap();
        let verify = |mail: &Recorded| app.anonymous.auth().verify_email(mail.token());
        assert_eq!(code::<VerifyEmail>(verify(&two).await), Code::NotFound);
        let [three, _] = mails(&app, &recorder).await.try_into().unwrap();
        ada.client.users().update_me().email("ada@example.org").await.unwrap();
        assert_eq!(addresses(&ada.client).await, state("ada@example.org", true, ""));
        assert_eq!(code::<VerifyEmail>(verify(&three).await), Code::NotFound);
        assert_eq!(mails(&app, &recorder).await, []);
    }

    async fn a_new_address_needs_a_confirmation_where_the_account_has_a_password(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        one_mail(&app, &recorder).await;
        app.advance(HOUR);
        let propose = || ada.client.users().update_me().email("two@example.org");
        assert_eq!(code::<UpdateMe>(propose().await), Code::StepUpRequired);
        assert_eq!(mails(&app, &recorder).await, []);
        ada.client.users().update_me().email("ada@example.org").bio("hi").await.unwrap();
        ada.client.auth().step_up().password(PASSWORD).await.unwrap();
        propose().await.unwrap();
        assert_eq!(one_mail(&app, &recorder).await.recipient, "two@example.org");
    }
}
