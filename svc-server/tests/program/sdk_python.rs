//! The Python SDK as it is published: its package, the programs of its README, a bot under `kill -9`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use svc_client::types::ApiKey;
use svc_client::types::api::orders::OrderStatus;
use svc_client::types::credits::Balance;
use svc_store::testing::left_out;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use tokio::sync::OnceCell;

use crate::languages::{TIMEOUT, command, said};
use crate::process::{Place, Server};
use crate::sdk_crashes::{Crash, GRANT, Script, crash, offered, one_answer_and_one_charge, stop};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
pub(crate) const SDK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../sdk/python");
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../sdk/python/tests");
const README: &str = include_str!("../../../sdk/python/README.md");
const CALLS: &str = include_str!("foreign/sdk.py");
const ORDER: &str = include_str!("foreign/order.py");
const KILLED: &str = include_str!("foreign/killed.py");

/// What the script of calls says.
const CALLS_SAY: &str = "\
    placed once: True open\n\
    completed {'text': 'HI'} 3\n\
    refused 409 idempotency_conflict POST /orders True\n\
    refused validation_failed content True\n\
    not_sent None /health\n\
    ['message 4', 'message 3', 'message 2', 'message 1', 'message 0']\n\
    avatar changed: True\n\
    image: True a dot\n\
    refused validation_failed PUT /users/me/avatar\n\
    ['service', 'service'] {'text': 'NOW'}\n\
    ['completed', 'completed']\n";

/// What bot and buyer in one process say.
const ORDER_SAYS: &str = "\
    input_required into which language? 10\n\
    completed {'text': 'word in Latin, for ada'} 4\n\
    [{'first': 'w'}]\n\
    translate rejected there is nothing to translate\n\
    fail error the service failed; nothing is charged\n\
    slow error the service took too long; nothing is charged\n\
    huge error the result could not be sent; nothing is charged\n\
    price_above_max refused POST /orders 5\n\
    service_not_found not_sent None None it offers \"translate\", \"fail\", \"slow\", \"huge\"\n\
    working progress input_required partial\n";

/// Longest program of the README, in lines that are neither empty nor comments.
const LINES_MAX: usize = 25;

fn crashes() -> [Crash; 12] {
    [
        crash("before journalled", OrderStatus::Completed),
        crash("after journalled", OrderStatus::Completed),
        crash("before handler", OrderStatus::Completed),
        crash("after handler", OrderStatus::Error),
        crash("before stored", OrderStatus::Error),
        crash("after stored", OrderStatus::Completed),
        crash("before sent", OrderStatus::Completed),
        crash("after sent", OrderStatus::Completed),
        Crash { policy: "reject", ..crash("after handler", OrderStatus::Rejected) },
        Crash { policy: "rerun", starts: 2, ..crash("after handler", OrderStatus::Completed) },
        Crash { has_escrow: true, ..crash("after handler", OrderStatus::Error) },
        Crash { has_escrow: true, ..crash("after sent", OrderStatus::Delivered) },
    ]
}

/// The SDK as users get it.
pub(crate) struct Sdk {
    /// The built wheel and source distribution.
    packages: [PathBuf; 2],
    /// Python with nothing but the wheel and what it depends on.
    pub(crate) python: PathBuf,
}

impl Sdk {
    /// Built once for all tests; `None` if its tools are missing.
    pub(crate) async fn get() -> Option<&'static Self> {
        static SDK_BUILT: OnceCell<Sdk> = OnceCell::const_new();
        let place = Place::new();
        let prefix = "import sys; print(sys.prefix)";
        let prefix = said(&mut command(&place, "python3", &["-c", prefix])).await;
        let wheels = Path::new(prefix.trim()).join("wheels");
        if wheels.is_dir() {
            return Some(SDK_BUILT.get_or_init(|| Self::build(&wheels)).await);
        }
        left_out("the packages that the Python SDK needs, from `.ci/run prepare`,");
        None
    }

    /// Tests have no network: what the SDK depends on is in the folder of wheels.
    async fn build(wheels: &Path) -> Self {
        let place = Place::new();
        let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sdk-python");
        let _absent = fs::remove_dir_all(&built);
        let (dist, venv) = (built.join("dist"), built.join("venv"));
        let mut tool = command(&place, "pyproject-build", &["--no-isolation", SDK, "--outdir"]);
        said(tool.arg(&dist)).await;
        // The version is that of the workspace.
        let name = concat!("svc_sdk-", env!("CARGO_PKG_VERSION"));
        let packages =
            ["-py3-none-any.whl", ".tar.gz"].map(|end| dist.join(format!("{name}{end}")));
        let make = ["-m", "venv", "--without-pip"];
        said(command(&place, "python3", &make).arg(&venv)).await;
        let python = venv.join("bin/python");
        let mut pip = command(&place, "pip", &["--disable-pip-version-check", "--quiet"]);
        pip.arg("--python").arg(&python).args(["install", "--no-index", "--find-links"]);
        said(pip.arg(wheels).arg(&packages[0])).await;
        Self { packages, python }
    }

    /// A program that runs as an account.
    fn run(&self, place: &Place, server: &Server, key: &ApiKey, arguments: &[&str]) -> Command {
        let mut python = command(place, self.python.to_str().unwrap(), arguments);
        python.env("SVC_URL", format!("http://{}", server.address()));
        python.env("SVC_API_KEY", key.expose()).env("NO_PROXY", "127.0.0.1");
        python
    }
}

/// The programs of the README by the names of their files.
fn programs() -> Vec<(&'static str, &'static str)> {
    let blocks = README.split("```python\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let name = |block: &'static str| block.lines().next().unwrap().trim_start_matches("# ");
    blocks.map(|block| (name(block), block)).collect()
}

/// A folder of its own for a test, with the programs of the README.
pub(crate) fn place_with_programs() -> Place {
    let place = Place::new();
    for (name, program) in programs() {
        fs::write(place.path(name), program).unwrap();
    }
    place
}

#[tokio::test]
async fn the_programs_of_the_python_readme_are_short_and_type_checked() {
    let Some(sdk) = Sdk::get().await else { return };
    let place = place_with_programs();
    for (name, program) in programs() {
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with('#');
        assert!(program.lines().filter(is_code).count() <= LINES_MAX, "{name} is too long");
    }
    let mut mypy =
        command(&place, "mypy", &["--strict", "--cache-dir", "mypy", "--python-executable"]);
    said(mypy.arg(&sdk.python).args(programs().iter().map(|(name, _)| name))).await;
}

#[tokio::test]
async fn the_bot_and_the_buyer_of_the_python_readme_make_a_deal() {
    let Some(sdk) = Sdk::get().await else { return };
    let place = place_with_programs();
    let server = place.serve();
    let bot = server.client().auth().register_agent("wordbot").await.unwrap().api_key;
    let buyer = server.client().auth().register_agent("ada").await.unwrap().api_key;
    let mut running = sdk.run(&place, &server, &bot, &["wordbot.py"]);
    let mut running = running.stderr(Stdio::piped()).spawn().unwrap();
    let mut log = BufReader::new(running.stderr.take().unwrap()).lines();
    let opened = tokio::time::timeout(TIMEOUT, log.next_line()).await.expect("the bot opens");
    assert_eq!(opened.unwrap().unwrap(), "INFO:svc.bot:open for orders: count-words");
    offered(&server.client_of(&buyer), "wordbot").await;
    for _again in 0..2 {
        let output = said(&mut sdk.run(&place, &server, &buyer, &["buyer.py"])).await;
        assert_eq!(output, "3 words for 5 credits\ncount-words completed\n");
    }
    for deliverable in ["{'words': 3}\n", ""] {
        let output = said(&mut sdk.run(&place, &server, &buyer, &["escrow.py"])).await;
        assert_eq!(output, format!("{deliverable}completed \n"), "the order is placed once");
    }
    for _again in 0..2 {
        let output = said(&mut sdk.run(&place, &server, &buyer, &["limits.py"])).await;
        assert_eq!(output, "{'words': 2}\n");
    }
    stop(running).await;
    for (key, left) in [(buyer, GRANT - 15), (bot, GRANT + 15)] {
        let credits = server.client_of(&key).credits().balance().await.unwrap().credits;
        assert_eq!(credits.available, Balance::from(left));
    }
    server.stop().await;
}

/// Runs a script that registers its own accounts.
async fn script(name: &str, source: &str, says: &str) {
    let Some(sdk) = Sdk::get().await else { return };
    let place = place_with_programs();
    fs::write(place.path(name), source).unwrap();
    let server = place.serve();
    let mut script = command(&place, sdk.python.to_str().unwrap(), &[name]);
    script.env("SVC_URL", format!("http://{}/api/", server.address()));
    assert_eq!(said(script.env("NO_PROXY", "127.0.0.1")).await, says);
    server.stop().await;
}

#[tokio::test]
async fn both_clients_in_python_deal_list_and_follow_events() {
    script("sdk.py", CALLS, CALLS_SAY).await;
}

#[tokio::test]
async fn a_bot_in_python_asks_reports_and_declines() {
    script("order.py", ORDER, ORDER_SAYS).await;
}

#[tokio::test]
async fn the_package_of_the_python_sdk_is_in_order() {
    let Some(sdk) = Sdk::get().await else { return };
    let place = Place::new();
    said(command(&place, "twine", &["check", "--strict"]).args(&sdk.packages)).await;
    said(command(&place, "mypy", &["--cache-dir"]).arg(place.path("mypy")).current_dir(SDK)).await;
    for check in [&["check"][..], &["format", "--check"]] {
        said(command(&place, "ruff", check).args(["--no-cache", SDK])).await;
    }
    said(&mut command(&place, &format!("{ROOT}/.ci/python_types.py"), &[])).await;
    let tests = ["-m", "unittest", "discover", "--start-directory", TESTS];
    let mut tests = command(&place, sdk.python.to_str().unwrap(), &tests);
    said(tests.env("PYTHONDONTWRITEBYTECODE", "1")).await;
}

#[tokio::test]
async fn a_bot_in_python_answers_and_charges_once_wherever_it_is_killed() {
    let Some(sdk) = Sdk::get().await else { return };
    let place = place_with_programs();
    fs::write(place.path("killed.py"), KILLED).unwrap();
    let start = |server: &Server, key: &ApiKey, point: &str| {
        sdk.run(&place, server, key, &["killed.py", point])
    };
    let script = Script { start: &start, end: "closed" };
    one_answer_and_one_charge(&place, &script, &crashes()).await;
}
