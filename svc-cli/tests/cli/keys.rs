//! Profiles and keys: which one is used, where it goes, how it is kept, and what it may do.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use serde_json::json;
use totp_rs::{Builder, Secret};

use crate::place::Place;
use crate::shell::{PASSWORD, Shell, typed};

#[tokio::test(flavor = "multi_thread")]
async fn flag_beats_environment_beats_profile() {
    let shell = Shell::with_agent().await;
    for name in ["second", "third"] {
        shell.svc(&["signup", name, "--agent"]).ok();
    }
    let key = shell.key("third");
    let who = |line: &[&str], variables: &[(&str, &str)]| {
        let mut typed = shell.svc(&[&["whoami", "--json"], line].concat());
        for (name, value) in variables {
            typed = typed.env(name, value);
        }
        typed.json()["user"]["username"].as_str().unwrap().to_owned()
    };
    assert_eq!(who(&[], &[]), "wordbot");
    assert_eq!(who(&[], &[("SVC_PROFILE", "second")]), "second");
    assert_eq!(who(&[], &[("SVC_PROFILE", "second"), ("SVC_API_KEY", &key)]), "third");
    assert_eq!(who(&["--profile", "wordbot"], &[("SVC_API_KEY", &key)]), "wordbot");
    shell.svc(&["profile", "use", "second"]).ok();
    assert_eq!(who(&[], &[]), "second");
    let url = shell.server.url();
    assert_eq!(who(&["--url", &url], &[("SVC_URL", "http://127.0.0.1:1/api")]), "second");
    let line = ["whoami", "--profile", "wordbot", "--json"];
    let typed = shell.svc(&line).env("SVC_URL", "http://127.0.0.1:1/api");
    assert_eq!(typed.json()["user"]["username"], "wordbot", "a named profile brings its URL");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_of_the_environment_beats_the_session_of_a_profile() {
    let shell = Shell::with_agent().await;
    shell.person("ada");
    shell.svc(&["login", "ada", "--password-stdin"]).stdin(PASSWORD).ok();
    shell.svc(&["profile", "use", "ada"]).ok();
    let whoami = || shell.svc(&["whoami", "--json"]);
    assert_eq!(whoami().json()["authMethod"], "session");
    let key = shell.key("wordbot");
    let key_counts = || {
        let by_key = whoami().env("SVC_API_KEY", &key).json();
        assert_eq!(
            (&by_key["user"]["username"], &by_key["authMethod"]),
            (&json!("wordbot"), &json!("api_key"))
        );
    };
    key_counts();
    keep_tokens(&shell);
    key_counts();
}

/// Adds tokens of a sign-in by a browser to the profile of ada.
fn keep_tokens(shell: &Shell) {
    let path = shell.folder.path().join("credentials.toml");
    let tokens = "access = \"svc_at_x\"\nrefresh = \"svc_rt_x\"\nexpires_at = 9999999999\n";
    let stored = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{stored}\n[ada.oauth]\n{tokens}")).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn profiles_are_where_the_system_keeps_settings() {
    let shell = Shell::start().await;
    for (variable, below, name) in
        [("XDG_CONFIG_HOME", "svc", "one_bot"), ("HOME", ".config/svc", "other_bot")]
    {
        let base = shell.folder.path().join(variable);
        let typed = shell.svc(&["signup", name, "--agent"]).env("SVC_CONFIG_DIR", "");
        typed.env(variable, base.to_str().unwrap()).ok();
        assert!(base.join(below).join("credentials.toml").is_file(), "{variable}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_not_sent_to_a_foreign_url() {
    let shell = Shell::with_agent().await;
    let place = Place::empty();
    for line in [&["--url", &place.url][..], &["--url", &place.url, "--profile", "wordbot"]] {
        let read = [&["read", "post_1", "--json"], line].concat();
        shell.svc(&read).fails(3);
        let whoami = [&["whoami", "--json"], line].concat();
        assert_eq!(shell.svc(&whoami).fails(4)["code"], "no_key");
    }
    let variable = shell.svc(&["read", "post_1", "--json"]).env("SVC_URL", &place.url);
    variable.fails(3);
    let paired = shell.svc(&["read", "post_1", "--json", "--url", &place.url]);
    paired.env("SVC_API_KEY", "svc_ak_of_the_server").fails(3);
    let received = place.received();
    assert_eq!(received.len(), 4, "the anonymous reads: {received:?}");
    for request in received {
        assert!(!request.to_lowercase().contains("authorization"), "{request}");
    }
}

#[test]
fn a_key_without_its_url_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["SVC_API_KEY", "SVC_DEVELOPER_KEY"] {
        let error = typed(&folder, &["whoami", "--json"]).env(name, "svc_ak_x").fails(2);
        assert!(error["error"].as_str().unwrap().contains("need SVC_URL"), "{error}");
    }
    let place = Place::empty();
    let line = ["read", "post_1", "--json", "--url", &place.url];
    typed(&folder, &line).env("SVC_API_KEY", "svc_ak_x").fails(3);
    assert!(place.received()[0].contains("authorization: Bearer svc_ak_x"));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_their_owner_may_read_stored_keys() {
    let shell = Shell::with_agent().await;
    let path = shell.folder.path().join("credentials.toml");
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    shell.svc(&["profile", "use", "wordbot"]).ok();
    assert_eq!(mode(&path), 0o600, "the file is replaced, not overwritten");
    let left: Vec<_> = std::fs::read_dir(shell.folder.path()).unwrap().collect();
    assert_eq!(left.len(), 3, "both files and the lock, no draft: {left:?}");
    let created = shell.folder.path().join("created");
    let line = ["signup", "second", "--agent"];
    shell.svc(&line).env("SVC_CONFIG_DIR", created.to_str().unwrap()).ok();
    assert_eq!(mode(&created), 0o700, "its folder, too");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fresh_key_that_can_not_be_kept_is_shown_once() {
    let shell = Shell::start().await;
    let line = ["signup", "wordbot", "--agent"];
    // What is in the way of the draft can't be removed like a file.
    std::fs::create_dir(shell.folder.path().join("credentials.toml.new")).unwrap();
    let ended = shell.svc(&line).run().ends_with(1);
    assert!(ended.stderr.contains("shown only once"), "{ended:?}");
    let whoami = shell.svc(&["whoami", "--json"]).env("SVC_API_KEY", ended.stdout.trim());
    assert_eq!(whoami.json()["user"]["username"], "wordbot");
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_at_once_lose_no_profile() {
    let shell = Shell::start().await;
    let names = ["wordbot", "second", "third", "fourth", "fifth"];
    std::thread::scope(|scope| {
        for name in names {
            scope.spawn(|| shell.svc(&["signup", name, "--agent"]).ok());
        }
    });
    for name in names {
        shell.svc(&["whoami", "--profile", name]).ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_signs_in_by_password_and_out_again() {
    let shell = Shell::start().await;
    shell.person("ada");
    let key = shell.key("ada");
    shell.svc(&["profile", "remove", "ada", "--yes"]).ok();
    let line = ["login", "ada@example.org", "--password-stdin"];
    shell.svc(&line).stdin(PASSWORD).ok();
    let session = shell.svc(&["whoami", "--json"]).json();
    assert_eq!(session["authMethod"], "session");
    shell.svc(&["post", "by cookie"]).ok();
    shell.svc(&["logout"]).ok();
    shell.svc(&["whoami", "--json"]).fails(4);
    shell.svc(&["login", "--password-stdin"]).stdin(PASSWORD).ok();
    shell.svc(&["whoami"]).ok();
    let sessions = shell.svc(&["sessions", "list"]).ok();
    assert_eq!(sessions.lines().count(), 2, "of the sign-up, and this one: {sessions}");
    let by_key = shell.svc(&["login", "--with-key", "--profile", "keyed"]).stdin(&key);
    by_key.ok();
    let line = ["whoami", "--profile", "keyed", "--json"];
    assert_eq!(shell.svc(&line).json()["authMethod"], "api_key");
    assert_eq!(shell.key("keyed"), key);
    shell.svc(&["login", "--with-key", "--json"]).stdin("svc_ak_wrong").fails(4);
    let none = shell.svc(&["login", "--with-key", "--json"]).stdin("").fails(2);
    assert_eq!(none["error"], "no key was given");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_latest_sign_in_counts() {
    let shell = Shell::start().await;
    shell.person("ada");
    let key = shell.svc(&["call", "regenerate-api-key", "--yes", "--json"]).json();
    shell.svc(&["whoami", "--json"]).fails(4);
    shell.svc(&["login", "--password-stdin"]).stdin(PASSWORD).ok();
    assert_eq!(shell.svc(&["whoami", "--json"]).json()["authMethod"], "session");
    shell.svc(&["api", "GET", "/users/me", "--json"]).json();
    // Tokens of a browser that signed in before are given up, too.
    keep_tokens(&shell);
    shell.svc(&["login", "--with-key"]).stdin(key["apiKey"].as_str().unwrap()).ok();
    assert_eq!(shell.svc(&["whoami", "--json"]).json()["authMethod"], "api_key");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_profile_goes_where_the_current_one_is() {
    let shell = Shell::with_agent().await;
    let signup = typed(&shell.folder, &["signup", "second", "--agent", "--profile", "two"]);
    signup.ok();
    let whoami = typed(&shell.folder, &["whoami", "--profile", "two", "--json"]).json();
    assert_eq!(whoami["user"]["username"], "second");
}

#[tokio::test(flavor = "multi_thread")]
async fn profiles_are_listed_without_their_keys() {
    let shell = Shell::with_agent().await;
    let url = shell.server.url();
    let list = shell.svc(&["profile", "list"]).ok();
    assert_eq!(list, format!("* wordbot  @wordbot  {url}  key\n"));
    let expected = json!([{
        "name": "wordbot", "url": url, "username": "wordbot", "current": true,
        "credentials": ["key"],
    }]);
    assert_eq!(shell.svc(&["profile", "list", "--json"]).json(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_gets_the_keys_of_the_profile_only() {
    let shell = Shell::with_agent().await;
    let line = ["exec", "--profile", "wordbot", "--", "sh", "-c"];
    let script = "echo $SVC_URL $SVC_API_KEY ${SVC_DEVELOPER_KEY-none}";
    let printed = shell.svc(&[&line[..], &[script]].concat());
    let printed = printed.env("SVC_API_KEY", "svc_ak_x").env("SVC_DEVELOPER_KEY", "svc_dk_x").ok();
    let (url, key) = (shell.server.url(), shell.key("wordbot"));
    assert_eq!(printed, format!("{url} {key} none\n"));
    shell.svc(&[&line[..], &["exit 42"]].concat()).run().ends_with(42);
    let lost = shell.svc(&["exec", "--json", "--", "no-such-program"]).fails(1);
    assert_eq!(lost["code"], "exec");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_gets_the_limits_of_the_profile() {
    let shell = Shell::with_agent().await;
    shell.svc(&["profile", "limit", "--per-day", "50", "--per-order", "2.5"]).ok();
    let script = "echo $SVC_MAX_CREDITS_PER_DAY $SVC_MAX_CREDITS_PER_ORDER";
    let run = || shell.svc(&["exec", "--", "sh", "-c", script]);
    assert_eq!(run().ok(), "50 2.5\n");
    // A variable beats the profile, as it does in every command.
    assert_eq!(run().env("SVC_MAX_CREDITS_PER_DAY", "7").ok(), "7 2.5\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_url_is_the_same_with_and_without_api() {
    let shell = Shell::with_agent().await;
    let (url, key) = (shell.server.url(), shell.key("wordbot"));
    let root = url.strip_suffix("/api").unwrap();
    for end in ["", "/", "/api", "/api/"] {
        let named = format!("{root}{end}");
        let by = |line: &[&str]| shell.svc(line).env("SVC_URL", &named);
        by(&["whoami"]).ok();
        by(&["whoami"]).env("SVC_API_KEY", &key).ok();
        shell.svc(&["whoami", "--url", &named]).env("SVC_URL", "http://127.0.0.1:1").ok();
        // A child is given one form, whatever was typed.
        let printed = by(&["exec", "--", "printenv", "SVC_URL"]).ok();
        assert_eq!(printed.trim(), url);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_key_has_a_hint_of_where_another_comes_from() {
    let shell = Shell::start().await;
    let error = shell.svc(&["whoami", "--json"]).env("SVC_API_KEY", "svc_ak_x").fails(4);
    let hint = error["hint"].as_str().unwrap();
    assert!(hint.contains("wrong or was replaced: svc login --with-key"), "{hint}");
    assert!(!hint.contains("Bearer"), "{hint}");
    // The key is not at fault: a new one would revoke one that works.
    shell.person("ada");
    let line = ["login", "ada", "--password-stdin", "--json"];
    let password = shell.svc(&line).stdin("wrong horse").fails(4);
    let hint = password["hint"].as_str().unwrap();
    assert!(hint.starts_with("type it again; ") && hint.contains("password reset"), "{hint}");
    shell.svc(&["developer", "register", "Gate", "--website", "https://gate.example.org"]).ok();
    let token = shell.svc(&["identity", "verify", "svc_id_x", "--json"]).fails(4);
    assert_eq!(token["hint"], "refuse the agent, which has to create another token");
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_created_listed_edited_and_revoked() {
    let shell = Shell::with_agent().await;
    let created = shell.svc(&["keys", "create", "reader", "read,dm", "--expires-in", "7d"]).ok();
    let (key, rest) = created.split_once('\n').unwrap_or((&created, ""));
    assert!(key.starts_with("svc_ak_") && rest.is_empty(), "{created}");
    let id = key.get(7..19).unwrap();
    let own = |line: &[&str]| shell.svc(line).env("SVC_API_KEY", key);
    let current = own(&["keys", "current"]).ok();
    assert!(current.starts_with(&format!("{id}  reader  read,dm  expires ")), "{current}");
    let listed = shell.svc(&["keys", "list"]).ok();
    assert!(listed.contains("  default  every scope  "), "{listed}");
    assert!(listed.contains(&format!("{id}  reader  read,dm")), "{listed}");
    let refused = own(&["post", "hello", "--json"]).fails(4);
    assert_eq!(refused["code"], "insufficient_scope");
    assert_eq!(refused["hint"], "use a key with this scope; create one with svc keys create");
    let edited = shell.svc(&["keys", "edit", id, "--scopes", "write", "--name", "writer"]).ok();
    assert!(edited.starts_with(&format!("{id}  writer  write")), "{edited}");
    own(&["post", "hello"]).ok();
    assert_eq!(shell.svc(&["keys", "revoke", id, "--yes"]).ok().trim(), format!("revoked {id}"));
    assert_eq!(own(&["whoami", "--json"]).fails(4)["code"], "unauthorized");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_with_caps_shows_what_it_may_spend() {
    let shell = Shell::with_agent().await;
    let caps = r#"{ "perOrder": 5, "perDay": 20 }"#;
    shell.svc(&["keys", "create", "buyer", "exchange:spend", "--spend", caps]).ok();
    let listed = shell.svc(&["keys", "list"]).ok();
    assert!(listed.contains("  at most 5 an order, 0 of 20 spent in 24 h  never used"), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_found_in_public_is_reported_without_signing_in() {
    let shell = Shell::with_agent().await;
    let key = shell.svc(&["keys", "create", "leaked", "read"]).ok();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    std::fs::write(&file, key.trim()).unwrap();
    let argument = format!("@{}", file.display());
    shell.svc(&["keys", "report", &argument]).ok();
    let listed = shell.svc(&["keys", "list"]).ok();
    assert!(!listed.contains("leaked"), "{listed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_and_the_security_log_are_listed_and_sessions_end() {
    let shell = Shell::start().await;
    shell.person("ada");
    let listed = shell.svc(&["sessions", "list"]).ok();
    let id = listed.split("  ").next().unwrap();
    assert!(
        id.starts_with("ses_") && listed.contains(" from 127.0.0.0/24  last used "),
        "{listed}"
    );
    assert_eq!(
        shell.svc(&["sessions", "revoke", id, "--yes"]).ok().trim(),
        format!("revoked {id}")
    );
    assert_eq!(shell.svc(&["sessions", "list"]).ok().trim(), "no sessions");
    shell.svc(&["sessions", "revoke-others", "--yes"]).ok();
    let log = shell.svc(&["security", "log"]).ok();
    let actions = ["session ended  ses_", "signed in  ses_", "signed up  "];
    for (line, action) in log.lines().zip(actions) {
        assert!(line.contains(action) && line.ends_with("  from 127.0.0.0/24"), "{line}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_secures_an_account_is_done_after_a_confirmation() {
    let shell = Shell::start().await;
    shell.person("ada");
    shell.server.clock().advance(Duration::from_mins(10));
    let create = ["keys", "create", "reader", "read", "--json"];
    let refused = shell.svc(&create).fails(4);
    assert_eq!(refused["code"], "step_up_required");
    assert!(refused["hint"].as_str().unwrap().starts_with("svc step-up with"), "{refused}");
    shell.svc(&["step-up", "--password-stdin", "--json"]).stdin("wrong").fails(4);
    let confirmed = shell.svc(&["step-up", "--password-stdin"]).stdin(PASSWORD).ok();
    assert!(confirmed.starts_with("confirmed until "), "{confirmed}");
    shell.svc(&create).ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn passkeys_are_renamed_and_removed_by_id() {
    let shell = Shell::start().await;
    shell.person("ada");
    for line in [
        &["factors", "rename-passkey", "pky_none", "Phone", "--json"][..],
        &["factors", "remove-passkey", "pky_none", "--yes", "--json"],
    ] {
        let refused = shell.svc(line).fails(3);
        assert_eq!(refused["code"], "not_found", "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_factor_is_added_used_and_removed() {
    let shell = Shell::start().await;
    shell.person("ada");
    assert_eq!(shell.svc(&["factors", "show"]).ok(), "no second factor\n");
    let printed = shell.svc(&["factors", "show"]).run().stderr;
    assert!(
        printed.contains("to add a passkey, open /settings/security in a browser"),
        "{printed}"
    );
    let uri = shell.svc(&["factors", "add-totp"]).ok();
    let (_, secret) = uri.split_once("secret=").unwrap();
    let secret = Secret::try_from_base32(secret.split(['&', '\n']).next().unwrap()).unwrap();
    let totp = Builder::new().with_secret(secret).build().unwrap();
    let code = || {
        let seconds = shell.server.clock().now().as_millis() / 1000;
        totp.generate(seconds.unsigned_abs()).to_string()
    };
    let codes = shell.svc(&["factors", "confirm-totp", &code()]).ok();
    assert_eq!(codes.lines().count(), 10);
    let shown = shell.svc(&["factors", "show"]).ok();
    assert_eq!(shown, "authenticator app  10 recovery codes left\n");
    shell.svc(&["profile", "remove", "ada", "--yes"]).ok();
    let login = ["login", "ada", "--password-stdin", "--json"];
    let refused = shell.svc(&login).stdin(PASSWORD).fails(4);
    assert_eq!(refused["code"], "second_factor_required");
    assert!(refused["hint"].as_str().unwrap().starts_with("add --code CODE: "), "{refused}");
    shell.server.clock().advance(Duration::from_secs(30));
    let code = code();
    shell.svc(&[&login[..], &["--code", &code]].concat()).stdin(PASSWORD).ok();
    shell.svc(&["step-up", "--code", codes.lines().next().unwrap()]).ok();
    shell.svc(&["factors", "recovery-codes"]).ok();
    shell.svc(&["factors", "remove-totp", "--yes"]).ok();
    assert_eq!(shell.svc(&["factors", "show"]).ok(), "no second factor\n");
}
