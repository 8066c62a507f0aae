//! What a client says of itself, by registration or in a document.

use serde::Deserialize;
use svc_store::error::Result;
use svc_types::api::developers::REDIRECT_URIS_MAX;

use crate::services::oauth::redirect::Redirect;
use crate::services::oauth::signing::Alg;
use crate::services::oauth::{Denied, OauthError};
use crate::services::post::text::is_blank;

/// Most characters of a name.
const NAME_MAX: usize = 100;

/// What a document or registration says of a client (RFC 7591, 2); other members are ignored.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Metadata {
    client_id: Option<String>,
    client_name: Option<String>,
    #[serde(default)]
    redirect_uris: Vec<String>,
    grant_types: Option<Vec<String>>,
    response_types: Option<Vec<String>>,
    id_token_signed_response_alg: Option<String>,
    client_secret: Option<String>,
}

/// A client that is described as it may be.
#[derive(Clone, Debug)]
pub struct Described {
    /// The name it gives itself.
    pub name: String,
    /// Where people may return to.
    pub redirect_uris: Vec<String>,
    /// What it may exchange for tokens.
    pub grant_types: Vec<String>,
    /// How its ID tokens are signed.
    pub alg: Alg,
}

/// The grant types that a client may register.
pub const GRANT_TYPES: [&str; 3] =
    ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"];

impl Metadata {
    /// Reads a registration.
    pub fn registration(bytes: &[u8]) -> Result<Described, Denied> {
        let metadata: Self = serde_json::from_slice(bytes)
            .map_err(|_| metadata("the body must be a JSON object as in RFC 7591"))?;
        metadata.check()
    }

    /// Reads the document at this URL, which must name it as the client's id.
    pub fn document(url: &str, bytes: &[u8]) -> Result<Described, Denied> {
        let found: Self = serde_json::from_slice(bytes)
            .map_err(|_| metadata("the client's document must be a JSON object"))?;
        if found.client_id.as_deref() != Some(url) {
            return Err(metadata("the client_id in the client's document must be its URL"));
        }
        if found.client_secret.is_some() {
            return Err(metadata("the client's document must have no client_secret"));
        }
        found.check()
    }

    fn check(self) -> Result<Described, Denied> {
        let grant_types = self.grant_types.unwrap_or_else(|| vec![GRANT_TYPES[0].to_owned()]);
        if grant_types.iter().any(|own| !GRANT_TYPES.contains(&own.as_str())) {
            let message = format!("grant_types must name some of: {}", GRANT_TYPES.join(" "));
            return Err(Denied::new(OauthError::InvalidClientMetadata, message));
        }
        if self.response_types.is_some_and(|types| types.iter().any(|own| own != "code")) {
            return Err(metadata("response_types must name code alone"));
        }
        let needs_redirect = grant_types.iter().any(|own| own == GRANT_TYPES[0]);
        let redirect_uris = usable(&self.redirect_uris)
            .map_err(|message| Denied::new(OauthError::InvalidRedirectUri, message))?;
        if needs_redirect && redirect_uris.is_empty() {
            let message = "redirect_uris must name at least one URI";
            return Err(Denied::new(OauthError::InvalidRedirectUri, message));
        }
        let name = name(self.client_name, &redirect_uris)?;
        let alg = match self.id_token_signed_response_alg.as_deref() {
            None | Some("ES256") => Alg::Es256,
            Some("RS256") => Alg::Rs256,
            Some(_) => {
                return Err(metadata("id_token_signed_response_alg must be ES256 or RS256"));
            }
        };
        Ok(Described { name, redirect_uris, grant_types, alg })
    }
}

/// The name of a client: its own, else the host that people return to.
fn name(own: Option<String>, redirect_uris: &[String]) -> Result<String, Denied> {
    let name = own.filter(|name| !is_blank(name));
    let name = name.or_else(|| Some(Redirect::parse(redirect_uris.first()?).ok()?.host()));
    let name = name.unwrap_or_else(|| "a program without a name".to_owned());
    if name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        return Err(metadata("client_name must have at most 100 characters, on one line"));
    }
    Ok(name)
}

fn metadata(message: &'static str) -> Denied {
    Denied::new(OauthError::InvalidClientMetadata, message)
}

/// The redirect URIs that are allowed. Others are left out (RFC 7591, 2): hosts name those of all their versions at
/// once, and need one of them.
fn usable(uris: &[String]) -> Result<Vec<String>, &'static str> {
    let usable = uris.iter().filter(|uri| Redirect::parse(uri).is_ok());
    let usable: Vec<String> = usable.cloned().collect();
    if usable.is_empty() || uris.len() > REDIRECT_URIS_MAX { redirects(uris) } else { Ok(usable) }
}

/// Checks redirect URIs, of which there may be a few.
pub fn redirects(uris: &[impl AsRef<str>]) -> Result<Vec<String>, &'static str> {
    if uris.len() > REDIRECT_URIS_MAX {
        return Err("at most 10 redirect URIs are allowed");
    }
    uris.iter().map(|uri| Ok(Redirect::parse(uri.as_ref())?.as_str().to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registration(text: &str) -> Result<Described, OauthError> {
        Metadata::registration(text.as_bytes()).map_err(|denied| denied.error)
    }

    #[test]
    fn a_registration_is_checked_member_by_member() {
        let good = registration(r#"{"redirect_uris":["https://a.example/done"],"logo_uri":"x"}"#);
        assert_eq!(good.unwrap().name, "a.example");
        for (text, error) in [
            ("[]", OauthError::InvalidClientMetadata),
            ("{}", OauthError::InvalidRedirectUri),
            (r#"{"redirect_uris":["http://a.example/"]}"#, OauthError::InvalidRedirectUri),
            (
                r#"{"redirect_uris":["https://a.example/"],"grant_types":["password"]}"#,
                OauthError::InvalidClientMetadata,
            ),
            (
                r#"{"redirect_uris":["https://a.example/"],"response_types":["token"]}"#,
                OauthError::InvalidClientMetadata,
            ),
            (
                r#"{"redirect_uris":["https://a.example/"],"id_token_signed_response_alg":"none"}"#,
                OauthError::InvalidClientMetadata,
            ),
        ] {
            assert_eq!(registration(text).unwrap_err(), error, "{text}");
        }
    }

    #[test]
    fn a_document_names_its_own_url_and_no_secret() {
        let url = "https://a.example/client.json";
        let read = |text: &str| Metadata::document(url, text.as_bytes());
        let good = format!(r#"{{"client_id":"{url}","redirect_uris":["https://a.example/done"]}}"#);
        assert!(read(&good).is_ok());
        assert!(read(&good.replace("client.json", "other.json")).is_err());
        assert!(read(&good.replace('}', r#","client_secret":"x"}"#)).is_err());
    }
}
