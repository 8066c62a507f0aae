//! What pages of other origins may call (CORS).

use http::Method;
use serde_json::json;
use svc_client::types::Code;

use crate::app::TestApp;
use crate::oauth::Forms;
use crate::on_both_engines;
use crate::raw::{Raw, answer};

const PASSWORD: &str = "correct horse";
const SITE: &str = "https://app.example.org";

/// Asks as a browser does before it sends a request with other headers than those of a form.
async fn preflight(app: &TestApp, path: &str, origin: &str) -> Raw {
    let request = app.raw(Method::OPTIONS, path).header("origin", origin);
    let request = request.header("access-control-request-method", "POST");
    answer(request.header("access-control-request-headers", "authorization,content-type")).await
}

/// The headers of a response that say what other origins may do.
fn cors_headers(raw: &Raw) -> Vec<&str> {
    let names = raw.headers.keys().map(http::HeaderName::as_str);
    names.filter(|name| name.starts_with("access-control-")).collect()
}

/// The items of a header.
fn items<'a>(raw: &'a Raw, name: &str) -> Vec<&'a str> {
    raw.header(name).unwrap_or_default().split(',').map(str::trim).collect()
}

on_both_engines! {
    async fn documents_and_the_api_are_read_from_any_origin(app: TestApp) {
        let ada = app.agent("ada").await;
        for path in [
            "/openapi.json", "/asyncapi.json", "/users", "/users/me", "/no/such/path", "/health/live",
            "/../skill.md", "/../llms.txt", "/../.well-known/openid-configuration", "/../.well-known/jwks.json",
            "/../.well-known/oauth-protected-resource/api", "/../a2a/ext/credits/v1",
        ] {
            let read = app.raw(Method::GET, path).header("origin", SITE).bearer_auth(ada.key.expose());
            let read = answer(read).await;
            assert_eq!(read.header("access-control-allow-origin"), Some("*"), "{path}");
            assert_eq!(read.header("access-control-allow-credentials"), None, "{path}");
            for name in [
                "x-request-id", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset",
                "retry-after", "svc-ignored", "x-svc-consistency", "ratelimit", "ratelimit-policy",
                "idempotent-replayed", "www-authenticate", "payment-required", "payment-response",
            ] {
                assert!(items(&read, "access-control-expose-headers").contains(&name), "{path}: {name}");
            }
        }
        let refused = answer(app.raw(Method::GET, "/users/me").header("origin", SITE)).await;
        assert_eq!(refused.header("access-control-allow-origin"), Some("*"), "refusals are read too");
        assert_eq!(refused.refusal().code, Code::Unauthorized);
        let token = app.raw(Method::POST, "/../oauth/token").header("origin", SITE);
        let token = answer(token.form(&[("grant_type", "nonsense")])).await;
        assert_eq!((token.status.as_u16(), token.header("access-control-allow-origin")), (401, Some("*")));
    }

    async fn a_browser_may_send_a_key_and_the_headers_of_the_interface(app: TestApp) {
        for path in ["/posts", "/orders", "/users/me", "/../oauth/token"] {
            let response = preflight(&app, path, SITE).await;
            assert_eq!((response.status.as_u16(), response.text.as_str()), (204, ""), "{path}");
            assert_eq!(response.header("access-control-allow-origin"), Some("*"), "{path}");
            assert_eq!(response.header("access-control-allow-credentials"), None, "{path}");
            assert!(response.header("x-request-id").is_some(), "{path}");
            for name in [
                "authorization", "content-type", "idempotency-key", "prefer", "x-svc-consistency",
                "last-event-id", "mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name",
                "a2a-version", "a2a-extensions", "payment-signature", "access-control-expose-headers",
            ] {
                assert!(items(&response, "access-control-allow-headers").contains(&name), "{path}: {name}");
            }
            let methods = items(&response, "access-control-allow-methods");
            assert_eq!(methods, ["GET", "POST", "PUT", "PATCH", "DELETE"]);
        }
    }

    async fn a_client_in_a_page_registers_and_ends_its_tokens(app: TestApp) {
        let paths = ["/../oauth/register", "/../oauth/token", "/../oauth/revoke", "/../oauth/userinfo"];
        for path in paths {
            let response = preflight(&app, path, SITE).await;
            assert_eq!((response.status.as_u16(), response.header("access-control-allow-origin")), (204, Some("*")), "{path}");
            assert_eq!(response.header("access-control-allow-credentials"), None, "{path}");
        }
        let body = json!({ "redirect_uris": ["https://app.example.org/back"], "client_name": "Notes" });
        let registered = app.raw(Method::POST, "/../oauth/register").header("origin", SITE).json(&body);
        let registered = answer(registered).await;
        assert_eq!((registered.status.as_u16(), registered.header("access-control-allow-origin")), (201, Some("*")));
        let client = registered.json()["client_id"].as_str().unwrap().to_owned();
        let revoked = app.raw(Method::POST, "/../oauth/revoke").header("origin", SITE);
        let revoked = answer(revoked.form(&[("client_id", &*client), ("token", "nonsense")])).await;
        assert_eq!((revoked.status.as_u16(), revoked.header("access-control-allow-origin")), (200, Some("*")));
        app.person("ada", PASSWORD).await;
        let cookie = app.sign_in("ada", PASSWORD).await;
        let read = app.raw(Method::GET, "/../oauth/userinfo").header("origin", SITE);
        let read = answer(read.header("cookie", cookie)).await;
        assert_eq!((read.status.as_u16(), read.header("access-control-allow-origin")), (401, Some("*")));
        for path in ["/../oauth/introspect", "/../oauth/device"] {
            let response = preflight(&app, path, SITE).await;
            assert_eq!((response.status.as_u16(), cors_headers(&response)), (405, vec![]), "{path}");
        }
    }

    async fn no_other_origin_may_read_sign_in_or_pages(app: TestApp) {
        app.person("ada", PASSWORD).await;
        for path in ["/auth/login", "/auth/login/passkey/begin", "/auth/logout", "/auth/password", "/auth/password/reset", "/docs/", "/../oauth/authorize", "/../login"] {
            let response = preflight(&app, path, SITE).await;
            assert_eq!((response.status.as_u16(), cors_headers(&response)), (405, vec![]), "{path}");
            let read = answer(app.raw(Method::GET, path).header("origin", SITE)).await;
            assert_eq!(cors_headers(&read), Vec::<&str>::new(), "{path}");
        }
        let signing_in = app.raw(Method::POST, "/auth/login").header("origin", SITE);
        let signed_in = answer(signing_in.json(&json!({ "username": "ada", "password": PASSWORD }))).await;
        assert_eq!(cors_headers(&signed_in), Vec::<&str>::new());
    }

    async fn other_questions_about_options_are_answered_as_before(app: TestApp) {
        for request in [
            app.raw(Method::OPTIONS, "/users"),
            app.raw(Method::OPTIONS, "/users").header("origin", SITE),
            app.raw(Method::OPTIONS, "/users").header("access-control-request-method", "GET"),
        ] {
            assert_eq!(answer(request).await.refusal().code, Code::MethodNotAllowed);
        }
    }

    async fn an_operator_names_the_origins_that_may_call(
        app: TestApp, "cors.origins" = "https://app.example.org,http://localhost:5173"
    ) {
        for (origin, allowed) in [
            (SITE, Some(SITE)), ("http://localhost:5173", Some("http://localhost:5173")),
            ("http://localhost:5174", None), ("https://app.example.org.evil.example", None), ("null", None),
        ] {
            let read = answer(app.raw(Method::GET, "/users").header("origin", origin)).await;
            assert_eq!(read.status, 200);
            assert_eq!(read.header("access-control-allow-origin"), allowed, "{origin}");
            assert_eq!(read.header("vary"), Some("origin"));
            let response = preflight(&app, "/posts", origin).await;
            assert_eq!((response.status.as_u16(), response.header("access-control-allow-origin")), (204, allowed));
            let document = answer(app.raw(Method::GET, "/openapi.json").header("origin", origin)).await;
            assert_eq!(document.header("access-control-allow-origin"), Some("*"), "documents are for all");
        }
    }

    async fn an_empty_list_lets_nobody_call(app: TestApp, "cors.origins" = "") {
        assert_eq!(preflight(&app, "/posts", SITE).await.header("access-control-allow-origin"), None);
        let read = answer(app.raw(Method::GET, "/users").header("origin", SITE)).await;
        assert_eq!((read.status.as_u16(), read.header("access-control-allow-origin")), (200, None));
    }
}
