//! What is printed where.

use std::process::Stdio;

use crate::shell::{Shell, typed};

#[tokio::test(flavor = "multi_thread")]
async fn json_is_what_the_server_answered_and_stderr_is_silent() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let id = shell.svc(&["post", "hello", "--quiet"]).ok();
    let commands: &[&[&str]] = &[
        &["whoami"],
        &["profile", "list"],
        &["profile", "use", "wordbot"],
        &["reply", id.trim(), "so do I"],
        &["read", id.trim()],
        &["read", id.trim(), "--thread"],
        &["edit", id.trim(), "hello again"],
        &["post", "like", id.trim()],
        &["unlike", id.trim()],
        &["repost", id.trim()],
        &["post", "bookmark", id.trim()],
        &["bookmarks"],
        &["likes", id.trim()],
        &["reposts", id.trim()],
        &["quotes", id.trim()],
        &["quote", id.trim(), "so true", "--profile", "ada"],
        &["post", "pin", id.trim()],
        &["post", "mute", id.trim()],
        &["follow", "ada"],
        &["followers"],
        &["following", "wordbot"],
        &["mute", "ada", "--for", "1h"],
        &["mutes"],
        &["block", "ada", "--yes"],
        &["blocks"],
        &["unblock", "ada"],
        &["suggested"],
        &["user", "ada"],
        &["users"],
        &["feed"],
        &["feed", "--global"],
        &["posts"],
        &["dm", "ada", "psst"],
        &["inbox"],
        &["inbox", "--unread"],
        &["read-conversation", "ada"],
        &["notifications"],
        &["notifications", "--unread", "--types", "reply"],
        &["notifications", "count"],
        &["notifications", "preferences"],
        &["notifications", "preferences", "set", "like=off"],
        &["notifications", "read", "--all"],
        &["services", "list"],
        &["discover"],
        &["capabilities", "wordbot"],
        &["credits"],
        &["credits", "history"],
        &["escrow", "list"],
        &["inbox", "--requests"],
        &["identity", "token"],
        &["developer", "register", "Gate", "--website", "https://gate.example.org"],
        &["developer", "list"],
        &["developer", "show"],
        &["call", "get-me"],
        &["api", "GET", "/users/me"],
        &["doctor"],
        &["version"],
        &["help"],
        &["key", "regenerate", "--yes"],
        &["delete", id.trim(), "--yes"],
        &["logout", "--yes"],
    ];
    for line in commands {
        shell.svc(&[line, &["--json"][..]].concat()).json();
    }
    shell.svc(&["whoami", "--profile", "ada"]).env("SVC_OUTPUT", "json").json();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fresh_key_is_answered_once_and_never_again() {
    let shell = Shell::start().await;
    let signup = shell.svc(&["signup", "wordbot", "--agent", "--json"]).json();
    let key = signup["apiKey"].as_str().unwrap();
    assert_eq!(key, shell.key("wordbot"));
    for line in
        [&["whoami"][..], &["profile", "list"], &["doctor"], &["post", "hello", "--dry-run"]]
    {
        let ended = shell.svc(line).run().ends_with(0);
        assert!(!(ended.stdout + &ended.stderr).contains(key), "{line:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn text_from_other_accounts_does_not_drive_the_terminal() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let hostile = "\u{1b}[2Jgone\u{9b}31m\u{7}\nlikes 999\u{202e}";
    let id = shell.svc(&["post", hostile, "--quiet", "--profile", "wordbot"]).ok();
    shell.svc(&["dm", "ada", hostile, "--profile", "wordbot"]).ok();
    let post = shell.svc(&["read", id.trim()]).ok();
    assert!(post.ends_with("\n  [2Jgone31m\n  likes 999\nlikes 0  replies 0\n"), "{post:?}");
    let inbox = shell.svc(&["inbox", "--profile", "ada"]).ok();
    assert!(inbox.ends_with("  [2Jgone31m likes 999\n"), "{inbox:?}");
    let call = shell.svc(&["call", "get-post", "--post-id", id.trim()]).ok();
    assert!(!call.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{call:?}");
    let json = shell.svc(&["read", id.trim(), "--json"]).json();
    assert_eq!(json["post"]["content"], hostile, "programs get it as it is");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_and_comments_from_other_accounts_stay_on_their_line() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let by = |whom: &str, line: &[&str]| shell.svc(&[line, &["--profile", whom]].concat());
    let hostile = "\u{1b}[2Jgone\nlikes 999";
    let create = ["channels", "create", "the-room", "--title", hostile, "--description", hostile];
    let made = by("wordbot", &create).ok();
    let room = made.split("  ").next().unwrap();
    by("wordbot", &["channels", "send", room, hostile]).ok();
    by("wordbot", &["list", "create", hostile, "--visibility", "public"]).ok();
    let post = by("ada", &["post", "hello", "--quiet"]).ok();
    by("wordbot", &["reply", post.trim(), hostile]).ok();
    by("ada", &["report", "user", "@wordbot", "--reason", "spam", "--comment", hostile]).ok();
    for line in [
        &["channels", "list"][..],
        &["channels", "messages", room],
        &["lists", "wordbot"],
        &["reports"],
        &["notifications"],
    ] {
        let shown = by("ada", line).ok();
        assert!(shown.contains("likes 999"), "{line:?}: {shown:?}");
        let is_hostile = ["\u{1b}", "\nlikes 999"].iter().any(|part| shown.contains(part));
        assert!(!is_hostile, "{line:?}: {shown:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_pipe_ends_quietly() {
    let shell = Shell::with_agent().await;
    for line in [&["whoami"][..], &["help", "--json"], &["help"], &["completions", "zsh"]] {
        let mut command = shell.svc(line).command;
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{line:?}");
        let stderr = String::from_utf8(ended.stderr).unwrap();
        assert!(!stderr.contains("error") && !stderr.contains("panic"), "{line:?} {stderr}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn colours_are_for_terminals_unless_forced() {
    let shell = Shell::start().await;
    let stderr = |name: &str| shell.svc(&["whoami"]).env(name, "1").run().ends_with(4).stderr;
    assert!(stderr("NOTHING").starts_with("error: there is no key"));
    assert!(stderr("CLICOLOR_FORCE").starts_with("\u{1b}[1;31merror:"));
    assert!(!stderr("NO_COLOR").contains('\u{1b}'));
    let is_coloured = |name: &str, value: &str| {
        let typed = shell.svc(&["whoami"]).env("CLICOLOR_FORCE", "1").env(name, value);
        typed.run().stderr.contains('\u{1b}')
    };
    for agent in [
        "SVC_AGENT",
        "AI_AGENT",
        "CLAUDECODE",
        "CODEX_SANDBOX",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "OPENCODE",
    ] {
        assert!(!is_coloured(agent, "1"), "{agent}");
    }
    assert!(is_coloured("SVC_AGENT", "0"), "a person who says so");
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_leaves_out_notes_but_no_errors() {
    let shell = Shell::start().await;
    let signup = shell.svc(&["signup", "wordbot", "--agent", "--quiet"]).run().ends_with(0);
    assert_eq!(signup.stderr, "");
    let lost = shell.svc(&["read", "post_nope", "--quiet"]).run().ends_with(3);
    assert!(lost.stderr.starts_with("error: "), "{lost:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_command_goes_to_the_server_that_was_named() {
    let shell = Shell::with_agent().await;
    shell.svc(&["signup", "ada", "--agent"]).ok();
    let (elsewhere, url) = (tempfile::tempdir().unwrap(), shell.server.url());
    let by_url = |line: &[&str]| typed(&elsewhere, &[line, &["--url", &url]].concat());
    let listed = by_url(&["users", "--limit", "1"]).run().ends_with(0);
    let more = format!("more: svc --url {url} users --limit 1 --cursor ");
    assert!(listed.stderr.starts_with(&more), "{listed:?}");
    // A key must not be pasted into a command that sends it to another server.
    let nobody = by_url(&["whoami", "--json"]).fails(4);
    assert_eq!(nobody["hint"], format!("svc --url {url} login --with-key"));
    let wrong = by_url(&["doctor"]).env("SVC_API_KEY", "svc_ak_x").run().ends_with(1);
    let fix = format!("fix: svc --url {url} login --with-key\n");
    assert!(wrong.stdout.contains(&fix), "{wrong:?}");
    let incomplete = by_url(&["dm", "--json"]).fails(2);
    assert_eq!(incomplete["hint"], format!("svc --url {url} dm --json <USER> <TEXT|->"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_for_the_next_page_repeats_what_was_typed() {
    let shell = Shell::with_agent().await;
    shell.svc(&["signup", "ada", "--agent"]).ok();
    for name in ["wordbot", "ada"] {
        shell.svc(&["post", "how svc works", "--profile", name]).ok();
    }
    shell.index().await;
    let line = ["search", "how svc works", "--limit", "1", "--profile", "ada"];
    let page = shell.svc(&line).run().ends_with(0);
    let more = "more: svc --profile ada search 'how svc works' --limit 1 --cursor ";
    assert!(page.stderr.starts_with(more), "{page:?}");
}
