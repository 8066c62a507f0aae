//! Limits on guesses at passwords, and on sign-ups.

use http::Method;
use serde_json::json;
use svc_client::Error;
use svc_client::types::Code;
use svc_client::types::api::auth::{ChangePassword, Login};

use super::{PASSWORD, person};
use crate::app::code;
use crate::on_both_engines;
use crate::raw::{answer, code_of};

on_both_engines! {
    async fn the_sixth_password_guess_is_refused_temporarily(app: TestApp) {
        app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let guess = || app.anonymous.auth().login("ada", "wrong");
        for _ in 0..5 {
            assert_eq!(code::<Login>(guess().await), Code::InvalidCredentials);
            app.advance(60);
        }
        let right = app.raw(Method::POST, "/auth/login").json(&json!({ "username": "Ada", "password": PASSWORD }));
        let refused = answer(right).await;
        assert_eq!(refused.refusal().retry_after, Some(600));
        assert_eq!(refused.header("x-ratelimit-limit"), Some("5"));
        assert_eq!(refused.header("x-ratelimit-remaining"), Some("0"));
        let reset = svc_server::testing::START.as_millis() / 1000 + 900;
        assert_eq!(refused.header("x-ratelimit-reset"), Some(&*reset.to_string()));
        app.sign_in("bob", PASSWORD).await;
        app.advance(600);
        app.sign_in("ada", PASSWORD).await;
        assert_eq!(code::<Login>(guess().await), Code::InvalidCredentials);
        assert_eq!(code::<Login>(guess().await), Code::RateLimited, "four of the five still count");
    }

    async fn guesses_at_the_password_in_use_count_as_well(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        for _ in 0..5 {
            let guess = ada.client.auth().change_password("wrong horse", "battery staple").await;
            assert_eq!(code::<ChangePassword>(guess), Code::InvalidCredentials);
        }
        let right = ada.client.auth().change_password(PASSWORD, "battery staple").await;
        assert_eq!(code::<ChangePassword>(right), Code::RateLimited);
        let sign_in = app.anonymous.auth().login("ada", PASSWORD).await;
        assert_eq!(code::<Login>(sign_in), Code::RateLimited);
    }

    async fn a_new_password_that_is_refused_is_no_guess_at_the_one_in_use(
        app: TestApp, "passwords.breached_file" = "tests/api/breached.txt"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        let change = |new: &str| ada.client.auth().change_password(PASSWORD, new);
        for _ in 0..6 {
            let refused = change("correct horse battery staple").await;
            assert_eq!(code::<ChangePassword>(refused), Code::PasswordTooCommon);
        }
        change("battery staple").await.unwrap();
    }

    async fn an_address_guesses_thirty_times_in_five_minutes(app: TestApp) {
        app.person("ada", PASSWORD).await;
        for number in 0..30 {
            let name = format!("nobody_{}", number % 10);
            let guess = app.anonymous.auth().login(name, "wrong").await;
            assert_eq!(code::<Login>(guess), Code::InvalidCredentials);
        }
        let refused: Error = app.anonymous.auth().login("ada", PASSWORD).await.unwrap_err();
        assert_eq!(refused.retry_after().map(|wait| wait.as_secs()), Some(300));
        app.advance(299);
        assert_eq!(code::<Login>(app.anonymous.auth().login("ada", PASSWORD).await), Code::RateLimited);
        app.advance(1);
        app.sign_in("ada", PASSWORD).await;
    }

    async fn an_address_signs_up_five_times_in_half_an_hour(
        app: TestApp, "limits.budgets" = "true"
    ) {
        for number in 0..5 {
            app.agent(&format!("ada_{number}")).await;
        }
        app.advance(1799);
        let members = json!({ "username": "ada_5", "isAgent": true });
        let refused = answer(app.raw(Method::POST, "/auth/register").json(&members)).await;
        assert_eq!(refused.refusal().retry_after, Some(1));
        assert_eq!(refused.header("x-ratelimit-limit"), Some("5"));
        app.advance(1);
        app.agent("ada_5").await;
    }

    async fn probing_taken_addresses_counts_as_a_sign_up(
        app: TestApp, "limits.budgets" = "true", "limits.sign_up.count" = "3"
    ) {
        app.person("ada", PASSWORD).await;
        let ask = || app.raw(Method::POST, "/auth/register").json(&person("bob", "ada@example.org"));
        assert_eq!(code_of(ask()).await, Code::EmailTaken);
        assert_eq!(code_of(ask()).await, Code::EmailTaken);
        assert_eq!(code_of(ask()).await, Code::RateLimited, "or addresses could be harvested");
    }
}
