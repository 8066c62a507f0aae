//! The session cookie (spec §5).
//!
//! Beside it, what was just done: `svc_flash`, for the next page to say.
//!
//! `svc_session`, over https `__Host-svc_session` and Secure; always `HttpOnly`, SameSite=Lax.

use http::header::{GetAll, HeaderValue};
use svc_core::config::Config;

const NAME: &str = "svc_session";
/// Longest word of what was done, and how long the next page may take to say it.
const FLASH_LENGTH_MAX: usize = 40;
const FLASH_SECONDS: u64 = 60;
const NAME_HTTPS: &str = "__Host-svc_session";

/// The value of the session cookie, if one was sent.
///
/// Over https only the name with `__Host-` counts: any host of the domain could set the other.
pub fn read<'a>(config: &Config, headers: GetAll<'a, HeaderValue>) -> Option<&'a str> {
    named(name(config), headers)
}

/// The value of a cookie, if one was sent.
fn named<'a>(name: &str, headers: GetAll<'a, HeaderValue>) -> Option<&'a str> {
    let texts = headers.into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        texts.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, value)| value)
}

/// Sets the cookie for as long as a session lives.
pub fn set(config: &Config, token: &str) -> HeaderValue {
    write(config, name(config), token, config.session.life.as_secs())
}

/// Removes the cookie.
pub fn clear(config: &Config) -> HeaderValue {
    write(config, name(config), "", 0)
}

/// The word of what was just done, if there is one; anybody could have written it.
pub fn flash<'a>(config: &Config, headers: GetAll<'a, HeaderValue>) -> Option<&'a str> {
    named(flash_name(config), headers).filter(|word| word.len() <= FLASH_LENGTH_MAX)
}

/// Says to the next page what was done, by a word of letters.
pub fn set_flash(config: &Config, word: &str) -> HeaderValue {
    write(config, flash_name(config), word, FLASH_SECONDS)
}

/// It was said.
pub fn clear_flash(config: &Config) -> HeaderValue {
    write(config, flash_name(config), "", 0)
}

fn flash_name(config: &Config) -> &'static str {
    if config.is_https() { "__Host-svc_flash" } else { "svc_flash" }
}

fn name(config: &Config) -> &'static str {
    if config.is_https() { NAME_HTTPS } else { NAME }
}

fn write(config: &Config, name: &str, value: &str, seconds: u64) -> HeaderValue {
    let secure = if config.is_https() { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(text).expect("tokens and words are plain ASCII")
}
