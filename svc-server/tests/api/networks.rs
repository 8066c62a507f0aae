//! Limits by address, counted by network, exact even for concurrent requests.

mod of_ninety_at_once;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::auth::Proof;
use svc_server::testing::Engine;
use svc_store::db::sql;

use crate::app::{TestApp, cookie};
use crate::on_both_engines;
use crate::raw::{Raw, answer};
use crate::signup::solved;

const PASSWORD: &str = "correct horse";

/// Sends a request from an address, as the proxy before the server says.
async fn from(app: &TestApp, address: &str, path: &str, body: Value) -> Raw {
    let request = app.raw(Method::POST, path).header("x-forwarded-for", address);
    answer(request.json(&body)).await
}

async fn sign_up(app: &TestApp, address: &str, name: &str) -> Raw {
    from(app, address, "/auth/register", json!({ "username": name, "isAgent": true })).await
}

async fn sign_in(app: &TestApp, address: &str, name: &str, password: &str) -> Raw {
    from(app, address, "/auth/login", json!({ "username": name, "password": password })).await
}

async fn new_app(app: &TestApp, address: &str) -> Raw {
    let body = json!({ "appName": "Gate", "website": "https://gate.example.org" });
    from(app, address, "/v1/developers/register", body).await
}

/// A person that signed up from an address.
async fn person(app: &TestApp, address: &str, name: &str) -> Raw {
    let email = format!("{name}@example.org");
    let body = json!({ "username": name, "email": email, "password": PASSWORD });
    from(app, address, "/auth/register", body).await
}

/// Calls at once; the answers in any order.
async fn at_once<F>(calls: impl Iterator<Item = F>) -> Vec<Raw>
where
    F: Future<Output = Raw> + Send,
{
    futures_util::future::join_all(calls).await
}

/// How many answers have this status; the others are 429.
#[track_caller]
fn admitted(answers: &[Raw], status: u16) -> usize {
    let is_admitted = |answer: &&Raw| answer.status == status;
    for refused in answers.iter().filter(|answer| !is_admitted(answer)) {
        let refusal = refused.refusal();
        assert_eq!(refusal.code, Code::RateLimited, "{}", refusal.error);
        assert!(refusal.retry_after.is_some_and(|seconds| seconds > 0));
    }
    answers.iter().filter(is_admitted).count()
}

on_both_engines! {
    async fn addresses_of_a_network_share_the_sign_up_limit(
        app: TestApp, "trusted_proxies" = "127.0.0.1", "limits.budgets" = "true",
        "database.connections" = "4"
    ) {
        let mut answers = Vec::new();
        for host in 0..40 {
            let address = format!("2001:db8:7:1::{host:x}");
            answers.push(sign_up(&app, &address, &format!("ada_{host}")).await);
        }
        assert_eq!(admitted(&answers, 201), 5);
        let refusal = answers[39].refusal();
        assert_eq!(refusal.error, "at most 5 sign-ups are allowed in 30m");
        assert_eq!(refusal.retry_after, Some(1800));
        assert_eq!(sign_up(&app, "2001:db8:8::1", "bob").await.status, 201, "another /48 is free");
    }

    async fn a_wider_network_has_four_times_the_limit(
        app: TestApp, "trusted_proxies" = "127.0.0.1", "limits.budgets" = "true",
        "database.connections" = "4"
    ) {
        for addresses in [|n| format!("2001:db8:7:{n:x}::1"), |n| format!("198.51.100.{n}")] {
            let mut answers = Vec::new();
            for number in 0..40 {
                let address: String = addresses(number);
                let name = format!("ada_{}", app.count(sql!("select count(*) from account")).await);
                answers.push(sign_up(&app, &address, &name).await);
            }
            assert_eq!(admitted(&answers, 201), 20);
        }
        assert_eq!(sign_up(&app, "198.51.101.1", "bob").await.status, 201, "another /24 is free");
    }

    async fn an_ipv4_address_counts_once_in_every_notation(
        app: TestApp, "trusted_proxies" = "127.0.0.1", "limits.budgets" = "true",
        "limits.sign_up.count" = "1"
    ) {
        assert_eq!(sign_up(&app, "192.0.2.1", "ada").await.status, 201);
        assert_eq!(sign_up(&app, "::ffff:192.0.2.1", "bob").await.status, 429);
        assert_eq!(sign_up(&app, "::ffff:c000:202", "bob").await.status, 201);
        assert_eq!(sign_up(&app, "192.0.2.2", "cyd").await.status, 429);
    }

    async fn addresses_of_a_network_share_the_guess_limit(
        app: TestApp, "trusted_proxies" = "127.0.0.1",
        "database.connections" = "4"
    ) {
        app.person("ada", PASSWORD).await;
        let mut answers = Vec::new();
        for host in 0..9 {
            answers.push(sign_in(&app, &format!("2001:db8:7:1::{host}"), "ada", "wrong").await);
        }
        assert_eq!(admitted(&answers, 401), 5);
        let reported = answers[8].refusal().error;
        assert_eq!(reported, "at most 5 failed sign-ins to an account from one network are allowed in 15m");
        let mut answers = Vec::new();
        for host in 0..30 {
            let address = format!("2001:db8:7:1:{host}::1");
            answers.push(sign_in(&app, &address, &format!("nobody_{host}"), "wrong").await);
        }
        assert_eq!(admitted(&answers, 401), 25, "thirty in all");
    }

    async fn loopback_is_no_exemption_and_an_unlisted_proxy_is_not_believed(
        app: TestApp, "limits.budgets" = "true"
    ) {
        let mut answers = Vec::new();
        for number in 0..7 {
            let address = format!("203.0.113.{number}");
            answers.push(sign_up(&app, &address, &format!("ada_{number}")).await);
        }
        assert_eq!(admitted(&answers, 201), 5, "they all come from 127.0.0.1");
    }

    async fn distributed_guesses_need_a_proof_of_work_each(
        app: TestApp, "trusted_proxies" = "127.0.0.1", "signup.proof_cost" = "1"
    ) {
        let home = "2001:db8:1::1";
        let registered = person(&app, home, "ada").await;
        let session = app.browser(&cookie(&registered.headers));
        let stranger = |number: u32| format!("2001:db8:{:x}::1", number + 0x100);
        for number in 0..20 {
            assert_eq!(sign_in(&app, &stranger(number), "ada", "wrong").await.status, 401);
        }
        for password in ["wrong", PASSWORD] {
            let refused = sign_in(&app, &stranger(20), "ada", password).await.refusal();
            assert_eq!(refused.code, Code::ProofRequired, "whether or not it is right");
        }
        let proven = |address: String, password: &'static str, proof: Proof| {
            let body = json!({ "username": "ada", "password": password, "proof": proof });
            let app = &app;
            async move { from(app, &address, "/auth/login", body).await }
        };
        let one = solved(&app).await;
        assert_eq!(proven(stranger(21), "wrong", one.clone()).await.status, 401);
        let again = proven(stranger(22), PASSWORD, one).await.refusal();
        assert_eq!((again.code, &*again.error), (Code::ProofRequired, "the proof was used before"));
        assert_eq!(sign_in(&app, "2001:db8:1:0:ffff::2", "ada", PASSWORD).await.status, 200, "it is home");
        session.auth().session().await.unwrap();
        let new = proven(stranger(99), PASSWORD, solved(&app).await).await;
        assert_eq!(new.status, 200, "nobody is locked out");
        assert_eq!(sign_in(&app, &stranger(99), "ada", PASSWORD).await.status, 200, "it is known by now");
        assert_eq!(sign_in(&app, &stranger(97), "bob", "wrong").await.status, 401, "another account");
        app.advance(3600);
        assert_eq!(sign_in(&app, &stranger(98), "ada", PASSWORD).await.status, 200);
    }

    async fn strangers_cannot_use_up_the_guesses_of_a_session(
        app: TestApp, "trusted_proxies" = "127.0.0.1", "limits.sign_in.everywhere_failures" = "2"
    ) {
        let ada = app.person("ada", PASSWORD).await;
        for number in 0..2 {
            let address = format!("2001:db8:{:x}::1", number + 0x100);
            assert_eq!(sign_in(&app, &address, "ada", "wrong").await.status, 401);
        }
        let confirm = async |number: u32, password: &str| {
            let request = ada.raw(&app, Method::POST, "/auth/step-up");
            let request = request.header("x-forwarded-for", format!("2001:db8:{number:x}::1"));
            answer(request.json(&json!({ "password": password }))).await
        };
        assert_eq!(confirm(1, "wrong").await.status, 401);
        assert_eq!(confirm(2, PASSWORD).await.status, 200);
        assert_eq!(confirm(3, "wrong").await.status, 401);
        assert_eq!(confirm(4, PASSWORD).await.refusal().code, Code::RateLimited);
        assert_eq!(confirm(2, PASSWORD).await.status, 200, "it is known");
    }

    async fn an_unknown_username_is_limited_alike(app: TestApp, "trusted_proxies" = "127.0.0.1") {
        for number in 0..20 {
            let address = format!("2001:db8:{number:x}::1");
            assert_eq!(sign_in(&app, &address, "nobody", "wrong").await.status, 401);
        }
        let refused = sign_in(&app, "2001:db8:99::1", "nobody", "wrong").await;
        let code = refused.refusal().code;
        assert_eq!(code, Code::ProofRequired, "it does not reveal which accounts exist");
    }

    async fn a_network_is_forgotten_after_a_while(
        app: TestApp, "trusted_proxies" = "127.0.0.1", "limits.sign_in.everywhere_failures" = "1"
    ) {
        person(&app, "192.0.2.1", "ada").await;
        assert_eq!(sign_in(&app, "203.0.113.1", "ada", "wrong").await.status, 401);
        assert_eq!(sign_in(&app, "192.0.2.1", "ada", PASSWORD).await.status, 200);
        app.advance(89 * 86_400);
        assert_eq!(sign_in(&app, "192.0.2.1", "ada", PASSWORD).await.status, 200);
        // It counts from the last sign-in on.
        app.advance(90 * 86_400 - 1);
        assert_eq!(sign_in(&app, "203.0.113.1", "ada", "wrong").await.status, 401);
        assert_eq!(sign_in(&app, "192.0.2.1", "ada", PASSWORD).await.status, 200);
        app.advance(90 * 86_400);
        assert_eq!(sign_in(&app, "203.0.113.1", "ada", "wrong").await.status, 401);
        assert_eq!(sign_in(&app, "192.0.2.1", "ada", PASSWORD).await.refusal().code, Code::ProofRequired);
        svc_core::tasks::sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(sql!("select count(*) from known_network")).await, 0);
        assert_eq!(app.count(sql!("select count(*) from login_failure")).await, 4, "of the last guess");
        app.advance(86_400);
        svc_core::tasks::sweep::once(app.server.app()).await.unwrap();
        // These name networks, too.
        for left in [sql!("select count(*) from login_failure"), sql!("select count(*) from attempt_scope")] {
            assert_eq!(app.count(left).await, 0);
        }
    }

    async fn anonymous_apps_are_limited_like_sign_ups(
        app: TestApp, "trusted_proxies" = "127.0.0.1", "limits.budgets" = "true",
        "database.connections" = "4"
    ) {
        let mut answers = Vec::new();
        for host in 0..12 {
            answers.push(new_app(&app, &format!("2001:db8:7:1::{host}")).await);
        }
        assert_eq!(admitted(&answers, 201), 5);
        assert_eq!(answers[11].refusal().retry_after, Some(3600));
        assert_eq!(new_app(&app, "2001:db8:8::1").await.status, 201);
        app.advance(3600);
        assert_eq!(new_app(&app, "2001:db8:7:1::1").await.status, 201);
    }

    async fn the_limits_of_a_network_are_those_of_the_operator(
        app: TestApp, "limits.budgets" = "true", "mail.url" = "smtp://127.0.0.1:9",
        "limits.sign_up.count" = "1", "limits.sign_up.window" = "1m",
        "limits.apps.count" = "1", "limits.apps.window" = "2m",
        "limits.resets.count" = "1", "limits.resets.window" = "3m",
        "limits.sign_in.account_failures" = "1", "limits.sign_in.account_window" = "4m"
    ) {
        let _recorder = app.server.record_mails();
        let here = "192.0.2.1";
        let tries = async |name: &str| {
            let reset = json!({ "email": "nobody@example.org" });
            let tried = [
                sign_up(&app, here, name).await,
                new_app(&app, here).await,
                from(&app, here, "/auth/password/reset", reset).await,
                sign_in(&app, here, "nobody", "wrong").await,
            ];
            tried.map(|answer| answer.status.as_u16())
        };
        assert_eq!(tries("ada_0").await, [201, 201, 200, 401]);
        assert_eq!(tries("ada_1").await, [429; 4]);
        for (name, expected) in [
            ("ada_2", [201, 429, 429, 429]),
            ("ada_3", [201, 201, 429, 429]),
            ("ada_4", [201, 429, 200, 429]),
            ("ada_5", [201, 201, 429, 401]),
        ] {
            app.advance(60);
            assert_eq!(tries(name).await, expected, "{name}");
        }
    }

    async fn guesses_are_counted_and_networks_known_for_as_long_as_the_operator_says(
        app: TestApp, "trusted_proxies" = "127.0.0.1",
        "limits.sign_in.address_failures" = "1", "limits.sign_in.address_window" = "2m",
        "limits.sign_in.everywhere_failures" = "1", "limits.sign_in.everywhere_window" = "3m",
        "limits.sign_in.known_for" = "1h"
    ) {
        let home = "192.0.2.1";
        person(&app, home, "ada").await;
        let guess = async |address: &str, name: &str| sign_in(&app, address, name, "wrong").await.status;
        assert_eq!(guess("198.51.100.1", "nobody_1").await, 401);
        assert_eq!(guess("203.0.113.1", "ada").await, 401);
        app.advance(119);
        assert_eq!(guess("198.51.100.1", "nobody_2").await, 429);
        app.advance(1);
        assert_eq!(guess("198.51.100.1", "nobody_3").await, 401);
        app.advance(59);
        let refused = sign_in(&app, "198.18.0.1", "ada", "wrong").await.refusal();
        assert_eq!(refused.code, Code::ProofRequired);
        app.advance(1);
        assert_eq!(guess("198.18.1.1", "ada").await, 401);
        assert_eq!(sign_in(&app, home, "ada", PASSWORD).await.status, 200);
        app.advance(3_599);
        assert_eq!(guess("198.18.2.1", "ada").await, 401);
        assert_eq!(sign_in(&app, home, "ada", PASSWORD).await.status, 200);
        app.advance(3_600);
        assert_eq!(guess("198.18.3.1", "ada").await, 401);
        let unknown = sign_in(&app, home, "ada", PASSWORD).await.refusal();
        assert_eq!(unknown.code, Code::ProofRequired);
    }

    async fn an_account_has_ten_apps(
        app: TestApp, "limits.budgets" = "true", "limits.new.apps" = "10"
    ) {
        let ada = app.agent("ada").await;
        let registering = (0..16).map(|_| {
            let request = ada.raw(&app, Method::POST, "/v1/developers/register");
            answer(request.json(&json!({ "appName": "Gate", "website": "https://gate.example.org" })))
        });
        let answers = at_once(registering).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 10);
        let refused = answers.iter().find(|answer| answer.status != 201).unwrap().refusal();
        assert_eq!((refused.code, &*refused.error), (Code::LimitReached, "an account has at most 10 apps"));
        let first = answers.iter().find(|answer| answer.status == 201).unwrap().json();
        let key = first["developer_api_key"].as_str().unwrap().to_owned();
        app.developer_client(key).developers().delete().await.unwrap();
        ada.client.developers().register("Gate", "https://gate.example.org").await.unwrap();
    }

    async fn concurrent_picture_decoding_is_limited(
        app: TestApp, "limits.uploads.count" = "3", "database.connections" = "4"
    ) {
        let ada = app.agent("ada").await;
        let uploading = (0..12).map(|_| {
            let request = ada.raw(&app, Method::PUT, "/users/me/avatar");
            answer(request.header("content-type", "image/png").body("no picture"))
        });
        assert_eq!(admitted(&at_once(uploading).await, 400), 3);
    }
}

/// The sweeper deletes what no window counts, on SQLite like on PostgreSQL.
#[tokio::test]
async fn what_a_long_window_counts_outlasts_the_sweeper() {
    for window in ["limits.sign_up.window", "limits.apps.window", "limits.uploads.window"] {
        let count = window.replace("window", "count");
        let settings = [
            ("trusted_proxies", "127.0.0.1"),
            ("limits.budgets", "true"),
            (window, "1d"),
            (&*count, "1"),
        ];
        let app = TestApp::start_with(Engine::Sqlite, &settings).await.unwrap();
        let ada = app.agent("ada").await;
        let act = async |name: &str| match window {
            "limits.sign_up.window" => sign_up(&app, "192.0.2.1", name).await,
            "limits.apps.window" => new_app(&app, "192.0.2.1").await,
            _ => {
                let request = ada.raw(&app, Method::PUT, "/users/me/avatar");
                answer(request.header("content-type", "image/png").body("no picture")).await
            }
        };
        assert_ne!(act("bob").await.status, 429, "{window}");
        app.advance(2 * 3_600);
        svc_core::tasks::sweep::once(app.server.app()).await.unwrap();
        assert_eq!(act("cyd").await.status, 429, "{window}");
    }
}
