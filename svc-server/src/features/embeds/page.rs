//! The embed page of a post: no script. The texts of posts are HTML as on the page of the post, every other text is
//! escaped by the template.

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use sha2::{Digest, Sha256};
use svc_core::app::App;
use svc_core::services::post::html::{for_elsewhere, quote_for_elsewhere};
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
    quoted: Option<Quoted<'a>>,
    watermark: Option<String>,
}

/// The post that the post quotes.
struct Quoted<'a> {
    post: &'a PostRef,
    text: String,
    labels: &'a [String],
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
    let post = &embedded.post;
    let style = format!("{STYLE}article{{max-width:{width}px}}");
    let page = Page {
        title: title(post),
        theme: theme.map(EmbedTheme::as_str),
        post_url: address::post_page(app, &post.id),
        author_url: address::account_page(app, &post.author.username),
        oembed_url: address::oembed(app, &post.id),
        style: &style,
        date: date(&post.created_at.to_string()),
        post,
        text: for_elsewhere(&app.public_url, post)?,
        quoted: quoted_in(app, embedded)?,
        watermark: watermark(app, post),
    };
    Ok((page.render().map_err(Error::internal)?, policy(app, &style)?))
}

fn quoted_in<'a>(app: &App, embedded: &'a EmbeddedPost) -> Result<Option<Quoted<'a>>> {
    let Some(post) = &embedded.post.quote else { return Ok(None) };
    Ok(Some(Quoted {
        post,
        text: quote_for_elsewhere(&app.public_url, post)?,
        labels: embedded.quoted.as_ref().map_or(&[], |quoted| &quoted.labels),
    }))
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
