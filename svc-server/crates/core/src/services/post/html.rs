//! Texts of posts as HTML, for requests with `include=html`.

use std::fmt;

use svc_store::error::{Error, Result};
use svc_types::CommaList;
use svc_types::api::posts::{Mention, Post, PostFormat, PostInclude, PostRef};

use super::code::{self, CodeOfPosts};
use super::text::{self, MENTIONS_MAX};
use crate::app::Ctx;
use crate::html::{self, Links};

/// Most bytes of HTML in an answer: a page of 100 posts has up to 4 million characters, each of which may
/// become an element. This much takes about 30 ms of a connection that other reads wait for.
const ANSWER_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Lets the posts of this answer have what the request asks for.
pub fn include(ctx: &mut Ctx<'_, '_>, asked: Option<&CommaList<PostInclude>>) -> Result<()> {
    for part in asked.iter().flat_map(|asked| &asked.0) {
        match part {
            PostInclude::Html => include_html(ctx),
            _ => return Err(Error::invalid("include", "include must be html")),
        }
    }
    Ok(())
}

/// Lets the posts of this answer have HTML.
pub fn include_html(ctx: &mut Ctx<'_, '_>) {
    ctx.html_bytes = ANSWER_BYTES_MAX;
}

/// The links of the text of a post, which lead to the accounts that it mentions. Of very many names only the
/// first are mentions, and all are linked.
pub fn links_of<'a>(links: Links<'a>, text: &str, mentions: &'a [Mention]) -> Links<'a> {
    if text::names(text).len() < MENTIONS_MAX { links.naming(mentions) } else { links }
}

/// The text of a post as HTML, with the marks of its code if it has some.
///
/// # Errors
/// None: a `String` takes what is written.
pub fn of_text(
    text: &str,
    format: &PostFormat,
    links: Links<'_>,
    marks: Option<&str>,
) -> std::result::Result<String, fmt::Error> {
    match format {
        PostFormat::Plain => html::plain(text, links),
        _ => html::markdown_with_marks(text, links, marks.unwrap_or_default()),
    }
}

/// The text of a post as HTML for another website or program: its links lead to `site`, the URL of this server. Code
/// has no colours there.
pub fn for_elsewhere(site: &str, post: &Post) -> Result<String> {
    let links = links_of(Links::from_elsewhere(site), &post.content, &post.mentions);
    of_text(&post.content, &post.format, links, None).map_err(Error::internal)
}

/// The same for the start of a quoted post.
pub fn quote_for_elsewhere(site: &str, quote: &PostRef) -> Result<String> {
    let text = text::excerpt_shown(&quote.content);
    let links = Links::from_elsewhere(site);
    of_text(&text, &quote.format, links, None).map_err(Error::internal)
}

/// Adds HTML to posts while the answer has room for it, or keeps the marks of their code for a page.
pub(super) fn add(ctx: &mut Ctx<'_, '_>, posts: &mut [Post]) -> Result<()> {
    if ctx.html_bytes == 0 && ctx.code.is_none() {
        return Ok(());
    }
    let code = code::of_posts(ctx, posts)?;
    add_html(ctx, posts, &code)?;
    if let Some(kept) = &mut ctx.code {
        kept.extend(code);
    }
    Ok(())
}

fn add_html(ctx: &mut Ctx<'_, '_>, posts: &mut [Post], code: &CodeOfPosts) -> Result<()> {
    if ctx.html_bytes == 0 {
        return Ok(());
    }
    let links = Links::from_elsewhere(&ctx.app.public_url);
    for post in posts {
        let marks = code.get(&post.id).map(String::as_str);
        let links = links_of(links, &post.content, &post.mentions);
        let html = of_text(&post.content, &post.format, links, marks).map_err(Error::internal)?;
        let Some(left) = ctx.html_bytes.checked_sub(html.len()) else {
            ctx.html_bytes = 0;
            return Ok(());
        };
        ctx.html_bytes = left;
        post.html = Some(html);
    }
    Ok(())
}
