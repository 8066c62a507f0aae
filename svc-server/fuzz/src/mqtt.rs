//! Packets of MQTT: of a client to the broker, and of an external broker to the server.

use svc_mqtt::testing::{Read, read, read_of_broker};

/// The reason codes with which the codec ends connections (MQTT 5, 2.4).
const REASONS: [u8; 11] = [0x81, 0x82, 0x84, 0x85, 0x8C, 0x94, 0x95, 0x99, 0x9A, 0x9B, 0xA1];

pub(crate) fn judge(input: &[u8]) {
    read_of_broker(input);
    let (packets, reason) = read(input);
    assert!(reason.is_none_or(|reason| REASONS.contains(&reason)), "{reason:?}");
    let is_five = matches!(packets.first(), Some(Read::Connect { is_five: true, .. }));
    let written: Vec<u8> = packets.iter().flat_map(|packet| write(packet, is_five)).collect();
    assert_eq!(read(&written), (packets, None), "what was read is written to the same");
    // Bytes come in pieces: what is whole before a cut is read alike.
    let (first, _) = read(&input[..input.len() / 2]);
    assert_eq!(first[..], read(input).0[..first.len()]);
}

/// A packet in its shortest form.
fn write(packet: &Read, is_five: bool) -> Vec<u8> {
    let none: &[u8] = if is_five { &[0] } else { &[] };
    match packet {
        Read::Connect { .. } => write_connect(packet, none),
        Read::Publish { topic, payload, packet_id } => {
            let id = packet_id.map_or(Vec::new(), |id| id.to_be_bytes().to_vec());
            let body = [text(topic), id, none.to_vec(), payload.to_vec()].concat();
            framed(0x30 | u8::from(packet_id.is_some()) << 1, &body)
        }
        Read::Subscribe(id, filters) => {
            let filters = filters
                .iter()
                .map(|(topic, acknowledged)| [text(topic), vec![u8::from(*acknowledged)]].concat());
            let filters: Vec<u8> = filters.flatten().collect();
            framed(0x82, &[&id.to_be_bytes(), none, &filters].concat())
        }
        Read::Unsubscribe(id, topics) => {
            let topics: Vec<u8> = topics.iter().flat_map(|topic| text(topic)).collect();
            framed(0xA2, &[&id.to_be_bytes(), none, &topics].concat())
        }
        Read::PublishAck(id) => framed(0x40, &id.to_be_bytes()),
        Read::Ping => framed(0xC0, &[]),
        Read::Disconnect(true) => framed(0xE0, &[0x04]),
        Read::Disconnect(false) => framed(0xE0, &[]),
    }
}

fn write_connect(packet: &Read, none: &[u8]) -> Vec<u8> {
    let Read::Connect { is_five, client_id, username, password, clean, keep_alive, will } = packet
    else {
        return Vec::new();
    };
    let will_flags = |(_, _, qos, retain): &(_, _, u8, bool)| 4 | qos << 3 | u8::from(*retain) << 5;
    let flags = u8::from(username.is_some()) << 7
        | u8::from(password.is_some()) << 6
        | will.as_ref().map_or(0, will_flags)
        | u8::from(*clean) << 1;
    let mut body = [b"\0\x04MQTT", &[if *is_five { 5 } else { 4 }, flags][..]].concat();
    body.extend(keep_alive.to_be_bytes());
    body.extend(none);
    body.extend(text(client_id));
    if let Some((topic, payload, ..)) = will {
        body.extend(none);
        body.extend(text(topic));
        body.extend(bytes(payload));
    }
    body.extend([username, password].into_iter().flatten().flat_map(|it| text(it)));
    framed(0x10, &body)
}

fn framed(first: u8, body: &[u8]) -> Vec<u8> {
    let (mut out, mut length) = (vec![first], body.len());
    while length > 0x7F {
        out.push(u8::try_from(length & 0x7F).expect("seven bits") | 0x80);
        length >>= 7;
    }
    out.push(u8::try_from(length).expect("seven bits"));
    [&out, body].concat()
}

fn text(text: &str) -> Vec<u8> {
    bytes(text.as_bytes())
}

fn bytes(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).expect("inputs are shorter than 64 KiB");
    [&length.to_be_bytes(), bytes].concat()
}

pub(crate) fn seeds() -> Vec<Vec<u8>> {
    let connect = |is_five| Read::Connect {
        is_five,
        client_id: "svc-1".to_owned(),
        username: Some("ada".to_owned()),
        password: Some("svc_ak_1".to_owned()),
        clean: true,
        keep_alive: 60,
        will: Some(("svc/u/1".to_owned(), b"bye".to_vec().into(), 1, false)),
    };
    let topic = || "svc/channels/rust".to_owned();
    let rest = [
        Read::Subscribe(1, vec![(topic(), true), ("svc/u/1/#".to_owned(), false)]),
        Read::Publish { topic: topic(), payload: b"{\"a\":1}".to_vec().into(), packet_id: Some(2) },
        Read::Publish { topic: topic(), payload: b"x".to_vec().into(), packet_id: None },
        Read::PublishAck(3),
        Read::Unsubscribe(4, vec![topic()]),
        Read::Ping,
        Read::Disconnect(true),
    ];
    let of = |is_five| {
        let first = write(&connect(is_five), is_five);
        let rest = rest.iter().flat_map(|packet| write(packet, is_five));
        first.into_iter().chain(rest).collect()
    };
    let with_properties =
        b"\x10\x1d\0\x04MQTT\x05\x02\0\x3c\x0b\x11\0\0\0\x0a\x21\0\x14\x22\0\0\0\x03abc\0\0";
    let of_broker = b"\x20\x02\0\0\x40\x02\0\x07\xd0\0";
    vec![of(false), of(true), with_properties.to_vec(), of_broker.to_vec()]
}
