//! The parameters of a request, of a form or a query, and who sends it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use svc_core::services::oauth::client::Proof;
use svc_core::services::oauth::{Denied, OauthError, Resource};
use svc_store::error::Result;
use url::form_urlencoded;

use crate::app::ServerApp;
use crate::http::incoming::{self, Accepts, Incoming};

/// Most bytes of a form.
const FORM_BYTES_MAX: usize = 16 * 1024;

/// Parameters in order. An empty one counts as absent (RFC 6749, 3.1).
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Reads a query or the body of a form.
    pub(super) fn parse(text: &[u8]) -> Self {
        let pairs = form_urlencoded::parse(text);
        let pairs = pairs.map(|(name, text)| (name.into_owned(), text.into_owned()));
        Self(pairs.filter(|(_, text)| !text.is_empty()).collect())
    }

    /// Reads the body of a form (413, 415).
    pub(super) async fn of_form(incoming: &mut Incoming) -> Result<Self> {
        let accepts = Accepts {
            bytes_max: FORM_BYTES_MAX,
            is_type: |essence| essence == "application/x-www-form-urlencoded",
            refusal: [
                "the body must be a form",
                "send Content-Type: application/x-www-form-urlencoded",
            ],
        };
        Ok(Self::parse(&incoming::read(incoming, &accepts).await?))
    }

    /// The value of a parameter.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, text)| text.as_str())
    }

    /// The value of a parameter that is needed.
    pub(super) fn need(&self, name: &'static str) -> Result<&str, Denied> {
        self.get(name).ok_or_else(|| Denied::request(format!("{name} is missing")))
    }

    /// Refuses parameters that stand twice (RFC 6749, 3.1).
    pub(super) fn refuse_repeated(&self) -> Result<(), Denied> {
        let is_repeated = |(index, (name, _)): (usize, &(String, String))| {
            name != "resource" && self.0[..index].iter().any(|(own, _)| own == name)
        };
        if self.0.iter().enumerate().any(is_repeated) {
            return Err(Denied::request("every parameter must be given only once"));
        }
        Ok(())
    }

    /// The resource of the tokens (RFC 8707), of which there may be one.
    pub(super) fn resource(&self, app: &ServerApp) -> Result<Option<Resource>, Denied> {
        let mut named = self.0.iter().filter(|(name, _)| name == "resource").map(|(_, url)| url);
        let Some(first) = named.next() else { return Ok(None) };
        if named.any(|other| other != first) {
            let message = "tokens are for one resource; ask once for each";
            return Err(Denied::new(OauthError::InvalidTarget, message));
        }
        Resource::named(app, first).map(Some)
    }

    /// The parameters without some of them, as a query.
    pub(super) fn without(&self, names: &[&str]) -> String {
        let kept = self.0.iter().filter(|(name, _)| !names.contains(&name.as_str()));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(kept).finish()
    }

    /// Who sends the form: by the Authorization header, or in the form itself.
    pub(super) fn proof(&self, headers: &HeaderMap) -> Result<Proof, Denied> {
        let own = |name: &str| self.get(name).map(str::to_owned);
        let Some(header) = headers.get(AUTHORIZATION) else {
            return Ok(Proof { id: own("client_id"), secret: own("client_secret") });
        };
        let text = header.to_str().ok().and_then(|text| text.split_once(' '));
        let (id, secret) = match text {
            Some((scheme, text)) if scheme.eq_ignore_ascii_case("basic") => basic(text),
            _ => None,
        }
        .ok_or_else(Denied::client)?;
        if own("client_secret").is_some() || own("client_id").is_some_and(|own| own != id) {
            return Err(Denied::request("a client proves who it is in one way only"));
        }
        Ok(Proof { id: Some(id), secret: Some(secret).filter(|secret| !secret.is_empty()) })
    }
}

/// Id and secret of a Basic header, each encoded as in a form (RFC 6749, 2.3.1).
fn basic(text: &str) -> Option<(String, String)> {
    let bytes = STANDARD.decode(text.trim()).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let (id, secret) = text.split_once(':')?;
    let decode = |text: &str| {
        let pair = format!("x={}", text.replace('&', "%26"));
        let mut pairs = form_urlencoded::parse(pair.as_bytes());
        pairs.next().map(|(_, text)| text.into_owned())
    };
    Some((decode(id)?, decode(secret)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_and_secret_of_a_header_are_decoded() {
        let header = STANDARD.encode("https%3A%2F%2Fa.example%2F:a%2Bb c&d");
        let expected = ("https://a.example/".to_owned(), "a+b c&d".to_owned());
        assert_eq!(basic(&header), Some(expected));
        assert_eq!(basic("?"), None);
        assert_eq!(basic(&STANDARD.encode("no colon")), None);
    }

    #[test]
    fn only_resources_may_stand_twice() {
        let repeated = |text: &str| Parameters::parse(text.as_bytes()).refuse_repeated().is_err();
        assert!(repeated("a=1&a=2") && repeated("a=1&b=2&a=1"));
        assert!(!repeated("a=1&b=1&resource=x&resource=y&c=&c="));
    }
}
