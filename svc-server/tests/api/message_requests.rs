//! Conversations that strangers begin: delivered as all others, and listed apart until accepted.

use svc_client::types::Code;
use svc_client::types::api::conversations::{
    AcceptConversation, Conversation, ConversationFolder, DeclineConversation,
};
use svc_client::types::api::messages::{Message, SendMessage};
use svc_client::types::service_message::ResponseStatus;
use svc_server::admin::Command;

use crate::app::{Member, TestApp, code};
use crate::market::{Market, response};
use crate::on_both_engines;

/// The conversations that a member finds in a folder.
async fn folder(member: &Member, folder: ConversationFolder) -> Vec<Conversation> {
    member.client.conversations().list().folder(folder).await.unwrap().conversations
}

/// Where a member finds its only conversation.
async fn place(member: &Member) -> ConversationFolder {
    let all =
        [ConversationFolder::Inbox, ConversationFolder::Requests, ConversationFolder::Declined];
    let mut found = Vec::new();
    for name in all {
        found.extend(folder(member, name).await);
    }
    assert_eq!(found.len(), 1);
    found.remove(0).folder
}

/// Unread conversations, messages and requests.
async fn unread(member: &Member) -> [i64; 3] {
    let unread = member.client.messages().unread_count().await.unwrap().unread;
    [unread.conversations, unread.messages, unread.requests]
}

async fn accept(member: &Member, message: &Message) {
    member.client.conversations().accept(&message.conversation_id).await.unwrap();
}

/// The numbers of direct messages among a member's events.
async fn events(member: &Member) -> usize {
    let page = member.client.events().after(0).await.unwrap();
    let kinds = page.events.iter().map(|event| serde_json::to_value(event).unwrap());
    kinds.filter(|event| event.to_string().contains("direct_message")).count()
}

async fn trust(app: &TestApp, name: &str, trust: &str) {
    app.server.admin(Command::SetTrust { username: name.into(), trust: trust.into() }).await;
}

on_both_engines! {
    async fn a_message_of_a_stranger_is_delivered_and_listed_among_the_requests(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let sent = ada.write(&bob, "hello").await;
        assert_eq!(folder(&bob, ConversationFolder::Inbox).await, []);
        let requests = folder(&bob, ConversationFolder::Requests).await;
        assert_eq!(requests.len(), 1);
        assert_eq!(requests[0].id, sent.conversation_id);
        assert_eq!(requests[0].last_message.as_ref().unwrap().message_id, sent.message_id);
        assert_eq!(place(&ada).await, ConversationFolder::Inbox, "who wrote finds it as ever");
        assert_eq!(unread(&bob).await, [1, 1, 1]);
        let all = bob.client.messages().list().await.unwrap().messages;
        assert_eq!(all, std::slice::from_ref(&sent), "the list of messages leaves nothing out");
        assert_eq!(events(&bob).await, 1);

        accept(&bob, &sent).await;
        assert_eq!(place(&bob).await, ConversationFolder::Inbox);
        assert_eq!(unread(&bob).await, [1, 1, 0]);
        accept(&bob, &sent).await;
    }

    async fn answering_accepts_and_whom_you_follow_is_no_stranger(app: TestApp) {
        let [ada, bob, cyd, dan] = app.agents(["ada", "bob", "cyd", "dan"]).await;
        ada.write(&bob, "hello").await;
        bob.write(&ada, "hello ada").await;
        assert_eq!(place(&bob).await, ConversationFolder::Inbox);
        assert_eq!(place(&ada).await, ConversationFolder::Inbox);

        cyd.client.relations().follow("dan").await.unwrap();
        dan.write(&cyd, "hello").await;
        assert_eq!(place(&cyd).await, ConversationFolder::Inbox);

        let [eve, fay] = app.agents(["eve", "fay"]).await;
        eve.write(&fay, "hello").await;
        fay.client.relations().follow("eve").await.unwrap();
        eve.write(&fay, "you follow me now").await;
        assert_eq!(place(&fay).await, ConversationFolder::Inbox);
    }

    async fn a_block_declines_what_the_blocked_account_asks(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        ada.write(&bob, "hello").await;
        bob.client.relations().block("ada").await.unwrap();
        assert_eq!(place(&bob).await, ConversationFolder::Declined);
        assert_eq!(unread(&bob).await, [0, 0, 0]);
        bob.client.relations().unblock("ada").await.unwrap();
        assert_eq!(place(&bob).await, ConversationFolder::Declined, "a block is not undone");

        let accepted = ada.write(&cyd, "hello").await;
        accept(&cyd, &accepted).await;
        cyd.client.relations().block("ada").await.unwrap();
        assert_eq!(place(&cyd).await, ConversationFolder::Inbox);
    }

    async fn who_follows_you_is_a_stranger_all_the_same(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        app.follow(&ada, &bob).await;
        ada.write(&bob, "I follow you").await;
        assert_eq!(place(&bob).await, ConversationFolder::Requests);
        assert_eq!(place(&ada).await, ConversationFolder::Inbox);
    }

    async fn orders_and_their_answers_are_exempt(app: TestApp) {
        let market = Market::new(app).await;
        let order = market.ordered(5).await;
        assert_eq!(place(&market.bob).await, ConversationFolder::Inbox);
        market.answer(response(&order, ResponseStatus::Completed)).await;
        assert_eq!(place(&market.ada).await, ConversationFolder::Inbox);
    }

    async fn an_order_takes_a_declined_conversation_back_into_the_inbox(app: TestApp) {
        let market = Market::new(app).await;
        let sent = market.ada.write(&market.bob, "hello").await;
        market.bob.client.conversations().decline(&sent.conversation_id).await.unwrap();
        market.ordered(5).await;
        assert_eq!(place(&market.bob).await, ConversationFolder::Inbox);
    }

    async fn a_declined_conversation_stays_away_and_the_sender_does_not_learn_of_it(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let sent = ada.write(&bob, "hello").await;
        let declined = bob.client.conversations().decline(&sent.conversation_id).await.unwrap();
        assert_eq!(declined.conversation.folder, ConversationFolder::Declined);
        let seen = ada.client.conversations().get(&sent.conversation_id).await.unwrap();
        assert_eq!(seen.conversation.folder, ConversationFolder::Inbox);
        let before = bob.client.notifications().list().await.unwrap().notifications.len();
        ada.write(&bob, "hello again").await;
        assert_eq!(place(&bob).await, ConversationFolder::Declined);
        assert_eq!(unread(&bob).await, [0, 0, 0]);
        assert_eq!(events(&bob).await, 2, "events and webhooks are as ever");
        let after = bob.client.notifications().list().await.unwrap().notifications.len();
        assert_eq!(after, before);
        bob.client.conversations().decline(&sent.conversation_id).await.unwrap();
        bob.write(&ada, "sorry, that was a mistake").await;
        assert_eq!(place(&bob).await, ConversationFolder::Inbox);
    }

    async fn a_declined_request_leaves_no_unread_notification(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let waiting = async || bob.client.notifications().unread_count().await.unwrap().unread_count;
        for text in ["hello", "hello?"] {
            ada.write(&bob, text).await;
            cyd.write(&bob, text).await;
        }
        cyd.client.relations().follow("bob").await.unwrap();
        assert_eq!(waiting().await, 5);
        let of_ada = bob.client.messages().list().with_user("ada").await.unwrap().messages;
        let declined = bob.client.conversations().decline(&of_ada[0].conversation_id).await.unwrap();
        assert_eq!(waiting().await, 3);
        assert!(declined.conversation.unread_count > 0, "the messages themselves stay unread");
        bob.client.relations().block("cyd").await.unwrap();
        assert_eq!(waiting().await, 1, "a block declines a request, too; the follow was no message");
        let all = bob.client.notifications().list().await.unwrap().notifications;
        assert_eq!(all.len(), 5, "they are read, and stay in the list");
    }

    async fn a_stranger_does_not_learn_that_a_request_was_read_until_it_is_accepted(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let send = || ada.client.messages().send("bob", "hello").client_message_id("once");
        let first = send().await.unwrap().message;
        let conversation = &first.conversation_id;
        bob.client.conversations().read(conversation, &first.message_id).await.unwrap();
        let seen = async |member: &Member| {
            let one = member.client.messages().get(&first.message_id).await.unwrap().message;
            let listed = member.client.messages().list().await.unwrap().messages.remove(0);
            let shown = member.client.conversations().get(conversation).await.unwrap().conversation;
            [one, listed, shown.last_message.unwrap()].map(|message| message.read_at.is_some())
        };
        assert_eq!(seen(&bob).await, [true; 3]);
        assert_eq!(seen(&ada).await, [false; 3]);
        assert_eq!(send().await.unwrap().message.read_at, None);
        bob.client.conversations().decline(conversation).await.unwrap();
        assert_eq!(seen(&ada).await, [false; 3]);
        accept(&bob, &first).await;
        assert_eq!(seen(&ada).await, [true; 3]);
        assert!(send().await.unwrap().message.read_at.is_some());
    }

    async fn only_requests_are_declined_and_only_by_members(app: TestApp) {
        let [ada, bob, eve] = app.agents(["ada", "bob", "eve"]).await;
        let sent = ada.write(&bob, "hello").await;
        let own = ada.client.conversations().decline(&sent.conversation_id).await;
        assert_eq!(code::<DeclineConversation>(own), Code::WrongState);
        let foreign = eve.client.conversations().decline(&sent.conversation_id).await;
        assert_eq!(code::<DeclineConversation>(foreign), Code::NotFound);
        let foreign = eve.client.conversations().accept(&sent.conversation_id).await;
        assert_eq!(code::<AcceptConversation>(foreign), Code::NotFound);
    }

    async fn a_new_account_sends_three_messages_until_it_is_accepted(
        app: TestApp, "limits.budgets" = "true"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for text in ["one", "two", "three"] {
            ada.write(&bob, text).await;
        }
        let refused = ada.client.messages().send("bob", "four").await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::WrongState));
        assert_eq!(refused.hint(), Some("wait until the recipient accepts, answers or follows you"));
        let page = bob.client.messages().list().await.unwrap().messages;
        assert_eq!(page.len(), 3);
        bob.client.conversations().decline(&page[0].conversation_id).await.unwrap();
        let declined = ada.client.messages().send("bob", "four").await.unwrap_err();
        let told = |error: &svc_client::Error| {
            (error.code().cloned(), error.hint().map(str::to_owned), error.field().map(str::to_owned))
        };
        assert_eq!(told(&declined), told(&refused), "it does not say that it was declined");
        accept(&bob, &page[0]).await;
        for text in ["four", "five", "six", "seven"] {
            ada.write(&bob, text).await;
        }
    }

    async fn established_accounts_and_followed_ones_are_not_held_up(
        app: TestApp, "limits.budgets" = "true"
    ) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        trust(&app, "ada", "established").await;
        for text in ["one", "two", "three", "four"] {
            ada.write(&bob, text).await;
        }
        assert_eq!(place(&bob).await, ConversationFolder::Requests);
        for text in ["one", "two", "three"] {
            cyd.write(&bob, text).await;
        }
        bob.client.relations().follow("cyd").await.unwrap();
        cyd.write(&bob, "four").await;
        assert_eq!(folder(&bob, ConversationFolder::Inbox).await.len(), 1);
    }

    async fn of_many_first_messages_at_once_three_arrive(
        app: TestApp, "limits.budgets" = "true", "database.connections" = "4"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let sending = (0..8).map(|number| {
            let call = ada.client.messages().send("bob", format!("number {number}"));
            async move { call.await }
        });
        let sent = futures_util::future::join_all(sending).await;
        let refused = sent.into_iter().filter_map(Result::err);
        let codes: Vec<_> = refused.map(|error| code::<SendMessage>(Err(error))).collect();
        assert_eq!(codes, vec![Code::WrongState; 5]);
        assert_eq!(bob.client.messages().list().await.unwrap().messages.len(), 3);
    }
}
