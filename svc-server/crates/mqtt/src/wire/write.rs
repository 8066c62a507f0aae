//! Packets from the server to a client.

use bytes::{BufMut, BytesMut};
use svc_store::trace;

use super::properties::{
    CLIENT_ID, KEEP_ALIVE, PACKET_MAXIMUM, QOS_MAXIMUM, REASON_TEXT, RECEIVE_MAXIMUM,
    RETAIN_AVAILABLE, SESSION_EXPIRY, SHARED_AVAILABLE, SUBSCRIPTION_IDS_AVAILABLE,
    TOPIC_ALIAS_MAXIMUM, USER, WILDCARDS_AVAILABLE,
};
use super::{Reason, Version};
use crate::PACKET_BYTES_MAX;

/// Messages that a client may send before the first is acknowledged.
const PUBLISHES_MAX: u16 = 20;

/// Properties that say what the broker lacks: QoS 2, retained messages, wildcards, subscription ids, shared
/// subscriptions and topic aliases.
const LACKS: [u8; 13] = [
    QOS_MAXIMUM,
    1,
    RETAIN_AVAILABLE,
    0,
    WILDCARDS_AVAILABLE,
    0,
    SUBSCRIPTION_IDS_AVAILABLE,
    0,
    SHARED_AVAILABLE,
    0,
    TOPIC_ALIAS_MAXIMUM,
    0,
    0,
];

/// The content of a CONNACK for an accepted client.
pub(crate) struct Accepted<'a> {
    /// Whether it resumes an earlier session.
    pub(crate) session_present: bool,
    /// The assigned client id.
    pub(crate) client_id: Option<&'a str>,
    /// The keep-alive in seconds, if it differs from the requested one.
    pub(crate) keep_alive: Option<u16>,
    /// The session expiry, if it differs from the requested one.
    pub(crate) expiry: Option<u32>,
}

/// Writes the CONNACK of an accepted client.
pub(crate) fn accept(out: &mut BytesMut, version: Version, accepted: &Accepted<'_>) {
    if version == Version::Three {
        out.put_slice(&[0x20, 2, accepted.session_present.into(), 0]);
        return;
    }
    let mut properties = BytesMut::new();
    properties.put_slice(&LACKS);
    properties.put_u8(RECEIVE_MAXIMUM);
    properties.put_u16(PUBLISHES_MAX);
    properties.put_u8(PACKET_MAXIMUM);
    properties.put_u32(u32::try_from(PACKET_BYTES_MAX).unwrap_or(u32::MAX));
    if let Some(seconds) = accepted.keep_alive {
        properties.put_u8(KEEP_ALIVE);
        properties.put_u16(seconds);
    }
    if let Some(seconds) = accepted.expiry {
        properties.put_u8(SESSION_EXPIRY);
        properties.put_u32(seconds);
    }
    if let Some(id) = accepted.client_id {
        properties.put_u8(CLIENT_ID);
        put_text(&mut properties, id);
    }
    connect_ack(out, [accepted.session_present.into(), 0], &properties);
}

/// Writes the CONNACK of a refused client, with a text for people if the client has room for it.
pub(crate) fn refuse(out: &mut BytesMut, version: Version, reason: Reason, explains: bool) {
    if version == Version::Three {
        out.put_slice(&[0x20, 2, 0, reason.refusal_of_three()]);
        return;
    }
    let mut properties = BytesMut::new();
    if let Some(text) = reason.text().filter(|_| explains) {
        properties.put_u8(REASON_TEXT);
        put_text(&mut properties, text);
    }
    connect_ack(out, [0, reason.code()], &properties);
}

/// Writes a CONNACK of MQTT 5 with these flags and reason.
fn connect_ack(out: &mut BytesMut, flags_and_reason: [u8; 2], properties: &[u8]) {
    put_head(out, 0x20, 2 + length_bytes(properties.len()) + properties.len());
    out.put_slice(&flags_and_reason);
    put_length(out, properties.len());
    out.put_slice(properties);
}

/// Writes a SUBACK: for each filter whether it is acknowledged, or why it is refused.
pub(crate) fn subscribe_ack(
    out: &mut BytesMut,
    version: Version,
    packet_id: u16,
    granted: &[Result<bool, Reason>],
) {
    let code = |granted: &Result<bool, Reason>| match granted {
        Ok(acknowledged) => u8::from(*acknowledged),
        Err(_) if version == Version::Three => Reason::Unspecified.code(),
        Err(reason) => reason.code(),
    };
    let empty = usize::from(version == Version::Five);
    put_head(out, 0x90, 2 + empty + granted.len());
    out.put_u16(packet_id);
    out.put_bytes(0, empty);
    out.extend(granted.iter().map(code));
}

/// Writes an UNSUBACK: for each filter whether there was such a subscription.
pub(crate) fn unsubscribe_ack(
    out: &mut BytesMut,
    version: Version,
    packet_id: u16,
    existed: &[bool],
) {
    if version == Version::Three {
        out.put_slice(&[0xB0, 2]);
        out.put_u16(packet_id);
        return;
    }
    let code = |existed: &bool| {
        if *existed { Reason::Normal.code() } else { Reason::NoSubscription.code() }
    };
    put_head(out, 0xB0, 3 + existed.len());
    out.put_u16(packet_id);
    out.put_u8(0);
    out.extend(existed.iter().map(code));
}

/// Writes a PUBACK. 3.1.1 has no code for a refusal.
pub(crate) fn publish_ack(out: &mut BytesMut, version: Version, packet_id: u16, reason: Reason) {
    let with_reason = version == Version::Five && reason != Reason::Normal;
    out.put_slice(&[0x40, if with_reason { 3 } else { 2 }]);
    out.put_u16(packet_id);
    if with_reason {
        out.put_u8(reason.code());
    }
}

/// The content of a PUBLISH.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Content<'a> {
    pub(crate) topic: &'a str,
    pub(crate) payload: &'a [u8],
    /// The header `traceparent` of what it says; 3.1.1 has no place for it.
    pub(crate) trace: Option<&'a str>,
}

/// How a PUBLISH is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sending {
    /// At QoS 0: nobody acknowledges it.
    Once,
    /// At QoS 1, under this packet id.
    First(u16),
    /// Once more under its packet id.
    Again(u16),
}

impl Sending {
    const fn packet_id(self) -> Option<u16> {
        match self {
            Self::Once => None,
            Self::First(id) | Self::Again(id) => Some(id),
        }
    }
}

/// Writes a PUBLISH. Returns false and writes nothing if the packet is larger than the client accepts.
pub(crate) fn publish(
    out: &mut BytesMut,
    version: Version,
    content: Content<'_>,
    sending: Sending,
    most: usize,
) -> bool {
    let packet_id = sending.packet_id();
    let Content { topic, payload, trace } = content;
    let id = if packet_id.is_some() { 2 } else { 0 };
    let body = 2 + topic.len() + id + properties_bytes(version, trace) + payload.len();
    if 1 + length_bytes(body) + body > most {
        let bare = Content { trace: None, ..content };
        // A message is worth more than its trace.
        return trace.is_some() && publish(out, version, bare, sending, most);
    }
    let qos = u8::from(packet_id.is_some()) << 1;
    let again = u8::from(matches!(sending, Sending::Again(_))) << 3;
    put_head(out, 0x30 | qos | again, body);
    put_text(out, topic);
    if let Some(id) = packet_id {
        out.put_u16(id);
    }
    put_properties(out, version, trace);
    out.put_slice(payload);
    true
}

/// Writes the properties of a PUBLISH with their length, which 3.1.1 does not have.
fn put_properties(out: &mut BytesMut, version: Version, trace: Option<&str>) {
    match (version, trace) {
        (Version::Three, _) => {}
        (Version::Five, None) => out.put_u8(0),
        (Version::Five, Some(trace)) => {
            put_length(out, user_bytes(trace));
            out.put_u8(USER);
            put_text(out, trace::HEADER);
            put_text(out, trace);
        }
    }
}

const fn properties_bytes(version: Version, trace: Option<&str>) -> usize {
    match (version, trace) {
        (Version::Three, _) => 0,
        (Version::Five, None) => 1,
        (Version::Five, Some(trace)) => length_bytes(user_bytes(trace)) + user_bytes(trace),
    }
}

/// The user property: its id, and two texts with their lengths.
const fn user_bytes(trace: &str) -> usize {
    1 + 2 + trace::HEADER.len() + 2 + trace.len()
}

/// Writes a PINGRESP.
pub(crate) fn ping_response(out: &mut BytesMut) {
    out.put_slice(&[0xD0, 0]);
}

/// Writes a DISCONNECT with a reason; 3.1.1 has none for servers.
pub(crate) fn disconnect(out: &mut BytesMut, version: Version, reason: Reason) {
    if version == Version::Five {
        out.put_slice(&[0xE0, 2, reason.code(), 0]);
    }
}

pub(super) fn put_head(out: &mut BytesMut, first: u8, length: usize) {
    out.reserve(length + 5);
    out.put_u8(first);
    put_length(out, length);
}

fn put_length(out: &mut BytesMut, mut length: usize) {
    loop {
        let low = u8::try_from(length & 0x7F).expect("seven bits");
        length >>= 7;
        if length == 0 {
            out.put_u8(low);
            return;
        }
        out.put_u8(low | 0x80);
    }
}

const fn length_bytes(length: usize) -> usize {
    match length {
        0..0x80 => 1,
        0x80..0x4000 => 2,
        0x4000..0x20_0000 => 3,
        _ => 4,
    }
}

/// Writes a text of the server, which is shorter than 64 KiB: a topic, a client id or a setting.
pub(super) fn put_text(out: &mut BytesMut, text: &str) {
    out.put_u16(u16::try_from(text.len()).expect("texts of the server are short"));
    out.put_slice(text.as_bytes());
}
