//! Step-up: what secures or ends an account asks who is calling.

use http::Method;
use serde_json::json;
use svc_client::types::api::auth::StepUp;
use svc_client::types::api::keys::{CreateApiKey, KeySpend, UpdateApiKey};
use svc_client::types::api::users::{DeleteMe, UpdateMe};
use svc_client::types::{Code, Scope, Span};
use svc_store::sql;

use crate::app::{Member, code, fault};
use crate::on_both_engines;
use crate::raw::{answer, code_of};

const PASSWORD: &str = "correct horse";

/// How long a confirmation counts, in seconds.
const LIFE: u64 = 600;

impl Member {
    /// Confirms the account's key by this password.
    async fn step_up(&self, password: &str) -> Result<(), Code> {
        let call = self.client.auth().step_up().password(password);
        call.await.map(drop).map_err(|error| error.code().unwrap().clone())
    }
}

on_both_engines! {
    async fn a_sign_up_counts_as_a_confirmation_for_ten_minutes(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        ada.client.keys().create("one", [Scope::Read]).await.unwrap();
        app.advance(LIFE);
        // That of another account confirms nothing here, nor does its sign-in.
        app.person("bob", PASSWORD).await;
        app.sign_in("bob", PASSWORD).await;
        let refused = ada.client.keys().create("two", [Scope::Read]).await;
        assert_eq!(code::<CreateApiKey>(refused), Code::StepUpRequired);
    }

    async fn a_password_confirms_the_key_that_sends_it_and_no_other(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let keeper = ada.client.keys().create("keeper", [Scope::Account]).await.unwrap();
        let keeper = app.client(keeper.api_key);
        app.advance(LIFE);
        assert_eq!(ada.step_up("wrong").await, Err(Code::InvalidCredentials));
        let until = ada.client.auth().step_up().password(PASSWORD).await.unwrap().until;
        let created = ada.client.keys().create("reader", [Scope::Read]).await.unwrap();
        assert_eq!(until.as_millis() - created.key.created_at.as_millis(), 600_000);
        let refused = keeper.keys().create("more", [Scope::Account]).await;
        assert_eq!(code::<CreateApiKey>(refused), Code::StepUpRequired);
        keeper.auth().step_up().password(PASSWORD).await.unwrap();
        keeper.keys().create("more", [Scope::Account]).await.unwrap();
        app.advance(LIFE);
        let ended = ada.client.keys().create("late", [Scope::Read]).await;
        assert_eq!(code::<CreateApiKey>(ended), Code::StepUpRequired);
    }

    async fn a_session_is_confirmed_by_signing_in_and_then_by_the_password(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = app.browser(&app.sign_in("ada", PASSWORD).await);
        browser.keys().create("one", [Scope::Read]).await.unwrap();
        app.advance(LIFE);
        let refused = browser.keys().create("two", [Scope::Read]).await;
        assert_eq!(code::<CreateApiKey>(refused), Code::StepUpRequired);
        app.person("eve", PASSWORD).await;
        let [other, eve] = [app.sign_in("ada", PASSWORD).await, app.sign_in("eve", PASSWORD).await];
        app.advance(LIFE);
        browser.auth().step_up().password(PASSWORD).await.unwrap();
        browser.keys().create("two", [Scope::Read]).await.unwrap();
        for cookie in [other, eve] {
            let refused = app.browser(&cookie).keys().create("three", [Scope::Read]).await;
            assert_eq!(code::<CreateApiKey>(refused), Code::StepUpRequired, "of another session");
        }
    }

    async fn a_confirmation_that_a_clock_far_ahead_dated_counts_no_longer(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = app.browser(&app.sign_in("ada", PASSWORD).await);
        for sql in [
            sql!("update session set confirmed_until = confirmed_until + 31536000000"),
            sql!("update api_key set confirmed_until = confirmed_until + 31536000000"),
        ] {
            app.execute(move |ctx| ctx.tx.execute(sql, &[])).await;
        }
        for client in [&ada.client, &browser] {
            let refused = client.keys().create("one", [Scope::Read]).await;
            assert_eq!(code::<CreateApiKey>(refused), Code::StepUpRequired);
        }
        browser.auth().step_up().password(PASSWORD).await.unwrap();
        browser.keys().create("one", [Scope::Read]).await.unwrap();
    }

    async fn an_agent_without_a_password_needs_no_confirmation_of_its_default_key(app: TestApp) {
        let bot = app.agent("bot").await;
        let keeper = bot.client.keys().create("keeper", [Scope::Account]).await.unwrap();
        app.advance(10 * LIFE);
        bot.client.keys().create("late", [Scope::Read]).await.unwrap();
        let refused = app.client(keeper.api_key).keys().create("more", [Scope::Account]).await;
        let refused = refused.unwrap_err();
        let hint = "the account has no password and no passkey; send this with its default key";
        assert_eq!((refused.code(), refused.hint()), (Some(&Code::StepUpRequired), Some(hint)));
        for _ in 0..6 {
            let wrong = bot.client.auth().step_up().password("anything").await.unwrap_err();
            assert_eq!(wrong.code(), Some(&Code::InvalidCredentials), "nothing was guessed");
            assert_eq!(wrong.message(), "the account has no password to confirm with");
        }
    }

    async fn a_stolen_key_neither_moves_the_address_nor_deletes_the_account(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.advance(LIFE);
        let moved = ada.client.users().update_me().email("thief@example.org").await;
        assert_eq!(code::<UpdateMe>(moved), Code::StepUpRequired);
        let deleted = ada.client.users().delete_me("ada").await;
        assert_eq!(code::<DeleteMe>(deleted), Code::StepUpRequired);
        assert_eq!(ada.client.users().me().await.unwrap().user.email.as_deref(), Some("ada@example.org"));
        // The address as it is, which pages send along, and the profile need no confirmation.
        ada.client.users().update_me().email("ada@example.org").bio("counts").await.unwrap();
        ada.step_up(PASSWORD).await.unwrap();
        ada.client.users().update_me().email("new@example.org").await.unwrap();
        ada.client.users().delete_me("ada").await.unwrap();
    }

    async fn a_key_is_narrowed_without_and_widened_with_a_confirmation(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let limits = KeySpend { per_order: Some(5.into()), per_day: None };
        let made = ada.client.keys().create("bot", [Scope::Read, Scope::Dm]).spend(limits).await;
        let id = made.unwrap().key.key_id;
        app.advance(LIFE);
        let edit = || ada.client.keys().update(&*id);
        edit().name("renamed").scopes([Scope::Read]).allow_from(["10.0.0.0/8".into()]).await.unwrap();
        for wider in [
            edit().scopes([Scope::Read, Scope::Dm]),
            edit().allow_from([]),
            edit().allow_from(["10.0.0.0/7".into()]),
            edit().spend(KeySpend::default()),
        ] {
            assert_eq!(code::<UpdateApiKey>(wider.await), Code::StepUpRequired);
        }
        ada.step_up(PASSWORD).await.unwrap();
        edit().scopes([Scope::Read, Scope::Dm]).allow_from([]).spend(KeySpend::default()).await.unwrap();
    }

    async fn a_confirmation_is_asked_for_before_the_request_is_judged(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.advance(LIFE);
        let request = |body| ada.raw(&app, Method::POST, "/auth/keys").json(&body);
        for body in [json!({}), json!({ "name": "" }), json!({ "name": "a", "scopes": ["read"] })] {
            assert_eq!(code_of(request(body)).await, Code::StepUpRequired);
        }
        let reader = ada.client.auth().step_up().password(PASSWORD).await;
        reader.unwrap();
        let reader = ada.client.keys().create("reader", [Scope::Read]).await.unwrap();
        let by_reader = app.client(reader.api_key).keys().create("more", [Scope::Read]).await;
        assert_eq!(code::<CreateApiKey>(by_reader), Code::InsufficientScope);
        assert_eq!(code_of(request(json!({}))).await, Code::ValidationFailed);
    }

    async fn guesses_at_a_confirmation_are_limited_like_sign_ins(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        for _ in 0..5 {
            assert_eq!(ada.step_up("wrong").await, Err(Code::InvalidCredentials));
        }
        assert_eq!(ada.step_up(PASSWORD).await, Err(Code::RateLimited));
        app.advance(15 * 60);
        ada.step_up(PASSWORD).await.unwrap();
        let nothing = ada.client.auth().step_up().await;
        assert_eq!(fault::<StepUp>(nothing), (Code::InvalidCredentials, "password".to_owned()));
    }

    async fn passwords_that_are_guessed_first_are_refused(app: TestApp) {
        let register = async |name: &str, password: &str| {
            let email = format!("{name}@example.org");
            let body = json!({ "username": name, "email": email, "password": password });
            answer(app.raw(Method::POST, "/auth/register").json(&body)).await
        };
        for password in ["password", "Password1", "countess", "COUNTESS@example.org"] {
            let refused = register("countess", password).await.refusal();
            assert_eq!(refused.code, Code::PasswordTooCommon, "{password}");
            assert_eq!(refused.field.as_deref(), Some("password"));
        }
        let ada = app.person("ada", PASSWORD).await;
        for password in ["12345678", "ada@example.org"] {
            let changed = ada.client.auth().change_password(PASSWORD, password).await.unwrap_err();
            assert_eq!(changed.code(), Some(&Code::PasswordTooCommon), "{password}");
        }
        ada.client.auth().change_password(PASSWORD, "battery staple").await.unwrap();
        assert_eq!(register("lovelace", "three random words").await.status, 201);
    }

    async fn a_key_with_an_end_is_confirmed_like_any_other(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let brief = ada.client.keys().create("brief", [Scope::Account]).expires_in(Span::from_secs(3_600));
        let brief = app.client(brief.await.unwrap().api_key);
        brief.auth().step_up().password(PASSWORD).await.unwrap();
        app.advance(3_600);
        let ended = brief.auth().step_up().password(PASSWORD).await.unwrap_err();
        assert_eq!(ended.code(), Some(&Code::Unauthorized));
    }
}
