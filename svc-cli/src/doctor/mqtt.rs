//! The packets of MQTT 3.1.1 that show whether the account may connect and subscribe.

use std::io;

use svc_client::types::ApiKey;
use svc_client::types::api::connect::Connect;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Largest packet that is read; what answers here has a few bytes.
const PACKET_MAX: usize = 64 * 1024;

/// Most packets before the one that is waited for: messages may come first.
const PACKETS_MAX: usize = 100;

/// The code, or a greater one, of an answer that refuses a topic.
const REFUSED: u8 = 0x80;

/// Why there are no live events.
pub(super) enum Refused {
    /// The connection does not work.
    Broken(String),
    /// The broker does not let the account in, by the code of its answer.
    Login(u8),
    /// The broker refuses this topic.
    Topic(String),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Broken(error.to_string())
    }
}

/// Connects, subscribes to the account's own topics, and says goodbye.
pub(super) async fn subscribe(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    connect: &Connect,
    key: &ApiKey,
) -> Result<(), Refused> {
    stream.write_all(&hello(connect, key)).await?;
    let answer = read(stream, 0x20).await?;
    match answer.get(1) {
        Some(0) => {}
        Some(code) => return Err(Refused::Login(*code)),
        None => return Err(Refused::Broken("its answer is no MQTT".to_owned())),
    }
    let topics = [&connect.topics.dm, &connect.topics.notifications];
    let wanted: Vec<u8> = topics.iter().flat_map(|topic| [text(topic), vec![0]].concat()).collect();
    stream.write_all(&packet(0x82, [&[0, 1][..], &wanted].concat())).await?;
    let answer = read(stream, 0x90).await?;
    for (index, topic) in topics.into_iter().enumerate() {
        if answer.get(2 + index).is_none_or(|code| *code >= REFUSED) {
            return Err(Refused::Topic(topic.clone()));
        }
    }
    stream.write_all(&[0xe0, 0]).await?;
    Ok(())
}

/// CONNECT with a clean session, a user name and a password.
fn hello(connect: &Connect, key: &ApiKey) -> Vec<u8> {
    let client = format!("{}:doctor", connect.client_id_prefix);
    let head = [&text("MQTT")[..], &[4, 0b1100_0010, 0, 30]].concat();
    let words = [text(&client), text(&connect.username), text(key.expose())].concat();
    packet(0x10, [head, words].concat())
}

fn packet(kind: u8, body: Vec<u8>) -> Vec<u8> {
    let mut packet = vec![kind];
    let mut length = body.len();
    loop {
        let more = if length > 127 { 0x80 } else { 0 };
        packet.push(u8::try_from(length % 128).expect("below 128") | more);
        length /= 128;
        if length == 0 {
            break;
        }
    }
    packet.extend(body);
    packet
}

fn text(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
    let kept = &text.as_bytes()[..length.into()];
    [&length.to_be_bytes()[..], kept].concat()
}

/// The body of the next packet of a kind.
async fn read(stream: &mut (impl AsyncRead + Unpin), kind: u8) -> Result<Vec<u8>, Refused> {
    for _ in 0..PACKETS_MAX {
        let head = stream.read_u8().await?;
        let (mut length, mut shift) = (0, 0);
        loop {
            let byte = stream.read_u8().await?;
            length |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
            if shift > 21 {
                return Err(Refused::Broken("its answer is no MQTT".to_owned()));
            }
        }
        if length > PACKET_MAX {
            return Err(Refused::Broken("its answer is too long".to_owned()));
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await?;
        if head == kind {
            return Ok(body);
        }
    }
    Err(Refused::Broken("it does not answer".to_owned()))
}
