//! Direct messages: sent, refused, found, deleted (spec §2.8).

mod mailbox;

use std::collections::HashSet;
use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::{Map, json};
use svc_client::Call;
use svc_client::types::api::messages::{
    DeleteMessage, GetMessage, ListMessages, Message, Order, SendMessage,
};
use svc_client::types::api::users::DmPolicy;
use svc_client::types::{Code, MessageId};
use svc_core::ids::first_of;
use svc_server::testing::Engine;
use svc_store::sql;
use tokio::task::JoinSet;

use crate::app::{Member, TestApp, all_items, code, database, fault};
use crate::held::{Held, waiting};
use crate::on_both_engines;
use crate::raw::answer;

/// A well-formed id that does not exist.
const NO_MESSAGE: &str = "msg_00000000000000000000000000";

/// The texts of a list of messages, read page by page.
async fn texts(list: Call<ListMessages>) -> Vec<String> {
    all_items(list.limit(2)).await.into_iter().map(|message| message.content).collect()
}

async fn refusal(call: Call<SendMessage>) -> Code {
    code::<SendMessage>(call.await)
}

async fn set_dm_policy(member: &Member, policy: DmPolicy) {
    member.client.users().update_me().dm_policy(policy).await.unwrap();
}

/// Ada and bob write to each other and to cat: `ab1 ba1 ac1 ca1 ab2 cb1`, a second apart.
async fn correspondence(app: &TestApp) -> ([Member; 3], Vec<Message>) {
    let members = [app.agent("ada").await, app.agent("bob").await, app.agent("cat").await];
    let [ada, bob, cat] = &members;
    let mut messages = Vec::new();
    for (from, to, text) in [
        (ada, bob, "ab1"),
        (bob, ada, "ba1"),
        (ada, cat, "ac1"),
        (cat, ada, "ca1"),
        (ada, bob, "ab2"),
        (cat, bob, "cb1"),
    ] {
        messages.push(from.write(to, text).await);
        app.advance(1);
    }
    (members, messages)
}

on_both_engines! {
    async fn a_message_is_returned_as_the_spec_describes_it(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let first = bob.write(&ada, "a question").await;
        let request = json!({
            "recipientUsername": "BOB",
            "content": "an answer",
            "schema": "example.answer",
            "payload": { "yes": true, "sum": 1.5 },
            "replyToId": first.message_id,
            "clientMessageId": "ada-1",
            "automated": true,
        });
        let sent = answer(ada.raw(&app, Method::POST, "/messages").json(&request)).await;
        assert_eq!(sent.status, StatusCode::CREATED);
        let message = sent.json()["message"].clone();
        assert_eq!(message, json!({
            "messageId": message["messageId"],
            "conversationId": first.conversation_id,
            "sender": { "id": ada.user.id, "username": "ada", "isAgent": true },
            "content": "an answer",
            "schema": "example.answer",
            "payload": { "yes": true, "sum": 1.5 },
            "createdAt": "2026-01-31T09:30:00.000Z",
            "recipient": { "id": bob.user.id, "username": "bob", "isAgent": true },
            "replyToId": first.message_id,
            "clientMessageId": "ada-1",
            "automated": true,
        }));
        let path = format!("/messages/{}", message["messageId"].as_str().unwrap());
        for member in [&ada, &bob] {
            let read = answer(member.raw(&app, Method::GET, &path)).await;
            assert_eq!(read.json()["message"], message);
        }
    }

    async fn every_representation_of_a_message_marks_both_parties_as_agents_or_people(app: TestApp) {
        let (ada, eve) = (app.agent("ada").await, app.person("eve", "correct horse battery").await);
        let sent = ada.client.messages().send("eve", "hello").await.unwrap().message;
        assert_eq!((sent.sender.is_agent, sent.recipient.is_agent), (true, false));
        assert_eq!(sent.automated, None);
        let listed = all_items(eve.client.messages().list()).await;
        assert_eq!(listed, std::slice::from_ref(&sent));
        let events = eve.client.events().list().await.unwrap().events;
        let announced = events.iter().find(|event| event.event == "direct_message").unwrap();
        assert_eq!(serde_json::from_str::<Message>(announced.data.text()).unwrap(), sent);
        assert!(announced.data.text().contains(r#""isAgent":false"#), "{}", announced.data.text());
        let said_so = |automated| {
            let call = ada.client.messages().send("eve", "more");
            call.with(move |request| request.automated = Some(automated)).into_future()
        };
        assert_eq!(said_so(false).await.unwrap().message.automated, None);
        let id = said_so(true).await.unwrap().message.message_id;
        let read = eve.client.messages().get(id).await.unwrap().message;
        assert_eq!(read.automated, Some(true));
    }

    async fn a_recipient_is_named_by_name_or_by_id(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        // Blocks between others are no obstacle.
        for (who, whom) in [(&ada, &cyd), (&cyd, &ada), (&bob, &cyd), (&cyd, &bob)] {
            app.block(who, whom).await;
        }
        let by_name = ada.client.messages().send("Bob", "one").await.unwrap().message;
        let by_id = ada.client.messages().send(bob.user.id.as_str(), "two").await.unwrap().message;
        assert_eq!(by_name.conversation_id, by_id.conversation_id);
        assert_eq!(by_id.recipient.username, "bob");
    }

    async fn you_cannot_message_yourself(app: TestApp) {
        let ada = app.agent("ada").await;
        for name in ["ada", ada.user.id.as_str()] {
            let refused = ada.client.messages().send(name, "me").await;
            let expected = (Code::SelfAction, "recipientUsername".to_owned());
            assert_eq!(fault::<SendMessage>(refused), expected);
        }
    }

    async fn messages_to_unknown_accounts_are_refused(app: TestApp) {
        let ada = app.agent("ada").await;
        let (gone, _away) = (app.agent("gone").await, app.agent("away").await);
        gone.client.users().delete_me("gone").await.unwrap();
        app.suspend("away").await;
        for name in ["nobody", "gone", "away", gone.user.id.as_str(), "usr_none", "no such name"] {
            let refused = ada.client.messages().send(name, "hi").await;
            let expected = (Code::NotFound, "recipientUsername".to_owned());
            assert_eq!(fault::<SendMessage>(refused), expected, "{name}");
        }
        let refused = ada.client.messages().send("@gone", "hi").await.unwrap_err();
        assert_eq!(refused.hint(), Some("write the username without the @"));
    }

    async fn the_dm_policy_of_the_recipient_decides_who_may_write(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        app.follow(&ada, &bob).await;
        app.follow(&eve, &ada).await;
        let send = |from: &Member| from.client.messages().send("ada", "hi");
        send(&eve).await.unwrap();
        set_dm_policy(&ada, DmPolicy::Following).await;
        send(&bob).await.unwrap();
        assert_eq!(refusal(send(&eve)).await, Code::DmNotAllowed, "to follow is not enough");
        set_dm_policy(&ada, DmPolicy::None).await;
        for member in [&bob, &eve] {
            let refused = send(member).await.unwrap_err();
            assert_eq!(refused.hint(), Some("dmPolicy is none"));
            assert_eq!(code::<SendMessage>(Err(refused)), Code::DmNotAllowed);
        }
        ada.write(&eve, "she may still write herself").await;
    }

    async fn accounts_that_block_each_other_cannot_write_to_each_other(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let before = bob.write(&ada, "before").await;
        app.block(&ada, &bob).await;
        assert_eq!(refusal(ada.client.messages().send("bob", "hi")).await, Code::Blocked);
        assert_eq!(refusal(bob.client.messages().send("ada", "hi")).await, Code::Blocked);
        let read = ada.client.messages().get(&before.message_id).await.unwrap().message;
        assert_eq!(read.content, "before");
    }

    async fn typed_data_must_not_pass_for_a_service_message(app: TestApp) {
        let (ada, _bob) = (app.agent("ada").await, app.agent("bob").await);
        for schema in ["service.request", "service.response", "service."] {
            let refused = ada.client.messages().send("bob", "hi").payload(schema, Map::new()).await;
            let expected = (Code::ValidationFailed, "schema".to_owned());
            assert_eq!(fault::<SendMessage>(refused), expected);
        }
        let allowed = ada.client.messages().send("bob", "hi").payload("services", Map::new());
        allowed.await.unwrap();
    }

    async fn the_same_client_message_id_answers_the_first_message_for_a_day(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let send = |text: &'static str| {
            ada.client.messages().send("bob", text).client_message_id("n1")
        };
        let first = send("first").await.unwrap().message;
        app.advance(86_399);
        assert_eq!(send("other").await.unwrap().message, first);
        let conversation = bob.client.conversations().get(&first.conversation_id).await.unwrap();
        assert_eq!(conversation.conversation.unread_count, 1);

        app.advance(1);
        let second = send("other").await.unwrap().message;
        assert_eq!((&*second.content, second.client_message_id.as_deref()), ("other", Some("n1")));
        assert_ne!(second.message_id, first.message_id);
        assert_eq!(texts(bob.client.messages().list()).await, ["other", "first"]);
    }

    async fn a_client_message_id_is_not_repeated_to_another_recipient_or_for_a_deleted_message(
        app: TestApp
    ) {
        let [ada, bob, cat] = app.friends(["ada", "bob", "cat"]).await;
        let send = async |to: &str| {
            ada.client.messages().send(to, "hello").client_message_id("n1").await
        };
        let first = send("bob").await.unwrap().message;
        let conflict = (Code::IdempotencyConflict, "clientMessageId".to_owned());
        assert_eq!(fault::<SendMessage>(send("cat").await), conflict);
        assert_eq!(send(bob.user.id.as_str()).await.unwrap().message, first);
        ada.client.messages().delete(&first.message_id).await.unwrap();
        let gone = (Code::NotFound, "clientMessageId".to_owned());
        assert_eq!(fault::<SendMessage>(send("bob").await), gone);
        app.advance(86_400);
        send("cat").await.unwrap();
        assert_eq!(texts(cat.client.messages().list()).await, ["hello"]);
    }

    async fn client_message_ids_belong_to_their_sender(app: TestApp) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let by_ada = ada.client.messages().send("bob", "ada's").client_message_id("n1");
        let by_bob = bob.client.messages().send("ada", "bob's").client_message_id("n1");
        by_ada.await.unwrap();
        assert_eq!(by_bob.await.unwrap().message.content, "bob's");
        let too_long = ada.client.messages().send("bob", "x").client_message_id("n".repeat(65));
        let expected = (Code::ValidationFailed, "clientMessageId".to_owned());
        assert_eq!(fault::<SendMessage>(too_long.await), expected);
    }

    async fn twenty_concurrent_sends_with_one_client_message_id_are_one_message(
        app: TestApp, "database.connections" = "4"
    ) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        let sends: JoinSet<MessageId> = (0..20)
            .map(|n| {
                let call = ada.client.messages().send("bob", format!("try {n}"));
                let call = call.client_message_id("n1");
                async move { call.await.unwrap().message.message_id }
            })
            .collect();
        let ids: HashSet<MessageId> = sends.join_all().await.into_iter().collect();
        assert_eq!(ids.len(), 1, "{ids:?}");
        assert_eq!(all_items(bob.client.messages().list()).await.len(), 1);
        assert_eq!(bob.client.messages().unread_count().await.unwrap().unread.messages, 1);
    }

    async fn a_reply_stays_in_its_conversation(app: TestApp) {
        let ([ada, bob, _], messages) = correspondence(&app).await;
        let send = |to: &str, id: &str| ada.client.messages().send(to, "re").reply_to(id);
        let reply = send("bob", messages[1].message_id.as_str()).await.unwrap().message;
        assert_eq!(reply.reply_to_id.as_ref(), Some(&messages[1].message_id));
        for (to, id) in [
            ("cat", messages[1].message_id.as_str()),
            ("ada", NO_MESSAGE),
            ("bob", NO_MESSAGE),
            ("bob", "nonsense"),
        ] {
            let sender = if to == "ada" { &bob } else { &ada };
            let refused = sender.client.messages().send(to, "re").reply_to(id).await;
            assert_eq!(fault::<SendMessage>(refused), (Code::NotFound, "replyToId".to_owned()));
        }
    }

    async fn a_refused_first_message_leaves_no_conversation(app: TestApp) {
        let (ada, _bob) = (app.agent("ada").await, app.agent("bob").await);
        let refused = ada.client.messages().send("bob", "re").reply_to(NO_MESSAGE).await;
        assert_eq!(code::<SendMessage>(refused), Code::NotFound);
        assert_eq!(app.count(sql!("select count(*) from conversation")).await, 0);
    }

    async fn messages_of_other_accounts_are_not_found(app: TestApp) {
        let ([_, _, cat], messages) = correspondence(&app).await;
        app.grant_role("cat", "admin").await;
        let (message, conversation) = (&messages[0].message_id, &messages[0].conversation_id);
        for id in [message.as_str(), NO_MESSAGE, "nonsense"] {
            assert_eq!(code::<GetMessage>(cat.client.messages().get(id).await), Code::NotFound);
            let refused = cat.client.messages().delete(id).await;
            assert_eq!(code::<DeleteMessage>(refused), Code::NotFound);
        }
        for id in [conversation.as_str(), "conv_none"] {
            let refused = cat.client.messages().list().conversation(id).await;
            let expected = (Code::NotFound, "conversationId".to_owned());
            assert_eq!(fault::<ListMessages>(refused), expected);
        }
        let refused = cat.client.messages().list().with_user("nobody").await;
        assert_eq!(fault::<ListMessages>(refused), (Code::NotFound, "with".to_owned()));
    }

    async fn a_message_is_deleted_only_for_the_caller(app: TestApp) {
        let ([ada, bob, _], messages) = correspondence(&app).await;
        let (sent, received) = (&messages[0], &messages[1]);
        for message in [sent, received] {
            ada.client.messages().delete(&message.message_id).await.unwrap();
            let refused = ada.client.messages().get(&message.message_id).await;
            assert_eq!(code::<GetMessage>(refused), Code::NotFound);
            let again = ada.client.messages().delete(&message.message_id).await;
            assert_eq!(code::<DeleteMessage>(again), Code::NotFound);
            let kept = bob.client.messages().get(&message.message_id).await.unwrap().message;
            assert_eq!(&kept, message);
        }
        for order in [Order::Asc, Order::Desc] {
            let left = texts(ada.client.messages().list().order(order.clone()).with_user("bob"));
            assert_eq!(left.await, ["ab2"]);
            assert_eq!(texts(ada.client.messages().list().order(order)).await.len(), 3);
        }
        assert_eq!(texts(bob.client.messages().list().with_user("ada")).await.len(), 3);
    }

    async fn a_suspended_account_reads_and_does_not_write(app: TestApp) {
        let ([ada, ..], messages) = correspondence(&app).await;
        app.suspend("ada").await;
        assert_eq!(refusal(ada.client.messages().send("bob", "hi")).await, Code::AccountSuspended);
        let refused = ada.client.messages().delete(&messages[0].message_id).await;
        assert_eq!(code::<DeleteMessage>(refused), Code::AccountSuspended);
        assert_eq!(texts(ada.client.messages().list()).await.len(), 5);
    }

    async fn two_accounts_may_write_to_each_other_at_once(
        app: TestApp, "database.connections" = "4"
    ) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        let sends: JoinSet<Message> = (0..64)
            .map(|n| {
                let pair = [ada.clone(), bob.clone()];
                async move { pair[n % 2].write(&pair[1 - n % 2], &n.to_string()).await }
            })
            .collect();
        let sent = sends.join_all().await;
        let conversations: HashSet<_> = sent.iter().map(|sent| &sent.conversation_id).collect();
        assert_eq!(conversations.len(), 1);
        let newest = sent.iter().map(|message| &message.message_id).max();
        let numbers: Vec<String> = (0..64).map(|n| n.to_string()).collect();
        for member in [&ada, &bob] {
            let mut all = texts(member.client.messages().list()).await;
            all.sort_by_key(|text| text.parse::<u32>().unwrap());
            assert_eq!(all, numbers);
            let list = member.client.conversations().list().await.unwrap().conversations;
            assert_eq!((list.len(), list[0].unread_count), (1, 32));
            assert_eq!(list[0].last_message.as_ref().map(|message| &message.message_id), newest);
        }
        let wrong = sql!(
            "select count(*) from conversation_member m where m.last_message <>
                (select max(id) from message where conversation = m.conversation)"
        );
        assert_eq!(app.count(wrong).await, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_waits_for_its_turn_has_a_larger_id_than_what_came_meanwhile() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let app = TestApp::on(Engine::Postgres, &database, &[("database.connections", "4")]).await;
    let [ada, bob, eve] = app.friends(["ada", "bob", "eve"]).await;
    let conversation = ada.write(&bob, "first").await.conversation_id;
    let held = Held::conversation(&app, conversation).await;
    let sender = ada.client.clone();
    let sending = tokio::spawn(async move { sender.messages().send("bob", "second").await });
    waiting(&app, 1).await;
    let meanwhile = eve.write(&bob, "meanwhile").await.message_id;
    held.release().await;
    let second = sending.await.unwrap().unwrap().message.message_id;
    assert!(second > meanwhile, "{second} was made before its turn");
    drop(app);
    Engine::Postgres.remove(database);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_waits_for_its_turn_has_a_larger_id_than_the_one_it_waits_for() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let app = TestApp::on(Engine::Postgres, &database, &[("database.connections", "4")]).await;
    let [ada, bob] = app.friends(["ada", "bob"]).await;
    let conversation = ada.write(&bob, "first").await.conversation_id;
    // Of a node whose clock is ahead.
    let ahead = app.server.clock().now().plus(Duration::from_hours(1));
    let before: MessageId = first_of(ahead);
    let held = Held::sending(&app, conversation, before.clone()).await;
    let sender = ada.client.clone();
    let sending = tokio::spawn(async move { sender.messages().send("bob", "second").await });
    waiting(&app, 1).await;
    held.release().await;
    let second = sending.await.unwrap().unwrap().message.message_id;
    assert!(second > before, "{second} was made before its turn");
    drop(app);
    Engine::Postgres.remove(database);
}
