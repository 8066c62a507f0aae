//! Properties of MQTT 5 (§2.2.2). Those without a meaning here are checked for their form.

use super::Reason;
use super::fields::Fields;

const PAYLOAD_FORMAT: u8 = 0x01;
const MESSAGE_EXPIRY: u8 = 0x02;
const CONTENT_TYPE: u8 = 0x03;
const RESPONSE_TOPIC: u8 = 0x08;
const CORRELATION: u8 = 0x09;
const SUBSCRIPTION_ID: u8 = 0x0B;
pub(super) const SESSION_EXPIRY: u8 = 0x11;
const AUTH_METHOD: u8 = 0x15;
const AUTH_DATA: u8 = 0x16;
const PROBLEM_INFORMATION: u8 = 0x17;
const WILL_DELAY: u8 = 0x18;
const RESPONSE_INFORMATION: u8 = 0x19;
pub(super) const REASON_TEXT: u8 = 0x1F;
pub(super) const RECEIVE_MAXIMUM: u8 = 0x21;
pub(super) const TOPIC_ALIAS_MAXIMUM: u8 = 0x22;
const TOPIC_ALIAS: u8 = 0x23;
pub(super) const USER: u8 = 0x26;
pub(super) const PACKET_MAXIMUM: u8 = 0x27;

// Only of a broker's CONNACK.
pub(super) const CLIENT_ID: u8 = 0x12;
pub(super) const KEEP_ALIVE: u8 = 0x13;
const RESPONSE_BASE: u8 = 0x1A;
const SERVER_REFERENCE: u8 = 0x1C;
pub(super) const QOS_MAXIMUM: u8 = 0x24;
pub(super) const RETAIN_AVAILABLE: u8 = 0x25;
pub(super) const WILDCARDS_AVAILABLE: u8 = 0x28;
pub(super) const SUBSCRIPTION_IDS_AVAILABLE: u8 = 0x29;
pub(super) const SHARED_AVAILABLE: u8 = 0x2A;

// The properties that each packet may have.
pub(super) const OF_CONNECT: &[u8] = &[
    SESSION_EXPIRY,
    RECEIVE_MAXIMUM,
    PACKET_MAXIMUM,
    TOPIC_ALIAS_MAXIMUM,
    RESPONSE_INFORMATION,
    PROBLEM_INFORMATION,
    USER,
    AUTH_METHOD,
    AUTH_DATA,
];
pub(super) const OF_WILL: &[u8] =
    &[WILL_DELAY, PAYLOAD_FORMAT, MESSAGE_EXPIRY, CONTENT_TYPE, RESPONSE_TOPIC, CORRELATION, USER];
pub(super) const OF_PUBLISH: &[u8] =
    &[PAYLOAD_FORMAT, MESSAGE_EXPIRY, TOPIC_ALIAS, RESPONSE_TOPIC, CORRELATION, USER, CONTENT_TYPE];
pub(super) const OF_ACK: &[u8] = &[REASON_TEXT, USER];
pub(super) const OF_SUBSCRIBE: &[u8] = &[SUBSCRIPTION_ID, USER];
pub(super) const OF_UNSUBSCRIBE: &[u8] = &[USER];
pub(super) const OF_DISCONNECT: &[u8] = &[SESSION_EXPIRY, REASON_TEXT, USER];
pub(super) const OF_CONNECT_ACK: &[u8] = &[
    SESSION_EXPIRY,
    CLIENT_ID,
    KEEP_ALIVE,
    AUTH_METHOD,
    AUTH_DATA,
    RESPONSE_BASE,
    SERVER_REFERENCE,
    REASON_TEXT,
    RECEIVE_MAXIMUM,
    TOPIC_ALIAS_MAXIMUM,
    QOS_MAXIMUM,
    RETAIN_AVAILABLE,
    USER,
    PACKET_MAXIMUM,
    WILDCARDS_AVAILABLE,
    SUBSCRIPTION_IDS_AVAILABLE,
    SHARED_AVAILABLE,
];
pub(super) const OF_SERVER_DISCONNECT: &[u8] = &[REASON_TEXT, USER, SERVER_REFERENCE];

/// The properties of a packet that are used here.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Properties {
    pub(super) session_expiry: Option<u32>,
    pub(super) receive_maximum: Option<u16>,
    pub(super) packet_maximum: Option<u32>,
    pub(super) will_delay: Option<u32>,
    pub(super) keep_alive: Option<u16>,
    pub(super) qos_maximum: Option<u8>,
    pub(super) has_auth_method: bool,
    pub(super) has_topic_alias: bool,
    pub(super) has_subscription_id: bool,
}

impl Properties {
    /// Reads the properties of a packet, of which only `allowed` may occur.
    pub(super) fn read(fields: &mut Fields<'_>, allowed: &[u8]) -> Result<Self, Reason> {
        let length = fields.length()?;
        let mut inner = Fields(fields.take(length)?);
        let (mut found, mut seen) = (Self::default(), 0_u64);
        while !inner.is_empty() {
            let id = inner.byte()?;
            // Only user properties may be repeated.
            let is_repeated = id < 64 && seen & (1 << id) != 0 && id != USER;
            if is_repeated || !allowed.contains(&id) {
                return Err(Reason::Protocol);
            }
            seen |= 1 << id;
            found.note(id, &mut inner)?;
        }
        Ok(found)
    }

    fn note(&mut self, id: u8, fields: &mut Fields<'_>) -> Result<(), Reason> {
        match id {
            SESSION_EXPIRY => self.session_expiry = Some(fields.long()?),
            RECEIVE_MAXIMUM => self.receive_maximum = Some(fields.packet_id()?),
            PACKET_MAXIMUM => match fields.long()? {
                0 => return Err(Reason::Protocol),
                most => self.packet_maximum = Some(most),
            },
            WILL_DELAY => self.will_delay = Some(fields.long()?),
            KEEP_ALIVE => self.keep_alive = Some(fields.short()?),
            QOS_MAXIMUM => self.qos_maximum = Some(fields.byte()?),
            AUTH_METHOD => {
                fields.text()?;
                self.has_auth_method = true;
            }
            TOPIC_ALIAS => {
                fields.short()?;
                self.has_topic_alias = true;
            }
            SUBSCRIPTION_ID => {
                fields.length()?;
                self.has_subscription_id = true;
            }
            MESSAGE_EXPIRY => _ = fields.long()?,
            TOPIC_ALIAS_MAXIMUM => _ = fields.short()?,
            PAYLOAD_FORMAT
            | PROBLEM_INFORMATION
            | RESPONSE_INFORMATION
            | RETAIN_AVAILABLE
            | WILDCARDS_AVAILABLE
            | SUBSCRIPTION_IDS_AVAILABLE
            | SHARED_AVAILABLE => _ = fields.byte()?,
            CONTENT_TYPE | RESPONSE_TOPIC | REASON_TEXT | CLIENT_ID | RESPONSE_BASE
            | SERVER_REFERENCE => _ = fields.text()?,
            CORRELATION | AUTH_DATA => _ = fields.bytes()?,
            USER => {
                fields.text()?;
                fields.text()?;
            }
            _ => return Err(Reason::Malformed),
        }
        Ok(())
    }
}
