//! The first packet of a connection (MQTT 5 §3.1).

use bytes::Bytes;

use super::fields::Fields;
use super::properties::{self, Properties};
use super::{Frame, Reason, Version};

/// The expiry of a persistent 3.1.1 session, for which that version has no field.
const EXPIRY_OF_THREE: u32 = u32::MAX;

/// A decoded CONNECT.
pub(crate) struct Connect {
    pub(crate) version: Version,
    pub(crate) client_id: String,
    pub(crate) username: Option<String>,
    pub(crate) password: Option<String>,
    /// Whether an earlier session is discarded.
    pub(crate) clean: bool,
    /// Seconds that the session outlives the connection.
    pub(crate) expiry: u32,
    /// Keep-alive in seconds; 0 for none.
    pub(crate) keep_alive: u16,
    /// Receive maximum: unacknowledged messages that the client accepts.
    pub(crate) window: Option<u16>,
    /// Largest packet that the client accepts.
    pub(crate) packet_maximum: Option<u32>,
    pub(crate) will: Option<Will>,
}

/// The will message, published when the connection breaks.
#[derive(Clone, Debug)]
pub(crate) struct Will {
    pub(crate) topic: String,
    pub(crate) payload: Bytes,
    pub(crate) qos: u8,
    pub(crate) retain: bool,
    /// Seconds to wait for the client to reconnect.
    pub(crate) delay: u32,
}

/// Bytes that a waiting will message takes besides its topic and payload.
const WILL_BYTES: usize = 512;

impl Will {
    /// The memory that it takes while it waits.
    pub(crate) fn bytes(&self) -> u32 {
        let bytes = WILL_BYTES + self.topic.len() + self.payload.len();
        u32::try_from(bytes).unwrap_or(u32::MAX)
    }
}

/// The flags of a CONNECT.
#[derive(Clone, Copy)]
struct Flags(u8);

impl Flags {
    const fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    const fn will_qos(self) -> u8 {
        self.0 >> 3 & 0b11
    }

    /// The reserved bit is 0, and the will flags are 0 without a will.
    const fn are_valid(self) -> bool {
        let of_will = self.0 & (WILL_RETAIN | 0b1_1000);
        !self.has(RESERVED) && self.will_qos() < 3 && (self.has(WILL) || of_will == 0)
    }
}

const RESERVED: u8 = 0x01;
const CLEAN: u8 = 0x02;
const WILL: u8 = 0x04;
const WILL_RETAIN: u8 = 0x20;
const PASSWORD: u8 = 0x40;
const USERNAME: u8 = 0x80;

/// A CONNECT that can't be served.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) reason: Reason,
    /// The protocol version of the CONNACK; `None` when the only reply is to close.
    pub(crate) version: Option<Version>,
}

impl Connect {
    /// Reads a CONNECT.
    pub(crate) fn read(frame: &Frame) -> Result<Self, Refused> {
        if frame.kind != 1 || frame.flags != 0 {
            return Err(Refused { reason: Reason::Protocol, version: None });
        }
        let mut fields = Fields(&frame.body);
        let version = version(&mut fields)?;
        Self::read_rest(version, &mut fields).map_err(|reason| {
            // A CONNACK of 3.1.1 has no code for a malformed packet.
            let has_code = version == Version::Five || reason == Reason::ClientId;
            Refused { reason, version: has_code.then_some(version) }
        })
    }

    fn read_rest(version: Version, fields: &mut Fields<'_>) -> Result<Self, Reason> {
        let flags = Flags(fields.byte()?);
        let keep_alive = fields.short()?;
        let is_three = version == Version::Three;
        if !flags.are_valid() || is_three && flags.has(PASSWORD) && !flags.has(USERNAME) {
            return Err(Reason::Malformed);
        }
        let properties = if is_three {
            Properties::default()
        } else {
            Properties::read(fields, properties::OF_CONNECT)?
        };
        if properties.has_auth_method {
            return Err(Reason::AuthMethod);
        }
        let client_id = fields.text()?.to_owned();
        let clean = flags.has(CLEAN);
        let will = flags.has(WILL).then(|| will(version, flags, fields)).transpose()?;
        let username = flags.has(USERNAME).then(|| fields.text()).transpose()?;
        let password = flags.has(PASSWORD).then(|| fields.bytes()).transpose()?;
        if !fields.is_empty() {
            return Err(Reason::Malformed);
        }
        if is_three && client_id.is_empty() && !clean {
            return Err(Reason::ClientId);
        }
        let of_three = if clean { 0 } else { EXPIRY_OF_THREE };
        Ok(Self {
            version,
            client_id,
            username: username.map(str::to_owned),
            // Keys are text: a password that is not UTF-8 fails authentication.
            password: password.map(|bytes| String::from_utf8_lossy(bytes).into_owned()),
            clean,
            expiry: if is_three { of_three } else { properties.session_expiry.unwrap_or(0) },
            keep_alive,
            window: properties.receive_maximum,
            packet_maximum: properties.packet_maximum,
            will,
        })
    }
}

fn version(fields: &mut Fields<'_>) -> Result<Version, Refused> {
    let broken = |reason| Refused { reason, version: None };
    let unsupported = |version| Refused { reason: Reason::Version, version: Some(version) };
    let name = fields.bytes().map_err(broken)?;
    let level = fields.byte().map_err(broken)?;
    match (name, level) {
        (b"MQTT", 4) => Ok(Version::Three),
        (b"MQTT", 5) => Ok(Version::Five),
        (b"MQTT", 6..) => Err(unsupported(Version::Five)),
        (b"MQTT" | b"MQIsdp", _) => Err(unsupported(Version::Three)),
        _ => Err(broken(Reason::Protocol)),
    }
}

fn will(version: Version, flags: Flags, fields: &mut Fields<'_>) -> Result<Will, Reason> {
    let properties = match version {
        Version::Three => Properties::default(),
        Version::Five => Properties::read(fields, properties::OF_WILL)?,
    };
    let topic = fields.text()?.to_owned();
    // A copy, because a slice would keep the whole packet in memory with the connection.
    let payload = Bytes::copy_from_slice(fields.bytes()?);
    let (qos, retain) = (flags.will_qos(), flags.has(WILL_RETAIN));
    Ok(Will { topic, payload, qos, retain, delay: properties.will_delay.unwrap_or(0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_will_does_not_keep_the_packet_in_memory() {
        let body = b"\0\x04MQTT\x04\x06\0\x3C\0\x01i\0\x01t\0\x07goodbye";
        let frame = Frame { kind: 1, flags: 0, body: Bytes::from_static(body) };
        let will = Connect::read(&frame).ok().and_then(|connect| connect.will).unwrap();
        assert_eq!(will.payload, "goodbye");
        assert!(!frame.body.as_ptr_range().contains(&will.payload.as_ptr()));
    }
}
