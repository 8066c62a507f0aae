//! Responses: a body of a media type, and shared headers.

use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{Content, Ref, RefOr, Response};

use crate::generate::example::{self, Examples};
use crate::generate::header;

/// The media type of every body except those of plain routes.
pub(crate) const JSON: &str = "application/json";

/// The media type of HTML pages.
pub(crate) const HTML: &str = "text/html";

/// Any text, such as this one.
pub(crate) fn text(sample: &str) -> Content {
    let mut content = Content::new(Some(Object::with_type(Type::String)));
    content.examples = example::one(sample.into());
    content
}

/// A response with a JSON body of this schema.
pub(crate) fn json(
    description: impl Into<String>,
    schema: Ref,
    examples: Examples,
    headers: &[&str],
) -> Response {
    let mut content = Content::new(Some(schema));
    content.examples = examples;
    of(JSON, description, content, headers)
}

/// A response of any media type.
pub(crate) fn of(
    media_type: &str,
    description: impl Into<String>,
    content: Content,
    headers: &[&str],
) -> Response {
    let mut answer = empty(description, headers);
    answer.content = [(media_type.to_owned(), content.into())].into();
    answer
}

/// A response without a body.
pub(crate) fn empty(description: impl Into<String>, headers: &[&str]) -> Response {
    let refer = |name: &&str| ((*name).to_owned(), RefOr::Ref(header::reference(name)));
    let mut answer = Response::new(description);
    answer.headers = headers.iter().map(refer).collect();
    answer
}
