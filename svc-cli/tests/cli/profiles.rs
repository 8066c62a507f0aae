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
