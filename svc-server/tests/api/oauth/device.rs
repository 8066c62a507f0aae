//! Sign-in on a device: the code that is shown there and typed elsewhere.

use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_client::types::Code;

use super::{DONE, Forms as _, PASSWORD, Visitor, form_key, led_to, refused, text};
use crate::app::TestApp;
use crate::on_both_engines;
use crate::owners::own;
use crate::raw::{Raw, answer};

const DEVICE: &str = "urn:ietf:params:oauth:grant-type:device_code";

impl TestApp {
    /// Begins a sign-in of `svc`.
    pub(crate) async fn start_device(&self, scope: &str) -> Value {
        self.form("/oauth/device", &[("client_id", "svc"), ("scope", scope)]).await.json()
    }

    /// Asks whether the person has decided.
    pub(crate) async fn poll(&self, started: &Value) -> Raw {
        let code = text(started, "device_code");
        let fields = [("grant_type", DEVICE), ("client_id", "svc"), ("device_code", &code)];
        self.form("/oauth/token", &fields).await
    }
}

/// The code with the decision.
async fn decide(ada: &Visitor, app: &TestApp, started: &Value, decision: &str) -> Raw {
    let code = text(started, "user_code");
    let fields =
        [("user_code", &*code), ("decision", decision), ("perOrder", "10"), ("perDay", "50")];
    ada.send(app, "/device", &fields).await
}

on_both_engines! {
    async fn a_device_gets_tokens_once_the_person_has_agreed(app: TestApp) {
        let ada = app.visitor("ada").await;
        let started = app.start_device("openid read account").await;
        assert_eq!((&started["interval"], &started["expires_in"]), (&5.into(), &600.into()));
        assert_eq!(started["verification_uri"], format!("{}/device", app.root()));
        assert_eq!(refused(&app.poll(&started).await), "authorization_pending");
        let typed = text(&started, "user_code").to_lowercase().replace('-', " ");
        let page = ada.page(&app, &format!("/device?user_code={}", typed.replace(' ', "+"))).await;
        assert!(page.text.contains("command line") && page.text.contains("Manage your account"), "{}", page.text);
        let compare = format!("Compare: your device shows <b>{}</b>.", text(&started, "user_code"));
        assert!(page.text.contains(&compare), "{}", page.text);
        assert!(page.text.contains("the command line</bdi></b> asks to act for"), "{}", page.text);
        let allowed = decide(&ada, &app, &started, "allow").await;
        assert_eq!(allowed.status, StatusCode::OK);
        let end = "You can end this at any time under <a href=\"/settings/security\">Security</a>.";
        for says in ["Return to your device: it continues by itself.", end] {
            assert!(allowed.text.contains(says), "{}", allowed.text);
        }
        app.advance(5);
        let tokens = app.poll(&started).await.json();
        assert!(tokens["id_token"].is_string());
        let access = text(&tokens, "access_token");
        assert_eq!(app.status_with(&access, "/auth/keys").await, StatusCode::OK);
        let me = answer(app.raw(Method::GET, "/users/me").bearer_auth(&access)).await.json();
        assert_eq!(me["user"]["email"], "ada@example.org", "what may change the address may read it");
        app.advance(5);
        assert_eq!(refused(&app.poll(&started).await), "invalid_grant");
        assert_eq!(decide(&ada, &app, &started, "allow").await.status, StatusCode::NOT_FOUND);
        // The grant is kept as long as its tokens, and ends with them.
        app.advance(49 * 3_600);
        app.server.sweep().await;
        let tokens = app.refresh("svc", &text(&tokens, "refresh_token")).await.json();
        let revoke = [("client_id", "svc"), ("token", &*text(&tokens, "refresh_token"))];
        app.form("/oauth/revoke", &revoke).await.json();
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants, []);
    }

    async fn a_suspended_account_is_not_asked_about_a_device(app: TestApp) {
        let ada = app.visitor("ada").await;
        let code = text(&app.start_device("read account").await, "user_code");
        app.suspend("ada").await;
        let page = ada.page(&app, &format!("/device?user_code={code}")).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN);
        assert!(page.text.contains("suspended") && !page.text.contains("value=\"allow\""), "{}", page.text);
    }

    async fn a_device_gets_no_tokens_of_an_account_that_was_suspended_since(app: TestApp) {
        let ada = app.visitor("ada").await;
        let started = app.start_device("openid").await;
        assert_eq!(decide(&ada, &app, &started, "allow").await.status, StatusCode::OK);
        app.suspend("ada").await;
        assert_eq!(refused(&app.poll(&started).await), "access_denied");
        app.unsuspend("ada").await;
        app.advance(5);
        assert!(app.poll(&started).await.json()["id_token"].is_string());
    }

    async fn a_device_acts_for_no_agent_that_is_paused(app: TestApp) {
        let (ada, bot) = (app.visitor("ada").await, app.agent("bot").await);
        own(&ada.member, &bot).await;
        let started = app.start_device("read").await;
        let code = text(&started, "user_code");
        let fields = [("user_code", &*code), ("decision", "allow"), ("as", bot.user.id.as_str())];
        let (question, choice) = (format!("/device?user_code={code}"), format!(r#"value="{}""#, bot.user.id));
        assert!(ada.page(&app, &question).await.text.contains(&choice));
        ada.member.client.agents().pause("bot").await.unwrap();
        assert!(!ada.page(&app, &question).await.text.contains(&choice));
        let page = ada.send(&app, "/device", &fields).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN, "{}", page.text);
        assert!(page.text.contains("the account that you chose is suspended or paused"), "{}", page.text);
        assert_eq!(refused(&app.poll(&started).await), "authorization_pending");
    }

    async fn a_device_is_not_allowed_by_an_account_that_was_not_asked(app: TestApp) {
        let (ada, bob) = (app.visitor("ada").await, app.visitor("bob").await);
        let started = app.start_device("read").await;
        let code = text(&started, "user_code");
        let key = form_key(&ada.page(&app, &format!("/device?user_code={code}")).await);
        let fields = [("user_code", &*code), ("decision", "allow"), ("idempotency_key", &*key)];
        let page = bob.send(&app, "/device", &fields).await;
        assert_eq!(page.status, StatusCode::CONFLICT, "{}", page.text);
        assert!(page.text.contains("You are now signed in as @bob"), "{}", page.text);
        assert_eq!(refused(&app.poll(&started).await), "authorization_pending");
        assert_eq!(ada.send(&app, "/device", &fields).await.status, StatusCode::OK);
        app.advance(5);
        assert!(app.poll(&started).await.json()["access_token"].is_string());
    }

    async fn each_device_waits_for_its_own_decision(app: TestApp) {
        let (ada, bob) = (app.visitor("ada").await, app.visitor("bob").await);
        let [hers, his] = [app.start_device("read").await, app.start_device("read").await];
        assert_eq!(decide(&ada, &app, &hers, "allow").await.status, StatusCode::OK);
        assert_eq!(refused(&app.poll(&his).await), "authorization_pending");
        let of_ada = app.poll(&hers).await.json();
        assert_eq!(decide(&bob, &app, &his, "allow").await.status, StatusCode::OK);
        app.advance(5);
        let of_bob = app.poll(&his).await.json();
        for (tokens, name) in [(of_ada, "ada"), (of_bob, "bob")] {
            let access = text(&tokens, "access_token");
            let asked = app.raw(Method::GET, "/users/me").bearer_auth(&access);
            assert_eq!(answer(asked).await.json()["user"]["username"], name);
        }
    }

    async fn a_form_of_another_site_allows_no_device(app: TestApp) {
        let ada = app.visitor("ada").await;
        let started = app.start_device("read").await;
        let code = text(&started, "user_code");
        let form = app.raw(Method::POST, "/../device").form(&[("user_code", &*code), ("decision", "allow")]);
        let form = form.header("cookie", &ada.cookie).header("sec-fetch-site", "cross-site");
        assert_eq!(answer(form).await.refusal().code, Code::CrossSiteRequest);
        assert_eq!(refused(&app.poll(&started).await), "authorization_pending");
    }

    async fn a_program_with_caps_makes_no_key_that_spends_without_them(app: TestApp) {
        let ada = app.visitor("ada").await;
        let started = app.start_device("account exchange:spend").await;
        assert_eq!(decide(&ada, &app, &started, "allow").await.status, StatusCode::OK);
        let access = text(&app.poll(&started).await.json(), "access_token");
        let send = async |path: &str, body: Value| {
            answer(app.raw(Method::POST, path).bearer_auth(&access).json(&body)).await
        };
        let key = send("/auth/keys", json!({ "name": "more", "scopes": ["account"] })).await;
        assert_eq!(key.refusal().code, Code::StepUpRequired, "a program confirms, too");
        assert_eq!(send("/auth/step-up", json!({ "password": PASSWORD })).await.status, StatusCode::OK);
        let key = send("/auth/keys", json!({ "name": "more", "scopes": ["exchange:spend"] })).await;
        assert_eq!(key.refusal().code, Code::InsufficientScope);
    }

    async fn a_device_that_asks_too_often_is_slowed_down(app: TestApp) {
        let ada = app.visitor("ada").await;
        let started = app.start_device("read").await;
        assert_eq!(refused(&app.poll(&started).await), "authorization_pending");
        app.advance(4);
        assert_eq!(refused(&app.poll(&started).await), "slow_down");
        app.advance(9);
        assert_eq!(refused(&app.poll(&started).await), "slow_down");
        app.advance(15);
        assert_eq!(refused(&app.poll(&started).await), "authorization_pending");
        let denied = decide(&ada, &app, &started, "deny").await;
        assert!(denied.text.contains("The device stays signed out."), "{}", denied.text);
        app.advance(15);
        assert_eq!(refused(&app.poll(&started).await), "access_denied");
    }

    async fn a_code_for_a_device_expires_after_ten_minutes(app: TestApp) {
        let ada = app.visitor("ada").await;
        let [early, started] = [app.start_device("read").await, app.start_device("read").await];
        app.advance(599);
        assert_eq!(decide(&ada, &app, &early, "allow").await.status, StatusCode::OK);
        app.advance(1);
        assert_eq!(refused(&app.poll(&started).await), "expired_token");
        assert_eq!(decide(&ada, &app, &started, "allow").await.status, StatusCode::NOT_FOUND);
    }

    async fn the_page_asks_for_a_sign_in_and_a_confirmation(app: TestApp) {
        let ada = app.visitor("ada").await;
        let started = app.start_device("exchange:spend").await;
        let path = format!("/device?user_code={}", text(&started, "user_code"));
        let stranger = Visitor { cookie: String::new(), member: ada.member.clone() };
        assert!(led_to(&stranger.page(&app, &path).await).starts_with("/login?next=%2Fdevice"));
        let odd = stranger.page(&app, "/device?user_code=BCD%C3%89FGH").await;
        assert_eq!(led_to(&odd), "/login?next=%2Fdevice", "what cannot be a code is left out");
        app.advance(599);
        assert_eq!(ada.page(&app, &path).await.status, StatusCode::OK);
        let started = app.start_device("exchange:spend").await;
        app.advance(1);
        let path = format!("/device?user_code={}", text(&started, "user_code"));
        assert!(led_to(&ada.page(&app, &path).await).starts_with("/settings/confirm?next="));
        let sent = decide(&ada, &app, &started, "allow").await;
        assert!(led_to(&sent).starts_with("/settings/confirm?next="));
        let managing = app.start_device("account").await;
        let path = format!("/device?user_code={}", text(&managing, "user_code"));
        for sent in [ada.page(&app, &path).await, decide(&ada, &app, &managing, "allow").await] {
            assert!(led_to(&sent).starts_with("/settings/confirm?next="));
        }
        ada.confirm(&app).await;
        assert_eq!(decide(&ada, &app, &started, "allow").await.status, StatusCode::OK);
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        assert_eq!(grants[0].caps.as_ref().unwrap().per_day.unwrap().to_string(), "50");
    }

    async fn guesses_at_codes_are_limited(app: TestApp) {
        let ada = app.visitor("ada").await;
        assert_eq!(ada.page(&app, "/device").await.status, StatusCode::OK);
        for _ in 0..20 {
            let wrong = ada.page(&app, "/device?user_code=BCDF-GHJK").await;
            assert_eq!(wrong.status, StatusCode::NOT_FOUND);
            assert!(wrong.text.contains("compare it with your device"), "{}", wrong.text);
        }
        let started = app.start_device("read").await;
        let path = format!("/device?user_code={}", text(&started, "user_code"));
        let limited = ada.page(&app, &path).await;
        assert_eq!(limited.status, StatusCode::TOO_MANY_REQUESTS);
        assert!(limited.text.contains("Try again in"), "{}", limited.text);
        app.advance(3600);
        let ada = Visitor { cookie: app.sign_in("ada", PASSWORD).await, ..ada };
        let started = app.start_device("read").await;
        let path = format!("/device?user_code={}", text(&started, "user_code"));
        assert_eq!(ada.page(&app, &path).await.status, StatusCode::OK);
    }

    async fn devices_of_other_programs_and_mistakes_are_told_apart(app: TestApp) {
        let unknown = app.form("/oauth/device", &[("client_id", "cli_unheard")]).await;
        assert_eq!((unknown.status, refused(&unknown)), (StatusCode::UNAUTHORIZED, "invalid_client".into()));
        assert!(unknown.text.contains("client_id names no program"), "{}", unknown.text);
        let client = app.register_client(&[DONE]).await;
        for scope in ["account", "moderate", "unheard-of"] {
            let wrong = app.form("/oauth/device", &[("client_id", &client), ("scope", scope)]).await;
            assert_eq!(refused(&wrong), "invalid_scope");
        }
        let moderate = app.form("/oauth/device", &[("client_id", "svc"), ("scope", "moderate")]).await;
        assert_eq!(refused(&moderate), "invalid_scope");
        let started = app.start_device("read").await;
        let code = text(&started, "device_code");
        let fields = [("grant_type", DEVICE), ("client_id", &*client), ("device_code", &code)];
        assert_eq!(refused(&app.form("/oauth/token", &fields).await), "invalid_grant");
    }

    async fn a_network_begins_sixty_sign_ins_an_hour(app: TestApp, "limits.budgets" = "true") {
        for _ in 0..60 {
            app.start_device("read").await;
        }
        let refused = app.form("/oauth/device", &[("client_id", "svc"), ("scope", "read")]).await;
        assert_eq!(refused.refusal().code, Code::RateLimited);
    }
}
