//! The sample of an endpoint as a program that calls it by an SDK.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::model::{self, Method};
use super::{python, typescript};
use crate::generate::client::text::each;

/// Longest line of a program.
const LINE_MAX: usize = 90;

/// How a language writes values and calls.
pub(super) struct Syntax {
    /// Whether names of members stand without quotation marks.
    pub(super) has_bare_names: bool,
    /// Its words for null, false and true.
    pub(super) words: [&'static str; 3],
    /// One level of indentation.
    pub(super) indent: &'static str,
}

/// The methods of the SDKs by the name of their endpoint, with the name of their group.
pub(crate) struct Samples(BTreeMap<&'static str, (&'static str, Method)>);

impl Samples {
    pub(crate) fn new() -> Self {
        let groups = model::groups().into_iter();
        let methods = groups.flat_map(|group| {
            group.methods.into_iter().map(move |method| (method.endpoint, (group.name, method)))
        });
        Self(methods.collect())
    }

    /// The call of an endpoint with these members: language, package and program.
    pub(crate) fn programs(
        &self,
        endpoint: &str,
        members: &Map<String, Value>,
    ) -> Vec<[String; 3]> {
        let Some((group, method)) = self.0.get(endpoint) else { return Vec::new() };
        let typescript = typescript::program(group, method, members);
        let python = python::program(group, method, members);
        let programs = [("TypeScript", "@svc/sdk", typescript), ("Python", "svc-sdk", python)];
        programs
            .map(|(language, package, program)| [language.to_owned(), package.to_owned(), program])
            .to_vec()
    }
}

impl Syntax {
    /// A call: on one line if it fits there, else with a line for each argument.
    pub(super) fn call(&self, head: &str, arguments: &[String]) -> String {
        let parts = arguments.join(", ");
        if head.len() + parts.len() < LINE_MAX && !parts.contains('\n') {
            return format!("{head}({parts})");
        }
        format!("{head}(\n{})", self.lines(arguments))
    }

    /// Each part on a separate line.
    fn lines(&self, parts: &[String]) -> String {
        let (indent, end) = (self.indent, format!("\n{}", self.indent));
        each(parts, |part| format!("{indent}{},\n", part.replace('\n', &end)))
    }

    /// A value: on one line if it fits there, else with a line for each of its members.
    pub(super) fn value(&self, value: &Value) -> String {
        let [none, no, yes] = self.words;
        let (open, close, parts) = match value {
            Value::Null => return none.to_owned(),
            Value::Bool(is_so) => return if *is_so { yes } else { no }.to_owned(),
            Value::Number(_) | Value::String(_) => return value.to_string(),
            Value::Array(items) => {
                ("[", "]", items.iter().map(|it| self.value(it)).collect::<Vec<_>>())
            }
            Value::Object(members) => ("{", "}", self.members(members)),
        };
        let pad = if self.has_bare_names && open == "{" && !parts.is_empty() { " " } else { "" };
        let line = format!("{open}{pad}{}{pad}{close}", parts.join(", "));
        if line.len() + self.indent.len() < LINE_MAX && !line.contains('\n') {
            return line;
        }
        format!("{open}\n{}{close}", self.lines(&parts))
    }

    fn members(&self, members: &Map<String, Value>) -> Vec<String> {
        let name = |name: &str| {
            let is_bare = self.has_bare_names && is_identifier(name);
            if is_bare { name.to_owned() } else { Value::from(name).to_string() }
        };
        members.iter().map(|(key, value)| format!("{}: {}", name(key), self.value(value))).collect()
    }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
