//! Tokens: what they open, how they are renewed, and how they end.

mod grants;
mod refreshing;

use http::{Method, StatusCode};
use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::security::SecurityAction;
use svc_core::tasks::sweep;
use svc_store::{sql, values};

use super::{DONE, Forms as _, asking, refused, text, with};
use crate::market::offer;
use crate::on_both_engines;
use crate::raw::{answer, code_of};

const DAY: u64 = 86_400;

on_both_engines! {
    async fn a_token_does_what_its_scopes_say(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let reader = text(&app.tokens(&ada, &client, "read").await, "access_token");
        let post = app.raw(Method::POST, "/posts").bearer_auth(&reader).json(&json!({ "content": "a" }));
        let refused = answer(post).await;
        let refusal = refused.refusal();
        let said = (refusal.code, refusal.hint.as_deref());
        assert_eq!(said, (Code::InsufficientScope, Some("ask the account for this scope")));
        let challenge = refused.header("www-authenticate").unwrap();
        let metadata = format!("{}/.well-known/oauth-protected-resource/api", app.root());
        assert_eq!(
            challenge,
            format!(r#"Bearer error="insufficient_scope", resource_metadata="{metadata}", scope="write""#)
        );
        let keys = answer(app.raw(Method::GET, "/auth/keys").bearer_auth(&reader)).await;
        assert_eq!(keys.status, StatusCode::FORBIDDEN);
        assert!(keys.text.contains("use an API key that has it"), "no consent gives it: {}", keys.text);
        assert_eq!(
            keys.header("www-authenticate").unwrap(),
            format!(r#"Bearer error="insufficient_scope", resource_metadata="{metadata}""#)
        );
        assert_eq!(app.status_with(&reader, "/auth/grants").await, StatusCode::FORBIDDEN);
        let anonymous = answer(app.raw(Method::GET, "/users/me")).await;
        assert_eq!(anonymous.status, StatusCode::UNAUTHORIZED);
        let challenge = anonymous.header("www-authenticate").unwrap();
        assert_eq!(challenge, format!(r#"Bearer resource_metadata="{metadata}", scope="read""#));
        let wrong = answer(app.raw(Method::GET, "/users/me").bearer_auth("svc_at_nope")).await;
        assert_eq!(
            wrong.header("www-authenticate").unwrap(),
            format!(r#"Bearer error="invalid_token", resource_metadata="{metadata}", scope="read""#)
        );
        let writer = text(&app.tokens(&ada, &client, "write").await, "access_token");
        let post = app.raw(Method::POST, "/posts").bearer_auth(&writer).json(&json!({ "content": "a" }));
        assert_eq!(answer(post).await.status, StatusCode::CREATED);
    }

    async fn a_token_found_in_public_ends_what_its_program_got(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        for found in ["access_token", "refresh_token"] {
            let tokens = app.tokens(&ada, &client, "read").await;
            let other = app.tokens(&ada, &client, "read").await;
            let report = app.anonymous.keys().report(text(&tokens, found));
            assert!(report.await.unwrap().received);
            let access = text(&tokens, "access_token");
            assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
            let renewed = app.refresh(&client, &text(&tokens, "refresh_token")).await;
            assert_eq!(refused(&renewed), "invalid_grant");
            let other = text(&other, "access_token");
            assert_eq!(app.status_with(&other, "/users/me").await, StatusCode::OK, "another sign-in");
        }
        let log = ada.member.client.security().log().await.unwrap().entries;
        let reported = log.iter().filter(|entry| entry.action == SecurityAction::KeyReported);
        assert_eq!(reported.count(), 2, "its account can see why they ended");
    }

    async fn a_token_lives_for_an_hour(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let tokens = app.tokens(&ada, &client, "read").await;
        let access = text(&tokens, "access_token");
        app.advance(3599);
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK);
        app.advance(1);
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from oauth_access")).await, 0);
        let renewed = app.refresh(&client, &text(&tokens, "refresh_token")).await.json();
        assert_eq!(app.status_with(&text(&renewed, "access_token"), "/users/me").await, StatusCode::OK);
        for wrong in ["svc_at_", "svc_at_000000000000_000000000000000000000000000000000000"] {
            assert_eq!(app.status_with(wrong, "/users/me").await, StatusCode::UNAUTHORIZED);
        }
    }

    async fn an_access_token_beyond_ten_of_a_sign_in_ends_the_oldest(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let mut tokens = app.tokens(&ada, &client, "read").await;
        let oldest = text(&tokens, "access_token");
        app.advance(1);
        for status in [StatusCode::OK; 9].into_iter().chain([StatusCode::UNAUTHORIZED]) {
            tokens = app.refresh(&client, &text(&tokens, "refresh_token")).await.json();
            assert_eq!(app.status_with(&oldest, "/users/me").await, status);
        }
        let newest = text(&tokens, "access_token");
        assert_eq!(app.status_with(&newest, "/users/me").await, StatusCode::OK);
    }

    async fn a_token_works_only_for_its_resource(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let mcp = format!("{}/mcp", app.root());
        let code = ada.agree(&app, &with(asking(&client, "openid read"), "resource", &mcp)).await;
        let access = text(&app.redeem(&client, &code).await.json(), "access_token");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        // Either kind opens this.
        assert_eq!(app.status_with(&access, "/../oauth/userinfo").await, StatusCode::OK);
    }

    async fn a_program_spends_within_its_caps(app: TestApp) {
        let ada = app.visitor("ada").await;
        let bot = app.agent("bot").await;
        let client = app.register_client(&[DONE]).await;
        let access = text(&app.tokens(&ada, &client, "exchange:spend").await, "access_token");
        let service = offer(&bot, "work", 5).await;
        let order = async |amount: u32| {
            let body = json!({
                "providerUsername": "bot", "serviceId": service, "amount": amount, "description": "work",
            });
            answer(app.raw(Method::POST, "/v1/escrow").bearer_auth(&access).json(&body)).await
        };
        let too_much = order(11).await;
        assert_eq!(too_much.refusal().code, Code::SpendLimit, "{}", too_much.text);
        for _ in 0..5 {
            assert_eq!(order(10).await.status, StatusCode::CREATED);
        }
        assert_eq!(order(1).await.refusal().code, Code::SpendLimit);
    }

    async fn a_program_that_may_spend_since_a_later_consent_spends_within_its_caps(app: TestApp) {
        let ada = app.visitor("ada").await;
        let bot = app.agent("bot").await;
        let client = app.register_client(&[DONE]).await;
        app.tokens(&ada, &client, "read").await;
        let access = text(&app.tokens(&ada, &client, "exchange:spend").await, "access_token");
        let grants = ada.member.client.grants().list().await.unwrap().grants;
        let [grant] = grants.as_slice() else { panic!("{grants:?}") };
        assert_eq!(grant.scopes, ["read", "exchange:spend"]);
        let service = offer(&bot, "work", 5).await;
        let order = async |amount: u32| {
            let body = json!({
                "providerUsername": "bot", "serviceId": service, "amount": amount, "description": "work",
            });
            answer(app.raw(Method::POST, "/v1/escrow").bearer_auth(&access).json(&body)).await
        };
        assert_eq!(order(11).await.refusal().code, Code::SpendLimit);
        assert_eq!(order(10).await.status, StatusCode::CREATED);
    }

    async fn a_live_token_in_a_text_is_refused(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let tokens = app.tokens(&ada, &client, "read").await;
        for name in ["access_token", "refresh_token"] {
            let content = format!("look: {}", text(&tokens, name));
            let request = ada.member.raw(&app, Method::POST, "/posts").json(&json!({ "content": content }));
            assert_eq!(code_of(request).await, Code::CredentialInContent, "{name}");
        }
        // One that has expired is dead before it is swept, and to report it ends nothing.
        let now = app.server.clock().now();
        let expire = sql!("update oauth_access set expires_at = $1");
        app.execute(move |ctx| ctx.tx.execute(expire, values![now])).await;
        let access = text(&tokens, "access_token");
        let body = json!({ "content": format!("look: {access}") });
        let request = ada.member.raw(&app, Method::POST, "/posts").json(&body);
        assert_eq!(answer(request).await.status, StatusCode::CREATED);
        app.anonymous.keys().report(&*access).await.unwrap();
        let refreshed = app.refresh(&client, &text(&tokens, "refresh_token")).await;
        assert_eq!(refreshed.status, StatusCode::OK);
    }

    async fn a_client_learns_of_its_own_tokens_and_ends_them(app: TestApp) {
        let ada = app.visitor("ada").await;
        let (gate, other) = (app.gate().await, app.gate().await);
        let id = gate.app.id.as_str();
        let code = ada.agree(&app, &asking(id, "openid read")).await;
        let secret = gate.key.expose();
        let both = [("client_id", id), ("client_secret", secret)];
        let with = |more: &[(&'static str, &str)]| {
            let all = [&both[..], more].concat();
            all.into_iter().map(|(name, text)| (name, text.to_owned())).collect::<Vec<_>>()
        };
        let send = async |path: &str, fields: Vec<(&str, String)>| {
            let fields: Vec<_> = fields.iter().map(|(name, text)| (*name, text.as_str())).collect();
            app.form(path, &fields).await
        };
        let verifier = ("code_verifier", super::VERIFIER);
        let exchange = [("grant_type", "authorization_code"), ("code", &*code), verifier];
        assert_eq!(refused(&app.redeem(id, &code).await), "invalid_client");
        let tokens = send("/oauth/token", with(&exchange)).await.json();
        let (access, refresh) = (text(&tokens, "access_token"), text(&tokens, "refresh_token"));
        let seen = send("/oauth/introspect", with(&[("token", &access)])).await.json();
        assert_eq!((&seen["active"], &seen["username"]), (&true.into(), &"ada".into()));
        assert_eq!((&seen["client_id"], &seen["scope"]), (&id.into(), &"openid read".into()));
        assert_eq!(seen["aud"], format!("{}/api", app.root()));
        assert_eq!((&seen["iss"], &seen["sub"]), (&json!(app.root()), &json!(ada.member.user.id)));
        let issued = app.server.clock().now().as_millis() / 1000;
        assert_eq!((&seen["iat"], &seen["exp"]), (&json!(issued), &json!(issued + 3_600)));
        let seen = send("/oauth/introspect", with(&[("token", &refresh)])).await.json();
        assert_eq!((&seen["active"], &seen["token_type"]), (&true.into(), &json!(null)));
        // One that has expired is inactive before it is swept.
        let now = app.server.clock().now();
        for (expires_at, is_active) in [(now, false), (now.plus(std::time::Duration::from_hours(1)), true)] {
            let expire = sql!("update oauth_family set expires_at = $1");
            app.execute(move |ctx| ctx.tx.execute(expire, values![expires_at])).await;
            let seen = send("/oauth/introspect", with(&[("token", &refresh)])).await.json();
            assert_eq!(seen["active"], is_active);
        }
        let inactive = json!({ "active": false });
        let key = ada.member.key.expose();
        for token in ["x", key] {
            assert_eq!(send("/oauth/introspect", with(&[("token", token)])).await.json(), inactive);
        }
        for token in [&access, &refresh] {
            let foreign = app.raw(Method::POST, "/../oauth/introspect").form(&[("token", token)]);
            let foreign = foreign.basic_auth(other.app.id.as_str(), Some(other.key.expose()));
            assert_eq!(answer(foreign).await.json(), inactive);
        }
        let public = app.register_client(&[DONE]).await;
        let open = app.form("/oauth/introspect", &[("client_id", &public), ("token", &access)]).await;
        assert_eq!((open.status, refused(&open)), (StatusCode::UNAUTHORIZED, "invalid_client".into()));
        // Nobody ends the token of another client.
        for token in [&access, &refresh] {
            app.form("/oauth/revoke", &[("client_id", &*public), ("token", &**token)]).await.json();
        }
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK);
        send("/oauth/revoke", with(&[("token", &access)])).await.json();
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        send("/oauth/revoke", with(&[("token", &refresh)])).await.json();
        let fields = with(&[("grant_type", "refresh_token"), ("refresh_token", &refresh)]);
        assert_eq!(refused(&send("/oauth/token", fields).await), "invalid_grant");
        assert_eq!(refused(&send("/oauth/revoke", with(&[])).await), "invalid_request");
    }

    async fn another_method_than_post_is_refused_as_oauth_does(app: TestApp) {
        for path in ["token", "introspect", "revoke", "register", "device"] {
            let answered = answer(app.raw(Method::GET, &format!("/../oauth/{path}"))).await;
            assert_eq!(answered.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
            assert_eq!(answered.header("allow"), Some("POST"), "{path}");
            assert_eq!(refused(&answered), "invalid_request", "{path}");
        }
    }
}
