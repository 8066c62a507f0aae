//! One test per exit code that commands of this version can end with.

use svc_bot_kit::testing::{Fault, FaultProxy};

use crate::market::Market;
use crate::place::Place;
use crate::shell::{PASSWORD, Shell, typed};

/// A server that is not there: tests listen on ports that the system chooses, which this is never one of.
const NOBODY: &str = "http://127.0.0.1:1/api";

#[test]
fn zero_is_done() {
    let folder = tempfile::tempdir().unwrap();
    typed(&folder, &["version"]).run().ends_with(0);
}

#[test]
fn one_is_a_feature_that_is_not_configured_and_every_other_failure() {
    let folder = tempfile::tempdir().unwrap();
    let body = r#"{"error":"no mail","code":"feature_not_configured","requestId":"r1"}"#;
    let place = Place::saying("503 Unavailable", body);
    let error = typed(&folder, &["read", "post_1", "--json", "--url", &place.url]).fails(1);
    assert_eq!(error["code"], "feature_not_configured");
    assert_eq!(error["requestId"], "r1");
}

#[test]
fn one_is_an_answer_of_another_kind_of_server() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::saying("200 OK", "<html>");
    let read = typed(&folder, &["read", "post_1", "--json"]).env("SVC_URL", &place.url);
    let error = read.fails(1);
    assert_eq!(
        (&error["code"], &error["hint"]),
        (&"unexpected_answer".into(), &"svc doctor".into())
    );
    let sent = ["dm", "ada", "psst", "--json", "--url", &place.url];
    let error = typed(&folder, &sent).env("SVC_API_KEY", "svc_ak_x").fails(1);
    assert!(error["idempotencyKey"].is_string(), "it may have been sent: {error}");
}

#[test]
fn what_another_program_refuses_leads_to_the_doctor() {
    let folder = tempfile::tempdir().unwrap();
    for (status, code, hint) in [
        ("404 Not Found", 3, " doctor"),
        ("401 Unauthorized", 4, " doctor"),
        ("429 Too Many Requests", 6, "repeat after a while"),
    ] {
        let place = Place::saying(status, "<html>");
        let line = ["whoami", "--json", "--timeout", "5s", "--url", &place.url];
        let error = typed(&folder, &line).env("SVC_API_KEY", "svc_ak_x").fails(code);
        assert!(error["hint"].as_str().unwrap().ends_with(hint), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_is_what_the_command_says_wrongly() {
    let shell = Shell::with_agent().await;
    let unknown = shell.svc(&["discver", "words", "--json"]).fails(2);
    assert_eq!(unknown["error"], "unrecognized subcommand 'discver'");
    assert_eq!(unknown["hint"], "a similar subcommand exists: 'discover'");
    let nothing = shell.svc(&["--json"]).fails(2);
    assert_eq!(
        (&nothing["error"], &nothing["hint"]),
        (&"a command is missing".into(), &"svc help".into())
    );
    for line in [&["escrow"][..], &["escrow", "--json"]] {
        let bare = shell.svc(line).run().ends_with(2);
        assert!(bare.stderr.contains("svc help escrow"), "{bare:?}");
    }
    for (line, hint) in [
        (&["order", "wordbot", "--max-credits", "5"][..], "svc help order"),
        (
            &["escrow", "create", "a/b", "--description", "a", "--expires-in", "7"],
            "svc help escrow create",
        ),
        (&["listen", "--attempts", "0"], "svc help listen"),
        (
            &["dm", "ada", "- one of a list"],
            "put -- before a value that begins with -, after all flags",
        ),
        (&["call", "nothing"], "svc help call"),
        (&["signup"], "svc signup <NAME> <--email <ADDRESS>|--agent> [OPTIONS]"),
    ] {
        let wrong = shell.svc(&[line, &["--json"]].concat()).fails(2);
        assert_eq!(wrong["hint"], hint);
    }
    for amount in ["0", "-5", "1e6", "five"] {
        let wrong = shell.svc(&["credits", "buy", amount, "--json"]).fails(2);
        let rule =
            "must be a number of credits from 0.000001 to 1000000000 with at most 6 decimals";
        assert!(wrong["error"].as_str().unwrap().ends_with(rule), "{wrong}");
    }
    let refused = shell.svc(&["inbox", "--limit", "500", "--json"]).fails(2);
    assert_eq!((&refused["status"], &refused["code"]), (&400.into(), &"validation_failed".into()));
    assert!(refused["requestId"].is_string());
    let unsure = shell.svc(&["key", "regenerate", "--json"]).fails(2);
    assert_eq!(unsure["hint"], "repeat the command with --yes");
    let url = shell.svc(&["read", "post_1", "--url", "127.0.0.1:1", "--json"]).fails(2);
    assert!(url["error"].as_str().unwrap().contains("must be http or https"), "{url}");
}

#[tokio::test(flavor = "multi_thread")]
async fn three_is_not_found() {
    let shell = Shell::with_agent().await;
    let error = shell.svc(&["read", "post_nope", "--json"]).fails(3);
    assert_eq!((&error["status"], &error["code"]), (&404.into(), &"not_found".into()));
    let profile = shell.svc(&["whoami", "--profile", "nobody", "--json"]).fails(3);
    assert_eq!(profile["hint"], "svc profile list");
}

#[tokio::test(flavor = "multi_thread")]
async fn four_is_not_allowed() {
    let shell = Shell::start().await;
    let nobody = shell.svc(&["whoami", "--json"]).fails(4);
    assert_eq!(nobody["hint"], "svc login --with-key");
    let foreign = shell.svc(&["whoami", "--json"]).env("SVC_API_KEY", "svc_ak_x").fails(4);
    assert_eq!(foreign["status"], 401);
    shell.person("ada");
    let person = shell.svc(&["identity", "token", "--json"]).fails(4);
    assert_eq!((&person["status"], &person["code"]), (&403.into(), &"not_an_agent".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn five_is_there_already() {
    let shell = Shell::with_agent().await;
    let line = ["signup", "wordbot", "--agent", "--profile", "two", "--json"];
    assert_eq!(shell.svc(&line).fails(5)["code"], "username_taken");
    let line = ["signup", "other", "--agent", "--profile", "wordbot", "--json"];
    assert_eq!(shell.svc(&line).fails(5)["code"], "profile_exists");
    assert_eq!(shell.svc(&["whoami", "--json"]).json()["user"]["username"], "wordbot");

    shell.svc(&["signup", "second", "--agent"]).ok();
    let own = shell.key("wordbot");
    let line = ["login", "--with-key", "--profile", "wordbot", "--json"];
    let refused = shell.svc(&line).stdin(&shell.key("second")).fails(5);
    assert_eq!(refused["code"], "profile_exists");
    assert_eq!(shell.key("wordbot"), own, "the key of another account does not replace it");
}

#[tokio::test(flavor = "multi_thread")]
async fn six_is_too_soon() {
    let shell = Shell::with_agent().await;
    shell.svc(&["post", "first"]).ok();
    let error = shell.svc(&["post", "second", "--json"]).fails(6);
    assert_eq!(error["retryAfter"], 1800);
    assert_eq!(error["error"], "post limit reached, 30m0s left");
    let hint =
        "repeat the command with --when-allowed, which waits until the post may be published";
    assert_eq!(error["hint"], hint);
    shell.person("ada");
    for _ in 0..5 {
        shell.svc(&["login", "ada", "--password-stdin", "--json"]).stdin("wrong").fails(4);
    }
    let locked = shell.svc(&["login", "ada", "--password-stdin", "--json"]).stdin(PASSWORD);
    assert_eq!(locked.fails(6)["code"], "rate_limited");
}

#[test]
fn seven_is_a_server_that_is_not_there() {
    let folder = tempfile::tempdir().unwrap();
    let line = ["dm", "ada", "psst", "--json", "--timeout", "1s", "--url", NOBODY];
    let error = typed(&folder, &line).env("SVC_API_KEY", "svc_ak_x").fails(7);
    assert_eq!(error["code"], "network");
    assert_eq!(error["error"], "could not connect to 127.0.0.1:1: connection refused");
    let key = error["idempotencyKey"].as_str().unwrap();
    assert_eq!(key.len(), 36, "the key to repeat it with: {key}");
}

#[test]
fn seven_is_a_proxy_that_reaches_no_server() {
    let folder = tempfile::tempdir().unwrap();
    let body = "<html><h1>503 Service Unavailable</h1></html>";
    let place = Place::saying("503 Unavailable", body);
    let line = ["read", "post_1", "--json", "--url", &place.url];
    assert_eq!(typed(&folder, &line).fails(7)["status"], 503);
}

#[test]
fn seven_is_a_change_whose_outcome_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let body = r#"{"error":"it may have taken effect","code":"outcome_unknown","requestId":"r1"}"#;
    let place = Place::saying("503 Unavailable", body);
    let line = ["dm", "ada", "psst", "--json", "--timeout", "20s", "--url", &place.url];
    let error = typed(&folder, &line).env("SVC_API_KEY", "svc_ak_x").fails(7);
    assert_eq!(error["code"], "outcome_unknown");
    assert!(error["idempotencyKey"].is_string(), "the key to repeat it with: {error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_is_too_few_credits() {
    let market = Market::open().await;
    let line = ["order", "wordbot/report", "--topic", "rust", "--max-credits", "60", "--json"];
    market.ada(&line).json();
    let line = [&line[..], &["--new"]].concat();
    let error = market.ada(&line).fails(8);
    assert_eq!((&error["code"], &error["status"]), (&"insufficient_credits".into(), &409.into()));
    let dry = market.ada(&[&line[..], &["--dry-run"]].concat()).fails(8);
    assert_eq!(dry["error"], "it costs 60 credits, 40 are there");
}

#[tokio::test(flavor = "multi_thread")]
async fn nine_is_an_order_that_stands() {
    let market = Market::open().await;
    let line = ["order", "wordbot/count", "--text", "a", "--max-credits", "5", "--wait", "1s"];
    let error = market.ada(&[&line[..], &["--json"]].concat()).fails(9);
    assert_eq!(error["code"], "waiting");
    let order = &market.orders()[0];
    assert_eq!(error["requestId"], order["messageId"]);
    assert_eq!(order["clientMessageId"], format!("order:{}", error["id"].as_str().unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_printed_key_repeats_a_command_without_a_second_effect() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let proxy = FaultProxy::start(shell.server.url()).await.unwrap();
    proxy.always("POST /api/messages", Fault::LoseAnswer);
    let line = ["dm", "ada", "psst", "--json"];
    let lost = shell.svc(&line).env("SVC_URL", proxy.url());
    let lost = lost.env("SVC_API_KEY", &shell.key("wordbot")).fails(7);
    let key = lost["idempotencyKey"].as_str().unwrap();
    let again = ["--idempotency-key", key, "--profile", "wordbot"];
    shell.svc(&[&line[..], &again].concat()).json();
    let received = shell.svc(&["inbox", "--profile", "ada"]).ok();
    assert_eq!(received.lines().count(), 1, "{received}");
}

#[test]
fn a_key_for_this_machine_goes_to_no_proxy() {
    let folder = tempfile::tempdir().unwrap();
    let proxy = Place::empty();
    let through = proxy.url.trim_end_matches("/api");
    let line = ["whoami", "--json", "--timeout", "1s", "--url", NOBODY];
    let asked = typed(&folder, &line).env("http_proxy", through).env("SVC_API_KEY", "svc_ak_x");
    assert_eq!(asked.fails(7)["code"], "network");
    let login = typed(&folder, &["login", "--json", "--url", NOBODY]).env("http_proxy", through);
    let refused = login.fails(7);
    assert_eq!(refused["code"], "network");
    assert!(refused["error"].as_str().unwrap().contains("Connection refused"), "{refused}");
    assert!(proxy.received().is_empty(), "{:?}", proxy.received());
}
