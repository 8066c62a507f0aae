//! Partial results of an order: a page of their own, because there may be many, and each may be long.

use askama::Template;
use serde_json::{Map, Value};
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::orders::{ListOrderPartials, ServiceOrder};

use super::view;
use crate::http::{Html, PageContext, PageRequest};
use crate::language::Language;
use crate::pages::Frame;
use crate::pages::content::{self, Part};

/// Most partial results on a page.
const AT_ONCE: u32 = 10;

#[derive(Template)]
#[template(path = "order_partials.html")]
struct Page {
    frame: Frame,
    order: ServiceOrder,
    partials: Vec<Partial>,
    next: Option<String>,
}

/// A partial result for display.
struct Partial {
    n: i64,
    at: Timestamp,
    parts: Vec<Part>,
}

/// The partial results of an order, the oldest first.
pub(super) fn list(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    context.signed_in()?;
    let asked = ListOrderPartials { limit: Some(AT_ONCE.into()), ..request.decode()? };
    let page = context.ask(&asked)?;
    let order = context.ask(&super::asked(request))?.order;
    let service = view::service(context, Some(&order), None)?;
    let schema = service.as_ref().and_then(|service| service.output_schema.as_ref());
    let shown = page.partials.into_iter().map(|partial| Partial {
        n: partial.n,
        at: partial.created_at,
        parts: parts(request.language, partial.partial, schema),
    });
    let partials = shown.collect();
    let frame = Frame::of(context, request, request.t("order-partials"))?;
    Html::of(&Page { frame, order, partials, next: request.next(page.next_cursor.as_ref()) })
}

/// The parts of a partial result, with the labels of the result. What is no object has no names.
fn parts(language: Language, partial: Value, schema: Option<&Map<String, Value>>) -> Vec<Part> {
    let members = match partial {
        Value::Object(members) => members,
        other => Map::from_iter([(String::new(), other)]),
    };
    content::sample(language, &members, schema, None)
}
