//! The content of direct messages, which may order or answer a service.

use svc_types::service_message::{REQUEST, RESPONSE};
use svc_types::{Code, ServiceMessage};

use crate::text::text;

pub(crate) fn judge(input: &[u8]) {
    let content = text(input);
    let near = ServiceMessage::near_miss(&content);
    if let Some(near) = &near {
        assert_eq!(near.field.as_deref(), Some("content"));
    }
    let ignored = ServiceMessage::ignored(&content);
    match ServiceMessage::parse(&content) {
        Ok(None) => {
            assert!(!ServiceMessage::is_request(&content) && ignored.is_empty());
        }
        Ok(Some(message)) => {
            let is_request = matches!(message, ServiceMessage::Request(_));
            assert_eq!(ServiceMessage::is_request(&content), is_request, "{message:?}");
            assert_eq!(ServiceMessage::parse(&message.content()).as_ref(), Ok(&Some(message)));
            assert!(ignored.iter().all(|field| field.starts_with('/')), "{ignored:?}");
        }
        Err(refused) => {
            assert_eq!(refused.code, Code::InvalidServiceMessage);
            assert!(
                content.contains(REQUEST) || content.contains(RESPONSE) || content.contains('\\')
            );
            assert!(refused.message.len() <= 1000, "{} bytes", refused.message.len());
            let is_named = refused.field.as_ref().is_some_and(|field| field.starts_with('/'));
            assert!(is_named || refused.message.starts_with("a request must"), "{refused:?}");
        }
    }
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let texts = [
        r#"{"schema":"service.request","payload":{"serviceId":"srv_1","serviceName":"count","input":{"text":"a b","deep":[{"x":null}]},"offeredCredits":5.25,"escrowId":"esc_1"}}"#,
        r#"{"schema":"service.response","payload":{"requestId":"msg_1","status":"completed","output":{"words":2},"chargedCredits":0.000001}}"#,
        r#"{"schema":"service.response","payload":{"requestId":"msg_1","status":"rejected","output":{"reason":"no"},"chargedCredits":0}}"#,
        r#"{"schema":"service.response","payload":{"requestId":"msg_1","status":"error","output":{"error":"x"}}}"#,
        r#"{"type":"service.request","serviceId":"srv_1","input":{}}"#,
        r#"{"schema":"service.requests","payload":{"serviceId":"srv_1","input":{}}}"#,
        "hello",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}
