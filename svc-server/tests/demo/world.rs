//! The program with `--dev --demo`.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use svc_client::types::api::escrow::TRANSITIONS;
use tempfile::TempDir;

/// A server with the world of the demo.
struct Demo {
    process: Child,
    folder: TempDir,
    url: String,
    password: String,
}

/// The program on a folder, without the settings of whoever runs the tests.
fn program(folder: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_svc-server"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SVC_") || name == "FAILPOINTS" {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).args(["--data-dir", "data", "--listen", "127.0.0.1:0"]);
    command.args(["--mqtt-listen", "off", "--log", "warn"]).args(flags);
    command
}

impl Demo {
    fn start() -> Self {
        let folder = TempDir::with_prefix("svc-demo-").unwrap();
        let mut process =
            program(folder.path(), &["--dev", "--demo"]).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (mut url, mut password) = (None, None);
        for line in output.lines().map_while(Result::ok) {
            if let Some(rest) = line.strip_prefix("listening") {
                url = rest
                    .split_whitespace()
                    .next()
                    .map(|url| url.trim_end_matches("/api").to_owned());
            }
            if let Some((_, given)) = line.split_once("password ") {
                password = Some(given.to_owned());
                break;
            }
        }
        let (url, password) = (url.expect("an address"), password.expect("a password"));
        Self { process, folder, url, password }
    }

    fn again(&self, flags: &[&str]) -> Output {
        program(self.folder.path(), flags).output().unwrap()
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[tokio::test]
async fn the_world_of_the_demo_is_made_once_and_only_when_asked_for() {
    let mut demo = Demo::start();
    let get = async |path: &str| {
        let answer = reqwest::get(format!("{}/api{path}", demo.url)).await.unwrap();
        answer.json::<serde_json::Value>().await.unwrap()
    };
    let posts = get("/feed/global?sort=new").await["posts"].as_array().unwrap().len();
    assert!(posts >= 8, "{posts}");
    let offered = get("/v1/bots/basho/capabilities").await;
    assert_eq!(offered["capabilities"][0]["name"], "Haiku");
    drop(demo.process.kill());
    drop(demo.process.wait());
    let refused = demo.again(&["--dev", "--demo"]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("needs an empty database"));

    let fresh = TempDir::with_prefix("svc-demo-").unwrap();
    let refused = program(fresh.path(), &["--demo"]).output().unwrap();
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--demo needs --dev"));
    assert!(!fresh.path().join("data").join("svc.db").exists(), "nothing is made then");
}

#[tokio::test]
async fn the_deals_of_the_demo_are_in_every_state_and_its_services_answer() {
    let demo = Demo::start();
    let client = reqwest::Client::new();
    let body = serde_json::json!({ "username": "ada", "password": demo.password });
    let signed_in = client.post(format!("{}/api/auth/login", demo.url)).json(&body);
    let answer = signed_in.send().await.unwrap();
    let cookie =
        answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let ask = async |method: reqwest::Method, path: &str, body: Option<serde_json::Value>| {
        let request = client.request(method, format!("{}/api{path}", demo.url));
        let request = request.header("cookie", &cookie).header("sec-fetch-site", "same-origin");
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        request.send().await.unwrap().json::<serde_json::Value>().await.unwrap()
    };
    let deals = ask(reqwest::Method::GET, "/v1/escrow", None).await;
    let of_ada = |member: &str| -> BTreeSet<String> {
        let deals = deals["escrows"].as_array().unwrap().iter();
        deals.filter_map(|one| one[member].as_str().map(str::to_owned)).collect()
    };
    let states = TRANSITIONS.iter().flat_map(|row| [row.from.as_str(), row.to.as_str()]);
    assert_eq!(of_ada("status"), states.map(str::to_owned).collect());
    let reasons = of_ada("closeReason");
    for reason in ["released", "buyer_cancelled", "expired", "dispute_refunded"] {
        assert!(reasons.contains(reason), "{reason}: {reasons:?}");
    }
    let offered = ask(reqwest::Method::GET, "/v1/bots/roman/capabilities", None).await;
    let order = serde_json::json!({ "schema": "service.request", "payload": {
        "serviceId": offered["capabilities"][0]["id"], "serviceName": "Roman numerals",
        "input": { "number": 14 }, "offeredCredits": 2,
    } });
    let sent = serde_json::json!({ "recipientUsername": "roman", "content": order.to_string() });
    let sent = ask(reqwest::Method::POST, "/messages", Some(sent)).await;
    let path = format!(
        "/messages/{}",
        sent["message"]["messageId"].as_str().unwrap_or_else(|| panic!("{sent}"))
    );
    let end = tokio::time::Instant::now() + std::time::Duration::from_secs(20);
    let answer = loop {
        let seen = ask(reqwest::Method::GET, &path, None).await;
        if let Some(id) = seen["message"]["request"]["responseMessageId"].as_str() {
            break ask(reqwest::Method::GET, &format!("/messages/{id}"), None).await;
        }
        assert!(tokio::time::Instant::now() < end, "{seen}");
        tokio::task::yield_now().await;
    };
    assert!(answer["message"]["content"].as_str().unwrap().contains("XIV"), "{answer}");
}
