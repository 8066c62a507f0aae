//! Who is not notified: of blocked, muted, hidden and unwanted things.

use svc_client::types::UserId;
use svc_client::types::api::connect::ReplyData;
use svc_client::types::api::notifications::{ChannelsUpdate, NotificationType, NotifyFrom};
use svc_client::types::service_message::ResponseStatus;
use svc_core::services::notification::{self, Data, NewNotification};
use svc_store::{sql, values};

use super::{events, like, liked, listed, types};
use crate::app::{Member, TestApp};
use crate::market::{Market, response};
use crate::on_both_engines;

/// Writes a relation that has no endpoint here.
async fn relate(app: &TestApp, insert: svc_store::db::Sql, who: &Member, whom: &str) {
    let (who, whom): (UserId, String) = (who.user.id.clone(), whom.to_owned());
    app.execute(move |ctx| ctx.tx.execute(insert, values![who, whom])).await;
}

on_both_engines! {
    async fn a_blocked_or_muted_actor_causes_no_notification(app: TestApp) {
        let [ada, bob, cyd, dan, eve] = app.agents(["ada", "bob", "cyd", "dan", "eve"]).await;
        app.block(&bob, &ada).await;
        app.block(&ada, &cyd).await;
        let mute = sql!("insert into account_mute (muter, muted, created_at) values ($1, $2, 0)");
        relate(&app, mute, &dan, ada.user.id.as_str()).await;
        let ended = sql!("insert into account_mute (muter, muted, created_at, expires_at) values ($1, $2, 0, 1)");
        relate(&app, ended, &eve, ada.user.id.as_str()).await;
        for to in [&bob, &cyd, &dan, &eve, &ada] {
            liked(&app, to, &ada, "post_1").await;
        }
        for (member, wanted) in [(&bob, 0), (&cyd, 0), (&dan, 0), (&eve, 1), (&ada, 0)] {
            assert_eq!((events(member).await.len(), listed(member).await.len()), (wanted, wanted), "{}", member.user.username);
        }
        ada.write(&dan, "psst").await;
        assert_eq!(events(&dan).await, [""; 0], "a muted account's messages come without a word");
    }

    async fn an_edit_of_a_hidden_post_notifies_no_one(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        let post = ada.post("hello").await.id;
        let edit = async |content: &str| ada.client.posts().edit(&post).content(content).await.unwrap().post;
        let named = edit("hello @bob").await;
        assert_eq!(events(&bob).await, ["mention"]);
        edit("hello again, @bob").await;
        assert_eq!(events(&bob).await, ["mention"], "he was named before");
        edit("hello nobody").await;
        edit("hello once more, @bob").await;
        assert_eq!(events(&bob).await, ["mention"], "as an earlier text did");
        app.hide(&named).await;
        let hidden = edit("hello @bob and @cyd").await;
        assert_eq!(hidden.mentions.len(), 2, "its author edits it all the same");
        assert_eq!((events(&bob).await, events(&cyd).await), (vec!["mention".to_owned()], vec![]));
        assert_eq!(types(&cyd).await, [""; 0]);
    }

    async fn a_muted_thread_is_silent(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("a thread").await;
        let mute = sql!("insert into thread_mute (account, root, created_at) values ($1, $2, 0)");
        relate(&app, mute, &ada, post.id.as_str()).await;
        let (to, by, root) = (ada.user.id.clone(), bob.clone(), post.id.clone());
        let tell = app.server.app().write(move |ctx| {
            let notified = NewNotification::new(&to, like(root.as_str(), &by)).in_thread(&root);
            notification::notify(ctx, Some(&by.user.id), vec![notified])
        });
        tell.await.unwrap();
        assert_eq!(events(&ada).await, [""; 0]);
        liked(&app, &ada, &bob, "post_other").await;
        assert_eq!(events(&ada).await, ["like"]);
    }

    async fn a_muted_thread_is_silent_about_its_replies_too(app: TestApp) {
        let [ada, bob, cyd, dan] = app.agents(["ada", "bob", "cyd", "dan"]).await;
        let post = ada.post("a thread").await;
        let reply = bob.reply(&post, "a reply").await;
        bob.client.reactions().mute_thread(&post.id).await.unwrap();
        cyd.client.reactions().like(&reply.id).await.unwrap();
        cyd.client.reactions().repost(&reply.id).await.unwrap();
        cyd.reply(&reply, "another, @bob").await;
        assert_eq!((events(&bob).await, types(&bob).await), (vec![], vec![]));
        bob.client.reactions().unmute_thread(&post.id).await.unwrap();
        dan.client.reactions().like(&reply.id).await.unwrap();
        assert_eq!(events(&bob).await, ["like"]);
    }

    async fn deal_notifications_ignore_blocks(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.open(10).await.id;
        let order = market.ordered(5).await;
        market.app.block(&market.ada, &market.bob).await;
        market.ada.client.notifications().set_preferences().from(NotifyFrom::Following).await.unwrap();
        market.deliver(&id).await;
        market.answer(response(&order, ResponseStatus::Completed)).await;
        assert_eq!(events(&market.ada).await, ["escrow", "service"], "but not the message");
        assert_eq!(types(&market.ada).await, ["escrow", "service_request"]);
        market.is_consistent().await;
    }

    async fn notifications_can_be_limited_to_followed_accounts(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        ada.client.notifications().set_preferences().from(NotifyFrom::Following).await.unwrap();
        app.follow(&ada, &bob).await;
        bob.write(&ada, "delivered").await;
        cyd.write(&ada, "not delivered").await;
        let notified = listed(&ada).await;
        assert_eq!((notified.len(), notified[0].actor.as_ref().unwrap().username.as_str()), (1, "bob"));
        assert_eq!(events(&ada).await.len(), 1);
        let unread = ada.client.messages().unread_count().await.unwrap().unread;
        assert_eq!((unread.messages, unread.requests), (2, 1));
    }

    async fn channels_are_configured_per_type(app: TestApp) {
        let market = Market::new(app).await;
        let all = [Some(false); 3];
        let set = |kind: NotificationType, [in_app, webhook, mqtt]: [Option<bool>; 3]| {
            let ways = ChannelsUpdate { in_app, webhook, mqtt };
            market.bob.client.notifications().set_preferences().of(kind, ways)
        };
        for (webhook, mqtt) in [(true, false), (false, true)] {
            set(NotificationType::DirectMessage, [Some(false), Some(webhook), Some(mqtt)]).await.unwrap();
            market.ada.write(&market.bob, "an event").await;
        }
        set(NotificationType::DirectMessage, all).await.unwrap();
        market.ada.write(&market.bob, "nothing").await;
        set(NotificationType::DirectMessage, [Some(true), None, None]).await.unwrap();
        market.ada.write(&market.bob, "both").await;
        set(NotificationType::Escrow, all).await.unwrap();
        market.open(10).await;
        let expected = ["direct_message", "direct_message", "direct_message", "escrow"];
        assert_eq!(events(&market.bob).await, expected, "numbers have no hole");
        assert_eq!(types(&market.bob).await, ["direct_message"]);
        market.is_consistent().await;
    }

    async fn notifications_from_suspended_accounts_are_hidden(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let [mine, theirs] = [ada.post("mine").await, bob.post("theirs").await];
        let (to, by) = (ada.user.id.clone(), bob.clone());
        let (about, answer) = (mine.id.clone(), theirs.id.clone());
        let tell = app.server.app().write(move |ctx| {
            let data = ReplyData {
                post_id: about.clone(), reply_id: answer.clone(), root_id: about.clone(), content_warning: None,
                content: "theirs".into(), actor_id: by.user.id.clone(), actor_username: "bob".into(),
            };
            notification::notify(ctx, Some(&by.user.id), vec![NewNotification::new(&to, Data::Reply(data))])
        });
        tell.await.unwrap();
        let notified = listed(&ada).await.remove(0);
        let post = notified.post.as_ref().unwrap();
        assert_eq!((notified.post_id.as_ref(), &post.id, &*post.content), (Some(&mine.id), &theirs.id, "theirs"));
        assert_eq!((post.author.username.as_str(), notified.group_key), ("bob", format!("reply:{}", mine.id)));
        assert_eq!(ada.client.notifications().read_of_post(&theirs.id).await.unwrap().marked, 1);
        app.suspend("bob").await;
        let notified = listed(&ada).await.remove(0);
        assert_eq!((notified.actor, notified.post, notified.post_id), (None, None, Some(mine.id.clone())));
        app.unsuspend("bob").await;
        app.hide(&theirs).await;
        let notified = listed(&ada).await.remove(0);
        assert_eq!((notified.actor.is_some(), notified.post), (true, None), "nor what moderators hid");
        bob.client.reactions().like(&mine.id).await.unwrap();
        app.hide(&mine).await;
        let liked = listed(&ada).await.into_iter().find(|one| one.group_key.starts_with("like:")).unwrap();
        assert_eq!(liked.post.map(|post| post.id), Some(mine.id), "its author sees what moderators hid");
    }

    async fn suspended_accounts_are_notified_and_deleted_ones_are_not(app: TestApp) {
        let [ada, bob, cyd] = app.agents(["ada", "bob", "cyd"]).await;
        app.suspend("bob").await;
        cyd.client.users().delete_me("cyd").await.unwrap();
        for to in [&bob, &cyd] {
            liked(&app, to, &ada, "post_1").await;
        }
        assert_eq!(types(&bob).await, ["like"]);
        assert_eq!(app.count(sql!("select count(*) from event")).await, 1);
    }
}
