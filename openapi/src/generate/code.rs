//! Code samples of an operation: its sample as a call by curl, by `svc`, in Rust, and by each SDK.

use serde_json::{Map, Value, json};
use svc_types::{By, Endpoint, Who, wire};
use utoipa::openapi::extensions::Extensions;

use crate::generate::sdk::Samples;
use crate::generate::wording::{kebab_case, wrapped_command};

/// The member of an operation that tools look for.
const CODE_SAMPLES: &str = "x-codeSamples";

/// Members whose flags `svc` writes with a prefix, because every command has one of the name.
const EVERYWHERE: [&str; 8] =
    ["json", "profile", "url", "quiet", "timeout", "yes", "dryRun", "idempotencyKey"];

/// The code samples of a request; `rust` is its method of the client.
pub(crate) fn samples<E: Endpoint>(sample: &E, rust: &str, sdks: &Samples) -> Extensions {
    let mut samples = vec![
        json!({ "lang": "Shell", "label": "curl", "source": curl(sample) }),
        json!({ "lang": "Shell", "label": "svc", "source": command(sample) }),
        json!({ "lang": "Rust", "label": "svc-client", "source": rust }),
    ];
    for [lang, label, source] in sdks.programs(E::NAME, &members(sample)) {
        samples.push(json!({ "lang": lang, "label": label, "source": source }));
    }
    Extensions::builder().add(CODE_SAMPLES, samples).build()
}

/// The request as a call by curl. `$SVC_URL` is the base URL of the API.
fn curl<E: Endpoint>(sample: &E) -> String {
    let encoded = wire::encode(sample).expect("samples can be sent");
    let mark = if encoded.query.is_empty() { "" } else { "?" };
    let mut parts = vec![format!("curl -fsS \"$SVC_URL{}{mark}{}\"", encoded.path, encoded.query)];
    // curl sends a GET by itself, and a POST if there is a body.
    if E::METHOD != http::Method::GET && (E::METHOD != http::Method::POST || encoded.body.is_none())
    {
        parts.push(format!("-X {}", E::METHOD));
    }
    if let Some(key) = key(E::By::WHO) {
        parts.push(format!("-H \"Authorization: Bearer ${key}\""));
    }
    if let Some(body) = encoded.body {
        parts.push(format!("--json {}", quoted(&String::from_utf8_lossy(&body))));
    }
    wrapped_command(&parts)
}

/// The variable of the key that a caller needs, or whose owner sees more.
const fn key(who: Who) -> Option<&'static str> {
    match who {
        Who::Anyone => None,
        Who::Developer => Some("SVC_DEVELOPER_KEY"),
        _ => Some("SVC_API_KEY"),
    }
}

/// The request as a command. `svc` reads `SVC_URL` and the keys from the environment, and secrets from
/// files.
fn command<E: Endpoint>(sample: &E) -> String {
    let schema = E::json_schema(&mut schemars::SchemaGenerator::default());
    let schema = &schema.as_value()["properties"];
    let mut parts = vec![format!("svc call {}", kebab_case(E::NAME))];
    for (name, value) in members(sample) {
        let flag = kebab_case(&name);
        let prefix = if EVERYWHERE.contains(&name.as_str()) { "field-" } else { "" };
        let argument = match value {
            _ if schema[&name]["format"] == "password" => format!("@{flag}.txt"),
            Value::String(text) if is_text(&schema[&name]) => quoted(&text),
            other => quoted(&other.to_string()),
        };
        parts.push(format!("--{prefix}{flag} {argument}"));
    }
    wrapped_command(&parts)
}

/// Whether a value is a text. What may be anything is written as JSON, also if it is a text.
fn is_text(schema: &Value) -> bool {
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.as_slice(),
        Value::Null => return schema["anyOf"].is_array() || schema["$ref"].is_string(),
        kind => std::slice::from_ref(kind),
    };
    kinds.iter().find(|kind| *kind != "null").is_some_and(|kind| kind == "string")
}

fn members<E: Endpoint>(sample: &E) -> Map<String, Value> {
    let mut members = wire::members(sample).expect("samples can be sent");
    members.retain(|_, value| !value.is_null());
    members
}

/// A text as one word of a POSIX shell.
fn quoted(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:@,+%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use svc_types::api::auth::GetSession;
    use svc_types::api::messages::ListMessages;
    use svc_types::api::posts::EditPost;
    use svc_types::api::webhooks::UpdateWebhook;

    use super::*;

    fn edit() -> EditPost {
        let members = json!({ "postId": "post_1", "content": "it's $5", "language": "fr" });
        serde_json::from_value(members).unwrap()
    }

    #[test]
    fn a_change_is_quoted_for_the_shell() {
        assert_eq!(
            curl(&edit()),
            "curl -fsS \"$SVC_URL/posts/post_1\" \\\n  -X PATCH \\\n  \
             -H \"Authorization: Bearer $SVC_API_KEY\" \\\n  \
             --json '{\"content\":\"it'\\''s $5\",\"language\":\"fr\"}'"
        );
        assert_eq!(
            command(&edit()),
            "svc call edit-post --content 'it'\\''s $5' --language fr --post-id post_1"
        );
    }

    #[test]
    fn a_call_without_members_is_short() {
        assert_eq!(command(&GetSession {}), "svc call get-session");
        let unread: ListMessages = serde_json::from_value(json!({ "unread": true })).unwrap();
        assert_eq!(
            curl(&unread),
            "curl -fsS \"$SVC_URL/messages?unread=true\" -H \"Authorization: Bearer $SVC_API_KEY\""
        );
    }

    #[test]
    fn a_member_named_like_a_flag_of_every_command_has_a_prefix() {
        let members = json!({ "webhookId": "whk_1", "url": "https://example.org" });
        let update: UpdateWebhook = serde_json::from_value(members).unwrap();
        assert!(command(&update).contains("--field-url https://example.org"));
    }
}
