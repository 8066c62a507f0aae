//! Several nodes on one PostgreSQL: what one commits is heard on all, and ends on all.
//!
//! Hints between nodes travel in real time. What is found without a hint is found when the clock is
//! moved.

use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::join_all;
use http::Method;
use svc_server::testing::Engine;
use svc_store::testing::proxy::{Mode, Proxy};
use svc_store::{sql, values};
use tokio::time::timeout;

use crate::app::{self, Member, TestApp};
use crate::event_stream::EventStream;
use crate::wire::{FEED, Login, Wire, dm};

/// Within this time a right that one node takes has ended on every other. The guarantee is a second, by a hint or by
/// the look after [`TestApp::advance`]; tests allow three times that, because others share the machine (decision 0146).
const ENDED_WITHIN: Duration = Duration::from_secs(3);

/// Nodes on one new database; none without PostgreSQL.
async fn nodes<const N: usize>() -> Option<[TestApp; N]> {
    let database = app::database(Engine::Postgres).await?;
    let mut nodes = Vec::new();
    for _ in 0..N {
        let settings = [("mqtt_listen", "127.0.0.1:0")];
        nodes.push(TestApp::on(Engine::Postgres, &database, &settings).await);
    }
    nodes.try_into().ok()
}

/// The same account at another node.
pub(crate) fn at(node: &TestApp, member: &Member) -> Member {
    let client = node.client(member.key.clone());
    Member { user: member.user.clone(), key: member.key.clone(), client }
}

/// An account's stream of server-sent events.
pub(crate) struct Stream(EventStream);

impl Stream {
    pub(crate) async fn open(node: &TestApp, member: &Member) -> Self {
        let request = at(node, member).raw(node, Method::GET, "/v1/connect/stream");
        let mut stream = EventStream::open(request).await;
        assert!(stream.block().await.unwrap().contains("events follow"));
        Self(stream)
    }

    /// The number of the next event.
    pub(crate) async fn seq(&mut self) -> u64 {
        let block = self.0.block().await.expect("the stream goes on");
        let id = block.lines().find_map(|line| line.strip_prefix("id: "));
        id.expect("an event has a number").parse().unwrap()
    }

    /// Waits for its end, in time. Events about what ended it may still arrive.
    pub(crate) async fn ends(&mut self) {
        let ending = async {
            while let Some(block) = self.0.block().await {
                assert!(block.contains("event: security"), "{block}");
            }
        };
        timeout(ENDED_WITHIN, ending).await.expect("the stream ends");
    }
}

pub(crate) async fn ended(wire: &mut Wire) {
    assert!(timeout(ENDED_WITHIN, wire.ended()).await.is_ok(), "the session ends");
}

/// Messages that are written at each node.
const MESSAGES: u64 = 30;

async fn write_at(node: &TestApp, from: &Member, to: &Member) {
    let from = at(node, from);
    for number in 0..MESSAGES {
        from.write(to, &format!("message {number}")).await;
    }
}

/// What is written at all nodes at once arrives by the broker and by the stream of each, once and in order.
pub(crate) async fn all_events_arrive(nodes: &[&TestApp]) {
    let [ada, bob] = nodes[0].agents(["ada", "bob"]).await;
    let (mut streams, mut wires) = (Vec::new(), Vec::new());
    for &node in nodes {
        streams.push(Stream::open(node, &bob).await);
        wires.push(Wire::listen(node, &Login::of(&bob, 5), &[&dm(&bob)]).await);
    }
    join_all(nodes.iter().map(|node| write_at(node, &ada, &bob))).await;
    for expected in 1..=MESSAGES * u64::try_from(nodes.len()).unwrap() {
        for wire in &mut wires {
            assert_eq!(wire.envelope().await.1["seq"], expected);
        }
        for stream in &mut streams {
            assert_eq!(stream.seq().await, expected);
        }
    }
    for wire in &mut wires {
        for &node in nodes {
            wire.receives_nothing(node).await;
        }
    }
}

#[tokio::test]
async fn events_of_all_nodes_are_heard_on_each_once_and_in_order() {
    let Some([one, two, three]) = nodes().await else { return };
    all_events_arrive(&[&one, &two, &three]).await;
}

#[tokio::test]
async fn posts_and_channel_messages_of_all_nodes_reach_the_broker_of_each() {
    let Some([one, two]) = nodes().await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let channel = ada.client.channels().create("open").await.unwrap().channel;
    bob.client.channels().join(&channel.id).await.unwrap();
    let mut wire = Wire::listen(&two, &Login::of(&bob, 5), &[&channel.topic, FEED]).await;
    for (number, writer) in [at(&one, &ada), at(&two, &ada), at(&one, &ada)].iter().enumerate() {
        writer.client.channels().post(&channel.id, "hello").await.unwrap();
        let (topic, envelope) = wire.envelope().await;
        assert_eq!((topic, &envelope["seq"]), (channel.topic.clone(), &(number + 1).into()));
    }
    let mut posts = BTreeSet::new();
    for writer in [at(&one, &ada), at(&two, &bob)] {
        posts.insert(writer.post("to all").await.id.to_string());
    }
    let mut received = BTreeSet::new();
    for _ in 0..2 {
        let (topic, envelope) = wire.envelope().await;
        assert_eq!(topic, FEED);
        received.insert(envelope["data"]["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(received, posts);
    for node in [&one, &two] {
        wire.receives_nothing(node).await;
    }
}

#[tokio::test]
async fn a_new_key_ends_what_the_old_one_opened_on_every_node() {
    let Some([one, two, three]) = nodes().await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut opened = Vec::new();
    for node in [&one, &three] {
        let wire = Wire::listen(node, &Login::of(&bob, 5), &[&dm(&bob)]).await;
        opened.push((wire, Stream::open(node, &bob).await));
    }
    let renewed = at(&two, &bob).client.auth().regenerate_api_key().await.unwrap();
    for (wire, stream) in &mut opened {
        ended(wire).await;
        stream.ends().await;
    }
    // The new key opens a session that lasts.
    let bob = Member { key: renewed.api_key, ..bob };
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    at(&two, &ada).write(&bob, "again").await;
    assert_eq!(wire.envelope().await.1["data"]["content"], "again");
    one.advance(1);
    assert!(wire.is_answered().await, "it is not ended twice");
}

#[tokio::test]
async fn a_suspension_and_a_logout_end_streams_on_every_node() {
    let Some([one, two]) = nodes().await else { return };
    let bob = one.agent("bob").await;
    one.person("eve", "correct horse battery").await;
    let mut stream = Stream::open(&one, &bob).await;
    let mut wire = Wire::connect(&one, &Login::of(&bob, 4)).await;
    two.suspend("bob").await;
    ended(&mut wire).await;
    stream.ends().await;
    let cookie = two.sign_in("eve", "correct horse battery").await;
    let opened = one.raw(Method::GET, "/v1/connect/stream").header("cookie", &cookie);
    let mut stream = Stream(EventStream::open(opened).await);
    stream.0.block().await.unwrap();
    two.browser(&cookie).auth().logout().await.unwrap();
    stream.ends().await;
}

#[tokio::test]
async fn who_left_a_channel_on_one_node_hears_nothing_of_it_on_another() {
    let Some([one, two]) = nodes().await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let channel = ada.client.channels().create("open").await.unwrap().channel;
    bob.client.channels().join(&channel.id).await.unwrap();
    let topics = [&*channel.topic, &*dm(&bob)];
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &topics).await;
    at(&two, &bob).client.channels().leave(&channel.id).await.unwrap();
    let ada = at(&two, &ada);
    ada.client.channels().post(&channel.id, "among us").await.unwrap();
    ada.write(&bob, "are you gone?").await;
    let (topic, _) = wire.envelope().await;
    assert_eq!(topic, dm(&bob), "the message of the channel was committed before");
}

#[tokio::test]
async fn a_stream_says_which_channel_changed_on_another_node() {
    let Some([one, two]) = nodes().await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let channel = ada.client.channels().create("open").await.unwrap().channel.id;
    bob.client.channels().join(&channel).await.unwrap();
    let path = format!("/v1/connect/stream?channels={channel}");
    let opened = at(&two, &bob).raw(&two, Method::GET, &path);
    let mut stream = EventStream::open(opened).await;
    stream.block().await.unwrap();
    ada.client.channels().post(&channel, "hello").await.unwrap();
    let said = stream.block().await.unwrap();
    assert!(said.contains("event: channel_changed") && said.contains(channel.as_str()), "{said}");
}

#[tokio::test]
async fn what_no_hint_named_is_found_by_looking() {
    let Some([one]) = nodes().await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    let mut session = Wire::connect(&one, &Login::of(&ada, 5)).await;
    let (gone, to) = (ada.user.id.to_string(), bob.user.id.clone());
    // As another process commits whose hints are lost.
    one.execute(move |ctx| {
        let head = sql!("insert into event_head (stream, last_seq) values ($1, 60)");
        ctx.tx.execute(head, values![to])?;
        // More than are read at once.
        for seq in 1..=60_i64 {
            ctx.tx.execute(
                sql!(
                    "insert into event (id, stream, seq, kind, body, created_at)
                      values ($1, $2, $3, 'direct_message', '{\"data\":{}}', 0)"
                ),
                values![format!("evt_{seq}"), to, seq],
            )?;
        }
        ctx.tx.execute(
            sql!(
                "insert into revocation (nonce, node, kind, accounts, at) values ('1', 'another',
                  'account', $1, cast(extract(epoch from clock_timestamp()) * 1000 as bigint))"
            ),
            values![gone],
        )
    })
    .await;
    one.advance(1);
    ended(&mut session).await;
    for seq in 1..=60 {
        assert_eq!(wire.envelope().await.1["seq"], seq);
    }
}

#[tokio::test]
async fn a_node_that_was_away_for_minutes_ends_what_lost_its_right_meanwhile() {
    let Some([one, two]) = nodes().await else { return };
    let bob = two.agent("bob").await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    let gone = bob.user.id.to_string();
    // As another process has committed 90 seconds ago, which this node would have read if it could.
    two.execute(move |ctx| {
        ctx.tx.execute(
            sql!(
                "insert into revocation (nonce, node, kind, accounts, at) values ('1', 'another',
                  'account', $1,
                  cast(extract(epoch from clock_timestamp()) * 1000 as bigint) - 90000)"
            ),
            values![gone],
        )
    })
    .await;
    one.advance(1);
    assert!(wire.is_answered().await, "it has read all of the last minute");
    one.advance(120);
    ended(&mut wire).await;
}

#[tokio::test]
async fn a_node_whose_connections_to_the_bus_were_cut_hears_of_others_again() {
    let Some([one, two]) = nodes().await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    let ada = at(&two, &ada);
    ada.write(&bob, "before").await;
    assert_eq!(wire.envelope().await.1["data"]["content"], "before");
    let cut = sql!(
        "select count(pg_terminate_backend(pid)) from pg_stat_activity
         where application_name = 'svc-server bus' and datname = current_database()"
    );
    assert_ne!(one.count(cut).await, 0, "the bus has connections");
    ada.write(&bob, "after").await;
    assert_eq!(wire.envelope().await.1["data"]["content"], "after");
}

#[tokio::test]
async fn a_node_whose_bus_is_frozen_answers_and_the_others_find_by_looking() {
    let Some(database) = app::database(Engine::Postgres).await else { return };
    let proxy = Proxy::to(&database);
    let url = proxy.url();
    let settings = [("mqtt_listen", "127.0.0.1:0"), ("database.direct_url", &*url)];
    let frozen = TestApp::on(Engine::Postgres, &database, &settings).await;
    let other = TestApp::on(Engine::Postgres, &database, &settings[..1]).await;
    let [ada, bob] = other.agents(["ada", "bob"]).await;
    let mut at_frozen = Wire::listen(&frozen, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    let mut at_other = Wire::listen(&other, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    proxy.set(Mode::Frozen);
    at(&frozen, &ada).write(&bob, "one").await;
    assert_eq!(at_frozen.envelope().await.1["data"]["content"], "one");
    at_other.receives_nothing(&other).await;
    other.advance(1);
    assert_eq!(at_other.envelope().await.1["data"]["content"], "one");
    at(&other, &ada).write(&bob, "two").await;
    assert_eq!(at_other.envelope().await.1["data"]["content"], "two");
    at_frozen.receives_nothing(&frozen).await;
    frozen.advance(1);
    assert_eq!(at_frozen.envelope().await.1["data"]["content"], "two");
}

#[tokio::test]
async fn a_message_whose_commit_fails_is_not_announced() {
    let Some([one]) = nodes().await else { return };
    let [ada, bob] = one.agents(["ada", "bob"]).await;
    let mut wire = Wire::listen(&one, &Login::of(&bob, 5), &[&dm(&bob)]).await;
    let mut stream = Stream::open(&one, &bob).await;
    // Every statement succeeds, and the commit does not.
    let refusing = one.server.app().write(|ctx| {
        ctx.tx.execute(
            sql!(
                "create function refuse_commit() returns trigger language plpgsql as
                 'begin raise exception ''a test''; end'"
            ),
            &[],
        )?;
        ctx.tx.execute(
            sql!(
                "create constraint trigger refuse_commit after insert on message
                 deferrable initially deferred for each row execute function refuse_commit()"
            ),
            &[],
        )
    });
    refusing.await.unwrap();
    ada.client.messages().send(&*bob.user.username, "undone").await.unwrap_err();
    let accept = sql!("drop trigger refuse_commit on message");
    one.server.app().write(move |ctx| ctx.tx.execute(accept, &[])).await.unwrap();
    ada.write(&bob, "done").await;
    assert_eq!(wire.envelope().await.1["data"]["content"], "done");
    assert_eq!(stream.seq().await, 1);
}

#[tokio::test]
async fn six_hundred_idle_streams_cost_a_few_statements_a_second() {
    let Some([one]) = nodes().await else { return };
    let mut streams = Vec::new();
    for number in 0..30 {
        let member = one.agent(&format!("reader{number}")).await;
        for _ in 0..20 {
            streams.push(Stream::open(&one, &member).await);
        }
    }
    // What the registrations left to be done is no cost of streams.
    one.index().await;
    one.server.flush().await;
    let _ = seconds(&one, 5).await;
    let statements = seconds(&one, 20).await;
    assert!(statements <= 600, "{statements} statements in 20 seconds");
    assert!(statements >= 20, "one look a second");
}

/// Lets seconds pass; the statements that the server ran meanwhile.
async fn seconds(node: &TestApp, count: u64) -> u64 {
    /// Reads that the work of a second is let pass by.
    const READS: u64 = 20;
    node.server.app().db.groups().watch();
    for _ in 0..count {
        node.advance(1);
        for _ in 0..READS {
            node.count(sql!("select count(*) from account")).await;
        }
    }
    let groups = node.server.app().db.groups().take();
    groups.iter().map(|group| group.statements).sum::<u64>() - READS * count
}
