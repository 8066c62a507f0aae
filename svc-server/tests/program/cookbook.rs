//! The recipes of the cookbook in each of its languages. A scene plays the people and bots around a recipe; it
//! knows nothing of the language.

mod recipe;
mod scenes;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use futures_util::{StreamExt, stream};
use svc_store::testing::left_out;

use crate::languages::{command, node_modules, said};
use crate::process::Place;
use crate::{sdk_python, sdk_typescript};
use recipe::{Language, Recipe};

const COOKBOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/cookbook");

/// Longest recipe, in lines.
const LINES_MAX: usize = 60;

/// How many recipes run at once.
const RECIPES_MAX: usize = 5;

/// Receivers of webhooks are on this machine.
const SETTINGS: [&str; 1] = ["--allow-loopback-webhooks"];

/// Runs every recipe of a language against one server.
async fn every_recipe(language: &Language<'_>) {
    let place = Place::new();
    let server = place.serve_by(place.program().args(SETTINGS));
    let (server_place, server_now) = (&place, &server);
    let scenes = stream::iter(scenes::ALL).map(|(name, scene)| async move {
        let recipe = Recipe::new(name, language, server_now, server_place);
        scene(&recipe).await;
    });
    scenes.buffer_unordered(RECIPES_MAX).collect::<()>().await;
    server.stop().await;
}

#[tokio::test]
async fn every_recipe_in_rust_works() {
    let program = Path::new(env!("CARGO_BIN_EXE_svc-server")).with_file_name("cookbook");
    if !program.is_file() {
        return left_out("target/debug/cookbook, from `cargo build -p svc-cookbook`,");
    }
    let start = |place: &Place, name: &str, arguments: &[&str]| {
        let mut command = command(place, program.to_str().unwrap(), arguments);
        command.arg0(name);
        command
    };
    every_recipe(&Language { start: &start }).await;
}

#[tokio::test]
async fn every_recipe_in_typescript_is_type_checked_and_works() {
    let (Some(sdk), Some(tools)) = (sdk_typescript::Sdk::get().await, node_modules()) else {
        return left_out("the SDK for TypeScript, or the folder of NODE_PATH,");
    };
    let folder = compiled(sdk, &tools).await;
    let start = |place: &Place, name: &str, arguments: &[&str]| {
        let script = folder.path(&format!("recipes/{name}.js"));
        let mut command = command(place, "node", &[script.to_str().unwrap()]);
        command.args(arguments);
        command
    };
    every_recipe(&Language { start: &start }).await;
}

/// The recipes in TypeScript as JavaScript, beside the SDK and the client of MCP.
async fn compiled(sdk: &sdk_typescript::Sdk, tools: &Path) -> Place {
    let place = sdk.place();
    let recipes = place.path("recipes");
    fs::create_dir_all(recipes.join("node_modules")).unwrap();
    let protocol = "@modelcontextprotocol";
    symlink(tools.join(protocol), recipes.join("node_modules").join(protocol)).unwrap();
    fs::write(recipes.join("package.json"), "{ \"type\": \"module\" }").unwrap();
    for file in files("typescript") {
        fs::copy(&file, recipes.join(file.file_name().unwrap())).unwrap();
    }
    let modules = format!("{}/node_modules", sdk_typescript::SDK);
    let [tsc, types] = ["typescript/bin/tsc", "@types"].map(|it| format!("{modules}/{it}"));
    let rules =
        "--strict --noUncheckedIndexedAccess --skipLibCheck --target es2022 --module nodenext";
    let mut tsc = command(&place, "node", &[&tsc, "--typeRoots", &types, "--types", "node"]);
    let sources = files("typescript").map(|file| recipes.join(file.file_name().unwrap()));
    said(tsc.args(rules.split(' ')).args(sources)).await;
    place
}

#[tokio::test]
async fn every_recipe_in_python_is_type_checked_and_works() {
    let Some(sdk) = sdk_python::Sdk::get().await else { return };
    let place = Place::new();
    let folder = format!("{COOKBOOK}/python");
    let settings = format!("--config={}/pyproject.toml", sdk_python::SDK);
    for check in [&["check"][..], &["format", "--check"]] {
        said(command(&place, "ruff", check).args(["--no-cache", &settings, &folder])).await;
    }
    // The client of MCP is a package of the tools.
    let rules = ["--strict", "--scripts-are-modules", "--cache-dir", "mypy"];
    let source = format!("{}/src", sdk_python::SDK);
    said(command(&place, "mypy", &rules).args(files("python")).env("MYPYPATH", source)).await;
    let start = |place: &Place, name: &str, arguments: &[&str]| {
        let needs_tools = name == "mcp_host";
        let python = if needs_tools { "python3" } else { sdk.python.to_str().unwrap() };
        let mut command = command(place, python, &[&format!("{folder}/{name}.py")]);
        command.args(arguments).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };
    every_recipe(&Language { start: &start }).await;
}

/// The recipes of a language.
fn files(language: &str) -> impl Iterator<Item = PathBuf> {
    let files = fs::read_dir(format!("{COOKBOOK}/{language}")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    files.filter(|file| file.is_file() && file.file_name().unwrap() != "main.rs")
}

#[test]
fn every_recipe_is_short_and_has_a_scene_and_a_row_in_the_table() {
    let table = fs::read_to_string(format!("{COOKBOOK}/README.md")).unwrap();
    for (language, end) in [("rust", "rs"), ("typescript", "ts"), ("python", "py")] {
        let mut names: Vec<String> = Vec::new();
        for file in files(language) {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            let lines = fs::read_to_string(&file).unwrap().lines().count();
            assert!(lines <= LINES_MAX, "{} has {lines} lines", file.display());
            assert!(table.contains(&format!("({language}/{name}.{end})")), "{}", file.display());
            names.push(name);
        }
        names.sort();
        let mut played: Vec<&str> = scenes::ALL.iter().map(|(name, _)| *name).collect();
        played.sort_unstable();
        assert_eq!(names, played, "{language}");
    }
}
