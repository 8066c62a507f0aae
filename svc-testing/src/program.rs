//! The program of the server.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tokio::process::Command;

/// The variable that names the program.
const VARIABLE: &str = "SVC_TEST_PROGRAM";
/// Programs to look for in `PATH`.
const NAMES: [&str; 2] = ["svc-server", "svc"];

/// The program that tests start.
///
/// # Panics
/// If there is none.
pub(crate) fn find() -> PathBuf {
    if let Some(program) = variable(VARIABLE) {
        return program.into();
    }
    let folders = variable("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).find_map(|folder| {
        NAMES.iter().map(|name| folder.join(name)).find(|program| program.is_file())
    });
    found.unwrap_or_else(|| {
        panic!("a test needs svc-server or svc in PATH, or its path in {VARIABLE}")
    })
}

/// The command that serves: `svc` has one for it, `svc-server` needs none.
pub(crate) fn serve(program: &Path) -> Command {
    let mut command = Command::new(program);
    // The settings of the person who runs the tests are not those of the tests.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SVC_") {
            command.env_remove(name);
        }
    }
    if program.file_stem().is_some_and(|name| name == "svc") {
        command.arg("serve");
    }
    command
}

fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}
