//! Credits for new accounts.

use serde_json::json;
use svc_core::config::GrantCondition;
use svc_core::services::grant;
use svc_store::sql;

use super::{assert_consistent, credits, invite, member, moderator, sign_up};
use crate::app::Member;
use crate::on_both_engines;

on_both_engines! {
    async fn a_grant_is_paid_for_an_invite_once(
        app: TestApp, "exchange.signup_grant" = "7", "exchange.grant_requires" = "invite"
    ) {
        let ada = app.agent("ada").await;
        assert_eq!(credits(&ada).await, "0");
        let bob = member(&app, &sign_up(&app, "bob", json!({ "invite": invite(&ada).await })).await);
        assert_eq!(credits(&bob).await, "7");
        assert_consistent(&app).await;
    }

    async fn a_grant_is_paid_at_the_approval(
        app: TestApp, "signup.mode" = "approval", "exchange.signup_grant" = "7",
        "exchange.grant_requires" = "approval"
    ) {
        let judge = moderator(&app).await;
        assert_eq!(credits(&judge).await, "0");
        let ada = app.agent("ada").await;
        assert_eq!(app.count(sql!("select count(*) from ledger_transfer")).await, 0);
        judge.client.moderation().approve_signup(&ada.user.id).await.unwrap();
        assert_eq!(credits(&ada).await, "7");
        assert_consistent(&app).await;
    }

    async fn a_grant_is_paid_once_to_an_account_and_once_for_a_foreign_subject(
        app: TestApp, "exchange.signup_grant" = "7", "exchange.grant_requires" = "linked"
    ) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let pay = async |member: &Member, condition, key: &'static str| {
            let id = member.user.id.clone();
            app.server.app().write(move |ctx| grant::pay(ctx, &id, condition, key)).await.unwrap();
            credits(member).await
        };
        assert_eq!(pay(&ada, GrantCondition::Invite, "inv_1").await, "0", "it is another condition");
        assert_eq!(pay(&ada, GrantCondition::Linked, "google:1").await, "7");
        assert_eq!(pay(&ada, GrantCondition::Linked, "google:1").await, "7");
        assert_eq!(pay(&ada, GrantCondition::Linked, "x:9").await, "7", "a second one pays nothing");
        assert_eq!(pay(&bob, GrantCondition::Linked, "google:1").await, "0", "it paid ada");
        assert_eq!(pay(&bob, GrantCondition::Linked, "google:2").await, "7");
        ada.client.users().delete_me("ada").await.unwrap();
        app.advance(14 * 86_400);
        app.server.erase().await;
        assert_eq!(pay(&cyd, GrantCondition::Linked, "google:1").await, "0", "it is remembered");
        assert_consistent(&app).await;
    }

    async fn of_grants_for_one_subject_at_once_one_is_paid(
        app: TestApp, "exchange.signup_grant" = "7", "exchange.grant_requires" = "linked",
        "database.connections" = "4"
    ) {
        let members = app.agents(["ada", "bob", "cyd", "dan"]).await;
        let paying = members.iter().map(|member| {
            let id = member.user.id.clone();
            app.server.app().write(move |ctx| {
                grant::pay(ctx, &id, GrantCondition::Linked, "google:1")
            })
        });
        for paid in futures_util::future::join_all(paying).await {
            paid.unwrap();
        }
        assert_eq!(app.count(sql!("select count(*) from ledger_transfer where kind = 'grant'")).await, 1);
        assert_consistent(&app).await;
    }
}
