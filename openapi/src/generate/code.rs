//! Code samples of an operation: its sample as a call by curl, by `svc`, in Rust, and by each SDK.

use http::Method;
use serde_json::{Value, json};
use svc_types::{Who, wire};
use utoipa::openapi::extensions::Extensions;

use crate::generate::erased::ErasedEndpoint;
use crate::generate::sdk::Samples;
use crate::generate::wording::{kebab_case, wrapped_command};

/// The member of an operation that tools look for.
const CODE_SAMPLES: &str = "x-codeSamples";

/// Members whose flags `svc` writes with a prefix, because every command has one of the name.
const EVERYWHERE: [&str; 8] =
    ["json", "profile", "url", "quiet", "timeout", "yes", "dryRun", "idempotencyKey"];

/// The code samples of an endpoint; `rust` is its method of the client.
pub(crate) fn samples(endpoint: &ErasedEndpoint, rust: &str, sdks: &Samples) -> Extensions {
    let mut samples = vec![
        json!({ "lang": "Shell", "label": "curl", "source": curl(endpoint) }),
        json!({ "lang": "Shell", "label": "svc", "source": command(endpoint) }),
        json!({ "lang": "Rust", "label": "svc-client", "source": rust }),
    ];
    for [lang, label, source] in sdks.programs(endpoint.declared.name, &endpoint.sample) {
        samples.push(json!({ "lang": lang, "label": label, "source": source }));
    }
    Extensions::builder().add(CODE_SAMPLES, samples).build()
}

/// The code sample of a route that takes a form with a file: a call by curl with these arguments.
pub(crate) fn of_form(path: &str, arguments: &[&str]) -> Extensions {
    let mut parts = vec![format!("curl -fsS \"$SVC_URL{path}\"")];
    parts.push("-H \"Authorization: Bearer $SVC_API_KEY\"".to_owned());
    parts.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    let source = wrapped_command(&parts);
    let samples = vec![json!({ "lang": "Shell", "label": "curl", "source": source })];
    Extensions::builder().add(CODE_SAMPLES, samples).build()
}

/// The sample as a call by curl. `$SVC_URL` is the base URL of the API.
fn curl(ErasedEndpoint { declared, sample, .. }: &ErasedEndpoint) -> String {
    let encoded = wire::encode_members(declared, sample.clone()).expect("samples can be sent");
    let mark = if encoded.query.is_empty() { "" } else { "?" };
    let mut parts = vec![format!("curl -fsS \"$SVC_URL{}{mark}{}\"", encoded.path, encoded.query)];
    // curl sends a GET by itself, and a POST if there is a body.
    let method = &declared.method;
    if *method != Method::GET && (*method != Method::POST || encoded.body.is_none()) {
        parts.push(format!("-X {method}"));
    }
    if let Some(key) = key(declared.who) {
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

/// The sample as a command. `svc` reads `SVC_URL` and the keys from the environment, and secrets from
/// files.
fn command(endpoint: &ErasedEndpoint) -> String {
    let mut parts = vec![format!("svc call {}", kebab_case(endpoint.declared.name))];
    for (name, value) in &endpoint.sample {
        let schema = &endpoint.fields.schemas[name];
        let flag = kebab_case(name);
        let prefix = if EVERYWHERE.contains(&name.as_str()) { "field-" } else { "" };
        let argument = match value {
            _ if schema["format"] == "password" => format!("@{flag}.txt"),
            Value::String(text) if is_text(schema) => quoted(text),
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
    use svc_types::Endpoint;
    use svc_types::api::auth::GetSession;
    use svc_types::api::messages::ListMessages;
    use svc_types::api::posts::EditPost;
    use svc_types::api::webhooks::UpdateWebhook;

    use super::*;

    fn endpoint<E: Endpoint>(sample: Value) -> ErasedEndpoint {
        ErasedEndpoint::of::<E>(&serde_json::from_value(sample).unwrap())
    }

    #[test]
    fn a_change_is_quoted_for_the_shell() {
        let members = json!({ "postId": "post_1", "content": "it's $5", "language": "fr" });
        let edit = endpoint::<EditPost>(members);
        assert_eq!(
            curl(&edit),
            "curl -fsS \"$SVC_URL/posts/post_1\" \\\n  -X PATCH \\\n  \
             -H \"Authorization: Bearer $SVC_API_KEY\" \\\n  \
             --json '{\"content\":\"it'\\''s $5\",\"language\":\"fr\"}'"
        );
        assert_eq!(
            command(&edit),
            "svc call edit-post --content 'it'\\''s $5' --language fr --post-id post_1"
        );
    }

    #[test]
    fn a_call_without_members_is_short() {
        assert_eq!(command(&endpoint::<GetSession>(json!({}))), "svc call get-session");
        assert_eq!(
            curl(&endpoint::<ListMessages>(json!({ "unread": true }))),
            "curl -fsS \"$SVC_URL/messages?unread=true\" -H \"Authorization: Bearer $SVC_API_KEY\""
        );
    }

    #[test]
    fn a_member_named_like_a_flag_of_every_command_has_a_prefix() {
        let members = json!({ "webhookId": "whk_1", "url": "https://example.org" });
        let update = endpoint::<UpdateWebhook>(members);
        assert!(command(&update).contains("--field-url https://example.org"));
    }
}
