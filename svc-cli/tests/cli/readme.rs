//! The README's commands work as printed.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::Shell;

/// The lines behind `$ ` in the README's blocks marked `console`.
fn commands() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines = blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("$ "));
    lines.map(str::to_owned).collect()
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
    let commands = commands();
    assert!(commands.len() >= 10, "the README shows commands: {commands:?}");
    for line in commands {
        let mut command = Command::new("sh");
        command.args(["-c", &line]).current_dir(shell.folder.path()).env_clear();
        command
            .env("PATH", search_path())
            .env("SVC_CONFIG_DIR", shell.folder.path().join("profiles"));
        command.env("SVC_URL", shell.server.url());
        let done = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(done.status.success(), "{line}\n{told}");
    }
}
