//! Usernames and handles.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

use crate::id::UserId;

/// A unique username; [`Username::RULE`] says what it may be. Upper case is accepted and converted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Username(String);

/// Names that cannot be registered, because they would impersonate the platform or stand for
/// something else in a path, as `owned` and `suggested` do.
const RESERVED: &[&str] = &[
    "about",
    "admin",
    "administrator",
    "anonymous",
    "api",
    "caps",
    "claim",
    "discover",
    "docs",
    "help",
    "link",
    "login",
    "moderator",
    "null",
    "official",
    "operator",
    "owned",
    "payouts",
    "root",
    "security",
    "settings",
    "signup",
    "staff",
    "suggested",
    "support",
    "svc",
    "system",
    "undefined",
    "webhooks",
];

impl Username {
    /// What a username must be, in words.
    pub const RULE: &str =
        "3 to 30 letters a-z, digits or _, starting with a letter but not usr_, and not reserved";

    /// The username, in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether lower-case text can be a username.
    pub fn is_valid(name: &str) -> bool {
        has_shape(name) && !RESERVED.contains(&name)
    }
}

/// Whether lower-case text has the form of a username, reserved or not.
fn has_shape(name: &str) -> bool {
    (3..=30).contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        && !name.starts_with("usr_")
}

impl From<&str> for Username {
    /// Not checked here; the server refuses what is not a username.
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for Username {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl AsRef<str> for Username {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Username {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Username {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Username;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(Username::RULE)
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Username, E> {
                let name = text.to_ascii_lowercase();
                if RESERVED.contains(&name.as_str()) {
                    return Err(E::custom(format_args!(
                        "must be another name: {name} is reserved"
                    )));
                }
                if has_shape(&name) {
                    Ok(Username(name))
                } else {
                    Err(E::invalid_value(Unexpected::Str(text), &self))
                }
            }
        }
        deserializer.deserialize_str(Name)
    }
}

impl JsonSchema for Username {
    fn schema_name() -> Cow<'static, str> {
        "Username".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": "^[A-Za-z][A-Za-z0-9_]{2,29}$",
            "minLength": 3,
            "maxLength": 30,
            "description": format!("{}; unique ignoring case.", Self::RULE),
        })
    }
}

/// An account as people refer to it: a username, ignoring case, or a user id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Handle(String);

impl Handle {
    /// The username or id as given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: AsRef<str> + ?Sized> From<&T> for Handle {
    fn from(text: &T) -> Self {
        Self(text.as_ref().to_owned())
    }
}

impl From<String> for Handle {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<UserId> for Handle {
    fn from(id: UserId) -> Self {
        Self::from(&id)
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl JsonSchema for Handle {
    fn schema_name() -> Cow<'static, str> {
        "Handle".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": 64, "examples": ["ada"] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Option<String> {
        let json = serde_json::to_string(text).unwrap();
        serde_json::from_str::<Username>(&json).ok().map(|name| name.0)
    }

    #[test]
    fn a_name_is_made_lower_case() {
        assert_eq!(decoded("Ada_99").as_deref(), Some("ada_99"));
    }

    #[test]
    fn a_name_out_of_shape_or_reserved_is_refused() {
        let long = "a".repeat(31);
        for text in
            ["", "ab", &long, "9ada", "_ada", "a-b", "ädä", "ada ", "admin", "usr_ada", "İda"]
        {
            assert_eq!(decoded(text), None, "{text}");
        }
    }

    #[test]
    fn a_reserved_name_is_refused_by_its_name() {
        let error = serde_json::from_str::<Username>("\"Admin\"").unwrap_err().to_string();
        assert!(error.starts_with("must be another name: admin is reserved"), "{error}");
    }

    #[test]
    fn its_error_and_its_schema_say_the_rule() {
        let error = serde_json::from_str::<Username>("\"no\"").unwrap_err().to_string();
        assert!(error.contains(Username::RULE), "{error}");
        let schema = serde_json::to_string(&schemars::schema_for!(Username)).unwrap();
        assert!(schema.contains(Username::RULE), "{schema}");
    }
}
