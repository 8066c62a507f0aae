//! What is read off the command tree.

use serde_json::{Value, json};

use crate::shell::typed;

fn tree() -> Value {
    let folder = tempfile::tempdir().unwrap();
    typed(&folder, &["help", "--json"]).json()
}

fn command<'a>(tree: &'a Value, name: &str) -> &'a Value {
    let commands = tree["commands"].as_array().unwrap();
    let found = commands.iter().find(|command| command["command"] == name);
    found.expect(name)
}

#[test]
fn help_for_programs_has_every_command_with_types_and_consent() {
    let tree = tree();
    let post = command(&tree, "svc post");
    assert_eq!(post["needsConfirmation"], false);
    let arguments = post["arguments"].as_array().unwrap();
    let text = json!({
        "name": "text", "help": "The text, or - for stdin", "value": "TEXT|-",
        "required": true, "repeated": false, "type": "text",
    });
    assert!(arguments.contains(&text), "{post:#}");
    let policy = arguments.iter().find(|one| one["name"] == "--reply-policy").unwrap();
    assert_eq!(policy["values"], json!(["everyone", "following", "mentioned", "none"]));
    for name in [
        "svc delete",
        "svc key regenerate",
        "svc call delete-me",
        "svc logout",
        "svc call block-user",
        "svc call release-agent",
        "svc call rotate-agent-key",
        "svc call rotate-developer-key",
    ] {
        assert_eq!(command(&tree, name)["needsConfirmation"], true, "{name}");
        assert_eq!(command(&tree, name)["spendsCredits"], false, "{name}");
    }
    for name in [
        "svc escrow release",
        "svc credits grant",
        "svc call create-escrow",
        "svc call create-plan",
        "svc call fund-escrow",
        "svc call refund-escrow",
        "svc call resolve-escrow",
        "svc call accept-split",
        "svc call refund-payment",
        "svc call buy-pass",
        "svc call subscribe",
        "svc billing seats",
        "svc call request-payout",
    ] {
        assert_eq!(command(&tree, name)["needsConfirmation"], true, "{name}");
        assert_eq!(command(&tree, name)["spendsCredits"], true, "{name}");
    }
    let split = command(&tree, "svc escrow accept-split")["arguments"].as_array().unwrap();
    let version = split.iter().find(|one| one["name"] == "offer-version").unwrap();
    assert_eq!((&version["value"], &version["type"]), (&"VERSION".into(), &"integer".into()));
    let order = command(&tree, "svc order");
    assert_eq!(
        (&order["needsConfirmation"], &order["spendsCredits"]),
        (&false.into(), &true.into())
    );
    let call = command(&tree, "svc call list-users");
    let types: Vec<&str> = ["--is-agent", "--limit", "--sort"]
        .iter()
        .map(|name| {
            let arguments = call["arguments"].as_array().unwrap();
            let flag = arguments.iter().find(|one| one["name"] == **name).unwrap();
            flag["type"].as_str().unwrap()
        })
        .collect();
    assert_eq!(types, ["boolean", "integer", "text"]);
}

#[test]
fn help_for_programs_has_the_table_of_exit_codes() {
    let tree = tree();
    let codes: Vec<i64> = tree["exitCodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|exit| exit["code"].as_i64().unwrap())
        .collect();
    assert_eq!(codes, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 78, 130]);
    assert!(tree["note"].as_str().unwrap().contains("data, not instructions"));
}

#[test]
fn help_explains_one_command() {
    let folder = tempfile::tempdir().unwrap();
    let help = typed(&folder, &["help", "identity", "token"]).ok();
    assert!(help.starts_with("Create a short-lived identity token"), "{help}");
    assert!(help.contains("Usage: svc identity token [OPTIONS]"), "{help}");
    let call = typed(&folder, &["help", "call", "create-post"]).ok();
    assert!(call.starts_with("Publish a post.\n\nA top-level post takes"), "{call}");
    assert!(call.contains("\n\nPOST /posts\n"), "{call}");
    let all = typed(&folder, &["--help"]).ok();
    assert!(all.contains("data, not instructions"), "{all}");
    typed(&folder, &["help", "nothing", "--quiet"]).run().ends_with(2);
    typed(&folder, &["help", "nothing", "--json"]).fails(2);
    let part = typed(&folder, &["help", "escrow", "fund", "--json"]).json();
    assert_eq!(part["commands"].as_array().unwrap().len(), 1);
    assert_eq!(command(&part, "svc escrow fund")["spendsCredits"], true);
}

#[test]
fn help_names_values_and_members_as_they_are_typed() {
    let folder = tempfile::tempdir().unwrap();
    let help = |line: &[&str]| typed(&folder, &[&["help"], line].concat()).ok();
    let keys = help(&["keys", "create"]);
    assert!(keys.contains("Usage: svc keys create [OPTIONS] <NAME> <SCOPES>..."), "{keys}");
    assert!(keys.contains("--allow-from <WORD,...>"), "{keys}");
    let dm = help(&["dm"]);
    assert!(dm.contains("The same --id within 24 hours"), "{dm}");
    assert!(!dm.contains("`clientMessageId`") && !dm.contains("`payload`"), "{dm}");
    let publish = help(&["services", "publish"]);
    assert!(publish.contains("Needed: description, name, priceCredits. Optional: "), "{publish}");
}

#[test]
fn the_help_of_the_whole_command_has_headings() {
    let folder = tempfile::tempdir().unwrap();
    let help = typed(&folder, &["--help"]).ok();
    let headings: Vec<&str> =
        help.lines().filter(|line| !line.starts_with(' ') && line.ends_with(':')).collect();
    let expected = [
        "Your account:",
        "Posts:",
        "Feeds, lists, search:",
        "Likes, reposts, bookmarks:",
        "Other accounts:",
        "Figures:",
        "Messages:",
        "Events and webhooks:",
        "Services and credits:",
        "Reports and moderation:",
        "Keys, sessions, owners:",
        "Proofs of identity:",
        "Any endpoint:",
        "The tool itself:",
        "Everywhere:",
        "Environment:",
    ];
    assert_eq!(headings, expected);
    assert!(help.contains("\n\nFeeds, lists, search:\n  feed               Read what"), "{help}");
    let events = help.split("Events and webhooks:").nth(1).unwrap();
    let events = events.split("Services and credits:").next().unwrap();
    assert!(events.contains("\n  connect  "), "{help}");
    assert!(help.contains("\nEverywhere:\n      --json"), "{help}");
    assert_eq!(typed(&folder, &["help"]).ok(), help, "one help for both");
}

#[test]
fn a_command_with_verbs_or_parts_is_a_command_of_its_own() {
    let tree = tree();
    for name in ["svc post", "svc post like", "svc post unmute", "svc like", "svc credits"] {
        command(&tree, name);
    }
    assert_eq!(command(&tree, "svc block")["needsConfirmation"], true);
    let commands = tree["commands"].as_array().unwrap();
    assert!(!commands.iter().any(|one| one["command"] == "svc escrow"), "it does nothing alone");
}

#[test]
fn shells_complete_commands_and_endpoints() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = typed(&folder, &["completions", shell]).ok();
        assert!(script.contains("when-allowed"), "{shell}");
        assert!(script.contains("send-message"), "{shell}");
    }
    typed(&folder, &["completions", "tcsh", "--json"]).fails(2);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is kept");
}

/// What packagers do, as the README of the command has it.
#[test]
fn completions_and_manual_pages_are_installed_as_the_readme_says() {
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let lines = readme.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_svc"));
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    let script = format!(
        "set -e\nmkdir -p {}\n{lines}",
        FOLDERS.map(|one| format!("$PREFIX/{one}")).join(" ")
    );
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", &script]).env_clear().env("PATH", path).env("PREFIX", folder.path());
    assert!(shell.status().unwrap().success(), "{script}");
    for (folder_of, file) in FOLDERS.iter().zip(["svc", "_svc", "svc.fish", "svc.1"]) {
        let written = std::fs::metadata(folder.path().join(folder_of).join(file)).expect(file);
        assert!(written.len() > 100, "{file}");
    }
}

/// The README is the reference: a row names each command, and each below a group, `call` apart.
#[test]
fn the_table_of_the_readme_has_every_command() {
    let readme =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let table = readme.split("## Commands\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let is_end = |c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_');
    let rows = table.lines().filter(|line| line.starts_with('|'));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(is_end).collect()).collect();
    for command in tree()["commands"].as_array().unwrap() {
        let name = command["command"].as_str().unwrap();
        let words: Vec<&str> = name.split(' ').skip(1).take(2).collect();
        if words[0] == "call" {
            continue;
        }
        let has = |row: &Vec<&str>| words.iter().all(|word| row.contains(word));
        assert!(rows.iter().any(has), "the README has no {name}");
    }
}

/// Where the README puts what is installed.
const FOLDERS: [&str; 4] = [
    "share/bash-completion/completions",
    "share/zsh/site-functions",
    "share/fish/vendor_completions.d",
    "share/man/man1",
];

#[test]
fn each_command_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man");
    typed(&folder, &["man", "--out", pages.to_str().unwrap()]).ok();
    for page in std::fs::read_dir(&pages).unwrap() {
        let page = std::fs::read_to_string(page.unwrap().path()).unwrap();
        assert!(!page.contains("(spec"), "{page}");
    }
    assert!(!tree().to_string().contains("spec §"));
    for name in ["svc.1", "svc-post.1", "svc-identity-token.1", "svc-call-send-message.1"] {
        let page = std::fs::read_to_string(pages.join(name)).expect(name);
        assert!(page.contains(".SH NAME"), "{name}");
    }
}
