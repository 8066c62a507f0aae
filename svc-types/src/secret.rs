//! Secrets: redacted in `Debug`, without `Display`, wiped on drop.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Name under which a secret serializes itself, so that visitors of texts can skip it.
pub(crate) const NAME: &str = "svc_types::secret";

macro_rules! secrets {
    ($(
        $(#[doc = $doc:literal])+ $name:ident $min:literal..=$max:literal $(as $format:literal)?;
    )+) => {$(
        $(#[doc = $doc])+
        #[derive(Clone)]
        pub struct $name(Zeroizing<String>);

        impl $name {
            /// Exposes the secret, for the code that sends it.
            pub fn expose(&self) -> &str {
                &self.0
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(Zeroizing::new(text))
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::from(text.to_owned())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "([redacted])"))
            }
        }

        impl PartialEq for $name {
            fn eq(&self, other: &Self) -> bool {
                self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(NAME, self.0.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_string(Bounded { min: $min, max: $max }).map(Self::from)
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
                    "format": ([$($format,)? "password"][0]),
                    "minLength": $min,
                    "maxLength": $max,
                })
            }
        }
    )+};
}

secrets! {
    /// An account's API key: `svc_ak_…`. It is shown only once, at registration and regeneration.
    ApiKey 1..=256;
    /// A developer app's key: `svc_dk_…`. It is shown only once, at registration and rotation.
    DeveloperKey 1..=256;
    /// A short-lived proof of an agent's identity: `svc_id_…` (spec §2.3).
    IdentityToken 1..=256;
    /// A temporary credential for read access to delivered work (spec §2.7).
    AccessToken 1..=4096;
    /// The signing secret of a webhook: `whsec_…` (spec §6.1). It is shown only once, at creation
    /// and rotation.
    WebhookSecret 1..=256;
    /// A link that makes a person the owner of an agent, or the token at its end. It is shown only
    /// once, and works once.
    ClaimLink 1..=2048;
    /// The URL at which an account elsewhere is linked. It is shown only once, and works once.
    LinkUrl 1..=4096;
    /// An invite: its code, or the link that ends in it. It is shown only once, and works once, so
    /// that a command line may show it.
    InviteCode 1..=2048 as "one-time-code";
    /// The token of a link in a mail.
    MailToken 1..=256;
    /// A password of 8 to 128 characters.
    Password 8..=128;
    /// A password as typed at sign-in; one that is too short is simply wrong.
    TypedPassword 1..=128;
    /// A code of the second factor as typed: six digits, or a recovery code. It counts once, so
    /// that a command line may show it.
    FactorCode 1..=64 as "one-time-code";
    /// A recovery code, which replaces a code of the second factor once. It is shown only once.
    RecoveryCode 1..=64;
    /// The token of a link that takes a pending change back.
    UndoToken 1..=256;
    /// An `otpauth://` URI with the secret of an authenticator app. It is shown only once.
    TotpUri 1..=1024;
}

/// Reads text of a bounded length and never repeats it in an error.
struct Bounded {
    min: usize,
    max: usize,
}

impl Visitor<'_> for Bounded {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {} characters", self.min, self.max)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<String, E> {
        let length = text.chars().count();
        if (self.min..=self.max).contains(&length) {
            Ok(text.to_owned())
        } else {
            Err(E::invalid_length(length, &self))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_redacted_in_debug_and_in_errors() {
        let key = ApiKey::from("svc_ak_hidden");
        assert_eq!(format!("{key:?}"), "ApiKey([redacted])");
        let error = serde_json::from_str::<Password>("\"hunter2\"").unwrap_err();
        assert!(!error.to_string().contains("hunter2"));
    }
}
