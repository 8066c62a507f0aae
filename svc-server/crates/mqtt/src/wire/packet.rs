//! The packets of a connected client.

use bytes::Bytes;

use super::fields::Fields;
use super::properties::{self, Properties};
use super::{Frame, Reason, Version};

/// A packet of a connected client.
#[derive(Debug)]
pub(crate) enum Packet {
    Publish(Publish),
    /// Acknowledges the message with this packet id.
    PublishAck(u16),
    Subscribe {
        packet_id: u16,
        filters: Vec<Filter>,
        /// Whether it has a subscription identifier.
        has_id: bool,
    },
    Unsubscribe {
        packet_id: u16,
        filters: Vec<String>,
    },
    Ping,
    Disconnect {
        /// Whether the will message is published all the same.
        with_will: bool,
        /// A new session expiry.
        expiry: Option<u32>,
    },
}

/// A message of a client.
#[derive(Debug)]
pub(crate) struct Publish {
    pub(crate) topic: String,
    pub(crate) payload: Bytes,
    /// `None` at QoS 0.
    pub(crate) packet_id: Option<u16>,
}

/// A topic filter of a SUBSCRIBE.
#[derive(Debug)]
pub(crate) struct Filter {
    pub(crate) topic: String,
    /// Whether messages are acknowledged: QoS 1, or 2, which is granted as 1.
    pub(crate) acknowledged: bool,
}

impl Packet {
    /// Decodes a packet; an invalid one ends the connection with this reason.
    pub(crate) fn read(frame: &Frame, version: Version) -> Result<Self, Reason> {
        let mut fields = Fields(&frame.body);
        let read = match (frame.kind, frame.flags) {
            (3, flags) => {
                return publish(flags, &mut fields, version, &frame.body).map(Self::Publish);
            }
            (4, 0) => ack(&mut fields, version)?,
            (8, 2) => subscribe(&mut fields, version)?,
            (10, 2) => unsubscribe(&mut fields, version)?,
            (12, 0) => Self::Ping,
            (14, 0) => disconnect(&mut fields, version)?,
            // A second CONNECT, server packets, and acknowledgements of QoS 2, which is not granted.
            (1 | 2 | 5 | 6 | 7 | 9 | 11 | 13 | 15, _) => return Err(Reason::Protocol),
            _ => return Err(Reason::Malformed),
        };
        if fields.is_empty() { Ok(read) } else { Err(Reason::Malformed) }
    }
}

fn publish(
    flags: u8,
    fields: &mut Fields<'_>,
    version: Version,
    body: &Bytes,
) -> Result<Publish, Reason> {
    let (qos, retain) = (flags >> 1 & 0b11, flags & 1 != 0);
    let topic = fields.text()?.to_owned();
    let packet_id = match qos {
        0 => None,
        1 => Some(fields.packet_id()?),
        2 => return Err(Reason::Qos),
        _ => return Err(Reason::Malformed),
    };
    if retain {
        return Err(Reason::Retain);
    }
    if version == Version::Five && Properties::read(fields, properties::OF_PUBLISH)?.has_topic_alias
    {
        return Err(Reason::TopicAlias);
    }
    if topic.is_empty() {
        return Err(Reason::Protocol);
    }
    Ok(Publish { topic, payload: body.slice_ref(fields.0), packet_id })
}

fn ack(fields: &mut Fields<'_>, version: Version) -> Result<Packet, Reason> {
    let id = fields.packet_id()?;
    if version == Version::Five && !fields.is_empty() {
        fields.byte()?;
        if !fields.is_empty() {
            Properties::read(fields, properties::OF_ACK)?;
        }
    }
    Ok(Packet::PublishAck(id))
}

fn subscribe(fields: &mut Fields<'_>, version: Version) -> Result<Packet, Reason> {
    let packet_id = fields.packet_id()?;
    let has_id = version == Version::Five
        && Properties::read(fields, properties::OF_SUBSCRIBE)?.has_subscription_id;
    let mut filters = Vec::new();
    while !fields.is_empty() {
        let topic = fields.text()?.to_owned();
        let options = fields.byte()?;
        let is_sound = match version {
            Version::Three => options < 3,
            Version::Five => options & 0b11 < 3 && options >> 4 & 0b11 < 3 && options < 0x40,
        };
        if !is_sound {
            return Err(Reason::Malformed);
        }
        filters.push(Filter { topic, acknowledged: options & 0b11 > 0 });
    }
    if filters.is_empty() {
        return Err(Reason::Protocol);
    }
    Ok(Packet::Subscribe { packet_id, filters, has_id })
}

fn unsubscribe(fields: &mut Fields<'_>, version: Version) -> Result<Packet, Reason> {
    let packet_id = fields.packet_id()?;
    if version == Version::Five {
        Properties::read(fields, properties::OF_UNSUBSCRIBE)?;
    }
    let mut filters = Vec::new();
    while !fields.is_empty() {
        filters.push(fields.text()?.to_owned());
    }
    if filters.is_empty() {
        return Err(Reason::Protocol);
    }
    Ok(Packet::Unsubscribe { packet_id, filters })
}

fn disconnect(fields: &mut Fields<'_>, version: Version) -> Result<Packet, Reason> {
    let (mut with_will, mut expiry) = (false, None);
    if version == Version::Five && !fields.is_empty() {
        // Only a normal disconnection discards the will message.
        with_will = fields.byte()? != Reason::Normal.code();
        if !fields.is_empty() {
            expiry = Properties::read(fields, properties::OF_DISCONNECT)?.session_expiry;
        }
    }
    Ok(Packet::Disconnect { with_will, expiry })
}
