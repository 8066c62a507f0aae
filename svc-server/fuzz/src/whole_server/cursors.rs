//! Cursors of lists. They are bound to their list, which no mutation hits; so this target makes them.
//!
//! An input is the name of an endpoint, its query, and the query for which the cursor was made, each in a
//! line; the other lines are the keys in the cursor.

use http::Method;
use svc_core::page::Page;
use svc_store::error::Result;
use svc_types::wire::{self, Encoded};
use svc_types::{Cursor, Declaration, Endpoint, Visitor, api};

use super::request::Request;
use super::server::{WholeServer, with_server};
use crate::text::{by_name, line, text};

pub(crate) fn judge(mut input: &[u8]) {
    let name = text(line(&mut input));
    let [query, own] = [line(&mut input), line(&mut input)].map(text);
    let keys: Vec<String> = text(input).split('\n').map(str::to_owned).collect();
    let lists = lists();
    let list = by_name(&lists, &name, |list| list.declared.name);
    with_server(|server| Asked { list, query: &query, own: &own, keys: &keys, server }.judge());
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let of = |List { declared, .. }| {
        let name = declared.name;
        [
            format!("{name}\nlimit=2\nlimit=2\n1769851800000"),
            format!("{name}\n\n\n9\npost_zzzzzzzzzzzzz"),
        ]
    };
    let other = "ListReplies\nlimit=2\nsort=old\n1769851800000".to_owned();
    let seeds = lists().into_iter().flat_map(of).chain([other]);
    seeds.map(String::into_bytes).collect()
}

/// An endpoint that takes a cursor.
struct List {
    declared: Declaration,
    read: Read,
}

/// Decodes a request by the parameters of its path and its query, and reads a cursor with this number of keys; `None` if
/// the request is refused.
type Read = fn(&[&str], &str, Option<&Cursor>, usize) -> Option<Result<(Encoded, Page)>>;

fn read<E: Endpoint>(
    path: &[&str],
    query: &str,
    cursor: Option<&Cursor>,
    keys: usize,
) -> Option<Result<(Encoded, Page)>> {
    let request = wire::decode::<E>(path, query, b"").ok()?;
    let encoded = wire::encode(&request).ok()?;
    Some(Page::of(&request, None, cursor, keys).map(|page| (encoded, page)))
}

fn lists() -> Vec<List> {
    struct Lists(Vec<List>);
    impl Visitor for Lists {
        fn visit<E: Endpoint>(&mut self) {
            self.0.push(List { declared: Declaration::of::<E>(), read: read::<E> });
        }
    }
    let mut lists = Lists(Vec::new());
    api::visit(&mut lists);
    lists.0.retain(|list| takes_cursor(&list.declared));
    lists.0
}

fn takes_cursor(endpoint: &Declaration) -> bool {
    endpoint.method == Method::GET && endpoint.members.iter().any(|member| member.name == "cursor")
}

/// What is asked of a list.
struct Asked<'a> {
    list: &'a List,
    query: &'a str,
    /// The query for which the cursor is.
    own: &'a str,
    keys: &'a [String],
    server: &'a mut WholeServer,
}

impl Asked<'_> {
    fn judge(&mut self) {
        let (Some((encoded, page)), Some((_, own))) = (self.page(self.query), self.page(self.own))
        else {
            return;
        };
        let cursor = own.cursor(self.keys);
        let is_bound = page.cursor(self.keys) == cursor;
        let path = format!("/api{}?cursor={cursor}&{}", encoded.path, encoded.query);
        let asked = Request::get(path).by(self.server.words.of("$key"));
        let Some(answer) = self.server.send_input(asked) else { return };
        let Some(list) = answer.granted() else { return };
        assert!(is_bound, "a cursor of {} is taken for {}", self.own, self.query);
        let is_possible = |key: &String| !key.is_empty() && !key.contains('\0');
        assert!(self.keys.iter().all(is_possible), "{:?}", self.keys);
        let next =
            list.get("nextCursor").or(list.get("next_cursor")).and_then(|next| next.as_str());
        if let Some(next) = next {
            let next = Cursor::from(next);
            assert_ne!(next, cursor, "a page is followed by itself");
            let is_alike = self.read(self.query, Some(&next)).is_some_and(|page| page.is_ok());
            assert!(is_alike, "{cursor} is of another kind than {next}");
        }
    }

    /// A request for the list, and its first page.
    fn page(&self, query: &str) -> Option<(Encoded, Page)> {
        Some(self.read(query, None)?.expect("there is no cursor"))
    }

    fn read(&self, query: &str, cursor: Option<&Cursor>) -> Option<Result<(Encoded, Page)>> {
        let path = self.list.declared.path.split('/').filter(|segment| segment.starts_with('{'));
        let path: Vec<&str> = path.map(|segment| self.parameter(segment)).collect();
        (self.list.read)(&path, query, cursor, self.keys.len())
    }

    /// The value of a parameter, of something that exists where inputs may name it.
    fn parameter(&self, segment: &str) -> &str {
        match segment {
            "{username}" => "seller",
            "{postId}" => self.server.words.of("$post"),
            "{serviceId}" => self.server.words.of("$service"),
            "{name}" => "rust",
            _ => "x",
        }
    }
}
