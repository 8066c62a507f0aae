//! A post before it is out.

use askama::Template;
use svc_types::api::posts::{CreatePost, GetPost, Post, PostEnvelope, ReplyPolicy};

use super::{Flash, Frame};
use crate::error::Result;
use crate::http::{Done, Form, Html, Look, PageRequest, Pages};

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new().get("/compose", show).form::<CreatePost>("/compose", show, posted)
}

#[derive(Template)]
#[template(path = "compose.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    /// The post it quotes.
    quoted: Option<Post>,
}

fn show(look: &mut Look<'_>, request: &PageRequest) -> Result<Html> {
    look.signed_in()?;
    let quoted = match request.field("quoteOfId") {
        Some(id) => Some(look.ask(&GetPost { post_id: id.into() })?.post),
        None => None,
    };
    let frame = Frame::of(look, request, if quoted.is_some() { "Quote" } else { "New post" })?;
    Html::of(&Page { frame, form: request.form::<CreatePost>(), quoted })
}

fn posted(_: &PageRequest, answer: &PostEnvelope) -> Done {
    Done::to(format!("/post/{}", answer.post.id)).say(Flash::Posted)
}

/// Who may reply, for people to choose from: the word and what it says.
pub(super) const REPLY_POLICIES: [(ReplyPolicy, &str); 4] = [
    (ReplyPolicy::Everyone, "Everybody may reply"),
    (ReplyPolicy::Following, "Only whom I follow may reply"),
    (ReplyPolicy::Mentioned, "Only whom I mention may reply"),
    (ReplyPolicy::None, "Nobody may reply"),
];
