//! Conversations: what is unread, their list, muting.

use http::Method;
use serde_json::json;
use svc_client::Call;
use svc_client::types::Code;
use svc_client::types::api::conversations::{
    Conversation, GetConversation, ListConversationMessages, ListConversations, MuteConversation,
    ReadConversation, UnmuteConversation,
};
use svc_client::types::api::messages::{Message, Order};

use crate::app::{Member, all_items, code, fault};
use crate::on_both_engines;
use crate::raw::answer;

/// A well-formed id that does not exist.
const NO_MESSAGE: &str = "msg_00000000000000000000000000";

/// A list of conversations as the names of the other accounts.
async fn names(member: &Member, list: Call<ListConversations>) -> Vec<String> {
    let other = |conversation: Conversation| {
        let mut others = conversation.participants.into_iter();
        others.find(|account| account.id != member.user.id).unwrap().username
    };
    all_items(list.limit(1)).await.into_iter().map(other).collect()
}

/// The conversation of a message as a member sees it.
async fn seen(member: &Member, message: &Message) -> Conversation {
    member.client.conversations().get(&message.conversation_id).await.unwrap().conversation
}

/// Marks messages up to this one as read; returns how many are still unread.
async fn read(member: &Member, upto: &Message) -> i64 {
    let call = member.client.conversations().read(&upto.conversation_id, &upto.message_id);
    call.await.unwrap().conversation.unread_count
}

/// What is unread: conversations and messages.
async fn unread(member: &Member) -> (i64, i64) {
    let unread = member.client.messages().unread_count().await.unwrap().unread;
    (unread.conversations, unread.messages)
}

on_both_engines! {
    async fn both_parties_see_a_conversation(app: TestApp) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        ada.write(&bob, "one").await;
        app.advance(60);
        let last = ada.write(&bob, "two").await;
        let path = format!("/conversations/{}", last.conversation_id);
        let party = |member: &Member| json!({
            "id": member.user.id,
            "username": member.user.username,
            "displayName": member.user.username,
            "avatar": member.user.avatar,
            "isAgent": true,
            "tier": "free",
        });
        for (member, unread) in [(&ada, 0), (&bob, 2)] {
            let shown = answer(member.raw(&app, Method::GET, &path)).await.json();
            assert_eq!(shown, json!({ "conversation": {
                "id": last.conversation_id,
                "participants": [party(&ada), party(&bob)],
                "lastMessage": last,
                "unreadCount": unread,
                "muted": false,
                "folder": "inbox",
                "createdAt": "2026-01-31T09:30:00.000Z",
                "updatedAt": "2026-01-31T09:31:00.000Z",
            }}));
        }
    }

    async fn read_messages_are_no_longer_unread(app: TestApp) {
        let [ada, bob, cat] = app.friends(["ada", "bob", "cat"]).await;
        let mut messages = Vec::new();
        for text in ["one", "two", "three"] {
            messages.push(ada.write(&bob, text).await);
        }
        cat.write(&bob, "hello").await;
        assert_eq!((unread(&ada).await, unread(&bob).await), ((0, 0), (2, 4)));
        app.advance(60);
        assert_eq!(read(&bob, &messages[1]).await, 1);
        assert_eq!(unread(&bob).await, (2, 2));

        let when = |text: &'static str| Some(text.to_owned());
        for (member, other) in [(&ada, "bob"), (&bob, "ada")] {
            let list = member.client.messages().list().with_user(other);
            let read_at: Vec<Option<String>> = all_items(list.order(Order::Asc))
                .await
                .into_iter()
                .map(|message| message.read_at.map(|at| at.to_string()))
                .collect();
            let at = "2026-01-31T09:31:00.000Z";
            assert_eq!(read_at, [when(at), when(at), None], "both see what was read");
        }
    }

    async fn the_read_position_never_moves_back(app: TestApp) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        let (first, second) = (ada.write(&bob, "one").await, ada.write(&bob, "two").await);
        assert_eq!(read(&bob, &second).await, 0);
        let once = bob.client.messages().get(&first.message_id).await.unwrap().message;
        app.advance(60);
        assert_eq!(read(&bob, &first).await, 0);
        assert_eq!(read(&bob, &second).await, 0);
        let again = bob.client.messages().get(&first.message_id).await.unwrap().message;
        assert_eq!(again.read_at, once.read_at);
        let third = ada.write(&bob, "three").await;
        assert_eq!(read(&bob, &first).await, 1);
        assert_eq!(read(&bob, &third).await, 0);
    }

    async fn your_own_message_can_be_the_read_position(app: TestApp) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        ada.write(&bob, "question").await;
        let answer = bob.write(&ada, "answer").await;
        assert_eq!(read(&bob, &answer).await, 0);
        assert_eq!(unread(&ada).await, (1, 1), "bob reads only for himself");
        let own = ada.client.messages().get(&answer.message_id).await.unwrap().message;
        assert_eq!(own.read_at, None);
    }

    async fn the_read_position_is_a_message_of_the_conversation(app: TestApp) {
        let [ada, bob, cat] = app.friends(["ada", "bob", "cat"]).await;
        let (here, elsewhere) = (ada.write(&bob, "here").await, cat.write(&bob, "elsewhere").await);
        for id in [elsewhere.message_id.as_str(), NO_MESSAGE, "nonsense"] {
            let refused = bob.client.conversations().read(&here.conversation_id, id).await;
            let expected = (Code::NotFound, "lastReadMessageId".to_owned());
            assert_eq!(fault::<ReadConversation>(refused), expected);
        }
        assert_eq!(unread(&bob).await, (2, 2));
    }

    async fn deleting_an_unread_message_lowers_the_unread_count(app: TestApp) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        let (first, second) = (ada.write(&bob, "one").await, ada.write(&bob, "two").await);
        bob.client.messages().delete(&second.message_id).await.unwrap();
        assert_eq!(seen(&bob, &first).await.unread_count, 1);
        ada.client.messages().delete(&first.message_id).await.unwrap();
        assert_eq!(unread(&bob).await, (1, 1), "the sender deletes only her own copy");
        read(&bob, &first).await;
        bob.client.messages().delete(&first.message_id).await.unwrap();
        assert_eq!(unread(&bob).await, (0, 0));
        let third = ada.write(&bob, "three").await;
        assert_eq!(seen(&bob, &third).await.unread_count, 1);
    }

    async fn muted_conversations_do_not_count_as_unread(app: TestApp) {
        let [ada, bob, cat] = app.friends(["ada", "bob", "cat"]).await;
        let muted = ada.write(&bob, "one").await;
        cat.write(&bob, "two").await;
        let conversations = bob.client.conversations();
        for _ in 0..2 {
            assert!(conversations.mute(&muted.conversation_id).await.unwrap().muted);
        }
        ada.write(&bob, "three").await;
        assert_eq!(unread(&bob).await, (1, 1));
        let shown = seen(&bob, &muted).await;
        assert_eq!((shown.muted, shown.unread_count), (true, 2));
        assert!(!seen(&ada, &muted).await.muted, "muting concerns only the account that mutes");
        assert!(!conversations.unmute(&muted.conversation_id).await.unwrap().muted);
        assert_eq!(unread(&bob).await, (2, 3));
    }

    async fn conversations_are_sorted_by_their_last_message(app: TestApp) {
        let [ada, bob, cat, dan] = app.friends(["ada", "bob", "cat", "dan"]).await;
        let to_bob = ada.write(&bob, "1").await;
        cat.write(&ada, "2").await;
        ada.write(&dan, "3").await;
        let list = || ada.client.conversations().list();
        assert_eq!(names(&ada, list()).await, ["dan", "cat", "bob"]);
        bob.write(&ada, "4").await;
        assert_eq!(names(&ada, list()).await, ["bob", "dan", "cat"]);
        assert_eq!(names(&ada, list().unread(true)).await, ["bob", "cat"]);
        ada.client.conversations().mute(&to_bob.conversation_id).await.unwrap();
        assert_eq!(names(&ada, list().unread(true)).await, ["bob", "cat"], "muted is not read");
        assert_eq!(names(&dan, dan.client.conversations().list()).await, ["ada"]);

        let cursor = list().limit(1).page().await.unwrap().next_cursor.unwrap();
        let refused = list().unread(true).after(cursor).await;
        assert_eq!(code::<ListConversations>(refused), Code::InvalidCursor);
    }

    async fn the_last_message_is_the_last_one_not_deleted(app: TestApp) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        let (first, second) = (ada.write(&bob, "one").await, ada.write(&bob, "two").await);
        bob.client.messages().delete(&second.message_id).await.unwrap();
        assert_eq!(seen(&bob, &first).await.last_message.unwrap().content, "one");
        assert_eq!(seen(&ada, &first).await.last_message.unwrap().content, "two");
        bob.client.messages().delete(&first.message_id).await.unwrap();
        assert_eq!(seen(&bob, &first).await.last_message, None);
        assert_eq!(names(&bob, bob.client.conversations().list()).await, ["ada"]);
    }

    async fn messages_of_a_conversation_are_listed_in_both_orders(app: TestApp) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        let mut messages = vec![ada.write(&bob, "1").await];
        for (n, text) in ["2", "3", "4", "5"].into_iter().enumerate() {
            let (from, to) = if n % 2 == 0 { (&bob, &ada) } else { (&ada, &bob) };
            messages.push(from.write(to, text).await);
        }
        bob.client.messages().delete(&messages[2].message_id).await.unwrap();
        let list = async |member: &Member, order| {
            let list = member.client.conversations().messages(&messages[0].conversation_id);
            let listed = all_items(list.limit(2).order(order)).await;
            listed.into_iter().map(|message| message.content).collect::<String>()
        };
        assert_eq!(list(&ada, Order::Desc).await, "54321");
        assert_eq!(list(&ada, Order::Asc).await, "12345");
        assert_eq!(list(&bob, Order::Desc).await, "5421");
        assert_eq!(list(&bob, Order::Asc).await, "1245");
    }

    async fn conversations_of_other_accounts_are_not_found(app: TestApp) {
        let [ada, bob, eve] = app.friends(["ada", "bob", "eve"]).await;
        app.grant_role("eve", "admin").await;
        let message = ada.write(&bob, "private").await;
        for id in [message.conversation_id.as_str(), "conv_00000000000000000000000000"] {
            let calls = eve.client.conversations();
            assert_eq!(code::<GetConversation>(calls.get(id).await), Code::NotFound);
            assert_eq!(code::<ListConversationMessages>(calls.messages(id).await), Code::NotFound);
            let refused = calls.read(id, &message.message_id).await;
            assert_eq!(code::<ReadConversation>(refused), Code::NotFound);
            assert_eq!(code::<MuteConversation>(calls.mute(id).await), Code::NotFound);
            assert_eq!(code::<UnmuteConversation>(calls.unmute(id).await), Code::NotFound);
        }
        assert_eq!(all_items(eve.client.conversations().list()).await, []);
    }

    async fn a_conversation_outlives_the_other_account(app: TestApp) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        let message = bob.write(&ada, "farewell").await;
        bob.client.users().update_me().display_name("Bob the Great").await.unwrap();
        let names = async || {
            let shown = seen(&ada, &message).await.participants;
            shown.into_iter().map(|account| account.display_name).collect::<Vec<_>>()
        };
        assert_eq!(names().await, ["ada", "Bob the Great"]);
        app.suspend("bob").await;
        assert_eq!(names().await, ["ada", "bob"], "only by its username");
        assert_eq!(seen(&bob, &message).await.participants[1].display_name, "Bob the Great");
        app.unsuspend("bob").await;
        bob.client.users().delete_me("bob").await.unwrap();
        assert_eq!(names().await, ["ada", "bob"]);
        let shown = seen(&ada, &message).await;
        assert_eq!(shown.last_message.unwrap().content, "farewell");
        assert_eq!(read(&ada, &message).await, 0);
    }
}
