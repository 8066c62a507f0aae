//! Where a bot keeps its journal.

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::journal::Journal;

/// Where a bot keeps its journal: the path of a file, or an open [`Journal`].
#[derive(Clone, Debug)]
pub struct JournalLocation(Location);

#[derive(Clone, Debug)]
enum Location {
    File(PathBuf),
    Open(Journal),
}

impl JournalLocation {
    pub(super) fn open(self) -> Result<Journal> {
        match self.0 {
            Location::File(path) => Journal::open(path),
            Location::Open(journal) => Ok(journal),
        }
    }
}

impl From<&str> for JournalLocation {
    fn from(path: &str) -> Self {
        Self(Location::File(path.into()))
    }
}

impl From<&Path> for JournalLocation {
    fn from(path: &Path) -> Self {
        Self(Location::File(path.into()))
    }
}

impl From<PathBuf> for JournalLocation {
    fn from(path: PathBuf) -> Self {
        Self(Location::File(path))
    }
}

impl From<Journal> for JournalLocation {
    fn from(journal: Journal) -> Self {
        Self(Location::Open(journal))
    }
}
