//! How a broken link is detected, and what is not sent on the next one.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::DuplexStream;
use tokio::sync::Semaphore;

use super::*;

const TRACE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// A broker that accepts the server, answers pings and records packets.
struct Peer(DuplexStream);

impl Peer {
    /// A link and the broker at its other end.
    async fn linked() -> (Link, Self) {
        let (link, peer) = Self::greeted(Version::Three, &[0x20, 2, 0, 0]).await;
        (link.unwrap(), peer)
    }

    /// How a link ends that is greeted so.
    async fn greeted(version: Version, greeting: &[u8]) -> (Result<Link, Unopened>, Self) {
        let (near, far) = tokio::io::duplex(1_048_576);
        let mut peer = Self(far);
        let login = Login { version, client_id: "svc-server-1", credentials: None, keep_alive: 30 };
        let (link, ()) = tokio::join!(Link::open(Box::new(near), &login), async {
            assert_eq!(peer.packet().await.0, 0x10);
            peer.0.write_all(greeting).await.unwrap();
        });
        (link, peer)
    }

    /// The next packet: its first byte, its packet id if it is a message, and its length.
    async fn packet(&mut self) -> (u8, u16, usize) {
        let (first, body) = self.whole_packet().await;
        if first != 0x32 {
            return (first, 0, body.len());
        }
        let topic = usize::from(u16::from_be_bytes([body[0], body[1]]));
        (first, u16::from_be_bytes([body[2 + topic], body[3 + topic]]), body.len())
    }

    /// The next packet: its first byte and its body.
    async fn whole_packet(&mut self) -> (u8, Vec<u8>) {
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
        (first, body)
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
        let (envelope, trace, since) = ("{}".into(), Trace::read(TRACE), Instant::now());
        let message = Message { event, topic, envelope, trace, delivered, since, _room: room };
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

#[tokio::test]
async fn a_message_carries_its_trace_where_there_is_a_place_for_it() {
    let user = [&[0x26, 0, 11][..], b"traceparent", &[0, 55], TRACE.as_bytes()].concat();
    let (three, five) = ([0x20, 2, 0, 0], [0x20, 3, 0, 0, 0]);
    for (version, greeting, properties) in [
        (Version::Three, &three[..], Vec::new()),
        (Version::Five, &five, [&[71][..], &user].concat()),
    ] {
        let (link, mut peer) = Peer::greeted(version, greeting).await;
        let (mut link, mut suspects) = (link.unwrap(), Suspects::default());
        let (mut waiting, delivered) = queue(&["evt_1"]);
        let taking = async {
            let (first, body) = peer.whole_packet().await;
            assert_eq!(
                (first, &body[..14], &body[14..16]),
                (0x32, &b"\0\x0csvc/dm/usr_1"[..], &[0, 1][..])
            );
            assert_eq!(body[16..], [&properties[..], b"{}"].concat());
            peer.acknowledge(1).await;
            drop(peer);
        };
        tokio::join!(link.run(&mut waiting, &mut suspects), taking);
        assert_eq!(delivered.load(Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn a_broker_bounds_what_is_sent_to_it() {
    // One message at a time, in packets of at most 32 bytes.
    let greeting = [0x20, 11, 0, 0, 8, 0x21, 0, 1, 0x27, 0, 0, 0, 32];
    let (link, mut peer) = Peer::greeted(Version::Five, &greeting).await;
    let (mut link, mut suspects) = (link.unwrap(), Suspects::default());
    let (mut waiting, delivered) = queue(&["evt_1", "evt_2"]);
    let taking = async {
        let (_, body) = peer.whole_packet().await;
        assert_eq!(&body[16..], b"\0{}", "without its trace it is small enough");
        assert!(peer.is_quiet().await);
        // Not authorized.
        peer.0.write_all(&[0x40, 3, 0, 1, 0x87]).await.unwrap();
        assert_eq!(peer.message().await, 2);
        peer.acknowledge(2).await;
        // It shuts down.
        peer.0.write_all(&[0xE0, 2, 0x8B, 0]).await.unwrap();
    };
    let (error, ()) = tokio::join!(link.run(&mut waiting, &mut suspects), taking);
    assert_eq!(error.to_string(), "it ended the connection with reason 0x8b");
    assert_eq!(delivered.load(Ordering::SeqCst), 1, "what was refused is sent again");
}

#[tokio::test(start_paused = true)]
async fn a_message_that_waited_for_too_long_is_left_to_the_sweeper() {
    // One message at a time.
    let greeting = [0x20, 6, 0, 0, 3, 0x21, 0, 1];
    let (link, mut peer) = Peer::greeted(Version::Five, &greeting).await;
    let (mut link, mut suspects) = (link.unwrap(), Suspects::default());
    let (mut waiting, delivered) = queue(&["evt_1", "evt_2"]);
    let taking = async {
        let first = peer.message().await;
        tokio::time::advance(QUEUED_MAX + Duration::from_secs(1)).await;
        peer.acknowledge(first).await;
        assert!(peer.is_quiet().await);
        drop(peer);
    };
    tokio::join!(link.run(&mut waiting, &mut suspects), taking);
    assert_eq!(delivered.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_broker_that_does_not_speak_version_5_says_so() {
    for greeting in [&[0x20, 2, 0, 1][..], &[0x20, 3, 0, 0x84, 0], &[0x20, 5, 0, 0, 2, 0x24, 0]] {
        let (link, _) = Peer::greeted(Version::Five, greeting).await;
        assert!(matches!(link, Err(Unopened::Version)), "{greeting:?}");
    }
    let (link, _) = Peer::greeted(Version::Five, &[0x20, 2, 0, 5]).await;
    assert!(matches!(link, Err(Unopened::Failed(_))), "it refuses the login");
}
