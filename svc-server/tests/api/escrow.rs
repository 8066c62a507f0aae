//! Escrow from the order to the end (spec §2.7, §3.1, §4).

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::escrow::{
    CreateEscrow, CreatePlan, Escrow, EscrowRole, EscrowStatus, FundEscrow, ListEscrowEvents,
    ListEscrows, Milestone, ReleaseEscrow,
};
use svc_client::types::api::users::DeleteMe;
use svc_client::types::{Code, Rating};
use svc_client::{Call, Error};

use crate::app::{Member, all_items, code, fault};
use crate::market::{Market, has, offer, work};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

/// Opens an escrow with some members changed.
async fn opened(market: &Market, changes: Value) -> Raw {
    let mut body = json!({
        "providerUsername": "bob", "serviceId": market.service, "amount": 10, "description": "a report",
    });
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    answer(market.ada.raw(&market.app, Method::POST, "/v1/escrow").json(&body)).await
}

async fn refusal(market: &Market, changes: Value) -> (Code, Option<String>) {
    let refused = opened(market, changes).await.refusal();
    (refused.code, refused.field)
}

/// The ids of a list, read page by page.
async fn ids(list: Call<ListEscrows>) -> Vec<String> {
    all_items(list.limit(1)).await.into_iter().map(|escrow| escrow.id.to_string()).collect()
}

on_both_engines! {
    async fn a_deal_goes_from_the_order_to_a_rating(app: TestApp) {
        let market = Market::new(app).await;
        let raw = |member: &Member, path: &str| member.raw(&market.app, Method::POST, path);
        let first = opened(&market, json!({ "amount": 60.0, "expiresIn": "2d" })).await;
        assert_eq!(first.status, 201);
        let mut escrow = first.json()["escrow"].clone();
        assert_eq!(escrow, json!({
            "id": escrow["id"],
            "status": "funded",
            "amount": 60,
            "buyerUsername": "ada",
            "providerUsername": "bob",
            "serviceId": market.service,
            "description": "a report",
            "createdAt": "2026-01-31T09:30:00.000Z",
            "expiresAt": "2026-02-02T09:30:00.000Z",
            "fundedAt": "2026-01-31T09:30:00.000Z",
            "version": 2,
            "deliverableVersion": 0,
        }));
        assert_eq!(market.have().await, ["40+60", "100+0"]);

        let path = format!("/v1/escrow/{}", escrow["id"].as_str().unwrap());
        market.app.advance(60);
        let deliverable = json!({
            "type": "code", "repository": "https://git.example.org/report", "branch": "main",
            "checksum": format!("sha256:{}", "0f".repeat(32)), "accessToken": "for two", "pages": [1, { "more": null }],
        });
        let body = json!({ "deliverable": deliverable, "notes": "see README" });
        let delivered = answer(raw(&market.bob, &format!("{path}/deliver")).json(&body)).await;
        assert_eq!(delivered.status, 200);
        for (name, value) in [
            ("status", json!("delivered")), ("deliverable", deliverable.clone()), ("notes", json!("see README")),
            ("deliveredAt", json!("2026-01-31T09:31:00.000Z")), ("reviewEndsAt", json!("2026-02-03T09:31:00.000Z")),
            ("version", json!(3)), ("deliverableVersion", json!(1)),
        ] {
            escrow[name] = value;
        }
        let mut kept = escrow.clone();
        kept["deliverable"].as_object_mut().unwrap().remove("accessToken");
        assert_eq!(delivered.json(), json!({ "escrow": kept }), "a stored response contains no token");
        for member in [&market.ada, &market.bob] {
            assert_eq!(answer(member.raw(&market.app, Method::GET, &path)).await.json(), json!({ "escrow": escrow }));
        }

        market.app.advance(60);
        let body = json!({ "rating": 4.5, "feedback": "as promised" });
        let released = answer(raw(&market.ada, &format!("{path}/release")).json(&body)).await.json();
        for (name, value) in [
            ("status", json!("released")), ("closedAt", json!("2026-01-31T09:32:00.000Z")), ("version", json!(4)),
            ("closeReason", json!("released")), ("rating", json!(4.5)), ("feedback", json!("as promised")),
        ] {
            escrow[name] = value;
        }
        escrow["deliverable"].as_object_mut().unwrap().remove("accessToken");
        assert_eq!(released, json!({
            "transfer": {
                "id": released["transfer"]["id"], "amount": 60, "from": "ada", "to": "bob",
                "escrowId": escrow["id"], "createdAt": "2026-01-31T09:32:00.000Z",
            },
            "escrow": escrow,
        }));
        assert_eq!(market.have().await, ["40+0", "160+0"]);
        let found = market.app.anonymous.bots().discover("work").await.unwrap().bots;
        assert_eq!((found[0].services[0].rating, found[0].services[0].ratings_count), (4.5, 1));
        market.is_consistent().await;
    }

    async fn an_escrow_without_enough_credits_is_funded_later(app: TestApp) {
        let market = Market::new(app).await;
        let opened = market.open(150).await;
        assert_eq!((opened.status, opened.version, opened.funded_at), (EscrowStatus::Created, 1, None));
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        let fund = || market.ada.client.escrow().fund(&opened.id);
        let refused = fund().await.unwrap_err();
        assert_eq!(refused.code(), Some(&Code::InsufficientCredits));
        assert_eq!(refused.message(), "there are too few credits: 150 needed, 100 available");
        market.app.grant_credits("ada", 100).await;
        let other = fund().expected_amount(149).await;
        assert_eq!(fault::<FundEscrow>(other), (Code::VersionMismatch, "expectedAmount".to_owned()));
        market.app.advance(1);
        let funded = fund().expected_amount(150).await.unwrap().escrow;
        assert_eq!((funded.status, funded.version), (EscrowStatus::Funded, 2));
        assert_eq!(funded.funded_at, Some(market.app.server.clock().now()));
        assert_eq!(market.have().await, ["50+150", "100+0"]);
        let again = fund().expected_amount(149).await.unwrap_err();
        assert_eq!((again.code(), again.hint()), (Some(&Code::WrongState), Some("funded")), "the state comes first");
        market.is_consistent().await;
    }

    async fn an_escrow_of_all_credits_is_funded_at_once_or_later(app: TestApp) {
        let market = Market::new(app).await;
        let all = market.open(100).await;
        assert_eq!(all.status, EscrowStatus::Funded);
        assert_eq!(market.have().await, ["0+100", "100+0"]);
        let later = market.open(1).await;
        assert_eq!(later.status, EscrowStatus::Created);
        market.app.grant_credits("ada", 1).await;
        let funded = market.ada.client.escrow().fund(&later.id).await.unwrap().escrow;
        assert_eq!(funded.status, EscrowStatus::Funded);
        assert_eq!(market.have().await, ["0+101", "100+0"]);
        market.is_consistent().await;
    }

    async fn disputed_work_is_not_delivered_again(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        let again = market.bob.client.escrow().deliver(&id, work()).await.unwrap_err();
        assert_eq!((again.code(), again.hint()), (Some(&Code::WrongState), Some("disputed")));
        let seen = market.seen(&id).await;
        assert_eq!((seen.status, seen.deliverable_version), (EscrowStatus::Disputed, 1));
        market.is_consistent().await;
    }

    async fn a_deal_is_with_a_bot_that_offers_the_service(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        market.app.person("eve", "correct horse").await;
        let (others, own) = (offer(&cyd, "work", 5).await, offer(&market.ada, "work", 5).await);
        let idle = offer(&market.bob, "idle", 5).await;
        market.bob.client.services().update(&idle).active(false).await.unwrap();
        let provider = Some("providerUsername".to_owned());
        for name in ["nobody", "eve", "usr_none"] {
            assert_eq!(refusal(&market, json!({ "providerUsername": name })).await, (Code::NotFound, provider.clone()));
        }
        let oneself = json!({ "providerUsername": "ADA", "serviceId": own });
        assert_eq!(refusal(&market, oneself).await, (Code::SelfEscrow, provider.clone()));
        for service in [json!(others), json!(idle), json!("srv_00000000000000000000000000"), json!("nonsense")] {
            let expected = (Code::ServiceNotFound, Some("serviceId".to_owned()));
            assert_eq!(refusal(&market, json!({ "serviceId": service })).await, expected, "{service}");
        }
        market.app.block(&market.bob, &market.ada).await;
        assert_eq!(refusal(&market, json!({})).await.0, Code::Blocked);
        market.app.suspend("bob").await;
        assert_eq!(refusal(&market, json!({})).await, (Code::NotFound, provider));
        assert_eq!(market.ada.client.escrow().list().await.unwrap().escrows, []);
        market.is_consistent().await;
    }

    async fn nobody_pays_for_the_service_of_an_account_that_takes_no_orders(app: TestApp) {
        let market = Market::new(app).await;
        let open = market.open(10).await;
        let takes = |takes: bool| market.bob.client.users().update_me().allow_service_requests(takes);
        takes(false).await.unwrap();
        assert_eq!(refusal(&market, json!({})).await, (Code::DmNotAllowed, None));
        let parts = [Milestone::new(10, "a part"), Milestone::new(10, "another")];
        let plan = market.ada.client.escrow().plan("bob", &market.service, parts).await;
        assert_eq!(code::<CreatePlan>(plan), Code::DmNotAllowed);
        assert_eq!(ids(market.ada.client.escrow().list()).await, [open.id.to_string()]);
        market.deliver(&open.id).await;
        market.ada.client.escrow().release(&open.id).await.unwrap();
        takes(true).await.unwrap();
        assert_eq!(opened(&market, json!({})).await.status, 201);
        market.is_consistent().await;
    }

    async fn the_fields_of_an_escrow_are_bounded(app: TestApp) {
        let market = Market::new(app).await;
        for (name, values) in [
            ("amount", vec![json!(0), json!(-1), json!("10"), json!(null), json!(1e21), json!(0.000_000_1)]),
            ("description", vec![json!(""), json!("x".repeat(4001)), json!(7)]),
            ("expiresIn", [
                "P7D", "1.5d", "7D", "7d12h", "7", "d", "", " 7d", "07d", "0d", "-1d", "59s", "91d", "1000000s",
                "2161h", "7 d", "7w",
            ].iter().map(|text| json!(text)).chain([json!(7), json!(null)]).collect()),
        ] {
            for value in values {
                let reported = refusal(&market, json!({ name: value })).await;
                assert_eq!(reported, (Code::ValidationFailed, Some(name.to_owned())), "{name} {value:.20}");
            }
        }
        let leak = json!({ "description": format!("use {}", market.ada.key.expose()) });
        assert_eq!(refusal(&market, leak).await, (Code::CredentialInContent, Some("description".to_owned())));
        for (text, seconds) in [
            ("60s", 60), ("1m", 60), ("90m", 5_400), ("2160h", 7_776_000), ("90d", 7_776_000), ("999999s", 999_999),
        ] {
            let escrow = opened(&market, json!({ "amount": 0.000_001, "expiresIn": text })).await.json();
            let escrow: Escrow = serde_json::from_value(escrow["escrow"].clone()).unwrap();
            let life = escrow.expires_at.as_millis() - escrow.created_at.as_millis();
            assert_eq!(life, seconds * 1000, "{text}");
        }
        assert_eq!(has(&market.ada).await, "99.999994+0.000006");
        let usual = market.open(1).await;
        assert_eq!(usual.expires_at.as_millis() - usual.created_at.as_millis(), 7 * 86_400_000);
    }

    async fn either_party_may_cancel_before_delivery(app: TestApp) {
        let market = Market::new(app).await;
        for status in [EscrowStatus::Created, EscrowStatus::Funded] {
            let id = market.escrow(&status).await.id;
            let before = market.have().await;
            let ended = market.ada.client.escrow().cancel(&id).reason("found another").await.unwrap().escrow;
            assert_eq!(ended.close_reason.unwrap().as_str(), "buyer_cancelled");
            let other = market.escrow(&status).await.id;
            let ended = market.bob.client.escrow().decline(&other).reason("too much").await.unwrap().escrow;
            assert_eq!((ended.status, ended.close_reason.unwrap().as_str()), (EscrowStatus::Cancelled, "provider_declined"));
            let log = market.bob.client.escrow().events(&id).await.unwrap().events;
            let last = log.last().unwrap();
            assert_eq!((last.note.as_deref(), last.actor_username.as_deref()), (Some("found another"), Some("ada")));
            assert_ne!(before, [""; 2]);
        }
        assert_eq!(market.have().await, ["102+0", "100+0"], "two credits were granted on the way");
        market.is_consistent().await;
    }

    async fn the_provider_may_refund_after_delivery(app: TestApp) {
        let market = Market::new(app).await;
        for status in [EscrowStatus::Delivered, EscrowStatus::Disputed] {
            let id = market.escrow(&status).await.id;
            let ended = market.bob.client.escrow().refund(&id).reason("my fault").await.unwrap().escrow;
            assert_eq!((ended.status, ended.close_reason.unwrap().as_str()), (EscrowStatus::Refunded, "provider_refunded"));
            assert_eq!(ended.dispute.map(|dispute| dispute.outcome.unwrap().to_string()),
                (status == EscrowStatus::Disputed).then(|| "refund".to_owned()));
        }
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        market.is_consistent().await;
    }

    async fn a_rating_is_validated_before_credits_move(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.escrow(&EscrowStatus::Delivered).await.id;
        let path = format!("/v1/escrow/{id}/release");
        for (name, value) in [
            ("rating", json!(0.5)), ("rating", json!(4.2)), ("rating", json!(6)), ("rating", json!("5")),
            ("feedback", json!("")), ("feedback", json!("x".repeat(4001))), ("deliverableVersion", json!(0)),
        ] {
            let refused = answer(market.ada.raw(&market.app, Method::POST, &path).json(&json!({ name: value }))).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some(name)), "{value:.9}");
        }
        let leak = market.ada.client.escrow().release(&id).feedback(market.ada.key.expose());
        assert_eq!(fault::<ReleaseEscrow>(leak.await), (Code::CredentialInContent, "feedback".to_owned()));
        assert_eq!(market.seen(&id).await.status, EscrowStatus::Delivered);
        let lowest = market.ada.client.escrow().release(&id).rating(Rating::from_half_steps(2).unwrap());
        assert_eq!(lowest.await.unwrap().escrow.rating.unwrap().half_steps(), 2);
        let own = market.bob.client.services().list().await.unwrap().services.remove(0);
        assert_eq!((own.rating, own.ratings_count), (1.0, 1));
        let unrated = market.escrow(&EscrowStatus::Released).await;
        assert_eq!((unrated.rating, unrated.feedback), (None, None));
        assert_eq!(market.bob.client.services().list().await.unwrap().services[0].ratings_count, 1);
        market.is_consistent().await;
    }

    async fn escrows_are_listed_by_side_state_and_other_party(app: TestApp) {
        let market = Market::new(app).await;
        let cyd = market.app.agent("cyd").await;
        let back = offer(&market.ada, "back", 1).await;
        let first = market.open(10).await.id.to_string();
        let sold = market.bob.client.escrow().create("ada", &back, 10, "x").await.unwrap().escrow.id.to_string();
        let other = cyd.client.escrow().create("ada", &back, 10, "x").await.unwrap().escrow.id;
        let newest = market.open(10).await.id.to_string();
        cyd.client.escrow().cancel(&other).await.unwrap();
        let (other, list) = (other.to_string(), || market.ada.client.escrow().list());
        assert_eq!(ids(list()).await, [&*newest, &other, &sold, &first], "newest first");
        assert_eq!(ids(list().role(EscrowRole::Any)).await.len(), 4);
        assert_eq!(ids(list().role(EscrowRole::Buyer)).await, [&*newest, &first]);
        assert_eq!(ids(list().role(EscrowRole::Provider)).await, [&*other, &sold]);
        assert_eq!(ids(list().status(EscrowStatus::Cancelled)).await, [&*other]);
        assert_eq!(ids(list().status(EscrowStatus::Disputed)).await, [""; 0]);
        assert_eq!(ids(list().counterparty("BOB")).await, [&*newest, &sold, &first]);
        assert_eq!(ids(list().counterparty("bob").role(EscrowRole::Provider)).await, [&*sold]);
        assert_eq!(ids(list().counterparty("cyd").status(EscrowStatus::Funded)).await, [""; 0]);
        let nobody = list().counterparty("nobody").await;
        assert_eq!(fault::<ListEscrows>(nobody), (Code::NotFound, "counterparty".to_owned()));
        assert_eq!(code::<ListEscrows>(list().role(EscrowRole::Moderator).await), Code::Forbidden);
        let cursor = list().limit(1).page().await.unwrap().next_cursor.unwrap();
        assert_eq!(code::<ListEscrows>(list().role(EscrowRole::Buyer).after(cursor).await), Code::InvalidCursor);
        let dan = market.app.agent("dan").await.client;
        assert_eq!(dan.escrow().list().await.unwrap().escrows, []);
        market.app.suspend("cyd").await;
        assert_eq!(ids(list().counterparty("cyd")).await, [&*other], "a party to the deal still finds it");
        let stranger = dan.escrow().list().counterparty("cyd").await;
        assert_eq!(fault::<ListEscrows>(stranger), (Code::NotFound, "counterparty".to_owned()));
    }

    async fn the_log_lists_each_step(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.open(10).await.id;
        market.deliver(&id).await;
        market.app.advance(60);
        market.deliver(&id).await;
        market.dispute(&id).await;
        market.bob.client.escrow().respond(&id, "it works").await.unwrap();
        market.ada.client.escrow().release(&id).await.unwrap();
        let log = || market.bob.client.escrow().events(&id);
        let steps: Vec<_> = all_items(log().limit(2)).await.into_iter().map(|line| {
            let from = line.from.map_or("-".to_owned(), |from| from.to_string());
            let note = line.note.unwrap_or_default();
            format!("{} {} {from}>{} {} {note}", line.seq, line.action, line.to, line.actor_username.unwrap())
        }).collect();
        assert_eq!(steps, [
            "1 created ->created ada ", "2 funded created>funded ada ", "3 delivered funded>delivered bob ",
            "4 redelivered delivered>delivered bob ", "5 disputed delivered>disputed ada it fails",
            "6 dispute_response disputed>disputed bob it works", "7 released disputed>released ada ",
        ]);
        let whole = answer(market.ada.raw(&market.app, Method::GET, &format!("/v1/escrow/{id}/events"))).await.json();
        assert_eq!(whole["events"][3], json!({
            "seq": 4, "action": "redelivered", "from": "delivered", "to": "delivered",
            "actorUsername": "bob", "at": "2026-01-31T09:31:00.000Z",
        }));
        let cursor = log().limit(1).page().await.unwrap().next_cursor.unwrap();
        let other = market.open(10).await.id;
        let refused = market.bob.client.escrow().events(&other).after(cursor).await;
        assert_eq!(code::<ListEscrowEvents>(refused), Code::InvalidCursor);
        assert_eq!(market.seen(&id).await.version, 7);
    }

    async fn an_account_with_an_open_escrow_cannot_be_deleted(app: TestApp) {
        let market = Market::new(app).await;
        let leave = |member: &Member| member.client.users().delete_me(&*member.user.username);
        for status in [EscrowStatus::Created, EscrowStatus::Funded, EscrowStatus::Delivered, EscrowStatus::Disputed] {
            let id = market.escrow(&status).await.id;
            for member in [&market.ada, &market.bob] {
                let error: Error = leave(member).await.unwrap_err();
                assert_eq!(error.hint(), Some(id.as_str()), "{status}");
                assert_eq!(code::<DeleteMe>(Err(error)), Code::OpenObligations);
            }
            let end = match status {
                EscrowStatus::Created | EscrowStatus::Funded => market.bob.client.escrow().decline(&id).await,
                _ => market.bob.client.escrow().refund(&id).await,
            };
            end.unwrap();
        }
        leave(&market.bob).await.unwrap();
        assert_eq!(market.ada.client.escrow().list().await.unwrap().escrows.len(), 4, "past deals stay readable");
        leave(&market.ada).await.unwrap();
        market.is_consistent().await;
    }

    async fn a_suspended_account_may_finish_but_not_start_deals(app: TestApp) {
        let market = Market::new(app).await;
        let (paid, unpaid) = (market.open(10).await.id, market.open(1_000).await.id);
        market.app.grant_credits("ada", 1_000).await;
        market.app.suspend("ada").await;
        assert_eq!(code::<CreateEscrow>(market.opening(10).await), Code::AccountSuspended);
        assert_eq!(code::<FundEscrow>(market.ada.client.escrow().fund(&unpaid).await), Code::AccountSuspended);
        market.ada.client.escrow().cancel(&unpaid).await.unwrap();
        market.deliver(&paid).await;
        market.app.suspend("bob").await;
        market.bob.client.escrow().deliver(&paid, work()).await.unwrap();
        market.dispute(&paid).await;
        market.bob.client.escrow().respond(&paid, "it works").await.unwrap();
        market.ada.client.escrow().release(&paid).await.unwrap();
        assert_eq!(market.have().await, ["1090+0", "110+0"]);
        market.is_consistent().await;
    }

    async fn usernames_and_deadlines_are_current(app: TestApp) {
        let market = Market::new(app).await;
        let by_id = market.ada.client.escrow().create(market.bob.user.id.as_str(), &market.service, 1, "x");
        assert_eq!(by_id.await.unwrap().escrow.provider_username, "bob");
        market.bob.client.services().delete(&market.service).await.unwrap();
        let id = market.ada.client.escrow().list().await.unwrap().escrows.remove(0).id;
        market.deliver(&id).await;
        let rating = Rating::from_half_steps(10).unwrap();
        market.ada.client.escrow().release(&id).rating(rating).await.unwrap();
        market.is_consistent().await;
    }
}
