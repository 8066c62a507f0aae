//! The embed page of a post: no script. The texts of posts are HTML as on the page of the post, every other text is
//! escaped by the template.

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use sha2::{Digest, Sha256};
use svc_core::app::App;
use svc_core::html::Links;
use svc_core::services::post::html::{links_of, of_text};
use svc_core::services::post::text::excerpt_shown;
use svc_store::error::{Error, Result};
use svc_types::api::embeds::EmbedTheme;
use svc_types::api::posts::{Post, PostRef};

use super::{EmbeddedPost, address, title, watermark};

const STYLE: &str = include_str!("../../../templates/embed.css");

#[derive(Template)]
#[template(path = "embed.html")]
struct Page<'a> {
    title: String,
    theme: Option<&'a str>,
    post_url: String,
    author_url: String,
    oembed_url: String,
    style: &'a str,
    date: String,
    post: &'a Post,
    text: String,
    quoted_text: Option<String>,
    quote_labels: &'a [String],
    watermark: Option<String>,
}

/// The template of an iframe. Windows that its links open are not sandboxed.
#[derive(Template)]
#[template(
    source = r#"<iframe src="{{ url }}" width="{{ width }}" height="{{ height }}" title="Post by @{{ username }}" loading="lazy" referrerpolicy="no-referrer" sandbox="allow-popups allow-popups-to-escape-sandbox" frameborder="0"></iframe>"#,
    ext = "html"
)]
struct Iframe<'a> {
    url: &'a str,
    username: &'a str,
    width: u32,
    height: u32,
}

/// The page and its Content-Security-Policy.
pub(super) fn page(
    app: &App,
    embedded: &EmbeddedPost,
    theme: Option<&EmbedTheme>,
    width: u32,
) -> Result<(String, HeaderValue)> {
    let EmbeddedPost { post, quoted } = embedded;
    let style = format!("{STYLE}article{{max-width:{width}px}}");
    let quoted_text = post.quote.as_ref().map(|quote| text_of_quote(app, quote)).transpose()?;
    let page = Page {
        title: title(post),
        theme: theme.map(EmbedTheme::as_str),
        post_url: address::post_page(app, &post.id),
        author_url: address::account_page(app, &post.author.username),
        oembed_url: address::oembed(app, &post.id),
        style: &style,
        date: date(&post.created_at.to_string()),
        post,
        text: text_of(app, post)?,
        quoted_text,
        quote_labels: quoted.as_ref().map_or(&[], |quoted| &quoted.labels),
        watermark: watermark(app, post),
    };
    Ok((page.render().map_err(Error::internal)?, policy(app, &style)?))
}

/// The text of a post as HTML, whose links lead here from elsewhere. Code has no colours in an embed.
fn text_of(app: &App, post: &Post) -> Result<String> {
    let links = Links::from_elsewhere(&app.public_url);
    let links = links_of(links, &post.content, &post.mentions);
    of_text(&post.content, &post.format, links, None).map_err(Error::internal)
}

/// The same of the start of a quoted post.
fn text_of_quote(app: &App, quote: &PostRef) -> Result<String> {
    let links = Links::from_elsewhere(&app.public_url);
    let text = excerpt_shown(&quote.content);
    of_text(&text, &quote.format, links, None).map_err(Error::internal)
}

/// Allows this style, pictures of this server, and any site as the parent frame.
fn policy(app: &App, style: &str) -> Result<HeaderValue> {
    let style = STANDARD.encode(Sha256::digest(style));
    let pictures = address::origin(app).unwrap_or_else(|| "'self'".to_owned());
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; img-src {pictures}; base-uri 'none'; \
         form-action 'none'; frame-ancestors *; \
         sandbox allow-popups allow-popups-to-escape-sandbox"
    );
    HeaderValue::try_from(policy).map_err(Error::internal)
}

/// Formats `2026-01-31T09:30:00.000Z` for display.
fn date(timestamp: &str) -> String {
    let minute = timestamp.get(..16).unwrap_or(timestamp);
    format!("{} UTC", minute.replace('T', " "))
}

/// The iframe of an embed.
pub(super) fn iframe(url: &str, username: &str, size: (u32, u32)) -> Result<String> {
    let (width, height) = size;
    Iframe { url, username, width, height }.render().map_err(Error::internal)
}
