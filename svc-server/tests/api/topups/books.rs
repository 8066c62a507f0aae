//! The chain compared with our books.

use super::{ask, purse, purse_of, sign, work};
use crate::market::is_consistent;
use crate::on_both_engines;
use crate::payments::reconcile::{differences, reconcile};

on_both_engines! {
    async fn reconcile_names_what_only_one_side_has(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1"
    ) {
        let ada = app.agent("ada").await;
        assert!(reconcile(&app, false).await.agrees(), "nothing was sold yet");
        for nonce in [1, 2] {
            let payment = sign(&app, &ada, "500", nonce).await;
            assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.status, 200);
        }
        let report = reconcile(&app, false).await;
        assert!(report.agrees(), "{report}");
        assert_eq!(report.compared, 4, "two payments, two transfers");
        app.chain().books().send(7);
        let report = reconcile(&app, true).await;
        let payer = crate::app::chain::PAYER.to_lowercase();
        assert_eq!(differences(&report), [format!("0.000007 USDC came from {payer}, and no payment counts them")]);
        app.chain().books().forget(2);
        let report = reconcile(&app, false).await;
        assert_eq!(differences(&report), ["paid here, and its tokens are not on the chain"]);
        assert_eq!(report.queued, 0);
        is_consistent(&app).await;
    }

    async fn tokens_that_are_not_deep_enough_yet_are_no_difference(
        app: TestApp, "x402.facilitator" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (202, "open"));
        let report = reconcile(&app, false).await;
        assert!(report.agrees(), "{report}");
        // As many tokens that came otherwise are named once the payment has its own.
        app.chain().books().send(5_000_000);
        app.chain().books().mine(3);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        let report = reconcile(&app, false).await;
        let payer = crate::app::chain::PAYER.to_lowercase();
        assert_eq!(differences(&report), [format!("5.00 USDC came from {payer}, and no payment counts them")]);
        is_consistent(&app).await;
    }

    async fn reconcile_reads_many_blocks_piece_by_piece(
        app: TestApp, "x402.facilitator" = "its own", "x402.confirmations" = "1"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.status, 200);
        // The first piece ends between the two transfers.
        app.chain().books().mine(1_997);
        app.chain().books().send(7);
        app.chain().books().send(8);
        app.chain().books().mine(2_500);
        let report = reconcile(&app, false).await;
        let payer = crate::app::chain::PAYER.to_lowercase();
        let came = |amount: u64| format!("0.00000{amount} USDC came from {payer}, and no payment counts them");
        assert_eq!(differences(&report), [came(7), came(8)]);
        assert_eq!(report.compared, 4, "a payment, three transfers");
        // What came long ago is missed piece by piece, too.
        app.chain().books().drop_logs(true);
        let report = reconcile(&app, false).await;
        assert_eq!(differences(&report), ["paid here, and its tokens are not on the chain"]);
        assert_eq!(report.compared, 1, "what the chain has dropped did not come");
    }

    async fn tokens_of_a_block_that_the_chain_has_dropped_buy_nothing(
        app: TestApp, "x402.facilitator" = "its own", "exchange.signup_grant" = "0"
    ) {
        let ada = app.agent("ada").await;
        let payment = sign(&app, &ada, "500", 1).await;
        assert_eq!(ask(&app, &ada, "500", Some(&payment)).await.short(), (202, "open"));
        app.chain().books().drop_logs(true);
        app.chain().books().mine(3);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("0", "0"));
        app.chain().books().drop_logs(false);
        work(&app).await;
        assert_eq!(purse(&ada).await, purse_of("500", "0"));
        is_consistent(&app).await;
    }
}
