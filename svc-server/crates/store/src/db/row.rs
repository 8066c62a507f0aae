//! Rows of a result, turned into tuples, single values or structs.

use std::any::type_name;

use super::value::{Column, Value};
use super::{postgres, sqlite};
use crate::error::{Error, Result};

/// One row of a result, of either engine. It is read from its first column to its last.
pub struct Row<'a> {
    source: Source<'a>,
    next: usize,
}

enum Source<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a ::postgres::Row),
}

impl<'a> Row<'a> {
    pub(super) const fn sqlite(row: &'a rusqlite::Row<'a>) -> Self {
        Self { source: Source::Sqlite(row), next: 0 }
    }

    pub(super) const fn postgres(row: &'a ::postgres::Row) -> Self {
        Self { source: Source::Postgres(row), next: 0 }
    }

    /// Reads the next column, or as many as `T` has.
    #[track_caller]
    pub fn read<T: FromRow>(&mut self) -> Result<T> {
        T::from_row(self)
    }

    #[track_caller]
    fn column<T: Column>(&mut self) -> Result<T> {
        let index = self.next;
        self.next += 1;
        let value = self.value(index).map_err(Error::internal)?;
        T::from_value(value).ok_or_else(|| {
            let (found, wanted) = (value.kind(), type_name::<T>());
            Error::internal(format!("column {index} of a row holds {found}, no valid {wanted}"))
        })
    }

    fn value(&self, index: usize) -> Result<Value<'a>, Box<dyn std::error::Error + Send + Sync>> {
        match self.source {
            Source::Sqlite(row) => sqlite::value(row, index),
            Source::Postgres(row) => postgres::value(row, index),
        }
    }
}

/// A type that is read from a row, or from some columns of it.
///
/// Every [`Column`] is one, as are tuples of up to eight of them; for a struct write
/// [`row!`](crate::row!).
pub trait FromRow: Sized {
    /// Reads the columns of this type, in their order.
    fn from_row(row: &mut Row<'_>) -> Result<Self>;
}

/// Receives the rows of a result.
pub(super) type Each<'a> = dyn FnMut(&mut Row<'_>) -> Result<()> + 'a;

/// Lists the columns of a struct: each field with the SQL expression that it is read from.
///
/// The struct implements [`FromRow`], and `COLUMNS` is its select list. Both follow from the one
/// list, so they cannot disagree, whatever its order:
///
/// ```
/// use svc_store::{row, sql};
///
/// struct Author {
///     id: String,
///     is_agent: bool,
/// }
/// row!(Author { id: "a.id", is_agent: "a.is_agent" });
///
/// struct Post {
///     author: Author,
///     liked: bool,
/// }
/// row!(Post { author: Author::COLUMNS, liked: "r.liked_at is not null" });
///
/// let find = sql!("select ", Post::COLUMNS, " from post p join …");
/// assert_eq!(find.text(), "select a.id, a.is_agent, r.liked_at is not null from post p join …");
/// ```
///
/// The compiler reports a missing field:
/// ```compile_fail
/// struct Post {
///     id: String,
///     liked: bool,
/// }
/// svc_store::row!(Post { id: "p.id" });
/// ```
///
/// Without expressions, as in `row!(Post { id, liked })`, the statement lists the columns itself,
/// in the same order. That is for a few fields of a result that the statement defines, such as one
/// with `returning`.
#[macro_export]
macro_rules! row {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::db::FromRow for $name {
            fn from_row(row: &mut $crate::db::Row<'_>) -> $crate::error::Result<Self> {
                Ok(Self { $($field: row.read()?),+ })
            }
        }
    };
    ($name:ident { $field:ident: $column:expr $(, $fields:ident: $columns:expr)* $(,)? }) => {
        $crate::row!($name { $field $(, $fields)* });

        impl $name {
            /// The select list that this type is read from.
            pub const COLUMNS: &'static str = $crate::joined!($column $(, ", ", $columns)*);
        }
    };
}

impl<T: Column> FromRow for T {
    #[track_caller]
    fn from_row(row: &mut Row<'_>) -> Result<Self> {
        row.column()
    }
}

macro_rules! tuples {
    ($($($type:ident)+;)+) => {$(
        impl<$($type: FromRow),+> FromRow for ($($type,)+) {
            fn from_row(row: &mut Row<'_>) -> Result<Self> {
                Ok(($(row.read::<$type>()?,)+))
            }
        }
    )+};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
}
