//! Bots that are killed at each point of their work, whatever the language of their SDK: an order has one
//! answer, and one charge if it was completed.

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;

use futures_util::{StreamExt, stream};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Map;
use svc_client::Client;
use svc_client::types::api::orders::OrderStatus;
use svc_client::types::api::services::Acceptance;
use svc_client::types::credits::Balance;
use svc_client::types::{ApiKey, MessageId};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

use crate::languages::TIMEOUT;
use crate::process::{Place, Server};

/// Credits of a new account.
pub(crate) const GRANT: u32 = 100;

/// How many bots crash at once.
const BOTS_MAX: usize = 4;

/// A point at which a bot is killed, and the outcome of its order.
pub(crate) struct Crash {
    pub(crate) point: &'static str,
    /// Its policy for orders that a crash interrupted.
    pub(crate) policy: &'static str,
    pub(crate) has_escrow: bool,
    pub(crate) status: OrderStatus,
    /// How often the handler starts.
    pub(crate) starts: usize,
    /// What the bot prints, started again, when nothing is left to be done: by default the end of the script.
    pub(crate) end: Option<&'static str>,
}

pub(crate) fn crash(point: &'static str, status: OrderStatus) -> Crash {
    Crash { point, policy: "error", has_escrow: false, status, starts: 1, end: None }
}

/// The script of a language. It prints each point that it reaches and kills itself at the given one; it prints
/// `starts` when its handler does. `BOT` names its journal, `ON_CRASH` is its policy.
pub(crate) struct Script<'a> {
    /// The command that starts it with the key of an account and a point.
    pub(crate) start: &'a dyn Fn(&Server, &ApiKey, &str) -> Command,
    /// What it prints when an order is done.
    pub(crate) end: &'static str,
}

/// Kills a bot at each point and judges the outcome of its order.
pub(crate) async fn one_answer_and_one_charge(
    place: &Place,
    script: &Script<'_>,
    crashes: &[Crash],
) {
    let server = place.serve();
    let ada = server.client().auth().register_agent("ada").await.unwrap().api_key;
    let buyer = server.client_of(&ada);
    let (on, by) = (&server, &buyer);
    let sales = stream::iter(crashes.iter().enumerate()).map(|(number, crash)| async move {
        let name = format!("bot_{number}_{}", crash.point.replace(' ', "_"));
        let sale = Sale::new(on, by, name, crash).await;
        sale.crash(script, on).await;
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
    fn bot(&self, script: &Script<'_>, server: &Server, point: &str) -> Child {
        let mut bot = (script.start)(server, &self.key, point);
        bot.env("BOT", &self.name).env("ON_CRASH", self.crash.policy);
        bot.stdout(Stdio::piped()).spawn().unwrap()
    }

    /// Kills the bot at its point, starts it again, and waits until its order is done.
    async fn crash(&self, script: &Script<'_>, server: &Server) {
        let Crash { point, starts, end, .. } = self.crash;
        let died = self.bot(script, server, point).wait_with_output();
        let died = tokio::time::timeout(TIMEOUT, died).await.unwrap().unwrap();
        assert_eq!(died.status.signal(), Some(9), "{}", self.name);
        let before = String::from_utf8(died.stdout).unwrap();
        assert_eq!(before.lines().last(), Some(*point), "{}", self.name);
        let mut bot = self.bot(script, server, "none");
        let mut output = BufReader::new(bot.stdout.take().unwrap());
        let mut said = before + &said_until(&mut output, end.unwrap_or(script.end)).await;
        stop(bot).await;
        let rest = output.read_to_string(&mut said);
        tokio::time::timeout(TIMEOUT, rest).await.expect("its output ends").unwrap();
        assert_eq!(said.lines().filter(|line| *line == "starts").count(), *starts, "{said}");
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

/// What a bot says until a line.
async fn said_until(output: &mut BufReader<ChildStdout>, end: &str) -> String {
    let mut said = String::new();
    let reading = async {
        while said.lines().last() != Some(end) {
            assert_ne!(output.read_line(&mut said).await.unwrap(), 0, "{said}");
        }
    };
    tokio::time::timeout(TIMEOUT, reading).await.expect("the order is done in time");
    said
}

/// Stops a bot as a service manager does; it must end well.
pub(crate) async fn stop(mut bot: Child) {
    let id = Pid::from_raw(bot.id().unwrap().cast_signed()).unwrap();
    kill_process(id, Signal::TERM).unwrap();
    let ended = tokio::time::timeout(TIMEOUT, bot.wait()).await.expect("the bot ends in time");
    assert_eq!(ended.unwrap().code(), Some(0));
}

/// Waits until a bot offers a service.
pub(crate) async fn offered(buyer: &Client, bot: &str) {
    let offering =
        async { while buyer.bots().capabilities(bot).await.unwrap().capabilities.is_empty() {} };
    tokio::time::timeout(TIMEOUT, offering).await.expect("the bot publishes its service");
}
