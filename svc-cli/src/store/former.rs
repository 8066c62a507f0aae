//! What stands in a file besides what this version knows. Another version wrote it, and it stays.

use std::fs;
use std::path::PathBuf;

use serde::Serialize;
use toml::{Table, Value};

use crate::error::Result;

/// A file before it is changed.
pub(super) struct Former {
    path: PathBuf,
    /// All that stands in it.
    all: Table,
    /// The part of it that this version reads.
    known: Table,
}

impl Former {
    /// The file of which this content was read.
    pub(super) fn of(path: PathBuf, content: &impl Serialize) -> Self {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let all: Table = text.parse().unwrap_or_default();
        Self { path, all, known: table(content) }
    }

    /// Leaves out what stands beside known tables whose names are not kept: it may belong to another server.
    pub(super) fn only_of(mut self, is_kept: impl Fn(&str) -> bool) -> Self {
        let known = &self.known;
        self.all.retain(|name, _| !known.contains_key(name) || is_kept(name));
        self
    }

    /// Writes another content in place of the one that was read.
    pub(super) fn replace(self, content: &impl Serialize) -> Result<()> {
        let mut new = table(content);
        keep(self.all, &self.known, &mut new);
        super::write(&self.path, &new)
    }
}

fn table(content: &impl Serialize) -> Table {
    Table::try_from(content).expect("names and texts are TOML")
}

/// Adds to a table the members of the former one that were not known. Those of a table that is removed go with it.
fn keep(former: Table, known: &Table, new: &mut Table) {
    let nothing = Table::new();
    for (name, value) in former {
        let known = known.get(&name);
        let Some(kept) = new.get_mut(&name) else {
            if known.is_none() {
                new.insert(name, value);
            }
            continue;
        };
        if let (Value::Table(value), Value::Table(kept)) = (value, kept) {
            keep(value, known.and_then(Value::as_table).unwrap_or(&nothing), kept);
        }
    }
}
