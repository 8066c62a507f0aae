//! Accounts and their profiles.

mod directory;

use std::collections::BTreeSet;
use std::time::Duration;

use http::Method;
use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::auth::Register;
use svc_client::types::api::developers::RegisterDeveloper;
use svc_client::types::api::posts::GetPost;
use svc_client::types::api::users::{
    DeleteMe, DmPolicy, GetMe, GetUser, ListUserPosts, UpdateMe, User, UserSort,
};
use svc_server::admin::Command;
use svc_server::testing::START;

use self::directory::names;
use crate::app::{Member, TestApp, code};
use crate::on_both_engines;
use crate::raw::answer;

const PASSWORD: &str = "correct horse";

/// Members only the owner sees, and moderators the `status`.
const OWN: [&str; 6] =
    ["email", "emailVerified", "role", "status", "dmPolicy", "allowServiceRequests"];

/// Members everybody sees, when there is no website.
const PUBLIC: [&str; 13] = [
    "avatar",
    "bio",
    "createdAt",
    "displayName",
    "followersCount",
    "followingCount",
    "googleVerified",
    "id",
    "isAgent",
    "postsCount",
    "tier",
    "username",
    "xVerified",
];

/// Names of the members of an account, as a viewer gets it.
async fn members(app: &TestApp, viewer: Option<&Member>, username: &str) -> BTreeSet<String> {
    let request = app.raw(Method::GET, &format!("/users/{username}"));
    let request = match viewer {
        Some(viewer) => request.bearer_auth(viewer.key.expose()),
        None => request,
    };
    let user = answer(request).await.json()["user"].clone();
    user.as_object().unwrap().keys().cloned().collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

on_both_engines! {
    async fn only_the_owner_sees_its_own_fields(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        app.grant_role("bob", "moderator").await;
        assert_eq!(members(&app, Some(&ada), "ada").await, set(&[&PUBLIC[..], &OWN[..]].concat()));
        let known = set(&[&PUBLIC[..], &["status", "viewer"]].concat());
        assert_eq!(members(&app, Some(&bob), "ada").await, known, "a moderator has to know the status");
        assert_eq!(members(&app, None, "ada").await, set(&PUBLIC));
    }

    async fn an_account_is_found_by_name_ignoring_case_and_by_id(app: TestApp) {
        let ada = app.agent("ada").await;
        for handle in ["ada", "ADA", ada.user.id.as_str()] {
            assert_eq!(app.anonymous.users().get(handle).await.unwrap().user.id, ada.user.id);
            assert_eq!(ada.client.users().get(handle).await.unwrap().user, ada.user);
        }
        for handle in ["ad", "bob", "usr_ada", "post_01", "ä/ö?"] {
            let found = app.anonymous.users().get(handle).await;
            assert_eq!(code::<GetUser>(found), Code::NotFound, "{handle}");
        }
        let refused = app.anonymous.users().get("@ada").await.unwrap_err();
        assert_eq!(refused.hint(), Some("write the username without the @"));
    }

    async fn an_update_changes_only_the_given_members(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let call = ada.client.users().update_me().display_name("Ada L.").bio("counts things");
        let named = call.await.unwrap().user;
        let expected = User {
            display_name: "Ada L.".to_owned(),
            bio: "counts things".to_owned(),
            ..ada.user.clone()
        };
        assert_eq!(named, expected);
        let change = json!({
            "website": "https://example.org/ada", "email": "Countess@example.org", "bio": "",
            "dmPolicy": "following", "allowServiceRequests": false, "username": "bob", "tier": "pro",
        });
        let request = app.raw(Method::PATCH, "/users/me").bearer_auth(ada.key.expose());
        let changed = answer(request.json(&change)).await;
        let expected = User {
            website: Some("https://example.org/ada".to_owned()),
            email: Some("countess@example.org".to_owned()),
            bio: String::new(),
            dm_policy: Some(DmPolicy::Following),
            allow_service_requests: Some(false),
            ..expected
        };
        assert_eq!(changed.json(), json!({ "user": expected }));
        assert_eq!(ada.client.users().me().await.unwrap().user, expected);
        let cleared = ada.client.users().update_me().website(None).await.unwrap().user;
        assert_eq!(cleared, User { website: None, ..expected });
        assert_eq!(ada.client.users().update_me().await.unwrap().user, cleared);
    }

    async fn an_address_of_another_account_is_refused(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let taken = ada.client.users().update_me().email("BOB@example.org").bio("new").await;
        assert_eq!(taken.as_ref().unwrap_err().field(), Some("email"));
        assert_eq!(code::<UpdateMe>(taken), Code::EmailTaken);
        assert_eq!(ada.client.users().me().await.unwrap().user, ada.user, "nothing was changed");
        let own = ada.client.users().update_me().email("ADA@example.org").await;
        assert_eq!(own.unwrap().user, ada.user);
    }

    async fn one_of_two_accounts_gets_an_address_taken_concurrently(
        app: TestApp, "database.connections" = "4"
    ) {
        let members = [app.agent("ada").await, app.agent("bob").await];
        let [ada, bob] = &members;
        let take = |member: &Member| member.client.users().update_me().email("one@example.org");
        let taken = tokio::join!(take(ada).into_future(), take(bob).into_future());
        let refused = match taken {
            (Ok(_), refused) | (refused, Ok(_)) => refused,
            both => panic!("{both:?}"),
        };
        assert_eq!(code::<UpdateMe>(refused), Code::EmailTaken);
    }

    async fn a_profile_does_not_reveal_a_live_key(app: TestApp) {
        let ada = app.agent("ada").await;
        let bio = format!("my key is {}", ada.key.expose());
        let refused = ada.client.users().update_me().bio(bio.as_str()).await;
        assert_eq!(refused.as_ref().unwrap_err().field(), Some("bio"));
        assert_eq!(code::<UpdateMe>(refused), Code::CredentialInContent);
        let registering = app.anonymous.developers().register("Gate", "https://gate.example.org");
        let gate = registering.description(bio.as_str()).await;
        assert_eq!(code::<RegisterDeveloper>(gate), Code::CredentialInContent);
        let registering = app.anonymous.auth().register_agent("eve");
        let eve = registering.with(|request| request.bio = Some(bio.as_str().into())).await;
        assert_eq!(code::<Register>(eve), Code::CredentialInContent);
        ada.client.auth().regenerate_api_key().await.unwrap();
        let bob = app.agent("bob").await;
        bob.client.users().update_me().bio(bio.as_str()).await.expect("a dead key may be shown");
    }

    async fn deleting_an_account_requires_its_name_as_confirmation(app: TestApp) {
        let ada = app.agent("ada").await;
        let unsure = ada.client.users().delete_me("bob").await;
        assert_eq!(unsure.as_ref().unwrap_err().field(), Some("confirm"));
        assert_eq!(code::<DeleteMe>(unsure), Code::ValidationFailed);
        ada.client.users().me().await.unwrap();
        assert!(ada.client.users().delete_me("ada").await.unwrap().deleted);
    }

    async fn a_deleted_account_is_not_found_and_its_name_stays_taken(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        let browser = app.browser(&app.sign_in("ada", PASSWORD).await);
        let post = ada.client.posts().create("first").await.unwrap().post;
        let bob = app.agent("bob").await;
        bob.client.posts().reply(&post.id, "second").await.unwrap();
        ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(code::<GetMe>(ada.client.users().me().await), Code::AccountDeleted);
        assert_eq!(code::<GetMe>(browser.users().me().await), Code::Unauthorized);
        for handle in ["ada", ada.user.id.as_str()] {
            let found = bob.client.users().get(handle).await;
            assert_eq!(code::<GetUser>(found), Code::NotFound);
            let posts = bob.client.users().posts(handle).await;
            assert_eq!(code::<ListUserPosts>(posts), Code::NotFound);
        }
        assert_eq!(code::<GetPost>(bob.client.posts().get(&post.id).await), Code::NotFound);
        let again = app.anonymous.auth().register_agent("ada").await;
        assert_eq!(again.unwrap_err().code(), Some(&Code::UsernameTaken));
        let person = || app.anonymous.auth().register_person("eve", "ada@example.org", PASSWORD);
        assert_eq!(person().await.unwrap_err().code(), Some(&Code::EmailTaken));
        app.advance(14 * 24 * 3600);
        app.server.erase().await;
        person().await.expect("the address is free again");
    }

    async fn a_deleted_account_leaves_tombstones_in_threads(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let post = ada.client.posts().create("first").await.unwrap().post;
        let reply = bob.client.posts().reply(&post.id, "second").await.unwrap().post;
        app.advance(60);
        ada.client.users().delete_me("ada").await.unwrap();
        let thread = app.raw(Method::GET, &format!("/posts/{}/thread", reply.id));
        let ancestors = answer(thread).await.json()["ancestors"].clone();
        let expected = json!([{ "id": post.id, "deletedAt": START.plus(Duration::from_mins(1)) }]);
        assert_eq!(ancestors, expected);
    }

    async fn suspended_and_deleted_accounts_are_hidden(app: TestApp) {
        let ada = app.agent("ada").await;
        let bob = app.agent("bob").await;
        let cyd = app.agent("cyd").await;
        for member in [&ada, &bob, &cyd] {
            member.client.posts().create("hello").await.unwrap();
        }
        app.suspend("ada").await;
        bob.client.users().delete_me("bob").await.unwrap();
        for sort in [UserSort::New, UserSort::Followers, UserSort::Active] {
            let listed = names(&app.anonymous, |list| list.sort = Some(sort.clone())).await;
            assert_eq!(listed, ["cyd"]);
            for q in ["ada", "bob"] {
                let found = names(&app.anonymous, |list| {
                    list.q = Some(q.into());
                    list.sort = Some(sort.clone());
                });
                assert_eq!(found.await, [""; 0], "{q}, by {sort}");
            }
        }
        let found = cyd.client.users().get("ada").await;
        assert_eq!(code::<GetUser>(found), Code::NotFound);
        let ids = [&ada, &bob, &cyd].map(|member| member.user.id.clone());
        let many = cyd.client.users().get_many(ids.clone()).await.unwrap();
        assert_eq!(many.missing, Some(vec![ids[0].to_string(), ids[1].to_string()]));
        assert_eq!(ada.client.users().get("ada").await.unwrap().user.id, ada.user.id, "but to itself");
        let reason = "a mistake".to_owned();
        app.server.admin(Command::Unsuspend { username: "ada".to_owned(), reason }).await;
        assert_eq!(names(&app.anonymous, |_| {}).await, ["cyd", "ada"]);
    }

    async fn an_account_without_a_picture_has_a_default_one(app: TestApp) {
        let ada = app.agent("ada").await;
        assert_eq!(ada.user.avatar, format!("{}/users/{}/avatar", app.server.url(), ada.user.id));
        for handle in ["Ada", ada.user.id.as_str()] {
            let picture = answer(app.raw(Method::GET, &format!("/users/{handle}/avatar"))).await;
            assert_eq!((picture.status.as_u16(), picture.header("content-type")), (200, Some("image/svg+xml")));
            assert_eq!(picture.header("x-content-type-options"), Some("nosniff"));
            assert_eq!(picture.header("content-security-policy"), Some("default-src 'none'; sandbox"));
            assert!(picture.text.contains(">A</text>"), "{}", picture.text);
        }
        let nobody = answer(app.raw(Method::GET, "/users/nobody/avatar")).await;
        assert_eq!(nobody.refusal().code, Code::NotFound);
    }
}
