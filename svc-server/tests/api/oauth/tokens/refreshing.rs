//! Refresh tokens: what they give, and when they are refused.

use http::{Method, StatusCode};
use serde_json::json;
use svc_client::types::Code;
use svc_core::tasks::sweep;
use svc_store::sql;

use super::DAY;
use crate::oauth::{DONE, refused, text};
use crate::on_both_engines;
use crate::raw::code_of;

on_both_engines! {
    async fn a_replayed_refresh_token_ends_its_family(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let first = app.tokens(&ada, &client, "read").await;
        let second = app.refresh(&client, &text(&first, "refresh_token")).await.json();
        app.advance(11);
        let replayed = app.refresh(&client, &text(&first, "refresh_token")).await;
        assert_eq!(refused(&replayed), "invalid_grant");
        for tokens in [&first, &second] {
            let status = app.status_with(&text(tokens, "access_token"), "/users/me").await;
            assert_eq!(status, StatusCode::UNAUTHORIZED);
        }
        assert_eq!(refused(&app.refresh(&client, &text(&second, "refresh_token")).await), "invalid_grant");
    }

    async fn a_lost_answer_ends_nothing(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let first = app.tokens(&ada, &client, "read").await;
        let second = app.refresh(&client, &text(&first, "refresh_token")).await.json();
        app.advance(10);
        assert_eq!(refused(&app.refresh(&client, &text(&first, "refresh_token")).await), "invalid_grant");
        let access = text(&second, "access_token");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK);
        app.refresh(&client, &text(&second, "refresh_token")).await.json();
    }

    async fn a_thief_who_refreshes_without_a_pause_is_found_out(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let first = app.tokens(&ada, &client, "read").await;
        let mut stolen = app.refresh(&client, &text(&first, "refresh_token")).await.json();
        for _ in 0..3 {
            app.advance(5);
            stolen = app.refresh(&client, &text(&stolen, "refresh_token")).await.json();
        }
        assert_eq!(refused(&app.refresh(&client, &text(&first, "refresh_token")).await), "invalid_grant");
        let access = text(&stolen, "access_token");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        assert_eq!(refused(&app.refresh(&client, &text(&stolen, "refresh_token")).await), "invalid_grant");
    }

    async fn of_refreshes_at_once_one_succeeds(app: TestApp, "database.connections" = "8") {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let token = text(&app.tokens(&ada, &client, "read").await, "refresh_token");
        let all = (0..6).map(|_| app.refresh(&client, &token));
        let answers = futures_util::future::join_all(all).await;
        let won = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
        assert_eq!(won, 1);
    }

    async fn a_refresh_narrows_and_never_widens(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let tokens = app.tokens(&ada, &client, "read write").await;
        let send = async |token: &str, scope: &str| {
            let fields = [
                ("grant_type", "refresh_token"),
                ("client_id", &*client),
                ("refresh_token", token),
                ("scope", scope),
            ];
            app.form("/oauth/token", &fields).await
        };
        let token = text(&tokens, "refresh_token");
        assert_eq!(refused(&send(&token, "read dm").await), "invalid_scope");
        let narrow = send(&token, "read").await.json();
        assert_eq!(narrow["scope"], "read");
        let access = text(&narrow, "access_token");
        let post = app.raw(Method::POST, "/posts").bearer_auth(&access).json(&json!({ "content": "a" }));
        assert_eq!(code_of(post).await, Code::InsufficientScope, "whatever was agreed to");
        let wide = app.refresh(&client, &text(&narrow, "refresh_token")).await.json();
        assert_eq!(wide["scope"], "read write");
        let other = app.register_client(&[DONE]).await;
        assert_eq!(refused(&app.refresh(&other, &text(&wide, "refresh_token")).await), "invalid_grant");
    }

    async fn an_idle_refresh_token_ends_after_thirty_days(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let mut tokens = app.tokens(&ada, &client, "read").await;
        // With each use, the thirty days begin again.
        for _ in 0..3 {
            app.advance(29 * DAY);
            tokens = app.refresh(&client, &text(&tokens, "refresh_token")).await.json();
        }
        app.advance(30 * DAY);
        assert_eq!(refused(&app.refresh(&client, &text(&tokens, "refresh_token")).await), "invalid_grant");
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from oauth_family")).await, 0);
    }
}
