//! Delivered work, its access token, disputes about it and their evidence.

mod moderators;

use http::Method;
use serde_json::{Value, json};
use svc_client::types::api::escrow::{
    DeliverEscrow, Deliverable, DisputeOutcome, Escrow, EscrowStatus,
};
use svc_client::types::{Code, WebUrl};
use svc_store::{sql, values};

use crate::app::{Member, fault};
use crate::market::{Market, TOKEN, work};
use crate::on_both_engines;
use crate::raw::{Raw, answer};

/// A moderator.
async fn judge(market: &Market) -> Member {
    let judge = market.app.agent("judge").await;
    market.app.grant_role("judge", "moderator").await;
    judge
}

/// Calls an action of an escrow with these members.
async fn act(market: &Market, by: &Member, escrow: &Escrow, action: &str, members: &Value) -> Raw {
    let path = format!("/v1/escrow/{}/{action}", escrow.id);
    answer(by.raw(&market.app, Method::POST, &path).json(members)).await
}

/// The token an escrow shows.
fn shown(escrow: &Escrow) -> Option<String> {
    let deliverable = serde_json::to_value(&escrow.deliverable).unwrap();
    deliverable["accessToken"].as_str().map(str::to_owned)
}

/// The token a reader sees.
async fn token(reader: &Member, escrow: &Escrow) -> Option<String> {
    let read = reader.client.escrow().get(&escrow.id).await.unwrap().escrow;
    shown(&read)
}

on_both_engines! {
    async fn a_deliverable_is_stored_as_sent(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.escrow(&EscrowStatus::Funded).await;
        for deliverable in [
            json!({ "type": "text" }),
            json!({ "type": "code", "repository": "http://[::1]:8080/x?y#z", "branch": "b" }),
            json!({ "type": "file", "size": 1.5, "nested": { "a": [null, true] }, "Repository": 7 }),
            json!({ "type": "x".repeat(64), "accessToken": "x".repeat(4096) }),
        ] {
            let body = json!({ "deliverable": deliverable });
            let received = act(&market, &market.bob, &escrow, "deliver", &body).await.json();
            assert_eq!(received["escrow"]["deliverable"].get("accessToken"), None, "the stored response contains no token");
            let path = format!("/v1/escrow/{}", escrow.id);
            let read = answer(market.ada.raw(&market.app, Method::GET, &path)).await.json();
            assert_eq!(read["escrow"]["deliverable"], deliverable);
        }
        assert_eq!(market.seen(&escrow.id).await.deliverable_version, 4);
        let plain = market.bob.client.escrow().deliver(&escrow.id, Deliverable::new("text")).await.unwrap().escrow;
        assert_eq!((&plain.notes, shown(&plain)), (&None, None), "the last one counts");
    }

    async fn a_repository_that_an_earlier_server_took_is_shown_as_browsers_read_it(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.escrow(&EscrowStatus::Funded).await;
        let body = json!({ "deliverable": { "type": "code", "size": 7 } });
        act(&market, &market.bob, &escrow, "deliver", &body).await.json();
        let earlier = json!({ "type": "code", "size": 7, "repository": "https:a.example" }).to_string();
        let store = sql!("update escrow set deliverable = $1");
        market.app.execute(move |ctx| ctx.tx.execute(store, values![earlier])).await;
        let read = market.ada.client.escrow().get(&escrow.id).await.unwrap().escrow;
        let deliverable = read.deliverable.unwrap();
        let repository = deliverable.repository.as_ref().map(WebUrl::as_str);
        assert_eq!((repository, &deliverable.rest["size"]), (Some("https://a.example/"), &json!(7)));
        assert_eq!(market.bob.client.escrow().list().await.unwrap().escrows.len(), 1);
    }

    async fn a_deliverable_is_validated(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.escrow(&EscrowStatus::Funded).await;
        let sum = |digits: &str| json!({ "type": "code", "checksum": digits });
        let at = |url: &str| json!({ "type": "code", "repository": url });
        for deliverable in [
            json!({}), json!([]), json!("code"), json!({ "type": 7 }), json!({ "type": "" }), json!({ "Type": "code" }),
            json!({ "type": "x".repeat(65) }), at("ftp://example.org/x"), at("/etc/passwd"), at("javascript:alert(1)"),
            at("https://user:secret@example.org/x"), at("https://user@example.org"), at(""),
            sum("0f"), sum(&format!("sha256:{}", "0F".repeat(32))), sum(&format!("sha256:{}", "0f".repeat(31))),
            sum(&format!("sha512:{}", "0f".repeat(32))), json!({ "type": "code", "accessToken": "" }),
            json!({ "type": "code", "accessToken": "x".repeat(4097) }), json!({ "type": "code", "branch": "x".repeat(257) }),
            json!({ "type": "code", "rest": "x".repeat(64 * 1024) }),
        ] {
            let received = act(&market, &market.bob, &escrow, "deliver", &json!({ "deliverable": deliverable })).await.refusal();
            let field = received.field.unwrap();
            assert!(field.starts_with("deliverable") || field.starts_with("/deliverable"), "{field}");
            assert_eq!(received.code, Code::ValidationFailed, "{deliverable:.60}");
        }
        let bare = act(&market, &market.bob, &escrow, "deliver", &json!({ "deliverable": {} })).await.refusal();
        assert_eq!(bare.error, "deliverable.type is required");
        let long = json!({ "deliverable": { "type": "text" }, "notes": "x".repeat(4001) });
        assert_eq!(act(&market, &market.bob, &escrow, "deliver", &long).await.refusal().field.as_deref(), Some("notes"));
        assert_eq!(market.seen(&escrow.id).await, escrow, "nothing was delivered");
        let largest = json!({ "type": "code", "rest": "x".repeat(64 * 1024 - 25) });
        act(&market, &market.bob, &escrow, "deliver", &json!({ "deliverable": largest })).await.json();
    }

    async fn a_deliverable_with_a_live_key_is_refused(app: TestApp) {
        let market = Market::new(app).await;
        let id = market.open(10).await.id;
        let key = market.bob.key.expose();
        let mut rest = work();
        rest.rest.insert("key".to_owned(), json!(key));
        let mut token = work();
        token.access_token = Some(key.into());
        for (call, field) in [
            (market.bob.client.escrow().deliver(&id, rest), "deliverable"),
            (market.bob.client.escrow().deliver(&id, token), "deliverable"),
            (market.bob.client.escrow().deliver(&id, work()).notes(key), "notes"),
        ] {
            assert_eq!(fault::<DeliverEscrow>(call.await), (Code::CredentialInContent, field.to_owned()));
        }
    }

    async fn an_access_token_is_shown_to_the_parties_while_needed(app: TestApp) {
        let market = Market::new(app).await;
        let judge = judge(&market).await;
        let sealed = svc_store::sql!("select count(*) from escrow where access_token is not null");
        let clear = svc_store::sql!("select count(*) from escrow where deliverable like '%a-token-for-two%'");
        for end in ["release", "refund", "resolve"] {
            let escrow = market.escrow(&EscrowStatus::Disputed).await;
            for party in [&market.ada, &market.bob] {
                assert_eq!(token(party, &escrow).await.as_deref(), Some(TOKEN));
                let listed = party.client.escrow().list().status(EscrowStatus::Disputed).await.unwrap().escrows.remove(0);
                assert_eq!(shown(&listed).as_deref(), Some(TOKEN));
            }
            assert_eq!(token(&judge, &escrow).await, None);
            assert_eq!((market.app.count(sealed).await, market.app.count(clear).await), (1, 0));
            let by = match end { "release" => &market.ada, "refund" => &market.bob, _ => &judge };
            let decision = json!({ "outcome": "refund", "note": "it fails indeed" });
            let members = if end == "resolve" { decision } else { json!({}) };
            let received = act(&market, by, &escrow, end, &members).await;
            assert!(received.status == 200 && !received.text.contains(TOKEN), "{}", received.text);
            for reader in [&market.ada, &market.bob, &judge] {
                assert_eq!(token(reader, &escrow).await, None);
            }
            assert_eq!(market.app.count(sealed).await, 0, "not even the server knows it any more");
        }
        let left = market.escrow(&EscrowStatus::Delivered).await;
        market.app.advance(72 * 3_600);
        assert_eq!(token(&market.ada, &left).await, None);
        market.is_consistent().await;
    }

    async fn a_dispute_is_opened_answered_and_decided(app: TestApp) {
        let market = Market::new(app).await;
        let judge = judge(&market).await;
        let escrow = market.escrow(&EscrowStatus::Delivered).await;
        let opened = json!({ "reason": "the tests fail", "evidence": { "failed": [3, "x"] } });
        let received = act(&market, &market.ada, &escrow, "dispute", &opened).await.json();
        let mut dispute = json!({
            "reason": "the tests fail", "evidence": { "failed": [3, "x"] }, "openedAt": "2026-01-31T09:30:00.000Z",
        });
        assert_eq!((&received["escrow"]["status"], &received["escrow"]["dispute"]), (&json!("disputed"), &dispute));
        market.app.advance(60);
        let members = json!({ "response": "they pass here", "evidence": "a log" });
        let received = act(&market, &market.bob, &escrow, "dispute/respond", &members).await.json();
        dispute["response"] = json!("they pass here");
        dispute["responseEvidence"] = json!("a log");
        dispute["respondedAt"] = json!("2026-01-31T09:31:00.000Z");
        assert_eq!(received["escrow"]["dispute"], dispute);
        let again = json!({ "response": "once more" });
        act(&market, &market.bob, &escrow, "dispute/respond", &again).await.json();
        dispute["response"] = json!("once more");
        dispute.as_object_mut().unwrap().remove("responseEvidence");
        let members = json!({ "outcome": "release", "note": "they do pass" });
        let received = act(&market, &judge, &escrow, "resolve", &members).await.json();
        dispute["outcome"] = json!("release");
        dispute["note"] = json!("they do pass");
        dispute["resolvedAt"] = json!("2026-01-31T09:31:00.000Z");
        assert_eq!(received["escrow"]["dispute"], dispute);
        assert_eq!((&received["escrow"]["status"], &received["escrow"]["closeReason"]), (&json!("released"), &json!("dispute_released")));
        assert_eq!(market.have().await, ["90+0", "110+0"]);
        let own = market.bob.client.services().list().await.unwrap().services.remove(0);
        assert_eq!(own.ratings_count, 0);
        market.is_consistent().await;
    }

    async fn a_dispute_resolved_for_the_buyer_returns_the_credits(app: TestApp) {
        let market = Market::new(app).await;
        let judge = judge(&market).await;
        let id = market.escrow(&EscrowStatus::Disputed).await.id;
        let resolved = judge.client.escrow().resolve(&id, DisputeOutcome::Refund, "it fails").await.unwrap().escrow;
        assert_eq!((resolved.status, resolved.close_reason.unwrap().as_str()), (EscrowStatus::Refunded, "dispute_refunded"));
        assert_eq!(market.have().await, ["100+0", "100+0"]);
        market.is_consistent().await;
    }

    async fn evidence_is_any_json_up_to_its_size(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.escrow(&EscrowStatus::Delivered).await;
        let large = json!("x".repeat(64 * 1024 - 1));
        for (action, by, word) in [("dispute", &market.ada, "reason"), ("dispute/respond", &market.bob, "response")] {
            let received = act(&market, by, &escrow, action, &json!({ word: "x", "evidence": large })).await.refusal();
            assert_eq!((received.code, received.field.as_deref()), (Code::ValidationFailed, Some("evidence")));
            for text in [json!(""), json!("x".repeat(4001)), json!(7)] {
                let received = act(&market, by, &escrow, action, &json!({ word: text })).await.refusal();
                assert_eq!((received.code, received.field.as_deref()), (Code::ValidationFailed, Some(word)));
            }
            let leak = json!({ word: by.key.expose() });
            assert_eq!(act(&market, by, &escrow, action, &leak).await.refusal().code, Code::CredentialInContent);
            let fits = json!("x".repeat(64 * 1024 - 2));
            act(&market, by, &escrow, action, &json!({ word: "x", "evidence": fits })).await.json();
        }
        for evidence in [json!(7), json!(false), json!([]), json!({ "a": null })] {
            let members = json!({ "response": "x", "evidence": evidence });
            let received = act(&market, &market.bob, &escrow, "dispute/respond", &members).await.json();
            assert_eq!(received["escrow"]["dispute"]["responseEvidence"], evidence);
        }
    }

    async fn accepted_evidence_is_readable_at_any_depth(app: TestApp) {
        let market = Market::new(app).await;
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let send = |by: &Member, path: String, body: String| {
            let request = by.raw(&market.app, Method::POST, &path);
            answer(request.header("content-type", "application/json").body(body))
        };
        for depth in [20, 28, 100, 120, 126, 127, 128, 10_000] {
            let escrow = market.escrow(&EscrowStatus::Funded).await;
            let path = |action: &str| format!("/v1/escrow/{}/{action}", escrow.id);
            let deep = nested(depth);
            let bodies = [
                (&market.bob, "deliver", format!(r#"{{"deliverable":{{"type":"text","deep":{deep}}}}}"#)),
                (&market.ada, "dispute", format!(r#"{{"reason":"x","evidence":{deep}}}"#)),
                (&market.bob, "dispute/respond", format!(r#"{{"response":"x","evidence":{deep}}}"#)),
            ];
            for (by, action, body) in bodies {
                let received = send(by, path(action), body).await;
                if received.status != 200 {
                    assert_eq!(received.refusal().code, Code::ValidationFailed, "{depth} {action}");
                    assert!(depth > 28, "{depth} {action}");
                    match action {
                        "deliver" => drop(market.deliver(&escrow.id).await),
                        "dispute" => drop(market.dispute(&escrow.id).await),
                        _ => {}
                    }
                }
                market.seen(&escrow.id).await;
            }
            market.ada.client.escrow().release(&escrow.id).await.unwrap();
            market.app.grant_credits("ada", 10).await;
        }
    }
}
