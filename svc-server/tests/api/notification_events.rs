//! Who is notified of what.

mod silence;

use serde_json::{Value, json};
use svc_client::types::PostId;
use svc_client::types::api::connect::LikeData;
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::notifications::{Notification, NotificationType};
use svc_client::types::service_message::ResponseStatus;
use svc_core::services::notification::{self, Data, NewNotification};
use svc_store::{sql, values};

use crate::app::{Member, TestApp};
use crate::market::{Market, is_consistent, response};
use crate::on_both_engines;

async fn listed(member: &Member) -> Vec<Notification> {
    member.client.notifications().list().limit(100).await.unwrap().notifications
}

/// Types of an account's notifications, oldest first.
async fn types(member: &Member) -> Vec<String> {
    listed(member).await.iter().rev().map(|notification| notification.r#type.to_string()).collect()
}

/// Kinds of an account's events.
async fn events(member: &Member) -> Vec<String> {
    let page = member.client.events().list().limit(100).await.unwrap();
    page.events.into_iter().map(|event| event.event).collect()
}

fn like(post: &str, by: &Member) -> Data<'static> {
    let (actor_id, actor_username) = (by.user.id.clone(), by.user.username.clone());
    Data::Like(LikeData { post_id: post.into(), actor_id, actor_username })
}

/// Notifies one account that another likes its post.
async fn liked(app: &TestApp, to: &Member, by: &Member, post: &'static str) {
    let (to, by) = (to.user.id.clone(), by.clone());
    let tell = app.server.app().write(move |ctx| {
        let root = PostId::from("post_root");
        let notified = NewNotification::new(&to, like(post, &by)).in_thread(&root);
        notification::notify(ctx, Some(&by.user.id), vec![notified])
    });
    tell.await.unwrap();
}

on_both_engines! {
    async fn each_social_action_notifies_the_affected_account(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("the first").await.id;
        bob.client.relations().follow("ada").await.unwrap();
        bob.client.reactions().like(&post).await.unwrap();
        bob.client.reactions().repost(&post).await.unwrap();
        let reply = bob.client.posts().reply(&post, "so do I, @ada").await.unwrap().post.id;
        let quote = bob.client.posts().create("as @ada says").with(|quote| quote.quote_of_id = Some(post.clone()));
        let quote = quote.await.unwrap().post.id;
        app.advance(1800);
        let mention = bob.post("dear @ada and @bob").await.id;
        let received = ada.client.events().list().await.unwrap().events;
        let by = |kind: &str, more: Value| {
            let mut data = json!({ "actorId": bob.user.id, "actorUsername": "bob" });
            data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            (kind.to_owned(), data)
        };
        let repost = received[2].data["repostId"].clone();
        assert!(repost.as_str().unwrap().starts_with("rep_"));
        let received: Vec<_> = received.into_iter().map(|event| (event.event, Value::from(event.data))).collect();
        assert_eq!(received, [
            by("follow", json!({})),
            by("like", json!({ "postId": post })),
            by("repost", json!({ "postId": post, "repostId": repost })),
            by("reply", json!({ "postId": post, "replyId": reply, "rootId": post, "content": "so do I, @ada" })),
            by("quote", json!({ "postId": post, "quoteId": quote, "content": "as @ada says" })),
            by("mention", json!({ "postId": mention, "content": "dear @ada and @bob" })),
        ]);
        assert_eq!(events(&bob).await, [""; 0], "the actor is not notified");
        let notified = listed(&ada).await;
        let shown: Vec<_> = notified.iter().rev().map(|notification| notification.post.as_ref().map(|post| &post.id)).collect();
        assert_eq!(shown, [None, Some(&post), Some(&post), Some(&reply), Some(&quote), Some(&mention)]);
        bob.client.posts().delete(&reply).await.unwrap();
        let notified = listed(&ada).await;
        let gone = notified.iter().find(|notification| notification.r#type == NotificationType::Reply).unwrap();
        assert_eq!((gone.post.as_ref(), gone.post_id.as_ref()), (None, Some(&post)), "it stays without what is gone");
        assert_eq!(ada.client.notifications().read_of_post(&post).await.unwrap().marked, 4);
    }

    async fn a_reply_below_a_reply_names_the_post_at_the_top(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let reply = ada.reply(&bob.post("top").await, "a reply").await;
        let below = bob.reply(&reply, "below").await;
        let received = ada.client.events().list().await.unwrap().events.remove(0);
        assert_eq!((&*received.event, Value::from(received.data)), ("reply", json!({
            "postId": reply.id, "replyId": below.id, "rootId": reply.root_id, "content": "below", "actorId": bob.user.id, "actorUsername": "bob",
        })));
    }

    async fn a_text_has_its_content_warning_in_events_and_notifications(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let (post, posts) = (ada.post("a film tonight").await.id, bob.client.posts());
        let text = "@ada, the butler did it";
        posts.reply(&post, text).content_warning("the end").await.unwrap();
        posts.create(text).quote(&post).content_warning("the end").await.unwrap();
        app.advance(1800);
        posts.create(text).content_warning("the end").await.unwrap();
        let received = ada.client.events().list().await.unwrap().events;
        let warned = |kind: &str| {
            let event = received.iter().find(|event| event.event == kind).unwrap();
            assert_eq!(event.data["contentWarning"], "the end", "{kind}");
        };
        ["reply", "quote", "mention"].into_iter().for_each(warned);
        let shown: Vec<_> = listed(&ada).await.into_iter().filter_map(|told| told.post?.content_warning).collect();
        assert_eq!(shown, ["the end"; 3]);
    }

    async fn a_message_event_contains_the_message_its_recipient_reads(app: TestApp) {
        let market = Market::new(app).await;
        let plain = market.ada.write(&market.bob, "psst").await;
        let order = market.ordered(5).await;
        let answer = market.answer(response(&order, ResponseStatus::Completed)).await;
        let received = market.bob.client.events().list().await.unwrap().events;
        assert_eq!((received.len(), &*received[2].event), (3, "order"));
        let shown = market.bob.client.messages().get(&plain.message_id).await.unwrap().message;
        assert_eq!(Value::from(received[0].data.clone()), serde_json::to_value(shown).unwrap());
        assert_eq!((&received[1].data["request"]["status"], &received[1].data["schema"]), (&"open".into(), &"service.request".into()));
        let received = market.ada.client.events().list().await.unwrap().events;
        let kinds: Vec<&str> = received.iter().map(|event| event.event.as_str()).collect();
        assert_eq!(kinds, ["service", "direct_message"], "the end of the order, and the message that brought it");
        let shown = market.ada.client.messages().get(&answer.message_id).await.unwrap().message;
        assert_eq!(Value::from(received[1].data.clone()), serde_json::to_value(shown).unwrap());
        let notified = listed(&market.ada).await;
        assert_eq!((notified[1].message_id.as_ref(), notified[1].text.as_deref()), (Some(&order), Some("@bob completed the order of @ada")));
        assert_eq!(notified[1].group_key, format!("service_request:{order}"));
        assert_eq!(types(&market.bob).await, ["direct_message", "direct_message"]);
        market.is_consistent().await;
    }

    async fn an_escrow_notifies_its_parties_and_moderators(app: TestApp) {
        let market = Market::new(app).await;
        let judge = market.app.agent("judge").await;
        market.app.grant_role("judge", "moderator").await;
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        assert_eq!(types(&market.ada).await, ["escrow"]);
        assert_eq!(types(&market.bob).await, ["escrow", "escrow"]);
        let notified = &listed(&market.bob).await[0];
        assert_eq!((notified.escrow_id.as_ref(), notified.group_key.clone()), (Some(&id), format!("escrow:{id}")));
        assert_eq!(notified.actor.as_ref().unwrap().username, "ada");
        assert_eq!(notified.text.as_deref(), Some("@ada disputed the result of @bob, 10 credits"));
        let [notified] = &*listed(&judge).await else { panic!("judge is notified once") };
        assert_eq!((&notified.r#type, notified.escrow_id.as_ref()), (&NotificationType::System, Some(&id)));
        assert!(notified.text.as_ref().unwrap().contains("is disputed"), "{notified:?}");
    }

    async fn a_notification_of_an_order_names_its_service_while_the_account_is_there(app: TestApp) {
        let market = Market::new(app).await;
        let order = market.ordered(5).await;
        market.answer(response(&order, ResponseStatus::Completed)).await;
        let escrow = market.escrow(&EscrowStatus::Released).await.id;
        let rename = async |name: &'static str| {
            let sql = sql!("update service set name = $1");
            market.app.execute(move |ctx| ctx.tx.execute(sql, values![name])).await;
            let of = async |member: &Member| {
                let listed = listed(member).await.into_iter();
                let about = |one: Notification| (one.r#type.to_string(), one.order_id, one.service_name);
                listed.map(about).filter(|(kind, ..)| kind != "direct_message").collect::<Vec<_>>()
            };
            (of(&market.ada).await, of(&market.bob).await)
        };
        for (name, shown) in [("Charts", Some("Charts".to_owned())), ("", None)] {
            let (buyer, seller) = rename(name).await;
            let ended = ("service_request".to_owned(), Some(order.clone()), shown.clone());
            let moved = ("escrow".to_owned(), None, shown);
            assert_eq!(buyer, [moved.clone(), ended], "{escrow}");
            assert_eq!(seller, [moved.clone(), moved], "{escrow}");
        }
    }

    async fn repeated_actions_within_a_day_notify_once(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        for _ in 0..2 {
            liked(&app, &ada, &bob, "post_1").await;
            liked(&app, &ada, &bob, "post_2").await;
            liked(&app, &ada, &cyd, "post_1").await;
        }
        app.advance(86_399);
        liked(&app, &ada, &bob, "post_1").await;
        assert_eq!(events(&ada).await.len(), 3);
        app.advance(2);
        liked(&app, &ada, &bob, "post_1").await;
        assert_eq!((events(&ada).await.len(), listed(&ada).await.len()), (4, 4));
        for name in ["ada", "cyd"] {
            bob.client.relations().follow(name).await.unwrap();
        }
        assert_eq!(events(&ada).await.len(), 5);
        assert_eq!(events(&cyd).await, ["follow"], "to another account, it is no repetition");
    }

    async fn a_repost_that_is_undone_and_repeated_notifies_once(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("the first").await.id;
        for _ in 0..2 {
            bob.client.reactions().repost(&post).await.unwrap();
            bob.client.reactions().unrepost(&post).await.unwrap();
        }
        assert_eq!(events(&ada).await, ["repost"]);
    }

    async fn the_first_of_equal_notifications_is_kept(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let (first, other, by) = (ada.user.id.clone(), cyd.user.id.clone(), bob.clone());
        let tell = app.server.app().write(move |ctx| {
            let notified = [(&first, "post_1"), (&other, "post_2"), (&first, "post_3"), (&by.user.id, "post_4")];
            let notified = notified.map(|(to, post)| NewNotification::new(to, like(post, &by))).to_vec();
            notification::notify(ctx, Some(&by.user.id), notified)
        });
        tell.await.unwrap();
        let posts = |notified: Vec<Notification>| notified.into_iter().map(|notification| notification.post_id.unwrap().to_string()).collect::<Vec<_>>();
        assert_eq!(posts(listed(&ada).await), ["post_1"]);
        assert_eq!(posts(listed(&cyd).await), ["post_2"]);
        assert_eq!(posts(listed(&bob).await), [""; 0]);
    }

    async fn fifty_concurrent_actions_leave_no_gap(app: TestApp, "database.connections" = "4") {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let writers = (0..50).map(|number| {
            let writer = if number % 2 == 0 { &ada } else { &bob };
            let call = writer.client.messages().send("cyd", format!("message {number}"));
            tokio::spawn(call.into_future())
        });
        for writer in writers.collect::<Vec<_>>() {
            writer.await.unwrap().unwrap();
        }
        let page = cyd.client.events().list().limit(100).await.unwrap();
        let seqs: Vec<u64> = page.events.iter().map(|event| event.seq).collect();
        assert_eq!(seqs, (1..=50).collect::<Vec<_>>());
        let notified: Vec<String> = listed(&cyd).await.iter().rev().map(|notification| notification.event_id.to_string()).collect();
        let received: Vec<String> = page.events.iter().map(|event| event.id.to_string()).collect();
        assert_eq!(notified, received, "in the order of their events");
        let numbers = sql!("select count(*) from account_event where seq between 1 and 50");
        assert_eq!(app.count(numbers).await, 50);
        is_consistent(&app).await;
    }

    async fn reading_a_conversation_reads_its_notifications(app: TestApp) {
        let [ada, bob, cyd] = app.friends(["ada", "bob", "cyd"]).await;
        let mut sent = Vec::new();
        for text in ["one", "two", "three", "four"] {
            sent.push(ada.write(&bob, text).await);
        }
        cyd.write(&bob, "another conversation").await;
        let unread = || async { bob.client.notifications().unread_count().await.unwrap().unread_count };
        let read = |message: &svc_client::types::api::messages::Message| {
            bob.client.conversations().read(&message.conversation_id, &message.message_id)
        };
        assert_eq!(unread().await, 5);
        read(&sent[1]).await.unwrap();
        assert_eq!(unread().await, 3);
        bob.client.messages().delete(&sent[2].message_id).await.unwrap();
        assert_eq!((unread().await, listed(&bob).await.len()), (2, 4), "a deleted message causes no event");
        read(&sent[3]).await.unwrap();
        assert_eq!(unread().await, 1);
        bob.client.notifications().read_all().await.unwrap();
        let left = bob.client.messages().unread_count().await.unwrap().unread;
        assert_eq!(left.messages, 1, "reading a notification reads no message");
        bob.client.conversations().mute(&sent[0].conversation_id).await.unwrap();
        ada.write(&bob, "muted").await;
        assert_eq!((unread().await, events(&bob).await.len()), (0, 6), "an event and no notification");
    }
}
