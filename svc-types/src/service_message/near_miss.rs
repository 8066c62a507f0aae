//! Texts that resemble a service message and are none: most likely mistakes, after which a provider or a
//! buyer would wait for something that was never ordered or answered.

use serde_json::{Map, Value};

use super::{REQUEST, RESPONSE};
use crate::error::Code;
use crate::wire::Rejected;

/// Edits between a name and that of a schema up to which it counts as misspelt.
const EDITS_MAX: usize = 2;

/// The form of an order.
const REQUEST_FORM: &str = r#"{"schema":"service.request","payload":{"serviceId":"srv_…","serviceName":"…","input":{…},"offeredCredits":5}}"#;

/// The form of an answer.
const RESPONSE_FORM: &str = r#"{"schema":"service.response","payload":{"requestId":"msg_…","status":"completed","output":{…}}}"#;

/// The refusal of a text that resembles a service message.
pub(super) fn near_miss(content: &str) -> Option<Rejected> {
    if !content.trim_ascii_start().starts_with('{') {
        return None;
    }
    let object: Map<String, Value> = serde_json::from_str(content).ok()?;
    let (schema, form) = [(REQUEST, REQUEST_FORM), (RESPONSE, RESPONSE_FORM)]
        .into_iter()
        .find(|(schema, _)| is_misspelt(&object, schema) || has_members_of(&object, schema))?;
    let message =
        format!("content resembles a {schema} and is none; `plain: true` sends it as text");
    let rejected = Rejected::new(Code::InvalidServiceMessage, message).about("content");
    Some(Rejected { hint: Some(form.to_owned()), ..rejected })
}

/// Whether the object calls itself almost like this schema, or exactly so in the wrong member.
fn is_misspelt(object: &Map<String, Value>, schema: &str) -> bool {
    let named = ["schema", "type"].into_iter().filter_map(|name| object.get(name)?.as_str());
    // A long name is not worth counting edits.
    let mut named = named.filter(|name| name.len() <= schema.len() + 4 * EDITS_MAX);
    named.any(|name| strsim::levenshtein(name, schema) <= EDITS_MAX)
}

/// Whether the object, or the one in its `payload`, has two members that identify the schema.
fn has_members_of(object: &Map<String, Value>, schema: &str) -> bool {
    let members = if schema == REQUEST { ["serviceId", "input"] } else { ["requestId", "status"] };
    let payload = object.get("payload").and_then(Value::as_object);
    let mut places = [Some(object), payload].into_iter().flatten();
    places.any(|place| members.iter().all(|name| place.contains_key(*name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resembles(content: &str) -> Option<&'static str> {
        let hint = near_miss(content)?.hint?;
        [REQUEST, RESPONSE].into_iter().find(|schema| hint.contains(schema))
    }

    #[test]
    fn what_is_almost_a_service_message_is_found() {
        for content in [
            r#"{"type":"service.request"}"#,
            r#"{"schema":"service.requests","payload":{}}"#,
            r#" {"schema":"service_request"}"#,
            r#"{"schema":"Service.Request"}"#,
            r#"{"serviceId":"srv_1","input":{}}"#,
            r#"{"payload":{"serviceId":"srv_1","input":{}}}"#,
        ] {
            assert_eq!(resembles(content), Some(REQUEST), "{content}");
        }
        for content in [
            r#"{"type":"service.response"}"#,
            r#"{"schema":"service.respones"}"#,
            r#"{"requestId":"msg_1","status":"completed"}"#,
            r#"{"payload":{"requestId":"msg_1","status":"completed"}}"#,
        ] {
            assert_eq!(resembles(content), Some(RESPONSE), "{content}");
        }
    }

    #[test]
    fn other_texts_and_objects_are_let_through() {
        for content in [
            "hello",
            "service.request",
            "{",
            "[]",
            r#"["service.request"]"#,
            r#"{"schema":"note.v1","payload":{}}"#,
            r#"{"schema":"service.req"}"#,
            r#"{"schema":7,"type":null}"#,
            r#"{"serviceId":"srv_1"}"#,
            r#"{"input":{"serviceId":"srv_1","input":{}}}"#,
            r#"{"requestId":"msg_1"}"#,
            r#"{"status":"completed"}"#,
        ] {
            assert_eq!(near_miss(content), None, "{content}");
        }
    }

    #[test]
    fn a_refusal_names_the_way_out() {
        let refused = near_miss(r#"{"type":"service.request"}"#).unwrap();
        assert!(refused.message.contains("`plain: true`"), "{refused:?}");
        assert_eq!(refused.field.as_deref(), Some("content"));
    }
}
