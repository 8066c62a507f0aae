//! What the codec reads, for fuzzers.

use bytes::{Bytes, BytesMut};

use crate::wire::service::Answer;
use crate::wire::{Connect, Frame, Packet, Version};

/// A packet that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// The first packet of a client.
    Connect {
        /// Whether its version is 5.0, otherwise 3.1.1.
        is_five: bool,
        /// Its id.
        client_id: String,
        /// Its user name.
        username: Option<String>,
        /// Its password.
        password: Option<String>,
        /// Whether an earlier session is discarded.
        clean: bool,
        /// Seconds between its packets.
        keep_alive: u16,
        /// Topic, payload, `QoS` and retain flag of its will.
        will: Option<(String, Bytes, u8, bool)>,
    },
    /// A message.
    Publish {
        /// Where it goes.
        topic: String,
        /// What it says.
        payload: Bytes,
        /// Its id, at `QoS` 1.
        packet_id: Option<u16>,
    },
    /// Subscriptions: each topic, and whether its messages are acknowledged.
    Subscribe(u16, Vec<(String, bool)>),
    /// The topics of subscriptions that end.
    Unsubscribe(u16, Vec<String>),
    /// An acknowledgement.
    PublishAck(u16),
    /// A sign of life.
    Ping,
    /// The end, and whether the will is published all the same.
    Disconnect(bool),
}

/// What is read of the bytes of a client, and the reason code with which its connection would end.
pub fn read(bytes: &[u8]) -> (Vec<Read>, Option<u8>) {
    let (mut buffer, mut read, mut version) = (BytesMut::from(bytes), Vec::new(), None);
    loop {
        let frame = match Frame::take(&mut buffer) {
            Ok(Some(frame)) => frame,
            Ok(None) => return (read, None),
            Err(reason) => return (read, Some(reason.code())),
        };
        let packet = match version {
            None => Connect::read(&frame).map_err(|refused| refused.reason).map(|connect| {
                version = Some(connect.version);
                Read::from(connect)
            }),
            Some(version) => Packet::read(&frame, version).map(Read::from),
        };
        match packet {
            Ok(packet) => read.push(packet),
            Err(reason) => return (read, Some(reason.code())),
        }
    }
}

/// The number of packets that are read of the bytes of an external broker, in the version of which it is
/// more.
pub fn read_of_broker(bytes: &[u8]) -> usize {
    let read = |version| {
        let mut buffer = BytesMut::from(bytes);
        let frames = std::iter::from_fn(|| Frame::take(&mut buffer).ok().flatten());
        frames.map_while(|frame| Answer::read(&frame, version).ok()).count()
    };
    read(Version::Three).max(read(Version::Five))
}

impl From<Connect> for Read {
    fn from(connect: Connect) -> Self {
        Self::Connect {
            is_five: connect.version == Version::Five,
            client_id: connect.client_id,
            username: connect.username,
            password: connect.password,
            clean: connect.clean,
            keep_alive: connect.keep_alive,
            will: connect.will.map(|will| (will.topic, will.payload, will.qos, will.retain)),
        }
    }
}

impl From<Packet> for Read {
    fn from(packet: Packet) -> Self {
        match packet {
            Packet::Publish(publish) => Self::Publish {
                topic: publish.topic,
                payload: publish.payload,
                packet_id: publish.packet_id,
            },
            Packet::PublishAck(id) => Self::PublishAck(id),
            Packet::Subscribe { packet_id, filters, .. } => {
                let filters = filters.into_iter().map(|filter| (filter.topic, filter.acknowledged));
                Self::Subscribe(packet_id, filters.collect())
            }
            Packet::Unsubscribe { packet_id, filters } => Self::Unsubscribe(packet_id, filters),
            Packet::Ping => Self::Ping,
            Packet::Disconnect { with_will, .. } => Self::Disconnect(with_will),
        }
    }
}
