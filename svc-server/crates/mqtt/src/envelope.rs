//! The MQTT payload of an event: its body, prefixed with its id and number.

use std::collections::HashSet;

use bytes::Bytes;
use serde_json::Value;
use svc_core::services::outbox;
use svc_types::EventId;

/// `{"id":"evt_…","seq":42,` and the body without its first byte. The global feed has no numbers.
pub(super) fn envelope(id: &EventId, seq: Option<i64>, body: &str) -> Bytes {
    let rest = body.strip_prefix('{').unwrap_or(body);
    let seq = seq.map(|seq| format!(",\"seq\":{seq}")).unwrap_or_default();
    format!("{{\"id\":\"{id}\"{seq},{rest}").into()
}

/// The id of the event in an envelope.
pub(super) fn id_of(envelope: &[u8]) -> Option<EventId> {
    let rest = envelope.strip_prefix(br#"{"id":""#)?;
    let end = rest.iter().position(|byte| *byte == b'"')?;
    std::str::from_utf8(&rest[..end]).ok().map(EventId::from)
}

/// Where the body begins that follows the id and the number: at its kind, which is its first member.
const BODY_BEGINS: &str = r#""event":"#;

/// The message of a channel, or the post of the global feed, that is gone by the event in an envelope.
pub(super) fn deleted(envelope: &[u8]) -> Option<String> {
    let (_, rest) = parts(envelope)?;
    subject(rest, "channel_message_deleted", "messageId")
        .or_else(|| subject(rest, "post_deleted", "postId"))
}

/// An envelope without its text, if it brings one of these messages or posts.
pub(super) fn emptied(envelope: &[u8], deleted: &HashSet<String>) -> Option<Bytes> {
    let (head, rest) = parts(envelope)?;
    let brought =
        subject(rest, "channel_message", "messageId").or_else(|| subject(rest, "post", "id"));
    if !deleted.contains(&brought?) {
        return None;
    }
    let body = outbox::without_text(&format!("{{{rest}")).ok()?;
    Some(format!("{head}{}", body.strip_prefix('{')?).into())
}

/// An envelope's id and number, and its body without the first byte.
fn parts(envelope: &[u8]) -> Option<(&str, &str)> {
    let text = std::str::from_utf8(envelope).ok()?;
    Some(text.split_at(text.find(BODY_BEGINS)?))
}

/// What a body of this kind is about, which this member of its data names.
fn subject(rest: &str, kind: &str, member: &str) -> Option<String> {
    if !rest.starts_with(&format!("{BODY_BEGINS}\"{kind}\"")) {
        return None;
    }
    let body: Value = serde_json::from_str(&format!("{{{rest}")).ok()?;
    body["data"][member].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const BODY: &str =
        r#"{"event":"like","timestamp":"2026-01-02T03:04:05.678Z","data":{"postId":"post_1"}}"#;

    #[test]
    fn an_envelope_is_the_body_with_id_and_number_in_front() {
        let id = EventId::from("evt_01kdyak3seey4r44hmasw9nf6g");
        let golden = r#"{"id":"evt_01kdyak3seey4r44hmasw9nf6g","seq":42,"event":"like","timestamp":"2026-01-02T03:04:05.678Z","data":{"postId":"post_1"}}"#;
        let envelope = envelope(&id, Some(42), BODY);
        assert_eq!((&envelope[..], id_of(&envelope)), (golden.as_bytes(), Some(id)));
    }

    #[test]
    fn an_envelope_of_the_global_feed_has_no_number() {
        let id = EventId::from("evt_1");
        let golden = r#"{"id":"evt_1","event":"like","timestamp":"2026-01-02T03:04:05.678Z","data":{"postId":"post_1"}}"#;
        assert_eq!(envelope(&id, None, BODY), golden);
    }

    #[test]
    fn what_is_deleted_is_taken_out_of_the_envelope_that_brings_it() {
        let (id, other) = (EventId::from("evt_1"), EventId::from("evt_2"));
        let posted = r#"{"event":"channel_message","timestamp":"2026-01-02T03:04:05.678Z","data":{"messageId":"msg_1","content":"a secret"}}"#;
        let gone = r#"{"event":"channel_message_deleted","timestamp":"2026-01-02T03:04:05.678Z","data":{"channelId":"chan_1","messageId":"msg_1"}}"#;
        let (posted, gone) = (envelope(&id, Some(1), posted), envelope(&other, Some(2), gone));
        assert_eq!((deleted(&posted), deleted(&gone)), (None, Some("msg_1".to_owned())));
        let ids: HashSet<String> = deleted(&gone).into_iter().collect();
        assert_eq!(emptied(&gone, &ids), None);
        assert_eq!(emptied(&posted, &HashSet::new()), None);
        let emptied = emptied(&posted, &ids).unwrap();
        assert_eq!(id_of(&emptied), Some(id));
        let shown: Value = serde_json::from_slice(&emptied).unwrap();
        assert_eq!(shown["seq"], 1);
        assert_eq!(shown["event"], "channel_message");
        assert_eq!(shown["data"], json!({ "messageId": "msg_1", "content": "" }));
    }

    #[test]
    fn a_post_of_the_feed_that_is_deleted_loses_its_text() {
        let post = r#"{"event":"post","timestamp":"2026-01-02T03:04:05.678Z","data":{"id":"post_1","content":"a secret","attachments":[{"alt":"of a key"}]}}"#;
        let gone = r#"{"event":"post_deleted","timestamp":"2026-01-02T03:04:05.678Z","data":{"postId":"post_1"}}"#;
        let [post, gone] = [post, gone].map(|body| envelope(&EventId::from("evt_1"), None, body));
        let ids: HashSet<String> = deleted(&gone).into_iter().collect();
        let shown: Value = serde_json::from_slice(&emptied(&post, &ids).unwrap()).unwrap();
        assert_eq!(shown["data"], json!({ "id": "post_1", "content": "" }));
    }
}
