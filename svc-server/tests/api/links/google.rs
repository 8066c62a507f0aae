//! Google: what its ID tokens have to say, and what happens when it does not answer.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use http::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use svc_client::types::Code;
use svc_client::types::api::links::{BeginLink, LinkProvider::Google};
use svc_store::sql;
use url::form_urlencoded;

use super::stub::{CLIENT, Key, Reply, SECRET, unsigned};
use super::{
    Carried, SETTINGS, Scene, assert_page, begin, flags, linked, refused, with_a_provider,
};
use crate::oauth::led_to;

/// Claims with one that differs; `null` removes it.
fn with(mut claims: Value, name: &str, value: Value) -> Value {
    let members = claims.as_object_mut().unwrap();
    if value.is_null() {
        members.remove(name);
    } else {
        members.insert(name.to_owned(), value);
    }
    claims
}

/// Tokens that prove nothing, each with what is wrong.
fn wrong_tokens(scene: &Scene, carried: &Carried) -> Vec<(&'static str, String)> {
    let claims = scene.claims(carried, "1");
    let now = claims["iat"].as_i64().unwrap();
    let signed = |name: &str, value: Value| scene.key.sign(&with(claims.clone(), name, value));
    let headed = |header: Value| scene.key.sign_as(&header, &claims);
    let several = with(claims.clone(), "aud", json!([CLIENT, "other"]));
    let tampered = scene.key.sign(&claims).rsplit_once('.').unwrap().0.to_owned();
    let public_key = scene.key.jwk()["x"].as_str().unwrap().to_owned();
    let hmac = [("alg", "HS256"), ("kid", "first"), ("k", &public_key)];
    let hmac: Value = hmac.into_iter().map(|(name, text)| (name.to_owned(), json!(text))).collect();
    vec![
        ("another attempt", signed("nonce", json!("other"))),
        ("another attempt", signed("nonce", Value::Null)),
        ("another program", signed("aud", json!("other"))),
        ("another program", signed("aud", json!([]))),
        ("another program", scene.key.sign(&several)),
        ("another program", scene.key.sign(&with(several.clone(), "azp", json!("other")))),
        ("another program", signed("azp", json!("other"))),
        ("another issuer", signed("iss", json!("https://accounts.google.com"))),
        ("another issuer", signed("iss", json!(format!("{}/", scene.stub.url)))),
        ("has expired", signed("exp", json!(now - 60))),
        ("from the future", signed("iat", json!(now + 61))),
        ("no verified e-mail", signed("email_verified", json!(false))),
        ("no verified e-mail", signed("email_verified", Value::Null)),
        ("no verified e-mail", signed("email", Value::Null)),
        ("names no account", signed("sub", json!(""))),
        ("claim is missing", signed("sub", Value::Null)),
        ("claim is missing", signed("exp", Value::Null)),
        ("signature is wrong", format!("{tampered}.{}", URL_SAFE_NO_PAD.encode([1; 64]))),
        ("no signed token", format!("{}.", unsigned(&json!({ "alg": "none" }), &claims))),
        ("no signed token", "neither signed nor a token".to_owned()),
        ("no signed token", format!("{}.x", "y".repeat(20_000))),
        ("algorithm is not allowed", headed(hmac)),
        ("not that of the key", headed(json!({ "alg": "RS256", "kid": "first" }))),
        ("not that of the key", headed(json!({ "alg": "ES384", "kid": "first" }))),
        ("key is not known", headed(json!({ "alg": "ES256", "kid": "other" }))),
    ]
}

with_a_provider! {
    async fn an_account_of_google_is_linked_and_shown(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        let browser = scene.app.browser(&ada.cookie);
        let carried = begin(&browser, Google).await;
        assert_eq!(carried["endpoint"], format!("{}/authorize", scene.stub.url));
        assert_eq!((&*carried["response_type"], &*carried["scope"]), ("code", "openid email"));
        assert_eq!((&*carried["client_id"], &*carried["code_challenge_method"]), (CLIENT, "S256"));
        let here = format!("{}/auth/callback/google", scene.app.root());
        assert_eq!(carried["redirect_uri"], here);
        assert_eq!(flags(&scene.app, "ada").await, (false, false));
        let returned = scene.come_back_as(Some(&ada.cookie), &carried, "1").await;
        assert_eq!(led_to(&returned), SETTINGS);
        assert_eq!(flags(&scene.app, "ada").await, (true, false));
        let links = browser.links().list().await.unwrap().links;
        assert_eq!((links.len(), links[0].linked_at), (1, scene.app.server.clock().now()));

        let [hit] = scene.stub.hits("/token").try_into().unwrap();
        let basic = STANDARD.encode(format!("{CLIENT}:secret%2Fof%2Bsvc"));
        assert_eq!(hit.headers["authorization"], format!("Basic {basic}"));
        let form: Carried = form_urlencoded::parse(hit.body.as_bytes()).into_owned().collect();
        assert_eq!((&*form["grant_type"], &*form["code"]), ("authorization_code", "c 1"));
        assert_eq!((&form["redirect_uri"], form.contains_key("client_secret")), (&here, false));
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(form["code_verifier"].as_bytes()));
        assert_eq!(carried["code_challenge"], challenge);
        assert!(!hit.body.contains(SECRET));
    }

    async fn a_token_that_is_wrong_links_nothing(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        let browser = scene.app.browser(&ada.cookie);
        let count = wrong_tokens(&scene, &begin(&browser, Google).await).len();
        for index in 0..count {
            let carried = begin(&browser, Google).await;
            let (wrong, token) = wrong_tokens(&scene, &carried).swap_remove(index);
            scene.answers_with(&token);
            let answer = [("code", "c"), ("state", &*carried["state"])];
            let returned = scene.app.come_back(Some(&ada.cookie), "google", &answer).await;
            assert_page(&returned, StatusCode::BAD_REQUEST, wrong);
            assert!(!returned.text.contains(&token), "it repeats no token");
        }
        scene.stub.says("/token", &json!({ "access_token": "a" }));
        let carried = begin(&browser, Google).await;
        let answer = [("code", "c"), ("state", &*carried["state"])];
        let returned = scene.app.come_back(Some(&ada.cookie), "google", &answer).await;
        assert_page(&returned, StatusCode::BAD_REQUEST, "no ID token");
        assert_eq!(flags(&scene.app, "ada").await, (false, false));
        assert!(linked(&ada.member.client).await.is_empty());
        assert_eq!(scene.app.count(sql!("select count(*) from link")).await, 0);
        let several = with(scene.claims(&carried, "1"), "aud", json!([CLIENT, "other"]));
        let carried = begin(&browser, Google).await;
        let right = with(with(several, "azp", json!(CLIENT)), "nonce", json!(carried["nonce"]));
        scene.answers_with(&scene.key.sign(&right));
        let answer = [("code", "c"), ("state", &*carried["state"])];
        led_to(&scene.app.come_back(Some(&ada.cookie), "google", &answer).await);
        assert_eq!(flags(&scene.app, "ada").await, (true, false));
    }

    async fn an_answer_counts_once_within_ten_minutes(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        let browser = scene.app.browser(&ada.cookie);
        let cookie = Some(&*ada.cookie);
        let first = begin(&browser, Google).await;
        let second = begin(&browser, Google).await;
        let ended = "has ended";
        let replaced = scene.come_back_as(cookie, &first, "1").await;
        assert_page(&replaced, StatusCode::BAD_REQUEST, ended);
        led_to(&scene.come_back_as(cookie, &second, "1").await);
        let again = scene.come_back_as(cookie, &second, "1").await;
        assert_page(&again, StatusCode::BAD_REQUEST, ended);

        let carried = begin(&browser, Google).await;
        let state = &*carried["state"];
        let wrong = scene.app.come_back(cookie, "x", &[("code", "c"), ("state", state)]).await;
        assert_page(&wrong, StatusCode::BAD_REQUEST, ended);
        let wrong = scene.app.come_back(cookie, "other", &[("code", "c"), ("state", state)]).await;
        assert_eq!(wrong.status, StatusCode::NOT_FOUND);
        for parameters in [
            &[("code", "c")] as &[_],
            &[("code", "c"), ("state", "")],
            &[("code", "c"), ("state", "made up")],
            &[("code", "c"), ("state", state), ("state", state)],
        ] {
            let wrong = scene.app.come_back(cookie, "google", parameters).await;
            assert_eq!(wrong.status, StatusCode::BAD_REQUEST, "{parameters:?}");
        }
        scene.app.advance(10 * 60);
        let late = scene.come_back_as(cookie, &carried, "2").await;
        assert_page(&late, StatusCode::BAD_REQUEST, ended);
        assert_eq!(scene.stub.hits("/token").len(), 1, "nothing else is asked for");
    }

    async fn an_answer_names_its_issuer_where_the_issuer_says_so(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        let browser = scene.app.browser(&ada.cookie);
        let mut metadata = scene.stub.metadata();
        metadata["authorization_response_iss_parameter_supported"] = json!(true);
        scene.stub.says("/.well-known/openid-configuration", &metadata);
        for (issuer, is_right) in [(None, false), (Some("https://x"), false), (Some(&*scene.stub.url), true)] {
            let carried = begin(&browser, Google).await;
            scene.answers_with(&scene.key.sign(&scene.claims(&carried, "1")));
            let mut answer = vec![("code", "c"), ("state", &*carried["state"])];
            answer.extend(issuer.map(|issuer| ("iss", issuer)));
            let returned = scene.app.come_back(Some(&ada.cookie), "google", &answer).await;
            if is_right {
                led_to(&returned);
            } else {
                assert_page(&returned, StatusCode::BAD_REQUEST, "another issuer");
            }
        }
        assert_eq!(scene.stub.hits("/token").len(), 1);
    }

    async fn who_does_not_agree_links_nothing(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        for (error, part) in [("access_denied", "you did not agree"), ("<b>", "Google did not agree")] {
            let carried = begin(&scene.app.browser(&ada.cookie), Google).await;
            let answer = [("error", error), ("state", &*carried["state"])];
            let returned = scene.app.come_back(Some(&ada.cookie), "google", &answer).await;
            assert_page(&returned, StatusCode::BAD_REQUEST, part);
        }
        let carried = begin(&scene.app.browser(&ada.cookie), Google).await;
        let refusal = json!({ "error": "invalid_grant" }).to_string();
        scene.stub.reply("/token", Reply::Says(StatusCode::BAD_REQUEST, refusal));
        let answer = [("code", "c"), ("state", &*carried["state"])];
        let returned = scene.app.come_back(Some(&ada.cookie), "google", &answer).await;
        assert_page(&returned, StatusCode::BAD_REQUEST, "invalid_grant");
        assert_eq!(flags(&scene.app, "ada").await, (false, false));
    }

    async fn what_only_the_provider_or_the_operator_can_mend_is_no_mistake_of_the_person(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        let silent = "Google does not answer as it should";
        for error in ["server_error", "temporarily_unavailable"] {
            let carried = begin(&scene.app.browser(&ada.cookie), Google).await;
            let answer = [("error", error), ("state", &*carried["state"])];
            let returned = scene.app.come_back(Some(&ada.cookie), "google", &answer).await;
            assert_page(&returned, StatusCode::SERVICE_UNAVAILABLE, silent);
        }
        for (status, error) in [(StatusCode::UNAUTHORIZED, "invalid_client"), (StatusCode::BAD_REQUEST, "")] {
            let carried = begin(&scene.app.browser(&ada.cookie), Google).await;
            let refusal = json!({ "error": error }).to_string();
            scene.stub.reply("/token", Reply::Says(status, refusal));
            let answer = [("code", "c"), ("state", &*carried["state"])];
            let returned = scene.app.come_back(Some(&ada.cookie), "google", &answer).await;
            assert_page(&returned, StatusCode::SERVICE_UNAVAILABLE, "it refuses this server");
        }
        assert_eq!(flags(&scene.app, "ada").await, (false, false));
    }

    async fn new_keys_are_asked_for_once_a_minute(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        let browser = scene.app.browser(&ada.cookie);
        led_to(&scene.link(&ada.cookie, "1").await);
        let next = Key::new("next");
        scene.stub.publish(&[&scene.key, &next]);
        let mut tries = Vec::new();
        for seconds in [0, 59, 1] {
            scene.app.advance(seconds);
            let carried = begin(&browser, Google).await;
            scene.answers_with(&next.sign(&scene.claims(&carried, "1")));
            let answer = [("code", "c"), ("state", &*carried["state"])];
            let returned = scene.app.come_back(Some(&ada.cookie), "google", &answer).await;
            tries.push((returned.status.as_u16(), scene.stub.hits("/keys").len()));
        }
        assert_eq!(tries, [(400, 1), (400, 1), (303, 2)]);
        assert_eq!(scene.stub.hits("/.well-known/openid-configuration").len(), 1);
        scene.app.advance(3_600);
        browser.auth().step_up().password(crate::oauth::PASSWORD).await.unwrap();
        led_to(&scene.link(&ada.cookie, "1").await);
        assert_eq!(scene.stub.hits("/keys").len(), 3, "they are kept for an hour");
    }

    async fn a_provider_that_fails_is_named(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        let browser = scene.app.browser(&ada.cookie);
        let elsewhere = with(scene.stub.metadata(), "issuer", json!("https://accounts.google.com"));
        let inside = json!("http://10.0.0.1/authorize");
        let inside = with(scene.stub.metadata(), "authorization_endpoint", inside);
        let script = with(scene.stub.metadata(), "authorization_endpoint", json!("javascript:alert(1)"));
        let faults = |right: &Value| {
            let says = |text: String| Reply::Says(StatusCode::OK, text);
            [
                Reply::Hangs,
                Reply::Closes,
                Reply::Breaks,
                Reply::Says(StatusCode::INTERNAL_SERVER_ERROR, right.to_string()),
                Reply::Redirects(format!("{}/keys", scene.stub.url)),
                says("<html>".to_owned()),
                says(format!("{}{right}", " ".repeat(64 * 1024))),
            ]
        };
        let path = "/.well-known/openid-configuration";
        let says = |value: &Value| Reply::Says(StatusCode::OK, value.to_string());
        let metadata = scene.stub.metadata();
        let wrong = faults(&metadata).into_iter().chain([says(&elsewhere)]);
        for reply in wrong {
            scene.stub.reply(path, reply.clone());
            let begun = refused::<BeginLink>(browser.links().begin(Google).await);
            assert_eq!(begun, Code::ProviderUnavailable, "{reply:?}");
        }
        for value in [inside, script] {
            scene.stub.says(path, &value);
            let begun = refused::<BeginLink>(browser.links().begin(Google).await);
            assert_eq!(begun, Code::ProviderUnavailable);
            scene.app.advance(3_600);
            browser.auth().step_up().password(crate::oauth::PASSWORD).await.unwrap();
        }
        scene.stub.publish(&[&scene.key]);
        for path in ["/token", "/keys"] {
            for reply in faults(&json!({ "keys": [] })) {
                let carried = begin(&browser, Google).await;
                scene.answers_with(&scene.key.sign(&scene.claims(&carried, "1")));
                scene.stub.reply(path, reply);
                let answer = [("code", "c"), ("state", &*carried["state"])];
                let returned = scene.app.come_back(Some(&ada.cookie), "google", &answer).await;
                assert_page(&returned, StatusCode::SERVICE_UNAVAILABLE, "does not answer");
            }
            scene.stub.publish(&[&scene.key]);
        }
        assert_eq!(flags(&scene.app, "ada").await, (false, false));
        led_to(&scene.link(&ada.cookie, "1").await);
    }
}
