//! The program with `--dev --demo`.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use reqwest::Method;
use serde_json::{Value, json};
use svc_client::types::api::escrow::TRANSITIONS;
use tempfile::TempDir;

/// A server with the world of the demo.
struct Demo {
    process: Child,
    folder: TempDir,
    url: String,
    password: String,
}

/// The program on a folder, without the settings of the caller's environment.
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
async fn the_demo_data_is_created_once_and_only_on_request() {
    let mut demo = Demo::start();
    let get = async |path: &str| {
        let answer = reqwest::get(format!("{}/api{path}", demo.url)).await.unwrap();
        answer.json::<Value>().await.unwrap()
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
async fn the_deals_of_the_demo_are_in_every_state() {
    let demo = Demo::start();
    let ada = Ada::of(&demo).await;
    let deals = ada.get("/v1/escrow").await;
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
}

/// Ada, who is signed in.
struct Ada<'a> {
    demo: &'a Demo,
    client: reqwest::Client,
    cookie: String,
}

impl<'a> Ada<'a> {
    async fn of(demo: &'a Demo) -> Self {
        let client = reqwest::Client::new();
        let body = json!({ "username": "ada", "password": demo.password });
        let signed_in = client.post(format!("{}/api/auth/login", demo.url)).json(&body);
        let answer = signed_in.send().await.unwrap();
        let cookie = answer.headers()["set-cookie"].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap().to_owned();
        Self { demo, client, cookie }
    }

    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Value {
        let request = self.client.request(method, format!("{}/api{path}", self.demo.url));
        let request =
            request.header("cookie", &self.cookie).header("sec-fetch-site", "same-origin");
        let request = match body {
            Some(body) => request.json(&body),
            None => request,
        };
        request.send().await.unwrap().json().await.unwrap()
    }

    async fn get(&self, path: &str) -> Value {
        self.ask(Method::GET, path, None).await
    }

    /// Orders the service of an agent; answers with the order's id.
    async fn orders(&self, agent: &str, input: Value, escrow: Option<&Value>) -> String {
        let offered = self.get(&format!("/v1/bots/{agent}/capabilities")).await;
        let service = &offered["capabilities"][0];
        let mut payload = json!({
            "serviceId": service["id"], "serviceName": service["name"], "input": input,
            "offeredCredits": service["priceCredits"],
        });
        if let Some(escrow) = escrow {
            payload["escrowId"] = escrow.clone();
        }
        let order = json!({ "schema": "service.request", "payload": payload });
        let sent = json!({ "recipientUsername": agent, "content": order.to_string() });
        let sent = self.ask(Method::POST, "/messages", Some(sent)).await;
        let id = sent["message"]["messageId"].as_str();
        id.unwrap_or_else(|| panic!("{sent}")).to_owned()
    }

    /// Polls until a condition holds.
    async fn until(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let end = tokio::time::Instant::now() + std::time::Duration::from_secs(20);
        loop {
            let seen = self.get(path).await;
            if is_so(&seen) {
                return seen;
            }
            assert!(tokio::time::Instant::now() < end, "{seen}");
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn every_demo_service_answers_orders_and_escrows() {
    let demo = Demo::start();
    let ada = Ada::of(&demo).await;
    // What waits for its delivery is taken back, so that all of them can be paid.
    for deal in ada.get("/v1/escrow?status=funded").await["escrows"].as_array().unwrap() {
        let cancel = format!("/v1/escrow/{}/cancel", deal["id"].as_str().unwrap());
        ada.ask(Method::POST, &cancel, Some(json!({}))).await;
    }
    for (agent, input, reported) in [
        ("roman", json!({ "number": 14 }), "XIV"),
        ("tally", json!({ "text": "one two" }), "2 words"),
        ("basho", json!({ "word": "tea" }), "tea"),
        ("atlas", json!({ "question": "Is it so?" }), "Is it so?"),
    ] {
        let id = ada.orders(agent, input.clone(), None).await;
        let path = format!("/messages/{id}");
        let answered = |seen: &Value| seen["message"]["request"]["responseMessageId"].is_string();
        let seen = ada.until(&path, answered).await;
        let answer = seen["message"]["request"]["responseMessageId"].as_str().unwrap();
        let answer = ada.get(&format!("/messages/{answer}")).await;
        assert!(answer["message"]["content"].as_str().unwrap().contains(reported), "{answer}");

        let service = &ada.get(&format!("/v1/bots/{agent}/capabilities")).await["capabilities"][0];
        let deal = json!({
            "providerUsername": agent, "serviceId": service["id"],
            "amount": service["priceCredits"], "description": service["name"],
        });
        let deal = ada.ask(Method::POST, "/v1/escrow", Some(deal)).await["escrow"].clone();
        ada.orders(agent, input, Some(&deal["id"])).await;
        let path = format!("/v1/escrow/{}", deal["id"].as_str().unwrap());
        let seen = ada.until(&path, |seen| seen["escrow"]["status"] == "delivered").await;
        assert!(
            seen["escrow"]["deliverable"]["text"].as_str().unwrap().contains(reported),
            "{seen}"
        );
    }
}

#[tokio::test]
async fn the_demo_analytics_match_its_posts() {
    let demo = Demo::start();
    let ada = Ada::of(&demo).await;
    let posts = ada.get("/users/ada/posts").await;
    let posts = posts["posts"].as_array().unwrap();
    let sum = |member: &str| posts.iter().map(|post| post[member].as_i64().unwrap()).sum::<i64>();
    let all = ada.get("/users/me/analytics?window=all").await["analytics"].clone();
    assert_eq!(
        (all["likes"].as_i64(), all["reposts"].as_i64()),
        (Some(sum("likesCount")), Some(sum("repostsCount")))
    );
    assert!(sum("likesCount") >= 4, "{posts:?}");
    for post in posts {
        let path = format!("/posts/{}/analytics", post["id"].as_str().unwrap());
        for window in ["all", "7d"] {
            let reported = ada.get(&format!("{path}?window={window}")).await["analytics"].clone();
            for (counted, counter) in
                [("likes", "likesCount"), ("replies", "repliesCount"), ("reposts", "repostsCount")]
            {
                assert_eq!(reported[counted], post[counter], "{window} {counted}");
            }
        }
    }
}
