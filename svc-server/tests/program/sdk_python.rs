//! The Python SDK as it is published: its package, the programs of its README, a bot under `kill -9`.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use futures_util::{StreamExt, stream};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Map;
use svc_client::Client;
use svc_client::types::api::orders::OrderStatus;
use svc_client::types::api::services::Acceptance;
use svc_client::types::credits::Balance;
use svc_client::types::{ApiKey, MessageId};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::OnceCell;

use crate::languages::{TIMEOUT, command, left_out, said};
use crate::process::{Place, Server};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const SDK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../sdk/python");
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
    service_not_found not_sent None None bots.capabilities lists the services of a bot\n\
    working progress input_required partial\n";

/// How many bots crash at once.
const BOTS_MAX: usize = 4;

/// Credits of a new account.
const GRANT: u32 = 100;

/// Longest program of the README, in lines that are neither empty nor comments.
const LINES_MAX: usize = 25;

/// A point at which a bot is killed, and what becomes of its order.
struct Crash {
    point: &'static str,
    /// Its `on_crash`.
    policy: &'static str,
    has_escrow: bool,
    status: OrderStatus,
    /// How often the handler starts.
    starts: usize,
}

fn crash(point: &'static str, status: OrderStatus) -> Crash {
    Crash { point, policy: "error", has_escrow: false, status, starts: 1 }
}

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

/// Stops a bot as a service manager does; it must end well.
async fn stop(mut bot: Child) {
    let id = Pid::from_raw(bot.id().unwrap().cast_signed()).unwrap();
    kill_process(id, Signal::TERM).unwrap();
    let ended = tokio::time::timeout(TIMEOUT, bot.wait()).await.expect("the bot ends in time");
    assert_eq!(ended.unwrap().code(), Some(0));
}

/// What a bot says until an order is closed.
async fn said_until_closed(bot: &mut Child) -> String {
    let mut output = BufReader::new(bot.stdout.as_mut().unwrap());
    let mut said = String::new();
    let reading = async {
        while !said.ends_with("closed\n") {
            assert_ne!(output.read_line(&mut said).await.unwrap(), 0, "{said}");
        }
    };
    tokio::time::timeout(TIMEOUT, reading).await.expect("the order is closed in time");
    said
}

/// Waits until a bot offers a service.
async fn offered(buyer: &Client, bot: &str) {
    let offering =
        async { while buyer.bots().capabilities(bot).await.unwrap().capabilities.is_empty() {} };
    tokio::time::timeout(TIMEOUT, offering).await.expect("the bot publishes its service");
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
    let running = sdk.run(&place, &server, &bot, &["wordbot.py"]).spawn().unwrap();
    offered(&server.client_of(&buyer), "wordbot").await;
    for _again in 0..2 {
        let output = said(&mut sdk.run(&place, &server, &buyer, &["buyer.py"])).await;
        assert_eq!(output, "3 words for 5 credits\ncount-words completed\n");
    }
    stop(running).await;
    for (key, left) in [(buyer, GRANT - 5), (bot, GRANT + 5)] {
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

/// A bot with an open order.
struct Sale<'a> {
    crash: &'a Crash,
    name: String,
    key: ApiKey,
    order: MessageId,
}

impl<'a> Sale<'a> {
    async fn new(server: &Server, buyer: &Client, name: String, crash: &'a Crash) -> Self {
        let key = server.client().auth().register_agent(name.as_str()).await.unwrap().api_key;
        let offer = server.client_of(&key);
        let offered = offer.services().create("count-words", "counts words", 5);
        let service = offered.acceptance(Acceptance::Explicit).await.unwrap().service.id;
        let input = Map::from_iter([("text".to_owned(), "to be".into())]);
        let order = buyer.orders().create(name.as_str(), &service, input);
        let order = if crash.has_escrow {
            let escrow = buyer.escrow().create(name.as_str(), &service, 5, "a count");
            order.escrow_id(&escrow.await.unwrap().escrow.id)
        } else {
            order.max_credits(5)
        };
        Self { crash, key, order: order.await.unwrap().order.id, name }
    }

    /// The bot, until it is killed at this point.
    fn bot(&self, sdk: &Sdk, place: &Place, server: &Server, point: &str) -> Child {
        let mut bot = sdk.run(place, server, &self.key, &["killed.py", point]);
        bot.env("BOT", &self.name).env("ON_CRASH", self.crash.policy);
        bot.stdout(Stdio::piped()).spawn().unwrap()
    }

    /// Kills the bot at its point, starts it again, and waits until its order is closed.
    async fn crash(&self, sdk: &Sdk, place: &Place, server: &Server) {
        let Crash { point, starts, .. } = self.crash;
        let died = self.bot(sdk, place, server, point).wait_with_output();
        let died = tokio::time::timeout(TIMEOUT, died).await.unwrap().unwrap();
        assert_eq!(died.status.signal(), Some(9), "{}", self.name);
        let before = String::from_utf8(died.stdout).unwrap();
        assert_eq!(before.lines().last(), Some(*point), "{}", self.name);
        let mut bot = self.bot(sdk, place, server, "none");
        let said = before + &said_until_closed(&mut bot).await;
        assert_eq!(said.lines().filter(|line| *line == "starts").count(), *starts, "{said}");
        stop(bot).await;
    }

    /// The order has ended as it should, with one answer, and one charge if it was completed.
    async fn is_answered_once(&self, server: &Server, buyer: &Client) {
        let order = buyer.orders().get(self.order.clone()).await.unwrap().order;
        assert_eq!(order.status, self.crash.status, "{}", self.name);
        let answers = buyer.messages().list().with_user(self.name.as_str());
        let answers = answers.schema("service.response").page().await.unwrap().items;
        assert_eq!(answers.len(), 1, "{}", self.name);
        let charged = if order.status == OrderStatus::Completed { 5 } else { 0 };
        let balance = server.client_of(&self.key).credits().balance().await.unwrap().credits;
        assert_eq!(balance.available, Balance::from(GRANT + charged), "{}", self.name);
    }
}

#[tokio::test]
async fn a_bot_in_python_answers_and_charges_once_wherever_it_is_killed() {
    let Some(sdk) = Sdk::get().await else { return };
    let place = place_with_programs();
    fs::write(place.path("killed.py"), KILLED).unwrap();
    let server = place.serve();
    let ada = server.client().auth().register_agent("ada").await.unwrap().api_key;
    let buyer = server.client_of(&ada);
    let crashes = crashes();
    let (at, on, by) = (&place, &server, &buyer);
    let sales = stream::iter(crashes.iter().enumerate()).map(|(number, crash)| async move {
        let name = format!("bot_{number}_{}", crash.point.replace(' ', "_"));
        let sale = Sale::new(on, by, name, crash).await;
        sale.crash(sdk, at, on).await;
        sale.is_answered_once(on, by).await;
    });
    sales.buffer_unordered(BOTS_MAX).collect::<()>().await;
    let balance = buyer.credits().balance().await.unwrap().credits;
    let cost =
        |status| 5 * crashes.iter().map(|crash| u32::from(crash.status == status)).sum::<u32>();
    let [spent, held] = [OrderStatus::Completed, OrderStatus::Delivered].map(cost);
    let expected = (Balance::from(GRANT - spent - held), Balance::from(held));
    assert_eq!((balance.available, balance.held), expected);
    server.stop().await;
    assert!(!place.run(&["audit"]).contains("BROKEN"));
}
