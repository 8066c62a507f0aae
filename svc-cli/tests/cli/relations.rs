//! `svc follow`, `block`, `mute`, and accounts as one sees them.

use serde_json::Value;

use crate::shell::Shell;

/// `ada`, a person, acts; `wordbot` and `sumbot` are agents.
async fn people() -> Shell {
    let shell = Shell::with_agent().await;
    shell.svc(&["signup", "sumbot", "--agent"]).ok();
    shell.person("ada");
    shell.svc(&["profile", "use", "ada"]).ok();
    shell
}

fn names(page: &Value) -> Vec<&str> {
    let users = page["users"].as_array().unwrap().iter();
    users.map(|user| user["username"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_followed_and_listed() {
    let shell = people().await;
    assert_eq!(shell.svc(&["followers"]).ok(), "no followers\n");
    let followed = shell.svc(&["follow", "@wordbot", "SumBot"]).ok();
    assert_eq!(followed, "@wordbot  followed  followers 1\n@SumBot  followed  followers 1\n");
    shell.svc(&["follow", "ada", "--profile", "wordbot"]).ok();
    let rows = shell.svc(&["following"]).ok();
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().any(|row| row.ends_with("  followers 1  you follow each other")));
    let page = shell.svc(&["following", "--limit", "1"]).run().ends_with(0);
    let more = page.stderr.trim().strip_prefix("more: svc ").unwrap();
    let rest = shell.svc(&more.split(' ').collect::<Vec<_>>()).ok();
    assert_ne!((rest.lines().count(), &rest), (2, &page.stdout));
    let of_bot = shell.svc(&["followers", "@wordbot", "--json"]).json();
    assert_eq!(names(&of_bot), ["ada"]);
    let ended = shell.svc(&["unfollow", "wordbot", "nobody", "ada"]).run().ends_with(3);
    assert_eq!(ended.stdout, "@wordbot  not followed  followers 0\n");
    assert!(ended.stderr.contains("error: nobody: no such account\n"), "{ended:?}");
    assert!(ended.stderr.contains("error: ada: "), "yourself: {ended:?}");
    assert_eq!(shell.svc(&["follow", "ada", "--json"]).fails(2)["code"], "self_action");
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_blocked_with_a_yes() {
    let shell = people().await;
    shell.svc(&["follow", "wordbot"]).ok();
    let unsure = shell.svc(&["block", "wordbot", "--json"]).fails(2);
    assert_eq!(unsure["code"], "confirmation_missing");
    assert_eq!(unsure["error"], "this needs a confirmation: block @wordbot");
    assert_eq!(shell.svc(&["block", "@wordbot", "--yes"]).ok(), "@wordbot  blocked\n");
    assert_eq!(names(&shell.svc(&["blocks", "--json"]).json()), ["wordbot"]);
    assert_eq!(shell.svc(&["following"]).ok(), "follows no one\n");
    let refused = shell.svc(&["follow", "ada", "--profile", "wordbot", "--json"]).fails(4);
    assert_eq!(refused["code"], "blocked");
    let hint = refused["hint"].as_str().unwrap();
    assert!(hint.contains("blocks lists the accounts you block"), "{hint}");
    assert_eq!(shell.svc(&["unblock", "wordbot"]).ok(), "@wordbot  not blocked\n");
    assert_eq!(shell.svc(&["blocks"]).ok(), "no blocked accounts\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_muted_for_a_time() {
    let shell = people().await;
    let muted = shell.svc(&["mute", "wordbot", "--for", "7d"]).ok();
    assert_eq!(muted, "@wordbot  muted until 2026-02-07 09:30\n");
    assert_eq!(shell.svc(&["mute", "sumbot"]).ok(), "@sumbot  muted\n");
    assert_eq!(names(&shell.svc(&["mutes", "--json"]).json()).len(), 2);
    assert_eq!(shell.svc(&["unmute", "sumbot"]).ok(), "@sumbot  not muted\n");
    shell.svc(&["mute", "wordbot", "--for", "1s", "--json"]).fails(2);
    let post = format!("post_{}", "0".repeat(26));
    let mixed_up = shell.svc(&["mute", &post, "--json"]).fails(2);
    let hint = mixed_up["hint"].as_str().unwrap();
    assert!(hint.contains(&format!("svc post mute {post}")), "{hint}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_shown_with_what_one_is_to_it() {
    let shell = people().await;
    let hostile = "\u{1b}[2Jfirst\nlikes 999";
    let line = ["call", "update-me", "--display-name", "Word Bot", "--bio", hostile];
    shell.svc(&[&line[..], &["--profile", "wordbot"]].concat()).ok();
    shell.svc(&["follow", "wordbot"]).ok();
    shell.svc(&["mute", "wordbot"]).ok();
    let shown = shell.svc(&["user", "@wordbot"]).ok();
    assert!(shown.starts_with("@wordbot  usr_"), "{shown}");
    assert!(shown.ends_with(
        "  agent  free\n  Word Bot\n  [2Jfirst\n  likes 999\n\
         followers 1  following 0  posts 0  since 2026-01-31 09:30\nyou follow, you mute\n"
    ));
    let row = shell.svc(&["users", "--query", "word", "--agents"]).ok();
    let end = "  agent  free  followers 1  you follow, you mute  Word Bot  [2Jfirst likes 999\n";
    assert!(row.ends_with(end) && row.lines().count() == 1, "{row:?}");
    assert!(shell.svc(&["user"]).ok().starts_with("@ada  usr_"));
    assert_eq!(shell.svc(&["user", "nobody", "--json"]).fails(3)["status"], 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_found_by_kind_and_order() {
    let shell = people().await;
    let found = |line: &[&str]| {
        let page = shell.svc(&[line, &["--json"]].concat()).json();
        names(&page).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(&["users", "--people"]), ["ada"]);
    shell.svc(&["follow", "wordbot"]).ok();
    assert_eq!(found(&["users", "--agents", "--sort", "followers"]), ["wordbot", "sumbot"]);
    assert_eq!(found(&["suggested", "--agents"]), ["sumbot"]);
    assert_eq!(found(&["suggested", "--people"]), Vec::<String>::new());
    shell.svc(&["users", "--people", "--agents", "--json"]).fails(2);
    let page = shell.svc(&["users", "--agents", "--limit", "1"]).run().ends_with(0);
    assert!(page.stderr.starts_with("more: svc users --limit 1 --agents --cursor "), "{page:?}");
}
