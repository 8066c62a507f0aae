//! URLs of posts and accounts on this server: built and parsed.

use svc_core::app::App;
use svc_types::PostId;
use svc_types::api::embeds::EmbedTheme;
use url::Url;

/// The URL of a post's page.
pub(super) fn post_page(app: &App, id: &PostId) -> String {
    format!("{}/post/{id}", app.public_url)
}

/// The URL of an account's page.
pub(super) fn account_page(app: &App, username: &str) -> String {
    format!("{}/@{username}", app.public_url)
}

/// The URL of a post's embed.
pub(super) fn embed(app: &App, id: &PostId, theme: Option<&EmbedTheme>, width: u32) -> String {
    let theme = theme.map(|theme| format!("&theme={theme}")).unwrap_or_default();
    format!("{}/api/embed/posts/{id}?maxWidth={width}{theme}", app.public_url)
}

/// The oEmbed URL of a post.
pub(super) fn oembed(app: &App, id: &PostId) -> String {
    let page: String =
        url::form_urlencoded::byte_serialize(post_page(app, id).as_bytes()).collect();
    format!("{}/api/oembed?url={page}&format=json", app.public_url)
}

/// The server's name for display.
pub(super) fn host(app: &App) -> String {
    let url = Url::parse(&app.public_url).ok();
    let named = url.as_ref().and_then(|url| Some((url.host_str()?, url.port())));
    match named {
        Some((host, Some(port))) => format!("{host}:{port}"),
        Some((host, None)) => host.to_owned(),
        None => app.public_url.clone(),
    }
}

/// Scheme, host and port, as in a Content-Security-Policy.
pub(super) fn origin(app: &App) -> Option<String> {
    let url = Url::parse(&app.public_url).ok()?;
    Some(url.origin().ascii_serialization())
}

/// The post of a URL on this server: its page, its embed or its endpoint.
pub(super) fn post_at(app: &App, address: &str) -> Option<PostId> {
    let (own, url) = (Url::parse(&app.public_url).ok()?, Url::parse(address).ok()?);
    if own.origin() != url.origin() {
        return None;
    }
    let path = url.path().strip_prefix(own.path().trim_end_matches('/'))?;
    let places = ["/post/", "/api/posts/", "/api/embed/posts/"];
    let id = places.iter().find_map(|place| path.strip_prefix(place))?.trim_end_matches('/');
    let is_id =
        !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_id.then(|| PostId::from(id))
}
