//! The program with `--dev --demo`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use svc_server::testing::until;
use tempfile::TempDir;

/// A server with the world of the demo.
struct Demo {
    process: Child,
    folder: TempDir,
    /// What it printed until the last line of the people to sign in as.
    greeting: String,
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
        let mut greeting = String::new();
        for line in output.lines().map_while(Result::ok) {
            greeting.push_str(&line);
            greeting.push('\n');
            if line.contains("ines") {
                break;
            }
        }
        Self { process, folder, greeting }
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
async fn the_program_says_how_to_sign_in_and_they_can() {
    let demo = Demo::start();
    let url = demo.greeting.lines().find_map(|line| line.strip_prefix("listening")).unwrap();
    let url = url.split_whitespace().next().unwrap();
    let password = demo.greeting.split_once("password ").unwrap().1;
    let password = password.split(' ').next().unwrap();
    for name in ["ada", "otto", "mira", "ines"] {
        let says_what_for = |line: &&str| line.trim_start().starts_with(&format!("{name} "));
        assert!(demo.greeting.lines().any(|line| says_what_for(&line)), "{}", demo.greeting);
        let body = serde_json::json!({ "username": name, "password": password });
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let signing_in = http.post(format!("{url}/auth/login")).json(&body);
        assert_eq!(signing_in.send().await.unwrap().status(), 200, "{name}");
    }
}

#[test]
fn a_program_that_asks_for_the_addresses_finds_the_sign_in_on_stderr() {
    let folder = TempDir::with_prefix("svc-demo-").unwrap();
    let mut command = program(folder.path(), &["--dev", "--demo", "--print-addresses"]);
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(process.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut greeting = Vec::new();
    for line in said {
        let is_last = line.trim_start().starts_with("ines ");
        greeting.push(line);
        if is_last {
            break;
        }
    }
    drop(process.kill());
    let printed = String::from_utf8(process.wait_with_output().unwrap().stdout).unwrap();
    assert!(greeting.concat().contains("sign in with the password "), "{greeting:?}");
    assert!(printed.starts_with("{\"http\":") && printed.lines().count() == 1, "{printed}");
}

#[test]
fn the_demo_data_is_created_once_and_only_on_request() {
    let mut demo = Demo::start();
    drop(demo.process.kill());
    drop(demo.process.wait());
    let refused = demo.again(&["--dev", "--demo"]);
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        said.contains("needs an empty database") && said.contains("Leave --demo out"),
        "{said}"
    );

    let fresh = TempDir::with_prefix("svc-demo-").unwrap();
    for flags in [["--demo"].as_slice(), &["serve", "--demo"]] {
        let refused = program(fresh.path(), flags).output().unwrap();
        assert!(!refused.status.success());
        let message = String::from_utf8_lossy(&refused.stderr);
        assert!(message.contains("--demo needs --dev"), "{flags:?}: {message}");
    }
    assert!(!fresh.path().join("data").join("svc.db").exists(), "nothing is made then");
}

/// The accounts in a database that a server may be filling.
fn accounts(database: &Path) -> i64 {
    // Until the server has made its log, a reader could be in its way.
    if !database.with_extension("db-wal").exists() {
        return 0;
    }
    let connection = rusqlite::Connection::open(database).unwrap();
    // Its tables may not be there yet.
    let count = connection.query_row("select count(*) from account", [], |row| row.get(0));
    count.unwrap_or_default()
}

#[tokio::test]
async fn a_demo_that_was_killed_while_it_was_filled_says_how_to_begin_again() {
    let folder = TempDir::with_prefix("svc-demo-").unwrap();
    let database = folder.path().join("data").join("svc.db");
    let start = || program(folder.path(), &["--dev", "--demo"]);
    let mut killed = start().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until("the first account is there", async || accounts(&database) > 0).await;
    killed.kill().unwrap();
    killed.wait().unwrap();
    let refused = start().output().unwrap();
    assert_eq!(refused.status.code(), Some(78));
    let said = String::from_utf8_lossy(&refused.stderr);
    for part in ["needs an empty database", "was interrupted", "name an empty folder by"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("Leave --demo out"), "nobody could sign in: {said}");
}
