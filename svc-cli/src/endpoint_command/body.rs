//! A file with a JSON object as the members of a request.

use clap::{Arg, ArgMatches};
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::field::Field;
use crate::input;
use crate::operation::Operation;

/// A file with a JSON object as the members of a request.
#[derive(Clone, Copy)]
pub(crate) struct Body {
    name: &'static str,
    /// What the members describe, such as `service`.
    subject: &'static str,
    pub(super) is_required: bool,
}

impl Body {
    /// The file is the argument of the command, in place of positionals and flags.
    pub(crate) const fn required(subject: &'static str) -> Self {
        Self { name: "file", subject, is_required: true }
    }

    /// `--input` replaces the flags.
    pub(crate) const fn optional(subject: &'static str) -> Self {
        Self { name: "input", subject, is_required: false }
    }

    pub(super) fn arg(
        self,
        operation: &Operation,
        yourself: Option<&str>,
        flags: impl IntoIterator<Item = String>,
    ) -> Arg {
        let arg = Arg::new(self.name).value_name("FILE|-").required(self.is_required);
        let help = format!("JSON with the members of the {}; - reads stdin", self.subject);
        if self.is_required {
            // No flags say what they are.
            let is_needed = |field: &Field| field.required && Some(&*field.name) != yourself;
            let (needed, others): (Vec<_>, Vec<_>) =
                operation.fields().into_iter().partition(is_needed);
            let (needed, others) = (names(needed), names(others));
            return arg.help(format!("{help}. Needed: {needed}. Optional: {others}"));
        }
        let arg = arg.help(help);
        arg.long(self.name).conflicts_with_all(flags.into_iter().map(clap::Id::from))
    }

    /// The members in the file. Unknown ones are refused, since the server ignores a misspelt one.
    pub(super) fn read(
        self,
        operation: &Operation,
        flags: &ArgMatches,
    ) -> Result<Option<Map<String, Value>>> {
        let Some(path) = flags.get_one::<String>(self.name) else {
            return Ok(None);
        };
        let members = input::object(path)?;
        let known: Vec<String> = operation.fields().into_iter().map(|field| field.name).collect();
        if let Some(other) = members.keys().find(|name| !known.contains(name)) {
            let message = format!("a {} has no member {other}", self.subject);
            return Err(Error::usage(message).hint(format!("its members: {}", known.join(", "))));
        }
        Ok(Some(members))
    }
}

fn names(fields: Vec<Field>) -> String {
    fields.into_iter().map(|field| field.name).collect::<Vec<_>>().join(", ")
}
