//! The README's commands work as printed.

use std::path::{Path, PathBuf};
use std::process::Command;

use svc_server::clock::Clock;

use crate::shell::Shell;

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    std::fs::read_to_string(path).unwrap()
}

/// The lines behind `$ ` in the README's blocks marked `console`.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines = blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("$ "));
    lines.map(str::to_owned).collect()
}

/// The commands in the table of what works.
fn examples(text: &str) -> Vec<String> {
    let table = text.split("## What works\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = table.lines().filter(|line| line.starts_with('|'));
    let spans = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let examples = spans.filter(|span| span.starts_with("svc "));
    examples.map(|example| example.replace("\\|", "|")).collect()
}

/// A search path on which `svc` is the program under test.
fn search_path() -> String {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_svc"));
    let rest = "/usr/local/bin:/usr/bin:/bin";
    format!("{}:{rest}", program.parent().unwrap().display())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_of_the_readme_works_as_printed() {
    let shell = Shell::start().await;
    // What is scheduled "in 2h" is meant by the reader's clock.
    let clock = shell.server.clock();
    clock.advance(Clock::system().now().since(clock.now()));
    let text = readme();
    let (commands, examples) = (commands(&text), examples(&text));
    assert!(commands.len() >= 10, "the README shows commands: {commands:?}");
    assert!(examples.len() >= 3, "the README shows what works: {examples:?}");
    for line in commands {
        run(&shell, &line, "").await;
    }
    let posts = shell.svc(&["posts", "wordbot", "--json"]).json();
    let post = posts["posts"][0]["id"].as_str().unwrap();
    for line in examples {
        run(&shell, &line, post).await;
    }
}

/// Runs a command as a shell does, with the id of a post in `POST`.
async fn run(shell: &Shell, line: &str, post: &str) {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(shell.folder.path()).env_clear();
    command.env("PATH", search_path()).env("SVC_CONFIG_DIR", shell.folder.path().join("profiles"));
    command.env("SVC_URL", shell.server.url()).env("POST", post);
    let done = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
    let told = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{line}\n{told}");
}
