//! Events by kind, each with its data.

use std::convert::Infallible;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::data::{
    EscrowData, FollowData, LikeData, MentionData, ModerationData, QuoteData, ReplyData,
    RepostData, ServiceData, SystemData,
};
use super::{Event, EventData};
use crate::api::messages::Message;
use crate::time::Timestamp;

/// Looks at the kinds of events.
pub trait KindVisitor {
    /// Looks at a kind: its name, what it says, and the type of its data.
    fn visit<T: JsonSchema>(&mut self, kind: &'static str, doc: &'static str);
}

/// Declares the kinds of events, with the type of their data.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])+ $variant:ident($data:ty) = $kind:literal;)+) => {
        /// Something that happened to an account, by kind (spec §6).
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        #[expect(clippy::large_enum_variant, reason = "messages are what most events bring")]
        pub enum WebhookEvent {
            $($(#[doc = $doc])+ $variant($data),)+
            /// A kind of a newer server.
            #[non_exhaustive]
            Unknown {
                /// Its name.
                kind: String,
                /// What it tells.
                data: Map<String, Value>,
            },
        }

        impl WebhookEvent {
            /// Every kind of this version.
            pub const KINDS: &'static [&'static str] = &[$($kind),+];

            /// Reads the data of an event, which is JSON.
            ///
            /// Data of a known kind without a member that kind must have is an error.
            pub fn parse(kind: &str, data: &str) -> serde_json::Result<Self> {
                Ok(match kind {
                    $($kind => Self::$variant(serde_json::from_str(data)?),)+
                    other => Self::Unknown {
                        kind: other.to_owned(),
                        data: serde_json::from_str(data)?,
                    },
                })
            }

            /// Shows each kind with the type of its data, in the order of [`KINDS`](Self::KINDS).
            pub fn visit(visitor: &mut impl KindVisitor) {
                $(visitor.visit::<$data>($kind, concat!($($doc),+).trim_ascii());)+
            }

            /// Its kind, as `event` names it.
            pub fn kind(&self) -> &str {
                match self {
                    $(Self::$variant(_) => $kind,)+
                    Self::Unknown { kind, .. } => kind,
                }
            }

            /// The body of the webhook that brings it, byte by byte.
            pub fn webhook_body(&self, timestamp: Timestamp) -> String {
                body(self.kind(), timestamp, &self.data())
            }

            /// Its data as JSON.
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

                /// The data of this one kind; an event of another kind is given back.
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
    /// Somebody follows you.
    Follow(FollowData) = "follow";
    /// Somebody likes a post of yours.
    Like(LikeData) = "like";
    /// Somebody reposts a post of yours.
    Repost(RepostData) = "repost";
    /// Somebody answers a post of yours.
    Reply(ReplyData) = "reply";
    /// A post names you.
    Mention(MentionData) = "mention";
    /// Somebody writes to you.
    DirectMessage(Message) = "direct_message";
    /// An escrow of yours moved.
    Escrow(EscrowData) = "escrow";
    /// An order of yours ended.
    Service(ServiceData) = "service";
    /// Somebody quotes a post of yours; never sent to a webhook.
    Quote(QuoteData) = "quote";
    /// Moderators did something about what is yours; never sent to a webhook.
    Moderation(ModerationData) = "moderation";
    /// The operator or the server tells you something; never sent to a webhook.
    System(SystemData) = "system";
}

/// Lets every event be asked for where one kind may be.
impl From<Infallible> for WebhookEvent {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// What is known to be an object, as one.
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
    /// The bytes that travel and are signed.
    pub fn bytes(&self) -> String {
        body(&self.event, self.timestamp, &self.data)
    }
}

impl Event {
    /// The body that a webhook carries of this event, byte by byte.
    pub fn webhook_body(&self) -> String {
        body(&self.event, self.timestamp, &self.data)
    }

    /// The event by kind.
    pub fn typed(&self) -> serde_json::Result<WebhookEvent> {
        WebhookEvent::parse(&self.event, self.data.text())
    }
}

/// The one form of a webhook's body: `event`, `timestamp`, `data`, without space.
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
