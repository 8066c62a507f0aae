//! `svc call`: every endpoint, with flags read off its request.

use std::pin::Pin;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use serde_json::Map;
use svc_client::types::{Endpoint, Visitor, api};

use crate::caller::{Caller, words};
use crate::consent::{asks, moves_credits};
use crate::error::Result;
use crate::field::{self, fields, kebab};
use crate::help;

/// A call of one endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    endpoint: Operation,
    flags: ArgMatches,
}

/// An endpoint as a command.
#[derive(Clone, Debug)]
struct Operation {
    name: String,
    command: fn(Command) -> Command,
    run: for<'a> fn(&'a Caller, &'a ArgMatches) -> Running<'a>,
}

type Running<'a> = Pin<Box<dyn Future<Output = Result<()>> + 'a>>;

impl Call {
    /// Sends the request and prints the answer.
    pub(crate) async fn run(&self, caller: &Caller) -> Result<()> {
        (self.endpoint.run)(caller, &self.flags).await
    }
}

/// Every endpoint in the order of its declaration.
struct Operations(Vec<Operation>);

impl Operations {
    fn all() -> Vec<Operation> {
        let mut operations = Self(Vec::new());
        api::visit(&mut operations);
        operations.0
    }
}

impl Visitor for Operations {
    fn visit<E: Endpoint>(&mut self) {
        self.0.push(Operation {
            name: kebab(E::NAME),
            command: command::<E>,
            run: |caller, flags| Box::pin(run::<E>(caller, flags)),
        });
    }
}

/// Describes an endpoint; its schema is read only when this command is looked at.
fn command<E: Endpoint>(command: Command) -> Command {
    let paragraphs: Vec<String> = E::DOC.split("\n\n").map(words).collect();
    let summary = paragraphs[0].trim_end_matches('.').to_owned();
    let command = command
        .about(summary)
        .long_about(format!("{}\n\n{} {}", paragraphs.join("\n\n"), E::METHOD, E::PATH))
        .defer(|command| command.args(fields::<E>().iter().map(field::Field::flag)));
    match (asks::<E>(), moves_credits::<E>()) {
        (_, true) => command.after_help(help::MOVES_CREDITS),
        (true, false) => command.after_help(help::ASKS),
        (false, false) => command,
    }
}

async fn run<E: Endpoint>(caller: &Caller, flags: &ArgMatches) -> Result<()> {
    let mut members = Map::new();
    for field in fields::<E>() {
        if let Some((name, value)) = field.member(flags)? {
            members.insert(name, value);
        }
    }
    let request: E = field::request(members)?;
    match caller.send(request).await? {
        Some(answer) => caller.out.any(&answer.value.raw),
        None => Ok(()),
    }
}

impl FromArgMatches for Call {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, flags) = matches.subcommand().ok_or_else(missing)?;
        let mut operations = Operations::all().into_iter();
        let endpoint = operations.find(|operation| operation.name == name);
        Ok(Self { endpoint: endpoint.ok_or_else(missing)?, flags: flags.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Call {
    fn augment_subcommands(command: Command) -> Command {
        let operations = Operations::all().into_iter();
        command.subcommands(
            operations.map(|operation| (operation.command)(Command::new(operation.name))),
        )
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Operations::all().iter().any(|operation| operation.name == name)
    }
}
