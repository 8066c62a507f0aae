//! Types of members: how they are passed, where they are imported from, how examples write them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use svc_types::endpoint::Member;

use super::text::{LINE_MAX, pascal, wrapped};

/// Types of other crates.
const FOREIGN: [(&str, &str); 2] = [("Map", "serde_json"), ("Value", "serde_json")];

/// Types of a feature that endpoints of other features use as well.
const SHARED: [(&str, &str); 16] = [
    ("Content", "posts"),
    ("NotificationType", "notifications"),
    ("Order", "messages"),
    ("OverviewWindow", "operate"),
    ("PostFormat", "posts"),
    ("PostInclude", "posts"),
    ("ReplyPolicy", "posts"),
    ("ReportReason", "reports"),
    ("ReportStatus", "reports"),
    ("Role", "users"),
    ("Subject", "reports"),
    ("SubjectType", "reports"),
    ("Tag", "hashtags"),
    ("Tier", "users"),
    ("TierSetting", "users"),
    ("Window", "feed"),
];

/// Types of a feature that are created from text by `Into`, in addition to those at the root of
/// `svc-types`.
const TEXTS: [&str; 9] = [
    "Comment",
    "Content",
    "Note",
    "Proof",
    "ReportNote",
    "Tag",
    "TierSetting",
    "Value",
    "WebhookUrl",
];

/// Types at the root of `svc-types` that are not ids.
const AT_ROOT: [&str; 25] = [
    "ApiKey",
    "ClaimLink",
    "ChannelName",
    "Clearable",
    "CommaList",
    "Credits",
    "Email",
    "FactorCode",
    "Handle",
    "IdentityToken",
    "InviteCode",
    "MailToken",
    "Password",
    "PositiveCredits",
    "Rating",
    "Share",
    "Span",
    "Text",
    "Timestamp",
    "TypedPassword",
    "UndoToken",
    "Username",
    "WebUrl",
    "Whole",
    "Limit",
];

/// Words at the root.
const WORDS_AT_ROOT: [&str; 1] = ["Scope"];

/// Types at the root that a call takes without conversion.
const AS_THEY_ARE: [&str; 4] = ["Rating", "Share", "Span", "Timestamp"];

/// The types that a file uses, by the module they come from.
#[derive(Default)]
pub(crate) struct Imports(BTreeMap<String, BTreeSet<String>>);

impl Imports {
    /// Adds a type that is declared next to the endpoints of a feature.
    pub(crate) fn add_of_feature(&mut self, feature: &str, name: &str) {
        let module = format!("svc_types::api::{feature}");
        self.0.entry(module).or_default().insert(name.to_owned());
    }

    /// Adds each type named in a type.
    pub(crate) fn add(&mut self, feature: &str, of: &str) {
        for name in names(of) {
            let module = module(feature, name);
            self.0.entry(module).or_default().insert(name.to_owned());
        }
    }

    /// The `use` lines, as rustfmt writes them.
    pub(crate) fn lines(&self) -> String {
        let lines = self.0.iter().map(|(module, names)| import(module, names));
        lines.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

fn import(module: &str, names: &BTreeSet<String>) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    if let [one] = names.as_slice() {
        return format!("use {module}::{one};\n");
    }
    let line = format!("use {module}::{{{}}};\n", names.join(", "));
    // The line ends with a line break, and rustfmt breaks an import of more than 98 characters.
    if line.len() < LINE_MAX {
        return line;
    }
    let list = format!("{},", names.join(", "));
    // Of several lines, it lets none have the full width.
    let width = if list.len() <= LINE_MAX - 4 { LINE_MAX - 4 } else { LINE_MAX - 5 };
    let names = wrapped(&list, width).replace('\n', "\n    ");
    format!("use {module}::{{\n    {names}\n}};\n")
}

/// The types that are named in a type and need an import.
fn names(of: &str) -> impl Iterator<Item = &str> {
    let words = of.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let known = ["Vec", "String"];
    words.filter(move |word| word.starts_with(char::is_uppercase) && !known.contains(word))
}

/// The module that a type comes from.
fn module(feature: &str, name: &str) -> String {
    if let Some((_, krate)) = FOREIGN.iter().find(|(foreign, _)| *foreign == name) {
        return (*krate).to_owned();
    }
    if is_id(name) || AT_ROOT.contains(&name) || WORDS_AT_ROOT.contains(&name) {
        return "svc_types".to_owned();
    }
    let shared = SHARED.iter().find(|(shared, _)| *shared == name);
    format!("svc_types::api::{}", shared.map_or(feature, |(_, feature)| *feature))
}

fn is_id(name: &str) -> bool {
    name.len() > 2 && name.ends_with("Id")
}

/// How the value of a member is passed to a method.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Passed {
    /// `impl Into<T>`.
    Into,
    /// As a `T`.
    AsItIs,
    /// As a `u32`.
    Number,
    /// As items of a `Vec`.
    Items,
    /// As items of a `CommaList`.
    Commas,
}

/// How a value is passed, and its type or that of its items.
pub(crate) fn passed(of: &str) -> (Passed, &str) {
    let inside = |outer: &str| of.strip_prefix(outer)?.strip_suffix('>');
    if let Some(item) = inside("Vec<") {
        return (Passed::Items, item);
    }
    if let Some(item) = inside("CommaList<") {
        return (Passed::Commas, item);
    }
    if of == "Limit" || of.starts_with("Whole<") {
        return (Passed::Number, "u32");
    }
    let name = names(of).next().unwrap_or_default();
    let is_text = of == "String" || TEXTS.contains(&name) || is_id(name) || AT_ROOT.contains(&name);
    let how = if is_text && !AS_THEY_ARE.contains(&name) { Passed::Into } else { Passed::AsItIs };
    (how, of)
}

/// The hidden lines of an example: its imports and parameters.
#[derive(Default)]
pub(crate) struct Hidden {
    pub(crate) uses: BTreeSet<String>,
    pub(crate) parameters: Vec<String>,
}

impl Hidden {
    /// The value of a sample as an argument; a value without a literal becomes a parameter.
    pub(crate) fn argument(&mut self, feature: &str, member: &Member, sample: &Value) -> String {
        // The items of an optional list have its type, so that an empty list needs none.
        let suffix = if member.is_optional { ".into()" } else { "" };
        if let Some(literal) = self.literal(feature, member.value, sample, suffix) {
            return literal;
        }
        let given = match passed(member.value) {
            (Passed::Items | Passed::Commas, item) => format!("Vec<{item}>"),
            (_, of) => of.to_owned(),
        };
        for name in names(&given) {
            self.uses.insert(format!("{}::{name}", seen(&module(feature, name))));
        }
        self.parameters.push(format!("{}: {given}", member.name));
        member.name.to_owned()
    }

    /// `suffix` follows the texts of a list.
    fn literal(&mut self, feature: &str, of: &str, sample: &Value, suffix: &str) -> Option<String> {
        let (how, inner) = passed(of);
        let name = names(inner).next().unwrap_or_default();
        match (how, sample) {
            (Passed::Items, Value::Array(items)) => self.list(feature, inner, items, suffix),
            (Passed::Commas, Value::String(commas)) => {
                let items: Vec<Value> = commas.split(',').map(Value::from).collect();
                self.list(feature, inner, &items, suffix)
            }
            (_, Value::Number(number)) if number.is_u64() => Some(number.to_string()),
            (_, Value::Bool(_)) => Some(sample.to_string()),
            (_, Value::String(text)) if is_id(name) => {
                Some(format!("\"{}_01\"", text.split('_').next()?))
            }
            (Passed::Into, Value::String(text)) if name != "Clearable" => Some(format!("{text:?}")),
            (Passed::AsItIs, Value::String(text)) if !AS_THEY_ARE.contains(&name) => {
                self.uses.insert(format!("{}::{name}", seen(&module(feature, name))));
                Some(format!("{name}::{}", variant(text)))
            }
            _ => None,
        }
    }

    fn list(&mut self, feature: &str, item: &str, items: &[Value], suffix: &str) -> Option<String> {
        let suffix = if passed(item).0 == Passed::Into { suffix } else { "" };
        let items = items
            .iter()
            .map(|value| Some(self.literal(feature, item, value, "")? + suffix))
            .collect::<Option<Vec<_>>>()?;
        Some(format!("[{}]", items.join(", ")))
    }
}

/// A module as users of the client name it.
fn seen(module: &str) -> String {
    module.replace("svc_types", "svc_client::types")
}

/// The variant of a word.
fn variant(word: &str) -> String {
    match word {
        "24h" => "Day".to_owned(),
        "7d" => "Week".to_owned(),
        "30d" => "Month".to_owned(),
        "90d" => "Quarter".to_owned(),
        // Such as `ES256`.
        _ if word == word.to_ascii_uppercase() => pascal(&word.to_ascii_lowercase()),
        _ => pascal(word),
    }
}
