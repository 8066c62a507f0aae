//! Which profile is used, where profiles are, and what the environment says instead.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::shell::{PASSWORD, Shell};

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_of_settings_that_is_not_absolute_is_ignored() {
    let shell = Shell::start().await;
    let home = shell.folder.path().join("home");
    let typed = shell.svc(&["signup", "wordbot", "--agent"]).env("SVC_CONFIG_DIR", "");
    typed.env("XDG_CONFIG_HOME", "settings").env("HOME", home.to_str().unwrap()).ok();
    assert!(home.join(".config/svc/credentials.toml").is_file());
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_of_the_environment_need_no_folder_of_profiles() {
    let shell = Shell::with_agent().await;
    let key = shell.key("wordbot");
    let by = |line: &[&str]| shell.svc(line).env("SVC_CONFIG_DIR", "/dev/null/svc");
    let session = by(&["whoami", "--json"]).env("SVC_API_KEY", &key).json();
    assert_eq!(session["user"]["username"], "wordbot");
    let hint = "set SVC_CONFIG_DIR to a folder that you can read and write";
    for line in [&["whoami", "--json"][..], &["profile", "list", "--json"]] {
        let error = by(line).fails(1);
        assert_eq!((&error["code"], &error["hint"]), (&"file".into(), &hint.into()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_variable_may_end_like_a_line_and_is_never_ignored() {
    let shell = Shell::with_agent().await;
    shell.svc(&["signup", "second", "--agent"]).ok();
    let (url, key) = (shell.server.url(), shell.key("second"));
    let whoami = shell.svc(&["whoami", "--json"]).env("SVC_URL", &format!("{url}\r"));
    let session = whoami.env("SVC_API_KEY", &format!("{key}\r\n")).json();
    assert_eq!(session["user"]["username"], "second");
    // Without this key, the current profile would act.
    let mut whoami = shell.svc(&["whoami", "--json"]);
    whoami.command.env("SVC_API_KEY", OsStr::from_bytes(b"svc_ak_\xff"));
    assert_eq!(whoami.fails(4)["code"], "unauthorized");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_current_profile_those_that_are_there_are_named() {
    let shell = Shell::with_agent().await;
    shell.svc(&["signup", "second", "--agent"]).ok();
    shell.svc(&["profile", "remove", "wordbot", "--yes"]).ok();
    let error = shell.svc(&["whoami", "--json"]).env("SVC_URL", "").fails(4);
    assert_eq!(error["code"], "no_profile");
    assert_eq!(error["hint"], "svc profile use NAME; svc profile list shows the names");
    let doctor = shell.svc(&["doctor"]).env("SVC_URL", "").run().ends_with(1);
    assert!(doctor.stdout.contains("fix: svc profile use NAME;"), "{doctor:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_signs_in_again_renews_the_profile_in_use() {
    let shell = Shell::start().await;
    let line = ["signup", "ada", "--email", "ada@example.org", "--password-stdin"];
    shell.svc(&[&line[..], &["--profile", "work"]].concat()).stdin(PASSWORD).ok();
    shell.person("eve");
    let how = |profile: &str| {
        let line = ["whoami", "--profile", profile, "--json"];
        shell.svc(&line).json()["authMethod"].as_str().unwrap().to_owned()
    };
    let login = ["login", "--password-stdin"];
    shell.svc(&login).stdin(PASSWORD).ok();
    assert_eq!((how("work"), how("eve")), ("session".to_owned(), "api_key".to_owned()));
    // A variable says whose account it is, as it does in all commands.
    shell.svc(&login).stdin(PASSWORD).env("SVC_PROFILE", "eve").ok();
    assert_eq!(how("eve"), "session");
    let profiles = shell.svc(&["profile", "list", "--json"]).json();
    assert_eq!(profiles.as_array().unwrap().len(), 2, "{profiles}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_profile_is_made_where_the_variable_says() {
    let shell = Shell::with_agent().await;
    // The current profile is for another server than that of the variable.
    let here = shell.server.url();
    let elsewhere = Shell::start().await;
    let there = elsewhere.server.url();
    for name in [&["second"][..], &["third", "--profile", "new"]] {
        let line = [&["signup", "--agent"][..], name].concat();
        shell.svc(&line).env("SVC_URL", &there).ok();
    }
    let profiles = shell.svc(&["profile", "list", "--json"]).json();
    let urls: Vec<&str> =
        profiles.as_array().unwrap().iter().map(|one| one["url"].as_str().unwrap()).collect();
    let [new, second, first] = urls[..] else { panic!("{profiles}") };
    assert_eq!([new, second, first], [there.as_str(), &there, &here]);
    // Where nothing else is said, it is made on the server of the current profile.
    shell.svc(&["signup", "fourth", "--agent", "--profile", "last"]).env("SVC_URL", "").ok();
    let profiles = shell.svc(&["profile", "list", "--json"]).json();
    assert_eq!(profiles[0]["url"], here.as_str(), "{profiles}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_the_file_of_keys_stays() {
    let shell = Shell::with_agent().await;
    let kept = tempfile::tempdir().unwrap();
    let (link, file) = (shell.folder.path().join("credentials.toml"), kept.path().join("keys"));
    std::fs::rename(&link, &file).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    shell.svc(&["signup", "second", "--agent"]).ok();
    assert_eq!(std::fs::read_link(&link).unwrap(), file);
    assert!(std::fs::read_to_string(&file).unwrap().contains("[second]"));
    // The file may be missing still.
    std::fs::remove_file(&file).unwrap();
    shell.svc(&["signup", "third", "--agent"]).ok();
    assert_eq!(std::fs::read_link(&link).unwrap(), file);
    assert!(std::fs::read_to_string(&file).unwrap().contains("[third]"));
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_without_a_profile_are_not_taken_up_by_a_new_one() {
    let shell = Shell::with_agent().await;
    // Someone deleted the profile from one of the two files.
    std::fs::remove_file(shell.folder.path().join("config.toml")).unwrap();
    let old = "[second]\ncookie = \"svc_session=of-another-server\"\n\
               later_key = \"of-another-server\"\n";
    std::fs::write(shell.folder.path().join("credentials.toml"), old).unwrap();
    shell.svc(&["signup", "second", "--agent"]).ok();
    assert_eq!(shell.svc(&["whoami", "--json"]).json()["authMethod"], "api_key");
    let text = std::fs::read_to_string(shell.folder.path().join("credentials.toml")).unwrap();
    assert!(!text.contains("of-another-server"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_follows_its_server_to_another_address() {
    let shell = Shell::with_agent().await;
    shell.svc(&["profile", "limit", "--per-day", "5"]).ok();
    let there = shell.server.url().replace("127.0.0.1", "localhost");
    let to = |address: &str| shell.svc(&["profile", "move", "wordbot", address, "--json"]);
    assert_eq!(to(&there).fails(2)["code"], "confirmation_missing");
    for wrong in ["ftp://localhost/api", "http://elsewhere.example"] {
        shell.svc(&["profile", "move", "wordbot", wrong, "--yes"]).run().ends_with(2);
    }
    let root = there.trim_end_matches("/api");
    let moved = shell.svc(&["profile", "move", "wordbot", root, "--yes", "--json"]).json();
    assert_eq!(moved, serde_json::json!({ "name": "wordbot", "url": there }));
    let whoami = shell.svc(&["whoami", "--json"]).env("SVC_URL", "").json();
    assert_eq!(whoami["user"]["username"], "wordbot");
    // No key is sent to the former address.
    assert_eq!(shell.svc(&["whoami", "--json"]).fails(4)["code"], "no_key");
    let limits = shell.svc(&["profile", "limit", "--json"]).env("SVC_URL", "").json();
    assert!(limits["spend"].get("per_day").is_some(), "{limits}");
    let error = shell.svc(&["profile", "move", "third", root, "--json"]).fails(3);
    assert_eq!(error["code"], "no_profile");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_version_wrote_beside_a_profile_stays_until_the_profile_goes() {
    let shell = Shell::with_agent().await;
    let read = |name: &str| std::fs::read_to_string(shell.folder.path().join(name)).unwrap();
    let profile = "[profiles.wordbot]\n";
    let config = read("config.toml").replace(profile, &format!("{profile}color = \"blue\"\n"));
    let later = "\n[profiles.wordbot.spend]\nper_week = 70\n\n[news]\nseen = 3\n";
    shell.file("config.toml", &(config + later));
    let keys = read("credentials.toml");
    let later = "[wordbot]\nsigning_key = \"of a later version\"\n";
    shell.file("credentials.toml", &keys.replace("[wordbot]\n", later));
    shell.svc(&["signup", "second", "--agent"]).ok();
    shell.svc(&["profile", "limit", "--per-day", "5"]).ok();
    let config: toml::Table = read("config.toml").parse().unwrap();
    let kept = &config["profiles"]["wordbot"];
    assert_eq!(kept["color"].as_str(), Some("blue"));
    assert_eq!(config["news"]["seen"].as_integer(), Some(3));
    let spend = &kept["spend"];
    assert_eq!(spend["per_week"].as_integer(), Some(70), "{spend}");
    assert!(spend.get("per_day").is_some(), "{spend}");
    let credentials = read("credentials.toml");
    assert!(credentials.contains("of a later version"), "{credentials}");
    shell.svc(&["profile", "remove", "wordbot", "--yes"]).ok();
    let (config, credentials) = (read("config.toml"), read("credentials.toml"));
    assert!(!config.contains("wordbot") && config.contains("[news]"), "{config}");
    assert!(!credentials.contains("of a later version"), "{credentials}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_can_not_be_saved_ends() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    let sessions = || {
        let answer = shell.svc(&["sessions", "list", "--profile", "ada", "--json"]).json();
        answer["sessions"].as_array().unwrap().len()
    };
    let before = sessions();
    let line = ["login", "ada", "--password-stdin", "--profile", "wordbot", "--json"];
    let error = shell.svc(&line).stdin(PASSWORD).fails(5);
    assert_eq!(error["code"], "profile_exists");
    let hint = "name a new one with --profile, or svc --profile wordbot profile remove wordbot";
    assert_eq!(error["hint"], hint);
    assert_eq!(sessions(), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_app_on_another_server_takes_over_no_profile() {
    let shell = Shell::with_agent().await;
    let elsewhere = Shell::start().await;
    let there = elsewhere.server.url();
    let register = |line: &[&str]| {
        let rest = ["--website", "https://gate.example", "--json"];
        shell.svc(&[&["developer", "register"][..], line, &rest].concat())
    };
    // The profile would be named after the app.
    let error = register(&["Wordbot"]).env("SVC_URL", &there).fails(5);
    assert_eq!(error["code"], "profile_exists");
    let error = register(&["Gate", "--profile", "wordbot", "--url", &there]).fails(5);
    assert_eq!(error["code"], "profile_exists");
    let profiles = shell.svc(&["profile", "list", "--json"]).json();
    assert_eq!(profiles[0]["url"], shell.server.url().as_str(), "{profiles}");
    register(&["Wordbot", "--profile", "gate"]).env("SVC_URL", &there).ok();
}
