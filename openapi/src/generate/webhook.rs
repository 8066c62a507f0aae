//! Webhooks: requests of the platform, one for each kind of event.

use schemars::JsonSchema;
use serde_json::{Value, json};
use svc_types::api::connect::{KindVisitor, WebhookEvent};
use svc_types::api::webhooks::WebhookKind;
use svc_types::{Timestamp, webhook};
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, Parameter, ParameterIn};
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::{Content, Paths, Ref, Required};

use crate::generate::answer::{self, JSON};
use crate::generate::erased::ErasedType;
use crate::generate::schema::{Schemas, typed};
use crate::generate::wording;

/// A header of a webhook: name, whether it is always present, schema, description.
pub(crate) type Header = (&'static str, bool, Value, &'static str);

/// The headers of every webhook.
pub(crate) fn headers() -> [Header; 11] {
    let text = || json!({ "type": "string" });
    let seconds = json!({ "type": "string", "pattern": "^[0-9]+$" });
    let hex = json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" });
    let count = || json!({ "type": "integer", "minimum": 1 });
    let flag = json!({ "type": "string", "enum": ["true"] });
    let agent = json!({ "type": "string", "enum": [webhook::USER_AGENT] });
    [
        (
            webhook::SIGNATURE,
            true,
            hex,
            "HMAC-SHA256 of the body's bytes; the key is the whole secret, including `whsec_`.",
        ),
        (
            webhook::EVENT,
            true,
            text(),
            "Kind of the event. Not signed: it must equal `event` in the body.",
        ),
        (
            webhook::ID,
            true,
            text(),
            "The event's id, the same in every attempt. Not covered by `X-Webhook-Signature`.",
        ),
        (webhook::STANDARD_ID, true, text(), "The event's id for Standard Webhooks."),
        (webhook::STANDARD_TIMESTAMP, true, seconds, "Unix seconds of this attempt."),
        (
            webhook::STANDARD_SIGNATURE,
            true,
            text(),
            "Standard Webhooks: `v1,` and base64 of the HMAC-SHA256 of `id.timestamp.body`, one for each valid secret, separated by spaces; the key is the 24 bytes after `whsec_`.",
        ),
        (webhook::DELIVERY, true, text(), "The delivery's id."),
        (webhook::ATTEMPT, true, count(), "Number of the attempt, starting at 1."),
        (
            webhook::SEQ,
            false,
            count(),
            "The event's sequence number: a hint for ordering, not signed.",
        ),
        (webhook::TEST, false, flag, "Present on tests only."),
        ("User-Agent", true, agent, "The same in every call."),
    ]
}

/// Whether webhooks receive this kind.
pub(crate) fn is_sent(kind: &str) -> bool {
    WebhookKind::WORDS.contains(&kind)
}

/// The webhooks by kind; their bodies become components.
pub(crate) fn webhooks(schemas: &mut Schemas) -> Paths {
    struct All<'a> {
        paths: Paths,
        schemas: &'a mut Schemas,
    }
    impl KindVisitor for All<'_> {
        fn visit<T: JsonSchema>(&mut self, kind: &'static str, doc: &'static str) {
            self.add(ErasedType::of::<T>(), kind, doc);
        }
    }
    impl All<'_> {
        fn add(&mut self, data: ErasedType, kind: &'static str, doc: &'static str) {
            if is_sent(kind) {
                let body = body(self.schemas, data, kind, doc);
                let operation = operation(kind, doc, body);
                self.paths.add_path_operation(kind, vec![HttpMethod::Post], operation);
            }
        }
    }
    let mut all = All { paths: Paths::new(), schemas };
    WebhookEvent::visit(&mut all);
    all.paths
}

/// The body of a kind: `event`, `timestamp`, `data`.
pub(crate) fn body(schemas: &mut Schemas, data: ErasedType, kind: &str, doc: &str) -> Ref {
    let (data, _) = schemas.answer(data);
    let members = [
        ("event", json!({ "type": "string", "enum": [kind], "description": "Kind of the event." })),
        ("timestamp", schemas.inline::<Timestamp>("When it happened; the same in every attempt.")),
        ("data", json!({ "$ref": data.ref_location, "description": "Data of the event." })),
    ];
    let name = format!("{}Webhook", wording::pascal_case(kind));
    schemas.add_object(&name, doc, &members)
}

fn operation(kind: &str, doc: &str, body: Ref) -> Operation {
    let details = "Any 2xx within 15 seconds takes it. Anything else is tried again, 12 times in \
                   about 72 hours; 410 disables the webhook. It may come twice and out of order.";
    let mut content = Content::new(Some(body));
    content.example = sample(kind);
    let request = RequestBody::builder().content(JSON, content).required(Some(Required::True));
    let mut operation = OperationBuilder::new()
        .tag("webhooks")
        .operation_id(Some(format!("{}Webhook", wording::camel_case(&wording::pascal_case(kind)))))
        .summary(Some(doc.trim_end_matches('.')))
        .description(Some(details))
        .securities(Some([]))
        .request_body(Some(request.build()))
        .response("2XX", answer::empty("The event was accepted.", &[]))
        .response("410", answer::empty("The receiver is gone: the webhook is disabled.", &[]));
    for header in headers() {
        operation = operation.parameter(parameter(header));
    }
    operation.build()
}

fn parameter((name, is_always, schema, description): Header) -> Parameter {
    Parameter::builder()
        .name(wording::header_case(name))
        .parameter_in(ParameterIn::Header)
        .required(if is_always { Required::True } else { Required::False })
        .description(Some(description))
        .schema(Some(typed(schema)))
        .build()
}

/// A sample of the body of a kind.
pub(crate) fn sample(kind: &str) -> Option<Value> {
    let text = WebhookEvent::sample(kind)?.webhook_body(sample_time());
    serde_json::from_str(&text).ok()
}

/// The time of sample events.
pub(crate) fn sample_time() -> Timestamp {
    Timestamp::from_millis(1_767_323_045_678)
}
