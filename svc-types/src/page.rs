//! Paged lists.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use crate::Endpoint;
use crate::text::Whole;

/// Page size: 1–100, 20 when omitted. A short page is not necessarily the last.
pub type Limit = Whole<1, 100>;

/// Default page size.
pub const LIMIT_DEFAULT: u32 = 20;

/// Position in a list: opaque, and bound to its list and filter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cursor(String);

impl Cursor {
    /// The cursor as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for Cursor {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Cursor {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for Cursor {
    fn schema_name() -> Cow<'static, str> {
        "Cursor".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "maxLength": 512 })
    }
}

/// An endpoint that returns one page of a list.
pub trait Paged: Endpoint {
    /// Type of the items.
    type Item: Send + 'static;

    /// Sets the cursor of the page to request.
    fn set_cursor(&mut self, cursor: Option<Cursor>);

    /// The items of a page and the cursor of the next one.
    fn into_page(response: Self::Response) -> (Vec<Self::Item>, Option<Cursor>);
}

/// Declares which member of the response is the list: `paged!(ListMessages: messages of Message)`.
macro_rules! paged {
    ($($endpoint:ty: $member:ident of $item:ty;)+) => {$(
        impl $crate::page::Paged for $endpoint {
            type Item = $item;

            fn set_cursor(&mut self, cursor: Option<$crate::page::Cursor>) {
                self.cursor = cursor;
            }

            fn into_page(
                response: Self::Response,
            ) -> (Vec<Self::Item>, Option<$crate::page::Cursor>) {
                (response.$member, response.next_cursor)
            }
        }
    )+};
}
pub(crate) use paged;
