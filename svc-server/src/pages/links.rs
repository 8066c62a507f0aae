//! Accounts elsewhere: the way to a provider, and the question in a browser that did not begin it.

use askama::Template;
use svc_core::services::link::{self, Offer};
use svc_store::error::Result;
use svc_types::Timestamp;
use svc_types::api::links::{LinkBegun, LinkProvider};

use super::Frame;
use crate::http::{Html, PageContext, PageRequest};

/// A provider on the page of the settings.
pub(super) struct Row {
    /// What paths call it.
    pub(super) provider: LinkProvider,
    /// Since when an account of it is linked.
    pub(super) linked_at: Option<Timestamp>,
    /// Whether one can be linked here.
    pub(super) can_begin: bool,
}

impl Row {
    /// The name for people.
    pub(super) fn name(&self) -> &str {
        link::name(&self.provider)
    }
}

/// The frame of a page whose address holds a token, which its links do not repeat.
fn frame(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    title: impl Into<String>,
) -> Result<Frame> {
    let mut frame = Frame::of(context, request, title)?;
    "/".clone_into(&mut frame.path);
    Ok(frame)
}

#[derive(Template)]
#[template(path = "links/leave.html")]
struct Leave<'a> {
    frame: Frame,
    name: &'a str,
    url: &'a str,
}

/// Sends the visitor to a provider, by a link: Chromium applies `form-action` to redirects of a form.
pub(super) fn leave(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    begun: &LinkBegun,
) -> Result<Html> {
    let provider = LinkProvider::from(request.field("provider").unwrap_or_default());
    let name = link::name(&provider);
    let title = request.t("links-leave-title").with("provider", name);
    let frame = frame(context, request, title)?;
    Html::of(&Leave { frame, name, url: begun.url.expose() })
}

#[derive(Template)]
#[template(path = "links/ask.html")]
struct Confirmation<'a> {
    frame: Frame,
    offer: &'a Offer,
    name: &'a str,
    token: &'a str,
    /// The name of the visitor, who is not the account.
    visitor: Option<String>,
}

/// Asks whether an account elsewhere shall be linked to the account that began.
pub(crate) fn ask(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    offer: &Offer,
    token: &str,
) -> Result<Html> {
    let other = context.account().filter(|account| account.id != offer.account);
    let visitor = other.map(|account| account.username.clone());
    let name = link::name(&offer.provider);
    let frame = frame(context, request, request.t("links-ask-title"))?;
    Html::of(&Confirmation { frame, offer, name, token, visitor })
}

#[derive(Template)]
#[template(path = "links/done.html")]
struct Done<'a> {
    frame: Frame,
    offer: &'a Offer,
    name: &'a str,
}

/// Says that it is done.
pub(crate) fn done(
    context: &mut PageContext<'_>,
    request: &PageRequest,
    offer: &Offer,
) -> Result<Html> {
    let name = link::name(&offer.provider);
    let frame = frame(context, request, request.t("links-done"))?;
    Html::of(&Done { frame, offer, name })
}
