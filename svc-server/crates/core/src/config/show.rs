//! The settings in force, without their secrets.

use std::path::Path;

use svc_store::error::SetupError;
use toml::{Table, Value};

use super::{Config, Overrides, load};

/// Settings whose whole value is secret.
const SECRETS: [&str; 3] = ["sealing_keys", "internal_secret", "client_secret"];

/// Settings with an `@` that hold no secret.
const SHOWN: [&str; 1] = ["from"];

/// The settings in force as TOML, with secrets blanked.
pub fn show(file: Option<&Path>, overrides: &Overrides) -> Result<String, SetupError> {
    Config::load(file, overrides)?;
    let mut table = load::merged(file, overrides)?;
    blank_all(&mut table);
    toml::to_string(&table).map_err(|error| SetupError::new(error.to_string()))
}

fn blank_all(table: &mut Table) {
    for (key, value) in table {
        if !SHOWN.contains(&key.as_str()) {
            blank(SECRETS.contains(&key.as_str()), value);
        }
    }
}

/// Redacts a secret, and every URL that may contain one: credentials before an `@`, and the
/// parameters of a database URL.
fn blank(is_secret: bool, value: &mut Value) {
    match value {
        Value::Table(table) => blank_all(table),
        Value::Array(values) => values.iter_mut().for_each(|value| blank(is_secret, value)),
        Value::String(text) if is_secret || text.contains('@') || text.starts_with("postgres") => {
            "[redacted]".clone_into(text);
        }
        _ => {}
    }
}
