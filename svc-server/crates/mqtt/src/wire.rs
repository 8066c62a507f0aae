//! The codec of MQTT 3.1.1 and 5: the packets that clients may send, the server's replies, and the
//! few packets that the server sends as a client of an external broker.
//!
//! Hand-written because each kind of invalid packet has its own reason code: packet ids of zero,
//! reserved flags, repeated properties, overlong lengths. No memory is reserved for a length that a
//! client only announces.

mod connect;
mod fields;
mod packet;
mod properties;
pub(super) mod service;
mod write;

pub(super) use connect::{Connect, Refused, Will};
pub(super) use packet::{Filter, Packet, Publish};
pub(super) use write::{
    Accepted, Content, Sending, accept, disconnect, ping_response, publish, publish_ack, refuse,
    subscribe_ack, unsubscribe_ack,
};

use bytes::{Buf, Bytes, BytesMut};

use crate::PACKET_BYTES_MAX;

/// Most bytes of a remaining length.
const LENGTH_BYTES_MAX: usize = 4;

/// Most bytes reserved ahead; the rest of an announced length must arrive first.
const RESERVE_MAX: usize = 16_384;

/// A protocol version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// 3.1.1, level 4.
    Three,
    /// 5.0, level 5.
    Five,
}

/// The reason codes of MQTT 5 §2.4 that are used here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Reason {
    Normal = 0x00,
    NoSubscription = 0x11,
    Unspecified = 0x80,
    Malformed = 0x81,
    Protocol = 0x82,
    Version = 0x84,
    ClientId = 0x85,
    BadLogin = 0x86,
    NotAuthorized = 0x87,
    Unavailable = 0x88,
    ShuttingDown = 0x8B,
    AuthMethod = 0x8C,
    KeepAlive = 0x8D,
    TakenOver = 0x8E,
    TopicAlias = 0x94,
    TooLarge = 0x95,
    Quota = 0x97,
    Administrative = 0x98,
    PayloadFormat = 0x99,
    Retain = 0x9A,
    Qos = 0x9B,
    SubscriptionIds = 0xA1,
}

impl Reason {
    /// The reason code of MQTT 5.
    pub(super) const fn code(self) -> u8 {
        self as u8
    }

    /// The return code in a CONNACK of 3.1.1.
    const fn refusal_of_three(self) -> u8 {
        match self {
            Self::Version => 1,
            Self::ClientId => 2,
            Self::Unavailable | Self::ShuttingDown | Self::Quota => 3,
            Self::BadLogin => 4,
            _ => 5,
        }
    }

    /// What a refused client of MQTT 5 is to change, for the people who read its log. It says nothing that the code
    /// does not.
    const fn text(self) -> Option<&'static str> {
        match self {
            Self::ClientId => {
                Some("the client id must be the account's id, or that with : and a name, or empty")
            }
            Self::BadLogin => {
                Some("the password must be an API key, and the username its account's id or empty")
            }
            Self::NotAuthorized => {
                Some("the key lacks a scope, the account is suspended, or the will is not allowed")
            }
            Self::Unavailable => Some("the server can't look at the login now; try again soon"),
            Self::ShuttingDown => Some("the server stops; connect again"),
            Self::Quota => Some("too many connections, of this account or in all; try again later"),
            Self::Retain => Some("a will can't be retained"),
            Self::Qos => Some("a will has QoS 0 or 1"),
            _ => None,
        }
    }
}

/// An undecoded packet.
#[derive(Debug)]
pub(super) struct Frame {
    /// Its type, 1 to 15.
    kind: u8,
    /// The lower half of its first byte.
    flags: u8,
    body: Bytes,
}

impl Frame {
    /// Takes the next complete packet from the buffer.
    pub(super) fn take(buffer: &mut BytesMut) -> Result<Option<Self>, Reason> {
        let Some((head, body)) = measure(buffer)? else { return Ok(None) };
        let whole = head + body;
        if whole > PACKET_BYTES_MAX {
            return Err(Reason::TooLarge);
        }
        if buffer.len() < whole {
            buffer.reserve((whole - buffer.len()).min(RESERVE_MAX));
            return Ok(None);
        }
        let first = buffer[0];
        buffer.advance(head);
        let body = buffer.split_to(body).freeze();
        Ok(Some(Self { kind: first >> 4, flags: first & 0x0F, body }))
    }
}

/// Sizes of the fixed header and the body, once the header is complete.
fn measure(buffer: &[u8]) -> Result<Option<(usize, usize)>, Reason> {
    let mut body = 0;
    for (place, byte) in buffer.iter().skip(1).take(LENGTH_BYTES_MAX).enumerate() {
        body |= usize::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            return Ok(Some((place + 2, body)));
        }
    }
    if buffer.len() > LENGTH_BYTES_MAX { Err(Reason::Malformed) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_packet_is_taken_once_it_is_whole() {
        let mut buffer = BytesMut::from(&[0xC0, 0x00, 0x30, 0x03, b'a'][..]);
        assert_eq!(Frame::take(&mut buffer).unwrap().unwrap().kind, 12);
        assert!(Frame::take(&mut buffer).unwrap().is_none());
        buffer.extend_from_slice(b"bc");
        assert_eq!(Frame::take(&mut buffer).unwrap().unwrap().body, "abc");
    }

    #[test]
    fn a_length_over_the_limit_is_refused_before_memory_is_reserved() {
        let mut buffer = BytesMut::from(&[0x30, 0xFF, 0xFF, 0xFF, 0x7F][..]);
        assert_eq!(Frame::take(&mut buffer).unwrap_err(), Reason::TooLarge);
        assert!(buffer.capacity() < 1_024);
    }

    #[test]
    fn a_length_of_five_bytes_is_malformed() {
        let mut buffer = BytesMut::from(&[0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0x01][..]);
        assert_eq!(Frame::take(&mut buffer).unwrap_err(), Reason::Malformed);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            five in any::<bool>(),
        ) {
            let mut buffer = BytesMut::from(&bytes[..]);
            let version = if five { Version::Five } else { Version::Three };
            while let Ok(Some(frame)) = Frame::take(&mut buffer) {
                let _ = Connect::read(&frame);
                let _ = Packet::read(&frame, version);
            }
        }

        #[test]
        fn no_body_makes_a_packet_panic(
            kind in 0_u8..16,
            flags in 0_u8..16,
            body in proptest::collection::vec(any::<u8>(), 0..60),
        ) {
            let body = [b"\0\x04MQTT\x05\xC6\0\x3C", &body[..]].concat();
            for body in [body.clone(), body[10..].to_vec()] {
                let frame = Frame { kind, flags, body: body.into() };
                let _ = Connect::read(&frame);
                let _ = Packet::read(&frame, Version::Three);
                let _ = Packet::read(&frame, Version::Five);
            }
        }
    }
}
