//! From a code to tokens: for whom it works, once, and what is refused.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use sha2::{Digest, Sha256};
use svc_store::sql;

use super::{CHALLENGE, DONE, VERIFIER, asking, refused, returned, text, with};
use crate::on_both_engines;

on_both_engines! {
    async fn characters_that_no_database_holds_are_refused_like_others(app: TestApp) {
        let client = app.register_client(&[DONE]).await;
        assert_eq!(refused(&app.redeem("cli_\0", "x").await), "invalid_client");
        assert_eq!(refused(&app.redeem(&client, "\0").await), "invalid_grant");
        assert_eq!(refused(&app.refresh(&client, "svc_rt_\0").await), "invalid_grant");
        let key = svc_core::keys::generate_for("svc_rt_", "\0bcdefghijkl").key;
        assert_eq!(refused(&app.refresh(&client, &key).await), "invalid_grant");
    }

    async fn a_code_works_once_for_its_client_and_verifier_within_a_minute(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let other = app.register_client(&[DONE]).await;
        let code = ada.agree(&app, &asking(&client, "read")).await;
        assert_eq!(refused(&app.redeem(&other, &code).await), "invalid_grant");
        assert_eq!(refused(&app.redeem(&client, "unheard-of").await), "invalid_grant");
        let send = async |name: &str, value: &str| {
            let fields = [
                ("grant_type", "authorization_code"),
                ("client_id", &client),
                ("code", &code),
                ("code_verifier", VERIFIER),
            ];
            let mut fields = fields.map(|(own, text)| (own, text.to_owned())).to_vec();
            fields.retain(|(own, _)| *own != name);
            fields.push((name, value.to_owned()));
            let fields: Vec<_> = fields.iter().map(|(own, text)| (*own, text.as_str())).collect();
            app.form("/oauth/token", &fields).await
        };
        assert_eq!(refused(&send("code_verifier", CHALLENGE).await), "invalid_grant");
        assert_eq!(refused(&send("code_verifier", "").await), "invalid_request");
        assert_eq!(refused(&send("redirect_uri", "https://gate.example.org/x").await), "invalid_grant");
        let mcp = format!("{}/mcp", app.root());
        assert_eq!(refused(&send("resource", &mcp).await), "invalid_target");
        assert_eq!(refused(&send("resource", "https://x.example").await), "invalid_target");
        assert_eq!(refused(&send("grant_type", "password").await), "unsupported_grant_type");
        assert_eq!(refused(&send("client_id", "cli_unheard").await), "invalid_client");
        let tokens = send("redirect_uri", DONE).await.json();
        let access = text(&tokens, "access_token");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK);
        // The second use ends what the first one gave, also once the code has expired.
        app.advance(61);
        app.server.sweep().await;
        assert_eq!(refused(&app.redeem(&client, &code).await), "invalid_grant");
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::UNAUTHORIZED);
        let refresh = text(&tokens, "refresh_token");
        assert_eq!(refused(&app.refresh(&client, &refresh).await), "invalid_grant");
        let late = ada.agree(&app, &asking(&client, "read")).await;
        let early = ada.agree(&app, &asking(&other, "read")).await;
        app.advance(59);
        assert!(app.redeem(&other, &early).await.json()["access_token"].is_string());
        app.advance(1);
        assert_eq!(refused(&app.redeem(&client, &late).await), "invalid_grant");
    }

    async fn a_verifier_that_can_be_guessed_is_refused(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        for (length, status) in [
            (42, StatusCode::BAD_REQUEST),
            (43, StatusCode::OK),
            (128, StatusCode::OK),
            (129, StatusCode::BAD_REQUEST),
        ] {
            let verifier = "v".repeat(length);
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
            let request = with(asking(&client, "read"), "code_challenge", &challenge);
            let code = ada.agree(&app, &request).await;
            let fields = [
                ("grant_type", "authorization_code"),
                ("client_id", &*client),
                ("code", &*code),
                ("code_verifier", &*verifier),
            ];
            let sent = app.form("/oauth/token", &fields).await;
            assert_eq!(sent.status, status, "{length}: {}", sent.text);
        }
    }

    async fn a_grant_has_the_fifty_latest_sign_ins_of_a_program(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "read");
        let first = app.tokens(&ada, &client, "read").await;
        let early = ada.agree(&app, &request).await;
        app.advance(1);
        let sign_in = async || {
            let code = returned(&ada.open(&app, &request).await, "code").unwrap();
            app.redeem(&client, &code).await.json()
        };
        let second = sign_in().await;
        let mut last = second.clone();
        for _ in 0..48 {
            last = sign_in().await;
        }
        for tokens in [&first, &second, &last] {
            assert_eq!(app.status_with(&text(tokens, "access_token"), "/users/me").await, StatusCode::OK);
        }
        // A code that waits outlasts used ones.
        let late = app.redeem(&client, &early).await.json();
        let status = app.status_with(&text(&first, "access_token"), "/users/me").await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
        assert_eq!(refused(&app.refresh(&client, &text(&first, "refresh_token")).await), "invalid_grant");
        for tokens in [&second, &last, &late] {
            assert_eq!(app.status_with(&text(tokens, "access_token"), "/users/me").await, StatusCode::OK);
        }
        sign_in().await;
        let counts = [
            sql!("select count(*) from oauth_family"),
            sql!("select count(*) from oauth_access"),
            sql!("select count(*) from oauth_code"),
        ];
        for count in counts {
            assert_eq!(app.count(count).await, 50, "{}", count.text());
        }
    }
}
