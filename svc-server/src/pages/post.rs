//! A post with its thread, and its buttons.

use std::collections::HashMap;

use askama::Template;
use svc_core::identity::Account;
use svc_store::error::{Error, Result};
use svc_types::api::Deleted;
use svc_types::api::embeds::{EmbedFormat, GetEmbed};
use svc_types::api::posts::{
    CreateReply, DeletePost, EditPost, GetPost, GetPostHistory, GetThread, Post, PostEnvelope,
    ReplyPolicy, Revision, ThreadItem,
};
use svc_types::api::reactions::{
    BookmarkPost, LikePost, MuteThread, PinPost, RepostPost, UnbookmarkPost, UnlikePost,
    UnmuteThread, UnpinPost, UnrepostPost,
};
use svc_types::api::relations::{ListRelationships, Relationship};

use super::share::Card;
use super::{Flash, Frame};
use crate::http::{Done, Form, Html, PageContext, PageRequest, Pages};

/// The deepest indentation of replies.
const LEVELS_MAX: usize = 3;

/// The pages of this feature.
pub(super) fn pages() -> Pages {
    Pages::new()
        .get("/post/{postId}", show)
        .form::<CreateReply>("/post/{postId}", show, replied)
        .get("/post/{postId}/edit", edit)
        .form::<EditPost>("/post/{postId}/edit", edit, edited)
        .get("/post/{postId}/delete", ask_delete)
        .form::<DeletePost>("/post/{postId}/delete", ask_delete, deleted)
        .get("/post/{postId}/history", history)
        .get("/post/{postId}/embed", embed)
        .button::<LikePost>("/post/{postId}/like", |request, _| at_post(request))
        .button::<UnlikePost>("/post/{postId}/unlike", |request, _| at_post(request))
        .button::<RepostPost>("/post/{postId}/repost", |request, _| at_post(request))
        .button::<UnrepostPost>("/post/{postId}/unrepost", |request, _| at_post(request))
        .button::<BookmarkPost>("/post/{postId}/bookmark", |request, _| at_post(request))
        .button::<UnbookmarkPost>("/post/{postId}/unbookmark", |request, _| at_post(request))
        .button::<MuteThread>("/post/{postId}/mute", |request, _| at_post(request))
        .button::<UnmuteThread>("/post/{postId}/unmute", |request, _| at_post(request))
        .button::<PinPost>("/post/{postId}/pin", |request, _| at_post(request))
        .button::<UnpinPost>("/post/{postId}/unpin", |request, _| at_post(request))
}

/// Redirects back to the post, on the page with the button.
fn at_post(request: &PageRequest) -> Done {
    let back = request.local("back").unwrap_or("/");
    let page = back.split('#').next().unwrap_or(back);
    Done::to(format!("{page}#{}", request.field("postId").unwrap_or_default()))
}

#[derive(Template)]
#[template(path = "post.html")]
struct Page<'a> {
    frame: Frame,
    form: Form<'a>,
    /// Why the visitor can't reply: the id of the text that stands in place of the form.
    closed: Option<&'static str>,
    ancestors: Vec<ThreadItem>,
    post: Post,
    /// The replies, each with its indentation.
    answers: Vec<(usize, ThreadItem)>,
    next: Option<String>,
    has_analytics: bool,
    /// Whether moderators have hidden it from everyone but its author and themselves.
    is_hidden: bool,
    card: Card,
}

fn show(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let thread = context.ask(&request.decode::<GetThread>()?)?;
    let next = request.next(thread.next_cursor.as_ref());
    let is_hidden = is_hidden(context, &thread.post)?;
    let title = request.t("post-title").with("name", &thread.post.author.display_name);
    let form = request.form::<CreateReply>();
    // A reply that was just refused is still there, to be copied.
    let is_typed = !form.value("content").is_empty();
    let closed = if is_typed { None } else { closed(context, &thread.post)? };
    Html::of(&Page {
        frame: Frame::of(context, request, title)?.linking_all(context, &thread)?,
        form,
        closed,
        card: Card::of_post(context, &thread.post)?,
        ancestors: thread.ancestors,
        answers: moved_in(&thread.post, thread.descendants),
        post: thread.post,
        next,
        has_analytics: context.has("/post/{postId}/analytics"),
        is_hidden,
    })
}

/// Why the visitor can't reply to a post, as the id of a text. Guests are asked to sign in first.
fn closed(context: &mut PageContext<'_>, post: &Post) -> Result<Option<&'static str>> {
    let Some(own) = context.account().map(|account| account.id.clone()) else { return Ok(None) };
    if own == post.author.id {
        return Ok(None);
    }
    let asked = ListRelationships { ids: vec![post.author.id.clone()].into() };
    let author = context.ask(&asked)?.relationships.pop();
    let holds = |of: fn(&Relationship) -> bool| author.as_ref().is_some_and(of);
    if holds(|author| author.blocking || author.blocked_by) {
        return Ok(Some("error-blocked"));
    }
    let may_reply = match &post.reply_policy {
        ReplyPolicy::Following => holds(|author| author.followed_by),
        ReplyPolicy::Mentioned => post.mentions.iter().any(|named| named.id == own),
        ReplyPolicy::None => false,
        _ => true,
    };
    Ok((!may_reply).then_some("error-reply-not-allowed"))
}

/// Whether a post is hidden. Only its author and moderators could see it then.
fn is_hidden(context: &mut PageContext<'_>, post: &Post) -> Result<bool> {
    let sees_hidden = |account: &Account| account.id == post.author.id || account.is_moderator();
    if context.account().is_some_and(sees_hidden) { context.is_hidden(&post.id) } else { Ok(false) }
}

/// Each reply with its depth in the thread.
fn moved_in(post: &Post, answers: Vec<ThreadItem>) -> Vec<(usize, ThreadItem)> {
    let mut levels: HashMap<String, usize> = HashMap::with_capacity(answers.len());
    let level = |answer: ThreadItem| {
        let (id, to) = match &answer {
            ThreadItem::Post(answer) => (&answer.id, &answer.reply_to_id),
            ThreadItem::Tombstone(gone) => (&gone.id, &gone.reply_to_id),
        };
        let to = to.as_ref().filter(|to| **to != post.id);
        let level = to.and_then(|to| levels.get(to.as_str())).map_or(0, |level| level + 1);
        levels.insert(id.to_string(), level);
        (level.min(LEVELS_MAX), answer)
    };
    answers.into_iter().map(level).collect()
}

fn replied(request: &PageRequest, answer: &PostEnvelope) -> Done {
    let to = request.field("postId").unwrap_or_default();
    Done::to(format!("/post/{to}#{}", answer.post.id)).say(Flash::Replied)
}

#[derive(Template)]
#[template(path = "edit.html")]
struct Edit<'a> {
    frame: Frame,
    form: Form<'a>,
    post: &'a Post,
    policies: &'static [(ReplyPolicy, &'static str)],
}

impl Edit<'_> {
    /// What the form shows, for its field `shown`.
    fn shown(&self) -> String {
        self.form.shown([
            ("content", self.post.content.as_str()),
            ("contentWarning", self.post.content_warning.as_deref().unwrap_or_default()),
            ("language", self.post.language.as_deref().unwrap_or_default()),
            ("replyPolicy", self.post.reply_policy.as_str()),
        ])
    }
}

/// Only the author may edit or delete a post.
fn own(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Post> {
    let id = context.signed_in()?.id.clone();
    let post = context.ask(&request.decode::<GetPost>()?)?.post;
    if post.author.id == id { Ok(post) } else { Err(Error::not_found("post of yours")) }
}

fn edit(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let post = own(context, request)?;
    let frame = Frame::of(context, request, request.t("post-edit-title"))?;
    let form = request.form::<EditPost>();
    Html::of(&Edit { frame, form, post: &post, policies: &super::compose::REPLY_POLICIES })
}

fn edited(_: &PageRequest, answer: &PostEnvelope) -> Done {
    Done::to(format!("/post/{}", answer.post.id)).say(Flash::Edited)
}

#[derive(Template)]
#[template(path = "delete.html")]
struct Delete {
    frame: Frame,
    post: Post,
}

fn ask_delete(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let post = own(context, request)?;
    Html::of(&Delete { frame: Frame::of(context, request, request.t("post-delete-title"))?, post })
}

fn deleted(_: &PageRequest, _: &Deleted) -> Done {
    Done::to("/").say(Flash::Deleted)
}

#[derive(Template)]
#[template(path = "history.html")]
struct History {
    frame: Frame,
    post: Post,
    revisions: Vec<Revision>,
}

fn history(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let post = context.ask(&request.decode::<GetPost>()?)?.post;
    let revisions = context.ask(&request.decode::<GetPostHistory>()?)?.revisions;
    let frame = Frame::of(context, request, request.t("post-history-title"))?;
    Html::of(&History { frame, post, revisions })
}

#[derive(Template)]
#[template(path = "embed_code.html")]
struct EmbedCode {
    frame: Frame,
    code: String,
    back: String,
}

fn embed(context: &mut PageContext<'_>, request: &PageRequest) -> Result<Html> {
    let asked = GetEmbed { format: Some(EmbedFormat::Json), ..request.decode()? };
    let embed = context.ask(&asked)?.embed;
    let back = format!("/post/{}", embed.post.id);
    let frame = Frame::of(context, request, request.t("post-embed-title"))?;
    Html::of(&EmbedCode { frame, code: embed.html, back })
}
