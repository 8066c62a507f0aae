//! MQTT from the client side: the packets that the server sends to an external broker, and the replies.

use bytes::{BufMut, BytesMut};

use super::fields::Fields;
use super::properties::{self, Properties};
use super::write::{put_head, put_text};
use super::{Frame, Reason, Version};

/// The name of the protocol.
const PROTOCOL: &[u8] = b"\0\x04MQTT";
/// A clean session, a user name and a password.
const CLEAN: u8 = 0x02;
const CREDENTIALS: u8 = 0xC0;

/// The return code of 3.1.1 for a version that the broker does not speak.
const OTHER_VERSION: u8 = 1;

/// The content of a CONNECT.
pub(crate) struct Login<'a> {
    pub(crate) version: Version,
    pub(crate) client_id: &'a str,
    /// User name and password.
    pub(crate) credentials: Option<(&'a str, &'a str)>,
    /// Keep-alive in seconds.
    pub(crate) keep_alive: u16,
}

/// A packet of a broker to a client that only publishes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A CONNACK that lets the server in, within these bounds.
    Accepted(Bounds),
    /// A CONNACK that does not, with this code.
    Refused(u8),
    /// A PUBACK for this packet id, and its reason; 0 means that the broker has the message.
    PublishAck(u16, u8),
    /// A PINGRESP.
    Pong,
    /// A DISCONNECT with this reason.
    Disconnect(u8),
}

/// What a broker asks of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Most messages that it has not acknowledged.
    pub(crate) receive_maximum: Option<u16>,
    /// Largest packet.
    pub(crate) packet_maximum: Option<u32>,
    /// Its own keep-alive in seconds.
    pub(crate) keep_alive: Option<u16>,
    /// Whether it acknowledges no messages.
    pub(crate) lacks_acks: bool,
}

impl Login<'_> {
    /// Writes the CONNECT.
    pub(crate) fn write(&self, out: &mut BytesMut) {
        let mut body = BytesMut::new();
        body.put_slice(PROTOCOL);
        body.put_u8(if self.version == Version::Five { 5 } else { 4 });
        body.put_u8(CLEAN | if self.credentials.is_some() { CREDENTIALS } else { 0 });
        body.put_u16(self.keep_alive);
        // No properties.
        body.put_bytes(0, usize::from(self.version == Version::Five));
        put_text(&mut body, self.client_id);
        if let Some((name, password)) = self.credentials {
            put_text(&mut body, name);
            put_text(&mut body, password);
        }
        put_head(out, 0x10, body.len());
        out.put_slice(&body);
    }
}

impl Answer {
    /// Reads a packet of a broker; a client that only publishes expects no others.
    pub(crate) fn read(frame: &Frame, version: Version) -> Result<Self, Reason> {
        let mut fields = Fields(&frame.body);
        let answer = match (frame.kind, version) {
            (2, version) => connect_ack(&mut fields, version)?,
            (4, Version::Three) => Self::PublishAck(fields.packet_id()?, 0),
            (4, Version::Five) => {
                let id = fields.packet_id()?;
                Self::PublishAck(id, reason(&mut fields, properties::OF_ACK)?)
            }
            (13, _) => Self::Pong,
            (14, Version::Five) => {
                Self::Disconnect(reason(&mut fields, properties::OF_SERVER_DISCONNECT)?)
            }
            _ => return Err(Reason::Protocol),
        };
        if fields.is_empty() { Ok(answer) } else { Err(Reason::Malformed) }
    }

    /// Whether it refuses a client for the version of its protocol.
    pub(crate) fn is_other_version(&self) -> bool {
        matches!(self, Self::Refused(code) if [OTHER_VERSION, Reason::Version.code()].contains(code))
    }
}

/// A broker that does not speak version 5 refuses in the form of 3.1.1.
fn connect_ack(fields: &mut Fields<'_>, version: Version) -> Result<Answer, Reason> {
    let code = fields.short()?.to_be_bytes()[1];
    let is_short = version == Version::Three || code != 0 && fields.is_empty();
    let properties = if is_short {
        Properties::default()
    } else {
        Properties::read(fields, properties::OF_CONNECT_ACK)?
    };
    if code != 0 {
        return Ok(Answer::Refused(code));
    }
    Ok(Answer::Accepted(Bounds {
        receive_maximum: properties.receive_maximum,
        packet_maximum: properties.packet_maximum,
        keep_alive: properties.keep_alive,
        lacks_acks: properties.qos_maximum == Some(0),
    }))
}

/// The reason code at the end of a packet, and its properties; both may be absent.
fn reason(fields: &mut Fields<'_>, allowed: &[u8]) -> Result<u8, Reason> {
    if fields.is_empty() {
        return Ok(Reason::Normal.code());
    }
    let reason = fields.byte()?;
    if !fields.is_empty() {
        Properties::read(fields, allowed)?;
    }
    Ok(reason)
}

/// Writes a PINGREQ.
pub(crate) fn ping(out: &mut BytesMut) {
    out.put_slice(&[0xC0, 0]);
}

/// Writes a DISCONNECT.
pub(crate) fn disconnect(out: &mut BytesMut) {
    out.put_slice(&[0xE0, 0]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Connect;

    #[test]
    fn a_connect_is_decoded_as_it_was_encoded() {
        for version in [Version::Three, Version::Five] {
            let mut out = BytesMut::new();
            let credentials = Some(("svc", "service"));
            Login { version, client_id: "svc-server-1", credentials, keep_alive: 30 }
                .write(&mut out);
            let frame = Frame::take(&mut out).unwrap().unwrap();
            let read = Connect::read(&frame).ok().unwrap();
            assert_eq!((read.version, &*read.client_id), (version, "svc-server-1"));
            assert_eq!((read.keep_alive, read.clean, read.expiry), (30, true, 0));
            let credentials = (read.username.as_deref(), read.password.as_deref());
            assert_eq!(credentials, (Some("svc"), Some("service")));
        }
    }

    fn read(version: Version, bytes: &[u8]) -> Result<Answer, Reason> {
        let frame = Frame::take(&mut BytesMut::from(bytes)).unwrap().unwrap();
        Answer::read(&frame, version)
    }

    #[test]
    fn unexpected_packets_of_a_broker_are_refused() {
        let three = |bytes: &[u8]| read(Version::Three, bytes);
        assert_eq!(three(&[0x20, 2, 0, 5]), Ok(Answer::Refused(5)));
        assert_eq!(three(&[0x20, 2, 0, 0]), Ok(Answer::Accepted(Bounds::default())));
        assert_eq!(three(&[0x40, 2, 1, 2]), Ok(Answer::PublishAck(258, 0)));
        assert_eq!(three(&[0xD0, 0]), Ok(Answer::Pong));
        for odd in [
            &[0x20, 1, 0][..],
            &[0x20, 3, 0, 0, 0],
            &[0x40, 2, 0, 0],
            &[0x40, 3, 1, 2, 0],
            &[0xD0, 1, 0],
            &[0x90, 3, 0, 1, 0],
            &[0xE0, 0],
        ] {
            three(odd).unwrap_err();
        }
    }

    #[test]
    fn answers_of_version_5_have_reasons_and_bounds() {
        let five = |bytes: &[u8]| read(Version::Five, bytes);
        assert_eq!(five(&[0x20, 3, 0, 0, 0]), Ok(Answer::Accepted(Bounds::default())));
        let bounds = Bounds {
            receive_maximum: Some(10),
            packet_maximum: Some(1_024),
            keep_alive: Some(20),
            lacks_acks: true,
        };
        let properties = [0x21, 0, 10, 0x27, 0, 0, 4, 0, 0x13, 0, 20, 0x24, 0];
        let packet = [&[0x20, 16, 0, 0, 13][..], &properties].concat();
        assert_eq!(five(&packet), Ok(Answer::Accepted(bounds)));
        assert_eq!(five(&[0x40, 2, 1, 2]), Ok(Answer::PublishAck(258, 0)));
        assert_eq!(five(&[0x40, 3, 1, 2, 0x87]), Ok(Answer::PublishAck(258, 0x87)));
        let explained = [0x40, 8, 1, 2, 0x97, 4, 0x1F, 0, 1, b'x'];
        assert_eq!(five(&explained), Ok(Answer::PublishAck(258, 0x97)));
        assert_eq!(five(&[0xE0, 0]), Ok(Answer::Disconnect(0)));
        assert_eq!(five(&[0xE0, 2, 0x8B, 0]), Ok(Answer::Disconnect(0x8B)));
        for odd in [&[0x20, 2, 0, 0][..], &[0x20, 4, 0, 0, 1, 0x11], &[0xE0, 3, 0, 1, 0x11]] {
            five(odd).unwrap_err();
        }
    }

    #[test]
    fn a_broker_of_3_1_1_refuses_version_5_in_its_own_form() {
        let is_other = |bytes: &[u8]| read(Version::Five, bytes).unwrap().is_other_version();
        assert!(is_other(&[0x20, 2, 0, 1]) && is_other(&[0x20, 3, 0, 0x84, 0]));
        assert!(!is_other(&[0x20, 2, 0, 5]) && !is_other(&[0x20, 3, 0, 0x86, 0]));
    }
}
