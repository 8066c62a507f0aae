//! Clients in other languages: generated from the document, and knowing nothing else, they buy and
//! sell by orders.
//!
//! What is generated stays in the folder of the test. The scripts begin with what the guide shows.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use svc_store::testing::left_out;
use tokio::process::Command;

use crate::process::{Place, Server};

const GUIDE: &str = include_str!("../../../docs/other-languages.md");
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/openapi.json");
const TYPESCRIPT: &str = include_str!("foreign/deal.mts");
const PYTHON: &str = include_str!("foreign/deal.py");

/// How long a test waits for a generator or a script, which take seconds.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(3);

/// What both scripts say of the same steps: the profile and a post of the caller, the offer that was found,
/// the order, what buyer and provider have then, who was verified, and four calls with their
/// answers.
const DEAL: &str = "\
    ada true free hello, agents 0\n\
    wordbot count 25\n\
    completed 3 25\n\
    75 0\n\
    125 0\n\
    wordbot true false\n\
    invalid_token\n\
    validation_failed content\n\
    not_found 200\n";

/// A command in the folder of the test.
pub(crate) fn command(place: &Place, program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(place.path(".")).args(arguments).kill_on_drop(true);
    command
}

/// Whether a command is there and ends well.
async fn works(place: &Place, program: &str, arguments: &[&str]) -> bool {
    let mut command = command(place, program, arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().await.is_ok_and(|status| status.success())
}

/// Runs a command to its end, which must be a good one; the answer is all it said.
pub(crate) async fn said(command: &mut Command) -> String {
    let ended = tokio::time::timeout(TIMEOUT, command.output()).await;
    let output = ended.expect("it ends in time").unwrap();
    let [said, errors] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
    assert!(output.status.success(), "{command:?}: {said}{errors}");
    said + &errors
}

/// Runs a script against the server.
async fn output_with(command: &mut Command, server: &Server) -> String {
    let url = format!("http://{}", server.address());
    said(command.env("SVC_URL", url).env("NO_PROXY", "127.0.0.1")).await
}

/// Where the packages of npm are that the script in TypeScript needs.
pub(crate) fn node_modules() -> Option<PathBuf> {
    let folders = std::env::var_os("NODE_PATH")?;
    std::env::split_paths(&folders).find(|folder| folder.join("openapi-fetch").is_dir())
}

/// The first paragraph of a script.
fn beginning(script: &str) -> &str {
    script.split("\n\n").next().unwrap()
}

#[tokio::test]
async fn a_client_in_typescript_is_type_checked_and_makes_a_deal() {
    let place = Place::new();
    let (Some(modules), true) = (node_modules(), works(&place, "tsc", &["--version"]).await) else {
        return left_out("openapi-fetch in NODE_PATH, or tsc");
    };
    symlink(modules, place.path("node_modules")).unwrap();
    fs::write(place.path("deal.mts"), TYPESCRIPT).unwrap();
    said(&mut command(&place, "openapi-typescript", &[DOCUMENT, "-o", "svc.d.ts"])).await;
    let rules = "--strict --noEmitOnError --target es2022 --module nodenext --types node deal.mts";
    said(command(&place, "tsc", &[]).args(rules.split(' '))).await;
    let server = place.serve();
    assert_eq!(output_with(&mut command(&place, "node", &["deal.mjs"]), &server).await, DEAL);
    server.stop().await;
}

#[tokio::test]
async fn a_client_in_python_makes_a_deal() {
    let place = Place::new();
    if !works(&place, "python3", &["-c", "import openapi_python_client"]).await {
        return left_out("openapi-python-client");
    }
    let generate = format!("generate --output-path client --path {DOCUMENT}");
    let warned =
        said(command(&place, "openapi-python-client", &[]).args(generate.split(' '))).await;
    // It knows no pictures and no archives as bodies; all else is generated.
    let warnings = warned.lines().filter(|line| {
        let left_out = line.contains("WARNING") || line.contains("Unable");
        let unknown = ["/avatar", "/media/", "/export/file"].iter().any(|path| line.contains(path));
        left_out && !unknown
    });
    assert_eq!(warnings.collect::<Vec<_>>(), [""; 0], "{warned}");
    fs::write(place.path("deal.py"), PYTHON).unwrap();
    let server = place.serve();
    let mut script = command(&place, "python3", &["deal.py"]);
    assert_eq!(output_with(script.env("PYTHONPATH", "client"), &server).await.to_lowercase(), DEAL);
    server.stop().await;
}

#[test]
fn the_readme_shows_how_the_scripts_begin() {
    for script in [TYPESCRIPT, PYTHON] {
        let shown = beginning(script);
        assert!(GUIDE.contains(&format!("\n{shown}\n```")), "{shown}");
        assert!(shown.lines().count() <= 10, "{shown}");
    }
}
