//! Reviews of orders: who may write them, what they count, who reads them, how they go.

use std::time::Duration;

use http::Method;
use serde_json::{Map, json};
use svc_client::types::api::bots::ListBotReviews;
use svc_client::types::api::escrow::ReleaseEscrow;
use svc_client::types::api::moderation::ModerationActionType;
use svc_client::types::api::orders::{CreateReview, DeleteReview, ResponseStatus, Review};
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::api::services::ListServiceReviews;
use svc_client::types::{Code, MessageId, Rating, ServiceId};
use svc_core::tasks::erase;
use svc_server::admin::Command;
use svc_store::sql;

use crate::app::{Member, all_items, code};
use crate::market::{Market, offer};
use crate::on_both_engines;
use crate::owners::{PASSWORD, own};
use crate::raw::answer;

/// How long a buyer may review a delivery, in seconds.
const REVIEW: u64 = 72 * 3_600;

fn stars(half_steps: u8) -> Rating {
    Rating::from_half_steps(half_steps).unwrap()
}

/// An order that bob completed.
async fn done(market: &Market, buyer: &Member) -> MessageId {
    let placing = buyer.client.orders().create("bob", &market.service, Map::new());
    let id = placing.max_credits(5).await.unwrap().order.id;
    let answering = market.bob.client.orders().answer(&id, ResponseStatus::Completed);
    answering.charged_credits(0).await.unwrap();
    id
}

async fn review(buyer: &Member, order: &MessageId, half_steps: u8) -> Review {
    buyer.client.orders().review(order, stars(half_steps)).await.unwrap()
}

/// Rating of bob's service, and how many gave it.
pub(crate) async fn rating(market: &Market) -> (f64, i64) {
    let read =
        market.app.anonymous.bots().capabilities("bob").await.unwrap().capabilities.remove(0);
    (read.rating, read.ratings_count)
}

/// How many ratings bob has, and how many buyers gave them.
async fn buyers(market: &Market) -> (i64, i64) {
    let read = market.app.anonymous.bots().reputation("bob").await.unwrap().reputation;
    (read.ratings.count, read.ratings.buyers)
}

/// Ratings of the reviews of bob and of his service, newest first.
async fn listed(market: &Market) -> Vec<f64> {
    let of_bot = all_items(market.app.anonymous.bots().reviews("bob").limit(2)).await;
    let of_service = all_items(market.app.anonymous.services().reviews(&market.service)).await;
    assert_eq!(of_bot, of_service);
    of_bot.into_iter().map(|review| review.rating.value()).collect()
}

on_both_engines! {
    async fn a_buyer_reviews_a_completed_order_once_for_everyone_to_read(app: TestApp) {
        let market = Market::new(app).await;
        let order = done(&market, &market.ada).await;
        let path = format!("/orders/{order}/review");
        let sent = market.ada.raw(&market.app, Method::POST, &path);
        let sent = answer(sent.json(&json!({ "rating": 4.5, "text": "quick work" }))).await;
        assert_eq!(sent.status, 201);
        let made = sent.json();
        assert_eq!(made, json!({
            "id": made["id"], "serviceId": market.service, "rating": 4.5, "text": "quick work",
            "createdAt": made["createdAt"],
        }));
        let read = answer(market.app.raw(Method::GET, "/v1/bots/BOB/reviews")).await.json();
        assert_eq!(read, json!({ "reviews": [made] }));
        let path = format!("/v1/services/{}/reviews", market.service);
        assert_eq!(answer(market.app.raw(Method::GET, &path)).await.json(), read);
        assert_eq!(rating(&market).await, (4.5, 1));
        let order_path = format!("/orders/{order}");
        for party in [&market.ada, &market.bob] {
            let seen = answer(party.raw(&market.app, Method::GET, &order_path)).await.json();
            assert_eq!(seen["order"]["review"], made, "both parties read it with the order");
        }
        let again = market.ada.client.orders().review(&order, stars(2)).await;
        assert_eq!(code::<CreateReview>(again), Code::AlreadyExists);
        assert_eq!(rating(&market).await, (4.5, 1), "nothing changed");
        market.is_consistent().await;
    }

    async fn only_the_buyer_of_a_completed_order_reviews_it(app: TestApp) {
        let market = Market::new(app).await;
        let order = done(&market, &market.ada).await;
        let eve = market.app.agent("eve").await;
        let by = |member: &Member| member.client.orders().review(&order, stars(10));
        assert_eq!(code::<CreateReview>(by(&eve).await), Code::NotFound);
        assert_eq!(code::<CreateReview>(by(&market.bob).await), Code::Forbidden);
        let open = market.ordered(5).await;
        let early = market.ada.client.orders().review(&open, stars(10)).await.unwrap_err();
        assert_eq!((early.code(), early.hint()), (Some(&Code::WrongState), Some("open")));
        let rejecting = market.bob.client.orders().answer(&open, ResponseStatus::Rejected);
        rejecting.reason("busy").await.unwrap();
        let rejected = market.ada.client.orders().review(&open, stars(10)).await.unwrap_err();
        assert_eq!(rejected.hint(), Some("rejected"));
        let path = format!("/orders/{order}/review");
        let long = "x".repeat(4001);
        for wrong in [json!({}), json!({ "rating": 4.2 }), json!({ "rating": 6 }),
            json!({ "rating": 4, "text": "" }), json!({ "rating": 4, "text": long }),
            json!({ "rating": 4, "txt": "x" })] {
            let sent = answer(market.ada.raw(&market.app, Method::POST, &path).json(&wrong)).await;
            assert_eq!(sent.status, 400, "{wrong}");
        }
        assert_eq!(listed(&market).await, [0.0; 0]);
        let none = market.ada.client.orders().delete_review(&order).await;
        assert_eq!(code::<DeleteReview>(none), Code::NotFound);
        let text = "y".repeat(4000);
        market.ada.client.orders().review(&order, stars(8)).text(&*text).await.unwrap();
        let theirs = market.bob.client.orders().delete_review(&order).await;
        assert_eq!(code::<DeleteReview>(theirs), Code::Forbidden);
        let foreign = eve.client.orders().delete_review(&order).await;
        assert_eq!(code::<DeleteReview>(foreign), Code::NotFound);
        market.ada.client.orders().delete_review(&order).await.unwrap();
        let left = sql!("select count(*) from review where text is not null");
        assert_eq!(market.app.count(left).await, 0, "what is taken back is not kept");
    }

    async fn an_order_is_reviewed_once_the_review_window_of_its_escrow_has_ended(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.open(5).await.id;
        let order = market.ordering(market.with_escrow(5, &id)).await.unwrap().message.message_id;
        market.deliver(&id).await;
        market.app.advance(REVIEW - 1);
        let early = market.ada.client.orders().review(&order, stars(8)).await;
        assert_eq!(code::<CreateReview>(early), Code::WrongState);
        market.app.advance(1);
        review(&market.ada, &order, 8).await;
        assert_eq!(rating(&market).await, (4.0, 1));
        assert_eq!(market.have().await, ["95+0", "105+0"]);
        market.is_consistent().await;
    }

    async fn of_each_buyer_the_latest_rating_counts_by_release_or_review(app: TestApp) {
        let market = Market::new(app).await;
        let dan = market.app.agent("dan").await;
        let id = market.open(1).await.id;
        let order = market.ordering(market.with_escrow(1, &id)).await.unwrap().message.message_id;
        market.deliver(&id).await;
        let releasing = market.ada.client.escrow().release(&id).rating(stars(4));
        releasing.feedback("between us").await.unwrap();
        assert_eq!(rating(&market).await, (2.0, 1));
        assert_eq!(listed(&market).await, [0.0; 0], "what a release says stays private");
        review(&market.ada, &order, 8).await;
        assert_eq!(rating(&market).await, (4.0, 1), "it replaces that of the release, even at the same instant");
        market.app.advance(1);
        let second = done(&market, &dan).await;
        review(&dan, &second, 10).await;
        assert_eq!(rating(&market).await, (4.5, 2));
        market.app.advance(1);
        let third = done(&market, &market.ada).await;
        review(&market.ada, &third, 2).await;
        assert_eq!(rating(&market).await, (3.0, 2));
        assert_eq!(listed(&market).await, [1.0, 5.0, 4.0]);
        let orders = market.ada.client.orders();
        orders.delete_review(&third).await.unwrap();
        assert_eq!(rating(&market).await, (4.5, 2), "the one before counts again");
        orders.delete_review(&order).await.unwrap();
        assert_eq!(rating(&market).await, (3.5, 2), "then the release");
        dan.client.orders().delete_review(&second).await.unwrap();
        assert_eq!(rating(&market).await, (2.0, 1));
        assert_eq!(listed(&market).await, [0.0; 0]);
        market.is_consistent().await;
        review(&dan, &second, 6).await;
        assert_eq!(rating(&market).await, (2.5, 2), "what was taken back may be written again");
        dan.client.orders().delete_review(&second).await.unwrap();
        assert_eq!(rating(&market).await, (2.0, 1), "and be taken back again");
        market.is_consistent().await;
    }

    async fn a_rating_at_a_release_counts_again_before_an_older_review(app: TestApp) {
        let market = Market::new(app).await;
        let first = done(&market, &market.ada).await;
        review(&market.ada, &first, 4).await;
        market.app.advance(1);
        for half_steps in [6, 10] {
            let id = market.open(1).await.id;
            market.deliver(&id).await;
            market.ada.client.escrow().release(&id).rating(stars(half_steps)).await.unwrap();
            market.app.advance(1);
        }
        assert_eq!(rating(&market).await, (5.0, 1));
        let last = done(&market, &market.ada).await;
        review(&market.ada, &last, 2).await;
        assert_eq!(rating(&market).await, (1.0, 1));
        market.ada.client.orders().delete_review(&last).await.unwrap();
        assert_eq!(rating(&market).await, (5.0, 1), "the latest release; the review that is left is older");
        market.is_consistent().await;
    }

    async fn moderators_remove_a_reported_review_for_good(app: TestApp) {
        let market = Market::new(app).await;
        let judge = market.app.agent("judge").await;
        market.app.grant_role("judge", "moderator").await;
        let order = done(&market, &market.ada).await;
        let text = market.ada.client.orders().review(&order, stars(2)).text("buy elsewhere");
        let made = text.await.unwrap();
        let subject = Subject::review(&made.id);
        let report = market.bob.client.reports().create(subject.clone(), ReportReason::Spam);
        let report = report.await.unwrap().report;
        assert_eq!(report.subject, subject);
        let seen = judge.client.moderation().report(&report.id).await.unwrap().report;
        let snapshot = seen.snapshot.unwrap();
        assert_eq!((&snapshot["text"], &snapshot["username"]), (&json!("buy elsewhere"), &json!("bob")));
        let hiding = judge.client.moderation().act(subject.clone(), ModerationActionType::Hide, "spam");
        assert_eq!(hiding.await.unwrap_err().code(), Some(&Code::ValidationFailed));
        let remove = || judge.client.moderation().act(subject.clone(), ModerationActionType::Remove, "spam");
        remove().await.unwrap();
        assert_eq!(listed(&market).await, [0.0; 0]);
        assert_eq!(rating(&market).await, (0.0, 0));
        assert_eq!(remove().await.unwrap_err().hint(), Some("removed"));
        let again = market.ada.client.orders().review(&order, stars(10)).await;
        assert_eq!(code::<CreateReview>(again), Code::AlreadyExists);
        let late = market.bob.client.reports().create(subject.clone(), ReportReason::Spam).await;
        assert_eq!(late.unwrap_err().code(), Some(&Code::NotFound));
        market.is_consistent().await;
    }

    async fn concurrent_reviews_of_one_order_leave_one(app: TestApp) {
        let market = Market::new(app).await;
        let order = done(&market, &market.ada).await;
        let orders = market.ada.client.orders();
        let sent = (2..=9).map(|half_steps| {
            let order = order.clone();
            async move { orders.review(&order, stars(half_steps)).await.is_ok() }
        });
        let made = futures_util::future::join_all(sent).await;
        assert_eq!(made.into_iter().filter(|made| *made).count(), 1);
        assert_eq!(listed(&market).await.len(), 1);
        assert_eq!(rating(&market).await.1, 1);
        market.is_consistent().await;
    }

    async fn reviews_are_as_visible_as_their_bot_and_service(app: TestApp) {
        let market = Market::new(app).await;
        let order = done(&market, &market.ada).await;
        review(&market.ada, &order, 7).await;
        let anonymous = &market.app.anonymous;
        market.app.person("ann", PASSWORD).await;
        let of_bot = async |name: &str| code::<ListBotReviews>(anonymous.bots().reviews(name).await);
        let of_service = async |id: &ServiceId| {
            code::<ListServiceReviews>(anonymous.services().reviews(id).await)
        };
        for gone in ["ann", "nobody"] {
            assert_eq!(of_bot(gone).await, Code::NotFound, "{gone}");
        }
        let other = offer(&market.bob, "more", 1).await;
        assert!(anonymous.services().reviews(&other).page().await.unwrap().items.is_empty());
        market.bob.client.services().delete(&market.service).await.unwrap();
        assert_eq!(of_service(&market.service).await, Code::NotFound);
        let kept = anonymous.bots().reviews("bob").page().await.unwrap().items;
        assert_eq!(kept.len(), 1, "a bot's reviews outlive its service");
        market.app.suspend("bob").await;
        assert_eq!(of_bot("bob").await, Code::NotFound);
        assert_eq!(of_service(&other).await, Code::NotFound);
    }

    async fn an_owner_and_their_agents_do_not_rate_each_other(app: TestApp) {
        let market = Market::new(app).await;
        let ann = market.app.person("ann", PASSWORD).await;
        let id = market.open(1).await.id;
        market.deliver(&id).await;
        for agent in [&market.ada, &market.bob] {
            own(&ann, agent).await;
        }
        let rated = market.ada.client.escrow().release(&id).rating(stars(10)).await;
        assert_eq!(code::<ReleaseEscrow>(rated), Code::Forbidden);
        market.ada.client.escrow().release(&id).await.unwrap();
        let of_owner = done(&market, &ann).await;
        let order = done(&market, &market.ada).await;
        for (buyer, order) in [(&ann, &of_owner), (&market.ada, &order)] {
            let refused = buyer.client.orders().review(order, stars(10)).await;
            assert_eq!(code::<CreateReview>(refused), Code::Forbidden);
        }
        assert_eq!(rating(&market).await, (0.0, 0));
        ann.client.auth().step_up().password(PASSWORD).await.unwrap();
        ann.client.agents().release("ada").await.unwrap();
        review(&market.ada, &order, 8).await;
        assert_eq!(rating(&market).await, (4.0, 1), "they have no common owner any more");
        market.is_consistent().await;
    }

    async fn ratings_of_a_suspended_account_count_again_when_it_returns(app: TestApp) {
        let market = Market::new(app).await;
        let dan = market.app.agent("dan").await;
        let order = done(&market, &dan).await;
        review(&dan, &order, 10).await;
        let order = done(&market, &market.ada).await;
        review(&market.ada, &order, 2).await;
        let other = offer(&market.bob, "more", 0).await;
        let orders = market.ada.client.orders();
        let more = orders.create("bob", &other, Map::new()).max_credits(0).await.unwrap().order.id;
        market.bob.client.orders().answer(&more, ResponseStatus::Completed).await.unwrap();
        review(&market.ada, &more, 4).await;
        let escrow = market.open(1).await.id;
        market.deliver(&escrow).await;
        assert_eq!((rating(&market).await, buyers(&market).await), ((3.0, 2), (3, 2)));

        market.app.suspend("ada").await;
        assert_eq!((rating(&market).await, buyers(&market).await), ((5.0, 1), (1, 1)));
        assert_eq!(all_items(market.app.anonymous.bots().reviews("bob")).await.len(), 1);
        market.is_consistent().await;
        market.ada.client.escrow().release(&escrow).rating(stars(8)).await.unwrap();
        assert_eq!(rating(&market).await, (5.0, 1), "a deal that is still finished counts no rating");
        market.is_consistent().await;

        market.app.unsuspend("ada").await;
        assert_eq!((rating(&market).await, buyers(&market).await), ((4.5, 2), (3, 2)));
        assert_eq!(all_items(market.app.anonymous.bots().reviews("bob")).await.len(), 3);
        market.is_consistent().await;
    }

    async fn ratings_count_while_their_account_is_deleted_but_not_while_it_is_suspended(app: TestApp) {
        let market = Market::new(app).await;
        let order = done(&market, &market.ada).await;
        review(&market.ada, &order, 9).await;
        market.ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(rating(&market).await, (4.5, 1));
        market.ada.client.auth().restore().await.unwrap();
        assert_eq!(rating(&market).await, (4.5, 1));
        market.app.suspend("ada").await;
        market.app.server.admin(Command::Delete { username: "ada".to_owned() }).await;
        assert_eq!(rating(&market).await, (0.0, 0));
        market.app.advance(15 * 24 * 3_600);
        erase::once(market.app.server.app()).await.unwrap();
        assert_eq!(rating(&market).await, (0.0, 0), "the erasure changes nothing");
        market.is_consistent().await;
    }

    async fn the_text_of_a_review_is_hidden_while_its_author_is_deleted(app: TestApp) {
        let market = Market::new(app).await;
        let order = done(&market, &market.ada).await;
        let writing = market.ada.client.orders().review(&order, stars(9)).text("quick and right");
        let written = writing.await.unwrap().text;
        assert!(written.is_some());
        let texts = async || {
            let of_bot = all_items(market.app.anonymous.bots().reviews("bob")).await.remove(0);
            let services = market.app.anonymous.services();
            let of_service = all_items(services.reviews(&market.service)).await.remove(0);
            let of_order = market.bob.client.orders().get(&order).await.unwrap().order.review;
            [of_bot.text, of_service.text, of_order.unwrap().text]
        };
        assert_eq!(texts().await, [written.clone(), written.clone(), written.clone()]);
        market.ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(texts().await, [None, None, None]);
        assert_eq!(rating(&market).await, (4.5, 1));
        market.ada.client.auth().restore().await.unwrap();
        assert_eq!(texts().await, [written.clone(), written.clone(), written]);
    }

    async fn an_erased_account_leaves_a_rating_without_a_text(app: TestApp) {
        let market = Market::new(app).await;
        let order = done(&market, &market.ada).await;
        market.ada.client.orders().review(&order, stars(9)).text("quetzalcoatl").await.unwrap();
        market.ada.client.users().delete_me("ada").await.unwrap();
        market.app.server.clock().advance(Duration::from_hours(15 * 24));
        erase::once(market.app.server.app()).await.unwrap();
        let left = sql!("select count(*) from review where text is not null");
        let left: i64 = market.app.server.app().read(move |ctx| ctx.tx.one(left, &[])).await.unwrap();
        assert_eq!(left, 0);
        assert_eq!(rating(&market).await, (4.5, 1));
        let read = market.app.anonymous.bots().reviews("bob").page().await.unwrap().items;
        assert_eq!((read.len(), &read[0].text), (1, &None));
        market.is_consistent().await;
    }
}
