//! How many links an account sends, and an address gets.

use svc_client::types::Code;
use svc_client::types::api::email::SendVerification;
use svc_client::types::api::users::UpdateMe;
use svc_core::tasks::sweep;

use super::{HOUR, PASSWORD, mails, me, one_mail};
use crate::app::code;
use crate::on_both_engines;

on_both_engines! {
    async fn an_account_gets_three_links_an_hour(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        let sends = (0..5).map(|_| ada.client.auth().send_verification().into_future());
        let sent = futures_util::future::join_all(sends).await;
        let (sent, refused): (Vec<_>, Vec<_>) = sent.into_iter().partition(Result::is_ok);
        assert_eq!((sent.len(), refused.len()), (2, 3), "the sign-up sent the first");
        for refused in refused {
            assert_eq!(code::<SendVerification>(refused), Code::RateLimited);
        }
        let moved = ada.client.users().update_me().email("two@example.org").await;
        assert_eq!(code::<UpdateMe>(moved), Code::RateLimited);
        assert_eq!(me(&ada.client).await.pending_email, None);
        assert_eq!(mails(&app, &recorder).await.len(), 3);
        app.advance(HOUR - 1);
        sweep::once(app.server.app()).await.unwrap();
        let early = ada.client.auth().send_verification().await;
        assert_eq!(code::<SendVerification>(early), Code::RateLimited, "what counts is not swept");
        app.advance(1);
        ada.client.auth().send_verification().await.unwrap();
    }

    async fn links_are_counted_for_as_long_as_the_operator_says(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "limits.mails.per_account" = "1",
        "limits.mails.window" = "2h"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        app.advance(2 * HOUR - 1);
        let early = ada.client.auth().send_verification().await;
        assert_eq!(code::<SendVerification>(early), Code::RateLimited);
        app.advance(1);
        ada.client.auth().send_verification().await.unwrap();
    }

    async fn links_are_not_limited_where_the_limits_are_off(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "limits.mails.per_account" = "0",
        "limits.mails.per_recipient" = "0"
    ) {
        let recorder = app.server.record_mails();
        let ada = app.person("ada", PASSWORD).await;
        for _ in 0..10 {
            ada.client.auth().send_verification().await.unwrap();
        }
        assert_eq!(mails(&app, &recorder).await.len(), 11, "the sign-up sent the first");
    }

    async fn an_address_gets_ten_links_an_hour_from_all_accounts(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9"
    ) {
        let recorder = app.server.record_mails();
        for number in 0..10 {
            let agent = app.agent(&format!("agent_{number}")).await;
            agent.client.users().update_me().email("victim@example.org").await.unwrap();
        }
        let last = app.agent("last").await;
        let refused = last.client.users().update_me().email("victim@example.org").await;
        assert_eq!(code::<UpdateMe>(refused), Code::RateLimited);
        assert_eq!(mails(&app, &recorder).await.len(), 10);
        app.person("victim", PASSWORD).await;
        assert_eq!(mails(&app, &recorder).await, [], "the account exists, the mail is left out");
    }

    async fn probing_taken_addresses_is_counted_although_it_is_refused(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "limits.budgets" = "true"
    ) {
        let recorder = app.server.record_mails();
        app.person("ada", PASSWORD).await;
        let first = one_mail(&app, &recorder).await.token();
        app.anonymous.auth().verify_email(first).await.unwrap();
        let bob = app.agent("bob").await;
        let probe = || bob.client.users().update_me().email("ada@example.org");
        for _ in 0..10 {
            assert_eq!(code::<UpdateMe>(probe().await), Code::EmailTaken);
        }
        assert_eq!(code::<UpdateMe>(probe().await), Code::RateLimited, "or addresses could be harvested");
        bob.client.users().update_me().email("bob@example.org").await.unwrap();
        app.advance(HOUR);
        assert_eq!(code::<UpdateMe>(probe().await), Code::EmailTaken);
    }
}
