//! As much of MQTT 3.1.1 as a listener needs.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;

/// A connection that receives messages. It is buffered, so that reading costs far less than what a broker does.
pub(in crate::parts) type Listener = BufReader<TcpStream>;

/// Timeout for the messages of a fan-out.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A connection with this client id, user name and password, subscribed to one topic at QoS 0.
pub(super) async fn subscribe(
    broker: SocketAddr,
    client_id: &str,
    credentials: [&str; 2],
    topic: &str,
) -> Listener {
    let [name, password] = credentials.map(text);
    let login = [&text("MQTT")[..], &[4, 0xC2, 0, 60], &text(client_id), &name, &password];
    let wish = [&[0, 1][..], &text(topic), &[0]].concat();
    let mut stream = TcpStream::connect(broker).await.expect("the broker listens");
    for (first, body) in [(0x10, login.concat()), (0x82, wish)] {
        stream.write_all(&framed(first, &body)).await.expect("the broker reads it");
    }
    let mut answers = [0; 9];
    stream.read_exact(&mut answers).await.expect("it is answered");
    assert_eq!((answers[3], answers[8]), (0, 0), "it may listen");
    BufReader::new(stream)
}

/// A text with its length prefix.
pub(super) fn text(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).expect("the texts are short").to_be_bytes();
    [&length[..], text.as_bytes()].concat()
}

/// A packet with this first byte; shorter than 16 KiB.
pub(super) fn framed(first: u8, body: &[u8]) -> Vec<u8> {
    let [low, high] = [body.len() & 0x7F, body.len() >> 7].map(|part| part.to_le_bytes()[0]);
    let length = if high == 0 { vec![low] } else { vec![low | 0x80, high] };
    [&[first][..], &length, body].concat()
}

/// The payload of the next packet.
pub(in crate::parts) async fn message(listener: &mut Listener) -> Vec<u8> {
    listener.read_u8().await.expect("the broker goes on");
    let (mut length, mut place) = (0_usize, 0);
    loop {
        let byte = listener.read_u8().await.expect("the broker goes on");
        length |= usize::from(byte & 0x7F) << (7 * place);
        place += 1;
        if byte & 0x80 == 0 {
            break;
        }
    }
    let mut body = vec![0; length];
    listener.read_exact(&mut body).await.expect("the broker goes on");
    body
}

/// Reads this many messages on each connection and returns the connections.
pub(super) fn receive(listeners: Vec<Listener>, count: u32) -> JoinHandle<Vec<Listener>> {
    tokio::spawn(async move {
        let mut readers = JoinSet::new();
        for mut listener in listeners {
            readers.spawn(async move {
                let received = timeout(TIMEOUT, async {
                    for _ in 0..count {
                        message(&mut listener).await;
                    }
                });
                received.await.expect("all messages arrive");
                listener
            });
        }
        readers.join_all().await
    })
}
