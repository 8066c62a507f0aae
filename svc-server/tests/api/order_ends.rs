//! An order ends with the escrow that pays for it, and says the same, however the work was
//! delivered and whatever is answered.

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::escrow::{DisputeOutcome, EscrowStatus};
use svc_client::types::api::messages::RequestStatus;
use svc_client::types::api::notifications::NotificationType;
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::service_message::{ResponseStatus, ServiceMessage};
use svc_client::types::{Code, EscrowId, MessageId, ServiceResponse};
use tokio::task::JoinSet;

use crate::app::Member;
use crate::market::{Market, TOKEN, object, refusal, response, work};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

const WORDS: [ResponseStatus; 4] = [
    ResponseStatus::Completed,
    ResponseStatus::Rejected,
    ResponseStatus::Error,
    ResponseStatus::Delivered,
];

/// An order that an escrow over 10 credits pays for.
async fn by_escrow(market: &Market) -> (MessageId, EscrowId) {
    let escrow = market.open(10).await.id;
    let sent = market.ordering(market.with_escrow(10, &escrow)).await.unwrap().message;
    (sent.message_id, escrow)
}

/// A moderator who is no party.
async fn judge(market: &Market) -> Member {
    let judge = market.app.agent("judge").await;
    market.app.grant_role("judge", "moderator").await;
    judge
}

/// How an escrow ends.
#[derive(Clone, Copy, Debug)]
enum End {
    Cancel,
    Decline,
    Expire,
    Release,
    AutoRelease,
    Refund,
    Resolve(bool),
}

impl End {
    async fn happen(self, market: &Market, judge: &Member, id: &EscrowId) {
        let (ada, bob) = (market.ada.client.escrow(), market.bob.client.escrow());
        if !matches!(self, Self::Cancel | Self::Decline | Self::Expire) {
            market.deliver(id).await;
        }
        match self {
            Self::Cancel => drop(ada.cancel(id).await.unwrap()),
            Self::Decline => drop(bob.decline(id).await.unwrap()),
            Self::Expire => market.app.advance(7 * 86_400),
            Self::Release => drop(ada.release(id).await.unwrap()),
            Self::AutoRelease => market.app.advance(3 * 86_400),
            Self::Refund => drop(bob.refund(id).await.unwrap()),
            Self::Resolve(for_provider) => {
                market.dispute(id).await;
                let outcome =
                    if for_provider { DisputeOutcome::Release } else { DisputeOutcome::Refund };
                judge.client.escrow().resolve(id, outcome, "decided").await.unwrap();
            }
        }
    }
}

/// Statuses of the answers that were taken; the others were refused because the order is over.
async fn taken(asking: JoinSet<Raw>) -> usize {
    let answers = asking.join_all().await;
    answers.iter().filter(|received| received.status.is_success()).count()
}

on_both_engines! {
    async fn each_end_of_an_escrow_ends_its_order(app: TestApp) {
        let market = Market::new(app).await;
        let judge = judge(&market).await;
        for (end, state, says) in [
            (End::Release, "completed", Some(ResponseStatus::Completed)),
            (End::AutoRelease, "completed", Some(ResponseStatus::Completed)),
            (End::Resolve(true), "completed", Some(ResponseStatus::Completed)),
            (End::Decline, "rejected", Some(ResponseStatus::Rejected)),
            (End::Refund, "error", Some(ResponseStatus::Error)),
            (End::Resolve(false), "error", Some(ResponseStatus::Error)),
            (End::Cancel, "cancelled", None),
            (End::Expire, "expired", None),
        ] {
            let (id, escrow) = by_escrow(&market).await;
            end.happen(&market, &judge, &escrow).await;
            let mut closed = json!({ "status": state, "offeredCredits": 10, "escrowId": escrow });
            if state == "completed" {
                closed["chargedCredits"] = 10.into();
            }
            assert_eq!(market.state(&id).await, closed, "{end:?}");
            let had = market.have().await;
            for other in WORDS.into_iter().filter(|word| Some(word) != says.as_ref()) {
                if other == ResponseStatus::Delivered && state == "completed" {
                    continue;
                }
                let (code, _, hint) = refusal(market.answering(response(&id, other))).await;
                assert_eq!((code, &*hint), (Code::RequestClosed, state), "{end:?}");
            }
            if let Some(says) = says {
                let first = market.answer(response(&id, says.clone())).await;
                let seen = market.state(&id).await;
                assert_eq!((&seen["status"], &seen["responseMessageId"]), (&json!(state), &json!(first.message_id)));
                for again in WORDS {
                    let (code, _, hint) = refusal(market.answering(response(&id, again))).await;
                    assert_eq!((code, &*hint), (Code::RequestClosed, state));
                }
            }
            assert_eq!(market.have().await, had, "answers move nothing");
            market.is_consistent().await;
        }
    }

    async fn both_parties_are_notified_that_an_order_ended_with_its_escrow(app: TestApp) {
        let market = Market::new(app).await;
        let (id, escrow) = by_escrow(&market).await;
        End::Release.happen(&market, &market.ada, &escrow).await;
        let [ada, bob] = [&market.ada, &market.bob].map(|member| member.raw(&market.app, Method::GET, "/v1/connect/events"));
        let (ada, bob) = (answer(ada).await.json(), answer(bob).await.json());
        let services = |events: &Value| -> Vec<Value> {
            let events = events["events"].as_array().unwrap().iter();
            events.filter(|event| event["event"] == "service").map(|event| event["data"].clone()).collect()
        };
        assert_eq!(services(&ada), Vec::<Value>::new(), "ada did it herself");
        let [announced] = &services(&bob)[..] else { panic!("{bob}") };
        assert_eq!((&announced["requestId"], &announced["status"]), (&json!(id), &json!("completed")));
        assert_eq!((&announced["escrowId"], &announced["chargedCredits"]), (&json!(escrow), &json!(10)));
    }

    async fn a_notification_of_an_escrow_names_the_order_it_pays_for(app: TestApp) {
        let market = Market::new(app).await;
        let (one, other) = (by_escrow(&market).await, by_escrow(&market).await);
        let unused = market.open(10).await.id;
        let bob = market.bob.client.notifications();
        let listed = bob.list().types([NotificationType::Escrow]).await.unwrap().notifications;
        let mut named = Vec::new();
        for notification in listed.iter().rev() {
            let read = bob.get(&notification.id).await.unwrap().notification;
            assert_eq!(&read, notification);
            named.push((read.escrow_id.unwrap(), read.order_id));
        }
        let expected = [(one.1, Some(one.0)), (other.1, Some(other.0)), (unused, None)];
        assert_eq!(named, expected);
    }

    async fn delivered_work_cannot_be_declined_by_an_answer(app: TestApp) {
        let market = Market::new(app).await;
        let (id, escrow) = by_escrow(&market).await;
        market.deliver(&escrow).await;
        for state in ["delivered", "disputed"] {
            for word in [ResponseStatus::Rejected, ResponseStatus::Error] {
                let (code, _, hint) = refusal(market.answering(response(&id, word))).await;
                assert_eq!((code, &*hint), (Code::WrongState, state));
            }
            if state == "delivered" {
                market.dispute(&escrow).await;
            }
        }
        assert_eq!(market.state(&id).await["status"], "open");
        market.bob.client.escrow().refund(&escrow).await.unwrap();
        assert_eq!(market.state(&id).await["status"], "error");
        market.is_consistent().await;
    }

    async fn an_order_reads_as_over_once_its_escrow_has_expired(app: TestApp) {
        let market = Market::new(app).await;
        let (id, _) = by_escrow(&market).await;
        market.app.advance(7 * 86_400);
        assert_eq!(market.state(&id).await["status"], "expired");
        let unread = market.bob.client.messages().unread_count().await.unwrap().unread;
        assert_eq!(unread.service_requests, 0);
        let (late, escrow) = by_escrow(&market).await;
        market.deliver(&escrow).await;
        market.app.advance(3 * 86_400);
        let completed = market.ada.client.messages().list().request_status(RequestStatus::Completed);
        let completed = completed.await.unwrap().messages;
        assert_eq!(completed.iter().map(|message| &message.message_id).collect::<Vec<_>>(), [&late]);
        market.is_consistent().await;
    }

    async fn order_and_escrow_share_one_of_all_concurrent_outcomes(
        app: TestApp, "database.connections" = "4"
    ) {
        let market = Market::new(app).await;
        for round in 0..6 {
            let (id, escrow) = by_escrow(&market).await;
            if round % 2 == 0 {
                market.deliver(&escrow).await;
            }
            let mut asking = JoinSet::new();
            for (by, action) in [(&market.ada, "release"), (&market.bob, "refund"), (&market.ada, "cancel"), (&market.bob, "decline")] {
                let path = format!("/v1/escrow/{escrow}/{action}");
                asking.spawn(answer(by.raw(&market.app, Method::POST, &path).json(&json!({}))));
            }
            for word in WORDS {
                let content = ServiceMessage::Response(response(&id, word)).content();
                let members = json!({ "recipientUsername": "ada", "content": content });
                asking.spawn(answer(market.bob.raw(&market.app, Method::POST, "/messages").json(&members)));
            }
            assert!(taken(asking).await >= 1);
            let (state, paid) = (market.state(&id).await, market.seen(&escrow).await);
            let agreed: &[&str] = match &paid.status {
                EscrowStatus::Released => &["completed"],
                EscrowStatus::Refunded => &["error"],
                // An order may have been declined by an answer before its escrow was cancelled.
                _ => &["cancelled", "rejected", "error"],
            };
            assert!(agreed.contains(&state["status"].as_str().unwrap()), "{state} {paid:?}");
            market.is_consistent().await;
        }
    }

    async fn an_escrow_names_the_latest_order_it_pays_for(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.open(10).await;
        assert_eq!(escrow.request_id, None);
        for _ in 0..2 {
            let sent = market.ordering(market.with_escrow(10, &escrow.id)).await.unwrap().message;
            assert_eq!(market.seen(&escrow.id).await.request_id.as_ref(), Some(&sent.message_id));
            let listed = market.bob.client.escrow().list().await.unwrap().escrows;
            assert_eq!(listed[0].request_id.as_ref(), Some(&sent.message_id));
            market.answer(response(&sent.message_id, ResponseStatus::Rejected)).await;
        }
    }

    async fn moderators_read_a_disputed_order_without_tokens(app: TestApp) {
        let market = Market::new(app).await;
        let judge = judge(&market).await;
        let eve = market.app.agent("eve").await;
        let escrow = market.open(10).await.id;
        let mut order = market.with_escrow(10, &escrow);
        order.input = object(json!({ "csv": "a,b", "git": [{ "accessToken": TOKEN, "branch": "main" }] }));
        let id = market.ordering(order).await.unwrap().message.message_id;
        let read = async |who: &Member, id: &MessageId| {
            answer(who.raw(&market.app, Method::GET, &format!("/messages/{id}"))).await
        };
        market.deliver(&escrow).await;
        let note = object(json!({ "escrowId": escrow, "message": "see there", "accessToken": TOKEN }));
        let note = ServiceResponse { output: Some(note), ..response(&id, ResponseStatus::Delivered) };
        let note = market.answer(note).await.message_id;
        let talk = market.ada.client.messages().send("bob", "between us").await.unwrap().message.message_id;
        assert_eq!(read(&judge, &id).await.status, 404, "nothing is disputed");
        market.dispute(&escrow).await;
        for ended in [false, true] {
            if ended {
                judge.client.escrow().resolve(&escrow, DisputeOutcome::Refund, "no").await.unwrap();
            }
            let received = read(&judge, &id).await;
            let seen = received.json()["message"].clone();
            assert_eq!(seen["payload"]["input"], json!({ "csv": "a,b", "git": [{ "branch": "main" }] }));
            assert_eq!(seen["request"]["status"], if ended { "error" } else { "open" });
            let announced = read(&judge, &note).await;
            assert_eq!(announced.json()["message"]["payload"]["output"]["message"], "see there");
            for received in [&received, &announced] {
                assert!(!received.text.contains(TOKEN), "{}", received.text);
            }
        }
        assert_eq!(read(&judge, &talk).await.status, 404);
        assert_eq!(read(&eve, &id).await.status, 404);
        market.ada.client.reports().create(Subject::message(&note), ReportReason::Scam).await.unwrap();
        let reports = answer(judge.raw(&market.app, Method::GET, "/moderation/reports")).await;
        assert!(reports.text.contains("see there") && !reports.text.contains(TOKEN), "{}", reports.text);
        assert!(read(&market.bob, &id).await.text.contains(TOKEN));
        market.app.grant_role("judge", "user").await;
        assert_eq!(read(&judge, &id).await.status, 404);
    }

    async fn moderators_read_no_token_in_any_member_of_a_deliverable(app: TestApp) {
        let market = Market::new(app).await;
        let judge = judge(&market).await;
        let escrow = market.open(10).await.id;
        let mut sent = work();
        let parts = json!([{ "accessToken": TOKEN, "branch": "main" }]);
        sent.rest.insert("parts".to_owned(), parts.clone());
        market.bob.client.escrow().deliver(&escrow, sent).await.unwrap();
        market.dispute(&escrow).await;
        let path = format!("/v1/escrow/{escrow}");
        let get = async |who: &Member, path: &str| {
            answer(who.raw(&market.app, Method::GET, path)).await
        };
        let decision = json!({ "outcome": "refund", "note": "it fails" });
        let deciding = judge.raw(&market.app, Method::POST, &format!("{path}/resolve"));
        let before = [get(&judge, &path).await, get(&judge, "/v1/escrow?role=moderator").await];
        let decided = answer(deciding.json(&decision)).await;
        for seen in before.iter().chain([&decided, &get(&judge, &path).await]) {
            assert!(seen.status == 200 && !seen.text.contains(TOKEN), "{}", seen.text);
            assert!(seen.text.contains(r#""parts":[{"branch":"main"}]"#), "{}", seen.text);
        }
        let read = get(&market.ada, &path).await.json();
        assert_eq!(read["escrow"]["deliverable"]["parts"], parts, "the parties see what was sent");
    }
}
