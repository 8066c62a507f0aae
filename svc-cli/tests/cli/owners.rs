//! Owners of agents: claiming, and what owners do with their agents.

use crate::shell::Shell;

/// A shell with the person ada, who owns the agent wordbot.
async fn owned() -> Shell {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let link = shell.svc(&["agent", "claim-link", "--profile", "wordbot"]).ok();
    let file = shell.file("link", link.trim());
    let claimed = shell.svc(&["agent", "claim", &format!("@{file}"), "--profile", "ada"]).ok();
    assert!(claimed.starts_with("@wordbot  usr_"), "{claimed}");
    assert!(claimed.trim().ends_with("  active  owner hidden"), "{claimed}");
    shell
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_link_is_made_claimed_once_and_never_shown_again() {
    let shell = owned().await;
    let line = ["agent", "claim", "-", "--json", "--profile", "ada"];
    assert_eq!(shell.svc(&line).stdin("not-a-token").fails(3)["code"], "not_found");
    let error = shell.svc(&["agent", "claim-link", "--json", "--profile", "wordbot"]).fails(5);
    assert_eq!(error["code"], "wrong_state");
    assert_eq!(error["hint"], "svc --profile wordbot agents release ends the ownership");
    let owned = shell.svc(&["agents", "owned", "--profile", "wordbot", "--json"]).fails(4);
    assert_eq!(owned["code"], "not_a_person");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_pauses_caps_shows_and_releases_an_agent() {
    let shell = owned().await;
    let by_ada = |line: &[&str]| shell.svc(&[line, &["--profile", "ada"]].concat());
    assert!(by_ada(&["agents", "pause", "wordbot"]).ok().contains("  paused  "));
    let refused = shell.svc(&["post", "hello", "--json", "--profile", "wordbot"]).fails(4);
    assert_eq!(refused["code"], "account_paused");
    assert!(by_ada(&["agents", "resume", "wordbot"]).ok().contains("  active  "));
    by_ada(&["agents", "sign-out", "wordbot"]).ok();
    let caps = by_ada(&["agents", "caps", "wordbot", "--per-order", "10", "--per-day", "50"]).ok();
    assert_eq!(caps.trim(), "at most 10 an order, 0 of 50 spent in 24 h");
    let negative = by_ada(&["agents", "caps", "wordbot", "--per-order", "-1", "--json"]).fails(2);
    assert!(negative["error"].as_str().unwrap().contains("from 0.000001 to"), "{negative}");
    shell.svc(&["signup", "shop", "--agent"]).ok();
    let dear = r#"{"name":"dear","description":"Costs much.","priceCredits":20}"#;
    shell.svc(&["services", "publish", "-", "--profile", "shop"]).stdin(dear).ok();
    let line = ["order", "shop/dear", "--max-credits", "20", "--json", "--profile", "wordbot"];
    assert_eq!(shell.svc(&line).fails(8)["code"], "spend_limit");
    by_ada(&["agents", "owned-caps", "--per-day", "90"]).ok();
    by_ada(&["agents", "visible", "wordbot", "true"]).ok();
    let listed = by_ada(&["agents", "owned"]).ok();
    let [agent, together] = listed.lines().collect::<Vec<_>>()[..] else { panic!("{listed}") };
    assert!(agent.ends_with("owner shown  at most 10 an order, 0 of 50 spent in 24 h"), "{agent}");
    assert_eq!(together, "together  0 of 90 spent in 24 h");
    let log = shell.svc(&["security", "log", "--profile", "wordbot"]).ok();
    assert!(log.lines().next().unwrap().ends_with("  owner shown  by @ada"), "{log}");
    let log = by_ada(&["security", "log"]).ok();
    assert!(log.lines().next().unwrap().contains("  owner shown  @wordbot  from "), "{log}");
    by_ada(&["agents", "release", "wordbot", "--json"]).fails(2);
    let released = by_ada(&["agents", "release", "wordbot", "--yes"]).ok();
    assert_eq!(released.trim(), "wordbot has no owner any more");
    assert_eq!(by_ada(&["agents", "owned"]).ok().trim(), "no agents");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_is_shown_on_the_profile_and_in_the_verified_identity_as_the_owner_wants() {
    let shell = owned().await;
    let by_ada = |line: &[&str]| shell.svc(&[line, &["--profile", "ada"]].concat());
    by_ada(&["developer", "register", "Gate", "--website", "https://gate.example.org"]).ok();
    let verified = || {
        let token = shell.svc(&["identity", "token", "--profile", "wordbot"]).ok();
        by_ada(&["identity", "verify", "-"]).stdin(&token).ok()
    };
    let own = shell.svc(&["user", "--profile", "wordbot"]).ok();
    assert!(own.contains("\nowner @ada\n"), "the agent itself sees it: {own}");
    assert!(!by_ada(&["user", "wordbot"]).ok().contains("owner"));
    assert!(verified().ends_with("  agent  free\n"));
    by_ada(&["agents", "visible", "wordbot", "true"]).ok();
    let shown = by_ada(&["user", "wordbot"]).ok();
    assert!(shown.contains("\nowner @ada\n"), "{shown}");
    assert!(verified().ends_with("  agent  free  owner @ada\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn caps_are_removed_by_a_flag_and_not_by_its_absence() {
    let shell = owned().await;
    let by_ada = |line: &[&str]| shell.svc(&[line, &["--profile", "ada"]].concat());
    for line in [&["agents", "caps", "wordbot"][..], &["agents", "owned-caps"]] {
        let caps = by_ada(&[line, &["--per-order", "10", "--per-day", "50"]].concat()).ok();
        assert_eq!(caps.trim(), "at most 10 an order, 0 of 50 spent in 24 h");
        let looked = by_ada(&[line, &["--json"]].concat()).fails(2);
        let typed = format!("svc --profile ada {}", line.join(" "));
        assert_eq!(looked["hint"], format!("{typed} --per-order CREDITS, or {typed} --lift"));
    }
    let owned = by_ada(&["agents", "owned", "--json"]).json();
    assert_eq!(owned["agents"][0]["caps"]["perDay"], 50);
    assert_eq!(owned["caps"]["perOrder"], 10);
    let lifted = by_ada(&["agents", "caps", "wordbot", "--lift"]).ok();
    assert_eq!(lifted.trim(), "0 spent in 24 h");
    let left = by_ada(&["agents", "owned-caps", "--per-day", "50", "--lift"]).ok();
    assert_eq!(left.trim(), "0 of 50 spent in 24 h");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_replaces_the_keys_of_an_agent() {
    let shell = owned().await;
    let line = ["agents", "rotate-key", "wordbot", "--profile", "ada"];
    shell.svc(&[&line[..], &["--json"]].concat()).fails(2);
    let key = shell.svc(&[&line[..], &["--yes"]].concat()).ok();
    assert_eq!(
        shell.svc(&["whoami", "--json", "--profile", "wordbot"]).fails(4)["code"],
        "unauthorized"
    );
    let whoami = shell.svc(&["whoami", "--json"]).env("SVC_API_KEY", key.trim()).json();
    assert_eq!(whoami["user"]["owner"]["username"], "ada");
}
