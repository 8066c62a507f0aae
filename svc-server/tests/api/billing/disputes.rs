//! Disputes that end twice, and debts that outlive what made them.

use serde_json::json;
use svc_client::types::Code;
use svc_client::types::api::messages::SendMessage;
use svc_core::due;
use svc_core::services::billing::facts::DisputeState;
use svc_server::admin::{BillingCommand, Command, Line};
use svc_store::{sql, values};

use super::{books, dispute, purse, work};
use crate::app::{TestApp, code};
use crate::market::{Market, is_consistent};
use crate::on_both_engines;
use crate::purchase::buy;
use crate::stripe::UNCALLED;

/// What the operator reads.
async fn printed(app: &TestApp, command: BillingCommand) -> String {
    let lines = app.server.admin(Command::Billing { command }).await;
    lines.iter().map(Line::to_string).collect::<Vec<_>>().join("\n")
}

on_both_engines! {
    async fn a_lost_dispute_that_is_won_later_gives_back_what_it_took(app: TestApp, ..UNCALLED) {
        let market = Market::new(app).await;
        let (app, ada, bob) = (&market.app, &market.ada, &market.bob);
        let bought = buy(app, ada, 500).await;
        work(&market, 400).await;
        dispute(app, &bought, 500, DisputeState::Lost).await;
        assert_eq!(purse(ada).await, "0 of which 0, owes 400");
        assert_eq!(books(app).await, [0, -500, 0, 500]);
        dispute(app, &bought, 500, DisputeState::Won).await;
        assert_eq!(purse(ada).await, "100 of which 100, owes 0");
        assert_eq!(purse(bob).await, "400 of which 400, owes 0");
        assert_eq!(books(app).await, [500, -500, 0, 0]);
        let debt = app.count(sql!("select backed from ledger_account where kind = 'debt'")).await;
        assert_eq!(debt, 0, "what is owed has no money behind it");
        is_consistent(app).await;
        let shown = ada.client.billing().payment(&bought).await.unwrap().payment;
        assert!(!shown.disputed && !shown.dispute_lost, "{shown:?}");
        assert_eq!(shown.refundable_credits, 100.into());
    }

    async fn the_operator_sees_who_owes_and_forgives_a_deleted_account(app: TestApp, ..UNCALLED) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let bought = buy(app, ada, 500).await;
        work(&market, 500).await;
        ada.client.users().delete_me("ada").await.unwrap();
        // The bank takes the money back when nobody is there any more.
        dispute(app, &bought, 500, DisputeState::Lost).await;
        let status = printed(app, BillingCommand::Status).await;
        assert!(status.contains("\n1 accounts in debt\n@ada  owes 500 credits\n"), "{status}");
        let lines = app.server.admin(Command::Billing { command: BillingCommand::Status }).await;
        let json = serde_json::to_value(&lines[0]).unwrap();
        assert_eq!(json["debts"], json!([{ "username": "ada", "owed": 500 }]));
        let forgive = BillingCommand::Forgive { username: "@ada".into(), reason: "she left".into() };
        assert_eq!(printed(app, forgive).await, "ada  500 credits forgiven");
        let status = printed(app, BillingCommand::Status).await;
        assert!(status.contains("\n0 accounts in debt\n") && !status.contains("@ada"), "{status}");
        is_consistent(app).await;
    }

    async fn what_is_owed_is_asked_for_where_only_tokens_are_taken(
        app: TestApp, "x402.facilitator" = "its own"
    ) {
        let market = Market::new(app).await;
        let (app, ada) = (&market.app, &market.ada);
        let debtor = ada.user.id.clone();
        let sql = sql!(
            "insert into ledger_account (id, kind, balance, entries, backed, backed_moved)
             values ('debt:' || $1, 'debt', -150000000, 0, 0, 0)"
        );
        app.execute(move |ctx| ctx.tx.execute(sql, values![debtor])).await;
        let ordered = market.ordering(market.order(5)).await;
        assert_eq!(code::<SendMessage>(ordered), Code::DebtOpen);
        due::sweep(app.server.app()).await.unwrap();
        assert_eq!(purse(ada).await, "0 of which 0, owes 50");
    }
}
