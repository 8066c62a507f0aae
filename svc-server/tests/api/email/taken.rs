//! Addresses that several accounts want: the first to verify one has it.

use svc_client::Client;
use svc_client::types::Code;
use svc_client::types::api::auth::Register;
use svc_client::types::api::email::{SendVerification, VerifyEmail};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::api::users::UpdateMe;

use super::{PASSWORD, addresses, mails, one_mail, sign_in, state, verified};
use crate::app::{code, fault};
use crate::on_both_engines;

on_both_engines! {
    async fn of_accounts_with_the_same_pending_address_the_first_to_verify_gets_it(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let mut links = Vec::new();
        for member in [&ada, &bob] {
            member.client.users().update_me().email("shared@example.org").await.unwrap();
            links.push(one_mail(&app, &recorder).await.token());
        }
        app.anonymous.auth().verify_email(&*links[1]).await.unwrap();
        for _ in 0..2 {
            let late = app.anonymous.auth().verify_email(&*links[0]).await;
            assert_eq!(code::<VerifyEmail>(late), Code::EmailTaken);
        }
        assert_eq!(addresses(&ada.client).await, state("", false, "shared@example.org"));
        assert_eq!(addresses(&bob.client).await, state("shared@example.org", true, ""));
        let again = ada.client.auth().send_verification().await;
        assert_eq!(fault::<SendVerification>(again), (Code::EmailTaken, "email".to_owned()));
        let cyd = app.agent("cyd").await;
        let taken = cyd.client.users().update_me().email("shared@example.org").await;
        assert_eq!(fault::<UpdateMe>(taken), (Code::EmailTaken, "email".to_owned()));
        assert_eq!(mails(&app, &recorder).await, []);
    }

    async fn an_address_that_was_only_entered_is_no_obstacle_to_its_owner(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let squatter = app.person("ada", PASSWORD).await;
        let link = one_mail(&app, &recorder).await.token();
        let owner = app.agent("owner").await;
        verified(&app, &recorder, &owner.client, "ada@example.org").await;
        assert_eq!(addresses(&owner.client).await, state("ada@example.org", true, ""));
        let displaced = state("", false, "ada@example.org");
        assert_eq!(addresses(&squatter.client).await, displaced);
        let newest = async |of: &Client| of.security().log().await.unwrap().entries.remove(0);
        let lost = newest(&squatter.client).await;
        assert_eq!((lost.action, lost.network), (SecurityAction::EmailLost, None));
        let changed = newest(&owner.client).await;
        assert_eq!(changed.network.as_deref(), Some("127.0.0.0/24"), "its own is shown");
        let late = app.anonymous.auth().verify_email(link).await;
        assert_eq!(code::<VerifyEmail>(late), Code::EmailTaken);
        app.anonymous.auth().login("ada", PASSWORD).await.unwrap();
    }

    async fn an_address_that_was_only_entered_keeps_nobody_from_signing_up_with_it(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let squatter = app.person("ada", PASSWORD).await;
        one_mail(&app, &recorder).await;
        let sign_up = |name: &str| {
            app.anonymous.auth().register_person(name, "Ada@Example.org", PASSWORD)
        };
        let owner = app.client(sign_up("owner").await.unwrap().api_key);
        assert_eq!(addresses(&owner).await, state("", false, "ada@example.org"));
        let link = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(link).await.unwrap();
        assert_eq!(addresses(&owner).await, state("ada@example.org", true, ""));
        assert_eq!(addresses(&squatter.client).await, state("", false, "ada@example.org"));
        assert_eq!(sign_in(&app, "ada@example.org").await, 200);
        let late = sign_up("late").await;
        assert_eq!(fault::<Register>(late), (Code::EmailTaken, "email".to_owned()));
    }
}
