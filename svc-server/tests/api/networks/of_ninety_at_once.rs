//! Limits hold for ninety requests at once, to three nodes on PostgreSQL and one on SQLite.

use http::Method;
use serde_json::json;
use svc_client::types::Code;
use svc_server::testing::Engine::{self, Postgres, Sqlite};
use svc_store::db::sql;

use super::{PASSWORD, admitted, at_once, person, sign_in};
use crate::app::{self, TestApp};
use crate::raw::answer;

/// Three servers on one fresh database of PostgreSQL, one on SQLite.
async fn nodes(engine: Engine, settings: &[(&str, &str)]) -> Vec<TestApp> {
    let database = app::database(engine).await;
    let Some(database) = database else { return Vec::new() };
    let mut nodes = Vec::new();
    for _ in 0..if engine == Postgres { 3 } else { 1 } {
        nodes.push(TestApp::on(engine, &database, settings).await);
    }
    nodes
}

async fn wrong_passwords(engine: Engine) {
    let nodes = nodes(engine, &[]).await;
    let Some(first) = nodes.first() else { return };
    first.person("ada", PASSWORD).await;
    let guesses = nodes.iter().cycle().take(90);
    let guesses = guesses.map(|node| sign_in(node, "192.0.2.1", "ada", "wrong"));
    assert_eq!(admitted(&at_once(guesses).await, 401), 5, "of one account");
    let guesses = nodes.iter().cycle().take(90).enumerate();
    let names: Vec<_> = guesses.map(|(number, node)| (node, format!("bob_{number}"))).collect();
    let guesses = names.iter().map(|(node, name)| sign_in(node, "192.0.2.1", name, "wrong"));
    assert_eq!(admitted(&at_once(guesses).await, 401), 25, "thirty of one address");
}

#[tokio::test]
async fn wrong_passwords_five_are_judged_sqlite() {
    wrong_passwords(Sqlite).await;
}

#[tokio::test]
async fn wrong_passwords_five_are_judged_postgres() {
    wrong_passwords(Postgres).await;
}

async fn from_everywhere(engine: Engine) {
    let everywhere = ("limits.sign_in.everywhere_failures", "5");
    let nodes = nodes(engine, &[("trusted_proxies", "127.0.0.1"), everywhere]).await;
    let Some(first) = nodes.first() else { return };
    first.person("ada", PASSWORD).await;
    let guesses = nodes.iter().cycle().take(30).enumerate();
    let guesses = guesses.map(|(number, node)| (node, format!("198.51.{number}.1")));
    let guesses: Vec<_> = guesses.collect();
    let guesses = guesses.iter().map(|(node, place)| sign_in(node, place, "ada", "wrong"));
    let answers = at_once(guesses).await;
    let (judged, refused): (Vec<_>, Vec<_>) =
        answers.iter().partition(|answer| answer.status == 401);
    assert_eq!(judged.len(), 5, "the others need a proof of work");
    assert!(refused.iter().all(|answer| answer.refusal().code == Code::ProofRequired));
}

#[tokio::test]
async fn wrong_passwords_from_everywhere_five_are_judged_sqlite() {
    from_everywhere(Sqlite).await;
}

#[tokio::test]
async fn wrong_passwords_from_everywhere_five_are_judged_postgres() {
    from_everywhere(Postgres).await;
}

async fn right_passwords(engine: Engine) {
    let nodes = nodes(engine, &[]).await;
    let Some(first) = nodes.first() else { return };
    first.person("ada", PASSWORD).await;
    for _ in 0..3 {
        let entering = nodes.iter().cycle().take(12);
        let entering = entering.map(|node| sign_in(node, "192.0.2.1", "ada", PASSWORD));
        assert!(admitted(&at_once(entering).await, 200) >= 5);
    }
    assert_eq!(first.count(sql!("select count(*) from login_failure")).await, 0);
}

#[tokio::test]
async fn right_passwords_release_their_slots_sqlite() {
    right_passwords(Sqlite).await;
}

#[tokio::test]
async fn right_passwords_release_their_slots_postgres() {
    right_passwords(Postgres).await;
}

async fn sign_ups(engine: Engine) {
    let nodes = nodes(engine, &[("limits.budgets", "true")]).await;
    let Some(first) = nodes.first() else { return };
    let coming = nodes.iter().cycle().take(30).enumerate();
    let names: Vec<_> = coming.map(|(number, node)| (node, format!("ada_{number}"))).collect();
    let coming = names.iter().map(|(node, name)| person(node, "192.0.2.1", name));
    assert_eq!(admitted(&at_once(coming).await, 201), 5);
    assert_eq!(first.count(sql!("select count(*) from account")).await, 5);
}

#[tokio::test]
async fn sign_ups_five_are_accepted_sqlite() {
    sign_ups(Sqlite).await;
}

#[tokio::test]
async fn sign_ups_five_are_accepted_postgres() {
    sign_ups(Postgres).await;
}

async fn posts(engine: Engine) {
    let nodes = nodes(engine, &[]).await;
    let Some(first) = nodes.first() else { return };
    let ada = first.agent("ada").await;
    let posting = nodes.iter().cycle().take(90).enumerate().map(|(number, node)| {
        let body = json!({ "content": format!("number {number}") });
        answer(ada.raw(node, Method::POST, "/posts").json(&body))
    });
    assert_eq!(admitted(&at_once(posting).await, 201), 1);
    assert_eq!(first.count(sql!("select count(*) from post")).await, 1);
}

#[tokio::test]
async fn posts_one_is_published_sqlite() {
    posts(Sqlite).await;
}

#[tokio::test]
async fn posts_one_is_published_postgres() {
    posts(Postgres).await;
}

async fn uploads(engine: Engine) {
    let nodes = nodes(engine, &[("limits.uploads.count", "5")]).await;
    let Some(first) = nodes.first() else { return };
    let ada = first.agent("ada").await;
    let uploading = nodes.iter().cycle().take(90).map(|node| {
        let request = ada.raw(node, Method::PUT, "/users/me/avatar");
        answer(request.header("content-type", "image/png").body("no picture"))
    });
    assert_eq!(admitted(&at_once(uploading).await, 400), 5, "the others are not decoded");
}

#[tokio::test]
async fn uploads_five_are_decoded_sqlite() {
    uploads(Sqlite).await;
}

#[tokio::test]
async fn uploads_five_are_decoded_postgres() {
    uploads(Postgres).await;
}
