//! Chromium without its windows, driven through `chromedriver` by the W3C's `WebDriver` interface.
//!
//! A handful of calls of plain JSON are spoken here by hand: of the crates that speak them,
//! `thirtyfour` turns on `serde_json/preserve_order` for everything built with it, so that tests
//! would no longer see the JSON of the program, and `fantoccini` brings a licence that is not allowed.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use http::Method;
use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use svc_server::testing::in_time;
use svc_store::testing::left_out;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How long a call may take before the browser counts as lost.
const CALL_MAX: Duration = Duration::from_mins(1);

/// How often the driver is started until it finds a port.
const STARTS_MAX: usize = 5;

/// Chromium for programs: the same engine with half the work, because it draws no user interface.
const BROWSER: &str = "chromium-headless-shell";

/// How it is started: without requests to its vendor, and on a port, because its script passes on no pipe.
const FLAGS: [&str; 10] = [
    "--remote-debugging-port=0",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    // A click would else aim at where a page that still scrolls has been.
    "--force-prefers-reduced-motion",
];

/// The keys that send a form (W3C `WebDriver`, section 17.4.2).
const SENDING: [char; 2] = ['\u{e006}', '\u{e007}'];

/// The key under which elements are named (W3C `WebDriver`, section 12.1).
pub(crate) const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A browser with one window, which ends with this value.
pub(crate) struct Driver {
    http: reqwest::Client,
    session: String,
    clicks: AtomicUsize,
    process: Child,
    // After the process: what a browser that runs would still write there.
    _folder: TempDir,
}

/// Whether chromedriver, Chromium and axe-core are installed. If not, reports the skipped tests, or
/// fails if all services are required.
pub(crate) fn is_installed() -> bool {
    for (name, is_there) in [
        ("chromedriver", program("chromedriver").is_some()),
        (BROWSER, program(BROWSER).is_some()),
        ("axe-core (NODE_PATH)", axe().is_some()),
    ] {
        if !is_there {
            left_out(&format!("{name}, which pages in a browser need (.ci/run prepare),"));
            return false;
        }
    }
    true
}

/// The path of an installed program.
fn program(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.exists())
}

/// The path of axe-core, which checks accessibility.
pub(crate) fn axe() -> Option<PathBuf> {
    let folders = std::env::var_os("NODE_PATH")?;
    let files = std::env::split_paths(&folders).map(|folder| folder.join("axe-core/axe.min.js"));
    files.into_iter().find(|file| file.exists())
}

/// A driver that listens, and its port. It takes a free port of IPv4 and then the same one of IPv6,
/// and exits if another process was faster.
///
/// It makes the profile of its browser in this folder.
async fn listening(folder: &Path) -> (Child, String) {
    for _ in 0..STARTS_MAX {
        let mut command = Command::new("chromedriver");
        // Its group holds the browser too, which would outlive it.
        command.arg("--port=0").env("TMPDIR", folder).process_group(0).kill_on_drop(true);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let next = "chromedriver says where it listens, or ends";
        while let Some(line) = in_time(next, lines.next_line()).await.unwrap() {
            if let Some((_, port)) = line.split_once("successfully on port ") {
                return (process, port.trim_end_matches('.').to_owned());
            }
        }
    }
    panic!("chromedriver does not start");
}

/// How many clicks of a person a call stands for. A key that sends a form is one, and so is an address
/// that is opened instead of a link, and a reload.
fn clicks_of(path: &str, body: &Value) -> usize {
    let is_one = |act: &&Value| match act["type"].as_str() {
        Some("pointerDown") => true,
        Some("keyDown") => act["value"].as_str().is_some_and(|key| key.contains(SENDING)),
        _ => false,
    };
    match path.rsplit('/').next() {
        Some("click" | "url" | "refresh" | "back" | "forward") => 1,
        Some("value") => body["text"].as_str().unwrap_or_default().matches(SENDING).count(),
        Some("actions") => {
            let devices = body["actions"].as_array().into_iter().flatten();
            let acts = devices.filter_map(|device| device["actions"].as_array()).flatten();
            acts.filter(is_one).count()
        }
        _ => 0,
    }
}

impl Driver {
    /// Starts the driver on a free port, and a browser with a new profile.
    pub(crate) async fn start() -> Self {
        let folder = TempDir::with_prefix("svc-browser-").unwrap();
        let (process, port) = listening(folder.path()).await;
        let http = reqwest::Client::builder().no_proxy().timeout(CALL_MAX).build().unwrap();
        let options = json!({ "args": FLAGS, "binary": program(BROWSER).unwrap() });
        let wanted = json!({
            "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let wanted = json!({ "capabilities": { "alwaysMatch": wanted } });
        let url = format!("http://127.0.0.1:{port}/session");
        let begun = http.post(&url).json(&wanted).send().await.unwrap();
        let begun: Value = begun.json().await.unwrap();
        let id = begun["value"]["sessionId"].as_str();
        let session = format!("{url}/{}", id.unwrap_or_else(|| panic!("{begun}")));
        Self { http, session, clicks: AtomicUsize::new(0), process, _folder: folder }
    }

    /// A call of the interface; the driver's words where it refuses.
    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Result<Value, String> {
        self.count_clicks(clicks_of(path, body));
        let request = self.http.request(method.clone(), format!("{}{path}", self.session));
        let request = if method == Method::POST { request.json(body) } else { request };
        let mut answer: Value = request.send().await.unwrap().json().await.unwrap();
        let value = answer["value"].take();
        if value["stacktrace"].is_string() {
            return Err(format!("{}: {}", value["error"], value["message"]));
        }
        Ok(value)
    }

    /// The same, of what must not be refused.
    pub(crate) async fn call(&self, path: &str, body: &Value) -> Value {
        let answer = self.ask(Method::POST, path, body).await;
        answer.unwrap_or_else(|refused| panic!("{path} {body}: {refused}"))
    }

    /// How often a person has clicked.
    pub(crate) fn clicks(&self) -> usize {
        self.clicks.load(Ordering::Relaxed)
    }

    /// Counts clicks that no call shows.
    pub(crate) fn count_clicks(&self, clicks: usize) {
        self.clicks.fetch_add(clicks, Ordering::Relaxed);
    }

    /// A command of Chromium's own protocol (`DevTools`).
    pub(crate) async fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.call("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters })).await
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let group = self.process.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        if let Some(group) = group {
            // Refused where it is gone already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
