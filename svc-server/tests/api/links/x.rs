//! X: whose its tokens are.

use http::StatusCode;
use serde_json::{Value, json};
use svc_client::types::api::links::LinkProvider::{Google, X};
use url::form_urlencoded;

use super::stub::{CLIENT, Reply};
use super::{Carried, SETTINGS, Scene, assert_page, begin, flags, linked, with_a_provider};
use crate::oauth::led_to;
use crate::raw::Raw;

/// Comes back from X, whose account this is.
async fn come_back(scene: &Scene, cookie: &str, carried: &Carried, me: &Value) -> Raw {
    let tokens = json!({ "access_token": "foreign-access", "token_type": "bearer" });
    scene.stub.says("/x/token", &tokens);
    scene.stub.says("/x/2/users/me", me);
    let answer = [("code", "c"), ("state", &*carried["state"])];
    scene.app.come_back(Some(cookie), "x", &answer).await
}

/// The answer of X about an account.
fn me(id: &str, username: &str) -> Value {
    json!({ "data": { "id": id, "name": "Ada", "username": username } })
}

with_a_provider! {
    async fn an_account_of_x_is_linked_and_shown(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        let carried = begin(&scene.app.browser(&ada.cookie), X).await;
        assert_eq!(carried["endpoint"], format!("{}/x/authorize", scene.stub.url));
        assert_eq!(carried["scope"], "users.read tweet.read");
        assert!(!carried.contains_key("nonce"));
        let returned = come_back(&scene, &ada.cookie, &carried, &me("42", "ada_x")).await;
        assert_eq!(led_to(&returned), SETTINGS);
        assert_eq!(flags(&scene.app, "ada").await, (false, true));
        assert_eq!(linked(&ada.member.client).await, [X]);
        let [hit] = scene.stub.hits("/x/2/users/me").try_into().unwrap();
        assert_eq!(hit.headers["authorization"], "Bearer foreign-access");
        assert!(scene.stub.hits("/x/token")[0].headers.contains_key("authorization"));
    }

    async fn each_link_is_that_of_one_account_at_one_provider(scene: Scene) {
        let [ada, bob] = [scene.app.visitor("ada").await, scene.app.visitor("bob").await];
        let browser = scene.app.browser(&ada.cookie);
        let carried = begin(&browser, X).await;
        led_to(&come_back(&scene, &ada.cookie, &carried, &me("42", "ada_x")).await);
        led_to(&scene.link(&ada.cookie, "1").await);
        led_to(&scene.link(&bob.cookie, "2").await);
        // Another account of Google replaces the first one.
        led_to(&scene.link(&ada.cookie, "3").await);
        assert_eq!(linked(&browser).await, [Google, X]);
        browser.links().delete(Google).await.unwrap();
        assert_eq!((linked(&browser).await, flags(&scene.app, "ada").await), (vec![X], (false, true)));
        let of_bob = linked(&bob.member.client).await;
        assert_eq!((of_bob, flags(&scene.app, "bob").await), (vec![Google], (true, false)));
    }

    async fn a_public_client_names_itself_in_the_form(scene: Scene, "links.x.client_secret" = "") {
        let ada = scene.app.visitor("ada").await;
        let carried = begin(&scene.app.browser(&ada.cookie), X).await;
        led_to(&come_back(&scene, &ada.cookie, &carried, &me("42", "ada_x")).await);
        let [hit] = scene.stub.hits("/x/token").try_into().unwrap();
        assert!(!hit.headers.contains_key("authorization"));
        let form: Carried = form_urlencoded::parse(hit.body.as_bytes()).into_owned().collect();
        assert_eq!(form["client_id"], CLIENT);
    }

    async fn an_account_that_x_does_not_name_rightly_is_not_linked(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        let browser = scene.app.browser(&ada.cookie);
        for wrong in [
            json!({}),
            json!({ "data": { "username": "ada_x" } }),
            json!({ "data": { "id": 42, "username": "ada_x" } }),
            me("", "ada_x"),
            me("4 2", "ada_x"),
            me("123456789012345678901", "ada_x"),
            me("42", "<b>"),
        ] {
            let carried = begin(&browser, X).await;
            let returned = come_back(&scene, &ada.cookie, &carried, &wrong).await;
            assert_page(&returned, StatusCode::SERVICE_UNAVAILABLE, "X does not answer");
        }
        let carried = begin(&browser, X).await;
        scene.stub.reply("/x/2/users/me", Reply::Says(StatusCode::UNAUTHORIZED, "{}".to_owned()));
        let answer = [("code", "c"), ("state", &*carried["state"])];
        let returned = scene.app.come_back(Some(&ada.cookie), "x", &answer).await;
        assert_page(&returned, StatusCode::SERVICE_UNAVAILABLE, "X does not answer");
        assert_eq!(flags(&scene.app, "ada").await, (false, false));
    }

    async fn while_x_fails_nothing_is_linked_and_afterwards_another_code_links(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        let browser = scene.app.browser(&ada.cookie);
        for path in ["/x/token", "/x/2/users/me"] {
            for reply in [
                Reply::Hangs,
                Reply::Closes,
                Reply::Breaks,
                Reply::Says(StatusCode::INTERNAL_SERVER_ERROR, "{}".to_owned()),
            ] {
                let carried = begin(&browser, X).await;
                let tokens = json!({ "access_token": "foreign-access", "token_type": "bearer" });
                scene.stub.says("/x/token", &tokens);
                scene.stub.says("/x/2/users/me", &me("42", "ada_x"));
                scene.stub.reply(path, reply.clone());
                let answer = [("code", "c"), ("state", &*carried["state"])];
                let returned = scene.app.come_back(Some(&ada.cookie), "x", &answer).await;
                assert_page(&returned, StatusCode::SERVICE_UNAVAILABLE, "X does not answer");
                assert_eq!(flags(&scene.app, "ada").await, (false, false), "{path}: {reply:?}");
            }
        }
        let carried = begin(&browser, X).await;
        led_to(&come_back(&scene, &ada.cookie, &carried, &me("42", "ada_x")).await);
        assert_eq!(flags(&scene.app, "ada").await, (false, true));
    }
}
