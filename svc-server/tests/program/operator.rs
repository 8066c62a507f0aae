//! Commands of the operator: accounts, lists, and what is refused.

use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::users::{Role, Tier};

use crate::observability::{metrics_address, scrape};
use crate::process::{Place, database, read_database};

/// What an `admin` command prints with `--json`.
pub(crate) fn admin(place: &Place, arguments: &[&str]) -> Vec<Value> {
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

    place.run(&["admin", "set-trust", "bob", "trusted"]);
    place.run(&["admin", "revoke-keys", "bob"]);
    let ended = other.users().me().await.unwrap_err();
    assert_eq!(ended.code(), Some(&Code::Unauthorized));
    place.run(&["admin", "revoke-sessions", "bob"]);
    let refused = place.refused(&["admin", "remove-factors", "bob"]);
    assert!(refused.contains("bob has no second factor"), "{refused}");
    assert_eq!(admin(&place, &["billing", "mode"]), [json!({ "mode": "none" })]);

    let written: String = read_database(
        &place.path("data/svc.db"),
        "select group_concat(action || ' ' || detail, ', ') from
            (select action, detail from audit_log where actor = 'operator' order by id)",
    );
    assert_eq!(
        written,
        "role_granted admin, tier_set pro, user_suspend spam, user_unsuspend a mistake, \
         trust_set trusted, keys_revoked , sessions_revoked "
    );
    // As lists and pages write the name.
    assert_eq!(admin(&place, &["delete", "@bob"])[0]["status"], "deleted");
    let refused = place.refused(&["admin", "recover", "@bob"]);
    assert!(refused.contains("@bob is deleted\nhint: "), "{refused}");
    assert_eq!(admin(&place, &["restore", "@bob"])[0]["status"], "active");
    let refused = place.refused(&["admin", "delete", "ada"]);
    assert!(refused.contains("the account is the last admin\nhint: "), "{refused}");
    let refused = place.refused(&["admin", "unsuspend", "bob", "--reason", "a mistake"]);
    assert_eq!(refused, "error: bob is not suspended\n");
    let newest = place.run(&["admin", "log", "--limit", "2"]);
    let rows: Vec<&str> = newest.lines().collect();
    assert_eq!(rows.len(), 2, "{newest}");
    for (row, action) in rows.iter().zip(["account_restored", "account_deleted"]) {
        let end = format!("  operator  {action}  {}  @bob", bob.user.id);
        assert!(row.ends_with(&end), "{row}");
    }
    let all = admin(&place, &["log", "--by", "operator"]);
    assert!(all.iter().all(|entry| entry["actor"] == "operator"), "{all:?}");
    assert_eq!(all.last().unwrap()["detail"], "admin");
    // The commands took longer than the server keeps a silent connection.
    let client = server.client_of(&ada.api_key);
    client.moderation().update_user("bob").tier(Tier::Boost).await.unwrap();
    for by in ["@ada", "ada", id.as_str()] {
        let done = admin(&place, &["log", "--by", by]);
        let done = done.iter().map(|entry| [&entry["actor"], &entry["subject"]]);
        let done: Vec<[&Value; 2]> = done.collect();
        assert_eq!(done, [[&json!(id), &json!(bob.user.id)]], "{by}");
    }
    server.stop().await;
}

#[tokio::test]
async fn an_operator_leads_people_and_agents_back_into_their_accounts() {
    let place = Place::new();
    let server = place.serve();
    let anonymous = server.client();
    let ada = anonymous.auth().register_person("ada", "ada@example.org", "correct horse");
    ada.await.unwrap();
    let bob = anonymous.auth().register_agent("bob").await.unwrap();
    let token = |name: &str| {
        let printed = admin(&place, &["recover", name]).remove(0);
        let link = printed["link"].as_str().unwrap();
        link.split_once("/reset?token=").unwrap().1.to_owned()
    };
    let finish = |token: &str| anonymous.auth().finish_password_reset(token);
    let link = token("ada");
    finish(&link).new_password("another horse").await.unwrap();
    anonymous.auth().login("ada", "another horse").await.unwrap();
    assert_eq!(finish(&link).await.unwrap_err().code(), Some(&Code::FeatureNotConfigured));
    let link = token("bob");
    let key = finish(&link).await.unwrap().api_key.unwrap();
    let old = server.client_of(&bob.api_key).users().me().await.unwrap_err();
    assert_eq!(old.code(), Some(&Code::Unauthorized));
    let log = server.client_of(&key).security().log().await.unwrap().entries;
    let made = log.iter().find(|entry| entry.action.as_str() == "recovery_link_created").unwrap();
    assert_eq!(made.actor.as_deref(), Some("operator"));

    let printed = admin(&place, &["reset-password", "ada"]).remove(0);
    let old = anonymous.auth().login("ada", "another horse").await.unwrap_err();
    assert_eq!(old.code(), Some(&Code::InvalidCredentials));
    anonymous.auth().login("ada", printed["password"].as_str().unwrap()).await.unwrap();
    let refused = place.refused(&["admin", "reset-password", "bob"]);
    assert!(refused.contains("the account has no password\nhint: `recover` gives"), "{refused}");

    assert_eq!(admin(&place, &["delete", "bob"])[0]["status"], "deleted");
    let deleted = server.client_of(&key).users().me().await.unwrap_err();
    assert_eq!(deleted.code(), Some(&Code::AccountDeleted));
    assert_eq!(admin(&place, &["erase", "bob"])[0]["status"], "erased");
    let erased = server.client_of(&key).users().me().await.unwrap_err();
    assert_eq!(erased.code(), Some(&Code::Unauthorized));
    let written: String = read_database(
        &place.path("data/svc.db"),
        "select group_concat(action, ', ') from
            (select action from audit_log where actor in ('operator', 'system') order by id)",
    );
    assert_eq!(
        written,
        "recovery_link_created, recovery_link_created, password_reset, account_deleted, \
         account_erase, account_erased"
    );
    server.stop().await;
}

#[tokio::test]
async fn a_command_gives_its_number_of_a_node_back_to_servers() {
    let Some(database) = database().await else { return };
    let place = Place::new();
    let on_database = ["--database-url", database.as_str()];
    place.run(&[&["migrate"], &on_database[..]].concat());
    for command in [&["admin", "list-users"][..], &["blobs", "move"]] {
        place.run(&[command, &on_database].concat());
    }
    place.refused(&[&["admin", "unsuspend", "ada", "--reason", "so"], &on_database[..]].concat());
    let metrics = ["--metrics-listen", "127.0.0.1:0"];
    let server = place.serve_by(place.program().args(on_database).args(metrics));
    let text = scrape(&format!("http://{}/metrics", metrics_address(&place))).await;
    assert!(text.contains("svc_build_info{node=\"0\""), "{text}");
    server.stop().await;
}

#[test]
fn a_refused_command_explains_why() {
    let place = Place::new();
    for arguments in [
        &["admin", "list-users"][..],
        &["audit"],
        &["reconcile"],
        &["backup", "copy.tar"],
        &["backup", "--to", "."],
        &["blobs", "move"],
        &["webhooks", "reseal"],
    ] {
        let missing = place.refused(arguments);
        assert!(missing.contains("there is no database at"), "{missing}");
        assert!(missing.contains("--data-dir"), "{missing}");
    }
    assert!(!place.path("data").exists() && !place.path("copy.tar").exists());
    let nowhere = "postgres://svc@127.0.0.1:1/svc";
    let unreached = place.refused(&["migrate", "--database-url", nowhere]);
    let expected = "database_url: can't connect to svc on 127.0.0.1: ";
    assert!(unreached.contains(expected) && unreached.contains("refused"), "{unreached}");
    place.run(&["migrate"]);
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
    for (arguments, reason) in [
        (
            &["grant-credits", "ada", "0", "--reason", "so"][..],
            "from 0.000001 to 1000000000 credits",
        ),
        (&["grant-credits", "ada", "1000000001", "--reason", "so"], "from 0.000001 to 1000000000"),
        (&["grant-credits", "ada", "1", "--reason", ""], "a text of 1 to 2000 characters"),
        (&["suspend", "ada", "--reason", " "], "a text of 1 to 2000 characters"),
        (&["unsuspend", "ada", "--reason", ""], "a text of 1 to 2000 characters"),
        (&["billing", "forgive", "ada", "--reason", ""], "a text of 1 to 2000 characters"),
    ] {
        let refused = place.refused(&[&["admin"], arguments].concat());
        assert!(refused.contains(reason), "{arguments:?}: {refused}");
    }
    assert_eq!(admin(&place, &["list-users"]), [Value::Null; 0]);
    assert_eq!(place.run(&["admin", "list-users", "--json"]), "");
}

/// One account more than a list shows.
const CROWD: &str = "
    insert into account (id, username, display_name, bio, is_agent, tier, role, status, x_verified,
        google_verified, dm_policy, allow_service_requests, followers_count, following_count,
        posts_count, created_at, updated_at)
    with recursive n (i) as (values (1) union all select i + 1 from n where i < 1001)
    select 'usr_' || i, 'bob' || i, 'so', '', 1, 'free', 'user', 'active', 0, 0, 'all', 1, 0, 0, 0, 1, 1
    from n;";

#[test]
fn a_list_of_accounts_says_that_there_are_more() {
    let place = Place::new();
    place.run(&["migrate"]);
    let database = rusqlite::Connection::open(place.path("data/svc.db")).unwrap();
    database.execute_batch(CROWD).unwrap();
    let list = || place.program().args(["admin", "list-users"]).output().unwrap();
    let (cut, said) = (list(), "only the first 1000 are listed; there are more\n");
    assert_eq!(String::from_utf8(cut.stdout).unwrap().lines().count(), 1_000);
    assert_eq!(String::from_utf8(cut.stderr).unwrap(), said);
    database.execute_batch("delete from account where id = 'usr_1'").unwrap();
    let whole = list();
    assert_eq!(String::from_utf8(whole.stdout).unwrap().lines().count(), 1_000);
    assert_eq!(String::from_utf8(whole.stderr).unwrap(), "");
}
