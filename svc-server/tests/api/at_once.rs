//! What two transactions do at the same time to the same things ends as if one had come after the other.

mod leaving;

use futures_util::future::join_all;
use http::Method;
use svc_client::types::api::conversations::ConversationFolder;
use svc_client::types::api::moderation::ModerationActionType as Kind;
use svc_client::types::api::orders::ResponseStatus;
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::api::users::Tier;
use svc_client::types::{Code, MessageId, Rating};
use svc_server::testing::Engine;
use svc_store::{sql, values};

use crate::counts;
use crate::held::{Held, behind, waiting};
use crate::market::Market;
use crate::moderation::staff;
use crate::on_both_engines;
use crate::raw::answer;
use crate::reviews::rating;

/// An order that bob has completed and ada has given four stars.
async fn reviewed(market: &Market) -> MessageId {
    let id = market.ordered(5).await;
    market.bob.client.orders().answer(&id, ResponseStatus::Completed).await.unwrap();
    let four = Rating::from_half_steps(8).unwrap();
    market.ada.client.orders().review(&id, four).await.unwrap();
    id
}

on_both_engines! {
    async fn of_two_edits_at_once_neither_undoes_the_other(
        app: TestApp, "database.connections" = "6"
    ) {
        let ada = app.agent("ada").await;
        let post = ada.post("first #one").await;
        let held = Held::post(&app, &post.id).await;
        let text = ada.client.posts().edit(&post.id).content("second #two").into_future();
        let warning = ada.client.posts().edit(&post.id).content_warning("the end").into_future();
        let (text, warning) = behind(&app, held, 2, async { tokio::join!(text, warning) }).await;
        text.unwrap();
        warning.unwrap();
        let seen = ada.client.posts().get(&post.id).await.unwrap().post;
        assert_eq!(seen.content, "second #two");
        assert_eq!(seen.content_warning.as_deref(), Some("the end"));
        assert_eq!(seen.hashtags, ["two"]);
        let revisions = ada.client.posts().history(&post.id).await.unwrap().revisions;
        assert_eq!(revisions.len(), 2, "{revisions:?}");
    }

    async fn an_edit_waits_for_its_author_who_leaves_before_it_locks_the_post(
        app: TestApp, "database.connections" = "6"
    ) {
        let ada = app.agent("ada").await;
        let post = ada.post("hello").await;
        let held = Held::leaving(&app, &ada.user.id).await;
        let edit = ada.client.posts().edit(&post.id).content("again").into_future();
        let leave = async {
            waiting(&app, 1).await;
            if app.engine == Engine::Postgres {
                let free = sql!("select id from post for no key update skip locked");
                let free = app.server.app().write(move |ctx| ctx.tx.execute(free, &[]));
                assert_eq!(free.await.unwrap(), 1, "the post is locked after its author");
            }
            held.release().await;
        };
        let (edited, ()) = tokio::join!(edit, leave);
        assert_eq!(edited.unwrap().post.content, "again");
    }

    async fn an_account_does_several_things_to_a_post_at_once(
        app: TestApp, "database.connections" = "8"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let post = ada.post("hello").await;
        for method in [Method::POST, Method::DELETE, Method::POST] {
            let acts = ["like", "repost", "bookmark"].map(|act| {
                answer(bob.raw(&app, method.clone(), &format!("/posts/{}/{act}", post.id)))
            });
            let held = Held::post(&app, &post.id).await;
            for done in behind(&app, held, 3, join_all(acts)).await {
                assert_eq!(done.status, 200, "{}", done.text);
            }
            let viewer = bob.client.posts().get(&post.id).await.unwrap().post.viewer.unwrap();
            let is_done = method == Method::POST;
            assert_eq!([viewer.liked, viewer.reposted, viewer.bookmarked], [is_done; 3]);
            counts::are_right(&app).await;
        }
    }

    async fn a_post_has_the_rank_of_the_tier_that_its_author_gets_meanwhile(
        app: TestApp, "database.connections" = "6"
    ) {
        let ada = app.agent("ada").await;
        let held = Held::account(&app, ada.user.id.clone()).await;
        let tier = app.set_tier("ada", "pro");
        let post = async {
            waiting(&app, 1).await;
            ada.post("hello").await
        };
        behind(&app, held, 2, async { tokio::join!(tier, post) }).await;
        counts::are_right(&app).await;
    }

    async fn reviews_that_are_taken_back_at_once_leave_no_rating(
        app: TestApp, "database.connections" = "6"
    ) {
        let market = Market::new(app).await;
        let (one, other) = (reviewed(&market).await, reviewed(&market).await);
        assert_eq!(rating(&market).await, (4.0, 1));
        let held = Held::figures(&market.app, &market.bob.user.id).await;
        let orders = market.ada.client.orders();
        let first = orders.delete_review(&one).into_future();
        let second = orders.delete_review(&other).into_future();
        let both = async { tokio::join!(first, second) };
        let (first, second) = behind(&market.app, held, 2, both).await;
        first.unwrap();
        second.unwrap();
        assert_eq!(rating(&market).await, (0.0, 0));
        market.is_consistent().await;
    }

    async fn a_release_with_a_rating_holds_its_buyer_before_it_waits_for_figures(
        app: TestApp, "database.connections" = "6"
    ) {
        let market = Market::new(app).await;
        let escrow = market.open(10).await.id;
        market.deliver(&escrow).await;
        let held = Held::figures(&market.app, &market.bob.user.id).await;
        let five = Rating::from_half_steps(10).unwrap();
        let release = market.ada.client.escrow().release(&escrow).rating(five).into_future();
        let suspend = async {
            waiting(&market.app, 1).await;
            if market.app.engine == Engine::Postgres {
                let free = sql!("select id from account where id = $1 for update skip locked");
                let ada = market.ada.user.id.clone();
                let app = market.app.server.app();
                let free = app.write(move |ctx| ctx.tx.execute(free, values![ada])).await;
                assert_eq!(free.unwrap(), 0, "a suspension waits for the release");
            }
            held.release().await;
        };
        let (released, ()) = tokio::join!(release, suspend);
        released.unwrap();
        assert_eq!(rating(&market).await, (5.0, 1));
        market.is_consistent().await;
    }

    async fn nobody_stays_on_the_list_of_an_account_that_it_blocks_meanwhile(
        app: TestApp, "database.connections" = "6"
    ) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        for is_added_first in [true, false] {
            let list = ada.client.lists().create("a list").await.unwrap().list;
            let held = Held::list(&app, &list.id).await;
            let add = async {
                waiting(&app, i64::from(!is_added_first)).await;
                ada.client.lists().add(&list.id, ["bob"]).await
            };
            let block = async {
                waiting(&app, i64::from(is_added_first)).await;
                bob.client.relations().block("ada").await
            };
            let both = async { tokio::join!(add, block) };
            let (added, blocked) = behind(&app, held, 2, both).await;
            if let Err(refused) = added {
                assert_eq!(refused.code(), Some(&Code::Blocked));
            }
            blocked.unwrap();
            assert_eq!(ada.client.lists().get(&list.id).await.unwrap().list.members_count, 0);
            counts::are_right(&app).await;
            bob.client.relations().unblock("ada").await.unwrap();
        }
    }

    async fn a_message_that_is_restored_while_its_conversation_is_read_can_be_read(
        app: TestApp, "database.connections" = "6"
    ) {
        let [ada, bob] = app.friends(["ada", "bob"]).await;
        let judge = staff(&app, "judge", "moderator").await;
        let hidden = bob.write(&ada, "one").await.message_id;
        let subject = Subject::message(&hidden);
        ada.client.reports().create(subject.clone(), ReportReason::Spam).await.unwrap();
        let act = |kind| judge.client.moderation().act(subject.clone(), kind, "the rules");
        act(Kind::Hide).await.unwrap();
        let second = bob.write(&ada, "two").await;
        let read = |upto: &MessageId| ada.client.conversations().read(&second.conversation_id, upto);
        read(&second.message_id).await.unwrap();
        let last = bob.write(&ada, "three").await.message_id;

        let held = Held::message(&app, &last).await;
        let restoring = async {
            waiting(&app, 1).await;
            if app.engine == Engine::Sqlite {
                held.release().await;
                act(Kind::Restore).await.unwrap();
            } else {
                act(Kind::Restore).await.unwrap();
                held.release().await;
            }
        };
        let (reading, ()) = tokio::join!(read(&last).into_future(), restoring);
        reading.unwrap();
        let unread = async || {
            let count = ada.client.messages().unread_count().await.unwrap().unread.messages;
            let listed = ada.client.messages().list().unread(true).await.unwrap().messages.len();
            (usize::try_from(count).unwrap(), listed)
        };
        let (count, listed) = unread().await;
        assert_eq!(count, listed);
        read(&last).await.unwrap();
        assert_eq!(unread().await, (0, 0));
    }

    async fn a_stranger_that_is_blocked_while_it_writes_is_not_among_the_requests(
        app: TestApp, "database.connections" = "6"
    ) {
        let ada = app.agent("ada").await;
        for (name, is_blocked_first) in [("bob", true), ("eve", false)] {
            let stranger = app.agent(name).await;
            let held = Held::account(&app, stranger.user.id.clone()).await;
            let block = async {
                waiting(&app, i64::from(!is_blocked_first)).await;
                ada.client.relations().block(name).await
            };
            let write = async {
                waiting(&app, i64::from(is_blocked_first)).await;
                stranger.client.messages().send("ada", "hello").await
            };
            let both = async { tokio::join!(block, write) };
            let (blocked, written) = behind(&app, held, 2, both).await;
            blocked.unwrap();
            if let Err(refused) = written {
                assert_eq!(refused.code(), Some(&Code::Blocked));
            }
            let asking = ada.client.conversations().list().folder(ConversationFolder::Requests);
            assert_eq!(asking.await.unwrap().conversations.len(), 0);
        }
    }

    async fn of_two_passes_that_are_bought_at_once_one_follows_the_other(
        app: TestApp, "database.connections" = "6", "billing.stripe.key_file" = "its own",
        "passes.boost" = "40"
    ) {
        let bot = app.agent("bot").await;
        let held = Held::account(&app, bot.user.id.clone()).await;
        let buy = || bot.client.tiers().buy_pass(Tier::Boost).into_future();
        let (one, other) = behind(&app, held, 2, async { tokio::join!(buy(), buy()) }).await;
        let mut passes = [one.unwrap().pass, other.unwrap().pass];
        passes.sort_by_key(|pass| pass.from);
        assert_eq!(passes[0].until, passes[1].from);
    }
}
