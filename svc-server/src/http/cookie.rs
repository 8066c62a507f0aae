//! The session cookie (spec §5) and the flash cookie.
//!
//! The session cookie is `svc_session`; over https `__Host-svc_session` and Secure. It is always
//! `HttpOnly` and SameSite=Lax. `svc_flash` names a message that the next page shows once, `theme`,
//! `lang` and `timezone` the colours, the language and the time zone that a visitor chose.

use http::header::{GetAll, HeaderValue};
use svc_core::config::Config;

const NAME: &str = "svc_session";
const NAME_HTTPS: &str = "__Host-svc_session";

/// The cookie in which the script names the time zone of the browser.
const ZONE_NAME: &str = "zone";

/// The cookie that names the time zone that the visitor chose.
const CHOSEN_ZONE_NAME: &str = "timezone";

/// The cookie that names the colours.
const THEME_NAME: &str = "theme";

/// The cookie that names the language.
const LANGUAGE_NAME: &str = "lang";

/// Lifetime of a choice: a year.
const CHOICE_SECONDS: u64 = 365 * 24 * 60 * 60;

/// Longest name of a flash message.
const FLASH_LENGTH_MAX: usize = 40;

/// Lifetime of the flash cookie.
const FLASH_SECONDS: u64 = 60;

/// The value of the session cookie, if one was sent.
///
/// Over https only the name with `__Host-` counts: any host of the domain could set the other.
pub fn read<'a>(config: &Config, headers: GetAll<'a, HeaderValue>) -> Option<&'a str> {
    named(name(config), headers)
}

/// The name of the time zone that the visitor chose; untrusted.
pub fn chosen_zone(headers: GetAll<'_, HeaderValue>) -> Option<&str> {
    named(CHOSEN_ZONE_NAME, headers).filter(|name| !name.is_empty())
}

/// Sets the name of the time zone, or removes it.
pub fn set_zone(config: &Config, name: Option<&str>) -> HeaderValue {
    let seconds = if name.is_some() { CHOICE_SECONDS } else { 0 };
    write(config, CHOSEN_ZONE_NAME, name.unwrap_or_default(), seconds)
}

/// The name of the time zone of the browser, which the script sets; untrusted.
pub fn zone(headers: GetAll<'_, HeaderValue>) -> Option<&str> {
    named(ZONE_NAME, headers)
}

/// The name of the colours that the visitor chose; untrusted.
pub fn theme(headers: GetAll<'_, HeaderValue>) -> Option<&str> {
    named(THEME_NAME, headers)
}

/// Sets the name of the colours, or removes it.
pub fn set_theme(config: &Config, name: Option<&str>) -> HeaderValue {
    let seconds = if name.is_some() { CHOICE_SECONDS } else { 0 };
    write(config, THEME_NAME, name.unwrap_or_default(), seconds)
}

/// The tag of the language that the visitor chose; untrusted.
pub fn language(headers: GetAll<'_, HeaderValue>) -> Option<&str> {
    named(LANGUAGE_NAME, headers)
}

/// Sets the tag of the language.
pub fn set_language(config: &Config, tag: &str) -> HeaderValue {
    write(config, LANGUAGE_NAME, tag, CHOICE_SECONDS)
}

/// The value of a cookie, if one was sent.
fn named<'a>(name: &str, headers: GetAll<'a, HeaderValue>) -> Option<&'a str> {
    pairs(headers).find(|(found, _)| *found == name).map(|(_, value)| value)
}

/// Names and values of the cookies that were sent. Another program on the host, or on one above it, may have set some with
/// any bytes, which hide no others.
fn pairs(headers: GetAll<'_, HeaderValue>) -> impl Iterator<Item = (&str, &str)> {
    let sent = headers.into_iter().flat_map(|value| value.as_bytes().split(|byte| *byte == b';'));
    let texts = sent.filter_map(|pair| std::str::from_utf8(pair).ok());
    texts.filter_map(|pair| pair.trim().split_once('='))
}

/// The cookies that the next request sends, after a response that sets one of them.
pub fn once_set(headers: GetAll<'_, HeaderValue>, set: &HeaderValue) -> Option<HeaderValue> {
    let pair = set.to_str().ok()?.split(';').next()?;
    let (name, _) = pair.split_once('=')?;
    let kept = pairs(headers).filter(|(own, _)| *own != name);
    let kept = kept.map(|(own, value)| format!("{own}={value}"));
    let all: Vec<String> = kept.chain([pair.to_owned()]).collect();
    HeaderValue::try_from(all.join("; ")).ok()
}

/// Sets the cookie for as long as a session lives.
pub fn set(config: &Config, token: &str) -> HeaderValue {
    write(config, name(config), token, config.session.life.as_secs())
}

/// Removes the cookie.
pub fn clear(config: &Config) -> HeaderValue {
    write(config, name(config), "", 0)
}

/// The name of the flash message, if there is one; untrusted.
pub fn flash<'a>(config: &Config, headers: GetAll<'a, HeaderValue>) -> Option<&'a str> {
    named(flash_name(config), headers).filter(|word| word.len() <= FLASH_LENGTH_MAX)
}

/// Sets the flash message of the next page, by its name.
pub fn set_flash(config: &Config, word: &str) -> HeaderValue {
    write(config, flash_name(config), word, FLASH_SECONDS)
}

/// Removes the flash message.
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
