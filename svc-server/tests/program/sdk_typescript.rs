//! The TypeScript SDK as it is published: its package, the programs of its README, a bot under `kill -9`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use svc_client::types::ApiKey;
use svc_client::types::api::orders::OrderStatus;
use svc_client::types::credits::Balance;
use svc_store::testing::left_out;
use tokio::process::Command;
use tokio::sync::OnceCell;

use crate::languages::{command, said};
use crate::process::{Place, Server};
use crate::sdk_crashes::{Crash, GRANT, Script, crash, offered, one_answer_and_one_charge, stop};

pub(crate) const SDK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../sdk/typescript");
const README: &str = include_str!("../../../sdk/typescript/README.md");
const TYPES: &str = include_str!("../../../sdk/typescript/test/types.mts");
const ORDER: &str = include_str!("foreign/order.mjs");
const KILLED: &str = include_str!("foreign/killed.mjs");

/// The packages that the SDK needs, packed as well: tests have no network.
const NEEDED: [&str; 8] = [
    "./node_modules/standardwebhooks",
    "./node_modules/@stablelib/base64",
    "./node_modules/fast-sha256",
    "./node_modules/ajv",
    "./node_modules/fast-deep-equal",
    "./node_modules/fast-uri",
    "./node_modules/json-schema-traverse",
    "./node_modules/require-from-string",
];

/// What bot and buyer in one process say.
const ORDER_SAYS: &str = "\
    avatar changed: true\n\
    image: true a dot\n\
    refused validation_failed /users/me/avatar\n\
    true\n\
    input_required into which language? 10\n\
    completed { buyer: 'ada', text: 'word, in Latin' } 4\n\
    { first: 'w' }\n\
    rejected there is nothing to translate\n\
    fail failed on … / the time is over\n\
    error the service took too long; nothing is charged\n\
    the server refused resp:… / validation_failed\n\
    error the result could not be sent; nothing is charged\n\
    price_above_max refused POST /orders true\n\
    service_not_found not_sent undefined undefined true\n\
    working progress partial input_required working working working\n";

/// Longest program of the README, in lines that are neither empty nor comments.
const LINES_MAX: usize = 25;

fn crashes() -> [Crash; 17] {
    [
        crash("before order", OrderStatus::Completed),
        crash("after order", OrderStatus::Completed),
        crash("before start", OrderStatus::Completed),
        crash("in the handler", OrderStatus::Error),
        crash("end of the handler", OrderStatus::Error),
        crash("before answer", OrderStatus::Error),
        crash("after answer", OrderStatus::Completed),
        crash("before sending", OrderStatus::Completed),
        crash("after sending", OrderStatus::Completed),
        crash("answer half", OrderStatus::Completed),
        crash("answer whole", OrderStatus::Completed),
        crash("answer renamed", OrderStatus::Completed),
        Crash { end: Some("looked"), ..crash("after done", OrderStatus::Completed) },
        Crash { policy: "reject", ..crash("in the handler", OrderStatus::Rejected) },
        Crash { policy: "rerun", starts: 2, ..crash("before answer", OrderStatus::Completed) },
        Crash { has_escrow: true, ..crash("in the handler", OrderStatus::Error) },
        Crash { has_escrow: true, ..crash("before sending", OrderStatus::Delivered) },
    ]
}

/// npm without network.
fn npm(place: &Place, arguments: &[&str]) -> Command {
    let mut npm = command(place, "npm", arguments);
    npm.env("npm_config_offline", "true").env("npm_config_cache", place.path("cache"));
    npm.env("npm_config_update_notifier", "false").env("npm_config_loglevel", "error");
    npm
}

/// The SDK as users get it.
pub(crate) struct Sdk {
    /// The packed package.
    package: PathBuf,
    /// A folder that was empty before the package was installed there.
    folder: PathBuf,
}

impl Sdk {
    /// Built once for all tests; `None` if its tools are missing.
    pub(crate) async fn get() -> Option<&'static Self> {
        static SDK_BUILT: OnceCell<Sdk> = OnceCell::const_new();
        if Path::new(SDK).join("node_modules").is_dir() {
            return Some(SDK_BUILT.get_or_init(Self::build).await);
        }
        left_out("sdk/typescript/node_modules, from `npm ci`,");
        None
    }

    async fn build() -> Self {
        let place = Place::new();
        let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sdk-typescript");
        let _absent = fs::remove_dir_all(&built);
        let folder = built.join("installed");
        fs::create_dir_all(&folder).unwrap();
        let destination = format!("--pack-destination={}", built.display());
        said(npm(&place, &["pack", &destination]).current_dir(SDK)).await;
        let arguments = ["pack", "--ignore-scripts", &destination];
        said(npm(&place, &arguments).args(NEEDED).current_dir(SDK)).await;
        let files = fs::read_dir(&built).unwrap().map(|file| file.unwrap().path());
        let packages = files.filter(|file| file.extension().is_some_and(|it| it == "tgz"));
        let mut install = npm(&place, &["install", "--no-audit", "--no-fund"]);
        said(install.args(packages).current_dir(&folder)).await;
        // The version is that of the workspace.
        let package = built.join(concat!("svc-sdk-", env!("CARGO_PKG_VERSION"), ".tgz"));
        Self { package, folder }
    }

    /// A folder of its own for a test, with the SDK and the programs of the README.
    pub(crate) fn place(&self) -> Place {
        let place = Place::new();
        symlink(self.folder.join("node_modules"), place.path("node_modules")).unwrap();
        for (name, program) in programs() {
            fs::write(place.path(name), program).unwrap();
        }
        place
    }
}

/// The programs of the README by the names of their files.
fn programs() -> Vec<(&'static str, &'static str)> {
    let blocks = README.split("```js\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let name = |block: &'static str| block.lines().next().unwrap().trim_start_matches("// ");
    blocks.map(|block| (name(block), block)).collect()
}

/// A program that runs as an account.
fn node(place: &Place, server: &Server, key: &ApiKey, arguments: &[&str]) -> Command {
    let mut node = command(place, "node", arguments);
    node.env("SVC_URL", format!("http://{}", server.address()));
    node.env("SVC_API_KEY", key.expose());
    node
}

#[tokio::test]
async fn the_programs_of_the_typescript_readme_are_short_and_type_checked() {
    let Some(sdk) = Sdk::get().await else { return };
    let place = sdk.place();
    for (name, program) in programs() {
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        assert!(program.lines().filter(is_code).count() <= LINES_MAX, "{name} is too long");
    }
    fs::write(place.path("types.mts"), TYPES).unwrap();
    let [tsc, types] =
        ["typescript/bin/tsc", "@types"].map(|it| format!("{SDK}/node_modules/{it}"));
    let rules = "--strict --checkJs --noEmit --target es2022 --module nodenext --types node";
    let mut tsc = command(&place, "node", &[&tsc, "--typeRoots", &types, "types.mts"]);
    said(tsc.args(rules.split(' ')).args(programs().iter().map(|(name, _)| name))).await;
}

#[tokio::test]
async fn the_bot_and_the_buyer_of_the_typescript_readme_make_a_deal() {
    let Some(sdk) = Sdk::get().await else { return };
    let place = sdk.place();
    let server = place.serve();
    let bot = server.client().auth().register_agent("wordbot").await.unwrap().api_key;
    let buyer = server.client().auth().register_agent("ada").await.unwrap().api_key;
    let running = node(&place, &server, &bot, &["wordbot.mjs"]).spawn().unwrap();
    offered(&server.client_of(&buyer), "wordbot").await;
    for _again in 0..2 {
        let output = said(&mut node(&place, &server, &buyer, &["buyer.mjs"])).await;
        assert_eq!(output, "{ words: 6 }\n");
    }
    for deliverable in ["{ words: 6 }\n", ""] {
        let output = said(&mut node(&place, &server, &buyer, &["escrow.mjs"])).await;
        assert_eq!(output, format!("{deliverable}completed \n"), "the order is placed once");
    }
    for _again in 0..2 {
        let output = said(&mut node(&place, &server, &buyer, &["limits.mjs"])).await;
        assert_eq!(output, "{ words: 2 }\n");
    }
    stop(running).await;
    for (key, left) in [(buyer, GRANT - 15), (bot, GRANT + 15)] {
        let credits = server.client_of(&key).credits().balance().await.unwrap().credits;
        assert_eq!(credits.available, Balance::from(left));
    }
    server.stop().await;
}

#[tokio::test]
async fn a_bot_in_typescript_asks_reports_and_declines() {
    let Some(sdk) = Sdk::get().await else { return };
    let place = sdk.place();
    fs::write(place.path("order.mjs"), ORDER).unwrap();
    let server = place.serve();
    let mut script = command(&place, "node", &["order.mjs"]);
    script.env("SVC_URL", format!("http://{}/api/", server.address()));
    assert_eq!(said(&mut script).await, ORDER_SAYS);
    server.stop().await;
}

#[tokio::test]
async fn a_bot_in_typescript_answers_and_charges_once_wherever_it_is_killed() {
    let Some(sdk) = Sdk::get().await else { return };
    let place = sdk.place();
    fs::write(place.path("killed.mjs"), KILLED).unwrap();
    let start = |server: &Server, key: &ApiKey, point: &str| {
        node(&place, server, key, &["killed.mjs", point])
    };
    let script = Script { start: &start, end: "done" };
    one_answer_and_one_charge(&place, &script, &crashes()).await;
}

#[tokio::test]
async fn the_package_of_the_typescript_sdk_is_in_order() {
    let Some(sdk) = Sdk::get().await else { return };
    let place = Place::new();
    said(npm(&place, &["test"]).current_dir(SDK)).await;
    let tool = |name: &str| format!("{SDK}/node_modules/.bin/{name}");
    let sdk = sdk.package.to_str().unwrap();
    said(&mut command(&place, &tool("publint"), &[sdk, "--strict"])).await;
    said(&mut command(&place, &tool("attw"), &[sdk, "--profile", "esm-only"])).await;
}
