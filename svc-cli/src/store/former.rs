//! Entries of a file that this version does not know. Another version wrote them, and they are kept.

use std::fs;
use std::path::PathBuf;

use serde::Serialize;
use toml::{Table, Value};

use crate::error::Result;

/// A file before it is changed.
pub(super) struct Former {
    path: PathBuf,
    /// All its entries.
    all: Table,
    /// Those that this version reads.
    known: Table,
}

impl Former {
    /// The file from which this content was read.
    pub(super) fn of(path: PathBuf, content: &impl Serialize) -> Self {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let all: Table = text.parse().unwrap_or_default();
        Self { path, all, known: table(content) }
    }

    /// Leaves out known tables whose names are not kept: their unknown entries may belong to another server.
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

/// Adds the unknown entries of the former table to the new one. Those of a table that is removed go with it.
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
