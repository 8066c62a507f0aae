//! Sign-up, sign-in, passwords and keys (spec §5).

mod limits;
mod passwords;

use http::Method;
use serde_json::json;
use svc_client::Client;
use svc_client::types::api::agents::VerifyIdentity;
use svc_client::types::api::auth::{GetSession, RegenerateApiKey, Register};
use svc_client::types::api::users::{AccountStatus, GetMe, Role};
use svc_client::types::{Code, Endpoint, ErrorBody, Username, Visitor};

use crate::app::{TestApp, code, cookie};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

const PASSWORD: &str = "correct horse";

/// The paths of the API and of the pages.
#[derive(Default)]
struct Paths(Vec<&'static str>);

impl Visitor for Paths {
    fn visit<E: Endpoint>(&mut self) {
        self.0.push(E::PATH);
    }
}

#[test]
fn words_of_paths_that_could_be_usernames_are_reserved() {
    let mut paths = Paths::default();
    svc_client::types::api::visit(&mut paths);
    paths.0.extend(svc_server::pages::pages().places().into_iter().map(|(_, path)| path));
    let before = paths.0.iter().filter_map(|path| Some(path.split_once("{username}")?.0));
    let after =
        before.flat_map(|begin| paths.0.iter().filter_map(move |path| path.strip_prefix(begin)));
    let words: Vec<&str> = after.filter_map(|rest| rest.split('/').next()).collect();
    assert!(words.contains(&"suggested") && words.contains(&"caps"), "{words:?}");
    for word in words {
        assert!(!Username::is_valid(word), "{word} must be a reserved name");
    }
}

/// What the sign-up of a person sends.
fn person(username: &str, email: &str) -> serde_json::Value {
    json!({ "username": username, "email": email, "password": PASSWORD })
}

/// Signs in with these members and answers with the refusal.
async fn refused_sign_in(app: &TestApp, members: serde_json::Value) -> ErrorBody {
    let request = app.raw(Method::POST, "/auth/login").json(&members);
    answer(request).await.refusal()
}

/// Whether a client is signed in.
async fn is_signed_in(client: &Client) -> bool {
    match client.auth().session().await {
        Ok(_) => true,
        refused => {
            assert_eq!(code::<GetSession>(refused), Code::Unauthorized);
            false
        }
    }
}

on_both_engines! {
    async fn an_agent_needs_only_a_name_to_register(app: TestApp) {
        let registering = app.anonymous.auth().register_agent("Ada_1").raw();
        let registered = registering.await.unwrap();
        let user = registered.value.user;
        assert_eq!((&*user.username, &*user.display_name, user.is_agent), ("ada_1", "ada_1", true));
        assert_eq!((user.role, user.status), (Some(Role::User), Some(AccountStatus::Active)));
        assert_eq!((user.email, user.followers_count, user.posts_count), (None, 0, 0));
        assert!(!registered.headers.contains_key("set-cookie"), "there is no password to sign in with");
    }

    async fn a_session_states_how_the_caller_signed_in(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let by_key = ada.client.auth().session().await.unwrap();
        assert_eq!((by_key.user, by_key.auth_method.as_str()), (ada.user.clone(), "api_key"));
        assert_eq!(by_key.key_id.as_deref(), ada.key.expose().get(7..19));
        let browser = app.browser(&app.sign_in("ada", PASSWORD).await);
        let by_cookie = browser.auth().session().await.unwrap();
        assert_eq!((by_cookie.user, by_cookie.auth_method.as_str()), (ada.user, "session"));
        assert_eq!(by_cookie.key_id, None);
    }

    async fn a_person_needs_an_email_address_and_a_password(app: TestApp) {
        let incomplete = [
            (json!({ "username": "ada", "password": PASSWORD }), "email"),
            (json!({ "username": "ada", "email": "ada@example.org" }), "password"),
            (json!({ "username": "ada", "email": "ada@example.org", "isAgent": false }), "password"),
            (json!({ "username": "ada", "email": "ada@example.org", "password": "7 chars" }), "password"),
            (json!({ "username": "ada", "email": "nowhere", "password": PASSWORD }), "email"),
            (json!({ "username": "9da", "isAgent": true }), "username"),
            (json!({ "username": "admin", "isAgent": true }), "username"),
            (json!({ "username": "usr_ada", "isAgent": true }), "username"),
        ];
        for (members, field) in incomplete {
            let refusal = answer(app.raw(Method::POST, "/auth/register").json(&members)).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some(field)));
        }
    }

    async fn signing_up_with_a_password_signs_in(app: TestApp) {
        let members = person("ada", "Ada@Example.org");
        let registered = answer(app.raw(Method::POST, "/auth/register").json(&members)).await;
        assert_eq!(registered.status, 201);
        assert_eq!(registered.json()["user"]["email"], "ada@example.org");
        let set = registered.header("set-cookie").unwrap();
        let (pair, attributes) = set.split_once("; ").unwrap();
        assert_eq!(attributes, "Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax");
        assert_eq!(pair.strip_prefix("svc_session=").map(str::len), Some(43));
        assert!(is_signed_in(&app.browser(pair)).await);
    }

    async fn the_cookie_is_bound_to_the_host_over_https(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        app.person("ada", PASSWORD).await;
        let signed_in = app.anonymous.auth().login("ada", PASSWORD).raw().await.unwrap();
        let set = signed_in.headers["set-cookie"].to_str().unwrap();
        assert!(set.starts_with("__Host-svc_session="), "{set}");
        assert!(set.ends_with("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure"), "{set}");
        let cookie = cookie(&signed_in.headers);
        assert!(is_signed_in(&app.browser(&cookie)).await);
        let unbound = cookie.replace("__Host-", "");
        assert!(!is_signed_in(&app.browser(&unbound)).await, "a sister site could have set it");
    }

    async fn a_taken_name_is_refused_whatever_its_case(app: TestApp) {
        app.agent("ada").await;
        let again = app.anonymous.auth().register_agent("ADA").await;
        assert_eq!(again.as_ref().unwrap_err().field(), Some("username"));
        assert_eq!(code::<Register>(again), Code::UsernameTaken);
    }

    async fn a_reserved_name_is_refused_whatever_its_case(app: TestApp) {
        for name in ["admin", "Admin", "ADMIN"] {
            let body = json!({ "username": name, "isAgent": true });
            let refused = answer(app.raw(Method::POST, "/auth/register").json(&body)).await.refusal();
            let expected = (Code::ValidationFailed, Some("username"));
            assert_eq!((refused.code, refused.field.as_deref()), expected, "{name}");
            assert_eq!(refused.error, "username must be another name: admin is reserved");
        }
    }

    async fn answers_to_authenticated_requests_are_not_cached(app: TestApp) {
        let ada = app.agent("ada").await;
        let lived = |raw: &Raw| raw.header("cache-control").map(str::to_owned);
        let private = Some("private, no-store".to_owned());
        for path in ["/users/me", "/feed/global", "/users/nobody"] {
            assert_eq!(lived(&answer(ada.raw(&app, Method::GET, path)).await), private, "{path}");
        }
        let of_anybody = app.raw(Method::GET, "/feed/global");
        assert_eq!(lived(&answer(of_anybody).await), None);
        let by_cookie = app.raw(Method::GET, "/users/me").header("cookie", "svc_session=old");
        assert_eq!(lived(&answer(by_cookie).await), private);
        let picture = answer(ada.raw(&app, Method::GET, "/users/ada/avatar")).await;
        assert_ne!(lived(&picture), private, "what says for how long it lives keeps that");
    }

    async fn a_taken_address_is_refused_whatever_its_case(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let again = app.anonymous.auth().register_person("bob", "ADA@example.ORG", PASSWORD).await;
        assert_eq!(again.as_ref().unwrap_err().field(), Some("email"));
        assert_eq!(code::<Register>(again), Code::EmailTaken);
    }

    async fn one_of_twenty_concurrent_registrations_of_a_name_succeeds(
        app: TestApp, "database.connections" = "4"
    ) {
        let registering = (0..20).map(|_| {
            let call = app.anonymous.auth().register_agent("ada");
            tokio::spawn(async move { call.await.map(|registered| registered.user.id) })
        });
        let mut made = Vec::new();
        for registered in registering.collect::<Vec<_>>() {
            match registered.await.unwrap() {
                Ok(id) => made.push(id),
                Err(error) => assert_eq!(error.code(), Some(&Code::UsernameTaken)),
            }
        }
        let ada = app.anonymous.users().get("ada").await.unwrap().user;
        assert_eq!(made, [ada.id]);
    }

    async fn a_person_signs_in_with_username_or_email(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        for members in [
            json!({ "username": "ADA", "password": PASSWORD }),
            json!({ "email": "Ada@Example.org", "password": PASSWORD }),
        ] {
            let signed_in = answer(app.raw(Method::POST, "/auth/login").json(&members)).await;
            assert_eq!(signed_in.json(), json!({ "user": ada.user }));
            assert!(is_signed_in(&app.browser(&cookie(&signed_in.headers))).await);
        }
    }

    async fn a_sign_in_requires_either_username_or_email(app: TestApp) {
        let both = json!({ "username": "ada", "email": "ada@example.org", "password": PASSWORD });
        for members in [json!({ "password": PASSWORD }), both] {
            assert_eq!(refused_sign_in(&app, members).await.code, Code::ValidationFailed);
        }
    }

    async fn a_failed_sign_in_does_not_reveal_what_was_wrong(app: TestApp) {
        app.person("ada", PASSWORD).await;
        app.agent("bob").await;
        let gone = app.person("eve", PASSWORD).await;
        gone.client.users().delete_me("eve").await.unwrap();
        app.advance(14 * 24 * 3_600);
        app.server.erase().await;
        let wrong = refused_sign_in(&app, json!({ "username": "ada", "password": "wrong" })).await;
        assert_eq!(wrong.code, Code::InvalidCredentials);
        for members in [
            json!({ "username": "nobody", "password": PASSWORD }),
            json!({ "email": "nobody@example.org", "password": PASSWORD }),
            json!({ "username": "ada@example.org", "password": PASSWORD }),
            json!({ "username": "bob", "password": PASSWORD }),
            json!({ "username": "eve", "password": PASSWORD }),
        ] {
            let refusal = refused_sign_in(&app, members).await;
            assert_eq!(ErrorBody { request_id: wrong.request_id.clone(), ..refusal }, wrong);
        }
    }

    async fn signing_out_ends_only_the_session_of_that_cookie(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let here = app.browser(&app.sign_in("ada", PASSWORD).await);
        let there = app.browser(&app.sign_in("ada", PASSWORD).await);
        let ended = here.auth().logout().raw().await.unwrap();
        assert!(ended.value.logged_out);
        let set = ended.headers["set-cookie"].to_str().unwrap();
        assert_eq!(set, "svc_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
        assert!(!is_signed_in(&here).await);
        assert!(is_signed_in(&there).await);
        ada.client.auth().logout().await.unwrap();
        assert!(is_signed_in(&there).await, "signing out by key ends no session");
        assert!(is_signed_in(&ada.client).await, "a key stays valid");
    }

    async fn a_wrong_key_is_distinguished_from_a_missing_one(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.auth().regenerate_api_key().await.unwrap();
        let me = || app.raw(Method::GET, "/users/me");
        let message = async |request| answer(request).await.refusal().error;
        assert_eq!(message(me()).await, "a valid API key or session is needed");
        for key in ["nonsense", "svc_ak_wrong", ada.key.expose()] {
            let wrong = me().header("authorization", format!("Bearer {key}"));
            assert_eq!(message(wrong).await, "the API key is not valid");
        }
        let basic = me().header("authorization", "Basic YTpi");
        let expected = "the Authorization header must be Bearer and an API key";
        assert_eq!(message(basic).await, expected);
        let ended = me().header("cookie", "svc_session=ended");
        assert_eq!(message(ended).await, "the session has ended");
    }

    async fn a_regenerated_key_ends_the_old_one_at_once(app: TestApp) {
        let ada = app.agent("ada").await;
        let new = ada.client.auth().regenerate_api_key().await.unwrap();
        let old = ada.client.users().me().await;
        assert_eq!(code::<GetMe>(old), Code::Unauthorized);
        let session = app.client(new.api_key).auth().session().await.unwrap();
        assert_eq!((session.user, session.key_id), (ada.user, Some(new.key_id)));
        assert_eq!(new.created_at, svc_server::testing::START);
    }

    async fn a_regenerated_key_ends_identity_tokens(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let token = ada.client.agents().create_identity_token().await.unwrap().token;
        let of_bob = bob.client.agents().create_identity_token().await.unwrap().token;
        ada.client.auth().regenerate_api_key().await.unwrap();
        let gate = app.developer("Gate").await;
        let verified = gate.client.agents().verify_identity(token).await;
        assert_eq!(code::<VerifyIdentity>(verified), Code::InvalidToken);
        gate.client.agents().verify_identity(of_bob).await.expect("it is another account's");
        assert!(is_signed_in(&bob.client).await);
    }

    async fn a_replay_never_shows_a_key_again(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let browser = app.browser(&app.sign_in("ada", PASSWORD).await);
        let regenerate = || browser.auth().regenerate_api_key().idempotency_key("once");
        let new = regenerate().await.unwrap();
        let again = regenerate().await;
        assert!(!format!("{again:?}").contains("svc_ak_"));
        assert_eq!(code::<RegenerateApiKey>(again), Code::IdempotencyConflict);
        assert!(is_signed_in(&app.client(new.api_key)).await, "the first effect remains");
    }
}
