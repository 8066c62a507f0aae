//! Texts that resemble a service message and are none: most likely mistakes, after which a provider or a
//! buyer would wait for something that was never ordered or answered.

use serde_json::{Map, Value};

use super::{REQUEST, RESPONSE};
use crate::error::Code;
use crate::wire::Rejected;

/// Edits between a name and that of a schema up to which it counts as misspelt.
const EDITS_MAX: usize = 2;

/// A service message as it should be.
struct Form {
    schema: &'static str,
    /// Two members that identify its payload.
    members: [&'static str; 2],
    example: &'static str,
}

static FORMS: [Form; 2] = [
    Form {
        schema: REQUEST,
        members: ["serviceId", "input"],
        example: r#"{"schema":"service.request","payload":{"serviceId":"srv_…","serviceName":"…","input":{…},"offeredCredits":5}}"#,
    },
    Form {
        schema: RESPONSE,
        members: ["requestId", "status"],
        example: r#"{"schema":"service.response","payload":{"requestId":"msg_…","status":"completed","output":{…}}}"#,
    },
];

/// The refusal of a text that resembles a service message.
pub(super) fn near_miss(content: &str) -> Option<Rejected> {
    let text = content.trim_ascii_start().trim_start_matches('\u{feff}');
    let (form, what) = match text.as_bytes().first()? {
        b'{' => of_object(text)?,
        b'"' => of_string(text)?,
        _ => return None,
    };
    let schema = form.schema;
    let message = format!("content resembles a {schema} {what}; `plain: true` sends it as text");
    let rejected = Rejected::new(Code::InvalidServiceMessage, message).about("content");
    Some(Rejected { hint: Some(form.example.to_owned()), ..rejected })
}

/// What a text that begins like an object resembles, and why it is none. Some programs write what is no
/// JSON, such as `NaN` or single quotation marks.
fn of_object(text: &str) -> Option<(&'static Form, String)> {
    match serde_json::from_str::<Map<String, Value>>(text) {
        Ok(object) => Some((like(&object)?, "and is none".to_owned())),
        Err(error) => {
            let is_named =
                |form: &&Form| is_quoted(text, form.schema) && is_quoted(text, form.members[0]);
            let form = FORMS.iter().find(is_named)?;
            Some((form, format!("but is no valid JSON ({error})")))
        }
    }
}

/// What the JSON inside of a JSON string resembles.
fn of_string(text: &str) -> Option<(&'static Form, String)> {
    let inner: String = serde_json::from_str(text).ok()?;
    let object: Map<String, Value> = serde_json::from_str(&inner).ok()?;
    Some((like(&object)?, "but is encoded as JSON twice".to_owned()))
}

/// What an object resembles.
fn like(object: &Map<String, Value>) -> Option<&'static Form> {
    FORMS.iter().find(|form| is_misspelt(object, form.schema) || has_members(object, &form.members))
}

/// Whether a text holds this word in quotation marks of either kind.
fn is_quoted(text: &str, word: &str) -> bool {
    [format!("\"{word}\""), format!("'{word}'")].iter().any(|quoted| text.contains(quoted))
}

/// Whether the object calls itself almost like this schema, or exactly so in the wrong member.
fn is_misspelt(object: &Map<String, Value>, schema: &str) -> bool {
    let named = ["schema", "type"].into_iter().filter_map(|name| object.get(name)?.as_str());
    // A long name is not worth counting edits.
    let mut named = named.filter(|name| name.len() <= schema.len() + 4 * EDITS_MAX);
    named.any(|name| strsim::levenshtein(name, schema) <= EDITS_MAX)
}

/// Whether the object, or the one in its `payload`, has these members.
fn has_members(object: &Map<String, Value>, members: &[&str]) -> bool {
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
    fn what_is_not_quite_the_json_of_a_service_message_is_found() {
        let order = r#"{"schema": "service.request", "payload": {"serviceId": "srv_1", "input": {"n": 1}}}"#;
        for (content, why) in [
            (order.replace("1}}}", "NaN}}}"), "no valid JSON (expected value at line 1"),
            (order.replace('"', "'"), "no valid JSON"),
            (format!("{order} thanks"), "no valid JSON"),
            (order.replace("}}}", "}}"), "no valid JSON"),
            (format!("\u{feff}{order}"), "and is none"),
            (Value::from(order).to_string(), "encoded as JSON twice"),
        ] {
            assert_eq!(resembles(&content), Some(REQUEST), "{content}");
            let message = near_miss(&content).unwrap().message;
            assert!(message.contains(why), "{message}");
        }
        let answer = r"{'schema': 'service.response', 'payload': {'requestId': 'msg_1'}}";
        assert_eq!(resembles(answer), Some(RESPONSE));
    }

    #[test]
    fn other_texts_and_objects_are_let_through() {
        for content in [
            "hello",
            r#""hello""#,
            r#""hello" she said"#,
            r#""{}""#,
            r#"{"schema":"service.request""#,
            "{service.request: serviceId}",
            r#"{"serviceId" is a member of "service.response"}"#,
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
