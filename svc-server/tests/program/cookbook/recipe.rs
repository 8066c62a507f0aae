//! A recipe as a process, and the accounts around it.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Map, Value};
use svc_client::Client;
use svc_client::types::ApiKey;
use svc_client::types::api::orders::{OrderRole, OrderStatus};
use svc_client::types::api::services::Acceptance;
use svc_client::types::credits::Balance;
use svc_client::types::service_message::ResponseStatus;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use crate::languages::TIMEOUT;
use crate::process::{Place, Server};

/// How long a bot has for its answer before it is asked again.
const PATIENCE: Duration = Duration::from_secs(2);

/// How its programs start: in a folder, the one of this name, with these arguments.
pub(super) struct Language<'a> {
    pub(super) start: &'a dyn Fn(&Place, &str, &[&str]) -> Command,
}

pub(super) struct Recipe<'a> {
    name: &'static str,
    language: &'a Language<'a>,
    pub(super) server: &'a Server,
    /// Where commands of the server's operator run.
    pub(super) operator: &'a Place,
    /// The working directory of the program.
    pub(super) folder: Place,
}

/// An account; its client has its key.
pub(super) struct Account {
    pub(super) name: String,
    pub(super) key: ApiKey,
    pub(super) client: Client,
}

impl Account {
    pub(super) async fn available(&self) -> Balance {
        self.client.credits().balance().await.unwrap().credits.available
    }

    /// Offers the count of words; `work` answers the orders.
    pub(super) async fn sell_words(&self, price: u32) {
        let offer = self.client.services().create("count-words", "Counts words.", price);
        offer.acceptance(Acceptance::Explicit).await.unwrap();
    }

    /// Answers orders with two words, for as long as it is polled.
    pub(super) async fn work(&self) {
        loop {
            let orders =
                self.client.orders().list().role(OrderRole::Provider).status(OrderStatus::Open);
            for order in orders.page().await.unwrap().items {
                let two = Map::from_iter([("words".to_owned(), Value::from(2))]);
                let answer = self.client.orders().answer(&order.id, ResponseStatus::Completed);
                answer.output(two).await.unwrap();
            }
            tokio::task::yield_now().await;
        }
    }

    /// The latest message that this account and another one have exchanged.
    pub(super) async fn latest_with(&self, other: &str) -> Option<String> {
        let page = self.client.messages().list().with_user(other).limit(1).page();
        page.await.unwrap().items.first().map(|message| message.content.clone())
    }
}

impl<'a> Recipe<'a> {
    pub(super) fn new(
        name: &'static str,
        language: &'a Language<'a>,
        server: &'a Server,
        operator: &'a Place,
    ) -> Self {
        Self { name, language, server, operator, folder: Place::new() }
    }

    /// A new account whose name is only this scene's.
    pub(super) async fn account(&self, role: &str) -> Account {
        let name = format!("{role}_{}", self.name);
        let made = self.server.client().auth().register_agent(name.as_str()).await;
        let key = made.unwrap().api_key;
        Account { client: self.server.client_of(&key), name, key }
    }

    /// The program, running as an account.
    pub(super) fn command(&self, key: &ApiKey, arguments: &[&str]) -> Command {
        let mut command = (self.language.start)(&self.folder, self.name, arguments);
        command.env("SVC_URL", format!("http://{}", self.server.address()));
        command.env("SVC_API_KEY", key.expose()).env("NO_PROXY", "127.0.0.1");
        command
    }

    /// Starts the program; it ends when the answer is dropped.
    pub(super) fn start(&self, key: &ApiKey, arguments: &[&str]) -> Child {
        self.command(key, arguments).spawn().unwrap()
    }

    /// Runs the program to its end, which must be a good one; the answer is what it printed.
    pub(super) async fn run(&self, key: &ApiKey, arguments: &[&str]) -> String {
        let (succeeded, said) = self.end(key, arguments).await;
        assert!(succeeded, "{}: {said}", self.name);
        said
    }

    /// Runs the program to its end; the answer is whether that was a good one, and what it printed.
    pub(super) async fn end(&self, key: &ApiKey, arguments: &[&str]) -> (bool, String) {
        let ended = tokio::time::timeout(TIMEOUT, self.command(key, arguments).output());
        let output = ended.await.expect("it ends in time").unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(said).unwrap())
    }
}

/// The lines that a program prints.
pub(super) fn lines(command: &mut Command) -> (Child, Lines<BufReader<ChildStdout>>) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let output = child.stdout.take().expect("the output is piped");
    (child, BufReader::new(output).lines())
}

pub(super) async fn next_line(lines: &mut Lines<BufReader<ChildStdout>>) -> String {
    let line = tokio::time::timeout(TIMEOUT, lines.next_line()).await;
    line.expect("it prints in time").unwrap().expect("it prints another line")
}

/// Waits until something holds.
pub(super) async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let waiting = async { while !holds().await {} };
    tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("never: {what}"));
}

/// Asks again and again until a bot has answered: it does not hear what comes before it listens.
pub(super) async fn until_answered(
    mut ask: impl AsyncFnMut(usize),
    mut is_answered: impl AsyncFnMut() -> bool,
) {
    let asking = async {
        for number in 0.. {
            ask(number).await;
            let waiting = async { while !is_answered().await {} };
            if tokio::time::timeout(PATIENCE, waiting).await.is_ok() {
                return;
            }
        }
    };
    tokio::time::timeout(TIMEOUT, asking).await.expect("the bot answers");
}
