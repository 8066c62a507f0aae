//! `svc post like` and its like, in long and short, and the lists of them.

use serde_json::{Value, json};

use crate::shell::{Shell, typed};

/// The agent `wordbot` with a post, and the person `ada`, who is the one to act.
async fn posted() -> (Shell, String) {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let id = shell.svc(&["post", "hello", "--quiet"]).ok();
    shell.svc(&["profile", "use", "ada"]).ok();
    (shell, id.trim().to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn posts_are_liked_reposted_and_bookmarked_in_long_and_short() {
    let (shell, id) = posted().await;
    let id = &*id;
    let says = |line: &[&str], said: &str| {
        assert_eq!(shell.svc(&[line, &[id]].concat()).ok(), format!("{id}  {said}\n"), "{line:?}");
    };
    for form in [&["post"][..], &[]] {
        says(&[form, &["like"]].concat(), "liked  likes 1");
        says(&[form, &["like"]].concat(), "liked  likes 1");
        says(&[form, &["unlike"]].concat(), "not liked  likes 0");
        says(&[form, &["repost"]].concat(), "reposted  reposts 1");
        says(&[form, &["unrepost"]].concat(), "not reposted  reposts 0");
        says(&[form, &["bookmark"]].concat(), "bookmarked");
        says(&[form, &["unbookmark"]].concat(), "not bookmarked");
    }
    says(&["post", "mute"], "thread muted");
    says(&["post", "unmute"], "thread not muted");
    says(&["post", "--profile", "wordbot", "pin"], "pinned");
    assert!(shell.svc(&["posts", "wordbot"]).ok().contains(&format!("  {id}  pinned")));
    says(&["post", "--profile", "wordbot", "unpin"], "not pinned");
    let liked = shell.svc(&["like", id, "--json"]).json();
    assert_eq!(liked, json!({ "liked": true, "likesCount": 1 }));
    assert_eq!(shell.svc(&["post", "pin", id, "--json"]).fails(4)["code"], "forbidden");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_is_a_verb_is_published_behind_two_dashes() {
    let shell = Shell::with_agent().await;
    let confused = shell.svc(&["post", "like", "--json"]).fails(2);
    assert_eq!(confused["error"], "svc post like needs the id of a post");
    assert_eq!(
        confused["hint"],
        "svc post like POST; to publish the word instead: svc post -- like"
    );
    let mixed = shell.svc(&["post", "I", "like", "it", "--json"]).fails(2);
    assert_eq!(mixed["hint"], "quote a text of several words: svc post 'I like it'");
    shell.svc(&["post", "--when-allowed", "like", "post_1", "--json"]).fails(2);
    let missing = shell.svc(&["post", "--json"]).fails(2);
    assert!(missing["error"].as_str().unwrap().contains("<TEXT|->"), "{missing}");
    let id = shell.svc(&["post", "--quiet", "--", "like"]).ok();
    assert!(shell.svc(&["read", id.trim()]).ok().contains("\n  like\n"));
    shell.server.clock().advance(std::time::Duration::from_mins(31));
    let id = shell.svc(&["post", "like this", "--quiet"]).ok();
    assert!(shell.svc(&["read", id.trim()]).ok().contains("\n  like this\n"));
    let help = shell.svc(&["post", "help", "--dry-run", "--json"]).json();
    assert_eq!(help["body"]["content"], "help", "no verb of clap's own");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_several_posts_the_refused_one_is_reported_and_the_others_succeed() {
    let (shell, first) = posted().await;
    let second = shell.svc(&["post", "second", "--quiet"]).ok();
    let second = second.trim();
    let line = ["like", &first, "post_nope", second];
    let ended = shell.svc(&line).run().ends_with(3);
    assert_eq!(ended.stdout, format!("{first}  liked  likes 1\n{second}  liked  likes 1\n"));
    assert_eq!(ended.stderr, "error: post_nope: no such post\nhint: check the id or name\n");
    let line = ["post", "bookmark", "post_nope", &first, second, "--json"];
    let ended = shell.svc(&line).run().ends_with(3);
    let answers: Vec<Value> =
        ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers, [json!({ "bookmarked": true }), json!({ "bookmarked": true })]);
    let error: Value = serde_json::from_str(&ended.stderr).unwrap();
    assert_eq!(error["argument"], "post_nope");
    assert_eq!((&error["exitCode"], &error["status"]), (&3.into(), &404.into()));
    let line = ["unlike", &first, second, "--idempotency-key", "one", "--json"];
    shell.svc(&line).fails(2);
    let single = shell.svc(&["like", "post_nope", "--json"]).fails(3);
    assert_eq!((&single["error"], &single["argument"]), (&"no such post".into(), &Value::Null));
}

#[test]
fn a_failure_that_all_would_meet_ends_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let url = "http://127.0.0.1:1/api";
    let error = typed(&folder, &["like", "post_1", "post_2", "--json", "--url", url]).fails(4);
    assert_eq!((&error["code"], &error["argument"]), (&"no_key".into(), &"post_1".into()));
    typed(&folder, &["like", "--json"]).fails(2);
    let line = ["like", "post_1", "post_2", "--json", "--url", url, "--timeout", "1s"];
    let lost = typed(&folder, &line).env("SVC_API_KEY", "svc_ak_x").fails(7);
    assert_eq!(lost["argument"], "post_1");
    assert!(lost["idempotencyKey"].is_null(), "the command takes no key for several: {lost}");
    let one = ["like", "post_1", "--json", "--url", url, "--timeout", "1s"];
    let lost = typed(&folder, &one).env("SVC_API_KEY", "svc_ak_x").fails(7);
    assert!(lost["idempotencyKey"].is_string(), "{lost}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_did_it_is_listed() {
    let (shell, id) = posted().await;
    for list in ["likes", "reposts", "quotes"] {
        assert_eq!(shell.svc(&[list, &id]).ok(), format!("no {list}\n"));
    }
    assert_eq!(shell.svc(&["bookmarks"]).ok(), "no bookmarks\n");
    for verb in ["like", "repost", "bookmark"] {
        shell.svc(&[verb, &id]).ok();
    }
    for list in ["likes", "reposts"] {
        let rows = shell.svc(&[list, &id]).ok();
        assert!(rows.starts_with("@ada  usr_"), "{rows}");
        assert!(rows.ends_with("  person  free  followers 0\n"), "{rows}");
    }
    let marked = shell.svc(&["bookmarks"]).ok();
    assert!(marked.ends_with("\nlikes 1 ♥  reposts 1 ↻  replies 0  bookmarked\n"), "{marked}");
    shell.svc(&["likes", "post_nope", "--json"]).fails(3);
    let line = ["quote", &id, "so true", "--content-warning", "praise", "--quiet"];
    let quote = shell.svc(&line).ok();
    let quote = quote.trim();
    let folded = shell.svc(&["quotes", &id]).ok();
    assert!(folded.ends_with(&format!(
        "  {quote}\nwarning: praise\n(folded: svc read {quote}, or --show-warned)\n\
         likes 0  replies 0\n"
    )));
    let open = shell.svc(&["quotes", &id, "--show-warned"]).ok();
    let text = format!("\nwarning: praise\n  so true\nquotes @wordbot  {id}\n  hello\n");
    assert!(open.contains(&text), "{open}");
    let limited = shell.svc(&["quote", &id, "again", "--json"]).fails(6);
    let hint =
        "repeat the command with --when-allowed, which waits until the post may be published";
    assert_eq!(limited["hint"], hint);
    let limited = shell.svc(&["quote", &id, "-", "--json"]).stdin("again").fails(6);
    assert_eq!(limited["hint"], format!("svc quote {id} - --when-allowed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_warning_stands_for_a_text_in_quotes_and_notifications() {
    let (shell, id) = posted().await;
    let line = ["reply", &id, "the end", "--content-warning", "spoiler\nlikes 999", "--quiet"];
    let warned = shell.svc(&line).ok();
    let warned = warned.trim();
    let printed = shell.svc(&["notifications", "--profile", "wordbot"]).ok();
    assert!(
        printed.contains("  warning: spoiler likes 999\n") && !printed.contains("the end"),
        "{printed}"
    );
    let quote = shell.svc(&["quote", warned, "indeed", "--quiet"]).ok();
    let head = format!("\nquotes @ada  {warned}\nwarning: spoiler likes 999\n");
    let folded = shell.svc(&["quotes", warned]).ok();
    let instead = format!("{head}(folded: svc read {warned}, or --show-warned)\nlikes 0");
    assert!(folded.contains(&instead) && !folded.contains("the end"), "{folded}");
    let open = shell.svc(&["quotes", warned, "--show-warned"]).ok();
    assert!(open.contains(&format!("{head}  the end\n")), "{open}");
    let read = shell.svc(&["read", quote.trim()]).ok();
    let instead = format!("  indeed{head}(folded: svc read {warned})\nlikes 0");
    assert!(read.contains(&instead) && !read.contains("the end"), "{read}");
}
