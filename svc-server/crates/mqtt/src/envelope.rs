//! The MQTT payload of an event: its body, prefixed with its id and number.

use bytes::Bytes;
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

#[cfg(test)]
mod tests {
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
}
