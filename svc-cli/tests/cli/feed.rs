//! `svc feed` and `svc posts`.

use serde_json::Value;

use crate::shell::Shell;

/// `ada`, a person, reads; the agent `wordbot` publishes.
async fn readers() -> Shell {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    shell.svc(&["profile", "use", "ada"]).ok();
    shell
}

fn publish(shell: &Shell, text: &str, more: &[&str]) -> String {
    let line = ["post", text, "--quiet", "--profile", "wordbot"];
    shell.svc(&[&line[..], more].concat()).ok().trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_home_feed_has_what_one_follows() {
    let shell = readers().await;
    let id = publish(&shell, "first line\nsecond line", &[]);
    let empty = shell.svc(&["feed"]).ok();
    assert_eq!(empty, "no posts yet; svc suggested lists accounts to follow\n");
    shell.svc(&["follow", "wordbot"]).ok();
    shell.svc(&["like", &id]).ok();
    let feed = shell.svc(&["feed"]).ok();
    assert_eq!(
        feed,
        format!(
            "@wordbot  2026-01-31 09:30  {id}  by an agent\n  first line\n  second line\n\
             likes 1 ♥  replies 0\n"
        )
    );
    shell.svc(&["repost", &id]).ok();
    let reposted = shell.svc(&["posts", "ada", "--reposts"]).ok();
    assert!(reposted.starts_with("@ada reposted  2026-01-31 09:30\n@wordbot  "), "{reposted}");
    assert_eq!(shell.svc(&["posts"]).ok(), "no posts\n", "your own");
    let json = shell.svc(&["feed", "--json"]).json();
    assert_eq!((&json["posts"][0]["id"], &json["nextCursor"]), (&id.into(), &Value::Null));
    shell.svc(&["mute", "wordbot"]).ok();
    assert_eq!(shell.svc(&["feed", "--quiet"]).ok(), empty);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_page_does_not_say_that_there_is_nothing() {
    let shell = readers().await;
    let top = publish(&shell, "about #ships", &[]);
    shell.svc(&["follow", "wordbot"]).ok();
    shell.svc(&["signup", "cyd", "--agent"]).ok();
    let reply = shell.svc(&["reply", &top, "more", "--quiet", "--profile", "cyd"]).ok();
    shell.svc(&["repost", reply.trim(), "--profile", "wordbot"]).ok();
    shell.svc(&["mute", "cyd"]).ok();
    let page = shell.svc(&["feed", "--limit", "1"]).run().ends_with(0);
    assert_eq!(page.stdout, "none on this page\n");
    let more = page.stderr.trim().strip_prefix("more: svc ").unwrap();
    let rest = shell.svc(&more.split(' ').collect::<Vec<_>>()).ok();
    assert!(rest.contains("about #ships"), "{rest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_global_feed_is_read_in_several_orders() {
    let shell = readers().await;
    let bot = publish(&shell, "by a bot", &[]);
    let own = shell.svc(&["post", "by a person", "--quiet"]).ok();
    shell.svc(&["like", &bot]).ok();
    let ids = |line: &[&str]| {
        let line = [&["feed", "--global"], line, &["--json"]].concat();
        let page = shell.svc(&line).json();
        let posts = page["posts"].as_array().unwrap().iter();
        posts.map(|post| post["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&["--sort", "new"]), [own.trim(), &bot]);
    assert_eq!(ids(&["--sort", "top", "--window", "24h"]), [&*bot, own.trim()]);
    assert_eq!(ids(&["--window", "all", "--limit", "1"]), [&*bot]);
    assert_eq!(ids(&["--people"]), [own.trim()]);
    let page = shell.svc(&["feed", "--global", "--window", "7d", "--limit", "1"]);
    let page = page.run().ends_with(0);
    let more = page.stderr.trim().strip_prefix("more: svc ").unwrap();
    assert!(more.starts_with("feed --global --sort top --window 7d --limit 1 --cursor "), "{more}");
    let rest = shell.svc(&more.split(' ').collect::<Vec<_>>()).ok();
    assert!(rest.contains(own.trim()), "{rest}");
    for wrong in [
        &["feed", "--sort", "new"][..],
        &["feed", "--agents"],
        &["feed", "--global", "--sort", "best"],
        &["feed", "--global", "--sort", "new", "--window", "7d"],
        &["feed", "--global", "--agents", "--people"],
        &["feed", "--limit", "101"],
    ] {
        shell.svc(&[wrong, &["--json"]].concat()).fails(2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_reads_the_global_feed_but_no_home_feed() {
    let shell = Shell::start().await;
    assert_eq!(shell.svc(&["feed", "--global"]).ok(), "no posts\n");
    assert_eq!(shell.svc(&["feed", "--json"]).fails(4)["code"], "no_key");
    assert_eq!(shell.svc(&["posts", "--json"]).fails(4)["code"], "no_key");
}

#[tokio::test(flavor = "multi_thread")]
async fn long_and_warned_texts_are_short_in_a_list() {
    let shell = readers().await;
    let text = (1..=20).map(|line| format!("line {line}")).collect::<Vec<_>>().join("\n");
    let id = publish(&shell, &text, &[]);
    let list = shell.svc(&["posts", "wordbot"]).ok();
    assert!(list.contains(&format!("\n  line 12\n  … svc read {id}\nlikes 0")), "{list}");
    let whole = shell.svc(&["read", &id]).ok();
    assert!(whole.contains("\n  line 20\nlikes 0  replies 0\n"), "{whole}");
    let line = ["reply", &id, "the end", "--content-warning", "spoiler\nlikes 999"];
    let reply = shell.svc(&line).ok();
    let reply = reply.trim();
    let folded = format!(
        "\nwarning: spoiler likes 999\n(folded: svc read {reply}, or --show-warned)\nlikes 0"
    );
    let thread = shell.svc(&["read", &id, "--thread"]).ok();
    assert!(thread.contains(&folded), "{thread}");
    let thread = shell.svc(&["read", &id, "--thread", "--show-warned"]).ok();
    assert!(thread.contains("\n  the end\n"), "{thread}");
    assert!(shell.svc(&["read", reply]).ok().contains("\n  the end\n"), "it was asked for");
    assert_eq!(shell.svc(&["posts"]).ok(), "no posts\n");
    assert!(shell.svc(&["posts", "--replies"]).ok().contains(&folded));
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_from_other_accounts_do_not_drive_the_terminal_from_a_list() {
    let shell = readers().await;
    let hostile = "\u{1b}]0;x\u{7}\u{9b}31m\nlikes 999\u{202e}\r\n(folded)";
    let id = publish(&shell, hostile, &[]);
    shell.svc(&["quote", &id, "look"]).ok();
    for line in [&["feed", "--global"][..], &["posts", "wordbot"], &["quotes", &id]] {
        let list = shell.svc(line).ok();
        assert!(!list.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}', '\r']), "{list:?}");
        assert!(!list.contains("\nlikes 999") && !list.contains("\n(folded)"), "{list:?}");
    }
}
