//! What happens to an order between its placement and its end.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::messages::RequestStatus;
use svc_client::types::api::orders::{
    AnswerOrder, CancelOrder, ExtendOrder, OrderStatus, ProgressOrder, ProgressState,
    ResponseStatus,
};
use svc_client::types::{Code, Span};

use super::refused;
use crate::app::{Member, code, fault};
use crate::market::{Market, has};
use crate::on_both_engines;
use crate::raw::answer;

pub(super) const DAY: u64 = 86_400;

/// The data of the events of orders that an account got.
async fn events(member: &Member) -> Vec<Value> {
    let events = member.client.events().list().limit(100).await.unwrap().events;
    let orders = events.into_iter().filter(|event| event.event == "order");
    orders.map(|event| Value::from(event.data)).collect()
}

/// The actions of these events.
pub(super) async fn actions(member: &Member) -> Vec<String> {
    let events = events(member).await;
    events.iter().map(|data| data["action"].as_str().unwrap().to_owned()).collect()
}

on_both_engines! {
    async fn a_provider_reports_progress_and_the_buyer_gets_its_events(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let bob = market.bob.client.orders();
        let started = bob.progress(&id, ProgressState::Working).note("begun").await.unwrap().order;
        assert_eq!((&started.status, started.version), (&OrderStatus::Working, 2));
        market.app.advance(60);
        let half = bob.progress(&id, ProgressState::Working).percent(50).await.unwrap().order;
        let progress = half.progress.clone().unwrap();
        assert_eq!((progress.percent, progress.note), (Some(50), None), "both are replaced");
        assert_eq!(progress.at, half.created_at.plus(std::time::Duration::from_mins(1)));
        assert_eq!(half, market.order_seen(&id).await);
        let part = bob.progress(&id, ProgressState::Working).partial(json!([1, 2])).await.unwrap();
        assert_eq!(part.order.progress.unwrap().percent, Some(50), "a partial result replaces neither");
        assert_eq!(actions(&market.ada).await, ["working", "progress", "partial"]);
        assert_eq!(events(&market.ada).await[1], json!({
            "orderId": id, "action": "progress", "status": "working", "serviceId": market.service,
            "buyerUsername": "ada", "providerUsername": "bob", "percent": 50,
        }));
        let message = market.ada.client.messages().get(&id).await.unwrap().message;
        assert_eq!(message.request.unwrap().status, RequestStatus::Open, "of the message");
        let listed = market.ada.client.notifications().list().await.unwrap().notifications;
        assert_eq!(listed, [], "progress is for programs");
        bob.answer(&id, ResponseStatus::Completed).await.unwrap();
        let done = market.order_seen(&id).await;
        assert_eq!((&done.status, done.progress.is_some(), done.partials_count), (&OrderStatus::Completed, true, 1));
        let (late, hint) = refused::<ProgressOrder>(bob.progress(&id, ProgressState::Working).await);
        assert_eq!((late, &*hint), (Code::RequestClosed, "completed"));
        market.is_consistent().await;
    }

    async fn reports_that_contradict_themselves_are_refused(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placed().await.id;
        let path = format!("/orders/{id}/progress");
        let before = market.order_seen(&id).await;
        for (body, field) in [
            (json!({}), "state"),
            (json!({ "state": "open" }), "state"),
            (json!({ "state": "input_required" }), "prompt"),
            (json!({ "state": "working", "prompt": "?" }), "prompt"),
            (json!({ "state": "working", "promptSchema": {} }), "promptSchema"),
            (json!({ "state": "input_required", "prompt": "?", "promptSchema": { "type": 7 } }), "promptSchema"),
            (json!({ "state": "working", "percent": 101 }), "percent"),
            (json!({ "state": "working", "note": "x".repeat(1001) }), "note"),
            (json!({ "state": "working", "partial": "x".repeat(64 * 1024) }), "partial"),
            (json!({ "state": "working", "wantsUntil": "2026-01-31T09:30:00.000Z" }), "wantsUntil"),
        ] {
            let refusal = market.sent(&market.bob, Method::POST, &path, &body).await.refusal();
            assert_eq!((refusal.code, refusal.field.as_deref()), (Code::ValidationFailed, Some(field)));
        }
        let by_buyer = market.ada.client.orders().progress(&id, ProgressState::Working).await;
        assert_eq!(code::<ProgressOrder>(by_buyer), Code::Forbidden);
        let leak = market.bob.client.orders().progress(&id, ProgressState::Working);
        let leak = leak.partial(json!({ "key": market.bob.key.expose() }));
        assert_eq!(code::<ProgressOrder>(leak.await), Code::CredentialInContent);
        assert_eq!(market.order_seen(&id).await, before);
    }

    async fn an_explicit_order_can_be_cancelled_until_the_provider_begins(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        let implicit = market.placed().await.id;
        let (refusal, hint) = refused::<CancelOrder>(ada.cancel(&implicit).await);
        assert_eq!((refusal, &*hint), (Code::WrongState, "open"), "it was accepted when it was placed");
        bob.answer(&implicit, ResponseStatus::Rejected).reason("no").await.unwrap();
        market.accepts_explicitly().await;
        let id = market.placed().await.id;
        assert_eq!(code::<CancelOrder>(bob.cancel(&id).await), Code::Forbidden);
        assert_eq!(market.have().await, ["95+5", "100+0"]);
        let cancelled = ada.cancel(&id).reason("found it").await.unwrap().order;
        assert_eq!((&cancelled.status, cancelled.reason.as_deref()), (&OrderStatus::Cancelled, Some("found it")));
        assert_eq!(cancelled.expires_at, None);
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        assert_eq!(market.state(&id).await["status"], "cancelled", "of the message");
        let (late, hint) = refused::<AnswerOrder>(bob.answer(&id, ResponseStatus::Completed).await);
        assert_eq!((late, &*hint), (Code::RequestClosed, "cancelled"));
        let (twice, hint) = refused::<CancelOrder>(ada.cancel(&id).await);
        assert_eq!((twice, &*hint), (Code::WrongState, "cancelled"));
        assert_eq!(actions(&market.bob).await, ["placed", "placed", "cancelled"]);
        let events = market.bob.client.events().list().await.unwrap().events;
        let last = Value::from(events.iter().rfind(|event| event.event == "service").unwrap().data.clone());
        assert_eq!((&last["requestId"], &last["status"]), (&json!(id), &json!("cancelled")));

        let id = market.placed().await.id;
        bob.progress(&id, ProgressState::Working).await.unwrap();
        let (refusal, hint) = refused::<CancelOrder>(ada.cancel(&id).await);
        assert_eq!((refusal, &*hint), (Code::WrongState, "working"));
        bob.progress(&id, ProgressState::InputRequired).prompt("which one?").await.unwrap();
        let (refusal, hint) = refused::<CancelOrder>(ada.cancel(&id).await);
        assert_eq!((refusal, &*hint), (Code::WrongState, "input_required"));
        assert_eq!(has(&market.ada).await, "95+5");
        market.is_consistent().await;
    }

    async fn an_order_keeps_the_acceptance_it_was_placed_with(app: TestApp) {
        let market = Market::new(app).await;
        let before = market.placed().await.id;
        market.accepts_explicitly().await;
        let after = market.ordered(5).await;
        let update = market.bob.client.services().update(&market.service);
        update.acceptance(svc_client::types::api::services::Acceptance::Implicit).await.unwrap();
        let ada = market.ada.client.orders();
        assert_eq!(code::<CancelOrder>(ada.cancel(&before).await), Code::WrongState);
        assert_eq!(ada.cancel(&after).await.unwrap().order.status, OrderStatus::Cancelled, "by message too");
        market.is_consistent().await;
    }

    async fn an_order_of_an_escrow_is_cancelled_with_it_before_the_delivery(app: TestApp) {
        let market = Market::new(app).await;
        let ada = market.ada.client.orders();
        let escrow = market.open(60).await.id;
        let id = market.placing().escrow_id(&escrow).await.unwrap().order.id;
        market.bob.client.orders().progress(&id, ProgressState::Working).await.unwrap();
        let cancelled = ada.cancel(&id).reason("no need").await.unwrap().order;
        assert_eq!((&cancelled.status, cancelled.reason.as_deref()), (&OrderStatus::Cancelled, Some("no need")));
        assert_eq!(market.seen(&escrow).await.status.as_str(), "cancelled");
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        assert_eq!(actions(&market.bob).await, ["placed", "cancelled"]);
        let escrow = market.open(60).await.id;
        let id = market.placing().escrow_id(&escrow).await.unwrap().order.id;
        market.deliver(&escrow).await;
        let (late, hint) = refused::<CancelOrder>(ada.cancel(&id).await);
        assert_eq!((late, &*hint), (Code::WrongState, "delivered"));
        assert_eq!(market.order_seen(&id).await.status, OrderStatus::Delivered);
        market.is_consistent().await;
    }

    async fn a_deal_goes_on_although_its_parties_block_each_other(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        let (of_ada, of_bob) = (market.ada.client.escrow(), market.bob.client.escrow());
        let [done, refused] = [market.placed().await.id, market.placed().await.id];
        let [split, repaid] = [market.open(10).await.id, market.open(10).await.id];
        let [accepted, cancelled] = [market.open(10).await.id, market.open(10).await.id];
        market.app.block(&market.ada, &market.bob).await;
        market.app.block(&market.bob, &market.ada).await;
        bob.progress(&done, ProgressState::InputRequired).prompt("Which language?").await.unwrap();
        ada.input(&done, "1", json!({ "lang": "de" })).await.unwrap();
        ada.extend(&done, Span::from_secs(2 * DAY)).await.unwrap();
        bob.answer(&done, ResponseStatus::Completed).await.unwrap();
        bob.answer(&refused, ResponseStatus::Rejected).reason("no time").await.unwrap();
        for escrow in [&split, &repaid, &accepted] {
            market.deliver(escrow).await;
        }
        market.dispute(&split).await;
        of_bob.respond(&split, "it works").await.unwrap();
        let offer = of_bob.offer_split(&split, 4_u32).await.unwrap().escrow.split.unwrap().offer_version;
        of_ada.accept_split(&split, u32::try_from(offer).unwrap()).await.unwrap();
        of_bob.refund(&repaid).await.unwrap();
        of_ada.release(&accepted).await.unwrap();
        of_ada.cancel(&cancelled).await.unwrap();
        assert_eq!(market.have().await, ["81+0", "119+0"], "5 of an order, 4 of a split, and 10 that were accepted");
        market.is_consistent().await;
    }

    async fn only_the_buyer_gives_more_time(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        let placed = market.placed().await;
        let (id, due) = (&placed.id, placed.expires_at.unwrap());
        let until = |seconds| placed.created_at.plus(std::time::Duration::from_secs(seconds));
        let asking = bob.progress(id, ProgressState::Working).wants_until(until(3 * DAY));
        let asked = asking.await.unwrap().order;
        assert_eq!((asked.wants_until, asked.expires_at), (Some(until(3 * DAY)), Some(due)), "asking grants nothing");
        let later = bob.progress(id, ProgressState::Working).percent(10).await.unwrap().order;
        assert_eq!(later.wants_until, Some(until(3 * DAY)), "it asks until it is given");
        let within = |seconds| Span::from_secs(seconds);
        assert_eq!(code::<ExtendOrder>(bob.extend(id, within(2 * DAY)).await), Code::Forbidden);
        for seconds in [59, DAY, 30 * DAY + 60] {
            let refused = ada.extend(id, within(seconds)).await;
            assert_eq!(fault::<ExtendOrder>(refused), (Code::ValidationFailed, "answerWithin".to_owned()), "{seconds}");
        }
        let more = ada.extend(id, within(2 * DAY)).await.unwrap().order;
        assert_eq!((more.expires_at, more.wants_until), (Some(until(2 * DAY)), Some(until(3 * DAY))));
        market.app.advance(DAY);
        let more = ada.extend(id, within(2 * DAY)).await.unwrap().order;
        assert_eq!((more.expires_at, more.wants_until), (Some(until(3 * DAY)), None), "that was wanted");
        let beyond = ada.extend(id, within(29 * DAY + 60)).await;
        assert_eq!(fault::<ExtendOrder>(beyond), (Code::ValidationFailed, "answerWithin".to_owned()));
        ada.extend(id, within(29 * DAY)).await.unwrap();
        assert_eq!(actions(&market.bob).await, ["placed", "extended", "extended", "extended"]);
        market.app.advance(29 * DAY);
        let (late, hint) = refused::<ExtendOrder>(ada.extend(id, within(DAY)).await);
        assert_eq!((late, &*hint), (Code::WrongState, "expired"));
        let escrow = market.open(10).await.id;
        let id = market.placing().escrow_id(&escrow).await.unwrap().order.id;
        let (refusal, hint) = refused::<ExtendOrder>(ada.extend(&id, within(2 * DAY)).await);
        assert_eq!((refusal, &*hint), (Code::WrongState, "open"));
        market.is_consistent().await;
    }

    async fn what_is_given_to_one_order_is_not_given_to_another(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        let [one, other] = [market.placed().await, market.placed().await];
        let until = one.created_at.plus(std::time::Duration::from_secs(2 * DAY));
        for order in [&one, &other] {
            let asking = bob.progress(&order.id, ProgressState::InputRequired).prompt("Which language?");
            asking.wants_until(until).await.unwrap();
        }
        let before = market.order_seen(&other.id).await;
        ada.input(&one.id, "1", json!("de")).await.unwrap();
        let more = ada.extend(&one.id, Span::from_secs(2 * DAY)).await.unwrap().order;
        assert_eq!((more.expires_at, more.wants_until, more.version), (Some(until), None, 4));
        bob.progress(&one.id, ProgressState::Working).percent(10).await.unwrap();
        assert_eq!(market.order_seen(&other.id).await, before);
    }

    async fn time_that_the_provider_asks_for_is_given_with_the_escrow_too(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.open(60).await;
        let id = market.placing().escrow_id(&escrow.id).await.unwrap().order.id;
        let until = escrow.created_at.plus(std::time::Duration::from_secs(10 * DAY));
        let asking = market.bob.client.orders().progress(&id, ProgressState::Working);
        assert_eq!(asking.wants_until(until).await.unwrap().order.wants_until, Some(until));
        let extend = |days: u64| market.ada.client.escrow().extend(&escrow.id, Span::from_secs(days * DAY));
        extend(9).await.unwrap();
        assert_eq!(market.order_seen(&id).await.wants_until, Some(until), "that is a day too short");
        extend(10).await.unwrap();
        assert_eq!(market.order_seen(&id).await.wants_until, None, "that was wanted");
        market.is_consistent().await;
    }

    async fn a_webhook_gets_events_of_orders_only_if_it_lists_them(app: TestApp) {
        let market = Market::new(app).await;
        let webhooks = market.bob.client.webhooks();
        let usual = webhooks.create("https://hooks.example.org/a").await.unwrap().webhook.id;
        let listing = webhooks.create("https://hooks.example.org/b");
        let listing = listing.events(vec![svc_client::types::api::webhooks::WebhookKind::Order]);
        let listing = listing.await.unwrap().webhook.id;
        market.placed().await;
        let kinds = async |id| {
            let deliveries = webhooks.deliveries(id).await.unwrap().deliveries;
            deliveries.into_iter().map(|delivery| delivery.event).collect::<Vec<_>>()
        };
        assert_eq!(kinds(&usual).await, ["direct_message"]);
        assert_eq!(kinds(&listing).await, ["order"]);
    }

    async fn services_show_how_their_orders_are_accepted(app: TestApp) {
        let market = Market::new(app).await;
        let words = async || {
            let found = market.ada.client.bots().capabilities("bob").await.unwrap().capabilities;
            let bots = market.ada.client.bots().discover("work").await.unwrap().bots;
            [found[0].acceptance.to_string(), bots[0].services[0].acceptance.to_string()]
        };
        assert_eq!(words().await, ["implicit", "implicit"]);
        market.accepts_explicitly().await;
        assert_eq!(words().await, ["explicit", "explicit"]);
        let update = market.bob.client.services().update(&market.service).price(6);
        assert_eq!(update.await.unwrap().service.acceptance.as_str(), "explicit", "what is omitted stays");
    }

    async fn an_erased_account_leaves_no_texts_in_orders(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.placing().max_credits(10).client_order_id("my-plan").await.unwrap().order.id;
        let bob = market.bob.client.orders();
        let asking = bob.progress(&id, ProgressState::InputRequired).note("my note").prompt("my prompt");
        asking.partial(json!("my partial")).await.unwrap();
        market.ada.client.orders().input(&id, "1", json!("my input")).await.unwrap();
        bob.answer(&id, ResponseStatus::Completed).await.unwrap();
        let left = async |member: &Member| {
            let seen = answer(member.raw(&market.app, Method::GET, &format!("/orders/{id}"))).await;
            let partials = answer(member.raw(&market.app, Method::GET, &format!("/orders/{id}/partials"))).await;
            format!("{} {}", seen.text, partials.text)
        };
        let texts = ["my-plan", "my input", "my note", "my prompt", "my partial"];
        let all = left(&market.ada).await;
        assert!(texts.iter().all(|text| all.contains(text)), "{all}");
        market.ada.client.users().delete_me("ada").await.unwrap();
        market.app.advance(40 * DAY);
        market.app.server.erase().await;
        let rest = left(&market.bob).await;
        // Partial results have been deleted by then.
        assert_eq!(texts.map(|text| rest.contains(text))[..4], [false, false, true, true], "{rest}");
        market.bob.client.users().delete_me("bob").await.unwrap();
        market.app.advance(40 * DAY);
        market.app.server.erase().await;
        let count = svc_store::sql!(
            "select (select count(*) from order_partial) + (select count(*) from client_order)
                + (select count(*) from order_progress where note is not null or prompt is not null)"
        );
        assert_eq!(market.app.count(count).await, 0);
        market.is_consistent().await;
    }

    async fn an_erased_account_leaves_no_reason_in_orders_that_it_cancelled(app: TestApp) {
        let market = Market::new(app).await;
        market.accepts_explicitly().await;
        let id = market.placed().await.id;
        market.ada.client.orders().cancel(&id).reason("found it").await.unwrap();
        let reason = async || {
            let seen = market.bob.raw(&market.app, Method::GET, &format!("/orders/{id}"));
            answer(seen).await.json()["order"]["reason"].clone()
        };
        assert_eq!(reason().await, "found it");
        market.ada.client.users().delete_me("ada").await.unwrap();
        market.app.advance(40 * DAY);
        market.app.server.erase().await;
        assert_eq!(reason().await, Value::Null);
    }
}
