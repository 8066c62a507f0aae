//! `svc webhooks verify`: why a signature fits, or does not.

use std::time::Duration;

use clap::Args;
use serde_json::{Map, Value, json};
use svc_bot_kit::{Refused, Verified, WebhookVerifier};
use svc_client::http::{HeaderMap, HeaderName, HeaderValue};
use svc_client::types::webhook::{SIGNATURE, STANDARD_SIGNATURE};

use crate::error::{Error, Result};
use crate::exit::Exit;
use crate::input;
use crate::listen;
use crate::settings::Settings;

/// Most bytes of a body, several times those of the largest event.
const BODY_BYTES_MAX: usize = 2 * 1024 * 1024;
/// A stored request may be of any age.
const ANY_AGE: Duration = Duration::from_hours(100 * 365 * 24);

/// Flags of `svc webhooks verify`.
#[derive(Clone, Debug, Args)]
pub(crate) struct VerifyFlags {
    /// The webhook's secret, or @FILE with it; that of `svc listen` when omitted.
    #[arg(long, value_name = "SECRET|@FILE")]
    secret: Option<String>,
    /// A header of the request, such as `X-Webhook-Signature: 5e51..`.
    #[arg(long = "header", value_name = "NAME: VALUE", required = true)]
    headers: Vec<String>,
    /// File with the exact body; stdin when omitted.
    #[arg(long, value_name = "FILE|-", default_value = "-")]
    body: String,
}

/// Verifies a stored request and explains why it is invalid.
pub(crate) fn run(flags: &VerifyFlags, settings: &Settings) -> Result<()> {
    let verifier = verifier(flags, settings)?;
    let headers = headers(&flags.headers)?;
    let body = input::bytes(&flags.body, BODY_BYTES_MAX)?;
    let mut findings = Vec::new();
    if headers.contains_key(SIGNATURE) {
        findings.push((SIGNATURE, verifier.verify(&headers, &body)));
    }
    // It proves the id and the time as well.
    if headers.contains_key(STANDARD_SIGNATURE) {
        let strict = verifier.require_timestamp(ANY_AGE);
        findings.push((STANDARD_SIGNATURE, strict.verify(&headers, &body)));
    }
    if findings.is_empty() {
        let message = format!("neither {SIGNATURE} nor {STANDARD_SIGNATURE} is among the headers");
        return Err(Error::usage(message));
    }
    tell(&findings, settings)
}

fn tell(findings: &[(&str, Result<Verified, Refused>)], settings: &Settings) -> Result<()> {
    let mut results = Map::new();
    let mut lines = Vec::new();
    for (name, finding) in findings {
        let (value, words) = match finding {
            Ok(hook) => (
                json!({ "fits": true, "event": hook.event.kind() }),
                format!("fits  {}", hook.event.kind()),
            ),
            Err(refused) => {
                let why = refused.to_string();
                (json!({ "fits": false, "why": why }), why)
            }
        };
        results.insert((*name).to_owned(), value);
        lines.push(line(name, &words, finding.is_ok()));
    }
    if findings.iter().all(|(_, finding)| finding.is_ok()) {
        return settings.out.local(&Value::Object(results), &lines.join("\n"));
    }
    let mut error = Error::new(Exit::NotAllowed, "does_not_fit", lines.join("; "));
    error = error.hint(advice(findings));
    Err(error)
}

/// A finding; a reason may begin with the header already.
fn line(name: &str, words: &str, fits: bool) -> String {
    match (fits, words.starts_with(name)) {
        (true, _) => format!("{name}  {words}"),
        (false, true) => words.to_owned(),
        (false, false) => format!("{name}: {words}"),
    }
}

/// The next step, by what is wrong.
fn advice(findings: &[(&str, Result<Verified, Refused>)]) -> &'static str {
    let mut findings = findings.iter();
    if findings.any(|(_, finding)| matches!(finding, Err(Refused::WrongSignature { .. }))) {
        "verify the bytes as they came, with the secret of this webhook"
    } else {
        "give the request as it came: all its headers and its whole body"
    }
}

fn verifier(flags: &VerifyFlags, settings: &Settings) -> Result<WebhookVerifier> {
    let secret = match &flags.secret {
        Some(given) => input::value(given)?,
        None => listen::secret(settings)?.expose().to_owned(),
    };
    WebhookVerifier::new([secret]).map_err(|error| Error::usage(error.to_string()))
}

fn headers(given: &[String]) -> Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    for one in given {
        let wrong = || Error::usage(format!("{one} is not like `X-Webhook-Event: like`"));
        let (name, value) = one.split_once(':').ok_or_else(wrong)?;
        let name = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| wrong())?;
        let value = HeaderValue::from_str(value.trim()).map_err(|_| wrong())?;
        headers.append(name, value);
    }
    Ok(headers)
}
