//! Grants: who lists and ends them, and what ends them by itself.

use http::StatusCode;
use serde_json::Value;
use svc_client::types::Code;
use svc_client::types::api::grants::DeleteGrant;
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{GrantId, Id as _, Scope};
use svc_core::services::oauth::grant::GRANTS_MAX;
use svc_core::tasks::sweep;
use svc_server::admin::Command;
use svc_store::{sql, values};

use super::DAY;
use crate::app::{Member, TestApp, code};
use crate::oauth::{DONE, PASSWORD, Visitor, asking, refused, returned, text, with};
use crate::on_both_engines;
use crate::owners::own;

/// The tokens by which a program reads as an agent, which its owner allowed.
async fn tokens_of_agent(app: &TestApp, owner: &Visitor, agent: &Member, client: &str) -> Value {
    let fields = [("decision", "allow"), ("as", agent.user.id.as_str())];
    let sent = owner.decide(app, &asking(client, "read"), &fields).await;
    app.redeem(client, &returned(&sent, "code").unwrap()).await.json()
}

/// Gives the only grant as many copies as its account may have beside it.
async fn fill(app: &TestApp) {
    app.execute(|ctx| {
        for _ in 1..GRANTS_MAX {
            let (grant, now): (GrantId, _) = (ctx.id(), ctx.now());
            ctx.tx.execute(
                sql!(
                    "insert into oauth_grant (id, account, giver, client_id, client_name,
                        client_host, scopes, resource, remembered, created_at)
                     select $1, account, giver, client_id, client_name, client_host, scopes,
                        resource, false, cast($2 as bigint)
                     from oauth_grant where remembered = true"
                ),
                values![grant, now],
            )?;
        }
        Ok(1)
    })
    .await;
}

on_both_engines! {
    async fn the_last_use_of_a_grant_that_a_clock_far_ahead_noted_is_followed_by_later_ones(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let access = text(&app.tokens(&ada, &client, "openid read").await, "access_token");
        app.status_with(&access, "/users/me").await;
        app.server.flush().await;
        let year = sql!("update oauth_grant set last_used_at = last_used_at + 31536000000");
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        app.advance(60);
        app.status_with(&access, "/users/me").await;
        app.server.flush().await;
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        assert_eq!(grants[0].last_used_at, Some(app.server.clock().now()));
    }

    async fn only_its_account_lists_and_ends_a_grant(app: TestApp) {
        let (ada, bob) = (app.visitor("ada").await, app.agent("bob").await);
        let client = app.register_client(&[DONE]).await;
        let tokens = app.tokens(&ada, &client, "openid read").await;
        let access = text(&tokens, "access_token");
        app.status_with(&access, "/users/me").await;
        app.server.flush().await;
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        let [grant] = grants.as_slice() else { panic!("{grants:?}") };
        assert_eq!((&*grant.client.client_id, &*grant.client.name), (&*client, "Gate"));
        assert_eq!((&*grant.client.host, &*grant.user.username), ("gate.example.org", "ada"));
        assert_eq!(grant.resource, format!("{}/api", app.root()));
        assert!(grant.last_used_at.is_some() && grant.caps.is_none());
        let id = &grant.grant_id;
        assert_eq!(code::<DeleteGrant>(bob.client.grants().delete(id).await), Code::NotFound);
        let unheard = GrantId::from_number(1);
        let missing = ada.member.client.grants().delete(&unheard).await;
        assert_eq!(code::<DeleteGrant>(missing), Code::NotFound);
        let page = ada.page(&app, "/settings/security").await;
        let rights = "know which account is yours; read";
        assert!(page.text.contains("Gate") && page.text.contains(rights), "{}", page.text);
        assert!(page.text.contains("gate.example.org</bdi> · @ada"), "{}", page.text);
        let path = format!("/settings/security/grants/{id}/delete");
        assert_eq!(ada.send(&app, &path, &[]).await.status, StatusCode::SEE_OTHER);
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        assert_eq!(refused(&app.refresh(&client, &text(&tokens, "refresh_token")).await), "invalid_grant");
        let log = ada.member.client.security().log().await.unwrap().entries;
        assert_eq!((&log[0].action, &log[0].actor), (&SecurityAction::GrantEnded, &None));
        assert_eq!((&log[1].action, &log[1].actor), (&SecurityAction::GrantGiven, &None));
    }

    async fn a_grant_of_which_no_tokens_were_made_is_forgotten_after_two_days(app: TestApp) {
        let ada = app.visitor("ada").await;
        let here = "http://127.0.0.1/done";
        let (used, unused) = (app.register_client(&[here]).await, app.register_client(&[here]).await);
        let asked = |client: &str| with(asking(client, "read"), "redirect_uri", here);
        let code = ada.agree(&app, &asked(&used)).await;
        app.redeem(&used, &code).await.json();
        ada.agree(&app, &asked(&unused)).await;
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants.len(), 2);
        app.advance(2 * DAY);
        sweep::once(app.server.app()).await.unwrap();
        let left = ada.member.client.grants().list().await.unwrap().grants;
        let left: Vec<&str> = left.iter().map(|grant| &*grant.client.client_id).collect();
        assert_eq!(left, [used]);
    }

    async fn a_grant_beyond_a_hundred_ends_the_oldest(app: TestApp) {
        let ada = app.visitor("ada").await;
        let (first, last) = (app.register_client(&[DONE]).await, app.register_client(&[DONE]).await);
        let oldest = text(&app.tokens(&ada, &first, "read").await, "access_token");
        fill(&app).await;
        assert_eq!(app.status_with(&oldest, "/users/me").await, StatusCode::OK);
        let newest = text(&app.tokens(&ada, &last, "read").await, "access_token");
        assert_eq!(app.status_with(&newest, "/users/me").await, StatusCode::OK);
        assert_eq!(app.status_with(&oldest, "/users/me").await, StatusCode::UNAUTHORIZED);
        assert_eq!(app.count(sql!("select count(*) from oauth_grant")).await, GRANTS_MAX);
        // Those for agents are listed beside them, so that each can be ended.
        let bot = app.agent("bot").await;
        own(&ada.member, &bot).await;
        let fields = [("decision", "allow"), ("as", bot.user.id.as_str())];
        ada.decide(&app, &asking(&last, "read"), &fields).await;
        let listed = ada.member.client.grants().list().await.unwrap().grants;
        assert_eq!(i64::try_from(listed.len()).unwrap(), GRANTS_MAX + 1);
    }

    async fn a_grant_that_is_in_use_outlives_newer_ones_that_nobody_uses(app: TestApp) {
        let ada = app.visitor("ada").await;
        let (first, last) = (app.register_client(&[DONE]).await, app.register_client(&[DONE]).await);
        let used = text(&app.tokens(&ada, &first, "read").await, "access_token");
        fill(&app).await;
        app.advance(120);
        assert_eq!(app.status_with(&used, "/users/me").await, StatusCode::OK);
        app.server.flush().await;
        let newest = text(&app.tokens(&ada, &last, "read").await, "access_token");
        for token in [&used, &newest] {
            assert_eq!(app.status_with(token, "/users/me").await, StatusCode::OK);
        }
        assert_eq!(app.count(sql!("select count(*) from oauth_grant")).await, GRANTS_MAX);
    }

    async fn a_new_password_and_a_deletion_end_grants(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let access = text(&app.tokens(&ada, &client, "read").await, "access_token");
        ada.member.client.auth().change_password(PASSWORD, "another horse").await.unwrap();
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants, []);
        let bob = app.visitor("bob").await;
        let access = text(&app.tokens(&bob, &client, "read").await, "access_token");
        bob.member.client.users().delete_me("bob").await.unwrap();
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        assert_eq!(app.count(sql!("select count(*) from oauth_grant")).await, 0);
    }

    async fn a_new_password_ends_grants_for_the_agents_of_a_person(app: TestApp) {
        let ada = app.visitor("ada").await;
        let bot = app.agent("bot").await;
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        let tokens = tokens_of_agent(&app, &ada, &bot, &client).await;
        let access = text(&tokens, "access_token");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK);
        ada.member.client.auth().change_password(PASSWORD, "another horse").await.unwrap();
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        assert_eq!(refused(&app.refresh(&client, &text(&tokens, "refresh_token")).await), "invalid_grant");
        for member in [&ada.member, &bot] {
            assert_eq!(member.client.grants().list().await.unwrap().grants, []);
        }
    }

    async fn an_owner_who_signs_an_agent_out_ends_its_grants(app: TestApp) {
        let ada = app.visitor("ada").await;
        let bot = app.agent("bot").await;
        own(&ada.member, &bot).await;
        let client = app.register_client(&[DONE]).await;
        let tokens = tokens_of_agent(&app, &ada, &bot, &client).await;
        let kept = text(&app.tokens(&ada, &client, "read").await, "access_token");
        ada.member.client.agents().sign_out("bot").await.unwrap();
        let access = text(&tokens, "access_token");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        assert_eq!(refused(&app.refresh(&client, &text(&tokens, "refresh_token")).await), "invalid_grant");
        assert_eq!(app.status_with(&kept, "/users/me").await, StatusCode::OK, "of its owner");
    }

    async fn a_password_that_was_reset_ends_grants(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let access = text(&app.tokens(&ada, &client, "read").await, "access_token");
        app.server.admin(Command::ResetPassword { username: "ada".to_owned() }).await;
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants, []);
    }

    async fn a_key_that_reads_can_not_give_or_end_grants(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        app.tokens(&ada, &client, "read").await;
        let key = ada.member.client.keys().create("reader", [Scope::Read]).await.unwrap();
        let refused = app.client(key.api_key).grants().list().await;
        assert_eq!(refused.unwrap_err().code(), Some(&Code::InsufficientScope));
    }
}
