//! A client that can send invalid packets.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::{Value, json};
use svc_client::types::EventId;
use svc_core::app::Ctx;
use svc_core::services::outbox;
use svc_server::testing::in_time;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::app::{Member, TestApp};

/// The versions of the protocol, by their level.
pub(crate) const VERSIONS: [u8; 2] = [4, 5];

/// What a CONNECT says.
#[derive(Clone)]
pub(crate) struct Login {
    pub(crate) level: u8,
    pub(crate) client_id: String,
    pub(crate) username: Option<String>,
    pub(crate) password: Option<String>,
    pub(crate) clean: bool,
    pub(crate) keep_alive: u16,
    /// Properties of version 5.
    pub(crate) properties: Vec<u8>,
    pub(crate) will: Option<Will>,
}

/// A will message.
#[derive(Clone)]
pub(crate) struct Will {
    pub(crate) topic: String,
    pub(crate) payload: String,
    pub(crate) qos: u8,
    pub(crate) retain: bool,
    /// Seconds to wait for the client to come back; version 5 alone can say so.
    pub(crate) delay: u32,
}

impl Login {
    /// With the credentials that the API gives the account.
    pub(crate) fn of(member: &Member, level: u8) -> Self {
        let id = member.user.id.to_string();
        Self {
            level,
            client_id: id.clone(),
            username: Some(id),
            password: Some(member.key.expose().to_owned()),
            clean: true,
            keep_alive: 60,
            properties: Vec::new(),
            will: None,
        }
    }

    /// With this behind the client id.
    pub(crate) fn named(mut self, suffix: &str) -> Self {
        self.client_id = format!("{}:{suffix}", self.client_id);
        self
    }

    /// With a session that outlives the connection.
    pub(crate) fn lasting(mut self) -> Self {
        self.clean = false;
        if self.level == 5 {
            self.properties = [&[0x11][..], &3_600_u32.to_be_bytes()].concat();
        }
        self
    }

    pub(crate) fn packet(&self) -> Vec<u8> {
        let is_five = self.level == 5;
        let mut flags = u8::from(self.clean) << 1;
        let mut payload = text(&self.client_id);
        if let Some(will) = &self.will {
            flags |= 0x04 | will.qos << 3 | u8::from(will.retain) << 5;
            if is_five {
                payload.extend([&[5, 0x18][..], &will.delay.to_be_bytes()].concat());
            }
            payload.extend(text(&will.topic));
            payload.extend(text(&will.payload));
        }
        for (given, flag) in [(&self.username, 0x80), (&self.password, 0x40)] {
            if let Some(given) = given {
                flags |= flag;
                payload.extend(text(given));
            }
        }
        let mut body = [&text("MQTT")[..], &[self.level, flags]].concat();
        body.extend(self.keep_alive.to_be_bytes());
        if is_five {
            body.push(u8::try_from(self.properties.len()).unwrap());
            body.extend(&self.properties);
        }
        body.extend(payload);
        framed(0x10, &body)
    }
}

/// A text with its length in front.
pub(crate) fn text(text: &str) -> Vec<u8> {
    let length = u16::try_from(text.len()).unwrap().to_be_bytes();
    [&length[..], text.as_bytes()].concat()
}

/// A packet of this first byte.
pub(crate) fn framed(first: u8, body: &[u8]) -> Vec<u8> {
    let mut packet = vec![first];
    let mut length = body.len();
    loop {
        let low = u8::try_from(length & 0x7F).unwrap();
        length >>= 7;
        packet.push(if length == 0 { low } else { low | 0x80 });
        if length == 0 {
            break;
        }
    }
    packet.extend(body);
    packet
}

/// A packet that the server sent: its first byte and its body.
pub(crate) type Heard = (u8, Vec<u8>);

/// The topic of all posts.
pub(crate) const FEED: &str = "svc/feed/global";

/// Publishes an event in the feed that nothing has caused. Subscribers receive it after all that was committed
/// before.
pub(crate) async fn mark(app: &TestApp) -> EventId {
    let publish = |ctx: &mut Ctx<'_, '_>| {
        let id: EventId = ctx.id();
        outbox::append_for_all(ctx, &id, "marker", &json!({})).map(|()| id)
    };
    app.server.app().write(publish).await.unwrap()
}

/// A connection.
pub(crate) struct Wire {
    stream: TcpStream,
    pub(crate) level: u8,
}

impl Wire {
    /// A connection on which nothing was said yet.
    pub(crate) async fn dial(app: &TestApp, level: u8) -> Self {
        Self::dial_at(app.server.mqtt(), level).await
    }

    async fn dial_at(broker: SocketAddr, level: u8) -> Self {
        Self { stream: TcpStream::connect(broker).await.unwrap(), level }
    }

    /// Sends CONNECT; returns the CONNACK's flags and code.
    pub(crate) async fn try_connect(app: &TestApp, login: &Login) -> (Self, (u8, u8)) {
        Self::try_connect_at(app.server.mqtt(), login).await
    }

    /// The same to any broker.
    pub(crate) async fn try_connect_at(broker: SocketAddr, login: &Login) -> (Self, (u8, u8)) {
        let mut wire = Self::dial_at(broker, login.level).await;
        wire.send(&login.packet()).await;
        let (first, body) = wire.packet().await.expect("a CONNECT is answered");
        assert_eq!(first, 0x20);
        (wire, (body[0], body[1]))
    }

    /// A connected client.
    pub(crate) async fn connect(app: &TestApp, login: &Login) -> Self {
        let (wire, answer) = Self::try_connect(app, login).await;
        assert_eq!(answer.1, 0, "it may connect");
        wire
    }

    /// A client of this account, in and subscribed to these topics at QoS 1.
    pub(crate) async fn listen(app: &TestApp, login: &Login, topics: &[&str]) -> Self {
        let mut wire = Self::connect(app, login).await;
        assert_eq!(wire.subscribe(topics).await, vec![1; topics.len()], "{topics:?}");
        wire
    }

    pub(crate) async fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).await.unwrap();
    }

    /// Sends what the server may have stopped listening to.
    pub(crate) async fn send_anyway(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes).await;
    }

    /// The next packet; none when the server closed the connection.
    pub(crate) async fn packet(&mut self) -> Option<Heard> {
        in_time("the server answers or closes", self.read()).await
    }

    async fn read(&mut self) -> Option<Heard> {
        let first = self.stream.read_u8().await.ok()?;
        let (mut length, mut place) = (0_usize, 0);
        loop {
            let byte = self.stream.read_u8().await.ok()?;
            length |= usize::from(byte & 0x7F) << (7 * place);
            place += 1;
            if byte & 0x80 == 0 {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await.ok()?;
        Some((first, body))
    }

    /// Asks for these topics at QoS 1; the answers in their order.
    pub(crate) async fn subscribe(&mut self, topics: &[&str]) -> Vec<u8> {
        let asked: Vec<u8> =
            topics.iter().flat_map(|topic| [text(topic), vec![1]].concat()).collect();
        self.send(&framed(0x82, &[&self.numbered(7)[..], &asked].concat())).await;
        let (first, body) = self.packet().await.unwrap();
        assert_eq!((first, &body[..2]), (0x90, &[0, 7][..]));
        body[self.numbered(7).len()..].to_vec()
    }

    /// Ends subscriptions; the answers of version 5.
    pub(crate) async fn unsubscribe(&mut self, topics: &[&str]) -> Vec<u8> {
        let asked: Vec<u8> = topics.iter().flat_map(|topic| text(topic)).collect();
        self.send(&framed(0xA2, &[&self.numbered(8)[..], &asked].concat())).await;
        let (first, body) = self.packet().await.unwrap();
        assert_eq!((first, &body[..2]), (0xB0, &[0, 8][..]));
        body.get(3..).unwrap_or_default().to_vec()
    }

    /// A packet id, and no properties where there could be.
    fn numbered(&self, id: u16) -> Vec<u8> {
        let mut head = id.to_be_bytes().to_vec();
        head.extend((self.level == 5).then_some(0));
        head
    }

    /// Publishes at QoS 1 without waiting.
    pub(crate) async fn publish(&mut self, topic: &str, id: u16, payload: &str) {
        let body = [&text(topic)[..], &self.numbered(id), payload.as_bytes()].concat();
        self.send_anyway(&framed(0x32, &body)).await;
    }

    /// Publishes at QoS 1; the reason in the PUBACK.
    pub(crate) async fn published(&mut self, topic: &str, payload: &str) -> Option<u8> {
        self.publish(topic, 9, payload).await;
        let (first, body) = self.packet().await?;
        assert_eq!((first, &body[..2]), (0x40, &[0, 9][..]));
        Some(body.get(2).copied().unwrap_or(0))
    }

    /// The next message: its topic, packet id and envelope; whether it was sent before.
    pub(crate) async fn message(&mut self) -> (String, u16, Value, bool) {
        let (first, body) = self.packet().await.expect("a message arrives");
        assert_eq!(first & 0xF7, 0x32, "a message at QoS 1");
        let length = usize::from(u16::from_be_bytes([body[0], body[1]]));
        let topic = String::from_utf8(body[2..2 + length].to_vec()).unwrap();
        let id = u16::from_be_bytes([body[2 + length], body[3 + length]]);
        let payload = &body[2 + length + self.numbered(0).len()..];
        (topic, id, serde_json::from_slice(payload).unwrap(), first & 0x08 != 0)
    }

    /// The next message: its properties, which version 5 alone has, and its envelope.
    pub(crate) async fn properties(&mut self) -> (Vec<u8>, Value) {
        let (first, body) = self.packet().await.expect("a message arrives");
        assert_eq!(first & 0xF7, 0x32, "a message at QoS 1");
        let rest = &body[4 + usize::from(u16::from_be_bytes([body[0], body[1]]))..];
        let (properties, payload) =
            if self.level == 5 { rest[1..].split_at(rest[0].into()) } else { (&[][..], rest) };
        (properties.to_vec(), serde_json::from_slice(payload).unwrap())
    }

    /// The next message, acknowledged: its topic and envelope.
    pub(crate) async fn envelope(&mut self) -> (String, Value) {
        let (topic, id, envelope, _) = self.message().await;
        self.acknowledge(id).await;
        (topic, envelope)
    }

    pub(crate) async fn acknowledge(&mut self, id: u16) {
        self.send(&framed(0x40, &id.to_be_bytes())).await;
    }

    /// Checks that nothing else was sent to it: what is published now, at this server, arrives next. It does
    /// not follow the feed afterwards.
    pub(crate) async fn receives_nothing(&mut self, app: &TestApp) {
        assert_eq!(self.subscribe(&[FEED]).await, [1]);
        let marker = mark(app).await;
        self.receives_next(&marker).await;
        self.unsubscribe(&[FEED]).await;
    }

    /// Receives this event, and nothing before it.
    pub(crate) async fn receives_next(&mut self, event: &EventId) {
        let (topic, envelope) = self.envelope().await;
        assert_eq!(envelope["id"], event.as_str(), "nothing was to arrive at {topic}: {envelope}");
    }

    /// Whether a ping is answered, rather than with the end.
    pub(crate) async fn is_answered(&mut self) -> bool {
        self.send_anyway(&[0xC0, 0]).await;
        self.packet().await.is_some_and(|(first, _)| first == 0xD0)
    }

    /// Whether something arrives within this time.
    pub(crate) async fn has_more(&self, within: Duration) -> bool {
        let mut first = [0];
        let arriving = timeout(within, self.stream.peek(&mut first));
        arriving.await.is_ok_and(|read| read.is_ok_and(|count| count > 0))
    }

    /// Sends DISCONNECT and closes.
    pub(crate) async fn close(mut self) {
        self.send(&[0xE0, 0]).await;
        self.stream.shutdown().await.unwrap();
    }

    /// Sends DISCONNECT and waits until the server has closed.
    pub(crate) async fn leave(mut self) {
        self.send(&[0xE0, 0]).await;
        assert_eq!(self.packet().await, None);
    }

    /// The reason that the server ends the connection with; none where the protocol has none.
    pub(crate) async fn ended(&mut self) -> Option<u8> {
        let end = self.packet().await;
        if let Some((first, body)) = &end {
            assert_eq!(*first, 0xE0, "{body:?}");
            assert_eq!(self.packet().await, None, "nothing follows a DISCONNECT");
        }
        end.map(|(_, body)| body[0])
    }

    /// The reason that fits the version: 3.1.1 is closed without one.
    #[track_caller]
    pub(crate) fn reason(&self, code: u8) -> Option<u8> {
        (self.level == 5).then_some(code)
    }
}

/// Topics of an account.
pub(crate) fn dm(member: &Member) -> String {
    format!("svc/dm/{}", member.user.id)
}

/// The user property that carries a trace.
pub(crate) fn user_property(trace: &str) -> Vec<u8> {
    [&[0x26][..], &text("traceparent"), &text(trace)].concat()
}

/// Other topics of an account.
pub(crate) fn notifications(member: &Member) -> String {
    format!("svc/notifications/{}", member.user.id)
}
