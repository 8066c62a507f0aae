//! What is asked for in a header, and payments as their payers sign them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use http::HeaderValue;
use serde::Deserialize;
use serde_json::{Value, json};
use svc_core::config::X402Settings;
use svc_core::services::billing::topup::{Authorized, Signed, Topup};
use svc_store::error::{Error, Result};
use svc_types::{Credits, Timestamp};

/// The version of the protocol.
const VERSION: u64 = 2;

/// How long a payer has to sign, and most of how long a payment may be valid.
const TIMEOUT_SECONDS: i64 = 300;
const VALID_MAX_SECONDS: i64 = 3_600;

/// How long a payment must still be valid when it arrives.
const VALID_MIN_SECONDS: i64 = 30;

/// Most bytes of a header with a payment.
const BYTES_MAX: usize = 8 * 1024;

/// The header with a signed payment, as errors name it.
const HEADER: &str = "PAYMENT-SIGNATURE";

/// What one kind of payment takes.
pub(crate) fn requirements(settings: &X402Settings, amount: i64) -> Value {
    json!({
        "scheme": "exact",
        "network": settings.network,
        "asset": settings.asset,
        "amount": amount.to_string(),
        "payTo": settings.pay_to,
        "maxTimeoutSeconds": TIMEOUT_SECONDS,
        "extra": { "name": settings.asset_name, "version": settings.asset_version },
    })
}

/// What is to be paid, for the header PAYMENT-REQUIRED.
pub(crate) fn required(
    settings: &X402Settings,
    url: &str,
    credits: Credits,
    amount: i64,
    error: &str,
) -> Value {
    json!({
        "x402Version": VERSION,
        "error": error,
        "resource": {
            "url": url,
            "description": format!("{credits} credits"),
            "mimeType": "application/json",
        },
        "accepts": [requirements(settings, amount)],
    })
}

/// The outcome of a payment, for the header PAYMENT-RESPONSE.
pub(crate) fn settled(topup: &Topup) -> Value {
    json!({
        "success": true,
        "transaction": topup.chain_tx,
        "network": topup.network,
        "payer": topup.payer,
        "amount": topup.record.amount.to_string(),
    })
}

/// JSON as a header carries it.
pub(crate) fn encode(value: &Value) -> HeaderValue {
    let text = BASE64_STANDARD.encode(value.to_string());
    HeaderValue::try_from(text).expect("base64 is ASCII")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payment {
    x402_version: u64,
    accepted: Value,
    payload: Payload,
}

#[derive(Deserialize)]
struct Payload {
    authorization: Authorization,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Authorization {
    from: String,
    to: String,
    value: String,
    valid_before: String,
    nonce: String,
}

/// A signed payment as it arrived: readable, but not yet compared with anything.
pub(crate) struct Given {
    whole: Value,
    accepted: Value,
    authorization: Authorization,
}

/// Reads a payment from the text of its header; 400 names what can't be read.
pub(crate) fn decode(header: &HeaderValue) -> Result<Given> {
    if header.len() > BYTES_MAX {
        return Err(invalid("", "is longer than 8 KiB"));
    }
    let json = BASE64_STANDARD.decode(header.as_bytes());
    let json = json.map_err(|error| invalid("", &format!("is not base64: {error}")))?;
    let whole: Value = serde_json::from_slice(&json)
        .map_err(|error| invalid("", &format!("is not base64 of JSON: {error}")))?;
    let Payment { x402_version, accepted, payload } = Payment::deserialize(&whole)
        .map_err(|error| invalid("", &format!("is not a payment of x402: {error}")))?;
    let Payload { authorization } = payload;
    if x402_version != VERSION {
        return Err(invalid("x402Version", "must be 2"));
    }
    if !is_hex(&authorization.from, 40) {
        return Err(invalid("payload.authorization.from", "must be 0x and 40 hexadecimal digits"));
    }
    if !is_hex(&authorization.nonce, 64) {
        return Err(invalid("payload.authorization.nonce", "must be 0x and 64 hexadecimal digits"));
    }
    Ok(Given { whole, accepted, authorization })
}

impl Given {
    /// What the contract takes once: of the network and token that the payer accepted, which the settings may no
    /// longer name.
    pub(crate) fn authorization(&self) -> Authorized {
        let accepted = |name: &str| self.accepted[name].as_str().unwrap_or_default();
        Authorized {
            network: accepted("network").to_owned(),
            asset: accepted("asset").to_ascii_lowercase(),
            payer: self.authorization.from.to_ascii_lowercase(),
            nonce: self.authorization.nonce.to_ascii_lowercase(),
        }
    }

    /// Checks that it pays what is asked for, in time; 400 names what does not.
    pub(crate) fn checked(
        self,
        settings: &X402Settings,
        amount: i64,
        now: Timestamp,
    ) -> Result<Signed> {
        let asked = requirements(settings, amount);
        check_accepted(&self.accepted, &asked)?;
        let Authorization { to, value, valid_before, .. } = &self.authorization;
        if !to.eq_ignore_ascii_case(&settings.pay_to) {
            let why = format!("must be {}", settings.pay_to);
            return Err(invalid("payload.authorization.to", &why));
        }
        if *value != amount.to_string() {
            return Err(invalid("payload.authorization.value", &format!("must be {amount}")));
        }
        let valid_before = in_time(valid_before, now)?;
        let question = json!({
            "x402Version": VERSION,
            "paymentPayload": self.whole,
            "paymentRequirements": asked,
        });
        Ok(Signed {
            authorized: self.authorization(),
            pay_to: settings.pay_to.to_ascii_lowercase(),
            valid_before,
            text: question.to_string(),
        })
    }
}

/// When a payment ends, in seconds: not too soon, and not too late.
fn in_time(valid_before: &str, now: Timestamp) -> Result<i64> {
    let now = now.as_millis() / 1_000;
    let times = now + VALID_MIN_SECONDS..=now + VALID_MAX_SECONDS;
    let valid_before = valid_before.parse().ok().filter(|time| times.contains(time));
    valid_before.ok_or_else(|| {
        let why = format!("must be from {} to {}", times.start(), times.end());
        invalid("payload.authorization.validBefore", &why)
    })
}

/// What the payer accepted must be the offer, but for the case of addresses.
fn check_accepted(accepted: &Value, asked: &Value) -> Result<()> {
    let members = asked.as_object().into_iter().flatten();
    for (name, wanted) in members {
        let is_it = match (accepted.get(name), wanted) {
            (Some(Value::String(given)), Value::String(wanted)) => {
                given == wanted || wanted.starts_with("0x") && given.eq_ignore_ascii_case(wanted)
            }
            (given, wanted) => given == Some(wanted),
        };
        if !is_it {
            return Err(invalid(&format!("accepted.{name}"), &format!("must be {wanted}")));
        }
    }
    Ok(())
}

fn is_hex(text: &str, digits: usize) -> bool {
    let hex = text.strip_prefix("0x").unwrap_or_default();
    hex.len() == digits && hex.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// 400 for the header, naming the member at fault.
fn invalid(member: &str, why: &str) -> Error {
    let name = if member.is_empty() { HEADER.to_owned() } else { format!("{HEADER}: {member}") };
    Error::invalid(HEADER, format!("{name} {why}"))
}
