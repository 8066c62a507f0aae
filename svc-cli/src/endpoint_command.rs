//! Commands that send one request and print its response, built from the endpoint's declaration.
//!
//! Members that the endpoint requires are positional in their order, the others are flags. Types,
//! possible values and help come from the request; a command adds only what differs.

mod argument;
mod body;
mod build;
mod question;
mod table;

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use svc_client::http::Method;
use svc_client::types::{Credits, Cursor, Endpoint, Paged};

use self::argument::Argument;
pub(crate) use self::body::Body;
use self::question::Question;
pub(crate) use self::table::{Commands, Table};
use crate::caller::Caller;
use crate::error::{Error, Result};
use crate::field::{self, words};
use crate::handle::or_yourself;
use crate::help;
use crate::list::{self, Line};
use crate::operation::Operation;
use crate::raw::WithRaw;
use crate::several;

/// Formats a response for people.
type Format = Box<dyn Fn(&RawValue, &Given<'_>) -> Result<Formatted>>;

/// The switch that removes what a command replaces.
const LIFT: &str = "lift";

/// A response for people.
#[derive(Default)]
struct Formatted {
    text: String,
    /// Printed to stderr after the text.
    notes: Vec<String>,
    /// The next page of a list.
    next: Option<Cursor>,
}

/// A command that sends one request.
pub(crate) struct EndpointCommand {
    /// The whole command, such as `svc channels list`.
    line: &'static str,
    operation: Operation,
    format: Format,
    positionals: Vec<&'static str>,
    names: Vec<(&'static str, &'static str)>,
    without: &'static [&'static str],
    switches: Vec<(&'static str, &'static str)>,
    lifts: bool,
    choices: Vec<Choice>,
    alternatives: Vec<Alternative>,
    repeated: Option<&'static str>,
    yourself: Option<&'static str>,
    body: Option<Body>,
    together: &'static [&'static str],
    question: Option<Question>,
    explain: fn(Box<Error>, &Given<'_>) -> Box<Error>,
}

/// A flag that sets a boolean member to a value.
struct Choice {
    member: &'static str,
    flag: &'static str,
    help: &'static str,
    value: bool,
}

/// A second flag for a member, which takes another form of its value.
struct Alternative {
    member: &'static str,
    /// The flag of the member itself.
    instead_of: &'static str,
    flag: &'static str,
    value_name: &'static str,
    help: &'static str,
    parse: Parse,
}

/// Parses the value of a flag.
type Parse = fn(&str) -> Result<Value, String>;

impl Alternative {
    fn arg(&self) -> Arg {
        let arg = Arg::new(self.flag).long(self.flag).value_name(self.value_name).help(self.help);
        arg.value_parser(ValueParser::new(self.parse)).conflicts_with(self.instead_of)
    }
}

/// What was given on the command line.
pub(crate) struct Given<'a> {
    members: &'a Map<String, Value>,
    flags: &'a ArgMatches,
}

impl Given<'_> {
    /// The text of a member; empty when omitted.
    pub(crate) fn text(&self, member: &str) -> &str {
        self.members.get(member).and_then(Value::as_str).unwrap_or_default()
    }

    /// The number of a member; none when omitted.
    pub(crate) fn number(&self, member: &str) -> Option<i64> {
        self.members.get(member).and_then(Value::as_i64)
    }

    /// The amount of a member; none when omitted.
    pub(crate) fn credits(&self, member: &str) -> Option<Credits> {
        self.members.get(member).and_then(|amount| Credits::deserialize(amount).ok())
    }

    /// Whether a [switch](EndpointCommand::switch) is set.
    pub(crate) fn has(&self, switch: &str) -> bool {
        self.flags.get_flag(switch)
    }
}

/// A command that prints the response of an endpoint.
pub(crate) fn command<E: Endpoint>(
    line: &'static str,
    people: fn(&E::Response, &Given<'_>) -> String,
) -> EndpointCommand {
    let format: Format = Box::new(move |raw, given| {
        let response = WithRaw::<E::Response>::read(raw.to_owned())?.value;
        Ok(Formatted { text: people(&response, given), ..Formatted::default() })
    });
    EndpointCommand::new(line, Operation::of::<E>(), format)
}

/// A command that prints the response of an endpoint, and notes after it.
pub(crate) fn noted<E: Endpoint>(
    line: &'static str,
    people: fn(&E::Response, &Given<'_>) -> String,
    notes: fn(&E::Response, &Given<'_>) -> Vec<String>,
) -> EndpointCommand {
    let format: Format = Box::new(move |raw, given| {
        let response = WithRaw::<E::Response>::read(raw.to_owned())?.value;
        let (text, notes) = (people(&response, given), notes(&response, given));
        Ok(Formatted { text, notes, next: None })
    });
    EndpointCommand::new(line, Operation::of::<E>(), format)
}

/// A command that prints a page of a list.
pub(crate) fn page<E: Paged>(
    line: &'static str,
    people: fn(&[E::Item], &Given<'_>) -> String,
) -> EndpointCommand {
    let format: Format = Box::new(move |raw, given| {
        let (items, next) = E::into_page(WithRaw::read(raw.to_owned())?.value);
        let text = list::text(&items, next.as_ref(), |items| people(items, given));
        Ok(Formatted { text, next, ..Formatted::default() })
    });
    EndpointCommand::new(line, Operation::of::<E>(), format)
}

impl EndpointCommand {
    fn new(line: &'static str, operation: Operation, format: Format) -> Self {
        Self {
            line,
            operation,
            format,
            positionals: Vec::new(),
            names: Vec::new(),
            without: &[],
            switches: Vec::new(),
            lifts: false,
            choices: Vec::new(),
            alternatives: Vec::new(),
            repeated: None,
            yourself: None,
            body: None,
            together: &[],
            question: None,
            explain: |error, _| error,
        }
    }

    fn name(&self) -> &'static str {
        self.line.rsplit(' ').next().unwrap_or(self.line)
    }

    /// The command without its flags, whose schema is read only when the command is used.
    fn described(&self) -> Command {
        let summary = self.paragraphs()[0].trim_end_matches('.').to_owned();
        let command = Command::new(self.name()).about(summary);
        match (self.operation.asks, self.operation.moves_credits) {
            (_, true) => command.after_help(help::MOVES_CREDITS),
            (true, false) => command.after_help(help::ASKS),
            (false, false) => command,
        }
    }

    fn paragraphs(&self) -> Vec<String> {
        self.operation.declared.doc.split("\n\n").map(words).collect()
    }

    /// Adds positionals and flags, and the text that may name them.
    fn with_arguments(&self, mut command: Command) -> Command {
        let (arguments, paragraphs) = (self.arguments(), self.paragraphs());
        if paragraphs.len() > 1 {
            let text = argument::with_flags(&paragraphs.join("\n\n"), &arguments);
            command = command.long_about(text);
        }
        let described = arguments.iter().map(|argument| {
            let name = argument.name();
            let is_together = self.together.contains(&name);
            let others = self.together.iter().filter(|other| is_together && **other != name);
            argument.arg(&arguments).requires_all(others)
        });
        let switches = self.switches.iter().map(|(name, help)| switch(name, help));
        let choices = self.choices.iter().map(|choice| {
            let others = self.choices.iter().filter(|other| other.value != choice.value);
            let others = others.filter(|other| other.member == choice.member);
            switch(choice.flag, choice.help).conflicts_with_all(others.map(|other| other.flag))
        });
        let alternatives = self.alternatives.iter().map(Alternative::arg);
        let flags = arguments.iter().filter(|argument| !argument.is_positional);
        let flags = flags.map(|flag| flag.name().to_owned());
        let body = self.body.map(|body| body.arg(&self.operation, self.yourself, flags));
        command.args(described).args(alternatives).args(choices).args(switches).args(body)
    }

    /// Positionals in their order, then flags in the order of the declaration.
    fn arguments(&self) -> Vec<Argument> {
        let mut fields = self.operation.fields();
        let (mut positionals, mut flags) = (Vec::new(), Vec::new());
        for member in self.operation.declared.members {
            let Some(field) = field::of_member(&mut fields, &self.operation.declared, member.name)
            else {
                continue;
            };
            let name = field.name.clone();
            let is_choice = self.choices.iter().any(|choice| choice.member == name);
            let is_in_file = self.body.is_some_and(|body| body.is_required);
            if is_choice || is_in_file || self.without.contains(&name.as_str()) {
                continue;
            }
            let mut argument = Argument::new(field, *member, &self.operation.declared.method);
            if let Some((_, flag)) = self.names.iter().find(|(member, _)| *member == name) {
                argument = argument.named(flag);
            } else if !member.is_optional || self.positionals.contains(&name.as_str()) {
                argument = argument.positional();
            }
            if self.repeated == Some(name.as_str()) {
                argument = argument.repeated();
            }
            if self.yourself == Some(name.as_str()) {
                argument = argument.or_yourself();
            }
            let list = if argument.is_positional { &mut positionals } else { &mut flags };
            list.push(argument);
        }
        positionals.append(&mut flags);
        positionals
    }

    /// Sends the request and prints its response.
    async fn run(&self, flags: &ArgMatches, caller: &Caller) -> Result<()> {
        let arguments = self.arguments();
        let body = self.body.map(|body| body.read(&self.operation, flags)).transpose()?.flatten();
        let is_from_file = body.is_some();
        let mut members = body.unwrap_or_default();
        for argument in &arguments {
            if let Some(value) = argument.read(flags)? {
                members.insert(argument.field.name.clone(), value);
            }
        }
        for Alternative { member, flag, .. } in &self.alternatives {
            let value = flags.get_one::<Value>(flag).cloned();
            members.extend(value.map(|value| ((*member).to_owned(), value)));
        }
        for choice in self.choices.iter().filter(|choice| flags.get_flag(choice.flag)) {
            members.insert(choice.member.to_owned(), choice.value.into());
        }
        let line = self.typed(&arguments, flags);
        self.require_change(&members, flags, &arguments, &line)?;
        if let Some(name) = self.yourself.filter(|name| !members.contains_key(*name)) {
            members.insert(name.to_owned(), or_yourself(None, caller).await?.to_string().into());
        }
        if is_from_file {
            let decoded = self.operation.decode(&members);
            decoded.map_err(|rejected| Error::usage(rejected.message))?;
        }
        match self.repeated {
            Some(member) => self.send_each(member, members, flags, caller).await,
            None => self.send(members, flags, &line, caller).await,
        }
    }

    async fn send(
        &self,
        members: Map<String, Value>,
        flags: &ArgMatches,
        line: &Line,
        caller: &Caller,
    ) -> Result<()> {
        let given = Given { members: &members, flags };
        let sent = self.ask_and_send(&given, caller).await;
        let Some(answer) = sent.map_err(|error| (self.explain)(error, &given))? else {
            return Ok(());
        };
        let formatted = (self.format)(&answer.value, &given)?;
        caller.out.page(&answer.value, &formatted.text)?;
        for note in &formatted.notes {
            caller.out.note(note);
        }
        list::more(caller.out, line.as_str(), formatted.next.as_ref());
        Ok(())
    }

    async fn send_each(
        &self,
        member: &str,
        mut members: Map<String, Value>,
        flags: &ArgMatches,
        caller: &Caller,
    ) -> Result<()> {
        let values = members.remove(member);
        let values = values.as_ref().and_then(Value::as_array).into_iter().flatten();
        let values: Vec<String> = values.filter_map(Value::as_str).map(str::to_owned).collect();
        let line = Line::new(self.line);
        several::one_by_one(caller, &values, async |value| {
            let mut members = members.clone();
            members.insert(member.to_owned(), value.into());
            self.send(members, flags, &line, caller).await
        })
        .await
    }

    /// The command as it was typed, without its cursor.
    fn typed(&self, arguments: &[Argument], flags: &ArgMatches) -> Line {
        let mut line = Line::new(self.line);
        for argument in arguments {
            line = argument.repeat(line, flags);
        }
        let choices = self.choices.iter().map(|choice| choice.flag);
        for name in choices.chain(self.switches.iter().map(|(name, _)| *name)) {
            line = line.flag(&format!("--{name}"), flags.get_flag(name));
        }
        line
    }

    /// Refuses an update that changes nothing, or that would remove everything without saying so.
    fn require_change(
        &self,
        members: &Map<String, Value>,
        flags: &ArgMatches,
        arguments: &[Argument],
        line: &Line,
    ) -> Result<()> {
        let mut changes = arguments.iter().filter(|argument| argument.is_optional());
        let Some(first) = changes.clone().next() else {
            return Ok(());
        };
        let is_lifted = self.lifts && flags.get_flag(LIFT);
        let is_update = self.operation.declared.method == Method::PATCH || self.lifts;
        if !is_update || is_lifted || changes.any(|change| members.contains_key(&change.field.name))
        {
            return Ok(());
        }
        let mut hint = format!("{} {}", line.as_str(), first.usage());
        if self.lifts {
            hint = format!("{hint}, or {} --{LIFT}", line.as_str());
        }
        Err(Error::usage("there is nothing to change").hint(hint))
    }
}

fn switch(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}
