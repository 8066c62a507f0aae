//! From a client's request to a code, and where what is wrong with it is reported.

use http::{Method, StatusCode};
use svc_client::types::Code;

use super::{DONE, Forms as _, PASSWORD, Visitor, asking, led_to, returned, text, with};
use crate::on_both_engines;
use crate::raw::answer;

on_both_engines! {
    async fn a_person_agrees_and_the_program_reads_in_their_name(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "openid read");
        let page = ada.open(&app, &request).await;
        assert_eq!(page.status, StatusCode::OK);
        for part in ["Gate", "gate.example.org", "@ada", "Read what you can read"] {
            assert!(page.text.contains(part), "{part} in {}", page.text);
        }
        assert!(page.text.contains("You return to <bdi>gate.example.org</bdi>."), "{}", page.text);
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("form-action"), "{policy}");
        let sent = ada.decide(&app, &request, &[("decision", "allow")]).await;
        let kept = ["cache-control", "referrer-policy"].map(|name| sent.header(name));
        assert_eq!(kept, [Some("no-store"), Some("no-referrer")], "the address has the code");
        assert_eq!(returned(&sent, "state").as_deref(), Some("s 1"));
        assert_eq!(returned(&sent, "iss"), Some(app.root()));
        let code = returned(&sent, "code").unwrap();
        let tokens = app.redeem(&client, &code).await;
        assert_eq!(tokens.header("cache-control"), Some("no-store"));
        assert_eq!(tokens.header("pragma"), Some("no-cache"));
        let tokens = tokens.json();
        assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&"Bearer".into(), &3600.into()));
        assert_eq!(tokens["scope"], "openid read");
        let access = text(&tokens, "access_token");
        assert!(access.starts_with("svc_at_") && text(&tokens, "refresh_token").starts_with("svc_rt_"));
        assert_eq!(app.status_with(&access, "/users/me").await, StatusCode::OK);
        let session = answer(app.raw(Method::GET, "/auth/session").bearer_auth(&access)).await.json();
        assert_eq!(session["authMethod"], "oauth");
    }

    async fn a_bad_client_or_redirect_is_a_page_before_any_sign_in(app: TestApp) {
        let client = app.register_client(&[DONE]).await;
        let local = app.register_client(&["https://localhost/done", "http://localhost/here"]).await;
        let good = asking(&client, "read");
        for bad in [
            with(asking(&local, "read"), "redirect_uri", "http://localhost/done"),
            with(asking(&local, "read"), "redirect_uri", "http://localhost:4711/done"),
            with(asking(&local, "read"), "redirect_uri", "https://localhost:4711/here"),
            with(good.clone(), "client_id", ""),
            with(good.clone(), "client_id", "cli_unheard"),
            with(good.clone(), "redirect_uri", "https://evil.example/done"),
            with(good.clone(), "redirect_uri", "https://gate.example.org/done/"),
            with(good.clone(), "redirect_uri", "javascript:alert(1)"),
            with(good.clone(), "client_id", "svc"),
            with(good.clone(), "state", &"s".repeat(6_000)),
        ] {
            let request = app.ask(Method::GET, &bad);
            let page = answer(request.header("accept", "text/html")).await;
            assert_eq!(page.status, StatusCode::BAD_REQUEST, "{bad:?}");
            for said in ["the program that sent you here made a mistake: ", "tell its makers what this page says"] {
                assert!(page.text.contains(said), "{said}: {}", page.text);
            }
            assert_eq!(page.header("location"), None);
        }
        // With the only redirect URI left out, the person signs in first.
        let without = app.ask(Method::GET, &with(good, "redirect_uri", ""));
        assert!(led_to(&answer(without).await).starts_with("/login?next=%2Foauth%2Fauthorize"));
    }

    async fn other_mistakes_are_reported_to_the_client(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let good = asking(&client, "read");
        let long = "n".repeat(513);
        for (name, value, error) in [
            ("response_type", "token", "unsupported_response_type"),
            ("response_type", "", "invalid_request"),
            ("code_challenge", "", "invalid_request"),
            ("code_challenge", "short", "invalid_request"),
            ("code_challenge_method", "plain", "invalid_request"),
            ("code_challenge_method", "", "invalid_request"),
            ("scope", "read unheard-of", "invalid_scope"),
            ("scope", "moderate", "invalid_scope"),
            ("scope", "account", "invalid_scope"),
            ("resource", "https://other.example/api", "invalid_target"),
            ("prompt", "create", "invalid_request"),
            ("prompt", "none login", "invalid_request"),
            ("max_age", "soon", "invalid_request"),
            ("nonce", &*long, "invalid_request"),
            ("response_mode", "fragment", "invalid_request"),
            ("nonce", &*"n".repeat(513), "invalid_request"),
            ("request", "x.y.z", "request_not_supported"),
            ("request_uri", "https://gate.example.org/r", "request_uri_not_supported"),
        ] {
            let sent = ada.open(&app, &with(good.clone(), name, value)).await;
            assert_eq!(returned(&sent, "error").as_deref(), Some(error), "{name}={value}");
            assert_eq!(returned(&sent, "state").as_deref(), Some("s 1"));
            assert_eq!(returned(&sent, "iss"), Some(app.root()));
        }
        let mut twice = good.clone();
        twice.push(("state", "other".to_owned()));
        assert_eq!(returned(&ada.open(&app, &twice).await, "error").unwrap(), "invalid_request");
        let mut both = good.clone();
        both.extend(["api", "mcp"].map(|name| ("resource", format!("{}/{name}", app.root()))));
        assert_eq!(returned(&ada.open(&app, &both).await, "error").unwrap(), "invalid_target");
        let no = ada.decide(&app, &good, &[("decision", "deny")]).await;
        assert_eq!(returned(&no, "error").as_deref(), Some("access_denied"));
    }

    async fn a_program_that_asks_for_no_scope_may_read(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        for scope in [" ", ""] {
            let code = ada.agree(&app, &with(asking(&client, "read"), "scope", scope)).await;
            assert_eq!(app.redeem(&client, &code).await.json()["scope"], "read", "{scope:?}");
        }
        // Libraries of OpenID Connect ask for it where they want a refresh token, which every program gets.
        let tokens = app.tokens(&ada, &client, "read offline_access").await;
        assert_eq!(tokens["scope"], "read");
        assert!(text(&tokens, "refresh_token").starts_with("svc_rt_"));
    }

    async fn a_form_of_another_site_decides_nothing(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = app.ask(Method::POST, &asking(&client, "read"));
        let request = request.form(&[("decision", "allow")]).header("cookie", &ada.cookie);
        let refused = answer(request.header("sec-fetch-site", "cross-site")).await;
        assert_eq!(refused.refusal().code, Code::CrossSiteRequest);
        // A client's request may come by POST.
        let request = app.raw(Method::POST, "/../oauth/authorize").form(&asking(&client, "read"));
        let request = request.header("sec-fetch-site", "cross-site");
        assert!(led_to(&answer(request).await).starts_with("/oauth/authorize?response_type=code"));
    }

    async fn the_name_of_a_program_is_text_and_nothing_else(app: TestApp) {
        let ada = app.visitor("ada").await;
        let body = serde_json::json!({
            "client_name": "<b>Gate</b>\" onload=\"x", "redirect_uris": [DONE],
        });
        let client = answer(app.raw(Method::POST, "/../oauth/register").json(&body)).await.json();
        let request = asking(&text(&client, "client_id"), "read");
        let request = with(request, "state", "\"><script>");
        let page = ada.open(&app, &request).await.text;
        for hostile in ["<b>Gate", "\" onload", "<script>\"", "\"><script"] {
            assert!(!page.contains(hostile), "{hostile} in {page}");
        }
        let code = ada.decide(&app, &request, &[("decision", "allow")]).await;
        assert_eq!(returned(&code, "state").as_deref(), Some("\"><script>"));
    }

    async fn a_suspended_account_allows_nothing(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        app.suspend("ada").await;
        let page = ada.open(&app, &asking(&client, "read")).await;
        assert_eq!(page.status, StatusCode::FORBIDDEN);
        assert!(page.text.contains("suspended") && !page.text.contains("value=\"allow\""), "{}", page.text);
        let sent = ada.decide(&app, &asking(&client, "read"), &[("decision", "allow")]).await;
        assert_eq!(sent.status, StatusCode::FORBIDDEN);
        assert_eq!(ada.member.client.grants().list().await.unwrap().grants, []);
    }

    async fn a_suspended_account_gets_no_code_by_what_it_allowed_before(app: TestApp) {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "read");
        ada.agree(&app, &request).await;
        app.suspend("ada").await;
        assert_eq!(ada.open(&app, &request).await.status, StatusCode::FORBIDDEN);
        // What may show no page tells the program.
        let silent = with(request.clone(), "prompt", "none");
        let sent = ada.open(&app, &silent).await;
        assert_eq!(returned(&sent, "error").as_deref(), Some("access_denied"));
        app.unsuspend("ada").await;
        assert!(returned(&ada.open(&app, &request).await, "code").is_some());
        ada.member.client.users().delete_me("ada").await.unwrap();
        let ada = Visitor { cookie: app.sign_in("ada", PASSWORD).await, ..ada };
        let sent = ada.open(&app, &silent).await;
        assert_eq!(returned(&sent, "error").as_deref(), Some("access_denied"));
    }

    async fn a_grant_that_ends_meanwhile_gives_no_code(app: TestApp, "database.connections" = "4") {
        let ada = app.visitor("ada").await;
        let client = app.register_client(&[DONE]).await;
        let request = asking(&client, "read");
        for _ in 0..20 {
            ada.agree(&app, &request).await;
            let grants = ada.member.client.grants();
            let id = grants.list().await.unwrap().grants.remove(0).grant_id;
            let (opened, ended) =
                tokio::join!(ada.open(&app, &request), grants.delete(id).into_future());
            ended.unwrap();
            // It was there still, the request begins again, or the person is asked.
            if opened.status != StatusCode::OK {
                let to = led_to(&opened);
                assert!(to.starts_with(DONE) || to.starts_with("/oauth/authorize?"), "{to}");
            }
            assert_eq!(ada.open(&app, &request).await.status, StatusCode::OK, "it is asked again");
        }
    }
}
