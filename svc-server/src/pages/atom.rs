//! Posts as an Atom feed.

use std::fmt;

use askama::Template;
use svc_core::html::{Links, escape, plain};
use svc_core::services::post::html::{links_of, of_text};
use svc_core::services::post::text::is_blank;
use svc_store::error::{Error, Result};
use svc_types::api::posts::Post;

use crate::http::{Html, PageContext};

/// The media type of a feed.
const MEDIA_TYPE: &str = "application/atom+xml; charset=utf-8";

/// Most bytes of HTML in a feed, as in an answer with `include=html`.
const HTML_BYTES_MAX: usize = 2 * 1024 * 1024;

/// Most words of a title, and most characters: scripts without spaces have long words.
const TITLE_WORDS: usize = 12;
const TITLE_CHARS: usize = 120;

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
    entries: Vec<Entry>,
}

/// A post as HTML, whose links lead here from elsewhere; the template escapes it once more. Without it, readers
/// follow the link to the post.
struct Entry {
    post: Post,
    html: Option<String>,
}

impl Feed<'_> {
    /// The start of what a post shows as a title, on one line. A post of images has the words of the first.
    #[expect(clippy::unused_self, reason = "the template calls it")]
    fn title_of(&self, post: &Post) -> String {
        let image = post.attachments.first().filter(|_| is_blank(&post.content));
        let said = image.map_or(&post.content, |image| &image.alt);
        let shown = post.content_warning.as_ref().unwrap_or(said);
        let words: Vec<&str> = shown.split_whitespace().take(TITLE_WORDS).collect();
        let title = words.join(" ");
        match title.char_indices().nth(TITLE_CHARS) {
            Some((end, _)) => format!("{}…", &title[..end]),
            None => title,
        }
    }
}

/// Posts with their HTML while the feed has room for it.
fn entries(url: &str, posts: Vec<Post>) -> Result<Vec<Entry>> {
    let mut room = HTML_BYTES_MAX;
    let mut entries = Vec::with_capacity(posts.len());
    for post in posts {
        let html =
            if room > 0 { Some(html_of(url, &post).map_err(Error::internal)?) } else { None };
        let html = html.filter(|html| html.len() <= room);
        room = html.as_ref().map_or(0, |html| room - html.len());
        entries.push(Entry { post, html });
    }
    Ok(entries)
}

fn html_of(url: &str, post: &Post) -> std::result::Result<String, fmt::Error> {
    let links = Links::from_elsewhere(url);
    if let Some(warning) = &post.content_warning {
        return plain(warning, links);
    }
    let links = links_of(links, &post.content, &post.mentions);
    // Readers of feeds have no colours for code.
    let mut html = of_text(&post.content, &post.format, links, None)?;
    for image in &post.attachments {
        html.push_str("<p><img src=\"");
        escape(&mut html, &image.url)?;
        html.push_str("\" alt=\"");
        escape(&mut html, &image.alt)?;
        html.push_str("\"></p>\n");
    }
    Ok(html)
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
    let feed = Feed { title, url, page, path, updated, entries: entries(url, posts)? };
    let mut document = feed.render().map_err(Error::internal)?;
    document.retain(is_of_xml);
    Ok(Html::document(MEDIA_TYPE, document))
}

/// Whether XML may have this character (XML 1.0, 2.2). Readers refuse a whole feed for one that it may not.
fn is_of_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}
