//! Cursors of lists. They are bound to their list, which no mutation hits; so this target makes them.
//!
//! An input is the name of an endpoint, its query, and the query for which the cursor was made, each in a
//! line; the other lines are the keys in the cursor.

use http::Method;
use svc_core::page::Page;
use svc_types::endpoint::Member;
use svc_types::{Cursor, Endpoint, Visitor, api, wire};

use super::request::Request;
use super::server::{WholeServer, with_server};
use crate::text::{by_name, line, text};

pub(crate) fn judge(mut input: &[u8]) {
    let name = text(line(&mut input));
    let [query, own] = [line(&mut input), line(&mut input)].map(text);
    let keys: Vec<String> = text(input).split('\n').map(str::to_owned).collect();
    let mut lists = Lists(Vec::new());
    api::visit(&mut lists);
    let name = *by_name(&lists.0, &name, |name| name);
    with_server(|server| {
        let (query, own) = (&query, &own);
        api::visit(&mut Chosen { name, query, own, keys: &keys, server });
    });
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let mut lists = Lists(Vec::new());
    api::visit(&mut lists);
    let of = |name: &str| {
        [
            format!("{name}\nlimit=2\nlimit=2\n1769851800000"),
            format!("{name}\n\n\n9\npost_zzzzzzzzzzzzz"),
        ]
    };
    let other = "ListReplies\nlimit=2\nsort=old\n1769851800000".to_owned();
    let seeds = lists.0.into_iter().flat_map(of).chain([other]);
    seeds.map(String::into_bytes).collect()
}

fn has_cursor<E: Endpoint>() -> bool {
    E::METHOD == Method::GET && E::MEMBERS.iter().any(|Member { name, .. }| *name == "cursor")
}

/// The names of all endpoints that take a cursor.
struct Lists(Vec<&'static str>);

impl Visitor for Lists {
    fn visit<E: Endpoint>(&mut self) {
        if has_cursor::<E>() {
            self.0.push(E::NAME);
        }
    }
}

/// Asks the endpoint of this name.
struct Chosen<'a> {
    name: &'static str,
    query: &'a str,
    /// The query for which the cursor is.
    own: &'a str,
    keys: &'a [String],
    server: &'a mut WholeServer,
}

impl Visitor for Chosen<'_> {
    fn visit<E: Endpoint>(&mut self) {
        if E::NAME != self.name {
            return;
        }
        let (Some((request, page)), Some((_, own))) =
            (self.page::<E>(self.query), self.page::<E>(self.own))
        else {
            return;
        };
        let cursor = own.cursor(self.keys);
        let is_bound = page.cursor(self.keys) == cursor;
        let Ok(encoded) = wire::encode(&request) else { return };
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
            let keys = Page::of(&request, None, Some(&next), self.keys.len());
            assert!(keys.is_ok(), "{cursor} is of another kind than {next}");
        }
    }
}

impl Chosen<'_> {
    /// A request for the list, and its first page.
    fn page<E: Endpoint>(&self, query: &str) -> Option<(E, Page)> {
        let path = E::PATH.split('/').filter(|segment| segment.starts_with('{'));
        let path: Vec<&str> = path.map(|segment| self.parameter(segment)).collect();
        let request = wire::decode::<E>(&path, query, b"").ok()?;
        let page = Page::of(&request, None, None, self.keys.len()).expect("there is no cursor");
        Some((request, page))
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
