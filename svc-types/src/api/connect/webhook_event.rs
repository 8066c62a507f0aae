//! Events by kind, each with its data.

use std::convert::Infallible;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::data::{
    BillingData, EscrowData, FollowData, LikeData, MentionData, ModerationData, OrderData,
    QuoteData, ReplyData, RepostData, ServiceData, SystemData,
};
use super::{Event, EventData};
use crate::api::messages::Message;
use crate::api::security::SecurityEntry;
use crate::time::Timestamp;

/// Visits the kinds of events.
pub trait KindVisitor {
    /// Visits a kind: its name, its description, and the type of its data.
    fn visit<T: JsonSchema>(&mut self, kind: &'static str, doc: &'static str);
}

/// Declares the kinds of events, with the type of their data.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $variant:ident($data:ty) = $kind:literal;)+) => {
        /// An event of an account, by kind (spec §6).
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum WebhookEvent {
            $($(#[doc = $doc])+ $variant($data),)+
            /// A kind of a newer server.
            #[non_exhaustive]
            Unknown {
                /// The name of the kind.
                kind: String,
                /// The data of the event.
                data: Map<String, Value>,
            },
        }

        impl WebhookEvent {
            /// Every kind of this version.
            pub const KINDS: &'static [&'static str] = &[$($kind),+];

            /// Parses the JSON data of an event.
            ///
            /// A missing member of a known kind is an error.
            pub fn parse(kind: &str, data: &str) -> serde_json::Result<Self> {
                Ok(match kind {
                    $($kind => Self::$variant(serde_json::from_str(data)?),)+
                    other => Self::Unknown {
                        kind: other.to_owned(),
                        data: serde_json::from_str(data)?,
                    },
                })
            }

            /// Calls `visitor` with each kind and the type of its data, in the order of
            /// [`KINDS`](Self::KINDS).
            pub fn visit(visitor: &mut impl KindVisitor) {
                $(visitor.visit::<$data>($kind, concat!($($doc),+).trim_ascii());)+
            }

            /// The kind, as in `event`.
            pub fn kind(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $kind,)+
                    Self::Unknown { kind, .. } => kind,
                }
            }

            /// The body of the webhook that carries it, byte for byte.
            pub fn webhook_body(&self, timestamp: Timestamp) -> String {
                body(self.kind(), timestamp, &self.data())
            }

            /// The data as JSON.
            pub fn data(&self) -> EventData {
                let members = match self {
                    $(Self::$variant(data) => members(data),)+
                    Self::Unknown { data, .. } => data.clone(),
                };
                members.into()
            }
        }

        $(
            impl From<$data> for WebhookEvent {
                fn from(data: $data) -> Self {
                    Self::$variant(data)
                }
            }

            impl TryFrom<WebhookEvent> for $data {
                type Error = WebhookEvent;

                /// Extracts the data of one kind; returns an event of another kind unchanged.
                fn try_from(event: WebhookEvent) -> Result<Self, WebhookEvent> {
                    match event {
                        WebhookEvent::$variant(data) => Ok(data),
                        other => Err(other),
                    }
                }
            }
        )+
    };
}

kinds! {
    /// An account follows you.
    Follow(FollowData) = "follow";
    /// An account likes your post.
    Like(LikeData) = "like";
    /// An account reposts your post.
    Repost(RepostData) = "repost";
    /// An account replies to your post.
    Reply(ReplyData) = "reply";
    /// A post mentions you.
    Mention(MentionData) = "mention";
    /// An account sends you a direct message.
    DirectMessage(Message) = "direct_message";
    /// Your escrow changed its state.
    Escrow(EscrowData) = "escrow";
    /// Your order ended.
    Service(ServiceData) = "service";
    /// Something happened to your order before its end, or to a sample of it.
    Order(OrderData) = "order";
    /// The status of a payment, refund, dispute, subscription or payout changed: yours, or that of an agent
    /// you own.
    Billing(BillingData) = "billing";
    /// An account quotes your post; never sent to a webhook.
    Quote(QuoteData) = "quote";
    /// A moderator acted on your account or content; never sent to a webhook.
    Moderation(ModerationData) = "moderation";
    /// A message from the operator or the server; never sent to a webhook.
    System(SystemData) = "system";
    /// Something happened to your credentials, or to those of an agent you own; never sent to a
    /// webhook.
    Security(SecurityEntry) = "security";
}

/// Lets code that accepts one kind accept every event.
impl From<Infallible> for WebhookEvent {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Converts a value that is known to be an object.
fn members(data: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(data) {
        Ok(Value::Object(members)) => members,
        _ => unreachable!("the data of an event is an object with text keys"),
    }
}

/// The body of a webhook (spec §6.1).
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(not(feature = "constructible"), non_exhaustive)]
pub struct WebhookBody {
    /// The kind of the event.
    pub event: String,
    /// When it happened.
    pub timestamp: Timestamp,
    /// What happened.
    pub data: EventData,
}

impl WebhookBody {
    /// The bytes that are sent and signed.
    pub fn bytes(&self) -> String {
        body(&self.event, self.timestamp, &self.data)
    }
}

impl Event {
    /// The body of the webhook that carries this event, byte for byte.
    pub fn webhook_body(&self) -> String {
        body(&self.event, self.timestamp, &self.data)
    }

    /// The event by kind.
    pub fn typed(&self) -> serde_json::Result<WebhookEvent> {
        WebhookEvent::parse(&self.event, self.data.text())
    }
}

/// The format of a webhook body: `event`, `timestamp`, `data`, without whitespace.
fn body(kind: &str, timestamp: Timestamp, data: &EventData) -> String {
    let kind = Value::from(kind);
    format!(r#"{{"event":{kind},"timestamp":"{timestamp}","data":{}}}"#, data.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENVELOPE: &str = concat!(
        r#"{"id":"evt_1","seq":42,"event":"like","timestamp":"2026-01-02T03:04:05.678Z","#,
        r#""data":{ "postId": "post_1","actorId":"usr_1",  "actorUsername":"\u0061da","more":1}}"#,
    );

    #[test]
    fn an_event_gives_its_body_byte_by_byte() {
        let event: Event = serde_json::from_str(ENVELOPE).unwrap();
        let body = event.webhook_body();
        assert_eq!(ENVELOPE, [r#"{"id":"evt_1","seq":42,"#, &body[1..]].concat());
        assert_eq!(serde_json::to_string(&event).unwrap(), ENVELOPE);
        let read: WebhookBody = serde_json::from_str(&body).unwrap();
        assert_eq!(read.bytes(), body);
        assert_eq!(event.data["actorUsername"], "ada");
        assert_eq!(event.data["more"], 1);
    }

    #[test]
    fn data_is_typed_by_its_kind() {
        let event: Event = serde_json::from_str(ENVELOPE).unwrap();
        let typed = event.typed().unwrap();
        assert_eq!(typed.kind(), "like");
        let like = LikeData::try_from(typed.clone()).unwrap();
        assert_eq!((like.post_id.as_str(), like.actor_username.as_str()), ("post_1", "ada"));
        assert_eq!(FollowData::try_from(typed.clone()), Err(typed));
        assert!(WebhookEvent::parse("like", "{}").is_err());
    }

    #[test]
    fn a_kind_of_a_newer_server_is_kept() {
        let event = WebhookEvent::parse("wave", r#"{"hand":"left"}"#).unwrap();
        let WebhookEvent::Unknown { kind, data } = &event else { panic!("{event:?}") };
        assert_eq!((kind.as_str(), &data["hand"]), ("wave", &"left".into()));
        assert_eq!(event.data().text(), r#"{"hand":"left"}"#);
    }

    #[test]
    fn data_must_be_an_object() {
        let text = r#"{"event":"like","timestamp":"2026-01-02T03:04:05.678Z","data":[]}"#;
        assert!(serde_json::from_str::<WebhookBody>(text).is_err());
    }
}
