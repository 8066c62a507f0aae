//! `svc login` without a name: a browser signs in, and the tokens are kept and renewed.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::Place;
use crate::shell::{PASSWORD, Shell, read_until, typed};

/// A browser that is signed in as this person.
struct Browser {
    root: String,
    cookie: String,
    http: reqwest::Client,
}

impl Browser {
    async fn of(shell: &Shell, name: &str) -> Self {
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let body = json!({ "username": name, "password": PASSWORD }).to_string();
        let login = http.post(format!("{}/auth/login", shell.server.url()));
        let login = login.header("content-type", "application/json").body(body);
        let answer = login.send().await.unwrap();
        let cookie = answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap();
        let root = shell.server.url().trim_end_matches("/api").to_owned();
        Self { root, cookie: cookie.to_owned(), http }
    }

    /// Decides about a device.
    async fn decide(&self, code: &str, decision: &str) {
        let form = format!("user_code={code}&decision={decision}&perOrder=10&perDay=50");
        let request = self.http.post(format!("{}/device", self.root)).body(form);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let request = request.header("sec-fetch-site", "same-origin");
        let answer = request.header("cookie", &self.cookie).send().await.unwrap();
        assert!(answer.status().is_success(), "{answer:?}");
    }
}

impl Shell {
    /// Signs in by a browser, which decides like this; whether the command succeeded.
    async fn login_by(&self, browser: &Browser, decision: &str) -> bool {
        let mut command = self.svc(&["login"]).command;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let said = read_until(&mut stderr, "/device\n");
        let code = said.split("or type ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(said.contains(&format!("open {}/device?user_code={code}", browser.root)), "{said}");
        browser.decide(code, decision).await;
        tokio::task::spawn_blocking(move || child.wait().unwrap().success()).await.unwrap()
    }

    /// The kept tokens of a profile.
    fn tokens(&self, profile: &str) -> toml::Table {
        let text = std::fs::read_to_string(self.folder.path().join("credentials.toml")).unwrap();
        let profiles: toml::Table = text.parse().unwrap();
        profiles[profile]["oauth"].as_table().unwrap().clone()
    }

    /// Has the access token of a profile end at once.
    fn end_access(&self, profile: &str) {
        let path = self.folder.path().join("credentials.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        let until = format!("expires_at = {}", self.tokens(profile)["expires_at"]);
        std::fs::write(&path, text.replace(&until, "expires_at = 0")).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_signs_in_and_its_tokens_are_renewed_and_ended() {
    let shell = Shell::start().await;
    shell.person("ada");
    shell.svc(&["profile", "remove", "ada", "--yes"]).ok();
    let browser = Browser::of(&shell, "ada").await;
    assert!(shell.login_by(&browser, "allow").await);
    assert_eq!(shell.svc(&["whoami", "--json"]).json()["authMethod"], "oauth");
    shell.svc(&["post", "by token"]).ok();
    let serving = shell.svc(&["mcp"]).run();
    assert!(serving.stderr.contains("the sign-in by a browser lasts until "), "{serving:?}");
    let grants = shell.svc(&["grants", "list"]).ok();
    assert!(
        grants.contains("  svc, the command line  @ada  ")
            && grants.contains("at most 10 an order")
    );
    // An access token that is about to end is replaced before the next command.
    let before = shell.tokens("ada");
    shell.end_access("ada");
    shell.svc(&["whoami"]).ok();
    let after = shell.tokens("ada");
    assert_ne!((&before["access"], &before["refresh"]), (&after["access"], &after["refresh"]));
    shell.svc(&["logout"]).ok();
    let token = after["access"].as_str().unwrap();
    let me = browser.http.get(format!("{}/users/me", shell.server.url())).bearer_auth(token);
    assert_eq!(me.send().await.unwrap().status().as_u16(), 401);
    shell.svc(&["whoami", "--json"]).fails(4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_cannot_be_kept_ends() {
    let shell = Shell::start().await;
    shell.person("ada");
    let path = shell.folder.path().join("config.toml");
    let elsewhere = std::fs::read_to_string(&path).unwrap();
    let elsewhere = elsewhere.replace(&shell.server.url(), "http://127.0.0.1:1/api");
    std::fs::write(&path, elsewhere).unwrap();
    let browser = Browser::of(&shell, "ada").await;
    assert!(!shell.login_by(&browser, "allow").await, "there is a profile ada of another server");
    let grants = browser.http.get(format!("{}/auth/grants", shell.server.url()));
    let grants = grants.header("cookie", &browser.cookie).header("origin", &browser.root);
    let grants = grants.send().await.unwrap();
    let grants: Value = serde_json::from_slice(&grants.bytes().await.unwrap()).unwrap();
    assert_eq!(grants["grants"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_at_once_keep_the_tokens_that_one_of_them_renews() {
    let shell = Shell::start().await;
    shell.person("ada");
    shell.svc(&["profile", "remove", "ada", "--yes"]).ok();
    let browser = Browser::of(&shell, "ada").await;
    assert!(shell.login_by(&browser, "allow").await);
    for _ in 0..3 {
        shell.end_access("ada");
        let commands = (0..6).map(|_| shell.svc(&["whoami", "--json"]));
        let running: Vec<_> =
            commands.map(|command| std::thread::spawn(move || command.json())).collect();
        for command in running {
            assert_eq!(command.join().unwrap()["authMethod"], "oauth");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_sign_ins_are_refused_in_the_words_of_the_server() {
    let shell = Shell::start_with(&[("limits.budgets", "true")]).await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("{}/oauth/device", shell.server.url().trim_end_matches("/api"));
    let begin = || {
        let request = http.post(&url).header("content-type", "application/x-www-form-urlencoded");
        request.body("client_id=svc").send()
    };
    let mut answers = 0;
    while begin().await.unwrap().status().is_success() {
        answers += 1;
        assert!(answers < 100, "sign-ins are not limited");
    }
    let refused = shell.svc(&["login", "--json"]).fails(6);
    assert_eq!(refused["code"], "rate_limited");
    assert!(refused["error"].as_str().unwrap().contains("codes for devices"), "{refused}");
}

#[test]
fn a_sign_in_follows_no_redirect() {
    let (folder, other) = (tempfile::tempdir().unwrap(), Place::empty());
    let to = &other.url;
    let away = Place::answering(&format!(
        "HTTP/1.1 307 Away\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    ));
    let error = typed(&folder, &["login", "--json", "--url", &away.url]).fails(1);
    assert!(error["error"].as_str().unwrap().contains("it answered 307"), "{error}");
    assert_eq!(other.received(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_that_is_not_allowed_saves_nothing() {
    let shell = Shell::start().await;
    shell.person("ada");
    shell.svc(&["profile", "remove", "ada", "--yes"]).ok();
    let browser = Browser::of(&shell, "ada").await;
    assert!(!shell.login_by(&browser, "deny").await);
    let profiles: Value = shell.svc(&["profile", "list", "--json"]).json();
    assert!(!profiles.to_string().contains("ada"), "{profiles}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_is_revoked_by_its_id() {
    let shell = Shell::start().await;
    shell.person("ada");
    assert_eq!(shell.svc(&["grants", "list"]).ok().trim(), "no program acts for you");
    let line = ["grants", "revoke", "grt_0000000000000", "--yes", "--json"];
    shell.svc(&line).fails(3);
}

#[test]
fn what_acts_for_nobody_renews_no_sign_in() {
    let (folder, place) = (tempfile::tempdir().unwrap(), Place::empty());
    let profile = format!("current = \"ada\"\n[profiles.ada]\nurl = \"{}\"\n", place.url);
    std::fs::write(folder.path().join("config.toml"), profile).unwrap();
    let ended = "[ada.oauth]\naccess = \"a\"\nrefresh = \"r\"\nexpires_at = 0\n";
    std::fs::write(folder.path().join("credentials.toml"), ended).unwrap();
    for line in [
        &["version"][..],
        &["help"],
        &["completions", "bash"],
        &["profile", "list"],
        &["profile", "use", "ada"],
    ] {
        typed(&folder, line).ok();
    }
    assert_eq!(place.received(), Vec::<String>::new());
    assert!(!folder.path().join("renewal.lock").exists());
    // What acts for the account does.
    typed(&folder, &["whoami"]).run().ends_with(3);
    assert!(place.received()[0].starts_with("POST /oauth/token "), "{:?}", place.received());
}
