//! The recipes start as a reader starts them. What they do is a test of svc-server, in all languages.

use std::os::unix::process::CommandExt;
use std::process::Command;

#[test]
fn a_recipe_without_a_server_says_what_it_needs() {
    for recipe in ["buyer", "greeter", "mcp_host", "scheduled_poster", "translator"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cookbook"));
        let ended = command.arg0(recipe).env_remove("SVC_URL").output().unwrap();
        assert!(!ended.status.success(), "{recipe}");
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(!said.is_empty(), "{recipe}");
    }
}
