//! Credits: balance, transactions and issuance.

use http::Method;
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use svc_client::types::api::credits::{GrantCredits, ListTransactions, TransferKind};
use svc_client::types::service_message::ResponseStatus;
use svc_client::types::{Code, Credits};

use crate::app::{Member, TestApp, all_items, code, fault};
use crate::market::{Market, has, is_consistent, response};
use crate::on_both_engines;
use crate::raw::answer;

/// An admin.
async fn admin(app: &TestApp) -> Member {
    let judge = app.agent("judge").await;
    app.grant_role("judge", "admin").await;
    judge
}

/// A grant to ada of an amount as JSON text.
fn grant(app: &TestApp, admin: &Member, amount: &str) -> RequestBuilder {
    let body = format!(r#"{{"username":"ada","amount":{amount},"reason":"a prize"}}"#);
    let request = admin.raw(app, Method::POST, "/v1/credits/grant");
    request.header("content-type", "application/json").body(body)
}

/// An account's movements, without what differs from run to run.
async fn moved(member: &Member, kind: Option<TransferKind>) -> Vec<String> {
    let list = member.client.credits().transactions().limit(2);
    let list = list.with(|request| request.kind = kind);
    let line = |moved: svc_client::types::api::credits::Transaction| {
        format!("{} {} -> {}", moved.kind, moved.amount, moved.balance_after)
    };
    all_items(list).await.into_iter().map(line).collect()
}

on_both_engines! {
    async fn a_new_account_has_the_sign_up_grant(app: TestApp) {
        let ada = app.agent("ada").await;
        let read = |path: &'static str| ada.raw(&app, Method::GET, path);
        let balance = answer(read("/v1/credits")).await;
        assert_eq!(balance.text, r#"{"credits":{"available":100,"held":0}}"#);
        let listed = answer(read("/v1/credits/transactions")).await.json();
        assert_eq!(listed, json!({ "transactions": [{
            "id": listed["transactions"][0]["id"],
            "kind": "grant",
            "reason": "sign-up",
            "amount": 100,
            "balanceAfter": 100,
            "createdAt": "2026-01-31T09:30:00.000Z",
        }] }));
        is_consistent(&app).await;
    }

    async fn a_server_may_grant_nothing(app: TestApp, "exchange.signup_grant" = "0") {
        let ada = app.agent("ada").await;
        assert_eq!(has(&ada).await, "0+0");
        assert_eq!(moved(&ada, None).await, [""; 0]);
    }

    async fn held_credits_cannot_be_spent(app: TestApp) {
        let market = Market::new(app).await;
        market.open(60).await;
        market.ordered(Credits::from_micros(500_000)).await;
        assert_eq!(market.have().await, ["39.5+60.5", "100+0"]);
        let refused = market.ada.client.messages().request_service("bob", market.order(40));
        assert_eq!(code::<svc_client::types::api::messages::SendMessage>(refused.await), Code::InsufficientCredits);
        market.is_consistent().await;
    }

    async fn each_movement_is_listed_newest_first(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.open(60).await.id;
        let order = market.ordered(10).await;
        let mut done = response(&order, ResponseStatus::Completed);
        done.charged_credits = Some(Credits::from_micros(7_500_000));
        market.bob.client.messages().respond_to("ada", done).await.unwrap();
        market.deliver(&escrow).await;
        market.ada.client.escrow().release(&escrow).await.unwrap();
        market.app.grant_credits("ada", 1).await;
        assert_eq!(moved(&market.ada, None).await, [
            "topup 1 -> 33.5", "settle 2.5 -> 32.5", "hold -10 -> 30", "hold -60 -> 40", "grant 100 -> 100",
        ]);
        assert_eq!(moved(&market.ada, Some(TransferKind::Hold)).await, ["hold -10 -> 30", "hold -60 -> 40"]);
        assert_eq!(moved(&market.ada, Some(TransferKind::Forfeit)).await, [""; 0]);
        assert_eq!(moved(&market.bob, Some(TransferKind::Settle)).await, ["settle 60 -> 167.5", "settle 7.5 -> 107.5"]);

        let roles = async |member: &Member| {
            let listed = member.client.credits().transactions().await.unwrap().transactions;
            listed.iter().map(|moved| moved.role.as_ref().map(ToString::to_string)).collect::<Vec<_>>()
        };
        let [buyer, provider] = ["buyer", "provider"].map(|role| Some(role.to_owned()));
        assert_eq!(roles(&market.ada).await, [None, buyer.clone(), buyer.clone(), buyer, None]);
        assert_eq!(roles(&market.bob).await, [provider.clone(), provider, None]);

        let listed = market.ada.client.credits().transactions().await.unwrap().transactions;
        let about = listed.iter().map(|moved| (moved.escrow_id.clone(), moved.request_id.clone()));
        let (order, escrow) = (Some(order), Some(escrow));
        let expected = [(None, None), (None, order.clone()), (None, order), (escrow, None), (None, None)];
        assert_eq!(about.collect::<Vec<_>>(), expected);
        market.is_consistent().await;
    }

    async fn a_transaction_names_the_other_party_also_once_that_is_erased(app: TestApp) {
        let market = Market::new(app).await;
        let escrow = market.open(60).await.id;
        market.deliver(&escrow).await;
        market.ada.client.escrow().release(&escrow).await.unwrap();
        let order = market.ordered(10).await;
        market.answer(response(&order, ResponseStatus::Rejected)).await;
        let about = async |member: &Member| -> Vec<[Option<String>; 2]> {
            let listed = member.client.credits().transactions().await.unwrap().transactions;
            listed.into_iter().map(|moved| [moved.counterparty, moved.service_name]).collect()
        };
        let [ada, bob, work] = ["ada", "bob", "work"].map(|text| Some(text.to_owned()));
        let with_bob = [bob.clone(), work.clone()];
        let granted = [None, None];
        assert_eq!(about(&market.ada).await, [with_bob.clone(), with_bob.clone(), with_bob, granted.clone()]);
        assert_eq!(about(&market.bob).await, [[ada, work], granted.clone()]);
        market.bob.client.users().delete_me("bob").await.unwrap();
        market.app.advance(14 * 24 * 3_600);
        market.app.server.erase().await;
        let with_erased = [bob, None];
        assert_eq!(about(&market.ada).await, [with_erased.clone(), with_erased.clone(), with_erased, granted]);
        market.is_consistent().await;
    }

    async fn a_cursor_is_bound_to_its_filter(app: TestApp) {
        let ada = app.agent("ada").await;
        app.grant_credits("ada", 1).await;
        let list = || ada.client.credits().transactions().limit(1);
        let cursor = list().page().await.unwrap().next_cursor.unwrap();
        let refused = list().kind(TransferKind::Grant).after(cursor).await;
        assert_eq!(code::<ListTransactions>(refused), Code::InvalidCursor);
    }

    async fn an_admin_issues_credits(app: TestApp) {
        let (ada, judge) = (app.agent("ada").await, admin(&app).await);
        let granted = answer(grant(&app, &judge, "2.5")).await;
        assert_eq!(granted.status, 201);
        assert_eq!(granted.json(), json!({ "transfer": {
            "id": granted.json()["transfer"]["id"],
            "amount": 2.5,
            "to": "ada",
            "reason": "a prize",
            "createdAt": "2026-01-31T09:30:00.000Z",
        } }));
        assert_eq!(moved(&ada, None).await, ["topup 2.5 -> 102.5", "grant 100 -> 100"]);
        let listed = ada.client.credits().transactions().await.unwrap().transactions;
        assert_eq!(listed[0].reason.as_deref(), Some("a prize"));
        let audited = app.count(svc_store::sql!(
            "select count(*) from audit_log l join account a on a.id = l.actor
             where l.action = 'credits_granted' and l.detail = '2.5: a prize' and a.username = 'judge'"
        ));
        assert_eq!(audited.await, 1);

        let unknown = judge.client.credits().grant("nobody", 1, "x").await;
        assert_eq!(fault::<GrantCredits>(unknown), (Code::NotFound, "username".to_owned()));
        app.grant_role("ada", "moderator").await;
        let refused = ada.client.credits().grant("ada", 1, "x").await;
        assert_eq!(code::<GrantCredits>(refused), Code::Forbidden);
        is_consistent(&app).await;
    }

    async fn an_amount_is_a_number_with_six_decimals(app: TestApp) {
        let (ada, judge) = (app.agent("ada").await, admin(&app).await);
        for (written, read) in [("25", 25.0), ("25.0", 25.0), ("2.5e1", 25.0), ("0.000001", 0.000_001), ("1000000000", 1e9)] {
            let granted = answer(grant(&app, &judge, written)).await.json();
            assert_eq!(granted["transfer"]["amount"].as_f64(), Some(read), "{written}");
        }
        for written in [
            "0", "-0", "-1", "\"25\"", "null", "true", "[]", "{}", "1e21", "1000000001", "0.0000001",
            "9007199254740993", "1e400", "NaN",
        ] {
            let refused = answer(grant(&app, &judge, written)).await.refusal();
            let expected = if written == "NaN" { Code::InvalidJson } else { Code::ValidationFailed };
            assert_eq!(refused.code, expected, "{written}");
            assert!(refused.field.is_none_or(|field| field == "amount"), "{written}");
        }
        assert_eq!(has(&ada).await, "1000000175.000001+0");
        let balance = answer(ada.raw(&app, Method::GET, "/v1/credits")).await.json();
        assert_eq!(balance["credits"]["available"], json!(1_000_000_175.000_001));
        is_consistent(&app).await;
    }

    async fn a_reason_has_1_to_500_characters(app: TestApp) {
        let (_ada, judge) = (app.agent("ada").await, admin(&app).await);
        for reason in [json!(""), json!("x".repeat(501)), json!(7), Value::Null] {
            let members = json!({ "username": "ada", "amount": 1, "reason": reason });
            let request = judge.raw(&app, Method::POST, "/v1/credits/grant").json(&members);
            let refused = answer(request).await.refusal();
            assert_eq!((refused.code, refused.field.as_deref()), (Code::ValidationFailed, Some("reason")));
        }
    }

    async fn at_most_nine_billion_credits_are_issued(app: TestApp) {
        let (ada, judge) = (app.agent("ada").await, admin(&app).await);
        for _ in 0..8 {
            answer(grant(&app, &judge, "1000000000")).await.json();
        }
        // Two accounts have their grants.
        assert_eq!(answer(grant(&app, &judge, "999999801")).await.refusal().code, Code::IssuanceLimit);
        answer(grant(&app, &judge, "999999800")).await.json();
        assert_eq!(answer(grant(&app, &judge, "0.000001")).await.refusal().code, Code::IssuanceLimit);
        assert_eq!(has(&ada).await, "8999999900+0");
        let late = app.agent("late").await;
        assert_eq!(has(&late).await, "0+0", "the sign-up still succeeds");
        is_consistent(&app).await;
    }

    async fn the_last_credits_go_to_a_new_account(app: TestApp, "exchange.signup_grant" = "1000000000") {
        for number in 1..=9 {
            let early = app.agent(&format!("early_{number}")).await;
            assert_eq!(has(&early).await, "1000000000+0", "{number}");
        }
        let late = app.agent("late").await;
        assert_eq!(has(&late).await, "0+0");
        is_consistent(&app).await;
    }

    async fn an_erased_account_leaves_its_credits_behind(app: TestApp) {
        let ada = app.agent("ada").await;
        ada.client.users().delete_me("ada").await.unwrap();
        app.advance(14 * 24 * 3_600);
        app.server.erase().await;
        is_consistent(&app).await;
        let left = svc_store::sql!("select balance from ledger_account where id = 'forfeited'");
        assert_eq!(app.count(left).await, 100_000_000);
    }
}
