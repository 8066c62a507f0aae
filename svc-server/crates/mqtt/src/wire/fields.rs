//! The data types of packets (MQTT 5 §1.5), read from the front of the remaining bytes.

use super::Reason;

/// The unread part of a packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Reason> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Reason::Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Reason> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn short(&mut self) -> Result<u16, Reason> {
        let bytes = self.take(2)?;
        Ok(u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    pub(super) fn long(&mut self) -> Result<u32, Reason> {
        let bytes = self.take(4)?;
        Ok(u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// A variable byte integer of one to four bytes. Longer forms than needed are accepted.
    pub(super) fn length(&mut self) -> Result<usize, Reason> {
        let mut length = 0;
        for place in 0..super::LENGTH_BYTES_MAX {
            let byte = self.byte()?;
            length |= usize::from(byte & 0x7F) << (7 * place);
            if byte & 0x80 == 0 {
                return Ok(length);
            }
        }
        Err(Reason::Malformed)
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Reason> {
        let length = self.short()?;
        self.take(usize::from(length))
    }

    /// UTF-8 without U+0000.
    pub(super) fn text(&mut self) -> Result<&'a str, Reason> {
        let text = std::str::from_utf8(self.bytes()?).map_err(|_| Reason::Malformed)?;
        if text.contains('\0') { Err(Reason::Malformed) } else { Ok(text) }
    }

    /// The id of a packet, which is never zero.
    pub(super) fn packet_id(&mut self) -> Result<u16, Reason> {
        match self.short()? {
            0 => Err(Reason::Protocol),
            id => Ok(id),
        }
    }
}
