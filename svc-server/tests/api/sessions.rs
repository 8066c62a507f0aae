//! Session cookies: how long they live, and which requests they count for.

use http::Method;
use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::security::SecurityAction;
use svc_core::tasks::sweep;
use svc_server::admin::Command;
use svc_server::testing::until;
use svc_store::db::Sql;
use svc_store::{sql, values};

use crate::app::{TestApp, cookie};
use crate::factors::add;
use crate::on_both_engines;
use crate::raw::{Raw, answer, code_of};

const PASSWORD: &str = "correct horse";
const DAY: u64 = 86_400;

/// A sign-in that waits for its second step.
const STEP: Sql = sql!(
    "insert into login_step (hash, expires_at, account, password_hash) values ($1, $2, $3, 'x')"
);

/// A device that waits to be allowed.
const DEVICE: Sql = sql!(
    "insert into oauth_device (device_hash, expires_at, user_code, client_id, client_name,
        client_host, scopes, resource, state, interval_s)
     values ($1, $2, $3, 'x', 'x', 'x', 'read', 'api', 'waiting', 5)"
);

/// Who is signed in with a cookie, asked on a route that changes nothing.
async fn session(app: &TestApp, cookie: &str) -> Raw {
    answer(app.raw(Method::GET, "/auth/session").header("cookie", cookie)).await
}

/// Waits until the last use of a session is stored, which happens in the background.
async fn seen(app: &TestApp) {
    let now = app.server.clock().now();
    let latest = sql!("select max(last_seen_at) from session");
    until("a session that is used is marked as seen", async || {
        let latest = app.server.app().read(move |ctx| ctx.tx.one::<Option<i64>>(latest, values![]));
        latest.await.unwrap() == Some(now.as_millis())
    })
    .await;
}

/// A change by cookie, with these additional headers.
async fn change(app: &TestApp, cookie: &str, headers: &[(&str, &str)]) -> Raw {
    let request = app.raw(Method::PATCH, "/users/me").header("cookie", cookie);
    let request =
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    answer(request.json(&json!({ "bio": "changed" }))).await
}

on_both_engines! {
    async fn a_session_ends_after_seven_days_without_use(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let cookie = app.sign_in("ada", PASSWORD).await;
        app.advance(7 * DAY - 1);
        assert_eq!(session(&app, &cookie).await.status, 200);
        seen(&app).await;
        app.advance(7 * DAY);
        assert_eq!(session(&app, &cookie).await.refusal().code, Code::Unauthorized);
    }

    async fn a_session_that_is_used_lasts_where_unused_ones_end_after_minutes(
        app: TestApp, "session.idle" = "30m"
    ) {
        app.person("ada", PASSWORD).await;
        let cookie = app.sign_in("ada", PASSWORD).await;
        for _ in 0..3 {
            app.advance(20 * 60);
            assert_eq!(session(&app, &cookie).await.status, 200);
            seen(&app).await;
        }
        app.advance(30 * 60);
        assert_eq!(session(&app, &cookie).await.refusal().code, Code::Unauthorized);
    }

    async fn a_session_that_a_clock_far_ahead_marked_as_seen_is_marked_again(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let cookie = app.sign_in("ada", PASSWORD).await;
        let year = sql!(
            "update session set last_seen_at = last_seen_at + 31536000000
             where id = (select max(id) from session)"
        );
        app.execute(move |ctx| ctx.tx.execute(year, &[])).await;
        app.advance(60);
        assert_eq!(session(&app, &cookie).await.status, 200);
        seen(&app).await;
    }

    async fn a_session_ends_after_thirty_days_however_much_it_is_used(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let cookie = app.sign_in("ada", PASSWORD).await;
        for _ in 0..5 {
            app.advance(6 * DAY - 1);
            assert_eq!(session(&app, &cookie).await.status, 200);
            seen(&app).await;
        }
        app.advance(5);
        assert_eq!(session(&app, &cookie).await.refusal().code, Code::Unauthorized);
        sweep::once(app.server.app()).await.unwrap();
        let rows = app.server.app().read(|ctx| {
            ctx.tx.one::<i64>(sql!("select count(*) from session"), values![])
        });
        assert_eq!(rows.await.unwrap(), 0);
    }

    async fn what_a_sign_in_began_is_forgotten_when_it_has_expired_and_not_before(app: TestApp) {
        for (name, number, hours) in [("ada", 1_u8, 1_i64), ("bob", 2, 72)] {
            let account = app.person(name, PASSWORD).await.user.id;
            app.execute(move |ctx| {
                let (hash, end) = (vec![number; 32], ctx.now().as_millis() + hours * 3_600_000);
                ctx.tx.execute(STEP, values![hash, end, account])?;
                ctx.tx.execute(DEVICE, values![hash, end, name])
            }).await;
        }
        for (hours, left) in [(0, 2), (3, 1), (97, 0)] {
            app.advance(hours * 3_600);
            sweep::once(app.server.app()).await.unwrap();
            let steps = app.count(sql!("select count(*) from login_step")).await;
            let devices = app.count(sql!("select count(*) from oauth_device")).await;
            assert_eq!((steps, devices), (left, left), "after {hours} more hours");
        }
    }

    async fn a_further_sign_in_than_can_be_listed_ends_the_session_that_was_used_longest_ago(app: TestApp) {
        // Signing up is one.
        let ada = app.person("ada", PASSWORD).await;
        let used = app.sign_in("ada", PASSWORD).await;
        let unused = app.sign_in("ada", PASSWORD).await;
        app.advance(DAY);
        assert_eq!(session(&app, &used).await.status, 200);
        seen(&app).await;
        app.advance(1);
        for _ in 3..100 {
            app.sign_in("ada", PASSWORD).await;
        }
        let count = sql!("select count(*) from session");
        assert_eq!(app.count(count).await, 100);
        for _ in 0..2 {
            app.sign_in("ada", PASSWORD).await;
        }
        assert_eq!(app.count(count).await, 100);
        assert_eq!(session(&app, &unused).await.refusal().code, Code::Unauthorized);
        assert_eq!(session(&app, &used).await.status, 200);
        assert_eq!(ada.client.sessions().list().await.unwrap().sessions.len(), 100);
    }

    async fn an_operator_ends_the_sessions_of_an_account(app: TestApp) {
        let ada = app.person("ada", PASSWORD).await;
        app.person("bob", PASSWORD).await;
        let [own, other] = [app.sign_in("ada", PASSWORD).await, app.sign_in("bob", PASSWORD).await];
        app.server.admin(Command::RevokeSessions { username: "ada".to_owned() }).await;
        assert_eq!(session(&app, &own).await.refusal().code, Code::Unauthorized);
        assert_eq!(session(&app, &other).await.status, 200);
        ada.client.auth().session().await.unwrap();
        let newest = ada.client.security().log().await.unwrap().entries.remove(0);
        let found = (&newest.action, newest.actor.as_deref());
        assert_eq!(found, (&SecurityAction::SessionEnded, Some("operator")));
    }

    async fn a_session_and_its_cookie_live_as_long_as_the_operator_says(
        app: TestApp, "session.life" = "2h"
    ) {
        app.person("ada", PASSWORD).await;
        let signed_in = app.anonymous.auth().login("ada", PASSWORD).raw().await.unwrap();
        let set = signed_in.headers["set-cookie"].to_str().unwrap();
        assert!(set.contains("; Max-Age=7200; "), "{set}");
        let cookie = cookie(&signed_in.headers);
        app.advance(2 * 3_600 - 1);
        assert_eq!(session(&app, &cookie).await.status, 200);
        app.advance(1);
        assert_eq!(session(&app, &cookie).await.refusal().code, Code::Unauthorized);
    }

    async fn each_sign_in_has_its_own_cookie(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let one = app.sign_in("ada", PASSWORD).await;
        let other = app.sign_in("ada", PASSWORD).await;
        assert_ne!(one, other);
    }

    async fn the_header_wins_over_the_cookie(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let cookie = app.sign_in("ada", PASSWORD).await;
        let bob = app.agent("bob").await;
        let both = || app.raw(Method::GET, "/users/me").header("cookie", &cookie);
        let me = answer(both().bearer_auth(bob.key.expose())).await.json();
        assert_eq!(me["user"]["username"], "bob");
        assert_eq!(answer(both()).await.json()["user"]["username"], "ada");
        let bad = ["Bearer svc_ak_nonsense", "Bearer", "Bearer ", "Basic YWRhOg==", "nonsense", ""];
        for header in bad {
            let code = code_of(both().header("authorization", header)).await;
            assert_eq!(code, Code::Unauthorized, "{header}");
        }
    }

    async fn the_bearer_scheme_is_case_insensitive(app: TestApp) {
        let ada = app.agent("ada").await;
        for scheme in ["Bearer", "bearer", "BEARER"] {
            let header = format!("{scheme} {}", ada.key.expose());
            let me = answer(app.raw(Method::GET, "/users/me").header("authorization", header)).await;
            assert_eq!(me.status, 200, "{scheme}");
        }
    }

    async fn a_cookie_allows_changes_only_from_the_same_site(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let cookie = app.sign_in("ada", PASSWORD).await;
        let own = app.server.url().replace("/api", "");
        let fetch = |site| ("sec-fetch-site", site);
        let origin = |origin| ("origin", origin);
        let foreign = "https://evil.example";
        let port = format!("{own}0");
        let suffix = own.replace("://", "://evil");
        let cases: &[(&[(&str, &str)], bool)] = &[
            (&[fetch("same-origin")], true),
            (&[fetch("none")], true),
            (&[fetch("same-site")], false),
            (&[fetch("cross-site")], false),
            (&[fetch("nonsense")], false),
            (&[fetch("same-origin"), origin(foreign)], true),
            (&[fetch("cross-site"), origin(&own)], false),
            (&[origin(&own)], true),
            (&[origin(foreign)], false),
            (&[origin(&port)], false),
            (&[origin(&suffix)], false),
            (&[origin("null")], false),
            (&[origin("")], false),
            (&[], false),
        ];
        for (headers, allowed) in cases {
            let changed = change(&app, &cookie, headers).await;
            if *allowed {
                assert_eq!(changed.json()["user"]["bio"], "changed", "{headers:?}");
            } else {
                assert_eq!(changed.refusal().code, Code::CrossSiteRequest, "{headers:?}");
            }
        }
    }

    async fn a_cookie_counts_for_links_from_anywhere_and_not_for_scripts(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let cookie = app.sign_in("ada", PASSWORD).await;
        for method in [Method::GET, Method::HEAD] {
            let read = || app.raw(method.clone(), "/users/me").header("cookie", &cookie);
            let linked = read().header("sec-fetch-site", "cross-site");
            assert_eq!(answer(linked).await.status, 200);
            let own = app.server.url().trim_end_matches("/api").to_owned();
            assert_eq!(answer(read().header("origin", own)).await.status, 200);
            for site in ["cross-site", "same-site"] {
                let script = read().header("sec-fetch-site", site).header("origin", "https://evil.example");
                assert_eq!(answer(script).await.status, 401, "{site}");
            }
        }
    }

    async fn a_key_counts_from_anywhere(app: TestApp) {
        let ada = app.agent("ada").await;
        let request = app.raw(Method::PATCH, "/users/me").bearer_auth(ada.key.expose());
        let request = request.header("sec-fetch-site", "cross-site").header("origin", "https://evil.example");
        assert_eq!(answer(request.json(&json!({ "bio": "changed" }))).await.status, 200);
    }

    async fn a_cookie_among_others_is_found(app: TestApp) {
        app.person("ada", PASSWORD).await;
        let cookie = app.sign_in("ada", PASSWORD).await;
        let among = format!("theme=dark; {cookie}; svc_session_hint=1");
        assert_eq!(session(&app, &among).await.status, 200);
        let invented = "svc_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        assert_eq!(session(&app, invented).await.refusal().code, Code::Unauthorized);
    }

    async fn what_was_begun_and_what_all_nodes_have_read_is_swept(
        app: TestApp, "public_url" = "https://svc.example.org"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        add(&app, &ada).await;
        app.anonymous.auth().login("ada", PASSWORD).await.unwrap_err();
        app.anonymous.passkeys().begin_login().await.unwrap();
        for name in ["bob", "cyd"] {
            app.agent(name).await.client.users().delete_me(name).await.unwrap();
        }
        // Its times are those of the database, whose clock no test moves.
        let past = sql!(
            "update revocation set at = at - 86400001
             where accounts = (select id from account where username = 'bob')"
        );
        app.execute(move |ctx| ctx.tx.execute(past, values![])).await;
        app.advance(DAY);
        sweep::once(app.server.app()).await.unwrap();
        let of = sql!(
            "select count(*) from revocation
             where accounts = (select id from account where username = 'bob')"
        );
        for (left, sql) in [
            ("a step of a sign-in", sql!("select count(*) from login_step")),
            ("a ceremony", sql!("select count(*) from ceremony")),
            ("what nodes have read", of),
        ] {
            assert_eq!(app.count(sql).await, 0, "{left}");
        }
        let of = sql!(
            "select count(*) from revocation
             where accounts = (select id from account where username = 'cyd')"
        );
        assert_ne!(app.count(of).await, 0, "a node may still have to read it");
    }
}
