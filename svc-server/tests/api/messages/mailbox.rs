//! Lists of direct messages, and what is unread.

use serde_json::Map;
use svc_client::types::Code;
use svc_client::types::api::messages::{ListMessages, Message, Order};
use svc_server::testing::START;
use svc_store::{sql, values};
use tokio::task::JoinSet;

use super::{correspondence, texts};
use crate::app::{code, fault};
use crate::on_both_engines;

on_both_engines! {
    async fn a_mailbox_lists_sent_and_received_messages_in_order(app: TestApp) {
        let ([ada, bob, cat], _) = correspondence(&app).await;
        let newest_first = texts(ada.client.messages().list()).await;
        assert_eq!(newest_first, ["ab2", "ca1", "ac1", "ba1", "ab1"]);
        let oldest_first = texts(ada.client.messages().list().order(Order::Asc)).await;
        assert_eq!(oldest_first, ["ab1", "ba1", "ac1", "ca1", "ab2"]);
        assert_eq!(texts(bob.client.messages().list()).await, ["cb1", "ab2", "ba1", "ab1"]);
        assert_eq!(texts(cat.client.messages().list()).await, ["cb1", "ca1", "ac1"]);
        let nobody = app.agent("dan").await;
        assert_eq!(texts(nobody.client.messages().list()).await, [""; 0]);
    }

    async fn a_mailbox_can_be_read_with_one_account(app: TestApp) {
        let ([ada, bob, _], messages) = correspondence(&app).await;
        let list = || ada.client.messages().list();
        assert_eq!(texts(list().with_user("Bob")).await, ["ab2", "ba1", "ab1"]);
        assert_eq!(texts(list().with_user(bob.user.id.as_str())).await, ["ab2", "ba1", "ab1"]);
        let conversation = &messages[0].conversation_id;
        assert_eq!(texts(list().conversation(conversation)).await, ["ab2", "ba1", "ab1"]);
        let both = list().conversation(conversation).with_user("bob").order(Order::Asc);
        assert_eq!(texts(both).await, ["ab1", "ba1", "ab2"]);
        app.agent("dan").await;
        assert_eq!(texts(list().with_user("dan")).await, [""; 0]);
        assert_eq!(texts(list().with_user("ada")).await, [""; 0]);

        let unknown = list().with_user("nobody").await;
        assert_eq!(code::<ListMessages>(unknown), Code::NotFound);
        let other = list().conversation(conversation).with_user("cat").await;
        let expected = (Code::ValidationFailed, "conversationId".to_owned());
        assert_eq!(fault::<ListMessages>(other), expected);
    }

    async fn a_mailbox_is_filtered_by_kind_state_and_time(app: TestApp) {
        let ([ada, bob, _], messages) = correspondence(&app).await;
        let typed = bob.client.messages().send("ada", "typed").payload("note", Map::new());
        typed.await.unwrap();
        let list = || ada.client.messages().list();
        assert_eq!(texts(list().schema("note")).await, ["typed"]);
        assert_eq!(texts(list().schema("other")).await, [""; 0]);
        assert_eq!(texts(list().schema("note").with_user("bob")).await, ["typed"]);
        assert_eq!(texts(list().schema("note").with_user("cat")).await, [""; 0]);
        let unread = texts(list().unread(true)).await;
        assert_eq!(unread, ["typed", "ca1", "ba1"], "what one sent is not unread");
        assert_eq!(texts(list().unread(true).with_user("bob")).await, ["typed", "ba1"]);
        assert_eq!(texts(list().unread(false)).await.len(), 6);
        let since = messages[3].created_at;
        assert_eq!(texts(list().since(since)).await, ["typed", "ab2", "ca1"]);
        assert_eq!(texts(list().since(since).order(Order::Asc)).await, ["ca1", "ab2", "typed"]);
        assert_eq!(texts(list().since(since).with_user("bob")).await, ["typed", "ab2"]);

        let Message { conversation_id, message_id, .. } = &messages[3];
        ada.client.conversations().read(conversation_id, message_id).await.unwrap();
        assert_eq!(texts(list().unread(true)).await, ["typed", "ba1"]);
        assert_eq!(since, START.plus(std::time::Duration::from_secs(3)));
    }

    async fn a_cursor_belongs_to_its_filter(app: TestApp) {
        let ([ada, ..], messages) = correspondence(&app).await;
        let list = || ada.client.messages().list().limit(1);
        let cursor = list().page().await.unwrap().next_cursor.unwrap();
        for other in [list().order(Order::Asc), list().unread(true), list().with_user("bob")] {
            let refused = other.after(cursor.clone()).await;
            assert_eq!(code::<ListMessages>(refused), Code::InvalidCursor);
        }
        let bobs = app.client(app.agent("dan").await.key);
        let page = bobs.messages().list().limit(1).after(cursor).page().await.unwrap();
        assert_eq!(page.items, [], "a cursor of another mailbox opens nothing");
        assert_eq!(messages.len(), 6);
    }

    async fn messages_that_arrive_during_a_read_stay_unread(
        app: TestApp, "database.connections" = "4"
    ) {
        let (ada, bob) = (app.agent("ada").await, app.agent("bob").await);
        let first = ada.write(&bob, "first").await;
        let mut tasks: JoinSet<()> = (0..24)
            .map(|n| {
                let (ada, bob) = (ada.clone(), bob.clone());
                async move { ada.write(&bob, &n.to_string()).await; }
            })
            .collect();
        for _ in 0..24 {
            let bob = bob.clone();
            tasks.spawn(async move {
                let newest = bob.client.messages().list().limit(1).await.unwrap();
                let Message { conversation_id, message_id, .. } = &newest.messages[0];
                let reading = bob.client.conversations().read(conversation_id, message_id);
                reading.await.unwrap();
            });
        }
        tasks.join_all().await;
        let id = first.conversation_id.clone();
        let unread = texts(bob.client.messages().list().unread(true)).await.len();
        let counted = bob.client.conversations().get(&id).await.unwrap().conversation.unread_count;
        assert_eq!(counted, i64::try_from(unread).unwrap());
        let passed_over = app.server.app().read(move |ctx| {
            ctx.tx.one::<i64>(
                sql!(
                    "select count(*) from message m where m.conversation = $1 and m.read_at is null
                        and m.id <= (select max(last_read_message) from conversation_member c
                            where c.conversation = m.conversation)"
                ),
                values![id],
            )
        });
        assert_eq!(passed_over.await.unwrap(), 0, "nothing is left unread before what was read");
    }
}
