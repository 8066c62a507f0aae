//! Sign-ins, and what failed at one.

use http::Method;
use serde_json::json;
use svc_client::types::Code;
use svc_server::admin::Command;
use svc_store::{sql, values};

use super::{mailed, notified, person};
use crate::app::TestApp;
use crate::device::Device;
use crate::factors::add;
use crate::on_both_engines;
use crate::owners::{PASSWORD, own};
use crate::raw::answer;

const FAILED: &str = "A sign-in failed, from a network without an earlier sign-in of the account.";

async fn sign_in(app: &TestApp, address: &str, password: &str) -> u16 {
    let request = app.raw(Method::POST, "/auth/login").header("x-forwarded-for", address);
    let body = json!({ "username": "ada", "password": password });
    answer(request.json(&body)).await.status.as_u16()
}

on_both_engines! {
    async fn an_owner_is_notified_of_a_sign_in_to_its_agent_from_a_new_network(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let [ann, ada] = [app.person("ann", PASSWORD).await, app.agent("ada").await];
        own(&ann, &ada).await;
        let hash = app.server.app().passwords.hash(PASSWORD.to_owned()).await.unwrap();
        let set = sql!("update account set password_hash = $1 where username = 'ada'");
        app.execute(move |ctx| ctx.tx.execute(set, values![hash])).await;
        for _ in 0..2 {
            assert_eq!(sign_in(&app, "198.51.100.7", PASSWORD).await, 200);
        }
        let notified = notified(&ann.client).await;
        let expected = "@ada: A sign-in started a session.";
        assert_eq!(notified.iter().filter(|text| *text == expected).count(), 1, "{notified:?}");
    }

    async fn a_failed_sign_in_to_one_account_hides_none_to_another(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let before = notified(&ada.client).await.len();
        let request = app.raw(Method::POST, "/auth/login").header("x-forwarded-for", "198.51.100.7");
        let body = json!({ "username": "bob", "password": "wrong password" });
        assert_eq!(answer(request.json(&body)).await.status, 401);
        assert_eq!(sign_in(&app, "198.51.100.7", "wrong password").await, 401);
        assert_eq!(notified(&ada.client).await[before..], [FAILED]);
    }

    async fn an_account_is_notified_of_sign_ins_only_from_new_networks(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "trusted_proxies" = "127.0.0.1"
    ) {
        let recorder = app.server.record_mails();
        let ada = person(&app).await;
        assert_eq!(sign_in(&app, "198.51.100.7", PASSWORD).await, 200);
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert!(mail.text.contains(" from 198.51.100.0/24\n  A sign-in started a session.\n"));
        assert!(mail.text.contains("If this was not you, sign in, change your password,"), "{}", mail.text);
        let log = format!("\n{}/settings/security\n", app.server.app().public_url);
        assert!(mail.text.ends_with(&log), "{}", mail.text);
        app.advance(600);
        assert_eq!(sign_in(&app, "198.51.100.7", PASSWORD).await, 200);
        assert_eq!(mailed(&app, &recorder).await, []);
        let notified = notified(&ada.client).await;
        let sign_ins = notified.iter().filter(|text| *text == "A sign-in started a session.");
        assert_eq!(sign_ins.count(), 1);
    }

    async fn an_account_is_notified_of_a_failed_sign_in_once_a_day_and_network(
        app: TestApp, "mail.url" = "smtp://127.0.0.1:9", "trusted_proxies" = "127.0.0.1"
    ) {
        let recorder = app.server.record_mails();
        let ada = person(&app).await;
        let before = notified(&ada.client).await.len();
        assert_eq!(sign_in(&app, "198.51.100.7", "wrong password").await, 401);
        assert_eq!(sign_in(&app, "198.51.100.7", "wrong password").await, 401);
        assert_eq!(notified(&ada.client).await[before..], [FAILED], "once a day and network");
        let [mail] = mailed(&app, &recorder).await.try_into().unwrap();
        assert!(mail.text.contains(FAILED));
    }

    async fn the_account_is_notified_of_a_wrong_code_after_the_right_password(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        add(&app, &ada).await;
        let before = notified(&ada.client).await.len();
        let request = app.raw(Method::POST, "/auth/login");
        let request = request.header("x-forwarded-for", "198.51.100.7");
        let body = json!({ "username": "ada", "password": PASSWORD, "code": "000000" });
        let refused = answer(request.json(&body)).await.refusal();
        let found = (refused.code, refused.field.as_deref());
        assert_eq!(found, (Code::InvalidCredentials, Some("code")));
        assert_eq!(notified(&ada.client).await[before..], [FAILED]);
    }

    async fn the_account_is_notified_of_a_failed_confirmation_and_of_a_wrong_code_at_a_reset(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        add(&app, &ada).await;
        let command = Command::Recover { username: "ada".to_owned() };
        let link = app.server.admin(command).await.remove(0).account().unwrap().link.unwrap();
        let (_, token) = link.expose().split_once("/reset?token=").unwrap();
        let before = notified(&ada.client).await.len();
        let confirming = ada.raw(&app, Method::POST, "/auth/step-up");
        let resetting = app.raw(Method::POST, "/auth/password/reset/finish");
        let new = json!({ "token": token, "newPassword": "battery staple", "code": "000000" });
        for (request, network, body) in [
            (confirming, "198.51.100.7", json!({ "code": "000000" })),
            (resetting, "203.0.113.7", new),
        ] {
            let request = request.header("x-forwarded-for", network).json(&body);
            assert_eq!(answer(request).await.refusal().field.as_deref(), Some("code"));
        }
        assert_eq!(notified(&ada.client).await[before..], [FAILED; 2]);
    }

    async fn the_account_is_notified_of_a_wrong_first_code(
        app: TestApp, "trusted_proxies" = "127.0.0.1"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        ada.client.factors().create_totp().await.unwrap();
        let before = notified(&ada.client).await.len();
        let confirming = ada.raw(&app, Method::POST, "/auth/totp/confirm");
        let confirming = confirming.header("x-forwarded-for", "198.51.100.7");
        let refused = answer(confirming.json(&json!({ "code": "000000" }))).await.refusal();
        assert_eq!(refused.field.as_deref(), Some("code"));
        assert_eq!(notified(&ada.client).await[before..], [FAILED]);
    }

    async fn the_account_is_notified_of_a_refused_passkey(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let bot = app.agent("bot").await;
        let mut device = Device::of(&bot).await;
        let before = notified(&bot.client).await.len();
        let begun = app.anonymous.passkeys().begin_login().await.unwrap();
        let forged = device.signs_but(&begun.options, |says| says.is_forged = true);
        app.anonymous.passkeys().login(begun.ceremony_id, forged).await.unwrap_err();
        assert_eq!(notified(&bot.client).await[before..], [FAILED]);
    }
}
