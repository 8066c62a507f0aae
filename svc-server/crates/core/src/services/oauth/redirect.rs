//! Where people may return to: redirect URIs of clients.

use url::{Host, Url};

/// Longest redirect URI.
pub const LENGTH_MAX: usize = 2_000;

/// A redirect URI that is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    text: String,
    url: Url,
}

impl Redirect {
    /// Checks a redirect URI: `https`, `http` to this machine, or a scheme of the app's own.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if text.len() > LENGTH_MAX {
            return Err("a redirect URI must have at most 2000 characters");
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("a redirect URI must be percent-encoded ASCII");
        }
        let url = Url::parse(text).map_err(|_| "a redirect URI must be an absolute URL")?;
        if url.fragment().is_some() {
            return Err("a redirect URI must have no fragment");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("a redirect URI must have no user name or password");
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
        if url.host_str().is_some_and(|host| !host.bytes().all(is_plain)) {
            return Err("a redirect URI must name a plain host");
        }
        let redirect = Self { text: text.to_owned(), url };
        match redirect.url.scheme() {
            "https" => Ok(redirect),
            "http" if redirect.is_loopback() => Ok(redirect),
            "http" => Err("a redirect URI must begin with https://, except on this machine"),
            scheme if scheme.contains('.') => Ok(redirect),
            _ => Err("the scheme of an app must contain a dot, such as org.example.app:/done"),
        }
    }

    /// The URI as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it leads to a program on the person's own device, and nobody knows which: any of them can
    /// listen at a port, or claim a scheme (RFC 8252, 8.6).
    pub fn is_local(&self) -> bool {
        self.url.scheme() != "https"
    }

    /// Whether it leads to a port of the person's own machine.
    fn is_loopback(&self) -> bool {
        self.url.scheme() == "http"
            && match self.url.host() {
                Some(Host::Ipv4(address)) => address == std::net::Ipv4Addr::LOCALHOST,
                Some(Host::Ipv6(address)) => address == std::net::Ipv6Addr::LOCALHOST,
                Some(Host::Domain(name)) => name == "localhost",
                None => false,
            }
    }

    /// Whether a registered URI allows this one: they are equal, but for the port of this machine,
    /// which a program gets when it starts.
    pub fn is_allowed_by(&self, registered: &str) -> bool {
        if self.text == registered {
            return true;
        }
        let Ok(registered) = Self::parse(registered) else { return false };
        let parts = |redirect: &Self| {
            let url = &redirect.url;
            (
                url.host_str().map(str::to_owned),
                url.path().to_owned(),
                url.query().map(str::to_owned),
            )
        };
        self.is_loopback() && registered.is_loopback() && parts(self) == parts(&registered)
    }

    /// The host that people see, or the scheme of an app.
    pub fn host(&self) -> String {
        match self.url.host_str() {
            Some(host) if matches!(self.url.scheme(), "http" | "https") => host.to_owned(),
            _ => self.url.scheme().to_owned(),
        }
    }

    /// The origin of a website, such as `https://example.org`.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// The URI with these parameters added to its query.
    pub fn with(&self, parameters: &[(&str, &str)]) -> String {
        let mut url = self.url.clone();
        url.query_pairs_mut().extend_pairs(parameters);
        url.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_places_of_the_client_are_returned_to() {
        for text in [
            "https://gate.example.org/done",
            "https://gate.example.org:8443/done?a=b",
            "http://127.0.0.1/done",
            "http://[::1]:4000/done",
            "http://localhost:3000",
            "org.example.gate:/done",
        ] {
            assert!(Redirect::parse(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "/done",
            "http://gate.example.org/done",
            "http://127.0.0.2/done",
            "http://localhost.example.org/",
            "https://gate.example.org/done#part",
            "https://user@gate.example.org/",
            "javascript:alert(1)",
            "gate:/done",
            "https://gate.example.org/ü",
            "https://gate;sandbox.example.org/",
        ] {
            assert!(Redirect::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_port_of_this_machine_may_differ_and_nothing_else() {
        let allows = |registered: &str, asked: &str| {
            Redirect::parse(asked).is_ok_and(|asked| asked.is_allowed_by(registered))
        };
        assert!(allows("http://127.0.0.1/done", "http://127.0.0.1:4000/done"));
        assert!(allows("http://[::1]:1/done", "http://[::1]:4000/done"));
        assert!(!allows("http://127.0.0.1/done", "http://localhost:4000/done"));
        assert!(!allows("http://127.0.0.1/done", "http://127.0.0.1:4000/other"));
        assert!(!allows("http://127.0.0.1/done", "http://127.0.0.1:4000/done?a"));
        assert!(!allows("https://a.example/done", "https://a.example:8443/done"));
        assert!(!allows("https://a.example/done", "https://a.example/done/"));
    }

    #[test]
    fn only_a_host_of_the_web_is_not_local() {
        let is_local = |text: &str| Redirect::parse(text).unwrap().is_local();
        assert!(!is_local("https://gate.example.org/done") && !is_local("HTTPS://localhost/done"));
        for local in ["http://127.0.0.1/done", "http://[::1]:4000/", "org.example.gate:/done"] {
            assert!(is_local(local), "{local}");
        }
    }

    #[test]
    fn parameters_follow_those_of_the_uri() {
        let with = Redirect::parse("https://a.example/done?x=1").unwrap();
        assert_eq!(with.with(&[("code", "a b")]), "https://a.example/done?x=1&code=a+b");
    }
}
