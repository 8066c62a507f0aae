//! What services have done: completed orders, time to the answer, success; and their samples.

use http::Method;
use serde_json::{Map, Value, json};
use svc_client::types::api::bots::{BotSort, Capability};
use svc_client::types::api::escrow::EscrowStatus;
use svc_client::types::api::orders::ResponseStatus;
use svc_client::types::api::services::{
    Acceptance, CreateService, SAMPLES_BYTES_MAX, ServiceCategory, ServiceSample, UpdateService,
};
use svc_client::types::{Code, EscrowId, MessageId, Share};

use crate::app::{Member, all_items, code, fault};
use crate::market::{Market, object, offer};
use crate::on_both_engines;
use crate::raw::answer;

/// Bob's service as everyone sees it.
async fn shown(market: &Market) -> Capability {
    market.app.anonymous.bots().capabilities("bob").await.unwrap().capabilities.remove(0)
}

/// Completed orders, median and success rate.
async fn figures(market: &Market) -> (i64, Option<f64>, Option<f64>) {
    let Capability { orders_done, median_answer_seconds, success_rate, .. } = shown(market).await;
    (orders_done, median_answer_seconds, success_rate)
}

/// A direct order of ada's.
async fn placed(market: &Market) -> MessageId {
    let placing = market.ada.client.orders().create("bob", &market.service, Map::new());
    placing.max_credits(5).await.unwrap().order.id
}

/// The same, answered after some seconds.
async fn answered(market: &Market, seconds: u64, status: ResponseStatus) {
    let id = placed(market).await;
    market.app.advance(seconds);
    let answering = market.bob.client.orders().answer(&id, status.clone());
    let answering = match status {
        ResponseStatus::Error => answering.error("broken").charged_credits(0),
        ResponseStatus::Rejected => answering.reason("busy"),
        _ => answering.charged_credits(0),
    };
    answering.await.unwrap();
}

async fn escrow(market: &Market) -> EscrowId {
    market.open(1).await.id
}

/// Refusal of a service: its code and the member it names.
fn refused<T>(result: svc_client::Result<T>) -> (Code, String) {
    let error = result.map(drop).unwrap_err();
    (error.code().unwrap().clone(), error.field().unwrap_or("").to_owned())
}

on_both_engines! {
    async fn figures_count_from_the_fifth_order_on(app: TestApp) {
        let market = Market::new(app).await;
        assert_eq!(figures(&market).await, (0, None, None));
        for seconds in [10, 40, 20] {
            answered(&market, seconds, ResponseStatus::Completed).await;
        }
        answered(&market, 30, ResponseStatus::Error).await;
        for _ in 0..3 {
            answered(&market, 1, ResponseStatus::Rejected).await;
        }
        assert_eq!(figures(&market).await, (3, None, None), "what was declined says nothing");
        answered(&market, 90, ResponseStatus::Completed).await;
        assert_eq!(figures(&market).await, (4, Some(30.0), Some(0.8)), "of 10, 20, 40 and 90 seconds");
        let own = market.bob.client.services().list().await.unwrap().services.remove(0);
        assert_eq!((own.orders_done, own.median_answer_seconds, own.success_rate), (4, Some(30.0), Some(0.8)));
        let found = market.app.anonymous.bots().discover("work").page().await.unwrap();
        let found = &found.items[0].services[0];
        assert_eq!((found.orders_done, found.median_answer_seconds, found.success_rate), (4, Some(30.0), Some(0.8)));
        market.is_consistent().await;
    }

    async fn an_order_that_expires_has_failed_and_a_cancelled_one_has_not(app: TestApp) {
        let market = Market::new(app).await;
        let acceptance = market.bob.client.services().update(&market.service);
        acceptance.acceptance(Acceptance::Explicit).await.unwrap();
        for _ in 0..4 {
            answered(&market, 2, ResponseStatus::Completed).await;
        }
        let late = placed(&market).await;
        market.app.advance(86_400);
        assert_eq!(market.state(&late).await["status"], "expired");
        market.ada.client.orders().get(&late).await.unwrap();
        let cancelled = placed(&market).await;
        market.ada.client.orders().cancel(&cancelled).await.unwrap();
        assert_eq!(figures(&market).await, (4, Some(2.0), Some(0.8)));
        market.is_consistent().await;
    }

    async fn an_escrow_counts_once_however_it_ends(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.escrow(), market.bob.client.escrow());
        for wait in [50, 70, 60] {
            let id = escrow(&market).await;
            let order = market.ordering(market.with_escrow(1, &id)).await.unwrap();
            market.app.advance(wait);
            market.deliver(&id).await;
            market.app.advance(3600);
            ada.release(&id).await.unwrap();
            assert_eq!(market.state(&order.message.message_id).await["status"], "completed");
        }
        let refunded = escrow(&market).await;
        market.deliver(&refunded).await;
        bob.refund(&refunded).await.unwrap();
        let late = escrow(&market).await;
        market.app.advance(7 * 86_400);
        assert_eq!(market.seen(&late).await.status, EscrowStatus::Cancelled);
        ada.cancel(&escrow(&market).await).await.unwrap();
        bob.decline(&escrow(&market).await).await.unwrap();
        assert_eq!(figures(&market).await, (3, Some(60.0), Some(0.6)), "the review takes no time");
        market.is_consistent().await;
    }

    async fn a_delivery_takes_no_longer_than_since_its_order(app: TestApp) {
        let market = Market::new(app).await;
        for _ in 0..5 {
            let id = escrow(&market).await;
            // As a milestone that is paid when its plan is made.
            market.app.advance(3 * 86_400);
            market.ordering(market.with_escrow(1, &id)).await.unwrap();
            market.app.advance(60);
            market.deliver(&id).await;
            market.ada.client.escrow().release(&id).await.unwrap();
        }
        assert_eq!(figures(&market).await, (5, Some(60.0), Some(1.0)));
    }

    async fn work_that_failed_counts_when_its_buyer_ends_the_escrow(app: TestApp) {
        let market = Market::new(app).await;
        for _ in 0..4 {
            answered(&market, 1, ResponseStatus::Completed).await;
        }
        let id = escrow(&market).await;
        let sent = market.ordering(market.with_escrow(1, &id)).await.unwrap().message.message_id;
        market.bob.client.orders().answer(&sent, ResponseStatus::Error).error("broken").await.unwrap();
        assert_eq!(figures(&market).await, (4, None, None), "the escrow still runs");
        market.ada.client.escrow().cancel(&id).await.unwrap();
        assert_eq!(figures(&market).await, (4, Some(1.0), Some(0.8)));
        market.is_consistent().await;
    }

    async fn bots_are_sorted_by_orders_and_speed(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let other = offer(&cyd, "work too", 0).await;
        for _ in 0..5 {
            answered(&market, 20, ResponseStatus::Completed).await;
        }
        for _ in 0..6 {
            let id = market.ada.client.orders().create("cyd", &other, Map::new());
            let id = id.max_credits(0).await.unwrap().order.id;
            market.app.advance(30);
            cyd.client.orders().answer(&id, ResponseStatus::Completed).await.unwrap();
        }
        offer(&market.app.agent("dan").await, "work at last", 0).await;
        let names = async |query: &str| {
            let found = market.app.raw(Method::GET, &format!("/v1/bots/discover?service=work{query}"));
            let found = answer(found).await.json();
            let bots = found["bots"].as_array().unwrap().iter();
            bots.map(|bot| bot["username"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("&sort=orders").await, ["cyd", "bob", "dan"]);
        assert_eq!(names("&sort=speed").await, ["bob", "cyd", "dan"]);
        assert_eq!(names("&maxAnswerSeconds=29").await, ["bob"]);
        assert_eq!(names("&maxAnswerSeconds=30").await.len(), 2);
        assert_eq!(names("&maxAnswerSeconds=19").await, [""; 0]);
        let quick = market.app.anonymous.bots().discover_all().max_answer_seconds(29);
        let quick: Vec<_> = all_items(quick).await.into_iter().map(|bot| bot.username).collect();
        assert_eq!(quick, ["bob"], "without a term too");
        for sort in [BotSort::Orders, BotSort::Speed] {
            let list = market.app.anonymous.bots().discover("work").sort(sort).limit(1);
            assert_eq!(all_items(list).await.len(), 3, "each once");
        }
    }

    async fn a_bot_is_found_by_those_of_its_services_that_fit(app: TestApp) {
        let market = Market::new(app).await;
        let newer = offer(&market.bob, "more work", 5).await;
        let market = Market { service: newer, ..market };
        for _ in 0..5 {
            answered(&market, 20, ResponseStatus::Completed).await;
        }
        let all = || market.app.anonymous.bots().discover_all();
        let half = Share::from_thousandths(500).unwrap();
        for list in [all().max_answer_seconds(20), all().min_success(half)] {
            let bots = all_items(list).await;
            let names: Vec<_> = bots.iter().flat_map(|bot| &bot.services).map(|service| &*service.name).collect();
            assert_eq!((bots.len(), names), (1, vec!["more work"]), "the older one is untried");
        }
    }

    async fn answers_at_once_are_all_counted(app: TestApp) {
        let market = Market::new(app).await;
        let mut open = Vec::new();
        for _ in 0..8 {
            open.push(placed(&market).await);
        }
        market.app.advance(7);
        let orders = market.bob.client.orders();
        let answers = open.iter().map(|id| async move {
            orders.answer(id, ResponseStatus::Completed).charged_credits(0).await.unwrap();
        });
        futures_util::future::join_all(answers).await;
        assert_eq!(figures(&market).await, (8, Some(7.0), Some(1.0)));
        market.is_consistent().await;
    }

    async fn samples_category_and_languages_are_shown_and_changed(app: TestApp) {
        let bot = app.agent("bot").await;
        let schema = object(json!({ "type": "object", "required": ["text"] }));
        let sample = ServiceSample::new(object(json!({ "text": "a bb" })), object(json!({ "words": 2 })));
        let creating = bot.client.services().create("count", "counts", 5).input_schema(schema.clone());
        let creating = creating.category(ServiceCategory::Writing).samples(vec![sample.clone()]);
        let made = creating.languages(vec!["en".into(), "EN".into(), "pt-BR".into()]).await.unwrap().service;
        assert_eq!(made.languages, ["en", "pt-BR"]);
        let read = app.anonymous.bots().capabilities("bot").await.unwrap().capabilities.remove(0);
        assert_eq!((read.category, read.samples), (ServiceCategory::Writing, vec![sample.clone()]));
        let update = || bot.client.services().update(&made.id);
        let changed = update().category(ServiceCategory::Fun).languages(Vec::new()).await.unwrap().service;
        assert_eq!((changed.category, changed.languages, changed.samples.len()), (ServiceCategory::Fun, vec![], 1));
        let renamed = update().name("counter").await.unwrap().service;
        assert_eq!((renamed.samples, renamed.input_schema), (vec![sample], Some(schema)));
        let emptied = update().samples(Vec::new()).await.unwrap().service;
        assert_eq!(emptied.samples, []);
    }

    async fn samples_must_fit_the_schemas_also_those_that_were_there_before(app: TestApp) {
        let bot = app.agent("bot").await;
        let schema = |name: &str| object(json!({ "type": "object", "required": [name] }));
        let sample = |input: &str, output: &str| {
            ServiceSample::new(object(json!({ input: 1 })), object(json!({ output: 2 })))
        };
        let create = || {
            let creating = bot.client.services().create("count", "counts", 5);
            creating.input_schema(schema("text")).output_schema(schema("words"))
        };
        let unfit = create().samples(vec![sample("text", "words"), sample("x", "words")]);
        assert_eq!(refused(unfit.await), (Code::ValidationFailed, "/samples/1/input".into()));
        let unfit = create().samples(vec![sample("text", "x")]);
        assert_eq!(refused(unfit.await), (Code::ValidationFailed, "/samples/0/output".into()));
        let many = create().samples(vec![sample("text", "words"); 4]);
        assert_eq!(fault::<CreateService>(many.await).1, "samples");
        let of_text = |length: usize| {
            ServiceSample::new(object(json!({ "text": "x".repeat(length) })), object(json!({ "words": 1 })))
        };
        let around = serde_json::to_string(&[of_text(0)]).unwrap().len();
        let (largest, beyond) = (of_text(SAMPLES_BYTES_MAX - around), of_text(SAMPLES_BYTES_MAX - around + 1));
        assert_eq!(fault::<CreateService>(create().samples(vec![beyond]).await).1, "samples");
        let wrong = create().languages(vec!["not a language".into()]);
        assert_eq!(fault::<CreateService>(wrong.await).1, "languages");
        let made = create().samples(vec![sample("text", "words")]).await.unwrap().service;
        let update = || bot.client.services().update(&made.id);
        let stale = update().input_schema(schema("other")).await;
        assert_eq!(refused(stale), (Code::ValidationFailed, "/samples/0/input".into()));
        let stale = update().output_schema(schema("other")).await;
        assert_eq!(refused(stale), (Code::ValidationFailed, "/samples/0/output".into()));
        let by_name = bot.client.services().update_for("bot", &made.id);
        let stale = by_name.output_schema(schema("other")).await;
        assert_eq!(refused(stale), (Code::ValidationFailed, "/samples/0/output".into()));
        let unfit = update().samples(vec![sample("text", "x")]).await;
        assert_eq!(refused(unfit), (Code::ValidationFailed, "/samples/0/output".into()));
        let kept = bot.client.services().list().await.unwrap().services.remove(0);
        assert_eq!(kept, made, "nothing changed");
        let both = update().input_schema(schema("other")).samples(vec![sample("other", "words")]);
        both.await.unwrap();
        update().input_schema(Map::new()).samples(vec![sample("any", "words")]).await.unwrap();
        let full = update().samples(vec![largest.clone()]).await.unwrap().service;
        assert_eq!(full.samples, [largest]);
        let foreign = app.agent("eve").await;
        let theirs = foreign.client.services().update(&made.id).samples(Vec::new()).await;
        assert_eq!(code::<UpdateService>(theirs), Code::NotFound);
    }

    async fn a_member_of_a_sample_that_is_misspelt_is_refused(app: TestApp) {
        let bot: Member = app.agent("bot").await;
        let body = json!({
            "name": "x", "description": "y", "priceCredits": 1,
            "samples": [{ "input": {}, "outputs": {} }],
        });
        let sent = bot.raw(&app, Method::POST, "/v1/bots/me/services").json(&body);
        let refused = sent.send().await.unwrap();
        assert_eq!(refused.status(), 400);
        let refused: Value = refused.json().await.unwrap();
        let named = [&refused["code"], &refused["field"], &refused["hint"]];
        assert_eq!(named, ["unknown_member", "/samples/0/outputs", "output"]);
    }
}
