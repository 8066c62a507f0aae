//! The type of a part: the declared one, else that of the content.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::is_plain;

/// The type of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Code,
    Csv,
    Json,
    Svg,
    /// A picture of [`PICTURES`].
    Picture(&'static str),
}

/// Pictures that browsers draw, besides SVG.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

/// The declared type of a member: its media type, or the type of the delivery for what it delivers.
pub(super) fn declared<'a>(
    member: Option<&'a Value>,
    name: &str,
    kind: Option<&'a str>,
) -> Option<&'a str> {
    let media_type =
        member.and_then(|member| member.get("contentMediaType")).and_then(Value::as_str);
    let is_delivered = ["text", "content", "data", "result", "output"].contains(&name)
        || kind.is_some_and(|kind| kind == name);
    media_type.or_else(|| kind.filter(|_| is_delivered))
}

/// The type of a value: the declared one, if the value can be of it.
pub(super) fn type_of(declared: Option<&str>, value: &Value) -> Type {
    let Value::String(text) = value else {
        return if is_plain(value) { Type::Text } else { Type::Json };
    };
    let word = declared.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    match word.to_ascii_lowercase().as_str() {
        "text/csv" | "csv" => return Type::Csv,
        "application/json" | "json" => return Type::Json,
        "image/svg+xml" | "svg" => return Type::Svg,
        "text/html" | "html" | "code" | "application/javascript" => return Type::Code,
        "text/plain" | "text/markdown" | "text" | "markdown" | "report" => return Type::Text,
        word if word.starts_with("text/x-") => return Type::Code,
        word => {
            if let Some(found) = picture(word).filter(|_| STANDARD.decode(text).is_ok()) {
                return Type::Picture(found);
            }
        }
    }
    of_content(text)
}

/// The type of a text without a declared type.
fn of_content(text: &str) -> Type {
    let start = text.trim_start();
    let head = start.get(..20).unwrap_or(start).to_ascii_lowercase();
    if head.starts_with("<svg") {
        Type::Svg
    } else if head.starts_with("<!doctype html") || head.starts_with("<html") {
        Type::Code
    } else if let Some((media_type, _)) = data_url(text) {
        Type::Picture(media_type)
    } else {
        Type::Text
    }
}

fn picture(media_type: &str) -> Option<&'static str> {
    PICTURES.into_iter().find(|known| *known == media_type)
}

/// Media type and bytes of a picture in a `data:` address.
pub(super) fn data_url(text: &str) -> Option<(&'static str, Vec<u8>)> {
    let (media_type, data) = text.strip_prefix("data:")?.split_once(";base64,")?;
    Some((picture(media_type)?, STANDARD.decode(data.trim()).ok()?))
}
