//! The figures of a request, as rows of a table.

use std::fmt;

/// Bytes of a page in SQLite's write-ahead log, with its header.
const FRAME_BYTES: f64 = 4_120.0;

/// What one request costs; acts on average over a group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cost {
    pub(crate) request: String,
    /// Statements of its jobs.
    pub(crate) statements: f64,
    /// Steps of SQLite's virtual machine, which stand for instructions.
    pub(crate) steps: f64,
    /// Pages that it appends to the log.
    pub(crate) pages: f64,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { request, statements, steps, pages } = self;
        let kb = pages * FRAME_BYTES / 1000.0;
        // SQLite writes the header of a page and the page itself apart.
        let writes = 2.0 * pages;
        write!(
            f,
            "{request:<28} {statements:>10.2} {steps:>8.0} {pages:>8.2} {kb:>8.1} {writes:>8.1}"
        )
    }
}

impl Cost {
    /// The head of the table whose rows costs print.
    pub(crate) const HEAD: &str =
        "request                      statements    steps    pages       KB   writes";
}

/// What one act costs on PostgreSQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trips {
    pub(crate) request: String,
    pub(crate) statements: u64,
    /// Round trips to the database, with those that begin and commit.
    pub(crate) count: u64,
}

impl fmt::Display for Trips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { request, statements, count } = self;
        write!(f, "{request:<28} {statements:>10} {count:>11}")
    }
}

impl Trips {
    /// The head of the table whose rows trips print.
    pub(crate) const HEAD: &str = "request                      statements round trips";
}
