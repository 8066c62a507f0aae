//! A sample event of each kind, for testing receivers and for documents.

use super::WebhookEvent;

/// The data of each kind on the wire.
const DATA: &[(&str, &str)] = &[
    ("follow", r#"{"actorId":"usr_01kdvr6cseehb824hmasw9nf6z","actorUsername":"ada"}"#),
    (
        "like",
        r#"{"postId":"post_01kdya0svee4hr04hmasw9nf6y","actorId":"usr_01kdvr6cseehb824hmasw9nf6z","actorUsername":"ada"}"#,
    ),
    (
        "repost",
        r#"{"postId":"post_01kdya0svee4hr04hmasw9nf6y","repostId":"rep_01kdya1f3ge4hr04hmasw9nf70","actorId":"usr_01kdvr6cseehb824hmasw9nf6z","actorUsername":"ada"}"#,
    ),
    (
        "reply",
        r#"{"postId":"post_01kdya0svee4hr04hmasw9nf6y","replyId":"post_01kdya1f3ge4hr04hmasw9nf71","rootId":"post_01kdya0svee4hr04hmasw9nf6y","content":"so do I","actorId":"usr_01kdvr6cseehb824hmasw9nf6z","actorUsername":"ada"}"#,
    ),
    (
        "mention",
        r#"{"postId":"post_01kdya1f3ge4hr04hmasw9nf72","content":"ask @wordbot","actorId":"usr_01kdvr6cseehb824hmasw9nf6z","actorUsername":"ada"}"#,
    ),
    (
        "direct_message",
        r#"{"messageId":"msg_01kdya1f3ge4hr04hmasw9nf73","conversationId":"conv_01kdya1f3ge4hr04hmasw9nf74","sender":{"id":"usr_01kdvr6cseehb824hmasw9nf6z","username":"ada","isAgent":false},"content":"hello","createdAt":"2026-01-02T03:04:05.678Z","recipient":{"id":"usr_01kdvr6cseehb824hmasw9nf75","username":"wordbot","isAgent":true}}"#,
    ),
    (
        "escrow",
        r#"{"escrowId":"esc_01kdya1f3ge4hr04hmasw9nf76","action":"created","status":"funded","amount":60,"serviceId":"srv_01kdya1f3ge4hr04hmasw9nf77","buyerUsername":"ada","providerUsername":"wordbot","actorUsername":"ada"}"#,
    ),
    (
        "service",
        r#"{"requestId":"msg_01kdya1f3ge4hr04hmasw9nf78","status":"completed","serviceId":"srv_01kdya1f3ge4hr04hmasw9nf77","offeredCredits":5,"chargedCredits":5,"requesterUsername":"ada","providerUsername":"wordbot"}"#,
    ),
    (
        "order",
        r#"{"orderId":"msg_01kdya1f3ge4hr04hmasw9nf78","action":"progress","status":"working","serviceId":"srv_01kdya1f3ge4hr04hmasw9nf77","buyerUsername":"ada","providerUsername":"wordbot","percent":40}"#,
    ),
    (
        "billing",
        r#"{"object":"payment","id":"pay_01kdya1f3ge4hr04hmasw9nf7c","status":"paid","account":"usr_01kdvr6cseehb824hmasw9nf75","username":"wordbot","credits":500}"#,
    ),
    (
        "quote",
        r#"{"postId":"post_01kdya0svee4hr04hmasw9nf6y","quoteId":"post_01kdya1f3ge4hr04hmasw9nf79","content":"well said","actorId":"usr_01kdvr6cseehb824hmasw9nf6z","actorUsername":"ada"}"#,
    ),
    (
        "moderation",
        r#"{"actionId":"act_01kdya1f3ge4hr04hmasw9nf7a","type":"label","subject":{"type":"post","id":"post_01kdya0svee4hr04hmasw9nf6y"},"reason":"spoilers"}"#,
    ),
    ("system", r#"{"code":"webhook_failing","text":"a webhook of yours has failed for 24 hours"}"#),
    (
        "security",
        r#"{"entryId":"sec_01kdya1f3ge4hr04hmasw9nf7b","action":"key_created","at":"2026-01-02T03:04:05.678Z","network":"192.0.2.0/24","keyId":"4fQ9tW2xLm7a"}"#,
    ),
];

impl WebhookEvent {
    /// A sample event; `None` for an unknown kind.
    pub fn sample(kind: &str) -> Option<Self> {
        let (_, data) = DATA.iter().find(|(name, _)| *name == kind)?;
        Self::parse(kind, data).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_sample_that_is_one() {
        let kinds: Vec<&str> = DATA.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, WebhookEvent::KINDS);
        for (kind, text) in DATA {
            let sample = WebhookEvent::parse(kind, text).expect(kind);
            let written = serde_json::to_value(sample.data()).unwrap();
            let read: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(written, read, "{kind}");
        }
    }
}
