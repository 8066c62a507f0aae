//! The page of a claim link. Opening it changes nothing.

use askama::Template;
use svc_store::error::Result;
use svc_types::api::owners::ClaimAgent;
use svc_types::api::users::{GetUser, User};

use super::Frame;
use super::settings::claimed;
use crate::http::{Form, Html, PageContext, PageRequest, Pages};

const PATH: &str = "/claim/{token}";

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get(PATH, show).form::<ClaimAgent>(PATH, show, claimed)
}

#[derive(Template)]
#[template(path = "claim.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    is_agent: bool,
    /// The agent that made the link, while the link is valid.
    agent: Option<User>,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let is_agent = context.signed_in()?.is_agent;
    let agent = match context.claimable(request.field("token").unwrap_or_default())? {
        Some(username) => Some(context.ask(&GetUser { username: username.into() })?.user),
        None => None,
    };
    let frame = Frame::of(context, request, request.t("claim-title"))?;
    Html::of(&Page { frame, form: request.form::<ClaimAgent>(), is_agent, agent })
}
