//! Reads pages of endpoints and rows as lines of JSON.

use serde::Serialize;
use serde_json::{Map, Value, json};
use svc_core::app::Ctx;
use svc_core::identity::Account;
use svc_store::error::{Error, Result};
use svc_types::{Cursor, Endpoint, Paged, wire};

use crate::http::DirectApi;

/// Rows of a page.
pub const ROWS: i64 = 50;

/// Where a page begins: after an item, and on a page of the list that belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    /// The last item, or its list that is being read.
    pub(super) after: String,
    /// The page of that list.
    pub(super) cursor: Option<String>,
}

/// Some lines of a file.
pub(super) struct Page {
    pub(super) lines: Vec<u8>,
    pub(super) records: u64,
    /// Where the next page begins; none after the last.
    pub(super) next: Option<Position>,
}

impl Page {
    /// A line for each item.
    pub(super) fn of<T: Serialize>(
        items: impl IntoIterator<Item = T>,
        next: Option<Position>,
    ) -> Result<Self> {
        let (mut lines, mut records) = (Vec::new(), 0);
        for item in items {
            serde_json::to_writer(&mut lines, &item).map_err(Error::internal)?;
            lines.push(b'\n');
            records += 1;
        }
        Ok(Self { lines, records, next })
    }

    /// A line for each row; each has its key, from which the next page goes on.
    pub(super) fn of_rows(rows: Vec<(String, Value)>) -> Result<Self> {
        let is_full = i64::try_from(rows.len()).is_ok_and(|rows| rows >= ROWS);
        let last = rows.last().filter(|_| is_full);
        let next = last.map(|(key, _)| Position { after: key.clone(), cursor: None });
        Self::of(rows.into_iter().map(|(_, line)| line), next)
    }
}

/// What one job of an export reads with.
pub(super) struct Source<'s, 'a, 'tx> {
    pub(super) ctx: &'s mut Ctx<'a, 'tx>,
    pub(super) api: &'s DirectApi,
    pub(super) account: &'s Account,
}

impl Source<'_, '_, '_> {
    /// The response of an endpoint to these members.
    pub(super) fn ask<E: Endpoint>(&mut self, members: &Value) -> Result<E::Response> {
        let empty = Map::new();
        let request = wire::decode_members::<E>(members.as_object().unwrap_or(&empty))?;
        self.api.read(self.ctx, Some(self.account), &request)
    }

    /// A page of an endpoint's list.
    pub(super) fn paged<E: Paged>(&mut self, members: Value, at: &Position) -> Result<Page>
    where
        E::Item: Serialize,
    {
        self.paged_as::<E, _>(members, at, |item| item)
    }

    /// The same, with each item changed.
    pub(super) fn paged_as<E: Paged, T: Serialize>(
        &mut self,
        members: Value,
        at: &Position,
        change: impl FnMut(E::Item) -> T,
    ) -> Result<Page> {
        let (items, cursor) = self.list::<E>(members, at.cursor.as_deref())?;
        let next = cursor.map(|cursor| Position {
            after: at.after.clone(),
            cursor: Some(cursor.as_str().to_owned()),
        });
        Page::of(items.into_iter().map(change), next)
    }

    /// A page of the list that belongs to an item, then to the next one; `next` finds the item after
    /// a key. Each line begins with the key of its item, as the member `named`.
    pub(super) fn nested<E: Paged>(
        &mut self,
        named: &'static str,
        at: &Position,
        next: impl FnOnce(&mut Self, &str) -> Result<Option<String>>,
    ) -> Result<Page>
    where
        E::Item: Serialize,
    {
        let item = match &at.cursor {
            Some(_) => Some(at.after.clone()),
            None => next(self, &at.after)?,
        };
        let Some(item) = item else { return Page::of([(); 0], None) };
        let (entries, cursor) = self.list::<E>(json!({ named: item }), at.cursor.as_deref())?;
        let lines: Result<Vec<Value>> =
            entries.iter().map(|entry| within(named, &item, entry)).collect();
        let cursor = cursor.map(|cursor| cursor.as_str().to_owned());
        Page::of(lines?, Some(Position { after: item, cursor }))
    }

    fn list<E: Paged>(
        &mut self,
        mut members: Value,
        cursor: Option<&str>,
    ) -> Result<(Vec<E::Item>, Option<Cursor>)> {
        members["limit"] = ROWS.into();
        if let Some(cursor) = cursor {
            members["cursor"] = cursor.into();
        }
        self.ask::<E>(&members).map(E::into_page)
    }
}

/// An entry of a list, with the item that the list belongs to.
fn within(named: &str, item: &str, entry: &impl Serialize) -> Result<Value> {
    let mut line = Map::from_iter([(named.to_owned(), item.into())]);
    if let Value::Object(members) = serde_json::to_value(entry).map_err(Error::internal)? {
        line.extend(members);
    }
    Ok(Value::Object(line))
}
