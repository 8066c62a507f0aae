//! Pages of lists: limits, and cursors bound to their list and filter.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use sha2::{Digest, Sha256};
use svc_store::error::{Error, Refusal, Result};
use svc_types::page::LIMIT_DEFAULT;
use svc_types::{Code, Cursor, Endpoint, Limit};

use crate::ids;

/// Version of the cursor format.
const VERSION: u8 = 1;

/// Bytes of the filter's hash in a cursor.
const SCOPE_LENGTH: usize = 8;

/// The requested page of a list: how many items, and after which one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    limit: usize,
    scope: [u8; SCOPE_LENGTH],
    /// Sort keys of the last item of the page before, `None` on the first page.
    pub after: Option<Vec<String>>,
}

impl Page {
    /// The first page of a list within another response, which has no cursor.
    pub const fn first(limit: u32) -> Self {
        Self { limit: limit as usize, scope: [0; SCOPE_LENGTH], after: None }
    }

    /// The same page with one item less; `None` if that leaves none.
    pub fn but_one(&self) -> Option<Self> {
        let limit = self.limit.checked_sub(1).filter(|limit| *limit > 0)?;
        Some(Self { limit, ..self.clone() })
    }

    /// Reads limit and cursor of a request whose list sorts by `keys` keys.
    pub fn of<E: Endpoint>(
        request: &E,
        limit: Option<Limit>,
        cursor: Option<&Cursor>,
        keys: usize,
    ) -> Result<Self> {
        let scope = scope(request);
        let after =
            cursor.map(|cursor| read(cursor, scope, keys).ok_or_else(invalid)).transpose()?;
        let limit = limit.map_or(LIMIT_DEFAULT, Limit::get);
        Ok(Self { limit: usize::try_from(limit).unwrap_or(usize::MAX), scope, after })
    }

    /// The only sort key of the last item before, for lists that sort by one.
    pub fn after_one(&self) -> Option<&str> {
        self.after.as_ref().and_then(|keys| keys.first()).map(String::as_str)
    }

    /// The same for lists in descending order, whose first page begins before a key larger than all.
    pub fn before(&self) -> &str {
        self.after_one().unwrap_or(ids::LAST)
    }

    /// The sort key of the last item before, for lists that sort by a sequence number.
    pub fn after_seq(&self) -> Result<Option<i64>> {
        self.after_one().map(|seq| seq.parse().map_err(|_| Self::damaged())).transpose()
    }

    /// The sort keys of the last item before, for lists that sort by a number and an id.
    pub fn after_number(&self) -> Result<Option<(i64, &str)>> {
        let Some(keys) = self.after.as_deref() else { return Ok(None) };
        let number = keys[0].parse().map_err(|_| Self::damaged())?;
        Ok(Some((number, keys[1].as_str())))
    }

    /// Rows to query: one more than the page, to see whether there is a next page.
    pub fn rows(&self) -> i64 {
        i64::try_from(self.limit).unwrap_or(i64::MAX) + 1
    }

    /// Whether a single item is asked for.
    pub const fn is_of_one(&self) -> bool {
        self.limit == 1
    }

    /// Removes the surplus row, and returns the cursor of the next page.
    pub fn cut<T>(&self, rows: &mut Vec<T>, keys: impl Fn(&T) -> Vec<String>) -> Option<Cursor> {
        if rows.len() <= self.limit {
            return None;
        }
        rows.truncate(self.limit);
        rows.last().map(|last| self.cursor(&keys(last)))
    }

    /// The refusal of a cursor with an invalid key.
    pub fn damaged() -> Error {
        invalid()
    }

    /// The cursor of the page after an item with these sort keys.
    pub fn cursor(&self, keys: &[String]) -> Cursor {
        let mut bytes = vec![VERSION];
        bytes.extend(self.scope);
        bytes.extend(keys.join("\n").bytes());
        Cursor::from(URL_SAFE_NO_PAD.encode(bytes))
    }
}

fn invalid() -> Error {
    Refusal::new(Code::InvalidCursor, "the cursor is none of this list and filter")
        .field("cursor")
        .hint("ask again without a cursor")
        .into()
}

fn read(cursor: &Cursor, scope: [u8; SCOPE_LENGTH], keys: usize) -> Option<Vec<String>> {
    let bytes = URL_SAFE_NO_PAD.decode(cursor.as_str()).ok()?;
    let rest = bytes.strip_prefix(&[VERSION])?.strip_prefix(&scope)?;
    let found: Vec<String> =
        std::str::from_utf8(rest).ok()?.split('\n').map(str::to_owned).collect();
    let valid =
        found.len() == keys && found.iter().all(|key| !key.is_empty() && ids::can_exist(key));
    valid.then_some(found)
}

/// Hash of what defines the list: the endpoint and all members but limit and cursor.
fn scope<E: Endpoint>(request: &E) -> [u8; SCOPE_LENGTH] {
    let mut members = serde_json::to_value(request).unwrap_or_default();
    if let Value::Object(members) = &mut members {
        members
            .retain(|name, value| !matches!(name.as_str(), "limit" | "cursor") && !value.is_null());
    }
    let hash = Sha256::digest(format!("{} {members}", E::NAME));
    hash.first_chunk().copied().expect("SHA-256 has 32 bytes")
}

#[cfg(test)]
mod tests {
    use svc_types::api::posts::ListReplies;

    use super::*;

    fn replies(post: &str, cursor: Option<Cursor>) -> ListReplies {
        ListReplies { post_id: post.into(), sort: None, include: None, limit: None, cursor }
    }

    #[test]
    fn a_cursor_belongs_to_its_list() {
        let first = Page::of(&replies("post_a", None), None, None, 1).unwrap();
        let mut rows: Vec<u32> = (0..21).collect();
        let cursor = first.cut(&mut rows, |row| vec![row.to_string()]).unwrap();
        let again = replies("post_a", Some(cursor.clone()));
        let second = Page::of(&again, None, Some(&cursor), 1).unwrap();
        assert_eq!(second.after_one(), Some("19"));
        let other = replies("post_b", Some(cursor.clone()));
        assert!(Page::of(&other, None, Some(&cursor), 1).is_err());
    }

    #[test]
    fn a_made_up_cursor_is_refused() {
        for text in ["", "abc", "AQ", "!!!!"] {
            let cursor = Cursor::from(text);
            assert!(Page::of(&replies("post_a", None), None, Some(&cursor), 1).is_err(), "{text}");
        }
    }
}
