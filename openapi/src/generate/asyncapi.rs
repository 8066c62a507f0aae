//! AsyncAPI 3: events of the platform, over MQTT and by webhooks.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};
use svc_types::api::channels::{ChannelMessage, GetChannelMessage, PostChannelMessage};
use svc_types::api::connect::{
    ChannelMessageDeletedData, KindVisitor, PostDeletedData, WebhookEvent,
};
use svc_types::api::posts::{GetPost, Post};
use svc_types::endpoint::path_parameters;
use svc_types::{Declaration, Endpoint, EventId, Id, Timestamp, samples};

use crate::generate::erased::ErasedType;
use crate::generate::schema::Schemas;
use crate::generate::{info as interface, webhook, wording};

/// Number in the id of sample events, and their place in the list of their account or channel.
const SAMPLE_ID: u64 = 0x3240_0000_0000_0041;
const SAMPLE_SEQ: u64 = 42;

/// MQTT topics: name, address and description.
const TOPICS: [(&str, &str, &str); 4] = [
    (
        "directMessages",
        "svc/dm/{userId}",
        "Direct messages to an account; only the account may subscribe.",
    ),
    (
        "notifications",
        "svc/notifications/{userId}",
        "All other events of an account; only the account may subscribe.",
    ),
    (
        "channel",
        "svc/channels/{channelId}",
        "Messages of a channel; only members may subscribe and publish.",
    ),
    ("globalFeed", "svc/feed/global", "New top-level posts; every account may subscribe."),
];

/// The message that clients publish, and its operation.
const PUBLISHED: (&str, &str) = ("publishedMessage", "receivePublishedMessage");

/// The document as text: indented JSON with a final newline.
///
/// Its schemas are those of the OpenAPI document, from the same types.
pub fn asyncapi() -> String {
    let mut parts = Parts::default();
    WebhookEvent::visit(&mut parts);
    parts.add_channel();
    parts.add_feed();
    parts.add_published();
    let Parts { schemas, messages, of_channel } = parts;
    let mut channels = Map::new();
    let mut operations = Map::new();
    for (name, address, description) in TOPICS {
        let mut channel = channel(Some(address), description, &of_channel[name]);
        channel["servers"] = json!([reference("servers/broker")]);
        channel["bindings"] = json!({ "mqtt": { "bindingVersion": "0.2.0" } });
        channels.insert(name.to_owned(), channel);
        let summary = format!("Publishes to `{address}`.");
        let mut operation = operation("send", name, &of_channel[name], &summary);
        operation["bindings"] = over_mqtt();
        operations.insert(format!("tell{}", wording::pascal_case(name)), operation);
    }
    let (name, receive) = PUBLISHED;
    channels["channel"]["messages"][name] = reference(&format!("components/messages/{name}"));
    operations.insert(receive.to_owned(), receive_published());
    let (description, sent) = ("The URL of a webhook.", &of_channel["webhook"]);
    channels.insert("webhook".to_owned(), channel(None, description, sent));
    let summary = "Sends events to the URL of a webhook by POST.";
    let mut webhook = operation("send", "webhook", sent, summary);
    webhook["bindings"] = json!({ "http": { "method": "POST", "bindingVersion": "0.3.0" } });
    operations.insert("sendWebhook".to_owned(), webhook);
    let document = json!({
        "asyncapi": "3.0.0",
        "info": info(),
        "defaultContentType": "application/json",
        "servers": { "broker": broker() },
        "channels": channels,
        "operations": operations,
        "components": {
            "messages": messages,
            "schemas": schemas.into_components(),
            "securitySchemes": { "apiKey": {
                "type": "userPassword",
                "description": "The password is the account's API key, the username its id.",
            } },
        },
    });
    let text = serde_json::to_string_pretty(&document);
    text.expect("keys are strings and numbers are finite") + "\n"
}

/// Messages and channels, collected from the kinds of events.
#[derive(Default)]
struct Parts {
    schemas: Schemas,
    messages: Map<String, Value>,
    /// The names of messages by channel.
    of_channel: BTreeMap<&'static str, Vec<String>>,
}

impl KindVisitor for Parts {
    fn visit<T: JsonSchema>(&mut self, kind: &'static str, doc: &'static str) {
        self.add_kind(ErasedType::of::<T>(), kind, doc);
    }
}

impl Parts {
    /// Adds a kind of events: as sent on a topic, and by webhooks if they receive it.
    fn add_kind(&mut self, data: ErasedType, kind: &str, doc: &str) {
        let topic = if kind == "direct_message" { "directMessages" } else { "notifications" };
        let sample = WebhookEvent::sample(kind).expect("each kind has a sample").data();
        self.add_topic(data, topic, kind, doc, (Some(SAMPLE_SEQ), sample.into()));
        if webhook::is_sent(kind) {
            let name = format!("{}Webhook", wording::camel_case(&wording::pascal_case(kind)));
            let payload = webhook::body(&mut self.schemas, data, kind, doc);
            let message = json!({
                "name": kind,
                "title": doc.trim_end_matches('.'),
                "contentType": "application/json",
                "headers": headers(),
                "payload": { "$ref": payload.ref_location },
                "examples": [{ "payload": webhook::sample(kind) }],
            });
            self.add("webhook", name, message);
        }
    }

    /// Adds a kind as sent on a topic: the envelope around its data. The sample is the number that its events
    /// have, if they are numbered, and the data of one.
    fn add_topic(
        &mut self,
        data: ErasedType,
        topic: &'static str,
        kind: &str,
        doc: &str,
        (seq, sample): (Option<u64>, Value),
    ) {
        let (data, _) = self.schemas.answer(data);
        let mut members = vec![(
            "id",
            self.schemas.inline::<EventId>("The event's id, the same in every delivery."),
        )];
        if seq.is_some() {
            members.push(("seq", json!({ "type": "integer", "minimum": 1, "description": "Sequence number, without gaps." })));
        }
        members.push((
            "event",
            json!({ "type": "string", "enum": [kind], "description": "Kind of the event." }),
        ));
        members.push(("timestamp", self.schemas.inline::<Timestamp>("When it happened.")));
        members.push((
            "data",
            json!({ "$ref": data.ref_location, "description": "Data of the event." }),
        ));
        let name = wording::pascal_case(kind);
        let payload = self.schemas.add_object(&format!("{name}Event"), doc, &members);
        let message = json!({
            "name": kind,
            "title": doc.trim_end_matches('.'),
            "contentType": "application/json",
            "headers": user_properties(),
            "payload": { "$ref": payload.ref_location },
            "examples": [{ "payload": envelope(kind, seq, &sample) }],
        });
        self.add(topic, wording::camel_case(&name), message);
    }

    /// Adds the topic of a channel, whose messages have their own numbers.
    fn add_channel(&mut self) {
        let (sent, deleted) = ("A message of a channel.", "A message of a channel was deleted.");
        let (seq, sample) = (Some(SAMPLE_SEQ), sample_message());
        let ids = json!({ "channelId": sample["channelId"], "messageId": sample["messageId"] });
        let message = ErasedType::of::<ChannelMessage>();
        self.add_topic(message, "channel", "channel_message", sent, (seq, sample));
        let message = ErasedType::of::<ChannelMessageDeletedData>();
        self.add_topic(message, "channel", "channel_message_deleted", deleted, (seq, ids));
    }

    /// Adds the global feed. It belongs to no account, so its events have no number.
    fn add_feed(&mut self) {
        let published = "A top-level post was published. A long text is cut and marked as such.";
        let sample = sample_of(GetPost::NAME, "post");
        let id = json!({ "postId": sample["id"] });
        let post = ErasedType::of::<Post>();
        self.add_topic(post, "globalFeed", "post", published, (None, sample));
        let deleted = "A top-level post was deleted.";
        let post = ErasedType::of::<PostDeletedData>();
        self.add_topic(post, "globalFeed", "post_deleted", deleted, (None, id));
    }

    /// Adds what members publish to a channel: the body of the endpoint that sends a message to it.
    fn add_published(&mut self) {
        let declared = Declaration::of::<PostChannelMessage>();
        let mut fields = self.schemas.fields(PostChannelMessage::json_schema);
        for name in path_parameters(declared.path) {
            fields.schemas.remove(name);
            fields.required.retain(|required| required != name);
        }
        let mut sample = sample_message();
        if let Some(members) = sample.as_object_mut() {
            members.retain(|name, _| fields.schemas.contains_key(name));
        }
        let (title, _) = wording::summary_and_details(declared.doc);
        let payload = self.schemas.add_body(declared.name, &title, fields, declared.strict);
        let (name, _) = PUBLISHED;
        let message = json!({
            "name": name,
            "title": title,
            "contentType": "application/json",
            "payload": { "$ref": payload.ref_location },
            "examples": [{ "payload": sample }],
        });
        self.messages.insert(name.to_owned(), message);
    }

    fn add(&mut self, channel: &'static str, name: String, message: Value) {
        self.messages.insert(name.clone(), message);
        self.of_channel.entry(channel).or_default().push(name);
    }
}

/// A sample message as it is sent on a topic.
fn envelope(kind: &str, seq: Option<u64>, data: &Value) -> Value {
    let (id, timestamp) = (EventId::from_number(SAMPLE_ID), webhook::sample_time());
    let mut envelope = json!({ "id": id, "event": kind, "timestamp": timestamp, "data": data });
    if let Some(seq) = seq {
        envelope["seq"] = seq.into();
    }
    envelope
}

fn sample_message() -> Value {
    sample_of(GetChannelMessage::NAME, "message")
}

/// A member of the sample answer of an endpoint.
fn sample_of(endpoint: &str, member: &str) -> Value {
    samples::answer(endpoint).expect("each endpoint has a sample")[member].take()
}

fn reference(place: &str) -> Value {
    json!({ "$ref": format!("#/{place}") })
}

/// A channel of messages; one without an address is known at run time.
fn channel(address: Option<&str>, description: &str, messages: &[String]) -> Value {
    let refer = |name: &String| (name.clone(), reference(&format!("components/messages/{name}")));
    let messages: Map<String, Value> = messages.iter().map(refer).collect();
    let parts = address.unwrap_or_default().split('/');
    let names = parts.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameters: Map<String, Value> = names
        .map(|name| {
            (name.to_owned(), json!({ "description": "An id, as returned by `GET /v1/connect`." }))
        })
        .collect();
    let mut channel =
        json!({ "address": address, "description": description, "messages": messages });
    if !parameters.is_empty() {
        channel["parameters"] = parameters.into();
    }
    channel
}

/// An operation of the platform, which sends or receives these messages of a channel.
fn operation(action: &str, channel: &str, messages: &[String], summary: &str) -> Value {
    let refer = |name: &String| reference(&format!("channels/{channel}/messages/{name}"));
    json!({
        "action": action,
        "channel": reference(&format!("channels/{channel}")),
        "messages": messages.iter().map(refer).collect::<Vec<_>>(),
        "summary": summary,
    })
}

/// The operation that takes what members publish.
fn receive_published() -> Value {
    let (name, _) = PUBLISHED;
    let summary = "Takes what a member publishes to `svc/channels/{channelId}`.";
    let mut operation = operation("receive", "channel", &[name.to_owned()], summary);
    operation["description"] = "Only if `channelPublish` of `GET /v1/connect` is `mqtt`. The message is checked, limited and \
        stored as by `POST /channels/{channelId}/messages`, and its `channelMessage` reaches every subscriber, the sender \
        too. MQTT 5 says in the reason code of PUBACK why one was refused: 0x80 the server can't store it now, 0x87 not \
        allowed, 0x97 too many, 0x99 no such body. With MQTT 3.1.1 the connection ends if the message was not allowed or \
        can't be stored now; otherwise it is dropped."
        .into();
    operation["bindings"] = over_mqtt();
    operation
}

fn over_mqtt() -> Value {
    json!({ "mqtt": { "qos": 1, "retain": false, "bindingVersion": "0.2.0" } })
}

/// The headers of a webhook as one schema.
fn headers() -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, is_always, mut schema, description) in webhook::headers() {
        schema["description"] = description.into();
        let name = wording::header_case(name);
        if is_always {
            required.push(name.clone());
        }
        properties.insert(name, schema);
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The user properties of a message in MQTT 5. The binding for MQTT has no place for them (version 0.2.0), and
/// headers are what an application adds to a message.
fn user_properties() -> Value {
    json!({ "type": "object", "properties": { "traceparent": {
        "type": "string",
        "pattern": "^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$",
        "description": "The trace that the event belongs to (W3C Trace Context), if it is known. It is a user property of MQTT 5; MQTT 3.1.1 has no place for it.",
    } } })
}

fn info() -> Value {
    json!({
        "title": "svc events",
        "version": interface::VERSION,
        interface::SERVER_VERSION: env!("CARGO_PKG_VERSION"),
        "description": include_str!("asyncapi.md").trim_end(),
        "contact": { "name": "svc", "url": env!("CARGO_PKG_REPOSITORY") },
        "license": { "name": env!("CARGO_PKG_LICENSE") },
    })
}

fn broker() -> Value {
    json!({
        "host": "localhost:1883",
        "protocol": "mqtt",
        "description": "MQTT 3.1.1 and 5. `GET /v1/connect` returns the address of a deployment.",
        "security": [reference("components/securitySchemes/apiKey")],
        "bindings": { "mqtt": { "cleanSession": true, "keepAlive": 60, "bindingVersion": "0.2.0" } },
    })
}
