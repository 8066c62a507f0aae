//! When a certificate ends. Nothing else is read of it: the clients check the rest.

use std::str;

use svc_types::Timestamp;

/// The tag of the version, which certificates of version 1 lack.
const VERSION: u8 = 0xa0;

/// The tag of a time whose year has two digits.
const UTC_TIME: u8 = 0x17;

/// Length of a time behind its year: `MMDDHHMMSSZ`.
const REST_LENGTH: usize = 11;

/// When this certificate in DER ends; `None` if it can't be read.
pub(super) fn of(certificate: &[u8]) -> Option<Timestamp> {
    let (_, certificate, _) = value(certificate)?;
    let (_, mut fields, _) = value(certificate)?;
    if fields.first() == Some(&VERSION) {
        fields = value(fields)?.2;
    }
    // The serial number, the algorithm and the issuer come before the validity.
    for _ in 0..3 {
        fields = value(fields)?.2;
    }
    let (_, validity, _) = value(fields)?;
    let (_, _, after_begin) = value(validity)?;
    let (tag, end, _) = value(after_begin)?;
    time(tag, str::from_utf8(end).ok()?)
}

/// The first value: its tag, its content, and what follows it.
fn value(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (tag, rest) = der.split_first()?;
    let (first, rest) = rest.split_first()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(*first), rest),
        0x81..=0x83 => {
            let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            (bytes.iter().fold(0, |length, byte| (length << 8) | usize::from(*byte)), rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((*tag, content, rest))
}

/// A time such as `260102030405Z`, or with four digits of the year.
fn time(tag: u8, text: &str) -> Option<Timestamp> {
    let (year, rest) = text.split_at_checked(if tag == UTC_TIME { 2 } else { 4 })?;
    let year: u32 = year.parse().ok()?;
    let year = match (tag, year) {
        (UTC_TIME, 0..50) => 2000 + year,
        (UTC_TIME, _) => 1900 + year,
        _ => year,
    };
    if rest.len() != REST_LENGTH || !rest.ends_with('Z') {
        return None;
    }
    let part = |at: usize| rest.get(at..at + 2);
    let (month, day, hour) = (part(0)?, part(2)?, part(4)?);
    let (minute, second) = (part(6)?, part(8)?);
    format!("{year:04}-{month}-{day}T{hour}:{minute}:{second}Z").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_two_or_four_digits_of_its_year() {
        for (tag, text, expected) in [
            (UTC_TIME, "260102030405Z", Some("2026-01-02T03:04:05Z")),
            (UTC_TIME, "991231235959Z", Some("1999-12-31T23:59:59Z")),
            (0x18, "21261028212410Z", Some("2126-10-28T21:24:10Z")),
            (UTC_TIME, "2601020304Z", None),
            (UTC_TIME, "2601020304050", None),
            (UTC_TIME, "261302030405Z", None),
            (0x18, "", None),
        ] {
            let expected = expected.map(|text| text.parse::<Timestamp>().unwrap());
            assert_eq!(time(tag, text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_certificate_has_no_end() {
        for der in [&[][..], &[0x30], &[0x30, 0x82, 1], &[0x30, 0x80, 0, 0], &[0x30, 2, 0x30, 0]] {
            assert_eq!(of(der), None, "{der:?}");
        }
    }
}
