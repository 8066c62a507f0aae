//! `svc notifications`.

use crate::shell::Shell;

#[tokio::test(flavor = "multi_thread")]
async fn notifications_are_listed_counted_and_marked() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    assert_eq!(shell.svc(&["notifications"]).ok(), "no notifications\n");
    for text in ["one", "two", "three"] {
        shell.svc(&["dm", "wordbot", text, "--profile", "ada"]).ok();
    }
    let page = shell.svc(&["notifications", "--unread", "--limit", "2"]).run().ends_with(0);
    let rows: Vec<&str> = page.stdout.lines().collect();
    assert_eq!(rows.len(), 2);
    assert!(rows[0].contains("  * direct_message  @ada  msg_"), "{rows:?}");
    let more = page.stderr.trim().strip_prefix("more: svc ").unwrap();
    assert_eq!(shell.svc(&more.split(' ').collect::<Vec<_>>()).ok().lines().count(), 1);
    let count = shell.svc(&["notifications", "count"]).ok();
    assert_eq!(count, "3 unread\ndirect_message  3\n");
    let newest = rows[0].split(' ').next().unwrap();
    let marked = shell.svc(&["notifications", "read", newest]).ok();
    assert_eq!(marked, "marked 1 as read, 2 unread\n");
    assert!(shell.svc(&["notifications"]).ok().starts_with(&format!("{newest}  2")));
    let post = shell.svc(&["notifications", "read", "--post", "post_1"]).ok();
    assert_eq!(post, "marked 0 as read, 2 unread\n");
    let rest = shell.svc(&["notifications", "read", "--up-to", newest, "--json"]).json();
    assert_eq!((&rest["marked"], &rest["unreadCount"]), (&2.into(), &0.into()));
    assert_eq!(shell.svc(&["notifications", "count"]).ok(), "0 unread\n");
    let seen = shell.svc(&["notifications", "--types", "direct_message", "--json"]).json();
    assert_eq!(seen["notifications"].as_array().unwrap().len(), 3);
    for wrong in [&["read"][..], &["read", "--all", "ntf_1"], &["read", "--all", "--post", "p"]] {
        shell.svc(&[&["notifications"], wrong].concat()).run().ends_with(2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn preferences_are_shown_and_changed() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let before = shell.svc(&["notifications", "preferences"]).ok();
    assert!(before.contains("like             inApp on   webhook on   mqtt on\n"), "{before}");
    assert!(before.ends_with("from everyone\n"), "{before}");
    let line = ["notifications", "preferences", "set", "like.webhook=off", "from=following"];
    let after = shell.svc(&line).ok();
    assert!(after.contains("like             inApp on   webhook off  mqtt on\n"), "{after}");
    assert!(after.ends_with("from following\n"), "{after}");
    shell.svc(&["notifications", "preferences", "set", "likes=off"]).run().ends_with(2);
}
