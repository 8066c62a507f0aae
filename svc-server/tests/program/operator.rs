//! Commands during the run of a server: accounts, backup, restore.

use std::fs;

use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::users::{Role, Tier};

use crate::load::World;
use crate::process::{Place, read_database};

/// What an `admin` command prints with `--json`.
fn admin(place: &Place, arguments: &[&str]) -> Vec<Value> {
    let printed = place.run(&[&["admin", "--json"], arguments].concat());
    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn an_operator_changes_accounts_while_the_server_runs() {
    let place = Place::new();
    let server = place.serve();
    let ada = server.client().auth().register_agent("ada").await.unwrap();
    let bob = server.client().auth().register_agent("bob").await.unwrap();
    let client = server.client_of(&ada.api_key);

    let id = &ada.user.id;
    let printed = place.run(&["admin", "grant-role", "ada", "admin"]);
    assert_eq!(printed, format!("ada  admin  free  active  {id}\n"));
    let line = [json!({
        "id": id, "username": "ada", "role": "admin", "tier": "pro", "status": "active",
    })];
    assert_eq!(admin(&place, &["set-tier", id.as_str(), "pro"]), line);
    let me = client.users().me().await.unwrap().user;
    assert_eq!((me.role, me.tier), (Some(Role::Admin), Tier::Pro));

    assert_eq!(admin(&place, &["list-users", "--role", "admin"]), line);
    let names: Vec<Value> =
        admin(&place, &["list-users"]).iter().map(|line| line["username"].clone()).collect();
    assert_eq!(names, ["bob", "ada"]);

    let other = server.client_of(&bob.api_key);
    let suspended = admin(&place, &["suspend", "bob", "--reason", "spam"]);
    assert_eq!(suspended[0]["status"], "suspended");
    let refused = other.posts().create("hi").await.unwrap_err();
    assert_eq!(refused.code(), Some(&Code::AccountSuspended));
    place.run(&["admin", "unsuspend", "bob", "--reason", "a mistake"]);
    other.posts().create("hi").await.unwrap();

    place.run(&["admin", "revoke-keys", "bob"]);
    let ended = other.users().me().await.unwrap_err();
    assert_eq!(ended.code(), Some(&Code::Unauthorized));
    place.run(&["admin", "revoke-sessions", "bob"]);
    let refused = place.refused(&["admin", "remove-factors", "bob"]);
    assert!(refused.contains("bob has no second factor"), "{refused}");

    let written: String = read_database(
        &place.path("data/svc.db"),
        "select group_concat(action || ' ' || detail, ', ') from
            (select action, detail from audit_log where actor = 'operator' order by id)",
    );
    assert_eq!(
        written,
        "role_granted admin, tier_set pro, user_suspend spam, user_unsuspend a mistake, \
         keys_revoked , sessions_revoked "
    );
    server.stop().await;
}

#[test]
fn a_refused_command_explains_why() {
    let place = Place::new();
    for (arguments, reason) in [
        (&["grant-role", "nobody", "admin"][..], "error: no such account: nobody\n"),
        (&["suspend", "nobody", "--reason", "spam"], "error: no such account: nobody\n"),
    ] {
        assert_eq!(place.refused(&[&["admin"], arguments].concat()), reason);
        assert_eq!(place.refused(&[&["admin", "--json"], arguments].concat()), reason);
    }
    let unknown = place.refused(&["admin", "grant-role", "nobody", "king"]);
    assert!(unknown.contains("user, moderator, admin"), "{unknown}");
    let without_reason = place.refused(&["admin", "suspend", "ada"]);
    assert!(without_reason.contains("--reason"), "{without_reason}");
    assert_eq!(admin(&place, &["list-users"]), [Value::Null; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_a_busy_server_holds_all_that_was_answered_before() {
    let place = Place::new();
    let server = place.serve();
    let world = World::new(&server).await;
    let mut load = world.load(&server, "before");
    load.reaches(60).await;
    let before = load.end().await;
    let mut load = world.load(&server, "meanwhile");
    load.reaches(10).await;
    let copy = place.path("copy.tar");
    let file = copy.to_str().unwrap();
    let written = tokio::task::block_in_place(|| place.run(&["backup", file]));
    assert_eq!(written, format!("wrote {file}\n"));
    load.reaches(20).await;
    let meanwhile = load.end().await;
    assert!(place.refused(&["backup", file]).contains("can't create"), "no file is overwritten");
    server.stop().await;

    let elsewhere = Place::new();
    elsewhere.run(&["restore", file]);
    let restored = elsewhere.serve();
    let found = world.texts(&restored).await;
    let lost: Vec<&String> =
        before.acknowledged.iter().filter(|text| found.get(*text) != Some(&1)).collect();
    assert_eq!(lost, [""; 0]);
    let known = |text: &&String| {
        !before.acknowledged.contains(text) && !meanwhile.acknowledged.contains(text)
    };
    assert_eq!(found.keys().find(known), None);
    world.write(&world.ada(&restored), "after").await.unwrap();
    restored.stop().await;
}

#[tokio::test]
async fn a_restore_needs_an_empty_folder_and_a_backup() {
    let place = Place::new();
    place.serve().stop().await;
    place.run(&["backup", "copy.tar"]);
    let message = place.refused(&["restore", "copy.tar"]);
    assert!(message.contains("exists; restore needs an empty data folder"), "{message}");

    let elsewhere = Place::new();
    fs::write(elsewhere.path("other"), "no archive").unwrap();
    for (file, reason) in [("missing", "can't read missing"), ("other", "")] {
        let message = elsewhere.refused(&["restore", file]);
        assert!(message.starts_with("error: ") && message.contains(reason), "{message}");
    }
    let database = elsewhere.path("data/svc.db");
    assert!(!database.exists() && !database.with_extension("partial").exists());
}
