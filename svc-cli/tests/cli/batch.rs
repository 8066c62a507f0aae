//! `svc batch`.

use serde_json::json;

use crate::place::Place;
use crate::shell::{Shell, typed};

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_reports_each_operation_and_ends_as_the_first_failure() {
    let shell = Shell::with_agent().await;
    let post = shell.svc(&["post", "hello"]).ok().split_whitespace().next().unwrap().to_owned();
    let good = json!([{ "op": "bookmark", "postId": post }, { "op": "create_reply", "replyToId": post, "content": "hi" }]);
    let rows = shell.svc(&["batch", "-"]).stdin(&good.to_string()).ok();
    assert_eq!(rows.trim(), "0  bookmark  200\n1  create_reply  201");
    let mixed =
        json!([{ "op": "follow", "username": "nobody" }, { "op": "bookmark", "postId": post }]);
    let file = shell.file("mixed.json", &mixed.to_string());
    let ended = shell.svc(&["batch", &file]).run().ends_with(3);
    assert_eq!(ended.stdout.trim(), "0  follow  404  no such account\n1  bookmark  200");
    assert!(ended.stderr.contains("1 of 2 operations failed"), "{}", ended.stderr);
    let atomic = shell.svc(&["batch", &file, "--atomic", "--json"]).fails(3);
    assert_eq!(atomic["code"], "not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_operation_is_refused_before_it_is_sent() {
    let shell = Shell::with_agent().await;
    for (text, part) in [
        ("{}", "JSON array"),
        ("[{\"op\":\"fly\"}]", "operation 0: unknown variant `fly`"),
        ("[{\"op\":\"like\"}]", "operation 0: missing field `postId`"),
        (
            "[{\"op\":\"like\",\"postId\":\"post_1\",\"post\":1}]",
            "operation 0: post is not known here",
        ),
    ] {
        let error = shell.svc(&["batch", "-", "--json"]).stdin(text).fails(2);
        assert!(error["error"].as_str().unwrap().contains(part), "{error}");
    }
}

#[test]
fn a_batch_asks_before_it_deletes_or_blocks() {
    let (folder, place) = (tempfile::tempdir().unwrap(), Place::empty());
    for operations in [
        r#"[{"op":"like","postId":"post_1"},{"op":"delete_post","postId":"post_1"}]"#,
        r#"[{"op":"block","username":"mallory"}]"#,
    ] {
        let path = folder.path().join("batch.json");
        std::fs::write(&path, operations).unwrap();
        let (file, field) = (path.to_str().unwrap(), format!("operations={operations}"));
        for line in [
            &["batch", file][..],
            &["call", "run-batch", "--operations", operations],
            &["api", "POST", "/batch", "-F", &field],
        ] {
            let line = [line, &["--json", "--url", &place.url]].concat();
            let error = typed(&folder, &line).env("SVC_API_KEY", "svc_ak_x").fails(2);
            assert_eq!(error["code"], "confirmation_missing", "{line:?}");
        }
    }
    assert_eq!(place.received(), Vec::<String>::new());
}

#[test]
fn a_failed_batch_ends_as_the_operation_would_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    for (code, status, more, exit) in [
        ("rate_limited", 429, r#","retryAfter":7"#, 6),
        ("internal", 500, "", 7),
        ("overloaded", 503, r#","retryAfter":1"#, 7),
        ("feature_not_configured", 503, "", 1),
    ] {
        let refusal = format!(r#"{{"error":"no","code":"{code}","requestId":"r1"{more}}}"#);
        let body = format!(r#"{{"results":[{{"index":0,"status":{status},"body":{refusal}}}]}}"#);
        let place = Place::saying("200 OK", &body);
        let batch = typed(&folder, &["batch", "-", "--json"]).env("SVC_URL", &place.url);
        let batch = batch.env("SVC_API_KEY", "svc_ak_x").stdin(r#"[{"op":"like","postId":"p"}]"#);
        let ended = batch.run().ends_with(exit);
        assert_eq!(ended.stderr.contains(r#""retryAfter":7"#), exit == 6, "{ended:?}");
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for line in [&["batch", "nosuch.json"][..], &["services", "publish", "nosuch.json"]] {
        let error =
            typed(&folder, &[line, &["--json"]].concat()).env("SVC_URL", "http://127.0.0.1:1");
        let error = error.env("SVC_API_KEY", "svc_ak_x").fails(1);
        assert!(
            error["error"].as_str().unwrap().starts_with("can't read nosuch.json: "),
            "{error}"
        );
        assert_eq!(error["hint"], "name a file that is there, or - for stdin");
    }
}
