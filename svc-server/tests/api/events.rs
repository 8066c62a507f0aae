//! Events about deals, and how accounts catch up (spec §6.3).

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::Code;
use svc_client::types::api::connect::{Event, ListEvents};
use svc_client::types::api::escrow::{DisputeOutcome, EscrowStatus};
use svc_client::types::service_message::ResponseStatus;
use svc_core::tasks::sweep;
use svc_server::testing::Engine;
use svc_store::{sql, values};

use crate::app::{self, Member, TestApp, code, fault};
use crate::market::{Market, TOKEN, response, work};
use crate::raw::answer;
use crate::{on_both_engines, past};

/// Every event of an account, page by page; their numbers have no gaps.
async fn events(member: &Member) -> Vec<Event> {
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let page = member.client.events().after(after).limit(2).await.unwrap();
        all.extend(page.events);
        assert_eq!((page.oldest_seq, page.latest_seq >= all.len() as u64), (1, true));
        match page.next_cursor {
            Some(next) => after = next,
            None => break,
        }
    }
    let numbers: Vec<u64> = all.iter().map(|event| event.seq).collect();
    assert_eq!(numbers, (1..=all.len() as u64).collect::<Vec<_>>());
    all
}

/// An account's events in short: `escrow delivered`.
async fn kinds(member: &Member) -> Vec<String> {
    let short = |event: Event| {
        let word =
            ["action", "status", "code", "schema"].iter().find_map(|name| event.data.get(*name));
        format!("{} {}", event.event, word.unwrap().as_str().unwrap())
    };
    events(member).await.into_iter().map(short).collect()
}

on_both_engines! {
    async fn a_new_account_has_no_events(app: TestApp) {
        let ada = app.agent("ada").await;
        let read = answer(ada.raw(&app, Method::GET, "/v1/connect/events")).await;
        assert_eq!(read.json(), json!({ "events": [], "latestSeq": 0, "oldestSeq": 1 }));
        assert_eq!(ada.client.events().after(0).await.unwrap().events, []);
        let future = ada.client.events().after(1).await;
        assert_eq!(fault::<ListEvents>(future), (Code::CursorExpired, "after".to_owned()));
    }

    async fn the_other_party_is_notified_and_the_actor_is_not(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.escrow(), market.bob.client.escrow());
        let id = market.open(10).await.id;
        market.deliver(&id).await;
        market.deliver(&id).await;
        market.dispute(&id).await;
        bob.respond(&id, "it works").await.unwrap();
        ada.release(&id).await.unwrap();
        let unpaid = market.escrow(&EscrowStatus::Created).await.id;
        ada.fund(&unpaid).await.unwrap();
        ada.cancel(&unpaid).await.unwrap();
        let declined = market.open(10).await.id;
        bob.decline(&declined).await.unwrap();
        let refunded = market.escrow(&EscrowStatus::Delivered).await.id;
        bob.refund(&refunded).await.unwrap();
        assert_eq!(kinds(&market.ada).await, [
            "escrow delivered", "escrow redelivered", "escrow dispute_response", "escrow cancelled",
            "escrow delivered", "escrow refunded",
        ]);
        assert_eq!(kinds(&market.bob).await, [
            "escrow created", "escrow disputed", "escrow released", "escrow created", "escrow funded",
            "escrow cancelled", "escrow created", "escrow created",
        ]);
        market.is_consistent().await;
    }

    async fn an_event_has_one_form(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.open(10).await.id;
        market.ada.client.escrow().cancel(&id).await.unwrap();
        let order = market.ordered(5).await;
        market.answer_with(&order, ResponseStatus::Completed).await;
        let read = |member: &Member| answer(member.raw(&market.app, Method::GET, "/v1/connect/events"));
        let mut received = read(&market.bob).await.json();
        for (kind, seq) in [("order", 4), ("direct_message", 3)] {
            let ordered = received["events"].as_array_mut().unwrap().pop().unwrap();
            assert_eq!((&ordered["event"], &ordered["seq"]), (&json!(kind), &json!(seq)));
        }
        let common = json!({
            "escrowId": id, "amount": 10, "serviceId": market.service, "buyerUsername": "ada",
            "providerUsername": "bob", "actorUsername": "ada",
        });
        let with = |more: Value| {
            let mut data = common.clone();
            data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            data
        };
        let envelope = |number: usize, data: Value| json!({
            "id": received["events"][number]["id"], "seq": number + 1, "event": "escrow",
            "timestamp": "2026-01-31T09:30:00.000Z", "data": data,
        });
        assert_eq!(received, json!({ "latestSeq": 4, "oldestSeq": 1, "events": [
            envelope(0, with(json!({ "action": "created", "status": "funded" }))),
            envelope(1, with(json!({
                "action": "cancelled", "status": "cancelled", "previousStatus": "funded", "closeReason": "buyer_cancelled",
            }))),
        ] }));
        assert!(received["events"][0]["id"].as_str().unwrap().starts_with("evt_"));
        let received = read(&market.ada).await.json();
        assert_eq!((&received["events"][0]["event"], &received["events"][0]["data"]), (&json!("service"), &json!({
            "requestId": order, "status": "completed", "serviceId": market.service, "offeredCredits": 5,
            "chargedCredits": 5, "requesterUsername": "ada", "providerUsername": "bob",
        })));
    }

    async fn both_parties_are_notified_of_clock_transitions(app: TestApp) {
        let market = Market::new(app).await;
        market.open(10).await;
        let left = market.open(10).await.id;
        market.deliver(&left).await;
        market.ordered(5).await;
        market.app.advance(7 * 86_400);
        assert_eq!(market.have().await, ["90+0", "110+0"]);
        let [mut ada, mut bob] = [kinds(&market.ada).await, kinds(&market.bob).await];
        ada.sort();
        bob.sort();
        assert_eq!(ada, ["escrow auto_released", "escrow cancelled", "escrow delivered", "service expired"]);
        assert_eq!(bob, [
            "direct_message service.request", "escrow auto_released", "escrow cancelled", "escrow created",
            "escrow created", "order placed", "service expired",
        ]);
        let system = events(&market.bob).await.into_iter();
        let system = system.filter(|event| !["direct_message", "order"].contains(&&*event.event) && event.data["status"] != "funded");
        assert!(system.into_iter().all(|event| !event.data.contains_key("actorUsername")));
        market.is_consistent().await;
    }

    async fn the_requester_is_notified_of_the_outcome(app: TestApp) {
        let market = Market::new(app).await;
        for status in [ResponseStatus::Completed, ResponseStatus::Rejected, ResponseStatus::Error] {
            let id = market.ordered(1).await;
            market.answer_with(&id, status).await;
        }
        let answered = "direct_message service.response";
        assert_eq!(kinds(&market.ada).await, [
            "service completed", answered, "service rejected", answered, "service error", answered,
        ]);
        let ordered = ["direct_message service.request", "order placed"];
        assert_eq!(kinds(&market.bob).await, ordered.repeat(3), "the sender of the answer receives no event");
        market.is_consistent().await;
    }

    async fn moderators_are_notified_of_disputes(app: TestApp) {
        let market = Market::new(app).await;
        let [judge, admin, gone, stranger] = market.app.agents(["judge", "arbiter", "gone", "stranger"]).await;
        let halted = market.app.agent("halted").await;
        for (name, role) in [("judge", "moderator"), ("arbiter", "admin"), ("gone", "moderator"), ("halted", "moderator"), ("ada", "moderator")] {
            market.app.grant_role(name, role).await;
        }
        market.app.suspend("halted").await;
        gone.client.users().delete_me("gone").await.unwrap();
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        judge.client.escrow().resolve(&id, DisputeOutcome::Refund, "a note").await.unwrap();
        for staff in [&judge, &admin] {
            let events = events(staff).await;
            assert_eq!((events.len(), &*events[0].event), (1, "system"));
            assert_eq!(events[0].data["code"], "escrow_disputed");
            assert!(events[0].data["text"].as_str().unwrap().contains(id.as_str()));
        }
        assert_eq!(kinds(&stranger).await, [""; 0]);
        assert!(events(&halted).await.iter().all(|event| event.event != "system"), "it decides nothing");
        assert_eq!(kinds(&market.ada).await, ["escrow delivered", "escrow resolved"], "a party receives the events of a party");
        assert_eq!(kinds(&market.bob).await, ["escrow created", "escrow disputed", "escrow resolved"]);
        market.is_consistent().await;
    }

    async fn events_never_contain_private_data(app: TestApp) {
        let market = Market::new(app).await;
        let judge = market.app.agent("judge").await;
        market.app.grant_role("judge", "moderator").await;
        let (ada, bob) = (market.ada.client.escrow(), market.bob.client.escrow());
        let id = ada.create("bob", &market.service, 10, "hush-description").await.unwrap().escrow.id;
        bob.deliver(&id, work()).notes("hush-notes").await.unwrap();
        ada.dispute(&id, "hush-reason").evidence(json!("hush-evidence")).await.unwrap();
        bob.respond(&id, "hush-response").evidence(json!("hush-proof")).await.unwrap();
        judge.client.escrow().resolve(&id, DisputeOutcome::Release, "hush-note").await.unwrap();
        let other = market.escrow(&EscrowStatus::Delivered).await.id;
        ada.release(&other).feedback("hush-feedback").await.unwrap();
        let third = market.open(1).await.id;
        ada.cancel(&third).reason("hush-cancel").await.unwrap();
        let bodies = sql!("select body from event");
        let bodies: Vec<String> = market.app.server.app().read(move |ctx| ctx.tx.all(bodies, values![])).await.unwrap();
        assert_eq!(bodies.len(), 12);
        for secret in ["hush", TOKEN, "git.example.org", "sha256"] {
            let leaked = bodies.iter().find(|body| body.contains(secret));
            assert_eq!(leaked, None, "{secret}");
        }
    }

    async fn a_reader_resumes_where_it_stopped(app: TestApp) {
        let market = Market::new(app).await;
        for _ in 0..5 {
            let id = market.ordered(0).await;
            market.answer_with(&id, ResponseStatus::Completed).await;
            let id = market.open(1).await.id;
            market.deliver(&id).await;
        }
        let client = &market.ada.client;
        let seqs = |page: svc_client::types::api::connect::EventPage| page.events.iter().map(|event| event.seq).collect::<Vec<_>>();
        let page = client.events().after(3).limit(3).await.unwrap();
        assert_eq!((page.next_cursor, page.latest_seq, page.oldest_seq), (Some(6), 15, 1));
        assert_eq!(seqs(page), [4, 5, 6]);
        let page = client.events().after(11).limit(4).await.unwrap();
        assert_eq!(page.next_cursor, None);
        assert_eq!(seqs(page), [12, 13, 14, 15]);
        assert_eq!(seqs(client.events().after(15).await.unwrap()), [0; 0]);
        let only = |kind: &str| client.events().list().types(vec![kind.to_owned()]);
        assert_eq!(seqs(only("escrow").await.unwrap()), [3, 6, 9, 12, 15]);
        let page = only("service").limit(2).await.unwrap();
        assert_eq!((page.next_cursor, seqs(page)), (Some(4), vec![1, 4]));
        let both = client.events().list().types(vec!["service".to_owned(), "escrow".to_owned()]);
        assert_eq!(seqs(both.await.unwrap()).len(), 10);
        for (odd, nearest) in [("%25", None), ("serv", Some("service")), ("escrow,Order", Some("order"))] {
            let path = format!("/v1/connect/events?types={odd}");
            let refused = answer(market.ada.raw(&market.app, Method::GET, &path)).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some("types")), "{odd}");
            assert_eq!(refused.hint.as_deref(), nearest, "{odd}: {}", refused.error);
        }
        assert_eq!(code::<ListEvents>(client.events().after(16).await), Code::CursorExpired);
    }

    async fn rare_events_are_found_behind_many_others(app: TestApp) {
        let [ada, bob] = app.agents(["ada", "bob"]).await;
        let id = bob.user.id.clone();
        app.execute(move |ctx| past::likes(ctx, &id, 9_000)).await;
        ada.write(&bob, "psst").await;
        let only = |after| bob.client.events().after(after).types(vec!["direct_message".to_owned()]);
        let first = only(0).await.unwrap();
        assert_eq!((first.events.len(), first.next_cursor), (0, Some(4_000)), "a page scans no more");
        let last = only(8_000).await.unwrap();
        assert_eq!((last.events[0].seq, last.next_cursor), (9_001, None));
        let end = only(5_001).await.unwrap();
        assert_eq!((end.events[0].seq, end.next_cursor), (9_001, None), "the last one that it scans");
    }

    async fn a_reader_with_an_expired_cursor_starts_again(app: TestApp) {
        let market = Market::new(app).await;
        let happens = async |times| {
            for _ in 0..times {
                let id = market.open(1).await.id;
                market.ada.client.escrow().cancel(&id).await.unwrap();
            }
        };
        // Events are kept for seven days.
        let week_later = async || {
            market.app.advance(7 * 86_400);
            sweep::once(market.app.server.app()).await.unwrap();
        };
        happens(2).await;
        market.app.advance(1);
        happens(3).await;
        week_later().await;
        let client = &market.bob.client;
        for after in [0, 3] {
            let error = client.events().after(after).await.unwrap_err();
            assert!(error.hint().unwrap().contains("events 5 to 10"), "{error:?}");
            assert_eq!(code::<ListEvents>(Err(error)), Code::CursorExpired);
        }
        for page in [client.events().after(4), client.events().list()] {
            let page = page.await.unwrap();
            assert_eq!((page.events.len(), page.oldest_seq, page.latest_seq), (6, 5, 10));
        }
        week_later().await;
        let page = client.events().list().await.unwrap();
        assert_eq!((page.events.len(), page.oldest_seq, page.latest_seq), (0, 11, 10));
        let error = client.events().after(9).await.unwrap_err();
        assert!(error.hint().unwrap().contains("no event is retained"), "{error:?}");
        assert_eq!(code::<ListEvents>(Err(error)), Code::CursorExpired);
        assert_eq!(client.events().after(10).await.unwrap().events, []);
        market.open(1).await;
        assert_eq!(client.events().after(10).await.unwrap().events[0].seq, 11, "numbers are never used again");
    }
}

impl Market {
    /// Bob answers an order.
    pub(crate) async fn answer_with(
        &self,
        id: &svc_client::types::MessageId,
        status: ResponseStatus,
    ) {
        self.bob.client.messages().respond_to("ada", response(id, status)).await.unwrap();
    }
}

#[tokio::test]
async fn an_event_is_never_earlier_than_its_predecessor() {
    let database = app::database(Engine::Postgres).await;
    let Some(database) = database else { return };
    let early = TestApp::on(Engine::Postgres, &database, &[]).await;
    let late = TestApp::on(Engine::Postgres, &database, &[]).await;
    let [ada, bob] = early.friends(["ada", "bob"]).await;
    late.server.clock().advance(Duration::from_secs(5));
    let ahead = Member { client: late.client(ada.key.clone()), ..ada.clone() };
    ahead.write(&bob, "one").await;
    let behind = ada.write(&bob, "two").await;
    let events = bob.client.events().list().limit(100).await.unwrap().events;
    let [.., one, two] = &*events else { panic!("{events:?}") };
    assert!(behind.created_at < one.timestamp, "the nodes' clocks differ");
    assert_eq!(one.timestamp, two.timestamp);
    early.server.clock().advance(Duration::from_secs(10));
    ada.write(&bob, "three").await;
    let events = bob.client.events().list().limit(100).await.unwrap().events;
    assert_eq!(events.last().unwrap().timestamp, early.server.clock().now(), "the clock goes on");
}
