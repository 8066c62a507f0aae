//! Somebody who types what the README prints, on a machine where nothing is installed yet.

use std::ffi::OsString;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long a program that was started may take until it can be used.
const PATIENCE: Duration = Duration::from_mins(2);

/// Stands for cargo: what it would build lies beside the program under test.
const CARGO: &str = r#"#!/bin/sh
case "$*" in
"install --debug --locked --path svc-cli") ;;
"run -p svc-cli -- "*) shift 4; exec svc "$@" ;;
"run -q -p svc-examples --bin "*) exec "$BUILT/$6" ;;
*) echo "not known here: cargo $*" >&2; exit 1 ;;
esac
"#;

/// A folder, a search path, and what was started in the background.
pub(super) struct Newcomer {
    folder: TempDir,
    /// In place of the ports that the README names.
    ports: [(&'static str, String); 2],
    started: Vec<Child>,
    /// Whether what was started last was not used yet.
    is_fresh: bool,
    post: String,
}

impl Drop for Newcomer {
    fn drop(&mut self) {
        for child in self.started.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Newcomer {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let programs = folder.path().join("bin");
        fs::create_dir(&programs).unwrap();
        symlink(env!("CARGO_BIN_EXE_svc"), programs.join("svc")).unwrap();
        let cargo = programs.join("cargo");
        fs::write(&cargo, CARGO).unwrap();
        fs::set_permissions(&cargo, PermissionsExt::from_mode(0o755)).unwrap();
        for example in ["paid_service", "verify_agent"] {
            build(example);
        }
        let ports = ["127.0.0.1:8787", "127.0.0.1:8090"].map(|printed| (printed, free_address()));
        Self { folder, ports, started: Vec::new(), is_fresh: false, post: String::new() }
    }

    /// Types a line, which must do and answer what is printed.
    #[track_caller]
    pub(super) fn types(&mut self, line: &str, shown: &[String]) {
        if let Some(line) = line.strip_suffix(" &") {
            let mut command = self.shell(&format!("exec {line}"));
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            self.started.push(command.spawn().unwrap());
            self.is_fresh = true;
            return;
        }
        // Nobody types faster than a program starts.
        let patience = if self.is_fresh { PATIENCE } else { Duration::ZERO };
        let begun = now();
        let mut said = self.run(line);
        while !is_shown(&said, shown) && begun.elapsed() < patience {
            said = self.run(line);
        }
        if !is_shown(&said, shown) {
            let [printed, told] =
                [said.stdout, said.stderr].map(|it| String::from_utf8(it).unwrap());
            panic!("{line}\n{printed}{told}instead of {shown:#?}");
        }
        // Installing a program does not show that another one has started.
        self.is_fresh &= line.starts_with("cargo ");
    }

    /// The id of a post, as the README says.
    pub(super) fn takes_a_post(&mut self) {
        let posts = self.run("svc posts wordbot");
        let posts = String::from_utf8(posts.stdout).unwrap();
        let id = posts.split_whitespace().find(|word| word.starts_with("post_"));
        id.expect("wordbot has posted").clone_into(&mut self.post);
    }

    fn run(&self, line: &str) -> Output {
        self.shell(line).stdin(Stdio::null()).output().unwrap()
    }

    fn shell(&self, line: &str) -> Command {
        let folder = self.folder.path();
        let [(printed_api, api), (printed_shop, shop)] = &self.ports;
        let line = line.replace(printed_api, api).replace(printed_shop, shop);
        let mut command = Command::new("sh");
        command.args(["-c", &line]).current_dir(folder).env_clear();
        command.env("PATH", search_path(folder)).env("BUILT", built());
        command.env("SVC_CONFIG_DIR", folder.join("profiles")).env("POST", &self.post);
        command.env("SVC_URL", format!("http://{api}/api"));
        command.env("SVC_LISTEN", api).env("SVC_MQTT_LISTEN", "127.0.0.1:0");
        command.env("SVC_EXAMPLE_LISTEN", shop);
        command
    }
}

fn search_path(folder: &Path) -> OsString {
    let mut path = folder.join("bin").into_os_string();
    path.push(":/usr/local/bin:/usr/bin:/bin");
    path
}

/// The folder that programs are built into.
fn built() -> PathBuf {
    Path::new(env!("CARGO_BIN_EXE_svc")).parent().unwrap().to_owned()
}

/// Builds an example, unless that was done since it was changed, as with all tests at once.
fn build(example: &str) {
    let source = format!("{}/../examples/src/bin/{example}.rs", env!("CARGO_MANIFEST_DIR"));
    let changed = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    if changed(&built().join(example)) >= changed(Path::new(&source)) {
        return;
    }
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--quiet", "--package", "svc-examples", "--bin", example]);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    assert!(command.status().unwrap().success(), "{example} can't be built");
}

/// An address that nobody listens at.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// Whether a command succeeded and printed these lines, in which `..` stands for anything.
fn is_shown(said: &Output, shown: &[String]) -> bool {
    let printed = String::from_utf8_lossy(&said.stdout);
    let mut lines = printed.lines();
    said.status.success() && shown.iter().all(|shown| lines.any(|line| is_alike(line, shown)))
}

fn is_alike(line: &str, shown: &str) -> bool {
    match shown.split_once("..") {
        Some((begin, end)) => line.starts_with(begin) && line.ends_with(end),
        None => line == shown,
    }
}

#[expect(clippy::disallowed_methods, reason = "a limit to the waiting of a test")]
fn now() -> Instant {
    Instant::now()
}
