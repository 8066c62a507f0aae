//! The methods in Python: a class per group for the blocking client, and one for the asynchronous.
//!
//! Objects and enums are those of `svc.types`, which `.ci/python_types.py` writes from the document.

use serde_json::{Map, Value};
use svc_types::endpoint::Who;

use super::Files;
use super::model::{Group, Member, Method, Place, Repeat};
use super::sample::Syntax;
use crate::generate::client::text::{each, pascal, wrapped};
use crate::generate::document;

/// The longest line.
const LINE_MAX: usize = 100;

/// Keywords, which cannot be names.
const KEYWORDS: [&str; 7] = ["class", "from", "global", "import", "in", "is", "with"];

/// The largest amount of credits, by which their schema is recognized.
const CREDITS_MAX: u64 = 1_000_000_000;

const WRITTEN: &str = "written by `cargo document`; do not edit.";

/// The same for every file, so that it does not depend on what a group happens to use.
const IMPORTS: &str = "\
    # ruff: noqa: F401\n\
    from __future__ import annotations\n\n\
    from collections.abc import Mapping, Sequence\n\
    from datetime import datetime\n\
    from typing import Any\n\n\
    from .. import types as t\n\
    from .._call import Amount, Call\n\
    from .._group import AsyncGroup, AsyncSender, Group, Sender\n\
    from .._pages import AsyncPages, Pages\n\
    from .._retry import Repeat\n";

const SYNTAX: Syntax =
    Syntax { has_bare_names: false, words: ["None", "False", "True"], indent: "    " };

/// A program that calls a method with these members.
pub(super) fn program(group: &str, method: &Method, members: &Map<String, Value>) -> String {
    let given = |member: &Member| members.get(&member.wire);
    let required = method.required.iter().filter_map(given).map(|it| SYNTAX.value(it));
    let optional = method
        .optional
        .iter()
        .filter_map(|it| Some(format!("{}={}", parameter(it), SYNTAX.value(given(it)?))));
    let arguments: Vec<String> = required.chain(optional).collect();
    let group = if group.is_empty() { String::new() } else { format!("{group}.") };
    let head = format!("svc.{group}{}", identifier(method.name));
    let call = if method.list.is_some() {
        let list = SYNTAX.call(&format!("for item in {head}"), &arguments);
        format!("{list}:\n    print(item)")
    } else {
        let call = SYNTAX.call(&format!("answer = {head}"), &arguments);
        format!("{call}\nprint(answer)")
    };
    format!("from svc import Svc\n\nsvc = Svc.from_env()\n{call}")
}

/// Which client a class belongs to.
#[derive(Clone, Copy)]
enum Mode {
    Blocking,
    Asynchronous,
}

const MODES: [Mode; 2] = [Mode::Blocking, Mode::Asynchronous];

impl Mode {
    /// The name of a class in this mode.
    fn class(self, name: &str) -> String {
        match self {
            Self::Blocking => name.to_owned(),
            Self::Asynchronous => format!("Async{name}"),
        }
    }
}

/// A file for each group, and one for the classes that have all of them.
pub(super) fn files(groups: &[Group]) -> Files {
    let mut document: Value =
        serde_json::from_str(&document().to_json()).expect("the document is written as JSON");
    let writer = Writer { schemas: document["components"]["schemas"].take() };
    let named = || groups.iter().filter(|group| !group.name.is_empty());
    let mut files: Files =
        named().map(|it| (format!("{}.py", it.name), writer.group(it))).collect();
    let alone = groups.iter().filter(|group| group.name.is_empty()).flat_map(|it| &it.methods);
    let modules: Vec<&str> = named().map(|group| group.name).collect();
    files.insert("__init__.py".to_owned(), writer.clients(&modules, &alone.collect::<Vec<_>>()));
    files
}

/// Writes methods with the types of the document.
struct Writer {
    /// The schemas of the document by their names.
    schemas: Value,
}

impl Writer {
    fn group(&self, group: &Group) -> String {
        let classes = each(MODES, |mode| {
            let methods: Vec<String> =
                group.methods.iter().map(|it| self.method(it, mode)).collect();
            let (name, base) = (mode.class(&pascal(group.name)), mode.class("Group"));
            format!("\n\nclass {name}({base}):\n{}", methods.join("\n"))
        });
        format!("\"\"\"`{}`: {WRITTEN}\"\"\"\n\n{IMPORTS}{classes}", group.name)
    }

    /// The classes of the clients: every group, and the methods without one.
    fn clients(&self, groups: &[&str], alone: &[&Method]) -> String {
        let modules = each(groups, |name| {
            let [blocking, asynchronous] = MODES.map(|mode| mode.class(&pascal(name)));
            format!("from .{name} import {asynchronous}, {blocking}\n")
        });
        let classes = each(MODES, |mode| {
            let members = each(groups, |name| {
                format!("        self.{name} = {}(client)\n", mode.class(&pascal(name)))
            });
            let methods = each(alone, |it| format!("\n{}", self.method(it, mode)));
            let [name, base, sender] = ["Methods", "Group", "Sender"].map(|it| mode.class(it));
            format!(
                "\n\nclass {name}({base}):\n    \"\"\"The methods of a client by group.\"\"\"\n\n    \
                 def __init__(self, client: {sender}) -> None:\n        \
                 super().__init__(client)\n{members}{methods}"
            )
        });
        format!("\"\"\"Every method: {WRITTEN}\"\"\"\n\n{IMPORTS}{modules}{classes}")
    }

    fn method(&self, method: &Method, mode: Mode) -> String {
        let keyword = match (&method.list, mode) {
            (None, Mode::Asynchronous) => "async def",
            _ => "def",
        };
        let start = format!("    {keyword} {}(", identifier(method.name));
        let (parameters, returned) = (self.parameters(method), self.returned(method, mode));
        let head = format!("{start}{}) -> {returned}:\n", parameters.join(", "));
        let head = if head.len() <= LINE_MAX {
            head
        } else {
            let lines = each(&parameters, |it| format!("        {it},\n"));
            format!("{start}\n{lines}    ) -> {returned}:\n")
        };
        format!("{head}{}{}", doc(method), sent(method, mode))
    }

    /// The parameters: required members are positional, all else is passed by name.
    fn parameters(&self, method: &Method) -> Vec<String> {
        let required = method.required.iter();
        let required = required.map(|it| format!("{}: {}", parameter(it), self.of(it)));
        let optional = method.optional.iter();
        let optional =
            optional.map(|it| format!("{}: {} | None = None", parameter(it), self.of(it)));
        let has_key = method.verb == http::Method::POST;
        let key = has_key.then(|| "idempotency_key: str | None = None".to_owned());
        let named: Vec<String> = optional.chain(key).collect();
        let star = (!named.is_empty()).then(|| "*".to_owned());
        ["self".to_owned()].into_iter().chain(required).chain(star).chain(named).collect()
    }

    /// The type of the answer; for a list, pages of it and their items.
    fn returned(&self, method: &Method, mode: Mode) -> String {
        let answer = answer(method);
        let Some(list) = &method.list else { return answer };
        let items = &self.schemas[&method.answer]["properties"][list]["items"];
        let item = items["$ref"].as_str().and_then(|it| it.rsplit('/').next());
        let item = item.map_or_else(|| self.kind(items), |name| format!("t.{name}"));
        format!("{}[{answer}, {item}]", mode.class("Pages"))
    }

    /// The type of a parameter.
    fn of(&self, member: &Member) -> String {
        if member.is_comma_list { "Sequence[str]".to_owned() } else { self.kind(&member.schema) }
    }

    fn kind(&self, schema: &Value) -> String {
        if let Some(name) = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next()) {
            let is_word = self.schemas[name]["enum"].is_array();
            let plain = if is_word { "" } else { " | Mapping[str, Any]" };
            return format!("t.{name}{plain}");
        }
        match schema["type"].as_str() {
            Some("string") if schema["format"] == "date-time" => "datetime | str".to_owned(),
            Some("string") => "str".to_owned(),
            Some("integer") => "int".to_owned(),
            Some("number") if schema["maximum"] == CREDITS_MAX => "Amount".to_owned(),
            Some("number") => "float".to_owned(),
            Some("boolean") => "bool".to_owned(),
            Some("array") => format!("Sequence[{}]", self.kind(&schema["items"])),
            Some("object") => "Mapping[str, Any]".to_owned(),
            _ => "Any".to_owned(),
        }
    }
}

fn answer(method: &Method) -> String {
    format!("t.{}", method.answer)
}

/// The attribute for a member of an answer: `scheduled_posts` for `scheduledPosts`.
fn snake(member: &str) -> String {
    let mut attribute = String::new();
    for letter in member.chars() {
        if letter.is_ascii_uppercase() {
            attribute.push('_');
        }
        attribute.push(letter.to_ascii_lowercase());
    }
    attribute
}

/// The statements that send the request.
fn sent(method: &Method, mode: Mode) -> String {
    let arguments = each(arguments(method), |it| format!("            {it},\n"));
    let send = "self._client.send";
    let returned = match (&method.list, mode) {
        (Some(list), _) => format!("{}({send}, call, \"{}\")", mode.class("Pages"), snake(list)),
        (None, Mode::Blocking) => format!("{send}(call)"),
        (None, Mode::Asynchronous) => format!("await {send}(call)"),
    };
    format!("        call = Call(\n{arguments}        )\n        return {returned}\n")
}

/// The arguments of `Call`.
fn arguments(method: &Method) -> Vec<String> {
    let all = || method.required.iter().chain(&method.optional);
    let places = [("path_members", Place::Path), ("query", Place::Query), ("body", Place::Body)];
    let members = places.into_iter().filter_map(|(name, place)| {
        let members = all().filter(|it| it.place == place);
        let members = members.map(|it| format!("\"{}\": {}", it.wire, parameter(it)));
        let members: Vec<String> = members.collect();
        (!members.is_empty()).then(|| dictionary(name, &members))
    });
    let repeat = match method.repeat {
        Repeat::Same => None,
        Repeat::NewKey => Some("repeat=Repeat.NEW_KEY"),
        Repeat::Never => Some("repeat=Repeat.NEVER"),
    };
    let options = [
        (method.who == Who::Developer).then_some("who=\"developer\""),
        repeat,
        method.keeps_anonymous_keys.then_some("keeps_anonymous_keys=True"),
        (method.verb == http::Method::POST).then_some("idempotency_key=idempotency_key"),
    ];
    let head = [format!("\"{}\"", method.verb), format!("\"{}\"", method.path), answer(method)];
    let options = options.into_iter().flatten().map(str::to_owned);
    let hint = method.lost_hint.map(|hint| format!("lost_hint={}", Value::from(hint)));
    head.into_iter().chain(members).chain(options).chain(hint).collect()
}

fn dictionary(name: &str, members: &[String]) -> String {
    let line = format!("{name}={{{}}}", members.join(", "));
    if line.len() <= LINE_MAX - 14 {
        return line;
    }
    let lines = each(members, |it| format!("                {it},\n"));
    format!("{name}={{\n{lines}            }}")
}

fn parameter(member: &Member) -> String {
    identifier(member.name)
}

/// A name that is no keyword: `with_` for `with`.
fn identifier(name: &str) -> String {
    let mark = if KEYWORDS.contains(&name) { "_" } else { "" };
    format!("{name}{mark}")
}

fn doc(method: &Method) -> String {
    let members: Vec<String> = method
        .required
        .iter()
        .chain(&method.optional)
        .map(|it| {
            wrapped(&format!("{}: {}", parameter(it), it.doc), LINE_MAX - 14)
                .replace('\n', "\n    ")
        })
        .collect();
    let codes: Vec<String> = method.fails.iter().map(|code| format!("`{code}`")).collect();
    let errors = match codes.as_slice() {
        [] => String::new(),
        codes => {
            wrapped(&format!("Errors: the common ones and {}.", codes.join(", ")), LINE_MAX - 8)
        }
    };
    let parts =
        [format!("{}.", method.summary), method.details.clone(), members.join("\n"), errors];
    let text: Vec<String> = parts.into_iter().filter(|it| !it.is_empty()).collect();
    let text = text.join("\n\n").replace('\\', "\\\\");
    let lines = each(text.lines(), |line| format!("{}\n", format!("        {line}").trim_end()));
    if text.contains('\n') {
        format!("        \"\"\"{}        \"\"\"\n", &lines[8..])
    } else {
        format!("        \"\"\"{text}\"\"\"\n")
    }
}
