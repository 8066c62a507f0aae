//! Posts as an Atom feed.

use std::fmt;

use askama::Template;
use svc_core::html::{Links, plain};
use svc_core::services::post::html::of_text;
use svc_store::error::{Error, Result};
use svc_types::api::posts::Post;

use crate::http::{Html, PageContext};

/// The media type of a feed.
const MEDIA_TYPE: &str = "application/atom+xml; charset=utf-8";

#[derive(Template)]
#[template(path = "atom.xml")]
struct Feed<'a> {
    title: &'a str,
    /// The address of this server.
    url: &'a str,
    /// The page of the same posts, from the root of the server.
    page: &'a str,
    path: &'a str,
    updated: String,
    posts: Vec<Post>,
}

impl Feed<'_> {
    /// The start of what is shown of a post as a title, on one line.
    #[expect(clippy::unused_self, reason = "the template calls it")]
    fn title_of(&self, post: &Post) -> String {
        let shown = post.content_warning.as_ref().unwrap_or(&post.content);
        let words: Vec<&str> = shown.split_whitespace().take(12).collect();
        words.join(" ")
    }

    /// A post as HTML, whose links lead here from elsewhere; the template escapes it once more.
    fn html_of(&self, post: &Post) -> std::result::Result<String, fmt::Error> {
        let links = Links::from_elsewhere(self.url);
        match &post.content_warning {
            Some(warning) => plain(warning, links),
            // Readers of feeds have no colours for code.
            None => of_text(&post.content, &post.format, links, None),
        }
    }
}

/// The feed of these posts. `page` shows the same posts, `path` is the feed's own.
pub(super) fn of(
    context: &PageContext<'_>,
    title: &str,
    page: &str,
    path: &str,
    posts: Vec<Post>,
) -> Result<Html> {
    let newest = posts.iter().map(|post| post.edited_at.unwrap_or(post.created_at)).max();
    let updated = newest.unwrap_or_else(|| context.now()).to_string();
    let url = &context.app().public_url;
    let feed = Feed { title, url, page, path, updated, posts };
    Ok(Html::document(MEDIA_TYPE, feed.render().map_err(Error::internal)?))
}
