//! ID tokens and what `/oauth/userinfo` tells.

use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use svc_client::types::Code;
use svc_core::tasks::sweep;
use svc_store::{sql, values};

use super::clients::documents::says;
use super::{DONE, asking, text, with};
use crate::app::TestApp;
use crate::on_both_engines;
use crate::raw::answer;
use crate::receiver::{Mode, Receiver};

const DAY: u64 = 86_400;

/// Header and claims of a token.
fn parts(token: &str) -> [Value; 2] {
    let mut parts = token.split('.').map(|part| URL_SAFE_NO_PAD.decode(part).unwrap());
    [0, 1].map(|_| serde_json::from_slice(&parts.next().unwrap()).unwrap())
}

impl TestApp {
    /// The claims of a token, once its signature is verified by the published key.
    async fn verified(&self, token: &str) -> Value {
        let [header, claims] = parts(token);
        let keys = self.document("/.well-known/jwks.json").await;
        let keys = keys["keys"].as_array().unwrap();
        let key = keys.iter().find(|key| key["kid"] == header["kid"]).unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        let part = |name: &str| URL_SAFE_NO_PAD.decode(text(key, name)).unwrap();
        if header["alg"] == "ES256" {
            let point = [vec![4], part("x"), part("y")].concat();
            let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
            key.verify(signed.as_bytes(), &signature).unwrap();
        } else {
            let key = RsaPublicKeyComponents { n: part("n"), e: part("e") };
            key.verify(&RSA_PKCS1_2048_8192_SHA256, signed.as_bytes(), &signature).unwrap();
        }
        claims
    }

    /// The ids of the published keys of an algorithm.
    async fn kids(&self, alg: &str) -> Vec<String> {
        let keys = self.document("/.well-known/jwks.json").await;
        let keys = keys["keys"].as_array().unwrap().iter().filter(|key| key["alg"] == alg);
        keys.map(|key| text(key, "kid")).collect()
    }
}

on_both_engines! {
    async fn an_id_token_says_who_signed_in(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let signed_in = app.server.clock().now().as_millis() / 1000;
        app.advance(30);
        let request = with(asking(&client, "openid profile email"), "nonce", "n1");
        let code = ada.agree(&app, &request).await;
        let tokens = app.redeem(&client, &code).await.json();
        let claims = app.verified(&text(&tokens, "id_token")).await;
        let id = ada.member.user.id.as_str();
        assert_eq!((&claims["iss"], &claims["aud"]), (&json!(app.root()), &json!(client)));
        assert_eq!((&claims["sub"], &claims["nonce"]), (&json!(id), &json!("n1")));
        assert_eq!((&claims["auth_time"], &claims["iat"]), (&json!(signed_in), &json!(signed_in + 30)));
        assert_eq!(claims["exp"], signed_in + 630);
        assert_eq!((&claims["preferred_username"], &claims["is_agent"]), (&json!("ada"), &json!(false)));
        assert_eq!(claims.get("email"), None, "it is not verified");
        let account = ada.member.user.id.clone();
        let sql = sql!("update account set email_verified_at = 1 where id = $1");
        app.execute(move |ctx| ctx.tx.execute(sql, values![account])).await;
        let access = text(&tokens, "access_token");
        let info = answer(app.raw(Method::GET, "/../oauth/userinfo").bearer_auth(&access)).await.json();
        assert_eq!((&info["sub"], &info["name"]), (&json!(id), &json!("ada")));
        assert_eq!((&info["email"], &info["email_verified"]), (&json!("ada@example.org"), &json!(true)));
        let renewed = app.refresh(&client, &text(&tokens, "refresh_token")).await.json();
        let claims = app.verified(&text(&renewed, "id_token")).await;
        assert_eq!((&claims["auth_time"], claims.get("nonce")), (&json!(signed_in), None));
    }

    async fn the_api_shows_an_address_only_to_programs_that_asked_for_it(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        for (scope, is_told) in [("openid profile read write", false), ("read write email", true)] {
            let token = text(&app.tokens(&ada, &client, scope).await, "access_token");
            for (method, path) in [
                (Method::GET, "/users/me"), (Method::GET, "/users/ada"), (Method::GET, "/auth/session"),
                (Method::GET, "/home"), (Method::PATCH, "/users/me"), (Method::DELETE, "/users/me/avatar"),
            ] {
                let request = app.raw(method.clone(), path).bearer_auth(&token);
                let request =
                    if method == Method::PATCH { request.json(&json!({ "bio": scope })) } else { request };
                let received = answer(request).await;
                assert_eq!(received.status, StatusCode::OK, "{method} {path}");
                for own in ["ada@example.org", "emailVerified"] {
                    assert_eq!(received.text.contains(own), is_told, "{scope}: {method} {path}: {}", received.text);
                }
            }
        }
        assert!(ada.member.client.users().me().await.unwrap().user.email.is_some(), "by key");
    }

    async fn a_client_that_registered_for_it_gets_rs256(app: TestApp) {
        let ada = app.visitor("ada").await;
        let body = json!({ "redirect_uris": [DONE], "id_token_signed_response_alg": "RS256" });
        let client = answer(app.raw(Method::POST, "/../oauth/register").json(&body)).await.json();
        let client = text(&client, "client_id");
        let tokens = app.tokens(&ada, &client, "openid").await;
        let token = text(&tokens, "id_token");
        assert_eq!(parts(&token)[0]["alg"], "RS256");
        let claims = app.verified(&token).await;
        assert_eq!(claims.get("preferred_username"), None);
    }

    async fn an_app_gets_the_algorithm_that_it_chose(app: TestApp) {
        let (ada, gate) = (app.visitor("ada").await, app.gate().await);
        for alg in ["ES256", "RS256", "ES256"] {
            let change = json!({ "idTokenSignedResponseAlg": alg });
            let request = app.raw(Method::PATCH, "/v1/developers/me").json(&change);
            let changed = answer(request.bearer_auth(gate.key.expose())).await.json();
            assert_eq!(changed["developer"]["idTokenSignedResponseAlg"], alg);
            let code = ada.agree(&app, &asking(gate.app.id.as_str(), "openid")).await;
            let tokens = app.redeem_of(gate.app.id.as_str(), gate.key.expose(), &code).await.json();
            let token = text(&tokens, "id_token");
            assert_eq!(parts(&token)[0]["alg"], alg);
            app.verified(&token).await;
        }
        let wrong = json!({ "idTokenSignedResponseAlg": "none" });
        let request = app.raw(Method::PATCH, "/v1/developers/me").json(&wrong);
        let refused = answer(request.bearer_auth(gate.key.expose())).await.refusal();
        let field = refused.field.as_deref();
        assert_eq!((refused.code, field), (Code::ValidationFailed, Some("idTokenSignedResponseAlg")));
    }

    async fn a_client_gets_the_algorithm_that_its_document_names_now(
        app: TestApp, "webhooks.allow_loopback" = "true"
    ) {
        let ada = app.visitor("ada").await;
        let place = Receiver::start(Mode::ok()).await;
        let client = format!("http://{}/client.json", place.address);
        for alg in ["ES256", "RS256"] {
            let document = json!({
                "client_id": client, "redirect_uris": [DONE], "id_token_signed_response_alg": alg,
            });
            place.set(says(200, "cache-control: max-age=60\r\n", &document.to_string()));
            let tokens = app.tokens(&ada, &client, "openid").await;
            assert_eq!(parts(&text(&tokens, "id_token"))[0]["alg"], alg);
            app.advance(60);
        }
    }

    async fn userinfo_asks_for_a_token_with_openid(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let tokens = app.tokens(&ada, &client, "read").await;
        assert_eq!(tokens.get("id_token"), None);
        let ask = async |token: Option<&str>| {
            let request = app.raw(Method::GET, "/../oauth/userinfo");
            let request = match token {
                Some(token) => request.bearer_auth(token),
                None => request,
            };
            answer(request).await
        };
        let refused = ask(Some(&text(&tokens, "access_token"))).await;
        assert_eq!(refused.refusal().code, Code::InsufficientScope);
        assert!(refused.header("www-authenticate").unwrap().ends_with(r#"scope="openid""#));
        for token in [None, Some("x"), Some(ada.member.key.expose())] {
            let refused = ask(token).await;
            assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
            let challenge = refused.header("www-authenticate").unwrap();
            assert!(challenge.ends_with(r#"scope="openid""#), "{challenge}");
            assert_eq!(challenge.contains(r#"error="invalid_token""#), token.is_some(), "{challenge}");
        }
        let hint = ask(None).await.refusal().hint;
        assert_eq!(hint.as_deref(), Some("send Authorization: Bearer svc_at_…"));
        // An ID token is no credential.
        let id_token = text(&app.tokens(&ada, &client, "openid").await, "id_token");
        assert_eq!(ask(Some(&id_token)).await.status, StatusCode::UNAUTHORIZED);
        assert_eq!(app.status_with(&id_token, "/users/me").await, StatusCode::UNAUTHORIZED);
    }

    async fn keys_are_published_before_and_after_their_time(app: TestApp) {
        let first = app.kids("ES256").await;
        assert_eq!((first.len(), app.kids("RS256").await.len()), (1, 1));
        let sweep = async || sweep::once(app.server.app()).await.unwrap();
        app.advance(83 * DAY - 1);
        sweep().await;
        assert_eq!(app.kids("ES256").await, first);
        app.advance(1);
        sweep().await;
        let keys = sql!("select count(*) from signing_key");
        assert_eq!(app.count(keys).await, 4, "made before anybody asks for them");
        let both = app.kids("ES256").await;
        assert_eq!((both.len(), &both[1]), (2, &first[0]));
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let tokens = app.tokens(&ada, &client, "openid").await;
        assert_eq!(parts(&text(&tokens, "id_token"))[0]["kid"], first[0], "the first still signs");
        app.advance(7 * DAY);
        let tokens = app.refresh(&client, &text(&tokens, "refresh_token")).await.json();
        let token = text(&tokens, "id_token");
        assert_eq!(parts(&token)[0]["kid"], both[0]);
        app.verified(&token).await;
        app.advance(31 * DAY - 1);
        assert_eq!(app.kids("ES256").await, both);
        app.advance(1);
        assert_eq!(app.kids("ES256").await, both[..1]);
        sweep().await;
        assert_eq!(app.count(keys).await, 2);
    }

    async fn keys_of_a_clock_far_ahead_leave_others_to_sign(app: TestApp) {
        let ahead = app.kids("ES256").await;
        let year = sql!(
            "update signing_key set active_from = active_from + 31536000000,
                active_until = active_until + 31536000000"
        );
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let token = text(&app.tokens(&ada, &client, "openid").await, "id_token");
        assert_ne!(parts(&token)[0]["kid"], ahead[0]);
        app.verified(&token).await;
        sweep::once(app.server.app()).await.unwrap();
        let keys = sql!("select count(*) from signing_key");
        assert_eq!(app.count(keys).await, 4, "one more of each algorithm");
    }

    async fn a_key_of_a_clock_far_ahead_does_not_keep_others_from_being_replaced(app: TestApp) {
        app.kids("ES256").await;
        // Its time begins 10 days before that of the third one ends.
        let ahead = sql!(
            "insert into signing_key (alg, n, kid, public, sealed, active_from, active_until)
             select alg, n + 1, 'ahead ' || kid, public, sealed, active_from + 14688000000,
                active_until + 14688000000
             from signing_key"
        );
        app.execute(move |ctx| ctx.tx.execute(ahead, &[])).await;
        for days in [83, 90, 37] {
            app.advance(days * DAY);
            sweep::once(app.server.app()).await.unwrap();
        }
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let token = text(&app.tokens(&ada, &client, "openid").await, "id_token");
        app.verified(&token).await;
        let signs = sql!(
            "select count(*) from signing_key
             where n = 4 and active_from = (select active_until from signing_key s
                where s.n = 3 and s.alg = signing_key.alg)"
        );
        assert_eq!(app.count(signs).await, 2, "the fourth follows the third");
    }
}
