//! Tables, and their rows as binary `COPY` of PostgreSQL has them.

use std::io::{self, Write};

use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};

/// What comes before the first row: the signature, no flags, no extension (PostgreSQL, `COPY`).
pub(super) const HEADER: [u8; 19] = *b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// What comes after the last row.
pub(super) const TRAILER: [u8; 2] = (-1_i16).to_be_bytes();

/// A table that both engines have.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) name: String,
    /// Its columns, without those that the database computes.
    pub(super) columns: Vec<Column>,
    /// Its primary key.
    pub(super) key: Vec<String>,
}

/// A column.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// The types of PostgreSQL that hold what SQLite stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Bigint,
    Boolean,
    Bytes,
}

impl Kind {
    /// By its name in `pg_type`.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "text" => Self::Text,
            "int8" => Self::Bigint,
            "bool" => Self::Boolean,
            "bytea" => Self::Bytes,
            _ => return None,
        })
    }
}

/// Appends the number of a row's fields, which begins it.
pub(super) fn begin(row: &mut Vec<u8>, fields: usize) {
    let fields = i16::try_from(fields).expect("a table has at most 1,600 columns");
    row.extend(fields.to_be_bytes());
}

/// Appends a field; `None` when SQLite holds a value of another type.
pub(super) fn append(row: &mut Vec<u8>, kind: Kind, value: ValueRef<'_>) -> Option<()> {
    let mut sized = |bytes: &[u8]| {
        row.extend(i32::try_from(bytes.len()).ok()?.to_be_bytes());
        row.extend(bytes);
        Some(())
    };
    match (kind, value) {
        (_, ValueRef::Null) => {
            row.extend((-1_i32).to_be_bytes());
            Some(())
        }
        (Kind::Text, ValueRef::Text(bytes)) | (Kind::Bytes, ValueRef::Blob(bytes)) => sized(bytes),
        (Kind::Bigint, ValueRef::Integer(number)) => sized(&number.to_be_bytes()),
        (Kind::Boolean, ValueRef::Integer(0)) => sized(&[0]),
        (Kind::Boolean, ValueRef::Integer(1)) => sized(&[1]),
        _ => None,
    }
}

/// Hashes what it passes on.
pub(super) struct Hashing<W> {
    hash: Sha256,
    to: W,
}

impl<W: Write> Hashing<W> {
    pub(super) fn new(to: W) -> Self {
        Self { hash: Sha256::new(), to }
    }

    /// The hash of everything, and where it went.
    pub(super) fn end(self) -> ([u8; 32], W) {
        (self.hash.finalize().into(), self.to)
    }
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write_all(bytes)?;
        self.hash.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(kind: Kind, value: ValueRef<'_>) -> Option<Vec<u8>> {
        let mut row = Vec::new();
        append(&mut row, kind, value).map(|()| row)
    }

    #[test]
    fn fields_are_written_as_postgres_does() {
        assert_eq!(field(Kind::Text, ValueRef::Null), Some(vec![255; 4]));
        assert_eq!(field(Kind::Text, ValueRef::Text(b"ab")), Some(b"\0\0\0\x02ab".to_vec()));
        assert_eq!(field(Kind::Bytes, ValueRef::Blob(&[7])), Some(vec![0, 0, 0, 1, 7]));
        let number = field(Kind::Bigint, ValueRef::Integer(-2)).unwrap();
        assert_eq!(number, [0, 0, 0, 8, 255, 255, 255, 255, 255, 255, 255, 254]);
        assert_eq!(field(Kind::Boolean, ValueRef::Integer(1)), Some(vec![0, 0, 0, 1, 1]));
    }

    #[test]
    fn values_of_another_type_are_refused() {
        assert_eq!(field(Kind::Boolean, ValueRef::Integer(2)), None);
        assert_eq!(field(Kind::Bigint, ValueRef::Text(b"2")), None);
        assert_eq!(field(Kind::Text, ValueRef::Integer(2)), None);
    }
}
