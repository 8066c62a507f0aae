//! What a connection sees of a mailbox.

use super::*;

const TAKING: Taking = Taking { number: 1, version: Version::Three, packet_maximum: usize::MAX };

fn message(number: usize, size: usize) -> Arc<Message> {
    let digits = number.to_string();
    let payload = "0".repeat(size - digits.len()) + &digits;
    Arc::new(Message { topic: "t".into(), payload: payload.into(), trace: None })
}

/// The payloads that a connection would see, and their packet ids.
fn taken(mailbox: &Mailbox) -> Vec<(u16, String)> {
    let (mut all, mut out) = (Vec::new(), BytesMut::new());
    loop {
        mailbox.take(TAKING, &mut out);
        if out.is_empty() {
            return all;
        }
        while out.len() > 7 {
            // Head, length, topic, packet id: messages of these tests are short.
            let length = usize::from(out[1]);
            let packet = out.split_to(2 + length);
            let id = u16::from_be_bytes([packet[5], packet[6]]);
            all.push((id, String::from_utf8(packet[7..].to_vec()).unwrap()));
        }
    }
}

#[test]
fn the_newest_of_too_many_messages_are_kept() {
    let mailbox = Mailbox::default();
    mailbox.hold(1, None);
    let dropped: u64 =
        (0..WAITING_MAX + 5).map(|number| mailbox.put(&message(number, 4), true)).sum();
    assert_eq!(dropped, 5);
    assert_eq!(taken(&mailbox)[0], (1, "0005".to_owned()));
}

#[test]
fn waiting_messages_have_a_bounded_size() {
    let mailbox = Mailbox::default();
    mailbox.hold(1, None);
    for number in 0..100 {
        mailbox.put(&message(number, 300_000), true);
    }
    let inner = mailbox.inner();
    assert!(inner.waiting_bytes <= WAITING_BYTES_MAX && inner.waiting.len() == 3);
}

#[test]
fn a_client_has_no_more_than_its_window_unacknowledged() {
    let mailbox = Mailbox::default();
    mailbox.hold(1, Some(2));
    for number in 0..5 {
        mailbox.put(&message(number, 1), true);
    }
    assert_eq!(taken(&mailbox), [(1, "0".to_owned()), (2, "1".to_owned())]);
    mailbox.acknowledge(7);
    assert_eq!(taken(&mailbox), []);
    mailbox.acknowledge(1);
    assert_eq!(taken(&mailbox), [(3, "2".to_owned())]);
}

#[test]
fn what_was_not_acknowledged_goes_out_again_before_the_rest() {
    let mailbox = Mailbox::default();
    mailbox.hold(1, Some(2));
    for number in 0..3 {
        mailbox.put(&message(number, 1), true);
    }
    assert_eq!(taken(&mailbox).len(), 2);
    assert!(mailbox.release(1) && !mailbox.is_held());
    mailbox.put(&message(9, 1), false);
    mailbox.hold(1, None);
    let again = [(1, "0"), (2, "1"), (3, "2")].map(|(id, text)| (id, text.to_owned()));
    assert_eq!(taken(&mailbox), again, "and what needs no acknowledgement is not kept");
}

#[test]
fn a_connection_that_lost_its_mailbox_takes_nothing() {
    let mailbox = Mailbox::default();
    mailbox.hold(1, None);
    mailbox.hold(2, None);
    mailbox.put(&message(0, 1), true);
    assert_eq!(taken(&mailbox), []);
    assert_eq!((mailbox.ended(1), mailbox.ended(2)), (Some(Reason::TakenOver), None));
    assert!(!mailbox.release(1) && mailbox.release(2));
}

#[test]
fn what_goes_out_again_keeps_to_the_window_of_the_new_connection() {
    let mailbox = Mailbox::default();
    mailbox.hold(1, None);
    for number in 0..3 {
        mailbox.put(&message(number, 1), true);
    }
    assert_eq!(taken(&mailbox).len(), 3);
    assert!(mailbox.release(1));
    mailbox.hold(1, Some(2));
    assert_eq!(taken(&mailbox), [(1, "0".to_owned()), (2, "1".to_owned())]);
    mailbox.acknowledge(2);
    assert_eq!(taken(&mailbox), [(3, "2".to_owned())]);
}

#[test]
fn what_is_forgotten_is_not_sent_again_and_its_number_not_used_meanwhile() {
    let mailbox = Mailbox::default();
    mailbox.hold(1, Some(2));
    mailbox.put(&message(0, 1), true);
    assert_eq!(taken(&mailbox).len(), 1);
    mailbox.forget("t");
    for number in 1..3 {
        mailbox.put(&message(number, 1), true);
    }
    assert_eq!(taken(&mailbox), [(2, "1".to_owned())], "the first is not acknowledged");
    assert!(mailbox.release(1));
    mailbox.forget("other");
    mailbox.hold(1, None);
    assert_eq!(taken(&mailbox), [(2, "1".to_owned()), (3, "2".to_owned())]);
    assert!(mailbox.release(1));
    mailbox.forget("t");
    mailbox.hold(1, None);
    assert_eq!(taken(&mailbox), [], "nor what was sent to a client that is away");
}

#[test]
fn a_message_whose_deletion_went_out_too_goes_out_again_without_its_text() {
    let mailbox = Mailbox::default();
    mailbox.hold(1, None);
    for payload in [
        r#"{"event":"channel_message","data":{"messageId":"msg_1","content":"a secret"}}"#,
        r#"{"event":"channel_message_deleted","data":{"messageId":"msg_1"}}"#,
    ] {
        let message = Message { topic: "t".into(), payload: payload.into(), trace: None };
        mailbox.put(&Arc::new(message), true);
    }
    assert!(taken(&mailbox)[0].1.contains("a secret"));
    assert!(mailbox.release(1));
    mailbox.empty_deleted();
    mailbox.hold(1, None);
    let again = taken(&mailbox);
    assert_eq!(again.len(), 2);
    assert!(!again[0].1.contains("a secret"), "{again:?}");
}
