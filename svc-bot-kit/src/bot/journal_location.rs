//! Where a bot's journal is.

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::journal::Journal;

/// Where a journal is: a path, or one that is open.
#[derive(Clone, Debug)]
pub struct JournalPlace(Place);

#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    Open(Journal),
}

impl JournalPlace {
    pub(super) fn open(self) -> Result<Journal> {
        match self.0 {
            Place::File(path) => Journal::open(path),
            Place::Open(journal) => Ok(journal),
        }
    }
}

impl From<&str> for JournalPlace {
    fn from(path: &str) -> Self {
        Self(Place::File(path.into()))
    }
}

impl From<&Path> for JournalPlace {
    fn from(path: &Path) -> Self {
        Self(Place::File(path.into()))
    }
}

impl From<PathBuf> for JournalPlace {
    fn from(path: PathBuf) -> Self {
        Self(Place::File(path))
    }
}

impl From<Journal> for JournalPlace {
    fn from(journal: Journal) -> Self {
        Self(Place::Open(journal))
    }
}
