//! Settings of mail.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as FormError;
use svc_types::Email;
use url::Url;

use super::{SetupError, span};

/// Ports of mail servers without one in the URL (RFC 8314).
const PORT_STARTTLS: u16 = 587;
const PORT_TLS: u16 = 465;

/// The mail server that mails are handed to.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailSettings {
    url: String,
    /// File with the CA certificates to trust; empty for those of the system.
    pub ca_file: PathBuf,
    from: String,
    /// Time for handing in one mail.
    #[serde(deserialize_with = "span")]
    pub timeout: Duration,
}

/// The URL may hold a password.
impl fmt::Debug for MailSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MailSettings([redacted])")
    }
}

/// Where and how mails are handed in.
#[derive(Clone)]
pub struct Relay {
    /// Name or address of the server.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// How the connection is protected.
    pub tls: RelayTls,
    /// User and password, if it asks for them.
    pub credentials: Option<(String, String)>,
}

/// How a connection to a mail server is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelayTls {
    /// Not at all, because it does not leave this machine.
    None,
    /// By STARTTLS, without which nothing is sent.
    Start,
    /// From the start.
    Whole,
}

impl MailSettings {
    /// Whether mails are sent.
    pub const fn is_on(&self) -> bool {
        !self.url.is_empty()
    }

    /// The server that mails are handed to; `None` if none are sent.
    pub fn relay(&self) -> Result<Option<Relay>, SetupError> {
        if !self.is_on() {
            return Ok(None);
        }
        let wrong = "mail.url must be smtp://user:password@host:port or smtps://… without a path";
        relay(&self.url).map(Some).ok_or_else(|| SetupError::new(wrong.to_owned()))
    }

    /// The sender's address; by default svc@ the host of `public_url`.
    pub fn from(&self, public_url: &str) -> Result<String, SetupError> {
        if self.from.is_empty() {
            return Ok(format!("svc@{}", host_of(public_url)));
        }
        if is_address(&self.from) {
            return Ok(self.from.clone());
        }
        let wrong = "mail.from must be an e-mail address such as svc@example.org";
        Err(SetupError::new(wrong.to_owned()))
    }

    /// Checks what the types can't express.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        self.relay()?;
        self.from("").map(|_| ())
    }
}

fn is_address(text: &str) -> bool {
    let text: serde::de::value::StrDeserializer<'_, FormError> = text.into_deserializer();
    Email::deserialize(text).is_ok()
}

/// The host of a URL, where it is a name that mail can come from.
fn host_of(url: &str) -> String {
    let host = Url::parse(url).ok().and_then(|url| url.domain().map(str::to_owned));
    host.unwrap_or_else(|| "localhost".to_owned())
}

fn relay(url: &str) -> Option<Relay> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
    let is_bare = matches!(url.path(), "" | "/") && url.query().is_none();
    let (port, tls) = match url.scheme() {
        "smtps" => (PORT_TLS, RelayTls::Whole),
        "smtp" if is_loopback(&host) => (PORT_STARTTLS, RelayTls::None),
        "smtp" => (PORT_STARTTLS, RelayTls::Start),
        _ => return None,
    };
    let credentials = match (url.username(), url.password()) {
        ("", None) => None,
        (user, Some(password)) => Some((decoded(user)?, decoded(password)?)),
        (_, None) => return None,
    };
    let port = url.port().unwrap_or(port);
    (is_bare && !host.is_empty()).then_some(Relay { host, port, tls, credentials })
}

fn decoded(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tls_is_demanded_except_to_this_machine() {
        let tls = |url: &str| relay(url).map(|relay| (relay.port, relay.tls));
        assert_eq!(tls("smtp://mail.example.org"), Some((587, RelayTls::Start)));
        assert_eq!(tls("smtps://mail.example.org"), Some((465, RelayTls::Whole)));
        assert_eq!(tls("smtp://203.0.113.7:2525"), Some((2525, RelayTls::Start)));
        assert_eq!(tls("smtp://localhost.example.org:25"), Some((25, RelayTls::Start)));
        for local in ["smtp://localhost:25", "smtp://127.0.0.1:25", "smtp://[::1]:25"] {
            assert_eq!(tls(local), Some((25, RelayTls::None)), "{local}");
        }
        assert_eq!(tls("smtps://localhost:25"), Some((25, RelayTls::Whole)));
    }

    #[test]
    fn user_and_password_are_percent_decoded() {
        let url = "smtps://svc%40example.org:p%3A%2F%C3%A4%40@mail.example.org";
        let (user, password) = relay(url).unwrap().credentials.unwrap();
        assert_eq!((&*user, &*password), ("svc@example.org", "p:/ä@"));
    }

    #[test]
    fn other_urls_are_refused() {
        for wrong in [
            "mail.example.org",
            "http://mail.example.org",
            "smtp://",
            "smtp://mail.example.org/inbox",
            "smtp://mail.example.org?tls=none",
            "smtp://user@mail.example.org",
        ] {
            assert!(relay(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_sender_is_an_address_by_default_of_the_public_host() {
        let settings = |from: &str| MailSettings {
            url: String::new(),
            ca_file: PathBuf::new(),
            from: from.to_owned(),
            timeout: Duration::from_secs(1),
        };
        let from = |from: &str, url: &str| settings(from).from(url).ok();
        assert_eq!(
            from("", "https://svc.example.org:8443").as_deref(),
            Some("svc@svc.example.org")
        );
        assert_eq!(from("", "http://127.0.0.1:8787").as_deref(), Some("svc@localhost"));
        assert_eq!(from("bot@example.org", "").as_deref(), Some("bot@example.org"));
        for wrong in ["bot", "Bot <bot@example.org>", "bot@example.org\r\nBcc: x@example.org"] {
            assert_eq!(from(wrong, ""), None, "{wrong}");
        }
    }
}
