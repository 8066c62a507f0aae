//! The world of the demo in this process, and its accounts.

use std::path::Path;
use std::sync::LazyLock;
use std::thread;

use reqwest::header::{AUTHORIZATION, COOKIE, HeaderName, HeaderValue, SET_COOKIE};
use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use svc_core::config::Config;
use svc_server::Server;
use svc_server::demo::{self, World};
use svc_store::clock::Clock;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// The people whose sign-in is printed.
pub(crate) const PEOPLE: [&str; 4] = ["ada", "otto", "mira", "ines"];

/// People who are there besides.
pub(crate) const OTHERS: [&str; 3] = ["jonas", "yuki", "pavel"];

/// A server with the world of the demo, by the clock of the machine.
pub(crate) struct Demo {
    server: Server,
    world: World,
    // Last: what the server writes there.
    _folder: Option<TempDir>,
}

/// An account of the world.
pub(crate) struct Caller {
    origin: String,
    client: reqwest::Client,
}

impl Demo {
    /// A world of its own, for a test that changes it.
    pub(crate) async fn start() -> Self {
        let folder = TempDir::with_prefix("svc-demo-").unwrap();
        let made = Self::start_in(&folder.path().join("data")).await;
        Self { _folder: Some(folder), ..made }
    }

    /// The world of all tests that only read.
    pub(crate) fn shared() -> &'static Self {
        static SHARED: LazyLock<Demo> = LazyLock::new(|| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo");
            drop(std::fs::remove_dir_all(&folder));
            let make = move || {
                // It serves until the last test has ended.
                let runtime = Box::leak(Box::new(Runtime::new().unwrap()));
                runtime.block_on(Demo::start_in(&folder))
            };
            // A test has a runtime, which must not wait for another.
            thread::spawn(make).join().unwrap()
        });
        &SHARED
    }

    async fn start_in(folder: &Path) -> Self {
        let data = folder.display().to_string();
        let settings = [
            ("dev", "true"),
            ("listen", "127.0.0.1:0"),
            ("mqtt_listen", "off"),
            ("data_dir", &data),
        ];
        let settings = settings.map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec();
        let config = Config::load(None, &settings).unwrap();
        let world = demo::fill(&config).await.unwrap();
        let server = Server::start_in(config, Clock::system(), Some(world.clone())).await.unwrap();
        Self { server, world, _folder: None }
    }

    /// The names of the agents.
    pub(crate) fn agents(&self) -> Vec<String> {
        self.world.agents.iter().map(|(name, _)| name.clone()).collect()
    }

    fn caller(&self, headers: &[(HeaderName, &str)]) -> Caller {
        let headers = headers.iter().cloned();
        let headers = headers.map(|(name, value)| (name, HeaderValue::from_str(value).unwrap()));
        let client = reqwest::Client::builder()
            .default_headers(headers.collect())
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .unwrap();
        Caller { origin: format!("http://{}", self.server.address), client }
    }

    /// An agent, by its key.
    pub(crate) fn agent(&self, name: &str) -> Caller {
        let (_, key) = self.world.agents.iter().find(|(known, _)| known == name).unwrap();
        self.caller(&[(AUTHORIZATION, &format!("Bearer {}", key.expose()))])
    }

    /// A person, signed in.
    pub(crate) async fn person(&self, name: &str) -> Caller {
        let body = json!({ "username": name, "password": self.world.password });
        let answer = self.caller(&[]).send(Method::POST, "/api/auth/login", Some(&body)).await;
        let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap();
        let same_origin = HeaderName::from_static("sec-fetch-site");
        self.caller(&[(COOKIE, cookie), (same_origin, "same-origin")])
    }
}

impl Caller {
    pub(crate) async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Response {
        let request = self.client.request(method, format!("{}{path}", self.origin));
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        request.send().await.unwrap()
    }

    /// The status and text of a page.
    pub(crate) async fn page(&self, path: &str) -> (StatusCode, String) {
        let answer = self.send(Method::GET, path, None).await;
        (answer.status(), answer.text().await.unwrap_or_default())
    }

    /// An answer of the API.
    pub(crate) async fn get(&self, path: &str) -> Value {
        self.ask(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Value {
        self.ask(Method::POST, path, Some(&body)).await
    }

    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Value {
        let answer = self.send(method, &format!("/api{path}"), body).await;
        let (status, value) = (answer.status(), answer.json::<Value>().await.unwrap());
        assert!(status.is_success(), "{path}: {value}");
        value
    }

    /// A whole list, page by page.
    pub(crate) async fn all(&self, path: &str, member: &str) -> Vec<Value> {
        let (mut found, mut next) = (Vec::new(), String::new());
        loop {
            let sign = if path.contains('?') { '&' } else { '?' };
            let page = self.get(&format!("{path}{sign}limit=100{next}")).await;
            found.extend(page[member].as_array().unwrap().iter().cloned());
            match page["nextCursor"].as_str() {
                Some(cursor) => next = format!("&cursor={cursor}"),
                None => return found,
            }
        }
    }

    /// The services that an agent offers.
    pub(crate) async fn services(&self, agent: &str) -> Vec<Value> {
        let offered = self.get(&format!("/v1/bots/{agent}/capabilities")).await;
        offered["capabilities"].as_array().unwrap().clone()
    }
}

/// A member that is a text.
pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no {name} in {value}"))
}

/// A member that counts.
pub(crate) fn count(value: &Value, name: &str) -> usize {
    let count = value[name].as_u64().unwrap_or_else(|| panic!("no {name} in {value}"));
    usize::try_from(count).unwrap()
}

/// How many values have this text as a member.
pub(crate) fn with(values: &[Value], name: &str, is: &str) -> usize {
    values.iter().filter(|value| value[name] == is).count()
}
