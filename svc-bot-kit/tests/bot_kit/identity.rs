//! Verification of identity tokens.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use axum::{Router, routing::get};
use futures::future::join_all;
use http_body_util::BodyExt;
use svc_bot_kit::{Denied, IdentityVerifier, VerifiedAgent};
use svc_client::mock::{Mock, Rule};
use svc_client::types::api::agents::{AgentProfile, Verified, VerifyIdentity};
use svc_client::types::api::users::Tier;
use svc_client::types::{Code, IdentityToken, Timestamp};
use tower::ServiceExt;

const TOKEN: &str = "svc_id_0123456789abcdefghijklmnopqrstuvwxyzABCD_-x";

/// The platform knows every token.
fn knows(server: &Mock) -> Rule<VerifyIdentity> {
    server.on::<VerifyIdentity>().answers(|_| Verified {
        agent: AgentProfile {
            id: "usr_1".into(),
            username: "wordbot".to_owned(),
            display_name: "Word Bot".to_owned(),
            bio: String::new(),
            avatar: "/a.png".to_owned(),
            is_agent: true,
            tier: Tier::Free,
            followers_count: 2,
            following_count: 3,
            posts_count: 4,
            x_verified: false,
            google_verified: false,
            created_at: Timestamp::from_millis(1),
            owner: None,
        },
    })
}

fn verifier(server: &Mock) -> IdentityVerifier {
    IdentityVerifier::new(server.client())
}

/// `/vault` is for agents, `/hall` for all callers.
fn app(identity: IdentityVerifier) -> Router {
    async fn vault(VerifiedAgent(agent): VerifiedAgent) -> String {
        agent.username
    }
    async fn hall(agent: Option<VerifiedAgent>) -> String {
        agent.map_or("stranger".to_owned(), |VerifiedAgent(agent)| agent.username)
    }
    let router = Router::new().route("/vault", get(vault));
    router.route("/hall", get(hall)).with_state(identity)
}

/// A response: status, headers and body.
async fn visit(
    server: &Mock,
    path: &str,
    headers: &[(&str, &str)],
) -> (StatusCode, HeaderMap, String) {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).unwrap();
    let response = app(verifier(server)).oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let body = String::from_utf8(body.to_vec()).unwrap();
    (parts.status, parts.headers, body)
}

#[tokio::test]
async fn an_agent_is_verified_by_either_header() {
    let server = Mock::start().await;
    let verifications = knows(&server);
    for (name, value) in [
        ("authorization", format!("Bearer {TOKEN}")),
        ("authorization", format!("bearer {TOKEN}")),
        ("x-svc-identity", TOKEN.to_owned()),
    ] {
        let (status, _, body) = visit(&server, "/vault", &[(name, &value)]).await;
        assert_eq!((status, body.as_str()), (StatusCode::OK, "wordbot"));
    }
    // A site may need `Authorization` for keys of its own.
    let both = [("authorization", "Bearer of-the-site"), ("x-svc-identity", TOKEN)];
    let (status, _, body) = visit(&server, "/vault", &both).await;
    assert_eq!((status, body.as_str()), (StatusCode::OK, "wordbot"));
    let first = &verifications.received()[0];
    assert_eq!(first.request.token, IdentityToken::from(TOKEN));
    assert_eq!(first.headers[header::AUTHORIZATION], "Bearer svc_dk_mock");
}

#[tokio::test]
async fn a_malformed_identity_token_is_401_and_never_forwarded() {
    let server = Mock::start().await;
    let verifications = knows(&server);
    let api_key = format!("Bearer svc_ak_{}", &TOKEN[7..]);
    let long = format!("{TOKEN}y");
    let odd = TOKEN.replace('-', "+");
    let double = [("x-svc-identity", TOKEN), ("x-svc-identity", TOKEN)];
    let cases: [&[(&str, &str)]; 9] = [
        &[],
        &[("authorization", "Basic YTpi")],
        &[("authorization", &api_key)],
        &[("authorization", "Bearer")],
        &[("x-svc-identity", "")],
        &[("x-svc-identity", &TOKEN[..49])],
        &[("x-svc-identity", &long)],
        &[("x-svc-identity", &odd)],
        &double,
    ];
    for headers in cases {
        let (status, answer, body) = visit(&server, "/vault", headers).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{headers:?}");
        assert_eq!(answer[header::WWW_AUTHENTICATE], "Bearer");
        assert!(body.contains(r#""code":"unauthorized""#), "{body}");
        assert!(!body.contains("svc_ak_") && !body.contains(TOKEN), "{body}");
    }
    assert!(verifications.received().is_empty());
}

#[tokio::test]
async fn the_platforms_refusals_keep_their_code() {
    for (code, status) in [
        (Code::InvalidToken, 401),
        (Code::IdentityTokenExpired, 401),
        (Code::AudienceMismatch, 401),
        (Code::AgentDeactivated, 403),
    ] {
        let server = Mock::start().await;
        server.on::<VerifyIdentity>().fails(code.clone());
        let (got, headers, body) = visit(&server, "/vault", &[("x-svc-identity", TOKEN)]).await;
        assert_eq!(got.as_u16(), status, "{code}");
        assert!(body.contains(&format!(r#""code":"{code}""#)), "{body}");
        assert_eq!(headers[header::CONTENT_TYPE], "application/json");
        assert_eq!(headers.contains_key(header::WWW_AUTHENTICATE), status == 401);
    }
}

#[tokio::test]
async fn a_failed_verification_is_503() {
    let limited = |rule: Rule<VerifyIdentity>| drop(rule.retry_after(90));
    let plain = |rule: Rule<VerifyIdentity>| drop(rule);
    for (code, more, retry_after) in [
        (Code::RateLimited, limited as fn(_), "90"),
        (Code::Internal, plain, "5"),
        (Code::StorageUnavailable, plain, "5"),
        (Code::InvalidDeveloperKey, plain, "5"),
        (Code::DeveloperKeyRequired, plain, "5"),
        (Code::Unauthorized, plain, "5"),
        (Code::ValidationFailed, plain, "5"),
    ] {
        let server = Mock::start().await;
        more(server.on::<VerifyIdentity>().fails(code.clone()));
        let (status, headers, _) = visit(&server, "/hall", &[("x-svc-identity", TOKEN)]).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{code}");
        assert_eq!(headers[header::RETRY_AFTER], retry_after, "{code}");
    }
    let server = Mock::start().await;
    server.on::<VerifyIdentity>().drops();
    let (status, ..) = visit(&server, "/vault", &[("x-svc-identity", TOKEN)]).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
}

#[tokio::test]
async fn an_optional_token_must_be_valid_if_present() {
    let server = Mock::start().await;
    knows(&server).times(1);
    server.on::<VerifyIdentity>().fails(Code::InvalidToken);
    let (status, _, body) = visit(&server, "/hall", &[("x-svc-identity", TOKEN)]).await;
    assert_eq!((status, body.as_str()), (StatusCode::OK, "wordbot"));
    for headers in [&[][..], &[("authorization", "Basic YTpi")]] {
        let (status, _, body) = visit(&server, "/hall", headers).await;
        assert_eq!((status, body.as_str()), (StatusCode::OK, "stranger"));
    }
    for token in [TOKEN, "svc_ak_1"] {
        let (status, ..) = visit(&server, "/hall", &[("x-svc-identity", token)]).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
    }
}

/// Verifies once now, and once after a time.
async fn twice(identity: &IdentityVerifier, after: Duration) {
    let token = TOKEN.into();
    let first = identity.verify(&token).await;
    tokio::time::pause();
    tokio::time::advance(after).await;
    tokio::time::resume();
    assert_eq!(first, identity.verify(&token).await);
}

#[tokio::test]
async fn success_is_cached_as_long_as_configured_and_at_most_30_seconds() {
    let seconds = Duration::from_secs;
    for (cache, after, questions) in [
        (None, 28, 1),
        (None, 31, 2),
        (Some(600), 31, 2),
        (Some(10), 8, 1),
        (Some(10), 11, 2),
        (Some(0), 0, 2),
    ] {
        let server = Mock::start().await;
        let verifications = knows(&server);
        let identity = match cache {
            Some(cache) => verifier(&server).cache(seconds(cache)),
            None => verifier(&server),
        };
        twice(&identity, seconds(after)).await;
        assert_eq!(verifications.received().len(), questions, "{cache:?} {after}");
    }
}

#[tokio::test]
async fn only_an_unknown_token_is_remembered_among_refusals_for_5_seconds() {
    for (code, after, questions) in [
        (Code::InvalidToken, 3, 1),
        (Code::InvalidToken, 6, 2),
        (Code::IdentityTokenExpired, 0, 2),
        (Code::AgentDeactivated, 0, 2),
        (Code::FeatureNotConfigured, 0, 2),
    ] {
        let server = Mock::start().await;
        let verifications = server.on::<VerifyIdentity>().fails(code.clone());
        twice(&verifier(&server), Duration::from_secs(after)).await;
        assert_eq!(verifications.received().len(), questions, "{code} {after}");
    }
}

#[tokio::test]
async fn a_hundred_requests_with_one_token_cause_one_verification() {
    let token = IdentityToken::from(TOKEN);
    for off in [false, true] {
        let server = Mock::start().await;
        let verifications = knows(&server);
        let mut identity = verifier(&server);
        if off {
            identity = identity.cache(Duration::ZERO);
        }
        let visits = join_all((0..100).map(|_| identity.verify(&token))).await;
        assert!(visits.iter().all(Result::is_ok));
        assert_eq!(verifications.received().len(), 1);
    }
}

#[tokio::test]
async fn a_hundred_requests_share_one_failure_and_the_next_tries_again() {
    let server = Mock::start().await;
    let down = server.on::<VerifyIdentity>().fails(Code::FeatureNotConfigured).times(1);
    let up = knows(&server);
    let (identity, token) = (verifier(&server), IdentityToken::from(TOKEN));
    let visits = join_all((0..100).map(|_| identity.verify(&token))).await;
    assert!(visits.iter().all(|visit| matches!(visit, Err(Denied::Unavailable { .. }))));
    assert!(identity.verify(&token).await.is_ok());
    assert_eq!((down.received().len(), up.received().len()), (1, 1));
}

#[test]
fn a_verifier_shows_no_key() {
    let client = svc_client::Client::builder("https://svc.example/api");
    let client = client.developer_key("svc_dk_planted").build().unwrap();
    let shown = format!("{:?}", IdentityVerifier::new(client));
    assert!(!shown.contains("planted"), "{shown}");
}
