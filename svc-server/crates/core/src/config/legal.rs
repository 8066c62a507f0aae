//! What the law requires some operators to publish.

use serde::Deserialize;
use svc_store::error::SetupError;
use url::Url;

/// Pages of the operator that every page links to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Legal {
    /// URL of the imprint; empty for none, as for the others.
    pub imprint: String,
    /// URL of the privacy policy.
    pub privacy: String,
    /// URL of the terms of use.
    pub terms: String,
}

impl Legal {
    pub(super) fn check(&self) -> Result<(), SetupError> {
        let Self { imprint, privacy, terms } = self;
        let urls = [("imprint", imprint), ("privacy", privacy), ("terms", terms)];
        let wrong = urls.iter().find(|(_, url)| !url.is_empty() && !is_page(url));
        let Some((key, _)) = wrong else { return Ok(()) };
        Err(SetupError::new(format!(
            "legal.{key} must be the URL of a page, such as https://example.org/{key}"
        )))
    }
}

/// Whether a text is a web address that a link may lead to.
fn is_page(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic());
    let is_web = |url: Url| {
        let names_nobody = url.username().is_empty() && url.password().is_none();
        names_nobody && ["http", "https"].contains(&url.scheme())
    };
    is_plain && Url::parse(text).is_ok_and(is_web)
}
