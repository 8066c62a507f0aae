//! Reads settings: the defaults, then the file, then flags and environment.

use std::path::Path;

use serde::Deserialize;
use svc_store::error::SetupError;
use toml::{Table, Value};

use super::{Config, DEFAULT, Overrides};

/// Defaults that differ with `dev`: a public server must not give credits away, and one for
/// development should not limit its user.
const DEV: [(&str, &str); 3] = [
    ("exchange.signup_grant", "100"),
    ("exchange.grant_requires", "nothing"),
    ("limits.budgets", "false"),
];

/// The settings in force, not checked yet.
pub(super) fn load(file: Option<&Path>, overrides: &Overrides) -> Result<Config, SetupError> {
    let table = merged(file, overrides)?;
    Config::deserialize(Value::Table(table))
        .map_err(|error| SetupError::new(in_words(error.to_string().trim_end())))
}

/// Types of numbers as the library names them, and in words.
const NUMBERS: [(&str, &str); 4] = [
    ("expected u16\n", "expected a whole number from 0 to 65535\n"),
    ("expected u32\n", "expected a whole number from 0 to 4294967295\n"),
    ("expected u64\n", "expected a whole number from 0\n"),
    ("expected usize\n", "expected a whole number from 0\n"),
];

/// The library's message about a wrong setting, without names of types. Its last line names the setting.
fn in_words(wrong: &str) -> String {
    NUMBERS.iter().fold(wrong.to_owned(), |text, (name, words)| text.replace(name, words))
}

/// Defaults, then the file, then the overrides.
pub(super) fn merged(file: Option<&Path>, overrides: &Overrides) -> Result<Table, SetupError> {
    let table = layered(&[], file, overrides)?;
    let is_dev = table.get("dev").and_then(Value::as_bool) == Some(true);
    if is_dev { layered(&DEV, file, overrides) } else { Ok(table) }
}

/// The documented defaults, then `defaults`, then the file, then the overrides.
fn layered(
    defaults: &[(&str, &str)],
    file: Option<&Path>,
    overrides: &Overrides,
) -> Result<Table, SetupError> {
    let mut table: Table = DEFAULT.parse().expect("svc.default.toml is TOML; tests load it");
    for (key, text) in defaults {
        set(&mut table, key, text)?;
    }
    if let Some(path) = file {
        let place = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| SetupError::new(format!("can't read {place}: {error}")))?;
        let given = text
            .parse::<Table>()
            .map_err(|error| SetupError::new(format!("{place}: {}", malformed(&text, &error))))?;
        merge(&mut table, given, "")
            .map_err(|error| SetupError::new(format!("{place}: {error}")))?;
    }
    for (key, text) in overrides {
        set(&mut table, key, text)?;
    }
    Ok(table)
}

/// Why a text is not TOML. The library would quote the line, which may contain a secret.
fn malformed(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    format!("line {}: {}", before.matches('\n').count() + 1, error.message())
}

/// The setting that a variable of this name would be of if each had one, such as `signup.mode` for `SVC_SIGNUP_MODE`.
pub fn setting_of(variable: &str) -> Option<String> {
    let name = variable.strip_prefix("SVC_")?.to_lowercase();
    let defaults: Table = DEFAULT.parse().expect("svc.default.toml is TOML; tests load it");
    named(&defaults, "", &name)
}

/// The key whose name has this form with `_` instead of dots.
fn named(table: &Table, path: &str, name: &str) -> Option<String> {
    table.iter().find_map(|(key, value)| {
        let key = dotted(path, key);
        match value {
            Value::Table(below) => named(below, &key, name),
            _ => (key.replace('.', "_") == name).then_some(key),
        }
    })
}

/// Merges the given settings into the known ones.
fn merge(known: &mut Table, given: Table, path: &str) -> Result<(), SetupError> {
    for (key, value) in given {
        let name = dotted(path, &key);
        let hint = nearest(known, path, &key);
        match (known.get_mut(&key), value) {
            (None, _) => return Err(SetupError::new(format!("unknown setting {name}{hint}"))),
            (Some(Value::Table(below)), Value::Table(given)) => merge(below, given, &name)?,
            (Some(slot), value) if slot.same_type(&value) => *slot = value,
            (Some(slot @ Value::Float(_)), Value::Integer(whole)) => {
                *slot = number(&whole.to_string()).unwrap_or(Value::Integer(whole));
            }
            (Some(slot), _) => {
                return Err(SetupError::new(format!("{name} must be {}", expected(slot))));
            }
        }
    }
    Ok(())
}

/// Sets one key from text, read as the type its default has.
fn set(table: &mut Table, key: &str, text: &str) -> Result<(), SetupError> {
    let (parents, leaf) = key.rsplit_once('.').unwrap_or(("", key));
    let (mut inner, mut path) = (table, String::new());
    for parent in parents.split('.').filter(|parent| !parent.is_empty()) {
        let hint = nearest(inner, &path, parent);
        inner = match inner.get_mut(parent) {
            Some(Value::Table(below)) => below,
            _ => return Err(SetupError::new(format!("unknown setting {key}{hint}"))),
        };
        path = dotted(&path, parent);
    }
    let hint = nearest(inner, &path, leaf);
    let slot = inner
        .get_mut(leaf)
        .ok_or_else(|| SetupError::new(format!("unknown setting {key}{hint}")))?;
    *slot = typed(slot, text)
        .ok_or_else(|| SetupError::new(format!("{key} must be {}, not {text}", expected(slot))))?;
    Ok(())
}

/// A text as a value of the same type.
fn typed(like: &Value, text: &str) -> Option<Value> {
    match like {
        Value::String(_) => Some(Value::String(text.to_owned())),
        Value::Integer(_) => text.parse().ok().map(Value::Integer),
        Value::Float(_) => number(text),
        Value::Boolean(_) => text.parse().ok().map(Value::Boolean),
        Value::Array(_) => {
            let items = text.split(',').filter(|item| !item.is_empty());
            Some(Value::Array(items.map(|item| Value::String(item.to_owned())).collect()))
        }
        _ => None,
    }
}

/// A number that may have a fraction.
fn number(text: &str) -> Option<Value> {
    text.parse().ok().map(Value::Float)
}

/// What a setting must be, by its default.
fn expected(default: &Value) -> String {
    match default {
        Value::Float(_) => "a number".to_owned(),
        Value::Integer(_) | Value::Array(_) => format!("an {}", default.type_str()),
        _ => format!("a {}", default.type_str()),
    }
}

/// The name of a key in the table at `path`.
fn dotted(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// `, did you mean …` with the most similar known key of the table at `path`.
fn nearest(known: &Table, path: &str, key: &str) -> String {
    known
        .keys()
        .map(|name| (strsim::jaro_winkler(name, key), name))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| format!(", did you mean {}?", dotted(path, name)))
        .unwrap_or_default()
}
