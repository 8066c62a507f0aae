//! The page that shows the document. It works offline and loads nothing from other hosts.

use std::borrow::Cow;
use std::sync::Arc;

use utoipa_swagger_ui::Config;

/// `Content-Security-Policy` of the page.
pub const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; \
    frame-ancestors 'none'; base-uri 'none'";

/// A file of the page.
#[derive(Clone, Debug)]
pub struct DocsFile {
    /// The bytes to send.
    pub bytes: Cow<'static, [u8]>,
    /// The media type, for `Content-Type`.
    pub content_type: String,
}

/// A file of the page by its path below `/api/docs/`; the page itself is `index.html`.
///
/// The page finds its files next to it and the document at `../openapi.json`.
pub fn docs(path: &str) -> Option<DocsFile> {
    match path {
        "index.html" => Some(own(include_str!("../page/index.html"), "text/html; charset=utf-8")),
        "page.js" => Some(own(include_str!("../page/page.js"), "text/javascript; charset=utf-8")),
        "swagger-ui.css" | "swagger-ui-bundle.js" | "favicon-32x32.png" => vendored(path),
        _ => None,
    }
}

fn own(text: &'static str, content_type: &str) -> DocsFile {
    DocsFile { bytes: Cow::Borrowed(text.as_bytes()), content_type: content_type.to_owned() }
}

/// A file of Swagger UI as shipped in its crate.
fn vendored(path: &str) -> Option<DocsFile> {
    let file = utoipa_swagger_ui::serve(path, Arc::new(Config::default())).ok().flatten()?;
    Some(DocsFile { bytes: file.bytes.into_owned().into(), content_type: file.content_type })
}
