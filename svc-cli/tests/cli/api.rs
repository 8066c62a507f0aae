//! `svc api`: any path.

use crate::place::Place;
use crate::shell::{Shell, typed};

#[tokio::test(flavor = "multi_thread")]
async fn any_path_can_be_called() {
    let shell = Shell::with_agent().await;
    let line = ["api", "POST", "/posts", "-f", "content=hello", "-F", "payload={\"a\":1}"];
    let line = [&line[..], &["-f", "schema=s.v1", "--json"]].concat();
    let created = shell.svc(&line).json();
    assert_eq!(created["post"]["payload"]["a"], 1);
    let path = format!("/posts/{}", created["post"]["id"].as_str().unwrap());
    assert_eq!(shell.svc(&["api", "get", &path, "--json"]).json(), created);
    let body = shell.file("body.json", r#"{"content":"edited"}"#);
    let edited = shell.svc(&["api", "PATCH", &path, "--input", &body, "--json"]).json();
    assert_eq!(edited["post"]["content"], "edited");
    let typed = shell.svc(&["api", "PATCH", &path, "--input", "-", "--json"]);
    assert_eq!(typed.stdin(r#"{"content":"again"}"#).json()["post"]["content"], "again");
    assert_eq!(shell.svc(&["api", "DELETE", &path, "--yes", "--json"]).json()["deleted"], true);
    shell.svc(&["api", "GET", "/nowhere", "--json"]).fails(3);
    shell.svc(&["api", "GET", "/users/../me", "--json"]).fails(2);
    let query = shell.svc(&["api", "GET", "/users?limit=1", "--json"]).fails(2);
    assert_eq!(query["hint"], "each member of a query is a field: -f NAME=TEXT");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_misspelt_member_is_refused() {
    let shell = Shell::with_agent().await;
    let line = ["api", "POST", "/posts", "-f", "content=hello", "-f", "contentwarning=spoiler"];
    let refused = shell.svc(&[&line[..], &["--json"]].concat()).fails(2);
    assert_eq!(refused["code"], "unknown_member");
    assert_eq!(refused["error"], "contentwarning is not known here");
    let account = shell.svc(&["api", "GET", "/users/me", "--json"]).json();
    assert_eq!(account["user"]["postsCount"], 0, "nothing was published");
}

#[test]
fn a_dry_run_shows_the_query_as_it_is_sent() {
    let (folder, url) = (tempfile::tempdir().unwrap(), "http://127.0.0.1:1/api");
    let line =
        ["api", "GET", "/users", "-f", "q=a b&c", "-F", "limit=2", "--dry-run", "--url", url];
    let shown = typed(&folder, &line).ok();
    assert_eq!(shown, format!("GET {url}/users?limit=2&q=a%20b%26c\n"));
}

#[test]
fn only_reading_can_be_repeated_page_by_page() {
    let folder = tempfile::tempdir().unwrap();
    typed(&folder, &["api", "POST", "/posts", "--paginate", "--json"]).fails(2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_followed_to_its_end() {
    let shell = Shell::with_agent().await;
    for name in ["second", "third"] {
        shell.svc(&["signup", name, "--agent"]).ok();
    }
    let pages = shell.svc(&["api", "GET", "/users", "-F", "limit=1", "--paginate"]).ok();
    let names: Vec<String> = pages
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .flat_map(|page| page["users"].as_array().unwrap().clone())
        .map(|user| user["username"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["third", "second", "wordbot"]);
}

#[test]
fn a_list_that_would_never_end_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::saying("200 OK", r#"{"nextCursor":"a"}"#);
    let line = ["api", "GET", "/users", "--paginate", "--url", &place.url];
    let ended = typed(&folder, &line).env("SVC_API_KEY", "svc_ak_x").run().ends_with(1);
    assert!(ended.stderr.contains("a cursor twice"), "{ended:?}");
    assert_eq!(place.received().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_followed_by_their_numbers() {
    let shell = Shell::with_agent().await;
    let post = shell.svc(&["post", "hello", "--quiet"]).ok();
    shell.svc(&["signup", "ada", "--agent"]).ok();
    let acts = [["follow", "wordbot"], ["like", post.trim()], ["repost", post.trim()]];
    for act in acts {
        shell.svc(&[&act[..], &["--profile", "ada"]].concat()).ok();
    }
    let line = ["api", "GET", "/v1/connect/events", "-F", "after=1", "-F", "limit=1"];
    let pages = shell.svc(&[&line[..], &["--paginate"]].concat()).ok();
    let numbers: Vec<serde_json::Value> = pages
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .flat_map(|page| page["events"].as_array().unwrap().clone())
        .map(|event| event["seq"].clone())
        .collect();
    assert_eq!(numbers, [2, 3]);
}

#[test]
fn a_secret_is_read_from_a_file_or_stdin_and_not_shown() {
    let (folder, place) = (tempfile::tempdir().unwrap(), Place::empty());
    let line = ["api", "POST", "/auth/step-up", "--json", "--url", &place.url];
    for field in [["-f", "password=hunter2"], ["-F", "password=\"hunter2\""]] {
        let typed = typed(&folder, &[&line[..], &field].concat()).env("SVC_API_KEY", "svc_ak_x");
        let refused = typed.fails(2);
        let rule = "password is a secret, and others see a command line";
        assert_eq!((&refused["error"], &refused["hint"]), (&rule.into(), &HINT.into()));
    }
    assert_eq!(place.received(), Vec::<String>::new());
    let dry = typed(&folder, &[&line[..], &["-f", "password=-", "--dry-run"]].concat());
    assert_eq!(dry.stdin("hunter2").json()["body"]["password"], "[redacted]");
}

/// How a secret is given.
const HINT: &str = "- reads stdin, or @FILE";
