//! MQTT 3.1.1 from the client side: the packets that the server sends to an external broker, and
//! the replies.

use bytes::{BufMut, BytesMut};

use super::fields::Fields;
use super::write::{put_head, put_text};
use super::{Frame, Reason};

/// Protocol 3.1.1; a clean session, a user name and a password.
const PROTOCOL: &[u8] = b"\0\x04MQTT\x04";
const CLEAN: u8 = 0x02;
const CREDENTIALS: u8 = 0xC0;

/// The content of a CONNECT.
pub(crate) struct Login<'a> {
    pub(crate) client_id: &'a str,
    /// User name and password.
    pub(crate) credentials: Option<(&'a str, &'a str)>,
    /// Keep-alive in seconds.
    pub(crate) keep_alive: u16,
}

/// A packet of a broker to a client that only publishes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A CONNACK; the return code is 0 on success.
    ConnectAck(u8),
    /// A PUBACK for this packet id.
    PublishAck(u16),
    /// A PINGRESP.
    Pong,
}

impl Login<'_> {
    /// Writes the CONNECT.
    pub(crate) fn write(&self, out: &mut BytesMut) {
        let mut body = BytesMut::new();
        body.put_slice(PROTOCOL);
        body.put_u8(CLEAN | if self.credentials.is_some() { CREDENTIALS } else { 0 });
        body.put_u16(self.keep_alive);
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
    pub(crate) fn read(frame: &Frame) -> Result<Self, Reason> {
        let mut fields = Fields(&frame.body);
        let answer = match frame.kind {
            2 => Self::ConnectAck(fields.short()?.to_be_bytes()[1]),
            4 => Self::PublishAck(fields.packet_id()?),
            13 => Self::Pong,
            _ => return Err(Reason::Protocol),
        };
        if fields.is_empty() { Ok(answer) } else { Err(Reason::Malformed) }
    }
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
        let mut out = BytesMut::new();
        let credentials = Some(("svc", "service"));
        Login { client_id: "svc-server-1", credentials, keep_alive: 30 }.write(&mut out);
        let frame = Frame::take(&mut out).unwrap().unwrap();
        let read = Connect::read(&frame).ok().unwrap();
        assert_eq!((&*read.client_id, read.keep_alive, read.clean), ("svc-server-1", 30, true));
        let credentials = (read.username.as_deref(), read.password.as_deref());
        assert_eq!(credentials, (Some("svc"), Some("service")));
    }

    #[test]
    fn unexpected_packets_of_a_broker_are_refused() {
        let read = |bytes: &[u8]| {
            let frame = Frame::take(&mut BytesMut::from(bytes)).unwrap().unwrap();
            Answer::read(&frame)
        };
        assert_eq!(read(&[0x20, 2, 0, 5]), Ok(Answer::ConnectAck(5)));
        assert_eq!(read(&[0x40, 2, 1, 2]), Ok(Answer::PublishAck(258)));
        assert_eq!(read(&[0xD0, 0]), Ok(Answer::Pong));
        for odd in [&[0x20, 1, 0][..], &[0x40, 2, 0, 0], &[0xD0, 1, 0], &[0x90, 3, 0, 1, 0]] {
            read(odd).unwrap_err();
        }
    }
}
