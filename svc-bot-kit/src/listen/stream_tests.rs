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
