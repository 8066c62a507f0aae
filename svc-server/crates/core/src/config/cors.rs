//! Calls from pages of other origins.

use serde::Deserialize;
use svc_store::error::SetupError;
use url::Url;

/// Every origin, in `cors.origins`.
const EVERY: &str = "*";

/// Pages of other origins that may call the API.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cors {
    origins: Vec<String>,
}

impl Cors {
    /// The origins; `None` for every one.
    pub fn origins(&self) -> Option<&[String]> {
        let is_every = self.origins.iter().any(|origin| origin == EVERY);
        (!is_every).then_some(&self.origins)
    }

    pub(super) fn check(&self) -> Result<(), SetupError> {
        if self.origins.len() > 1 && self.origins().is_none() {
            let message = "cors.origins: \"*\" stands alone, because it stands for every origin";
            return Err(SetupError::new(message.to_owned()));
        }
        let wrong = self.origins.iter().find(|origin| *origin != EVERY && !is_origin(origin));
        let Some(wrong) = wrong else { return Ok(()) };
        let right = origin_of(wrong).unwrap_or_else(|| "https://app.example.org".to_owned());
        Err(SetupError::new(format!(
            "cors.origins must be origins as browsers send them, such as {right}, not {wrong}"
        )))
    }
}

fn is_origin(text: &str) -> bool {
    origin_of(text).is_some_and(|origin| origin == text)
}

/// The origin of a web address as browsers write it.
fn origin_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let is_web = ["http", "https"].contains(&url.scheme());
    is_web.then(|| url.origin().ascii_serialization())
}
