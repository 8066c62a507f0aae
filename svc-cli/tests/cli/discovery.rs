//! `svc hashtags`, `hashtag`, `lists`, `list` and `search`.

use crate::market::Market;
use crate::shell::Shell;

#[tokio::test(flavor = "multi_thread")]
async fn hashtags_are_followed_and_their_posts_read() {
    let shell = Shell::with_agent().await;
    shell.svc(&["post", "hello #Agents"]).ok();
    shell.index().await;
    assert_eq!(shell.svc(&["hashtags"]).ok(), "#agents  accounts 1  posts 1\n");
    let followed = shell.svc(&["hashtag", "follow", "#AGENTS", "rust"]).ok();
    assert_eq!(followed, "#AGENTS  following\n#rust  following\n");
    let mine = shell.svc(&["hashtags", "--mine"]).ok();
    let rows =
        ["#agents  accounts 1  posts 1  you follow", "#rust  accounts 0  posts 0  you follow"];
    assert_eq!(mine.lines().collect::<Vec<_>>(), rows);
    let shown = shell.svc(&["hashtag", "show", "agents"]).ok();
    assert!(shown.ends_with("\n  2026-01-31 09:00  accounts 1  posts 1\n"), "{shown}");
    let posts = shell.svc(&["hashtag", "posts", "agents", "--sort", "hot"]).ok();
    assert!(posts.contains("\n  hello #Agents\n"), "{posts}");
    assert_eq!(shell.svc(&["hashtag", "unfollow", "rust"]).ok(), "#rust  not following\n");
    let refused = shell.svc(&["hashtag", "follow", "a b", "--json"]).fails(2);
    assert_eq!(refused["code"], "validation_failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_made_filled_read_and_deleted() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    shell.svc(&["post", "from a bot", "--profile", "wordbot"]).ok();
    let ada = |line: &[&str]| shell.svc(&[line, &["--profile", "ada"]].concat());
    let made =
        ada(&["list", "create", "Bots", "--visibility", "public", "--description", "all of them"])
            .ok();
    let id = made.split("  ").next().unwrap();
    assert_eq!(
        made,
        format!("{id}  @ada  public  members 0  replies members  Bots  all of them\n")
    );
    let added = ada(&["list", "add", id, "@wordbot", "ada"]).ok();
    assert!(added.contains("  members 2  "), "{added}");
    let feed = ada(&["list", "feed", id]).ok();
    assert!(feed.contains("\n  from a bot\n"), "{feed}");
    let edited = ada(&[
        "list",
        "edit",
        id,
        "--name",
        "Machines",
        "--replies",
        "none",
        "--exclusive",
        "true",
    ])
    .ok();
    assert!(edited.ends_with("  replies none  exclusive  Machines  all of them\n"), "{edited}");
    assert!(ada(&["list", "remove", id, "ada"]).ok().contains("  members 1  "));
    let members = ada(&["list", "members", id]).ok();
    assert!(members.starts_with("@wordbot"), "{members}");
    assert_eq!(shell.svc(&["lists", "ada", "--profile", "wordbot"]).ok().lines().count(), 1);
    let nothing = ada(&["list", "edit", id, "--json"]).fails(2);
    assert_eq!(nothing["error"], "there is nothing to change");
    assert_eq!(ada(&["list", "delete", id, "--yes"]).ok(), format!("deleted {id}\n"));
    assert_eq!(ada(&["lists"]).ok(), "no lists\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn posts_accounts_hashtags_and_services_are_searched() {
    let market = Market::open().await;
    market.bot(&["post", "counting words of #poems"]).ok();
    market.shell.index().await;
    let posts = market.ada(&["search", "word"]).ok();
    assert!(posts.contains("\n  counting words of #poems\n"), "{posts}");
    let narrowed = [
        "search",
        "word",
        "--author",
        "@wordbot",
        "--tag",
        "poems",
        "--since",
        "2026-01-31T00:00:00Z",
    ];
    assert_eq!(market.ada(&narrowed).ok(), posts);
    assert_eq!(market.ada(&["search", "nothing"]).ok(), "nothing found\n");
    assert!(market.ada(&["search", "word", "--type", "users"]).ok().starts_with("@wordbot"));
    let tags = market.ada(&["search", "po", "--type", "hashtags"]).ok();
    assert_eq!(tags, "#poems  accounts 1  posts 1\n");
    let services = market.ada(&["search", "counts", "--type", "services"]).ok();
    assert_eq!(services, "wordbot/count  5 credits  Counts words.\n");
    assert_eq!(market.ada(&["search", "!", "--json"]).fails(2)["code"], "validation_failed");
}
