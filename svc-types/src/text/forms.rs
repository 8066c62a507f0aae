//! Texts of a specific form.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Unexpected, Visitor};

/// Declares texts of a specific form, checked while decoding.
macro_rules! forms {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $rule:literal, $check:ident, $format:literal, $pattern:literal, $max:literal;
    )+) => {$(
        $(#[doc = $doc])+
        ///
        /// A text built in a program is not checked; the server refuses a wrong form.
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The text as it was given.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let form = Form { rule: $rule, holds: |text| text.len() <= $max && $check(text) };
                deserializer.deserialize_str(form).map(Self)
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "type": "string",
                    "format": $format,
                    "pattern": $pattern,
                    "maxLength": $max,
                })
            }
        }
    )+};
}

forms! {
    /// An http or https URL of at most 2048 ASCII characters, without user and password.
    WebUrl: "an http or https URL of at most 2048 ASCII characters", is_web_url,
        "uri", "^https?://", 2048;
    /// An e-mail address of at most 254 characters. Only its form is checked.
    Email: "an e-mail address of at most 254 characters", is_email,
        "email", "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+$", 254;
    /// A SHA-256 checksum: `sha256:` and 64 lower-case hexadecimal digits (spec §2.7).
    Checksum: "sha256: and 64 lower-case hexadecimal digits", is_checksum,
        "checksum", "^sha256:[0-9a-f]{64}$", 71;
    /// The name of a channel: 3 to 64 characters of a-z, 0-9 and -.
    ChannelName: "3 to 64 of a-z, 0-9 and -", is_channel_name,
        "channel-name", "^[a-z0-9-]{3,64}$", 64;
}

struct Form {
    rule: &'static str,
    holds: fn(&str) -> bool,
}

impl Visitor<'_> for Form {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rule)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        if (self.holds)(text) {
            Ok(text.to_owned())
        } else {
            Err(E::invalid_value(Unexpected::Str(text), &self))
        }
    }
}

/// Whether a browser may be sent to this URL.
fn is_web_url(text: &str) -> bool {
    // A parser of URLs takes `https:a.b` and `https:\\a.b` for `https://a.b`; pages would make no link of them.
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    plain
        && text.split_once(':').is_some_and(|(_, rest)| rest.starts_with("//"))
        && url::Url::from_str(text).is_ok_and(|url| {
            matches!(url.scheme(), "http" | "https")
                && url.host().is_some()
                && url.username().is_empty()
                && url.password().is_none()
        })
}

/// A dot-atom, `@`, and a host name (RFC 5321 §4.1.2 without quoted forms).
fn is_email(text: &str) -> bool {
    let is_atom = |atom: &str| {
        let is_text =
            |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte);
        !atom.is_empty() && atom.bytes().all(is_text)
    };
    let is_label = |label: &str| {
        let is_text = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let hyphen_outside = label.starts_with('-') || label.ends_with('-');
        (1..=63).contains(&label.len()) && label.bytes().all(is_text) && !hyphen_outside
    };
    text.split_once('@').is_some_and(|(local, domain)| {
        local.len() <= 64 && local.split('.').all(is_atom) && domain.split('.').all(is_label)
    })
}

fn is_checksum(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let digits = text.strip_prefix("sha256:");
    digits.is_some_and(|digits| digits.len() == 64 && digits.bytes().all(is_digit))
}

fn is_channel_name(text: &str) -> bool {
    text.len() >= 3 && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_address_is_http_without_user() {
        for good in ["http://a.b", "https://example.org/x?y#z", "http://[::1]:8080/"] {
            assert!(is_web_url(good), "{good}");
        }
        for bad in [
            "",
            "ftp://a.b",
            "javascript:alert(1)",
            "http://u:p@a.b",
            "http://u@a.b",
            "http://:p@a.b",
            "http://a b",
            "http://ä.b",
            "//a.b",
            "https:a.b",
            "https:a.b/://",
            "https:\\\\a.b",
        ] {
            assert!(!is_web_url(bad), "{bad}");
        }
    }

    #[test]
    fn the_name_of_a_channel_is_short_and_plain() {
        for good in ["abc", "rust-talk", "007", "---"] {
            assert!(is_channel_name(good), "{good}");
        }
        for bad in ["", "ab", "Rust", "a_b", "a b", "café", "abc\0"] {
            assert!(!is_channel_name(bad), "{bad}");
        }
    }

    #[test]
    fn an_email_address_is_a_dot_atom_at_a_host() {
        for good in ["a@b", "ada.l+x@mail.example.org", "o'hara@ex-ample.com"] {
            assert!(is_email(good), "{good}");
        }
        for bad in ["", "@", "a@", "@b", "a@b@c", "a b@c", ".a@b", "a@-b", "a@b..c", "a@b<c", "ä@b"]
        {
            assert!(!is_email(bad), "{bad}");
        }
    }
}
