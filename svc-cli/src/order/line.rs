//! `--NAME VALUE` of an order, for each member of the input.
//!
//! Which members there are is known only when the service has been looked up. So before the
//! command line is read, each flag that is none of the command's becomes `--field NAME=VALUE`, or
//! `--field NAME` if no value follows.

use std::ffi::OsString;

use clap::{Arg, Args, Command};

use super::OrderFlags;
use crate::settings::Global;

/// Spells out the flags of a new order that are members of the input; other commands stay as
/// they are.
pub(crate) fn spelled_out(arguments: Vec<OsString>, tree: &Command) -> Vec<OsString> {
    let globals: Vec<&Arg> = tree.get_arguments().filter(|flag| flag.is_global_set()).collect();
    let Some(begin) = order_at(&arguments, &globals) else {
        return arguments;
    };
    let order = tree.find_subcommand("order");
    let is_placed = |word| order.is_some_and(|order| order.find_subcommand(word).is_some());
    if arguments.get(begin).is_some_and(is_placed) {
        return arguments;
    }
    let own = order.map(Command::get_arguments);
    let known: Vec<&Arg> = globals.into_iter().chain(own.into_iter().flatten()).collect();
    let mut spelled = arguments;
    let mut rest = spelled.split_off(begin).into_iter().peekable();
    while let Some(argument) = rest.next() {
        let Some((name, attached)) = flag(&argument) else {
            if argument == "--" {
                spelled.push(argument);
                spelled.extend(rest);
                break;
            }
            spelled.push(argument);
            continue;
        };
        if let Some(value) = value_of(&known, name) {
            spelled.push(argument.clone());
            if value && attached.is_none() {
                spelled.extend(rest.next());
            }
            continue;
        }
        let value = match attached {
            Some(value) => Some(value.into()),
            None => rest.next_if(|next| flag(next).is_none()),
        };
        let mut field = OsString::from(name);
        if let Some(value) = value {
            field.push("=");
            field.push(value);
        }
        spelled.extend(["--field".into(), field]);
    }
    spelled
}

/// A member of the input; one without a value is a boolean that is true.
pub(super) fn member(text: &str) -> Result<(String, Option<String>), &'static str> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    if name.is_empty() { Err("must be NAME=VALUE") } else { Ok((name.to_owned(), value)) }
}

/// Whether `svc order` itself has a flag of this name, so that the member needs `--field`.
pub(super) fn is_own(name: &str) -> bool {
    let order = OrderFlags::augment_args(Command::new("order"));
    let own: Vec<&Arg> = order.get_arguments().collect();
    Global::has(name) || value_of(&own, name).is_some()
}

/// Where the arguments of `order` begin, if it is the command.
fn order_at(arguments: &[OsString], globals: &[&Arg]) -> Option<usize> {
    let mut index = 1;
    loop {
        let argument = arguments.get(index)?;
        let Some((name, attached)) = flag(argument) else {
            return (argument == "order").then_some(index + 1);
        };
        let takes_next = value_of(globals, name) == Some(true) && attached.is_none();
        index += if takes_next { 2 } else { 1 };
    }
}

/// Name and value of `--name=value`.
fn flag(argument: &OsString) -> Option<(&str, Option<&str>)> {
    let flag = argument.to_str()?.strip_prefix("--").filter(|flag| !flag.is_empty())?;
    Some(flag.split_once('=').map_or((flag, None), |(name, value)| (name, Some(value))))
}

/// Whether a flag that the command knows takes a value.
fn value_of(known: &[&Arg], name: &str) -> Option<bool> {
    if matches!(name, "help" | "version") {
        return Some(false);
    }
    let flag = known.iter().find(|flag| flag.get_long() == Some(name))?;
    Some(flag.get_action().takes_values())
}

#[cfg(test)]
mod tests {
    use clap::{ArgAction, CommandFactory};

    use super::*;
    use crate::run::Cli;

    fn spelled(line: &str) -> String {
        let arguments = line.split(' ').map(OsString::from).collect();
        let spelled = spelled_out(arguments, &Cli::command());
        let words: Vec<String> =
            spelled.into_iter().map(|word| word.into_string().unwrap()).collect();
        words.join(" ")
    }

    #[test]
    fn flags_the_command_does_not_have_are_members_of_the_input() {
        let line = "svc --json order bot/count --text @notes.txt --max-credits 5 --deep --dry-run";
        let expected = "svc --json order bot/count --field text=@notes.txt --max-credits 5 \
                        --field deep --dry-run";
        assert_eq!(spelled(line), expected);
        let line = "svc --profile order order bot/count --n=-5 --text - --field wait=x";
        let expected = "svc --profile order order bot/count --field n=-5 --field text=- \
                        --field wait=x";
        assert_eq!(spelled(line), expected);
    }

    #[test]
    fn other_commands_are_left_alone() {
        for line in [
            "svc dm order --text a",
            "svc --nonsense x",
            "svc",
            "svc order -- --text a",
            "svc order progress msg_1 working --percent 5",
        ] {
            assert_eq!(spelled(line), line);
        }
    }

    #[test]
    fn every_flag_of_an_order_has_a_name_and_at_most_one_value() {
        let known = |flag: &Arg| {
            matches!(flag.get_action(), ArgAction::Set | ArgAction::Append | ArgAction::SetTrue)
        };
        let tree = Cli::command();
        let order = tree.find_subcommand("order").unwrap();
        for flag in order.get_arguments().filter(|flag| !flag.is_positional()) {
            assert!(flag.get_long().is_some() && flag.get_short().is_none(), "{flag:?}");
            assert!(known(flag), "{flag:?}");
        }
    }
}
