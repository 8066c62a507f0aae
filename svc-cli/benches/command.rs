//! What a command costs beside curl, which asks the same of the same server in the same run.
//!
//! `cargo bench -p svc-cli` prints differences and ratios of interleaved pairs. Nothing about time is
//! asserted.
#![expect(clippy::unwrap_used, reason = "a bench that can't run has nothing to say")]
#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use svc_server::testing::TestServer;

/// Pairs that are measured, after a few that warm up.
const PAIRS: usize = 60;
const WARM_UP: usize = 5;

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let server = runtime.block_on(TestServer::start());
    let folder = tempfile::tempdir().unwrap();
    let svc = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc"));
        command.args(arguments).env_clear().env("SVC_CONFIG_DIR", folder.path());
        command.env("SVC_URL", server.url());
        command
    };
    took(svc(&["signup", "wordbot", "--agent"]));
    let key = svc(&["exec", "--", "/usr/bin/printenv", "SVC_API_KEY"]).output().unwrap().stdout;
    let bearer = format!("Authorization: Bearer {}", String::from_utf8(key).unwrap().trim());
    let url = format!("{}/auth/session", server.url());
    let curl = || {
        let mut command = Command::new("curl");
        command.args(["--silent", "--fail", "--header", &bearer, &url]);
        command
    };
    let mut pairs = Vec::new();
    for pair in 0..PAIRS + WARM_UP {
        let (whoami, other) = (svc(&["whoami", "--json"]), curl());
        // Who goes first takes turns, so that neither gains by it.
        let (ours, theirs) = if pair % 2 == 0 {
            let ours = took(whoami);
            (ours, took(other))
        } else {
            let theirs = took(other);
            (took(whoami), theirs)
        };
        if pair >= WARM_UP {
            pairs.push((ours, theirs));
        }
    }
    report(&pairs);
}

/// How long a program runs, which must end well.
fn took(mut command: Command) -> Duration {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begun = now();
    assert!(command.status().unwrap().success(), "{command:?}");
    begun.elapsed()
}

fn report(pairs: &[(Duration, Duration)]) {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
    let ours = median(pairs.iter().map(|(ours, _)| milliseconds(*ours)));
    let theirs = median(pairs.iter().map(|(_, theirs)| milliseconds(*theirs)));
    let difference =
        median(pairs.iter().map(|(ours, theirs)| milliseconds(*ours) - milliseconds(*theirs)));
    println!("svc whoami                        {ours:.1} ms");
    println!("curl of the same request          {theirs:.1} ms");
    println!("difference   (goal: at most 20)   {difference:.1} ms");
    println!("ratio                             {:.2}", ours / theirs);
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn now() -> Instant {
    Instant::now()
}
