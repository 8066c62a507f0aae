//! The reference of the API: a page for each part and each object, made from the OpenAPI document.

use std::borrow::Cow;

use askama::Template;
use svc_store::error::{Error, Result};
use svc_types::Code;

use super::document::{Document, Member, Placed, Schema, Tag, document};
use crate::html::{Links, Markdown};
use crate::http::{Html, PageContext, PageRequest, Pages};
use crate::pages::Frame;

/// The path of the reference.
pub(super) const PATH: &str = "/docs/api";

/// Most words of a search.
const WORDS_MAX: usize = 8;

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get(PATH, index)
        .get("/docs/api/{tag}", part)
        .get("/docs/api/objects/{object}", object)
}

/// A description in Markdown. Posts keep their line ends, but here they are those of the source.
fn marked(text: &str) -> Markdown<'static> {
    Markdown::new(Cow::Owned(flowing(text)), Links::OF_SERVER)
}

/// A text whose lines end only where a paragraph or an item of a list does.
fn flowing(text: &str) -> String {
    let mut flowing = String::with_capacity(text.len());
    let mut before = "";
    for line in text.lines() {
        let begins = before.is_empty() || line.is_empty() || line.starts_with("- ");
        if !flowing.is_empty() {
            flowing.push(if begins { '\n' } else { ' ' });
        }
        flowing.push_str(line);
        before = line;
    }
    flowing
}

#[derive(Template)]
#[template(path = "docs/api.html")]
struct Index<'a> {
    frame: Frame,
    tab: &'static str,
    query: &'a str,
    /// What a search found; absent without one.
    found: Option<Vec<Placed<'static>>>,
    parts: Vec<(&'static Tag, Vec<Placed<'static>>)>,
}

fn index(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let query = request.field("q").unwrap_or_default();
    let words: Vec<String> =
        query.split_whitespace().take(WORDS_MAX).map(str::to_lowercase).collect();
    let document = document();
    let found = (!words.is_empty())
        .then(|| document.operations().filter(|placed| placed.matches(&words)).collect());
    let parts = document.tags.iter().map(|tag| (tag, operations(document, tag))).collect();
    Html::of(&Index {
        frame: Frame::of(context, request, request.t("docs-api"))?,
        tab: PATH,
        query,
        found,
        parts,
    })
}

fn operations(document: &'static Document, tag: &Tag) -> Vec<Placed<'static>> {
    document.operations().filter(|placed| placed.tag() == tag.name).collect()
}

#[derive(Template)]
#[template(path = "docs/api_part.html")]
struct Part {
    frame: Frame,
    tab: &'static str,
    shown: &'static Tag,
    document: &'static Document,
    operations: Vec<Placed<'static>>,
}

fn part(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let document = document();
    let name = request.field("tag").unwrap_or_default();
    let shown = document.tags.iter().find(|tag| tag.name == name).ok_or_else(not_found)?;
    let operations = operations(document, shown);
    let frame = Frame::of(context, request, format!("{}, API reference", shown.title()))?;
    Html::of(&Part { frame, tab: PATH, shown, document, operations })
}

#[derive(Template)]
#[template(path = "docs/api_object.html")]
struct Object<'a> {
    frame: Frame,
    tab: &'static str,
    name: &'a str,
    schema: &'static Schema,
    members: Vec<Member<'static>>,
}

fn object(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let name = request.field("object").unwrap_or_default();
    let schema = document().schema(name).ok_or_else(not_found)?;
    let members = document().members(schema);
    let frame = Frame::of(context, request, format!("{name}, API reference"))?;
    Html::of(&Object { frame, tab: PATH, name, schema, members })
}

fn not_found() -> Error {
    Error::refused(Code::NotFound, "the reference has no such page")
}
