//! A member of a request as a positional or a flag.

use clap::builder::{BoolValueParser, PossibleValuesParser, RangedI64ValueParser, ValueParser};
use clap::builder::{StringValueParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches};
use serde::Serialize;
use serde_json::Value;
use svc_client::http::Method;
use svc_client::types::Span;
use svc_client::types::endpoint::Member;

use crate::error::Result;
use crate::field::{Field, Kind, kebab, long};
use crate::handle::handle;
use crate::input;
use crate::list::Line;
use crate::time;

/// A member of a request as a positional or a flag.
pub(crate) struct Argument {
    pub(super) field: Field,
    member: Member,
    name: String,
    pub(super) is_positional: bool,
    uses_yourself: bool,
    values: Values,
}

/// How many values an argument takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    None,
    One,
    Many,
}

impl Argument {
    /// A flag named like its member; a boolean filter takes no value.
    pub(super) fn new(field: Field, member: Member, method: &Method) -> Self {
        Self {
            name: long(&field.name),
            is_positional: false,
            uses_yourself: false,
            values: match &field.kind {
                Kind::Flag if method == Method::GET => Values::None,
                _ if member.value.starts_with("Vec<") => Values::Many,
                _ => Values::One,
            },
            field,
            member,
        }
    }

    pub(super) fn named(mut self, flag: &str) -> Self {
        flag.clone_into(&mut self.name);
        self
    }

    pub(super) fn positional(mut self) -> Self {
        self.is_positional = true;
        self
    }

    pub(super) fn repeated(mut self) -> Self {
        self.values = Values::Many;
        self
    }

    pub(super) fn or_yourself(mut self) -> Self {
        self.uses_yourself = true;
        self
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn is_optional(&self) -> bool {
        self.member.is_optional
    }

    /// The type of one value.
    fn value(&self) -> &'static str {
        let of = self.member.value;
        let inner = of.strip_prefix("Vec<").or_else(|| of.strip_prefix("Clearable<"));
        inner.and_then(|of| of.strip_suffix('>')).unwrap_or(of)
    }

    /// Whether one flag takes several words, separated by commas.
    fn is_comma_list(&self) -> bool {
        let is_texts = self.values == Values::Many && self.value().starts_with("Text<");
        !self.field.items.is_empty() || is_texts
    }

    /// The flag and its value as help shows them.
    pub(super) fn usage(&self) -> String {
        let value = self.value_name();
        if self.is_positional { value } else { format!("--{} {value}", self.name) }
    }

    /// Its name in errors.
    fn typed(&self) -> String {
        if self.is_positional { self.field.name.clone() } else { format!("--{}", self.name) }
    }

    fn value_name(&self) -> String {
        let name = match (&self.field.kind, self.value()) {
            (Kind::Secret, _) => "@FILE|-",
            (Kind::Flag, _) => "true|false",
            (_, "Content" | "Note" | "Comment") => "TEXT|-",
            (_, "Handle") => "USER",
            (_, "Span") => "TIME",
            (_, "Timestamp") => "WHEN",
            (_, "Credits" | "PositiveCredits") => "CREDITS",
            (_, "Cursor") => "CURSOR",
            (Kind::Word(_), _) => "WORD",
            (Kind::Whole, _) if self.field.name.ends_with("Version") => "VERSION",
            (Kind::Whole, _) => "NUMBER",
            (Kind::Decimal, _) => "DECIMAL",
            (Kind::Json, _) if self.is_positional && self.is_comma_list() => {
                return self.own_name();
            }
            (Kind::Json, _) if self.is_comma_list() => "WORD,...",
            (Kind::Json, _) => "JSON",
            (Kind::Text, "Tag") => "NAME",
            (Kind::Text, of) if of.ends_with("Url") => "URL",
            (Kind::Text, of) if of.ends_with("Name") => "NAME",
            (Kind::Text, of) => match of.strip_suffix("Id") {
                Some(id) => return id.to_uppercase(),
                // A positional has no flag that says what it is.
                None if self.is_positional && self.field.name.len() > 1 => return self.own_name(),
                None => "TEXT",
            },
        };
        name.to_owned()
    }

    /// The name of its member as help shows values.
    fn own_name(&self) -> String {
        kebab(&self.field.name).to_uppercase()
    }

    /// The argument among these of its command.
    pub(super) fn arg(&self, all: &[Self]) -> Arg {
        let mut help = with_flags(&self.field.help, all);
        if self.uses_yourself {
            help.push_str("; your account when omitted");
        }
        let arg = Arg::new(self.name.clone()).help(help);
        let arg = if self.is_positional { arg } else { arg.long(self.name.clone()) };
        if self.values == Values::None {
            return arg.action(ArgAction::SetTrue);
        }
        let arg = arg
            .required(!self.member.is_optional && !self.uses_yourself)
            .value_name(self.value_name());
        // An amount below 0 is refused as a value, not as an unknown flag.
        let arg = arg
            .value_parser(self.parser())
            .allow_negative_numbers(matches!(self.field.kind, Kind::Whole | Kind::Decimal));
        let arg = if self.is_comma_list() { arg.value_delimiter(',') } else { arg };
        match (self.values, self.is_positional) {
            (Values::Many, true) => arg.num_args(1..).action(ArgAction::Append),
            (Values::Many, false) => arg.action(ArgAction::Append),
            (Values::None | Values::One, _) => arg,
        }
    }

    /// Parses what is invalid whatever a file or stdin contain.
    fn parser(&self) -> ValueParser {
        match (&self.field.kind, self.value()) {
            (_, "Span") => ValueParser::new(|text: &str| json(text.parse::<Span>())),
            (_, "Timestamp") => ValueParser::new(|text: &str| json(time::parse(text))),
            (_, "Credits") => ValueParser::new(|text: &str| json(input::credits(text))),
            (_, "PositiveCredits") => {
                ValueParser::new(|text: &str| json(input::positive_credits(text)))
            }
            (_, "Rating") => ValueParser::new(|text: &str| json(input::rating(text))),
            (_, "Share") => ValueParser::new(|text: &str| json(input::share(text))),
            (_, "Limit") => RangedI64ValueParser::<u32>::new().map(Value::from).into(),
            (Kind::Word(words), _) => PossibleValuesParser::new(words).map(Value::from).into(),
            _ if !self.field.items.is_empty() => {
                PossibleValuesParser::new(&self.field.items).map(Value::from).into()
            }
            (Kind::Whole, _) => RangedI64ValueParser::<i64>::new().map(Value::from).into(),
            (Kind::Flag, _) => BoolValueParser::new().map(Value::from).into(),
            _ => StringValueParser::new().map(Value::from).into(),
        }
    }

    /// The value that was given.
    pub(super) fn read(&self, flags: &ArgMatches) -> Result<Option<Value>> {
        if self.values == Values::None {
            return Ok(flags.get_flag(&self.name).then_some(Value::Bool(true)));
        }
        let Some(values) = flags.get_many::<Value>(&self.name) else {
            return Ok(None);
        };
        // An empty text is an empty list.
        let values = values.filter(|value| !self.is_comma_list() || value.as_str() != Some(""));
        let mut values = values.map(|value| self.complete(value)).collect::<Result<Vec<_>>>()?;
        Ok(if self.values == Values::Many { Some(values.into()) } else { values.pop() })
    }

    /// Reads files and stdin.
    fn complete(&self, value: &Value) -> Result<Value> {
        let Value::String(text) = value else {
            return Ok(value.clone());
        };
        match (&self.field.kind, self.value()) {
            (_, "Handle") => handle(text).map(|handle| handle.to_string().into()),
            (_, "Content" | "Note" | "Comment") => input::text(text).map(Value::from),
            (Kind::Json, _) if self.is_comma_list() => Ok(text.trim().into()),
            (Kind::Secret | Kind::Json | Kind::Decimal, _) => {
                self.field.parse_as(text, &self.typed())
            }
            _ => Ok(value.clone()),
        }
    }

    /// Adds the argument to a command that is to be typed again.
    pub(super) fn repeat(&self, line: Line, flags: &ArgMatches) -> Line {
        if self.value() == "Cursor" {
            return line;
        }
        let flag = format!("--{}", self.name);
        if self.values == Values::None {
            return line.flag(&flag, flags.get_flag(&self.name));
        }
        let typed = flags.get_raw(&self.name).into_iter().flatten();
        typed.filter_map(|typed| typed.to_str()).fold(line, |line, typed| {
            if self.is_positional {
                line.word(Some(typed))
            } else {
                line.option(&flag, Some(typed))
            }
        })
    }
}

/// A text of an endpoint, which names members as requests do, with their flags in this command.
pub(super) fn with_flags(text: &str, arguments: &[Argument]) -> String {
    let flags = arguments.iter().filter(|argument| !argument.is_positional);
    flags.fold(text.to_owned(), |text, argument| {
        text.replace(&format!("`{}`", argument.field.name), &format!("--{}", argument.name))
    })
}

pub(super) fn json<T: Serialize, E: ToString>(parsed: Result<T, E>) -> Result<Value, String> {
    let value = parsed.map_err(|error| error.to_string())?;
    serde_json::to_value(value).map_err(|error| error.to_string())
}
