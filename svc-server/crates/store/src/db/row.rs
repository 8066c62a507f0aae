//! Rows of a result, turned into tuples, single values or structs.

use std::any::type_name;

use super::value::{Column, Value};
use super::{postgres, sqlite};
use crate::error::{Error, Result};

/// One row of a result, of either engine.
#[derive(Clone, Copy)]
pub struct Row<'a>(Source<'a>);

#[derive(Clone, Copy)]
enum Source<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a ::postgres::Row),
}

impl<'a> Row<'a> {
    pub(super) const fn sqlite(row: &'a rusqlite::Row<'a>) -> Self {
        Self(Source::Sqlite(row))
    }

    pub(super) const fn postgres(row: &'a ::postgres::Row) -> Self {
        Self(Source::Postgres(row))
    }

    /// The column at `index`, counted from 0 in the order of the statement.
    #[track_caller]
    pub fn get<T: Column>(&self, index: usize) -> Result<T> {
        let value = self.value(index).map_err(Error::internal)?;
        T::from_value(value).ok_or_else(|| {
            let (found, wanted) = (value.kind(), type_name::<T>());
            Error::internal(format!("column {index} of a row holds {found}, no valid {wanted}"))
        })
    }

    fn value(&self, index: usize) -> Result<Value<'a>, Box<dyn std::error::Error + Send + Sync>> {
        match self.0 {
            Source::Sqlite(row) => sqlite::value(row, index),
            Source::Postgres(row) => postgres::value(row, index),
        }
    }
}

/// A type made of a whole row.
///
/// Every [`Column`] is one (its row has one column), as are tuples of up to eight columns; for a
/// struct write [`row!`](crate::row!).
pub trait FromRow: Sized {
    /// Reads the row's columns in their order.
    fn from_row(row: &Row<'_>) -> Result<Self>;
}

/// Lets rows become a struct: `row!(Post { id, author, content })`, in the order of the columns.
#[macro_export]
macro_rules! row {
    ($name:ident { $($field:ident),+ $(,)? }) => {
        impl $crate::db::FromRow for $name {
            fn from_row(row: &$crate::db::Row<'_>) -> $crate::error::Result<Self> {
                let mut columns = 0..;
                $(let $field = row.get(columns.next().unwrap_or_default())?;)+
                Ok(Self { $($field),+ })
            }
        }
    };
}

impl<T: Column> FromRow for T {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        row.get(0)
    }
}

macro_rules! tuples {
    ($($($type:ident $index:literal),+;)+) => {$(
        impl<$($type: Column),+> FromRow for ($($type,)+) {
            fn from_row(row: &Row<'_>) -> Result<Self> {
                Ok(($(row.get::<$type>($index)?,)+))
            }
        }
    )+};
}

tuples! {
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
    A 0, B 1, C 2, D 3, E 4, F 5;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
}
