//! Channel messages: who writes, who reads, which events follow.

mod left;
mod moderation;
mod opened;

use serde_json::{Map, Value, json};
use svc_client::types::api::channels::{
    Channel, ChannelMessage, DeleteChannelMessage, GetChannelMessage, ListChannelMessages,
    PostChannelMessage, PostPolicy, ReadChannel,
};
use svc_client::types::api::messages::Order;
use svc_client::types::{Code, MessageId};
use svc_core::identity::acting;
use svc_core::services::channel;
use svc_core::tasks::sweep;
use svc_store::{sql, values};
use tokio::task::JoinSet;

use crate::app::{Member, TestApp, all_items, code, fault};
use crate::channels::{private, public};
use crate::counts;
use crate::moderation::staff;
use crate::on_both_engines;

async fn post(member: &Member, channel: &Channel, content: &str) -> ChannelMessage {
    let posting = member.client.channels().post(&channel.id, content);
    posting.await.unwrap().message
}

async fn read(client: &svc_client::Client, channel: &Channel, order: Order) -> Vec<String> {
    let messages = all_items(client.channels().messages(&channel.id).order(order).limit(2)).await;
    messages.into_iter().map(|message| message.content).collect()
}

/// Number, kind and body of each event of a channel.
async fn published(app: &TestApp, channel: &Channel) -> Vec<(i64, String, Value)> {
    let id = channel.id.clone();
    let sql = sql!("select seq, kind, body from event where stream = $1 order by seq");
    let rows = app.server.app().read(move |ctx| ctx.tx.all(sql, values![id]));
    let rows: Vec<(i64, String, String)> = rows.await.unwrap();
    let parsed = |body: String| serde_json::from_str::<Value>(&body).unwrap();
    rows.into_iter().map(|(seq, kind, body)| (seq, kind, parsed(body))).collect()
}

async fn unread(member: &Member, channel: &Channel) -> i64 {
    let read = member.client.channels().get(&channel.id).await.unwrap();
    read.channel.viewer.unwrap().unread_count
}

on_both_engines! {
    async fn members_write_to_and_everyone_reads_a_public_channel(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = public(&ada, "open").await;
        let refused = bob.client.channels().post(&channel.id, "hello").await;
        assert_eq!(code::<PostChannelMessage>(refused), Code::Forbidden);
        bob.client.channels().join(&channel.id).await.unwrap();
        let payload = Map::from_iter([("warnings".to_owned(), json!(0))]);
        let first = post(&ada, &channel, "hello").await;
        let posting = bob.client.channels().post(&channel.id, "it compiles");
        let posting = posting.payload("build.v1", payload.clone()).reply_to(&first.message_id);
        let second = posting.client_message_id("b1").await.unwrap().message;
        assert!(second.message_id > first.message_id);
        assert_eq!((&second.channel_id, &*second.sender.username), (&channel.id, "bob"));
        assert_eq!((second.schema.as_deref(), &second.payload), (Some("build.v1"), &Some(payload)));
        assert_eq!(second.reply_to_id.as_ref(), Some(&first.message_id));
        assert_eq!(second.client_message_id.as_deref(), Some("b1"));
        for client in [&app.anonymous, &ada.client, &bob.client] {
            let list = client.channels().messages(&channel.id).await.unwrap().messages;
            assert_eq!(list, [second.clone(), first.clone()]);
            assert_eq!(read(client, &channel, Order::Asc).await, ["hello", "it compiles"]);
        }
        bob.client.channels().leave(&channel.id).await.unwrap();
        let refused = bob.client.channels().post(&channel.id, "again").await;
        assert_eq!(code::<PostChannelMessage>(refused), Code::Forbidden);
    }

    async fn members_only_read_an_announcement_channel(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let channel = private(&ada, "news").await;
        let (owner, id) = (ada.client.channels(), &channel.id);
        owner.add(id, ["bob"]).await.unwrap();
        owner.update(id).post_policy(PostPolicy::Owner).await.unwrap();
        let refused = bob.client.channels().post(id, "me too").await;
        assert_eq!(code::<PostChannelMessage>(refused), Code::Forbidden);
        post(&ada, &channel, "news").await;
        assert_eq!(read(&bob.client, &channel, Order::Desc).await, ["news"]);
        owner.update(id).post_policy(PostPolicy::Members).await.unwrap();
        post(&bob, &channel, "me too").await;
    }

    async fn an_invalid_message_is_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        let [channel, other] = [public(&ada, "one").await, public(&ada, "two").await];
        let (channels, id) = (ada.client.channels(), &channel.id);
        let invalid = |field: &str| (Code::ValidationFailed, field.to_owned());
        for content in [String::new(), "x".repeat(40_001)] {
            assert_eq!(fault::<PostChannelMessage>(channels.post(id, content).await), invalid("content"));
        }
        let long = channels.post(id, "x").client_message_id("x".repeat(65));
        assert_eq!(fault::<PostChannelMessage>(long.await), invalid("clientMessageId"));
        let half = channels.post(id, "x").with(|request| request.schema = Some("a.v1".into()));
        assert_eq!(fault::<PostChannelMessage>(half.await), invalid("payload"));
        let half = channels.post(id, "x").with(|request| request.payload = Some(Map::new()));
        assert_eq!(fault::<PostChannelMessage>(half.await), invalid("schema"));
        let secret = channels.post(id, ada.key.expose()).await;
        assert_eq!(code::<PostChannelMessage>(secret), Code::CredentialInContent);
        let service = |field: &str| (Code::InvalidServiceMessage, field.to_owned());
        let named = channels.post(id, "x").payload("service.request", Map::new()).await;
        assert_eq!(fault::<PostChannelMessage>(named), service("schema"));
        let written = channels.post(id, r#"{"schema":"service.response","payload":{}}"#).await;
        assert_eq!(fault::<PostChannelMessage>(written), service("content"));
        let elsewhere = post(&ada, &other, "elsewhere").await.message_id;
        for reply_to in [&elsewhere, &MessageId::from("msg_0")] {
            let answer = channels.post(id, "x").reply_to(reply_to).await;
            let fault = fault::<PostChannelMessage>(answer);
            assert_eq!(fault, (Code::NotFound, "replyToId".to_owned()));
        }
        let wrong = channels.messages(id).with(|request| request.cursor = Some("x".into())).await;
        assert_eq!(code::<ListChannelMessages>(wrong), Code::InvalidCursor);
        assert_eq!(published(&app, &channel).await, []);
    }

    async fn a_message_and_its_deletion_are_one_event_each(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [channel, other] = [public(&ada, "one").await, public(&ada, "two").await];
        bob.client.channels().join(&channel.id).await.unwrap();
        let message = post(&bob, &channel, "hello").await;
        post(&ada, &other, "elsewhere").await;
        ada.client.channels().delete_message(&channel.id, &message.message_id).await.unwrap();
        let published = published(&app, &channel).await;
        let [(1, posted, first), (2, deleted, second)] = &*published else { panic!("{published:?}") };
        assert_eq!((&**posted, &**deleted), ("channel_message", "channel_message_deleted"));
        assert_eq!(first["event"], "channel_message");
        assert_eq!(first["timestamp"], json!(message.created_at));
        assert_eq!(first["data"], json!(message));
        assert_eq!(second["data"], json!({ "channelId": channel.id, "messageId": message.message_id }));
        let accounts = sql!("select count(*) from event where stream like 'usr%'");
        assert_eq!(app.count(accounts).await, 0);
        assert_eq!(app.count(sql!("select count(*) from account_event")).await, 0);
    }

    async fn a_message_is_deleted_by_its_sender_or_the_owner(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let [channel, other] = [public(&ada, "one").await, public(&ada, "two").await];
        for member in [&bob, &eve] {
            member.client.channels().join(&channel.id).await.unwrap();
        }
        let payload = Map::from_iter([("of".to_owned(), json!("bob"))]);
        let typed = bob.client.channels().post(&channel.id, "a").payload("note", payload);
        let [first, second] = [typed.await.unwrap().message, post(&bob, &channel, "b").await];
        let delete = |member: &Member, channel: &Channel, message: &ChannelMessage| {
            member.client.channels().delete_message(&channel.id, &message.message_id)
        };
        let refused = delete(&eve, &channel, &first).await;
        assert_eq!(code::<DeleteChannelMessage>(refused), Code::Forbidden);
        let elsewhere = delete(&ada, &other, &first).await;
        assert_eq!(code::<DeleteChannelMessage>(elsewhere), Code::NotFound);
        assert!(delete(&bob, &channel, &first).await.unwrap().deleted);
        assert_eq!(code::<DeleteChannelMessage>(delete(&bob, &channel, &first).await), Code::NotFound);
        let answer = eve.client.channels().post(&channel.id, "c").reply_to(&first.message_id).await;
        assert_eq!(fault::<PostChannelMessage>(answer), (Code::NotFound, "replyToId".to_owned()));
        assert!(delete(&ada, &channel, &second).await.unwrap().deleted);
        assert_eq!(read(&app.anonymous, &channel, Order::Desc).await, Vec::<String>::new());
        let kept = sql!("select count(*) from channel_message where content <> '' or payload is not null");
        assert_eq!(app.count(kept).await, 0, "the texts are gone");
        assert_eq!(published(&app, &channel).await.len(), 4);
    }

    async fn the_same_client_id_answers_the_first_message_for_a_day(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [channel, other] = [public(&ada, "one").await, public(&ada, "two").await];
        bob.client.channels().join(&channel.id).await.unwrap();
        let send = |member: &Member, channel: &Channel, content: &str| {
            member.client.channels().post(&channel.id, content).client_message_id("c")
        };
        let first = send(&ada, &channel, "first").await.unwrap().message;
        assert_eq!(send(&ada, &channel, "second").await.unwrap().message, first);
        let of_bob = send(&bob, &channel, "of bob").await.unwrap().message;
        assert_ne!(of_bob.message_id, first.message_id, "another's id is another's");
        let elsewhere = send(&ada, &other, "elsewhere").await.unwrap().message;
        assert_ne!(elsewhere.message_id, first.message_id, "channels have their own");
        assert_eq!(published(&app, &channel).await.len(), 2);
        ada.client.channels().delete_message(&channel.id, &first.message_id).await.unwrap();
        let gone = send(&ada, &channel, "first").await;
        assert_eq!(fault::<PostChannelMessage>(gone), (Code::NotFound, "clientMessageId".to_owned()));
        app.advance(24 * 3600 - 1);
        let again = send(&bob, &channel, "again").await.unwrap().message;
        assert_eq!(again, of_bob, "nearly a day later");
        app.advance(1);
        let later = send(&ada, &channel, "later").await.unwrap().message;
        assert_eq!(later.content, "later");
        assert_eq!(read(&ada.client, &channel, Order::Asc).await, ["of bob", "later"]);
    }

    async fn unread_counts_later_messages_of_other_members(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let channel = public(&ada, "open").await;
        post(&ada, &channel, "before").await;
        bob.client.channels().join(&channel.id).await.unwrap();
        assert_eq!(unread(&bob, &channel).await, 0, "what was there before is read");
        let mut messages = Vec::new();
        for n in 0..4 {
            messages.push(post(&ada, &channel, &n.to_string()).await.message_id);
        }
        post(&bob, &channel, "own").await;
        assert_eq!((unread(&ada, &channel).await, unread(&bob, &channel).await), (1, 4));
        ada.client.channels().delete_message(&channel.id, &messages[3]).await.unwrap();
        assert_eq!(unread(&bob, &channel).await, 3);
        let (channels, id) = (bob.client.channels(), &channel.id);
        let seen = channels.read(id, &messages[1]).await.unwrap().channel.viewer.unwrap();
        assert_eq!(seen.unread_count, 1);
        let seen = channels.read(id, &messages[0]).await.unwrap().channel.viewer.unwrap();
        assert_eq!(seen.unread_count, 1, "reading never goes backwards");
        let listed = channels.list().mine(true).await.unwrap().channels.remove(0);
        assert_eq!(listed.viewer.unwrap().unread_count, 1);
        let other = public(&ada, "other").await;
        channels.join(&other.id).await.unwrap();
        let elsewhere = post(&ada, &other, "elsewhere").await.message_id;
        for message in [elsewhere, MessageId::from("msg_0")] {
            let unknown = fault::<ReadChannel>(channels.read(id, message).await);
            assert_eq!(unknown, (Code::NotFound, "lastReadMessageId".to_owned()));
        }
        let stranger = eve.client.channels().read(id, &messages[0]).await;
        assert_eq!(code::<ReadChannel>(stranger), Code::Forbidden);
        assert_eq!(unread(&eve, &channel).await, 0);
        let last = post(&bob, &channel, "own again").await.message_id;
        channels.read(id, &last).await.unwrap();
        assert_eq!((unread(&bob, &channel).await, unread(&bob, &other).await), (0, 1));
        assert_eq!(unread(&ada, &channel).await, 2, "bob reads for himself");
    }

    async fn what_suspended_and_deleted_accounts_wrote_is_not_unread(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let channel = public(&ada, "open").await;
        for member in [&bob, &eve] {
            member.client.channels().join(&channel.id).await.unwrap();
        }
        let last = post(&ada, &channel, "of ada").await.message_id;
        for content in ["spam", "more spam"] {
            post(&eve, &channel, content).await;
        }
        assert_eq!(unread(&bob, &channel).await, 3);
        app.suspend("eve").await;
        assert_eq!(unread(&bob, &channel).await, 1);
        bob.client.channels().read(&channel.id, &last).await.unwrap();
        let listed = bob.client.channels().list().mine(true).await.unwrap().channels.remove(0);
        assert_eq!(listed.viewer.unwrap().unread_count, 0, "the list shows nothing else to read");
        app.unsuspend("eve").await;
        assert_eq!(unread(&bob, &channel).await, 2);
        eve.client.users().delete_me("eve").await.unwrap();
        assert_eq!(unread(&bob, &channel).await, 0);
    }

    async fn fifty_concurrent_messages_are_numbered_without_gaps(
        app: TestApp, "database.connections" = "4"
    ) {
        let members = app.agents(["ada", "bob", "eve", "mia", "zoe"]).await;
        let channel = public(&members[0], "open").await;
        let mut posting = JoinSet::new();
        for (n, member) in (0..50).zip(members.iter().cycle()) {
            let (client, id) = (member.client.clone(), channel.id.clone());
            posting.spawn(async move {
                client.channels().join(&id).await.unwrap();
                client.channels().post(&id, n.to_string()).await.unwrap().message.message_id
            });
        }
        let mut ids = posting.join_all().await;
        ids.sort();
        let published = published(&app, &channel).await;
        let numbers: Vec<i64> = published.iter().map(|(seq, ..)| *seq).collect();
        assert_eq!(numbers, (1..=50).collect::<Vec<_>>());
        let in_order: Vec<MessageId> = published
            .iter()
            .map(|(_, _, body)| body["data"]["messageId"].as_str().unwrap().into())
            .collect();
        assert_eq!(in_order, ids, "ids and numbers have one order");
    }

    async fn concurrent_joins_and_leaves_are_counted_once(
        app: TestApp, "database.connections" = "4"
    ) {
        let members = app.agents(["ada", "bob", "eve", "mia", "zoe"]).await;
        let channel = public(&members[0], "open").await;
        let mut storm = JoinSet::new();
        for (worker, member) in (0..12).zip(members[1..].iter().cycle()) {
            let (owner, client) = (members[0].client.clone(), member.client.clone());
            let (id, name) = (channel.id.clone(), member.user.username.clone());
            storm.spawn(async move {
                for turn in 0..8 {
                    match (worker + turn) % 4 {
                        0 => client.channels().join(&id).await.unwrap(),
                        1 => client.channels().leave(&id).await.unwrap(),
                        2 => owner.channels().add(&id, [&*name]).await.unwrap(),
                        _ => owner.channels().remove(&id, &*name).await.unwrap(),
                    };
                }
            });
        }
        while let Some(done) = storm.join_next().await {
            done.unwrap();
        }
        counts::are_right(&app).await;
    }

    async fn the_broker_receives_permissions_and_departures(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let channel = private(&ada, "den").await;
        ada.client.channels().add(&channel.id, ["bob"]).await.unwrap();
        let role = async |member: &Member| {
            let (account, id) = (member.user.id.clone(), channel.id.clone());
            let found = app.server.app().read(move |ctx| channel::role(ctx, &account, &id)).await;
            found.unwrap().map(|member| member.may_post)
        };
        let roles = async || [role(&ada).await, role(&bob).await, role(&eve).await];
        assert_eq!(roles().await, [Some(true), Some(true), None]);
        let update = ada.client.channels().update(&channel.id).post_policy(PostPolicy::Owner);
        update.await.unwrap();
        assert_eq!(roles().await, [Some(true), Some(false), None]);
        let (owner, id) = (ada.user.id.clone(), channel.id.clone());
        let left = app.server.app().write(move |ctx| {
            let owner = acting(ctx, &owner)?.unwrap();
            channel::remove(ctx, &owner, &id, &"bob".into())?;
            channel::remove(ctx, &owner, &id, &"eve".into())?;
            channel::close(ctx, &id)?;
            let closed = ctx.effects.left.clone();
            channel::close(ctx, &id)?;
            Ok((closed, ctx.effects.left.clone()))
        });
        let (closed, again) = left.await.unwrap();
        let departures = [&bob, &ada].map(|who| (who.user.id.clone(), channel.id.clone()));
        assert_eq!(closed, departures);
        assert_eq!(again, departures, "a channel is closed once");
        assert_eq!(roles().await, [None, None, None]);
    }

    async fn a_message_is_read_by_its_id_where_its_channel_is_read(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let [open, den] = [public(&ada, "open").await, private(&ada, "den").await];
        bob.client.channels().join(&open.id).await.unwrap();
        ada.client.channels().add(&den.id, ["bob"]).await.unwrap();
        let [said, secret] = [post(&bob, &open, "hello").await, post(&bob, &den, "psst").await];
        let get = |client: &svc_client::Client, channel: &Channel, message: &ChannelMessage| {
            client.channels().get_message(&channel.id, &message.message_id)
        };
        for client in [&app.anonymous, &eve.client, &judge.client] {
            assert_eq!(get(client, &open, &said).await.unwrap().message, said);
            assert_eq!(code::<GetChannelMessage>(get(client, &den, &secret).await), Code::NotFound);
        }
        assert_eq!(get(&ada.client, &den, &secret).await.unwrap().message, secret);
        let elsewhere = get(&ada.client, &open, &secret).await;
        assert_eq!(code::<GetChannelMessage>(elsewhere), Code::NotFound);
        app.suspend("bob").await;
        let suspended = get(&ada.client, &open, &said).await;
        assert_eq!(code::<GetChannelMessage>(suspended), Code::NotFound, "as in the list");
        assert_eq!(get(&judge.client, &open, &said).await.unwrap().message, said);
        ada.client.channels().delete_message(&open.id, &said.message_id).await.unwrap();
        let deleted = get(&judge.client, &open, &said).await;
        assert_eq!(code::<GetChannelMessage>(deleted), Code::NotFound);
    }

    async fn relayed_events_and_deleted_messages_are_swept(app: TestApp) {
        let ada = app.agent("ada").await;
        let channel = public(&ada, "open").await;
        let first = post(&ada, &channel, "first").await;
        post(&ada, &channel, "second").await;
        ada.client.channels().delete_message(&channel.id, &first.message_id).await.unwrap();
        app.execute(|ctx| {
            let now = ctx.now();
            ctx.tx.execute(sql!("update event set relayed_at = $1 where seq = 1"), values![now])
        }).await;
        sweep::once(app.server.app()).await.unwrap();
        let numbers: Vec<i64> = published(&app, &channel).await.iter().map(|(seq, ..)| *seq).collect();
        assert!(!numbers.contains(&1), "{numbers:?}");
        let rows = sql!("select count(*) from channel_message");
        assert_eq!(app.count(rows).await, 2);
        app.advance(24 * 3600);
        sweep::once(app.server.app()).await.unwrap();
        assert_eq!(app.count(rows).await, 1);
        assert_eq!(read(&ada.client, &channel, Order::Desc).await, ["second"]);
        assert_eq!(post(&ada, &channel, "third").await.content, "third");
    }
}
