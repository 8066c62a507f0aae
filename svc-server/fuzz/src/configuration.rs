//! Files of settings, and settings of the command line.
//!
//! An input is a file in TOML, a line `---`, and lines `key=text`.

use std::fs;
use std::sync::LazyLock;

use svc_core::config::{self, Config, DEFAULT, Overrides};
use tempfile::TempDir;
use toml::Table;

use crate::text::text;

/// The name of the file, by which a refusal may call it.
const FILE: &str = "svc.toml";

pub(crate) fn judge(input: &[u8]) {
    let text = text(input);
    let (file, given) = text.split_once("\n---\n").unwrap_or((&text, ""));
    let pairs = given.lines().filter_map(|line| line.split_once('='));
    let overrides: Overrides = pairs.map(|(key, text)| (key.to_owned(), text.to_owned())).collect();
    let folder = TempDir::new().expect("there is a folder");
    let path = folder.path().join(FILE);
    fs::write(&path, file).expect("a file can be written");
    if let Err(error) = Config::load(Some(&path), &overrides) {
        return judge_refusal(&error.to_string());
    }
    let shown = config::show(Some(&path), &overrides).expect("settings in force can be shown");
    assert!(shown.parse::<Table>().is_ok(), "{shown}");
    if shown.contains("[redacted]") {
        return;
    }
    fs::write(&path, &shown).expect("a file can be written");
    let again = config::show(Some(&path), &Vec::new());
    assert_eq!(again.as_deref(), Ok(&*shown), "it is all that is set");
}

/// A refusal names the file or a setting.
fn judge_refusal(message: &str) {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let table: Table = DEFAULT.parse().expect("the defaults are TOML");
        let mut names = Vec::new();
        collect(&table, &mut names);
        names
    });
    let is_named = message.contains(FILE)
        || message.starts_with("unknown setting ")
        || NAMES.iter().any(|name| message.contains(name.as_str()));
    assert!(is_named, "{message}");
}

fn collect(table: &Table, names: &mut Vec<String>) {
    for (name, value) in table {
        names.push(name.clone());
        if let Some(below) = value.as_table() {
            collect(below, names);
        }
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        "listen = \"127.0.0.1:8080\"\ndev = true\n[limits]\nbody_bytes = 100000\n[limits.sign_up]\ncount = 3\n\n---\nlog=debug\nretention.events=30d",
        "public_url = \"https://a.example\"\ntrusted_proxies = [\"127.0.0.1\", \"::1\"]\n[broker]\nurl = \"mqtts://b.example\"\n",
        "\n---\ndatabase_url=postgres://u:p@h/d?sslmode=require\ndatabase.connections=4\nstop.delay=10s",
        "\n---\ncors.origins=https://a.example\nmail.url=smtp://127.0.0.1:25\nsignup.mode=invite\nexchange.signup_grant=1.5",
        "\n---\nx402.network=eip155:1\npayouts.rate=0.01\nlimits.messages.count=2147483648",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}
