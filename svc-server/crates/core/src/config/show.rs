//! The settings in force, without their secrets, and whether there are any.

use std::path::Path;

use svc_store::error::SetupError;
use toml::{Table, Value};

use super::{Config, Overrides, load};

/// Settings whose whole value is secret.
const SECRETS: [&str; 3] = ["sealing_keys", "internal_secret", "client_secret"];

/// The URL of a node of a chain. Providers of nodes put the key of their customer into its path.
const NODE: &str = "rpc_url";

/// Settings with an `@` that hold no secret.
const SHOWN: [&str; 2] = ["from", "contact"];

/// The settings in force as TOML, with secrets blanked.
pub fn show(file: Option<&Path>, overrides: &Overrides) -> Result<String, SetupError> {
    Config::load(file, overrides)?;
    let mut table = load::merged(file, overrides)?;
    blank_all(&mut table);
    toml::to_string(&table).map_err(|error| SetupError::new(error.to_string()))
}

/// Whether a file of settings holds a secret, which no other user should read.
pub fn holds_secret(file: &Path) -> Result<bool, SetupError> {
    Ok(has_secret(&load::merged(Some(file), &Overrides::new())?))
}

fn has_secret(table: &Table) -> bool {
    table.iter().any(|(key, value)| is_secret(is_wholly_secret(key, value), value))
}

/// Whether a setting is secret as a whole.
fn is_wholly_secret(key: &str, value: &Value) -> bool {
    SECRETS.contains(&key) || key == NODE && value.as_str().is_some_and(has_path)
}

fn has_path(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else { return false };
    rest.split_once(['/', '?']).is_some_and(|(_, path)| !path.is_empty())
}

fn is_secret(is_named: bool, value: &Value) -> bool {
    match value {
        Value::Table(table) => has_secret(table),
        Value::Array(values) => values.iter().any(|value| is_secret(is_named, value)),
        Value::String(text) if is_named => !text.is_empty(),
        Value::String(text) => has_password(text),
        _ => false,
    }
}

/// Whether a URL has a password before its host, or in a parameter.
fn has_password(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://") else { return false };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let before_host = authority.rsplit_once('@').map(|(user, _)| user);
    before_host.is_some_and(|user| user.contains(':')) || rest.contains("password=")
}

fn blank_all(table: &mut Table) {
    for (key, value) in table {
        if !SHOWN.contains(&key.as_str()) {
            blank(is_wholly_secret(key, value), value);
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
