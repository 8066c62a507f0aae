//! How samples end: withdrawn, revoked, moderated, or erased with an account.

use std::time::Duration;

use serde_json::json;
use svc_client::types::api::moderation::ModerationActionType as Kind;
use svc_client::types::api::orders::{AnswerSample, ProposeSample, SampleState};
use svc_client::types::api::reports::{ReportReason, Subject};
use svc_client::types::{Code, MessageId};
use svc_core::tasks::erase;
use svc_store::sql;

use super::{done, heard, notices, output, proposed, public, refused, sample, state};
use crate::app::{Member, code};
use crate::market::{Market, object, offer};
use crate::on_both_engines;

/// A moderator.
async fn judge(market: &Market) -> Member {
    let judge = market.app.agent("judge").await;
    market.app.grant_role("judge", "moderator").await;
    judge
}

/// A moderator acts on a message that one who received it reports.
async fn moderate(judge: &Member, reporter: &Member, message: &MessageId, kind: Kind) {
    let subject = || Subject::message(message);
    reporter.client.reports().create(subject(), ReportReason::Spam).await.unwrap();
    judge.client.moderation().act(subject(), kind, "the rules").await.unwrap();
}

on_both_engines! {
    async fn an_order_is_proposed_once_however_that_ended(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        let withdrawn = proposed(&market).await;
        for _ in 0..2 {
            assert!(bob.withdraw_sample(&withdrawn).await.unwrap().deleted);
            assert_eq!(state(&market, &withdrawn).await, Some(SampleState::Withdrawn));
        }
        let late = refused::<AnswerSample>(ada.answer_sample(&withdrawn, true).await);
        assert_eq!(late, (Code::WrongState, "withdrawn".to_owned()));
        let again = refused::<ProposeSample>(bob.propose_sample(&withdrawn).await);
        assert_eq!(again, (Code::WrongState, "withdrawn".to_owned()), "no buyer is asked twice");
        let id = proposed(&market).await;
        for _ in 0..2 {
            assert_eq!(ada.answer_sample(&id, false).await.unwrap().state, SampleState::Declined);
        }
        let again = refused::<ProposeSample>(bob.propose_sample(&id).await);
        assert_eq!(again, (Code::WrongState, "declined".to_owned()));
        bob.withdraw_sample(&id).await.unwrap();
        assert_eq!(state(&market, &id).await, Some(SampleState::Declined), "a withdrawal does not undo it");
        let late = refused::<AnswerSample>(ada.answer_sample(&id, true).await);
        assert_eq!(late, (Code::WrongState, "declined".to_owned()));
        assert_eq!(heard(&market.ada).await, ["sample_proposed", "sample_withdrawn", "sample_proposed"]);
        assert_eq!(heard(&market.bob).await, ["sample_declined"]);
        let unanswered = proposed(&market).await;
        ada.withdraw_sample(&unanswered).await.unwrap();
        assert_eq!(state(&market, &unanswered).await, Some(SampleState::Declined));
        assert_eq!(public(&market).await, []);
    }

    async fn either_side_takes_a_sample_off_for_good(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        market.bob.client.services().update(&market.service).samples([sample("a")]).await.unwrap();
        let [id, other] = [proposed(&market).await, proposed(&market).await];
        for id in [&id, &other] {
            ada.answer_sample(id, true).await.unwrap();
        }
        bob.withdraw_sample(&other).await.unwrap();
        assert_eq!(state(&market, &other).await, Some(SampleState::Withdrawn));
        assert_eq!(public(&market).await.len(), 2);
        market.app.suspend("ada").await;
        for _ in 0..2 {
            ada.withdraw_sample(&id).await.unwrap();
        }
        market.app.unsuspend("ada").await;
        assert_eq!(public(&market).await, [sample("a")]);
        assert_eq!(state(&market, &id).await, Some(SampleState::Revoked));
        let again = refused::<ProposeSample>(bob.propose_sample(&id).await);
        assert_eq!(again, (Code::WrongState, "revoked".to_owned()));
        assert_eq!(heard(&market.bob).await, ["sample_agreed", "sample_agreed", "sample_revoked"]);
        let expected = "@ada took back the consent: @bob no longer shows the order";
        assert_eq!(notices(&market.bob, 1).await, [expected]);
    }

    async fn what_moderators_hide_or_remove_is_taken_off_for_good(app: TestApp) {
        let market = Market::new(app).await;
        let ada = market.ada.client.orders();
        let shown = async || {
            let id = proposed(&market).await;
            ada.answer_sample(&id, true).await.unwrap();
            id
        };
        let [request, result, removed] = [shown().await, shown().await, shown().await];
        let answer = ada.get(&result).await.unwrap().order.response_message_id.unwrap();
        assert_eq!(public(&market).await.len(), 3);
        let judge = judge(&market).await;
        moderate(&judge, &market.bob, &request, Kind::Hide).await;
        assert_eq!(public(&market).await.len(), 2);
        moderate(&judge, &market.ada, &answer, Kind::Hide).await;
        assert_eq!(ada.get(&result).await.unwrap().order.output, None, "nor does the order show it");
        assert_eq!(state(&market, &result).await, Some(SampleState::Withdrawn));
        assert_eq!(public(&market).await.len(), 1);
        moderate(&judge, &market.bob, &removed, Kind::Remove).await;
        assert_eq!(public(&market).await, []);
        let restored = judge.client.moderation().act(Subject::message(&request), Kind::Restore, "the rules");
        restored.await.unwrap();
        assert_eq!((public(&market).await, state(&market, &request).await), (vec![], Some(SampleState::Withdrawn)));
    }

    async fn a_hidden_request_is_not_proposed_and_its_proposal_can_be_withdrawn(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        let waits = proposed(&market).await;
        let plain = done(&market, &market.ada, output()).await;
        let judge = judge(&market).await;
        for id in [&waits, &plain] {
            moderate(&judge, &market.bob, id, Kind::Hide).await;
        }
        let listed = market.bob.client.services().sample_orders("bob", &market.service).await.unwrap();
        assert_eq!(listed.orders, []);
        assert_eq!(code::<ProposeSample>(bob.propose_sample(&plain).await), Code::NotFound);
        let seen = ada.get(&waits).await.unwrap().order.sample.unwrap();
        assert_eq!((seen.state, seen.content), (SampleState::Proposed, None));
        let agreed = refused::<AnswerSample>(ada.answer_sample(&waits, true).await);
        assert_eq!(agreed, (Code::WrongState, "empty".to_owned()));
        bob.withdraw_sample(&waits).await.unwrap();
        let seen = ada.get(&waits).await.unwrap().order.sample.unwrap();
        assert_eq!(seen.state, SampleState::Withdrawn);
    }

    async fn a_deleted_buyer_takes_samples_along(app: TestApp) {
        let market = Market::new(app).await;
        let mark = object(json!({ "text": "quetzalcoatl" }));
        let agreed = done(&market, &market.ada, mark).await;
        market.bob.client.orders().propose_sample(&agreed).await.unwrap();
        market.ada.client.orders().answer_sample(&agreed, true).await.unwrap();
        proposed(&market).await;
        market.bob.client.services().update(&market.service).samples([sample("a")]).await.unwrap();
        assert_eq!(public(&market).await.len(), 2);
        market.ada.client.users().delete_me("ada").await.unwrap();
        assert_eq!(public(&market).await, [sample("a")], "at once");
        let ended = sql!("select count(*) from sample_proposal where state in ('declined', 'revoked')");
        assert_eq!(market.app.count(ended).await, 2);
        let late = refused::<ProposeSample>(market.bob.client.orders().propose_sample(&agreed).await);
        assert_eq!(late, (Code::WrongState, "revoked".to_owned()), "also if the account comes back");
        // As if the account had been deleted at the moment at which it agreed.
        market.app.execute(|ctx| ctx.tx.execute(sql!("update sample_proposal set state = 'agreed'"), &[])).await;
        market.app.server.clock().advance(Duration::from_hours(15 * 24));
        erase::once(market.app.server.app()).await.unwrap();
        assert_eq!(market.app.count(sql!("select count(*) from sample_proposal where state = 'agreed'")).await, 0);
        let left = sql!("select count(*) from service where samples like '%quetzalcoatl%'");
        assert_eq!(market.app.count(left).await, 0);
    }

    async fn a_report_of_a_service_keeps_its_own_samples_and_no_order(app: TestApp) {
        let market = Market::new(app).await;
        market.bob.client.services().update(&market.service).samples([sample("a")]).await.unwrap();
        let shown = proposed(&market).await;
        market.ada.client.orders().answer_sample(&shown, true).await.unwrap();
        assert_eq!(public(&market).await.len(), 2);
        let judge = judge(&market).await;
        let subject = Subject::service(&market.service);
        let reporting = market.ada.client.reports().create(subject, ReportReason::Spam);
        let id = reporting.await.unwrap().report.id;
        let kept = judge.client.moderation().report(&id).await.unwrap().report.snapshot.unwrap();
        assert_eq!(kept["samples"], json!([sample("a")]));
    }

    async fn an_erased_seller_leaves_no_proposals(app: TestApp) {
        let market = Market::new(app).await;
        let [_, agreed, declined] = [proposed(&market).await, proposed(&market).await, proposed(&market).await];
        let ada = market.ada.client.orders();
        ada.answer_sample(&agreed, true).await.unwrap();
        ada.answer_sample(&declined, false).await.unwrap();
        market.bob.client.users().delete_me("bob").await.unwrap();
        market.app.server.clock().advance(Duration::from_hours(15 * 24));
        erase::once(market.app.server.app()).await.unwrap();
        assert_eq!(market.app.count(sql!("select count(*) from sample_proposal")).await, 0);
        assert_eq!(market.app.count(sql!("select count(*) from service where samples is not null")).await, 0);
    }

    async fn the_end_of_one_proposal_leaves_the_others(app: TestApp) {
        let market = Market::new(app).await;
        let (ada, bob) = (market.ada.client.orders(), market.bob.client.orders());
        let [waits, shown] = [proposed(&market).await, proposed(&market).await];
        ada.answer_sample(&shown, true).await.unwrap();
        bob.withdraw_sample(proposed(&market).await).await.unwrap();
        ada.answer_sample(proposed(&market).await, false).await.unwrap();
        let revoked = proposed(&market).await;
        ada.answer_sample(&revoked, true).await.unwrap();
        ada.withdraw_sample(&revoked).await.unwrap();
        let cyd = market.app.agent("cyd").await;
        let of_cyd = done(&market, &cyd, output()).await;
        bob.propose_sample(&of_cyd).await.unwrap();
        cyd.client.users().delete_me("cyd").await.unwrap();
        let second = offer(&market.bob, "second", 5).await;
        market.bob.client.services().delete(&second).await.unwrap();
        assert_eq!(state(&market, &waits).await, Some(SampleState::Proposed));
        assert_eq!(state(&market, &shown).await, Some(SampleState::Agreed));
        assert_eq!(public(&market).await.len(), 1);
    }

    async fn a_withdrawn_service_ends_its_proposals(app: TestApp) {
        let market = Market::new(app).await;
        let [waits, agreed, declined] = [proposed(&market).await, proposed(&market).await, proposed(&market).await];
        let ada = market.ada.client.orders();
        ada.answer_sample(&agreed, true).await.unwrap();
        ada.answer_sample(&declined, false).await.unwrap();
        market.bob.client.services().delete(&market.service).await.unwrap();
        assert_eq!(state(&market, &waits).await, None);
        assert_eq!(state(&market, &agreed).await, None);
        assert_eq!(state(&market, &declined).await, Some(SampleState::Declined));
        assert_eq!(market.app.count(sql!("select count(*) from service where samples is not null")).await, 0);
        assert_eq!(code::<AnswerSample>(ada.answer_sample(&waits, true).await), Code::NotFound);
        let again = refused::<ProposeSample>(market.bob.client.orders().propose_sample(&waits).await);
        assert_eq!(again, (Code::WrongState, "withdrawn".to_owned()));
    }
}
