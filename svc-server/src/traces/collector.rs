//! The collector that the settings name.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::KeyValue;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SpanExporter as _;
use svc_core::config::Config;
use svc_core::data_dir::refuse_open_file;
use svc_core::ids;
use svc_store::error::{Error, Result};
use svc_store::trace::FinishedSpan;
use tokio::time::timeout;

use super::convert::span_data;
use crate::outbound::collector_client;

/// How long a batch is tried again, and how long all of its tries may take.
const TRIED_FOR: Duration = Duration::from_secs(10);
const SENDING_MAX: Duration = Duration::from_secs(20);

/// A collector.
#[derive(Debug)]
pub(crate) struct Collector(SpanExporter);

impl Collector {
    /// The collector of these settings, if they name one. It is not asked yet: it may be down.
    pub(crate) fn of(config: &Config) -> Result<Option<Self>> {
        let settings = &config.trace;
        let Some(url) = settings.endpoint().map_err(Error::internal)? else { return Ok(None) };
        let (headers, trusted) = (headers(&settings.headers_file)?, trusted(&settings.tls_ca)?);
        let client =
            collector_client(headers, trusted.as_deref()).map_err(|why| match trusted {
                Some(_) => wrong("tls_ca", &settings.tls_ca, &why),
                None => Error::internal(why),
            })?;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(client)
            .with_endpoint(url)
            .with_protocol(Protocol::HttpBinary)
            .with_timeout(TRIED_FOR)
            .build();
        let exporter =
            exporter.map_err(|error| Error::setup(format!("trace.endpoint: {error}")))?;
        Ok(Some(Self(exporter)))
    }

    /// Says which node sends.
    pub(super) fn name_node(&mut self, node: u64) {
        let instance = format!("{:032x}", u128::from_le_bytes(ids::random()));
        let resource = Resource::builder()
            .with_service_name("svc-server")
            .with_attributes([
                KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
                KeyValue::new("service.instance.id", instance),
                KeyValue::new("svc.node", i64::try_from(node).unwrap_or(i64::MAX)),
            ])
            .build();
        self.0.set_resource(&resource);
    }

    /// Sends spans, or says why not.
    pub(super) async fn send(&self, spans: Vec<FinishedSpan>) -> Result<(), String> {
        let spans = spans.into_iter().map(span_data).collect();
        match timeout(SENDING_MAX, self.0.export(spans)).await {
            Ok(sent) => sent.map_err(|error| error.to_string()),
            Err(_) => Err("no answer in time".to_owned()),
        }
    }
}

/// The certificates in a file; none for those of the system.
fn trusted(file: &Path) -> Result<Option<Vec<u8>>> {
    let pem = (file != Path::new("")).then(|| fs::read(file)).transpose();
    pem.map_err(|error| wrong("tls_ca", file, &error))
}

/// The headers in a file that nobody else can read.
fn headers(file: &Path) -> Result<HeaderMap> {
    if file == Path::new("") {
        return Ok(HeaderMap::new());
    }
    let wrong = |why: &dyn fmt::Display| wrong("headers_file", file, why);
    let text = fs::read_to_string(file).map_err(|error| wrong(&error))?;
    refuse_open_file("trace.headers_file", file)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let odd = || wrong(&"each line must be `name: value`");
    lines.map(|line| header(line).ok_or_else(odd)).collect()
}

fn wrong(name: &str, file: &Path, why: &dyn fmt::Display) -> Error {
    Error::setup(format!("trace.{name}: {}: {why}", file.display()))
}

fn header(line: &str) -> Option<(HeaderName, HeaderValue)> {
    let (name, value) = line.split_once(':')?;
    let mut value = HeaderValue::try_from(value.trim()).ok()?;
    value.set_sensitive(true);
    Some((HeaderName::try_from(name.trim()).ok()?, value))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn headers_are_lines_of_a_file_and_never_shown() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("headers");
        let read = |text: &str| {
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
            headers(&file).map_err(|error| error.to_string())
        };
        let both = read("Authorization: Bearer a:b\n\nX-Scope-OrgID:team\n").unwrap();
        assert_eq!(both["authorization"], "Bearer a:b");
        assert_eq!(both["x-scope-orgid"], "team");
        assert!(!format!("{both:?}").contains("team"));
        for wrong in ["Authorization", "a b: c", "name: \u{7}"] {
            let error = read(wrong).unwrap_err();
            assert!(error.contains("trace.headers_file") && error.contains("`name: value`"));
        }
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        assert!(headers(&file).unwrap_err().to_string().contains("chmod 600"));
    }
}
