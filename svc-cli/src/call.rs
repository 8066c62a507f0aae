//! `svc call`: every endpoint, with flags read off its request.

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};
use serde_json::Map;
use svc_client::types::{Endpoint, Visitor, api};

use crate::caller::Caller;
use crate::error::Result;
use crate::field::{self, Field, kebab, words};
use crate::help;
use crate::operation::Operation;

/// A call of one endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    operation: Operation,
    flags: ArgMatches,
}

impl Call {
    /// Sends the request and prints the answer.
    pub(crate) async fn run(&self, caller: &Caller) -> Result<()> {
        let mut members = Map::new();
        for field in self.operation.fields() {
            if let Some((name, value)) = field.member(&self.flags)? {
                members.insert(name, value);
            }
        }
        let decoded = self.operation.decode(&members);
        decoded.map_err(|rejected| field::refused(&rejected))?;
        match caller.send_members(&self.operation, members).await? {
            Some(answer) => caller.out.any(&answer.value),
            None => Ok(()),
        }
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

    /// The endpoint of a command.
    fn named(command: &str) -> Option<Operation> {
        Self::all().into_iter().find(|operation| kebab(operation.declared.name) == command)
    }
}

impl Visitor for Operations {
    fn visit<E: Endpoint>(&mut self) {
        self.0.push(Operation::of::<E>());
    }
}

/// Describes an endpoint; its schema is built only for this command.
fn command(operation: &Operation) -> Command {
    let declared = &operation.declared;
    let paragraphs: Vec<String> = declared.doc.split("\n\n").map(words).collect();
    let summary = paragraphs[0].trim_end_matches('.').to_owned();
    let http = format!("{} {}", declared.method, declared.path);
    let command = Command::new(kebab(declared.name))
        .about(summary)
        .long_about(format!("{}\n\n{http}", paragraphs.join("\n\n")));
    let command = match (operation.asks, operation.moves_credits) {
        (_, true) => command.after_help(help::MOVES_CREDITS),
        (true, false) => command.after_help(help::ASKS),
        (false, false) => command,
    };
    command.defer(with_flags)
}

fn with_flags(command: Command) -> Command {
    let operation = Operations::named(command.get_name());
    let fields = operation.map(|operation| operation.fields()).unwrap_or_default();
    command.args(fields.iter().map(Field::flag))
}

impl FromArgMatches for Call {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, flags) = matches.subcommand().ok_or_else(missing)?;
        let operation = Operations::named(name).ok_or_else(missing)?;
        Ok(Self { operation, flags: flags.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Call {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(Operations::all().iter().map(self::command))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Operations::named(name).is_some()
    }
}
