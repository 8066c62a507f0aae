//! Posts as an Atom feed.

use askama::Template;
use svc_core::html::{Links, plain};
use svc_core::services::post::html::{for_elsewhere, quote_for_elsewhere};
use svc_store::error::{Error, Result};
use svc_types::api::media::Attachment;
use svc_types::api::posts::{Post, PostRef};

use super::share::shown_of;
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
        let words: Vec<&str> = shown_of(post).split_whitespace().take(TITLE_WORDS).collect();
        let title = words.join(" ");
        match title.char_indices().nth(TITLE_CHARS) {
            Some((end, _)) => format!("{}…", &title[..end]),
            None => title,
        }
    }
}

/// The images of a post; those behind a warning are only on its page.
#[derive(Template)]
#[template(
    source = r#"{% for image in images %}<p><a href="{{ image.url }}"><img src="{{ image.thumb_url }}" alt="{{ image.alt }}"></a></p>
{% endfor %}"#,
    ext = "html"
)]
struct Images<'a> {
    images: &'a [Attachment],
}

/// A quoted post, whose text is HTML already.
#[derive(Template)]
#[template(
    source = r#"<blockquote><p><a href="{{ url }}/post/{{ post.id }}">{{ post.author.display_name }} (@{{ post.author.username }})</a></p>
{{ text|safe }}</blockquote>
"#,
    ext = "html"
)]
struct Quote<'a> {
    url: &'a str,
    post: &'a PostRef,
    text: &'a str,
}

/// Posts with their HTML while the feed has room for it.
fn entries(url: &str, posts: Vec<Post>) -> Result<Vec<Entry>> {
    let mut room = HTML_BYTES_MAX;
    let mut entries = Vec::with_capacity(posts.len());
    for post in posts {
        let html = if room > 0 { Some(html_of(url, &post)?) } else { None };
        let html = html.filter(|html| html.len() <= room);
        room = html.as_ref().map_or(0, |html| room - html.len());
        entries.push(Entry { post, html });
    }
    Ok(entries)
}

/// The text of a post or its warning, its images, and the post that it quotes.
fn html_of(url: &str, post: &Post) -> Result<String> {
    let mut html = if let Some(warning) = &post.content_warning {
        warning_of(url, warning)?
    } else {
        let images = Images { images: &post.attachments }.render().map_err(Error::internal)?;
        for_elsewhere(url, post)? + &images
    };
    if let Some(quote) = &post.quote {
        html.push_str(&html_of_quote(url, quote)?);
    }
    Ok(html)
}

fn html_of_quote(url: &str, quote: &PostRef) -> Result<String> {
    let text = match &quote.content_warning {
        Some(warning) => warning_of(url, warning)?,
        None => quote_for_elsewhere(url, quote)?,
    };
    Quote { url, post: quote, text: &text }.render().map_err(Error::internal)
}

/// The warning that stands in the place of a text.
fn warning_of(url: &str, warning: &str) -> Result<String> {
    plain(warning, Links::from_elsewhere(url)).map_err(Error::internal)
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
