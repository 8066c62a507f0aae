//! What holds for every connection: defaults of the role in this database.
//!
//! A pooler in transaction mode gives each transaction another connection, so a session sets nothing.
//! `migrate` sets the defaults, and every new connection is checked.

use std::fmt::Write;
use std::sync::LazyLock;

use super::failure::failed;
use crate::error::Result;

/// Reads need no transaction of their own, because a statement outside one is read-only.
///
/// Every statement of this server uses an index. The planner is set to, because with missing or old
/// statistics it would rather sort all replies of a post than walk to the twentieth.
const DEFAULTS: [(&str, &str); 11] = [
    ("enable_bitmapscan", "off"),
    ("enable_seqscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    ("jit", "off"),
    ("plan_cache_mode", "force_generic_plan"),
    ("lock_timeout", "2s"),
    ("statement_timeout", "4s"),
    ("idle_in_transaction_session_timeout", "10s"),
    ("default_transaction_isolation", "read committed"),
    ("default_transaction_read_only", "on"),
];

/// Asks for what differs, as `name = value`.
pub(super) static DIFFERENCES: LazyLock<String> = LazyLock::new(|| {
    let wanted: Vec<_> = DEFAULTS.map(|(name, value)| format!("('{name}', '{value}')")).into();
    format!(
        "select name || ' = ' || current_setting(name) from (values {}) wanted (name, value)
         where current_setting(name) <> value",
        wanted.join(", ")
    )
});

/// What a connection must not go without, in a transaction that changes tables.
pub(in crate::db) const LIFTED: &str = "
    set local statement_timeout = 0;
    set local lock_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local enable_bitmapscan = on;
    set local enable_seqscan = on;
    set local enable_hashjoin = on;
    set local enable_mergejoin = on";

/// Sets the defaults of this role in this database, for the connections that follow.
pub(super) fn set(transaction: &mut ::postgres::Transaction<'_>) -> Result<()> {
    let stored = "select unnest(setconfig) from pg_db_role_setting
         where setrole = (select oid from pg_roles where rolname = current_user)
            and setdatabase = (select oid from pg_database where datname = current_database())";
    let rows = transaction.simple_query(stored).map_err(failed)?;
    let stored: Vec<String> = rows.iter().filter_map(text).collect();
    let mut statements = String::new();
    for (name, value) in DEFAULTS {
        if !stored.contains(&format!("{name}={value}")) {
            let _ = writeln!(
                statements,
                "execute format('alter role current_user in database %I set {name} to ''{value}''',
                    current_database());"
            );
        }
    }
    if statements.is_empty() {
        return Ok(());
    }
    let block = format!("do $$ begin {statements} end $$");
    transaction.batch_execute(&block).map_err(failed)
}

/// The first column of a row.
pub(super) fn text(message: &::postgres::SimpleQueryMessage) -> Option<String> {
    match message {
        ::postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    }
}
