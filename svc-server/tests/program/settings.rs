//! Where settings come from, and the commands that only print.

use std::fs;

use svc_core::config;

use crate::process::{Place, refused};

/// The settings in force as the program prints them.
fn shown(text: &str) -> toml::Table {
    text.parse().unwrap()
}

#[test]
fn the_defaults_are_printed_with_their_explanations() {
    let printed = Place::new().run(&["config", "--default"]);
    assert_eq!(printed, config::DEFAULT);
}

#[test]
fn the_settings_in_force_are_printed_without_secrets() {
    let place = Place::new();
    let url = "postgres://svc:hunter2@localhost/svc";
    let keys = "exchange.sealing_keys=[\"c2VjcmV0\"]";
    let proxy = "webhooks.proxy=http://user:hunter2@egress:3128";
    let broker = "broker.url=mqtt://svc:hunter2@broker:1883";
    let secret = "broker.internal_secret=hunter2hunter2hunter2hunter2hunter2";
    let sets = ["--set", "limits.body_bytes=99", "--set", keys, "--set", proxy];
    let sets = [&sets[..], &["--set", broker, "--set", secret]].concat();
    let mail = "mail.url=smtps://svc:hunter2@mail.example.org";
    let from = "mail.from=svc@example.org";
    let sets = [&sets[..], &["--set", mail, "--set", from]].concat();
    let printed = place.run(&[&["config", "--database-url", url][..], &sets].concat());
    let settings = shown(&printed);
    assert_eq!(settings["limits"]["body_bytes"].as_integer(), Some(99));
    assert_eq!(settings["data_dir"].as_str(), place.path("data").to_str());
    assert_eq!(settings["database_url"].as_str(), Some("[redacted]"));
    assert_eq!(settings["exchange"]["sealing_keys"][0].as_str(), Some("[redacted]"));
    assert_eq!(settings["webhooks"]["proxy"].as_str(), Some("[redacted]"));
    assert_eq!(settings["broker"]["url"].as_str(), Some("[redacted]"));
    assert_eq!(settings["mail"]["url"].as_str(), Some("[redacted]"));
    assert_eq!(settings["mail"]["from"].as_str(), Some("svc@example.org"));
    assert!(!printed.contains("hunter2") && !printed.contains("c2VjcmV0"));
    fs::write(place.path("svc.toml"), "[mail]\nurl = smtps://svc:hunter2@mail.example.org\n")
        .unwrap();
    let message = place.refused(&["config", "--config", "svc.toml"]);
    assert!(message.contains("svc.toml: line 2: ") && !message.contains("hunter2"), "{message}");
}

#[test]
fn a_flag_beats_the_environment_beats_the_file_beats_the_default() {
    let place = Place::new();
    fs::write(place.path("svc.toml"), "log = \"file\"\nmetrics_listen = \"127.0.0.1:1\"\n")
        .unwrap();
    let log = |command: &mut std::process::Command| {
        let output = command.arg("config").output().unwrap();
        let settings = shown(std::str::from_utf8(&output.stdout).unwrap());
        settings["log"].as_str().unwrap().to_owned()
    };
    assert_eq!(log(&mut place.program()), "info");
    assert_eq!(log(place.program().args(["--config", "svc.toml"])), "file");
    assert_eq!(log(place.program().env("SVC_CONFIG", "svc.toml")), "file");
    let with_variable = || {
        let mut command = place.program();
        command.args(["--config", "svc.toml"]).env("SVC_LOG", "environment");
        command
    };
    assert_eq!(log(&mut with_variable()), "environment");
    assert_eq!(log(with_variable().args(["--log", "flag"])), "flag");
    assert_eq!(log(with_variable().args(["--log", "flag", "--set", "log=set"])), "set");
}

#[test]
fn a_variable_of_a_setting_that_has_none_is_refused() {
    let place = Place::new();
    let ignored = |command: &str, variable: &str| {
        refused(place.program().arg(command).env(variable, "closed"))
    };
    let message = ignored("config", "SVC_SIGNUP_MODE");
    assert!(message.contains("SVC_SIGNUP_MODE is not read: give signup.mode in"), "{message}");
    let message = ignored("audit", "SVC_TRUSTED_PROXIES");
    assert!(message.contains("by --set trusted_proxies="), "{message}");
    let mut others = place.program();
    others.arg("config").env("SVC_SIGNUP_MODE", "").env("SVC_URL", "http://127.0.0.1:1");
    assert!(others.output().unwrap().status.success(), "they are of other programs, or empty");
}

#[test]
fn a_variable_of_a_switch_may_say_that_it_is_off() {
    let place = Place::new();
    for (word, is_on) in [("0", false), ("false", false), ("1", true), ("true", true)] {
        let output = place.program().arg("config").env("SVC_DEV", word).output().unwrap();
        let settings = shown(std::str::from_utf8(&output.stdout).unwrap());
        assert_eq!(settings["dev"].as_bool(), Some(is_on), "{word}");
    }
    assert!(refused(place.program().arg("config").env("SVC_DEV", "so")).contains("'so'"));
    assert!(refused(place.program().env("SVC_DEMO", "1")).contains("--demo needs --dev"));
}

#[test]
fn an_unknown_setting_names_the_nearest_known_one() {
    let place = Place::new();
    fs::write(place.path("svc.toml"), "[limits.posts]\nfree_windw = \"1s\"\n").unwrap();
    let message = place.refused(&["config", "--config", "svc.toml"]);
    let expected =
        "unknown setting limits.posts.free_windw, did you mean limits.posts.free_window?";
    assert!(message.contains("svc.toml") && message.contains(expected), "{message}");
    let message = place.refused(&["config", "--set", "databse.readers=1"]);
    assert!(message.contains("databse.readers, did you mean database?"), "{message}");
}

#[test]
fn a_wrong_setting_is_reported_before_anything_is_created() {
    let place = Place::new();
    for wrong in [
        "listen=here",
        "retention.idempotency=1h",
        "retention.notifications=1d",
        "database_url=mysql://x",
        "cors.origins=https://app.example.org/",
        "api.strict=most",
        "dev",
    ] {
        let message = place.refused(&["serve", "--set", wrong]);
        assert!(!message.contains("panicked"), "{message}");
    }
    for (wrong, right) in [
        ("listen=localhost:8787", "an IP address with a port, such as 127.0.0.1:8787"),
        ("trusted_proxies=10.0.0.0/8", "IP addresses, not names or networks, such as 10.0.0.2"),
        ("limits.connections=0", "limits.connections must be at least 1"),
        ("limits.sign_in.account_failures=0", "limits.sign_in.account_failures must be at least 1"),
    ] {
        let message = place.refused(&["serve", "--set", wrong]);
        let name = wrong.split_once('=').unwrap().0;
        assert!(message.contains(name) && message.contains(right), "{message}");
    }
    assert!(!place.path("data").exists());
    assert!(refused(place.program().arg("--no-such-flag")).contains("--no-such-flag"));
}

#[test]
fn the_committed_document_is_the_one_that_is_printed() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/openapi.json");
    assert_eq!(Place::new().run(&["openapi"]), fs::read_to_string(committed).unwrap());
}

#[test]
fn tables_are_created_and_found_up_to_date() {
    let place = Place::new();
    for _ in 0..2 {
        assert_eq!(place.run(&["migrate"]), "the tables are up to date\n");
    }
    assert!(place.path("data/svc.db").exists());
}
