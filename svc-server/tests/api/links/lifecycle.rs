//! Who finishes a link, to whom it belongs, and how it ends.

use http::{Method, StatusCode};
use serde_json::json;
use svc_client::Client;
use svc_client::types::api::links::{BeginLink, DeleteLink, LinkProvider::Google, LinkProvider::X};
use svc_client::types::api::security::SecurityAction;
use svc_client::types::{Code, Scope};
use svc_core::services::link;
use svc_core::tasks::sweep;
use svc_store::sql;

use super::{
    SETTINGS, assert_page, begin, confirmation_token, flags, linked, refused, with_a_provider,
};
use crate::app::SEC_FETCH_SITE;
use crate::oauth::{PASSWORD, led_to};
use crate::on_both_engines;
use crate::raw::{answer, code_of};

/// How long a deleted account can be restored, in seconds.
const GRACE: u64 = 14 * 24 * 3_600;

with_a_provider! {
    async fn an_agent_is_linked_by_its_key_and_shown_to_apps(scene: Scene) {
        let bot = scene.app.agent("bot").await;
        let gate = scene.app.developer("Gate").await;
        let carried = begin(&bot.client, Google).await;
        let token = confirmation_token(&scene.come_back_as(None, &carried, "1").await);
        assert_eq!(flags(&scene.app, "bot").await, (false, false), "it is not confirmed");
        let page = scene.app.open_page(None, &format!("/link?token={token}")).await;
        assert_page(&page, StatusCode::OK, "@bot");
        assert_page(&page, StatusCode::OK, "1@example.com");
        assert!(!page.text.contains("signed in as"));
        assert_eq!(flags(&scene.app, "bot").await, (false, false), "a look changes nothing");
        let foreign = scene.app.confirm_link("cross-site", &token).await;
        assert_eq!(foreign.status, StatusCode::FORBIDDEN);
        assert_page(&scene.app.confirm_link("same-origin", &token).await, StatusCode::OK, "linked");
        let again = scene.app.confirm_link("same-origin", &token).await;
        assert_page(&again, StatusCode::BAD_REQUEST, "has ended");

        let identity = bot.client.agents().create_identity_token().await.unwrap().token;
        let shown = gate.client.agents().verify_identity(identity.expose()).await.unwrap().agent;
        assert_eq!((shown.google_verified, shown.x_verified), (true, false));
        bot.client.links().delete(Google).await.unwrap();
        let identity = bot.client.agents().create_identity_token().await.unwrap().token;
        let shown = gate.client.agents().verify_identity(identity).await.unwrap().agent;
        assert!(!shown.google_verified);
        assert!(linked(&bot.client).await.is_empty());
        let twice = refused::<DeleteLink>(bot.client.links().delete(Google).await);
        assert_eq!(twice, Code::NotFound);
        let log = bot.client.security().log().await.unwrap().entries;
        let actions: Vec<_> = log.into_iter().map(|entry| entry.action).collect();
        assert_eq!(actions[..2], [SecurityAction::LinkRemoved, SecurityAction::LinkAdded]);
    }

    async fn an_account_elsewhere_pays_the_grant_once_and_establishes(
        scene: Scene, "exchange.signup_grant" = "10", "exchange.grant_requires" = "linked",
        "limits.budgets" = "true"
    ) {
        let [ada, eve] = [scene.app.visitor("ada").await, scene.app.visitor("eve").await];
        let [ada_of, eve_of] = [&ada, &eve].map(|who| scene.app.browser(&who.cookie));
        let has = async |who: &Client| who.credits().balance().await.unwrap().credits.available.to_string();
        assert_eq!([has(&ada_of).await, has(&eve_of).await], ["0", "0"]);
        scene.link(&ada.cookie, "1").await;
        assert_eq!(has(&ada_of).await, "10");
        ada_of.links().delete(Google).await.unwrap();
        scene.link(&eve.cookie, "1").await;
        assert_eq!(has(&eve_of).await, "0", "the same account elsewhere pays once");
        scene.link(&ada.cookie, "2").await;
        assert_eq!(has(&ada_of).await, "10", "an account is paid once");

        let writes = async |cookie: &str| {
            let request = scene.app.raw(Method::PATCH, "/users/me").header("cookie", cookie);
            let request = request.header(SEC_FETCH_SITE, "same-origin");
            let changed = answer(request.json(&json!({ "bio": "hello" }))).await;
            changed.header("ratelimit-policy").unwrap().to_owned()
        };
        assert!(writes(&eve.cookie).await.contains(r#""writes";q=60;"#));
        scene.app.advance(6 * 24 * 3_600);
        let again = scene.app.sign_in("eve", PASSWORD).await;
        assert!(writes(&again).await.contains(r#""writes";q=60;"#));
        scene.app.advance(24 * 3_600);
        assert!(writes(&again).await.contains(r#""writes";q=600;"#), "established after 7 days");
    }

    async fn the_page_that_confirms_names_both_accounts(scene: Scene) {
        let bot = scene.app.agent("bot").await;
        let eve = scene.app.visitor("eve").await;
        let carried = begin(&bot.client, Google).await;
        let token = confirmation_token(&scene.come_back_as(Some(&eve.cookie), &carried, "1").await);
        let page = scene.app.open_page(Some(&eve.cookie), &format!("/link?token={token}")).await;
        assert_page(&page, StatusCode::OK, "signed in as @eve");
        assert_page(&page, StatusCode::OK, "Link to @bot");
        assert_eq!(page.header("referrer-policy"), Some("strict-origin"));
        assert_eq!(flags(&scene.app, "eve").await, (false, false));
        let other = begin(&bot.client, Google).await;
        let late = scene.app.open_page(None, &format!("/link?token={token}")).await;
        assert_page(&late, StatusCode::BAD_REQUEST, "has ended");
        let token = confirmation_token(&scene.come_back_as(None, &other, "1").await);
        scene.app.advance(10 * 60);
        let late = scene.app.confirm_link("same-origin", &token).await;
        assert_page(&late, StatusCode::BAD_REQUEST, "has ended");
        assert_page(&scene.app.open_page(None, "/link").await, StatusCode::BAD_REQUEST, "has ended");
        let made_up = scene.app.confirm_link("same-origin", &carried["state"]).await;
        assert_page(&made_up, StatusCode::BAD_REQUEST, "has ended");
    }

    async fn what_a_session_began_ends_in_a_browser_of_its_account(scene: Scene) {
        let [ada, eve] = [scene.app.visitor("ada").await, scene.app.visitor("eve").await];
        let carried = begin(&scene.app.browser(&ada.cookie), Google).await;
        for cookie in [None, Some(&*eve.cookie), Some("svc_session=made-up")] {
            let returned = scene.come_back_as(cookie, &carried, "1").await;
            assert_page(&returned, StatusCode::BAD_REQUEST, "another browser");
        }
        assert!(scene.stub.hits("/token").is_empty());
        let another = scene.app.sign_in("ada", PASSWORD).await;
        led_to(&scene.come_back_as(Some(&another), &carried, "1").await);
        assert_eq!(flags(&scene.app, "ada").await, (true, false));
        assert_eq!(flags(&scene.app, "eve").await, (false, false));
    }

    async fn a_key_is_finished_at_once_in_a_browser_of_its_account(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        ada.member.client.auth().step_up().password(PASSWORD).await.unwrap();
        let carried = begin(&ada.member.client, Google).await;
        let returned = scene.come_back_as(Some(&ada.cookie), &carried, "1").await;
        assert_eq!(led_to(&returned), SETTINGS);
        assert_eq!(flags(&scene.app, "ada").await, (true, false));
    }

    async fn an_account_elsewhere_is_linked_to_one_account_here(scene: Scene) {
        let [ada, bob] = [scene.app.visitor("ada").await, scene.app.visitor("bob").await];
        led_to(&scene.link(&ada.cookie, "1").await);
        led_to(&scene.link(&ada.cookie, "1").await);
        let refused = scene.link(&bob.cookie, "1").await;
        assert_page(&refused, StatusCode::CONFLICT, "linked to another account");
        assert_eq!(flags(&scene.app, "bob").await, (false, false));
        led_to(&scene.link(&ada.cookie, "2").await);
        assert_eq!(linked(&ada.member.client).await, [Google], "the new one replaced it");
        led_to(&scene.link(&bob.cookie, "1").await);
        assert_eq!(flags(&scene.app, "bob").await, (true, false));
        let bot = scene.app.agent("bot").await;
        let carried = begin(&bot.client, Google).await;
        let token = confirmation_token(&scene.come_back_as(None, &carried, "2").await);
        let refused = scene.app.confirm_link("same-origin", &token).await;
        assert_page(&refused, StatusCode::CONFLICT, "linked to another account");
        let first = sql!("select count(*) from audit_log where action = 'first_link'");
        assert_eq!(scene.app.count(first).await, 2, "one for each account elsewhere");
    }

    async fn of_two_accounts_at_once_one_links_an_account_elsewhere(scene: Scene) {
        let [ada, bob] = [scene.app.visitor("ada").await, scene.app.visitor("bob").await];
        led_to(&scene.link(&ada.cookie, "1").await);
        led_to(&scene.link(&bob.cookie, "2").await);
        let ids = [ada.member.user.id.clone(), bob.member.user.id.clone()];
        // Both want a third one, and then what the other one had, without a deadlock.
        for (left, right, most) in [("3", "3", 1), ("2", "1", 0)] {
            let server = scene.app.server.app();
            let add = |id: &svc_client::types::UserId, subject: &str| {
                let (id, subject) = (id.clone(), link::subject(&scene.stub.url, subject));
                server.write(move |ctx| link::add(ctx, &id, &Google, &subject))
            };
            let (left, right) = tokio::join!(add(&ids[0], left), add(&ids[1], right));
            let done = [left, right].iter().filter(|done| done.is_ok()).count();
            assert!(most == 0 || done == 1, "{done}");
        }
        let links = sql!("select count(*) from link where account is not null");
        assert_eq!(scene.app.count(links).await, 2);
    }

    async fn a_link_outlives_deletion_and_ends_with_erasure(scene: Scene) {
        let [ada, bob] = [scene.app.visitor("ada").await, scene.app.visitor("bob").await];
        let cyd = scene.app.visitor("cyd").await;
        led_to(&scene.link(&cyd.cookie, "3").await);
        let begun_by_cyd = begin(&scene.app.browser(&cyd.cookie), Google).await;
        led_to(&scene.link(&ada.cookie, "1").await);
        ada.member.client.auth().step_up().password(PASSWORD).await.unwrap();
        let begun = begin(&ada.member.client, X).await;
        ada.member.client.users().delete_me("ada").await.unwrap();
        let answer = [("code", "c"), ("state", &*begun["state"])];
        let late = scene.app.come_back(None, "x", &answer).await;
        assert_page(&late, StatusCode::BAD_REQUEST, "has ended");
        led_to(&scene.come_back_as(Some(&cyd.cookie), &begun_by_cyd, "3").await);
        ada.member.client.auth().restore().await.unwrap();
        assert_eq!((flags(&scene.app, "ada").await, linked(&ada.member.client).await), ((true, false), vec![Google]));
        ada.member.client.users().delete_me("ada").await.unwrap();
        assert_page(&scene.link(&bob.cookie, "1").await, StatusCode::CONFLICT, "another account");
        scene.app.advance(GRACE);
        scene.app.server.erase().await;
        let linked = sql!("select count(*) from link where account is not null or linked_at is not null");
        assert_eq!(scene.app.count(linked).await, 1, "that of cyd");
        assert_eq!(flags(&scene.app, "cyd").await, (true, false));
        let cookie = scene.app.sign_in("bob", PASSWORD).await;
        led_to(&scene.link(&cookie, "1").await);
        let first = sql!("select count(*) from audit_log where action = 'first_link'");
        assert_eq!(scene.app.count(first).await, 2, "erasure does not make it new");
    }

    async fn what_is_begun_is_forgotten_after_ten_minutes(scene: Scene) {
        let bot = scene.app.agent("bot").await;
        begin(&bot.client, Google).await;
        begin(&bot.client, X).await;
        let rows = sql!("select count(*) from link_attempt");
        assert_eq!(scene.app.count(rows).await, 2);
        begin(&bot.client, X).await;
        assert_eq!(scene.app.count(rows).await, 2, "one of each provider");
        for (seconds, left) in [(10 * 60 - 1, 2), (1, 0)] {
            scene.app.advance(seconds);
            sweep::once(scene.app.server.app()).await.unwrap();
            assert_eq!(scene.app.count(rows).await, left);
        }
    }

    async fn linking_is_limited_by_account_and_answers_by_network(
        scene: Scene, "limits.budgets" = "true"
    ) {
        let bot = scene.app.agent("bot").await;
        for _ in 0..20 {
            begin(&bot.client, X).await;
        }
        let more = bot.client.links().begin(X).await;
        assert_eq!(refused::<BeginLink>(more), Code::RateLimited);
        for name in ["b", "c"] {
            let other = scene.app.agent(&format!("bot{name}")).await;
            for _ in 0..20 {
                let carried = begin(&other.client, X).await;
                let answer = [("error", "access_denied"), ("state", &*carried["state"])];
                scene.app.come_back(None, "x", &answer).await;
            }
        }
        let other = scene.app.agent("botd").await;
        let more = other.client.links().begin(X).await;
        assert_eq!(refused::<BeginLink>(more), Code::RateLimited, "60 of a network");
        scene.app.advance(3_600);
        begin(&bot.client, X).await;
    }

    async fn linking_and_unlinking_are_confirmed_first(scene: Scene) {
        let ada = scene.app.visitor("ada").await;
        led_to(&scene.link(&ada.cookie, "1").await);
        let browser = scene.app.browser(&ada.cookie);
        scene.app.advance(10 * 60);
        let begun = browser.links().begin(Google).await;
        assert_eq!(refused::<BeginLink>(begun), Code::StepUpRequired);
        let deleted = browser.links().delete(Google).await;
        assert_eq!(refused::<DeleteLink>(deleted), Code::StepUpRequired);
        assert_eq!(linked(&browser).await, [Google]);
        ada.confirm(&scene.app).await;
        let key = browser.keys().create("reads", vec![Scope::Read, Scope::Write]).await.unwrap();
        let reader = scene.app.client(key.api_key);
        let begun = reader.links().begin(Google).await;
        assert_eq!(refused::<BeginLink>(begun), Code::InsufficientScope);
        browser.links().delete(Google).await.unwrap();
        assert_eq!(flags(&scene.app, "ada").await, (false, false));
    }

    async fn what_an_admin_has_set_stays_without_a_link(scene: Scene) {
        let [ada, chief] = [scene.app.visitor("ada").await, scene.app.visitor("chief").await];
        scene.app.grant_role("chief", "admin").await;
        let admin = chief.member.client.moderation();
        admin.update_user("ada").x_verified(true).await.unwrap();
        let browser = scene.app.browser(&ada.cookie);
        assert_eq!(refused::<DeleteLink>(browser.links().delete(X).await), Code::NotFound);
        assert_eq!(flags(&scene.app, "ada").await, (false, true));
    }
}

on_both_engines! {
    async fn a_server_that_is_registered_nowhere_links_nothing(app: TestApp) {
        let ada = app.visitor("ada").await;
        for provider in [Google, X] {
            let begun = app.browser(&ada.cookie).links().begin(provider).await;
            assert_eq!(refused::<BeginLink>(begun), Code::FeatureNotConfigured);
        }
        let returned = app.come_back(None, "google", &[("code", "c"), ("state", "s")]).await;
        assert_eq!(returned.status, StatusCode::SERVICE_UNAVAILABLE);
        let page = ada.page(&app, SETTINGS).await;
        assert!(!page.text.contains("Linked accounts"));
        ada.member.client.auth().step_up().password(PASSWORD).await.unwrap();
        let unknown = ada.member.raw(&app, Method::POST, "/auth/links/myspace/begin");
        assert_eq!(code_of(unknown).await, Code::ValidationFailed);
    }
}
