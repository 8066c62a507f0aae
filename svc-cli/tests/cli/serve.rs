//! `svc serve`: the server in the command.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use svc_server::testing::found_by_thread;
use tempfile::TempDir;

use crate::shell::{read_until, typed};

/// A server that was started as people start it.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn start(folder: &TempDir, arguments: &[&str]) -> Self {
        let free = ["serve", "--listen", "127.0.0.1:0", "--mqtt-listen", "127.0.0.1:0"];
        let always = [&free[..], &["--print-addresses", "--log", "warn"]].concat();
        let mut command = typed(folder, &[&always, arguments].concat()).command;
        command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped());
        // A test is run on a terminal at times, which a server would take for its own.
        command.stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let line = read_until(child.stdout.as_mut().unwrap(), "\n");
        let addresses: Value = serde_json::from_str(&line).unwrap();
        let url = format!("http://{}/api", addresses["http"].as_str().unwrap());
        Self { child, url }
    }

    /// Stops it as an operator does; it must end well.
    fn stop(self) {
        self.terminate();
        self.ends();
    }

    fn terminate(&self) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
    }

    fn ends(mut self) {
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Served {
    /// Leaves no server behind when a test fails.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_served_post_waits_for_its_window() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(&folder, &["--memory", "--set", "limits.posts.free_window=1s"]);
    let svc = |line: &[&str]| typed(&folder, line).env("SVC_URL", &served.url);
    svc(&["signup", "wordbot", "--agent"]).ok();
    svc(&["post", "first"]).ok();
    let second = svc(&["post", "second", "--when-allowed", "--json"]).json();
    assert_eq!(second["post"]["content"], "second");
    served.stop();
    assert!(!folder.path().join("svc-data").exists(), "--memory keeps nothing");
}

#[test]
fn served_data_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let line = ["--data-dir", data.to_str().unwrap()];
    let first = Served::start(&folder, &line);
    typed(&folder, &["signup", "wordbot", "--agent", "--url", &first.url]).ok();
    let key = typed(&folder, &["exec", "--", "printenv", "SVC_API_KEY"]).ok();
    first.stop();
    let second = Served::start(&folder, &line);
    let whoami = typed(&folder, &["whoami", "--json"])
        .env("SVC_URL", &second.url)
        .env("SVC_API_KEY", key.trim());
    assert_eq!(whoami.json()["user"]["username"], "wordbot");
    second.stop();
}

#[test]
fn a_server_that_stops_answers_for_as_long_as_the_setting_says() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(&folder, &["--memory", "--set", "stop.delay=5s"]);
    served.terminate();
    typed(&folder, &["signup", "wordbot", "--agent", "--url", &served.url]).ok();
    served.ends();
}

#[test]
fn a_hangup_ends_no_served_server_that_has_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(&folder, &["--memory"]);
    kill_process(Pid::from_child(&served.child), Signal::HUP).unwrap();
    typed(&folder, &["signup", "wordbot", "--agent", "--url", &served.url]).ok();
    served.stop();
}

#[test]
fn a_second_server_on_the_same_data_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let line = ["--data-dir", data.to_str().unwrap()];
    let first = Served::start(&folder, &line);
    let free = ["serve", "--listen", "127.0.0.1:0", "--mqtt-listen", "127.0.0.1:0", "--json"];
    let error = typed(&folder, &[&free[..], &line].concat()).fails(1);
    assert!(error["error"].as_str().unwrap().contains("is served by process"), "{error}");
    assert_eq!(error["hint"], "stop that server or name another database");
    first.stop();
    Served::start(&folder, &line).stop();
}

#[test]
fn a_wrong_setting_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let error = typed(&folder, &["serve", "--set", "limit.posts=1", "--json"]).fails(78);
    assert!(error["error"].as_str().unwrap().starts_with("unknown setting"), "{error}");
}

#[test]
fn a_variable_that_is_named_like_a_setting_without_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let line = ["serve", "--memory", "--json"];
    let error = typed(&folder, &line).env("SVC_SIGNUP_MODE", "closed").fails(78);
    assert!(error["error"].as_str().unwrap().starts_with("SVC_SIGNUP_MODE is not read"), "{error}");
}

#[test]
fn secrets_in_a_file_of_settings_that_others_can_read_are_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("svc.toml");
    fs::write(&file, "[mail]\nurl = \"smtps://svc:hunter2@mail.example.org\"\n").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    let line = ["serve", "--memory", "--listen", "127.0.0.1:0", "--mqtt-listen", "off", "--config"];
    let line = [&line[..], &[file.to_str().unwrap()]].concat();
    let mut command = typed(&folder, &line).command;
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    read_until(child.stdout.as_mut().unwrap(), "\n");
    let warned = read_until(child.stderr.as_mut().unwrap(), "which holds a secret");
    assert!(!warned.contains("hunter2"), "{warned}");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_empty_server_suggests_the_command_that_signs_up() {
    let folder = tempfile::tempdir().unwrap();
    let line = ["serve", "--memory", "--listen", "127.0.0.1:0", "--mqtt-listen", "off"];
    let mut command = typed(&folder, &line).command;
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let listening = read_until(child.stdout.as_mut().unwrap(), "\n");
    let api = listening.split_whitespace().nth(1).unwrap().to_owned();
    let next = format!("svc signup ada --url {api}\n");
    read_until(child.stderr.as_mut().unwrap(), &next);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_output_says_where_to_look_and_in_the_demo_how_to_sign_in() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let line = ["serve", "--listen", "127.0.0.1:0", "--mqtt-listen", "off", "--log", "warn"];
    let line = [&line[..], &["--data-dir", data.to_str().unwrap(), "--dev", "--demo"]].concat();
    let mut command = typed(&folder, &line).command;
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let printed = read_until(child.stderr.as_mut().unwrap(), "ines ");
    let listening = read_until(child.stdout.as_mut().unwrap(), "\n");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    let api = listening.split_whitespace().nth(1).unwrap();
    let url = api.trim_end_matches("/api");
    assert!(printed.contains(&format!("open {url}/ in a browser")), "{printed}");
    assert!(
        printed.contains("sign in with the password ") && printed.contains(" ada "),
        "{printed}"
    );
    assert!(
        !printed.contains("svc signup"),
        "the name that is suggested is taken there: {printed}"
    );
    let again = typed(&folder, &line).run().ends_with(78);
    assert!(again.stderr.contains("needs an empty database"), "{again:?}");
}

#[test]
fn a_demo_that_is_being_filled_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let in_data = ["--data-dir", data.to_str().unwrap()];
    let line = ["serve", "--dev", "--demo", "--listen", "127.0.0.1:0", "--mqtt-listen", "off"];
    let mut command = typed(&folder, &[&line[..], &in_data].concat()).command;
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    found_by_thread("its database", || data.join("svc.db").exists().then_some(()));
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());

    let served = Served::start(&folder, &in_data);
    let line = ["api", "GET", "/users", "-F", "limit=100", "--json", "--url", &served.url];
    let users = typed(&folder, &line).json()["users"].as_array().unwrap().len();
    let all = include_str!("../../../svc-server/src/demo/world/accounts.toml");
    assert!(users < all.matches("[[account]]").count(), "{users}");
    served.stop();
}
