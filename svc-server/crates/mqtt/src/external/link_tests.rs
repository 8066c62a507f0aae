//! How a broken link is detected, and what is not sent on the next one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::DuplexStream;
use tokio::sync::Semaphore;

use super::*;

/// A broker that accepts the server, answers pings and records packets.
struct Peer(DuplexStream);

impl Peer {
    /// A link and the broker at its other end.
    async fn linked() -> (Link, Self) {
        let (near, far) = tokio::io::duplex(1_048_576);
        let mut peer = Self(far);
        let login = Login { client_id: "svc-server-1", credentials: None, keep_alive: 30 };
        let (link, ()) = tokio::join!(Link::open(Box::new(near), &login), async {
            assert_eq!(peer.packet().await.0, 0x10);
            peer.0.write_all(&[0x20, 2, 0, 0]).await.unwrap();
        });
        (link.unwrap(), peer)
    }

    /// The next packet: its first byte, its packet id if it is a message, and its length.
    async fn packet(&mut self) -> (u8, u16, usize) {
        let first = self.0.read_u8().await.unwrap();
        let (mut length, mut place) = (0_usize, 0);
        loop {
            let byte = self.0.read_u8().await.unwrap();
            length |= usize::from(byte & 0x7F) << (7 * place);
            place += 1;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).await.unwrap();
        if first != 0x32 {
            return (first, 0, length);
        }
        let topic = usize::from(u16::from_be_bytes([body[0], body[1]]));
        (first, u16::from_be_bytes([body[2 + topic], body[3 + topic]]), length)
    }

    /// Takes the next message, after answering pings before it.
    async fn message(&mut self) -> u16 {
        loop {
            match self.packet().await {
                (0x32, id, _) => return id,
                (0xC0, ..) => self.0.write_all(&[0xD0, 0]).await.unwrap(),
                other => panic!("{other:?}"),
            }
        }
    }

    async fn acknowledge(&mut self, id: u16) {
        let [high, low] = id.to_be_bytes();
        self.0.write_all(&[0x40, 2, high, low]).await.unwrap();
    }

    /// Answers pings and nothing else.
    async fn only_answers_pings(&mut self) {
        loop {
            if self.packet().await.0 == 0xC0 {
                self.0.write_all(&[0xD0, 0]).await.unwrap();
            }
        }
    }

    /// Whether nothing unread has been sent after the link was polled.
    async fn is_quiet(&mut self) -> bool {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        let mut byte = [0];
        tokio::select! {
            biased;
            _ = self.0.read(&mut byte) => false,
            () = std::future::ready(()) => true,
        }
    }
}

/// A queue of messages with these ids, whose acknowledgements are counted.
fn queue(ids: &[&str]) -> (mpsc::Receiver<Message>, Arc<AtomicUsize>) {
    let delivered = Arc::new(AtomicUsize::new(0));
    let (sender, waiting) = mpsc::channel(ids.len());
    for id in ids {
        let delivered = Arc::clone(&delivered);
        let delivered: Delivered = Box::new(move || _ = delivered.fetch_add(1, Ordering::SeqCst));
        let room = Arc::new(Semaphore::new(2)).try_acquire_many_owned(2).unwrap();
        let (event, topic) = (EventId::from(*id), "svc/dm/usr_1".to_owned());
        let message = Message { event, topic, envelope: "{}".into(), delivered, _room: room };
        sender.try_send(message).ok().unwrap();
    }
    // Leaked, so that the link never sees the queue close.
    std::mem::forget(sender);
    (waiting, delivered)
}

#[tokio::test(start_paused = true)]
async fn a_broker_that_answers_pings_but_acknowledges_nothing_is_given_up() {
    let (mut link, mut peer) = Peer::linked().await;
    let (mut waiting, delivered) = queue(&["evt_1"]);
    let mut suspects = Suspects::default();
    let began = Instant::now();
    let error = tokio::select! {
        error = link.run(&mut waiting, &mut suspects) => error,
        () = peer.only_answers_pings() => unreachable!("it never ends"),
    };
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert_eq!(began.elapsed(), ACKNOWLEDGE_TIME);
    assert_eq!(delivered.load(Ordering::SeqCst), 0, "the sweeper sends it again");
    assert!(!suspects.contains(&EventId::from("evt_1")), "nobody hung up on it");
}

#[tokio::test(start_paused = true)]
async fn the_time_to_acknowledge_is_that_of_the_oldest_message() {
    let (mut link, mut peer) = Peer::linked().await;
    let (mut waiting, delivered) = queue(&["evt_1", "evt_2"]);
    let mut suspects = Suspects::default();
    let began = Instant::now();
    let talking = async {
        peer.message().await;
        let second = peer.message().await;
        peer.acknowledge(second).await;
        peer.only_answers_pings().await;
    };
    tokio::select! {
        _ = link.run(&mut waiting, &mut suspects) => {}
        () = talking => unreachable!("it never ends"),
    }
    assert_eq!((began.elapsed(), delivered.load(Ordering::SeqCst)), (ACKNOWLEDGE_TIME, 1));
}

#[tokio::test]
async fn an_event_on_which_a_broker_hangs_up_twice_is_left_out() {
    let mut suspects = Suspects::default();
    let ids = ["evt_1", "evt_large", "evt_3"];
    // Any unacknowledged message may be the cause.
    let (mut link, mut peer) = Peer::linked().await;
    let (mut waiting, delivered) = queue(&ids);
    let hanging_up = async {
        for _ in ids {
            peer.message().await;
        }
        drop(peer);
    };
    let (error, ()) = tokio::join!(link.run(&mut waiting, &mut suspects), hanging_up);
    assert_ne!(error.kind(), io::ErrorKind::TimedOut);
    assert_eq!(delivered.load(Ordering::SeqCst), 0);
    // So each is sent alone.
    let (mut link, mut peer) = Peer::linked().await;
    let (mut waiting, delivered) = queue(&ids);
    let hanging_up = async {
        let first = peer.message().await;
        assert!(peer.is_quiet().await, "nothing is sent beside a suspect");
        peer.acknowledge(first).await;
        peer.message().await;
        assert!(peer.is_quiet().await);
        drop(peer);
    };
    tokio::join!(link.run(&mut waiting, &mut suspects), hanging_up);
    assert_eq!(delivered.load(Ordering::SeqCst), 2, "one was acknowledged, the other is skipped");
    assert!(suspects.contains(&EventId::from(ids[2])), "it was not sent again yet");
    assert!(!ids[..2].iter().any(|id| suspects.contains(&EventId::from(*id))));
}
