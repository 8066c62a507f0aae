//! Single values: into a statement by [`Bind`], out of a row by [`Column`].

use svc_types::Timestamp;

/// A value as both engines hold it.
///
/// Instants are integers (milliseconds since 1970). SQLite keeps booleans as 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// No value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// `bigint`, `integer` in SQLite.
    Integer(i64),
    /// `text`.
    Text(&'a str),
    /// `bytea`, `blob` in SQLite.
    Blob(&'a [u8]),
}

impl<'a> Value<'a> {
    /// The text, if it is one.
    pub const fn as_text(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What kind of value it is; the value itself may be a secret.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) => "an integer",
            Self::Text(_) => "text",
            Self::Blob(_) => "bytes",
        }
    }
}

/// A type that can be the value of a parameter.
pub trait Bind {
    /// The value both engines get.
    fn bind(&self) -> Value<'_>;
}

/// A type that can be read from a column.
pub trait Column: Sized {
    /// The value as this type, `None` when the column holds something else.
    fn from_value(value: Value<'_>) -> Option<Self>;
}

/// The values of a statement's parameters, in their order: `values![id, now]`.
///
/// Each is borrowed and may be of any type that implements [`Bind`].
#[macro_export]
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::db::Bind::bind(&$value)),*] };
}

/// Makes types that are texts storable: `text_column!(UserId, Tier)`.
///
/// They need `as_str` and `From<&str>`.
#[macro_export]
macro_rules! text_column {
    ($($name:ty),+ $(,)?) => {$(
        impl $crate::db::Bind for $name {
            fn bind(&self) -> $crate::db::Value<'_> {
                $crate::db::Value::Text(self.as_str())
            }
        }

        impl $crate::db::Column for $name {
            fn from_value(value: $crate::db::Value<'_>) -> Option<Self> {
                value.as_text().map(<$name>::from)
            }
        }
    )+};
}

impl<T: Bind + ?Sized> Bind for &T {
    fn bind(&self) -> Value<'_> {
        T::bind(self)
    }
}

impl<T: Bind> Bind for Option<T> {
    fn bind(&self) -> Value<'_> {
        self.as_ref().map_or(Value::Null, T::bind)
    }
}

impl<T: Column> Column for Option<T> {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl Bind for bool {
    fn bind(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}

impl Column for bool {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Bool(value) => Some(value),
            Value::Integer(0) => Some(false),
            Value::Integer(1) => Some(true),
            _ => None,
        }
    }
}

impl Bind for i64 {
    fn bind(&self) -> Value<'_> {
        Value::Integer(*self)
    }
}

impl Column for i64 {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Integer(value) => Some(value),
            _ => None,
        }
    }
}

impl Bind for Timestamp {
    fn bind(&self) -> Value<'_> {
        Value::Integer(self.as_millis())
    }
}

impl Column for Timestamp {
    fn from_value(value: Value<'_>) -> Option<Self> {
        i64::from_value(value).map(Self::from_millis)
    }
}

impl Bind for str {
    fn bind(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Bind for String {
    fn bind(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl Column for String {
    fn from_value(value: Value<'_>) -> Option<Self> {
        value.as_text().map(str::to_owned)
    }
}

impl Bind for [u8] {
    fn bind(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl<const N: usize> Bind for [u8; N] {
    fn bind(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl Bind for Vec<u8> {
    fn bind(&self) -> Value<'_> {
        Value::Blob(self)
    }
}

impl Column for Vec<u8> {
    fn from_value(value: Value<'_>) -> Option<Self> {
        match value {
            Value::Blob(bytes) => Some(bytes.to_vec()),
            _ => None,
        }
    }
}
