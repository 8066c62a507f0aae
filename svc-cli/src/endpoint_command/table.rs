//! Tables of commands as part of the command tree.

use std::marker::PhantomData;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};

use super::EndpointCommand;
use crate::error::Result;
use crate::settings::Settings;

/// Commands that belong together.
pub(crate) trait Table {
    /// The commands in the order of the help.
    fn commands() -> Vec<EndpointCommand>;
}

/// A command of a table, with its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Commands<T> {
    name: String,
    flags: ArgMatches,
    table: PhantomData<T>,
}

impl<T: Table> Commands<T> {
    /// Runs the command.
    pub(crate) async fn run(&self, settings: &Settings) -> Result<()> {
        match named::<T>(&self.name) {
            Some(command) => command.run(&self.flags, &settings.caller()?).await,
            None => Ok(()),
        }
    }
}

fn named<T: Table>(name: &str) -> Option<EndpointCommand> {
    T::commands().into_iter().find(|command| command.name() == name)
}

fn with_arguments<T: Table>(command: Command) -> Command {
    match named::<T>(command.get_name()) {
        Some(declared) => declared.with_arguments(command),
        None => command,
    }
}

impl<T: Table> FromArgMatches for Commands<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, flags) = matches.subcommand().ok_or_else(missing)?;
        Ok(Self { name: name.to_owned(), flags: flags.clone(), table: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<T: Table> Subcommand for Commands<T> {
    fn augment_subcommands(command: Command) -> Command {
        let commands = T::commands();
        let commands = commands.iter().map(|one| one.described().defer(with_arguments::<T>));
        command.subcommands(commands)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        named::<T>(name).is_some()
    }
}
