//! The session cookie (spec §5).
//!
//! `svc_session`, over https `__Host-svc_session` and Secure; always `HttpOnly`, SameSite=Lax.

use http::header::{GetAll, HeaderValue};

use crate::config::Config;

const NAME: &str = "svc_session";
const NAME_HTTPS: &str = "__Host-svc_session";

/// The value of the session cookie, if one was sent.
///
/// Over https only the name with `__Host-` counts: any host of the domain could set the other.
pub fn read<'a>(config: &Config, headers: GetAll<'a, HeaderValue>) -> Option<&'a str> {
    let texts = headers.into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name(config)).map(|(_, value)| value)
}

/// Sets the cookie for as long as a session lives.
pub fn set(config: &Config, token: &str) -> HeaderValue {
    write(config, token, config.session.life.as_secs())
}

/// Removes the cookie.
pub fn clear(config: &Config) -> HeaderValue {
    write(config, "", 0)
}

fn name(config: &Config) -> &'static str {
    if config.is_https() { NAME_HTTPS } else { NAME }
}

fn write(config: &Config, token: &str, seconds: u64) -> HeaderValue {
    let name = name(config);
    let secure = if config.is_https() { "; Secure" } else { "" };
    let text = format!("{name}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(text).expect("a token is base64url")
}
