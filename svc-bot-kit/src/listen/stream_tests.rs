use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use super::*;

fn block(kind: &str, data: &str) -> Block {
    Block { kind: kind.to_owned(), data: data.to_owned() }
}

/// The events of a stream that arrives in these pieces.
fn events(pieces: &[&str]) -> Vec<Block> {
    let (mut received, mut events) = (Blocks::default(), Vec::new());
    for piece in pieces {
        assert!(received.push(piece.as_bytes()));
        events.extend(std::iter::from_fn(|| received.next()));
    }
    events
}

#[test]
fn events_are_read_however_they_are_cut() {
    let whole = "retry: 2000\n: events follow\n\nid: 7\nevent: like\ndata: {\"a\":\ndata: 1}\n\n: still here\n\ndata:x\n\n";
    let expected = [block("like", "{\"a\":\n1}"), block("", "x")];
    assert_eq!(events(&[whole]), expected);
    for at in 0..whole.len() {
        let (one, other) = whole.split_at(at);
        assert_eq!(events(&[one, other]), expected, "cut at {at}");
    }
    assert_eq!(events(&[&whole.replace('\n', "\r\n")]), expected);
}

#[test]
fn an_event_has_a_bounded_size() {
    let mut received = Blocks::default();
    assert!(received.push(&vec![b'x'; EVENT_BYTES_MAX]));
    assert!(!received.push(b"x"));
}

/// Accepts a stream of which nothing but the head comes; it is open until what this returns is dropped.
fn accept_in_silence(listener: &TcpListener) -> TcpStream {
    let (mut stream, _) = listener.accept().unwrap();
    let mut asked = Vec::new();
    while !asked.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        asked.push(byte[0]);
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n").unwrap();
    stream
}

#[tokio::test]
async fn a_stream_that_is_silent_for_45_seconds_is_left() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/api", listener.local_addr().unwrap());
    let talk = std::thread::spawn(move || accept_in_silence(&listener));
    let client = Client::builder(url).api_key("svc_ak_1").build().unwrap();
    let stream = open(&client, &[]).await.unwrap();
    let _open = talk.join().unwrap();
    let channels = ChannelHints::default();
    let mut live = Live::new(|outlet| async move { read(stream, &channels, &outlet).await });
    live.start();
    let mut hints = live.hints.take().unwrap();
    tokio::time::pause();
    let early = tokio::time::timeout(Duration::from_secs(44), hints.recv()).await;
    assert!(early.is_err(), "comments come every 15 s, and one may be late");
    let ended = tokio::time::timeout(Duration::from_secs(2), hints.recv()).await;
    assert!(ended.expect("the stream is left").is_none());
}
