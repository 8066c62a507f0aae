//! Settings of traces.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use svc_store::error::SetupError;
use url::Url;

/// Where a collector expects traces, unless its URL has a path.
const PATH: &str = "/v1/traces";

/// Which requests are recorded, and where their spans go.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceSettings {
    endpoint: String,
    /// The share of traces that are recorded where no caller has decided.
    pub sample: f64,
    /// The file with headers for the collector; empty if it asks for none.
    pub headers_file: PathBuf,
    /// File with the CA certificates to trust; empty for those of the system.
    pub tls_ca: PathBuf,
}

impl TraceSettings {
    /// The URL that spans are sent to; none if nothing is recorded.
    pub fn endpoint(&self) -> Result<Option<Url>, SetupError> {
        if self.endpoint.is_empty() {
            return Ok(None);
        }
        let is_http = |url: &Url| ["http", "https"].contains(&url.scheme());
        let is_bare = |url: &Url| {
            let has_login = !url.username().is_empty() || url.password().is_some();
            !has_login && url.query().is_none() && url.fragment().is_none()
        };
        let url = Url::parse(&self.endpoint).ok().filter(is_http).filter(is_bare);
        let mut url = url.ok_or_else(|| {
            wrong("endpoint", "must be a URL such as http://127.0.0.1:4318, without user or query")
        })?;
        if url.path() == "/" {
            url.set_path(PATH);
        }
        Ok(Some(url))
    }

    /// Checks what the types can't express.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        if !(0.0..=1.0).contains(&self.sample) {
            return Err(wrong("sample", "must be between 0 and 1"));
        }
        if self.endpoint()?.is_some() {
            return Ok(());
        }
        for (name, file) in [("headers_file", &self.headers_file), ("tls_ca", &self.tls_ca)] {
            if file != Path::new("") {
                return Err(wrong(name, "needs trace.endpoint as well"));
            }
        }
        Ok(())
    }
}

fn wrong(name: &str, why: &str) -> SetupError {
    SetupError::new(format!("trace.{name} {why}"))
}

#[cfg(test)]
mod tests {
    use crate::config::Config;

    use super::*;

    fn load(set: &[(&str, &str)]) -> Result<Config, SetupError> {
        let owned = set.iter().map(|(name, text)| (format!("trace.{name}"), (*text).to_owned()));
        Config::load(None, &owned.collect())
    }

    #[test]
    fn a_collector_without_a_path_gets_the_usual_one() {
        let endpoint = |url: &str| {
            let config = load(&[("endpoint", url)]).unwrap();
            config.trace.endpoint().unwrap().map(String::from)
        };
        assert_eq!(endpoint(""), None);
        for (set, sent_to) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("https://collector.example.org/", "https://collector.example.org/v1/traces"),
            ("http://10.0.0.7:4318/otlp/v1/traces", "http://10.0.0.7:4318/otlp/v1/traces"),
        ] {
            assert_eq!(endpoint(set).as_deref(), Some(sent_to));
        }
    }

    #[test]
    fn a_wrong_setting_is_named_without_its_secrets() {
        let collector = ("endpoint", "http://127.0.0.1:4318");
        load(&[collector, ("sample", "0.25"), ("headers_file", "/etc/svc/collector")]).unwrap();
        for (set, why) in [
            (&[("endpoint", "127.0.0.1:4318")][..], "trace.endpoint must be a URL such as"),
            (&[("endpoint", "grpc://127.0.0.1:4317")], "trace.endpoint must be a URL such as"),
            (&[("endpoint", "https://hidden:hidden@example.org")], "without user or query"),
            (&[("endpoint", "https://example.org/?key=hidden")], "without user or query"),
            (&[collector, ("sample", "1.5")], "trace.sample must be between 0 and 1"),
            (&[collector, ("sample", "nan")], "trace.sample must be between 0 and 1"),
            (&[collector, ("sample", "all")], "trace.sample must be a number, not all"),
            (&[("headers_file", "x")], "trace.headers_file needs trace.endpoint as well"),
            (&[("tls_ca", "x")], "trace.tls_ca needs trace.endpoint as well"),
        ] {
            let error = load(set).unwrap_err().to_string();
            assert!(error.contains(why) && !error.contains("hidden"), "{error}");
        }
    }
}
