//! Where settings come from, and the commands that only print.

use std::fs;
use std::process::Command;

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

/// Defaults that operators, accounts and programs rely on.
const DEFAULTS: &[(&str, &str)] = &[
    ("listen", "127.0.0.1:8787"),
    ("mqtt_listen", "127.0.0.1:1883"),
    ("metrics_listen", "off"),
    ("data_dir", "./svc-data"),
    ("log", "info"),
    ("dev", "false"),
    ("database.group_max", "256"),
    ("database.replica_lag_max", "2s"),
    ("limits.budgets", "true"),
    ("limits.dm_per_peer", "60/1h"),
    ("limits.body_bytes", "1048576"),
    ("limits.head_timeout", "10s"),
    ("limits.request_timeout", "15s"),
    ("limits.new.writes", "60/1h"),
    ("limits.new.bytes", "8388608/1d"),
    ("limits.new.messages", "30/1h"),
    ("limits.new.strangers", "5/1d"),
    ("limits.new.deals", "10/1h"),
    ("limits.new.unfunded", "2"),
    ("limits.new.apps", "2"),
    ("limits.new.invites", "0"),
    ("limits.established.writes", "600/1h"),
    ("limits.established.bytes", "67108864/1d"),
    ("limits.established.messages", "300/1h"),
    ("limits.established.strangers", "50/1d"),
    ("limits.established.deals", "100/1h"),
    ("limits.established.unfunded", "10"),
    ("limits.established.apps", "10"),
    ("limits.established.invites", "5"),
    ("limits.trusted.writes", "3000/1h"),
    ("limits.trusted.bytes", "536870912/1d"),
    ("limits.trusted.messages", "2000/1h"),
    ("limits.trusted.strangers", "500/1d"),
    ("limits.trusted.deals", "1000/1h"),
    ("limits.trusted.unfunded", "50"),
    ("limits.trusted.apps", "50"),
    ("limits.trusted.invites", "20"),
    ("limits.apps.count", "5"),
    ("limits.apps.window", "1h"),
    ("limits.mails.per_account", "3"),
    ("limits.mails.window", "1h"),
    ("limits.mqtt.connections", "10000"),
    ("limits.mqtt.connections_per_account", "10"),
    ("limits.mqtt.publishes_per_second", "20"),
    ("limits.mqtt.refused_per_address", "30"),
    ("limits.posts.free_window", "30m"),
    ("limits.posts.boost_window", "30m"),
    ("limits.posts.pro_window", "10m"),
    ("limits.resets.count", "5"),
    ("limits.resets.window", "1h"),
    ("limits.sign_in.account_failures", "5"),
    ("limits.sign_in.account_window", "15m"),
    ("limits.sign_in.address_failures", "30"),
    ("limits.sign_in.address_window", "5m"),
    ("limits.sign_in.everywhere_failures", "20"),
    ("limits.sign_in.everywhere_window", "1h"),
    ("limits.sign_up.count", "5"),
    ("limits.sign_up.window", "30m"),
    ("limits.uploads.count", "0"),
    ("retention.idempotency", "24h"),
    ("retention.events", "7d"),
    ("retention.deliveries", "30d"),
    ("accounts.erase_after", "14d"),
    ("backup.horizon", "35d"),
    ("signup.mode", "open"),
    ("signup.proof", "false"),
    ("api.strict", "declared"),
    ("cors.origins", "*"),
    ("exchange.signup_grant", "0"),
    ("exchange.request_life", "24h"),
    ("exchange.review_window", "72h"),
    ("billing.currency", "usd"),
    ("billing.tax", "false"),
    ("billing.allow_test", "false"),
    ("billing.stripe.poll", "15m"),
    ("credits.price", "0.01"),
    ("credits.min", "500"),
    ("credits.max", "100000"),
    ("credits.refund_window", "14d"),
    ("credits.buy_per_day", "50 500 5000"),
    ("x402.confirmations", "3"),
    ("pro.price", "9.99"),
    ("pro.grace", "7d"),
    ("payouts.enabled", "false"),
    ("payouts.min", "50"),
    ("payouts.hold", "14d"),
    ("payouts.reserve", "10"),
    ("payouts.review", "true"),
    ("oauth.registration", "true"),
    ("webhooks.allow_loopback", "false"),
    ("webhooks.connect_timeout", "5s"),
    ("webhooks.timeout", "15s"),
    ("webhooks.retries", "5s 30s 2m 10m 30m 2h 5h 10h 14h 20h 20h"),
    ("webhooks.sends", "256"),
    ("webhooks.sends_per_account", "32"),
    ("webhooks.sends_per_webhook", "4"),
    ("session.life", "30d"),
    ("session.idle", "7d"),
    ("broker.url", "embedded"),
    ("broker.internal_listen", "off"),
];

/// What is off until it is set.
const OFF: &[&str] = &[
    "exchange.dispute_timeout",
    "security.contact",
    "legal.imprint",
    "legal.privacy",
    "legal.terms",
    "mail.url",
    "trace.endpoint",
    "webhooks.proxy",
    "webhooks.allow_networks",
    "search.embedder",
    "links.google.client_id",
    "links.x.client_id",
    "billing.stripe.key_file",
    "passes.boost",
    "passes.pro",
    "payouts.rate",
    "x402.facilitator",
    "broker.internal_secret",
    "trusted_proxies",
];

/// The setting with this key as text; parts of a list are separated by spaces.
fn value_of(settings: &toml::Table, key: &str) -> String {
    let (path, name) = key.rsplit_once('.').unwrap_or(("", key));
    let mut table = settings;
    for part in path.split('.').filter(|part| !part.is_empty()) {
        table = table[part].as_table().unwrap();
    }
    match &table[name] {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(items) => {
            let texts: Vec<&str> = items.iter().map(|item| item.as_str().unwrap()).collect();
            texts.join(" ")
        }
        other => other.to_string(),
    }
}

#[test]
fn defaults_are_those_of_the_contract() {
    let defaults = shown(config::DEFAULT);
    for (key, expected) in DEFAULTS {
        assert_eq!(value_of(&defaults, key), *expected, "{key}");
    }
    for key in OFF {
        assert_eq!(value_of(&defaults, key), "", "{key}");
    }
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
    let contact = "security.contact=mailto:security@example.org";
    let sets = [&sets[..], &["--set", mail, "--set", from, "--set", contact]].concat();
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
    assert_eq!(settings["security"]["contact"].as_str(), Some("mailto:security@example.org"));
    assert!(!printed.contains("hunter2") && !printed.contains("c2VjcmV0"));
    fs::write(place.path("svc.toml"), "[mail]\nurl = smtps://svc:hunter2@mail.example.org\n")
        .unwrap();
    let message = place.refused(&["config", "--config", "svc.toml"]);
    assert!(message.contains("svc.toml: line 2: ") && !message.contains("hunter2"), "{message}");
}

#[test]
fn each_flag_and_each_variable_sets_its_setting() {
    let place = Place::new();
    let texts = [
        ("--listen", "SVC_LISTEN", "listen", "127.0.0.1:1"),
        ("--mqtt-listen", "SVC_MQTT_LISTEN", "mqtt_listen", "127.0.0.1:2"),
        ("--mqtt-tls-cert", "SVC_MQTT_TLS_CERT", "mqtt_tls_cert", "cert.pem"),
        ("--mqtt-tls-key", "SVC_MQTT_TLS_KEY", "mqtt_tls_key", "key.pem"),
        ("--data-dir", "SVC_DATA_DIR", "data_dir", "elsewhere"),
        ("--database-url", "SVC_DATABASE_URL", "database_url", "sqlite:other.db"),
        ("--public-url", "SVC_PUBLIC_URL", "public_url", "https://svc.example.org"),
        ("--metrics-listen", "SVC_METRICS_LISTEN", "metrics_listen", "127.0.0.1:3"),
        ("--log", "SVC_LOG", "log", "warn"),
    ];
    let switches = [
        ("--allow-loopback-webhooks", "SVC_ALLOW_LOOPBACK_WEBHOOKS", "webhooks.allow_loopback"),
        ("--dev", "SVC_DEV", "dev"),
    ];
    let program = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
        command.env_clear().current_dir(place.path("")).arg("config");
        command
    };
    let in_force = |command: &mut Command| {
        let output = command.output().unwrap();
        shown(std::str::from_utf8(&output.stdout).unwrap())
    };
    let (mut by_flags, mut by_variables) = (program(), program());
    for (flag, variable, _, value) in texts {
        by_flags.args([flag, value]);
        by_variables.env(variable, value);
    }
    for (flag, variable, _) in switches {
        by_flags.arg(flag);
        by_variables.env(variable, "1");
    }
    for command in [&mut by_flags, &mut by_variables] {
        let settings = in_force(command);
        for (flag, _, key, value) in texts {
            assert_eq!(value_of(&settings, key), value, "{flag}");
        }
        for (flag, _, key) in switches {
            assert_eq!(value_of(&settings, key), "true", "{flag}");
        }
    }
    let broker = "mqtt://svc:hush@127.0.0.1:1883";
    for command in [program().args(["--broker", broker]), program().env("SVC_BROKER", broker)] {
        assert_eq!(value_of(&in_force(command), "broker.url"), "[redacted]", "it is not embedded");
    }
}

#[test]
fn a_flag_beats_the_environment_beats_the_file_beats_the_default() {
    let place = Place::new();
    fs::write(place.path("svc.toml"), "log = \"file\"\nmetrics_listen = \"127.0.0.1:1\"\n")
        .unwrap();
    let log = |command: &mut Command| {
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
    let words = [("", false), ("0", false), ("false", false), ("1", true), ("true", true)];
    for (word, is_on) in words {
        let output = place.program().arg("config").env("SVC_DEV", word).output().unwrap();
        let settings = shown(std::str::from_utf8(&output.stdout).unwrap());
        assert_eq!(settings["dev"].as_bool(), Some(is_on), "{word}");
    }
    fs::write(place.path("svc.toml"), "dev = true\n[webhooks]\nallow_loopback = true\n").unwrap();
    for (word, is_on) in [("", true), ("false", false)] {
        let mut program = place.program();
        program.args(["config", "--config", "svc.toml"]).env("SVC_DEV", word);
        let output = program.env("SVC_ALLOW_LOOPBACK_WEBHOOKS", word).output().unwrap();
        let settings = shown(std::str::from_utf8(&output.stdout).unwrap());
        let loopback = settings["webhooks"]["allow_loopback"].as_bool();
        assert_eq!((settings["dev"].as_bool(), loopback), (Some(is_on), Some(is_on)), "{word}");
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
        ("database.group_max=0", "database.group_max must be at least 1"),
        ("database.connections=0", "database.connections must be at least 1"),
        ("database.queue_max=0", "database.queue_max must be at least 1"),
        ("database.read_time_ms=0", "database.read_time_ms must be at least 1"),
        ("webhooks.sends=0", "webhooks.sends must be at least 1"),
        ("webhooks.sends_per_account=0", "webhooks.sends_per_account must be at least 1"),
        ("webhooks.sends_per_webhook=0", "webhooks.sends_per_webhook must be at least 1"),
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
fn the_committed_documents_are_those_that_are_printed() {
    for document in ["openapi", "asyncapi"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi");
        let committed = fs::read_to_string(format!("{folder}/{document}.json")).unwrap();
        assert_eq!(Place::new().run(&[document]), committed);
    }
}

#[test]
fn tables_are_created_and_found_up_to_date() {
    let place = Place::new();
    for _ in 0..2 {
        assert_eq!(place.run(&["migrate"]), "the tables are up to date\n");
    }
    assert!(place.path("data/svc.db").exists());
}
