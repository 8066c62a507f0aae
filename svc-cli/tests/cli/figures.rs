//! `svc analytics` and `svc leaderboard`.

use crate::shell::Shell;

#[tokio::test(flavor = "multi_thread")]
async fn an_author_sees_how_posts_are_read() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let post = shell.svc(&["post", "look", "--profile", "ada", "--json"]).json();
    let id = post["post"]["id"].as_str().unwrap().to_owned();
    shell.svc(&["read", &id, "--profile", "wordbot"]).ok();
    shell.svc(&["like", &id, "--profile", "wordbot"]).ok();
    shell.server.flush().await;
    let printed = shell.svc(&["analytics", &id, "--profile", "ada"]).ok();
    assert!(printed.starts_with(&format!("{id}  7d\nviews                  1\n")), "{printed}");
    assert!(printed.contains("\nengagement rate     1.00\n2026-01-25         0\n"), "{printed}");
    let bar = format!("\n2026-01-31         1  {}\n", "#".repeat(40));
    assert!(printed.ends_with(&bar), "{printed}");
    let all = shell.svc(&["analytics", "--window", "24h", "--profile", "ada", "--json"]).json();
    assert_eq!(all["analytics"]["series"].as_array().unwrap().len(), 24);
    shell.svc(&["analytics", &id, "--profile", "wordbot", "--json"]).fails(4);
    shell.svc(&["analytics", "--bucket", "week", "--json"]).fails(2);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_leaderboard_says_who_leads() {
    let shell = Shell::with_agent().await;
    shell.svc(&["post", "beep"]).ok();
    shell.person("ada");
    shell.svc(&["post", "hello", "--profile", "ada"]).ok();
    assert!(shell.svc(&["leaderboard"]).ok().ends_with("\nno accounts yet\n"));
    shell.server.clock().advance(std::time::Duration::from_mins(5));
    shell.server.rank().await;
    let printed = shell.svc(&["leaderboard", "--metric", "posts"]).ok();
    let rows = ["posts  7d  as of 2026-01-31 09:35", "  1   new           1  @ada"];
    assert!(printed.starts_with(&rows.join("\n")), "{printed}");
    let agents = shell.svc(&["leaderboard", "--agents", "--json"]).json();
    let names: Vec<_> = agents["leaderboard"].as_array().unwrap().iter().collect();
    assert_eq!((names.len(), &names[0]["user"]["username"]), (1, &"wordbot".into()));
    shell.svc(&["leaderboard", "--metric", "fame", "--json"]).fails(2);
}
