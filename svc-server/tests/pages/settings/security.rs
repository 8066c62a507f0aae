//! Passwords, confirmations, keys, programs and sessions, by forms.

use http::{Method, StatusCode};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{ApiKey, Scope};
use svc_store::{sql, values};
use totp_rs::{Builder, Secret};

use super::CONFIRM;
use crate::app::SEC_FETCH_SITE;
use crate::browser::{Browser, PASSWORD, typed};
use crate::on_both_engines;

on_both_engines! {
    async fn a_new_api_key_is_requested_and_shown_once(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let asked = browser.get("/settings/key").await;
        assert!(asked.text.contains("ends at once"), "it says what happens");
        ada.client.users().me().await.unwrap();
        let form = asked.form("/settings/key");
        let shown = browser.send(&form).await;
        assert_eq!(shown.status, StatusCode::OK);
        assert_eq!(shown.headers["cache-control"], "private, no-store");
        let html = shown.html();
        let codes = html.named("pre");
        let key = codes[0].text.clone();
        assert!(codes[1].text.starts_with("curl ") && codes[1].text.contains(&key));
        let me = app.client(ApiKey::from(key.as_str())).users().me().await.unwrap().user;
        assert_eq!(me.username, "ada");
        ada.client.users().me().await.unwrap_err();

        let again = browser.send(&form).await;
        assert!(!again.text.contains(&key), "the same form shows it no second time");
        app.client(ApiKey::from(key.as_str())).users().me().await.unwrap();
        assert!(!browser.get("/settings").await.text.contains(&key));
        let request = browser.request(Method::POST, "/settings/key").header(SEC_FETCH_SITE, "same-origin");
        let third = browser.answer(typed(request.header("accept-encoding", "br, gzip"), &[])).await;
        assert_eq!(third.status, StatusCode::OK);
        assert!(!third.headers.contains_key("content-encoding"), "its length would tell of the key");
    }

    async fn changing_a_password_requires_the_current_one(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let (browser, other) = (Browser::of(&app, "ada").await, Browser::of(&app, "ada").await);
        let form = browser.get("/settings/security").await.form("/settings/password");
        let form = form.with("newPassword", "battery staple");
        let wrong = browser.send(&form.clone().with("currentPassword", "wrong")).await;
        assert!(wrong.status.is_client_error());
        assert!(!wrong.text.contains("battery staple"), "a password is not shown again");
        assert_eq!(wrong.html().of_class("problem"), ["the current password is incorrect"]);
        assert!(wrong.html().of_class("wrong")[0].starts_with("One field needs a change."));
        let changed = browser.send(&form.with("currentPassword", PASSWORD)).await;
        assert_eq!(changed.to(), "/settings/security");
        assert_eq!(browser.get("/settings").await.status, StatusCode::OK);
        assert_eq!(other.get("/settings").await.to(), "/login?next=%2Fsettings");
        app.sign_in("ada", "battery staple").await;
    }

    async fn what_a_confirmation_was_asked_for_is_done_at_once(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/settings/security").await.form("/settings/security/keys");
        let mut form = form.with("name", "reader").with("scopes", "read");
        form.fields.push(("scopes".to_owned(), "write".to_owned()));
        app.advance(600);
        let asked = browser.send(&form).await;
        let made = browser.send(&asked.form(CONFIRM).with("password", PASSWORD)).await;
        assert!(made.text.contains("Your new API key"), "{}", made.text);
        let keys = ada.client.keys().list().await.unwrap().keys;
        assert_eq!((keys.len(), &*keys[1].scopes), (2, &[Scope::Read, Scope::Write][..]));
        let again = browser.send(&asked.form(CONFIRM).with("password", PASSWORD)).await;
        assert_eq!(again.status, StatusCode::CONFLICT, "the key is shown once: {}", again.text);
        assert_eq!(ada.client.keys().list().await.unwrap().keys.len(), 2);
    }

    async fn an_account_without_a_password_is_not_asked_for_one(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        assert!(browser.get(CONFIRM).await.text.contains("name=\"password\""));
        app.execute(|ctx| {
            ctx.tx.execute(svc_store::sql!("update account set password_hash = null"), svc_store::values![])
        })
        .await;
        let page = browser.get(CONFIRM).await;
        page.html();
        assert!(!page.text.contains("name=\"password\""), "{}", page.text);
        assert!(page.text.contains("Your account has no password to confirm with."), "{}", page.text);
    }

    async fn a_confirmation_leads_to_pages_of_this_site_only(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        for (next, expected) in [("/settings", "/settings"), ("https://evil.example", "/settings/security")] {
            let fields = [("next", next), ("password", PASSWORD)];
            assert_eq!(browser.post(CONFIRM, &fields).await.to(), expected);
        }
        for of in ["//evil.example", "/no/such/form", CONFIRM, "/settings/confirm?a=b"] {
            let fields = [("password", PASSWORD), ("of", of), ("kept", "password=wrong")];
            assert_eq!(browser.post(CONFIRM, &fields).await.to(), "/settings/security", "{of}");
        }
    }

    async fn an_authenticator_app_is_added_used_and_removed(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/security/totp";
        let asked = browser.get(path).await;
        let added = browser.send(&asked.form(path)).await;
        let key = added.html().of_class("secret").join("");
        let totp = Builder::new().with_secret(Secret::try_from_base32(&key).unwrap()).build().unwrap();
        let code = || {
            let seconds = app.server.clock().now().as_millis() / 1000;
            totp.generate(seconds.unsigned_abs()).to_string()
        };
        let confirm = "/settings/security/totp/confirm";
        let wrong = browser.send(&added.form(confirm).with("code", "000000")).await;
        assert_eq!(wrong.html().of_class("problem"), ["the code is wrong or was used before"]);
        assert!(!wrong.text.contains(&key), "the key is shown once");
        let on = browser.send(&wrong.form(confirm).with("code", &code())).await;
        assert_eq!(on.text.matches("<li><code>").count(), 10, "{}", on.text);
        assert!(browser.get("/settings/security").await.text.contains("10 recovery codes are left"));

        let other = Browser::new(&app);
        let form = other.get("/login").await.form("/login").with("username", "ada");
        let asked = other.send(&form.with("password", PASSWORD)).await;
        let next = "Your password is correct. Now enter a code from your authenticator app, or a recovery code.";
        assert_eq!(asked.html().of_class("notice"), [next]);
        assert!(asked.html().of_class("problem").is_empty(), "it is no mistake: {}", asked.text);
        app.advance(30);
        let wrong = other.send(&asked.form("/login").with("code", "000000")).await;
        assert_eq!(wrong.html().of_class("problem"), ["the code is wrong or was used before"]);
        assert!(!wrong.text.contains("type=\"password\""), "it is asked for once");
        let form = wrong.form("/login").with("code", &code());
        assert_eq!(other.send(&form).await.to(), "/");
        app.advance(30);
        let again = Browser::new(&app).send(&form.with("code", &code())).await;
        assert_eq!(again.html().of_class("problem"), ["the password was typed too long ago"]);
        let slow = Browser::new(&app);
        let form = slow.get("/login").await.form("/login").with("username", "ada");
        let asked = slow.send(&form.with("password", PASSWORD)).await;
        app.advance(300);
        let late = slow.send(&asked.form("/login").with("code", &code())).await;
        assert_eq!(late.html().of_class("problem"), ["the password was typed too long ago"]);
        let thief = Browser::new(&app);
        let form = thief.get("/login").await.form("/login").with("username", "ada");
        let asked = thief.send(&form.with("password", PASSWORD)).await;
        let form = browser.get("/settings/security").await.form("/settings/password");
        let form = form.with("currentPassword", PASSWORD).with("newPassword", "battery staple");
        assert_eq!(browser.send(&form).await.to(), "/settings/security");
        app.advance(30);
        let late = thief.send(&asked.form("/login").with("code", &code())).await;
        assert_eq!(late.html().of_class("problem"), ["the password was typed too long ago"]);

        app.advance(600);
        let remove = "/settings/security/totp/delete";
        let asked = browser.send(&browser.get(remove).await.form(remove)).await;
        let done = browser.send(&asked.form(CONFIRM).with("code", &code())).await;
        assert_eq!(done.to(), "/settings/security");
        assert!(!ada.client.factors().get().await.unwrap().totp);
    }

    async fn a_sign_in_in_two_steps_goes_on_with_the_password_that_was_typed_last(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let uri = ada.client.factors().create_totp().await.unwrap().uri;
        let (_, key) = uri.expose().split_once("secret=").unwrap();
        let key = Secret::try_from_base32(key.split('&').next().unwrap()).unwrap();
        let totp = Builder::new().with_secret(key).build().unwrap();
        let seconds = app.server.clock().now().as_millis() / 1000;
        let code = totp.generate(seconds.unsigned_abs()).to_string();
        let codes = ada.client.factors().confirm_totp(code.as_str()).await.unwrap().recovery_codes;
        let browser = Browser::new(&app);
        let form = browser.get("/login").await.form("/login").with("username", "ada");
        browser.send(&form.clone().with("password", PASSWORD)).await;
        ada.client.auth().change_password(PASSWORD, "battery staple").await.unwrap();
        let asked = browser.send(&form.with("password", "battery staple")).await;
        let done = browser.send(&asked.form("/login").with("code", codes[0].expose())).await;
        assert_eq!(done.to(), "/", "{}", done.text);
    }

    async fn a_form_that_is_sent_without_its_code_is_no_failed_sign_in(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let uri = ada.client.factors().create_totp().await.unwrap().uri;
        let (_, key) = uri.expose().split_once("secret=").unwrap();
        let key = Secret::try_from_base32(key.split('&').next().unwrap()).unwrap();
        let totp = Builder::new().with_secret(key).build().unwrap();
        let seconds = app.server.clock().now().as_millis() / 1000;
        let code = totp.generate(seconds.unsigned_abs()).to_string();
        let codes = ada.client.factors().confirm_totp(code.as_str()).await.unwrap().recovery_codes;
        // As from a network that it never signed in from.
        app.execute(|ctx| ctx.tx.execute(sql!("delete from known_network"), &[])).await;
        let browser = Browser::new(&app);
        let form = browser.get("/login").await.form("/login").with("username", "ada");
        let asked = browser.send(&form.with("password", PASSWORD)).await;
        let again = browser.send(&asked.form("/login").with("code", "")).await;
        let done = browser.send(&again.form("/login").with("code", codes[0].expose())).await;
        assert_eq!(done.to(), "/", "{}", done.text);
        let log = ada.client.security().log().await.unwrap().entries;
        assert!(log.iter().all(|entry| entry.action != SecurityAction::SignInFailed), "{log:?}");
    }

    async fn keys_are_created_and_ended_on_the_security_page(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/security";
        let form = browser.get(path).await.form("/settings/security/keys");
        assert_eq!(form.value("expiresIn"), "90d");
        let nothing = browser.send(&form.clone().with("name", "").with("scopes", "dm")).await;
        assert_eq!(nothing.status, 400);
        let again = nothing.form("/settings/security/keys");
        assert_eq!(again.value("scopes"), "dm", "what was ticked is kept");
        let made = browser.send(&form.with("name", "<b>reader</b>").with("scopes", "read")).await;
        let keys = ada.client.keys().list().await.unwrap().keys;
        let key = &keys[1];
        assert!(made.text.contains(&format!("svc_ak_{}", key.key_id)), "{}", made.text);
        assert_eq!((key.scopes.as_slice(), key.expires_at.is_some()), (&[Scope::Read][..], true));
        assert_eq!(key.spend, None, "empty limits are none");
        let page = browser.get(path).await;
        assert!(page.text.contains("&#60;b&#62;reader&#60;/b&#62;"), "{}", page.text);
        assert!(page.text.contains("May do: everything") && page.text.contains("May do: read"));
        assert!(page.text.contains("API key created."));
        let rename = format!("{path}/keys/{}", key.key_id);
        let form = page.form(&rename);
        assert_eq!(form.value("name"), "<b>reader</b>");
        let taken = browser.send(&form.clone().with("name", "default")).await;
        assert_eq!(taken.status, StatusCode::CONFLICT);
        assert_eq!(taken.html().of_class("wrong").len(), 1, "{}", taken.text);
        assert_eq!(browser.send(&form.with("name", "laptop")).await.to(), path);
        assert_eq!(ada.client.keys().list().await.unwrap().keys[1].name, "laptop");
        let end = format!("{path}/keys/{}/delete", key.key_id);
        assert!(page.text.contains(&end));
        assert_eq!(browser.post(&end, &[]).await.to(), path);
        assert_eq!(ada.client.keys().list().await.unwrap().keys.len(), 1);
    }

    async fn the_rights_of_a_program_are_shown_and_where_it_has_them(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        for (id, scopes, resource) in [("grt_1", "read exchange:spend", "api"), ("grt_2", "dm", "mcp")] {
            let account = ada.user.id.clone();
            app.execute(move |ctx| {
                ctx.tx.execute(
                    sql!(
                        "insert into oauth_grant (id, account, giver, client_id, client_name,
                            client_host, scopes, resource, remembered, created_at)
                         values ($1, $2, $2, 'cli_1', 'Gate', 'gate.example.org', $3, $4, false, 0)"
                    ),
                    values![id, account, scopes, resource],
                )
            })
            .await;
        }
        let page = Browser::of(&app, "ada").await.get("/settings/security").await;
        for rights in [
            "May do: read; spend credits · through the API",
            "May do: read and send messages · through MCP",
        ] {
            assert!(page.text.contains(rights), "{rights}: {}", page.text);
        }
    }

    async fn other_sessions_end_on_the_security_page(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let lost = Browser::of(&app, "ada").await;
        let browser = Browser::of(&app, "ada").await;
        let path = "/settings/security";
        let page = browser.get(path).await;
        assert_eq!(page.text.matches("This session").count(), 1);
        let (_, own) = page.text.split_once("This session").unwrap();
        assert!(!own.split("</p>").next().unwrap().contains("last used"), "it is in use: {}", page.text);
        assert_eq!(browser.post("/settings/security/sessions/delete", &[]).await.to(), path);
        assert!(!browser.get(path).await.text.contains("End all other sessions"));
        assert_eq!(lost.get(path).await.status, 303, "it has to sign in again");
    }

    async fn a_session_and_a_program_are_ended_by_their_buttons(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let lost = Browser::of(&app, "ada").await;
        let browser = Browser::of(&app, "ada").await;
        let account = ada.user.id.clone();
        app.execute(move |ctx| {
            ctx.tx.execute(
                sql!(
                    "insert into oauth_grant (id, account, giver, client_id, client_name,
                        client_host, scopes, resource, remembered, created_at)
                     values ('grt_1', $1, $1, 'cli_1', 'Gate', 'gate.example.org', 'read', 'api', false, 0)"
                ),
                values![account],
            )
        })
        .await;
        let path = "/settings/security";
        let page = browser.get(path).await.text;
        let first = |kind: &str| {
            let action = format!("formaction=\"{path}/{kind}/");
            let (_, rest) = page.split_once(&*action).expect("it has a button");
            format!("{path}/{kind}/{}", rest.split('"').next().unwrap())
        };
        assert_eq!(browser.post(&first("grants"), &[]).await.to(), path);
        assert_eq!(ada.client.grants().list().await.unwrap().grants, []);
        // The newest one is that of the page, which has no button.
        assert_eq!(browser.post(&first("sessions"), &[]).await.to(), path);
        assert_eq!(browser.get(path).await.status, StatusCode::OK);
        assert_eq!(lost.get(path).await.status, StatusCode::SEE_OTHER, "it has to sign in again");
    }

    async fn what_a_new_key_may_spend_is_limited_in_its_form(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = Browser::of(&app, "ada").await;
        let form = browser.get("/settings/security").await.form("/settings/security/keys");
        let form = form.with("name", "buyer").with("scopes", "exchange:spend").with("spend.perOrder", "2.5");
        let wrong = browser.send(&form.clone().with("spend.perDay", "much")).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
        assert!(wrong.html().of_class("problem")[0].starts_with("Limit per 24 hours must"), "{}", wrong.text);
        assert_eq!(wrong.form("/settings/security/keys").value("spend.perOrder"), "2.5");
        browser.send(&form.with("spend.perDay", "40")).await.html();
        let spend = ada.client.keys().list().await.unwrap().keys.remove(1).spend.unwrap();
        assert_eq!((spend.per_order, spend.per_day), (Some("2.5".parse().unwrap()), Some(40.into())));
    }
}
